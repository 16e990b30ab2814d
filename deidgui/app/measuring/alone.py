"""Who is alone on what is released, all of it or some columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from deidgui.engine.arrays import IntArray
from deidgui.engine.data.grouping import RowGroups, group_rows
from deidgui.engine.data.people import People
from deidgui.engine.policy.policy import Policy
from deidgui.engine.transform.apply import Treatment, apply_policy
from deidgui.engine.transform.released import ReleasedTable
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

if TYPE_CHECKING:
    from deidgui.app.classes import Classes
    from deidgui.app.project import Project


def apply_kept(
    project: Project, classes: Classes, policy: Policy, monitor: Monitor
) -> ReleasedTable:
    """What is released but for pseudonyms, which nobody knows of anybody."""
    kept: dict[str, Treatment] = {
        each.name: "keep" for each in project.with_role("sensitive", "insensitive")
    }
    return apply_policy(
        classes.table,
        classes.class_table,
        policy,
        kept,
        spreadsheet_safe=project.export.spreadsheet_safe,
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
    names: Sequence[str] | None = None,
) -> tuple[int, int]:
    """People with a row of which nobody else has the same, and all people."""
    groups = groups_of(released, rows, names)
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
    project: Project,
    classes: Classes,
    policy: Policy,
    names: Sequence[str],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> tuple[int, int]:
    """Count the people who are alone on released columns.

    Parameters
    ----------
    names : sequence of str
        Released columns that are no pseudonyms.

    Returns
    -------
    n_alone : int
        Records, or people where rows belong to people.
    n_released : int
        All of them.
    """
    step = SubMonitor(monitor, 0.0, 0.9)
    released = apply_kept(project, classes, policy, step)
    kept = np.flatnonzero(~released.suppressed)
    if not len(kept):
        return 0, 0
    units = classes.class_table.units
    people = units.people if units is not None else None
    return alone_on_all(released, kept, people, names)
