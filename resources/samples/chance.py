"""Draw the same random values everywhere and always.

Only the standard library is used, and of its random numbers only ``random()``, which
is promised to stay the same for a seed.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from statistics import NormalDist
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Chance:
    """All randomness of the sample, from one seed."""

    def __init__(self, seed: int) -> None:
        self._source = random.Random(seed)

    def share(self) -> float:
        """Draw from [0, 1)."""
        return self._source.random()

    def below(self, n: int) -> int:
        """Draw an integer from 0 to n - 1."""
        return int(self._source.random() * n)

    def of(self, values: Sequence[Value]) -> Value:
        """Draw one of the values, all equally likely."""
        return values[self.below(len(values))]

    def normal(self) -> float:
        """Draw from the standard normal distribution."""
        return NormalDist().inv_cdf(max(self._source.random(), 1e-12))

    def order(self, n: int) -> list[int]:
        """Draw an order of 0 to n - 1."""
        keys = [self._source.random() for _ in range(n)]
        return sorted(range(n), key=keys.__getitem__)


class Weighted(Generic[Value]):
    """Values that are drawn in proportion to their weights."""

    def __init__(self, pairs: Iterable[tuple[Value, float]]) -> None:
        listed = list(pairs)
        self._values = [value for value, _ in listed]
        self._sums = list(accumulate(weight for _, weight in listed))

    def draw(self, chance: Chance) -> Value:
        """Draw one value."""
        at = bisect_right(self._sums, chance.share() * self._sums[-1])
        return self._values[min(at, len(self._values) - 1)]


def by_rank(values: Sequence[Value]) -> Weighted[Value]:
    """Let frequent names come more often, in the flattened Zipf way of real names."""
    return Weighted((value, 1 / (rank + 20)) for rank, value in enumerate(values))


def luhn(digits: str) -> str:
    """Append the check digit of ISO/IEC 7812-1 (Luhn)."""
    doubled = (int(digit) * 2 for digit in digits[-1::-2])
    plain = (int(digit) for digit in digits[-2::-2])
    total = sum(d - 9 if d > 9 else d for d in doubled) + sum(plain)
    return f"{digits}{-total % 10}"


def record_numbers(prefix: str, n: int, chance: Chance) -> list[str]:
    """Draw n different numbers that tell nothing of the order of their owners."""
    return [f"{prefix}{luhn(str(1_000_000 + 7 * at))}" for at in chance.order(n)]
