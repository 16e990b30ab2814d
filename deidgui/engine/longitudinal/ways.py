"""All that an adversary may know of a person, way by way, with the chance of each.

Of who has few events there are few ways: their risk is counted, not drawn.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deidgui.engine.arrays import AnyArray, FloatArray, Int32Array, IntArray
from deidgui.engine.compiled import njit
from deidgui.engine.longitudinal.history import History
from deidgui.engine.longitudinal.kernels import (
    ALL,
    ONE,
    Items,
    Places,
    first_from,
    interval,
    least_events,
    n_bits,
    n_events_with,
    n_with_item,
    row_of,
)


def ways_known(history: History, powers: Int32Array) -> FloatArray:
    """Count the different values, as they are, that may be known of each person.

    Parameters
    ----------
    powers : ndarray of int32, shape (n_people, n_event_attributes)

    Returns
    -------
    ndarray of float64, shape (n_people,), each >= 1
        At higher levels there are as many or fewer.
    """
    ways = np.ones(history.n_people)
    for place in range(len(history.event_hierarchies)):
        found = history.value_counts(place)
        own = np.minimum(powers[:, place], history.n_known_of[:, place])
        _multiply_ways(found.starts, found.counts, own, ways)
    return ways


@njit
def _multiply_ways(
    starts: IntArray, counts: Int32Array, n_known: IntArray, ways: FloatArray
) -> None:
    for person in range(len(ways)):
        n = np.int64(n_known[person])
        # Of how many ways there are to choose 0, 1, ..., n with the values so far.
        each = np.zeros(n + 1)
        each[0] = 1.0
        for at in range(starts[person], starts[person + 1]):
            for total in range(n, 0, -1):
                for taken in range(1, total + 1):
                    if taken <= counts[at]:
                        each[total] += each[total - taken]
        ways[person] *= each[n]


class Ways(NamedTuple):
    """Room for the ways to know some events of one person, by attribute."""

    n_values: IntArray  # (n_attributes,)
    values: IntArray  # (n_attributes, most events): different items of the person
    repeats: IntArray  # likewise: how many events have each
    n: IntArray  # (n_attributes,) ways
    chances: FloatArray  # (n_attributes, most ways)
    n_needed: IntArray  # likewise: items of each way
    items: AnyArray  # (n_attributes, most ways, most known)
    counts: AnyArray  # likewise: how many of each item are known


class WayBuffers(NamedTuple):
    """Room for a walk through the ways, attribute after attribute."""

    way: IntArray  # (n_attributes,) the next one
    chance: FloatArray  # (n_attributes + 1,) of what is known so far
    known: AnyArray  # uint64, (n_attributes + 1, n_words): who matches it
    behind: AnyArray  # likewise: who matches all values of the attributes behind
    spare: AnyArray  # uint64, (n_words,)


@njit
def chances_at_risk(
    known: Items,
    places: Places,
    people: IntArray,
    powers: Int32Array,
    enough: int,
    most_ways: int,
    found: FloatArray,
) -> None:
    """Find the chance that fewer than enough people match what is known of each.

    Parameters
    ----------
    powers : ndarray of int32, shape (n_people, n_attributes)
    enough : int, >= 1
    most_ways : int
        No person has more (`ways_known`).
    found : ndarray of float64, shape (len(people),)
        Receives the chances: exact, but for rounding.
    """
    ways, walk = _room(known, places, people, powers, most_ways)
    rarest = np.empty(len(known.starts), np.int64)
    for at in range(len(people)):
        person = people[at]
        for attribute in range(len(rarest)):
            n = n_events_with(known, person, attribute)
            n_known = min(np.int64(powers[person, attribute]), n)
            rarest[attribute] = _collect(known, places, person, attribute, ways)
            _list_ways(ways, attribute, n, n_known)
            if ways.n[attribute] == 1:
                rarest[attribute] = -1
        # PERF: what is known in any case, then the rarest values: they decide soonest.
        order = np.argsort(rarest)
        start, end = interval(places, person, least_events(known, person, powers))
        found[at] = _chance(places, start, end, order, enough, ways, walk)


@njit
def _room(
    known: Items, places: Places, people: IntArray, powers: Int32Array, most_ways: int
) -> tuple[Ways, WayBuffers]:
    n_attributes, most_known, most_events = len(known.starts), 1, 1
    for person in people:
        for attribute in range(n_attributes):
            n = n_events_with(known, person, attribute)
            most_events = max(most_events, n)
            most_known = max(most_known, min(np.int64(powers[person, attribute]), n))
    ways = Ways(
        np.empty(n_attributes, np.int64),
        np.empty((n_attributes, most_events), np.int64),
        np.empty((n_attributes, most_events), np.int64),
        np.empty(n_attributes, np.int64),
        np.empty((n_attributes, most_ways)),
        np.empty((n_attributes, most_ways), np.int64),
        np.empty((n_attributes, most_ways, most_known), np.int64),
        np.empty((n_attributes, most_ways, most_known), np.int64),
    )
    n_words = places.bits.shape[1]
    walk = WayBuffers(
        np.empty(n_attributes, np.int64),
        np.empty(n_attributes + 1),
        np.empty((n_attributes + 1, n_words), np.uint64),
        np.empty((n_attributes + 1, n_words), np.uint64),
        np.empty(n_words, np.uint64),
    )
    return ways, walk


@njit
def _chance(
    places: Places,
    start: int,
    end: int,
    order: IntArray,
    enough: int,
    ways: Ways,
    walk: WayBuffers,
) -> float:
    """Add up the chances of the ways that too few people of an interval match."""
    _set_all(walk.known[0], start, end)
    _set_all(walk.behind[len(order)], start, end)
    for depth in range(len(order) - 1, -1, -1):
        attribute = order[depth]
        n_values = ways.n_values[attribute]
        _keep(
            places,
            start,
            end,
            ways.values[attribute, :n_values],
            ways.repeats[attribute],
            walk.behind[depth + 1],
            walk.behind[depth],
            walk.spare,
        )
    depth, total = 0, 0.0
    walk.way[0], walk.chance[0] = 0, 1.0
    while depth >= 0:
        attribute, own = order[depth], walk.way[depth]
        if own == ways.n[attribute]:
            depth -= 1
            continue
        walk.way[depth] += 1
        chance = walk.chance[depth] * ways.chances[attribute, own]
        known = walk.known[depth + 1]
        _keep(
            places,
            start,
            end,
            ways.items[attribute, own, : ways.n_needed[attribute, own]],
            ways.counts[attribute, own],
            walk.known[depth],
            known,
            walk.spare,
        )
        if _are_enough(known, walk.behind[depth + 1], start, end, enough):
            # Whatever else is known, enough people match.
            continue
        if depth + 1 < len(order) and _are_enough(known, known, start, end, enough):
            depth += 1
            walk.way[depth], walk.chance[depth] = 0, chance
        else:
            # Whatever else is known, as few or fewer match.
            total += chance
    return total


@njit
def _set_all(row: AnyArray, start: int, end: int) -> None:
    """Set the bits of an interval, in its words."""
    first, last = start >> 6, (end - 1) >> 6
    row[first : last + 1] = ALL
    row[first] &= ALL << np.uint64(start & 63)
    row[last] &= ALL >> np.uint64(63 - ((end - 1) & 63))


@njit
def _keep(
    places: Places,
    start: int,
    end: int,
    items: IntArray,
    counts: IntArray,
    among: AnyArray,
    kept: AnyArray,
    spare: AnyArray,
) -> None:
    """Set the bits of who has all items, among those whose bits are set."""
    first, last = start >> 6, ((end - 1) >> 6) + 1
    kept[first:last] = among[first:last]
    for at in range(len(items)):
        row = row_of(places, items[at], counts[at])
        if row >= 0:
            for word in range(first, last):
                kept[word] &= places.bits[row, word]
            continue
        spare[first:last] = kept[first:last]
        kept[first:last] = 0
        to = places.item_starts[items[at] + 1]
        each = first_from(places, items[at], places.item_starts[items[at]], start)
        while each < to and places.item_places[each] < end:
            if places.item_counts[each] >= counts[at]:
                place = places.item_places[each]
                kept[place >> 6] |= spare[place >> 6] & (ONE << np.uint64(place & 63))
            each += 1


@njit
def _are_enough(
    row: AnyArray, other: AnyArray, start: int, end: int, enough: int
) -> bool:
    """Whether two rows have enough bits in common."""
    n = 0
    for word in range(start >> 6, ((end - 1) >> 6) + 1):
        both = row[word] & other[word]
        if both:
            n += n_bits(both)
            if n >= enough:
                return True
    return False


@njit
def _collect(
    known: Items, places: Places, person: int, attribute: int, ways: Ways
) -> int:
    """Count the items of a person; returns how many people have the rarest."""
    values, repeats = ways.values[attribute], ways.repeats[attribute]
    n_values, rarest = 0, len(places.n_events)
    starts = known.starts[attribute]
    for event in range(starts[person], starts[person + 1]):
        item = known.items[event]
        for before in range(n_values):
            if values[before] == item:
                repeats[before] += 1
                break
        else:
            values[n_values], repeats[n_values] = item, 1
            n_values += 1
            rarest = min(rarest, n_with_item(places, item, 1))
    ways.n_values[attribute] = n_values
    return rarest


@njit
def _list_ways(ways: Ways, attribute: int, n: int, n_known: int) -> None:
    """Write every way to know some of n events of one attribute, with its chance."""
    n_values, repeats = ways.n_values[attribute], ways.repeats[attribute]
    taken, left = np.empty(n_values, np.int64), n_known
    for place in range(n_values):
        taken[place] = min(repeats[place], left)
        left -= taken[place]
    every, n_ways, place = _choices(n, n_known), 0, 0
    while place >= 0:
        chosen, n_needed = 1.0, 0
        for each in range(n_values):
            if taken[each]:
                chosen *= _choices(repeats[each], taken[each])
                ways.items[attribute, n_ways, n_needed] = ways.values[attribute, each]
                ways.counts[attribute, n_ways, n_needed] = taken[each]
                n_needed += 1
        ways.chances[attribute, n_ways] = chosen / every
        ways.n_needed[attribute, n_ways] = n_needed
        n_ways += 1
        # The next in descending order: take one off and fill up behind it.
        behind, room, place = 0, 0, n_values - 1
        while place >= 0 and not (taken[place] and behind < room):
            behind += taken[place]
            room += repeats[place]
            place -= 1
        if place >= 0:
            taken[place] -= 1
            behind += 1
        for after in range(place + 1, n_values):
            taken[after] = min(repeats[after], behind)
            behind -= taken[after]
    ways.n[attribute] = n_ways


@njit
def _choices(n: int, chosen: int) -> float:
    """In how many ways some of n can be chosen."""
    total = 1.0
    for at in range(chosen):
        total = total * (n - at) / (at + 1)
    return total
