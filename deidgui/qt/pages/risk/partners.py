"""What one value of the data stands for, chosen by hand."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from deidgui.qt.widgets import (
    Button,
    Caption,
    CheckList,
    Label,
    Popover,
    ReasonLabel,
    row,
    show_if,
)
from deidgui.text import tr

WIDTH = 360


class PartnerSheet(Popover):
    """Sheet with all values of the population; one or several can be checked.

    Attributes
    ----------
    chosen : Signal of (str, tuple of str)
        The value of the data and what it stands for; nothing means nobody.
    """

    chosen = Signal(str, object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._text = ""
        self._title = Label("", "section", wrap=True)
        self._words = Caption(
            tr(
                "Check all values of the population that mean the same. People of "
                "several values are added up."
            )
        )
        self.list = CheckList(tr("Values of the population"), tr("Find a value"), 224)
        self.list.setFixedWidth(WIDTH)
        self.list.accepted.connect(self._on_set_clicked)
        self.set_button = Button(tr("Set"), "primary", clicked=self._on_set_clicked)
        self.nobody_button = Button(
            tr("It stands for nobody"), "quiet", clicked=self._on_nobody_clicked
        )
        cancel = Button(tr("Cancel"), "quiet", clicked=self.close)
        self._confirms = ReasonLabel(
            tr("This also confirms the other values as they are shown."),
            "warning",
        )
        for part in (self._title, self._words, self.list, self._confirms):
            self.body.addWidget(part)
        self.body.addLayout(row(self.nobody_button, None, cancel, self.set_button))

    def set_confirms(self, confirms: bool) -> None:
        """Say whether setting one value confirms the others."""
        show_if(self._confirms, confirms)

    def open_for(
        self,
        text: str,
        partners: Sequence[str],
        values: Sequence[str],
        anchor: QWidget,
    ) -> None:
        """Ask for the partners of a value.

        Parameters
        ----------
        text : str
            Of the data.
        partners : sequence of str
            What it stands for now.
        values : sequence of str
            Of the population.
        anchor : QWidget
            The sheet opens beside it.
        """
        self._text = text
        shown = text if text.strip() else tr("(empty)")
        self._title.setText(tr("What does “{value}” stand for?", value=shown[:80]))
        self._title.setFixedWidth(WIDTH)
        self._words.setFixedWidth(WIDTH)
        self.list.field.clear()
        self.list.model.show_only("")
        self.list.set_texts(values, partners)
        self.open_at(anchor)
        self.list.field.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self._on_set_clicked()
            return
        super().keyPressEvent(event)

    def _on_set_clicked(self) -> None:
        checked = self.list.checked
        self.close()
        self.chosen.emit(self._text, checked)

    def _on_nobody_clicked(self) -> None:
        self.close()
        self.chosen.emit(self._text, ())
