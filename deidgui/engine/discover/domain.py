"""The values of an attribute in an order in which neighbours can be joined."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import BoolArray, Int32Array, IntArray
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.errors import ConfigError

_NUMBER = re.compile(r"(?P<low>\d+(?:\.\d+)?)(?:-(?P<high>\d+(?:\.\d+)?)|\+)?")


@dataclass(frozen=True, repr=False, eq=False)
class Domain:
    """The ordered values of one quasi-identifier, as policies may join them.

    Parameters
    ----------
    hierarchy : Hierarchy
        Names the attribute and its leaves.
    values : tuple of str
        In order; those that stand next to each other can be joined.
    of_leaf : ndarray of int32, shape (n_leaves,), each in [-1, n_values)
        Value of each leaf; -1 for leaves left out, which no record may have.
    level : int or None
        The hierarchy level whose groups the values are, 0 for the leaves
        themselves; None if the order is another one than the hierarchy's.
    occurs : ndarray of bool, shape (n_values,), or None
        Values that any record has: only these are counted in words. All of them
        if not given.

    References
    ----------
    .. [1] Benitez, Loukides and Malin (2010), *Beyond Safe Harbor*, section 2.2;
       methods.md A.1.
    """

    hierarchy: Hierarchy
    values: tuple[str, ...]
    of_leaf: Int32Array
    level: int | None = None
    occurs: BoolArray | None = None

    def __repr__(self) -> str:
        return f"<Domain {self.attribute!r}: {self.n_values} values>"

    @property
    def attribute(self) -> str:
        """Name of the quasi-identifier."""
        return self.hierarchy.attribute

    @property
    def n_values(self) -> int:
        """Number of values."""
        return len(self.values)

    @property
    def n_bits(self) -> int:
        """Number of places where neighbours are joined or kept apart."""
        return self.n_values - 1

    @cached_property
    def index(self) -> dict[str, int]:
        """Place of each value."""
        return {value: place for place, value in enumerate(self.values)}

    @cached_property
    def is_in_file(self) -> BoolArray:
        """Whether any record has each value: bool, (n_values,)."""
        if self.occurs is None:
            return np.ones(self.n_values, np.bool_)
        return self.occurs

    @property
    def n_in_file(self) -> int:
        """Number of values that any record has."""
        return int(np.count_nonzero(self.is_in_file))

    def of_records(self, leaves: Int32Array) -> Domain:
        """Return the domain with the values that records of some leaves have."""
        occurs = np.zeros(self.n_values, np.bool_)
        values = self.of_leaf[leaves]
        occurs[values[values >= 0]] = True
        return replace(self, occurs=occurs)

    @cached_property
    def n_leaves(self) -> IntArray:
        """Leaves of each value: int64, shape (n_values,)."""
        inside = self.of_leaf[self.of_leaf >= 0]
        return np.bincount(inside, minlength=self.n_values).astype(np.int64)

    @cached_property
    def missing_value(self) -> int | None:
        """Place of the value that stands for "no value", if it stands alone."""
        leaf = self.hierarchy.missing_leaf
        if leaf is None or self.of_leaf[leaf] < 0:
            return None
        place = int(self.of_leaf[leaf])
        return place if self.n_leaves[place] == 1 else None

    @cached_property
    def spans(self) -> tuple[tuple[str, str] | None, ...] | None:
        """First and last number of each value, if all are numbers in order.

        "52" is from 52 to 52, "5-9" from 5 to 9, "85+" has no end (""). None
        stands for a missing value; the whole is None if there are other words.
        """
        found: list[tuple[str, str] | None] = []
        highest = -1.0
        for place, value in enumerate(self.values):
            if place == self.missing_value:
                found.append(None)
                continue
            span = _span(value)
            if span is None or float(span[0]) <= highest:
                return None
            highest = float(span[1]) if span[1] else float("inf")
            if highest < float(span[0]):
                return None
            found.append(span)
        return tuple(found)

    @classmethod
    def of(cls, hierarchy: Hierarchy, order: Sequence[str] | None = None) -> Domain:
        """Make the domain of the leaves of a hierarchy.

        Parameters
        ----------
        order : sequence of str, optional
            Leaves in the order wanted; those not named are left out. The order of
            the hierarchy if not given.

        Raises
        ------
        ConfigError
            Code ``domain_order`` (attribute, n_unknown, n_repeated) if it names
            leaves that do not exist, or one twice, or none.
        """
        if order is None:
            same = np.arange(hierarchy.n_leaves, dtype=np.int32)
            return cls(hierarchy, hierarchy.leaves, same, 0)
        leaves = hierarchy.encode(order)
        n_unknown = int((leaves < 0).sum())
        n_repeated = len(order) - len(set(order))
        if not len(order) or n_unknown or n_repeated:
            raise ConfigError(
                "domain_order",
                attribute=hierarchy.attribute,
                n_unknown=n_unknown,
                n_repeated=n_repeated,
            )
        of_leaf = np.full(hierarchy.n_leaves, -1, dtype=np.int32)
        of_leaf[leaves] = np.arange(len(order), dtype=np.int32)
        is_whole = (of_leaf == np.arange(hierarchy.n_leaves)).all()
        return cls(hierarchy, tuple(order), of_leaf, 0 if is_whole else None)

    @classmethod
    def at_level(cls, hierarchy: Hierarchy, level: int) -> Domain:
        """Recode the leaves first: the values are the groups of a level.

        Parameters
        ----------
        level : int
            For example that of three digits of ZIP codes.

        Raises
        ------
        ConfigError
            Code ``level_out_of_range``.
        """
        if not 0 <= level <= hierarchy.height:
            raise ConfigError(
                "level_out_of_range",
                attribute=hierarchy.attribute,
                found=level,
                top=hierarchy.height,
            )
        step = hierarchy.levels[level]
        return cls(hierarchy, step.labels, step.groups, level)


def proposed_order(hierarchy: Hierarchy, population: IntArray) -> tuple[str, ...]:
    """Propose an order of the leaves: which of them should be neighbours?

    Parameters
    ----------
    population : ndarray of int64, shape (n_leaves,)
        People, or records, with each leaf.

    Returns
    -------
    tuple of str
        The order of the hierarchy, if it has groups or its leaves are numbers in
        order; otherwise the most frequent first, so that rare ones are neighbours,
        equally frequent ones by name, and missing values last.

    References
    ----------
    .. [1] methods.md A.1, ordered nominal domains.
    """
    leaves = hierarchy.leaves
    has_groups = any(1 < step.n_groups < len(leaves) for step in hierarchy.levels)
    rule = None if hierarchy.is_edited else hierarchy.rule
    if rule is not None and not rule.has_neighbours:
        has_groups = False
    if has_groups or Domain.of(hierarchy).spans is not None:
        return leaves
    places = sorted(
        range(len(leaves)),
        key=lambda leaf: (
            leaf == hierarchy.missing_leaf,
            -population[leaf],
            leaves[leaf],
        ),
    )
    return tuple(leaves[place] for place in places)


def _span(text: str) -> tuple[str, str] | None:
    """First and last number of a value, "" for no end; None if it is no number."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        return None
    low = match["low"]
    if text.strip().endswith("+"):
        return low, ""
    return low, match["high"] or low
