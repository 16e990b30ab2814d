"""One table of several sites: added up with noise, against what a threshold loses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False, repr=False)
class Network:
    """Counts of several sites, added up.

    Parameters
    ----------
    totals : ndarray of int64, shape (n_counts,)
        Of the counts as they are, with noise or without.
    sd : ndarray of float64, shape (n_counts,)
        Standard deviation of each total.
    shown : ndarray of int64, shape (n_counts,)
        Total of the counts that a threshold leaves visible.
    masked : ndarray of int64, shape (n_counts,)
        Sites whose count it masks.
    sizes : ndarray of int64, shape (n_sites,)
        Largest count of each site.
    lost : ndarray of float64, shape (n_sites,)
        Share of the site's counts, added up, that the threshold hides.
    """

    totals: IntArray
    sd: FloatArray
    shown: IntArray
    masked: IntArray
    sizes: IntArray
    lost: FloatArray

    @property
    def missing(self) -> IntArray:
        """How much too low each total is under the threshold."""
        return self.totals - self.shown

    @property
    def noise_is_better(self) -> BoolArray:
        """Where the noise of the total is less than what the threshold hides."""
        return self.sd < self.missing


def add_up(counts: IntArray, sd: Sequence[float], threshold: int) -> Network:
    """Add up the same counts over sites.

    Parameters
    ----------
    counts : ndarray of int64, shape (n_sites, n_counts)
        True counts, or counts with noise; of these it is an estimate what a threshold
        hides, since a small count may look large and the other way round.
    sd : sequence of float, length n_sites
        Standard deviation of the noise of each site's counts; 0 for true ones.
    threshold : int
        Counts from 1 to below it are masked; negative ones, which only noise makes,
        are too.

    References
    ----------
    .. [1] methods.md D.5 and D.7: the variance of a sum is the sum of the variances; a
       thresholded total is too low by the masked counts.
    """
    is_masked = (counts < threshold) & (counts != 0)
    shown = np.where(is_masked, 0, counts)
    n_counts = counts.shape[1]
    whole = np.maximum(counts, 0).sum(axis=1)
    hidden = np.maximum(np.where(is_masked, counts, 0), 0).sum(axis=1)
    variance = float(np.square(np.asarray(sd, np.float64)).sum())
    return Network(
        totals=counts.sum(axis=0),
        sd=np.full(n_counts, np.sqrt(variance)),
        shown=shown.sum(axis=0),
        masked=is_masked.sum(axis=0),
        sizes=counts.max(axis=1, initial=0),
        lost=np.divide(hidden, whole, out=np.zeros(len(counts)), where=whole > 0),
    )
