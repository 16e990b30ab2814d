"""Estimators of population uniqueness from a sample."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.engine.risk.class_sizes import ClassSizes
from deidgui.lazy import LazyModule

if TYPE_CHECKING:
    from deidgui.engine.risk import kernels
else:
    # PERF: numba takes a second to import, which declaring models need not wait for.
    kernels = LazyModule("deidgui.engine.risk.kernels")

ESTIMATORS = ("dankar", "pitman", "snb", "zayatz")
"""Known estimators of population uniqueness."""

SMALL_FRACTION = 0.1
"""Up to this sampling fraction Dankar's rule trusts Pitman's model."""

SNB_GRID: FloatArray = np.linspace(-30.0, 8.0, 153)
"""Logits of b between which a solution of the negative binomial is looked for. Nearer
to 1 it is a Poisson distribution: for small fractions that seems to fit any sample,
without a unique person, by cancellation."""

REFINEMENTS = 7
"""Each looks between two points of the grid, 152 times as closely."""


@dataclass(frozen=True)
class Uniqueness:
    """Estimated number of people of the population who look like nobody else.

    Parameters
    ----------
    uniques : float, >= 0
        nan if the estimate is not valid.
    share : float in [0, 1]
        Of the people of the population; nan if not valid.
    estimator : str
        The one of `ESTIMATORS` whose model gave the figure, "counted" if nothing
        had to be estimated: no record is unique, or the records are everybody.
    is_valid : bool
        Whether the estimator's model could be fitted to these data.
    """

    uniques: float
    share: float
    estimator: str
    is_valid: bool


def population_uniqueness(
    sizes: ClassSizes, fraction: float, estimator: str = "dankar"
) -> Uniqueness:
    """Estimate how many people of the population are unique.

    Parameters
    ----------
    sizes : ClassSizes
        Of a sample, one bin for every size that occurs.
    fraction : float in (0, 1]
        Sampling fraction.
    estimator : {"dankar", "pitman", "snb", "zayatz"}
        "dankar" chooses among the others: up to a fraction of 0.1 Pitman's if it
        is valid, above the smaller one of Zayatz's and the slide negative
        binomial if that is valid, and Zayatz's in all other cases.

    Returns
    -------
    Uniqueness
        With the estimator that was used; nan where it is not valid.

    Notes
    -----
    The records must be a simple random sample. Costs a few milliseconds at most,
    however many records: only distinct sizes count.

    ARX's slide negative binomial has two slips (methods.md F.4), so that its rule
    uses Zayatz's estimate above 0.1.

    References
    ----------
    .. [1] F. Dankar, K. El Emam, A. Neisa, T. Roffey (2012), *Estimating the
       re-identification risk of clinical data sets*, BMC Medical Informatics and
       Decision Making 12:66; methods.md F.4.
    """
    sample = _Sample.of(sizes, fraction)
    if sample.n_uniques == 0 or sample.population_size <= sample.n_records:
        share = sample.n_uniques / max(1, sample.n_records)
        return Uniqueness(float(sample.n_uniques), share, "counted", True)
    if estimator != "dankar":
        return _checked(sample, estimator)
    zayatz = _checked(sample, "zayatz")
    if fraction <= SMALL_FRACTION:
        pitman = _checked(sample, "pitman")
        return pitman if pitman.is_valid else zayatz
    snb = _checked(sample, "snb")
    return snb if snb.is_valid and snb.uniques < zayatz.uniques else zayatz


@dataclass(frozen=True, eq=False)
class _Sample:
    """A sample by class sizes, and the people it stands for."""

    sizes: IntArray
    n_classes: IntArray
    n_records: int
    population_size: int

    @classmethod
    def of(cls, found: ClassSizes, fraction: float) -> _Sample:
        n_records = int(found.n_records.sum())
        population_size = max(n_records, round(n_records / fraction))
        return cls(found.sizes, found.n_classes, n_records, population_size)

    @property
    def fraction(self) -> float:
        return self.n_records / self.population_size

    @property
    def n_uniques(self) -> int:
        return self.classes_of(1)

    def classes_of(self, size: int) -> int:
        return int(self.n_classes[self.sizes == size].sum())


def _checked(sample: _Sample, estimator: str) -> Uniqueness:
    uniques = _ESTIMATE[estimator](sample)
    if not 0 <= uniques <= sample.population_size * (1 + 1e-9):
        return Uniqueness(math.nan, math.nan, estimator, is_valid=False)
    return Uniqueness(
        uniques, uniques / sample.population_size, estimator, is_valid=True
    )


def _zayatz(sample: _Sample) -> float:
    """Uniques of the sample times the probability that one is so in the population.

    The probability follows from Bayes' rule with the sizes of the sample's classes
    as prior. h(i) / h(1) is computed, of which the largest factors cancel.
    """
    population_size, n_records = sample.population_size, sample.n_records
    possible = sample.sizes <= population_size - n_records + 1
    weights = [
        size
        * math.exp(
            kernels.log_rising(
                float(population_size - n_records - size + 2), float(size - 1)
            )
            - kernels.log_rising(float(population_size - size + 1), float(size - 1))
        )
        for size in sample.sizes[possible].tolist()
    ]
    total = float((sample.n_classes[possible] * np.array(weights)).sum())
    unique = sample.n_uniques / total
    return sample.n_uniques * unique / sample.fraction


def _pitman(sample: _Sample) -> float:
    """Pitman's sampling formula, fitted by maximum likelihood (Hoshino 2001)."""
    n_classes = int(sample.n_classes.sum())
    if n_classes in (1, sample.n_records):
        return math.nan
    theta, slope = kernels.fit_pitman(
        sample.sizes.astype(np.float64),
        sample.n_classes.astype(np.float64),
        float(sample.n_records),
        float(n_classes),
    )
    if not (math.isfinite(theta) and theta > -slope and 0 <= slope < 1):
        return math.nan
    # Γ(θ + 1) / Γ(θ + a) N^a
    logarithm = kernels.log_rising(theta + slope, 1 - slope)
    return math.exp(logarithm + slope * math.log(sample.population_size))


def _snb(sample: _Sample) -> float:
    """Slide negative binomial: size - 1 of a population class is NB(a, b).

    For each b, the ratio of the two equations of methods.md F.4 is quadratic in a
    with exactly one positive root; b is then where the first one holds. Of
    several solutions the one with most unique people is taken.
    """
    fraction, n_uniques = sample.fraction, sample.n_uniques
    n_classes = shlosser_classes(sample.sizes, sample.n_classes, fraction)
    ratio = 2 * sample.classes_of(2) / (fraction * n_uniques)
    if ratio == 0 or not (math.isfinite(n_classes) and n_classes > 0):
        return math.nan
    excess = math.log(n_classes * fraction / n_uniques)
    over = excess + _log_uniques(SNB_GRID, fraction, ratio)[0]
    turns = np.flatnonzero(np.sign(over[:-1]) != np.sign(over[1:]))
    shares = [_share_between(int(at), excess, fraction, ratio) for at in turns]
    return n_classes * max(shares, default=math.nan)


def _share_between(place: int, excess: float, fraction: float, ratio: float) -> float:
    """Pr(size 1) of a population class, for the b between two points of the grid."""
    low, high = SNB_GRID[place : place + 2]
    for _ in range(REFINEMENTS):
        grid = np.linspace(low, high, len(SNB_GRID))
        over = np.sign(excess + _log_uniques(grid, fraction, ratio)[0])
        first = int(np.argmax(over != over[0]))
        low, high = grid[first - 1 : first + 1]
    return math.exp(_log_uniques(np.array([high]), fraction, ratio)[1][0])


def _log_uniques(
    logits: FloatArray, fraction: float, ratio: float
) -> tuple[FloatArray, FloatArray]:
    """Of a population class: ln Pr(unique in the sample) / fraction, ln Pr(size 1).

    Parameters
    ----------
    logits : ndarray of float64, shape (n,)
        ln(b / (1 - b)).
    ratio : float, > 0
        2 s_2 / (fraction s_1), which determines a for each b.
    """
    b = 1 / (1 + np.exp(-logits))
    rest = 1 / (1 + np.exp(logits))
    d = (1 - fraction) * rest
    seen = b + fraction * rest
    linear = rest * (2 - d) - ratio * seen * d
    constant = ratio * seen**2
    root = np.sqrt(linear**2 + 4 * rest * d * constant)
    # The positive root of rest d a² + linear a - constant, without cancellation.
    a = np.where(linear > 0, 2 * constant / (linear + root), 0.0)
    other = linear <= 0
    a[other] = ((root - linear) / (2 * rest * d))[other]
    log_b = -np.logaddexp(0, -logits)
    in_sample = a * (log_b - np.log(seen)) + np.log1p(a * d / seen)
    return in_sample, a * log_b


def shlosser_classes(sizes: IntArray, n_classes: IntArray, fraction: float) -> float:
    """Estimate the number of classes in the population.

    Parameters
    ----------
    sizes, n_classes : ndarray of int64, shape (n_bins,)
        Sizes of the sample's classes and how many there are of each.
    fraction : float in (0, 1)

    References
    ----------
    .. [1] P. Haas, L. Stokes (1998), *Estimating the number of classes in a finite
       population*, JASA 93(444), the third of Shlosser's; methods.md F.4.
    """
    uniques = float(n_classes[sizes == 1].sum())
    absent = (1 - fraction) ** sizes
    both = np.exp(sizes * np.log1p(-(fraction**2)))
    found = sizes * fraction**2 * both / (1 - fraction**2)
    first = float((found * n_classes).sum() / ((both - absent) * n_classes).sum())
    single = sizes * fraction * absent / (1 - fraction)
    second = float((absent * n_classes).sum() / (single * n_classes).sum())
    return float(n_classes.sum() + uniques * first * second**2)


_ESTIMATE: dict[str, Callable[[_Sample], float]] = {
    "pitman": _pitman,
    "snb": _snb,
    "zayatz": _zayatz,
}
