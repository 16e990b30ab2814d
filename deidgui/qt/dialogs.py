"""A question with answers in words, and the sheet of keyboard shortcuts."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QGridLayout,
    QWidget,
)

from deidgui.qt.widgets import (
    Button,
    Chip,
    Dialog,
    GlyphLabel,
    Label,
    Lead,
    SectionHeading,
    Title,
    column,
    row,
)
from deidgui.qt.widgets.buttons import Kind
from deidgui.text import tr


class QuestionDialog(Dialog):
    """A question with two or three answers in words.

    Parameters
    ----------
    answers : list of (key, words, kind)
        The first is the proposed one; Escape answers with the last.
    """

    def __init__(
        self,
        title: str,
        text: str,
        answers: list[tuple[str, str, Kind]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(title, parent, (440, 0))
        self._keys = {words: key for key, words, _kind in answers}
        self.answer = answers[-1][0]
        words = column(SectionHeading(title), Lead(text), spacing=8)
        glyph = GlyphLabel("help", "accent_text", 28)
        head = row(glyph, words, spacing=16)
        head.setAlignment(glyph, Qt.AlignmentFlag.AlignTop)
        head.setStretch(1, 1)
        buttons = row(None)
        for _key, label, kind in reversed(answers):
            buttons.addWidget(Button(label, kind, clicked=self._on_clicked))
        self.lay_out(column(head), buttons)

    def _on_clicked(self) -> None:
        button = self.sender()
        assert isinstance(button, Button)
        self.answer = self._keys[button.text()]
        self.accept()


class ShortcutsDialog(Dialog):
    """All commands with their keys."""

    def __init__(self, actions: dict[str, QAction], parent: QWidget) -> None:
        super().__init__(tr("Keyboard shortcuts"), parent, (770, 500))
        grid = QGridLayout()
        grid.setHorizontalSpacing(32)
        grid.setVerticalSpacing(6)
        shown = [action for action in actions.values() if action.shortcuts()]
        half = (len(shown) + 1) // 2
        for place, action in enumerate(shown):
            line, block = place % half, 2 * (place // half)
            words = action.text().replace("&", "").rstrip("…")
            keys = [
                key.toString(QKeySequence.SequenceFormat.NativeText)
                for key in action.shortcuts()
            ]
            grid.addWidget(Label(words), line, block)
            chips = row(*(Chip(key) for key in keys), None, spacing=4)
            grid.addLayout(chips, line, block + 1)
        close_button = Button(tr("Close"), "primary", clicked=self.accept)
        self.lay_out(
            column(Title(tr("Keyboard shortcuts")), grid, None, spacing=16),
            row(None, close_button),
        )
