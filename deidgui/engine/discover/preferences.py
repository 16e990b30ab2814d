"""Preferences for values that should be kept, and how well policies meet them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.space import Space
from deidgui.errors import ConfigError


@dataclass(frozen=True)
class Preference:
    """Some values of an attribute shall be released as they are.

    Parameters
    ----------
    values : tuple of str
        Of its domain; all of them if empty.
    weight : float > 0
        How much it counts among several preferences.

    Raises
    ------
    ConfigError
        Code ``preference_weight`` (attribute, found).
    """

    attribute: str
    values: tuple[str, ...] = ()
    weight: float = 1.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.weight) and self.weight > 0):
            raise ConfigError(
                "preference_weight", attribute=self.attribute, found=self.weight
            )

    def __repr__(self) -> str:
        values = f"{len(self.values)} values"
        return f"Preference({self.attribute!r}, {values}, {self.weight:g})"

    def places(self, space: Space) -> IntArray:
        """Places of the values in their domain: int64, ascending.

        Raises
        ------
        ConfigError
            Codes ``preference_unknown_attribute`` (attribute) or
            ``preference_unknown_value`` (attribute, n_unknown).
        """
        if self.attribute not in space.attributes:
            raise ConfigError("preference_unknown_attribute", attribute=self.attribute)
        domain = space.domains[space.attributes.index(self.attribute)]
        if not self.values:
            return np.arange(domain.n_values, dtype=np.int64)
        unknown = sum(value not in domain.index for value in self.values)
        if unknown:
            raise ConfigError(
                "preference_unknown_value", attribute=self.attribute, n_unknown=unknown
            )
        found = sorted({domain.index[value] for value in self.values})
        return np.array(found, np.int64)


def values_between(
    domain: Domain, low: float | None = None, high: float | None = None
) -> tuple[str, ...]:
    """Values of a domain of numbers that lie in a range: "ages over 89".

    Parameters
    ----------
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


def kept_share(policy: BitPolicy, preference: Preference) -> float:
    """Share of the values of a preference that a policy releases as they are."""
    place = policy.space.attributes.index(preference.attribute)
    groups = policy.groups[place]
    is_single = np.bincount(groups)[groups] == 1
    return float(is_single[preference.places(policy.space)].mean())


def scores(
    space: Space, bits: BoolArray, preferences: Sequence[Preference]
) -> FloatArray:
    """Share of the values of each preference that each of many policies keeps.

    Parameters
    ----------
    bits : ndarray of bool, shape (n_policies, n_bits)

    Returns
    -------
    ndarray of float64, shape (n_preferences, n_policies), each in [0, 1]
        See `kept_share`.
    """
    found = np.ones((len(preferences), len(bits)))
    ends = np.ones((len(bits), 1), np.bool_)
    for number, preference in enumerate(preferences):
        places = preference.places(space)
        attribute = space.attributes.index(preference.attribute)
        start, end = space.first_bit[attribute], space.first_bit[attribute + 1]
        apart = np.hstack([ends, bits[:, start:end], ends])
        found[number] = (apart[:, places] & apart[:, places + 1]).mean(axis=1)
    return found


def demanded(space: Space, preferences: Sequence[Preference]) -> BoolArray:
    """Splits that every policy has which meets all of some preferences.

    For the parameter ``keep`` of the searches, which then find nothing else.

    Returns
    -------
    ndarray of bool, shape (n_splits,)
    """
    wanted: dict[str, list[int]] = {}
    for preference in preferences:
        wanted.setdefault(preference.attribute, []).extend(
            preference.places(space).tolist()
        )
    return space.keeping(wanted)
