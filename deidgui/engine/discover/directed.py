"""Directed search: policies at the boundary, found step by step."""

from __future__ import annotations

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.discover.drawing import draw_joins
from deidgui.engine.discover.iterating import iterate
from deidgui.engine.discover.results import Discovery, OnFound, ignore_found
from deidgui.engine.discover.rules import Asking, Rule
from deidgui.engine.discover.space import Space
from deidgui.engine.discover.steering import Steering, no_steering
from deidgui.monitor import NULL_MONITOR, Monitor


def directed_search(
    rule: Rule,
    n_iterations: int = 100,
    *,
    seed: int = 0,
    keep: BoolArray | None = None,
    steering: Steering | None = None,
    on_found: OnFound = ignore_found,
    monitor: Monitor = NULL_MONITOR,
) -> Discovery:
    """Find boundary policies by directed walks from random policies.

    Parameters
    ----------
    steering : Steering, optional
        In which kinds first iterations look; none, as in the paper, if not given.

    Raises
    ------
    DeidError
        As `iterate`, which has the parameters too.

    Notes
    -----
    The first policy has every split with probability 1/2; where splits depend on
    each other, as many as that are joined in a random order.

    References
    ----------
    .. [1] Benitez, Loukides and Malin (2010), section 2.4.1; methods.md A.6.
    """
    return iterate(
        "directed",
        _from_anywhere,
        rule,
        n_iterations,
        seed=seed,
        keep=keep,
        tops=(steering or no_steering(rule.space)).tops,
        on_found=on_found,
        monitor=monitor,
    )


def _from_anywhere(
    asking: Asking, top: BoolArray, rng: np.random.Generator
) -> BoolArray:
    return _walk(asking, _random(asking.space, top, rng), top, rng)


def _random(space: Space, top: BoolArray, rng: np.random.Generator) -> BoolArray:
    """Return a random policy below `top`."""
    among = ~top
    n_joined = int(rng.binomial(np.count_nonzero(among), 0.5))
    found = space.bottom()
    weights = np.ones(len(found))
    found[draw_joins(space.splits, among, n_joined, weights, rng)] = False
    return found


def _walk(
    asking: Asking, current: BoolArray, top: BoolArray, rng: np.random.Generator
) -> BoolArray:
    """Walk down to the last acceptable policy, or up to the first one."""
    splits = asking.space.splits
    if asking.ask(current).accepted:
        while True:
            child = current.copy()
            # There is one: the most specific policy is not acceptable.
            child[rng.choice(splits.can_split(current))] = True
            if not asking.ask(child).accepted:
                return current
            current = child
    while True:
        asking.settle()
        parent = current.copy()
        places = splits.can_join(current)
        parent[rng.choice(places[~top[places]])] = False
        current = parent
        if asking.ask(current).accepted:
            return current
