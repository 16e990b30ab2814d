"""Population uniqueness: the share of people expected to be unique."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.parameters import PER_CENT, Help, Options, Proposed, Range
from deidgui.engine.privacy.base import PRIVACY_MODELS, ReleaseModel
from deidgui.engine.privacy.prefixes import without_first
from deidgui.engine.privacy.rounding import TOLERANCE
from deidgui.engine.risk.class_sizes import ClassSizes, class_size_histogram
from deidgui.engine.risk.uniqueness import (
    ESTIMATORS,
    SMALL_FRACTION,
    population_uniqueness,
)
from deidgui.text import per_cent, tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class PopulationUniqueness(ReleaseModel):
    """Estimated (unique people) / (people of the population) <= a threshold.

    Parameters
    ----------
    threshold : float in [0, 1]
    sampling_fraction : float in [1e-9, 1]
        Share of the population that the records are.
    estimator : {"dankar", "pitman", "snb", "zayatz"}

    Notes
    -----
    The population stays as large as the whole table says, however many records are
    suppressed: they are records of its people nonetheless, and those that remain are a
    smaller sample of it.

    If the share is too high, or cannot be estimated because the model does not fit,
    records that are alone in their class are suppressed one at a time; without one
    nobody in the population is expected to be unique. How many go is found by
    bisection for each estimator that may decide, the fewest that will do are taken,
    and one fewer will not. Nobody has proven that an estimate falls with every
    record, so still fewer could do. Estimators can even stop to fit: with ever fewer
    unique records Pitman's model first finds few unique people and then does not
    apply. For the same reason nothing is known of less general nodes.

    References
    ----------
    .. [1] F. Dankar, K. El Emam, A. Neisa, T. Roffey (2012), *Estimating the
       re-identification risk of clinical data sets*, BMC Medical Informatics and
       Decision Making 12:66; methods.md B.5 and F.4.
    """

    kind = "population_uniqueness"
    title = "Population uniqueness"
    monotone_generalization = False
    monotone_suppression = False
    sources = (
        "Dankar, El Emam, Neisa and Roffey 2012",
        "Zayatz 1991",
        "Hoshino 2001",
        "Chen and Keller-McNulty 1998",
    )
    assumptions = (
        "quasi_identifiers_complete",
        "one_record_per_person",
        "sampled_at_random",
    )

    threshold: Annotated[
        float,
        Range(0, 1),
        Proposed(0.01),
        PER_CENT,
        Help(
            "Share of unique people",
            "How many people of the population may look like nobody else in it.",
        ),
    ]
    sampling_fraction: Annotated[
        float,
        Range(1e-9, 1),
        Proposed(0.1),
        PER_CENT,
        Help("Share of the population", "How much of the population is in the data."),
    ]
    estimator: Annotated[
        str,
        Options(ESTIMATORS),
        Help(
            "Estimator",
            "“dankar” chooses among the three others by the share of the population.",
        ),
    ] = "dankar"

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "By estimate, at most {threshold} of the people of "
            "the population look like nobody else in it.",
            threshold=per_cent(self.threshold),
        )

    def restrict(self, classes: EquivalenceClasses, kept: BoolArray) -> BoolArray:
        """Suppress unique records (see `PrivacyModel.restrict`)."""
        counts = classes.counts
        population_size = round(classes.class_table.n_records / self.sampling_fraction)
        n_first = self._n_first(class_size_histogram(counts[kept]), population_size)
        return without_first(classes, kept, n_first, counts)

    def _n_first(self, sizes: ClassSizes, population_size: int) -> int:
        """How many unique records must go: fewer by one are not enough."""

        def is_met(n_gone: int) -> bool:
            found = self._estimated(sizes, n_gone, population_size, self.estimator)
            return found <= self.threshold + TOLERANCE

        if is_met(0):
            return 0
        enough = sizes.n_uniques
        for estimator in self._deciding:
            n_gone = self._bisected(sizes, population_size, estimator)
            if n_gone < enough and is_met(n_gone):
                enough = n_gone
        if enough == sizes.n_uniques:  # Perhaps no model fits before: the long way.
            enough = _bisect(lambda n_gone: not is_met(n_gone), enough)
        while is_met(enough - 1):
            enough -= 1
        return enough

    def share_in(
        self, counts: IntArray, n_everybody: int, times: float = 1.0
    ) -> float | None:
        """Share of unique people, as estimated; None if the estimate does not fit.

        Parameters
        ----------
        counts : ndarray of int64, shape (n_classes,), each >= 1
            Released records of each class.
        n_everybody : int
            Records of the whole table.
        times : float, > 0
            How many times as many people the population has; never fewer than records.
        """
        fraction = min(1.0, self.sampling_fraction / times)
        other = replace(self, sampling_fraction=fraction)
        found = other._estimated(
            class_size_histogram(counts),
            0,
            round(n_everybody / fraction),
            self.estimator,
        )
        return found if math.isfinite(found) else None

    @property
    def _deciding(self) -> tuple[str, ...]:
        """Estimators whose figures can be the asked one's."""
        if self.estimator != "dankar":
            return (self.estimator,)
        if self.sampling_fraction <= SMALL_FRACTION:
            return ("pitman",)  # Zayatz's figure stands only where it does not fit.
        return ("zayatz", "snb")

    def _bisected(self, sizes: ClassSizes, population_size: int, estimator: str) -> int:
        """How many go until an estimate is low enough, or is none any more."""

        def is_too_high(n_gone: int) -> bool:
            found = self._estimated(sizes, n_gone, population_size, estimator)
            return math.isfinite(found) and found > self.threshold + TOLERANCE

        return _bisect(is_too_high, sizes.n_uniques)

    def _estimated(
        self, sizes: ClassSizes, n_gone: int, population_size: int, estimator: str
    ) -> float:
        """Share of unique people without some unique records; infinite if unknown."""
        left = sizes.without_uniques(n_gone)
        if self.sampling_fraction == 1:  # Everybody is known: nothing is estimated.
            return left.n_uniques / population_size
        n_records = int(left.n_records.sum())
        if not n_records:
            return 0.0
        found = population_uniqueness(left, n_records / population_size, estimator)
        return found.share if found.is_valid else math.inf


def _bisect(is_too_few: Callable[[int], bool], largest: int) -> int:
    """Least number in [1, largest] that is enough, if more always are."""
    too_few, enough = 0, largest
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        if is_too_few(middle):
            too_few = middle
        else:
            enough = middle
    return enough
