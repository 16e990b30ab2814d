"""Bisecting policy search: policies at the boundary of what is acceptable."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray
from deidgui.engine.discover.drawing import draw_joins
from deidgui.engine.discover.iterating import iterate
from deidgui.engine.discover.results import Discovery, OnFound, ignore_found
from deidgui.engine.discover.rules import Asking, Rule
from deidgui.engine.discover.space import Space
from deidgui.engine.discover.steering import Steering, no_steering
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor

W1_SCALES = ("max", "sum")
"""What the size of a domain is divided by: the largest, or all together."""


@dataclass(frozen=True)
class Weights:
    """How the splits to join are drawn.

    Parameters
    ----------
    by_size : bool
        Whether values of large domains are joined more often (w1).
    by_use : bool
        Whether what earlier solutions kept apart is joined more often (w2).
    w1_scale : {"max", "sum"}

    Raises
    ------
    ConfigError
        Code ``discovery_w1_scale`` (found).

    References
    ----------
    .. [1] Benitez, Loukides and Malin (2010), section 2.4.2; methods.md A.7 for the
       formulas, which the text does not show.
    """

    by_size: bool = True
    by_use: bool = True
    w1_scale: str = "max"

    def __post_init__(self) -> None:
        if self.w1_scale not in W1_SCALES:
            raise ConfigError("discovery_w1_scale", found=self.w1_scale)

    def fixed(self, space: Space) -> FloatArray:
        """Part of the weight that stays: float64, (n_splits,)."""
        if not self.by_size:
            # Without a first weight the second could be 0 everywhere.
            return np.ones(space.splits.n_splits)
        sizes = np.array([each.n_values for each in space.domains], np.float64)
        scaled = sizes / (sizes.max() if self.w1_scale == "max" else sizes.sum())
        found: FloatArray = scaled[space.attribute_of_split]
        return found


WEIGHTED = Weights()

UNWEIGHTED = Weights(by_size=False, by_use=False)


def bisecting_search(
    rule: Rule,
    n_iterations: int = 100,
    *,
    seed: int = 0,
    weights: Weights = WEIGHTED,
    keep: BoolArray | None = None,
    steering: Steering | None = None,
    on_found: OnFound = ignore_found,
    monitor: Monitor = NULL_MONITOR,
) -> Discovery:
    """Find boundary policies by bisecting policy search (BPS, algorithm 1).

    Parameters
    ----------
    steering : Steering, optional
        What draws follow; nothing, as in the paper, if not given.

    Raises
    ------
    DeidError
        As `iterate`, which has the parameters too.

    References
    ----------
    .. [1] Benitez, Loukides and Malin (2010), section 2.4.2; methods.md A.7.
    """
    steering = steering or no_steering(rule.space)
    fixed, used = weights.fixed(rule.space), np.zeros(rule.space.splits.n_splits)
    n_done = itertools.count()

    def step(asking: Asking, top: BoolArray, rng: np.random.Generator) -> BoolArray:
        share = used / max(next(n_done), 1) if weights.by_use else 0.0
        splits = _bisect(asking, top, (fixed + share) * steering.joining, rng)
        np.add(used, splits, out=used)
        return splits

    return iterate(
        "bps",
        step,
        rule,
        n_iterations,
        seed=seed,
        keep=keep,
        tops=steering.tops,
        on_found=on_found,
        monitor=monitor,
    )


def _bisect(
    asking: Asking, top: BoolArray, weights: FloatArray, rng: np.random.Generator
) -> BoolArray:
    """One iteration: the acceptable end when both ends are one step apart."""
    splits = asking.space.splits
    accepted, violating = top, asking.space.bottom()
    while True:
        among = violating & ~accepted
        distance = int(np.count_nonzero(among))
        if distance < 2:
            return accepted
        current = violating.copy()
        n_joins = (distance + 1) // 2
        current[draw_joins(splits, among, n_joins, weights, rng)] = False
        if asking.ask(current).accepted:
            accepted = current
        else:
            violating = current
            asking.settle()
