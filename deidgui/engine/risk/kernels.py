"""Compiled fit of Pitman's model, and the special functions that it needs."""

from __future__ import annotations

import math

from deidgui.engine.arrays import FloatArray
from deidgui.engine.compiled import njit

SHIFT = 12.0
"""From here on the asymptotic series are exact to the last digits."""

BISECTIONS = 60
"""Halvings of an interval: to the last digit of a float."""


@njit
def digamma_step(x: float, steps: float) -> float:
    """Compute ψ(x + steps) - ψ(x).

    For whole `steps` that is the sum of 1 / (x + i) over i < steps.

    Parameters
    ----------
    x : float, > 0
    steps : float, >= 0

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


@njit
def _digamma_rest(x: float) -> float:
    """ψ(x) - ln x for large x."""
    square = 1 / (x * x)
    series = 1 / 240 - square / 132
    series = 1 / 252 - square * series
    series = 1 / 120 - square * series
    return -0.5 / x - square * (1 / 12 - square * series)


@njit
def log_rising(x: float, steps: float) -> float:
    """Ln Γ(x + steps) - ln Γ(x), for whole `steps` the log of x (x+1) ... .

    Parameters
    ----------
    x : float, > 0
    steps : float, >= 0

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


@njit
def _log_gamma_rest(x: float) -> float:
    """Ln Γ(x) - (x - 1/2) ln x + x - ln(2π)/2 for large x."""
    square = 1 / (x * x)
    series = 1 / 1680 - square / 1188
    series = 1 / 1260 - square * series
    series = 1 / 360 - square * series
    return (1 / 12 - square * series) / x


@njit
def fit_pitman(
    sizes: FloatArray, n_classes: FloatArray, n_records: float, total: float
) -> tuple[float, float]:
    """Parameters θ and a of Pitman's model that make a sample most likely.

    Parameters
    ----------
    sizes, n_classes : ndarray of float64, shape (n_bins,)
        Sizes of classes and how many there are of each.
    total : float, in [2, n_records - 1]
        Number of classes.

    Returns
    -------
    theta : float
    a : float
        Both nan if the likelihood has no maximum with a in (0, 1).

    Notes
    -----
    θ is found for each a, then a where the derivative of the likelihood along it
    is 0, both by halving intervals: slower than Newton's method, and sure.

    References
    ----------
    .. [1] N. Hoshino (2001), *Applying Pitman's sampling formula to microdata
       disclosure risk assessment*, Journal of Official Statistics 17(4);
       methods.md F.4.
    """
    low, high = 1e-9, 1 - 1e-9
    if _slope_of_likelihood(low, sizes, n_classes, n_records, total) <= 0:
        return math.nan, math.nan
    if _slope_of_likelihood(high, sizes, n_classes, n_records, total) >= 0:
        return math.nan, math.nan
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        if _slope_of_likelihood(middle, sizes, n_classes, n_records, total) > 0:
            low = middle
        else:
            high = middle
    a = 0.5 * (low + high)
    return _theta_for(a, n_records, total), a


@njit
def _slope_of_likelihood(
    a: float, sizes: FloatArray, n_classes: FloatArray, n_records: float, total: float
) -> float:
    """Derivative of the log-likelihood in a, at the best θ for it."""
    theta = _theta_for(a, n_records, total)
    reciprocals = digamma_step(theta / a + 1, total - 1) / a
    slope = ((total - 1) - theta * reciprocals) / a
    for place in range(len(sizes)):
        if sizes[place] > 1:
            slope -= n_classes[place] * digamma_step(1 - a, sizes[place] - 1)
    return slope


@njit
def _theta_for(a: float, n_records: float, total: float) -> float:
    """Where the derivative of the log-likelihood in θ is 0, for one a.

    Two sums are equal there; the logarithm of their ratio falls with ln(θ + a), in
    nearly a straight line, so that the rule of false position (Illinois) needs few
    steps.
    """
    low, high = -40.0, 80.0
    at_low = _log_ratio_of_sums(low, a, n_records, total)
    at_high = _log_ratio_of_sums(high, a, n_records, total)
    for _ in range(BISECTIONS):
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        value = _log_ratio_of_sums(middle, a, n_records, total)
        if value * at_high < 0:
            low, at_low = high, at_high
        else:
            at_low *= 0.5
        high, at_high = middle, value
        if abs(value) < 1e-15 or low == high:
            break
    return math.exp(high) - a


@njit
def _log_ratio_of_sums(x: float, a: float, n_records: float, total: float) -> float:
    """Ln of Σ 1 / (θ + ia) over the classes by Σ 1 / (θ + i) over the records."""
    over = math.exp(x)
    own = digamma_step(over / a, total - 1) / a
    return math.log(own / digamma_step(over + (1 - a), n_records - 1))
