"""Splits whole people among parts so that none is lost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import Int32Array, IntArray
from deidgui.engine.compiled import njit
from deidgui.monitor import NULL_MONITOR, Monitor

_GOLDEN = 0.6180339887498949
"""Multiples of it fill the unit interval evenly (Kronecker's sequence)."""

_SAFE_BITS = 62

SLAB = 500_000
"""So many parts are shared at once: whoever wants to stop waits for no more."""


@dataclass(frozen=True, eq=False)
class Shares:
    """People of parts; parts that nobody is in are left out.

    Parameters
    ----------
    of_cell : ndarray of int32, shape (n_shares,), ascending
        Cell whose people they are.
    of_part : ndarray of int64, shape (n_shares,), ascending within a cell
        Place of the part among all weights.
    population : ndarray of int64, shape (n_shares,), each >= 1
    """

    of_cell: Int32Array
    of_part: IntArray
    population: IntArray


def split_counts(
    counts: IntArray,
    starts: IntArray,
    n_parts: IntArray,
    weights: IntArray,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Shares:
    """Share the people of every cell among its parts, in proportion to weights.

    Parameters
    ----------
    counts : ndarray of int64, shape (n_cells,), each in [0, 10**12]
        People of each cell.
    starts, n_parts : ndarray of int64, shape (n_cells,), n_parts >= 1
        A cell's parts are those from `starts` on; cells may have the same parts.
    weights : ndarray of int64, shape (n_weights,), each >= 0
        Of the parts; some are not 0 in each cell.

    Returns
    -------
    Shares
        They add up to the count of the cell, and each differs by less than one
        person from its share.

    Notes
    -----
    With W the weights up to and with a part and T those of all parts, the parts up
    to it have ⌊(c·W + r) / T⌋ people. The offset r in [0, T) differs from cell to
    cell, evenly spread, so that the people left over do not fall to the same part
    everywhere. Nothing is drawn: the same table is split in the same way.
    """
    weights, totals = _small_enough(counts, starts, n_parts, weights)
    assert (totals > 0).all(), "a cell without parts"
    ends = np.cumsum(n_parts)
    # What is not filled of the memory is never handed over by the system.
    shares = _room(int(ends[-1]) if len(ends) else 0)
    low, n = 0, 0
    while low < len(counts):
        monitor.report(low / len(counts), "population")
        before = int(ends[low] - n_parts[low])
        high = max(low + 1, int(np.searchsorted(ends, before + SLAB, "right")))
        n = _share(
            counts, starts, n_parts, weights, totals, low, high, n,
            shares.of_cell, shares.of_part, shares.population,
        )  # fmt: skip
        low = high
    monitor.report(1.0, "population")
    return Shares(shares.of_cell[:n], shares.of_part[:n], shares.population[:n])


def _room(n: int) -> Shares:
    """Memory for some shares, not filled."""
    return Shares(np.empty(n, np.int32), np.empty(n, np.int64), np.empty(n, np.int64))


def _small_enough(
    counts: IntArray, starts: IntArray, n_parts: IntArray, weights: IntArray
) -> tuple[IntArray, IntArray]:
    """Return weights and totals of cells whose products fit into 63 bits.

    The last bits of the weights are dropped for it.
    """
    totals = _totals(starts, n_parts, weights)
    bits = int(counts.max(initial=0)).bit_length() + 1
    bits += int(totals.max(initial=0)).bit_length()
    if bits <= _SAFE_BITS:
        return weights, totals
    shift = bits - _SAFE_BITS
    smaller = np.where(weights > 0, np.maximum(weights >> shift, 1), 0)
    return smaller, _totals(starts, n_parts, smaller)


def _totals(starts: IntArray, n_parts: IntArray, weights: IntArray) -> IntArray:
    """Weights of all parts of each cell."""
    upto = np.concatenate([[0], np.cumsum(weights)])
    return np.asarray(upto[starts + n_parts] - upto[starts], dtype=np.int64)


@njit
def _share(
    counts: IntArray,
    starts: IntArray,
    n_parts: IntArray,
    weights: IntArray,
    totals: IntArray,
    low: int,
    high: int,
    n: int,
    of_cell: Int32Array,
    of_part: IntArray,
    population: IntArray,
) -> int:
    """Share the people of some cells after `n` parts with somebody; return how many."""
    for cell in range(low, high):
        phase = (cell + 1) * _GOLDEN
        total = totals[cell]
        offset = min(np.int64((phase - np.floor(phase)) * total), total - 1)
        upto, previous = np.int64(0), np.int64(0)
        for part in range(starts[cell], starts[cell] + n_parts[cell]):
            upto += weights[part]
            # The first part of each cell starts from ⌊r / T⌋ = 0.
            reached = (counts[cell] * upto + offset) // total
            if reached > previous:
                of_cell[n] = cell
                of_part[n] = part
                population[n] = reached - previous
                n += 1
                previous = reached
    return n
