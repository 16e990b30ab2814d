"""How many records somebody would match with a register, or with another release."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import AnyArray, FloatArray, IntArray


@dataclass(frozen=True)
class ReleasesLinked:
    """What matching two releases about the same people finds.

    Parameters
    ----------
    expected : float or None, >= 0
        Expected right matches; None if it is not known who is in both.
    most : float, >= 0
        What it is at most, whoever is in both.
    certain : int
        Classes of one record in each of the releases.
    """

    expected: float | None
    most: float
    certain: int


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


def expected_matches(
    counts: IntArray, population: AnyArray, coverage: float = 1.0
) -> float:
    """Records that are matched rightly with a register, expected.

    The parameters are those of `matches_by_class`.

    Parameters
    ----------
    counts : ndarray of int64, shape (n_classes,)
    population : ndarray, shape (n_classes,)
    coverage : float in [0, 1]

    Returns
    -------
    float in [0, n_records]
    """
    return float(counts @ matches_by_class(counts, population, coverage))


def link_releases(
    first: IntArray, second: IntArray, common: IntArray | None = None
) -> ReleasesLinked:
    """Match two releases class by class of labels that both have.

    Parameters
    ----------
    first, second : ndarray of int64, shape (n_classes,), each >= 0
        Records of each class in each of the releases.
    common : ndarray of int64, shape (n_classes,), optional
        People who are in both, at most the smaller of the two.

    Notes
    -----
    Who pairs the records of a class at random is right for m / max(a, b) of them.
    """
    larger = np.maximum(first, second).astype(np.float64)
    smaller = np.minimum(first, second)
    there = larger > 0
    expected = None
    if common is not None:
        expected = float((common[there] / larger[there]).sum())
    most = float((smaller[there] / larger[there]).sum())
    certain = int(np.count_nonzero((first == 1) & (second == 1)))
    return ReleasesLinked(expected, most, certain)


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


def link_halves(first: IntArray, second: IntArray, both: IntArray) -> HalvesLinked:
    """Find the other half of each record by the columns of one half.

    Parameters
    ----------
    first, second, both : ndarray of int64, shape (n_records,), each >= 1
        Records that look like each one on the first half of the columns, on the
        second, and on both.

    Notes
    -----
    The exact form, with random ties, of the test by nearest neighbours of both
    halves (M. Giomi et al. 2023).
    """
    rate = (both / (first.astype(np.float64) * second)).mean()
    return HalvesLinked(float(rate), 1 / len(both))


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
