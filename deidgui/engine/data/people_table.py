"""The class table of people with several rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import (
    AnyArray,
    BoolArray,
    FloatArray,
    Int32Array,
    IntArray,
)
from deidgui.engine.data.class_table import (
    ClassTable,
    Distribution,
    Units,
    count_values,
    leaves_of_rows,
)
from deidgui.engine.data.grouping import group_rows
from deidgui.engine.data.hierarchy import Hierarchy, Level
from deidgui.engine.data.people import ABSENT, People, ValueSets, Varying
from deidgui.engine.data.table import Column, Table
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


def build_people_table(
    table: Table,
    people: People,
    hierarchies: Sequence[Hierarchy],
    sensitive: Mapping[str, Hierarchy | None] | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> ClassTable:
    """Count the distinct quasi-identifier combinations of people.

    Parameters
    ----------
    people : People
        To whom the rows of `table` belong.
    hierarchies : sequence of Hierarchy
        One per quasi-identifier.
    sensitive : mapping of str to Hierarchy or None, optional
        As for `build_class_table`.

    Returns
    -------
    ClassTable
        A record of it is a person; of quasi-identifiers that vary in the rows of a
        person the leaves are sets of values, and people with other sets are in other
        rows of it.

    Raises
    ------
    InputError
        As `build_class_table`.
    """
    ordered, leaves = leaves_of_rows(table, hierarchies)
    step = SubMonitor(monitor, 0.0, 0.7)
    absent = [table.column(each.attribute).absent for each in ordered]
    alone = table.absent
    found = leaves_of_people(people, ordered, leaves, absent, alone, monitor=step)
    sizes = [each.n_leaves for each in found.hierarchies]
    n_sets = int(found.set_of.max(initial=0)) + 1
    alike = group_rows(people.n_people, [*found.leaves, found.set_of], [*sizes, n_sets])
    combined = np.stack([each[alike.first] for each in found.leaves], axis=1)
    units = Units(people, alike.of_row, found.set_of[alike.first], found.varying)
    counts = np.bincount(alike.of_row).astype(np.int64)
    distributions = {
        name: count_values_of_people(
            table.column(name), people, alike.of_row, len(counts), hierarchy
        )
        for name, hierarchy in (sensitive or {}).items()
    }
    monitor.report(1.0, "classes")
    return ClassTable(
        found.hierarchies,
        np.ascontiguousarray(combined, dtype=np.int32),
        counts,
        distributions,
        units=units,
    )


def count_values_of_people(
    column: Column,
    people: People,
    combination: IntArray,
    n_combinations: int,
    hierarchy: Hierarchy | None = None,
) -> Distribution:
    """Count the people of each combination who have a value in any of their rows.

    Parameters
    ----------
    column : Column
        Of the sensitive attribute, missing values marked.
    combination : ndarray of int64, shape (n_people,)
        Row of the class table of each person.
    hierarchy : Hierarchy, optional
        Of the sensitive attribute.

    Returns
    -------
    Distribution
        Counts are people; who has several values is counted with each of them, and
        who has no event with the column like somebody without a value.

    Raises
    ------
    InputError
        Code ``hierarchy_gap`` if the hierarchy lacks a value.
    """
    # Different texts may mean the same: no value.
    same = np.arange(column.n_values)
    if len(column.missing_codes):
        same[column.missing_codes] = column.missing_codes[0]
    elsewhere = column.absent
    if elsewhere is not None:
        has_cell = np.zeros(people.n_people, np.bool_)
        has_cell[people.of_row[~elsewhere]] = True
        # Events of other tables say nothing of it.
        elsewhere = elsewhere & has_cell[people.of_row]
    sets = people.sets_of(same[column.codes], column.n_values, elsewhere)
    each = Column(
        column.name, sets.codes.astype(np.int32), column.values, column.missing_codes
    )
    found = count_values(each, combination[sets.owners], n_combinations, hierarchy)
    return replace(found, is_of_sets=bool((np.diff(sets.starts) > 1).any()))


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
    absent: Sequence[BoolArray | None] = (),
    alone: BoolArray | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> PeopleLeaves:
    """Put the rows of each person together.

    Parameters
    ----------
    leaves : sequence of ndarray of int, each of shape (n_rows,)
        By attribute, the leaf of each row.
    absent : sequence of ndarray of bool or None
        By attribute, the rows that have no cell of it: see `Column.absent`. These
        attributes count as varying, so that the empty set is told from every other.
    alone : ndarray of bool, optional
        Rows that are no event: all attributes of events are absent there.
    """
    elsewhere = {p: each for p, each in enumerate(absent) if each is not None}
    places = tuple(
        p
        for p, each in enumerate(leaves)
        if p in elsewhere or not people.is_constant(each)
    )
    of_people = [each[people.first_row] for each in leaves]
    none = np.zeros(people.n_people, np.int32)
    if not places:
        return PeopleLeaves(tuple(hierarchies), of_people, none, None)
    columns = [
        leaves[place]
        if place not in elsewhere
        # PRIVACY: of which table an event is, is seen, and so a value of its own.
        else np.where(elsewhere[place], hierarchies[place].n_leaves, leaves[place])
        for place in places
    ]
    sizes = [hierarchies[place].n_leaves + 1 for place in places]
    step = SubMonitor(monitor, 0.0, 0.4)
    rows = group_rows(len(columns[0]), columns, sizes, monitor=step)
    step = SubMonitor(monitor, 0.4, 0.8)
    each_set = people.sets_of(rows.of_row, len(rows.first), alone, monitor=step)
    set_of, n_sets = each_set.numbered()
    monitor.report(0.9, "people")
    owner = np.empty(n_sets, np.int64)
    owner[set_of] = np.arange(people.n_people)
    shown = [each[rows.first] for each in columns]
    shown = [
        np.where(each == n - 1, ABSENT, each)
        for each, n in zip(shown, sizes, strict=True)
    ]
    distinct = np.stack(shown, axis=1)
    groups = tuple(
        tuple(level.groups for level in hierarchies[place].levels) for place in places
    )
    varying = Varying(places, distinct.astype(np.int32), each_set.of(owner), groups)
    made = list(hierarchies)
    n_people = np.bincount(set_of, minlength=n_sets)
    for at, place in enumerate(places):
        sets = varying.sets_at(at)
        made[place], leaf = set_hierarchy(hierarchies[place], sets, n_people)
        of_people[place] = leaf[set_of]
    return PeopleLeaves(tuple(made), of_people, set_of, varying)


class _Numbers(Sequence[str]):
    """Labels 0 to n - 1, not kept in memory."""

    def __init__(self, n: int) -> None:
        self._n, self._width = n, len(str(n))

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, place: int | slice) -> str:
        assert isinstance(place, int)
        if not -self._n <= place < self._n:
            raise IndexError(place)
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
    values : Hierarchy
        Of the values themselves: that of the released labels.
    spans : tuple of ndarray of int64, each of shape (n_groups,)
        By level, how general the values of the group's members are: see `leaf_counts`.
    """

    values: Hierarchy | None = None
    spans: tuple[IntArray, ...] = ()

    @property
    def of_values(self) -> Hierarchy:
        """The hierarchy of the values."""
        assert self.values is not None
        return self.values

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
        values=hierarchy,
        spans=tuple(spans),
    )
    return made, leaf


def _shares(hierarchy: Hierarchy, number: int, sets: ValueSets) -> FloatArray:
    """How general the values of each set are at a level: 0 in full, 1 any value."""
    level, n_leaves = hierarchy.levels[number], hierarchy.n_leaves
    others = hierarchy.leaf_counts(number)[level.groups] - 1
    share = others / max(n_leaves - 1, 1)
    total = np.bincount(sets.owners, share[sets.codes], sets.n_owners)
    # Whoever has no event: nothing is general about it.
    return np.asarray(total / np.maximum(np.diff(sets.starts), 1))
