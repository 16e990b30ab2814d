"""Threshold or noise, and how much noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.engine.counts.noise.distribution import rounded_gaussian
from deidgui.engine.counts.noise.repeats import Repeats, exact_repeats
from deidgui.engine.counts.noise.uncertainty import Uncertain, total

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


def sigma_for(
    repeats: float, margin: float = 0.0, sigmas: Sequence[float] = SIGMAS
) -> tuple[float | None, dict[float, Repeats]]:
    """Smallest sigma of a grid that makes an attacker repeat often enough on average.

    Parameters
    ----------
    repeats, margin : float
        Repeats that a lockout allows, and how many more the attacker shall need.

    Returns
    -------
    sigma : float or None
        None if none of the grid is enough.
    found : dict of float to Repeats
        Of every sigma that was looked at, ascending.
    """
    found: dict[float, Repeats] = {}
    for sigma in sorted(sigmas):
        found[sigma] = exact_repeats(rounded_gaussian(sigma))
        if found[sigma].mean >= repeats + margin:
            return sigma, found
    return None, found


@dataclass(frozen=True)
class NetworkCount:
    """One count over a network, by either way of release.

    Parameters
    ----------
    noisy : Uncertain
        Sum of the counts with noise.
    shown, lowest, highest : int
        Sum of the counts that a threshold leaves visible; and the smallest and largest
        sum that the masked ones allow.
    n_masked, n_sites : int
    """

    noisy: Uncertain
    shown: int
    lowest: int
    highest: int
    n_masked: int
    n_sites: int

    @property
    def noise_is_better(self) -> bool:
        """Whether the noise of the sum is smaller than what masking leaves open.

        What it leaves open is the distance between the sum that is shown and the
        largest one that is possible, as if all of it were lost.
        """
        return self.noisy.sd < self.highest - self.shown


def network_count(
    noisy: Sequence[Uncertain], counts: Sequence[int | None], threshold: int
) -> NetworkCount:
    """Add up a count over sites.

    Parameters
    ----------
    noisy : sequence of Uncertain
        Count of each site with noise.
    counts : sequence of int or None
        What each site shows under the threshold; None where it is masked.
    threshold : int
        Counts from 1 to below this one are masked.
    """
    shown = sum(each for each in counts if each is not None)
    n_masked = sum(each is None for each in counts)
    return NetworkCount(
        total(noisy),
        shown,
        shown + n_masked,
        shown + n_masked * (threshold - 1),
        n_masked,
        len(counts),
    )


def lost_to_threshold(counts: Sequence[int], threshold: int) -> int:
    """Sum of the counts that a threshold masks: how much too low the shown sum is."""
    return sum(each for each in counts if 0 < each < threshold)
