"""Risk of records whose missing values match every value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, IntArray
from deidgui.errors import ResourceError
from deidgui.lazy import LazyModule

if TYPE_CHECKING:
    from deidgui.engine.data import grouping
else:
    grouping = LazyModule("deidgui.engine.data.grouping")

MAX_PATTERNS = 256
"""More different sets of missing attributes are refused."""


def match_sizes(
    labels: AnyArray, counts: IntArray, missing: Sequence[int | None]
) -> IntArray:
    """Count for each class the records that agree wherever both have a value.

    Parameters
    ----------
    labels : ndarray of int, shape (n_classes, n_attributes)
        Label number of each attribute, distinct rows.
    counts : ndarray of int64, shape (n_classes,), each >= 1
    missing : sequence of int or None
        Per attribute the label that stands for "no value", if there is one.

    Returns
    -------
    ndarray of int64, shape (n_classes,), each >= `counts`

    Raises
    ------
    ResourceError
        Code ``too_many_missing_patterns``.

    Notes
    -----
    Classes are grouped by which attributes are missing. Two groups are compared
    on the attributes that both have, by counting equal rows: exact, and linear in
    the classes for each pair of groups.

    References
    ----------
    .. [1] methods.md, 0. Common definitions (sdcMicro's wildcard semantics).
    """
    absent = np.zeros(labels.shape, dtype=np.bool_)
    for place, label in enumerate(missing):
        if label is not None:
            absent[:, place] = labels[:, place] == label
    groups = grouping.group_rows(len(absent), absent.T, [2] * len(missing))
    patterns = absent[groups.first]
    if len(patterns) > MAX_PATTERNS:
        raise ResourceError(
            "too_many_missing_patterns", found=len(patterns), limit=MAX_PATTERNS
        )
    members = [
        np.flatnonzero(groups.of_row == number) for number in range(len(patterns))
    ]
    sizes = np.zeros(len(counts), dtype=np.int64)
    for mine, here in zip(patterns, members, strict=True):
        for theirs, there in zip(patterns, members, strict=True):
            both = ~(mine | theirs)
            sizes[here] += _agreeing(labels, counts, both, here, there)
    return sizes


def _agreeing(
    labels: AnyArray, counts: IntArray, both: BoolArray, here: IntArray, there: IntArray
) -> IntArray:
    """Records of `there` that agree with each class of `here` on some attributes."""
    columns = labels[np.concatenate([here, there])][:, both].T
    sizes = (columns.max(axis=1) + 1).tolist()
    groups = grouping.group_rows(len(here) + len(there), columns, sizes).of_row
    weight = np.bincount(groups[len(here) :], counts[there], int(groups.max()) + 1)
    return np.asarray(np.rint(weight[groups[: len(here)]]), dtype=np.int64)
