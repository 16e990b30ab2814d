"""The share of each sensitive value in a class, and in its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.privacy.rounding import TOLERANCE
from deidgui.lazy import LazyModule

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import Distribution
    from deidgui.engine.privacy import kernels
else:
    kernels = LazyModule("deidgui.engine.privacy.kernels")


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
