"""Advice on noise, and averaging attacks on each rule."""

import numpy as np
import pytest

from deidgui.app.charts.noise import attack_chart, threshold_or_noise_chart
from deidgui.app.counts.advising import (
    attack,
    least_sigma,
    network_words,
    noise_table,
    reach_of,
    repeats_by_sigma,
    sigma_rows,
)
from deidgui.engine.counts.noise.distribution import rounded_gaussian
from deidgui.engine.counts.noise.repeats import exact_repeats
from deidgui.engine.counts.noise.rules import (
    NOISE_RULES,
    DiscreteGaussian,
    RoundedGaussian,
    SasCompatible,
)


def rule(sigma=2.5, **known):
    return RoundedGaussian.proposed(sigma=sigma, **known)


@pytest.mark.parametrize("cls", list(NOISE_RULES), ids=lambda cls: cls.kind)
@pytest.mark.parametrize("sigma", [0.5, 1.33, 2.5, 6.5])
def test_the_table_of_a_rule_has_its_chances(cls, sigma):
    made = cls.proposed(sigma=sigma)
    table = noise_table(made)
    chances = dict(zip(*map(np.ndarray.tolist, made.chances()), strict=True))
    found = dict(zip(*map(np.ndarray.tolist, table.chances()), strict=True))
    assert sum(found.values()) == pytest.approx(1, abs=1e-12)
    for value in range(-8, 9):
        assert found.get(value, 0) == pytest.approx(chances.get(value, 0), abs=1e-12)


@pytest.mark.parametrize("made", [rule(), DiscreteGaussian.proposed(), rule(1.33)])
def test_95_per_cent_of_the_counts_are_within_reach(made):
    reach = reach_of(made)
    values, chances = made.chances()
    assert chances[np.abs(values) <= reach].sum() >= 0.95
    assert chances[np.abs(values) <= reach - 1].sum() < 0.95


def test_the_usual_noise_is_within_five_of_the_true_count():
    assert reach_of(rule()) == 5
    assert reach_of(SasCompatible.proposed()) == 5


def test_a_simulated_attack_is_as_long_as_expected():
    found = attack(rule(), 10_000)
    assert found.exact.mean == pytest.approx(23.93, abs=0.01)
    away = abs(found.simulated.mean - found.exact.mean)
    assert away < 5 * found.simulated.standard_error
    chart = attack_chart(found.simulated, found.exact)
    exact, simulated = (each.values for each in chart.series)
    assert len(simulated) == len(exact) == len(chart.labels) <= 30
    assert exact.sum() == pytest.approx(0.99, abs=0.01)
    assert np.abs(np.cumsum(simulated) - np.cumsum(exact)).max() < 0.03


def test_a_lockout_is_marked_and_said():
    exact = exact_repeats(rounded_gaussian(2.5))
    chart = attack_chart(exact, exact, 7)
    (mark,) = chart.marks
    assert (mark.axis, mark.value) == ("x", 7.5)
    assert f"{100 * exact.within(7):.1f}" in chart.sentence.text()


def test_sigma_for_ten_repeats_is_that_of_the_paper():
    found = repeats_by_sigma()
    assert least_sigma(found, 10) == 1.33
    assert least_sigma(found, 9) == 1.0
    assert least_sigma(found, 1000) is None
    rows = {each[0]: each for each in sigma_rows(found, 7)}
    assert rows["2.5"][1:3] == ("23.9", "17")
    assert rows["2.5"][4] == "96"
    assert rows["1.33"][4] == "27"


@pytest.mark.parametrize(
    ("average", "sites", "is_noise"),
    [(2.5, 2, True), (1, 6, False), (1, 7, True), (0.5, 25, False), (0.5, 26, True)],
)
def test_words_on_a_network_follow_the_crossover(average, sites, is_noise):
    words = " ".join(network_words(rule(), average, sites, 11))
    assert ("Noise is preferable: the sum" in words) is is_noise
    assert ("A threshold is preferable" in words) is not is_noise
    assert f"{sites} to {10 * sites}" in words
    chart = threshold_or_noise_chart(2.5, average, 30, sites)
    assert [each.value for each in chart.marks] == [sites]
