"""Highest journalist risk: the probability of a match in the population."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.parameters import PER_CENT, Help, Proposed, Range
from deidgui.engine.privacy.base import LARGEST_K, PRIVACY_MODELS, ClassModel
from deidgui.text import per_cent, tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses

TOLERANCE = 1e-9
"""Keeps 1/5 at or below 0.2 whatever the rounding (methods.md 0)."""


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class HighestJournalistRisk(ClassModel):
    """1 / (people of the smallest released class) is at most a threshold.

    Parameters
    ----------
    threshold : float in (0, 1]
        Highest allowed probability that an adversary who knows a person of the
        population, not whether they are in the data, picks their record.

    References
    ----------
    .. [1] K. El Emam (2013), *Guide to the De-Identification of Personal Health
       Information*, chapter 16 (R_b of the journalist); methods.md F.1.
    """

    kind = "highest_journalist_risk"
    title = "Highest risk in the population"
    monotone_generalization = True
    monotone_suppression = True
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
        Proposed(0.2),
        PER_CENT,
        Help(
            "Highest probability",
            "How likely it may be at most that a match finds the right "
            "person of the population.",
        ),
    ]

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "Somebody who looks for a person of the population, not "
            "knowing whether they are in the data, matches the right "
            "record with a probability of at most {threshold}.",
            threshold=per_cent(self.threshold),
        )

    def holds(self, classes: EquivalenceClasses) -> BoolArray:
        """Which classes have enough people (see `PrivacyModel.holds`)."""
        population = classes.population.sizes
        return np.asarray(population * self.threshold >= 1 - TOLERANCE, dtype=np.bool_)
