"""Applies a policy to a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from deidgui.engine.arrays import AnyArray, BoolArray, Int32Array, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.grouping import joint_keys, ranks_of
from deidgui.engine.data.hierarchy import SUPPRESSED, leaf_codes
from deidgui.engine.data.table import Column, Table
from deidgui.engine.policy.policy import AttributeMap, Policy
from deidgui.engine.policy.released import ReleasedClasses, released_classes
from deidgui.engine.threads import in_order
from deidgui.engine.transform.pseudonyms import (
    PseudonymKey,
    PseudonymsAhead,
    pseudonymise,
)
from deidgui.engine.transform.released import ReleasedColumn, ReleasedTable
from deidgui.engine.transform.spreadsheet import guard_text, guard_texts
from deidgui.errors import ConfigError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

Treatment = Literal["keep", "remove", "pseudonym", "mask"]
"""What happens to a column that is no quasi-identifier."""

Suppressed = Literal["stars", "left_out"]
"""Whether a suppressed record stays as a row of ``*`` or has no row."""

_CHUNK = 200_000
_DENSE = 1 << 24


def apply_policy(
    table: Table,
    class_table: ClassTable,
    policy: Policy,
    treatments: Mapping[str, Treatment],
    *,
    suppressed: Suppressed = "stars",
    order: IntArray | None = None,
    spreadsheet_safe: bool = True,
    ahead: PseudonymsAhead | None = None,
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
    suppressed : str
        ``stars`` or ``left_out``.
    order : ndarray of int64, shape (n_records,), optional
        Permutation of the records; None keeps the order of the input.
    spreadsheet_safe : bool
        Whether texts that a spreadsheet would execute are made harmless.
    ahead : PseudonymsAhead, optional
        Of all columns that become pseudonyms; None makes them now.

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
    Nothing of a suppressed record is released: its sensitive and other values
    become ``*`` too. ARX stars only the quasi-identifiers of such records; what
    is left can single out the person who had it.
    """
    _check_treatments(table, policy, treatments)
    found = _find_classes(table, class_table, policy, SubMonitor(monitor, 0.0, 0.5))
    mask = found.suppressed
    step = SubMonitor(monitor, 0.5, 1.0)
    code = pseudonymise if ahead is None else ahead.of
    columns, keys = _columns(
        table, found.plans, treatments, spreadsheet_safe, code, step
    )
    rows = np.arange(table.n_rows, dtype=np.int64) if order is None else order
    if suppressed == "left_out" and mask.any():
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
    """Released text of each source code: a number, and what it stands for."""

    source: Int32Array
    lookup: Int32Array
    values: pl.Series


@dataclass(frozen=True, eq=False)
class _Found:
    """What a policy does to each record: which are suppressed, and the labels."""

    suppressed: BoolArray
    plans: Mapping[str, _Plan]


_Find = Callable[[Table, ClassTable, Policy, ReleasedClasses, Monitor], _Found]


def _find_classes(
    table: Table, class_table: ClassTable, policy: Policy, monitor: Monitor
) -> _Found:
    classes = released_classes(class_table, policy)
    units = class_table.units
    find: _Find = _by_label if policy.is_by_value else _by_combination
    if units is not None and units.varying is not None:
        find = _by_person
    found = find(table, class_table, policy, classes, monitor)
    gone = found.suppressed
    n_gone = gone.sum() if units is None else np.unique(units.people.of_row[gone]).size
    # PRIVACY: the file must suppress exactly what was measured.
    assert int(n_gone) == classes.n_suppressed, "class table of another"
    monitor.report(1.0, "suppress")
    return found


def _by_label(
    table: Table,
    _class_table: ClassTable,
    policy: Policy,
    classes: ReleasedClasses,
    monitor: Monitor,
) -> _Found:
    """Labels follow from each value alone."""
    lookups, sources = _labels_by_code(table, policy)
    numbers = _numbers(classes, policy, sources, lookups, monitor)
    plans = {
        each.attribute: _Plan(source, lookup, pl.Series(each.labels, dtype=pl.String))
        for each, source, lookup in zip(policy.maps, sources, lookups, strict=True)
    }
    return _Found(classes.suppressed[numbers], plans)


def _labels_by_code(
    table: Table, policy: Policy
) -> tuple[list[Int32Array], list[Int32Array]]:
    """Label of every code of the quasi-identifiers, and the codes of the records."""
    columns = [table.column(each.attribute) for each in policy.maps]
    lookups = [
        _labels_by_text(column, each)
        for column, each in zip(columns, policy.maps, strict=True)
    ]
    return lookups, [column.codes for column in columns]


def _numbers(
    classes: ReleasedClasses,
    policy: Policy,
    sources: Sequence[Int32Array],
    lookups: Sequence[Int32Array],
    monitor: Monitor,
) -> Int32Array:
    """Released class of every record, by its labels."""
    finder = _Finder(classes.labels, [len(each.labels) for each in policy.maps])
    return finder.find_all(sources, lookups, monitor)


def released_class_of(
    table: Table,
    class_table: ClassTable,
    policy: Policy,
    classes: ReleasedClasses,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Int32Array:
    """Released class of every record: ndarray of int32, (n_records,).

    Parameters
    ----------
    table : Table
        That `class_table` was counted from.
    classes : ReleasedClasses
        Of the policy.
    """
    if policy.is_by_value and class_table.units is None:
        # PERF: there are far fewer labels than combinations of values.
        lookups, sources = _labels_by_code(table, policy)
        return _numbers(classes, policy, sources, lookups, monitor)
    combination = combinations_of(table, class_table, monitor=monitor)
    found: Int32Array = classes.of_combination[combination].astype(np.int32)
    return found


def _by_person(
    table: Table,
    class_table: ClassTable,
    policy: Policy,
    classes: ReleasedClasses,
    _monitor: Monitor,
) -> _Found:
    """Labels follow from each value alone; suppressed are all rows of a person."""
    assert class_table.units is not None
    assert policy.is_by_value
    plans = {
        each.attribute: _Plan(
            table.column(each.attribute).codes,
            _labels_by_text(table.column(each.attribute), each),
            pl.Series(each.labels, dtype=pl.String),
        )
        for each in policy.maps
    }
    gone = classes.suppressed[classes.of_combination]
    return _Found(class_table.units.of_rows(gone), plans)


def _by_combination(
    table: Table,
    class_table: ClassTable,
    policy: Policy,
    classes: ReleasedClasses,
    monitor: Monitor,
) -> _Found:
    """Labels follow from all quasi-identifiers of a record together."""
    combination = combinations_of(table, class_table, monitor=monitor)
    plans = {
        name: _Plan(
            combination,
            classes.labels[classes.of_combination, place],
            pl.Series(policy.labels[place], dtype=pl.String),
        )
        for place, name in enumerate(policy.attributes)
    }
    suppressed = classes.suppressed[classes.of_combination]
    return _Found(suppressed[combination], plans)


def combinations_of(
    table: Table, class_table: ClassTable, *, monitor: Monitor = NULL_MONITOR
) -> Int32Array:
    """Row of the class table of every record: ndarray of int32, (n_records,).

    Parameters
    ----------
    table : Table
        That `class_table` was counted from.
    """
    if class_table.units is not None:
        rows = np.arange(class_table.n_classes, dtype=np.int32)
        found: Int32Array = class_table.units.of_rows(rows)
        return found
    hierarchies = class_table.hierarchies
    lookups = [
        leaf_codes(table.column(each.attribute), each).astype(np.int32)
        for each in hierarchies
    ]
    sources = [table.column(each.attribute).codes for each in hierarchies]
    finder = _Finder(class_table.leaves, [each.n_leaves for each in hierarchies])
    return finder.find_all(sources, lookups, monitor)


def _labels_by_text(column: Column, each: AttributeMap) -> Int32Array:
    """Label of every distinct text; texts of no record get the last label."""
    return each.groups[leaf_codes(column, each.hierarchy)].astype(np.int32)


def _columns(
    table: Table,
    generalized: Mapping[str, _Plan],
    treatments: Mapping[str, Treatment],
    spreadsheet_safe: bool,
    code: Callable[..., tuple[pl.Series, PseudonymKey]],
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
            plan = _each_text(column, column.values)
        elif treatment == "mask":
            plan = _masked(column)
        else:
            codes, key = code(column, monitor=step)
            plan = _each_text(column, codes)
            keys.append(key)
        columns.append(_released_column(column, plan, spreadsheet_safe))
    return tuple(columns), tuple(keys)


def _each_text(column: Column, values: pl.Series) -> _Plan:
    lookup = np.arange(column.n_values, dtype=np.int32)
    return _Plan(column.codes, lookup, values)


def _masked(column: Column) -> _Plan:
    return _Plan(
        column.codes,
        np.zeros(column.n_values, dtype=np.int32),
        pl.Series([SUPPRESSED], dtype=pl.String),
    )


def _released_column(column: Column, plan: _Plan, safe: bool) -> ReleasedColumn:
    values = guard_texts(plan.values) if safe else plan.values
    values = pl.concat([values, pl.Series([SUPPRESSED], dtype=pl.String)])
    return ReleasedColumn(
        name=guard_text(column.name) if safe else column.name,
        attribute=column.name,
        source=plan.source,
        lookup=plan.lookup,
        values=values,
        star=len(values) - 1,
    )


class _Finder:
    """Finds the row of a record among distinct rows of numbers, by one integer key.

    Records are looked up by binary search among the keys of the rows, or directly
    where all possible keys fit in a small array.
    """

    def __init__(self, rows: Int32Array, sizes: Sequence[int]) -> None:
        columns = (rows[:, place] for place in range(len(sizes)))
        # Ascending, since the rows stand in lexicographic order.
        self._keys, self._rule = joint_keys(len(rows), columns, sizes)
        self._dense: Int32Array | None = None
        if self._rule.n_keys <= _DENSE:
            self._dense = np.full(self._rule.n_keys, -1, dtype=np.int32)
            self._dense[self._keys] = np.arange(len(rows), dtype=np.int32)

    def find_all(
        self,
        sources: Sequence[Int32Array],
        lookups: Sequence[Int32Array],
        monitor: Monitor,
    ) -> Int32Array:
        """Row of every record, whose numbers are looked up by its codes."""
        n_records = len(sources[0])
        found = np.empty(n_records, dtype=np.int32)
        done = 0

        def find(start: int) -> int:
            part = slice(start, min(start + _CHUNK, n_records))
            columns = zip(lookups, sources, strict=True)
            found[part] = self._find([lookup[codes[part]] for lookup, codes in columns])
            return part.stop

        def take(stop: int) -> None:
            nonlocal done
            done = stop
            report()

        def report() -> None:
            monitor.report(done / n_records, "suppress")

        in_order(find, range(0, n_records, _CHUNK), take, report)
        return found

    def _find(self, columns: Sequence[Int32Array]) -> AnyArray:
        keys = self._rule.keys(columns)
        if self._dense is None:
            return ranks_of(keys, self._keys)
        found = self._dense[keys]
        assert (found >= 0).all(), "class table of another table"
        return found
