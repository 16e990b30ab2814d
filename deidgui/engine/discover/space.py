"""The space of policies, and the steps between them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import BoolArray, Int32Array, IntArray
from deidgui.engine.discover.domain import Domain
from deidgui.errors import ConfigError, InputError

INTERVAL, SUBTREE = "interval", "subtree"
"""Any neighbours may be joined, or only all leaves of a node of the hierarchy."""


@dataclass(frozen=True, repr=False, eq=False)
class Space:
    """All policies over some ordered domains.

    A policy is one bit for every two neighbours of a domain: 1 keeps them apart,
    0 joins them. In subtree mode only whole nodes of a hierarchy are joined: the
    bits between the children of one node are equal, and a node is joined only if
    all nodes below it are. Either way a policy is a set of *splits*: in interval
    mode a split is a bit, in subtree mode a node that is not joined.

    Parameters
    ----------
    domains : tuple of Domain
        One per quasi-identifier, in column order.
    mode : {"interval", "subtree"}
    is_of_file : bool
        Whether intervals are made of values that any record has: what lies between
        two of them is joined with both or with none.

    Raises
    ------
    InputError
        Code ``no_quasi_identifier``.
    ConfigError
        Codes ``discovery_mode``, ``discovery_nothing_to_join`` if no domain has two
        values, or ``subtree_order`` (attribute) if a domain has another order than
        its hierarchy.

    References
    ----------
    .. [1] Benitez, Loukides and Malin (2010), section 2.2; methods.md A.1, A.2.
    """

    domains: tuple[Domain, ...]
    mode: str = INTERVAL
    is_of_file: bool = False

    def __post_init__(self) -> None:
        if not self.domains:
            raise InputError("no_quasi_identifier")
        if self.mode not in (INTERVAL, SUBTREE):
            raise ConfigError("discovery_mode", found=self.mode)
        if self.n_bits == 0:
            raise ConfigError("discovery_nothing_to_join")
        if self.mode == SUBTREE:
            for domain in self.domains:
                if domain.level is None:
                    raise ConfigError("subtree_order", attribute=domain.attribute)

    def __repr__(self) -> str:
        return f"<Space of {self.n_bits} bits, {self.mode}: {list(self.domains)}>"

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers."""
        return tuple(each.attribute for each in self.domains)

    @cached_property
    def first_bit(self) -> IntArray:
        """Where the bits of each attribute start: int64, (n_attributes + 1,)."""
        return np.cumsum([0, *(each.n_bits for each in self.domains)]).astype(np.int64)

    @property
    def n_bits(self) -> int:
        """Length of a policy."""
        return sum(each.n_bits for each in self.domains)

    @cached_property
    def attribute_of_bit(self) -> IntArray:
        """Attribute of each bit: int64, (n_bits,)."""
        sizes = np.diff(self.first_bit)
        return np.repeat(np.arange(len(self.domains), dtype=np.int64), sizes)

    @cached_property
    def splits(self) -> Splits:
        """What can be split and joined one at a time."""
        if self.is_of_file:
            return _file_splits(self.domains)
        if self.mode == INTERVAL:
            bits = np.arange(self.n_bits, dtype=np.int64)
            return Splits(bits, np.full(self.n_bits, -1, np.int64))
        return _tree_splits(self.domains)

    def of_file(self) -> Space:
        """Return the same policies without those about values that no record has."""
        if self.mode != INTERVAL:
            return self
        return Space(self.domains, self.mode, is_of_file=True)

    @cached_property
    def attribute_of_split(self) -> IntArray:
        """Attribute of each split: int64, (n_splits,)."""
        found = np.zeros(self.splits.n_splits, np.int64)
        found[self.splits.of_bit] = self.attribute_of_bit
        return found

    def top(self) -> BoolArray:
        """Return the policy that joins everything: no splits."""
        return np.zeros(self.splits.n_splits, np.bool_)

    def bottom(self) -> BoolArray:
        """Return the policy that keeps every value: all splits."""
        return np.ones(self.splits.n_splits, np.bool_)

    def bits_of(self, splits: BoolArray) -> BoolArray:
        """Bits of a set of splits: bool, (n_bits,)."""
        return np.asarray(splits[self.splits.of_bit], dtype=np.bool_)

    def closed(self, bits: BoolArray) -> BoolArray:
        """Return the splits of the least general policy at or above some bits.

        In interval mode those of the bits themselves. In subtree mode every run is
        replaced by the leaves of the lowest common node of its ends until no run
        changes.

        Parameters
        ----------
        bits : ndarray of bool, shape (n_bits,)

        Returns
        -------
        ndarray of bool, shape (n_splits,)
        """
        splits = self.bottom()
        splits[self.splits.of_bit[~bits]] = False
        return self.splits.joined_below(splits)

    def groups(self, bits: BoolArray) -> tuple[Int32Array, ...]:
        """Run of each value, by attribute: int32, (n_values,), from 0 on."""
        return tuple(
            np.cumsum([False, *bits[start:end]]).astype(np.int32)
            for start, end in zip(self.first_bit, self.first_bit[1:], strict=False)
        )

    def keeping(self, wanted: Mapping[str, Sequence[int]]) -> BoolArray:
        """Return the most general policy that keeps some values apart from all others.

        Parameters
        ----------
        wanted : mapping of str to sequence of int
            Places of values to keep exact, by attribute.

        Returns
        -------
        ndarray of bool, shape (n_splits,)

        Raises
        ------
        ConfigError
            Code ``preference_unknown_attribute`` (attribute).
        """
        bits = np.zeros(self.n_bits, np.bool_)
        for attribute, places in wanted.items():
            if attribute not in self.attributes:
                raise ConfigError("preference_unknown_attribute", attribute=attribute)
            number = self.attributes.index(attribute)
            start, end = self.first_bit[number], self.first_bit[number + 1]
            around = np.asarray([*places], dtype=np.int64)
            around = np.concatenate([around - 1, around]) + start
            bits[around[(around >= start) & (around < end)]] = True
        splits = self.top()
        splits[self.splits.of_bit[bits]] = True
        return self.splits.split_above(splits)


@dataclass(frozen=True, eq=False)
class Splits:
    """What is split or joined one at a time.

    Parameters
    ----------
    of_bit : ndarray of int64, shape (n_bits,)
        Split that each bit belongs to.
    parent : ndarray of int64, shape (n_splits,)
        Split without which this one cannot be, -1 for none; parents come first.
    """

    of_bit: IntArray
    parent: IntArray
    is_free: bool = field(init=False)
    """Whether no split depends on another."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_free", bool((self.parent < 0).all()))

    @property
    def n_splits(self) -> int:
        """Number of splits."""
        return len(self.parent)

    def joined_below(self, splits: BoolArray) -> BoolArray:
        """Join what is below joined nodes: the next more general valid policy."""
        if self.is_free:
            return splits
        found = splits.copy()
        for place in np.flatnonzero(self.parent >= 0).tolist():
            found[place] &= found[self.parent[place]]
        return found

    def split_above(self, splits: BoolArray) -> BoolArray:
        """Split what is above split nodes: the next more specific valid policy."""
        if self.is_free:
            return splits
        found = splits.copy()
        for place in np.flatnonzero(self.parent >= 0)[::-1].tolist():
            found[self.parent[place]] |= found[place]
        return found

    def can_join(self, splits: BoolArray) -> IntArray:
        """Splits of a policy that can be joined next: int64, ascending."""
        if self.is_free:
            return np.flatnonzero(splits)
        blocked = np.zeros(self.n_splits, np.bool_)
        blocked[self.parent[splits & (self.parent >= 0)]] = True
        return np.flatnonzero(splits & ~blocked)

    def can_split(self, splits: BoolArray) -> IntArray:
        """Nodes of a policy that can be split next: int64, ascending."""
        if self.is_free:
            return np.flatnonzero(~splits)
        is_ready = (self.parent < 0) | splits[self.parent]
        return np.flatnonzero(~splits & is_ready)


def _file_splits(domains: Sequence[Domain]) -> Splits:
    """One split between any two neighbours among the values that records have.

    One more before the first and after the last of them, where there are others.
    """
    of_bit, n_splits = [], 0
    for domain in domains:
        n_before = np.cumsum(domain.is_in_file)[: domain.n_bits]
        _, own = np.unique(n_before, return_inverse=True)
        of_bit.append(own.ravel().astype(np.int64) + n_splits)
        n_splits += len(np.unique(n_before))
    return Splits(np.concatenate(of_bit), np.full(n_splits, -1, np.int64))


def _tree_splits(domains: Sequence[Domain]) -> Splits:
    """Nodes of the hierarchies that have several children, those above first."""
    of_bit: list[int] = []
    parent: list[int] = []
    for domain in domains:
        of_bit += _nodes_of(domain, parent)
    return Splits(np.array(of_bit, np.int64), np.array(parent, np.int64))


def _nodes_of(domain: Domain, parent: list[int]) -> list[int]:
    """Add the nodes of one hierarchy to `parent`; return the node of each bit."""
    node = [-1] * domain.n_bits
    _grow(domain, 0, domain.n_values, domain.hierarchy.height, -1, parent, node)
    return node


def _grow(
    domain: Domain,
    start: int,
    end: int,
    level: int,
    above: int,
    parent: list[int],
    node: list[int],
) -> None:
    """Add the nodes within some values that are in one group above `level`.

    Bits between the children of a node belong to it. Values that no level joins
    hang from a root of their own: a policy can always leave an attribute out.
    """
    if end - start < 2:
        return
    groups = _groups_at(domain, level)[start:end]
    cuts = (np.flatnonzero(np.diff(groups)) + start + 1).tolist()
    if cuts:
        parent.append(above)
        above = len(parent) - 1
        for cut in cuts:
            node[cut - 1] = above
    for first, last in itertools.pairwise([start, *cuts, end]):
        _grow(domain, first, last, level - 1, above, parent, node)


def _groups_at(domain: Domain, level: int) -> Int32Array:
    """Group of each value at a level of the hierarchy."""
    groups = np.empty(domain.n_values, np.int32)
    groups[domain.of_leaf] = domain.hierarchy.levels[level].groups
    return groups
