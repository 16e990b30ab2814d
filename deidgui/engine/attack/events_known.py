"""Attack 1: the attacker knows a patient, and some of the patient's events.

Each run takes a person, draws what is known of their events before truncation, looks
for everybody in the release who fits, and points at one of them by chance.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, Int32Array, IntArray
from deidgui.engine.attack import kernels
from deidgui.engine.attack.linked import Histories, LinkedCodes, joint_codes
from deidgui.engine.attack.successes import Successes
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor

MANY = 1024
"""More candidates than these are narrowed by bits of everybody, else one by one.

PERF: without attributes of people everybody is a candidate: 80 s for 10,000 runs among
113,000 people with 2.7 million events one by one.
"""

MOST_BYTES = 1 << 28
"""Of such bits that are kept."""

Variant = Literal["inexact", "same_event", "ordered"]
"""What is known beside values: nothing (inexact); that one of each belong to one
event; the order in time of two of them."""


@dataclass(frozen=True)
class KnownOfPerson:
    """What the attacker knows of one person.

    Parameters
    ----------
    values : tuple of Counter of int to int
        By attribute of events, each known value and how often.
    event : int, optional
        Row of the person's event that must be there as a whole, among those of
        everybody side by side.
    ordered : tuple of (int, int, int)
        Attribute, and two values the first of which came before the second.
    """

    person: int
    values: tuple[Counter[int], ...]
    event: int | None = None
    ordered: tuple[tuple[int, int, int], ...] = ()


@dataclass(eq=False)
class EventsAttack:
    """The attack on a release, from what was true before anything was removed.

    Parameters
    ----------
    original : LinkedCodes
        Everybody with all their events, in the values of the release.
    released : LinkedCodes
        The same people, numbered alike, with the events that are released.
    powers : ndarray of int32, shape (n_people, n_event_attributes)
        Values of each attribute that are known of each person, at most all. With
        several kinds of events, one of any kind is known as a whole (same_event).
    fraction : float in (0, 1]
        Chance that somebody whom the attacker looks for is in the data.
    is_released : ndarray of bool, shape (n_people,), optional
        Who is in the release; everybody if not given.

    Raises
    ------
    ConfigError
        Codes ``sampling_fraction`` and ``nobody_there``.
    """

    original: LinkedCodes
    released: LinkedCodes
    powers: Int32Array
    fraction: float = 1.0
    variant: Variant = "inexact"
    is_released: BoolArray | None = None

    def __post_init__(self) -> None:
        if not 0 < self.fraction <= 1:
            raise ConfigError("sampling_fraction", fraction=self.fraction)
        if not self.original.n_people:
            raise ConfigError("nobody_there")

    @cached_property
    def _known(self) -> Histories:
        """Events of everybody, as the attacker may know them."""
        return self.original.side_by_side(np.arange(self.original.n_people))

    @cached_property
    def _alike(self) -> IntArray:
        """Class of each person by what stands of them once."""
        if not self.released.people:
            return np.zeros(self.released.n_people, np.int64)
        return joint_codes(self.released.people)

    @cached_property
    def _people(self) -> IntArray:
        """Who is in the release, those who are alike side by side."""
        alike = self._alike
        if self.is_released is not None:
            alike = np.where(self.is_released, alike, -1)
        order = np.argsort(alike, kind="stable")
        return order[np.count_nonzero(alike < 0) :].astype(np.int64)

    @cached_property
    def _ends(self) -> IntArray:
        """Where each class begins among the people of the release."""
        n_classes = int(self._alike.max()) + 1
        return np.searchsorted(self._alike[self._people], np.arange(n_classes + 1))

    @cached_property
    def _shown(self) -> Histories:
        """Events of the people of the release, those of each in order of time."""
        return self.released.side_by_side(self._people).by_time()

    @cached_property
    def _holders(self) -> list[tuple[IntArray, Int32Array]]:
        """By attribute, who has each value in the release."""
        pairs = zip(self._known.events, self._shown.events, strict=True)
        sizes = [max(int(each.max(initial=0)) for each in pair) + 1 for pair in pairs]
        return [
            kernels.holders_of(values, self._shown.starts, size)
            for values, size in zip(self._shown.events, sizes, strict=True)
        ]

    @cached_property
    def _marks(self) -> dict[tuple[int, int, int], AnyArray]:
        """Who has a value so often, a bit for each person of the release."""
        return {}

    def _mark(self, place: int, value: int, count: int) -> AnyArray:
        """Bits of the people who have a value a number of times: uint8."""
        key = (place, value, count)
        if key not in self._marks:
            n_people = len(self._shown.starts) - 1
            if len(self._marks) * n_people > 8 * MOST_BYTES:
                self._marks.clear()
            starts, people = self._holders[place]
            own = people[starts[value] : starts[value + 1]]
            found = np.zeros(n_people, np.bool_)
            kernels.has_often(
                own, self._shown.events[place], self._shown.starts, value, count, found
            )
            self._marks[key] = np.packbits(found, bitorder="little")
        return self._marks[key]

    def _with_all(
        self, needed: Sequence[tuple[int, int, int]], first: int, last: int
    ) -> Int32Array:
        """People of a piece of the release who have everything that is needed."""
        low = first // 8
        bits: AnyArray | None = None
        for each in needed:
            own = self._mark(*each)[low : -(-last // 8)]
            bits = own.copy() if bits is None else np.bitwise_and(bits, own, out=bits)
        assert bits is not None
        found = np.flatnonzero(np.unpackbits(bits, bitorder="little")) + 8 * low
        begin, end = np.searchsorted(found, (first, last))
        return found[begin:end].astype(np.int32)

    def again(self, powers: Int32Array, variant: Variant) -> EventsAttack:
        """Return the same attack with other knowledge; lists are made once."""
        other = replace(self, powers=powers, variant=variant)
        for name in _LISTS:
            other.__dict__[name] = getattr(self, name)
        return other

    def simulate(
        self, n_runs: int, seed: int, *, monitor: Monitor = NULL_MONITOR
    ) -> Successes:
        """Attack some people by chance.

        Parameters
        ----------
        n_runs : int, >= 1
        seed : int, >= 0

        Notes
        -----
        Each run has random numbers of its own, the same ones for every power and
        variant: a run that finds the person still does with more knowledge, as long
        as no event was removed. So the shares differ by what is known, not by chance.

        References
        ----------
        .. [1] K. El Emam et al. (2012), JMIR 14(1):e33, "Attack 1"; methods.md E.8.
        """
        n_successes = 0
        for run in range(n_runs):
            monitor.report(run / n_runs, f"attacks {run}")
            chance = np.random.default_rng((seed, run))
            is_there = chance.random() < self.fraction
            pointed = chance.random()
            person = int(chance.integers(self.original.n_people))
            if not is_there:
                continue
            fitting = self.fitting(self.draw(person, chance))
            # The person is one of those who fit: which one is no matter.
            if person in fitting and int(pointed * len(fitting)) == 0:
                n_successes += 1
        return Successes.of(n_successes, n_runs)

    def draw(self, person: int, chance: np.random.Generator) -> KnownOfPerson:
        """Draw what is known of a person."""
        rows = self._known.rows_of(person)
        begin, n_rows = rows.start, rows.stop - rows.start
        events = self._known.events
        if not n_rows:
            return KnownOfPerson(person, tuple(Counter() for _ in events))
        orders = [chance.permutation(n_rows) for _ in events]
        is_joint = self.variant == "same_event"
        joint = int(chance.integers(n_rows)) if is_joint else -1
        values, ordered = [], []
        for place, each in enumerate(orders):
            has_value = events[place, rows] >= 0
            order = each[has_value[each]]
            n = min(int(self.powers[person, place]), len(order))
            chosen = order[:n]
            if joint >= 0 and n and joint not in chosen and has_value[joint]:
                chosen[0] = joint
            values.append(Counter(events[place, begin + chosen].tolist()))
            if self.variant == "ordered" and n > 1:
                ordered += self._order_of(place, begin + chosen[:2])
        event = begin + joint if joint >= 0 else None
        return KnownOfPerson(person, tuple(values), event, tuple(ordered))

    def _order_of(self, place: int, pair: IntArray) -> list[tuple[int, int, int]]:
        """Two values of an attribute by their time; nothing if it was the same."""
        if self.original.times is None:
            raise ConfigError("events_without_times")
        times = self._known.times
        early, late = pair if times[pair[0]] <= times[pair[1]] else pair[::-1]
        if times[early] == times[late]:
            return []
        column = self._known.events[place]
        return [(place, int(column[early]), int(column[late]))]

    def fitting(self, known: KnownOfPerson) -> IntArray:
        """Find everybody in the release who fits what is known.

        Returns
        -------
        ndarray of int64, ascending
            Of people; empty if removed events were known.
        """
        wanted = int(self._alike[known.person])
        first, last = int(self._ends[wanted]), int(self._ends[wanted + 1])
        candidates: Int32Array | None = None
        needed = []
        for place, counter in enumerate(known.values):
            for value, count in counter.items():
                own = self._holders_among(place, value, first, last)
                needed.append((len(own), place, value, count))
                if candidates is None or len(own) < len(candidates):
                    candidates = own
        if candidates is None:
            candidates = np.arange(first, last, dtype=np.int32)
        # What few have rules out most: first.
        needed.sort()
        wanted_of = [each[1:] for each in needed]
        if len(candidates) > MANY and wanted_of:
            candidates = self._with_all(wanted_of, first, last)
            if known.event is None and not known.ordered:
                return np.asarray(self._people[candidates])
            wanted_of = []
        event = np.zeros(0, np.int32)
        if known.event is not None:
            event = self._known.events[:, known.event].copy()
        found = kernels.people_who_fit(
            candidates,
            self._shown.events,
            self._shown.starts,
            self._shown.times,
            np.array(wanted_of, np.int64).reshape(-1, 3),
            event,
            np.array(known.ordered, np.int64).reshape(-1, 3),
        )
        return np.asarray(self._people[found])

    def _holders_among(
        self, place: int, value: int, first: int, last: int
    ) -> Int32Array:
        """Who has a value, of a piece of the people of the release."""
        starts, people = self._holders[place]
        own = people[starts[value] : starts[value + 1]]
        begin, end = np.searchsorted(own, (first, last))
        return own[begin:end]

    def expected(
        self, most_cases: int = 50_000, *, monitor: Monitor = NULL_MONITOR
    ) -> float | None:
        """Compute the probability of success from everything that may be known.

        Parameters
        ----------
        most_cases : int
            Cases of knowledge that are looked at.

        Returns
        -------
        float in [0, 1] or None
            None if there are more cases, or if more than values is known.

        References
        ----------
        .. [1] methods.md E.8: α times the mean over people of E[1{i in E} / |E|].
        """
        people = range(self.original.n_people)
        if self.variant != "inexact" or self._exceeds(most_cases):
            return None
        total = 0.0
        for person in people:
            monitor.report(person / len(people), f"attacks {person}")
            for known, probability in self._cases(person):
                fitting = self.fitting(known)
                if person in fitting:
                    total += probability / len(fitting)
        return self.fraction * total / self.original.n_people

    def _exceeds(self, most_cases: int) -> bool:
        """Whether there are more cases of knowledge than a number."""
        n_cases = 0
        for person in range(self.original.n_people):
            n_cases += self._n_cases(person)
            if n_cases > most_cases:
                return True
        return False

    def _n_cases(self, person: int) -> int:
        rows = self._known.rows_of(person)
        sizes = np.count_nonzero(self._known.events[:, rows] >= 0, axis=1).tolist()
        known = zip(sizes, self.powers[person].tolist(), strict=True)
        return math.prod(math.comb(n, min(power, n)) for n, power in known)

    def _cases(self, person: int) -> Iterator[tuple[KnownOfPerson, float]]:
        """Everything that may be known of a person, with its probability."""
        rows = self._known.rows_of(person)
        by_attribute: list[list[tuple[Counter[int], float]]] = []
        for place, column in enumerate(self._known.events):
            own = [value for value in column[rows].tolist() if value >= 0]
            n = min(int(self.powers[person, place]), len(own))
            found = Counter(
                tuple(sorted(chosen)) for chosen in itertools.combinations(own, n)
            )
            every = math.comb(len(own), n)
            by_attribute.append([(Counter(v), c / every) for v, c in found.items()])
        for case in itertools.product(*by_attribute):
            values = tuple(each for each, _ in case)
            yield KnownOfPerson(person, values), math.prod(each for _, each in case)


_LISTS = ("_known", "_alike", "_people", "_ends", "_shown", "_holders", "_marks")
"""What the same attack with other knowledge has in common."""
