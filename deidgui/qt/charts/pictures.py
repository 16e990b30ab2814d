"""How a chart becomes a picture: title, sentence, key and plot on one sheet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QBuffer, QIODevice, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from deidgui.qt.charts.key import key_lines, paint_key
from deidgui.qt.charts.texts import chart_font
from deidgui.qt.charts.view import ChartView
from deidgui.qt.theme import tokens_for
from deidgui.qt.tokens import Tokens

MARGIN = 20.0
GAP = 6.0
SCALE = 2
"""Pixels of a PNG per pixel of the screen, so that it stays sharp in print."""


def png_bytes(view: ChartView[Any], look: Tokens | None = None) -> bytes:
    """Picture of a chart as PNG.

    Parameters
    ----------
    view : ChartView
        Shown at its size, zoomed as it is.
    look : Tokens, optional
        Colours; the light ones by default, for white paper.
    """
    buffer = _buffer()
    image_of(view, look).save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def image_of(view: ChartView[Any], look: Tokens | None = None) -> QImage:
    """Picture of a chart for the clipboard (see `png_bytes`)."""
    with _on_paper(view, look) as used:
        size = sheet_size(view, used)
        image = QImage(size * SCALE, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(SCALE)
        image.fill(QColor(used.chart.background))
        painter = QPainter(image)
        _paint_sheet(painter, view, used)
        painter.end()
    return image


def svg_bytes(view: ChartView[Any], look: Tokens | None = None) -> bytes:
    """Picture of a chart as SVG, text as text.

    Parameters
    ----------
    view : ChartView
        Shown at its size, zoomed as it is.
    look : Tokens, optional
        Colours; the light ones by default, for white paper.
    """
    buffer = _buffer()
    with _on_paper(view, look, is_vector=True) as used:
        size = sheet_size(view, used)
        generator = QSvgGenerator()
        generator.setOutputDevice(buffer)
        generator.setSize(size)
        # Axes are recorded at the resolution of the screen and played back here.
        generator.setResolution(view.logicalDpiX())
        generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
        if view.chart is not None:
            generator.setTitle(view.chart.title.text())
            generator.setDescription(view.chart.sentence.text())
        painter = QPainter(generator)
        painter.fillRect(
            QRectF(0, 0, size.width(), size.height()), QColor(used.chart.background)
        )
        _paint_sheet(painter, view, used)
        painter.end()
    return bytes(buffer.data().data())


def sheet_size(view: ChartView[Any], look: Tokens) -> QSize:
    """Size of the whole picture in pixels of the screen."""
    plot = view.plot.viewport().size()
    width = plot.width() + 2 * MARGIN
    height = 2 * MARGIN + plot.height() + _head_height(view, look, plot.width())
    return QSize(round(width), round(height))


def _buffer() -> QBuffer:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    return buffer


@contextmanager
def _on_paper(
    view: ChartView[Any], look: Tokens | None, *, is_vector: bool = False
) -> Iterator[Tokens]:
    """Draw a view in other colours for a moment, unseen."""
    before = view.look
    used = look or tokens_for("light", before.type, before.control_height)
    view.setUpdatesEnabled(False)
    changed = used.chart != before.chart
    try:
        if changed:
            view.use_look(used)
        view.settle()
        _set_export(view, is_on=True, is_vector=is_vector)
        yield used
    finally:
        _set_export(view, is_on=False)
        if changed:
            view.use_look(before)
        view.setUpdatesEnabled(True)


def _set_export(view: ChartView[Any], *, is_on: bool, is_vector: bool = False) -> None:
    """Have points drawn as shapes instead of copied from a cache of pixels."""
    options = {"antialias": True, "resolutionScale": 1.0, "vector": is_vector}
    for item in view.plot.scene().items():
        if hasattr(item, "setExportMode"):
            item.setExportMode(is_on, options)


def _head(view: ChartView[Any], look: Tokens) -> list[tuple[str, QFont, str]]:
    """Lines above the plot with their fonts and colours."""
    if view.chart is None:
        return []
    title = chart_font(look, look.type.section)
    title.setWeight(QFont.Weight.DemiBold)
    sentence = chart_font(look, look.type.body)
    return [
        (view.chart.title.text(), title, look.colours.text),
        (view.chart.sentence.text(), sentence, look.chart.label),
    ]


def _text_rect(text: str, font: QFont, width: float) -> QRectF:
    room = QRectF(0, 0, width, 10_000)
    return QFontMetricsF(font).boundingRect(room, Qt.TextFlag.TextWordWrap, text)


def _head_height(view: ChartView[Any], look: Tokens, width: float) -> float:
    height = sum(
        _text_rect(text, font, width).height() + GAP
        for text, font, _ in _head(view, look)
    )
    return height + GAP + _key_height(view, look, width)


def _key_height(view: ChartView[Any], look: Tokens, width: float) -> float:
    if not view.key.entries:
        return 0.0
    metrics = QFontMetricsF(chart_font(look))
    n_lines = len(key_lines(view.key.entries, width, metrics))
    return n_lines * (metrics.lineSpacing() + 2) + GAP


def _paint_sheet(painter: QPainter, view: ChartView[Any], look: Tokens) -> None:
    plot = view.plot.viewport().rect()
    top, width = MARGIN, float(plot.width())
    for text, font, colour in _head(view, look):
        box = _text_rect(text, font, width)
        painter.setFont(font)
        painter.setPen(QColor(colour))
        room = QRectF(MARGIN, top, width, box.height())
        painter.drawText(room, Qt.TextFlag.TextWordWrap, text)
        top += box.height() + GAP
    top += GAP
    height = _key_height(view, look, width)
    if height:
        rect = QRectF(MARGIN, top, width, height)
        paint_key(painter, rect, view.key.entries, look)
    top += height
    if view.chart is not None and not view.chart.is_empty:
        view.plot.render(painter, QRectF(MARGIN, top, width, plot.height()), plot)
