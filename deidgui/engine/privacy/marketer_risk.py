"""Marketer risk: the share of records matched when all of them are searched for."""

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
class MarketerRisk(ReleaseModel):
    """(1/n) Σ f/F over the released classes is at most a threshold.

    n is the number of released records, f and F are the records and the people of
    a class.

    Parameters
    ----------
    threshold : float in (0, 1]
        Highest allowed share of records that are matched correctly on average
        when all of them are matched with the population at random in each class.

    Notes
    -----
    Classes with the fewest people are suppressed first, one at a time; of those with as
    many people the one with the fewest records. A record adds 1/F - threshold to what
    is too much, and the largest of these go first. The last class may have more
    records than were needed, so another choice can suppress fewer.

    The number of suppressed records can grow upwards: a released class of one record
    and 5 people may be merged with a suppressed one of one record and one person. Of
    two records among 6 people 2/6 of a match is expected, which was 1/5, and the
    other released classes need not make up for it.

    References
    ----------
    .. [1] F. Dankar, K. El Emam (2010), *A method for evaluating marketer
       re-identification risk*, PAIS; methods.md E.9 and F.1.
    """

    kind = "marketer_risk"
    title = "Marketer risk"
    monotone_generalization = True
    monotone_suppression = False
    needs_population = True
    sources = ("Dankar and El Emam 2010",)
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
            "Share matched",
            "How much of the release may be matched with the right person when all of "
            "it is matched with the population.",
        ),
    ]

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "Somebody who matches all released records with the population is right "
            "for at most {threshold} of them on average.",
            threshold=per_cent(self.threshold),
        )

    def restrict(self, classes: EquivalenceClasses, kept: BoolArray) -> BoolArray:
        """Suppress the classes with the fewest people (see `PrivacyModel.restrict`)."""
        population, counts = classes.population.sizes, classes.counts
        found = SmallestPopulations.of(population[kept], counts[kept], self.threshold)
        return without_first(classes, kept, found.n_for_records(), population, counts)

    def least_suppressed(self, classes: EquivalenceClasses) -> int:
        """Fewest records suppressed here and below (see `PrivacyModel`).

        Whatever is suppressed at a less general node can be suppressed here as parts of
        classes: the same records, each with more people, are matched less.
        """
        population = classes.population.sizes
        found = SmallestPopulations.of(population, classes.counts, self.threshold)
        return found.least_for_records()
