"""Rules by which counts get noise: what a person decides, and what it means."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated, ClassVar

from deidgui.engine.arrays import AnyArray, FloatArray, IntArray
from deidgui.engine.counts.noise import discrete_gaussian
from deidgui.engine.counts.noise.distribution import (
    USUAL_SIGMA,
    NoiseTable,
    floored_gaussian,
    fresh_words,
    rounded_gaussian,
)
from deidgui.engine.parameters import (
    Declared,
    Help,
    Options,
    Proposed,
    Range,
    Registry,
)
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import Text, tr

Sigma = Annotated[
    float,
    Range(0.1, 1000),
    Proposed(USUAL_SIGMA),
    Help(
        "Standard deviation of the noise (σ)",
        "Klann et al. use 2.5; an attacker who averages fresh answers then needs "
        "about 24 repeats.",
    ),
]
Threshold = Annotated[
    int,
    Range(2, 1000),
    Proposed(11),
    Help(
        "Low counts are below",
        "Percentages and means that belong to a lower count are omitted (T).",
    ),
]
LockoutRepeats = Annotated[
    int | None,
    Range(1, 10_000),
    Help(
        "Repeats allowed",
        "So often the same question is answered before it is locked; i2b2 allows 7.",
    ),
]
LockoutDays = Annotated[
    int | None,
    Range(1, 3650),
    Help("Within days", "The period of the lockout; 30 days in i2b2."),
]


@dataclass(frozen=True)
class NoiseRule(Declared):
    """A rule by which counts get noise.

    Attributes
    ----------
    sigma : float
    threshold : int
        Counts from 1 to below it are low: what is computed from them is omitted.
    """

    sigma: Sigma
    threshold: Threshold

    summary: ClassVar[Text]

    @property
    def is_keyed(self) -> bool:
        """Whether the same question about the same data gets the same noise."""
        return False

    @property
    def keeps_zeros(self) -> bool:
        """Whether a count of zero stays zero."""
        return False

    def masks(self, count: int) -> bool:
        """Whether a count is masked instead."""
        return False

    @property
    def guarantee(self) -> tuple[float, float] | None:
        """Differential privacy of one release: rho, and epsilon at its delta."""
        return None

    @property
    def recomputes_only(self) -> bool:
        """Whether nothing may be released but what is computed from noisy counts."""
        return False

    @property
    @abstractmethod
    def variance(self) -> float:
        """Variance of the noise of a count."""

    @abstractmethod
    def chances(self) -> tuple[IntArray, FloatArray]:
        """Every value of the noise, ascending, and its chance."""

    @abstractmethod
    def draw(
        self,
        counts: IntArray,
        words: AnyArray | None = None,
        *,
        monitor: Monitor = NULL_MONITOR,
    ) -> IntArray:
        """Return counts with noise; no zero is treated apart.

        Parameters
        ----------
        counts : ndarray of int64
        words : ndarray of uint64, optional
            Keyed random words; None draws from the operating system.
        """

    @abstractmethod
    def words(self) -> tuple[str, ...]:
        """Say what is done to the counts, a sentence each."""

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of the noise of a count."""
        return math.sqrt(self.variance)

    def lockout_words(self) -> tuple[str, ...]:
        """Say what must hold where questions are answered anew."""
        repeats = getattr(self, "lockout_repeats", None)
        days = getattr(self, "lockout_days", None)
        if repeats is None or days is None:
            return ()
        return (
            tr(
                "The noise is fresh: whoever makes such tables again must answer the "
                "same question at most {repeats:time|times} in {days:day|days}.",
                repeats=repeats,
                days=days,
            ),
        )


NOISE_RULES: Registry[NoiseRule] = Registry("noise rule")
"""All rules; a person decides which one."""


@NOISE_RULES.register
@dataclass(frozen=True)
class RoundedGaussian(NoiseRule):
    """Every count gets a normal random number, rounded to an integer.

    References
    ----------
    .. [1] J. G. Klann et al., The Ad-Hoc Uncertainty Principle of Patient Privacy;
       methods.md D.3 and D.4.
    """

    zeros: Annotated[
        str,
        Options(("noise", "kept")),
        Proposed("noise"),
        Help(
            "Counts of zero",
            "Noise: treated as all others. Kept: they stay zero, and a table of the "
            "true zeros is kept apart from the release.",
        ),
    ]
    repeats: Annotated[
        str,
        Options(("keyed", "fresh")),
        Proposed("keyed"),
        Help(
            "The same question again",
            "Keyed: gets the same noise, so that averaging gains nothing. Fresh: gets "
            "new noise, and needs a lockout.",
        ),
    ]
    refresh: Annotated[
        str,
        Help(
            "Data refresh",
            "Name of the state of the data, as 2024-Q1; another name gives other "
            "noise.",
        ),
    ] = ""
    lockout_repeats: LockoutRepeats = None
    lockout_days: LockoutDays = None

    kind: ClassVar[str] = "rounded_gaussian"
    title: ClassVar[Text] = "Gaussian noise, rounded"
    summary: ClassVar[Text] = (
        "The rule of Klann et al.: an ad-hoc rule without a formal guarantee, easy to "
        "explain and to add up."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        has_lockout = None not in (self.lockout_repeats, self.lockout_days)
        if self.repeats == "fresh" and not has_lockout:
            raise ConfigError("noise_needs_lockout", model=self.kind)

    @property
    def is_keyed(self) -> bool:
        """Whether the same question gets the same noise."""
        return self.repeats == "keyed"

    @property
    def keeps_zeros(self) -> bool:
        """Whether a count of zero stays zero."""
        return self.zeros == "kept"

    @property
    def table(self) -> NoiseTable:
        """Distribution of the noise."""
        return rounded_gaussian(self.sigma)

    @property
    def variance(self) -> float:
        """Variance of the noise: sigma² + 1/12, or nearly."""
        return self.table.variance

    def chances(self) -> tuple[IntArray, FloatArray]:
        """Every value of the noise, and its chance."""
        return self.table.chances()

    def draw(
        self,
        counts: IntArray,
        words: AnyArray | None = None,
        *,
        monitor: Monitor = NULL_MONITOR,
    ) -> IntArray:
        """Add rounded noise to counts; negative results stay."""
        monitor.report(0.0, "noise")
        drawn = fresh_words(len(counts)) if words is None else words
        return counts + self.table.from_words(drawn)

    def words(self) -> tuple[str, ...]:
        """Say what is done to the counts."""
        found = [
            tr(
                "Every count that is not masked has random noise: a normal random "
                "number with standard deviation {sigma}, rounded to an integer.",
                sigma=f"{self.sigma:g}",
            ),
            tr(
                "Negative counts are kept: setting them to zero would make sums too "
                "high."
            ),
        ]
        if self.keeps_zeros:
            found.append(tr("Counts of zero have no noise."))
        if self.is_keyed:
            found.append(
                tr(
                    "With the same key, the same question about the same data gets the "
                    "same noise, so asking again and averaging gains nothing."
                )
            )
        return (*found, *self.lockout_words())


@NOISE_RULES.register
@dataclass(frozen=True)
class DiscreteGaussian(NoiseRule):
    """Every count gets exact discrete Gaussian noise, with a formal guarantee.

    Notes
    -----
    Drawn with integers alone from the operating system. Percentages are computed from
    counts with noise and means are omitted, since nothing may depend on a true count
    otherwise.

    References
    ----------
    .. [1] C. Canonne, G. Kamath, T. Steinke (2020), The Discrete Gaussian for
       Differential Privacy, NeurIPS 33.
    """

    counts_per_person: Annotated[
        int,
        Range(1, 1_000_000),
        Proposed(1),
        Help(
            "Counts that one person is in",
            "At most so many of the published counts contain the same person. The "
            "guarantee rests on it.",
        ),
    ]
    delta: Annotated[
        float,
        Range(0, 0.01, open_low=True),
        Proposed(1e-6),
        Help("Delta (δ)", "For the guarantee in ε and δ; far below 1 / people."),
    ]
    lockout_repeats: LockoutRepeats = None
    lockout_days: LockoutDays = None

    kind: ClassVar[str] = "discrete_gaussian"
    title: ClassVar[Text] = "Discrete Gaussian noise, with a guarantee"
    summary: ClassVar[Text] = (
        "Exact integer noise of Canonne, Kamath and Steinke: differential privacy, "
        "stated in ρ and in ε and δ."
    )

    @property
    def recomputes_only(self) -> bool:
        """Nothing else is released, or the guarantee would not hold."""
        return True

    @property
    def variance(self) -> float:
        """Variance of the noise; at most sigma²."""
        return discrete_gaussian.discrete_variance(self.sigma)

    @property
    def guarantee(self) -> tuple[float, float]:
        """Differential privacy of one release: rho, and epsilon at its delta."""
        return self.rho, self.epsilon

    @property
    def rho(self) -> float:
        """Parameter of zero-concentrated differential privacy, of one release."""
        return discrete_gaussian.rho_of(self.sigma, self.counts_per_person)

    @property
    def epsilon(self) -> float:
        """Parameter of (epsilon, delta)-differential privacy, of one release."""
        return discrete_gaussian.epsilon_of(self.rho, self.delta)

    def chances(self) -> tuple[IntArray, FloatArray]:
        """Every value of the noise, and its chance."""
        return discrete_gaussian.discrete_chances(self.sigma)

    def draw(
        self,
        counts: IntArray,
        words: AnyArray | None = None,
        *,
        monitor: Monitor = NULL_MONITOR,
    ) -> IntArray:
        """Add exact discrete noise to counts; keyed words are not used."""
        assert words is None, "always drawn anew"
        return counts + discrete_gaussian.draw_discrete_gaussian(
            self.sigma, len(counts), monitor=monitor
        )

    def words(self) -> tuple[str, ...]:
        """Say what is done to the counts and what it guarantees."""
        return (
            tr(
                "Every count that is not masked has exact discrete Gaussian noise with "
                "σ = {sigma}.",
                sigma=f"{self.sigma:g}",
            ),
            tr(
                "Guarantee: ρ-zero-concentrated differential privacy with ρ = {rho}, "
                "and (ε, δ)-differential privacy with ε = {epsilon} at δ = {delta}, "
                "for people who are in at most {n:count|counts}.",
                rho=f"{self.rho:.4g}",
                epsilon=f"{self.epsilon:.4g}",
                delta=f"{self.delta:.15f}".rstrip("0"),
                n=self.counts_per_person,
            ),
            tr(
                "Each further release of the same people adds its ρ to that of the "
                "earlier ones."
            ),
            tr(
                "Negative counts are kept: setting them to zero would make sums too "
                "high."
            ),
            *self.lockout_words(),
        )


_STEP = 5


@NOISE_RULES.register
@dataclass(frozen=True)
class SasCompatible(NoiseRule):
    """What the published SAS file does, which is not what its paper says.

    Notes
    -----
    floor instead of rounding (half a count too low on average), results rounded to
    the nearest 5, low counts masked with what belongs to them, zeros kept.

    References
    ----------
    .. [1] methods.md D.3 and H.4, after the file in ARCH-commons/arch-utils.
    """

    lockout_repeats: LockoutRepeats = None
    lockout_days: LockoutDays = None

    kind: ClassVar[str] = "sas_compatible"
    title: ClassVar[Text] = "SAS-compatible mode"
    summary: ClassVar[Text] = (
        "For tables that must look like those of the published SAS file: counts are "
        "biased by half a count, rounded to 5, and low ones masked."
    )

    @property
    def keeps_zeros(self) -> bool:
        """Zeros stay zero."""
        return True

    @property
    def variance(self) -> float:
        """Variance over all counts: of floor(Z), and of rounding to 5."""
        return floored_gaussian(self.sigma).variance + (_STEP**2 - 1) / 12

    def chances(self) -> tuple[IntArray, FloatArray]:
        """Every value of the noise before rounding to 5, and its chance."""
        return floored_gaussian(self.sigma).chances()

    def draw(
        self,
        counts: IntArray,
        words: AnyArray | None = None,
        *,
        monitor: Monitor = NULL_MONITOR,
    ) -> IntArray:
        """Add floored noise and round to 5."""
        monitor.report(0.0, "noise")
        drawn = fresh_words(len(counts)) if words is None else words
        noisy = counts + floored_gaussian(self.sigma).from_words(drawn)
        found: IntArray = (2 * noisy + _STEP) // (2 * _STEP) * _STEP
        return found

    def masks(self, count: int) -> bool:
        """Whether a count is masked instead."""
        return 0 < count < self.threshold

    def words(self) -> tuple[str, ...]:
        """Say what is done to the counts."""
        return (
            tr(
                "SAS-compatible mode: the integer part of a normal random number with "
                "standard deviation {sigma} is added, which makes counts half a count "
                "too low on average, and the result is rounded to 5.",
                sigma=f"{self.sigma:g}",
            ),
            tr(
                "Counts from 1 to {most} are masked (T); counts of zero have no noise.",
                most=self.threshold - 1,
            ),
            *self.lockout_words(),
        )
