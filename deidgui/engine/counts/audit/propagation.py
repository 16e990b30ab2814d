"""Narrows the bounds of counts by one relation at a time, all relations at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.counts.audit.system import LARGEST_COUNT, UNLIMITED, Matrix
from deidgui.monitor import NULL_MONITOR, Monitor

ROUNDS = 2000
"""Rounds after which it is left to the integer program: bounds may creep for ever."""


@dataclass(frozen=True, repr=False, eq=False)
class Narrowed:
    """Bounds after propagation.

    Parameters
    ----------
    low, high : ndarray of int64, shape (n,)
        ``low > high`` for a count that no number fits.
    at_rest : bool
        Whether no relation narrows them any further.
    """

    low: IntArray
    high: IntArray
    at_rest: bool

    @property
    def contradicted(self) -> IntArray:
        """Counts that no number fits."""
        return np.flatnonzero(self.low > self.high)


def narrow(
    matrix: Matrix, low: IntArray, high: IntArray, monitor: Monitor = NULL_MONITOR
) -> Narrowed:
    """Narrow bounds until nothing changes or they contradict each other.

    Parameters
    ----------
    low, high : ndarray of int64, shape (n,)
        Bounds to begin with; not changed.

    Notes
    -----
    Every solution in whole numbers stays inside. A round takes the bounds of the round
    before for all relations, so that what follows in few steps is found in few.
    """
    low, high = low.copy(), high.copy()
    if not matrix.n_relations:
        return Narrowed(low, high, at_rest=True)
    for _ in range(ROUNDS):
        monitor.report(0.0, "propagation")
        least, most = implied(matrix, low, high)
        before = low.copy(), high.copy()
        np.maximum.at(low, matrix.unknowns, least)
        np.minimum.at(high, matrix.unknowns, most)
        same = np.array_equal(before[0], low) and np.array_equal(before[1], high)
        if same or np.any(low > high):
            return Narrowed(low, high, at_rest=same)
    return Narrowed(low, high, at_rest=False)


def implied(matrix: Matrix, low: IntArray, high: IntArray) -> tuple[IntArray, IntArray]:
    """Return what each relation alone says of each of its counts.

    Parameters
    ----------
    low, high : ndarray of int64, shape (n,)
        Bounds of all counts.

    Returns
    -------
    tuple of ndarray of int64, each shape (n_entries,)
        Least and most for the count of every entry of the matrix.
    """
    rising = matrix.coefficients > 0
    of_low, of_high = low[matrix.unknowns], high[matrix.unknowns]
    near, far = np.where(rising, of_low, of_high), np.where(rising, of_high, of_low)
    most_others, most_known = _others(matrix, far)
    least_others, least_known = _others(matrix, near)
    above = matrix.high[matrix.rows] - least_others
    above_known = least_known & (matrix.high[matrix.rows] < UNLIMITED)
    below = matrix.low[matrix.rows] - most_others
    below_known = most_known & (matrix.low[matrix.rows] > -UNLIMITED)
    # Dividing by a negative coefficient changes sides.
    bounding_most = np.where(rising, above, below)
    bounding_least = np.where(rising, below, above)
    most = bounding_most // matrix.coefficients
    least = -(-bounding_least // matrix.coefficients)
    has_most = np.where(rising, above_known, below_known) & (most <= LARGEST_COUNT)
    has_least = np.where(rising, below_known, above_known) & (least >= -LARGEST_COUNT)
    return np.where(has_least, least, -UNLIMITED), np.where(has_most, most, UNLIMITED)


def _others(matrix: Matrix, ends: IntArray) -> tuple[IntArray, BoolArray]:
    """Return the sum of a relation's other terms by entry, and whether it is finite."""
    endless = np.abs(ends) >= UNLIMITED
    terms = np.where(endless, 0, ends) * matrix.coefficients
    sums = np.zeros(matrix.n_relations, np.int64)
    np.add.at(sums, matrix.rows, terms)
    n_endless = np.bincount(matrix.rows, endless, matrix.n_relations)
    known = n_endless[matrix.rows] - endless == 0
    return sums[matrix.rows] - terms, known
