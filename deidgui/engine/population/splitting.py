"""How are people shared among parts so that they stay whole and none is lost?"""

from __future__ import annotations

import numpy as np

from deidgui.engine.arrays import IntArray
from deidgui.monitor import NULL_MONITOR, Monitor

_GOLDEN = 0.6180339887498949
"""Multiples of it fill the unit interval evenly (Kronecker's sequence)."""

_SAFE_BITS = 62


SLAB = 500_000
"""So many parts are shared at once: whoever wants to stop waits for no more."""


def split_counts(
    counts: IntArray,
    n_parts: IntArray,
    weights: IntArray,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> IntArray:
    """Share the people of every cell among its parts, in proportion to weights.

    Parameters
    ----------
    counts : ndarray of int64, shape (n_cells,), each in [0, 10**12]
        People of each cell.
    n_parts : ndarray of int64, shape (n_cells,), each >= 1
        Parts of each cell.
    weights : ndarray of int64, shape (n_parts.sum(),), each >= 0
        Of the parts, those of one cell beside each other; some are not 0 in each
        cell.
    monitor : Monitor, optional

    Returns
    -------
    ndarray of int64, shape (n_parts.sum(),)
        People of each part. They add up to the count of the cell, and each differs
        by less than one person from its share.

    Notes
    -----
    With W the weights up to and with a part and T those of all parts, the parts up
    to it have ⌊(c·W + r) / T⌋ people. The offset r in [0, T) differs from cell to
    cell, evenly spread, so that the people left over do not fall to the same part
    everywhere. Nothing is drawn: the same table is split in the same way.
    """
    if not len(counts):
        return np.empty(0, dtype=np.int64)
    ends = np.cumsum(n_parts)
    starts = ends - n_parts
    totals = np.add.reduceat(weights, starts)
    weights, totals = _small_enough(weights, totals, starts, int(counts.max()))
    assert (totals > 0).all(), "a cell without parts"
    phase = (np.arange(1, len(counts) + 1) * _GOLDEN) % 1.0
    offsets = np.minimum((phase * totals).astype(np.int64), totals - 1)
    people = np.empty(len(weights), dtype=np.int64)
    low = 0
    while low < len(counts):
        monitor.report(low / len(counts), "population")
        high = max(low + 1, int(np.searchsorted(ends, starts[low] + SLAB, "right")))
        cells, parts = slice(low, high), slice(int(starts[low]), int(ends[high - 1]))
        people[parts] = _shared(
            counts[cells],
            n_parts[cells],
            weights[parts],
            totals[cells],
            offsets[cells],
        )
        low = high
    monitor.report(1.0, "population")
    return people


def _shared(
    counts: IntArray,
    n_parts: IntArray,
    weights: IntArray,
    totals: IntArray,
    offsets: IntArray,
) -> IntArray:
    """People of the parts of some cells that stand beside each other."""
    starts = np.cumsum(n_parts) - n_parts
    sums = np.cumsum(weights)
    upto = sums - np.repeat(sums[starts] - weights[starts], n_parts)
    people = (np.repeat(counts, n_parts) * upto + np.repeat(offsets, n_parts)) // (
        np.repeat(totals, n_parts)
    )
    # The first part of each cell starts from ⌊r / T⌋ = 0.
    previous = np.concatenate([[0], people[:-1]])
    previous[starts] = 0
    return np.asarray(people - previous, dtype=np.int64)


def _small_enough(
    weights: IntArray, totals: IntArray, starts: IntArray, largest: int
) -> tuple[IntArray, IntArray]:
    """Drop the last bits of weights whose products would not fit into 63 bits."""
    bits = largest.bit_length() + int(totals.max()).bit_length() + 1
    if bits <= _SAFE_BITS:
        return weights, totals
    shift = bits - _SAFE_BITS
    smaller = np.where(weights > 0, np.maximum(weights >> shift, 1), 0)
    return smaller, np.add.reduceat(smaller, starts)
