"""Noise on counts: its distribution, exact draws and keyed ones."""

import hmac
import math
import random
from statistics import NormalDist

import numpy as np
import pytest

from deidgui.engine.counts.noise import discrete_gaussian as dg
from deidgui.engine.counts.noise.distribution import (
    floored_gaussian,
    fresh_words,
    rounded_gaussian,
    rounded_variance,
)
from deidgui.engine.counts.noise.fuzzing import canonical, keyed_words
from deidgui.engine.transform.pseudonyms import PseudonymKey

O_D5 = {
    2.5: (0.15852, 0.14649, 0.11560, 0.07790, 0.04483, 0.02203, 0.00924),
    1.33: (0.29304, 0.22378, 0.09962, 0.02583, 0.00389),
}


def by_value(table):
    values, chances = table.chances()
    return dict(zip(values.tolist(), chances.tolist(), strict=True))


@pytest.mark.parametrize("sigma", O_D5)
def test_the_distribution_is_that_of_the_oracle(sigma):
    """O-D5."""
    found = by_value(rounded_gaussian(sigma))
    for k, chance in enumerate(O_D5[sigma]):
        assert found[k] == pytest.approx(chance, abs=5e-6)
        assert found[-k] == found[k]
    assert sum(found.values()) == pytest.approx(1, abs=1e-12)


def test_the_variance_is_that_of_the_oracle():
    """O-D5: sigma² + 1/12."""
    assert rounded_variance(2.5) == pytest.approx(6.33333, abs=5e-6)
    assert rounded_variance(1.33) == pytest.approx(1.85223, abs=5e-6)


@pytest.mark.parametrize("sigma", [0.3, 1.33, 2.5, 40.0])
def test_chances_are_those_of_a_rounded_or_floored_normal(sigma):
    normal = NormalDist(0, sigma)
    for k, chance in by_value(rounded_gaussian(sigma)).items():
        assert chance == pytest.approx(
            normal.cdf(k + 0.5) - normal.cdf(k - 0.5), abs=1e-12
        )
    for k, chance in by_value(floored_gaussian(sigma)).items():
        assert chance == pytest.approx(normal.cdf(k + 1) - normal.cdf(k), abs=1e-12)
    assert floored_gaussian(sigma).mean == -0.5
    mean = sum(k * chance for k, chance in by_value(floored_gaussian(sigma)).items())
    assert mean == pytest.approx(-0.5, abs=1e-12)


def chi_square_is_usual(drawn, chances, n):
    """Whether counts of values deviate no more than chance does once in 100,000."""
    expected = {k: n * c for k, c in chances.items() if n * c >= 10}
    rest = n - sum(expected.values())
    observed = {k: int(np.count_nonzero(drawn == k)) for k in expected}
    others = n - sum(observed.values())
    statistic = sum((observed[k] - e) ** 2 / e for k, e in expected.items())
    statistic += (others - rest) ** 2 / max(rest, 1)
    freedom = len(expected)
    # Wilson and Hilferty's normal approximation of the chi-square distribution.
    spread = 2 / (9 * freedom)
    z = ((statistic / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return z < NormalDist().inv_cdf(1 - 1e-5)


@pytest.mark.parametrize("make", [rounded_gaussian, floored_gaussian])
@pytest.mark.parametrize("sigma", [0.5, 1.33, 2.5, 6.5])
def test_simulated_noise_has_the_stated_distribution(make, sigma):
    words = np.random.default_rng(7).integers(0, 2**64, 200_000, np.uint64)
    table = make(sigma)
    assert chi_square_is_usual(table.from_words(words), by_value(table), len(words))


def test_the_test_of_the_distribution_can_fail():
    words = np.random.default_rng(7).integers(0, 2**64, 200_000, np.uint64)
    drawn = rounded_gaussian(2.55).from_words(words)
    assert not chi_square_is_usual(drawn, by_value(rounded_gaussian(2.5)), len(words))


def test_fresh_noise_comes_from_the_system_and_differs():
    one, other = fresh_words(1000), fresh_words(1000)
    assert one.dtype == np.uint64
    assert len(np.unique(np.concatenate([one, other]))) == 2000


def test_keyed_words_are_hmac_of_the_question():
    key = PseudonymKey("noise", bytes(range(32)))
    questions = [canonical(("table", f"row {n}", "Sample1")) for n in range(50)]
    words = keyed_words(key, questions)
    for word, question in zip(words.tolist(), questions, strict=True):
        digest = hmac.digest(key.secret, question, "sha256")
        assert word == int.from_bytes(digest[:8], "big")


def test_keyed_noise_is_the_same_for_the_same_question_and_another_for_any_other():
    key = PseudonymKey.draw("noise")
    questions = [canonical(("t", str(n))) for n in range(100)]
    one, other = keyed_words(key, questions), keyed_words(key, questions[::-1])[::-1]
    assert (one == other).all()
    assert len(set(one.tolist())) == 100
    assert (keyed_words(PseudonymKey.draw("noise"), questions) != one).all()
    assert keyed_words(key, []).tolist() == []


def test_keyed_noise_has_the_stated_distribution():
    key = PseudonymKey("noise", bytes(32))
    table = rounded_gaussian(2.5)
    words = keyed_words(key, [b"%d" % n for n in range(50_000)])
    assert chi_square_is_usual(table.from_words(words), by_value(table), len(words))


def test_no_two_questions_are_written_alike():
    assert canonical(("a", "bc")) != canonical(("ab", "c"))
    assert canonical(("1:a",)) != canonical(("a",))
    assert canonical((" Sex:\tMale ",)) == canonical(("Sex: Male",))
    assert canonical(("e\u0301",)) == canonical(("\u00e9",))
    assert canonical(("a", "b")) != canonical(("b", "a"))


# -- the discrete Gaussian -------------------------------------------------------------


@pytest.mark.parametrize("sigma", [0.4, 1.33, 2.5])
def test_the_discrete_gaussian_has_its_distribution(sigma):
    below = random.Random(3).randrange
    drawn = dg.draw_discrete_gaussian(sigma, 20_000, below=below)
    values, chances = dg.discrete_chances(sigma)
    expected = dict(zip(values.tolist(), chances.tolist(), strict=True))
    assert chi_square_is_usual(drawn, expected, len(drawn))


def test_the_discrete_gaussian_draws_from_the_system():
    drawn = dg.draw_discrete_gaussian(2.5, 50)
    assert drawn.dtype == np.int64
    assert len(set(drawn.tolist())) > 3


def test_the_discrete_gaussian_is_no_wider_than_its_sigma():
    for sigma in (0.3, 0.5, 1.0, 2.5):
        assert dg.discrete_variance(sigma) <= sigma**2 + 1e-12
    assert dg.discrete_variance(2.5) == pytest.approx(6.25, abs=1e-9)


def test_the_guarantee_of_one_count_is_the_exact_one():
    """Against the definition: the sum of what one neighbour has more than e^eps."""
    sigma, epsilon = 2.5, 0.7
    values, chances = dg.discrete_chances(sigma)
    p = dict(zip(values.tolist(), chances.tolist(), strict=True))
    delta = sum(
        max(0.0, p.get(k, 0.0) - math.exp(epsilon) * p.get(k - 1, 0.0))
        for k in range(-40, 41)
    )
    assert dg.delta_of_one_count(sigma, epsilon) == pytest.approx(delta, abs=1e-12)


def test_epsilon_is_between_the_exact_one_and_the_simple_bound():
    sigma, delta = 2.5, 1e-6
    rho = dg.rho_of(sigma, 1)
    assert rho == pytest.approx(0.08)
    epsilon = dg.epsilon_of(rho, delta)
    assert epsilon < rho + 2 * math.sqrt(rho * math.log(1 / delta))
    assert dg.delta_of_one_count(sigma, epsilon) <= delta
    assert dg.rho_of(sigma, 8) == pytest.approx(8 * rho)
