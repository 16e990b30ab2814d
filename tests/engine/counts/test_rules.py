"""Rules by which counts get noise, and what they promise."""

import math

import numpy as np
import pytest

from deidgui.engine.counts.noise.rules import (
    NOISE_RULES,
    DiscreteGaussian,
    RoundedGaussian,
    SasCompatible,
)
from deidgui.errors import ConfigError

PAPER = RoundedGaussian(2.5, 11, "noise", "keyed")


def test_there_is_no_rule_without_a_sigma():
    with pytest.raises(ConfigError) as caught:
        NOISE_RULES.from_json({"kind": "rounded_gaussian", "threshold": 11})
    assert caught.value.code == "parameter_missing"
    assert RoundedGaussian.proposed().sigma == 2.5


@pytest.mark.parametrize("kind", list(NOISE_RULES))
def test_what_is_proposed_is_written_and_read(kind):
    rule = kind.proposed()
    assert NOISE_RULES.from_json(rule.to_json()) == rule
    assert rule.words()
    assert rule.standard_deviation**2 == pytest.approx(rule.variance)


def test_fresh_noise_needs_a_lockout():
    with pytest.raises(ConfigError) as caught:
        RoundedGaussian(2.5, 11, "noise", "fresh")
    assert caught.value.code == "noise_needs_lockout"
    fresh = RoundedGaussian(
        2.5, 11, "noise", "fresh", lockout_repeats=7, lockout_days=30
    )
    assert "7 times in 30 days" in " ".join(fresh.words())


@pytest.mark.parametrize(
    "rule", [PAPER, DiscreteGaussian(2.5, 11, 1, 1e-6), SasCompatible(2.5, 11)]
)
def test_counts_with_noise_have_the_stated_variance(rule):
    counts = np.arange(30_000) % 1000
    drawn = rule.draw(counts)
    away = drawn - counts
    values, chances = rule.chances()
    assert away.mean() == pytest.approx(float(values @ chances), abs=0.08)
    assert away.var() == pytest.approx(rule.variance, rel=0.04)
    assert (drawn < 0).any()


def test_the_sas_mode_rounds_to_five_and_masks_low_counts():
    rule = SasCompatible(2.5, 11)
    assert (rule.draw(np.arange(500)) % 5 == 0).all()
    assert [count for count in range(-1, 20) if rule.masks(count)] == list(range(1, 11))
    assert rule.keeps_zeros


def test_rounding_to_five_goes_to_the_nearest():
    # The word 0 is no noise upwards; 1 is -1 downwards.
    rule = SasCompatible(2.5, 11)
    least = np.full(7, 2**64 - 2, np.uint64)
    counts = np.array([10, 11, 12, 13, 14, 15, 17])
    assert rule.draw(counts, least).tolist() == [10, 10, 10, 15, 15, 15, 15]


def test_the_guarantee_is_that_of_the_parameters():
    rule = DiscreteGaussian(2.5, 11, 4, 1e-6)
    assert rule.rho == pytest.approx(4 / (2 * 2.5**2))
    assert rule.epsilon < rule.rho + 2 * math.sqrt(rule.rho * math.log(1e6))
    assert f"{rule.rho:.4g}" in " ".join(rule.words())
