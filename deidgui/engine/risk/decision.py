"""How many look-alikes in a sample make it likely that the population has enough?"""

from __future__ import annotations

import math


def deciding_size(population_size: int, fraction: float, significance: float) -> int:
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

    Returns
    -------
    int, in [1, population_size]
        A class with at least so many records is taken to be safe.

    Notes
    -----
    Given the population class has K members, the sample has a Poisson number of
    them with mean αK, and is seen only if that is at least one.

    References
    ----------
    .. [1] K. El Emam, F. Dankar (2008), *Protecting privacy using k-anonymity*,
       JAMIA 15(5), D4; methods.md E.6.
    """
    mean = fraction * population_size
    seen = -math.expm1(-mean)
    term = math.exp(-mean)
    tail = seen
    size = 1
    while tail / seen > significance and size < population_size:
        term *= mean / size
        tail -= term
        size += 1
    return size
