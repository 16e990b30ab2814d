"""Which levels of two attributes already tell too many records apart on their own?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numba import njit

from deidgui.engine.arrays import BoolArray, Int32Array, IntArray
from deidgui.engine.data.raising import RaisedClasses
from deidgui.monitor import NULL_MONITOR, Monitor

Levels = tuple[int, ...]

CELLS_PER_CLASS = 4
"""Attributes whose values make more pairs than this for each class are not paired."""


class Pairs:
    """Nodes that cannot be solutions, told by two of their levels.

    Records that are alike at a node are alike in every two attributes. So a class of
    two attributes alone that is too small holds only classes that are too small. If
    more records than the limit are in such classes, no node with these two levels is
    a solution, whatever the others are; nor is one where they are lower.

    Parameters
    ----------
    classes : RaisedClasses
        Of the least general node.
    smallest : int, >= 1
        Fewest records of a class that can be released.
    limit_records : int
        Most records that may be suppressed.

    References
    ----------
    .. [1] K. LeFevre, D. DeWitt, R. Ramakrishnan (2005), *Incognito: efficient
       full-domain k-anonymity*, SIGMOD, section 3 (subset property).
    """

    def __init__(
        self,
        classes: RaisedClasses,
        smallest: int,
        limit_records: int,
        *,
        monitor: Monitor = NULL_MONITOR,
    ) -> None:
        coding = classes.coding
        n_attributes, n_levels = coding.n_groups.shape
        shape = (n_attributes, n_levels, n_attributes, n_levels)
        self._is_fine = np.zeros(shape, np.bool_)
        leaves = np.ascontiguousarray(classes.class_table.leaves[classes.rows].T)
        for place in range(1, n_attributes):
            monitor.report(0.0, "pairs")
            _compare(
                self._is_fine,
                place,
                leaves,
                classes.counts,
                np.array(classes.levels, np.int64),
                coding.n_leaves,
                coding.n_groups,
                coding.group_at,
                coding.groups,
                smallest,
                limit_records,
            )

    @cached_property
    def is_any(self) -> bool:
        """Whether any node is ruled out."""
        return bool(self._is_fine.any())

    def least(self, lows: Sequence[Levels], highs: Sequence[Levels]) -> list[Levels]:
        """Least general nodes above which all solutions between two nodes are.

        Parameters
        ----------
        lows, highs : sequence of tuple of int, not empty
            Levels of the two nodes of each box.

        Returns
        -------
        list of tuple of int
            For each box: at or above the lower node. If no node of the box is a
            solution, it is not below the upper one.
        """
        found = np.array(lows)
        _raise(self._is_fine, found, np.array(highs))
        return [tuple(row) for row in found.tolist()]


@njit(cache=True, nogil=True)
def _raise(is_fine: BoolArray, lows: IntArray, highs: IntArray) -> None:
    """Raise the lower corners of boxes to the least nodes that may be solutions.

    A level is as low as the highest levels of all others allow. Those do not change
    here, so that one pass is enough.
    """
    n_boxes, n_attributes = lows.shape
    for box in range(n_boxes):
        low, high = lows[box], highs[box]
        for a in range(n_attributes):
            for b in range(n_attributes):
                while low[a] <= high[a] and is_fine[a, low[a], b, high[b]]:
                    low[a] += 1


@njit(cache=True, nogil=True)
def _compare(
    is_fine: BoolArray,
    a: int,
    leaves: Int32Array,
    counts: IntArray,
    low: IntArray,
    n_leaves: IntArray,
    n_groups: IntArray,
    group_at: IntArray,
    groups: Int32Array,
    smallest: int,
    limit: int,
) -> None:
    """Find which levels of one attribute are too fine with those of each before it.

    Parameters
    ----------
    is_fine : ndarray of bool, shape (n_attributes, n_levels, n_attributes, n_levels)
        Where the result goes.
    a : int
        The attribute.
    leaves : ndarray of int32, shape (n_attributes, n_classes)
    counts : ndarray of int64, shape (n_classes,)
    low : ndarray of int64, shape (n_attributes,)
        Lowest levels.
    n_leaves, n_groups, group_at, groups : ndarray
        See `Coding`.
    smallest, limit : int
        See `Pairs`.
    """
    heights = (n_groups > 0).sum(axis=1)
    for b in range(a):
        if n_leaves[a] * n_leaves[b] > CELLS_PER_CLASS * len(counts):
            continue
        cells = _count(leaves[a], leaves[b], counts, n_leaves[a], n_leaves[b])
        end = heights[b]
        for level in range(low[a], heights[a]):
            of_a = groups[group_at[a, level] :]
            for other in range(low[b], end):
                of_b = groups[group_at[b, other] :]
                shape = n_groups[a, level], n_groups[b, other]
                if _in_small(cells, of_a, of_b, shape, smallest) <= limit:
                    # Nor are more general levels, of either of them.
                    end = other
                    break
                is_fine[a, level, b, other] = is_fine[b, other, a, level] = True


@njit(cache=True, nogil=True)
def _count(
    first: Int32Array, second: Int32Array, counts: IntArray, n_first: int, n_second: int
) -> IntArray:
    """Records of each pair of leaves: (first, second, records), (3, n_pairs)."""
    records = np.zeros((n_first, n_second), np.int64)
    for i in range(len(counts)):
        records[first[i], second[i]] += counts[i]
    n_pairs = 0
    pairs = np.empty((3, np.count_nonzero(records)), np.int64)
    for one in range(n_first):
        for other in range(n_second):
            if records[one, other] > 0:
                pairs[0, n_pairs] = one
                pairs[1, n_pairs] = other
                pairs[2, n_pairs] = records[one, other]
                n_pairs += 1
    return pairs


@njit(cache=True, nogil=True)
def _in_small(
    cells: IntArray,
    of_first: Int32Array,
    of_second: Int32Array,
    shape: tuple[int, int],
    smallest: int,
) -> int:
    """Records in pairs of groups that have fewer than the smallest class."""
    records = np.zeros(shape, np.int64)
    for i in range(cells.shape[1]):
        records[of_first[cells[0, i]], of_second[cells[1, i]]] += cells[2, i]
    found = 0
    for count in records.flat:
        found += int(count) if count < smallest else 0
    return found
