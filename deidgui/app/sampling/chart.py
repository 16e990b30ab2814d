"""Risk over the sampling fraction, as a chart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deidgui.app.charts.base import Axis, AxisUnit, Guide, LineChart, Series, SeriesRole
from deidgui.app.charts.phrases import Phrase, plain
from deidgui.app.sampling.curves import Curve

MOST_CURVES = 7
"""Policies that are told apart in one chart."""


def sampling_chart(
    curves: Sequence[Curve],
    threshold: float | None = None,
    fraction: float | None = None,
) -> LineChart:
    """Average and highest risk by sampling fraction, with bands of drawn samples.

    Parameters
    ----------
    curves : sequence of Curve
        The data as they are first; no more than `MOST_CURVES` others are shown.
    threshold : float, optional
        Of the average risk.
    fraction : float, optional
        That a person has chosen.
    """
    shown = curves[: MOST_CURVES + 1]
    series = [each for at, curve in enumerate(shown) for each in _series(curve, at)]
    marks = []
    if threshold is not None:
        marks.append(Guide("y", threshold, Phrase("samples_threshold")))
    if fraction is not None:
        marks.append(Guide("x", fraction, Phrase("samples_now")))
    last = shown[-1].of
    facts = {
        "whole_share": last.average(1.0),
        "half_share": 0.5,
        "at_half_share": last.average(0.5),
    }
    return LineChart(
        Phrase("samples"),
        Phrase("samples_sentence", facts),
        tuple(series),
        Axis(Phrase("samples_fraction"), AxisUnit.SHARE),
        Axis(Phrase("samples_risk"), AxisUnit.SHARE),
        marks=tuple(marks),
    )


def _series(curve: Curve, place: int) -> tuple[Series, Series]:
    """Average risk of one curve, and the highest one."""
    order = np.argsort(curve.fractions)
    positions = np.array(curve.fractions)[order]
    is_data = curve.of.chosen is None
    name = Phrase("samples_data") if is_data else plain(f"{place}")
    average = Series(
        name,
        curve.average[order],
        SeriesRole.BEFORE if is_data else SeriesRole.MAIN,
        positions,
        (curve.low[order], curve.high[order]),
    )
    highest = Phrase("samples_highest", {"of": name.text()})
    return average, Series(highest, curve.maximum[order], SeriesRole.HIGHEST, positions)
