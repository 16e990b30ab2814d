"""Models that cap the share of each sensitive value in a class."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Annotated

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.parameters import Help, Proposed, Range
from deidgui.engine.privacy.base import LARGEST_K, SensitiveModel
from deidgui.engine.privacy.rounding import TOLERANCE
from deidgui.lazy import LazyModule

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import Distribution, EquivalenceClasses
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


class CappedShares(SensitiveModel):
    """No sensitive value has a larger share of a class than its cap."""

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

    def most_released(self, classes: EquivalenceClasses) -> IntArray:
        """Most records of each class (see `PrivacyModel.most_released`)."""
        found = classes.distribution(self.attribute)
        return largest_capped_parts(found, classes.counts, self.caps(classes))


def shares_between(
    found: Distribution, sizes: IntArray, low: FloatArray, high: FloatArray
) -> BoolArray:
    """Which classes have only values whose share lies within limits.

    Parameters
    ----------
    found : Distribution
        Values of the classes; those that a class lacks are not looked at.
    sizes : ndarray of int64, shape (n_classes,)
        Records of each class.
    low, high : ndarray of float64, shape (n_values,)
        Limits of each value's share, both allowed.

    Returns
    -------
    ndarray of bool, shape (n_classes,)
    """
    return np.asarray(
        kernels.shares_between(
            found.starts, found.codes, found.counts, sizes, low, high
        )
    )


def largest_capped_parts(
    found: Distribution, sizes: IntArray, caps: FloatArray
) -> IntArray:
    """Most records of each class in a part in which no value exceeds its cap.

    Parameters
    ----------
    found : Distribution
        Values of the classes.
    sizes : ndarray of int64, shape (n_classes,)
        Records of each class.
    caps : ndarray of float64, shape (n_values,)
        Largest share of each value.

    Returns
    -------
    ndarray of int64, shape (n_classes,), each in [0, size]
    """
    caps = caps * (1 + TOLERANCE)
    fits = shares_between(found, sizes, np.zeros(len(caps)), caps)
    entries = found.starts, found.codes, found.counts, sizes
    return np.asarray(
        kernels.largest_parts(*entries, fits, found.flat.nodes, caps, 1.0)
    )
