"""Recursive (c, ℓ)-diversity: limits the share of the most common sensitive value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.parameters import Help, Proposed, Range, Unit
from deidgui.engine.privacy.base import (
    LARGEST_K,
    PRIVACY_MODELS,
    SensitiveAttribute,
    SensitiveModel,
)
from deidgui.engine.privacy.rounding import TOLERANCE
from deidgui.lazy import LazyModule
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses
    from deidgui.engine.privacy import kernels
else:
    kernels = LazyModule("deidgui.engine.privacy.kernels")


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class RecursiveCLDiversity(SensitiveModel):
    """The commonest value of each class occurs less than c times as often as the rest.

    With the records per value in descending order, r_1 < c (r_l + ... + r_m): even who
    can rule out l - 2 values is not left with a single likely one.

    Parameters
    ----------
    attribute : str
        The sensitive attribute; missing values count as one value.
    c : float, > 0
    diversity : int, in [2, 100000]
        The l of the literature.

    References
    ----------
    .. [1] A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam (2007),
       *l-Diversity: Privacy Beyond k-Anonymity*, ACM TKDD 1(1), definition 4.2;
       methods.md B.5.
    """

    kind = "recursive_cl_diversity"
    title = "ℓ-diversity, recursive (c, ℓ)"
    sources = ("Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007",)
    assumptions = ("quasi_identifiers_complete", "one_record_per_person")

    attribute: SensitiveAttribute
    c: Annotated[
        float,
        Range(0, LARGEST_K, open_low=True),
        Proposed(3.0),
        Help(
            "Factor",
            "How many times as common as the rarer values together the commonest "
            "one must stay below.",
        ),
    ]
    diversity: Annotated[
        int,
        Range(2, LARGEST_K),
        Proposed(2),
        Unit("values"),
        Help("Different values", "The rarer values are counted from this one on."),
    ]

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "Among records that look alike, the commonest value of "
            "“{attribute}” occurs less than {c:.4g} times as often as "
            "the values from number {diversity} on together.",
            attribute=self.attribute,
            c=self.c,
            diversity=self.diversity,
        )

    @property
    def depth(self) -> int:
        """Different values, and so records, that every released class has at least."""
        return self.diversity

    def holds(self, classes: EquivalenceClasses) -> BoolArray:
        """Which classes may be released (see `PrivacyModel.holds`)."""
        found = classes.distribution(self.attribute)
        entries = found.starts, found.counts, classes.counts
        return np.asarray(kernels.is_recursive(*entries, self._factor, self.diversity))

    @property
    def _factor(self) -> float:
        """Strict: what is equal must fail whatever the rounding of c."""
        return self.c * (1 - TOLERANCE)

    def most_released(self, classes: EquivalenceClasses) -> IntArray:
        """Most records of each class (see `PrivacyModel.most_released`)."""
        found = classes.distribution(self.attribute)
        entries = found.starts, found.counts, classes.counts
        fits = self.holds(classes)
        return np.asarray(
            kernels.most_recursive(*entries, fits, self._factor, self.diversity)
        )
