"""The experiment's figures, and how curves become shapes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.app.charts.base import Axis, AxisUnit, LineChart, Series, SeriesRole
from deidgui.app.charts.phrases import Phrase, plain
from deidgui.app.experiment.page import (
    cumulative_evaluations,
    cumulative_time,
    iteration_time,
    non_dominated_found,
    time_trend,
)
from deidgui.app.report.drawing import Path, svg
from deidgui.app.report.lines import HEIGHT, WIDTH, line_drawing, nice_step
from deidgui.engine.discover.experiment import log_trend, run_experiment
from deidgui.engine.discover.rules import RiskAtMost
from tests.engine.discover.cases import paper_measure

ALL = (
    cumulative_time,
    iteration_time,
    time_trend,
    non_dominated_found,
    cumulative_evaluations,
)


@pytest.fixture(scope="module")
def found():
    return run_experiment(RiskAtMost(paper_measure(), 1.3), 25)


def test_sums_grow_to_the_totals(found):
    time, looked = cumulative_time(found), cumulative_evaluations(found)
    for chart in (time, looked):
        for series in chart.series:
            assert (np.diff(series.values) >= 0).all()
    assert time.series[0].values[-1] == pytest.approx(1000 * found.bps.seconds.sum())
    assert looked.series[1].values[-1] == found.directed.n_asked.sum()
    assert iteration_time(found).series[0].values.sum() == pytest.approx(
        1000 * found.bps.seconds.sum()
    )
    kept = non_dominated_found(found).series[0].values
    assert kept.tolist() == found.bps.n_non_dominated.tolist()


def test_the_trend_is_that_of_the_times(found):
    curve, line = time_trend(found).series
    fit = log_trend(curve.values)
    assert line.values[0] == pytest.approx(fit.a)
    assert line.values[-1] == pytest.approx(fit.a + fit.b * np.log(25))


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("n", [1, 2, 25])
def test_every_figure_can_be_drawn(make, n):
    chart = make(run_experiment(RiskAtMost(paper_measure(), 1.3), n))
    assert len(chart.to_table().rows) == n
    assert "‹" not in chart.sentence.text()
    assert svg(line_drawing(chart)).startswith("<svg")


@given(
    st.lists(st.floats(0, 1e9), min_size=1, max_size=40),
    st.integers(1, 40),
    st.booleans(),
)
def test_curves_stay_on_the_page(values, first, is_count):
    places = np.arange(first, first + len(values), dtype=np.float64)
    series = Series(plain("a"), np.array(values), SeriesRole.AFTER, places)
    unit = AxisUnit.COUNT if is_count else AxisUnit.NUMBER
    axis = Axis(Phrase("iterations"), AxisUnit.COUNT)
    chart = LineChart(plain("t"), plain("s"), (series,), axis, Axis(plain("y"), unit))
    for shape in line_drawing(chart).shapes:
        if isinstance(shape, Path):
            for x, y in shape.points:
                assert -3 <= x <= WIDTH + 3
                assert 0 <= y <= HEIGHT


@given(st.floats(1e-6, 1e12))
def test_steps_are_round_and_few(highest):
    step = nice_step(highest)
    digits = f"{step:.6e}"[0]
    assert digits in "125"
    assert 2 <= highest / step <= 5 * (1 + 1e-9)


def test_a_step_for_nothing():
    assert nice_step(0.0) == nice_step(5e-324) == 1.0
