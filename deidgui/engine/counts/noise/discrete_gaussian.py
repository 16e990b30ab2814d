"""The exact discrete Gaussian, and what it guarantees.

References
----------
.. [1] C. Canonne, G. Kamath, T. Steinke (2020), The Discrete Gaussian for Differential
   Privacy, NeurIPS 33.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from deidgui.engine.arrays import IntArray
from deidgui.monitor import NULL_MONITOR, Monitor

Below = Callable[[int], int]
"""Returns a uniform integer from 0 up to, not including, its argument."""

_CHUNK = 500


def draw_discrete_gaussian(
    sigma: float,
    n: int,
    *,
    below: Below = secrets.randbelow,
    monitor: Monitor = NULL_MONITOR,
) -> IntArray:
    """Draw integers k with chances proportional to exp(-k²/(2 sigma²)).

    Parameters
    ----------
    sigma : float, > 0
        Taken as the exact fraction that the float is.
    below : callable
        Source of randomness; another one than the system's is for tests alone.

    Notes
    -----
    Algorithm 3 of [1]: only integers are drawn and compared, so the distribution is
    exact and no property of floats can be used against it.
    """
    variance = Fraction(sigma) ** 2
    found = np.empty(n, np.int64)
    for at in range(n):
        if at % _CHUNK == 0:
            monitor.report(at / n, "noise")
        found[at] = _one(variance, math.floor(sigma) + 1, below)
    monitor.report(1.0, "noise")
    return found


def _one(variance: Fraction, scale: int, below: Below) -> int:
    """One discrete Gaussian, by rejection from discrete Laplace (Algorithm 3)."""
    while True:
        drawn = _laplace(scale, below)
        away = abs(drawn) - variance / scale
        if _keeps(away * away / (2 * variance), below):
            return drawn


def _laplace(scale: int, below: Below) -> int:
    """Discrete Laplace with chances proportional to exp(-|k|/scale) (Algorithm 2)."""
    while True:
        first = below(scale)
        if not _keeps(Fraction(first, scale), below):
            continue
        rounds = 0
        while _keeps(Fraction(1), below):
            rounds += 1
        size = first + scale * rounds
        is_down = below(2) == 1
        if not (is_down and size == 0):
            return -size if is_down else size


def _keeps(gamma: Fraction, below: Below) -> bool:
    """Whether something of probability exp(-gamma) happens (Algorithm 1)."""
    while gamma > 1:
        if not _keeps_up_to_one(Fraction(1), below):
            return False
        gamma -= 1
    return _keeps_up_to_one(gamma, below)


def _keeps_up_to_one(gamma: Fraction, below: Below) -> bool:
    place = 1
    while below(gamma.denominator * place) < gamma.numerator:
        place += 1
    return place % 2 == 1


def discrete_chances(sigma: float) -> tuple[IntArray, np.ndarray]:
    """Every value with a chance above 1e-20 or so, and its chance."""
    most = math.ceil(10 * sigma) + 1
    values = np.arange(-most, most + 1)
    weights = np.exp(-(values.astype(np.float64) ** 2) / (2 * sigma**2))
    return values, weights / weights.sum()


def discrete_variance(sigma: float) -> float:
    """Variance of the discrete Gaussian: at most sigma² (Corollary 9 of [1])."""
    values, chances = discrete_chances(sigma)
    return float((values.astype(np.float64) ** 2) @ chances)


# -- the guarantee ---------------------------------------------------------------------


def rho_of(sigma: float, counts_per_person: int) -> float:
    """Parameter rho of zero-concentrated differential privacy.

    Parameters
    ----------
    counts_per_person : int, >= 1
        Published counts that one person adds one to, at most.

    Notes
    -----
    One person added or removed changes the counts by at most √m in Euclidean length,
    so rho = m/(2 sigma²) (Theorem 4 of [1] with composition).
    """
    return counts_per_person / (2 * sigma**2)


def epsilon_of(rho: float, delta: float) -> float:
    """Smallest epsilon with (epsilon, delta)-differential privacy that rho implies.

    Notes
    -----
    delta(ε) is at most inf over α > 1 of exp((α - 1)(αρ - ε)) (1 - 1/α)^α / (α - 1)
    (Proposition 7 and Corollary 13 of [1]); solved for ε, this is the infimum of
    αρ + (ln(1/(αδ)) + (α - 1) ln(1 - 1/α)) / (α - 1). It is convex in ln(α - 1) where
    it matters; a golden-section search finds it.
    """

    def bound(log_excess: float) -> float:
        excess = math.exp(log_excess)
        alpha = 1 + excess
        spread = math.log(1 / (alpha * delta)) + excess * math.log1p(-1 / alpha)
        return alpha * rho + spread / excess

    low, high, step = -30.0, 30.0, (math.sqrt(5) - 1) / 2
    for _ in range(200):
        left, right = high - step * (high - low), low + step * (high - low)
        if bound(left) < bound(right):
            high = right
        else:
            low = left
    return max(0.0, bound((low + high) / 2))


def delta_of_one_count(sigma: float, epsilon: float) -> float:
    """Exact delta of one count with discrete Gaussian noise (Theorem 7 of [1])."""
    values, chances = discrete_chances(sigma)
    first = epsilon * sigma**2
    upper = float(chances[values > first - 0.5].sum())
    return max(
        0.0, upper - math.exp(epsilon) * float(chances[values > first + 0.5].sum())
    )
