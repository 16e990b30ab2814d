"""Attack 1: the attacker knows a patient, and some of the patient's events.

Each run takes a person, draws what is known of their events before truncation, looks
for everybody in the release who fits, and points at one of them by chance.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from deidgui.engine.arrays import Int32Array, IntArray
from deidgui.engine.attack.linked import Holders, LinkedTables, joint_codes
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor

Variant = Literal["values", "same_event", "ordered"]
"""What is known beside values: nothing; that one of each belong to one event; the order
in time of two of them."""


@dataclass(frozen=True)
class Known:
    """What the attacker knows of one person.

    Parameters
    ----------
    person : int
    values : tuple of Counter of int to int
        By attribute of events, each known value and how often.
    event : int, optional
        Code of an event that must be there as a whole.
    ordered : tuple of (int, int, int)
        Attribute, and two values the first of which came before the second.
    """

    person: int
    values: tuple[Counter[int], ...]
    event: int | None = None
    ordered: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True)
class Successes:
    """What simulated attacks came to.

    Parameters
    ----------
    n_runs, n_successes : int
    low, high : float in [0, 1]
        Interval of 95 % of the probability of success.
    """

    n_runs: int
    n_successes: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """Share of the runs that succeeded."""
        return self.n_successes / self.n_runs


@dataclass(eq=False)
class EventsKnown:
    """The attack on a release, from what was true before events were removed.

    Parameters
    ----------
    original : LinkedTables
        Everybody with all their events, in the values of the release.
    released : LinkedTables
        The same people, numbered alike, with the events that are released.
    powers : ndarray of int32, shape (n_people, n_event_attributes)
        Values of each attribute that are known of each person, at most all.
    fraction : float in (0, 1]
        Chance that somebody whom the attacker looks for is in the release.
    variant : str
    """

    original: LinkedTables
    released: LinkedTables
    powers: Int32Array
    fraction: float = 1.0
    variant: Variant = "values"

    def __post_init__(self) -> None:
        if not 0 < self.fraction <= 1:
            raise ConfigError("sampling_fraction", fraction=self.fraction)

    @cached_property
    def _events_of(self) -> list[IntArray]:
        return self.original.rows_of_people()

    @cached_property
    def _holders(self) -> list[Holders]:
        release = self.released
        return [Holders.of(e, release.owners, release.times) for e in release.events]

    @cached_property
    def _whole(self) -> tuple[IntArray, Holders]:
        """Code of each original event, and the holders of each in the release."""
        pairs = zip(self.original.events, self.released.events, strict=True)
        codes = joint_codes([np.concatenate(pair) for pair in pairs])
        n = len(self.original.owners)
        holders = Holders.of(codes[n:], self.released.owners, None)
        return codes[:n], holders

    @cached_property
    def _alike(self) -> IntArray:
        """Class of each person by what stands of them once."""
        if not self.released.people:
            return np.zeros(self.released.n_people, np.int64)
        return joint_codes(self.released.people)

    def simulate(
        self, n_runs: int, seed: int, *, monitor: Monitor = NULL_MONITOR
    ) -> Successes:
        """Attack some people by chance.

        Parameters
        ----------
        n_runs : int, >= 1
        seed : int, >= 0

        References
        ----------
        .. [1] K. El Emam et al. (2012), JMIR 14(1):e33, "Attack 1"; methods.md E.8.
        """
        chance, n_successes = np.random.default_rng(seed), 0
        for run in range(n_runs):
            monitor.report(run / n_runs, f"attacks {run}")
            person = int(chance.integers(self.original.n_people))
            known = self.draw(person, chance)
            if chance.random() >= self.fraction:
                continue
            fitting = self.fitting(known)
            if len(fitting) and fitting[chance.integers(len(fitting))] == person:
                n_successes += 1
        return Successes(n_runs, n_successes, *_interval(n_successes, n_runs))

    def draw(self, person: int, chance: np.random.Generator) -> Known:
        """Draw what is known of a person."""
        rows = self._events_of[person]
        if not len(rows):
            return Known(person, tuple(Counter() for _ in self.original.events))
        event, values, ordered = None, [], []
        joint = int(chance.integers(len(rows))) if self.variant == "same_event" else -1
        for place, column in enumerate(self.original.events):
            n = min(int(self.powers[person, place]), len(rows))
            chosen = chance.permutation(len(rows))[:n]
            if joint >= 0 and n and joint not in chosen:
                chosen[0] = joint
            known = rows[chosen]
            values.append(Counter(column[known].tolist()))
            if self.variant == "ordered" and n > 1:
                ordered += self._order_of(place, known[:2])
        if joint >= 0:
            event = int(self._whole[0][rows[joint]])
        return Known(person, tuple(values), event, tuple(ordered))

    def _order_of(self, place: int, pair: IntArray) -> list[tuple[int, int, int]]:
        """Two values of an attribute by their time; nothing if it was the same."""
        times = self.original.times
        if times is None:
            raise ConfigError("events_without_times")
        early, late = pair if times[pair[0]] <= times[pair[1]] else pair[::-1]
        if times[early] == times[late]:
            return []
        column = self.original.events[place]
        return [(place, int(column[early]), int(column[late]))]

    def fitting(self, known: Known) -> IntArray:
        """Find everybody in the release who fits what is known.

        Returns
        -------
        ndarray of int64, ascending
            Of people; empty if removed events were known.
        """
        alike = self._alike
        needed = [
            (self._holders[place], value, count)
            for place, counter in enumerate(known.values)
            for value, count in counter.items()
        ]
        if known.event is not None:
            needed.append((self._whole[1], known.event, 1))
        needed.sort(key=lambda each: _length(each[0].span(each[1])))
        if not needed:
            return np.flatnonzero(alike == alike[known.person])
        holders, value, count = needed[0]
        span = holders.span(value)
        people = holders.people[span][holders.counts[span] >= count]
        people = people[alike[people] == alike[known.person]]
        for holders, value, count in needed[1:]:
            if not len(people):
                break
            has, places = holders.among(value, people)
            has[has] = holders.counts[places[has]] >= count
            people = people[has]
        for place, early, late in known.ordered:
            people = self._in_order(people, self._holders[place], early, late)
        return np.asarray(people, np.int64)

    def _in_order(
        self, people: IntArray, holders: Holders, early: int, late: int
    ) -> IntArray:
        """Who has an event of one value before an event of another."""
        has_early, at_early = holders.among(early, people)
        has_late, at_late = holders.among(late, people)
        both = has_early & has_late
        both[both] = holders.first[at_early[both]] < holders.last[at_late[both]]
        return np.asarray(people[both], np.int64)

    def expected(self, most_cases: int = 200_000) -> float | None:
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
        if self.variant != "values" or sum(map(self._n_cases, people)) > most_cases:
            return None
        total = 0.0
        for person in people:
            for known, probability in self._cases(person):
                fitting = self.fitting(known)
                if person in fitting:
                    total += probability / len(fitting)
        return self.fraction * total / self.original.n_people

    def _n_cases(self, person: int) -> int:
        n = len(self._events_of[person])
        return math.prod(math.comb(n, min(int(p), n)) for p in self.powers[person])

    def _cases(self, person: int) -> Iterator[tuple[Known, float]]:
        """Everything that may be known of a person, with its probability."""
        rows = self._events_of[person]
        by_attribute: list[list[tuple[Counter[int], float]]] = []
        for place, column in enumerate(self.original.events):
            n = min(int(self.powers[person, place]), len(rows))
            found = Counter(
                tuple(sorted(chosen))
                for chosen in itertools.combinations(column[rows].tolist(), n)
            )
            every = math.comb(len(rows), n)
            by_attribute.append([(Counter(v), c / every) for v, c in found.items()])
        for case in itertools.product(*by_attribute):
            values = tuple(each for each, _ in case)
            yield Known(person, values), math.prod(each for _, each in case)


def _length(span: slice) -> int:
    return int(span.stop - span.start)


def _interval(n_hits: int, n: int) -> tuple[float, float]:
    """Wilson's interval of 95 %."""
    square = 1.959964**2
    middle = (n_hits + square / 2) / (n + square)
    half = math.sqrt(square * (n_hits * (1 - n_hits / n) + square / 4)) / (n + square)
    return max(0.0, middle - half), min(1.0, middle + half)
