"""Small coloured words: what a column is, how a result stands, which steps are done."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from deidgui.qt import icons
from deidgui.qt.theme import tokens
from deidgui.text import tr

ChipTone = Literal[
    "plain",
    "accent",
    "info",
    "success",
    "warning",
    "danger",
    "quasi",
    "sensitive",
]

ROLE_TONE: dict[str, ChipTone] = {
    "direct_identifier": "danger",
    "quasi_identifier": "quasi",
    "sensitive": "sensitive",
    "insensitive": "plain",
}
"""Colour of each role of a column."""

ROLE_GLYPH = {
    "direct_identifier": "person",
    "quasi_identifier": "link",
    "sensitive": "lock",
    "insensitive": "minus",
}
"""Glyph of each role, so that colour is not all that tells them apart."""

GLYPH_EDGE = 14
PADDING = 8


class Chip(QWidget):
    """A word on a coloured background, with a glyph; can be clicked and removed.

    Parameters
    ----------
    tone : str
        plain, accent, info, success, warning, danger, quasi or sensitive.
    is_clickable : bool
        Takes focus and emits `clicked` by mouse, Space and Enter.
    """

    clicked = Signal()

    def __init__(
        self,
        text: str,
        tone: ChipTone = "plain",
        glyph: str | None = None,
        is_clickable: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._text, self._tone, self._glyph = text, tone, glyph
        self._is_clickable = is_clickable
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        if is_clickable:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.setProperty("focus_ring", True)
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(text)

    @property
    def text(self) -> str:
        """The word that is shown."""
        return self._text

    def show_words(
        self, text: str, tone: ChipTone = "plain", glyph: str | None = None
    ) -> None:
        """Say something else."""
        if (text, tone, glyph) == (self._text, self._tone, self._glyph):
            return
        self._text, self._tone, self._glyph = text, tone, glyph
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = self._metrics()
        width = metrics.horizontalAdvance(self._text) + 2 * PADDING
        if self._glyph:
            width += GLYPH_EDGE + 4
        return QSize(width + 2, metrics.height() + 6)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_chip(painter, QRectF(self.rect()), self._text, self._tone, self._glyph)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._is_clickable and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if self._is_clickable and event.key() in keys:
            self.clicked.emit()
        else:
            super().keyPressEvent(event)

    def _metrics(self) -> QFontMetrics:
        font = self.font()
        font.setPointSizeF(tokens().type.caption)
        return QFontMetrics(font)


class Badge(Chip):
    """A chip that only tells."""


class RoleBadge(Badge):
    """The role of a column in words, colour and glyph.

    Parameters
    ----------
    role : str or None
        As in a project's `Attribute`; None is shown as not decided.
    """

    def __init__(self, role: str | None = None, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self.set_role(role)

    def set_role(self, role: str | None) -> None:
        """Show another role."""
        if role is None:
            self.show_words(tr("Not decided"), "warning", "help")
        else:
            self.show_words(self.words(role), ROLE_TONE[role], ROLE_GLYPH[role])

    def words(self, role: str) -> str:
        """Name of a role for people."""
        return {
            "direct_identifier": tr("Direct identifier"),
            "quasi_identifier": tr("Quasi-identifier"),
            "sensitive": tr("Sensitive"),
            "insensitive": tr("Insensitive"),
        }[role]


def chip_colours(tone: ChipTone) -> tuple[str, str]:
    """Colours of text and background of a tone, as ``#rrggbb``."""
    colours = tokens().colours
    if tone == "plain":
        return colours.muted, colours.sunken
    text = colours.accent_text if tone == "accent" else getattr(colours, tone)
    return text, getattr(colours, f"{tone}_soft")


def paint_chip(
    painter: QPainter, rect: QRectF, text: str, tone: ChipTone, glyph: str | None
) -> None:
    """Draw a chip with any painter, for delegates of tables too."""
    colour, background = chip_colours(tone)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(background))
    painter.drawRoundedRect(rect, 5, 5)
    inner = rect.adjusted(PADDING, 0, -PADDING, 0)
    if glyph:
        square = QRectF(inner.left(), 0, GLYPH_EDGE, GLYPH_EDGE)
        square.moveTop(rect.center().y() - GLYPH_EDGE / 2)
        icons.paint_glyph(painter, glyph, square, colour)
        inner.setLeft(inner.left() + GLYPH_EDGE + 4)
    font = painter.font()
    font.setPointSizeF(tokens().type.caption)
    painter.setFont(font)
    painter.setPen(QPen(QColor(colour)))
    elided = QFontMetrics(font).elidedText(
        text, Qt.TextElideMode.ElideRight, int(inner.width()) + 1
    )
    painter.drawText(
        inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, elided
    )


class StepDots(QWidget):
    """How far a short sequence is: filled, current and open dots.

    Parameters
    ----------
    current : int
        From 0.
    """

    def __init__(
        self, n_steps: int, current: int = 0, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._n_steps = n_steps
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_current(current)

    def set_current(self, current: int) -> None:
        """Move to another step."""
        self._current = current
        self.setAccessibleName(
            tr("Step {number} of {total}", number=current + 1, total=self._n_steps)
        )
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(16 * self._n_steps, 16)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = tokens().colours
        for step in range(self._n_steps):
            is_current, is_done = step == self._current, step < self._current
            filled = colours.accent if is_current or is_done else colours.line_strong
            painter.setBrush(QColor(filled))
            painter.setPen(Qt.PenStyle.NoPen)
            edge = 10 if is_current else 6
            painter.drawEllipse(
                QRectF(16 * step + 8 - edge / 2, 8 - edge / 2, edge, edge)
            )
