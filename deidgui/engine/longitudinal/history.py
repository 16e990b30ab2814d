"""People and their events, as leaves of hierarchies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, Int32Array, IntArray
from deidgui.engine.data.grouping import group_rows
from deidgui.engine.data.hierarchy import Hierarchy


@dataclass(frozen=True, repr=False, eq=False)
class History:
    """What stands of each person once, and in each of their events.

    Parameters
    ----------
    person_hierarchies, event_hierarchies : tuple of Hierarchy
        Of the quasi-identifiers of people (level 1) and of events (level 2).
    person_leaves : ndarray of int32, shape (n_people, n_person_attributes)
    event_leaves : ndarray of int32, shape (n_events, n_event_attributes)
    starts : ndarray of int64, shape (n_people + 1,)
        Events of person i are those from ``starts[i]`` to ``starts[i + 1]``.
    times : ndarray of int64, shape (n_events,), optional
        When each event was, in any unit; None if nobody knows their order.
    """

    person_hierarchies: tuple[Hierarchy, ...]
    event_hierarchies: tuple[Hierarchy, ...]
    person_leaves: Int32Array
    event_leaves: Int32Array
    starts: IntArray
    times: IntArray | None = None

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
        times: IntArray | None = None,
    ) -> History:
        """Put the events of each person side by side.

        Parameters
        ----------
        owners : ndarray of int, shape (n_events,), each in [0, n_people)
            Person of each event; the events may be in any order.
        """
        order = np.argsort(owners, kind="stable")
        counts = np.bincount(owners, minlength=len(person_leaves))
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return cls(
            tuple(person_hierarchies),
            tuple(event_hierarchies),
            person_leaves,
            np.ascontiguousarray(event_leaves[order]),
            starts,
            None if times is None else times[order],
        )

    @property
    def n_people(self) -> int:
        """Number of people, those without events included."""
        return len(self.starts) - 1

    @property
    def n_events(self) -> int:
        """Number of events."""
        return len(self.event_leaves)

    @cached_property
    def n_events_of(self) -> IntArray:
        """Events of each person: ndarray of int64, shape (n_people,)."""
        return np.diff(self.starts)

    @cached_property
    def owners(self) -> Int32Array:
        """Person of each event: ndarray of int32, shape (n_events,)."""
        people = np.arange(self.n_people, dtype=np.int32)
        return np.repeat(people, self.n_events_of)

    @property
    def hierarchies(self) -> tuple[Hierarchy, ...]:
        """Of all quasi-identifiers, those of people first."""
        return self.person_hierarchies + self.event_hierarchies

    def without(self, is_removed: BoolArray) -> History:
        """Return the same people with fewer events.

        Parameters
        ----------
        is_removed : ndarray of bool, shape (n_events,)
        """
        kept = ~is_removed
        counts = np.bincount(self.owners[kept], minlength=self.n_people)
        return replace(
            self,
            event_leaves=self.event_leaves[kept],
            starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            times=None if self.times is None else self.times[kept],
        )

    def of_people(self, is_kept: BoolArray) -> History:
        """Return some of the people with all their events.

        Parameters
        ----------
        is_kept : ndarray of bool, shape (n_people,)
        """
        of_event = is_kept[self.owners]
        starts = np.concatenate([[0], np.cumsum(self.n_events_of[is_kept])])
        return replace(
            self,
            person_leaves=self.person_leaves[is_kept],
            event_leaves=self.event_leaves[of_event],
            starts=starts.astype(np.int64),
            times=None if self.times is None else self.times[of_event],
        )

    def value_counts(self, place: int, level: int = 0) -> ValueCounts:
        """How often each person has each value of an attribute of events.

        Parameters
        ----------
        place : int
            Of the attribute among those of events.
        """
        step = self.event_hierarchies[place].levels[level]
        values = step.groups[self.event_leaves[:, place]]
        return count_values(self.owners, self.n_people, values, step.n_groups)


@dataclass(frozen=True, repr=False, eq=False)
class ValueCounts:
    """The different values of each person and how often they have each.

    Parameters
    ----------
    starts : ndarray of int64, shape (n_people + 1,)
    values, counts : ndarray of int32, shape (n_pairs,)
        Of person i those from ``starts[i]`` to ``starts[i + 1]``, values ascending.
    n_values : int
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
