"""Charts about noise say what their numbers say."""

import numpy as np
import pytest

from deidgui.app.charts.noise import (
    lost_chart,
    noise_spread,
    sigma_chart,
    threshold_or_noise_chart,
)
from deidgui.engine.counts.noise.distribution import rounded_gaussian
from deidgui.engine.counts.noise.network import add_up
from deidgui.engine.counts.noise.repeats import exact_repeats


def test_the_spread_of_the_noise():
    noise = rounded_gaussian(2.5)
    chart = noise_spread(*noise.chances(), noise.variance**0.5)
    assert "at most 4.93" in chart.sentence.text()
    assert chart.series[0].values.max() == pytest.approx(0.15852, abs=1e-5)
    assert chart.positions[chart.series[0].values.argmax()] == 0


def test_sigma_for_a_lockout():
    found = {s: exact_repeats(rounded_gaussian(s)) for s in (0.5, 0.75, 1.0, 1.33)}
    chart = sigma_chart(found, 10)
    assert "σ = 1.33" in chart.sentence.text()
    assert chart.positions.tolist() == [0.5, 0.75, 1.0, 1.33]
    assert "No σ" in sigma_chart(found, 100).sentence.text()
    assert "more repeats" in sigma_chart(found).sentence.text()


@pytest.mark.parametrize(
    ("average", "words"),
    [(2.5, "never smaller"), (1.0, "from 7 sites"), (0.5, "from 26 sites")],
)
def test_threshold_or_noise(average, words):
    chart = threshold_or_noise_chart(2.5, average)
    assert words in chart.sentence.text()
    assert len(chart.positions) == 30


def test_what_a_threshold_hides():
    found = add_up(np.array([[3, 100], [10, 11]]), [0, 0], 11)
    chart = lost_chart(found, 11)
    assert "10.5" in chart.sentence.text()
    assert chart.positions.tolist() == [11, 100]
    # 10 of 21 of the smaller site, 3 of 103 of the larger one.
    said = chart.sentence.text().replace("\u202f", "")
    assert "smaller half loses 47.6% on average" in said
    assert "larger half 2.9%" in said


def test_where_large_sites_lose_more_the_chart_says_so():
    """Ten questions of 10 at the large site; the small one has nothing small."""
    found = add_up(np.array([[1000, *[10] * 200], [50, *[0] * 200]]), [0, 0], 11)
    said = lost_chart(found, 11).sentence.text().replace("\u202f", "")
    assert "smaller half loses 0% on average" in said
    assert "larger half 66.7%" in said
