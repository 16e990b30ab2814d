"""Walks from an acceptable policy down to risk-minimal ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.results import Discovery, OnFound, ignore_found
from deidgui.engine.discover.rules import Asking, Rule
from deidgui.monitor import NULL_MONITOR, Monitor


def complete(
    rule: Rule,
    policies: Sequence[BitPolicy],
    *,
    seed: int = 0,
    preferred: FloatArray | None = None,
    on_found: OnFound = ignore_found,
    monitor: Monitor = NULL_MONITOR,
) -> Discovery:
    """Walk acceptable policies down to risk-minimal ones.

    Parameters
    ----------
    policies : sequence of BitPolicy
        Of the rule's space, each acceptable.
    seed : int, >= 0
    preferred : ndarray of float64, shape (n_splits,), each in [0, 1], optional
        How much each split is wanted: the most wanted are tried first.

    Returns
    -------
    Discovery
        A policy for each one given: at least as specific, and with no acceptable
        descendant.

    Raises
    ------
    InfeasibleError
        Codes ``no_acceptable_policy`` (threshold, least) or
        ``no_policy_meets_models`` if one is not acceptable.

    Notes
    -----
    Every split is tried once: one that is not acceptable now is not acceptable in any
    more specific policy either.

    References
    ----------
    .. [1] methods.md A.5 (3).
    """
    asking = Asking(rule, monitor)
    rng = np.random.Generator(np.random.PCG64(seed))
    solutions, costs = [], []
    for number, policy in enumerate(policies):
        asking.begin(number / len(policies))
        asking.require(policy.splits)
        splits = walk_down(asking, policy.splits, rng, preferred)
        at_end = bool(splits.all())
        solutions.append(
            asking.found(splits, number, is_boundary=not at_end, is_risk_minimal=True)
        )
        costs.append(asking.cost())
        on_found(solutions[-1])
    monitor.report(1.0, "policies")
    return Discovery("completion", seed, rule.threshold, tuple(solutions), tuple(costs))


def walk_down(
    asking: Asking,
    start: BoolArray,
    rng: np.random.Generator,
    preferred: FloatArray | None = None,
) -> BoolArray:
    """Keep apart whatever is acceptable, in random order.

    Parameters
    ----------
    start : ndarray of bool, shape (n_splits,)
        An acceptable policy that has been asked about.
    preferred : ndarray of float64, shape (n_splits,), optional
        See `complete`.

    Returns
    -------
    ndarray of bool, shape (n_splits,)
        A risk-minimal policy.
    """
    splits = asking.space.splits
    order = np.argsort(rng.random(len(start)), kind="stable")
    if preferred is not None:
        order = order[np.argsort(-preferred[order], kind="stable")]
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    refused = np.zeros(len(start), np.bool_)
    current = start
    while True:
        places = splits.can_split(current)
        places = places[~refused[places]]
        if not len(places):
            return current
        place = places[np.argmin(rank[places])]
        child = current.copy()
        child[place] = True
        if asking.ask_step(current, child).accepted:
            current = child
        else:
            refused[place] = True
