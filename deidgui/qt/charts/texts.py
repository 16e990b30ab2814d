"""Type and lengths of the texts in a chart."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QApplication

from deidgui.qt.theme import tokens
from deidgui.qt.tokens import Tokens


def chart_font(tokens: Tokens, size: float | None = None) -> QFont:
    """Font of the numbers in a chart: small, with figures of one width.

    Parameters
    ----------
    size : float, optional
        In points; that of captions by default.
    """
    asked = tokens.type.caption if size is None else size
    return QFont(_made_font(QApplication.font().key(), asked))


@lru_cache(64)
def _made_font(_program_font: str, size: float) -> QFont:
    """Font made from that of the program. PERF: Qt looks for a new one each time."""
    font = QFont(QApplication.font())
    font.setPointSizeF(size)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def line_height() -> float:
    """Height of a line of numbers in pixels, in the theme of now."""
    return QFontMetricsF(chart_font(tokens())).lineSpacing()


def shortened(text: str, length: int = 28) -> str:
    """Text cut in its middle where it is too long for an axis."""
    if len(text) <= length:
        return text
    head = (length - 1) * 2 // 3
    return f"{text[:head].rstrip()}…{text[len(text) - (length - 1 - head) :].lstrip()}"
