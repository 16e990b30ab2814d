"""Questions with answers in words, rows to check, the sheet of keyboard shortcuts."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QGridLayout,
    QWidget,
)

from deidgui.qt.widgets import (
    Button,
    CheckTable,
    Chip,
    Dialog,
    GlyphLabel,
    Label,
    Lead,
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
        The first is the proposed one. Escape answers with the quiet one, else with the
        proposed one: it never does what was not asked for.
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
        quiet = [key for key, _words, kind in answers if kind == "quiet"]
        self.answer = quiet[0] if quiet else answers[0][0]
        words = column(Label(title, "section", wrap=True), Lead(text), spacing=8)
        glyph = GlyphLabel("help", "accent_text", 28)
        head = row(glyph, words, spacing=16)
        head.setAlignment(glyph, Qt.AlignmentFlag.AlignTop)
        head.setStretch(1, 1)
        buttons = row(None)
        for _key, label, kind in answers:
            buttons.addWidget(Button(label, kind, clicked=self._on_clicked))
        self.lay_out(column(head), buttons)

    def _on_clicked(self) -> None:
        button = self.sender()
        assert isinstance(button, Button)
        self.answer = self._keys[button.text()]
        self.accept()


class CheckDialog(Dialog):
    """Rows to check; Cancel and Esc ask before what was checked is lost.

    Attributes
    ----------
    table : CheckTable
        A subclass makes it.
    """

    table: CheckTable

    def reject(self) -> None:
        n = len(self.table.checked)
        if not n:
            super().reject()
            return
        question = QuestionDialog(
            tr("Discard the selection?"),
            tr("{n:column is|columns are} checked, and nothing is decided yet.", n=n),
            [
                ("stay", tr("Keep the selection"), "primary"),
                ("discard", tr("Discard the selection"), "plain"),
            ],
            self,
        )
        question.exec()
        question.deleteLater()
        if question.answer == "discard":
            super().reject()


def _keys_of_controls() -> list[tuple[str, list[str]]]:
    """What keys do where the keyboard is; these are no commands of the window."""
    return [
        (tr("Next control, and back"), ["Tab", "Shift+Tab"]),
        (tr("Press a button"), ["Space"]),
        (tr("Menu of a list or chart"), ["Menu"]),
        (tr("Walk through a list or chart"), ["↑ ↓", "Home"]),
        (tr("Close a menu or sheet"), ["Esc"]),
        (tr("Choose a policy in the list"), ["Enter"]),
        (tr("Role of the chosen columns"), ["1 … 4"]),
        (tr("Leave columns out, take them in"), ["Space"]),
        (tr("Enlarge a plane, reduce, see all"), ["+", "-", "0"]),
    ]


class ShortcutsDialog(Dialog):
    """All commands that are offered with their keys, and the keys of controls."""

    def __init__(self, actions: dict[str, QAction], parent: QWidget) -> None:
        super().__init__(tr("Keyboard shortcuts"), parent, (770, 500))
        commands = [
            (self._words(name, action), [_native(key) for key in action.shortcuts()])
            for name, action in actions.items()
            if action.shortcuts() and action.isVisible()
        ]
        close_button = Button(tr("Close"), "primary", clicked=self.accept)
        self.lay_out(
            column(
                Title(tr("Keyboard shortcuts")),
                self._grid(commands),
                Label(tr("Where the keyboard is"), "section"),
                self._grid(_keys_of_controls()),
                None,
                spacing=16,
            ),
            row(None, close_button),
        )

    @staticmethod
    def _words(name: str, action: QAction) -> str:
        words = action.text().replace("&", "").rstrip("…")
        if name.startswith("step_"):
            return tr("Go to {step}", step=words)
        return words

    @staticmethod
    def _grid(named: list[tuple[str, list[str]]]) -> QGridLayout:
        """Lay out words with their keys, in two columns."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(32)
        grid.setVerticalSpacing(6)
        grid.setContentsMargins(0, 0, 8, 0)  # the scroll bar stands beside it
        half = (len(named) + 1) // 2
        for place, (words, keys) in enumerate(named):
            line, block = place % half, 2 * (place // half)
            grid.addWidget(Label(words), line, block)
            chips = row(*(Chip(key) for key in keys), None, spacing=4)
            grid.addLayout(chips, line, block + 1)
        return grid


def _native(key: QKeySequence) -> str:
    return key.toString(QKeySequence.SequenceFormat.NativeText)
