"""How bars by category and by interval are drawn.

The input is a hollow bar, the release a narrower filled one in front of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
import PySide6  # noqa: F401 - pyqtgraph takes the binding that is loaded first
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QFontMetricsF, QPen
from PySide6.QtWidgets import QWidget

from deidgui.app.charts.base import (
    Axis,
    AxisUnit,
    BarChart,
    Histogram,
    Series,
    SeriesRole,
)
from deidgui.app.charts.formats import count_text, number_text
from deidgui.qt.charts.colours import faded, thin_pen
from deidgui.qt.charts.key import KeyEntry, Shape
from deidgui.qt.charts.texts import chart_font, line_height, shortened
from deidgui.qt.charts.view import CalmPlot, ChartView, Stop
from deidgui.qt.tokens import Tokens
from deidgui.text import share_text

WIDE, NARROW = 0.78, 0.42
"""Widths of the bars of the input and of the release, in bins."""


def value_text(value: float, axis: Axis) -> str:
    """Number as people write it, in the unit of its axis."""
    if np.isnan(value):
        return "–"
    match axis.unit:
        case AxisUnit.SHARE:
            return share_text(value)
        case AxisUnit.COUNT if value == round(value) or value >= 10:
            return count_text(round(value))
        case _:
            return number_text(value)


def bar_width(series: Sequence[Series], place: int) -> float:
    """Width of the bars of one series: the release stands before the input."""
    both = len(series) > 1
    return NARROW if both and series[place].role is SeriesRole.AFTER else WIDE


def bar_brush(role: SeriesRole, look: Tokens, *, is_alone: bool) -> tuple[QColor, QPen]:
    """Fill and outline of the bars of a role; hollow only beside another one."""
    if role is not SeriesRole.BEFORE:
        return QColor(look.chart.after), thin_pen(look.chart.after, 1)
    outline = thin_pen(look.chart.before, 1)
    return faded(look.chart.before, 255 if is_alone else 46), outline


def bar_entries(series: Sequence[Series], look: Tokens) -> list[KeyEntry]:
    """Entries for the line above; a single series needs none."""
    if len(series) < 2:
        return []
    shapes = {
        SeriesRole.BEFORE: (Shape.HOLLOW_BAR, look.chart.before),
        SeriesRole.AFTER: (Shape.FILLED_BAR, look.chart.after),
        SeriesRole.MAIN: (Shape.FILLED_BAR, look.chart.after),
    }
    return [KeyEntry(each.name.text(), *shapes[each.role]) for each in series]


def reading(label: str, series: Sequence[Series], place: int, axis: Axis) -> list[str]:
    """Lines of the card for one category or bin."""
    unit = axis.label.text().lower()
    if len(series) == 1:
        return [label, f"{value_text(series[0].values[place], axis)} {unit}"]
    return [
        label,
        *(
            f"{each.name.text()}: {value_text(each.values[place], axis)} {unit}"
            for each in series
        ),
    ]


def place_of(value: float, n_places: int) -> int | None:
    """Whole place nearest to a value, None beyond the ends."""
    place = round(value)
    return place if 0 <= place < n_places else None


class BarView(ChartView[BarChart]):
    """Categories below one another, with their numbers at the ends of the bars."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._text_width = 0.0
        super().__init__(parent=parent)

    def _connect_plot(self, plot: CalmPlot) -> None:
        plot.getViewBox().sigResized.connect(self._on_resized)

    def _on_resized(self, _box: object) -> None:
        self._fit_width()

    def sizeHint(self) -> QSize:
        rows = len(self.chart.categories) if self.chart else 8
        high = max(136, round(rows * (line_height() + 8) + 36))
        return QSize(480, self._key_height() + high)

    def minimumSizeHint(self) -> QSize:
        rows = len(self.chart.categories) if self.chart else 0
        high = max(136, round(rows * line_height() + 20))
        return QSize(220, self._key_height() + high)

    def _entries(self, chart: BarChart) -> Sequence[KeyEntry]:
        return [
            KeyEntry(chart.value_axis.label.text()),
            *bar_entries(chart.series, self.look),
        ]

    def _draw(self, chart: BarChart) -> None:
        places = -np.arange(len(chart.categories), dtype=np.float64)
        for number, series in enumerate(chart.series):
            fill, pen = bar_brush(
                series.role, self.look, is_alone=len(chart.series) == 1
            )
            height = bar_width(chart.series, number)
            some = np.nan_to_num(series.values) > 0
            bars = pg.BarGraphItem(
                x0=0,
                y=places[some],
                height=height,
                width=series.values[some],
                brush=fill,
                pen=pen,
            )
            self.plot.addItem(bars)
        texts = self._texts(chart)
        metrics = QFontMetricsF(chart_font(self.look))
        self._text_width = max(metrics.horizontalAdvance(text) for text in texts) + 16
        self.plot.setYRange(-len(places) + 0.5, 0.5, padding=0)
        self._fit_width()
        for place, text in enumerate(texts):
            end = max(float(np.nan_to_num(s.values[place])) for s in chart.series)
            self._add_text(f" {text}", end, float(places[place]), (0, 0.5))
        self._show_axes(chart, places)

    def _fit_width(self) -> None:
        """Leave room for the numbers beyond the longest bar."""
        chart = self.chart
        if chart is None or chart.is_empty:
            return
        highest = max(float(np.nan_to_num(s.values).max()) for s in chart.series) or 1.0
        width = max(1.0, self.plot.getViewBox().width())
        share = min(0.6, self._text_width / width)
        self.plot.setXRange(0, highest / (1 - share), padding=0)

    def _texts(self, chart: BarChart) -> list[str]:
        return [
            " → ".join(value_text(s.values[p], chart.value_axis) for s in chart.series)
            for p in range(len(chart.categories))
        ]

    def _show_axes(self, chart: BarChart, places: np.ndarray[Any, Any]) -> None:
        names = [shortened(name) or "␣" for name in chart.categories]
        self.plot.getAxis("left").set_names(names, places.tolist())
        self.plot.getAxis("bottom").set_axis(None, has_grid=False)

    def n_stops(self) -> int:
        return len(self.chart.categories) if self.chart else 0

    def stop(self, place: int) -> Stop:
        chart = self.chart
        assert chart is not None
        lines = reading(chart.categories[place], chart.series, place, chart.value_axis)
        return Stop(float(chart.series[0].values[place]) / 2, -place, tuple(lines))

    def nearest(self, x: float, y: float) -> int | None:
        del x
        return place_of(-y, self.n_stops())

    def _mark_stop(self, stop: Stop) -> None:
        if self._cursor is None:
            colour = faded(self.look.chart.after, 22)
            self._cursor = pg.LinearRegionItem(
                orientation="horizontal",
                movable=False,
                brush=colour,
                pen=pg.mkPen(None),
            )
            self._cursor.setZValue(-5)
            self.plot.addItem(self._cursor, ignoreBounds=True)
        self._cursor.setRegion((stop.y - 0.5, stop.y + 0.5))
        self._cursor.show()


class HistogramView(ChartView[Histogram]):
    """Intervals side by side."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)

    def _entries(self, chart: Histogram) -> Sequence[KeyEntry]:
        return [
            KeyEntry(chart.value_axis.label.text()),
            *bar_entries(chart.series, self.look),
        ]

    def _draw(self, chart: Histogram) -> None:
        edges = self._edges(chart)
        middles, widths = (edges[:-1] + edges[1:]) / 2, np.diff(edges)
        # Bins of one width touch if they are intervals of a line of numbers.
        wide = WIDE if chart.is_even else 0.94
        for number, series in enumerate(chart.series):
            fill, pen = bar_brush(
                series.role, self.look, is_alone=len(chart.series) == 1
            )
            width = widths * bar_width(chart.series, number) * wide / WIDE
            some = np.nan_to_num(series.values) > 0
            bars = pg.BarGraphItem(
                x=middles[some],
                y0=0,
                width=width[some],
                height=series.values[some],
                brush=fill,
                pen=pen,
            )
            self.plot.addItem(bars)
        highest = max(float(np.nan_to_num(s.values).max()) for s in chart.series) or 1.0
        self.plot.setXRange(edges[0], edges[-1], padding=0.01)
        self.plot.setYRange(0, highest * 1.12, padding=0)
        self._show_axes(chart, middles)
        for mark in chart.marks:
            self._add_mark(mark, chart.place(mark.value))

    def _edges(self, chart: Histogram) -> np.ndarray[Any, Any]:
        if chart.is_even:
            return np.arange(len(chart.edges), dtype=np.float64)
        return chart.edges

    def _show_axes(self, chart: Histogram, middles: np.ndarray[Any, Any]) -> None:
        self.plot.getAxis("left").set_axis(chart.value_axis, has_grid=True)
        bottom, label = self.plot.getAxis("bottom"), chart.bin_axis.label.text()
        if chart.is_even:
            bottom.set_names(
                chart.labels, middles.tolist(), label=label, is_slanted=True
            )
        else:
            bottom.set_axis(chart.bin_axis, has_grid=False, label=label)

    def n_stops(self) -> int:
        return len(self.chart.labels) if self.chart else 0

    def stop(self, place: int) -> Stop:
        chart = self.chart
        assert chart is not None
        edges = self._edges(chart)
        label = f"{chart.bin_axis.label.text()}: {chart.labels[place]}"
        lines = reading(label, chart.series, place, chart.value_axis)
        top = max(float(np.nan_to_num(each.values[place])) for each in chart.series)
        return Stop(float(edges[place] + edges[place + 1]) / 2, top, tuple(lines))

    def nearest(self, x: float, y: float) -> int | None:
        del y
        assert self.chart is not None
        place = int(np.searchsorted(self._edges(self.chart), x, side="right")) - 1
        return place if 0 <= place < self.n_stops() else None
