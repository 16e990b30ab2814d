"""Who matches what is known of a person, at the levels of a policy."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from deidgui.engine.arrays import AnyArray, FloatArray, Int32Array, IntArray
from deidgui.engine.data.grouping import group_rows
from deidgui.engine.longitudinal.history import History, ValueCounts
from deidgui.engine.longitudinal.kernels import (
    MOST_REPEATS,
    Items,
    Places,
    count_matches,
    count_with,
    fill_bits,
    fill_items,
    fill_lists,
)
from deidgui.engine.longitudinal.ways import chances_at_risk

SHARE_OF_BITS = 1024
"""Requirements that one person in so many meets are kept as bits: to go through the
words of bits takes no longer than through the list of these people."""

N_THREADS = 2
"""Draws are matched by so many threads, each with people of its own."""


@dataclass(eq=False)
class Matcher:
    """Matches knowledge about people of a history at any levels.

    Parameters
    ----------
    history : History
        Whose events the adversary knows some of, and among whose people they look.
    """

    history: History
    _counts: dict[tuple[int, int], ValueCounts] = field(default_factory=dict)

    def at(self, levels: Sequence[int]) -> Matched:
        """Prepare the levels of a node.

        Parameters
        ----------
        levels : sequence of int
            Of all attributes, those of people first.
        """
        history = self.history
        n_person = len(history.person_hierarchies)
        of_person, n_classes = self._classes(levels[:n_person])
        n_events = history.n_events_of
        order = np.lexsort((-n_events, of_person))
        ends = np.cumsum(np.bincount(of_person, minlength=n_classes))
        starts = np.concatenate([[0], ends[:-1]])
        found = [
            self._values(place, level) for place, level in enumerate(levels[n_person:])
        ]
        standing = starts[of_person], ends[of_person], n_events[order]
        begins = _begins(history)
        known, first = np.empty(int(begins[-1]), np.int32), 0
        with ThreadPoolExecutor(N_THREADS) as pool:
            filled = []
            for place, level in enumerate(levels[n_person:]):
                groups = history.event_hierarchies[place].levels[level].groups
                leaves = history.event_leaves(place)
                items = known[begins[place] : begins[place + 1]]
                filled.append(pool.submit(fill_items, leaves, groups, first, items))
                first += found[place].n_values
            places = _places_of(pool, order, standing, found)
            for each in filled:
                each.result()
        starts = np.empty((len(found), history.n_people + 1), np.int64)
        for place, begin in enumerate(begins[:-1]):
            starts[place] = history.starts(place) + begin
        return Matched(Items(starts, known, history.kinds), places)

    def _classes(self, levels: Sequence[int]) -> tuple[IntArray, int]:
        history = self.history
        columns: list[AnyArray] = [np.zeros(history.n_people, np.int64)]
        sizes = [1]
        for place, level in enumerate(levels):
            step = history.person_hierarchies[place].levels[level]
            columns.append(step.groups[history.person_leaves[:, place]])
            sizes.append(step.n_groups)
        alike = group_rows(history.n_people, columns, sizes)
        return alike.of_row, len(alike.first)

    def _values(self, place: int, level: int) -> ValueCounts:
        key = (place, level)
        if key not in self._counts:
            self._counts[key] = self.history.value_counts(place, level)
        return self._counts[key]


@dataclass(frozen=True, eq=False)
class Matched:
    """The people of a history at the levels of one node, ready to be matched."""

    known: Items
    places: Places

    @property
    def class_sizes(self) -> IntArray:
        """People alike by level 1 alone: ndarray of int64, shape (n_people,)."""
        return self.places.class_ends - self.places.class_starts

    def different(self, people: IntArray) -> tuple[IntArray, IntArray]:
        """Return some people of whom no two with one event of a kind show the same.

        Returns
        -------
        people : ndarray of int64, shape (n,)
        of_given : ndarray of int64, shape (n_given,)
            Place among them of who stands for each of the given people.
        """
        known, places = self.known, self.places
        n_events = np.diff(known.starts)[:, people]
        has_one = (n_events <= 1).all(axis=0) & (n_events == 1).any(axis=0)
        once, n_items = people[has_one], len(places.item_starts) - 1
        columns = [places.class_starts[once]]
        for starts, n_own in zip(known.starts, n_events[:, has_one], strict=True):
            # Of who has no event of the kind, the next one's is read, and not taken.
            item = known.items[np.minimum(starts[once], len(known.items) - 1)]
            columns.append(np.where(n_own == 1, item, n_items))
        sizes = [len(places.class_starts) + 1]
        sizes += [n_items + 1] * len(known.starts)
        alike = group_rows(len(once), columns, sizes)
        of_given = np.empty(len(people), np.int64)
        of_given[has_one] = alike.of_row
        others = people[~has_one]
        of_given[~has_one] = len(alike.first) + np.arange(len(others))
        return np.concatenate([once[alike.first], others]), of_given

    def counts(
        self,
        people: IntArray,
        powers: Int32Array,
        *,
        seed: int,
        draws: IntArray,
        enough: int = 0,
    ) -> IntArray:
        """Count who matches draws of what is known of some people.

        Parameters
        ----------
        people : ndarray of int64, shape (n,)
        powers : ndarray of int32, shape (n_people, n_event_attributes)
            Known values of each person; more than there are events is all of them.
        seed : int, >= 0
        draws : ndarray of int64, shape (n,)
            Decide what is known, the same at every node.
        enough : int
            Counting stops there; 0 never does.

        Returns
        -------
        ndarray of int64, shape (n,), each >= 1
            The person among them.
        """
        found = np.zeros(len(people), np.int64)

        def count(part: slice) -> None:
            count_matches(
                self.known,
                self.places,
                people[part],
                draws[part],
                powers,
                seed,
                enough,
                found[part],
            )

        _in_threads(count, len(people))
        return found

    def chances(
        self, people: IntArray, powers: Int32Array, enough: int, most_ways: int
    ) -> FloatArray:
        """Find the chance that too few people match what is known of some people.

        Parameters
        ----------
        people : ndarray of int64, shape (n,)
            Of whom no more than `most_ways` may be known (`ways_known`).
        powers : ndarray of int32, shape (n_people, n_event_attributes)
        enough : int, >= 1

        Returns
        -------
        ndarray of float64, shape (n,), each in [0, 1]
        """
        found = np.zeros(len(people))

        def add_up(part: slice) -> None:
            chances_at_risk(
                self.known,
                self.places,
                people[part],
                powers,
                enough,
                most_ways,
                found[part],
            )

        _in_threads(add_up, len(people))
        return np.clip(found, 0.0, 1.0)


def _begins(history: History) -> IntArray:
    """Where the items of each attribute begin, and where they end."""
    sizes = [
        len(leaves) for leaves in history.columns[len(history.person_hierarchies) :]
    ]
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _in_threads(work: Callable[[slice], None], n: int) -> None:
    """Let each thread do its part of n."""
    ends = np.linspace(0, n, N_THREADS + 1).astype(int).tolist()
    parts = [slice(a, b) for a, b in itertools.pairwise(ends) if a < b]
    with ThreadPoolExecutor(N_THREADS) as pool:
        list(pool.map(work, parts))


def _places_of(
    pool: ThreadPoolExecutor,
    order: IntArray,
    standing: tuple[IntArray, IntArray, IntArray],
    found: Sequence[ValueCounts],
) -> Places:
    sizes = [each.n_people_with for each in found]
    sums = np.cumsum(np.concatenate([[0], *sizes])).astype(np.int64)
    n_items, n_pairs = len(sums) - 1, int(sums[-1])
    item_places = np.empty(n_pairs, np.int32)
    item_counts = np.empty(n_pairs, np.int32)
    ends, first, filled = sums[:-1].copy(), 0, []
    for each in found:
        filled.append(
            pool.submit(
                fill_lists,
                order,
                each.starts,
                each.values,
                each.counts,
                first,
                ends,
                item_places,
                item_counts,
            )
        )
        first += each.n_values
    for done in filled:
        done.result()
    n_with = np.zeros((n_items, MOST_REPEATS), np.int32)
    count_with(sums, item_counts, n_with)
    n_people = len(order)
    has_row = n_with >= max(1, n_people // SHARE_OF_BITS)
    rows = np.full(n_with.shape, -1, np.int32)
    rows[has_row] = np.arange(np.count_nonzero(has_row))
    bits: AnyArray = np.zeros(
        (np.count_nonzero(has_row), (n_people + 63) // 64), np.uint64
    )
    fill_bits(sums, item_places, item_counts, rows, bits)
    return Places(*standing, sums, item_places, item_counts, n_with, rows, bits)
