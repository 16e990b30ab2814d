"""Two linked tables as an attacker sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from deidgui.engine.arrays import AnyArray, Int32Array, IntArray


@dataclass(eq=False)
class LinkedCodes:
    """People and their events as codes of released values.

    Parameters
    ----------
    people : sequence of ndarray of int, each of shape (n_people,)
        By attribute of people. Equal codes are equal values, here and in any table
        that is compared with this one.
    owners : ndarray of int, shape (n_events,)
        Person of each event.
    events : sequence of ndarray of int, each of shape (n_events,)
        By attribute of events; -1 where events of one kind have no such attribute.
    times : ndarray of int, shape (n_events,), optional
        Of events without a time all the same.
    """

    n_people: int
    people: Sequence[AnyArray]
    owners: AnyArray
    events: Sequence[AnyArray]
    times: AnyArray | None = None

    def side_by_side(self, people: IntArray) -> Histories:
        """Put the events of each of some people side by side.

        Parameters
        ----------
        people : ndarray of int64, shape (n,)
            Each at most once, in the order that is wanted.
        """
        counts = np.bincount(self.owners, minlength=self.n_people)[people]
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        place = np.full(self.n_people, len(people), np.int64)
        place[people] = np.arange(len(people))
        order = np.argsort(place[self.owners], kind="stable")[: starts[-1]]
        events = np.empty((len(self.events), len(order)), np.int32)
        for number, each in enumerate(self.events):
            events[number] = each[order]
        times = np.zeros(0, np.int64)
        if self.times is not None:
            times = self.times[order].astype(np.int64)
        return Histories(starts, events, times)


@dataclass(frozen=True, repr=False, eq=False)
class Histories:
    """Events of people, those of each person side by side.

    Parameters
    ----------
    starts : ndarray of int64, shape (n_people + 1,)
    events : ndarray of int32, shape (n_attributes, n_events)
    times : ndarray of int64, shape (n_events,)
        Empty if nobody knows them.
    """

    starts: IntArray
    events: Int32Array
    times: IntArray

    def rows_of(self, person: int) -> slice:
        """Events of a person."""
        return slice(int(self.starts[person]), int(self.starts[person + 1]))

    def by_time(self) -> Histories:
        """Return the same with the events of each person in order of time, if known."""
        if not len(self.times):
            return self
        people = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        order = np.lexsort((self.times, people))
        return replace(self, events=self.events[:, order], times=self.times[order])


def joint_codes(columns: Sequence[AnyArray]) -> IntArray:
    """Number the different rows of some columns.

    Parameters
    ----------
    columns : sequence of ndarray of int, not empty, each of shape (n,)

    Returns
    -------
    ndarray of int64, shape (n,)
    """
    codes = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        _, own = np.unique(column, return_inverse=True)
        joint = codes * (int(own.max(initial=0)) + 1) + own
        codes = np.unique(joint, return_inverse=True)[1].astype(np.int64)
    return codes
