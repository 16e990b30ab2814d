"""Compiled search for small covering designs; sets of points are bits of an integer."""

from __future__ import annotations

import math

import numpy as np

from deidgui.engine.arrays import AnyArray, IntArray
from deidgui.engine.compiled import njit


@njit
def next_set(mask: int) -> int:
    """Next larger integer with as many ones (R. Gosper, HAKMEM item 175)."""
    low = mask & -mask
    ripple = mask + low
    return ripple | (((mask ^ ripple) >> 2) // low)


@njit
def all_sets(n_points: int, size: int, n_sets: int) -> IntArray:
    """Every set of some size, as bits, ascending."""
    found = np.empty(n_sets, np.int64)
    mask = (1 << size) - 1
    for at in range(n_sets):
        found[at] = mask
        mask = next_set(mask)
    return found


@njit
def spread(inner: int, points: IntArray) -> int:
    """Bits of a subset of some points, from the bits of its places among them."""
    mask = 0
    for at in range(len(points)):
        if inner >> at & 1:
            mask |= 1 << points[at]
    return mask


@njit
def points_of(mask: int, points: IntArray) -> int:
    """Write the points of a set; return how many there are."""
    n, at = 0, 0
    while mask:
        if mask & 1:
            points[n] = at
            n += 1
        mask >>= 1
        at += 1
    return n


@njit
def greedy(
    v: int,
    blocks: IntArray,
    block_ranks: AnyArray,
    targets: IntArray,
    inner: IntArray,
    outer: IntArray,
    ties: IntArray,
    chosen: IntArray,
) -> int:
    """Take the block that holds most uncovered sets, until all are covered.

    Parameters
    ----------
    blocks, targets : ndarray of int64
        All possible blocks and all sets to cover, as bits.
    block_ranks : ndarray of int32, shape (2**v,)
        Place of each possible block by its bits.
    inner, outer : ndarray of int64
        Subsets of t of k places, and of k - t of v - t places.
    ties : ndarray of int64, shape (n_blocks,)
        Among equally good blocks the one with the largest number is taken.
    chosen : ndarray of int64
        Receives the places of the blocks.

    Returns
    -------
    int
        Number of blocks chosen.
    """
    gains = np.full(len(blocks), len(inner), np.int64)
    target_ranks = np.full(1 << v, -1, np.int32)
    for at in range(len(targets)):
        target_ranks[targets[at]] = at
    covered = np.zeros(len(targets), np.bool_)
    points, others = np.empty(v, np.int64), np.empty(v, np.int64)
    n, left = 0, len(targets)
    while left:
        best = 0
        for at in range(1, len(blocks)):
            if gains[at] > gains[best] or (
                gains[at] == gains[best] and ties[at] > ties[best]
            ):
                best = at
        chosen[n] = best
        n += 1
        n_points = points_of(blocks[best], points)
        for place in range(len(inner)):
            target = spread(inner[place], points[:n_points])
            rank = target_ranks[target]
            if covered[rank]:
                continue
            covered[rank] = True
            left -= 1
            n_others = points_of(((1 << v) - 1) ^ target, others)
            for rest in range(len(outer)):
                block = target | spread(outer[rest], others[:n_others])
                gains[block_ranks[block]] -= 1
    return n


@njit
def anneal(
    v: int,
    t: int,
    blocks: IntArray,
    target_ranks: AnyArray,
    n_targets: int,
    inner: IntArray,
    hottest: float,
    coldest: float,
    n_moves: int,
    seed: int,
) -> int:
    """Exchange points of blocks until every set is covered, or moves run out.

    Parameters
    ----------
    blocks : ndarray of int64, shape (n_blocks, k)
        Points of the blocks; changed in place.
    target_ranks : ndarray of int32, shape (2**v,)
    inner : ndarray of int64
        Subsets of t - 1 of k - 1 places.

    Returns
    -------
    int
        Sets that are not covered in the end.

    References
    ----------
    .. [1] K. Nurmela, P. Östergård (1993), *Upper bounds for covering designs by
       simulated annealing*, Congressus Numerantium 96; methods.md C.3.
    """
    np.random.seed(seed & 0xFFFFFFFF)  # noqa: NPY002 - numba's own generator
    n_blocks, k = blocks.shape
    counts = _count_blocks(t, blocks, target_ranks, n_targets)
    missed = np.count_nonzero(counts == 0)
    whole = np.zeros(n_blocks, np.int64)
    for block in range(n_blocks):
        for at in range(k):
            whole[block] |= 1 << blocks[block, at]
    rest = np.empty(k - 1, np.int64)
    heat = hottest
    cooling = (coldest / hottest) ** (1.0 / max(1, n_moves))
    for _ in range(n_moves):
        if missed == 0:
            break
        block = np.random.randint(n_blocks)  # noqa: NPY002
        place = np.random.randint(k)  # noqa: NPY002
        new = np.random.randint(v)  # noqa: NPY002
        if whole[block] >> new & 1:
            continue
        old, n = blocks[block, place], 0
        for at in range(k):
            if at != place:
                rest[n] = blocks[block, at]
                n += 1
        change = 0
        for at in range(len(inner)):
            others = spread(inner[at], rest)
            change += counts[target_ranks[others | 1 << old]] == 1
            change -= counts[target_ranks[others | 1 << new]] == 0
        if change <= 0 or np.random.random() < math.exp(-change / heat):  # noqa: NPY002
            for at in range(len(inner)):
                others = spread(inner[at], rest)
                counts[target_ranks[others | 1 << old]] -= 1
                counts[target_ranks[others | 1 << new]] += 1
            blocks[block, place] = new
            whole[block] ^= 1 << old | 1 << new
            missed += change
        heat *= cooling
    return int(missed)


@njit
def _count_blocks(
    t: int, blocks: IntArray, target_ranks: AnyArray, n_targets: int
) -> IntArray:
    """Count the blocks that hold each set."""
    counts = np.zeros(n_targets, np.int64)
    for block in range(len(blocks)):
        subset = (1 << t) - 1
        while subset < 1 << blocks.shape[1]:
            counts[target_ranks[spread(subset, blocks[block])]] += 1
            subset = next_set(subset)
    return counts
