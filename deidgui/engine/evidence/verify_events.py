"""Counts who is found by known events, by code that the search does not share."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

MOST_EXACT = 100_000
"""With more that could be known of all people, it is drawn at random."""

DRAWS = 20_000
"""Of a person and of what is known of them."""

DEVIATIONS = 6.6
"""Of the normal distribution to both sides: two estimates of one share lie apart so
far once in ten thousand million times."""

Own = tuple[int | None, ...]
"""Codes of what is the same in all rows of a person."""

Known = Mapping[int, int]
"""How often each code is known of a column."""


class PersonShown(NamedTuple):
    """What the rows of a person show.

    Parameters
    ----------
    own : tuple
        Codes of the columns that are the same in all rows of a person.
    values : tuple of Counter
        By column of events: how often each code stands in the rows.
    """

    own: Own
    values: tuple[Counter[int], ...]


class MeasuredShare(NamedTuple):
    """A share of people at risk; `low` and `high` are the same if it was counted."""

    share: float
    low: float
    high: float


def least_matching(
    threshold: float, fraction: float, rule: str, significance: float | None
) -> int:
    """People of a sample who must match, by the threshold of the population.

    References
    ----------
    .. [1] methods.md E.3 and E.6.
    """
    if rule == "large_sample":
        return max(1, math.ceil(fraction / threshold - 1e-9))
    people = math.ceil(1 / threshold - 1e-9)
    mean, least = fraction * people, significance or 0.0
    below, term = math.exp(-mean), math.exp(-mean)
    seen = 1 - below
    for size in range(1, people):
        # `below` is the probability of fewer than `size`.
        if (1 - below) / seen <= least:
            return size
        term *= mean / size
        below += term
    return people


def power_of(values: Counter[int], most: int, diversity: str) -> int:
    """Values of a column that are known of a person by what is released.

    References
    ----------
    .. [1] methods.md E.5.
    """
    n = sum(values.values())
    if not n:
        return 0
    spread = 0.0
    if n > 1 and diversity == "entropy":
        shares = [each / n for each in values.values()]
        spread = -sum(each * math.log(each) for each in shares) / math.log(n)
    elif n > 1 and diversity == "simpson":
        alike = sum(each * (each - 1) for each in values.values())
        spread = 1 - alike / (n * (n - 1))
    spread = min(1.0, max(0.0, spread))
    return math.floor(1 + (min(most, n) - 1) * (1 - spread) + 0.5 + 1e-9)


@dataclass
class ReleasedPeople:
    """The people of a release, found by what is known of them."""

    people: Sequence[PersonShown]
    _sets: dict[tuple[int, int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._alike: dict[Own, int] = {}
        of_own: dict[Own, list[int]] = {}
        self._having: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for number, person in enumerate(self.people):
            of_own.setdefault(person.own, []).append(number)
            for place, values in enumerate(person.values):
                for code, count in values.items():
                    having = self._having.setdefault((place, code), [])
                    having.append((number, count))
        for own, numbers in of_own.items():
            self._alike[own] = self._as_set(numbers)

    def _as_set(self, numbers: Sequence[int]) -> int:
        """People as the bits of a number."""
        bits = bytearray(len(self.people) // 8 + 1)
        for number in numbers:
            bits[number >> 3] |= 1 << (number & 7)
        return int.from_bytes(bits, "little")

    def _with(self, place: int, code: int, count: int) -> int:
        """Who has a code so often or oftener."""
        key = (place, code, count)
        if key not in self._sets:
            having = self._having[place, code]
            self._sets[key] = self._as_set([i for i, n in having if n >= count])
        return self._sets[key]

    def n_matching(self, person: int, known: Sequence[Known]) -> int:
        """How many people fit what is known of one."""
        found = self._alike[self.people[person].own]
        for place, values in enumerate(known):
            for code, count in values.items():
                found &= self._with(place, code, count)
        return found.bit_count()

    def by_all(self, size: int) -> float:
        """Share at risk of who is known with all values."""
        return self._share(
            self.n_matching(i, each.values) < size for i, each in enumerate(self.people)
        )

    def by_own(self, size: int) -> float:
        """Share at risk by what is the same in all rows alone."""
        return self._share(
            self.n_matching(i, ()) < size for i in range(len(self.people))
        )

    def _share(self, is_at_risk: Iterator[bool]) -> float:
        return sum(is_at_risk) / len(self.people)

    def by_some(self, size: int, most: int, diversity: str) -> MeasuredShare:
        """Share at risk of who is known with some values: counted if they are few."""
        powers = [
            tuple(power_of(values, most, diversity) for values in person.values)
            for person in self.people
        ]
        n_knowable = sum(
            math.prod(
                math.comb(sum(values.values()), n)
                for values, n in zip(person.values, of_person, strict=True)
            )
            for person, of_person in zip(self.people, powers, strict=True)
        )
        if n_knowable <= MOST_EXACT:
            share = self._expected(size, powers)
            return MeasuredShare(share, share, share)
        return self._drawn(size, powers)

    def _expected(self, size: int, powers: Sequence[tuple[int, ...]]) -> float:
        """Mean over everything that may be known of each person."""
        total = 0.0
        for number, (person, power) in enumerate(zip(self.people, powers, strict=True)):
            choices = [
                list(_choices(values, n))
                for values, n in zip(person.values, power, strict=True)
            ]
            at_risk = every = 0
            for chosen in product(*choices):
                ways = math.prod(each[1] for each in chosen)
                every += ways
                if self.n_matching(number, [each[0] for each in chosen]) < size:
                    at_risk += ways
            total += at_risk / every
        return total / len(self.people)

    def _drawn(self, size: int, powers: Sequence[tuple[int, ...]]) -> MeasuredShare:
        draw, at_risk = random.Random(0), 0
        for _ in range(DRAWS):
            number = draw.randrange(len(self.people))
            known = [
                Counter(draw.sample(sorted(values.elements()), n))
                for values, n in zip(
                    self.people[number].values, powers[number], strict=True
                )
            ]
            at_risk += self.n_matching(number, known) < size
        share = at_risk / DRAWS
        half = DEVIATIONS * math.sqrt(share * (1 - share) / DRAWS) + 1 / DRAWS
        return MeasuredShare(share, max(0.0, share - half), min(1.0, share + half))


def _choices(values: Counter[int], n: int) -> Iterator[tuple[Known, int]]:
    """Every part of some values, and in how many ways it is drawn."""
    items = sorted(values.items())

    def parts(place: int, left: int) -> Iterator[tuple[dict[int, int], int]]:
        if place == len(items):
            if not left:
                yield {}, 1
            return
        code, count = items[place]
        for taken in range(min(count, left) + 1):
            for rest, ways in parts(place + 1, left - taken):
                known = {code: taken, **rest} if taken else rest
                yield known, ways * math.comb(count, taken)

    return parts(0, n)


def agrees(stated: MeasuredShare, measured: MeasuredShare) -> bool:
    """Whether two estimates, or an estimate and a count, can be of one share."""
    half = DEVIATIONS / 3.2905
    low = stated.share - half * (stated.share - stated.low) - 1e-9
    high = stated.share + half * (stated.high - stated.share) + 1e-9
    return measured.low <= high and low <= measured.high
