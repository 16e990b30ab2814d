"""Steers searches by chance to all kinds of policies, and to those that are wanted."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray
from deidgui.engine.discover.preferences import Preference, demanded
from deidgui.engine.discover.space import Space

SHARE_OF_KINDS = 0.5
"""Part of the iterations that look among policies of one kind each."""

LEAST_JOINED = 0.1
"""A split that is preferred most is drawn to be joined so much less often."""

FEW_SPLITS = 16
"""Kinds with fewer splits have so few policies that many iterations find them again."""


@dataclass(frozen=True, eq=False)
class Steering:
    """What draws follow beyond chance.

    Parameters
    ----------
    tops : tuple of ndarray of bool, each of shape (n_splits,)
        Of the first iterations, one each: splits that the policy found shall have, if
        that is acceptable.
    preferred : ndarray of float64, shape (n_splits,), each in [0, 1]
        How much a split is wanted; all 0 without preferences.
    """

    tops: tuple[BoolArray, ...]
    preferred: FloatArray

    @property
    def joining(self) -> FloatArray:
        """Factors on the weights with which splits are drawn to be joined."""
        return 1.0 - (1.0 - LEAST_JOINED) * self.preferred


def kinds_of(space: Space) -> tuple[tuple[str, ...], ...]:
    """Return kinds that are looked for: values of one attribute are joined, or of two.

    Attributes of one value, and all attributes together, are left out.
    """
    names = [each.attribute for each in space.domains if each.n_bits]
    sizes = range(1, min(3, len(names)))
    return tuple(kind for n in sizes for kind in itertools.combinations(names, n))


def steer(
    space: Space,
    n_iterations: int,
    keep: BoolArray,
    preferences: Sequence[Preference] = (),
    quotas: Mapping[str, float] | None = None,
) -> Steering:
    """Plan the iterations of a search.

    Parameters
    ----------
    keep : ndarray of bool, shape (n_splits,)
        Splits that every policy shall have.
    preferences : sequence of Preference
        Values that are rather kept apart.
    quotas : mapping of str to float, optional
        By attribute, share of the iterations that join values of this attribute
        alone. If none is given, half of the iterations are shared evenly by all
        kinds.

    Returns
    -------
    Steering
        What is left of the iterations is free.
    """
    wanted: list[tuple[tuple[str, ...], int]]
    if quotas:
        wanted = [((name,), round(n_iterations * q)) for name, q in quotas.items()]
    else:
        kinds = kinds_of(space)
        each = int(n_iterations * SHARE_OF_KINDS) // max(1, len(kinds))
        wanted = [(kind, each) for kind in kinds]
    rounds: list[list[BoolArray]] = []
    for kind, n in wanted:
        top = top_of(space, kind, keep)
        n_splits = int(np.count_nonzero(~top))
        most = 2**n_splits - 1 if n_splits < FEW_SPLITS else n
        rounds.append([top] * min(n, most))
    tops = [top for turn in itertools.zip_longest(*rounds) for top in turn]
    found = np.zeros(space.splits.n_splits)
    for preference in preferences:
        found[demanded(space, [preference])] += preference.weight
    return Steering(
        tuple(top for top in tops if top is not None)[:n_iterations],
        found / (found.max() or 1.0),
    )


def top_of(space: Space, kind: Sequence[str], keep: BoolArray) -> BoolArray:
    """Return the most general policy of a kind: bool, (n_splits,).

    Parameters
    ----------
    kind : sequence of str
        Attributes of which values are joined.
    keep : ndarray of bool, shape (n_splits,)
        Splits that it shall have.
    """
    places = [space.attributes.index(name) for name in kind]
    is_free = np.isin(space.attribute_of_split, places) & ~keep
    return np.asarray(~is_free, dtype=np.bool_)


def no_steering(space: Space) -> Steering:
    """Leave everything to chance, as the paper does."""
    return Steering((), np.zeros(space.splits.n_splits))
