"""Who is alone on what is released, all of it or some columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deidgui.engine.arrays import IntArray
from deidgui.engine.data.grouping import RowGroups, group_rows
from deidgui.engine.data.people import People
from deidgui.engine.transform.released import ReleasedTable


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
    released: ReleasedTable, rows: IntArray, people: People | None
) -> tuple[int, int]:
    """Count the people with a row of which nobody else has the same.

    Parameters
    ----------
    rows : ndarray of int64, shape (n_rows,)
        Those that are not suppressed.
    people : People or None
        Whom the rows belong to; None if each is a person.

    Returns
    -------
    n_alone : int
    n_released : int
        The people who are alone, and all.
    """
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
