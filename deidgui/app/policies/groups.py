"""Groups of similar policies: by what they keep, alternatives by what they join."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

import numpy as np

from deidgui.app.policies.alternatives.policies import AlternativePolicies
from deidgui.app.policies.policy_set import PolicySet
from deidgui.app.policies.source import ALTERNATIVES
from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.discover.clusters import Cluster

MOST_GROUPS = 15
"""Groups that a person looks through; the others are one more."""


@dataclass(frozen=True, repr=False, eq=False)
class PolicyGroup:
    """Similar policies.

    Parameters
    ----------
    kept : tuple of str or None
        Attributes that they keep in full; None of the group of all policies that no
        other group has.
    numbers : ndarray of int64, shape (n_members,)
        Policies of the group, best first.
    cluster : Cluster or None
        Of alternatives: how much of which part of each attribute they join.
    """

    kept: tuple[str, ...] | None
    numbers: IntArray
    cluster: Cluster | None = None

    @property
    def key(self) -> Hashable:
        """What makes it the same group under another filter."""
        return self.kept, None if self.cluster is None else self.cluster.parts

    @property
    def example(self) -> int:
        """Number of its best policy."""
        return int(self.numbers[0])


def groups_of(policies: PolicySet, numbers: IntArray) -> tuple[PolicyGroup, ...]:
    """Group some policies by what they keep.

    Parameters
    ----------
    numbers : ndarray of int64

    Returns
    -------
    tuple of PolicyGroup
        By what they keep, those with the best policies first; alternatives by what
        they join, the largest group first.
    """
    is_wanted = np.zeros(len(policies), np.bool_)
    is_wanted[numbers] = True
    found = policies.part(ALTERNATIVES)
    joined: list[PolicyGroup] = []
    if isinstance(found, AlternativePolicies):
        joined = list(_clusters(policies, found, is_wanted))
        for group in joined:
            is_wanted[group.numbers] = False
    return (*joined, *_by_kept(policies, is_wanted))


def _clusters(
    policies: PolicySet, found: AlternativePolicies, is_wanted: BoolArray
) -> Iterator[PolicyGroup]:
    of_row = policies.numbers_in(ALTERNATIVES)
    order = policies.order()
    for cluster in found.clusters:
        members = of_row[list(cluster.members)]
        is_member = np.zeros(len(policies), np.bool_)
        is_member[members[members >= 0]] = True
        numbers = order[(is_member & is_wanted)[order]]
        if len(numbers):
            parts = zip(cluster.parts, cluster.shares, strict=True)
            joined = {part.attribute for part, share in parts if share}
            kept = tuple(name for name in policies.attributes if name not in joined)
            yield PolicyGroup(kept, numbers, cluster)


def _by_kept(policies: PolicySet, is_wanted: BoolArray) -> tuple[PolicyGroup, ...]:
    """Group policies by the attributes that they keep in full."""
    order = policies.order()
    ordered = order[is_wanted[order]]
    if not len(ordered):
        return ()
    kept_in = policies.levels[ordered] == 0
    # PERF: bytes of bits are compared at once, rows of truths in 11 ms of 9,000.
    bits = np.packbits(kept_in, axis=1)
    patterns = bits.view(np.dtype((np.void, bits.shape[1]))).ravel()
    _, first, of_policy = np.unique(patterns, return_index=True, return_inverse=True)
    by_best = np.argsort(first, kind="stable")
    found = []
    for pattern in by_best[:MOST_GROUPS].tolist():
        names = zip(policies.attributes, kept_in[first[pattern]].tolist(), strict=True)
        kept = tuple(name for name, is_kept in names if is_kept)
        found.append(PolicyGroup(kept, ordered[of_policy == pattern]))
    others = np.isin(of_policy, by_best[MOST_GROUPS:])
    if others.any():
        found.append(PolicyGroup(None, ordered[others]))
    return tuple(found)
