"""Compiled: who has each value, and which people fit what an attacker knows.

PERF: people who are alike in what stands of them once are put side by side, so that
those of them who have a value are one piece of the list of its holders; each run reads
the events of the shortest piece alone. Sorted lists of counts and times took 20 s to
make for 2.7 million events of six attributes.
"""

from __future__ import annotations

import numpy as np

from deidgui.engine.arrays import BoolArray, Int32Array, IntArray
from deidgui.engine.compiled import njit


@njit
def holders_of(
    values: Int32Array, starts: IntArray, n_values: int
) -> tuple[IntArray, Int32Array]:
    """List the people who have each value of an attribute.

    Parameters
    ----------
    values : ndarray of int32, shape (n_events,), each in [-1, n_values)
        Nobody has -1.
    starts : ndarray of int64, shape (n_people + 1,)

    Returns
    -------
    starts : ndarray of int64, shape (n_values + 1,)
    people : ndarray of int32
        Of value v those from ``starts[v]`` to ``starts[v + 1]``, ascending.
    """
    n_people = len(starts) - 1
    seen = np.full(n_values, -1, np.int32)
    ends = np.zeros(n_values + 1, np.int64)
    for person in range(n_people):
        for row in range(starts[person], starts[person + 1]):
            value = values[row]
            if value >= 0 and seen[value] != person:
                seen[value] = person
                ends[value + 1] += 1
    for value in range(n_values):
        ends[value + 1] += ends[value]
    people = np.empty(ends[n_values], np.int32)
    at = ends.copy()
    seen[:] = -1
    for person in range(n_people):
        for row in range(starts[person], starts[person + 1]):
            value = values[row]
            if value >= 0 and seen[value] != person:
                seen[value] = person
                people[at[value]] = person
                at[value] += 1
    return ends, people


@njit
def has_often(
    people: Int32Array,
    values: Int32Array,
    starts: IntArray,
    value: int,
    count: int,
    found: BoolArray,
) -> None:
    """Mark who of some people has a value a number of times at least.

    Parameters
    ----------
    people : ndarray of int32
    values : ndarray of int32, shape (n_events,)
    starts : ndarray of int64, shape (n_people + 1,)
    found : ndarray of bool, shape (n_people,)
        Is filled.
    """
    for person in people:
        left = count
        for row in range(starts[person], starts[person + 1]):
            if values[row] == value:
                left -= 1
                if left == 0:
                    found[person] = True
                    break


@njit
def people_who_fit(
    candidates: Int32Array,
    events: Int32Array,
    starts: IntArray,
    times: IntArray,
    needed: IntArray,
    event: Int32Array,
    ordered: IntArray,
) -> Int32Array:
    """Find who of some people fits everything that is known.

    Parameters
    ----------
    candidates : ndarray of int32
        People who may fit.
    events : ndarray of int32, shape (n_attributes, n_events)
    starts : ndarray of int64, shape (n_people + 1,)
    times : ndarray of int64, shape (n_events,)
        Ascending within each person; empty if nothing is known of an order.
    needed : ndarray of int64, shape (n_known, 3)
        Attribute, value and how often at least.
    event : ndarray of int32, shape (n_attributes,) or (0,)
        An event that must be there as a whole; empty for none.
    ordered : ndarray of int64, shape (n_pairs, 3)
        Attribute and two values the first of which came before the second.
    """
    found = np.empty(len(candidates), np.int32)
    n_found = 0
    for person in candidates:
        begin, end = starts[person], starts[person + 1]
        if (
            _has_values(events, begin, end, needed)
            and _has_event(events, begin, end, event)
            and _has_order(events, times, begin, end, ordered)
        ):
            found[n_found] = person
            n_found += 1
    return found[:n_found].copy()


@njit
def _has_values(events: Int32Array, begin: int, end: int, needed: IntArray) -> bool:
    for number in range(len(needed)):
        place, value, count = needed[number]
        for row in range(begin, end):
            if events[place, row] == value:
                count -= 1
                if count == 0:
                    break
        if count > 0:
            return False
    return True


@njit
def _has_event(events: Int32Array, begin: int, end: int, event: Int32Array) -> bool:
    if len(event) == 0:
        return True
    for row in range(begin, end):
        is_it = True
        for place in range(len(event)):
            if events[place, row] != event[place]:
                is_it = False
                break
        if is_it:
            return True
    return False


@njit
def _has_order(
    events: Int32Array, times: IntArray, begin: int, end: int, ordered: IntArray
) -> bool:
    """Whether the first event of one value is before the last one of another.

    Events are in order of time.
    """
    for number in range(len(ordered)):
        place, early, late = ordered[number]
        first, last = begin, end - 1
        while first < end and events[place, first] != early:
            first += 1
        while last > first and events[place, last] != late:
            last -= 1
        if last <= first or times[first] >= times[last]:
            return False
    return True
