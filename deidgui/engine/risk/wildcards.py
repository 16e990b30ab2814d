"""How many records may a record be confused with if a missing value fits all?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, IntArray
from deidgui.errors import ResourceError

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
    patterns, group = _distinct_rows(absent)
    if len(patterns) > MAX_PATTERNS:
        raise ResourceError(
            "too_many_missing_patterns", found=len(patterns), limit=MAX_PATTERNS
        )
    members = [np.flatnonzero(group == number) for number in range(len(patterns))]
    sizes = np.zeros(len(counts), dtype=np.int64)
    for mine, here in zip(patterns, members, strict=True):
        for theirs, there in zip(patterns, members, strict=True):
            both = ~(mine | theirs)
            sizes[here] += _agreeing(labels, counts, both, here, there)
    return sizes


def _distinct_rows(mask: BoolArray) -> tuple[BoolArray, IntArray]:
    """Distinct rows of a mask, and which of them each row is."""
    key = np.zeros(len(mask), dtype=np.int64)
    for place in range(mask.shape[1]):
        # Ranks keep the key small however many attributes there are.
        _, key = np.unique(2 * key + mask[:, place], return_inverse=True)
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    return mask[first], group.astype(np.int64)


def _agreeing(
    labels: AnyArray, counts: IntArray, both: BoolArray, here: IntArray, there: IntArray
) -> IntArray:
    """Records of `there` that agree with each class of `here` on some attributes."""
    key = np.zeros(len(here) + len(there), dtype=np.int64)
    rows = np.concatenate([here, there])
    for place in np.flatnonzero(both):
        column = labels[rows, place].astype(np.int64)
        _, key = np.unique(key * (int(column.max()) + 1) + column, return_inverse=True)
    weight = np.bincount(key[len(here) :], counts[there], minlength=int(key.max()) + 1)
    return np.asarray(np.rint(weight[key[: len(here)]]), dtype=np.int64)
