"""How an axis finds and words its ticks."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
import PySide6  # noqa: F401 - pyqtgraph takes the binding that is loaded first
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from deidgui.app.charts.base import Axis, AxisUnit
from deidgui.app.charts.formats import SHORTENED, axis_text, short_text
from deidgui.qt.charts.texts import chart_font
from deidgui.qt.tokens import Tokens
from deidgui.text import escaped

PIXELS_PER_TICK = {"left": 48, "bottom": 96}
LOG_STEPS = (1, 2, 5)

SLANT = math.radians(38)
"""Of names that do not fit side by side."""

Tick = tuple[float, list[float]]


class ChartAxis(pg.AxisItem):  # type: ignore[misc] # pyqtgraph is untyped
    """Axis without a line of its own: round ticks in people's numbers, a thin grid.

    Parameters
    ----------
    orientation : str
        "left" or "bottom".
    """

    # On the class, because pyqtgraph's constructor already calls what uses them.
    _axis: Axis | None = None
    _names: Sequence[str] = ()
    _places: Sequence[float] | None = None
    _label = ""
    _may_slant = False
    _is_slanted = False

    def __init__(self, orientation: str) -> None:
        super().__init__(orientation)
        self.setStyle(
            tickLength=0, tickAlpha=255, tickTextOffset=8, hideOverlappingLabels=False
        )
        self.enableAutoSIPrefix(False)

    def set_axis(self, axis: Axis | None, *, has_grid: bool, label: str = "") -> None:
        """Show numbers of an axis.

        Parameters
        ----------
        axis : Axis or None
            None shows nothing.
        label : str
            Text beside the axis.
        """
        self._axis, self._names, self._places = axis, (), None
        self._may_slant = False
        self.setGrid(255 if has_grid else False)
        self.setStyle(showValues=axis is not None)
        self.set_label(label)

    def set_names(
        self,
        names: Sequence[str],
        places: Sequence[float] | None = None,
        *,
        label: str = "",
        is_slanted: bool = False,
    ) -> None:
        """Show names, at 0, 1, 2, ... or at the given places.

        Parameters
        ----------
        places : sequence of float, optional
            Ascending or descending.
        label : str
            Text beside the axis.
        is_slanted : bool
            Whether names below the plot that do not fit stand aslant; else some are
            left out.
        """
        self._names, self._places = names, places
        self._may_slant = is_slanted
        self.setGrid(False)
        self.setStyle(showValues=True)
        self.set_label(label)
        if self.orientation == "left":
            metrics = QFontMetricsF(self.style["tickFont"])
            widest = max((metrics.horizontalAdvance(name) for name in names), default=0)
            self.setWidth(math.ceil(widest) + 16)
        elif is_slanted:
            self._fit_height()

    def resizeEvent(self, event: object = None) -> None:
        super().resizeEvent(event)
        if self._may_slant and self._names:
            self._fit_height()

    def _fit_height(self) -> None:
        """Take the height that names aslant need, or that of one line."""
        metrics = QFontMetricsF(self.style["tickFont"])
        widest = max((metrics.horizontalAdvance(n) for n in self._names), default=0)
        room = self.size().width() / max(1, len(self._names))
        self._is_slanted = widest + 8 > room
        tall = widest * math.sin(SLANT) if self._is_slanted else 0.0
        label = metrics.height() + 4 if self._label else 0.0
        self.setHeight(math.ceil(tall + metrics.height() + 12 + label))

    def drawPicture(
        self, painter: QPainter, line: object, ticks: object, texts: object
    ) -> None:
        if self.grid is False:
            ticks = []
        if not (self._may_slant and self._is_slanted):
            super().drawPicture(painter, line, ticks, texts)
            return
        super().drawPicture(painter, line, ticks, [])
        painter.setClipping(False)
        painter.setFont(self.style["tickFont"])
        painter.setPen(self.textPen())
        metrics = QFontMetricsF(self.style["tickFont"])
        low, high = self.range
        for place in self._named(low, high, self.size().width()):
            name = escaped(self._names[self._index(place)])
            x = (place - low) / (high - low) * self.size().width()
            painter.save()
            painter.translate(x + metrics.ascent() / 2, 8 + metrics.ascent() / 2)
            painter.rotate(-math.degrees(SLANT))
            at = QPointF(-metrics.horizontalAdvance(name), metrics.ascent() / 2)
            painter.drawText(at, name)
            painter.restore()

    def set_tokens(self, tokens: Tokens) -> None:
        """Take the colours and the font of a theme."""
        self.setPen(QPen(Qt.PenStyle.NoPen))
        self.setTickPen(QPen(QColor(tokens.chart.grid), 1))
        self.setTextPen(QPen(QColor(tokens.chart.label)))
        self.setTickFont(chart_font(tokens))
        self.labelStyle = {
            "color": tokens.chart.label,
            "font-size": f"{tokens.type.caption}pt",
        }
        self.set_label(self._label)

    def set_label(self, label: str) -> None:
        """Show a text beside the axis."""
        self._label = label
        # PRIVACY: column names are shown as they are, never read as markup.
        self.setLabel(html.escape(label) or None, **self.labelStyle)
        self.showLabel(bool(label))

    def tickValues(self, low: float, high: float, size: float) -> list[Tick]:
        low, high = sorted((low, high))
        if self._names:
            return [(1.0, self._named(low, high, size))]
        if self._axis is None or not math.isfinite(high - low) or high <= low:
            return []
        if self._axis.is_log:
            return [(1.0, self._log_ticks(low, high, size))]
        wanted = max(2, round(size / PIXELS_PER_TICK[self.orientation]))
        spacing = round_spacing((high - low) / wanted)
        if self._axis.unit is AxisUnit.COUNT:
            spacing = max(1.0, spacing)
        first, last = math.ceil(low / spacing), math.floor(high / spacing)
        return [(spacing, [step * spacing for step in range(first, last + 1)])]

    def _log_ticks(self, low: float, high: float, size: float) -> list[float]:
        """Powers of ten, with 2 and 5 between them where their words have room."""
        per_unit = size / max(high - low, 1e-9)
        ticks = _log_ticks(low, high, LOG_STEPS)
        metrics = QFontMetricsF(self.style["tickFont"])
        room = metrics.height()
        if self.orientation == "bottom":
            words = self.tickStrings(ticks, 1.0, 1.0)
            room = max(map(metrics.horizontalAdvance, words), default=0.0) + 10
        has_room = per_unit > 120 and per_unit * math.log10(2) > room
        return ticks if has_room else _log_ticks(low, high, LOG_STEPS[:1])

    def tickStrings(
        self, values: Sequence[float], _scale: float, spacing: float
    ) -> list[str]:
        if self._names:
            return [self._names[self._index(value)] for value in values]
        assert self._axis is not None
        spacings = [spacing for _ in values]
        if self._axis.is_log:
            spacings = [10 ** math.floor(value) for value in values]
            values = [10**value for value in values]
        unit, most = self._axis.unit, max(map(abs, values), default=0.0)
        if unit is AxisUnit.COUNT and most >= SHORTENED:
            return [short_text(value) for value in values]
        is_share = unit is AxisUnit.SHARE
        return [
            axis_text(value, each, is_share=is_share)
            for value, each in zip(values, spacings, strict=True)
        ]

    def _named(self, low: float, high: float, size: float) -> list[float]:
        """Places whose names fit beside one another, from the first one on."""
        places = self._places
        if places is None:
            places = [float(place) for place in range(len(self._names))]
        per_unit = size / (high - low)
        found: list[float] = []
        taken = 0.0
        for place, room in zip(places, self._rooms(), strict=True):
            is_free = not found or abs(place - found[-1]) * per_unit >= taken + room / 2
            if low <= place <= high and is_free:
                found.append(place)
                taken = room / 2
            elif len(found) > 1 and place == places[-1] and low <= place <= high:
                # The ends of a line of names are read first: the one before gives way.
                found[-1] = place
        return found

    def _rooms(self) -> list[float]:
        """Pixels along the axis that each name takes."""
        metrics = QFontMetricsF(self.style["tickFont"])
        if self._may_slant:
            # Lines aslant are nearer to each other than their ends.
            room = metrics.height() / math.sin(SLANT) if self._is_slanted else 0.0
            return [room] * len(self._names)
        if self.orientation == "left":
            return [metrics.height()] * len(self._names)
        return [metrics.horizontalAdvance(name) + 10 for name in self._names]

    def _index(self, value: float) -> int:
        if self._places is None:
            return round(value)
        return int(np.argmin(np.abs(np.asarray(self._places) - value)))


def round_spacing(spacing: float) -> float:
    """Next 1, 2 or 5 times a power of ten that is not smaller."""
    power = 10.0 ** math.floor(math.log10(spacing))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= spacing)


def _log_ticks(low: float, high: float, steps: Sequence[int]) -> list[float]:
    decades = range(math.floor(low), math.ceil(high) + 1)
    ticks = [decade + math.log10(step) for decade in decades for step in steps]
    return [tick for tick in ticks if low - 1e-9 <= tick <= high + 1e-9]
