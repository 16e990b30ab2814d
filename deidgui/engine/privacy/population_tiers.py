"""What remains of the records and the people when small classes are withheld?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray, IntArray
from deidgui.engine.privacy.base import TOLERANCE


@dataclass(frozen=True, eq=False)
class PopulationTiers:
    """Classes by the number of their people, smallest first.

    Parameters
    ----------
    sizes : ndarray of float64, shape (n_tiers,), ascending, each > 0
        People in each class of a tier.
    n_classes, n_records : ndarray of int64, shape (n_tiers,)
        Classes with so many people, and the records in them.
    """

    sizes: FloatArray
    n_classes: IntArray
    n_records: IntArray

    @classmethod
    def of(cls, sizes: FloatArray, counts: IntArray) -> PopulationTiers:
        """Group classes by people; they may come in any order.

        Parameters
        ----------
        sizes : ndarray of float64, shape (n_classes,), each > 0
        counts : ndarray of int64, shape (n_classes,), each >= 1
        """
        distinct, tier = np.unique(sizes, return_inverse=True)
        n_classes = np.bincount(tier, minlength=len(distinct))
        n_records = np.bincount(tier, counts, len(distinct)).astype(np.int64)
        return cls(distinct, n_classes, n_records)

    def fine_for_records(self, threshold: float) -> BoolArray:
        """Where the mean of 1 / people over the records is low enough.

        Parameters
        ----------
        threshold : float in (0, 1]

        Returns
        -------
        ndarray of bool, shape (n_tiers + 1,)
            When as many of the smallest tiers are withheld; the last, without any
            record, is true.
        """
        expected = remaining(self.n_records / self.sizes)
        allowed = (threshold + TOLERANCE) * remaining(self.n_records)
        return np.asarray(expected <= allowed)

    def fine_for_people(self, threshold: float) -> BoolArray:
        """Where (classes) / (people in them) is low enough, as `fine_for_records`."""
        people = remaining(self.n_classes * self.sizes)
        allowed = (threshold + TOLERANCE) * people
        return np.asarray(remaining(self.n_classes) <= allowed)

    def least_size(self, fine: BoolArray) -> float:
        """People in the smallest classes that may stay; infinite if none may.

        Parameters
        ----------
        fine : ndarray of bool, shape (n_tiers + 1,)
            Whether it is enough to withhold as many of the smallest tiers.
        """
        return float(np.append(self.sizes, np.inf)[int(np.argmax(fine))])

    def least_withheld(self, threshold: float) -> int:
        """Fewest records to withhold until the mean over the records is low enough.

        Parameters
        ----------
        threshold : float in (0, 1]

        Returns
        -------
        int
            Parts of classes may go: no set of classes has fewer records.
        """
        allowed = threshold + TOLERANCE
        excess = self.n_records * (1 / self.sizes - allowed)
        left = remaining(excess)
        last = int(np.count_nonzero(left > 0)) - 1
        if last < 0:
            return 0
        part = left[last] / (1 / self.sizes[last] - allowed)
        return int(self.n_records[:last].sum() + np.ceil(part - 1e-6))


def remaining(per_tier: AnyArray) -> AnyArray:
    """Sum over all tiers but the first 0, 1, ..., n_tiers."""
    return np.concatenate([np.cumsum(per_tier[::-1])[::-1], [0]])
