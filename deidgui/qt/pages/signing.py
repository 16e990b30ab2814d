"""Who stands for reasons and texts, and for all that nobody has signed."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from deidgui.app.dossier.signing import sign_open, unsigned_parts, unsigned_words
from deidgui.app.entered import today
from deidgui.app.project import Project
from deidgui.app.session import Session
from deidgui.engine.evidence.entered import LONGEST_NAME
from deidgui.errors import ConfigError
from deidgui.qt.messages import words_for
from deidgui.qt.widgets import Button, Callout, Caption, Label, column, row, show_if
from deidgui.text import tr

LEAST = 160
"""Pixels that a name has at least."""


class NameField(QLineEdit):
    """Who signs what is entered: typed once while a project is open, then everywhere.

    PRIVACY: never filled in from the project. Whoever has it open may be another
    person than the one who signed before, and signs only what they say.

    Parameters
    ----------
    label : str
        For screen readers.
    """

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session: Session | None = None
        self.setMaxLength(LONGEST_NAME)
        self.setMinimumWidth(LEAST)
        self.setPlaceholderText(tr("name and function"))
        self.setAccessibleName(label)
        self.textChanged.connect(self._on_changed)

    def follow(self, session: Session) -> None:
        """Show the name that was typed in any such field, from now on."""
        self._session = session

    def show_name(self) -> None:
        """Show the name as it was typed last."""
        if self._session is not None and self._session.signer != self.text():
            self.setText(self._session.signer)

    def showEvent(self, event: QShowEvent) -> None:
        self.show_name()
        super().showEvent(event)

    def _on_changed(self, name: str) -> None:
        if self._session is not None:
            self._session.signer = name


class SignRow(QWidget):
    """A name, and a button that puts it to everything that nobody has signed.

    Parameters
    ----------
    label : str
        Whose name it is.

    Attributes
    ----------
    decided : Signal of (Op, str)
        A decision, and what it is called in the menu.
    """

    decided = Signal(object, str)

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._project = Project()
        self.by = NameField(label)
        self.sign = Button(tr("Sign what is open"), clicked=self._on_signed)
        self.sign.setToolTip(
            tr("Put this name to everything in the project that nobody has signed.")
        )
        self.words = Caption()
        self.problem = Callout()
        show_if(self.problem, False)
        named = row(Label(label), (self.by, 1), self.sign, spacing=10)
        self.setLayout(column(named, self.words, self.problem, spacing=4))

    @property
    def signature(self) -> tuple[str, str]:
        """Who says something, and the day."""
        return self.by.text().strip(), today().isoformat()

    def show_project(self, project: Project) -> None:
        """Show what nobody has signed."""
        self._project = project
        words = unsigned_words(unsigned_parts(project))
        meaning = tr("This only shows in the report.")
        self.words.setText(f"{words} {meaning}" if words else "")
        for each in (self.words, self.sign):
            show_if(each, bool(words))
        show_if(self.problem, bool(words) and not self.problem.isHidden())
        self.by.show_name()

    def _on_signed(self) -> None:
        op = sign_open(*self.signature)
        try:
            op(self._project)
        except ConfigError as error:
            self.by.setFocus()
            show_if(self.problem, True)
            self.problem.show_words(words_for(error).what, "danger")
            return
        show_if(self.problem, False)
        self.decided.emit(op, tr("sign what is open"))
