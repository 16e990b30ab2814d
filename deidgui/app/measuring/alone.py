"""Who is alone on what is released, all of it or some columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deidgui.engine.arrays import IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.grouping import RowGroups, group_rows
from deidgui.engine.data.people import People
from deidgui.engine.data.table import Table
from deidgui.engine.policy.policy import Policy
from deidgui.engine.transform.apply import apply_policy
from deidgui.engine.transform.released import ReleasedTable
from deidgui.monitor import NULL_MONITOR, Monitor


def apply_kept(
    table: Table,
    class_table: ClassTable,
    policy: Policy,
    kept: Sequence[str],
    *,
    spreadsheet_safe: bool,
    monitor: Monitor = NULL_MONITOR,
) -> ReleasedTable:
    """What is released but for pseudonyms, which nobody knows of anybody.

    Parameters
    ----------
    kept : sequence of str
        Columns that are released as they are.
    """
    return apply_policy(
        table,
        class_table,
        policy,
        dict.fromkeys(kept, "keep"),
        spreadsheet_safe=spreadsheet_safe,
        monitor=monitor,
    )


def groups_of(
    released: ReleasedTable, rows: IntArray, names: Sequence[str] | None = None
) -> RowGroups:
    """Group released rows by some or all of their columns."""
    columns = [
        each for each in released.columns if names is None or each.attribute in names
    ]
    codes = (released.codes(each, rows) for each in columns)
    return group_rows(len(rows), codes, [len(each.values) for each in columns])


def alone_on_all(
    released: ReleasedTable,
    rows: IntArray,
    people: People | None,
) -> tuple[int, int]:
    """People with a row of which nobody else has the same, and all people."""
    groups = groups_of(released, rows)
    if people is None:
        return int((np.bincount(groups.of_row) == 1).sum()), len(rows)
    owner = people.of_row[rows]
    lowest = np.full(len(groups.first), people.n_people, dtype=np.int64)
    highest = np.full(len(groups.first), -1, dtype=np.int64)
    np.minimum.at(lowest, groups.of_row, owner)
    np.maximum.at(highest, groups.of_row, owner)
    alone = np.unique(lowest[lowest == highest])
    return len(alone), len(np.unique(owner))


def count_alone(
    table: Table,
    class_table: ClassTable,
    policy: Policy,
    kept: Sequence[str],
    *,
    spreadsheet_safe: bool,
    monitor: Monitor = NULL_MONITOR,
) -> tuple[int, int]:
    """Count who is alone on quasi-identifiers and columns released as they are.

    Parameters
    ----------
    kept : sequence of str
        Columns besides the quasi-identifiers.

    Returns
    -------
    n_alone : int
        Records, or people where rows belong to people.
    n_released : int
        All of them.
    """
    released = apply_kept(
        table,
        class_table,
        policy,
        kept,
        spreadsheet_safe=spreadsheet_safe,
        monitor=monitor,
    )
    rows = np.flatnonzero(~released.suppressed)
    if not len(rows):
        return 0, 0
    units = class_table.units
    people = units.people if units is not None else None
    return alone_on_all(released, rows, people)
