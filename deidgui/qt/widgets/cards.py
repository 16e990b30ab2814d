"""Backgrounds that hold one thought: cards, call-outs, figures, empty states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from deidgui.qt import icons
from deidgui.qt.theme import theme
from deidgui.qt.widgets.buttons import Button, IconButton
from deidgui.qt.widgets.polish import column, holder, mark, row, show_if
from deidgui.qt.widgets.text import (
    TONE_GLYPH,
    Caption,
    ElidedLabel,
    GlyphLabel,
    Label,
    Lead,
    SectionHeading,
)
from deidgui.text import tr

Status = Literal["info", "success", "warning", "danger"]

NARROW = 360
"""Pixels, for letters × 1, below which the button of a call-out is under its words."""


class Card(QFrame):
    """White background with a hairline; `body` is its layout.

    Parameters
    ----------
    title : str
        Section heading; none if empty.
    lead : str
        One sentence under it.
    margin : int
        Inner distance in pixels.

    Attributes
    ----------
    body : QVBoxLayout
        Where the content goes.
    head_actions : QHBoxLayout
        Right end of the heading's row, for buttons.
    """

    def __init__(
        self,
        title: str = "",
        lead: str = "",
        margin: int = 16,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        mark(self, kind="card")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(margin, margin, margin, margin)
        outer.setSpacing(12)
        self.head_actions = row()
        self._heading = SectionHeading(title)
        self._lead = Lead(lead)
        show_if(self._lead, bool(lead))
        self._head = QWidget()
        head = QHBoxLayout(self._head)
        head.setContentsMargins(0, 0, 0, 0)
        words = column(self._heading, self._lead, spacing=4)
        head.addLayout(words, 1)
        head.addWidget(holder(self.head_actions), 0, Qt.AlignmentFlag.AlignTop)
        show_if(self._head, bool(title))
        outer.addWidget(self._head)
        self.body = QVBoxLayout()
        self.body.setSpacing(12)
        outer.addLayout(self.body)
        if title:
            self.setAccessibleName(title)

    def set_title(self, title: str, lead: str = "") -> None:
        """Change the heading and its sentence."""
        self._heading.setText(title)
        self._lead.setText(lead)
        show_if(self._lead, bool(lead))
        show_if(self._head, bool(title))
        self.setAccessibleName(title)

    def add(self, item: QWidget, stretch: int = 0) -> None:
        """Add a widget to the body."""
        self.body.addWidget(item, stretch)


class ClickableFrame(QFrame):
    """A frame that is chosen as a whole: by click, Enter or Space."""

    clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("focus_ring", True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)


class Callout(QFrame):
    """A remark that needs attention: glyph, bold sentence, detail, actions.

    Parameters
    ----------
    text : str
        What is the matter; wraps.
    status : str
        info, success, warning or danger: colour and glyph.
    detail : str
        How to fix it, or why.
    action : str
        Words of a button; `acted` is emitted when it is clicked.
    """

    acted = Signal()

    def __init__(
        self,
        text: str = "",
        status: Status = "info",
        detail: str = "",
        action: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._glyph = GlyphLabel("info", "info")
        self._text = Label("", "strong", wrap=True)
        self._detail = Label("", "body", wrap=True)
        self._button = Button("", "plain", small=True, clicked=self.acted)
        words = column(self._text, self._detail, spacing=4)
        box = QHBoxLayout(self)
        box.setContentsMargins(12, 10, 12, 10)
        box.setSpacing(10)
        self._side = Qt.AlignmentFlag.AlignTop
        box.addWidget(self._glyph, 0, self._side)
        self._box = box
        self._inner = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._inner.addLayout(words, 1)
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        self._inner.addWidget(self._button, 0, side)
        box.addLayout(self._inner, 1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.show_words(text, status, detail, action)

    def show_words(
        self, text: str, status: Status = "info", detail: str = "", action: str = ""
    ) -> None:
        """Say something else."""
        mark(self, kind="callout", tone=status)
        self._glyph.set_glyph(TONE_GLYPH[status], status)
        mark(self._text, type="strong" if detail else "body")
        self._text.setText(text)
        self._detail.setText(detail)
        show_if(self._detail, bool(detail))
        self._button.setText(action)
        show_if(self._button, bool(action))
        self._place_glyph()
        self.setAccessibleName(f"{text} {detail}".strip())
        self._detail.setToolTip("")

    def _place_glyph(self) -> None:
        """Beside a button one line stands in the middle, and so does its glyph."""
        is_beside = self._inner.direction() is QBoxLayout.Direction.LeftToRight
        is_line = bool(self._button.text()) and not self._detail.text() and is_beside
        side = Qt.AlignmentFlag.AlignVCenter if is_line else Qt.AlignmentFlag.AlignTop
        if side != self._side:
            self._side = side
            self._box.setAlignment(self._glyph, side)

    def explain(self, more: str) -> None:
        """Say under the pointer what the detail of these words leaves out."""
        self._detail.setToolTip(more)
        self._detail.setAccessibleDescription(more)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        below, beside = (
            QBoxLayout.Direction.TopToBottom,
            QBoxLayout.Direction.LeftToRight,
        )
        is_narrow = self.width() < NARROW * theme().text_scale
        wanted = below if is_narrow else beside
        if wanted is not self._inner.direction():
            self._inner.setDirection(wanted)
            self._place_glyph()
            self.updateGeometry()


class StatTile(QFrame):
    """One figure, its unit, and a sentence that says what it means.

    Parameters
    ----------
    label : str
        What is measured: "Highest risk".
    figure : str
        As shown, with its thousands separators.
    unit : str
        "%", "records"; empty if the figure says it.
    explanation : str
        One plain sentence.
    """

    def __init__(
        self,
        label: str = "",
        figure: str = "–",
        unit: str = "",
        explanation: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        mark(self, kind="card")
        self._label = Label("", "caption", "muted")
        self._figure = Label("", "figure")
        self._unit = Label("", "body", "muted")
        self._delta = Label("", "caption", "muted")
        self._delta_glyph = GlyphLabel("arrow-down", "success", 14)
        self._explanation = Caption("")
        figures = row(self._figure, self._unit, None, spacing=6)
        figures.setAlignment(self._unit, Qt.AlignmentFlag.AlignBottom)
        self._change = QWidget()
        self._change.setLayout(row(self._delta_glyph, (self._delta, 1), spacing=4))
        self.setLayout(
            column(
                self._label,
                figures,
                self._change,
                self._explanation,
                None,
                spacing=4,
                margin=(16, 12, 16, 12),
            )
        )
        self._change.hide()
        self.set_figure(label, figure, unit, explanation)

    def set_figure(
        self, label: str, figure: str, unit: str = "", explanation: str = ""
    ) -> None:
        """Show another figure."""
        self._label.setText(label)
        self._figure.setText(figure)
        self._unit.setText(unit)
        show_if(self._unit, bool(unit))
        self._explanation.setText(explanation)
        show_if(self._explanation, bool(explanation))
        self.setAccessibleName(f"{label}: {figure} {unit}. {explanation}".strip())

    def set_change(self, words: str, status: Status | None = None) -> None:
        """Say how the figure changed: "from 3.1 % before"; empty hides it.

        Parameters
        ----------
        status : str or None
            success for better, danger for worse, None for neither, or not judged.
        """
        glyphs = {"success": "arrow-down", "danger": "arrow-up"}
        self._delta.setText(words)
        self._delta.set_tone(status or "muted")
        if status is not None:
            self._delta_glyph.set_glyph(glyphs.get(status, "minus"), status)
        show_if(self._delta_glyph, status is not None)
        show_if(self._change, bool(words))

    def set_tone(self, status: Status | None) -> None:
        """Colour the figure by what it means, beside the words that say it."""
        self._figure.set_tone(status or "")


class EmptyState(QWidget):
    """What to do where there is nothing yet: glyph, sentence, one action.

    Parameters
    ----------
    action : str
        Words of the primary button; `acted` is emitted when it is clicked.
    """

    acted = Signal()

    def __init__(
        self,
        glyph: str,
        title: str,
        sentence: str = "",
        action: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._glyph = GlyphLabel(glyph, "subtle", icons.HUGE)
        self._title = Label(title, "section", wrap=True)
        self._title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sentence = Lead(sentence)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._sentence.setMaximumWidth(440)
        self._button = Button(action, "primary", clicked=self.acted)
        show_if(self._button, bool(action))
        box = column(None, margin=(24, 8, 24, 8))
        self.setLayout(box)
        box.addWidget(self._glyph, 0, Qt.AlignmentFlag.AlignHCenter)
        box.addSpacing(4)
        # With an alignment it would be as narrow as it can be, and cut.
        box.addWidget(self._title)
        middle = row(None, self._sentence, None)
        middle.setStretch(1, 4)
        box.addLayout(middle)
        box.addSpacing(8)
        box.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        box.addStretch(1)
        self._box = box

    def add_action(self, button: Button) -> None:
        """Put a second button under the first one."""
        place = self._box.indexOf(self._button) + 1
        self._box.insertWidget(place, button, 0, Qt.AlignmentFlag.AlignHCenter)

    def show_words(
        self, title: str, sentence: str, action: str = "", glyph: str | None = None
    ) -> None:
        """Say something else."""
        self._title.setText(title)
        self._sentence.setText(sentence)
        self._button.setText(action)
        show_if(self._button, bool(action))
        if glyph:
            self._glyph.set_glyph(glyph)


class Collapsible(QWidget):
    """A heading that shows or hides what is under it."""

    toggled = Signal(bool)

    def __init__(
        self, title: str, is_open: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._button = Button(title, "quiet", clicked=self._on_clicked)
        self._button.setSizePolicy(
            QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed
        )
        mark(self._button, words="left")
        self._content = QWidget()
        self.body = QVBoxLayout(self._content)
        self.body.setContentsMargins(0, 4, 0, 0)
        self.setLayout(column(self._button, self._content, spacing=0))
        self.set_open(is_open)

    @property
    def is_open(self) -> bool:
        """Whether the content is shown."""
        return not self._content.isHidden()

    def set_title(self, title: str) -> None:
        """Change the heading."""
        self._button.setText(title)

    def set_open(self, is_open: bool) -> None:
        """Show or hide the content."""
        show_if(self._content, is_open)
        self._button.set_glyph("chevron-down" if is_open else "chevron-right")

    def _on_clicked(self) -> None:
        self.set_open(not self.is_open)
        self.toggled.emit(self.is_open)


class FoldedText(QWidget):
    """A text of one line that opens to the whole."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line, self.whole = ElidedLabel(), Label("", wrap=True)
        self.toggle = Button("", "link", small=True, clicked=self._on_clicked)
        texts = holder(column(self.line, self.whole, spacing=0))
        box = row((texts, 1), self.toggle, spacing=8)
        box.setAlignment(self.toggle, Qt.AlignmentFlag.AlignTop)
        self.setLayout(box)
        self.set_open(False)

    def set_text(self, text: str) -> None:
        """Show another text, as open as it was."""
        self.line.setText(text)
        self.whole.setText(text)

    def set_open(self, is_open: bool) -> None:
        """Show all of the text, or its beginning."""
        show_if(self.whole, is_open)
        show_if(self.line, not is_open)
        self.toggle.setText(tr("Show less") if is_open else tr("Show all"))

    def _on_clicked(self) -> None:
        self.set_open(self.whole.isHidden())


def button_row(*buttons: tuple[str, Callable[..., Any]]) -> QHBoxLayout:
    """Plain buttons side by side from words and bound methods."""
    made = [Button(words, clicked=clicked) for words, clicked in buttons]
    return row(*made, None)


__all__ = [
    "Callout",
    "Card",
    "ClickableFrame",
    "Collapsible",
    "EmptyState",
    "FoldedText",
    "IconButton",
    "StatTile",
    "button_row",
]
