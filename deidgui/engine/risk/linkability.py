"""How many records somebody would match with a register, or with another release."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb

import numpy as np

from deidgui.engine.arrays import AnyArray, FloatArray, Int32Array, IntArray
from deidgui.engine.data.grouping import group_keys, joint_keys
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


@dataclass(frozen=True)
class HalvesLinked:
    """How well one half of the columns finds the other half of a record.

    Parameters
    ----------
    rate : float in [0, 1]
        Share of the records that are put together rightly.
    baseline : float in (0, 1]
        The same for random pairs.
    """

    rate: float
    baseline: float

    @property
    def gain(self) -> float:
        """Rate beyond the baseline, in [0, 1]."""
        return gain_over(self.rate, self.baseline)


def gain_over(rate: float, baseline: float) -> float:
    """Share of what the baseline leaves open that an attack closes.

    Parameters
    ----------
    rate, baseline : float in [0, 1]

    Returns
    -------
    float in [0, 1]
        0 if the attack is no better than the baseline, or none can be.
    """
    if baseline >= 1:
        return 0.0
    return max(0.0, (rate - baseline) / (1 - baseline))


def matches_by_class(
    counts: IntArray, population: AnyArray, coverage: float = 1.0
) -> FloatArray:
    """Probability that a record is matched rightly with a register.

    Parameters
    ----------
    counts : ndarray of int64, shape (n_classes,), each >= 1
        Records of each class.
    population : ndarray, shape (n_classes,), each >= counts
        People of the population in each class.
    coverage : float in [0, 1]
        Probability of each person to be in the register, independent of the others.

    Returns
    -------
    ndarray of float64, shape (n_classes,), each in [0, 1]

    Notes
    -----
    The person is in the register with probability c, the F - 1 others are
    Binomial(F - 1, c), and one of those found is picked: (1 - (1 - c)^F) / F.
    `counts` are needed for nothing else than to say which classes there are.
    """
    assert counts.shape == population.shape, "one population for each class"
    sizes = np.asarray(population, dtype=np.float64)
    if coverage >= 1:
        return np.asarray(1 / sizes)
    return np.asarray(-np.expm1(sizes * np.log1p(-coverage)) / sizes)


@dataclass(frozen=True, repr=False, eq=False)
class ClassPairs:
    """Sizes of classes in two tables, each pair of sizes once.

    Parameters
    ----------
    ours, theirs : ndarray of int64, shape (n_pairs,), ours >= 1, theirs >= 0
        Records of a class in the one and in the other table.
    times : ndarray of int64, shape (n_pairs,), each >= 1
        Classes of these sizes.
    """

    ours: IntArray
    theirs: IntArray
    times: IntArray

    @classmethod
    def of(cls, ours: IntArray, theirs: IntArray) -> ClassPairs:
        """Count pairs of sizes; classes without a record of ours are left out."""
        there = ours > 0
        pairs = np.stack([ours[there], theirs[there]]).astype(np.int64)
        found, times = np.unique(pairs, axis=1, return_counts=True)
        return cls(found[0], found[1], times.astype(np.int64))

    @property
    def certain(self) -> int:
        """Classes of one record in each of the tables."""
        return int(self.times[(self.ours == 1) & (self.theirs == 1)].sum())

    @property
    def most(self) -> float:
        """Right matches expected at most, whoever is in both tables."""
        larger = np.maximum(self.ours, self.theirs)
        smaller = np.minimum(self.ours, self.theirs)
        return float((self.times * smaller / larger).sum())

    def found_by(self, coverage: float) -> float:
        """Right matches expected with a register that holds a share of the people.

        Parameters
        ----------
        coverage : float in (0, 1]

        Returns
        -------
        float, >= 0
            Not more than `most`, and that for the whole register. Where there are
            fewer people than records, not all of the records are of these people:
            there it is what it is at most.
        """
        fits = self.theirs >= self.ours
        ours, theirs = self.ours[fits], self.theirs[fits]
        right = float(
            (self.times[fits] * ours) @ matches_by_class(ours, theirs, coverage)
        )
        few = ~fits & (self.theirs > 0)
        return right + float((self.times * self.theirs / self.ours)[few].sum())

    def memberships(self) -> tuple[float, float]:
        """Probability that who fits a class is in the data: highest, and average.

        Returns
        -------
        tuple of float in [0, 1]
            Over the records whose class anybody of the other table has; 0 if nobody
            has one.
        """
        known = self.theirs > 0
        if not known.any():
            return 0.0, 0.0
        share = np.minimum(1.0, self.ours[known] / self.theirs[known])
        weights = (self.ours * self.times)[known]
        return float(share.max()), float(weights @ share / weights.sum())


def link_halves(
    first: AnyArray, second: AnyArray, both: IntArray, counts: IntArray | None = None
) -> HalvesLinked:
    """Find the other half of each record by the columns of one half.

    Parameters
    ----------
    first, second, both : ndarray, shape (n,), each >= 1
        Records that look like each one on the first half of the columns, on the
        second, and on both.
    counts : ndarray of int64, shape (n,), each >= 1, optional
        Records that each entry stands for; one if it is not given.

    Notes
    -----
    The exact form, with random ties, of the test by nearest neighbours of both
    halves (M. Giomi et al. 2023).
    """
    found = both / (first.astype(np.float64) * second)
    if counts is None:
        return HalvesLinked(float(found.mean()), 1 / len(both))
    n_records = int(counts.sum())
    return HalvesLinked(float(counts @ found) / n_records, 1 / n_records)


@dataclass(frozen=True)
class SplitsLinked:
    """The split of the columns by whose halves most records are put together.

    Parameters
    ----------
    first, second : tuple of int
        Places of the columns of each half, ascending; the first half is not the
        larger one, and has the first column where both are as large.
    n_looked, n_splits : int, >= 1
        Splits that were looked at, and how many there are.
    is_settled : bool
        Whether all were looked at that exchange one column of each half of this one.
    most : float in [0, 1]
        No split has a higher rate, looked at or not: each record finds at best those
        of its class.
    """

    first: tuple[int, ...]
    second: tuple[int, ...]
    n_looked: int
    n_splits: int
    is_settled: bool
    found: HalvesLinked
    most: float


def n_balanced_splits(n_columns: int) -> int:
    """Ways to split columns into halves as large as each other, or nearly.

    Parameters
    ----------
    n_columns : int, >= 2
    """
    n_sets = comb(n_columns, n_columns // 2)
    return n_sets if n_columns % 2 else n_sets // 2


def balanced_split(n_columns: int, number: int) -> tuple[int, ...]:
    """Return the smaller half of a split, in the lexicographic order of these.

    Parameters
    ----------
    n_columns : int, >= 2
    number : int, in [0, `n_balanced_splits`)

    Returns
    -------
    tuple of int
        Ascending places; with the first column where halves are as large as each
        other, so that each split is there once.
    """
    places: list[int] = []
    missing = n_columns // 2
    for place in range(n_columns):
        with_it = comb(n_columns - place - 1, missing - 1) if missing else 0
        if number < with_it:
            places.append(place)
            missing -= 1
        else:
            number -= with_it
    return tuple(places)


def link_splits(
    columns: Sequence[Int32Array],
    n_values: Sequence[int],
    counts: IntArray,
    most: int,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> SplitsLinked:
    """Find the split of the columns whose halves tell most of each other.

    Parameters
    ----------
    columns : sequence of ndarray of int32, each of shape (n_classes,), n_classes >= 1
        At least two: codes of what is released of each class.
    n_values : sequence of int
        Codes of each column lie in [0, n_values).
    counts : ndarray of int64, shape (n_classes,), each >= 1
        Records of each class; no two classes agree on all columns.
    most : int, >= 1
        Splits that are looked at, at most. Of more, half as many are spread evenly
        over all in their order; from the worst of these columns are exchanged as
        long as that makes it worse.

    Returns
    -------
    SplitsLinked
    """
    looked = _SplitsLooked(columns, n_values, counts, most, monitor)
    n_columns, n_splits = len(columns), n_balanced_splits(len(columns))
    n_spread = n_spread_splits(n_splits, most)
    for number in range(n_spread):
        looked.look(balanced_split(n_columns, number * n_splits // n_spread))
    is_settled = n_spread == n_splits or looked.exchange()
    first = looked.worst
    return SplitsLinked(
        first,
        looked.other_half(first),
        len(looked.found),
        n_splits,
        is_settled,
        looked.found[first],
        len(counts) / int(counts.sum()),
    )


def n_spread_splits(n_splits: int, most: int) -> int:
    """How many splits are looked at before any are looked for.

    Parameters
    ----------
    n_splits, most : int, >= 1
        How many there are, and how many may be looked at.
    """
    return n_splits if n_splits <= most else (most + 1) // 2


class _SplitsLooked:
    """Splits that were looked at, by their first half; parameters of `link_splits`."""

    def __init__(
        self,
        columns: Sequence[Int32Array],
        n_values: Sequence[int],
        counts: IntArray,
        most: int,
        monitor: Monitor,
    ) -> None:
        self._columns, self._n_values, self._counts = columns, n_values, counts
        self._limit = min(most, n_balanced_splits(len(columns)))
        self._monitor = monitor
        self.found: dict[tuple[int, ...], HalvesLinked] = {}
        self.worst: tuple[int, ...] = ()

    def other_half(self, first: tuple[int, ...]) -> tuple[int, ...]:
        """Columns that are not in a half, ascending."""
        return tuple(e for e in range(len(self._columns)) if e not in first)

    def look(self, first: tuple[int, ...]) -> bool:
        """Look at a split, if nobody has; return whether it is worse than any before.

        Of several as bad ones the first that was looked at is the worst.
        """
        if first in self.found:
            return False
        n_looked, sizes = len(self.found), []
        for part, half in enumerate((first, self.other_half(first))):
            done = n_looked + 0.5 * part
            step = SubMonitor(
                self._monitor, done / self._limit, (done + 0.5) / self._limit
            )
            values = [self._n_values[place] for place in half]
            codes = [self._columns[place] for place in half]
            sizes.append(_sizes_on(codes, values, self._counts, step))
        found = link_halves(sizes[0], sizes[1], self._counts, self._counts)
        is_worse = not self.found or found.rate > self.found[self.worst].rate
        self.found[first] = found
        if is_worse:
            self.worst = first
        return is_worse

    def exchange(self) -> bool:
        """Exchange columns of the halves while that makes it worse.

        Returns
        -------
        bool
            Whether all exchanges from the worst were looked at.
        """
        is_worse = True
        while is_worse:
            is_worse = False
            for half in self._exchanged(self.worst):
                if half not in self.found and len(self.found) == self._limit:
                    return False
                if is_worse := self.look(half):
                    break
        return True

    def _exchanged(self, first: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for leaves, comes in product(first, self.other_half(first)):
            half = tuple(sorted({*first, comes} - {leaves}))
            is_second = 2 * len(half) == len(self._columns) and 0 not in half
            yield self.other_half(half) if is_second else half


_ROOM = 4
"""Cells of memory for each class up to which keys are added up without a sort."""


def _sizes_on(
    columns: Sequence[Int32Array],
    n_values: Sequence[int],
    counts: IntArray,
    monitor: Monitor,
) -> FloatArray:
    """Records that agree with each class on some columns: float64, (n_classes,)."""
    n_classes = len(counts)
    keys, rule = joint_keys(
        n_classes, columns, n_values, monitor=SubMonitor(monitor, 0.0, 0.2)
    )
    if rule.n_keys > _ROOM * n_classes:
        step = SubMonitor(monitor, 0.2, 1.0)
        keys = group_keys(keys, rule.n_keys, monitor=step)[1]
    return np.asarray(np.bincount(keys, counts)[keys], dtype=np.float64)


def membership(counts: IntArray, population: AnyArray) -> FloatArray:
    """Probability that somebody who fits a class is in the data.

    Parameters
    ----------
    counts : ndarray of int64, shape (n_classes,), each >= 1
    population : ndarray, shape (n_classes,), each >= counts
        People of the population in each class.

    Returns
    -------
    ndarray of float64, shape (n_classes,), each in (0, 1]
    """
    return np.asarray(counts / np.asarray(population, dtype=np.float64))
