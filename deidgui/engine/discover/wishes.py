"""Preferences for values that should be kept, and how well policies meet them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.results import FoundPolicy
from deidgui.engine.discover.space import Space
from deidgui.errors import ConfigError


@dataclass(frozen=True)
class Wish:
    """Some values of an attribute shall be released as they are.

    Parameters
    ----------
    attribute : str
    values : tuple of str
        Of its domain; all of them if empty.
    weight : float > 0
        How much it counts among several wishes.

    Raises
    ------
    ConfigError
        Code ``wish_weight`` (attribute, found).
    """

    attribute: str
    values: tuple[str, ...] = ()
    weight: float = 1.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.weight) and self.weight > 0):
            raise ConfigError(
                "wish_weight", attribute=self.attribute, found=self.weight
            )

    def __repr__(self) -> str:
        return f"Wish({self.attribute!r}, {len(self.values)} values, {self.weight:g})"

    def places(self, space: Space) -> IntArray:
        """Places of the values in their domain: int64, ascending.

        Raises
        ------
        ConfigError
            Codes ``wish_unknown_attribute`` (attribute) or ``wish_unknown_value``
            (attribute, n_unknown).
        """
        if self.attribute not in space.attributes:
            raise ConfigError("wish_unknown_attribute", attribute=self.attribute)
        domain = space.domains[space.attributes.index(self.attribute)]
        if not self.values:
            return np.arange(domain.n_values, dtype=np.int64)
        unknown = sum(value not in domain.index for value in self.values)
        if unknown:
            raise ConfigError(
                "wish_unknown_value", attribute=self.attribute, n_unknown=unknown
            )
        found = sorted({domain.index[value] for value in self.values})
        return np.array(found, np.int64)


def values_between(
    domain: Domain, low: float | None = None, high: float | None = None
) -> tuple[str, ...]:
    """Values of a domain of numbers that lie in a range: "ages over 89".

    Parameters
    ----------
    domain : Domain
    low, high : float, optional
        First and last number, both included.

    Returns
    -------
    tuple of str
        Values with some number in the range; none if the values are no numbers.
    """
    found = []
    for value, span in zip(domain.values, domain.spans or (), strict=False):
        if span is None:
            continue
        first = float(span[0])
        last = float(span[1]) if span[1] else np.inf
        if (low is None or last >= low) and (high is None or first <= high):
            found.append(value)
    return tuple(found)


def kept_share(policy: BitPolicy, wish: Wish) -> float:
    """Share of the values of a wish that a policy releases as they are."""
    place = policy.space.attributes.index(wish.attribute)
    groups = policy.groups[place]
    is_single = np.bincount(groups)[groups] == 1
    return float(is_single[wish.places(policy.space)].mean())


def score(policy: BitPolicy, wishes: Sequence[Wish]) -> float:
    """How far a policy meets some wishes.

    Parameters
    ----------
    policy : BitPolicy
    wishes : sequence of Wish

    Returns
    -------
    float in [0, 1]
        Weighted mean of the shares kept; 1 without a wish.
    """
    if not wishes:
        return 1.0
    total = sum(wish.weight for wish in wishes)
    return sum(wish.weight * kept_share(policy, wish) for wish in wishes) / total


def scores(space: Space, bits: BoolArray, wishes: Sequence[Wish]) -> FloatArray:
    """Share of the values of each wish that each of many policies keeps.

    Parameters
    ----------
    space : Space
    bits : ndarray of bool, shape (n_policies, n_bits)
    wishes : sequence of Wish

    Returns
    -------
    ndarray of float64, shape (n_wishes, n_policies), each in [0, 1]
        See `kept_share`.
    """
    found = np.ones((len(wishes), len(bits)))
    ends = np.ones((len(bits), 1), np.bool_)
    for number, wish in enumerate(wishes):
        places = wish.places(space)
        attribute = space.attributes.index(wish.attribute)
        start, end = space.first_bit[attribute], space.first_bit[attribute + 1]
        apart = np.hstack([ends, bits[:, start:end], ends])
        found[number] = (apart[:, places] & apart[:, places + 1]).mean(axis=1)
    return found


def ordered(
    found: Sequence[FoundPolicy], wishes: Sequence[Wish]
) -> tuple[tuple[FoundPolicy, float], ...]:
    """Order policies: wishes met best first, then least generalized, least risky.

    Parameters
    ----------
    found : sequence of FoundPolicy
    wishes : sequence of Wish

    Returns
    -------
    tuple of (FoundPolicy, float)
        Each with its `score`.
    """
    scored = [(each, score(each.policy, wishes)) for each in found]
    return tuple(
        sorted(
            scored,
            key=lambda pair: (-pair[1], pair[0].policy.level, pair[0].risk),
        )
    )


def demanded(space: Space, wishes: Sequence[Wish]) -> BoolArray:
    """Splits that every policy has which meets all of some wishes.

    For the parameter ``keep`` of the searches, which then find nothing else.

    Parameters
    ----------
    space : Space
    wishes : sequence of Wish

    Returns
    -------
    ndarray of bool, shape (n_splits,)
    """
    wanted: dict[str, list[int]] = {}
    for wish in wishes:
        wanted.setdefault(wish.attribute, []).extend(wish.places(space).tolist())
    return space.keeping(wanted)


def split_wishes(space: Space, wishes: Sequence[Wish]) -> FloatArray:
    """How much each split is wanted: the weights of the wishes that need it.

    Parameters
    ----------
    space : Space
    wishes : sequence of Wish

    Returns
    -------
    ndarray of float64, shape (n_splits,)
        For the parameter ``first`` of `deidgui.engine.discover.completion.complete`.
    """
    found = np.zeros(space.splits.n_splits)
    for wish in wishes:
        found[demanded(space, [wish])] += wish.weight
    return found
