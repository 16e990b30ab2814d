"""Class size in a sample that makes k people in the population likely enough."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from deidgui.engine.arrays import FloatArray


@cache
def deciding_size(
    population_size: int,
    fraction: float,
    significance: float,
    *,
    truncated: bool = True,
) -> int:
    """Class size in a sample from which its population class is large enough.

    Parameters
    ----------
    population_size : int, >= 1
        Least number of people of the population who must look alike.
    fraction : float in (0, 1]
        Sampling fraction.
    significance : float in (0, 1)
        Allowed probability that a class of a smaller population class has so many
        records in the sample.
    truncated : bool
        Whether only classes with a record in the sample are thought of (rule D4);
        all classes of the population otherwise (rule D3).

    Returns
    -------
    int, in [1, population_size]
        A class with at least so many records is taken to be safe.

    Notes
    -----
    Given the population class has K members, the sample has a Poisson number of
    them with mean αK; the answer is the least m with Pr(X >= m) <= significance,
    given X >= 1 if truncated. ARX returns m + 1 for D3 (methods.md H.6).

    References
    ----------
    .. [1] K. El Emam, F. Dankar (2008), *Protecting privacy using k-anonymity*,
       JAMIA 15(5), D3 and D4; methods.md E.6.
    """
    mean = fraction * population_size
    possible = -math.expm1(-mean) if truncated else 1.0
    too_likely = _poisson_tails(mean)[1:] > significance * possible
    return min(population_size, 1 + int(np.count_nonzero(too_likely)))


def _poisson_tails(mean: float) -> FloatArray:
    """Pr(X >= m) for m = 0, 1, ... up to where it is below 1e-30.

    Summed from the far end, so that small probabilities are exact too; the terms
    are found by their logarithms, because exp(-mean) may be 0 in floats.
    """
    last = int(mean + 12 * math.sqrt(mean) + 60)
    steps = np.log(mean) - np.log(np.arange(1, last + 1))
    log_terms = np.concatenate([[0.0], np.cumsum(steps)]) - mean
    return np.asarray(np.cumsum(np.exp(log_terms)[::-1])[::-1], dtype=np.float64)
