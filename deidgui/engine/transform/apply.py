"""What leaves the program when a policy is applied to a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from deidgui.engine.arrays import BoolArray, Int32Array, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.leaf_codes import leaf_codes
from deidgui.engine.data.grouping import joint_keys, ranks_of
from deidgui.engine.data.hierarchy import SUPPRESSED
from deidgui.engine.data.table import Column, Table
from deidgui.engine.policy.policy import (
    AttributeMap,
    Policy,
    ReleasedClasses,
    released_classes,
)
from deidgui.engine.transform.pseudonyms import PseudonymKey, pseudonymise
from deidgui.engine.transform.released import ReleasedColumn, ReleasedTable
from deidgui.engine.transform.spreadsheet import guard_text, guard_texts
from deidgui.errors import ConfigError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

Treatment = Literal["keep", "remove", "pseudonym", "mask"]
"""What happens to a column that is no quasi-identifier."""

Withheld = Literal["stars", "left_out"]
"""Whether a withheld record stays as a row of ``*`` or has no row."""

_CHUNK = 500_000
_DENSE = 1 << 24


def apply_policy(
    table: Table,
    class_table: ClassTable,
    policy: Policy,
    treatments: Mapping[str, Treatment],
    *,
    withheld: Withheld = "stars",
    order: IntArray | None = None,
    spreadsheet_safe: bool = True,
    monitor: Monitor = NULL_MONITOR,
) -> ReleasedTable:
    """Apply a policy to every record of a table.

    Parameters
    ----------
    table : Table
        Missing texts marked as when `class_table` was counted.
    class_table : ClassTable
        Of the same table.
    policy : Policy
        For the same quasi-identifiers.
    treatments : mapping of str to str
        For columns that are no quasi-identifiers: ``keep`` the raw text,
        ``remove``, replace by a keyed ``pseudonym``, or ``mask`` every value with
        ``*``. PRIVACY: a column that is neither named here nor a
        quasi-identifier is not released.
    withheld : str
        ``stars`` or ``left_out``.
    order : ndarray of int64, shape (n_records,), optional
        Permutation of the records; None keeps the order of the input.
    spreadsheet_safe : bool
        Whether texts that a spreadsheet would execute are made harmless.
    monitor : Monitor, optional

    Returns
    -------
    ReleasedTable
        Columns in the order of the input.

    Raises
    ------
    ConfigError
        Codes ``treatment_unknown_column`` or ``treatment_of_quasi_identifier``.
    InputError
        Code ``hierarchy_gap``.

    Notes
    -----
    Nothing of a withheld record is released: its sensitive and other values
    become ``*`` too. ARX stars only the quasi-identifiers of such records; what
    is left can single out the person who had it.
    """
    _check_treatments(table, policy, treatments)
    labels = [_labels_by_text(table.column(m.attribute), m) for m in policy.maps]
    mask = _withheld_records(
        table, class_table, policy, labels, SubMonitor(monitor, 0.0, 0.5)
    )
    by_name = {
        each.attribute: _Plan(lookup, pl.Series(each.labels, dtype=pl.String))
        for each, lookup in zip(policy.maps, labels, strict=True)
    }
    step = SubMonitor(monitor, 0.5, 1.0)
    columns, keys = _columns(table, by_name, treatments, spreadsheet_safe, step)
    rows = np.arange(table.n_rows, dtype=np.int64) if order is None else order
    if withheld == "left_out" and mask.any():
        rows = rows[~mask[rows]]
    monitor.report(1.0, "apply")
    return ReleasedTable(columns, rows, mask, keys)


def _check_treatments(
    table: Table, policy: Policy, treatments: Mapping[str, Treatment]
) -> None:
    problems: list[ConfigError] = []
    for name in treatments:
        if name not in table.column_names:
            problems.append(ConfigError("treatment_unknown_column", attribute=name))
        elif name in policy.attributes:
            problems.append(
                ConfigError("treatment_of_quasi_identifier", attribute=name)
            )
    raise_all(problems)


@dataclass(frozen=True, eq=False)
class _Plan:
    """Released text of each original text: a number, and what it stands for."""

    lookup: Int32Array
    values: pl.Series


def _labels_by_text(column: Column, each: AttributeMap) -> Int32Array:
    """Label of every distinct text; texts of no record get the last label."""
    return each.groups[leaf_codes(column, each.hierarchy)].astype(np.int32)


def _columns(
    table: Table,
    generalized: Mapping[str, _Plan],
    treatments: Mapping[str, Treatment],
    spreadsheet_safe: bool,
    monitor: Monitor,
) -> tuple[tuple[ReleasedColumn, ...], tuple[PseudonymKey, ...]]:
    columns, keys = [], []
    for place, column in enumerate(table.columns):
        step = SubMonitor(
            monitor, place / len(table.columns), (place + 1) / len(table.columns)
        )
        step.report(0.0, "apply")
        treatment = treatments.get(column.name, "remove")
        if column.name in generalized:
            plan = generalized[column.name]
        elif treatment == "remove":
            continue
        elif treatment == "keep":
            plan = _Plan(np.arange(column.n_values, dtype=np.int32), column.values)
        elif treatment == "mask":
            plan = _masked(column)
        else:
            codes, key = pseudonymise(column, monitor=step)
            plan = _Plan(np.arange(column.n_values, dtype=np.int32), codes)
            keys.append(key)
        columns.append(_released_column(column, plan, spreadsheet_safe))
    return tuple(columns), tuple(keys)


def _masked(column: Column) -> _Plan:
    return _Plan(
        np.zeros(column.n_values, dtype=np.int32),
        pl.Series([SUPPRESSED], dtype=pl.String),
    )


def _released_column(column: Column, plan: _Plan, safe: bool) -> ReleasedColumn:
    values = guard_texts(plan.values) if safe else plan.values
    values = pl.concat([values, pl.Series([SUPPRESSED], dtype=pl.String)])
    return ReleasedColumn(
        name=guard_text(column.name) if safe else column.name,
        attribute=column.name,
        source=column.codes,
        lookup=plan.lookup,
        values=values,
        star=len(values) - 1,
    )


def _withheld_records(
    table: Table,
    class_table: ClassTable,
    policy: Policy,
    labels: Sequence[Int32Array],
    monitor: Monitor,
) -> BoolArray:
    """Which records fall into a withheld class: ndarray of bool, (n_records,)."""
    classes = released_classes(class_table, policy)
    finder = _ClassFinder(classes, [len(each.labels) for each in policy.maps])
    sources = [table.column(each.attribute).codes for each in policy.maps]
    mask = np.zeros(table.n_rows, dtype=np.bool_)
    for start in range(0, table.n_rows, _CHUNK):
        monitor.report(start / table.n_rows, "withhold")
        part = slice(start, start + _CHUNK)
        mask[part] = finder.withheld(
            [lookup[codes[part]] for lookup, codes in zip(labels, sources, strict=True)]
        )
    # PRIVACY: the file must withhold exactly what was measured.
    assert int(mask.sum()) == classes.n_withheld, "class table of another table"
    monitor.report(1.0, "withhold")
    return mask


class _ClassFinder:
    """Finds the class of a record by one integer key made of its labels.

    Records are looked up by binary search among the keys of the classes, or
    directly where all possible keys fit in a small array.
    """

    def __init__(self, classes: ReleasedClasses, sizes: Sequence[int]) -> None:
        self._withheld = classes.withheld
        columns = (classes.labels[:, place] for place in range(len(sizes)))
        n_classes = len(classes.counts)
        # Ascending, since the classes stand in the order of their labels.
        self._keys, self._rule = joint_keys(n_classes, columns, sizes)
        self._dense: Int32Array | None = None
        if self._rule.n_keys <= _DENSE:
            self._dense = np.full(self._rule.n_keys, -1, dtype=np.int32)
            self._dense[self._keys] = np.arange(n_classes, dtype=np.int32)

    def withheld(self, labels: Sequence[Int32Array]) -> BoolArray:
        """Whether each record is withheld, from its label of every attribute."""
        keys = self._rule.keys(labels)
        if self._dense is None:
            return self._withheld[ranks_of(keys, self._keys)]
        found = self._dense[keys]
        assert (found >= 0).all(), "class table of another table"
        return self._withheld[found]
