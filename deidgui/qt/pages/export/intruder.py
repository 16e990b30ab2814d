"""The form for what somebody tried in order to find people in a release."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from deidgui.app.dossier.intruder_words import (
    FIELDS,
    KINDS,
    caution_words,
    result_words,
)
from deidgui.engine.evidence.entered import LONGEST_TEXT, IntruderTest
from deidgui.errors import ConfigError
from deidgui.qt.messages import words_for
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    ComboBox,
    Label,
    TextTable,
    column,
    field_row,
    holder,
    row,
    show_if,
)
from deidgui.text import tr

_NUMBERS = ("targets", "hours", "claimed", "verified")


class IntruderForm(QWidget):
    """Fields of one test, and the tests that are recorded.

    Attributes
    ----------
    recorded : Signal of dict
        Fields of a test, as they were typed.
    taken_back : Signal of int
        Place of a recorded test.
    """

    recorded = Signal(object)
    taken_back = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        kinds = [(key, tr(words)) for key, words in KINDS.items()]
        self.kind = ComboBox(kinds, tr(FIELDS["kind"]))
        self.fields = {name: QLineEdit() for name in FIELDS if name != "kind"}
        for field in self.fields.values():
            field.setMaxLength(LONGEST_TEXT)
        self.problem = Callout()
        show_if(self.problem, False)
        self.record = Button(tr("Record this test"), clicked=self._on_record)
        self.remove = Button(tr("Take back the selected test"), clicked=self._on_remove)
        self.tests = TextTable(
            tr("Tests that are recorded"),
            (tr("Who tried"), tr("What came of it")),
            wide=1,
            wraps=True,
        )
        self.tests.itemSelectionChanged.connect(self._on_selected)
        texts = [name for name in self.fields if name not in _NUMBERS]
        pairs = [
            holder(row(*((self._row(name), 1) for name in names), spacing=10))
            for names in (_NUMBERS[:2], _NUMBERS[2:])
        ]
        self.setLayout(
            column(
                Label(tr("Record a test"), "strong"),
                Caption(
                    tr(
                        "Export the work list for those who try on the page Risk and "
                        "utility, part At risk."
                    )
                ),
                field_row(tr(FIELDS["kind"]), self.kind),
                *map(self._row, texts),
                *pairs,
                self.problem,
                holder(row(None, self.record)),
                self.tests,
                Caption(caution_words()),
                holder(row(None, self.remove)),
                spacing=8,
            )
        )
        self.show_tests(())

    def _row(self, name: str) -> QWidget:
        return field_row(tr(FIELDS[name]), self.fields[name])

    def show_tests(self, tests: Sequence[IntruderTest]) -> None:
        """Show what is recorded."""
        self.tests.show_texts(
            [
                (
                    each.tried_by,
                    result_words(each.targets, each.hours, each.claimed, each.verified),
                )
                for each in tests
            ]
        )
        self.tests.clearSelection()
        self._on_selected()
        for each in (self.tests, self.remove):
            show_if(each, bool(tests))

    def show_problem(self, error: ConfigError | None) -> None:
        """Say why a test cannot be recorded; None if it was."""
        show_if(self.problem, error is not None)
        if error is not None:
            words = words_for(error)
            self.problem.show_words(words.what, "danger", words.fix)

    def clear(self) -> None:
        """Be empty for the next test."""
        for field in self.fields.values():
            field.clear()

    def _on_record(self) -> None:
        typed = {name: field.text() for name, field in self.fields.items()}
        self.recorded.emit({"kind": self.kind.current, **typed})

    def _on_selected(self) -> None:
        """Only a test that is selected can be taken back."""
        self.remove.setEnabled(bool(self.tests.selectedItems()))

    def _on_remove(self) -> None:
        self.taken_back.emit(self.tests.currentRow())
