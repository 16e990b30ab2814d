"""How colours are stepped and made readable."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QPen

DARK_TEXT, LIGHT_TEXT = "#171a21", "#ffffff"


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of a colour, each in [0, 255]."""
    found = QColor(colour)
    return found.red(), found.green(), found.blue()


def hex_of(red: int, green: int, blue: int) -> str:
    """Colour as ``#rrggbb``."""
    return f"#{red:02x}{green:02x}{blue:02x}"


def faded(colour: str, alpha: int) -> QColor:
    """Colour that lets its background through; alpha in [0, 255]."""
    found = QColor(colour)
    found.setAlpha(alpha)
    return found


def thin_pen(colour: str, width: float, dashes: Sequence[float] = ()) -> QPen:
    """Pen whose width is in pixels whatever the zoom."""
    pen = QPen(QColor(colour), width)
    pen.setCosmetic(True)
    if dashes:
        pen.setDashPattern(list(dashes))
    return pen


def colour_table(colours: Sequence[str], n: int = 256) -> NDArray[np.uint8]:
    """Colours in even steps between the given ones.

    Returns
    -------
    ndarray of uint8, shape (n, 3)
    """
    given = np.array([rgb(colour) for colour in colours], np.float64)
    places = np.linspace(0, len(given) - 1, n)
    channels = [np.interp(places, np.arange(len(given)), given[:, c]) for c in range(3)]
    return np.column_stack(channels).round().astype(np.uint8)


def luminance(colour: str) -> float:
    """Relative luminance in [0, 1] (WCAG 2, definition of relative luminance)."""
    parts = [channel / 255 for channel in rgb(colour)]
    linear = [
        p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@lru_cache(512)
def text_on(background: str) -> str:
    """Dark or light text, whichever is easier to read on a background."""
    light = luminance(background) + 0.05
    on_dark = 1.05 / light
    on_light = light / (luminance(DARK_TEXT) + 0.05)
    return LIGHT_TEXT if on_dark > on_light else DARK_TEXT
