"""How the risk–utility plane is drawn and pointed at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
import PySide6  # noqa: F401 - pyqtgraph takes the binding that is loaded first
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from deidgui.app.charts.phrases import Phrase
from deidgui.app.charts.plane import Flag, Scatter
from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.qt.charts.bars import value_text
from deidgui.qt.charts.cloud import DISC, RING, Cloud
from deidgui.qt.charts.colours import thin_pen
from deidgui.qt.charts.key import KeyEntry, Shape
from deidgui.qt.charts.points import Describe, PointView, flag_colour
from deidgui.qt.charts.view import CalmPlot, Stop

MANY_POINTS = 20_000


class SelectBox(pg.ViewBox):  # type: ignore[misc] # pyqtgraph is untyped
    """View that draws a frame while Shift is held and the mouse dragged.

    Attributes
    ----------
    framed : Signal(QRectF)
        The frame, in units of the plot.
    """

    framed = Signal(QRectF)

    def __init__(self) -> None:
        super().__init__(enableMenu=False)

    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:
        """Draw the frame, or move the picture without Shift."""
        if not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            super().mouseDragEvent(event, axis)
            return
        event.accept()
        first = self.mapSceneToView(event.buttonDownScenePos())
        last = self.mapSceneToView(event.scenePos())
        frame = QRectF(first, last).normalized()
        if event.isFinish():
            self.rbScaleBox.hide()
            self.framed.emit(frame)
        else:
            self.updateScaleBox(event.buttonDownPos(), event.pos())


class ScatterPlane(PointView[Scatter]):
    """Policies between risk and loss; better ones at the bottom left.

    Click selects; Shift and drag selects several; arrow keys walk along the policies
    that no other one beats in both respects, Enter selects.

    Attributes
    ----------
    policies_selected : Signal(object)
        ndarray of int64 of the policies in the frame.
    """

    policy_selected = Signal(int)
    policies_selected = Signal(object)

    def __init__(
        self, describe: Describe | None = None, parent: QWidget | None = None
    ) -> None:
        self._picked: IntArray = np.empty(0, dtype=np.int64)
        self._picked_item: Any = None
        super().__init__(describe, view_box=SelectBox, parent=parent)

    def _connect_plot(self, plot: CalmPlot) -> None:
        super()._connect_plot(plot)
        plot.getViewBox().framed.connect(self._on_framed)

    def _entries(self, chart: Scatter) -> Sequence[KeyEntry]:
        look = self.look.chart
        entries = [KeyEntry(chart.y_axis.label.text())]
        if chart.feasible.any():
            text = Phrase("meets_models").text()
            entries.append(KeyEntry(text, Shape.DOT, look.after))
        if not chart.feasible.all():
            text = Phrase("meets_not").text()
            entries.append(KeyEntry(text, Shape.HOLLOW_DOT, look.before))
        if len(chart.frontier) > 1:
            text = Phrase("frontier").text()
            entries.append(KeyEntry(text, Shape.SOLID_LINE, self.look.colours.text))
        return entries

    def _coordinates(self) -> tuple[FloatArray, FloatArray]:
        assert self.chart is not None
        return self.chart.x, self.chart.y

    def _draw(self, chart: Scatter) -> None:
        look = self.look.chart
        self._cloud = Cloud(chart.x, chart.y)
        self._cloud.set_size(4.0 if len(chart.x) > MANY_POINTS else 6.5)
        feasible = chart.feasible.astype(np.int64)
        shapes = np.where(chart.feasible, DISC, RING)
        self._cloud.set_kinds(feasible, shapes, (look.before, look.after))
        self.plot.addItem(self._cloud)
        self._draw_frontier(chart)
        self._draw_picked()
        self.plot.getAxis("left").set_axis(chart.y_axis, has_grid=True)
        self.plot.getAxis("bottom").set_axis(
            chart.x_axis, has_grid=True, label=chart.x_axis.label.text()
        )
        self._fit_new(chart.x)
        for line in chart.marks:
            self._add_mark(line, line.value)
        self.add_flags([(e.flag, e.x, e.y, e.label.text()) for e in chart.marked])

    def _draw_frontier(self, chart: Scatter) -> None:
        """Stepped line along the policies that no other one beats."""
        if len(chart.frontier) < 2:
            return
        x, y = chart.x[chart.frontier], chart.y[chart.frontier]
        pen = thin_pen(self.look.colours.text, 1.2)
        curve = pg.PlotCurveItem(np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1], pen=pen)
        self.plot.addItem(curve, ignoreBounds=True)

    def fit(self) -> None:
        if self.chart is None or self.chart.is_empty:
            return
        places_x = [*self.chart.x.tolist(), *(m.x for m in self.chart.marked)]
        places_y = [*self.chart.y.tolist(), *(m.y for m in self.chart.marked)]
        places_y += [mark.value for mark in self.chart.marks]
        box = self.plot.getViewBox()
        box.setRange(xRange=_around(places_x), yRange=_around(places_y), padding=0)

    def stop(self, place: int) -> Stop:
        chart = self.chart
        assert chart is not None
        x, y = float(chart.x[place]), float(chart.y[place])
        policy = int(chart.policies[place])
        words = tuple(self.describe(policy)) if self.describe else ()
        meets = Phrase("meets_models" if chart.feasible[place] else "meets_not")
        figures = (
            f"{chart.x_axis.label.text()}: {value_text(x, chart.x_axis)}",
            f"{chart.y_axis.label.text()}: {value_text(y, chart.y_axis)}",
            meets.text(),
        )
        names = [m.label.text() for m in chart.marked if m.policy == policy]
        return Stop(x, y, (*names, *words, *figures))

    # Selecting

    def select(self, policies: IntArray) -> None:
        """Show which policies are selected elsewhere; emits nothing."""
        self._picked = policies
        self._draw_picked()

    def _draw_picked(self) -> None:
        if self.chart is None or self.chart.is_empty:
            return
        if self._picked_item is None or self._picked_item.scene() is None:
            pen = thin_pen(flag_colour(Flag.CHOSEN, self.look), 1.6)
            self._picked_item = pg.ScatterPlotItem(pen=pen, brush=None, symbol="o")
            self._picked_item.setZValue(9)
            self.plot.addItem(self._picked_item, ignoreBounds=True)
        rows = np.flatnonzero(np.isin(self.chart.policies, self._picked))
        size = (self._cloud.size if self._cloud else 6) + 6
        self._picked_item.setData(self.chart.x[rows], self.chart.y[rows], size=size)

    def _on_point_clicked(self, place: int, *, is_double: bool) -> None:
        del is_double
        assert self.chart is not None
        policy = int(self.chart.policies[place])
        self.select(np.array([policy]))
        self._stop = place
        self.policy_selected.emit(policy)

    def _on_framed(self, frame: QRectF) -> None:
        chart = self.chart
        if chart is None or chart.is_empty:
            return
        inside = (chart.x >= frame.left()) & (chart.x <= frame.right())
        inside &= (chart.y >= frame.top()) & (chart.y <= frame.bottom())
        self.select(chart.policies[inside])
        self.policies_selected.emit(self._picked)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Up: -1,
        }.get(Qt.Key(event.key()))
        chart = self.chart
        if chart is None or chart.is_empty:
            super().keyPressEvent(event)
        elif step is not None:
            self._walk(chart, step)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._stop is not None:
                self._on_point_clicked(self._stop, is_double=False)
        else:
            super().keyPressEvent(event)

    def _walk(self, chart: Scatter, step: int) -> None:
        """Go along the frontier, or through all points where there is none."""
        path = chart.frontier if len(chart.frontier) else np.argsort(chart.x)
        here = np.flatnonzero(path == self._stop)
        if len(here):
            place = int(np.clip(here[0] + step, 0, len(path) - 1))
        else:
            place = 0 if step > 0 else len(path) - 1
        target = int(path[place])
        self.bring_into_view(float(chart.x[target]), float(chart.y[target]))
        self.go_to(target)


def _around(values: Sequence[float]) -> tuple[float, float]:
    """Range with a little room around some values; from 0 where it is as near."""
    low, high = min(values), max(values)
    room = 0.06 * (high - low) or 0.05 * abs(high) or 0.5
    if 0 < low <= room:
        low = 0.0
    return low - room, high + room
