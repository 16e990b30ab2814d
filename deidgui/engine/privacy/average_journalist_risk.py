"""Average journalist risk: the mean probability of a match in the population."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from deidgui.engine.arrays import BoolArray
from deidgui.engine.parameters import PER_CENT, Help, Proposed, Range
from deidgui.engine.privacy.base import LARGEST_K, PRIVACY_MODELS, ReleaseModel
from deidgui.engine.privacy.prefixes import without_first
from deidgui.engine.privacy.smallest_populations import SmallestPopulations
from deidgui.text import per_cent, tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class AverageJournalistRisk(ReleaseModel):
    """Both J / ΣF and (1/n) Σ f/F over the released classes are at most a threshold.

    J is the number of released classes, n that of released records, f and F are
    the records and the people of a class.

    Parameters
    ----------
    threshold : float in (0, 1]
        Highest allowed mean of the probability that an adversary who knows a
        person of the population, not whether they are in the data, picks their
        record: over the people of the released classes, and over the records.

    Notes
    -----
    Classes with the fewest people are suppressed first, one at a time; of those with as
    many people the one with the fewest records. Both figures are weighted means of
    1/F, so each class that goes lowers both, until they are low enough. For the mean
    over the records no other order does with fewer records, but for those of the last
    class. For the mean over the people another choice might: a class of few records
    among its people lowers that mean more cheaply. It is not taken, because it would
    release records that are matched more surely than the suppressed ones.

    As with `MarketerRisk` the number of suppressed records can grow upwards. It cannot
    if the population is a sampling fraction: then the model is `AverageProsecutorRisk`
    with another threshold.

    References
    ----------
    .. [1] K. El Emam (2013), *Guide to the De-Identification of Personal Health
       Information*, chapter 16 (R_c of the journalist); methods.md F.1.
    """

    kind = "average_journalist_risk"
    title = "Average risk in the population"
    monotone_generalization = True
    monotone_suppression = False
    needs_population = True
    sources = ("El Emam 2013",)
    assumptions = (
        "quasi_identifiers_complete",
        "one_record_per_person",
        "population_is_right",
    )

    threshold: Annotated[
        float,
        Range(1 / LARGEST_K, 1),
        Proposed(0.1),
        PER_CENT,
        Help(
            "Average probability",
            "How likely it may be on average that a match finds the right "
            "person of the population.",
        ),
    ]

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "On average, somebody who looks for a person of the population, not "
            "knowing whether they are in the data, matches the right record with a "
            "probability of at most {threshold}.",
            threshold=per_cent(self.threshold),
        )

    def restrict(self, classes: EquivalenceClasses, kept: BoolArray) -> BoolArray:
        """Suppress the classes with the fewest people (see `PrivacyModel.restrict`)."""
        population, counts = classes.population.sizes, classes.counts
        found = SmallestPopulations.of(population[kept], counts[kept], self.threshold)
        n_first = max(found.n_for_records(), found.n_for_population())
        return without_first(classes, kept, n_first, population, counts)

    def least_suppressed(self, classes: EquivalenceClasses) -> int:
        """Fewest records suppressed here and below (see `PrivacyModel`).

        For the mean over the records see `MarketerRisk.least_suppressed`. For the mean
        over the people, release the classes here that contain one released below:
        they are not more, and have no fewer people and records.
        """
        population = classes.population.sizes
        found = SmallestPopulations.of(population, classes.counts, self.threshold)
        return max(found.least_for_records(), found.least_for_population())
