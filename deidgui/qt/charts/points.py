"""What views of many points share: picking, zooming by keys, marks with names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
import pyqtgraph as pg
import PySide6  # noqa: F401 - pyqtgraph takes the binding that is loaded first
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QWidget

from deidgui.app.charts.plane import Flag
from deidgui.engine.arrays import FloatArray
from deidgui.qt.charts.cloud import Cloud
from deidgui.qt.charts.colours import faded, thin_pen
from deidgui.qt.charts.key import SYMBOLS, Shape
from deidgui.qt.charts.note import Note
from deidgui.qt.charts.view import CalmPlot, Chart, ChartView, Stop
from deidgui.qt.tokens import Tokens

C = TypeVar("C", bound=Chart)

Describe = Callable[[int], Sequence[str]]
"""Says in words what a policy does; the first line is its heading."""

FLAG_SHAPES = {
    Flag.OPTIMUM: Shape.STAR,
    Flag.CHOSEN: Shape.DIAMOND,
    Flag.KEPT: Shape.TRIANGLE,
    Flag.MINIMAL: Shape.SQUARE,
    Flag.PICKED: Shape.STAR,
    Flag.REFERENCE: Shape.SQUARE,
}

REACH = 11.0
"""Pixels from the middle of a marked point to what stands beside its shape."""

NEAR_PX = 9
"""A click hits a point up to this far away."""


def flag_colour(flag: Flag, look: Tokens) -> str:
    """Colour of marked points; their shape says the same."""
    return {
        Flag.OPTIMUM: look.chart.safe,
        Flag.CHOSEN: look.chart.highlight,
        Flag.KEPT: look.chart.categorical[3],
        Flag.MINIMAL: look.chart.categorical[2],
        Flag.PICKED: look.chart.safe,
        Flag.REFERENCE: look.colours.text,
    }[flag]


class PointView(ChartView[C]):
    """View of many points that can be moved, zoomed, pointed at and walked through.

    Parameters
    ----------
    describe : callable, optional
        Says what the policy of a point does.
    """

    def __init__(
        self,
        describe: Describe | None = None,
        *,
        view_box: Callable[[], Any] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        self.describe = describe
        self._cloud: Cloud | None = None
        self._fitted: object = None
        self._shapes: list[tuple[float, float]] = []
        self._names: list[Note] = []
        super().__init__(is_movable=True, view_box=view_box, parent=parent)

    def _connect_plot(self, plot: CalmPlot) -> None:
        plot.scene().sigMouseClicked.connect(self._on_mouse_clicked)
        plot.getViewBox().sigRangeChanged.connect(self._on_range_changed)
        plot.getViewBox().sigResized.connect(self._on_range_changed)

    def _coordinates(self) -> tuple[FloatArray, FloatArray]:
        """Coordinates of all points."""
        raise NotImplementedError

    def _on_range_changed(self, *_args: object) -> None:
        """Adapt what depends on the zoom."""
        self._place_names()

    def _on_point_clicked(self, place: int, *, is_double: bool) -> None:
        """React to a click on a point."""

    def pixel_size(self) -> tuple[float, float]:
        """Size of a pixel in units of the plot."""
        width, height = self.plot.getViewBox().viewPixelSize()
        return float(width), float(height)

    def n_stops(self) -> int:
        return len(self._coordinates()[0]) if self.chart else 0

    def nearest(self, x: float, y: float) -> int | None:
        all_x, all_y = self._coordinates()
        if not len(all_x):
            return None
        px, py = self.pixel_size()
        far = ((all_x - x) / px) ** 2 + ((all_y - y) / py) ** 2
        place = int(np.argmin(far))
        reach = max(NEAR_PX, (self._cloud.size if self._cloud else 0) / 2 + 3)
        return place if far[place] <= reach**2 else None

    def _on_mouse_clicked(self, event: Any) -> None:
        box = self.plot.getViewBox()
        if self.chart is None or self.chart.is_empty:
            return
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if not box.sceneBoundingRect().contains(event.scenePos()):
            return
        point = box.mapSceneToView(event.scenePos())
        place = self.nearest(point.x(), point.y())
        if place is not None:
            self._on_point_clicked(place, is_double=event.double())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Select what the menu of the frame is about: under the pointer or cursor."""
        place = self._stop
        if event.reason() is QContextMenuEvent.Reason.Mouse:
            at = self.plot.mapFromGlobal(event.globalPos())
            point = self.plot.getViewBox().mapSceneToView(self.plot.mapToScene(at))
            place = self.nearest(point.x(), point.y()) if self.is_drawn else None
        if place is not None:
            self._on_point_clicked(place, is_double=False)
        event.ignore()

    def fit(self) -> None:
        """Show all points."""
        raise NotImplementedError

    def _fit_new(self, places: object) -> None:
        """Show all points of new places; keep the zoom for the same ones."""
        if self._fitted is not places:
            self._fitted = places
            self.fit()

    def zoom(self, factor: float) -> None:
        """Show a part of the range, factor < 1, or more of it."""
        self.plot.getViewBox().scaleBy((factor, factor))

    def bring_into_view(self, x: float, y: float) -> None:
        """Move the picture so that a point is visible."""
        box = self.plot.getViewBox()
        rect = box.viewRect()
        if not rect.contains(QPointF(x, y)):
            dx, dy = rect.width() / 2, rect.height() / 2
            box.setRange(xRange=(x - dx, x + dx), yRange=(y - dy, y + dy), padding=0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match Qt.Key(event.key()):
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom(0.8)
            case Qt.Key.Key_Minus:
                self.zoom(1.25)
            case Qt.Key.Key_0:
                self.fit()
            case _:
                super().keyPressEvent(event)

    def _mark_stop(self, stop: Stop) -> None:
        """Draw a ring around the point under the reading cursor."""
        if self._cursor is None:
            pen = thin_pen(self.look.colours.text, 1.6)
            self._cursor = pg.ScatterPlotItem(pen=pen, brush=None, symbol="o")
            self._cursor.setZValue(20)
            self.plot.addItem(self._cursor, ignoreBounds=True)
        size = (self._cloud.size if self._cloud else 6) + 7
        self._cursor.setData([stop.x], [stop.y], size=size)
        self._cursor.show()

    def add_flags(self, marks: Sequence[tuple[Flag, float, float, str]]) -> None:
        """Mark points by shapes, and name them beside: two of one point in one line."""
        names: dict[tuple[float, float], list[str]] = {}
        for flag, x, y, label in marks:
            self._add_shape(flag, x, y)
            if label:
                names.setdefault((x, y), []).append(label)
        self._shapes = [(x, y) for _flag, x, y, _label in marks]
        background = faded(self.look.chart.background, 210)
        self._names = []
        for (x, y), labels in names.items():
            text, colour = ", ".join(labels), self.look.colours.text
            note = self._add_text(text, x, y, (0, 0.5), colour, background)
            note.setZValue(9.5)
            self._names.append(note)
        self._place_names()

    def _place_names(self) -> None:
        """Put each name where it covers no shape and no other name, if it can."""
        if not self._names or self.chart is None:
            return
        view = self.plot.getViewBox()
        shapes = [view.mapViewToScene(QPointF(x, y)) for x, y in self._shapes]
        taken = [
            QRectF(each.x() - REACH, each.y() - REACH, 2 * REACH, 2 * REACH)
            for each in shapes
        ]
        room = view.sceneBoundingRect()
        for note in self._names:
            at = view.mapViewToScene(note.pos())
            places = [
                QRectF(at + QPointF(*corner), note.size) for corner in _beside(note)
            ]
            best = min(
                places,
                key=lambda place: (_covered(place, taken, room), self._n_below(place)),
            )
            note.stand(best.x() - at.x(), best.y() - at.y())
            taken.append(best)

    def _n_below(self, place: QRectF) -> int:
        """How many points a name would cover."""
        view = self.plot.getViewBox()
        box = view.mapSceneToView(place).boundingRect()
        x, y = self._coordinates()
        inside = (x >= box.left()) & (x <= box.right())
        inside &= (y >= box.top()) & (y <= box.bottom())
        return int(np.count_nonzero(inside))

    def _add_shape(self, flag: Flag, x: float, y: float) -> None:
        colour = flag_colour(flag, self.look)
        spot = pg.ScatterPlotItem(
            [x],
            [y],
            size=17 if flag is Flag.OPTIMUM else 13,
            symbol=SYMBOLS[FLAG_SHAPES[flag]],
            brush=QColor(colour),
            pen=thin_pen(self.look.chart.background, 1.5),
        )
        spot.setZValue(10)
        self.plot.addItem(spot, ignoreBounds=True)


def _beside(note: Note) -> list[tuple[float, float]]:
    """Top left corners beside a point, in pixels: right of it, left, above, below."""
    width, height = note.size.width(), note.size.height()
    sides = [(REACH, -height / 2), (-REACH - width, -height / 2)]
    for away in (REACH, 2 * REACH, 3 * REACH):
        for left in (-width / 2, REACH, -REACH - width):
            sides += [(left, -away - height), (left, away)]
    return sides


def _covered(place: QRectF, taken: Sequence[QRectF], room: QRectF) -> int:
    """How many shapes and names a name would cover; outside it is not seen."""
    return sum(map(place.intersects, taken)) + (0 if room.contains(place) else 100)
