"""The line above a chart that says what is drawn how."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from deidgui.qt.charts.texts import chart_font
from deidgui.qt.theme import tokens
from deidgui.qt.tokens import Tokens

Corners = tuple[tuple[float, float], ...]

SWATCH = 12
GAP = 6
BETWEEN = 14


class Shape(enum.Enum):
    """How something is drawn, so that it is told apart without colour."""

    FILLED_BAR = "filled bar"
    HOLLOW_BAR = "hollow bar"
    SOLID_LINE = "solid line"
    DASHED_LINE = "dashed line"
    DOTTED_LINE = "dotted line"
    DOT = "dot"
    HOLLOW_DOT = "hollow dot"
    SMALL_DOT = "small dot"
    CROSS = "cross"
    STAR = "star"
    DIAMOND = "diamond"
    TRIANGLE = "triangle"
    SQUARE = "square"
    HATCH = "hatch"
    RAMP = "ramp"
    NOTHING = "nothing"


SYMBOLS = {
    Shape.DOT: "o",
    Shape.HOLLOW_DOT: "o",
    Shape.SMALL_DOT: "o",
    Shape.CROSS: "x",
    Shape.STAR: "star",
    Shape.DIAMOND: "d",
    Shape.TRIANGLE: "t1",
    Shape.SQUARE: "s",
}
"""The same shapes by pyqtgraph's names."""


@dataclass(frozen=True)
class KeyEntry:
    """One entry of the line: a shape, its colour as ``#rrggbb``, and its meaning.

    A ramp shows colours, the sequential ones by default, between `low` and `text`.
    """

    text: str
    shape: Shape | None = None
    colour: str = ""
    low: str = ""
    ramp: Sequence[str] = ()


def key_width(entry: KeyEntry, metrics: QFontMetricsF) -> float:
    """Width of an entry in pixels."""
    width = metrics.horizontalAdvance(entry.text)
    if entry.shape is Shape.RAMP:
        return width + metrics.horizontalAdvance(entry.low) + 6 * SWATCH + 2 * GAP
    return width + (SWATCH + GAP if entry.shape else 0)


def key_lines(
    entries: Sequence[KeyEntry], width: float, metrics: QFontMetricsF
) -> list[list[KeyEntry]]:
    """Entries wrapped into lines of at most a width."""
    lines: list[list[KeyEntry]] = [[]]
    used = 0.0
    for entry in (part for each in entries for part in _split(each, width, metrics)):
        needed = key_width(entry, metrics)
        if lines[-1] and used + needed > width:
            lines.append([])
            used = 0.0
        lines[-1].append(entry)
        used += needed + BETWEEN
    return lines


def _split(entry: KeyEntry, width: float, metrics: QFontMetricsF) -> Iterator[KeyEntry]:
    """Parts of an entry that have room in a line each; no word is split."""
    words = entry.text.split(" ")
    n = len(words)
    first = entry
    while n > 1 and key_width(first, metrics) > width:
        n -= 1
        first = replace(entry, text=" ".join(words[:n]))
    yield first
    if n < len(words):
        rest = KeyEntry(" ".join(words[n:]), entry.shape and Shape.NOTHING)
        yield from _split(rest, width, metrics)


def paint_key(
    painter: QPainter, rect: QRectF, entries: Sequence[KeyEntry], look: Tokens
) -> None:
    """Draw entries, wrapping inside a rectangle."""
    font = chart_font(look)
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    top = rect.top()
    for line in key_lines(entries, rect.width(), metrics):
        left = rect.left()
        for entry in line:
            _paint_entry(painter, QPointF(left, top), entry, look, metrics)
            left += key_width(entry, metrics) + BETWEEN
        top += metrics.lineSpacing() + 2


def _paint_entry(
    painter: QPainter,
    at: QPointF,
    entry: KeyEntry,
    look: Tokens,
    metrics: QFontMetricsF,
) -> None:
    left, middle = at.x(), at.y() + metrics.height() / 2
    baseline = at.y() + metrics.ascent()
    text_pen = QPen(QColor(look.chart.label))
    if entry.shape is Shape.RAMP:
        painter.setPen(text_pen)
        painter.drawText(QPointF(left, baseline), entry.low)
        left += metrics.horizontalAdvance(entry.low) + GAP
        ramp = entry.ramp or look.chart.sequential
        width = 6 * SWATCH / len(ramp)
        for step, colour in enumerate(ramp):
            box = QRectF(left + step * width, middle - 5, width + 0.5, 10)
            painter.fillRect(box, QColor(colour))
        left += 6 * SWATCH + GAP
    elif entry.shape is not None:
        box = QRectF(left, middle - SWATCH / 2, SWATCH, SWATCH)
        paint_shape(painter, box, entry.shape, QColor(entry.colour))
        left += SWATCH + GAP
    painter.setPen(text_pen)
    painter.drawText(QPointF(left, baseline), entry.text)


DASHES: Mapping[Shape, Sequence[float]] = {
    Shape.SOLID_LINE: (),
    Shape.DASHED_LINE: (2.4, 1.8),
    Shape.DOTTED_LINE: (0.5, 1.5),
}
"""Lengths of strokes and gaps, in widths of the line."""


def paint_shape(painter: QPainter, box: QRectF, shape: Shape, colour: QColor) -> None:
    """Draw one shape into a box."""
    pen = QPen(colour, 1.6)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inner = box.adjusted(2, 2, -2, -2)
    middle = box.center()
    match shape:
        case Shape.NOTHING:
            pass
        case Shape.FILLED_BAR | Shape.SQUARE:
            painter.fillRect(inner, colour)
        case Shape.HOLLOW_BAR:
            painter.drawRect(inner)
        case Shape.SOLID_LINE | Shape.DASHED_LINE | Shape.DOTTED_LINE:
            pen.setDashPattern(DASHES[shape])
            pen.setWidthF(2)
            painter.setPen(pen)
            painter.drawLine(
                QPointF(box.left(), middle.y()), QPointF(box.right(), middle.y())
            )
        case Shape.DOT | Shape.SMALL_DOT | Shape.HOLLOW_DOT:
            if shape is not Shape.HOLLOW_DOT:
                painter.setBrush(colour)
            if shape is Shape.SMALL_DOT:
                painter.setPen(Qt.PenStyle.NoPen)
                inner = QRectF(middle - QPointF(1.5, 1.5), QSizeF(3, 3))
            painter.drawEllipse(inner)
        case Shape.HATCH:
            pen.setWidthF(1)
            painter.setPen(pen)
            for shift in (-4, 0, 4):
                painter.drawLine(
                    QPointF(inner.left() + shift, inner.bottom()),
                    QPointF(inner.right() + shift, inner.top()),
                )
        case Shape.CROSS:
            painter.drawLine(inner.topLeft(), inner.bottomRight())
            painter.drawLine(inner.topRight(), inner.bottomLeft())
        case _:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawPolygon(_polygon(shape, box))


STAR: Corners = (
    (0.0, -1.0),
    (0.245, -0.337),
    (0.951, -0.309),
    (0.396, 0.129),
    (0.588, 0.809),
    (0.0, 0.417),
    (-0.588, 0.809),
    (-0.396, 0.129),
    (-0.951, -0.309),
    (-0.245, -0.337),
)
"""Five-pointed star in the unit circle, inner radius sin 18°/sin 54° = 0.4."""

CORNERS: dict[Shape, Corners] = {
    Shape.DIAMOND: ((0, -1), (1, 0), (0, 1), (-1, 0)),
    Shape.TRIANGLE: ((0, -1), (1, 0.9), (-1, 0.9)),
    Shape.STAR: STAR,
}


def _polygon(shape: Shape, box: QRectF) -> QPolygonF:
    middle, radius = box.center(), box.width() / 2
    return QPolygonF(
        [
            QPointF(middle.x() + x * radius, middle.y() + y * radius)
            for x, y in CORNERS[shape]
        ]
    )


class KeyLine(QWidget):
    """Shows entries above a chart; hidden without any."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[KeyEntry, ...] = ()
        self._heights: dict[tuple[int, str], int] = {}
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setVisible(False)

    @property
    def entries(self) -> tuple[KeyEntry, ...]:
        """What is shown."""
        return self._entries

    def set_entries(self, entries: Sequence[KeyEntry]) -> None:
        """Show other entries."""
        self._entries = tuple(entries)
        self._heights.clear()
        self.setVisible(bool(entries))
        self.updateGeometry()
        self.update()

    def heightForWidth(self, width: int) -> int:
        font = chart_font(tokens())
        asked = width, font.key()
        if asked not in self._heights:
            metrics = QFontMetricsF(font)
            n_lines = len(key_lines(self._entries, width, metrics))
            self._heights[asked] = round(n_lines * (metrics.lineSpacing() + 2))
        return self._heights[asked]

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(10_000))

    def paintEvent(self, _event: QPaintEvent) -> None:
        paint_key(QPainter(self), QRectF(self.rect()), self._entries, tokens())
