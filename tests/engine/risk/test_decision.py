"""Class sizes in a sample that decide on the population's (methods.md O-E3)."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.risk.decision import deciding_size


@pytest.mark.parametrize(
    ("fraction", "expected"),
    [(0.05, (4, 4, 5)), (0.1, (5, 6, 7)), (0.2, (8, 9, 10)), (0.5, (15, 16, 19))],
)
def test_deciding_sizes_of_the_literature(fraction, expected):
    found = tuple(deciding_size(20, fraction, level) for level in (0.1, 0.05, 0.01))
    assert found == expected


def test_small_and_certain_cases():
    assert deciding_size(5, 0.1, 0.1) == 3
    assert deciding_size(1, 0.5, 0.01) == 1
    # Never more than the population class itself.
    assert deciding_size(3, 1.0, 1e-9) == 3


@pytest.mark.parametrize(
    ("fraction", "expected"),
    [(0.05, (3, 4, 5)), (0.1, (5, 6, 7)), (0.2, (8, 9, 10)), (0.5, (15, 16, 19))],
)
def test_rule_without_truncation(fraction, expected):
    """D3 as defined; another program returns one more."""
    found = tuple(
        deciding_size(20, fraction, level, truncated=False)
        for level in (0.1, 0.05, 0.01)
    )
    assert found == expected
    assert deciding_size(5, 0.1, 0.1, truncated=False) == 2


def at_least(size, mean):
    """Pr(X >= size) of a Poisson variable, summed from the far end in fractions."""
    last = int(4 * mean + 60)
    terms = [Fraction(mean) ** m / math.factorial(m) for m in range(size, last)]
    return float(sum(terms)) * math.exp(-mean)


@given(
    st.integers(1, 60),
    st.sampled_from([0.01, 0.05, 0.125, 0.5, 1.0]),
    st.sampled_from([0.3, 0.1, 0.01, 1e-6, 1e-9]),
    st.booleans(),
)
def test_definition(population, fraction, significance, truncated):
    mean = fraction * population
    possible = 1 - math.exp(-mean) if truncated else 1.0
    wanted = next(
        size
        for size in range(1, 200)
        if at_least(size, mean) <= significance * possible or size == population
    )
    assert (
        deciding_size(population, fraction, significance, truncated=truncated) == wanted
    )


def test_large_populations_do_not_underflow():
    """exp(-50000) is 0 in floats; the normal approximation is close there."""
    mean = 50_000
    expected = mean + 1.2816 * math.sqrt(mean)
    assert deciding_size(100_000, 0.5, 0.1) == pytest.approx(expected, abs=3)
