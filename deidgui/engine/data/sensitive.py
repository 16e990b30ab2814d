"""Counts of the values of a sensitive attribute in each class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numba import njit

from deidgui.engine.arrays import Int32Array, IntArray
from deidgui.engine.data.hierarchy import Hierarchy, leaf_codes
from deidgui.engine.data.table import Column
from deidgui.engine.data.templates.numbers import Scale
from deidgui.errors import ConfigError

FEW = 16
"""Values of a class that are sorted one by one."""

MANY_OF = 4
"""If a class has one in so many of all values, all are looked through in order."""

ROOM = 4
"""A table of all values by class may have so many cells for each entry."""


@dataclass(frozen=True, repr=False, eq=False)
class ValueTree:
    """Groups of sensitive values by level of their hierarchy, the root left out.

    Parameters
    ----------
    nodes : ndarray of int32, shape (n_levels, n_values)
        Group of each value at each level; no number is used at two levels. A
        hierarchy whose most general level has several groups counts as if there
        were one more level with a single group.
    totals : ndarray of int64, shape (n_nodes,)
        Records of the whole table in each group.
    """

    nodes: Int32Array
    totals: IntArray

    @property
    def n_levels(self) -> int:
        """Steps from a value to the root."""
        return len(self.nodes)


@dataclass(frozen=True, repr=False, eq=False)
class Distribution:
    """Records per value of a sensitive attribute in each of several groups.

    Only values that occur are held: those of group g are the slice
    ``starts[g]:starts[g + 1]`` of `codes` and `counts`, by ascending code.

    Parameters
    ----------
    values : tuple of str
        Text of each code, in alphabetical order (of code points).
    hierarchy : Hierarchy or None
        Of the sensitive attribute, for models that ask how far apart values are.
    leaves : ndarray of int32, shape (n_values,)
        Leaf of each code in the hierarchy; empty if there is none.
    totals : ndarray of int64, shape (n_values,), each >= 1
        Records of the whole table by value.
    starts : ndarray of int64, shape (n_groups + 1,)
    codes : ndarray of int32, shape (n_entries,)
    counts : ndarray of int64, shape (n_entries,), each >= 1
    """

    attribute: str
    values: tuple[str, ...] = field(repr=False)
    hierarchy: Hierarchy | None
    leaves: Int32Array
    totals: IntArray
    starts: IntArray
    codes: Int32Array
    counts: IntArray

    def __repr__(self) -> str:
        return f"<Distribution of {self.attribute!r} in {self.n_groups} groups>"

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return len(self.starts) - 1

    @property
    def n_values(self) -> int:
        """Number of values that occur in the table."""
        return len(self.totals)

    @cached_property
    def n_records(self) -> int:
        """Records of the whole table."""
        return int(self.totals.sum())

    def ranks(self, order: str) -> Int32Array:
        """Place of each value in an order of all values.

        Parameters
        ----------
        order : str
            alphabetical: by code point; numeric: by number (values that are missing
            come last, equal numbers by code point); hierarchy: as its leaves.

        Returns
        -------
        ndarray of int32, shape (n_values,)
            A permutation of the codes.

        Raises
        ------
        ConfigError
            Code ``order_not_numeric`` (with the attribute and how many values are
            no numbers) or ``sensitive_hierarchy_missing``.
        """
        if order not in self._ranks:
            self._ranks[order] = self._find_ranks(order)
        return self._ranks[order]

    @cached_property
    def _ranks(self) -> dict[str, Int32Array]:
        return {}

    def _find_ranks(self, order: str) -> Int32Array:
        if order == "numeric":
            keys = _numbers(self.attribute, self.values)
        elif order == "hierarchy":
            self.hierarchy_or_raise()
            keys = self.leaves.tolist()
        else:
            keys = [0.0] * self.n_values
        ranks = np.empty(self.n_values, np.int32)
        ranks[sorted(range(self.n_values), key=keys.__getitem__)] = np.arange(
            self.n_values, dtype=np.int32
        )
        return ranks

    @cached_property
    def flat(self) -> ValueTree:
        """A tree in which all values hang from the root."""
        nodes = np.arange(self.n_values, dtype=np.int32)[None, :]
        return ValueTree(nodes, self.totals)

    @cached_property
    def tree(self) -> ValueTree:
        """Groups of the values by level of the hierarchy.

        Raises
        ------
        ConfigError
            Code ``sensitive_hierarchy_missing``.
        """
        levels = self.hierarchy_or_raise().levels
        if levels[-1].n_groups == 1:
            levels = levels[:-1]
        nodes = np.empty((len(levels), self.n_values), np.int32)
        n_nodes = 0
        for place, level in enumerate(levels):
            nodes[place] = n_nodes + level.groups[self.leaves]
            n_nodes += level.n_groups
        records = np.tile(self.totals, len(levels))
        totals = np.zeros(n_nodes, np.int64)
        np.add.at(totals, nodes.ravel(), records)
        return ValueTree(nodes, totals)

    @cached_property
    def _groups(self) -> Int32Array:
        """Group of each entry."""
        groups = np.arange(self.n_groups, dtype=np.int32)
        return np.repeat(groups, np.diff(self.starts))

    def hierarchy_or_raise(self) -> Hierarchy:
        """Return the hierarchy of the attribute.

        Raises
        ------
        ConfigError
            Code ``sensitive_hierarchy_missing``.
        """
        if self.hierarchy is None:
            raise ConfigError("sensitive_hierarchy_missing", attribute=self.attribute)
        return self.hierarchy

    def merged(self, of_group: IntArray, n_classes: int) -> Distribution:
        """Join groups to classes.

        Parameters
        ----------
        of_group : ndarray of int64, shape (n_groups,), each in [-1, n_classes)
            Class of each group; -1 leaves it out.

        Returns
        -------
        Distribution
            Of the classes; `totals` stay those of the whole table.
        """
        room = n_classes, self.n_values
        if n_classes * self.n_values <= ROOM * len(self.codes):
            joined = _merge_in_table(
                of_group, *room, self._groups, self.codes, self.counts
            )
        else:
            joined = _merge(of_group, *room, self.starts, self.codes, self.counts)
        named = self.attribute, self.values, self.hierarchy, self.leaves, self.totals
        return Distribution(*named, *joined)


def _numbers(attribute: str, values: Sequence[str]) -> list[float]:
    """Numbers that the values stand for, infinity for a missing one."""
    fewest = len(values)
    for mark in (".", ","):
        scale = Scale(whole=False, decimal_mark=mark)
        read = [scale.read(text) for text in values]
        found = [np.inf if number is None else float(number) for number in read]
        strays = sum(
            number is None and text != ""
            for number, text in zip(read, values, strict=True)
        )
        if strays == 0:
            return found
        fewest = min(fewest, strays)
    raise ConfigError("order_not_numeric", attribute=attribute, n_values=fewest)


@njit(cache=True, nogil=True)
def _merge(
    of_group: IntArray,
    n_classes: int,
    n_values: int,
    starts: IntArray,
    codes: Int32Array,
    counts: IntArray,
) -> tuple[IntArray, Int32Array, IntArray]:
    """Add up the entries of the groups of each class; cost: the entries."""
    first, members = _members(of_group, n_classes)
    sums = np.zeros(n_values, np.int64)
    touched = np.empty(n_values, np.int32)
    class_starts = np.zeros(n_classes + 1, np.int64)
    class_codes = np.empty(len(codes), np.int32)
    class_counts = np.empty(len(codes), np.int64)
    n_entries = 0
    for number in range(n_classes):
        if first[number + 1] - first[number] == 1:
            group = members[first[number]]
            for entry in range(starts[group], starts[group + 1]):
                class_codes[n_entries] = codes[entry]
                class_counts[n_entries] = counts[entry]
                n_entries += 1
            class_starts[number + 1] = n_entries
            continue
        n_touched = 0
        for place in range(first[number], first[number + 1]):
            group = members[place]
            for entry in range(starts[group], starts[group + 1]):
                if sums[codes[entry]] == 0:
                    touched[n_touched] = codes[entry]
                    n_touched += 1
                sums[codes[entry]] += counts[entry]
        _sort(touched, n_touched, sums)
        for place in range(n_touched):
            class_codes[n_entries] = touched[place]
            class_counts[n_entries] = sums[touched[place]]
            sums[touched[place]] = 0
            n_entries += 1
        class_starts[number + 1] = n_entries
    return class_starts, class_codes[:n_entries].copy(), class_counts[:n_entries].copy()


@njit(cache=True, nogil=True)
def _merge_in_table(
    of_group: IntArray,
    n_classes: int,
    n_values: int,
    groups: Int32Array,
    codes: Int32Array,
    counts: IntArray,
) -> tuple[IntArray, Int32Array, IntArray]:
    """Merge as `_merge` does; cost: the entries, and all values of all classes.

    PERF: entry by entry and not group by group, since most groups have few entries.
    """
    # Row -1 is the last one: for groups that are left out.
    table = np.zeros((n_classes + 1, n_values), np.int64)
    for entry in range(len(codes)):
        table[of_group[groups[entry]], codes[entry]] += counts[entry]
    class_starts = np.zeros(n_classes + 1, np.int64)
    # One more than can be needed: each cell is written, and kept if not 0.
    class_codes = np.empty(min(len(codes), n_classes * n_values) + 1, np.int32)
    class_counts = np.empty(len(class_codes), np.int64)
    n_entries = 0
    for number in range(n_classes):
        for code in range(n_values):
            class_codes[n_entries] = code
            class_counts[n_entries] = table[number, code]
            n_entries += table[number, code] > 0
        class_starts[number + 1] = n_entries
    return class_starts, class_codes[:n_entries].copy(), class_counts[:n_entries].copy()


@njit(cache=True, nogil=True)
def _members(of_group: IntArray, n_classes: int) -> tuple[IntArray, IntArray]:
    """Groups of each class: those of class c are members[first[c]:first[c + 1]]."""
    first = np.zeros(n_classes + 1, np.int64)
    for each in of_group:
        if each >= 0:
            first[each + 1] += 1
    for number in range(n_classes):
        first[number + 1] += first[number]
    members = np.empty(first[n_classes], np.int64)
    at = first.copy()
    for group in range(len(of_group)):
        if of_group[group] >= 0:
            members[at[of_group[group]]] = group
            at[of_group[group]] += 1
    return first, members


@njit(cache=True, nogil=True)
def _sort(touched: Int32Array, n_touched: int, sums: IntArray) -> None:
    """Put the first codes in order: those whose sum is not 0."""
    if n_touched * MANY_OF >= len(sums):
        place = 0
        for code in range(len(sums)):
            if sums[code] != 0:
                touched[place] = code
                place += 1
    elif n_touched <= FEW:
        for place in range(1, n_touched):
            code, to = touched[place], place
            while to > 0 and touched[to - 1] > code:
                touched[to] = touched[to - 1]
                to -= 1
            touched[to] = code
    else:
        touched[:n_touched].sort()


def count_values(
    column: Column,
    combination: IntArray,
    n_combinations: int,
    hierarchy: Hierarchy | None = None,
) -> Distribution:
    """Count the values of a sensitive attribute in each combination of a table.

    A missing value counts as a value of its own, with an empty text.

    Parameters
    ----------
    column : Column
        Of the sensitive attribute, missing values marked.
    combination : ndarray of int64, shape (n_records,)
        Row of the class table that each record belongs to.
    hierarchy : Hierarchy, optional
        Of the sensitive attribute.

    Returns
    -------
    Distribution
        Its groups are the combinations.

    Raises
    ------
    InputError
        Code ``hierarchy_gap`` if the hierarchy lacks a value.
    """
    values, code_of = _ordered_values(column)
    n_values = max(1, len(values))
    code_of_record = code_of.astype(np.int32)[column.codes]
    # Each record is a group of its own with one value.
    n_records = len(combination)
    starts, codes, counts = _merge(
        combination,
        n_combinations,
        n_values,
        np.arange(n_records + 1),
        code_of_record,
        np.ones(n_records, np.int64),
    )
    totals = np.bincount(code_of_record, minlength=n_values).astype(np.int64)
    return Distribution(
        column.name,
        values,
        hierarchy,
        _leaves(column, code_of, len(values), hierarchy),
        totals,
        starts,
        codes,
        counts,
    )


def _ordered_values(column: Column) -> tuple[tuple[str, ...], IntArray]:
    """Texts that occur in alphabetical order, and the place of each text in it."""
    texts = np.array(column.texts(), dtype=object)
    texts[column.is_missing] = ""
    used = column.counts > 0
    order = sorted(set(texts[used]))
    place = {text: number for number, text in enumerate(order)}
    return tuple(order), np.array([place.get(text, -1) for text in texts], np.int64)


def _leaves(
    column: Column, code_of: IntArray, n_values: int, hierarchy: Hierarchy | None
) -> Int32Array:
    if hierarchy is None:
        return np.empty(0, np.int32)
    leaves = np.zeros(n_values, np.int32)
    used = column.counts > 0
    leaves[code_of[used]] = leaf_codes(column, hierarchy)[used]
    return leaves
