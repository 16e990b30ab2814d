"""Singling out, linkability, inference and membership as exact figures.

Each figure stands beside its baseline; no threshold follows from any of them.

References
----------
.. [1] determination.md, part 4; A. Cohen, K. Nissim (2020), *Towards Formalizing the
   GDPR's Notion of Singling Out*; M. Giomi et al. (2023), PoPETs, as implemented in
   the program Anonymeter.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

Row = Sequence[object]


@dataclass(frozen=True)
class SinglingOut:
    """Share of records alone on sets of k columns.

    Parameters
    ----------
    mean, worst : float in [0, 1]
        Over all sets of k columns.
    any_set : float in [0, 1]
        Share of records alone on at least one of them.
    """

    mean: float
    worst: float
    any_set: float


def singled_out(rows: Sequence[Row], k: int) -> SinglingOut:
    """Count the records that are alone on each set of k columns (U_k).

    Parameters
    ----------
    rows : sequence of rows
        Released labels, at least one row.
    k : int
        From 1 to the number of columns.
    """
    n, shares = len(rows), []
    found: set[int] = set()
    for columns in itertools.combinations(range(len(rows[0])), k):
        keys = [tuple(row[at] for at in columns) for row in rows]
        sizes = Counter(keys)
        alone = {place for place, key in enumerate(keys) if sizes[key] == 1}
        found |= alone
        shares.append(len(alone) / n)
    return SinglingOut(sum(shares) / len(shares), max(shares), len(found) / n)


def isolation_by_chance(n: int, weight: float) -> float:
    """Probability that a random condition is true for exactly one of n people.

    Parameters
    ----------
    n : int, >= 1
    weight : float in [0, 1]
        Probability that it is true for one of them.
    """
    return n * weight * (1 - weight) ** (n - 1)


def mean_isolation(n: int, low: float, high: float) -> float:
    """Integral of `isolation_by_chance` over the weight, from low to high."""

    def inner(weight: float) -> float:
        return float((n * weight + 1) * (1 - weight) ** n)

    return (inner(low) - inner(high)) / (n + 1)


def isolation_in_class(size: int) -> float:
    """Chance that a further condition true for 1 in f isolates one of a class of f."""
    return (1 - 1 / size) ** (size - 1)


def register_matches(pairs: Sequence[tuple[int, int]], share: float = 1.0) -> float:
    """Right matches to expect against a register that holds a share of the people.

    Parameters
    ----------
    pairs : sequence of (f, F)
        Records of a class of the release, and its people in the population.
    share : float in (0, 1]
    """
    return sum(f * (1 - (1 - share) ** people) / people for f, people in pairs)


@dataclass(frozen=True)
class TwoReleases:
    """What two releases tell of the people in both.

    Parameters
    ----------
    expected : float
        Right links.
    bound : float
        The most it can be if it is not known who is in both.
    certain : int
        Classes of one record in each.
    """

    expected: float
    bound: float
    certain: int


def two_releases(sizes: Sequence[tuple[int, int, int]]) -> TwoReleases:
    """Link two releases by their common labels.

    Parameters
    ----------
    sizes : sequence of (a, b, m)
        Records of a class in each release, and the people in both.
    """
    return TwoReleases(
        expected=sum(m / max(a, b) for a, b, m in sizes),
        bound=sum(min(a, b) / max(a, b) for a, b, _ in sizes),
        certain=sum(a == b == 1 for a, b, _ in sizes),
    )


def split_linkability(halves: Sequence[tuple[object, object]]) -> tuple[float, float]:
    """Link the two halves of a table's columns; return the rate and its baseline.

    The exact form of drawing among ties: mean of f / (gA · gB).
    """
    n = len(halves)
    both = Counter(halves)
    left, right = Counter(a for a, _ in halves), Counter(b for _, b in halves)
    rate = sum(both[a, b] / (left[a] * right[b]) for a, b in halves) / n
    return rate, 1 / n


@dataclass(frozen=True)
class Inference:
    """How often a sensitive value is guessed, and what of it is the person's own part.

    Parameters
    ----------
    right, baseline : float in [0, 1]
        Share guessed right with the classes, and without them.
    without_own : float in [0, 1]
        With the classes, from the other records alone.
    homogeneous : float in [0, 1]
        Share of records in classes of one value.
    """

    right: float
    baseline: float
    without_own: float
    homogeneous: float

    @property
    def gain(self) -> float:
        """0 none, 1 everything; see `gain`."""
        return gain(self.right, self.baseline)

    @property
    def own(self) -> float:
        """Part that is owed to the person's own record."""
        return self.right - self.without_own

    @property
    def group(self) -> float:
        """Part that statistics teach about a group."""
        return self.without_own - self.baseline


def inferred(classes: Sequence[Sequence[int]]) -> Inference:
    """Guess the commonest sensitive value of each class.

    Parameters
    ----------
    classes : sequence of counts by value
        Of every class, the values in one order; no class is empty.
    """
    n = sum(map(sum, classes))
    totals = [sum(column) for column in zip(*classes, strict=True)]
    return Inference(
        right=sum(map(max, classes)) / n,
        baseline=max(totals) / n,
        without_own=sum(_left_out(each, totals) for each in classes) / n,
        homogeneous=sum(sum(e) for e in classes if max(e) == sum(e)) / n,
    )


def _left_out(counts: Sequence[int], totals: Sequence[int]) -> float:
    """Records of a class guessed right from its other records; ties are shared."""
    if sum(counts) == 1:
        # Nothing is known of the class: the commonest value of all is guessed.
        value = counts.index(1)
        ties = [place for place, n in enumerate(totals) if n == max(totals)]
        return (value in ties) / len(ties)
    right = 0.0
    for value, count in enumerate(counts):
        others = [n - (place == value) for place, n in enumerate(counts)]
        if count and others[value] == max(others):
            right += count / others.count(max(others))
    return right


def gain(rate: float, baseline: float) -> float:
    """(rate - baseline) / (1 - baseline), and never below 0."""
    if baseline >= 1:
        return 0.0
    return max(0.0, (rate - baseline) / (1 - baseline))


def wilson(successes: int, n: int, z: float = 1.96) -> tuple[float, float]:
    """Centre and half width of the Wilson interval of a rate, as Anonymeter has it."""
    total = n + z * z
    centre = (successes + z * z / 2) / total
    spread = successes * (n - successes) / n + z * z / 4
    return centre, z / total * math.sqrt(spread)


def residual(
    attack: tuple[float, float], control: tuple[float, float]
) -> tuple[float, float]:
    """What an attack gains over one on people who are not released.

    Parameters
    ----------
    attack, control : (rate, error)
        As of `wilson`.

    Returns
    -------
    tuple of float
        The residual, and its error by propagation.
    """
    (a, error_a), (c, error_c) = attack, control
    value = (a - c) / (1 - c)
    error = math.hypot(error_a / (1 - c), error_c * (a - 1) / (1 - c) ** 2)
    return value, error


def membership(
    pairs: Sequence[tuple[int, int]],
) -> tuple[tuple[float, ...], float]:
    """Probability by class that a person of the population is in the data; baseline."""
    baseline = sum(f for f, _ in pairs) / sum(people for _, people in pairs)
    return tuple(f / people for f, people in pairs), baseline


def stability_index(before: Sequence[float], after: Sequence[float]) -> float:
    """PSI = Σ (q - p)·ln(q / p) of two distributions without empty cells.

    References
    ----------
    .. [1] determination.md 3.3; its limits of 0.1 and 0.25 are a convention that was
       not checked.
    """
    return sum((q - p) * math.log(q / p) for p, q in zip(before, after, strict=True))
