"""Are few enough people of the population expected to look like nobody else?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.data.classes import Classes
from deidgui.engine.parameters import Help, Options, Range
from deidgui.engine.privacy.base import PRIVACY_MODELS, TOLERANCE, PrivacyModel
from deidgui.engine.risk.class_sizes import class_size_histogram
from deidgui.engine.risk.uniqueness import ESTIMATORS, population_uniqueness


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class PopulationUniqueness(PrivacyModel):
    """Estimated (unique people) / (people of the population) <= a threshold.

    Parameters
    ----------
    threshold : float in [0, 1]
    sampling_fraction : float in [1e-9, 1]
        Share of the population that the records are.
    estimator : {"dankar", "pitman", "snb", "zayatz"}

    Notes
    -----
    The people are those whom the released records stand for, at the same sampling
    fraction. If the share is too high, or cannot be estimated because the model does
    not fit, all records that are alone in their class are withheld: without one
    nobody in the population is expected to be unique, so more never have to go.

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
    is_by_class = False
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

    def holds(self, classes: Classes) -> BoolArray:
        """Which classes may be released, if all others that may be are."""
        return self.restrict(classes, np.ones(classes.n_classes, dtype=np.bool_))

    def restrict(self, classes: Classes, kept: BoolArray) -> BoolArray:
        """Withhold the unique records if need be (see `PrivacyModel.restrict`)."""
        if self._is_met(classes.counts[kept]):
            return kept.copy()
        return np.asarray(kept & (classes.counts > 1))

    def _is_met(self, sizes: IntArray) -> bool:
        found = population_uniqueness(
            class_size_histogram(sizes), self.sampling_fraction, self.estimator
        )
        return found.is_valid and found.share <= self.threshold + TOLERANCE
