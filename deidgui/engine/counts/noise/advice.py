"""Threshold or noise, and how much noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import FloatArray, IntArray

SIGMAS = (0.5, 0.75, 1.0, 1.33, 1.6, 2.0, 2.5, 3.0, 4.0, 5.0, 6.5)
"""Standard deviations that are compared; 1.33, 1.6 and 6.5 are in use elsewhere."""


def crossover(sigma: float, counts_per_site: float) -> float:
    """Sites from which on noise loses less than a threshold: (sigma/a)².

    Parameters
    ----------
    counts_per_site : float, > 0
        Average count of a site, a.

    References
    ----------
    .. [1] methods.md D.7: noise is preferable where the sum a·x is larger than its
       uncertainty sigma·√x.
    """
    return (sigma / counts_per_site) ** 2


@dataclass(frozen=True)
class ThresholdOrNoise:
    """Sum of a network against its uncertainty, for growing numbers of sites.

    Parameters
    ----------
    sites : ndarray of int64
    sums, uncertainty : ndarray of float64
        Expected sum, and standard deviation of the noise of the sum.
    crossover : float
        Sites from which on noise is preferable.
    """

    sites: IntArray
    sums: FloatArray
    uncertainty: FloatArray
    crossover: float


def threshold_or_noise(
    sigma: float, counts_per_site: float, most_sites: int = 30
) -> ThresholdOrNoise:
    """Return the lines of Figure 2 of Klann et al. for one network."""
    sites = np.arange(1, most_sites + 1)
    exact = sites.astype(np.float64)
    return ThresholdOrNoise(
        sites,
        counts_per_site * exact,
        sigma * np.sqrt(exact),
        crossover(sigma, counts_per_site),
    )
