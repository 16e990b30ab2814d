"""What BPS and directed search cost and find, iteration by iteration."""

from __future__ import annotations

import numpy as np

from deidgui.app.charts.base import Axis, LineChart, Role, Series, Unit
from deidgui.app.charts.phrases import Phrase
from deidgui.engine.arrays import FloatArray
from deidgui.engine.discover.experiment import Experiment, log_trend

_MS = 1000.0
_ITERATIONS = Axis(Phrase("iterations"), Unit.COUNT)


def cumulative_time(found: Experiment) -> LineChart:
    """Milliseconds of all iterations so far (figure 6 of the paper)."""
    bps, directed = (
        np.cumsum(each.seconds) * _MS for each in (found.bps, found.directed)
    )
    params = {"bps": float(bps[-1]), "directed": float(directed[-1])}
    sentence = {**params, "n": len(bps), "ratio": found.time_ratio}
    return LineChart(
        Phrase("experiment_time"),
        Phrase("experiment_time_sentence", sentence),
        _both(bps, directed),
        _ITERATIONS,
        Axis(Phrase("all_milliseconds")),
    )


def iteration_time(found: Experiment) -> LineChart:
    """Milliseconds of each iteration of both methods."""
    bps, directed = (each.seconds * _MS for each in (found.bps, found.directed))
    params = {"bps": float(bps.mean()), "directed": float(directed.mean())}
    return LineChart(
        Phrase("experiment_each"),
        Phrase("experiment_each_sentence", params),
        _both(bps, directed),
        _ITERATIONS,
        Axis(Phrase("milliseconds")),
    )


def time_trend(found: Experiment) -> LineChart:
    """Milliseconds of each iteration of BPS, with a trend (figure 7 of the paper).

    Returns
    -------
    LineChart
        Without a trend if there is one iteration only.
    """
    times = found.bps.seconds * _MS
    places = _places(len(times))
    series = [Series(Phrase("bps"), times, Role.AFTER, places)]
    fit = 0.0
    if len(times) > 1:
        trend = log_trend(times)
        fit = trend.r_squared
        line = trend.a + trend.b * np.log(places)
        series.append(Series(Phrase("log_trend"), line, Role.BEFORE, places))
    return LineChart(
        Phrase("experiment_trend"),
        Phrase("experiment_trend_sentence", {"fit_share": max(fit, 0.0)}),
        tuple(series),
        _ITERATIONS,
        Axis(Phrase("milliseconds")),
    )


def non_dominated_found(found: Experiment) -> LineChart:
    """Non-dominated policies among the first x found (figure 8 of the paper)."""
    bps, directed = (
        each.n_non_dominated.astype(np.float64) for each in (found.bps, found.directed)
    )
    params = {"n": len(bps), "bps": int(bps[-1]), "directed": int(directed[-1])}
    return LineChart(
        Phrase("experiment_found"),
        Phrase("experiment_found_sentence", params),
        _both(bps, directed),
        _ITERATIONS,
        Axis(Phrase("non_dominated"), Unit.COUNT),
    )


def cumulative_evaluations(found: Experiment) -> LineChart:
    """Policies looked at by all iterations so far (figure 9 of the paper)."""
    bps, directed = (
        np.cumsum(each.n_asked).astype(np.float64)
        for each in (found.bps, found.directed)
    )
    params = {"n": len(bps), "bps": int(bps[-1]), "directed": int(directed[-1])}
    sentence = {**params, "ratio": found.node_ratio}
    return LineChart(
        Phrase("experiment_looked"),
        Phrase("experiment_looked_sentence", sentence),
        _both(bps, directed),
        _ITERATIONS,
        Axis(Phrase("all_evaluations"), Unit.COUNT),
    )


def _both(bps: FloatArray, directed: FloatArray) -> tuple[Series, Series]:
    places = _places(len(bps))
    return (
        Series(Phrase("bps"), bps, Role.AFTER, places),
        Series(Phrase("directed_search"), directed, Role.BEFORE, places),
    )


def _places(n: int) -> FloatArray:
    return np.arange(1, n + 1, dtype=np.float64)
