"""Shares with their intervals below one another, and thresholds across them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
import PySide6  # noqa: F401 - pyqtgraph takes the binding that is loaded first
from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QWidget

from deidgui.app.charts.intervals import IntervalChart
from deidgui.app.charts.phrases import Phrase
from deidgui.qt.charts.bars import place_of, value_text
from deidgui.qt.charts.colours import faded, thin_pen
from deidgui.qt.charts.key import KeyEntry, Shape
from deidgui.qt.charts.texts import chart_font, line_height, shortened
from deidgui.qt.charts.view import ChartView, Stop

CAP = 0.16
"""Half of the height of the ends of an interval, in rows."""


class IntervalView(ChartView[IntervalChart]):
    """A dot for each share and a line with ends for its interval."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)

    def sizeHint(self) -> QSize:
        rows = len(self.chart.categories) if self.chart else 4
        return QSize(480, max(150, round(rows * (line_height() + 10) + 80)))

    def minimumSizeHint(self) -> QSize:
        return QSize(220, self.sizeHint().height())

    def _entries(self, chart: IntervalChart) -> Sequence[KeyEntry]:
        colour = self.look.chart.after
        return [
            KeyEntry(chart.value_axis.label.text(), Shape.DOT, colour),
            KeyEntry(Phrase("interval").text(), Shape.SOLID_LINE, colour),
        ]

    def _draw(self, chart: IntervalChart) -> None:
        places = -np.arange(len(chart.categories), dtype=np.float64)
        marks = np.array([mark.value for mark in chart.marks])
        ends = np.concatenate([chart.values, chart.highs, marks])
        highest = float(np.nanmax(ends)) or 1.0
        texts = [value_text(value, chart.value_axis) for value in chart.values]
        metrics = QFontMetricsF(chart_font(self.look))
        room = max(metrics.horizontalAdvance(text) for text in texts) + 16
        width = max(1.0, self.plot.getViewBox().width())
        share = min(0.4, room / width)
        self.plot.setXRange(0, highest / (1 - share) * 1.03, padding=0)
        self.plot.setYRange(float(places[-1]) - 0.6, 0.6, padding=0)
        for place, low, high in zip(places, chart.lows, chart.highs, strict=True):
            self._draw_interval(float(place), float(low), float(high))
        colour = self.look.chart.after
        self.plot.addItem(
            pg.ScatterPlotItem(
                x=chart.values, y=places, size=9, brush=colour, pen=thin_pen(colour, 1)
            )
        )
        for place, text, value, high in zip(
            places, texts, chart.values, chart.highs, strict=True
        ):
            end = float(np.nanmax([value, high]))
            self._add_text(f"  {text}", end, float(place), (0, 0.5))
        names = [shortened(name) for name in chart.categories]
        self.plot.getAxis("left").set_names(names, places.tolist())
        self.plot.getAxis("bottom").set_axis(chart.value_axis, has_grid=True)
        for mark in chart.marks:
            self._add_mark(mark, mark.value)

    def _draw_interval(self, place: float, low: float, high: float) -> None:
        if np.isnan(low) or np.isnan(high):
            return
        pen = thin_pen(self.look.chart.after, 2)
        x = [low, low, low, high, high, high]
        y = [place - CAP, place + CAP, place, place, place - CAP, place + CAP]
        self.plot.addItem(pg.PlotCurveItem(x=x, y=y, pen=pen))

    def n_stops(self) -> int:
        return len(self.chart.categories) if self.chart else 0

    def stop(self, place: int) -> Stop:
        chart = self.chart
        assert chart is not None
        value = value_text(float(chart.values[place]), chart.value_axis)
        lines = [chart.categories[place], value]
        if not np.isnan(chart.lows[place]):
            low = value_text(float(chart.lows[place]), chart.value_axis)
            high = value_text(float(chart.highs[place]), chart.value_axis)
            words = Phrase("interval_words", {"low": low, "high": high}).text()
            lines.append(words)
        return Stop(float(chart.values[place]), -float(place), tuple(lines))

    def nearest(self, x: float, y: float) -> int | None:
        del x
        return place_of(-y, self.n_stops())

    def _mark_stop(self, stop: Stop) -> None:
        if self._cursor is None:
            self._cursor = pg.LinearRegionItem(
                orientation="horizontal",
                movable=False,
                brush=faded(self.look.chart.after, 22),
                pen=pg.mkPen(None),
            )
            self._cursor.setZValue(-5)
            self.plot.addItem(self._cursor, ignoreBounds=True)
        self._cursor.setRegion((stop.y - 0.5, stop.y + 0.5))
        self._cursor.show()
