"""How the numbers of pairs are drawn as colours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
import PySide6  # noqa: F401 - pyqtgraph takes the binding that is loaded first
from PySide6.QtCore import QRectF, QSize
from PySide6.QtWidgets import QWidget

from deidgui.app.charts.base import Axis, AxisUnit, HeatMap
from deidgui.app.charts.formats import short_text
from deidgui.qt.charts.bars import value_text
from deidgui.qt.charts.colours import colour_table, hex_of, text_on, thin_pen
from deidgui.qt.charts.key import KeyEntry, Shape
from deidgui.qt.charts.note import Note
from deidgui.qt.charts.texts import line_height, shortened
from deidgui.qt.charts.view import CalmPlot, ChartView, Stop

MOST_TEXTS = 240
"""Cells up to which each shows its number."""


class HeatMapView(ChartView[HeatMap]):
    """Rows and columns of cells, pale where there is little; with their numbers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._numbers: list[Note] = []
        super().__init__(parent=parent)

    def _connect_plot(self, plot: CalmPlot) -> None:
        plot.getViewBox().sigResized.connect(self._on_resized)

    def sizeHint(self) -> QSize:
        rows = len(self.chart.row_labels) if self.chart else 8
        return QSize(480, max(200, round(rows * (line_height() + 8) + 90)))

    def minimumSizeHint(self) -> QSize:
        rows = len(self.chart.row_labels) if self.chart else 0
        return QSize(220, min(600, max(160, round(rows * line_height() + 90))))

    def _entries(self, chart: HeatMap) -> Sequence[KeyEntry]:
        label = chart.value_axis.label.text()
        high = value_text(chart.highest, chart.value_axis)
        if np.nanmax(chart.values) > chart.highest:
            high = f"≥ {high}"
        return [KeyEntry(label), KeyEntry(high, Shape.RAMP, low="0")]

    def _draw(self, chart: HeatMap) -> None:
        n_rows, n_columns = chart.values.shape
        self._numbers = []
        image = pg.ImageItem(axisOrder="row-major")
        # The first row stands at the top, where the image has its last one.
        image.setImage(chart.values[::-1], levels=(0, chart.highest or 1.0))
        image.setLookupTable(colour_table(self.look.chart.sequential))
        image.setRect(QRectF(-0.5, -n_rows + 0.5, n_columns, n_rows))
        self.plot.addItem(image)
        self.plot.setXRange(-0.5, n_columns - 0.5, padding=0)
        self.plot.setYRange(-n_rows + 0.5, 0.5, padding=0)
        if chart.values.size <= MOST_TEXTS:
            self._write_numbers(chart)
        self._draw_gaps(n_rows, n_columns)
        self.plot.getAxis("left").set_names(
            [shortened(name, 22) for name in chart.row_labels],
            [-float(row) for row in range(n_rows)],
        )
        self.plot.getAxis("bottom").set_names(
            [shortened(name, 16) for name in chart.column_labels], is_slanted=True
        )

    def _draw_gaps(self, n_rows: int, n_columns: int) -> None:
        pen = thin_pen(self.look.chart.background, 2)
        for row in range(1, n_rows):
            self.plot.addItem(pg.InfiniteLine(0.5 - row, 0, pen), ignoreBounds=True)
        for column in range(1, n_columns):
            line = pg.InfiniteLine(column - 0.5, 90, pen)
            self.plot.addItem(line, ignoreBounds=True)

    def _write_numbers(self, chart: HeatMap) -> None:
        table = colour_table(self.look.chart.sequential).tolist()
        for row, column in np.argwhere(np.nan_to_num(chart.values) > 0).tolist():
            value = float(chart.values[row, column])
            part = min(1.0, value / chart.highest) if chart.highest else 0.0
            background = hex_of(*table[round(part * 255)])
            text = _cell_text(value, chart.value_axis)
            note = self._add_text(text, column, -row, (0.5, 0.5), text_on(background))
            self._numbers.append(note)
        self._on_resized()

    def _on_resized(self, _box: object = None) -> None:
        """Show the numbers only where every one fits into its cell."""
        if self.chart is None or not self._numbers:
            return
        rect = self.plot.getViewBox().rect()
        n_rows, n_columns = self.chart.values.shape
        sizes = [note.boundingRect() for note in self._numbers]
        fits = max(size.width() for size in sizes) <= rect.width() / n_columns
        fits = fits and max(s.height() for s in sizes) <= rect.height() / n_rows
        for note in self._numbers:
            note.setVisible(fits)

    def n_stops(self) -> int:
        return int(self.chart.values.size) if self.chart else 0

    def stop(self, place: int) -> Stop:
        chart = self.chart
        assert chart is not None
        row, column = divmod(place, len(chart.column_labels))
        value = value_text(float(chart.values[row, column]), chart.value_axis)
        pair = f"{chart.row_labels[row]} · {chart.column_labels[column]}"
        return Stop(column, -row, (pair, f"{chart.value_axis.label.text()}: {value}"))

    def nearest(self, x: float, y: float) -> int | None:
        assert self.chart is not None
        n_rows, n_columns = self.chart.values.shape
        row, column = round(-y), round(x)
        if not (0 <= row < n_rows and 0 <= column < n_columns):
            return None
        return int(row * n_columns + column)

    def _mark_stop(self, stop: Stop) -> None:
        if self._cursor is None:
            pen = thin_pen(self.look.chart.highlight, 2)
            self._cursor = pg.PlotCurveItem(pen=pen)
            self.plot.addItem(self._cursor, ignoreBounds=True)
        around = np.array([-0.5, 0.5, 0.5, -0.5, -0.5])
        self._cursor.setData(stop.x + around, stop.y + np.roll(around, 1))
        self._cursor.show()


def _cell_text(value: float, axis: Axis) -> str:
    """Number short enough for a cell, with as many digits as its neighbours."""
    if axis.unit is AxisUnit.NUMBER:
        return f"{value:.2f}"
    return short_text(value) if value >= 10_000 else value_text(value, axis)
