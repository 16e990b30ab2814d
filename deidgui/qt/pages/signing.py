"""Who stands for reasons and texts, and for all that nobody has signed."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from deidgui.app.dossier.signing import sign_open, unsigned_parts, unsigned_words
from deidgui.app.entered import today
from deidgui.app.project import Project
from deidgui.engine.evidence.entered import LONGEST_NAME
from deidgui.errors import ConfigError
from deidgui.qt.messages import words_for
from deidgui.qt.widgets import Button, Callout, Caption, Label, column, row, show_if
from deidgui.text import tr


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
        self.by = QLineEdit()
        self.by.setMaxLength(LONGEST_NAME)
        self.by.setPlaceholderText(tr("name and function"))
        self.by.setAccessibleName(label)
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

    def show_project(self, project: Project, name: str = "") -> None:
        """Show what nobody has signed.

        Parameters
        ----------
        name : str, optional
            Who has signed last, proposed; else who has set the thresholds.
        """
        self._project = project
        words = unsigned_words(unsigned_parts(project))
        self.words.setText(words)
        for each in (self.words, self.sign):
            show_if(each, bool(words))
        show_if(self.problem, bool(words) and not self.problem.isHidden())
        if not self.by.text() and not self.by.hasFocus():
            self.by.setText(name or project.privacy.threshold.set_by)

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
