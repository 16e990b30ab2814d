"""How the line glyphs of `resources/icons` become icons in the theme's colours."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from deidgui import resources
from deidgui.qt.theme import tokens

SMALL, MEDIUM, LARGE, HUGE = 16, 20, 24, 40
"""Edges in device-independent pixels; the glyphs are drawn on a grid of 24."""


def icon_names() -> tuple[str, ...]:
    """Names of all glyphs, sorted."""
    return tuple(sorted(path.stem for path in resources.path("icons").glob("*.svg")))


def icon(name: str, colour: str | None = None) -> QIcon:
    """Icon of one glyph; it takes its colour from the theme when it is painted.

    Parameters
    ----------
    name : str
        A file in ``resources/icons`` without its ending.
    colour : str, optional
        A colour's name in `Colours` ("accent_text"), or ``#rrggbb``; "muted" by
        default.

    Returns
    -------
    QIcon
        Sharp in every size and on every screen; pale while disabled.
    """
    return QIcon(_Glyph(name, colour or "muted"))


def pixmap(
    name: str, colour: str | None = None, size: int = MEDIUM, ratio: float = 1.0
) -> QPixmap:
    """Picture of one glyph in the colours of now.

    Parameters
    ----------
    name, colour
        As for `icon`.
    size : int
        Edge in device-independent pixels.
    ratio : float
        Device pixels per device-independent pixel.
    """
    return _drawn(name, _resolved(colour or "muted"), size, ratio)


def paint_glyph(
    painter: QPainter, name: str, rect: QRect | QRectF, colour: str
) -> None:
    """Draw one glyph into a rectangle of any painter."""
    _renderer(name, _resolved(colour)).render(painter, QRectF(rect))


def _resolved(colour: str) -> str:
    if colour.startswith("#"):
        return colour
    return str(getattr(tokens().colours, colour))


@cache
def _source(name: str) -> str:
    return resources.path("icons", f"{name}.svg").read_text("utf-8")


@cache
def _renderer(name: str, colour: str) -> QSvgRenderer:
    coloured = _source(name).replace("currentColor", colour)
    return QSvgRenderer(QByteArray(coloured.encode()))


@cache
def _drawn(name: str, colour: str, size: int, ratio: float) -> QPixmap:
    renderer = _renderer(name, colour)
    made = QPixmap(round(size * ratio), round(size * ratio))
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter, QRectF(made.rect()))
    painter.end()
    made.setDevicePixelRatio(ratio)
    return made


def _square_in(rect: QRect) -> QRect:
    """Where a glyph goes: at the left, so that a wider icon keeps a distance."""
    edge = min(rect.width(), rect.height())
    square = QRect(rect.left(), rect.top(), edge, edge)
    square.translate(0, (rect.height() - edge) // 2)
    return square


class _Glyph(QIconEngine):
    """Draws a glyph in the colour that its name has when it is painted."""

    def __init__(self, name: str, colour: str) -> None:
        super().__init__()
        self._name, self._colour = name, colour

    def clone(self) -> QIconEngine:
        # WORKAROUND PySide6 6.11: Qt owns a copy, but Python would delete it at once.
        made = _Glyph(self._name, self._colour)
        _COPIES.append(made)
        return made

    def paint(
        self, painter: QPainter, rect: QRect, mode: QIcon.Mode, _state: QIcon.State
    ) -> None:
        paint_glyph(painter, self._name, _square_in(rect), self._colour_in(mode))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(
        self, size: QSize, mode: QIcon.Mode, _state: QIcon.State, scale: float
    ) -> QPixmap:
        made = QPixmap(round(size.width() * scale), round(size.height() * scale))
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint(painter, made.rect(), mode, QIcon.State.Off)
        painter.end()
        made.setDevicePixelRatio(scale)
        return made

    def actualSize(self, size: QSize, _mode: QIcon.Mode, _state: QIcon.State) -> QSize:
        return size

    def _colour_in(self, mode: QIcon.Mode) -> str:
        return "line_strong" if mode is QIcon.Mode.Disabled else self._colour


_COPIES: list[_Glyph] = []
"""What Qt has copied; the window makes it copy none."""
