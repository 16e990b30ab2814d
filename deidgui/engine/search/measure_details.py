"""What a measure that looks at every class needs of each node, compiled.

Whatever class size is suppressed later: the classes are counted by the first size of
the ladder below which they are suppressed, their tier, and then added up tier by tier.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deidgui.engine.arrays import AnyArray, FloatArray, IntArray
from deidgui.engine.compiled import njit


class MeasureDetails(NamedTuple):
    """What is asked of the classes of every node, for some of the ladder's sizes."""

    asks: int  # place in ASKED; 0 asks nothing
    first: IntArray  # (node,) tier of the first size that is kept
    values: FloatArray  # (node, kept tier, column): attributes, or one
    tier_of: IntArray  # (size,) first tier that suppresses classes of a size
    known_bits: FloatArray  # (count,) c·log2(c)


ASKED = ("", "suppressed_bits", "kept_combinations", "kept_log_density")
"""Fields of `NodeFigures` that need a look at every class."""

BITS, COMBINATIONS, LOG_DENSITY = 1, 2, 3
"""Places in ASKED."""

KNOWN = 2**16
"""Counts up to which c·log2(c) is looked up."""


def is_asked(asks: str) -> bool:
    """Whether a measure (see `QualityMeasure.asks`) needs more than figures."""
    return asks in ASKED[1:]


def nothing_asked() -> MeasureDetails:
    """Return details of no node."""
    return MeasureDetails(
        0, np.empty(0, np.int64), np.empty((0, 0, 0)), np.empty(0, np.int64), KNOWN_BITS
    )


def columns_of(asks: str, n_attributes: int) -> int:
    """How many numbers are kept for each node and size."""
    return n_attributes if asks == "suppressed_bits" else 1


def empty_details(
    asks: str, first: IntArray, n_tiers: int, n_attributes: int, ladder: IntArray
) -> MeasureDetails:
    """Room for what a measure asks.

    Parameters
    ----------
    asks : str
        `is_asked` holds for it.
    first : ndarray of int64, shape (n_nodes,)
        First size of the ladder that is kept of each node, by its place.
    n_tiers : int
        So many sizes are kept, from `first` on.
    ladder : ndarray of int64, ascending
        Sizes below which classes may be suppressed.
    """
    return MeasureDetails(
        ASKED.index(asks),
        first,
        np.zeros((len(first), n_tiers, columns_of(asks, n_attributes))),
        np.searchsorted(ladder, np.arange(ladder[-1]), "right").astype(np.int64),
        KNOWN_BITS,
    )


def _known_bits() -> FloatArray:
    counts = np.arange(KNOWN, dtype=np.float64)
    return counts * np.log2(np.maximum(counts, 1))


KNOWN_BITS = _known_bits()
"""c·log2(c) of small counts."""


@njit
def fill_bits(
    by_tier: IntArray, margin: IntArray, known: FloatArray, first: int, bits: FloatArray
) -> None:
    """Information of one attribute among the suppressed records, for each size.

    Parameters
    ----------
    by_tier : ndarray of int64, shape (n_tiers, n_groups)
        Records of each value in the classes of each tier; cleared.
    margin : ndarray of int64, shape (n_groups,)
        Scratch.
    known : ndarray of float64
        See `KNOWN_BITS`.
    first : int
        First tier that is kept.
    bits : ndarray of float64, shape (n_kept,)
        Where the result goes.
    """
    margin[:] = 0
    total, found, is_stale = np.int64(0), 0.0, False
    for tier in range(len(by_tier)):
        here = by_tier[tier]
        for group in range(len(margin)):
            if here[group] > 0:
                margin[group] += here[group]
                total += here[group]
                here[group] = 0
                is_stale = True
        if tier < first or tier >= first + len(bits):
            continue
        if is_stale:
            found, is_stale = _bits(total, known), False
            for group in range(len(margin)):
                found -= _bits(margin[group], known)
        # Rounding must not make information negative.
        bits[tier - first] = max(0.0, found)


@njit
def _bits(count: np.int64, known: FloatArray) -> float:
    if count < len(known):
        return float(known[count])
    return float(count * np.log2(count))


@njit
def product_of(asks: int, size: int, combinations: float) -> float:
    """What one class adds to what is asked, if it is kept."""
    if asks == COMBINATIONS:
        return size * combinations
    return float(size * np.log2(size / combinations))


@njit
def fill_kept(by_tier: FloatArray, first: int, kept: AnyArray) -> None:
    """Add up the classes that are kept, for each size.

    Parameters
    ----------
    by_tier : ndarray of float64, shape (n_tiers + 1,)
        Sum over the classes of each tier; last those that are never suppressed.
    first : int
        First tier that is kept.
    kept : ndarray of float64, shape (n_kept,)
        Where the result goes.
    """
    total = by_tier[-1]
    for tier in range(len(by_tier) - 2, -1, -1):
        if first <= tier < first + len(kept):
            kept[tier - first] = total
        total += by_tier[tier]
