"""Prosecutor, journalist and marketer risk of equivalence classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from deidgui.engine.arrays import AnyArray, FloatArray, IntArray
from deidgui.errors import InputError

CUMULATIVE_LIMITS: FloatArray = np.array(
    [
        *(1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 2e-3, 5e-3),
        *(0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09),
        *(0.1, 0.125, 0.143, 0.167, 0.2, 0.25, 0.334, 0.5, 1.0),
    ]
)
"""Upper limits at which the cumulative distribution is stated: those of methods.md
F.1, and two more where a class has some hundred records."""

FREQUENT = 4
"""Sizes up to so many times the number of classes are counted in one array."""


@dataclass(frozen=True)
class AttackerRisk:
    """Matching probabilities of the released records for one adversary.

    Parameters
    ----------
    highest, average, lowest : float in [0, 1]
        Over the records.
    records_at_highest : int
        Records whose probability is the highest one.
    records_at_risk : int or None
        Records whose probability is above the threshold; None without one.
    at_risk : float in [0, 1] or None
        The same as a share of the records.
    """

    highest: float
    average: float
    lowest: float
    records_at_highest: int
    records_at_risk: int | None = None
    at_risk: float | None = None


@dataclass(frozen=True)
class RiskFigures:
    """Risk of one table, suppressed records excluded.

    Parameters
    ----------
    prosecutor : AttackerRisk
        The adversary knows the person to be in the data.
    journalist : AttackerRisk
        The adversary knows the person to be in the population.
    marketer : float in [0, 1]
        Expected share of records that are matched correctly when somebody
        matches all of them with the population.
    uniques : int
        Records that look like no other.
    threshold : float in (0, 1] or None
    assumptions : tuple of str
        Codes of what the figures rest on.
    population : str
        Whether the people whom the journalist and the marketer match against are
        "counted", "modelled" (people by their values, not all of them counted),
        "estimated" (from a sampling fraction), or taken to be those of the data
        ("none").
    """

    prosecutor: AttackerRisk
    journalist: AttackerRisk
    marketer: float
    n_records: int
    n_classes: int
    smallest_class: int
    uniques: int
    threshold: float | None
    assumptions: tuple[str, ...]
    population: Literal["none", "estimated", "modelled", "counted"] = "none"


def measure_risk(
    counts: IntArray,
    *,
    threshold: float | None = None,
    sampling_fraction: float | None = None,
    matches: IntArray | None = None,
    population: FloatArray | None = None,
    is_counted: bool = True,
) -> RiskFigures:
    """Measure the risk of released classes.

    Parameters
    ----------
    counts : ndarray of int64, shape (n_classes,), each >= 1
        Records per class, suppressed ones excluded.
    threshold : float in (0, 1], optional
        Records with a higher probability are at risk.
    sampling_fraction : float in (0, 1], optional
        Records over population. Without it the population is taken to be the
        data itself, which never understates the risk.
    matches : ndarray of int64, shape (n_classes,), each >= counts, optional
        Records that a record of each class may be, if that is more than its
        class (see `deidgui.engine.risk.wildcards`).
    population : ndarray of float64, shape (n_classes,), each >= counts, optional
        People of the population in each class; then the sampling fraction plays no
        role.
    is_counted : bool
        Whether somebody counted these people; they are modelled otherwise.

    Returns
    -------
    RiskFigures
        All probabilities in [0, 1].

    Raises
    ------
    InputError
        Code ``no_classes``.

    Notes
    -----
    With a sampling fraction α a class of f records is taken to have f/α members
    in the population: the data must be a simple random sample of it. Among
    counted people a missing value is one of its own even if it may match anything
    in the data, which never understates the risk.

    References
    ----------
    .. [1] K. El Emam (2013), *Guide to the De-Identification of Personal Health
       Information*, chapter 16; methods.md F.1 and F.2.
    """
    if not len(counts):
        raise InputError("no_classes")
    alike = counts if matches is None else matches
    fraction = 1.0 if population is not None else sampling_fraction or 1.0
    hidden = alike if population is None else population
    known: Literal["none", "estimated", "modelled", "counted"] = "none"
    if population is not None:
        known = "counted" if is_counted else "modelled"
    elif sampling_fraction is not None:
        known = "estimated"
    assumptions = ["quasi_identifiers_complete", "one_record_per_person"]
    assumptions.append(_ASSUMED[known])
    if matches is not None:
        assumptions.append("missing_matches_anything")
    return RiskFigures(
        prosecutor=attacker_risk(counts, alike, 1.0, threshold),
        journalist=attacker_risk(counts, hidden, fraction, threshold),
        marketer=_mean_probability(counts, hidden, fraction),
        n_records=int(counts.sum()),
        n_classes=len(counts),
        smallest_class=int(counts.min()),
        uniques=int(counts[alike == 1].sum()),
        threshold=threshold,
        assumptions=tuple(assumptions),
        population=known,
    )


_ASSUMED = {
    "none": "population_is_the_data",
    "estimated": "random_sample",
    "modelled": "population_is_modelled",
    "counted": "population_is_right",
}
"""What figures of the population rest on, by how it is known."""


def attacker_risk(
    counts: IntArray,
    alike: AnyArray,
    fraction: float = 1.0,
    threshold: float | None = None,
) -> AttackerRisk:
    """Figures of an adversary who finds ``alike / fraction`` people per record.

    Parameters
    ----------
    counts : ndarray of int64, shape (n_classes,), not empty, each >= 1
        Records per class.
    alike : ndarray of int64 or float64, shape (n_classes,), each >= 1
        Records, or people of the population, among whom each one hides.
    fraction : float in (0, 1]
        Share of these people that `alike` counts.
    threshold : float in (0, 1], optional

    Returns
    -------
    AttackerRisk
        All probabilities in [0, 1]; without a threshold no records at risk.

    Notes
    -----
    The average is the larger of (classes) / (people in them) and the mean over
    the records; without a population they are the same.

    References
    ----------
    .. [1] methods.md F.1.
    """
    n_records = int(counts.sum())
    smallest = alike.min()
    by_class = fraction * len(counts) / float(alike.sum())
    at_risk = None
    if threshold is not None:
        at_risk = int(counts[alike < size_at_risk(threshold, fraction)].sum())
    return AttackerRisk(
        highest=float(fraction / smallest),
        average=max(by_class, _mean_probability(counts, alike, fraction)),
        lowest=float(fraction / alike.max()),
        records_at_highest=int(counts[alike == smallest].sum()),
        records_at_risk=at_risk,
        at_risk=None if at_risk is None else at_risk / n_records,
    )


def size_at_risk(threshold: float, fraction: float = 1.0) -> int:
    """Size below which a class is at risk: its probability is above the threshold.

    Parameters
    ----------
    threshold : float in (0, 1]
    fraction : float in (0, 1]
        Sampling fraction.

    Returns
    -------
    int, >= 1
        An integer, so that 1/5 > 0.2 does not hang on a rounding error.

    References
    ----------
    .. [1] methods.md, 0. Definitions.
    """
    return max(1, int(np.ceil(fraction / threshold - 1e-9)))


def _mean_probability(counts: IntArray, alike: AnyArray, fraction: float) -> float:
    """Mean over records of fraction / alike."""
    if alike is counts:
        return float(fraction * len(counts) / counts.sum())
    return float(fraction * (counts / alike).sum() / counts.sum())


@dataclass(frozen=True, eq=False)
class ClassSizes:
    """How many classes and records there are of which size.

    Parameters
    ----------
    sizes : ndarray of int64, shape (n_bins,), ascending
        Smallest size of each bin, which ends before the next one.
    n_classes, n_records : ndarray of int64, shape (n_bins,)
    """

    sizes: IntArray
    n_classes: IntArray
    n_records: IntArray

    @property
    def n_uniques(self) -> int:
        """Classes of one record, where every size is a bin of its own."""
        return int(self.n_classes[self.sizes == 1].sum())

    def without_uniques(self, number: int) -> ClassSizes:
        """Leave out some classes of one record, where every size is a bin of its own.

        Parameters
        ----------
        number : int, in [0, n_uniques]
        """
        gone = np.where(self.sizes == 1, number, 0)
        left = self.n_classes > gone
        return ClassSizes(
            self.sizes[left],
            (self.n_classes - gone)[left],
            (self.n_records - gone)[left],
        )


def class_size_histogram(
    counts: IntArray, starts: Sequence[int] | IntArray | None = None
) -> ClassSizes:
    """Count the classes, and their records, by size.

    Parameters
    ----------
    counts : ndarray of int64, shape (n_classes,), each >= 1
    starts : sequence of int, ascending from 1, optional
        Smallest size of each bin; without it every size that occurs is one.

    Returns
    -------
    ClassSizes
        One bin for each start, empty ones included.
    """
    if starts is None and len(counts) and counts.max() <= FREQUENT * len(counts):
        # PERF: 10 ms instead of 240 for 3 million classes; nothing is sorted.
        n_of_size = np.bincount(counts)
        found = np.flatnonzero(n_of_size)
        return ClassSizes(found, n_of_size[found], n_of_size[found] * found)
    sizes = np.unique(counts) if starts is None else np.asarray(starts, dtype=np.int64)
    place = np.searchsorted(sizes, counts, side="right") - 1
    n_classes = np.bincount(place, minlength=len(sizes))
    n_records = np.bincount(place, counts, minlength=len(sizes))
    return ClassSizes(sizes, n_classes.astype(np.int64), n_records.astype(np.int64))


def cumulative_risk(
    counts: IntArray,
    alike: IntArray | None = None,
    fraction: float = 1.0,
    limits: FloatArray = CUMULATIVE_LIMITS,
) -> FloatArray:
    """Share of the records whose probability is at most each limit.

    Parameters
    ----------
    counts : ndarray of int64, shape (n_classes,), each >= 1
    alike : ndarray of int64, shape (n_classes,), optional
        See `attacker_risk`.
    fraction : float in (0, 1]
    limits : ndarray of float64, shape (n_limits,), each in (0, 1]

    Returns
    -------
    ndarray of float64, shape (n_limits,), each in [0, 1]
        1 everywhere without records.
    """
    hidden = counts if alike is None else alike
    order = np.argsort(hidden, kind="stable")
    below = np.concatenate([[0], np.cumsum(counts[order])])
    least = [size_at_risk(float(limit), fraction) for limit in limits]
    n_at_risk = below[np.searchsorted(hidden[order], least, side="left")]
    n_records = int(counts.sum())
    if n_records == 0:
        return np.ones(len(limits))
    return np.asarray((n_records - n_at_risk) / n_records, dtype=np.float64)
