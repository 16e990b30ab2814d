"""Generalization hierarchies: ordered leaves, groups of every level, their rule."""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from deidgui.engine.arrays import Int32Array, IntArray
from deidgui.engine.data.table import Column
from deidgui.engine.parameters import Declared, Registry
from deidgui.errors import InputError
from deidgui.text import Text

Grid = list[tuple[str, ...]]
"""One row per leaf: its label at every level, level 0 (the value itself) first."""

SUPPRESSED = "*"
"""The label that stands for every value."""

NOT_IN_LIST = "not in the list"
"""The group of values that a code list does not know."""


class Template(Declared):
    """A rule from which a hierarchy is built; also applies to unseen values.

    Holds only decisions (widths, numbers of digits, list names), never values
    of a table: it is stored in the project. The number of levels follows from
    the decisions alone, so that a policy means the same on another file.

    Attributes
    ----------
    summary : str
        One sentence for the person who chooses among templates.
    has_neighbours : bool
        Whether values of a group are alike, so that their order says something.
    """

    summary: ClassVar[Text]
    has_neighbours: ClassVar[bool] = True

    @property
    @abstractmethod
    def level_names(self) -> tuple[str, ...]:
        """Words for every level, level 0 first: "as it is", ..., "left out"."""

    @abstractmethod
    def grid(self, values: Sequence[str]) -> Grid:
        """Labels of every value at every level.

        Parameters
        ----------
        values : sequence of str
            Distinct values of the attribute, missing ones left out.

        Returns
        -------
        list of tuple of str
            One row per value in the natural order of the rule, all of equal
            length >= 2; the last label is ``*``. Values that the rule cannot
            read come last, in a group of their own.

        Raises
        ------
        InputError
            Code ``template_value`` with the number of values (``n_values``), if
            there are values and the rule can read none of them.
        """

    def weighted_grid(self, values: Sequence[str], n_records: Sequence[int]) -> Grid:
        """Labels of every value; rules that balance groups count records.

        Parameters
        ----------
        n_records : sequence of int, same length, each >= 0
            Records per value; people, where rows belong to people.

        Returns
        -------
        list of tuple of str
            As `grid`.

        Raises
        ------
        InputError
            Code ``template_value``, as `grid`.
        """
        assert len(values) == len(n_records)
        return self.grid(values)

    def open_end(self, values: Sequence[str]) -> str | None:
        """Return the value that stands for a number and all above it, as "45+".

        Returns
        -------
        str or None
            None if the rule knows no such value among `values`.
        """
        return None

    def unread(self, values: Sequence[str]) -> list[str]:
        """Return the values that the rule cannot read.

        Returns
        -------
        list of str
            They share one group of their own on every level above the leaves.
        """
        return []

    def _refuse_if_none_read(self, values: Sequence[str], n_read: int) -> None:
        if values and n_read == 0:
            raise InputError("template_value", template=self.kind, n_values=len(values))


TEMPLATES: Registry[Template] = Registry("hierarchy template")

PARTS = 2**40
"""All leaves of a hierarchy, where parts of them are counted in whole numbers."""


@dataclass(frozen=True)
class Level:
    """One level of a hierarchy.

    Parameters
    ----------
    labels : tuple of str
        Released text of each group.
    groups : ndarray of int32, shape (n_leaves,), each in [0, len(labels))
        The group of each leaf.
    """

    labels: tuple[str, ...]
    groups: Int32Array = field(repr=False)

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return len(self.labels)

    @cached_property
    def parts(self) -> IntArray:
        """Part of all leaves that is in each group: int64, in `PARTS`, rounded down.

        Whole numbers, so that sums do not depend on the order of what is added.
        """
        n_leaves = len(self.groups)
        counts = np.bincount(self.groups, minlength=self.n_groups).astype(np.int64)
        return counts * (PARTS // n_leaves)

    @cached_property
    def ranks(self) -> Int32Array:
        """Place of each label among all of them in the order of their code points."""
        ranks = np.empty(self.n_groups, dtype=np.int32)
        ranks[sorted(range(self.n_groups), key=self.labels.__getitem__)] = np.arange(
            self.n_groups, dtype=np.int32
        )
        return ranks


@dataclass(frozen=True, repr=False, eq=False)
class Hierarchy:
    """Generalization hierarchy of one attribute, always nested and complete.

    Leaves are ordered so that the leaves of every group on every level are
    neighbours; groups are numbered in that order. Level 0 keeps each leaf apart.

    Parameters
    ----------
    levels : tuple of Level
        From the leaves (level 0) to the most general level.
    rule : Template or None
        What it was built from; applies to values never seen. None if only the
        grid is known (imported or edited by hand).
    missing_leaf : int or None
        The leaf that stands for "no value", if the column has missing values.
    is_edited : bool
        Whether the groups are not those of the rule; it then only places values
        that have no leaf.
    """

    attribute: str
    levels: tuple[Level, ...]
    rule: Template | None = None
    missing_leaf: int | None = None
    is_edited: bool = False

    def __repr__(self) -> str:
        sizes = " → ".join(str(level.n_groups) for level in self.levels)
        return f"<Hierarchy {self.attribute!r}: {sizes}>"

    @property
    def leaves(self) -> tuple[str, ...]:
        """Leaf labels in order."""
        return self.levels[0].labels

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return self.levels[0].n_groups

    @property
    def height(self) -> int:
        """Index of the most general level."""
        return len(self.levels) - 1

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """Levels that join something: level 0, and those with fewer groups than before.

        The others make no difference on these data: what is released at one of them
        tells records apart as the level below does.
        """
        sizes = [level.n_groups for level in self.levels]
        pairs = enumerate(itertools.pairwise(sizes), start=1)
        return (0, *(level for level, (below, own) in pairs if own < below))

    @property
    def of_values(self) -> Hierarchy:
        """Hierarchy of the values that are released: itself, but for sets of them."""
        return self

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Leaf number by label."""
        return {label: leaf for leaf, label in enumerate(self.leaves)}

    @cached_property
    def n_apart(self) -> int:
        """Levels, from the leaves up, on which missing values stand alone."""
        leaf = self.missing_leaf
        if leaf is None:
            return 0
        alike = (np.sum(e.groups == e.groups[leaf]) for e in self.levels)
        return sum(int(n) == 1 for n in alike)

    def label(self, level: int, leaf: int) -> str:
        """Released text of a leaf at a level."""
        step = self.levels[level]
        return step.labels[int(step.groups[leaf])]

    def leaf_counts(self, level: int) -> IntArray:
        """Leaves per group: ndarray of int64, shape (n_groups,)."""
        step = self.levels[level]
        return np.bincount(step.groups, minlength=step.n_groups).astype(np.int64)

    def parents(self, level: int) -> Int32Array:
        """Group at `level` of each group at `level` - 1, level >= 1.

        Returns
        -------
        ndarray of int32, shape (n_groups at level - 1,)
        """
        below, above = self.levels[level - 1], self.levels[level]
        parents = np.empty(below.n_groups, dtype=np.int32)
        parents[below.groups] = above.groups
        return parents

    def encode(self, texts: Iterable[str]) -> Int32Array:
        """Leaf of each text, -1 where the hierarchy has none.

        Returns
        -------
        ndarray of int32, shape (n_texts,), each in [-1, n_leaves)
        """
        index = self.index
        return np.array([index.get(text, -1) for text in texts], dtype=np.int32)

    def leaf_of_values(self, column: Column) -> Int32Array:
        """Leaf of every distinct text of a column, -1 where there is none.

        Returns
        -------
        ndarray of int32, shape (column.n_values,), each in [-1, n_leaves)
            Texts that mean "no value" have the missing leaf, unless they have
            one of their own.
        """
        leaves = self.encode(column.texts())
        if self.missing_leaf is not None:
            leaves[column.is_missing & (leaves < 0)] = self.missing_leaf
        return leaves

    def grid(self) -> list[tuple[str, ...]]:
        """One row per leaf: its label at every level."""
        columns = [
            [level.labels[group] for group in level.groups] for level in self.levels
        ]
        return list(zip(*columns, strict=True))

    def level_name(self, level: int) -> str | None:
        """Words of the rule for a level, None where it does not describe it."""
        if self.rule is None or self.is_edited:
            return None
        names = self.rule.level_names
        return names[level] if len(names) == len(self.levels) else None

    def with_rule(self, rule: Template | None) -> Hierarchy:
        """Return the same groups with a rule for values that have no leaf."""
        return replace(self, rule=rule, is_edited=rule is not None)

    @classmethod
    def from_grid(
        cls,
        attribute: str,
        grid: Sequence[Sequence[str]],
        *,
        rule: Template | None = None,
        missing: str | None = None,
        is_edited: bool = False,
    ) -> Hierarchy:
        """Build from one row of labels per leaf, level 0 first.

        Leaves keep the order of the grid as far as neighbours in a group allow.

        Parameters
        ----------
        grid : sequence of rows of equal length >= 1
        missing : str, optional
            The leaf label that stands for "no value".
        is_edited : bool
            Whether the groups are not those of `rule`.

        Raises
        ------
        InputError
            Codes ``hierarchy_empty``, ``hierarchy_ragged``,
            ``hierarchy_duplicate_leaf`` or ``hierarchy_not_nested`` with the
            attribute and the row or level.
        """
        _check_shape(attribute, grid)
        columns = [_codes([row[d] for row in grid]) for d in range(len(grid[0]))]
        _check_nesting(attribute, columns)
        order = np.lexsort([codes for codes, _ in columns])
        levels = tuple(_level(codes[order], labels) for codes, labels in columns)
        missing_leaf = None
        if missing is not None and missing in columns[0][1]:
            missing_leaf = levels[0].labels.index(missing)
        return cls(attribute, levels, rule, missing_leaf, is_edited)


def _codes(column: Sequence[str]) -> tuple[Int32Array, list[str]]:
    """Codes of the labels of a column, numbered as they first occur."""
    number: dict[str, int] = {}
    codes = [number.setdefault(label, len(number)) for label in column]
    return np.array(codes, dtype=np.int32), list(number)


def _level(codes: Int32Array, labels: Sequence[str]) -> Level:
    """Level of leaves that are in order: equal labels are neighbours."""
    starts = np.diff(codes, prepend=-1) != 0
    groups = (np.cumsum(starts) - 1).astype(np.int32)
    return Level(tuple(labels[code] for code in codes[starts].tolist()), groups)


def _check_shape(attribute: str, grid: Sequence[Sequence[str]]) -> None:
    if not grid or not grid[0]:
        raise InputError("hierarchy_empty", attribute=attribute)
    width = len(grid[0])
    seen: set[str] = set()
    for number, row in enumerate(grid, start=1):
        if len(row) != width:
            raise InputError(
                "hierarchy_ragged",
                attribute=attribute,
                row=number,
                expected=width,
                found=len(row),
            )
        if row[0] in seen:
            raise InputError(
                "hierarchy_duplicate_leaf", attribute=attribute, row=number
            )
        seen.add(row[0])


def _check_nesting(
    attribute: str, columns: Sequence[tuple[Int32Array, list[str]]]
) -> None:
    """Refuse a grid in which one label of a level has two different parents."""
    for depth in range(len(columns) - 1):
        below, above = columns[depth][0], columns[depth + 1][0]
        _, first = np.unique(below, return_index=True)
        strays = np.flatnonzero(above != above[first][below])
        if len(strays):
            raise InputError(
                "hierarchy_not_nested",
                attribute=attribute,
                row=int(strays[0]) + 1,
                level=depth,
            )


def leaf_codes(column: Column, hierarchy: Hierarchy) -> Int32Array:
    """Leaf of every distinct text of a column.

    Returns
    -------
    ndarray of int32, shape (column.n_values,), each in [0, n_leaves)

    Raises
    ------
    InputError
        Code ``hierarchy_gap`` with the attribute and how many values and records
        the hierarchy has no leaf for.
    """
    leaves = hierarchy.leaf_of_values(column)
    gaps = (leaves < 0) & (column.counts > 0)
    if gaps.any():
        raise InputError(
            "hierarchy_gap",
            attribute=column.name,
            n_values=int(gaps.sum()),
            n_records=int(column.counts[gaps].sum()),
        )
    return leaves
