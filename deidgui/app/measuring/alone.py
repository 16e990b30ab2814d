"""Who is alone on all that is released."""

from __future__ import annotations

import numpy as np

from deidgui.engine.arrays import IntArray
from deidgui.engine.data.grouping import group_rows, group_sizes
from deidgui.engine.data.people import People
from deidgui.engine.transform.released import ReleasedTable


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
    codes = (released.codes(each, rows) for each in released.columns)
    n_texts = [len(each.values) for each in released.columns]
    if people is None:
        return int((group_sizes(len(rows), codes, n_texts) == 1).sum()), len(rows)
    groups = group_rows(len(rows), codes, n_texts)
    owner = people.of_row[rows]
    lowest = np.full(len(groups.first), people.n_people, dtype=np.int64)
    highest = np.full(len(groups.first), -1, dtype=np.int64)
    np.minimum.at(lowest, groups.of_row, owner)
    np.maximum.at(highest, groups.of_row, owner)
    alone = np.unique(lowest[lowest == highest])
    return len(alone), len(np.unique(owner))
