"""How curves are drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
import PySide6  # noqa: F401 - pyqtgraph takes the binding that is loaded first
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QWidget

from deidgui.app.charts.base import LineChart, Series, SeriesRole
from deidgui.app.charts.phrases import Phrase
from deidgui.engine.arrays import FloatArray
from deidgui.qt.charts.bars import reading, value_text
from deidgui.qt.charts.colours import faded, thin_pen
from deidgui.qt.charts.key import KeyEntry, Shape
from deidgui.qt.charts.view import ChartView, Stop


class LineView(ChartView[LineChart]):
    """Curves; the input is dashed with hollow points, the release solid and filled.

    Where the first curve has no value the background is hatched.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)

    def _entries(self, chart: LineChart) -> Sequence[KeyEntry]:
        entries = [KeyEntry(chart.y_axis.label.text())]
        if len(chart.series) > 1:
            entries += [
                KeyEntry(
                    each.name.text(),
                    Shape.DASHED_LINE if self._dashes(each) else Shape.SOLID_LINE,
                    self._colour(each),
                )
                for each in chart.series
                if each.role is not SeriesRole.HIGHEST
            ]
        if highest := [e for e in chart.series if e.role is SeriesRole.HIGHEST]:
            text, colour = Phrase("highest").text(), self._colour(highest[0])
            entries.append(KeyEntry(text, Shape.DOTTED_LINE, colour))
        if np.isnan(chart.series[0].values).any():
            text = Phrase("no_policy").text()
            entries.append(KeyEntry(text, Shape.HATCH, self.look.chart.axis))
        return entries

    def _colour(self, series: Series) -> str:
        if series.role is SeriesRole.HIGHEST and self.chart is not None:
            series = self.chart.series[self._number_of(series) - 1]
        place, look = self._place_of(series), self.look.chart
        if place is not None:
            return look.categorical[place % len(look.categorical)]
        return look.before if series.role is SeriesRole.BEFORE else look.after

    def _dashes(self, series: Series) -> tuple[int, ...]:
        """Dashes of the input, and of every other one of several curves."""
        if series.role is SeriesRole.HIGHEST:
            return (1, 3)
        place = self._place_of(series)
        is_dashed = series.role is SeriesRole.BEFORE or (place or 0) % 2 == 1
        return (4, 3) if is_dashed else ()

    def _number_of(self, series: Series) -> int:
        every = self.chart.series if self.chart else ()
        return next(at for at, each in enumerate(every) if each is series)

    def _place_of(self, series: Series) -> int | None:
        """Place among several curves of equal standing; None if there are none."""
        every = self.chart.series if self.chart else ()
        mains = [id(each) for each in every if each.role is SeriesRole.MAIN]
        if len(mains) < 2 or id(series) not in mains:
            return None
        return mains.index(id(series))

    def _draw(self, chart: LineChart) -> None:
        places = self._places(chart)
        for series in chart.series:
            self._draw_series(chart, series, places)
        known = np.concatenate([each.values for each in chart.series])
        highest = float(np.nanmax(known)) or 1.0
        low, high = chart.x_axis.limits or (float(places[0]), float(places[-1]))
        pad = 0.02 * (high - low) or 0.5
        self.plot.setXRange(low - pad, high + pad, padding=0)
        self.plot.setYRange(*(chart.y_axis.limits or (0, highest * 1.1)), padding=0)
        self._hatch_unknown(chart, places)
        self.plot.getAxis("left").set_axis(chart.y_axis, has_grid=True)
        self.plot.getAxis("bottom").set_axis(
            chart.x_axis, has_grid=False, label=chart.x_axis.label.text()
        )
        for mark in chart.marks:
            is_log = mark.axis == "x" and chart.x_axis.is_log
            self._add_mark(mark, np.log10(mark.value) if is_log else mark.value)

    def _places(self, chart: LineChart) -> FloatArray:
        places = chart.positions
        return np.log10(places) if chart.x_axis.is_log else places

    def _draw_series(
        self, chart: LineChart, series: Series, places: FloatArray
    ) -> None:
        is_before = series.role is SeriesRole.BEFORE
        colour = QColor(self._colour(series))
        width = 1.6 if is_before else 2
        pen = thin_pen(self._colour(series), width, self._dashes(series))
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        x, y = places, series.values
        if chart.is_stepped and len(x) > 1:
            # A value holds until the next place: each one is drawn twice.
            x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
        curve = pg.PlotCurveItem(x, y, pen=pen, connect="finite")
        self.plot.addItem(curve)
        if series.band is not None:
            edges = [pg.PlotCurveItem(places, each) for each in series.band]
            band = pg.FillBetweenItem(*edges, brush=faded(self._colour(series), 60))
            band.setZValue(-20)
            self.plot.addItem(band, ignoreBounds=True)
        if chart.has_points or len(places) == 1:
            background = QColor(self.look.chart.background)
            dots = pg.ScatterPlotItem(
                places,
                series.values,
                size=6,
                symbol="o",
                pen=thin_pen(self._colour(series), 1.4),
                brush=QBrush(background if is_before else colour),
            )
            self.plot.addItem(dots)

    def _hatch_unknown(self, chart: LineChart, places: FloatArray) -> None:
        unknown = np.isnan(chart.series[0].values)
        if not unknown.any() or unknown.all() or len(places) < 2:
            return
        ends = np.flatnonzero(np.diff(np.concatenate(([0], unknown, [0]))))
        brush = QBrush(faded(self.look.chart.axis, 70), Qt.BrushStyle.BDiagPattern)
        for start, end in ends.reshape(-1, 2).tolist():
            region = pg.LinearRegionItem(
                (places[start], places[min(end, len(places) - 1)]),
                movable=False,
                brush=brush,
                pen=pg.mkPen(None),
            )
            region.setZValue(-10)
            self.plot.addItem(region, ignoreBounds=True)

    def n_stops(self) -> int:
        return len(self.chart.positions) if self.chart else 0

    def stop(self, place: int) -> Stop:
        chart = self.chart
        assert chart is not None
        position = value_text(float(chart.positions[place]), chart.x_axis)
        label = f"{chart.x_axis.label.text()}: {position}"
        # A series without a value here has nothing to say beside one that has.
        drawn = [each for each in chart.series if np.isfinite(each.values[place])]
        lines = reading(label, drawn or chart.series[:1], place, chart.y_axis)
        if chart.notes and chart.notes[place]:
            lines += chart.notes[place].split("; ")
        values = [float(np.nan_to_num(each.values[place])) for each in chart.series]
        return Stop(float(self._places(chart)[place]), max(values), tuple(lines))

    def nearest(self, x: float, y: float) -> int | None:
        del y
        assert self.chart is not None
        places = self._places(self.chart)
        if self.chart.is_stepped:
            place = int(np.searchsorted(places, x, side="right")) - 1
            return max(0, place)
        return int(np.argmin(np.abs(places - x)))
