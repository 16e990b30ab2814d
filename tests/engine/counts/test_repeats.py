"""Averaging attack: the published repeats, exactly and simulated."""

import numpy as np
import pytest

from deidgui.engine.counts.noise.distribution import floored_gaussian, rounded_gaussian
from deidgui.engine.counts.noise.repeats import (
    Repeats,
    answers_for,
    exact_repeats,
    simulated_repeats,
)

EXACT = {1.0: 9.03, 1.33: 11.88, 2.0: 18.49, 2.5: 23.93, 4.0: 42.14, 6.5: 77.22}


@pytest.mark.parametrize("sigma", EXACT)
def test_exact_repeats_are_those_of_the_oracle(sigma):
    found = exact_repeats(rounded_gaussian(sigma))
    assert found.mean == pytest.approx(EXACT[sigma], abs=0.006)
    assert found.chances.sum() == pytest.approx(1, abs=1e-9)
    assert found.standard_error == 0


@pytest.mark.parametrize(
    ("sigma", "repeats", "margin"), [(1.33, 12.3, 0.7), (2.5, 24, 1)]
)
def test_repeats_are_those_that_were_published(sigma, repeats, margin):
    """Murphy and Chueh 2002; Klann et al."""
    exact = exact_repeats(rounded_gaussian(sigma))
    simulated = simulated_repeats(rounded_gaussian(sigma), 10_000, seed=1)
    for found in (exact, simulated):
        assert found.mean == pytest.approx(repeats, abs=margin)
    assert simulated.mean == pytest.approx(exact.mean, abs=4 * simulated.standard_error)


def test_the_median_is_lower_than_the_mean():
    found = exact_repeats(rounded_gaussian(2.5))
    assert found.quantile(0.5) == 17
    assert found.within(17) >= 0.5 > found.within(16)


def test_the_simulated_distribution_is_the_exact_one():
    exact = exact_repeats(rounded_gaussian(1.33)).chances
    found = simulated_repeats(rounded_gaussian(1.33), 50_000, seed=2).chances
    n = min(len(exact), len(found), 40)
    away = (found[:n] - exact[:n]) / np.sqrt(exact[:n] / 50_000 + 1e-9)
    assert np.abs(away).max() < 4.5
    assert (found[:5] == 0).all()  # six means need five repeats


def brute_force(rng, noise, runs):
    found = []
    for _ in range(runs):
        total, streak, n = 0, 0, 0
        while streak < 6:
            total += int(noise.from_words(rng.integers(0, 2**64, 1, np.uint64))[0])
            n += 1
            streak = streak + 1 if abs(total / n) <= 0.5 else 0
        found.append(n - 1)
    return float(np.mean(found))


def test_attackers_one_by_one_need_as_many_repeats():
    noise = rounded_gaussian(1.0)
    mean = brute_force(np.random.default_rng(5), noise, 1500)
    assert mean == pytest.approx(exact_repeats(noise).mean, abs=0.9)


def test_a_known_bias_does_not_protect():
    found = exact_repeats(floored_gaussian(2.5))
    assert found.mean == pytest.approx(
        simulated_repeats(floored_gaussian(2.5), 10_000, seed=3).mean, abs=1
    )
    assert 20 < found.mean < 30


def test_attacks_without_a_seed_differ():
    one = simulated_repeats(rounded_gaussian(2.5), 500)
    other = simulated_repeats(rounded_gaussian(2.5), 500)
    assert one.chances.tolist() != other.chances.tolist()


def test_plain_statistics_of_an_average():
    """D.6: n for 95 % is 96 at sigma 2.5, 27.2 at 1.33."""
    assert answers_for(2.5) == pytest.approx(96.0, abs=0.05)
    assert answers_for(1.33) == pytest.approx(27.2, abs=0.05)


def test_quantiles_of_a_few_attacks():
    found = Repeats(np.array([0, 0, 0.5, 0.25, 0.25]), runs=4)
    assert [found.quantile(q) for q in (0.1, 0.5, 0.6, 0.75, 1.0)] == [2, 2, 3, 3, 4]
    assert found.within(-1) == 0
