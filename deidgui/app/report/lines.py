"""A chart with curves, as shapes for a page."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from deidgui.app.charts.base import AxisUnit, LineChart, Series, SeriesRole
from deidgui.app.charts.formats import axis_text
from deidgui.app.report.drawing import (
    AFTER,
    BEFORE,
    GRID,
    INK,
    Drawing,
    Lettering,
    Path,
    Shape,
)

WIDTH, HEIGHT = 480.0, 236.0
_LEFT, _RIGHT, _TOP, _FOOT = 52.0, 12.0, 44.0, HEIGHT - 34.0
_TICKS = 5
MOST_POINTS = 1_000
"""More cannot be told apart on a page; of longer curves every other one is left out."""
_KEY_STEP = 130.0


def line_drawing(chart: LineChart) -> Drawing:
    """Draw curves over an even axis; both axes begin at 0 or at the first place.

    Parameters
    ----------
    chart : LineChart
        Not empty, without a logarithmic axis and without marks.

    Returns
    -------
    Drawing
        Its title tells what the chart says.
    """
    frame = _Frame.of(chart)
    shapes: list[Shape] = [
        Lettering(0, 12, chart.title.text(), size=10.5, color=INK, bold=True),
        *_key(chart),
        *_axes(chart, frame),
        *(_points(each, frame) for each in reversed(chart.series)),
    ]
    title = f"{chart.title.text()}. {chart.sentence.text()}"
    return Drawing(WIDTH, HEIGHT, tuple(shapes), title)


@dataclass(frozen=True)
class _Frame:
    """Where numbers are on the page: the ends of both axes, and the steps of one."""

    low: float
    high: float
    top: float
    step: float

    @classmethod
    def of(cls, chart: LineChart) -> _Frame:
        places = chart.positions
        most = max(float(np.nanmax(each.values)) for each in chart.series)
        step = nice_step(most)
        top = step * max(1, math.ceil(most / step - 1e-9))
        return cls(float(places[0]), float(places[-1]), top, step)

    def x(self, place: float) -> float:
        share = (place - self.low) / (self.high - self.low or 1.0)
        return _LEFT + share * (WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        return _FOOT - value / self.top * (_FOOT - _TOP)


def _axes(chart: LineChart, frame: _Frame) -> Iterator[Shape]:
    is_share = chart.y_axis.unit is AxisUnit.SHARE
    for number in range(round(frame.top / frame.step) + 1):
        y = frame.y(number * frame.step)
        yield Path(((_LEFT, y), (WIDTH - _RIGHT, y)), GRID, 0.7)
        text = axis_text(number * frame.step, frame.step, is_share=is_share)
        yield Lettering(_LEFT - 5, y + 3, text, "end", 7.5)
    for place in _ticks(frame.low, frame.high):
        text = axis_text(place, 1.0, is_share=False)
        yield Lettering(frame.x(place), _FOOT + 12, text, "middle", 7.5)
    middle = (_LEFT + WIDTH - _RIGHT) / 2
    yield Lettering(middle, HEIGHT - 5, chart.x_axis.label.text(), "middle")
    yield Lettering(WIDTH - _RIGHT, 28, chart.y_axis.label.text(), "end")


def _points(series: Series, frame: _Frame) -> Path:
    assert series.positions is not None
    pairs = zip(series.positions.tolist(), series.values.tolist(), strict=True)
    points = [
        (frame.x(place), frame.y(value))
        for place, value in pairs
        if math.isfinite(value)
    ]
    points = points[:: max(1, -(-len(points) // MOST_POINTS))]
    if len(points) == 1:
        # One place alone is a short dash, or nobody would see it.
        (x, y), *_ = points
        points = [(x - 3, y), (x + 3, y)]
    return _curve(series, tuple(points))


def _curve(series: Series, points: tuple[tuple[float, float], ...]) -> Path:
    if series.role is SeriesRole.BEFORE:
        return Path(points, BEFORE, 1.4, (5, 2.5))
    return Path(points, AFTER, 1.8)


def _key(chart: LineChart) -> Iterator[Shape]:
    for number, series in enumerate(chart.series):
        left = number * _KEY_STEP
        yield _curve(series, ((left, 25), (left + 18, 25)))
        yield Lettering(left + 23, 28, series.name.text(), color=INK)


def _ticks(low: float, high: float) -> Iterator[float]:
    """Places with a label: the first, and round ones up to the last."""
    yield low
    step = max(1.0, nice_step(high))
    place = step
    while place <= high:
        if place - low >= step / 2:
            yield place
        place += step


_NOTHING = 1e-300
"""Highest values up to this one have no steps that a float can hold."""


def nice_step(highest: float) -> float:
    """Distance of the lines of an axis that ends near a number: 1, 2 or 5 · 10^n.

    Parameters
    ----------
    highest : float, >= 0

    Returns
    -------
    float, > 0
    """
    if not highest > _NOTHING:
        return 1.0
    rough = highest / _TICKS
    size = 10.0 ** math.floor(math.log10(rough))
    return next(size * each for each in (1, 2, 5, 10) if size * each >= rough)
