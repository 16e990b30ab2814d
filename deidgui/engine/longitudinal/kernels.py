"""Compiled search for the people who match what an adversary knows of one of them.

People stand in the order of their level-1 classes, those with most events first, so
that a class, and who of it has enough events, is an interval of places. An *item* is a
value of one attribute of events; a person matches a requirement (item, c) with at least
c events of that value. Requirements that many people match are rows of bits, one per
place; of the others only the list of people is kept.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from deidgui.engine.arrays import AnyArray, Int32Array, IntArray
from deidgui.engine.compiled import njit

MOST_REPEATS = 16
"""Requirements of more equal values than this are looked up in lists of people."""

_WORDS = 32
"""So many words of bits are looked at together."""

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
ONE = np.uint64(1)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


class Items(NamedTuple):
    """The events of which an adversary knows some, as items."""

    starts: IntArray  # (n_attributes, n_people + 1) first item of each person
    items: Int32Array  # of all attributes, one after the other
    kinds: IntArray  # (n_attributes,) ascending: of which table of events each is


class Places(NamedTuple):
    """Who stands where, and what everybody has."""

    class_starts: IntArray  # (n_people,) first place of each person's class
    class_ends: IntArray  # (n_people,)
    n_events: IntArray  # (n_people,) of who stands at each place, of all kinds
    item_starts: IntArray  # (n_items + 1,) of the two below
    item_places: Int32Array  # (n_pairs,) ascending within each item
    item_counts: Int32Array  # (n_pairs,) events of that value
    n_with: Int32Array  # (n_items, MOST_REPEATS) people with at least so many
    rows: Int32Array  # (n_items, MOST_REPEATS) of `bits`, or -1
    bits: AnyArray  # uint64, (n_rows, n_words)


@njit
def next_random(state: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Next state and 64 random bits (splitmix64).

    References
    ----------
    .. [1] G. Steele, D. Lea, C. Flood (2014), *Fast splittable pseudorandom number
       generators*, OOPSLA.
    """
    state = state + _GOLDEN
    bits = state
    bits = (bits ^ (bits >> np.uint64(30))) * _MIX_1
    bits = (bits ^ (bits >> np.uint64(27))) * _MIX_2
    return state, bits ^ (bits >> np.uint64(31))


@njit
def start_of(seed: int, draw: int, person: int, attribute: int) -> np.uint64:
    """State from which one draw of one attribute of one person starts."""
    state = np.uint64(seed)
    for part in (draw, person, attribute):
        state, bits = next_random(state ^ np.uint64(part))
        state = bits
    return state


@njit
def draw_events(n: int, n_drawn: int, state: np.uint64, chosen: IntArray) -> None:
    """Choose some of n events without replacement.

    Parameters
    ----------
    n_drawn : int, in [0, n]
    chosen : ndarray of int64, shape (>= n_drawn,)
        Receives them.

    References
    ----------
    .. [1] R. Floyd, J. Bentley (1987), *A sample of brilliance*, CACM 30(9).
    """
    if n_drawn == n:
        for at in range(n):
            chosen[at] = at
        return
    for at in range(n_drawn):
        last = n - n_drawn + at
        state, bits = next_random(state)
        # 32 bits times a number below 2^31: no bias that any count could show.
        pick = np.int64(
            ((bits >> np.uint64(32)) * np.uint64(last + 1)) >> np.uint64(32)
        )
        for before in range(at):
            if chosen[before] == pick:
                pick = np.int64(last)
                break
        chosen[at] = pick


@njit
def count_matches(
    known: Items,
    places: Places,
    people: IntArray,
    draws: IntArray,
    powers: Int32Array,
    seed: int,
    enough: int,
    found: IntArray,
) -> None:
    """Count who matches draws of the knowledge about some people.

    Parameters
    ----------
    powers : ndarray of int32, shape (n_people, n_attributes)
        Known values by person; never more than there are events of the kind.
    draws : ndarray of int64, shape (len(people),)
        Number of each draw. The same draw of the same person knows the same events,
        whatever the values are at this node.
    seed : int, >= 0
    enough : int
        Counting stops here; 0 never stops.
    found : ndarray of int64, shape (len(people),)
        Receives the number of people who match.
    """
    n_attributes = len(known.starts)
    longest = 1
    for person in people:
        total = 0
        for attribute in range(n_attributes):
            n = n_events_with(known, person, attribute)
            total += min(np.int64(powers[person, attribute]), n)
        longest = max(longest, total)
    items, counts = np.empty(longest, np.int64), np.empty(longest, np.int64)
    chosen, cursors = np.empty(longest, np.int64), np.empty(longest, np.int64)
    for at in range(len(people)):
        person = people[at]
        n_needed = 0
        for attribute in range(n_attributes):
            first = known.starts[attribute, person]
            n = n_events_with(known, person, attribute)
            n_drawn = min(np.int64(powers[person, attribute]), n)
            draw_events(
                n, n_drawn, start_of(seed, draws[at], person, attribute), chosen
            )
            own = n_needed
            for place in range(n_drawn):
                item = known.items[first + chosen[place]]
                for before in range(own, n_needed):
                    if items[before] == item:
                        counts[before] += 1
                        break
                else:
                    items[n_needed], counts[n_needed] = item, 1
                    n_needed += 1
        start, end = interval(places, person, least_events(known, person, powers))
        found[at] = matching(
            places, start, end, items, counts, cursors, n_needed, enough
        )


@njit
def n_events_with(known: Items, person: int, attribute: int) -> Any:
    """Events of a person that have an attribute."""
    starts = known.starts[attribute]
    return starts[person + 1] - starts[person]


@njit
def least_events(known: Items, person: int, powers: Int32Array) -> int:
    """Events, of all kinds, that whoever matches what is known of a person has."""
    total, most_known, kind = np.int64(0), np.int64(0), np.int64(-1)
    for attribute in range(len(known.starts)):
        if known.kinds[attribute] != kind:
            total, most_known = total + most_known, np.int64(0)
            kind = known.kinds[attribute]
        n = n_events_with(known, person, attribute)
        most_known = max(most_known, min(np.int64(powers[person, attribute]), n))
    return int(total + most_known)


@njit
def interval(places: Places, person: int, n_events: int) -> tuple[int, int]:
    """Where those stand who are alike by level 1 and have at least so many events."""
    start = places.class_starts[person]
    low, high = start, places.class_ends[person]
    while low < high:
        middle = (low + high) >> 1
        if places.n_events[middle] >= n_events:
            low = middle + 1
        else:
            high = middle
    return start, low


@njit
def matching(
    places: Places,
    start: int,
    end: int,
    items: IntArray,
    counts: IntArray,
    cursors: IntArray,
    n_needed: int,
    enough: int,
) -> int:
    """Count the people of an interval who match all requirements."""
    if n_needed == 0:
        return int(end - start)
    # PERF: the rarest first, so that nearly everybody is left out at once.
    for at in range(1, n_needed):
        item, count = items[at], counts[at]
        n_with, to = n_with_item(places, item, count), at
        while to > 0 and n_with < n_with_item(places, items[to - 1], counts[to - 1]):
            items[to], counts[to] = items[to - 1], counts[to - 1]
            to -= 1
        items[to], counts[to] = item, count
    if row_of(places, items[0], counts[0]) >= 0:
        for at in range(n_needed):
            cursors[at] = row_of(places, items[at], counts[at])
        return _matching_bits(places, start, end, cursors[:n_needed], enough)
    return _matching_list(places, start, end, items, counts, cursors, n_needed, enough)


@njit
def n_with_item(places: Places, item: int, count: int) -> int:
    """People who meet a requirement; 0 if only the list can tell."""
    if count > MOST_REPEATS:
        return 0
    return int(places.n_with[item, count - 1])


@njit
def row_of(places: Places, item: int, count: int) -> int:
    """Row of bits of a requirement; -1 if it has none."""
    if count > MOST_REPEATS:
        return -1
    return int(places.rows[item, count - 1])


@njit
def _matching_bits(
    places: Places, start: int, end: int, rows: IntArray, enough: int
) -> int:
    """Count the bits that some rows have in common, in an interval."""
    total, first, last = 0, start >> 6, (end - 1) >> 6
    common = np.empty(_WORDS, np.uint64)
    # PERF: some words at a time, so that loops over them become vector instructions.
    for word in range(first, last + 1, _WORDS):
        n = min(_WORDS, last + 1 - word)
        common[:n] = places.bits[rows[0], word : word + n]
        if word == first:
            common[0] &= ALL << np.uint64(start & 63)
        if word + n == last + 1:
            common[n - 1] &= ALL >> np.uint64(63 - ((end - 1) & 63))
        for row in rows[1:]:
            left = np.uint64(0)
            for at in range(n):
                common[at] &= places.bits[row, word + at]
                left |= common[at]
            if left == 0:
                break
        for at in range(n):
            if common[at]:
                total += n_bits(common[at])
        if 0 < enough <= total:
            break
    return total


@njit
def n_bits(word: np.uint64) -> int:
    """Count the ones of 64 bits."""
    word -= (word >> ONE) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + (
        (word >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit
def _matching_list(
    places: Places,
    start: int,
    end: int,
    items: IntArray,
    counts: IntArray,
    cursors: IntArray,
    n_needed: int,
    enough: int,
) -> int:
    total, first = 0, items[0]
    for other in range(n_needed):
        cursors[other] = -1
    last = places.item_starts[first + 1]
    at = first_from(places, first, places.item_starts[first], start)
    while at < last and places.item_places[at] < end:
        place = places.item_places[at]
        if places.item_counts[at] >= counts[0]:
            matches = True
            for other in range(1, n_needed):
                if not has_item(places, place, items, counts, cursors, other):
                    matches = False
                    break
            if matches:
                total += 1
                if total == enough:
                    break
        at += 1
    return total


@njit
def first_from(places: Places, item: int, low: int, place: int) -> int:
    """Where the people who have an item and stand at a place or later begin.

    Parameters
    ----------
    low : int
        Not beyond it; the nearer it is, the sooner it is found.
    """
    high, step = places.item_starts[item + 1], 1
    while low + step < high and places.item_places[low + step] < place:
        low += step
        step *= 2
    high = min(high, low + step)
    while low < high:
        middle = (low + high) >> 1
        if places.item_places[middle] < place:
            low = middle + 1
        else:
            high = middle
    return int(low)


@njit
def has_item(
    places: Places,
    place: int,
    items: IntArray,
    counts: IntArray,
    cursors: IntArray,
    other: int,
) -> bool:
    """Whether who stands at a place meets a requirement; places only grow."""
    item, count = items[other], counts[other]
    row = row_of(places, item, count)
    if row >= 0:
        word = places.bits[row, place >> 6]
        return bool((word >> np.uint64(place & 63)) & ONE == ONE)
    at = cursors[other]
    if at < 0:
        at = places.item_starts[item]
    at = first_from(places, item, at, place)
    cursors[other] = at
    return bool(
        at < places.item_starts[item + 1]
        and places.item_places[at] == place
        and places.item_counts[at] >= count
    )


@njit
def fill_items(leaves: AnyArray, groups: AnyArray, first: int, items: AnyArray) -> None:
    """Write the item of each event of one attribute."""
    for at in range(len(leaves)):
        items[at] = groups[leaves[at]] + first


@njit
def fill_lists(
    order: IntArray,
    starts: IntArray,
    values: Int32Array,
    counts: Int32Array,
    first_item: int,
    item_ends: IntArray,
    item_places: Int32Array,
    item_counts: Int32Array,
) -> None:
    """Write who has each value of one attribute, in the order of their places.

    Parameters
    ----------
    order : ndarray of int64, shape (n_people,)
        Person at each place.
    item_ends : ndarray of int64, shape (n_items,)
        Where the next person of each item is written; moved on.
    """
    for place in range(len(order)):
        person = order[place]
        for at in range(starts[person], starts[person + 1]):
            item = first_item + values[at]
            to = item_ends[item]
            item_places[to], item_counts[to] = place, counts[at]
            item_ends[item] = to + 1


@njit
def count_with(
    item_starts: IntArray, item_counts: Int32Array, n_with: AnyArray
) -> None:
    """Count who has at least 1, 2, ... events of each item."""
    for item in range(len(item_starts) - 1):
        for at in range(item_starts[item], item_starts[item + 1]):
            for repeats in range(min(item_counts[at], n_with.shape[1])):
                n_with[item, repeats] += 1


@njit
def fill_bits(
    item_starts: IntArray,
    item_places: Int32Array,
    item_counts: Int32Array,
    rows: Int32Array,
    bits: AnyArray,
) -> None:
    """Set the bit of everybody who matches a requirement that has a row."""
    for item in range(len(item_starts) - 1):
        if rows[item, 0] < 0:
            continue
        for at in range(item_starts[item], item_starts[item + 1]):
            place = item_places[at]
            one = ONE << np.uint64(place & 63)
            for repeats in range(min(item_counts[at], rows.shape[1])):
                row = rows[item, repeats]
                if row < 0:
                    break
                bits[row, place >> 6] |= one
