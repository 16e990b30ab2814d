"""Judges every policy of a small space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.discover.results import (
    Discovery,
    FoundPolicy,
    OnFound,
    ignore_found,
)
from deidgui.engine.discover.rules import Asking, Rule
from deidgui.engine.discover.space import Space
from deidgui.errors import ResourceError
from deidgui.monitor import NULL_MONITOR, Monitor

MOST_SPLITS = 16
"""Up to so many splits, all policies are looked at: 65,536 of them."""


@dataclass(frozen=True, eq=False)
class Census(Discovery):
    """All acceptable policies.

    Parameters
    ----------
    n_policies : int
        Policies there are.
    """

    n_policies: int = 0


def is_small(space: Space) -> bool:
    """Whether all policies of a space can be looked at."""
    return space.splits.n_splits <= MOST_SPLITS


def exhaustive_search(
    rule: Rule,
    *,
    keep: BoolArray | None = None,
    on_found: OnFound = ignore_found,
    monitor: Monitor = NULL_MONITOR,
) -> Census:
    """Look at every policy.

    Parameters
    ----------
    rule : Rule
        Of a space that `is_small`.
    keep : ndarray of bool, shape (n_splits,), optional
        Splits that every policy shall have (see `Space.keeping`).
    on_found : callable, optional
        Is told the risk-minimal policies.

    Returns
    -------
    Census
        In ascending order of the bits, the first of them counting most.

    Raises
    ------
    ResourceError
        Code ``discovery_too_many_policies`` (n_bits, limit).
    InfeasibleError
        Codes ``no_acceptable_policy`` (threshold, least) or
        ``no_policy_meets_models``.

    References
    ----------
    .. [1] methods.md A.5.
    """
    space = rule.space
    if not is_small(space):
        raise ResourceError(
            "discovery_too_many_policies",
            n_bits=space.splits.n_splits,
            limit=MOST_SPLITS,
        )
    asking = Asking(rule, monitor)
    asking.begin(0.0)
    top = space.top() if keep is None else keep
    all_pass = asking.everything_passes(top, space.bottom())
    valid = _all_policies(space)
    valid = valid[(valid >= top).all(axis=1)]
    accepted: dict[bytes, BoolArray] = {}
    for number, splits in enumerate(valid):
        if number % 64 == 0:
            asking.restart()
            monitor.report(number / len(valid), "policies")
        if asking.ask(splits).accepted:
            accepted[splits.tobytes()] = splits
    found = tuple(_described(asking, each, accepted) for each in accepted.values())
    for each in found:
        if each.is_risk_minimal:
            on_found(each)
    monitor.report(1.0, "policies")
    cost = (asking.cost(),)
    return Census("exhaustive", 0, rule.threshold, found, cost, all_pass, len(valid))


def _all_policies(space: Space) -> BoolArray:
    """Splits of all valid policies: bool, (n_policies, n_splits)."""
    n = space.splits.n_splits
    numbers = np.arange(2**n, dtype=np.int64)[:, None]
    grid = (numbers >> np.arange(n - 1, -1, -1)) & 1 == 1
    valid = np.ones(len(grid), np.bool_)
    for place, above in enumerate(space.splits.parent.tolist()):
        if above >= 0:
            valid &= grid[:, above] | ~grid[:, place]
    return np.ascontiguousarray(grid[valid])


def _described(
    asking: Asking, splits: BoolArray, accepted: dict[bytes, BoolArray]
) -> FoundPolicy:
    found = asking.found(splits, 0)
    passes = [each.splits.tobytes() in accepted for each in found.policy.children()]
    return asking.found(
        splits, 0, is_boundary=not all(passes), is_risk_minimal=not any(passes)
    )
