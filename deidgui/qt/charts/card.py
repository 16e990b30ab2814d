"""The small card beside the pointer or the reading cursor of a chart."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from deidgui.qt.charts.texts import chart_font
from deidgui.qt.theme import tokens

PAD = 8
AWAY = 14
WIDEST = 360


class HoverCard(QWidget):
    """Lines of text on a dark background, the first one strong; ignores the mouse."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._room = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._lines: tuple[str, ...] = ()
        self._widest = WIDEST
        self.hide()

    @property
    def lines(self) -> tuple[str, ...]:
        """What is shown."""
        return () if self.isHidden() else self._lines

    def show_at(self, at: QPoint, lines: Sequence[str]) -> None:
        """Show lines inside the parent, beside a point of it that stays visible."""
        self._lines = tuple(lines)
        room = self._room.rect()
        self._fit(WIDEST)
        is_above = at.y() - AWAY // 2 >= self.height()
        if is_above or room.bottom() - at.y() - AWAY >= self.height():
            left = at.x() + AWAY
            if left + self.width() > room.right():
                left = at.x() - AWAY - self.width()
            left = max(0, min(left, room.right() - self.width()))
            top = at.y() - AWAY // 2 - self.height() if is_above else at.y() + AWAY
        else:
            left, top = self._beside(at)
        self.move(left, top)
        self.show()
        self.raise_()
        self.update()

    def _beside(self, at: QPoint) -> tuple[int, int]:
        """Place at the side with more room, as narrow as that is."""
        room = self._room.rect()
        is_right = room.right() - at.x() >= at.x()
        free = (room.right() - at.x() if is_right else at.x()) - AWAY
        self._fit(min(WIDEST, free - 2 * PAD - 2))
        left = at.x() + AWAY if is_right else at.x() - AWAY - self.width()
        top = min(at.y() - self.height() // 2, room.bottom() - self.height())
        return left, max(0, top)

    def _fit(self, widest: int) -> None:
        """Be as large as the lines, of which none is wider than this."""
        self._widest = max(widest, 1)
        width = height = 0
        for box in map(self._box, range(len(self._lines))):
            width, height = max(width, box.width()), height + box.height()
        self.resize(min(width, self._widest) + 2 * PAD + 2, height + 2 * PAD)

    def _box(self, place: int) -> QRect:
        metrics = QFontMetrics(self._font(place))
        flags = Qt.TextFlag.TextWordWrap
        return metrics.boundingRect(0, 0, self._widest, 1000, flags, self._lines[place])

    def _font(self, place: int) -> QFont:
        font = chart_font(tokens())
        font.setBold(place == 0)
        return font

    def paintEvent(self, _event: QPaintEvent) -> None:
        look = tokens()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(look.colours.tooltip))
        painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
        painter.setPen(QColor(look.colours.tooltip_text))
        top = PAD
        for place, line in enumerate(self._lines):
            painter.setFont(self._font(place))
            box = self.rect().adjusted(PAD, top, -PAD + 2, 0)
            painter.drawText(box, Qt.TextFlag.TextWordWrap, line)
            top += self._box(place).height()
