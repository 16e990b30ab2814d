"""The page on which people write down what others should know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from deidgui.app import ops
from deidgui.app.decides import Changes
from deidgui.qt.pages.base import Page, PageStatus, StepState
from deidgui.qt.settings import Settings
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace


class NotesPage(Page):
    """Notes of the project, which also stand in the report."""

    key = "notes"
    parts = Changes.NOTES

    def __init__(
        self, workspace: Workspace, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(workspace, settings, parent)
        self.set_header(tr("Notes"), tr("What the readers of the report should know."))
        self._field = QPlainTextEdit()
        self._field.setAccessibleName(tr("Notes"))
        self._field.textChanged.connect(self._on_text_changed)
        self.body.addWidget(self._field)

    def refresh(self, changes: Changes) -> None:
        """Show the notes as they are now."""
        with QSignalBlocker(self._field):
            self._field.setPlainText(self.session.project.notes)

    def status(self) -> PageStatus:
        """Notes are welcome, and never required."""
        is_written = bool(self.session.project.notes)
        return PageStatus(StepState.DONE if is_written else StepState.READY)

    def help_words(self) -> str:
        """Say what is done with the notes."""
        return tr("Notes stand in the project and in the report.")

    def _on_text_changed(self) -> None:
        notes = self._field.toPlainText()
        self.apply(ops.set_notes(notes), tr("change notes"))
