"""The small card beside the pointer or the reading cursor of a chart."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from deidgui.qt.charts.texts import chart_font
from deidgui.qt.theme import tokens

PAD = 8
AWAY = 14
WIDEST = 360


class HoverCard(QWidget):
    """Lines of text on a dark ground, the first one strong; ignores the mouse."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._room = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._lines: tuple[str, ...] = ()
        self.hide()

    @property
    def lines(self) -> tuple[str, ...]:
        """What is shown."""
        return () if self.isHidden() else self._lines

    def show_at(self, at: QPoint, lines: Sequence[str]) -> None:
        """Show lines beside a point of the parent, inside the parent."""
        self._lines = tuple(lines)
        metrics, strong = self._metrics()
        flags = Qt.TextFlag.TextWordWrap
        width = height = 0
        for place, line in enumerate(lines):
            box = (metrics if place else strong).boundingRect(
                0, 0, WIDEST, 1000, flags, line
            )
            width, height = max(width, box.width()), height + box.height()
        self.resize(width + 2 * PAD + 2, height + 2 * PAD)
        room = self._room.rect()
        left = at.x() + AWAY
        if left + self.width() > room.right():
            left = at.x() - AWAY - self.width()
        top = at.y() - self.height() - AWAY // 2
        if top < 0:
            top = at.y() + AWAY
        left = max(0, min(left, room.right() - self.width()))
        self.move(left, max(0, min(top, room.bottom() - self.height())))
        self.show()
        self.raise_()
        self.update()

    def _metrics(self) -> tuple[QFontMetrics, QFontMetrics]:
        font = chart_font(tokens())
        strong = chart_font(tokens())
        strong.setBold(True)
        return QFontMetrics(font), QFontMetrics(strong)

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
            font = chart_font(look)
            font.setBold(place == 0)
            painter.setFont(font)
            box = self.rect().adjusted(PAD, top, -PAD + 2, 0)
            painter.drawText(box, Qt.TextFlag.TextWordWrap, line)
            top += (
                QFontMetrics(font)
                .boundingRect(0, 0, WIDEST, 1000, Qt.TextFlag.TextWordWrap, line)
                .height()
            )
