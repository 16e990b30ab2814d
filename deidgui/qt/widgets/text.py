"""Labels of the typographic hierarchy: what a text is, not how large it is."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import (
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from deidgui.app.glossary import explained
from deidgui.qt import icons
from deidgui.qt.theme import tokens
from deidgui.qt.widgets.polish import mark, show_if
from deidgui.text import escaped

Tone = Literal["muted", "subtle", "accent", "info", "success", "warning", "danger", ""]

TONE_GLYPH = {
    "info": "info",
    "success": "check-circle",
    "warning": "warning",
    "danger": "danger",
}
"""The glyph that says the same as a status colour."""


class Label(QLabel):
    """Plain text that never interprets markup and can wrap.

    Where a term of the glossary stands in it, its definition is the description for
    screen readers, and shown when the mouse rests on it.

    Parameters
    ----------
    type : str
        display, title, section, strong, body, lead, caption, overline, figure or
        mono.
    tone : str
        muted, subtle, accent, info, success, warning, danger or "".
    """

    def __init__(
        self,
        text: str = "",
        type: str = "body",  # noqa: A002 - the property's name in the style sheet
        tone: Tone = "",
        wrap: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._definitions = ""
        # PRIVACY: texts of the user's data must never be read as markup.
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        if wrap:
            policy = self.sizePolicy()
            policy.setHorizontalPolicy(QSizePolicy.Policy.Preferred)
            policy.setHeightForWidth(True)
            self.setSizePolicy(policy)
        mark(self, type=type, tone=tone)
        self.setText(text)

    def setText(self, text: str) -> None:
        text = escaped(text)
        if text == self.text():
            return
        super().setText(text)
        before, self._definitions = self._definitions, explained(text)
        if self._definitions == before:
            return
        if self.accessibleDescription() == before:
            self.setAccessibleDescription(self._definitions)
        if self.toolTip() == before:
            self.setToolTip("")

    def setToolTip(self, words: str) -> None:
        """Show other words where the mouse rests; for none the definitions again."""
        super().setToolTip(words or self._definitions)

    def set_tone(self, tone: Tone) -> None:
        """Change the colour that says how the text is meant."""
        mark(self, tone=tone)


class Display(Label):
    """The one largest text of a page without a header."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, "display", wrap=True, parent=parent)


class Title(Label):
    """Heading of a page."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, "title", wrap=True, parent=parent)


class SectionHeading(Label):
    """Heading of a part of a page."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, "section", parent=parent)


class Lead(Label):
    """One or two wrapping sentences under a heading."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, "body", "muted", wrap=True, parent=parent)


class Caption(Label):
    """Small text beside or below something, wrapping."""

    def __init__(
        self, text: str = "", tone: Tone = "muted", parent: QWidget | None = None
    ) -> None:
        super().__init__(text, "caption", tone, wrap=True, parent=parent)


class GlyphLabel(QLabel):
    """A glyph that follows the theme.

    Parameters
    ----------
    glyph : str
        Name of an icon.
    colour : str
        Name of a colour in `Colours`.
    size : int
        Edge in pixels.
    """

    def __init__(
        self,
        glyph: str,
        colour: str = "muted",
        size: int = icons.MEDIUM,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._glyph, self._colour = glyph, colour
        self.setFixedSize(size, size)

    def set_glyph(self, glyph: str, colour: str | None = None) -> None:
        """Show another glyph."""
        now = glyph, colour or self._colour
        if now != (self._glyph, self._colour):
            self._glyph, self._colour = now
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        icons.paint_glyph(painter, self._glyph, self.rect(), self._colour)


class ElidedLabel(Label):
    """One line of text that ends in an ellipsis where the room ends.

    The whole text is the tooltip while it is cut.

    Attributes
    ----------
    brief : str
        What is shown where the whole text has no room; if empty, its beginning.
    """

    def __init__(
        self,
        text: str = "",
        type: str = "body",  # noqa: A002 - as for Label
        tone: Tone = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, type, tone, parent=parent)
        self._mode, self.brief = mode, ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:
        super().setText(text.replace("\n", " "))  # else two lines would be measured

    def minimumSizeHint(self) -> QSize:
        brief = QFontMetrics(self.font()).horizontalAdvance(self.brief)
        return QSize(max(24, brief), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_cut = self._shown() != self.text()
        self.setToolTip(self.text() if is_cut else "")

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        painter.setFont(self.font())
        rect = self.contentsRect()
        flags = self.alignment() | Qt.TextFlag.TextSingleLine
        painter.drawText(rect, flags, self._shown())

    def _shown(self) -> str:
        metrics = QFontMetrics(self.font())
        width = self.contentsRect().width()
        for text in filter(None, (self.text(), self.brief)):
            # Qt would cut it for a part of a pixel.
            if metrics.horizontalAdvance(text) <= width:
                return text
        return metrics.elidedText(self.brief or self.text(), self._mode, width)


class ReasonLabel(QWidget):
    """Why something is as it is: a glyph and a quiet sentence.

    Says in words what is missing beside a button that is disabled, or what a
    proposal rests on.
    """

    def __init__(
        self,
        text: str = "",
        tone: Tone = "muted",
        wrap: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._glyph = GlyphLabel("info", "subtle", icons.SMALL)
        self._label = (
            Label(text, "caption", tone, wrap=True)
            if wrap
            else ElidedLabel(text, "caption", tone)
        )
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(tokens().space.tight + 2)
        box.addWidget(self._glyph, 0, Qt.AlignmentFlag.AlignVCenter)
        box.addWidget(self._label, 1)
        self.set_reason(text, tone)

    @property
    def text(self) -> str:
        """The sentence that is shown."""
        return self._label.text()

    def set_reason(self, text: str, tone: Tone = "muted") -> None:
        """Show another sentence; hidden while it is empty."""
        self._label.setText(text)
        self._label.set_tone(tone)
        self._glyph.set_glyph(TONE_GLYPH.get(tone, "info"), _glyph_colour(tone))
        show_if(self, bool(text))
        self.setAccessibleName(text)


def _glyph_colour(tone: Tone) -> str:
    if tone in ("", "muted", "subtle"):
        return "subtle"
    return "accent_text" if tone == "accent" else tone
