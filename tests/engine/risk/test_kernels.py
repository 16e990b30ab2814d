"""Differences of special functions against plain sums."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.risk.kernels import digamma_step, log_rising


@given(st.floats(1e-6, 1e12), st.integers(0, 300))
def test_sums_of_reciprocals_and_of_logarithms(x, steps):
    reciprocals = math.fsum(1 / (x + i) for i in range(steps))
    assert digamma_step(x, float(steps)) == pytest.approx(reciprocals, rel=1e-13)
    logarithms = math.fsum(math.log(x + i) for i in range(steps))
    size = math.fsum(abs(math.log(x + i)) for i in range(steps))
    assert log_rising(x, float(steps)) == pytest.approx(
        logarithms, abs=1e-13 * size + 1e-12
    )


@given(st.floats(0.01, 100), st.floats(0, 50))
def test_steps_that_are_not_whole(x, steps):
    wanted = math.lgamma(x + steps) - math.lgamma(x)
    assert log_rising(x, steps) == pytest.approx(wanted, abs=1e-11)


def test_digamma_at_one_half():
    """ψ(1) - ψ(1/2) = 2 ln 2."""
    assert digamma_step(0.5, 0.5) == pytest.approx(2 * math.log(2), rel=1e-14)
