"""People with several rows: their classes are counted in people, not in rows.

A quasi-identifier that is the same in all rows of each person counts as in any table.
Of one that varies, a person has a *set* of values: two people are alike if they have
the same set, and where several vary, the same set of combinations of them. That is what
an adversary sees who knows all rows of a person but not how many there are.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import AnyArray, FloatArray, Int32Array, IntArray
from deidgui.engine.data.grouping import group_rows
from deidgui.engine.data.hierarchy import Hierarchy, Level
from deidgui.engine.data.table import Column
from deidgui.errors import InputError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


@dataclass(frozen=True, repr=False, eq=False)
class People:
    """To whom the rows of a table belong.

    Parameters
    ----------
    of_row : ndarray of int32, shape (n_rows,), each in [0, n_people)
        Person of each row.
    n_people : int
    """

    of_row: Int32Array
    n_people: int

    @cached_property
    def first_row(self) -> IntArray:
        """First row of each person: ndarray of int64, shape (n_people,)."""
        first = np.empty(self.n_people, np.int64)
        first[self.of_row[::-1]] = np.arange(len(self.of_row))[::-1]
        return first

    @cached_property
    def n_rows(self) -> IntArray:
        """Rows of each person: ndarray of int64, shape (n_people,)."""
        return np.bincount(self.of_row, minlength=self.n_people).astype(np.int64)

    def is_constant(self, codes: AnyArray) -> bool:
        """Whether a code per row is the same in all rows of each person."""
        return bool((codes == codes[self.first_row][self.of_row]).all())

    def sets_of(
        self, codes: AnyArray, n_codes: int, *, monitor: Monitor = NULL_MONITOR
    ) -> ValueSets:
        """Collect the different codes in the rows of each person.

        Parameters
        ----------
        codes : ndarray of int, shape (n_rows,), each in [0, n_codes)
        """
        pairs = group_rows(
            len(codes), [self.of_row, codes], [self.n_people, n_codes], monitor=monitor
        )
        # In the order of people, and of codes within each person.
        starts = np.searchsorted(
            self.of_row[pairs.first], np.arange(self.n_people + 1)
        ).astype(np.int64)
        return ValueSets(starts, codes[pairs.first].astype(np.int64))


def people_of(column: Column) -> People:
    """Return the people of a table by the column that numbers them.

    Parameters
    ----------
    column : Column
        Each different text is a person. Missing values marked.

    Raises
    ------
    InputError
        Code ``key_missing_values`` with the column and how many rows have no value:
        nobody knows whose they are.
    """
    if column.n_missing:
        raise InputError(
            "key_missing_values", attribute=column.name, n_records=column.n_missing
        )
    number = np.cumsum(column.counts > 0) - 1
    n_people = int(number[-1]) + 1 if len(number) else 0
    return People(number[column.codes].astype(np.int32), n_people)


@dataclass(frozen=True, repr=False, eq=False)
class ValueSets:
    """A set of codes for each of several owners.

    Parameters
    ----------
    starts : ndarray of int64, shape (n_owners + 1,)
    codes : ndarray of int64, shape (n_entries,)
        Those of owner i are ``codes[starts[i]:starts[i + 1]]``, ascending.
    """

    starts: IntArray
    codes: IntArray

    @property
    def n_owners(self) -> int:
        """Number of owners."""
        return len(self.starts) - 1

    @cached_property
    def owners(self) -> IntArray:
        """Owner of each entry: int64, shape (n_entries,)."""
        return np.repeat(np.arange(self.n_owners), np.diff(self.starts))

    def of(self, owners: IntArray) -> ValueSets:
        """Return the sets of some owners, in their order.

        Parameters
        ----------
        owners : ndarray of int64, shape (n,)
        """
        sizes = np.diff(self.starts)[owners]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        inside = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)
        return ValueSets(
            starts, self.codes[np.repeat(self.starts[owners], sizes) + inside]
        )

    def mapped(self, new: AnyArray) -> ValueSets:
        """Replace each code by another; equal ones of an owner are then one.

        Parameters
        ----------
        new : ndarray of int, shape (n_codes,)
        """
        codes = new[self.codes].astype(np.int64)
        width = int(codes.max(initial=0)) + 1
        keys = np.unique(self.owners * width + codes)
        starts = np.searchsorted(keys, np.arange(self.n_owners + 1) * width)
        return ValueSets(starts.astype(np.int64), keys % width)

    def numbered(self) -> tuple[Int32Array, int]:
        """Number the different sets.

        Returns
        -------
        of_owner : ndarray of int32, shape (n_owners,)
            Number of each owner's set, in an order that no order of rows decides.
        n_sets : int
        """
        # Big-endian bytes sort as the codes do.
        content = self.codes.astype(">u4").tobytes()
        ends = (self.starts * 4).tolist()
        texts = [content[a:b] for a, b in itertools.pairwise(ends)]
        number = {text: at for at, text in enumerate(sorted(set(texts)))}
        of_owner = np.fromiter((number[each] for each in texts), np.int32, len(texts))
        return of_owner, len(number)


class _Numbers(Sequence[str]):
    """Labels 0 to n - 1, not kept in memory."""

    def __init__(self, n: int) -> None:
        self._n, self._width = n, len(str(n))

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, place: int | slice) -> str:
        assert isinstance(place, int)
        return f"{place:0{self._width}d}"


class _SetLevel(Level):
    """Level whose groups are sets of groups: numbers stand for their labels."""

    @cached_property
    def ranks(self) -> Int32Array:
        """Place of each label: they are in order."""
        return np.arange(self.n_groups, dtype=np.int32)


@dataclass(frozen=True, repr=False, eq=False)
class SetHierarchy(Hierarchy):
    """Hierarchy of the sets of values that people have of one attribute.

    It has the levels of the values' own hierarchy: two sets are one group of a level
    if they hold the same groups of it.

    Parameters
    ----------
    of_values : Hierarchy
        Of the values: that of the released labels.
    spans : tuple of ndarray of int64, each of shape (n_groups,)
        By level, how general the values of the group's members are: see `leaf_counts`.
    """

    of_values: Hierarchy | None = None
    spans: tuple[IntArray, ...] = ()

    def leaf_counts(self, level: int) -> IntArray:
        """Say how general each group is, as if it stood for so many leaves.

        Returns
        -------
        ndarray of int64, shape (n_groups,), each in [1, n_leaves]
            1 for values in full, all leaves for any value.
        """
        return self.spans[level]


def set_hierarchy(
    hierarchy: Hierarchy, sets: ValueSets, n_people: IntArray
) -> tuple[SetHierarchy, IntArray]:
    """Make the hierarchy of the sets of leaves that people have.

    Parameters
    ----------
    sets : ValueSets
        Leaves by owner: each stands for some people.
    n_people : ndarray of int64, shape (n_owners,), each >= 1

    Returns
    -------
    hierarchy : SetHierarchy
    leaf : ndarray of int64, shape (n_owners,)
        Leaf of each owner.
    """
    by_level = [sets.mapped(each.groups).numbered()[0] for each in hierarchy.levels]
    own, first = np.unique(by_level[0], return_index=True)
    # The most general level decides first: groups stand side by side on every level.
    order = np.lexsort([numbers[first] for numbers in by_level])
    place = np.empty(len(own), np.int64)
    place[order] = np.arange(len(own))
    leaf = place[by_level[0]]
    levels, spans = [], []
    for number, numbers in enumerate(by_level):
        codes = numbers[first][order]
        groups = (np.cumsum(np.diff(codes, prepend=-1) != 0) - 1).astype(np.int32)
        labels = _Numbers(int(groups[-1]) + 1)
        levels.append(_SetLevel(labels, groups))  # type: ignore[arg-type]
        share = _shares(hierarchy, number, sets)
        total = np.bincount(groups[leaf], share * n_people)
        mean = total / np.bincount(groups[leaf], n_people)
        spans.append(np.rint(1 + mean * (len(groups) - 1)).astype(np.int64))
    made = SetHierarchy(
        hierarchy.attribute,
        tuple(levels),
        hierarchy.rule,
        is_edited=hierarchy.is_edited,
        of_values=hierarchy,
        spans=tuple(spans),
    )
    return made, leaf


def _shares(hierarchy: Hierarchy, number: int, sets: ValueSets) -> FloatArray:
    """How general the values of each set are at a level: 0 in full, 1 any value."""
    level, n_leaves = hierarchy.levels[number], hierarchy.n_leaves
    others = hierarchy.leaf_counts(number)[level.groups] - 1
    share = others / max(n_leaves - 1, 1)
    total = np.bincount(sets.owners, share[sets.codes], sets.n_owners)
    return np.asarray(total / np.diff(sets.starts))


@dataclass(frozen=True, repr=False, eq=False)
class Varying:
    """Quasi-identifiers that differ between the rows of a person.

    Parameters
    ----------
    places : tuple of int
        Of these attributes, in column order.
    leaves : ndarray of int32, shape (n_rows, n_varying)
        Different combinations of their leaves in the rows of the table.
    sets : ValueSets
        The different sets of such combinations that people have, by number.
    """

    places: tuple[int, ...]
    leaves: Int32Array
    sets: ValueSets
    _known: dict[tuple[int, ...], Int32Array] = field(default_factory=dict)

    @property
    def is_joint(self) -> bool:
        """Whether sets of single values do not tell all: several attributes vary."""
        return len(self.places) > 1

    def alike(self, values: Sequence[AnyArray]) -> Int32Array:
        """Number the sets so that those are equal whose values are.

        Parameters
        ----------
        values : sequence of ndarray of int32, each of shape (n_leaves,)
            By varying attribute, the value of each leaf.

        Returns
        -------
        ndarray of int32, shape (n_sets,)
        """
        columns = [each[self.leaves[:, at]] for at, each in enumerate(values)]
        sizes = [int(each.max(initial=0)) + 1 for each in columns]
        of_row = group_rows(len(self.leaves), columns, sizes).of_row
        return self.sets.mapped(of_row).numbered()[0]

    def alike_at(
        self, hierarchies: Sequence[Hierarchy], levels: Sequence[int]
    ) -> Int32Array:
        """Number the sets so that those are equal that are so at some levels.

        Parameters
        ----------
        hierarchies : sequence of Hierarchy
            Of all attributes.
        levels : sequence of int
            Of all attributes.
        """
        own = tuple(levels[place] for place in self.places)
        if own not in self._known:
            self._known[own] = self.alike(
                [
                    hierarchy_of_values(hierarchies[place]).levels[level].groups
                    for place, level in zip(self.places, own, strict=True)
                ]
            )
        return self._known[own]


def hierarchy_of_values(hierarchy: Hierarchy) -> Hierarchy:
    """Return the hierarchy of the values that people have sets of, or the same."""
    if isinstance(hierarchy, SetHierarchy):
        assert hierarchy.of_values is not None
        return hierarchy.of_values
    return hierarchy


@dataclass(frozen=True, repr=False, eq=False)
class PeopleLeaves:
    """Leaves of people, one row each.

    Parameters
    ----------
    hierarchies : tuple of Hierarchy
        A `SetHierarchy` for each attribute that varies.
    leaves : list of ndarray of int, each of shape (n_people,)
        By attribute.
    set_of : ndarray of int32, shape (n_people,)
        Number of each person's set in `varying`; zeros if nothing varies.
    """

    hierarchies: tuple[Hierarchy, ...]
    leaves: list[AnyArray]
    set_of: Int32Array
    varying: Varying | None


def leaves_of_people(
    people: People,
    hierarchies: Sequence[Hierarchy],
    leaves: Sequence[AnyArray],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> PeopleLeaves:
    """Put the rows of each person together.

    Parameters
    ----------
    leaves : sequence of ndarray of int, each of shape (n_rows,)
        By attribute, the leaf of each row.
    """
    places = tuple(p for p, each in enumerate(leaves) if not people.is_constant(each))
    of_people = [each[people.first_row] for each in leaves]
    none = np.zeros(people.n_people, np.int32)
    if not places:
        return PeopleLeaves(tuple(hierarchies), of_people, none, None)
    columns = [leaves[place] for place in places]
    sizes = [hierarchies[place].n_leaves for place in places]
    step = SubMonitor(monitor, 0.0, 0.4)
    rows = group_rows(len(columns[0]), columns, sizes, monitor=step)
    step = SubMonitor(monitor, 0.4, 0.8)
    each_set = people.sets_of(rows.of_row, len(rows.first), monitor=step)
    set_of, n_sets = each_set.numbered()
    monitor.report(0.9, "people")
    owner = np.empty(n_sets, np.int64)
    owner[set_of] = np.arange(people.n_people)
    distinct = np.stack([each[rows.first] for each in columns], axis=1)
    varying = Varying(places, distinct.astype(np.int32), each_set.of(owner))
    made = list(hierarchies)
    n_people = np.bincount(set_of, minlength=n_sets)
    for at, place in enumerate(places):
        sets = varying.sets.mapped(varying.leaves[:, at])
        made[place], leaf = set_hierarchy(hierarchies[place], sets, n_people)
        of_people[place] = leaf[set_of]
    return PeopleLeaves(tuple(made), of_people, set_of, varying)
