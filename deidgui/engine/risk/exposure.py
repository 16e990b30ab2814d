"""How many people may be at risk, and how many must look alike, in a sample."""

from __future__ import annotations

import math

from deidgui.errors import ConfigError

SAFE_HARBOR_UNIQUE = 0.0004
"""Share of the people of the United States who are unique under Safe Harbor."""


def safe_harbor_limit(threshold: float) -> float:
    """Share of people above a threshold that exposes no more than Safe Harbor does.

    Parameters
    ----------
    threshold : float in (0, 1]
        Largest probability of re-identification of the others.

    Notes
    -----
    Under Safe Harbor 0.04 % of people are unique, so that the exposure is 0.0004 of
    the loss; the share above the threshold times the threshold shall be no more.

    References
    ----------
    .. [1] K. El Emam et al. (2012), JMIR 14(1):e33, figure 1; methods.md E.3.
    """
    return SAFE_HARBOR_UNIQUE / threshold


def large_sample_size(population_size: float, fraction: float) -> int:
    """Class size in a sample whose classes are those of the population, scaled.

    Parameters
    ----------
    population_size : float, >= 1
        Least number of people of the population who must match: 1 by the threshold.
    fraction : float in (0, 1]
        Sampling fraction.

    Raises
    ------
    ConfigError
        Code ``sampling_fraction``.

    References
    ----------
    .. [1] K. El Emam et al. (2012), JMIR 14(1):e33, figure 1 (3), with the minimum
       class size of 20 in place of the printed 30; methods.md E.3 and H.5.
    """
    if not 0 < fraction <= 1:
        raise ConfigError("sampling_fraction", fraction=fraction)
    return max(1, math.ceil(population_size * fraction - 1e-9))
