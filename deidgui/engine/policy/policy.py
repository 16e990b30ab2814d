"""Policies: a released label for every value, and a suppression rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.data.hierarchy import SUPPRESSED, Hierarchy
from deidgui.engine.privacy.base import PrivacyModel
from deidgui.errors import ConfigError, raise_all


@dataclass(frozen=True, repr=False, eq=False)
class Joined:
    """How the labels of an attribute came about by joining neighbouring values.

    Parameters
    ----------
    values : tuple of str
        In order.
    bits : str
        "1" wherever two neighbouring values stay apart, "0" where they are joined.
    level : int or None
        Level of the hierarchy whose groups are the values; None if they stand in
        another order than that of the hierarchy.
    sizes : tuple of int
        Values that each label stands for; 0 for leaves that are no value.
    in_file : tuple of int
        Those of them that any record has: the only ones that words count.
    """

    values: tuple[str, ...]
    bits: str
    level: int | None
    sizes: tuple[int, ...]
    in_file: tuple[int, ...]

    @property
    def is_run(self) -> tuple[bool, ...]:
        """Whether each label stands for several values, and any record has one."""
        pairs = zip(self.sizes, self.in_file, strict=True)
        return tuple(size > 1 and n_in_file > 0 for size, n_in_file in pairs)


@dataclass(frozen=True, repr=False, eq=False)
class AttributeMap:
    """The released label of every leaf of one quasi-identifier.

    Parameters
    ----------
    hierarchy : Hierarchy
        Names the attribute and its leaves.
    labels : tuple of str
        Released texts.
    groups : ndarray of int32, shape (n_leaves,), each in [0, len(labels))
        Label of each leaf.
    level : int or None
        Level of the hierarchy, if the map is one.
    joined : Joined or None
        If neighbouring values are joined.
    suppresses : bool
        Whether the last label is that of suppressed cells, and of no leaf.
    """

    hierarchy: Hierarchy
    labels: tuple[str, ...]
    groups: Int32Array
    level: int | None = None
    joined: Joined | None = None
    suppresses: bool = False

    @property
    def attribute(self) -> str:
        """Name of the quasi-identifier."""
        return self.hierarchy.attribute

    def naming(self, named: BoolArray) -> AttributeMap:
        """Return the same map for words about it, with some of its labels only.

        Parameters
        ----------
        named : ndarray of bool, shape (n_labels,)
        """
        # Suppressed cells are no group of values.
        places = np.flatnonzero(named[: len(self.value_labels)]).tolist()
        labels = tuple(self.labels[at] for at in places) or (SUPPRESSED,)
        joined = self.joined
        if joined is not None:
            sizes = tuple(joined.sizes[at] for at in places) or (0,)
            in_file = tuple(joined.in_file[at] for at in places) or (0,)
            joined = replace(joined, sizes=sizes, in_file=in_file)
        return replace(self, labels=labels, joined=joined, suppresses=False)

    @cached_property
    def group_levels(self) -> FloatArray:
        """Level of the hierarchy at which each label's leaves are one group.

        Returns
        -------
        ndarray of float64, shape (n_labels,)
            The lowest such level, NaN for leaves that are no group of any level. If
            the map is a level, that one for all.
        """
        if self.level is not None:
            levels = np.full(len(self.labels), float(self.level))
            levels[len(self.value_labels) :] = self.hierarchy.height
            return levels
        n_labels = len(self.labels)
        found = np.full(n_labels, np.nan)
        sizes = np.bincount(self.groups, minlength=n_labels)
        for level in range(self.hierarchy.height, -1, -1):
            step = self.hierarchy.levels[level]
            first, last = np.full((2, n_labels), -1, dtype=np.int64)
            last[self.groups] = step.groups
            # Groups are numbered in the order of the leaves: the last write wins.
            first[self.groups[::-1]] = step.groups[::-1]
            is_whole = (first == last) & (
                self.hierarchy.leaf_counts(level)[last] == sizes
            )
            found[is_whole] = level
        return found

    @property
    def value_labels(self) -> tuple[str, ...]:
        """Labels that leaves have: all but that of suppressed cells."""
        return self.labels[: len(self.labels) - self.suppresses]

    @property
    def is_kept(self) -> bool:
        """Whether every value is released as it is."""
        return len(self.value_labels) == self.hierarchy.n_leaves

    @property
    def is_removed(self) -> bool:
        """Whether nothing of the attribute is released."""
        return self.labels == (SUPPRESSED,)


@dataclass(frozen=True, repr=False, eq=False)
class SuppressedCells:
    """Single cells that are suppressed, of records that are released otherwise.

    Parameters
    ----------
    mask : ndarray of bool, shape (n_combinations, n_attributes)
        By row of the class table that they were found for.
    counts : ndarray of int64, shape (n_combinations,)
        Records of each of these rows.
    known, k : int
        By any so many attributes, every record looks like k - 1 others; a suppressed
        cell counts as a value of its own.
    block_size : int
        Of the blocks, as which the sets of attributes were looked at.
    """

    mask: BoolArray
    counts: IntArray
    known: int
    k: int
    block_size: int

    @property
    def n_records(self) -> int:
        """Records of which some cells are suppressed."""
        return int(self.counts[self.mask.any(axis=1)].sum())

    @property
    def by_attribute(self) -> IntArray:
        """Suppressed cells of each attribute: int64, (n_attributes,)."""
        return np.asarray(self.counts @ self.mask, np.int64)


@dataclass(frozen=True, repr=False, eq=False)
class Policy:
    """A map per quasi-identifier and the rule that suppresses records.

    Parameters
    ----------
    kind : str
        "lattice" for full-domain generalization, "local_recoding" for several
        rounds of it, "blocks" with suppressed cells, "interval" or "subtree" for joined
        neighbours.
    maps : tuple of AttributeMap
        One per quasi-identifier, in column order; those of the first round.
    suppress_below : int, >= 1
        Records in classes with fewer members are suppressed; 1 suppresses none.
    origin : str
        What found it: "profile", "chosen", ...
    conditions : tuple of PrivacyModel
        Privacy models for which records are suppressed besides (see
        `deidgui.engine.privacy.suppression.conditions_of`).
    later : tuple of Policy
        Further rounds, each applied to the records that all before it suppress.
        `suppress_below` and `conditions` are then those of the first round.
    cells : SuppressedCells or None
        What is suppressed of records that are released; goes with one round.
    """

    kind: str
    maps: tuple[AttributeMap, ...]
    suppress_below: int
    origin: str = ""
    conditions: tuple[PrivacyModel, ...] = ()
    later: tuple[Policy, ...] = ()
    cells: SuppressedCells | None = None

    @property
    def is_by_value(self) -> bool:
        """Whether the label of a value depends on nothing else of its record."""
        return not self.later and self.cells is None

    @property
    def rounds(self) -> tuple[Policy, ...]:
        """The rounds one by one; itself if there is only one."""
        if not self.later:
            return (self,)
        return (replace(self, kind="lattice", later=()), *self.later)

    @property
    def is_joined(self) -> bool:
        """Whether it joins neighbouring values."""
        return any(each.joined is not None for each in self.maps)

    @property
    def smallest_class(self) -> int:
        """Records that every released class has at least."""
        return min(each.suppress_below for each in self.rounds)

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers."""
        return tuple(each.attribute for each in self.maps)

    @property
    def levels(self) -> dict[str, int]:
        """Level by quasi-identifier: of those that are released at one.

        All of a lattice node, some where neighbours are joined, none with several
        rounds.
        """
        if self.later:
            return {}
        return {m.attribute: m.level for m in self.maps if m.level is not None}

    @cached_property
    def labels(self) -> tuple[tuple[str, ...], ...]:
        """Released texts of each attribute in any round; equal ones once."""
        if not self.later:
            return tuple(each.labels for each in self.maps)
        return tuple(
            tuple(dict.fromkeys(text for each in maps for text in each.labels))
            for maps in zip(*(each.maps for each in self.rounds), strict=True)
        )

    @property
    def released(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers of which any round releases something."""
        pairs = zip(self.attributes, self.labels, strict=True)
        return tuple(name for name, labels in pairs if labels != (SUPPRESSED,))

    def label_codes(self, number: int) -> tuple[Int32Array, ...]:
        """Number in `labels` of each label of a round, by attribute."""
        found = []
        for each, texts in zip(self.rounds[number].maps, self.labels, strict=True):
            place = {text: code for code, text in enumerate(texts)}
            found.append(np.array([place[text] for text in each.labels], np.int32))
        return tuple(found)


def lattice_policy(
    hierarchies: Sequence[Hierarchy],
    levels: Mapping[str, int],
    suppress_below: int,
    origin: str = "",
    conditions: Sequence[PrivacyModel] = (),
) -> Policy:
    """Return the policy of one node of the full-domain generalization lattice.

    Parameters
    ----------
    hierarchies : sequence of Hierarchy
        The quasi-identifiers in column order.
    levels : mapping of str to int
        A level for each of them, and for nothing else.
    suppress_below : int, >= 1
    conditions : sequence of PrivacyModel, optional
        Models that are not by size (see `Policy`).

    Raises
    ------
    ConfigError
        Codes ``level_missing``, ``level_unknown_attribute`` or
        ``level_out_of_range``, all together.
    """
    problems = _level_problems(hierarchies, levels)
    raise_all(problems)
    maps = tuple(
        AttributeMap(
            hierarchy,
            hierarchy.levels[levels[hierarchy.attribute]].labels,
            hierarchy.levels[levels[hierarchy.attribute]].groups,
            levels[hierarchy.attribute],
        )
        # Of an attribute that varies in the rows of a person the values are released.
        for hierarchy in (each.of_values for each in hierarchies)
    )
    return Policy("lattice", maps, suppress_below, origin, tuple(conditions))


def _level_problems(
    hierarchies: Sequence[Hierarchy], levels: Mapping[str, int]
) -> list[ConfigError]:
    known = {hierarchy.attribute: hierarchy.height for hierarchy in hierarchies}
    problems = [
        ConfigError("level_unknown_attribute", attribute=name)
        for name in levels
        if name not in known
    ]
    for name, height in known.items():
        if name not in levels:
            problems.append(ConfigError("level_missing", attribute=name))
        elif not 0 <= levels[name] <= height:
            problems.append(
                ConfigError(
                    "level_out_of_range", attribute=name, found=levels[name], top=height
                )
            )
    return problems


def local_policy(rounds: Sequence[Policy], origin: str = "") -> Policy:
    """Return the policy of several rounds of full-domain generalization.

    Parameters
    ----------
    rounds : sequence of Policy, not empty
        Of the same quasi-identifiers. A record is released by the first round that
        does not suppress it.

    Returns
    -------
    Policy
        Of kind "lattice" if there is one round.
    """
    first, *later = rounds
    if not later:
        return replace(first, origin=origin)
    return replace(first, kind="local_recoding", origin=origin, later=tuple(later))


def policy_with_cells(policy: Policy, cells: SuppressedCells) -> Policy:
    """Return a policy of levels under which single cells are suppressed besides.

    Parameters
    ----------
    policy : Policy
        Of one round, all maps of which are levels.

    Returns
    -------
    Policy
        Of kind "blocks". Where a label of an attribute is ``*`` already, suppressed
        cells have that one.
    """
    assert policy.is_by_value
    maps = tuple(
        replace(each, labels=(*each.labels, SUPPRESSED), suppresses=True)
        if is_hidden and SUPPRESSED not in each.labels
        else each
        for each, is_hidden in zip(
            policy.maps, np.asarray(cells.mask.any(axis=0)).tolist(), strict=True
        )
    )
    return replace(policy, kind="blocks", maps=maps, cells=cells)
