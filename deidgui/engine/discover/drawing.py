"""Draws the next steps of a search by chance."""

from __future__ import annotations

import heapq

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.discover.space import Splits


def draw_joins(
    splits: Splits,
    among: BoolArray,
    n: int,
    weights: FloatArray,
    rng: np.random.Generator,
) -> IntArray:
    """Draw splits to join one after another, without replacement.

    Each draw takes split i with the probability W_i / ΣW over those that can be
    joined by then.

    Parameters
    ----------
    among : ndarray of bool, shape (n_splits,)
        Those to draw from: the difference of two policies.
    n : int, in [0, number of these]
    weights : ndarray of float64, shape (n_splits,), each > 0

    Returns
    -------
    ndarray of int64, shape (n,)
        In the order drawn.

    Notes
    -----
    Of clocks that ring after exponential times with the rates W, the one of i rings
    first with the probability W_i / ΣW, and whatever has passed by then does not
    matter for the others: so the draws are the order of their rings. A clock is
    started when its split can be joined.
    """
    places = np.flatnonzero(among)
    rings = rng.standard_exponential(len(places)) / weights[places]
    if splits.is_free:
        order = np.argsort(rings, kind="stable")[:n]
        return places[order]
    return _draw_in_order(splits, among, n, dict(zip(places, rings, strict=True)))


def _draw_in_order(
    splits: Splits, among: BoolArray, n: int, rings: dict[int, float]
) -> IntArray:
    """Draw where a node can only be joined after all nodes below it."""
    waits = np.zeros(splits.n_splits, np.int64)
    has_parent = among & (splits.parent >= 0)
    np.add.at(waits, splits.parent[has_parent], 1)
    clocks = [(rings[place], int(place)) for place in rings if not waits[place]]
    heapq.heapify(clocks)
    drawn: list[int] = []
    while len(drawn) < n:
        now, place = heapq.heappop(clocks)
        drawn.append(place)
        above = int(splits.parent[place])
        if above >= 0 and among[above]:
            waits[above] -= 1
            if not waits[above]:
                heapq.heappush(clocks, (now + rings[above], above))
    return np.array(drawn, np.int64)
