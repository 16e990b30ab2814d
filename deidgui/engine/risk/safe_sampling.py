"""Group size of a random sample that gives differential privacy."""

from __future__ import annotations

import math
from functools import cache


def sampling_probability(epsilon: float) -> float:
    """Probability β = 1 - exp(-ε) with which each person may be sampled.

    Parameters
    ----------
    epsilon : float, > 0

    Returns
    -------
    float in (0, 1)
    """
    return -math.expm1(-epsilon)


@cache
def safe_size(epsilon: float, delta: float) -> int:
    """Least k with which k-anonymity of a random sample is (ε, δ)-private.

    Parameters
    ----------
    epsilon : float, > 0
    delta : float in (0, 1)

    Returns
    -------
    int, >= 1

    Notes
    -----
    With β of `sampling_probability` and γ = (e^ε - 1 + β) / e^ε = 1 - e^(-2ε), it is
    the least k with Pr(Bin(n, β) > ⌊γn⌋) < δ for all n >= k/γ - 1. So the last n
    decides for which the probability is not below δ; it is sought downwards from
    where Chernoff's bound is below δ. ARX uses k + 1 (methods.md H.6).

    References
    ----------
    .. [1] N. Li, W. Qardaji, D. Su (2012), *On sampling, anonymization, and
       differential privacy*, ASIACCS, theorem 1; R. Bild, K. Kuhn, F. Prasser (2018),
       *SafePub*, PETS 2018(1); methods.md B.5.
    """
    rest = math.exp(-epsilon)
    beta, gamma = -math.expm1(-epsilon), -math.expm1(-2 * epsilon)
    # γ ln(γ/β) - (γ - β), with γ/β = 1 + e^-ε
    rate = gamma * math.log1p(rest) - rest * beta
    last = int(-math.log(delta) / rate) + 1
    while last > 0 and _log_tail(last, beta, gamma) < math.log(delta):
        last -= 1
    return math.floor(gamma * (last + 1)) + 1


def _log_tail(n: int, beta: float, gamma: float) -> float:
    """Ln Pr(Bin(n, β) > ⌊γn⌋); the terms fall at least by half each."""
    least = math.floor(gamma * n) + 1
    if least > n:
        return -math.inf
    log_first = (
        math.lgamma(n + 1)
        - math.lgamma(least + 1)
        - math.lgamma(n - least + 1)
        + least * math.log(beta)
        + (n - least) * math.log1p(-beta)
    )
    odds = beta / (1 - beta)
    total, term, size = 1.0, 1.0, least
    while size < n and term > 1e-17 * total:
        term *= (n - size) / (size + 1) * odds
        total += term
        size += 1
    return log_first + math.log(total)
