"""Models that suppress the smallest classes of a release."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, IntArray
from deidgui.engine.privacy.base import ReleaseModel


@dataclass(frozen=True, eq=False)
class Tiers:
    """Class sizes of some nodes: what is in the smallest classes.

    Parameters
    ----------
    n_classes : ndarray of int64, shape (n_nodes,)
        Classes when nothing is suppressed.
    ladder : ndarray of int64, shape (n_tiers,), ascending from 1
    records, classes : ndarray of int, shape (n_nodes, n_tiers)
        In classes smaller than each size of the ladder; those that other models
        suppress whatever their size count as smaller than 1.
    """

    n_records: int
    n_classes: IntArray
    ladder: IntArray
    records: AnyArray
    classes: AnyArray


@dataclass(frozen=True, eq=False)
class First:
    """Which classes go first at some nodes.

    Parameters
    ----------
    below : ndarray of int64, shape (n_nodes,), each >= 1
        All classes with fewer records go.
    extra : ndarray of int64, shape (n_nodes,), each >= 0
        So many classes of exactly that size go as well, but not all of them.
    """

    below: IntArray
    extra: IntArray

    def joined(self, other: First) -> First:
        """Return what goes if both ask for it."""
        is_more = (other.below > self.below) | (
            (other.below == self.below) & (other.extra > self.extra)
        )
        return First(
            np.where(is_more, other.below, self.below),
            np.where(is_more, other.extra, self.extra),
        )


class SizeOrderModel(ReleaseModel):
    """Judges the release by class sizes; the smallest classes go first.

    A profile then answers for every node at once. `restrict` says which ones of
    equally large classes go, which the sizes do not tell.
    """

    @abstractmethod
    def fails(
        self, n_classes: AnyArray, n_records: AnyArray, n_at_risk: AnyArray
    ) -> BoolArray:
        """Whether a release of so many classes and records is not good enough.

        Once it is good enough, it stays so if further small classes go.

        Parameters
        ----------
        n_classes, n_records : ndarray of int64
        n_at_risk : ndarray of int64
            Records in classes smaller than `depth`.
        """

    @property
    def ladder(self) -> range:
        """Sizes that `Tiers` must tell apart."""
        return range(1, self.depth + 1)

    def first_at(self, tiers: Tiers) -> First:
        """Fewest of the smallest classes that must go at every node.

        Parameters
        ----------
        tiers : Tiers
            Its ladder begins with all of `ladder`.
        """
        n_steps = self.depth
        n_classes = tiers.n_classes[:, None] - tiers.classes[:, :n_steps]
        n_records = tiers.n_records - tiers.records[:, :n_steps]
        n_at_risk = tiers.records[:, n_steps - 1, None] - tiers.records[:, :n_steps]
        fails = self.fails(n_classes, n_records, n_at_risk)
        n_failing = np.count_nonzero(fails, axis=1)
        rows, last = np.arange(len(fails)), np.maximum(n_failing - 1, 0)
        size = np.where(n_failing > 0, last + 1, 1)
        after = np.minimum(last + 1, n_steps - 1)
        most = tiers.classes[rows, after] - tiers.classes[rows, last]
        left = n_classes[rows, last], n_records[rows, last], n_at_risk[rows, last]
        extra = self._fewest(size, most.astype(np.int64), *left)
        extra = np.where(n_failing > 0, extra, 0)
        is_all = (n_failing > 0) & (extra == most)
        return First(np.where(is_all, size + 1, size), np.where(is_all, 0, extra))

    def _fewest(
        self,
        size: IntArray,
        most: IntArray,
        n_classes: AnyArray,
        n_records: AnyArray,
        n_at_risk: AnyArray,
    ) -> IntArray:
        """Fewest classes of one size that must go, at most all: by bisection."""
        low, high = np.zeros_like(most), most.copy()
        while (low < high).any():
            middle = (low + high) // 2
            gone = middle * size
            fails = self.fails(n_classes - middle, n_records - gone, n_at_risk - gone)
            low = np.where(fails & (low < high), middle + 1, low)
            high = np.where(fails, high, middle)
            high = np.maximum(low, high)
        return low
