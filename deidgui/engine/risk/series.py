"""Differences of the digamma and the log-gamma function, without cancellation."""

from __future__ import annotations

import math

from numba import njit

SHIFT = 12.0
"""From here on the asymptotic series are exact to the last digits."""


@njit(cache=True, nogil=True)
def digamma_step(x: float, steps: float) -> float:
    """Compute ψ(x + steps) - ψ(x).

    For whole `steps` that is the sum of 1 / (x + i) over i < steps.

    Parameters
    ----------
    x : float, > 0
    steps : float, >= 0

    Returns
    -------
    float

    Notes
    -----
    The difference of two digammas loses all digits for large x; the logarithms of
    their asymptotic series are subtracted as one.

    References
    ----------
    .. [1] NIST, *Digital Library of Mathematical Functions*, 5.5.2 and 5.11.2.
    """
    total = 0.0
    while x < SHIFT:
        total += 1 / x - 1 / (x + steps)
        x += 1
    total += math.log1p(steps / x)
    return total + _digamma_rest(x + steps) - _digamma_rest(x)


@njit(cache=True, nogil=True)
def _digamma_rest(x: float) -> float:
    """ψ(x) - ln x for large x."""
    square = 1 / (x * x)
    series = 1 / 240 - square / 132
    series = 1 / 252 - square * series
    series = 1 / 120 - square * series
    return -0.5 / x - square * (1 / 12 - square * series)


@njit(cache=True, nogil=True)
def log_rising(x: float, steps: float) -> float:
    """Ln Γ(x + steps) - ln Γ(x), for whole `steps` the log of x (x+1) ... .

    Parameters
    ----------
    x : float, > 0
    steps : float, >= 0

    Returns
    -------
    float

    References
    ----------
    .. [1] NIST, *Digital Library of Mathematical Functions*, 5.5.1 and 5.11.1.
    """
    total = 0.0
    while x < SHIFT:
        total -= math.log((x + steps) / x)
        x += 1
    end = x + steps
    total += (x - 0.5) * math.log1p(steps / x) + steps * (math.log(end) - 1)
    return total + _log_gamma_rest(end) - _log_gamma_rest(x)


@njit(cache=True, nogil=True)
def _log_gamma_rest(x: float) -> float:
    """Ln Γ(x) - (x - 1/2) ln x + x - ln(2π)/2 for large x."""
    square = 1 / (x * x)
    series = 1 / 1680 - square / 1188
    series = 1 / 1260 - square * series
    series = 1 / 360 - square * series
    return (1 / 12 - square * series) / x
