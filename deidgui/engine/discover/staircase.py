"""Which points of risk and loss does no other one beat, and where is room for more?"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np
from numba import njit

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray
from deidgui.engine.discover.bit_policy import key_of

WORD = 8
"""Bytes that are compared at once."""


def _words_of(splits: BoolArray) -> bytes:
    """Splits as whole words."""
    key = key_of(splits)
    return key.ljust(-(-len(key) // WORD) * WORD, b"\0")


class Staircase:
    """The points so far that no other one beats, by ascending risk.

    A point beats another if it is at most as risky and as lossy, and better in one.
    Of equal points the first is kept.
    """

    def __init__(self) -> None:
        self.risks: list[float] = []
        self.losses: list[float] = []
        self.splits: list[BoolArray] = []
        self._keys: list[bytes] = []
        self._table: tuple[AnyArray, FloatArray, FloatArray] | None = None

    def __len__(self) -> int:
        return len(self.risks)

    def add(self, risk: float, loss: float, splits: BoolArray) -> bool:
        """Take note of a policy; return whether it is one of them now."""
        place = bisect_right(self.risks, risk)
        if place and self.losses[place - 1] <= loss:
            return False
        start = bisect_left(self.risks, risk)
        end = start
        while end < len(self.risks) and self.losses[end] >= loss:
            end += 1
        self.risks[start:end] = [risk]
        self.losses[start:end] = [loss]
        self.splits[start:end] = [splits]
        self._keys[start:end] = [_words_of(splits)]
        self._table = None
        return True

    def table(
        self, others: Sequence[tuple[float, float, BoolArray]]
    ) -> tuple[AnyArray, FloatArray, FloatArray]:
        """Return the points as arrays.

        Parameters
        ----------
        others : sequence of tuple
            Risk, loss and splits of policies to append, always the same.

        Returns
        -------
        keys : ndarray of uint64, shape (n_points + n_others, n_words)
        risks, losses : ndarray of float64, shape (n_points + n_others,)
        """
        if self._table is None:
            keys = [*self._keys, *(_words_of(splits) for _, _, splits in others)]
            rows = np.frombuffer(b"".join(keys), np.uint64).reshape(len(keys), -1)
            self._table = (
                rows.copy(),
                np.array([*self.risks, *(risk for risk, _, _ in others)]),
                np.array([*self.losses, *(loss for _, loss, _ in others)]),
            )
        return self._table


@njit(cache=True, nogil=True)
def free_share(
    risks: FloatArray,
    losses: FloatArray,
    left: float,
    right: float,
    low: float,
    high: float,
) -> float:
    """Share of a rectangle that no point beats.

    Parameters
    ----------
    risks, losses : ndarray of float64, shape (n_points,)
        Of a staircase.
    left, right : float
        Lowest and highest risk.
    low, high : float
        Lowest and highest loss.

    Returns
    -------
    float in [0, 1]
        0 if the rectangle is empty.
    """
    if left >= right or low >= high:
        return 0.0
    start = np.searchsorted(risks, left, "right")
    limit = min(high, losses[start - 1]) if start else high
    free, at = 0.0, left
    for place in range(start, len(risks)):
        if risks[place] >= right or limit <= low:
            break
        free += (risks[place] - at) * max(0.0, limit - low)
        at, limit = risks[place], min(limit, losses[place])
    free += (right - at) * max(0.0, limit - low)
    return free / ((right - left) * (high - low))


@njit(cache=True, nogil=True)
def _compared(one: AnyArray, other: AnyArray) -> int:
    """1 if `other` is at least 2 bits more specific, -1 more general, else 0."""
    more = less = 0
    for place in range(len(one)):
        added, lost = other[place] & ~one[place], one[place] & ~other[place]
        if added:
            more += 2 if added & (added - np.uint64(1)) else 1
        if lost:
            less += 2 if lost & (lost - np.uint64(1)) else 1
        if more and less:
            return 0
    if more >= 2:
        return 1
    return -1 if less >= 2 else 0


@njit(cache=True, nogil=True)
def draw_pair(
    keys: AnyArray,
    risks: FloatArray,
    losses: FloatArray,
    n_points: int,
    uniforms: FloatArray,
    least_free: float,
) -> tuple[int, int, int]:
    """Draw comparable policies between which points may still lie.

    Parameters
    ----------
    keys, risks, losses : ndarray
        See `Staircase.table`.
    n_points : int
        How many of them no other one beats; these come first.
    uniforms : ndarray of float64, shape (n_draws, 2), each in [0, 1)
    least_free : float
        Share of the rectangle between both that no point may beat.

    Returns
    -------
    low, high : int
        Numbers of the keys of the more general and the more specific policy; -1 if
        no draw was good.
    n_misses : int
        Pairs that were drawn in vain.
    """
    n = len(keys)
    steps, heights = risks[:n_points], losses[:n_points]
    order = np.empty(n, np.int64)
    for draw in range(len(uniforms)):
        one = int(uniforms[draw, 0] * n)
        found = 0
        for other in range(n):
            if _compared(keys[one], keys[other]) != 0:
                order[found] = other
                found += 1
        if found == 0:
            continue
        other = order[int(uniforms[draw, 1] * found)]
        low, high = one, other
        if _compared(keys[one], keys[other]) < 0:
            low, high = other, one
        share = free_share(
            steps, heights, risks[low], risks[high], losses[high], losses[low]
        )
        if share > least_free:
            return low, high, draw
    return -1, -1, len(uniforms)
