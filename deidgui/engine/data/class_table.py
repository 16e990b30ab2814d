"""The distinct quasi-identifier combinations of a table, with their counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from deidgui.engine.arrays import Int32Array, IntArray
from deidgui.engine.data.grouping import group_rows
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.leaf_codes import leaf_codes
from deidgui.engine.data.population import Population
from deidgui.engine.data.sensitive import Distribution, count_values
from deidgui.engine.data.table import Table
from deidgui.errors import InputError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


@dataclass(frozen=True, repr=False, eq=False)
class ClassTable:
    """Distinct combinations of quasi-identifier leaves; searches work on it.

    Parameters
    ----------
    hierarchies : tuple of Hierarchy
        One per quasi-identifier, in the column order of the table.
    leaves : ndarray of int32, shape (n_classes, n_attributes), C order
        Leaf of each attribute, rows in ascending lexicographic order.
    counts : ndarray of int64, shape (n_classes,), each >= 1
        Records with this combination.
    sensitive : mapping of str to Distribution
        By sensitive attribute that a model asks about: the values of each
        combination's records.
    population : Population or None
        What is known about the people the records come from.
    """

    hierarchies: tuple[Hierarchy, ...]
    leaves: Int32Array
    counts: IntArray
    sensitive: Mapping[str, Distribution] = field(default_factory=dict)
    population: Population | None = None

    def __repr__(self) -> str:
        names = ", ".join(self.attributes)
        return f"<ClassTable {self.n_classes} of {self.n_records}: {names}>"

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers."""
        return tuple(hierarchy.attribute for hierarchy in self.hierarchies)

    @property
    def n_classes(self) -> int:
        """Number of distinct combinations."""
        return len(self.counts)

    @property
    def n_records(self) -> int:
        """Number of records."""
        return int(self.counts.sum())


def build_class_table(
    table: Table,
    hierarchies: Sequence[Hierarchy],
    sensitive: Mapping[str, Hierarchy | None] | None = None,
    population: Population | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> ClassTable:
    """Count the distinct quasi-identifier combinations of a table.

    Parameters
    ----------
    hierarchies : sequence of Hierarchy
        One per quasi-identifier; their attributes are columns of `table`.
    sensitive : mapping of str to Hierarchy or None, optional
        Sensitive attributes that privacy models ask about, each with its
        hierarchy if it has one.

    Raises
    ------
    InputError
        Codes ``no_quasi_identifier``, ``no_records`` or ``hierarchy_gap``.
    """
    if not hierarchies:
        raise InputError("no_quasi_identifier")
    if table.n_rows == 0:
        raise InputError("no_records", file=table.name)
    order = {name: place for place, name in enumerate(table.column_names)}
    ordered = tuple(sorted(hierarchies, key=lambda each: order[each.attribute]))
    lookups, problems = [], []
    for hierarchy in ordered:
        try:
            lookups.append(leaf_codes(table.column(hierarchy.attribute), hierarchy))
        except InputError as gap:
            problems.append(gap)
    raise_all(problems)
    combined, counts, of_record = _distinct(
        table, ordered, lookups, bool(sensitive), monitor
    )
    distributions = {
        name: count_values(table.column(name), of_record, len(counts), hierarchy)
        for name, hierarchy in (sensitive or {}).items()
    }
    return ClassTable(ordered, combined, counts, distributions, population)


def _distinct(
    table: Table,
    hierarchies: tuple[Hierarchy, ...],
    lookups: Sequence[Int32Array],
    of_record: bool,
    monitor: Monitor,
) -> tuple[Int32Array, IntArray, IntArray]:
    """Distinct leaf combinations in lexicographic order, their counts and records.

    The last array is empty unless it is asked for: it is as long as the table.
    """
    columns = [table.column(hierarchy.attribute).codes for hierarchy in hierarchies]

    def leaves_of_records() -> Iterator[Int32Array]:
        for lookup, codes in zip(lookups, columns, strict=True):
            yield lookup[codes]

    sizes = [hierarchy.n_leaves for hierarchy in hierarchies]
    step = SubMonitor(monitor, 0.0, 0.9)
    alike = group_rows(table.n_rows, leaves_of_records(), sizes, monitor=step)
    first, counts = alike.first, np.bincount(alike.of_row)
    rows = alike.of_row if of_record else np.empty(0, np.int64)
    leaves = np.empty((len(first), len(columns)), dtype=np.int32)
    for place, (lookup, codes) in enumerate(zip(lookups, columns, strict=True)):
        leaves[:, place] = lookup[codes[first]]
    monitor.report(1.0, "classes")
    return leaves, counts.astype(np.int64), rows.astype(np.int64)
