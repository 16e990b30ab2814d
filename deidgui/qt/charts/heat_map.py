"""How the numbers of pairs are drawn as colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
import PySide6  # noqa: F401 - pyqtgraph takes the binding that is loaded first
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QTransform
from PySide6.QtWidgets import QGraphicsItem

from deidgui.app.charts.base import Axis, AxisUnit, HeatMap
from deidgui.app.charts.formats import SHORTENED, short_text
from deidgui.qt.charts.bars import value_text
from deidgui.qt.charts.colours import colour_table, hex_of, text_on, thin_pen
from deidgui.qt.charts.key import KeyEntry, Shape
from deidgui.qt.charts.note import PAD
from deidgui.qt.charts.texts import chart_font, line_height, shortened
from deidgui.qt.charts.view import ChartView, Stop

MOST_TEXTS = 240
"""Cells up to which each shows its number."""


class CellText(NamedTuple):
    """What is written in the middle of a cell."""

    place: QPointF
    text: str
    colour: QColor


class Cells(QGraphicsItem):
    """Gaps between cells, and their texts where every one fits into its cell.

    PERF: an item for each text and each gap takes ten times as long to put there.
    """

    def __init__(
        self,
        n_rows: int,
        n_columns: int,
        gap: QPen,
        texts: Sequence[CellText],
        font: QFont,
    ) -> None:
        super().__init__()
        self._rect = QRectF(-0.5, 0.5 - n_rows, n_columns, n_rows)
        self._gap, self._texts, self._font = gap, texts, font
        across = (
            QLineF(self._rect.left(), 0.5 - row, self._rect.right(), 0.5 - row)
            for row in range(1, n_rows)
        )
        along = (
            QLineF(place - 0.5, self._rect.top(), place - 0.5, self._rect.bottom())
            for place in range(1, n_columns)
        )
        self._lines = [*across, *along]
        metrics = QFontMetricsF(font)
        self._height, self._ascent = metrics.height(), metrics.ascent()
        self._widths = [
            metrics.horizontalAdvance(each.text) + 2 * PAD for each in texts
        ]

    def boundingRect(self) -> QRectF:
        return self._rect

    def paint(self, painter: QPainter, *_args: object) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._gap)
        painter.drawLines(self._lines)
        to_scene = self.sceneTransform()
        if self._is_fitting(to_scene.mapRect(QRectF(0, 0, 1, 1))):
            # Texts keep their size whatever the zoom.
            painter.setTransform(to_scene.inverted()[0] * painter.transform())
            self._write(painter, to_scene)
        painter.restore()

    def _is_fitting(self, room: QRectF) -> bool:
        widest = max(self._widths, default=0.0)
        return widest <= room.width() and self._height <= room.height()

    def _write(self, painter: QPainter, to_scene: QTransform) -> None:
        painter.setFont(self._font)
        for (place, text, colour), width in zip(self._texts, self._widths, strict=True):
            middle = to_scene.map(place)
            left, top = middle.x() - width / 2, middle.y() - self._height / 2
            painter.setPen(colour)
            painter.drawText(QPointF(left + PAD, top + self._ascent), text)


class HeatMapView(ChartView[HeatMap]):
    """Rows and columns of cells, pale where there is little; with their numbers."""

    def sizeHint(self) -> QSize:
        rows = len(self.chart.row_labels) if self.chart else 8
        high = max(176, round(rows * (line_height() + 8) + 66))
        return QSize(480, self._key_height() + high)

    def minimumSizeHint(self) -> QSize:
        rows = len(self.chart.row_labels) if self.chart else 0
        high = min(576, max(136, round(rows * line_height() + 66)))
        return QSize(220, self._key_height() + high)

    def _entries(self, chart: HeatMap) -> Sequence[KeyEntry]:
        label = chart.value_axis.label.text()
        high = value_text(chart.highest, chart.value_axis)
        if np.nanmax(chart.values) > chart.highest:
            high = f"≥ {high}"
        return [KeyEntry(label), KeyEntry(high, Shape.RAMP, low="0")]

    def _draw(self, chart: HeatMap) -> None:
        n_rows, n_columns = chart.values.shape
        image = pg.ImageItem(axisOrder="row-major")
        # The first row stands at the top, where the image has its last one.
        image.setImage(chart.values[::-1], levels=(0, chart.highest or 1.0))
        image.setLookupTable(colour_table(self.look.chart.sequential))
        image.setRect(QRectF(-0.5, -n_rows + 0.5, n_columns, n_rows))
        self.plot.addItem(image)
        self.plot.setXRange(-0.5, n_columns - 0.5, padding=0)
        self.plot.setYRange(-n_rows + 0.5, 0.5, padding=0)
        texts = self._texts(chart) if chart.values.size <= MOST_TEXTS else ()
        self.plot.addItem(
            Cells(
                n_rows,
                n_columns,
                thin_pen(self.look.chart.background, 2),
                list(texts),
                chart_font(self.look),
            ),
            ignoreBounds=True,
        )
        self.plot.getAxis("left").set_names(
            [shortened(name, 22) for name in chart.row_labels],
            [-float(row) for row in range(n_rows)],
        )
        self.plot.getAxis("bottom").set_names(
            [shortened(name, 16) for name in chart.column_labels], is_slanted=True
        )

    def _texts(self, chart: HeatMap) -> Iterator[CellText]:
        table = colour_table(self.look.chart.sequential).tolist()
        is_short = float(np.nanmax(chart.values, initial=0)) >= SHORTENED
        for row, column in np.argwhere(np.isfinite(chart.values)).tolist():
            value = float(chart.values[row, column])
            part = min(1.0, value / chart.highest) if chart.highest else 0.0
            colour = QColor(text_on(hex_of(*table[round(part * 255)])))
            text = _cell_text(value, chart.value_axis, is_short=is_short)
            yield CellText(QPointF(column, -row), text, colour)

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


def _cell_text(value: float, axis: Axis, *, is_short: bool) -> str:
    """Number short enough for a cell, with as many digits as its neighbours."""
    if not value:
        return "0"  # is measured, and not 0.00 by rounding
    if axis.unit is AxisUnit.NUMBER:
        return f"{value:.2f}"
    return short_text(value) if is_short else value_text(value, axis)
