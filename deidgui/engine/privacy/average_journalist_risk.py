"""Is a released record matched too surely on average by a search of the population?"""

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
class AverageJournalistRisk(PrivacyModel):
    """max(J / ΣF, (1/n) Σ f/F) over the released classes is at most a threshold.

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
    Classes with the fewest people are withheld first, and all classes with as many
    people together: which ones go does not depend on their order. Both figures are
    weighted means of 1/F, so each tier that goes lowers both. For the mean over the
    records no other order keeps more (see `MarketerRisk`). For the mean over the
    people another choice might: a class of few records among its people lowers that
    mean more cheaply. It is not taken, because it would release records that are
    matched more surely than the withheld ones.

    References
    ----------
    .. [1] K. El Emam (2013), *Guide to the De-Identification of Personal Health
       Information*, chapter 16 (R_c of the journalist); methods.md F.1.
    """

    kind = "average_journalist_risk"
    title = "Average risk in the population"
    monotone_generalization = True
    monotone_suppression = False
    is_by_class = False
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
        Help(
            "Average probability",
            "How likely it may be on average that a record is matched with the right "
            "person of the population.",
        ),
    ]

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return (
            "On average, somebody who looks for a person of the population, not "
            "knowing whether they are in the data, matches the right record with a "
            f"probability of at most {self.threshold:.4g}."
        )

    def holds(self, classes: Classes) -> BoolArray:
        """Which classes may be released, if all others that may be are."""
        return self.restrict(classes, np.ones(classes.n_classes, dtype=np.bool_))

    def restrict(self, classes: Classes, kept: BoolArray) -> BoolArray:
        """Withhold the classes with the fewest people (see `PrivacyModel.restrict`)."""
        people = classes.population.sizes
        tiers = PopulationTiers.of(people[kept], classes.counts[kept])
        fine = tiers.fine_for_records(self.threshold)
        fine &= tiers.fine_for_people(self.threshold)
        return np.asarray(kept & (people >= tiers.least_size(fine)))

    def least_withheld(self, classes: Classes) -> int:
        """Fewest records withheld here and below, for the mean over the records.

        See `MarketerRisk.least_withheld`; the mean over the people only adds to it.
        """
        tiers = PopulationTiers.of(classes.population.sizes, classes.counts)
        return tiers.least_withheld(self.threshold)
