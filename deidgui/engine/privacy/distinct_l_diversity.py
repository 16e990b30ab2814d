"""Distinct ℓ-diversity: at least ℓ different sensitive values in each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.parameters import Help, Proposed, Range, Unit
from deidgui.engine.privacy.base import (
    LARGEST_K,
    PRIVACY_MODELS,
    ClassModel,
    SensitiveAttribute,
)
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class DistinctLDiversity(ClassModel):
    """Every class has at least l different values of the sensitive attribute.

    Parameters
    ----------
    attribute : str
        The sensitive attribute; missing values count as one value.
    diversity : int, in [2, 100000]
        The l of the literature.

    References
    ----------
    .. [1] A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam (2007),
       *l-Diversity: Privacy Beyond k-Anonymity*, ACM TKDD 1(1), section 4;
       methods.md B.5.
    """

    kind = "distinct_l_diversity"
    title = "ℓ-diversity, distinct values"
    monotone_generalization = True
    monotone_suppression = True
    needs_sensitive = True
    takes_sets = True
    sources = ("Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007",)
    assumptions = ("quasi_identifiers_complete", "one_record_per_person")

    attribute: SensitiveAttribute
    diversity: Annotated[
        int,
        Range(2, LARGEST_K),
        Proposed(2),
        Unit("values"),
        Help("Different values", "How many different values a group must have."),
    ]

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "Every group that looks alike has at least {diversity:different "
            "value|different values} of “{attribute}”.",
            diversity=self.diversity,
            attribute=self.attribute,
        )

    @property
    def depth(self) -> int:
        """Size that every released class has at least."""
        return self.diversity

    def holds(self, classes: EquivalenceClasses) -> BoolArray:
        """Which classes may be released (see `PrivacyModel.holds`)."""
        found = classes.distribution(self.attribute)
        holds = np.diff(found.starts) >= self.diversity
        if found.is_of_sets and self.diversity > 1:
            # What everybody has is told of everybody, whatever else they have.
            most = np.maximum.reduceat(found.counts, found.starts[:-1])
            holds &= most < classes.counts
        return np.asarray(holds, dtype=np.bool_)
