"""Two linked tables as an attacker sees them, and lists of who has what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, IntArray


@dataclass(frozen=True, repr=False, eq=False)
class LinkedTables:
    """People and their events as codes of released values.

    Parameters
    ----------
    people : sequence of ndarray of int, each of shape (n_people,)
        By attribute of people. Equal codes are equal values, here and in any table
        that is compared with this one.
    owners : ndarray of int, shape (n_events,)
        Person of each event.
    events : sequence of ndarray of int, each of shape (n_events,)
        By attribute of events.
    times : ndarray of int, shape (n_events,), optional
    """

    n_people: int
    people: Sequence[AnyArray]
    owners: AnyArray
    events: Sequence[AnyArray]
    times: AnyArray | None = None

    def rows_of_people(self) -> list[IntArray]:
        """Events of each person."""
        order = np.argsort(self.owners, kind="stable")
        ends = np.cumsum(np.bincount(self.owners, minlength=self.n_people))
        return np.split(order, ends[:-1])


@dataclass(frozen=True, repr=False, eq=False)
class Holders:
    """Who has each value of one attribute, how often, and from when until when.

    Parameters
    ----------
    values : ndarray of int64, ascending
        The different values.
    starts : ndarray of int64, shape (n_values + 1,)
        The holders of value i are those from ``starts[i]`` to ``starts[i + 1]``.
    people, counts, first, last : ndarray of int64, shape (n_pairs,)
        Ascending people of each value, their events of it, and the times of the
        first and last of these.
    """

    values: IntArray
    starts: IntArray
    people: IntArray
    counts: IntArray
    first: IntArray
    last: IntArray

    @classmethod
    def of(cls, values: AnyArray, owners: AnyArray, times: AnyArray | None) -> Holders:
        """List the holders of the values of events."""
        when = np.zeros(len(values), np.int64) if times is None else times
        order = np.lexsort((when, owners, values))
        value, person, when = values[order], owners[order], when[order]
        is_new = np.ones(len(order), np.bool_)
        is_new[1:] = (value[1:] != value[:-1]) | (person[1:] != person[:-1])
        begins = np.flatnonzero(is_new)
        ends = np.append(begins[1:], len(order))
        distinct, at = np.unique(value[begins], return_index=True)
        return cls(
            distinct.astype(np.int64),
            np.append(at, len(begins)).astype(np.int64),
            person[begins].astype(np.int64),
            ends - begins,
            when[begins].astype(np.int64),
            when[ends - 1].astype(np.int64) if len(ends) else when.astype(np.int64),
        )

    def span(self, value: int) -> slice:
        """Where the holders of a value stand; an empty slice if nobody has it."""
        at = int(np.searchsorted(self.values, value))
        if at == len(self.values) or self.values[at] != value:
            return slice(0, 0)
        return slice(int(self.starts[at]), int(self.starts[at + 1]))

    def among(self, value: int, people: IntArray) -> tuple[BoolArray, IntArray]:
        """Which of some people have a value, and where their entries stand.

        Returns
        -------
        has : ndarray of bool, shape (n,)
        places : ndarray of int64, shape (n,)
            Valid where `has` is.
        """
        span = self.span(value)
        holders = self.people[span]
        places = np.searchsorted(holders, people)
        inside = places < len(holders)
        has = inside.copy()
        has[inside] = holders[places[inside]] == people[inside]
        return has, places + span.start


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
