"""Equivalence classes of a node, merged from those of a less general one (compiled)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from deidgui.engine.arrays import BoolArray, Int32Array, IntArray
from deidgui.engine.compiled import njit
from deidgui.engine.data.class_table import ClassTable, Distribution, EquivalenceClasses
from deidgui.engine.data.population import PopulationSizes

FUSED_VALUES = 2048
"""Attributes are looked up together while their leaves combine to at most so many."""

NO_GROUPS, NO_CLASSES = np.empty((0, 0), np.int32), np.empty(0, np.int64)
"""In the place of what is made when it is asked for."""

MOST_IN_WORD = 2**62
"""Keys of more values than this take a further word: none ever overflows."""


@dataclass(frozen=True, repr=False, eq=False)
class Coding:
    """A class table and its hierarchies as flat arrays, for the compiled loops.

    Parameters
    ----------
    attributes : ndarray of int64, shape (n_attributes,)
        Attributes in the order in which they are fused.
    starts : ndarray of int64, shape (n_fused + 1,)
        First of the `attributes` of each fused column.
    codes : ndarray of int32, shape (n_fused, n_combinations)
        Leaves of the attributes of a fused column as one number, the first
        attribute counting fastest.
    n_leaves : ndarray of int64, shape (n_attributes,)
    n_groups : ndarray of int64, shape (n_attributes, n_levels)
    group_at : ndarray of int64, shape (n_attributes, n_levels)
        Where the groups of an attribute's leaves at a level start in `groups`.
    groups : ndarray of int32
    spans : ndarray of int64
        Leaves in the group of each leaf, at the same places.
    """

    attributes: IntArray
    starts: IntArray
    codes: Int32Array
    n_leaves: IntArray
    n_groups: IntArray
    group_at: IntArray
    groups: Int32Array
    spans: IntArray

    @classmethod
    def of(cls, class_table: ClassTable) -> Coding:
        """Lay out a class table."""
        hierarchies = class_table.hierarchies
        shape = (len(hierarchies), max(each.height for each in hierarchies) + 1)
        n_groups, group_at = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        groups: list[Int32Array] = []
        spans: list[IntArray] = []
        at = 0
        for place, hierarchy in enumerate(hierarchies):
            for number, level in enumerate(hierarchy.levels):
                n_groups[place, number] = level.n_groups
                group_at[place, number] = at
                groups.append(level.groups.astype(np.int32))
                spans.append(hierarchy.leaf_counts(number)[level.groups])
                at += hierarchy.n_leaves
        n_leaves = np.array([each.n_leaves for each in hierarchies], np.int64)
        fused = _fuse(n_leaves.tolist())
        return cls(
            np.array([each for column in fused for each in column], np.int64),
            np.cumsum([0, *map(len, fused)]),
            _fused_codes(class_table.leaves, n_leaves, fused),
            n_leaves,
            n_groups,
            group_at,
            np.concatenate(groups),
            np.concatenate(spans),
        )

    @property
    def fused(self) -> list[list[int]]:
        """Attributes of each fused column."""
        places = self.attributes.tolist()
        return [places[start:end] for start, end in pairwise(self.starts.tolist())]


def _fuse(n_leaves: Sequence[int]) -> list[list[int]]:
    """Share the attributes out to as few columns as fit, small ones together."""
    columns: list[list[int]] = []
    sizes: list[int] = []
    for place in sorted(range(len(n_leaves)), key=lambda each: -n_leaves[each]):
        for number, size in enumerate(sizes):
            if size * n_leaves[place] <= FUSED_VALUES:
                columns[number].append(place)
                sizes[number] *= n_leaves[place]
                break
        else:
            columns.append([place])
            sizes.append(n_leaves[place])
    return columns


def _fused_codes(
    leaves: Int32Array, n_leaves: IntArray, fused: Sequence[Sequence[int]]
) -> Int32Array:
    codes = np.zeros((len(fused), len(leaves)), np.int32)
    for number, places in enumerate(fused):
        for place in reversed(places):
            codes[number] = codes[number] * n_leaves[place] + leaves[:, place]
    return codes


@dataclass(frozen=True, repr=False, eq=False)
class _People:
    """People of a register at one node: raised as records are, not counted again.

    Parameters
    ----------
    of_class : ndarray of int64, shape (n_classes,)
        Who look like the records of each class.
    codes : ndarray of int32, shape (n_fused, n_others)
        Fused leaves of the others: one of each class without a record.
    others : ndarray of int64, shape (n_others,), each >= 1
        People in each of those.
    n_outside : int
        Further classes of people.
    """

    of_class: IntArray
    codes: Int32Array
    others: IntArray
    n_outside: int


class RaisedClasses(EquivalenceClasses):
    """Classes merged from finer ones; what is rarely asked is made when it is.

    The order of the classes is that of their first member in the finer ones.

    Parameters
    ----------
    coding : Coding
        Of the class table.
    rows : ndarray of int64, shape (n_classes,)
        A row of the class table out of each class.
    counts : ndarray of int64, shape (n_classes,)
    source : RaisedClasses, optional
        The finer classes; None if each row of the class table is one.
    of_source : ndarray of int64, shape (source.n_classes,), optional
        Class of each of the finer classes.
    """

    def __init__(
        self,
        class_table: ClassTable,
        coding: Coding,
        levels: tuple[int, ...],
        rows: IntArray,
        counts: IntArray,
        source: RaisedClasses | None = None,
        of_source: IntArray | None = None,
    ) -> None:
        super().__init__(class_table, levels, NO_GROUPS, counts, NO_CLASSES)
        self.coding, self.rows = coding, rows
        self._source, self._of_source = source, of_source
        self._among: tuple[RaisedClasses, BoolArray] | None = None

    @classmethod
    def bottom(cls, class_table: ClassTable) -> RaisedClasses:
        """Every combination of a class table as a class of its own."""
        coding = Coding.of(class_table)
        rows = np.arange(class_table.n_classes)
        levels = (0,) * len(class_table.hierarchies)
        return cls(class_table, coding, levels, rows, class_table.counts)

    @cached_property
    def codes(self) -> Int32Array:
        """Fused leaves of the classes' rows: int32, (n_fused, n_classes)."""
        if self._source is None:
            return self.coding.codes
        return np.ascontiguousarray(self.coding.codes[:, self.rows])

    @property
    def merged_from(self) -> tuple[RaisedClasses, IntArray] | None:
        """The finer classes, and the class of each of them; None at the bottom."""
        if self._source is None or self._of_source is None:
            return None
        return self._source, self._of_source

    @cached_property
    def squares(self) -> int:
        """Sum of squared class sizes."""
        return int(self.counts @ self.counts)

    @cached_property
    def groups(self) -> Int32Array:
        """Group of each attribute at its level: int32, (n_classes, n_attributes)."""
        leaves = self.class_table.leaves[self.rows]
        steps = zip(self.class_table.hierarchies, self.levels, strict=True)
        found = [
            hierarchy.levels[level].groups[leaves[:, place]]
            for place, (hierarchy, level) in enumerate(steps)
        ]
        return np.stack(found, axis=1).astype(np.int32)

    def column_groups(self, column: int, places: IntArray) -> Int32Array:
        """Group of one attribute in some classes: int32, (n_places,)."""
        step = self.class_table.hierarchies[column].levels[self.levels[column]]
        leaves = self.class_table.leaves[self.rows[places], column]
        found: Int32Array = step.groups[leaves]
        return found

    @cached_property
    def of_combination(self) -> IntArray:
        """Class of each row of the class table: int64, (n_combinations,)."""
        if self._source is None or self._of_source is None:
            return self.rows
        return self._of_source[self._source.of_combination]

    def _count_values(self, attribute: str) -> Distribution:
        if self._source is None:
            return self.class_table.sensitive[attribute]
        return super()._count_values(attribute)

    def _finer_values(self, attribute: str) -> tuple[Distribution, IntArray]:
        if self._source is None or self._of_source is None:
            return super()._finer_values(attribute)
        return self._source.distribution(attribute), self._of_source

    def some(self, wanted: BoolArray) -> RaisedClasses:
        """Return some of the classes; combinations of the others get -1.

        Parameters
        ----------
        wanted : ndarray of bool, shape (n_classes,)
        """
        source, of_source = self._source, self._of_source
        if source is None or of_source is None:
            source, of_source = self, np.arange(self.n_classes)
        rows, counts, of_some = _pick(wanted, self.rows, self.counts, of_source)
        found = RaisedClasses(
            self.class_table, self.coding, self.levels, rows, counts, source, of_some
        )
        found._among = self, wanted
        return found

    @cached_property
    def population(self) -> PopulationSizes:
        """People of the population in each class (see the base class)."""
        if self._among is not None:
            every, wanted = self._among
            known = every.population
            n_left_out = every.n_classes - self.n_classes
            return PopulationSizes(known.sizes[wanted], known.n_empty + n_left_out)
        people = self._people
        if people is None:
            return super().population
        n_empty = len(people.others) + people.n_outside
        return PopulationSizes(people.of_class.astype(np.float64), n_empty)

    @cached_property
    def _people(self) -> _People | None:
        """None where they must be counted at every node."""
        if self._source is None or self._of_source is None:
            return self._people_of_leaves()
        below = self._source._people
        if below is None:
            return None
        sums = np.bincount(self._of_source, below.of_class, self.n_classes)
        return self._joined(replace(below, of_class=sums.astype(np.int64)))

    def _people_of_leaves(self) -> _People | None:
        known, coding = self.class_table.population, self.coding
        register = None if known is None else known.register
        # What several attributes tell together is no key.
        if register is None or self.class_table.joint(self.levels) is not None:
            return None
        codes = _fused_codes(register.leaves, coding.n_leaves, coding.fused)
        nobody = np.zeros_like(self.counts)
        found = self._joined(
            _People(nobody, codes, register.counts, register.n_outside)
        )
        # Records of nobody are refused where people are counted.
        return None if (found.of_class < self.counts).any() else found

    def _joined(self, people: _People) -> _People:
        """Give the others to the classes that they are in, and join those left."""
        if not len(people.others):
            return people
        coding = self.coding
        more, first, others = _meet(
            self.codes,
            people.codes,
            people.others,
            np.array(self.levels, np.int64),
            coding.attributes,
            coding.starts,
            coding.n_leaves,
            coding.n_groups,
            coding.group_at,
            coding.groups,
        )
        codes = np.ascontiguousarray(people.codes[:, first])
        return _People(people.of_class + more, codes, others, people.n_outside)

    def raised(self, levels: Sequence[int]) -> RaisedClasses:
        """Merge these classes at a more general node.

        Parameters
        ----------
        levels : sequence of int
            None below the own ones.

        Notes
        -----
        Takes a few nanoseconds per class: its key is looked up attribute by
        attribute and merged in one pass through a hash table.
        """
        coding = self.coding
        of_source, first, counts = _merge(
            self.codes,
            self.counts,
            np.array(levels, np.int64),
            coding.attributes,
            coding.starts,
            coding.n_leaves,
            coding.n_groups,
            coding.group_at,
            coding.groups,
        )
        joint = self.class_table.joint(levels)
        if joint is not None:
            of_source, first, counts = _split_by(
                of_source, joint[self.rows], self.counts
            )
        return RaisedClasses(
            self.class_table,
            coding,
            tuple(levels),
            self.rows[first],
            counts,
            self,
            of_source,
        )


def _split_by(
    of_source: IntArray, joint: Int32Array, counts: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    """Divide merged classes by what tells their finer classes apart besides."""
    width = int(joint.max(initial=0)) + 1
    _, first, divided = np.unique(
        of_source * width + joint, return_index=True, return_inverse=True
    )
    sums = np.zeros(len(first), np.int64)
    np.add.at(sums, divided, counts)
    return divided.astype(np.int64), first, sums


@njit
def _pick(
    wanted: BoolArray, rows: IntArray, counts: IntArray, of_source: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    """Rows and counts of some classes, and the place of each finer class among them.

    A finer class of one that is not wanted has the place -1.
    """
    n_wanted = 0
    picked, sizes = np.empty_like(rows), np.empty_like(counts)
    places = np.empty(len(wanted), np.int64)
    for number in range(len(wanted)):
        picked[n_wanted], sizes[n_wanted] = rows[number], counts[number]
        places[number] = n_wanted if wanted[number] else -1
        n_wanted += wanted[number]
    found = np.empty_like(of_source)
    for finer in range(len(of_source)):
        found[finer] = places[of_source[finer]]
    return picked[:n_wanted].copy(), sizes[:n_wanted].copy(), found


@njit
def _merge(
    codes: Int32Array,
    counts: IntArray,
    levels: IntArray,
    attributes: IntArray,
    starts: IntArray,
    n_leaves: IntArray,
    n_groups: IntArray,
    group_at: IntArray,
    groups: Int32Array,
) -> tuple[IntArray, IntArray, IntArray]:
    """Group the classes by their keys at some levels.

    Returns
    -------
    of_source : ndarray of int64, shape (n,)
    first : ndarray of int64, shape (n_classes,)
        First member of each class.
    sums : ndarray of int64, shape (n_classes,)
    """
    n = codes.shape[1]
    keys, n_keys, n_words = _keys(
        codes, levels, attributes, starts, n_leaves, n_groups, group_at, groups
    )
    is_direct = n_words == 1 and n_keys <= 4 * n + 64
    bits = 6
    while (1 << bits) < (n_keys if is_direct else 2 * n):
        bits += 1
    shift = np.uint64(64 - bits)
    slots = np.full(1 << bits, -1, np.int32)
    of_source = np.empty(n, np.int64)
    first = np.empty(n, np.int64)
    sums = np.empty(n, np.int64)
    n_classes = 0
    for i in range(n):
        slot = keys[0, i] if is_direct else _mixed(keys, i, n_words, shift)
        while True:
            found = slots[slot]
            if found < 0:
                slots[slot] = found = n_classes
                first[found] = i
                sums[found] = 0
                n_classes += 1
                break
            if is_direct or _is_same(keys, first[found], keys, i, n_words):
                break
            slot = (slot + 1) & ((1 << bits) - 1)
        of_source[i] = found
        sums[found] += counts[i]
    return of_source, first[:n_classes].copy(), sums[:n_classes].copy()


@njit
def _mixed(keys: IntArray, i: int, n_words: int, shift: np.uint64) -> np.int64:
    """Where a key of one or more words is looked for first."""
    mixed = np.uint64(keys[0, i])
    for word in range(1, n_words):
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(
            0xBF58476D1CE4E5B9
        ) + np.uint64(keys[word, i])
    return np.int64((mixed * np.uint64(0x9E3779B97F4A7C15)) >> shift)


@njit
def _is_same(keys: IntArray, i: int, others: IntArray, j: int, n_words: int) -> bool:
    """Whether two keys are the same in every word."""
    same = keys[0, i] == others[0, j]
    for word in range(1, n_words):
        same &= keys[word, i] == others[word, j]
    return bool(same)


@njit
def _meet(
    codes: Int32Array,
    other_codes: Int32Array,
    counts: IntArray,
    levels: IntArray,
    attributes: IntArray,
    starts: IntArray,
    n_leaves: IntArray,
    n_groups: IntArray,
    group_at: IntArray,
    groups: Int32Array,
) -> tuple[IntArray, IntArray, IntArray]:
    """Look up cells among classes that all differ; join those that are in none.

    Returns
    -------
    inside : ndarray of int64, shape (n_classes,)
        Counts of the cells in each class.
    first : ndarray of int64, shape (n_outside,)
        First cell of each class that is none of these.
    sums : ndarray of int64, shape (n_outside,)
    """
    coding = (levels, attributes, starts, n_leaves, n_groups, group_at, groups)
    keys, n_keys, n_words = _keys(codes, *coding)
    others, _, _ = _keys(other_codes, *coding)
    n, n_cells = codes.shape[1], other_codes.shape[1]
    is_direct = n_words == 1 and n_keys <= 4 * (n + n_cells) + 64
    bits = 6
    while (1 << bits) < (n_keys if is_direct else 2 * (n + n_cells)):
        bits += 1
    shift = np.uint64(64 - bits)
    slots = np.full(1 << bits, -1, np.int32)
    for i in range(n):
        slot = keys[0, i] if is_direct else _mixed(keys, i, n_words, shift)
        while slots[slot] >= 0:
            slot = (slot + 1) & ((1 << bits) - 1)
        slots[slot] = i
    inside = np.zeros(n, np.int64)
    first = np.empty(n_cells, np.int64)
    sums = np.empty(n_cells, np.int64)
    n_outside = 0
    for j in range(n_cells):
        slot = others[0, j] if is_direct else _mixed(others, j, n_words, shift)
        while True:
            found = slots[slot]
            if found < 0:
                slots[slot] = found = n + n_outside
                first[n_outside] = j
                sums[n_outside] = 0
                n_outside += 1
                break
            if is_direct:
                break
            if found < n:
                same = _is_same(keys, found, others, j, n_words)
            else:
                same = _is_same(others, first[found - n], others, j, n_words)
            if same:
                break
            slot = (slot + 1) & ((1 << bits) - 1)
        if found < n:
            inside[found] += counts[j]
        else:
            sums[found - n] += counts[j]
    return inside, first[:n_outside].copy(), sums[:n_outside].copy()


@njit
def _keys(
    codes: Int32Array,
    levels: IntArray,
    attributes: IntArray,
    starts: IntArray,
    n_leaves: IntArray,
    n_groups: IntArray,
    group_at: IntArray,
    groups: Int32Array,
) -> tuple[IntArray, int, int]:
    """Keys of all classes at some levels: mixed-radix numbers in one or more words.

    Returns
    -------
    keys : ndarray of int64, shape (n_words, n)
    n_keys : int
        Bound of the last word.
    n_words : int
    """
    n_fused, n = codes.shape
    keys = np.zeros((1, n), np.int64)
    stride, word = 1, 0
    for column in range(n_fused):
        span = 1
        for place in range(starts[column], starts[column + 1]):
            span *= n_groups[attributes[place], levels[attributes[place]]]
        if span == 1:
            continue
        if stride > MOST_IN_WORD // span:
            keys = np.concatenate((keys, np.zeros((1, n), np.int64)))
            stride, word = 1, word + 1
        table = _table(
            levels,
            attributes[starts[column] : starts[column + 1]],
            n_leaves,
            n_groups,
            group_at,
            groups,
            stride,
        )
        own, into = codes[column], keys[word]
        for i in range(n):
            into[i] += table[own[i]]
        stride *= span
    return keys, stride, word + 1


@njit
def _table(
    levels: IntArray,
    attributes: IntArray,
    n_leaves: IntArray,
    n_groups: IntArray,
    group_at: IntArray,
    groups: Int32Array,
    stride: int,
) -> IntArray:
    """What each value of a fused column adds to the key."""
    size = 1
    for attribute in attributes:
        size *= n_leaves[attribute]
    table = np.zeros(size, np.int64)
    filled, step = 1, stride
    for attribute in attributes:
        level = levels[attribute]
        at = group_at[attribute, level]
        # The last leaf first: the part that is copied from is overwritten last.
        for leaf in range(n_leaves[attribute] - 1, -1, -1):
            added = groups[at + leaf] * step
            for value in range(filled):
                table[leaf * filled + value] = table[value] + added
        filled *= n_leaves[attribute]
        step *= n_groups[attribute, level]
    return table
