"""Is a small enough share of the records matched when somebody matches them all?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.data.classes import Classes
from deidgui.engine.parameters import Help, Range
from deidgui.engine.privacy.base import LARGEST_K, PRIVACY_MODELS, PrivacyModel
from deidgui.engine.privacy.population_tiers import PopulationTiers


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class MarketerRisk(PrivacyModel):
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
    Classes with the fewest people are withheld first, and all classes with as many
    people together: which ones go does not depend on their order. A record adds
    1/F - threshold to what is too much; the largest of these go first, so withholding
    the tiers before the last one would not have been enough, nor would any other
    set with as many records as them.

    References
    ----------
    .. [1] F. Dankar, K. El Emam (2010), *A method for evaluating marketer
       re-identification risk*, PAIS; methods.md E.9 and F.1.
    """

    kind = "marketer_risk"
    title = "Marketer risk"
    monotone_generalization = True
    monotone_suppression = False
    is_by_class = False
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
        Help(
            "Share matched",
            "How many of the records may be matched with the right person when all "
            "of them are matched with the population.",
        ),
    ]

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return (
            "Somebody who matches all released records with the population is right "
            f"for at most {100 * self.threshold:.4g} % of them on average."
        )

    def holds(self, classes: Classes) -> BoolArray:
        """Which classes may be released, if all others that may be are."""
        return self.restrict(classes, np.ones(classes.n_classes, dtype=np.bool_))

    def restrict(self, classes: Classes, kept: BoolArray) -> BoolArray:
        """Withhold the classes with the fewest people (see `PrivacyModel.restrict`)."""
        people = classes.population.sizes
        tiers = PopulationTiers.of(people[kept], classes.counts[kept])
        fine = tiers.fine_for_records(self.threshold)
        return np.asarray(kept & (people >= tiers.least_size(fine)))

    def least_withheld(self, classes: Classes) -> int:
        """Fewest records withheld here and below (see `PrivacyModel.least_withheld`).

        Whatever is withheld at a less general node can be withheld here as parts of
        classes: the same records, each with more people, are matched less.
        """
        tiers = PopulationTiers.of(classes.population.sizes, classes.counts)
        return tiers.least_withheld(self.threshold)
