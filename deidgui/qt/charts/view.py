"""What all charts on screen share: theme, hover card, reading cursor, empty state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import pyqtgraph as pg
import PySide6  # noqa: F401 - pyqtgraph takes the binding that is loaded first
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QFocusEvent,
    QKeyEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget
from shiboken6 import delete

from deidgui.app.charts.base import Guide, NumberTable
from deidgui.app.charts.phrases import Phrase
from deidgui.qt.charts.axis import ChartAxis
from deidgui.qt.charts.card import HoverCard
from deidgui.qt.charts.colours import thin_pen
from deidgui.qt.charts.key import KeyEntry, KeyLine
from deidgui.qt.charts.note import Note
from deidgui.qt.charts.texts import chart_font
from deidgui.qt.theme import theme, tokens
from deidgui.qt.tokens import Tokens
from deidgui.qt.widgets.polish import stacked
from deidgui.qt.widgets.text import Label

pg.setConfigOptions(antialias=True)


class Chart(Protocol):
    """What a view needs to know of any chart."""

    @property
    def title(self) -> Phrase:
        """What is shown."""

    @property
    def sentence(self) -> Phrase:
        """What one sees."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""

    def to_table(self) -> NumberTable:
        """Numbers to copy."""


C = TypeVar("C", bound=Chart)


@dataclass(frozen=True, repr=False)
class Stop:
    """A place where the reading cursor can be.

    Parameters
    ----------
    x, y : float
        In the units of the plot.
    lines : tuple of str
        What is to be read there.
    """

    x: float
    y: float
    lines: tuple[str, ...]


class MenuWords:
    """What a control of a plot's own menu said before it was deleted."""

    def __init__(self, control: Any) -> None:
        for name in ("isChecked", "value", "maximum", "count"):
            if hasattr(control, name):
                setattr(self, name, partial(_same, getattr(control, name)()))

    def clear(self) -> None:
        """There is no list of parameters to average over."""


def _same(value: Any) -> Any:
    return value


class CalmPlot(pg.PlotWidget):  # type: ignore[misc] # pyqtgraph is untyped
    """Plot without menus and buttons; scrolls the page if it cannot be zoomed."""

    def __init__(self, is_movable: bool, view_box: Any = None) -> None:
        axes = {name: ChartAxis(name) for name in ("left", "bottom")}
        # Menus take most of the time to build a plot, and are not wanted.
        box = view_box or pg.ViewBox(enableMenu=False)
        super().__init__(axisItems=axes, viewBox=box, enableMenu=False)
        self._is_movable = is_movable
        # WORKAROUND pyqtgraph 0.14: its own export menu fails for every SVG.
        self.scene().contextMenu = []
        self._drop_menu()
        self.hideButtons()
        # The menu is that of the frame.
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setMouseEnabled(is_movable, is_movable)
        self.setFrameShape(self.Shape.NoFrame)
        self.setBackground(None)
        self.viewport().setAutoFillBackground(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setMouseTracking(True)
        self.getViewBox().setDefaultPadding(0.0)
        self.getPlotItem().layout.setContentsMargins(0, 4, 18, 6)
        for axis in axes.values():
            # The grid lies below everything that is drawn in the plot.
            axis.setFlag(axis.GraphicsItemFlag.ItemNegativeZStacksBehindParent, True)
            axis.setZValue(-1000)

    def _drop_menu(self) -> None:
        """Delete the fifty widgets of a menu that nobody sees; keep what they say."""
        item = self.getPlotItem()
        for name, control in vars(item.ctrl).items():
            setattr(item.ctrl, name, MenuWords(control))
        item.stateGroup = None
        # It has no parent, and would outlive the plot.
        delete(item.ctrlMenu)
        item.ctrlMenu = None

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self._is_movable:
            super().wheelEvent(event)
        else:
            event.ignore()


class _LineName(pg.InfLineLabel):  # type: ignore[misc]
    """Name above a line across the plot; below it where there is no room above."""

    def updatePosition(self) -> None:
        super().updatePosition()
        seen, box = self.line.viewRect(), self.line.getViewBox()
        if seen is None or box is None or self.line.angle:
            return
        room = seen.bottom() / box.viewPixelSize()[1]
        if room < self.boundingRect().height():
            self.setAnchor((1.0, 0.0))


class ChartView(QWidget, Generic[C]):
    """Shows one chart.

    Parameters
    ----------
    is_movable : bool
        Whether the picture can be moved and zoomed.
    view_box : callable, optional
        Makes the part of the plot that is pointed at.

    Attributes
    ----------
    stop_changed : Signal(int)
        The reading cursor is at another place now.
    """

    stop_changed = Signal(int)

    least_plot: ClassVar[int] = 210
    """Pixels, for letters × 1, in which both axes can be read."""

    def __init__(
        self,
        *,
        is_movable: bool = False,
        view_box: Callable[[], Any] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._is_movable, self._make_box = is_movable, view_box
        self._chart: C | None = None
        self._look = tokens()
        self._stop: int | None = None
        self._nothing = Label("", "body", "muted", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.key = KeyLine()
        self._card: HoverCard | None = None
        self._cursor: Any = None
        self._lay_out()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty("focus_ring", True)

    @cached_property
    def plot(self) -> CalmPlot:
        """Where it is drawn; made when it is asked for first."""
        made = CalmPlot(self._is_movable, self._make_box and self._make_box())
        made.scene().sigMouseMoved.connect(self._on_mouse_moved)
        made.viewport().installEventFilter(self)
        self._card = HoverCard(made)
        self._apply_look(made)
        self._connect_plot(made)
        self._inside.insertWidget(self._inside.indexOf(self.key) + 1, made, 1)
        return made

    def make_plot(self) -> None:
        """Make where it is drawn, before there is something to draw."""
        _made = self.plot

    @property
    def has_plot(self) -> bool:
        """Whether there is a plot already."""
        return "plot" in self.__dict__

    def _connect_plot(self, plot: CalmPlot) -> None:
        """Follow what happens in the plot."""

    def _lay_out(self) -> None:
        full = QWidget()
        self._inside = inside = QVBoxLayout(full)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(4)
        inside.addWidget(self.key)
        self._stack = QStackedLayout(self)
        stacked(self._stack, full, self._nothing)

    # What is shown

    @property
    def chart(self) -> C | None:
        """The chart that is shown."""
        return self._chart

    @property
    def is_drawn(self) -> bool:
        """Whether there is a chart that is not empty."""
        return self._chart is not None and not self._chart.is_empty

    @property
    def look(self) -> Tokens:
        """The tokens it is drawn with."""
        return self._look

    @property
    def card_lines(self) -> tuple[str, ...]:
        """What the card says now; nothing while it is hidden."""
        return () if self._card is None else self._card.lines

    def set_chart(self, chart: C | None) -> None:
        """Show another chart, or nothing."""
        self._chart = chart
        self._leave()
        phrase = Phrase("nothing_yet") if chart is None else chart.sentence
        self.setAccessibleName("" if chart is None else chart.title.text())
        self.setAccessibleDescription(phrase.text())
        self._redraw()
        self.updateGeometry()

    def use_look(self, look: Tokens) -> None:
        """Draw with other tokens than the theme's, for a picture on paper."""
        self._look = look
        if self.has_plot:
            self._apply_look(self.plot)
        self._redraw()

    def hasHeightForWidth(self) -> bool:
        """Be as high as the hints say: of key and plot a layout would ask for 500."""
        return False

    def sizeHint(self) -> QSize:
        return QSize(480, 300)

    def minimumSizeHint(self) -> QSize:
        return QSize(220, self._key_height() + self._least_height())

    def _key_height(self) -> int:
        """Pixels above the plot, at the width of now."""
        high = self.key.heightForWidth(self.width()) + self._inside.spacing()
        return high if self.is_drawn else 0

    def _least_height(self) -> int:
        """Pixels in which a plot with its axes can be read, at the size of letters."""
        return round(self.least_plot * max(1.0, theme().text_scale))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()  # the key has other lines

    def _redraw(self) -> None:
        self._cursor = None
        if self.has_plot:
            self.plot.clear()
        is_empty = self._chart is None or self._chart.is_empty
        self._stack.setCurrentIndex(1 if is_empty else 0)
        if self._chart is None or self._chart.is_empty:
            nothing = Phrase("nothing_yet")
            phrase = nothing if self._chart is None else self._chart.sentence
            self._nothing.setText(phrase.text())
            self.key.set_entries(())
            return
        self._draw(self._chart)
        self.key.set_entries(self._entries(self._chart))

    def _draw(self, chart: C) -> None:
        """Draw a chart that is not empty into the cleared plot."""
        raise NotImplementedError

    def _entries(self, chart: C) -> Sequence[KeyEntry]:
        """Entries of the line above the plot."""
        raise NotImplementedError

    # Places to read at

    def n_stops(self) -> int:
        """Places at which the reading cursor can be."""
        return 0

    def stop(self, place: int) -> Stop:
        """Return what is to be read at a place."""
        raise NotImplementedError

    def nearest(self, x: float, y: float) -> int | None:
        """Place to be read for a pointer at a point of the plot."""
        raise NotImplementedError

    def go_to(self, place: int) -> None:
        """Put the reading cursor at a place and tell screen readers."""
        self._stop = place
        stop = self.stop(place)
        self._mark_stop(stop)
        at = self.plot.mapFromScene(
            self.plot.getViewBox().mapViewToScene(QPointF(stop.x, stop.y))
        )
        assert self._card is not None
        self._card.show_at(at, stop.lines)
        self.setAccessibleDescription(". ".join(stop.lines))
        event = QAccessibleEvent(self, QAccessible.Event.DescriptionChanged)
        QAccessible.updateAccessibility(event)
        self.stop_changed.emit(place)

    def _mark_stop(self, stop: Stop) -> None:
        """Draw where the reading cursor is: a thin upright line."""
        if self._cursor is None:
            pen = thin_pen(self._look.chart.axis, 1)
            self._cursor = pg.InfiniteLine(angle=90, pen=pen)
            self._cursor.setZValue(-5)
            self.plot.addItem(self._cursor, ignoreBounds=True)
        self._cursor.setPos(stop.x)
        self._cursor.show()

    def _leave(self) -> None:
        if self._card is not None:
            self._card.hide()
        if self._cursor is not None:
            self._cursor.hide()

    def _on_mouse_moved(self, at: QPointF) -> None:
        box = self.plot.getViewBox()
        if not self.is_drawn or not box.sceneBoundingRect().contains(at):
            self._leave()
            return
        point = box.mapSceneToView(at)
        place = self.nearest(point.x(), point.y()) if self.n_stops() else None
        if place is None:
            self._leave()
            return
        stop = self.stop(place)
        self._mark_stop(stop)
        assert self._card is not None
        self._card.show_at(self.plot.mapFromScene(at), stop.lines)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._leave()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Up: -1,
        }.get(Qt.Key(event.key()))
        last = self.n_stops() - 1 if self.is_drawn else -1
        if event.key() == Qt.Key.Key_Escape and self.card_lines:
            self._leave()
        elif last < 0:
            super().keyPressEvent(event)
        elif step is not None:
            here = -step if self._stop is None else self._stop
            start = 0 if self._stop is None and step > 0 else here + step
            self.go_to(max(0, min(last, start)))
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.go_to(0 if event.key() == Qt.Key.Key_Home else last)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._leave()

    # The look

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        kinds = (QEvent.Type.PaletteChange, QEvent.Type.StyleChange)
        if event.type() in kinds and hasattr(self, "_stack"):
            look = tokens()
            if look != self._look:
                self.use_look(look)
                self.updateGeometry()

    def _apply_look(self, plot: CalmPlot) -> None:
        for name in ("left", "bottom"):
            plot.getAxis(name).set_tokens(self._look)

    def _add_text(
        self,
        text: str,
        x: float,
        y: float,
        anchor: tuple[float, float],
        colour: str | None = None,
        background: QColor | None = None,
    ) -> Note:
        """Text at a point of the plot that keeps its size."""
        font = chart_font(self._look)
        note = Note(text, font, colour or self._look.chart.label, anchor, background)
        note.setPos(x, y)
        self.plot.addItem(note, ignoreBounds=True)
        return note

    def settle(self) -> None:
        """Draw now what waits for the picture to come to rest."""

    def _add_mark(self, mark: Guide, place: float) -> None:
        """Line across the plot with its name at its end."""
        angle = 90 if mark.axis == "x" else 0
        pen = thin_pen(self._look.chart.highlight, 1.5, (4, 3))
        line = pg.InfiniteLine(place, angle=angle, pen=pen)
        self.plot.addItem(line, ignoreBounds=True)
        if mark.axis == "x":
            low, high = self.plot.getViewBox().viewRange()[0]
            anchor = (0.0 if place < (low + high) / 2 else 1.0, 0.0)
        else:
            anchor = (1.0, 1.0)
        label = _LineName(
            line,
            mark.label.text().replace("{", "{{").replace("}", "}}"),
            position=0.99,
            anchors=[anchor, anchor],
            color=self._look.colours.text,
        )
        label.setFont(chart_font(self._look))
