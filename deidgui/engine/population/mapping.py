"""Mapping of the values of the data to those of a population."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import BoolArray, Int32Array, IntArray
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.table import Column
from deidgui.engine.detect.roles import Reason
from deidgui.engine.population.table import PopulationAttribute
from deidgui.engine.population.words import means_nothing
from deidgui.errors import InputError

UNIT = 720_720
"""Weight of an atom: whole parts for up to 16 values that share it."""


SURE = 0.9
"""Values with a lower confidence are in doubt."""

BY_HAND = "people_value_by_hand"

OF_ALL_VALUES = ("people_by_values_alone", "people_by_name_alone")
"""Doubts about whether an attribute is the right one: all its values are in doubt."""


@dataclass(frozen=True, repr=False)
class DataValues:
    """Values of an attribute of the data, as the leaves of its hierarchy.

    Parameters
    ----------
    n_records : ndarray of int64, shape (n_texts,)
    missing : int or None
        Place of the text that stands for "no value".
    """

    attribute: str
    texts: tuple[str, ...]
    n_records: IntArray
    missing: int | None = None

    @classmethod
    def of(cls, hierarchy: Hierarchy, column: Column) -> DataValues:
        """Count the records of a column at each leaf of its hierarchy."""
        leaves = hierarchy.leaf_of_values(column)
        known = leaves >= 0
        records = np.zeros(hierarchy.n_leaves, dtype=np.int64)
        np.add.at(records, leaves[known], column.counts[known])
        return cls(
            hierarchy.attribute, hierarchy.leaves, records, hierarchy.missing_leaf
        )

    @cached_property
    def _lacking(self) -> frozenset[int]:
        """Places of texts that say that there is no value."""
        found = {place for place, text in enumerate(self.texts) if means_nothing(text)}
        return frozenset(found if self.missing is None else {*found, self.missing})

    def lacks(self, place: int) -> bool:
        """Whether a text says that there is no value."""
        return place in self._lacking


@dataclass(frozen=True, repr=False)
class ValueMatch:
    """What one value of the data stands for, for the person who looks at it.

    Parameters
    ----------
    text : str
        Of the data: shown in the mapping step, nowhere else.
    partners : tuple of str
        Values of the population; empty if there is none.
    confidence : float in [0, 1]
    """

    text: str
    partners: tuple[str, ...]
    n_records: int
    confidence: float
    reason: Reason


@dataclass(frozen=True, repr=False, eq=False)
class AttributeMapping:
    """How the values of an attribute of the data are found in a population.

    Parameters
    ----------
    own, other : ndarray of int32, shape (n_pairs,)
        Places of values of the data and of the population that have something in
        common, by the population's value.
    weights : ndarray of int64, shape (n_pairs,), each >= 1
        How much of the population's value belongs to that of the data.
    outside : ndarray of int64, shape (target.n_values,), each >= 0
        How much of the population's value belongs to no value of the data.
    reasons : tuple of Reason
        Per value of the data.
    doubts : tuple of Reason
        Why a person has to look; empty if everything is plain.
    """

    data: DataValues
    target: PopulationAttribute
    own: Int32Array
    other: Int32Array
    weights: IntArray
    outside: IntArray
    confidences: tuple[float, ...]
    reasons: tuple[Reason, ...]
    doubts: tuple[Reason, ...] = field(default=())
    is_confirmed: bool = False

    def __repr__(self) -> str:
        return (
            f"<AttributeMapping {self.data.attribute!r} -> {self.target.name!r}: "
            f"{len(self.data.texts)} values>"
        )

    @property
    def is_ready(self) -> bool:
        """Whether it can be used: nothing in doubt, or confirmed by a person."""
        return self.is_confirmed or not self.doubts

    @property
    def is_doubtful(self) -> BoolArray:
        """Which values have partners that are in doubt: bool, (n_values,).

        Also where a person has confirmed them; what is said by hand is not in doubt.
        """
        is_weak = np.array(self.confidences) < SURE
        by_hand = np.array([each.code == BY_HAND for each in self.reasons], np.bool_)
        has_partner = np.bincount(self.own, minlength=len(is_weak)) > 0
        if any(each.code in OF_ALL_VALUES for each in self.doubts):
            is_weak = np.ones(len(is_weak), np.bool_)
        return np.asarray(is_weak & has_partner & ~by_hand, dtype=np.bool_)

    @property
    def confidence(self) -> float:
        """Lowest confidence of a value that has records and a partner."""
        present = [
            match.confidence
            for match in self.matches()
            if match.partners and match.n_records
        ]
        return min(present, default=0.0)

    @property
    def unmatched(self) -> tuple[int, ...]:
        """Places of values with records and without a partner, missing ones too."""
        partners = np.bincount(self.own, minlength=len(self.data.texts))
        alone = np.flatnonzero((partners == 0) & (self.data.n_records > 0))
        return tuple(alone.tolist())

    @property
    def n_unmatched_records(self) -> int:
        """Records whose value the population lacks."""
        return int(self.data.n_records[list(self.unmatched)].sum())

    def matches(self) -> list[ValueMatch]:
        """What every value of the data stands for, in their order."""
        partners: dict[int, list[str]] = defaultdict(list)
        for own, other in zip(self.own.tolist(), self.other.tolist(), strict=True):
            partners[own].append(self.target.values[other])
        return [
            ValueMatch(
                text,
                tuple(partners[place]),
                int(self.data.n_records[place]),
                self.confidences[place],
                self.reasons[place],
            )
            for place, text in enumerate(self.data.texts)
        ]

    def confirmed(self) -> AttributeMapping:
        """Return the same, confirmed by a person."""
        return replace(self, is_confirmed=True)

    def with_partners(self, partners: Mapping[str, Iterable[str]]) -> AttributeMapping:
        """Say by hand what some values of the data stand for.

        Parameters
        ----------
        partners : mapping of str to iterable of str
            Values of the population by value of the data; none if nothing there means
            this.

        Returns
        -------
        AttributeMapping
            Values of the population that several values of the data now stand for
            are shared evenly among these.

        Raises
        ------
        InputError
            Code ``people_value_unknown``.
        """
        index = self.target.index
        place_of = {text: place for place, text in enumerate(self.data.texts)}
        chosen = {text: set(values) for text, values in partners.items()}
        unknown = set().union(*chosen.values()) - set(index)
        if unknown or not chosen.keys() <= place_of.keys():
            raise InputError(
                "people_value_unknown",
                attribute=self.target.name,
                table=self.target.name,
                n_values=max(len(unknown), 1),
            )
        places = [place_of[text] for text in chosen]
        pairs = [
            (place_of[text], index[value]) for text in chosen for value in chosen[text]
        ]
        new = np.array(pairs, dtype=np.int32).reshape(-1, 2)
        kept = ~np.isin(self.own, places)
        own = np.append(self.own[kept], new[:, 0])
        other = np.append(self.other[kept], new[:, 1])
        weights = np.append(self.weights[kept], np.zeros(len(new), np.int64))
        weights[np.isin(other, new[:, 1])] = UNIT
        outside = self.outside.copy()
        outside[new[:, 1]] = 0
        outside[np.setdiff1d(self.other, other)] = UNIT
        order = np.lexsort([own, other])
        confidences, reasons = list(self.confidences), list(self.reasons)
        for place in places:
            confidences[place], reasons[place] = 1.0, Reason(BY_HAND)
        return replace(
            self,
            own=own[order],
            other=other[order],
            weights=weights[order],
            outside=outside,
            confidences=tuple(confidences),
            reasons=tuple(reasons),
        )
