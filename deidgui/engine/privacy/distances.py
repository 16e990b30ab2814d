"""Distances between the sensitive values of classes and of the whole table."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Annotated

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.parameters import Help, Proposed, Range
from deidgui.engine.privacy.base import SensitiveModel
from deidgui.engine.privacy.rounding import SLACK, TOLERANCE
from deidgui.lazy import LazyModule

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses, ValueTree
    from deidgui.engine.privacy import kernels
else:
    kernels = LazyModule("deidgui.engine.privacy.kernels")

LargestDistance = Annotated[
    float,
    Range(0, 1),
    Proposed(0.3),
    Help(
        "Largest distance",
        "How far the values of a group may be from those of the whole file: 0 is "
        "not at all, 1 is no limit.",
    ),
]
"""Type of the parameter ``t`` of t-closeness."""


class Closeness(SensitiveModel):
    """The values of each class are at most t away from those of the table.

    Attributes
    ----------
    t : float in [0, 1]
    """

    t: float

    def distances(self, classes: EquivalenceClasses) -> FloatArray:
        """Distance of each class from the table: float64, (n_classes,), in [0, 1]."""
        if self not in classes.memory:
            classes.memory[self] = self.measure(classes)
        return classes.memory[self]

    @abstractmethod
    def measure(self, classes: EquivalenceClasses) -> FloatArray:
        """Compute `distances`."""

    def holds(self, classes: EquivalenceClasses) -> BoolArray:
        """Which classes may be released (see `PrivacyModel.holds`)."""
        return is_within(self.distances(classes), self.t)


class TreeCloseness(Closeness):
    """Closeness to the table with distances between values along a tree."""

    @abstractmethod
    def tree(self, classes: EquivalenceClasses) -> ValueTree:
        """Tree of the values of the whole table."""

    def measure(self, classes: EquivalenceClasses) -> FloatArray:
        """Compute `distances`."""
        tree, found = self.tree(classes), classes.distribution(self.attribute)
        entries = found.starts, found.codes, found.counts, classes.counts
        return np.asarray(kernels.tree_distances(*entries, tree.nodes, tree.totals))

    def smallest_class(self, classes: EquivalenceClasses) -> int:
        """Fewest records of a class (see `PrivacyModel.smallest_class`).

        A class of f records has at most f groups of values at each level; at best
        those with the largest shares in the table, and lacks all others.
        """
        tree = self.tree(classes)
        lacking = np.zeros(tree.nodes.shape[1] + 1)
        for level in tree.nodes:
            totals = tree.totals[np.unique(level)]
            shares = np.sort(totals / totals.sum())[::-1]
            rest = np.clip(1 - np.cumsum(shares), 0, 1)
            lacking[0] += 1
            lacking[1 : len(rest) + 1] += rest
        near = lacking / tree.n_levels <= self.t * (1 + TOLERANCE) + SLACK
        return max(1, int(np.argmax(near)))

    def most_released(self, classes: EquivalenceClasses) -> IntArray:
        """Most records of each class (see `PrivacyModel.most_released`)."""
        tree, found = self.tree(classes), classes.distribution(self.attribute)
        entries = found.starts, found.codes, found.counts, classes.counts
        shares = tree.totals / found.n_records
        target = tree.n_levels * (1 - self.t * (1 + TOLERANCE))
        fits = self.holds(classes)
        return np.asarray(
            kernels.largest_parts(*entries, fits, tree.nodes, shares, target)
        )


def is_within(distances: FloatArray, threshold: float) -> BoolArray:
    """Which distances are at most a threshold.

    A distance is the rounded quotient of two exact integers and off by 3e-16 of its
    size at most, a threshold like 0.2 by 1e-16: what is equal stays equal with a
    tolerance of 1e-12, and no class passes that is farther by more than that.

    Parameters
    ----------
    distances : ndarray of float64, shape (n_classes,), each in [0, 1]
    threshold : float in [0, 1]

    Returns
    -------
    ndarray of bool, shape (n_classes,)
    """
    return np.asarray(distances <= threshold * (1 + TOLERANCE), dtype=np.bool_)
