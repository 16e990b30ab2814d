"""Scores of name and values: methods G.2."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data.table import Column
from deidgui.engine.detect.columns import finding_of
from deidgui.engine.detect.profile import ColumnProfile
from deidgui.engine.detect.roles import Band, Identifier
from deidgui.engine.detect.scoring import (
    band_of,
    combined_score,
    value_score,
    wilson_lower_bound,
)


def test_oracle_g4():
    bound = wilson_lower_bound(98, 100)
    values = value_score(0.98, 98, 100)
    assert round(bound, 4) == 0.9300
    assert round(values, 4) == 0.9114
    assert round(combined_score(0.9, values), 4) == 0.9752


def test_oracle_g4_on_a_column():
    texts = [f"p{i}@example.org" for i in range(98)] + ["none given", "refused to say"]
    finding = finding_of(
        ColumnProfile(Column.from_texts("patient_email", texts), "text")
    )
    assert finding.identifier is Identifier.EMAIL
    assert round(finding.score, 4) == 0.9752
    assert finding.band is Band.CERTAIN


@given(st.integers(1, 30_000), st.data())
def test_wilson_bound_solves_its_equation(n_trials, data):
    n_hits = data.draw(st.integers(0, n_trials))
    bound = wilson_lower_bound(n_hits, n_trials)
    # Wilson's interval holds the shares whose score statistic is at most z.
    distance = n_hits / n_trials - bound
    spread = 1.959963984540054 * math.sqrt(bound * (1 - bound) / n_trials)
    assert distance == pytest.approx(spread, abs=1e-7)
    assert 0 <= bound <= n_hits / n_trials or n_hits == 0


def test_wilson_bound_of_nothing():
    assert wilson_lower_bound(0, 0) == 0
    assert wilson_lower_bound(0, 50) == pytest.approx(0, abs=1e-12)


def test_sporadic_hits_count_a_third():
    bound = wilson_lower_bound(20, 100)
    assert bound < 0.3
    assert value_score(0.9, 20, 100) == pytest.approx(0.9 * bound / 3)


@given(st.floats(0, 1), st.floats(0, 1))
def test_combined_score_is_at_least_each_part(name, values):
    score = combined_score(name, values)
    assert score <= 1 + 1e-12
    assert score >= values - 1e-12
    assert score >= 0.8 * name - 1e-12


@pytest.mark.parametrize(
    ("score", "band"),
    [
        (0.85, Band.CERTAIN),
        (0.8499, Band.PROBABLE),
        (0.6, Band.PROBABLE),
        (0.5999, Band.POSSIBLE),
        (0.35, Band.POSSIBLE),
        (0.3499, None),
    ],
)
def test_bands(score, band):
    assert band_of(score) is band
