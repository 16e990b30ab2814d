"""People and their events, as leaves of hierarchies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, Int32Array, IntArray
from deidgui.engine.data.grouping import group_rows
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.people import People
from deidgui.engine.data.table import Table


@dataclass(frozen=True, repr=False, eq=False)
class EventTable:
    """Events of one kind: the rows of one table of events.

    Parameters
    ----------
    hierarchies : tuple of Hierarchy
        Of its quasi-identifiers.
    leaves : ndarray of int32, shape (n_events, n_attributes)
    starts : ndarray of int64, shape (n_people + 1,)
        Events of person i are those from ``starts[i]`` to ``starts[i + 1]``.
    """

    hierarchies: tuple[Hierarchy, ...]
    leaves: Int32Array
    starts: IntArray

    @classmethod
    def of_rows(
        cls,
        hierarchies: Sequence[Hierarchy],
        leaves: Int32Array,
        owners: AnyArray,
        n_people: int,
    ) -> EventTable:
        """Put the events of each person side by side.

        Parameters
        ----------
        owners : ndarray of int, shape (n_events,), each in [0, n_people)
            Person of each event; the events may be in any order.
        """
        order = np.argsort(owners, kind="stable")
        counts = np.bincount(owners, minlength=n_people)
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return cls(tuple(hierarchies), np.ascontiguousarray(leaves[order]), starts)

    @cached_property
    def n_events_of(self) -> IntArray:
        """Events of each person: ndarray of int64, shape (n_people,)."""
        return np.diff(self.starts)

    @cached_property
    def owners(self) -> Int32Array:
        """Person of each event: ndarray of int32, shape (n_events,)."""
        people = np.arange(len(self.starts) - 1, dtype=np.int32)
        return np.repeat(people, self.n_events_of)

    def of_people(self, is_kept: BoolArray) -> EventTable:
        """Return the events of some of the people."""
        starts = np.concatenate([[0], np.cumsum(self.n_events_of[is_kept])])
        leaves = self.leaves[is_kept[self.owners]]
        return replace(self, leaves=leaves, starts=starts.astype(np.int64))


def event_tables(
    table: Table, people: People, attributes: Sequence[tuple[Hierarchy, Int32Array]]
) -> tuple[EventTable, ...]:
    """Collect the events of a table by their kind.

    Parameters
    ----------
    people : People
        To whom the rows of `table` belong.
    attributes : sequence of (Hierarchy, ndarray of int32)
        Columns of events, kind by kind, and the leaf of each row.

    Returns
    -------
    tuple of EventTable
        One for each kind that has attributes.
    """
    by_kind: dict[int, list[tuple[Hierarchy, Int32Array]]] = {}
    for hierarchy, leaves in attributes:
        kind = table.kind_of(table.column(hierarchy.attribute))
        by_kind.setdefault(kind, []).append((hierarchy, leaves))
    found = []
    for kind, each in by_kind.items():
        rows = table.rows_of_kind(kind)
        leaves = np.stack([own[rows] for _, own in each], axis=1).astype(np.int32)
        hierarchies = [hierarchy for hierarchy, _ in each]
        owners = people.of_row[rows]
        found.append(EventTable.of_rows(hierarchies, leaves, owners, people.n_people))
    return tuple(found)


@dataclass(frozen=True, repr=False, eq=False)
class History:
    """What stands of each person once, and in each of their events.

    Parameters
    ----------
    person_hierarchies : tuple of Hierarchy
        Of the quasi-identifiers of people (level 1).
    person_leaves : ndarray of int32, shape (n_people, n_person_attributes)
    tables : tuple of EventTable
        The kinds of events (level 2), such as claims, drugs and laboratory values.
    """

    person_hierarchies: tuple[Hierarchy, ...]
    person_leaves: Int32Array
    tables: tuple[EventTable, ...]

    def __repr__(self) -> str:
        return f"<History: {self.n_people} people, {self.n_events} events>"

    @classmethod
    def of_rows(
        cls,
        person_hierarchies: Sequence[Hierarchy],
        event_hierarchies: Sequence[Hierarchy],
        person_leaves: Int32Array,
        event_leaves: Int32Array,
        owners: AnyArray,
    ) -> History:
        """Put the events of each person side by side, all of one kind.

        Parameters
        ----------
        owners : ndarray of int, shape (n_events,), each in [0, n_people)
            Person of each event; the events may be in any order.
        """
        n_people = len(person_leaves)
        only = EventTable.of_rows(event_hierarchies, event_leaves, owners, n_people)
        return cls(tuple(person_hierarchies), person_leaves, (only,))

    @property
    def n_people(self) -> int:
        """Number of people, those without events included."""
        return len(self.person_leaves)

    @property
    def n_events(self) -> int:
        """Number of events of all kinds."""
        return sum(len(each.leaves) for each in self.tables)

    @cached_property
    def n_events_of(self) -> IntArray:
        """Events of each person, of all kinds: ndarray of int64, shape (n_people,)."""
        total = np.zeros(self.n_people, np.int64)
        for each in self.tables:
            total += each.n_events_of
        return total

    @cached_property
    def n_known_of(self) -> IntArray:
        """Events that have each attribute, by person: those of its kind.

        ndarray of int64, shape (n_people, n_event_attributes).
        """
        own = [each.n_events_of for each, _ in self._attributes]
        if not own:
            return np.zeros((self.n_people, 0), np.int64)
        return np.stack(own, axis=1)

    @cached_property
    def kinds(self) -> IntArray:
        """Kind of events of each attribute of events: int64, ascending."""
        sizes = [len(each.hierarchies) for each in self.tables]
        return np.repeat(np.arange(len(sizes)), sizes)

    @cached_property
    def _attributes(self) -> tuple[tuple[EventTable, int], ...]:
        """Table of each attribute of events, and its place there."""
        return tuple(
            (each, at) for each in self.tables for at in range(len(each.hierarchies))
        )

    @property
    def event_hierarchies(self) -> tuple[Hierarchy, ...]:
        """Of the quasi-identifiers of events, kind by kind."""
        return tuple(each.hierarchies[at] for each, at in self._attributes)

    @property
    def hierarchies(self) -> tuple[Hierarchy, ...]:
        """Of all quasi-identifiers, those of people first."""
        return self.person_hierarchies + self.event_hierarchies

    def event_leaves(self, place: int) -> Int32Array:
        """Leaf of each event that has an attribute of events: int32, (n_events,)."""
        table, at = self._attributes[place]
        return table.leaves[:, at]

    def starts(self, place: int) -> IntArray:
        """Where each person's events begin that have an attribute of events."""
        return self._attributes[place][0].starts

    @property
    def columns(self) -> list[Int32Array]:
        """Leaves of all attributes, those of people first."""
        events = [table.leaves[:, at] for table, at in self._attributes]
        return [*self.person_leaves.T, *events]

    def of_people(self, is_kept: BoolArray) -> History:
        """Return some of the people with all their events.

        Parameters
        ----------
        is_kept : ndarray of bool, shape (n_people,)
        """
        return replace(
            self,
            person_leaves=self.person_leaves[is_kept],
            tables=tuple(each.of_people(is_kept) for each in self.tables),
        )

    def value_counts(self, place: int, level: int = 0) -> ValueCounts:
        """How often each person has each value of an attribute of events.

        Parameters
        ----------
        place : int
            Of the attribute among those of events.
        """
        table, at = self._attributes[place]
        step = table.hierarchies[at].levels[level]
        values = step.groups[table.leaves[:, at]]
        return count_values(table.owners, self.n_people, values, step.n_groups)


@dataclass(frozen=True, repr=False, eq=False)
class ValueCounts:
    """The different values of each person and how often they have each.

    Parameters
    ----------
    starts : ndarray of int64, shape (n_people + 1,)
    values, counts : ndarray of int32, shape (n_pairs,)
        Of person i those from ``starts[i]`` to ``starts[i + 1]``, values ascending.
    """

    starts: IntArray
    values: Int32Array
    counts: Int32Array
    n_values: int

    @property
    def people(self) -> IntArray:
        """Person of each pair: ndarray of int64, shape (n_pairs,)."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @cached_property
    def n_people_with(self) -> IntArray:
        """People who have each value at least once: int64, shape (n_values,)."""
        return np.bincount(self.values, minlength=self.n_values).astype(np.int64)


def count_values(
    owners: Int32Array, n_people: int, values: AnyArray, n_values: int
) -> ValueCounts:
    """Count the values of each owner.

    Parameters
    ----------
    owners : ndarray of int32, shape (n,), ascending
    values : ndarray of int, shape (n,), each in [0, n_values)
    """
    pairs = group_rows(len(owners), [owners, values], [max(n_people, 1), n_values])
    of_pair = owners[pairs.first]
    starts = np.searchsorted(of_pair, np.arange(n_people + 1)).astype(np.int64)
    counts = np.bincount(pairs.of_row, minlength=len(pairs.first))
    return ValueCounts(
        starts, values[pairs.first].astype(np.int32), counts.astype(np.int32), n_values
    )
