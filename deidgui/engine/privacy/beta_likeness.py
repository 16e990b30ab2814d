"""The models of β-likeness: no value is much more common in a class than in all."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.parameters import Help, Proposed, Range
from deidgui.engine.privacy.base import (
    LARGEST_K,
    PRIVACY_MODELS,
    SensitiveAttribute,
    UnitingModel,
)
from deidgui.engine.privacy.rounding import TOLERANCE
from deidgui.engine.privacy.share_caps import largest_capped_parts, shares_between
from deidgui.lazy import LazyModule
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses
    from deidgui.engine.privacy import kernels
else:
    kernels = LazyModule("deidgui.engine.privacy.kernels")

LargestGain = Annotated[
    float,
    Range(0, LARGEST_K, open_low=True),
    Proposed(1.0),
    Help(
        "Largest gain",
        "With 1, no value is more than twice as common in a group as in the whole "
        "file.",
    ),
]
"""Type of the parameter ``beta`` of β-likeness."""


class CappedShares(UnitingModel):
    """No sensitive value has a larger share of a class than its cap."""

    sources = ("Cao and Karras 2012",)
    assumptions = ("quasi_identifiers_complete", "table_shares_are_known")

    @abstractmethod
    def caps(self, classes: EquivalenceClasses) -> FloatArray:
        """Largest share of each sensitive value: float64, shape (n_values,)."""

    def holds(self, classes: EquivalenceClasses) -> BoolArray:
        """Which classes may be released (see `PrivacyModel.holds`).

        A cap is a product of three roundings and a class's share one more: with a
        tolerance of 1e-12 what is equal to its cap stays so.
        """
        caps = self.caps(classes) * (1 + TOLERANCE)
        found = classes.distribution(self.attribute)
        return shares_between(found, classes.counts, np.zeros(len(caps)), caps)

    def excess(self, classes: EquivalenceClasses) -> FloatArray:
        """Weigh the values of each class (see `UnitingModel.excess`)."""
        caps = self.caps(classes) * (1 + TOLERANCE)
        found = classes.distribution(self.attribute)
        entries = found.starts, found.codes, found.counts, classes.counts
        return np.asarray(kernels.cap_excess(*entries, caps))

    def most_released(self, classes: EquivalenceClasses) -> IntArray:
        """Most records of each class (see `PrivacyModel.most_released`)."""
        found = classes.distribution(self.attribute)
        return largest_capped_parts(found, classes.counts, self.caps(classes))


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class BasicBetaLikeness(CappedShares):
    """The relative gain (Q - P) / P of every value is at most beta.

    Q is the share of a sensitive value in a class, P in the whole table.

    Parameters
    ----------
    attribute : str
        The sensitive attribute.
    beta : float, in (0, 100000]

    References
    ----------
    .. [1] J. Cao, P. Karras (2012), *Publishing microdata with a robust privacy
       guarantee*, PVLDB 5(11), definition 2; methods.md B.5.
    """

    kind = "basic_beta_likeness"
    title = "β-likeness, basic"

    attribute: SensitiveAttribute
    beta: LargestGain

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "Among records that look alike, no value of “{attribute}” is more than "
            "{value:.4g} times as common as in the whole file.",
            attribute=self.attribute,
            value=1 + self.beta,
        )

    def caps(self, classes: EquivalenceClasses) -> FloatArray:
        """Largest share of each sensitive value: float64, shape (n_values,)."""
        found = self.reference(classes)
        return np.asarray((1 + self.beta) * found.totals / found.n_records)


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class EnhancedBetaLikeness(CappedShares):
    """The relative gain (Q - P) / P of every value is at most min(beta, -ln P).

    Q is the share of a sensitive value in a class, P in the whole table.
    Frequent values may gain less than rare ones: none can come near to certainty.

    Parameters
    ----------
    attribute : str
        The sensitive attribute.
    beta : float, in (0, 100000]

    References
    ----------
    .. [1] J. Cao, P. Karras (2012), *Publishing microdata with a robust privacy
       guarantee*, PVLDB 5(11), definition 3; methods.md B.5.
    """

    kind = "enhanced_beta_likeness"
    title = "β-likeness, enhanced"

    attribute: SensitiveAttribute
    beta: LargestGain

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "Among records that look alike, no value of “{attribute}” "
            "is more than {value:.4g} times as common as in the whole "
            "file, and values that are common there gain less.",
            attribute=self.attribute,
            value=1 + self.beta,
        )

    def caps(self, classes: EquivalenceClasses) -> FloatArray:
        """Largest share of each sensitive value: float64, shape (n_values,)."""
        found = self.reference(classes)
        shares = found.totals / found.n_records
        return np.asarray((1 + np.minimum(self.beta, -np.log(shares))) * shares)
