"""How many records of a class can at most be released, however it is split?

Notes
-----
A union of classes that meet one of these models meets it too (methods.md B.2, U). So
the records of a class that are released at a less general node, where it may be split
into several, form together a part of it that meets the model. What is left of the
largest such part is suppressed, at this node and at every less general one.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.data.classes import Classes
from deidgui.engine.data.sensitive import Distribution
from deidgui.engine.privacy.base import PrivacyModel

SLACK = 1e-9
"""Makes bounds weaker than any rounding, which is below 1e-12 here."""

MOST_STEPS = 20
"""Newton steps; any one of them is a bound, four are usual."""


class SensitiveModel(PrivacyModel):
    """A model that judges each class by the values of one sensitive attribute.

    Attributes
    ----------
    attribute : str
        Name of the sensitive attribute.
    """

    needs_sensitive = True
    monotone_generalization = True
    monotone_suppression = False

    attribute: str

    def reference(self, classes: Classes) -> Distribution:
        """Values in the combinations of the whole table; keeps orders and trees."""
        return classes.class_table.sensitive[self.attribute]


@njit(cache=True, nogil=True)
def largest_parts(
    starts: IntArray,
    codes: Int32Array,
    counts: IntArray,
    sizes: IntArray,
    fits: BoolArray,
    nodes: Int32Array,
    shares: FloatArray,
    target: float,
) -> IntArray:
    """Most records of each class that can be near to the table, or below a cap.

    A part of K records, k of them in a group of values that has the share p, meets
    the condition only if the sum over all groups of min(k, p K) is at least
    ``target`` K. As k is at most the c records that the class has, K is at most the
    largest root of sum min(c, p K) = target K. The left side is concave and 0 at 0, so
    Newton's steps from the whole class come down to that root and never pass it.

    * Within t of the table along a tree of H levels: p are the table's shares of the
      groups of each level and the target is H (1 - t), since half the sum of
      |k / K - p| over a level is 1 less the sum of min(k / K, p).
    * At most the share p of each value: the target is 1.

    Parameters
    ----------
    starts, codes, counts : ndarray
        Values of the classes, see `Distribution`.
    sizes : ndarray of int64, shape (n_classes,)
        Records of each class.
    fits : ndarray of bool, shape (n_classes,)
        Classes that meet the model as they are.
    nodes : ndarray of int32, shape (n_levels, n_values)
        Group of each value at each level, no number used at two levels.
    shares : ndarray of float64, shape (n_nodes,)
    target : float

    Returns
    -------
    ndarray of int64, shape (n_classes,), each in [0, size]
    """
    n_levels, n_values = nodes.shape
    together = np.zeros(len(shares), np.int64)
    number_of = np.empty(n_levels * n_values, np.float64)
    share_of = np.empty(n_levels * n_values, np.float64)
    parts = sizes.copy()
    for number in range(len(sizes)):
        if fits[number]:
            continue
        n_groups = 0
        for level in range(n_levels):
            of_value = nodes[level]
            for entry in range(starts[number], starts[number + 1]):
                together[of_value[codes[entry]]] += counts[entry]
            for entry in range(starts[number], starts[number + 1]):
                node = of_value[codes[entry]]
                if together[node] > 0:
                    number_of[n_groups] = together[node]
                    share_of[n_groups] = shares[node]
                    together[node] = 0
                    n_groups += 1
        part = _largest_root(
            number_of[:n_groups],
            share_of[:n_groups],
            float(sizes[number]),
            target - SLACK,
        )
        parts[number] = min(sizes[number], np.int64(part * (1 + SLACK) + SLACK))
    return parts


@njit(cache=True, nogil=True)
def _largest_root(
    numbers: FloatArray, shares: FloatArray, size: float, target: float
) -> float:
    """Largest K up to `size` with sum min(number, share K) >= target K, from above."""
    part = size
    for _ in range(MOST_STEPS):
        fixed, slope = 0.0, 0.0
        for place in range(len(numbers)):
            if numbers[place] <= shares[place] * part:
                fixed += numbers[place]
            else:
                slope += shares[place]
        if slope >= target or fixed >= (target - slope) * part:
            break
        part = fixed / (target - slope)
        if part < 1 - SLACK:
            return 0.0
    return part
