"""Directed search: policies at the boundary, found step by step."""

from __future__ import annotations

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.discover.drawing import draw_joins
from deidgui.engine.discover.results import (
    Discovery,
    OnFound,
    check_iterations,
    ignore_found,
)
from deidgui.engine.discover.rules import Asking, Rule
from deidgui.engine.discover.space import Space
from deidgui.monitor import NULL_MONITOR, Monitor


def directed_search(
    rule: Rule,
    n_iterations: int = 100,
    *,
    seed: int = 0,
    keep: BoolArray | None = None,
    on_found: OnFound = ignore_found,
    monitor: Monitor = NULL_MONITOR,
) -> Discovery:
    """Find boundary policies by directed walks from random policies.

    Parameters
    ----------
    n_iterations : int, >= 1
    seed : int, >= 0
    keep : ndarray of bool, shape (n_splits,), optional
        Splits that every policy shall have (see `Space.keeping`).

    Returns
    -------
    Discovery
        A policy per iteration: acceptable, with a child that is not.

    Raises
    ------
    InfeasibleError
        Codes ``no_acceptable_policy`` (threshold, least) or
        ``no_policy_meets_models``.
    ConfigError
        Code ``discovery_iterations`` (found).

    Notes
    -----
    The first policy has every split with probability 1/2; where splits depend on
    each other, as many as that are joined in a random order.

    References
    ----------
    .. [1] Benitez, Loukides and Malin (2010), section 2.4.1; methods.md A.6.
    """
    check_iterations(n_iterations)
    space, asking = rule.space, Asking(rule, monitor)
    rng = np.random.Generator(np.random.PCG64(seed))
    top = space.top() if keep is None else keep
    asking.begin(0.0)
    if asking.everything_passes(top, space.bottom()):
        found = asking.found(space.bottom(), 0, is_boundary=False, is_risk_minimal=True)
        on_found(found)
        costs = (asking.cost(),)
        return Discovery("directed", seed, rule.threshold, (found,), costs, True)
    solutions, iterations = [], []
    for iteration in range(n_iterations):
        asking.begin(iteration / n_iterations)
        splits = _walk(asking, _random(space, top, rng), top, rng)
        solutions.append(asking.found(splits, iteration))
        iterations.append(asking.cost())
        on_found(solutions[-1])
    monitor.report(1.0, "policies")
    return Discovery(
        "directed", seed, rule.threshold, tuple(solutions), tuple(iterations)
    )


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
