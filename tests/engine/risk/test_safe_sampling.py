"""Sizes of groups for differential privacy: published figures and the definition."""

import math

import pytest

from deidgui.engine.risk.safe_sampling import safe_size, sampling_probability


@pytest.mark.parametrize(
    ("epsilon", "delta", "beta", "k"),
    [
        (1.0, 1e-6, 0.632121, 74),
        (1.0, 1e-5, 0.632121, 61),
        (2.0, 1e-5, 0.864665, 113),
        (1.5, 1e-6, 0.776870, 99),
        (math.log(2), 1e-7, 0.5, 80),
        (math.log(3), 1e-8, 0.666667, 108),
        (0.5, 1e-5, 0.393469, 51),
    ],
)
def test_published_sizes(epsilon, delta, beta, k):
    """O-B3."""
    assert sampling_probability(epsilon) == pytest.approx(beta, abs=1e-6)
    assert safe_size(epsilon, delta) == k


def exceeding(n, beta, gamma):
    """Pr(Bin(n, β) > ⌊γn⌋), term by term."""
    return math.fsum(
        math.comb(n, j) * beta**j * (1 - beta) ** (n - j)
        for j in range(math.floor(gamma * n) + 1, n + 1)
    )


@pytest.mark.parametrize("epsilon", [0.05, 0.4, 1.0, 1.7])
@pytest.mark.parametrize("delta", [0.2, 0.01, 1e-4])
def test_definition(epsilon, delta):
    """δ_k is the largest of the probabilities from n_0 on, and k the least below δ."""
    beta = 1 - math.exp(-epsilon)
    gamma = (math.exp(epsilon) - 1 + beta) / math.exp(epsilon)
    largest, n_most = [0.0], 600
    for n in range(n_most, 0, -1):
        largest.append(max(largest[-1], exceeding(n, beta, gamma)))
    from_n = [math.inf, *largest[:0:-1]]
    k = 1
    while from_n[max(1, math.ceil(k / gamma - 1))] >= delta:
        k += 1
    assert safe_size(epsilon, delta) == k


@pytest.mark.parametrize("epsilon", [0.001, 0.5, 3.0])
def test_less_delta_asks_for_more(epsilon):
    sizes = [safe_size(epsilon, 10.0**-power) for power in range(1, 16)]
    assert sizes == sorted(sizes)
    assert sizes[-1] < 1000
