"""Are few enough people of the population expected to look like nobody else?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from deidgui.engine.arrays import BoolArray
from deidgui.engine.data.classes import Classes
from deidgui.engine.parameters import Help, Options, Range
from deidgui.engine.privacy.base import PRIVACY_MODELS, TOLERANCE, ReleaseModel
from deidgui.engine.privacy.prefixes import without_first
from deidgui.engine.risk.class_sizes import ClassSizes, class_size_histogram
from deidgui.engine.risk.uniqueness import ESTIMATORS, population_uniqueness


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
    withheld: they are records of its people nonetheless, and those that remain are a
    smaller sample of it.

    If the share is too high, or cannot be estimated because the model does not fit,
    records that are alone in their class are withheld one at a time; without one
    nobody in the population is expected to be unique. How many go is found by
    bisection: that many are enough, and one fewer is not. Nobody has proven that the
    estimates only fall, so that still fewer could be enough; each step up the number
    is one that an estimate asked for. For the same reason nothing is known of less
    general nodes.

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
        Help(
            "Share of unique people",
            "How many people of the population may look like nobody else in it.",
        ),
    ]
    sampling_fraction: Annotated[
        float,
        Range(1e-9, 1),
        Help("Share of the population", "How much of the population the records are."),
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
        return (
            f"By estimate, at most {100 * self.threshold:.4g} % of the people of the "
            "population look like nobody else in it."
        )

    def restrict(self, classes: Classes, kept: BoolArray) -> BoolArray:
        """Withhold unique records (see `PrivacyModel.restrict`)."""
        counts = classes.counts
        n_people = round(classes.class_table.n_records / self.sampling_fraction)
        n_first = self._n_first(class_size_histogram(counts[kept]), n_people)
        return without_first(classes, kept, n_first, counts)

    def _n_first(self, sizes: ClassSizes, n_people: int) -> int:
        """How many unique records must go, by bisection."""
        if self._is_met(sizes, 0, n_people):
            return 0
        too_few, enough = 0, sizes.n_uniques
        while enough - too_few > 1:
            middle = (too_few + enough) // 2
            if self._is_met(sizes, middle, n_people):
                enough = middle
            else:
                too_few = middle
        return enough

    def _is_met(self, sizes: ClassSizes, n_gone: int, n_people: int) -> bool:
        """Whether few enough people are unique without some unique records."""
        left, allowed = sizes.without_uniques(n_gone), self.threshold + TOLERANCE
        if self.sampling_fraction == 1:  # Everybody is known: nothing is estimated.
            return left.n_uniques <= allowed * n_people
        n_records = int(left.n_records.sum())
        if not n_records:
            return True
        found = population_uniqueness(left, n_records / n_people, self.estimator)
        return found.is_valid and found.share <= allowed
