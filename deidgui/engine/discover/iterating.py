"""The searches that find one policy at the boundary per iteration."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.discover.results import Discovery, OnFound, ignore_found
from deidgui.engine.discover.rules import Asking, Rule
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor

Step = Callable[[Asking, BoolArray, np.random.Generator], BoolArray]
"""One iteration, from the most general policy: an acceptable policy's splits."""


def iterate(
    method: str,
    step: Step,
    rule: Rule,
    n_iterations: int,
    *,
    seed: int = 0,
    keep: BoolArray | None = None,
    tops: Sequence[BoolArray] = (),
    on_found: OnFound = ignore_found,
    monitor: Monitor = NULL_MONITOR,
) -> Discovery:
    """Find a policy per iteration, remembering what has been asked.

    Parameters
    ----------
    n_iterations : int, >= 1
    seed : int, >= 0
    keep : ndarray of bool, shape (n_splits,), optional
        Splits that every policy shall have (see `Space.keeping`).
    tops : sequence of ndarray of bool, each of shape (n_splits,)
        The same for the first iterations, one each, if that is acceptable.

    Returns
    -------
    Discovery
        A policy per iteration: acceptable, with a child that is not. A single one, the
        most specific policy, if every policy is acceptable.

    Raises
    ------
    InfeasibleError
        Codes ``no_acceptable_policy`` (threshold, least) or
        ``no_policy_meets_models``.
    ConfigError
        Code ``discovery_iterations`` (found).
    """
    if n_iterations < 1:
        raise ConfigError("discovery_iterations", found=n_iterations)
    space, asking = rule.space, Asking(rule, monitor)
    rng = np.random.Generator(np.random.PCG64(seed))
    top = space.top() if keep is None else keep
    asking.begin(0.0)
    if asking.everything_passes(top, space.bottom()):
        found = asking.found(space.bottom(), 0, is_boundary=False, is_risk_minimal=True)
        on_found(found)
        return Discovery(method, seed, rule.threshold, (found,), (asking.cost(),), True)
    solutions, costs = [], []
    for iteration in range(n_iterations):
        asking.begin(iteration / n_iterations)
        own = tops[iteration] if iteration < len(tops) else top
        if own is not top and not asking.ask(own).accepted:
            own = top
        solutions.append(asking.found(step(asking, own, rng), iteration))
        costs.append(asking.cost())
        on_found(solutions[-1])
    monitor.report(1.0, "policies")
    return Discovery(method, seed, rule.threshold, tuple(solutions), tuple(costs))
