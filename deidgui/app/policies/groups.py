"""Groups of policies that keep the same attributes in full."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deidgui.app.policies.policy_set import PolicySet
from deidgui.engine.arrays import IntArray

MOST_GROUPS = 15
"""Groups that a person looks through; the others are one more."""


@dataclass(frozen=True, repr=False, eq=False)
class Group:
    """Policies that keep the same attributes in full.

    Parameters
    ----------
    kept : tuple of str or None
        Attributes that every policy of the group keeps in full; None of the group of
        all policies that no other group has.
    numbers : ndarray of int64, shape (n_members,)
        Policies of the group, best first.
    """

    kept: tuple[str, ...] | None
    numbers: IntArray

    @property
    def example(self) -> int:
        """Number of its best policy."""
        return int(self.numbers[0])


def groups_of(policies: PolicySet, numbers: IntArray) -> tuple[Group, ...]:
    """Group some policies by what they keep.

    Parameters
    ----------
    policies : PolicySet
    numbers : ndarray of int64

    Returns
    -------
    tuple of Group
        Those with the best policies first.
    """
    if not len(numbers):
        return ()
    is_wanted = np.zeros(len(policies), np.bool_)
    is_wanted[numbers] = True
    order = policies.order()
    ordered = order[is_wanted[order]]
    patterns, first, of_policy = np.unique(
        policies.levels[ordered] == 0, axis=0, return_index=True, return_inverse=True
    )
    by_best = np.argsort(first, kind="stable")
    found = []
    for pattern in by_best[:MOST_GROUPS].tolist():
        names = zip(policies.attributes, patterns[pattern].tolist(), strict=True)
        kept = tuple(name for name, is_kept in names if is_kept)
        found.append(Group(kept, ordered[of_policy.ravel() == pattern]))
    others = np.isin(of_policy.ravel(), by_best[MOST_GROUPS:])
    if others.any():
        found.append(Group(None, ordered[others]))
    return tuple(found)
