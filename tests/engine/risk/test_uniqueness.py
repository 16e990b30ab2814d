"""Population uniqueness: published figures, simulated populations, hostile samples."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data.class_table import classes_at
from deidgui.engine.risk.class_sizes import class_size_histogram
from deidgui.engine.risk.kernels import fit_pitman
from deidgui.engine.risk.uniqueness import (
    ESTIMATORS,
    population_uniqueness,
    shlosser_classes,
)
from tests.engine.search.adult import adult_classes

SMALL = np.array([1] * 40 + [2] * 10 + [3] * 5 + [5])
"""O-F6: 80 records."""


@pytest.fixture(scope="module")
def adult():
    return class_size_histogram(adult_classes().counts)


@pytest.mark.parametrize(
    ("estimator", "fraction", "share"),
    [
        ("zayatz", 0.1, 0.3207402393),
        ("zayatz", 0.2, 0.3577099235),
        ("zayatz", 1.0, 0.5142895033),
        ("pitman", 0.01, 0.1446083531),
        ("pitman", 0.1, 0.2768499388),
    ],
)
def test_figures_of_another_program(adult, estimator, fraction, share):
    """O-F5, nine digits."""
    found = population_uniqueness(adult, fraction, estimator)
    assert found.is_valid
    assert found.share == pytest.approx(share, abs=1e-9)


@pytest.mark.parametrize(
    ("fraction", "share", "n_classes"),
    [(0.01, 0.204679, 698_974), (0.1, 0.249977, 105_499), (0.2, 0.319459, 65_150)],
)
def test_corrected_negative_binomial(adult, fraction, share, n_classes):
    """O-F5."""
    found = population_uniqueness(adult, fraction, "snb")
    assert found.share == pytest.approx(share, abs=1e-6)
    estimated = shlosser_classes(adult.sizes, adult.n_classes, fraction)
    assert estimated == pytest.approx(n_classes, abs=0.6)


def test_parameters_of_pitman(adult):
    """O-F5: θ = 3176.2335, a = 0.7179489."""
    theta, a = fit_pitman(
        adult.sizes.astype(float),
        adult.n_classes.astype(float),
        float(adult.n_records.sum()),
        float(adult.n_classes.sum()),
    )
    assert theta == pytest.approx(3176.2335, abs=1e-4)
    assert a == pytest.approx(0.7179489, abs=1e-7)


def log_likelihood(sizes, theta, a):
    """Pitman's sampling formula, factor by factor."""
    value = sum(math.log(theta + i * a) for i in range(1, len(sizes)))
    value -= sum(math.log(theta + i) for i in range(1, sum(sizes)))
    return value + sum(math.log(i - a) for size in sizes for i in range(1, size))


def test_pitman_is_the_most_likely():
    sizes = [1] * 30 + [2] * 6 + [3] * 3 + [7, 12]
    found = class_size_histogram(np.array(sizes))
    theta, a = fit_pitman(
        found.sizes.astype(float),
        found.n_classes.astype(float),
        float(sum(sizes)),
        float(len(sizes)),
    )
    best = log_likelihood(sizes, theta, a)
    assert 0 < a < 1
    for step in (1e-3, 1e-2, 0.1):
        for other in [(theta * (1 + step), a), (theta * (1 - step), a)]:
            assert log_likelihood(sizes, *other) < best
        for other in [(theta, a + step / 10), (theta, a - step / 10)]:
            assert log_likelihood(sizes, *other) < best


def test_small_sample():
    """O-F6: N = 200."""
    found = class_size_histogram(SMALL)
    zayatz = population_uniqueness(found, 0.4, "zayatz")
    assert zayatz.uniques == pytest.approx(68.7941, abs=1e-4)
    snb = population_uniqueness(found, 0.4, "snb")
    assert snb.uniques == pytest.approx(58.396, abs=1e-3)
    assert shlosser_classes(found.sizes, found.n_classes, 0.4) == pytest.approx(
        100.894, abs=1e-3
    )
    pitman = population_uniqueness(found, 0.4, "pitman")
    assert not pitman.is_valid
    assert math.isnan(pitman.share)


def test_zayatz_from_the_hypergeometric_distribution():
    n, population = 80, 200
    seen = {
        size: size * math.comb(population - size, n - 1) / math.comb(population, n)
        for size in (1, 2, 3, 5)
    }
    counts = {1: 40, 2: 10, 3: 5, 5: 1}
    total = sum(counts[size] * seen[size] for size in counts)
    wanted = 40 * (40 * seen[1] / total) * population / n
    found = population_uniqueness(class_size_histogram(SMALL), 0.4, "zayatz")
    assert found.uniques == pytest.approx(wanted, rel=1e-12)


def test_rule_chooses_and_says_what_it_chose(adult):
    assert population_uniqueness(adult, 0.05).estimator == "pitman"
    assert population_uniqueness(adult, 0.1).estimator == "pitman"
    above = population_uniqueness(adult, 0.2)
    assert above.estimator == "snb"
    assert above.share == pytest.approx(0.319459, abs=1e-6)
    # Pitman's model does not fit: Zayatz's estimate stands in for it.
    fallback = population_uniqueness(class_size_histogram(SMALL), 0.1)
    assert fallback == population_uniqueness(class_size_histogram(SMALL), 0.1, "zayatz")
    everybody = population_uniqueness(adult, 1.0)
    assert everybody.estimator == "counted"
    assert everybody.uniques == 15_512


@pytest.mark.parametrize(("a", "b", "fraction"), [(0.3, 0.05, 0.5), (1.0, 0.02, 0.3)])
def test_negative_binomial_populations_are_recovered(a, b, fraction):
    """F.4's own check; sizes - 1 are NB(a, b), so the corrected equations are exact."""
    rng = np.random.default_rng(7)
    population = 1 + rng.negative_binomial(a, b, 400_000)
    sample = rng.binomial(population, fraction)
    found = class_size_histogram(sample[sample > 0])
    share = population_uniqueness(found, fraction, "snb").share
    assert share == pytest.approx((population == 1).sum() / population.sum(), rel=0.05)


def population_of_pitman(rng, theta, a, population_size):
    """A population drawn by Pitman's process, person by person; class sizes."""
    of_person = np.zeros(population_size, dtype=np.int64)
    size, n_classes = np.zeros(population_size, dtype=np.int64), 1
    size[0] = 1
    for person in range(1, population_size):
        if rng.random() * (theta + person) < theta + a * n_classes:
            chosen, n_classes = n_classes, n_classes + 1
        else:
            # With weight size - a: somebody's class, refused with probability a/size.
            chosen = of_person[rng.integers(0, person)]
            while rng.random() * size[chosen] < a:
                chosen = of_person[rng.integers(0, person)]
        of_person[person] = chosen
        size[chosen] += 1
    return of_person


def test_poisson_population_without_uniques_is_no_solution():
    """It seems to fit this sample as well, because numbers cancel."""
    counts = classes_at(adult_classes(), (0, 3, 0, 0, 2, 1, 1, 1, 0)).counts
    found = class_size_histogram(counts)
    share = population_uniqueness(found, 1e-4, "snb").share
    assert 1e-4 < share < population_uniqueness(found, 1e-4, "zayatz").share


def test_pitman_populations_are_recovered():
    """The mean over some populations: one estimate is off by ten percent."""
    ratios = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        of_person = population_of_pitman(rng, 100.0, 0.5, 20_000)
        sample = np.bincount(of_person[rng.permutation(20_000)[:4_000]])
        found = class_size_histogram(sample[sample > 0])
        share = population_uniqueness(found, 0.2, "pitman").share
        ratios.append(share / (np.bincount(of_person) == 1).sum() * 20_000)
    assert np.mean(ratios) == pytest.approx(1, abs=0.08)


sizes = st.lists(
    st.one_of(st.integers(1, 3), st.integers(1, 40), st.integers(1, 10**7)), max_size=60
)


@given(sizes, st.sampled_from([1e-9, 1e-4, 0.05, 0.1, 0.3, 0.999, 1.0]))
def test_any_sample_gives_a_share_or_says_that_it_cannot(counts, fraction):
    found = class_size_histogram(np.array(counts, dtype=np.int64))
    for estimator in ESTIMATORS:
        result = population_uniqueness(found, fraction, estimator)
        if result.is_valid:
            assert 0 <= result.share <= 1 + 1e-9
            assert result.uniques >= 0
        else:
            assert estimator in ("pitman", "snb")
        if 1 not in counts:
            assert result.share == 0


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_ten_million_records(estimator):
    rng = np.random.default_rng(0)
    counts = np.minimum(rng.zipf(1.9, 1_200_000), 10**6)
    assert counts.sum() > 10**7
    found = class_size_histogram(counts)
    result = population_uniqueness(found, 0.1, estimator)
    assert result.is_valid
    assert 0 < result.share < 1


@pytest.mark.parametrize("counts", [[1], [1] * 500, [1, 2], [1] * 9 + [10**7]])
def test_tiny_and_extreme_samples(counts):
    found = class_size_histogram(np.array(counts))
    assert population_uniqueness(found, 0.05).is_valid
    assert population_uniqueness(found, 0.5).is_valid
