"""A dialog for columns whose role nobody has decided: their shape, no value."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QWidget

from deidgui.app.project import Attribute
from deidgui.app.reading.shapes import ColumnShape
from deidgui.qt.column_words import words
from deidgui.qt.dialogs import CheckDialog
from deidgui.qt.widgets import (
    Button,
    CheckTable,
    Lead,
    MadeRows,
    SectionHeading,
    column,
    row,
)
from deidgui.text import tr

RELEASE, LEAVE_OUT, TAKE_OVER = "release", "leave_out", "take_over"
"""What is decided about the chosen columns; see `ReviewDialog.decision`."""


class ReviewDialog(CheckDialog):
    """Lists open columns; a person chooses some of them and decides about these.

    Attributes
    ----------
    decision : str
        release: as they are, insensitive; leave_out; take_over: as proposed; empty
        if nothing was decided.
    """

    def __init__(
        self,
        attributes: Sequence[Attribute],
        shape_of: Callable[[Attribute], ColumnShape | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Columns to be decided"), parent, (1080, 540))
        self.decision = ""
        self._attributes = tuple(attributes)
        self._make_table(shape_of)
        self.release_button = self._button(tr("Release as they are"), RELEASE)
        self.leave_out_button = self._button(tr("Leave out"), LEAVE_OUT)
        self.take_over_button = self._button(tr("Confirm proposed roles"), TAKE_OVER)
        self.all_button = Button(
            tr("Check all that have a proposal"), clicked=self._on_all
        )
        cancel = Button(tr("Cancel"), clicked=self.reject)
        lead = Lead(
            tr(
                "Nobody has said what these columns are. Check those that you "
                "want to decide on together. A and a stand for letters, 9 for "
                "digits; no value is shown."
            )
        )
        heading = SectionHeading(tr("Columns to be decided"))
        # What releases comes last of what decides.
        buttons = (self.take_over_button, self.leave_out_button, self.release_button)
        self.lay_out(
            column(heading, lead, (self.table, 1), spacing=16),
            row(self.all_button, None, *buttons, cancel, spacing=8),
        )
        self._show_chosen()

    def _make_table(self, shape_of: Callable[[Attribute], ColumnShape | None]) -> None:
        heads = [
            tr("Column"),
            tr("Proposed"),
            tr("Shape of values"),
            tr("Uniqueness"),
        ]

        def texts(place: int) -> tuple[str, ...]:
            each = self._attributes[place]
            shape = shape_of(each)
            role = words(each.role) if each.role else tr("Not decided")
            said = (shape.words, shape.uniqueness) if shape else ("", "")
            return each.name, role, *said

        rows = MadeRows(len(self._attributes), texts)
        self.table = CheckTable(tr("Columns to be decided"), heads, rows)
        self.table.setColumnWidth(0, min(self.table.columnWidth(0), 260))
        self.table.changed.connect(self._show_chosen)

    def _button(self, text: str, decision: str) -> Button:
        button = Button(text, clicked=self._on_clicked)
        button.setProperty("decision", decision)
        return button

    @property
    def chosen(self) -> tuple[str, ...]:
        """Names of the checked columns."""
        return tuple(self._attributes[place].name for place in self.table.checked)

    def check(self, name: str, is_on: bool = True) -> None:
        """Check a column or uncheck it."""
        place = [each.name for each in self._attributes].index(name)
        self.table.check((place,), is_on)

    def _on_all(self) -> None:
        roles = enumerate(each.role for each in self._attributes)
        self.table.check([place for place, role in roles if role is not None])

    def _show_chosen(self) -> None:
        chosen = self.chosen
        by_name = {each.name: each for each in self._attributes}
        has_roles = all(by_name[name].role is not None for name in chosen)
        self.release_button.setEnabled(bool(chosen))
        self.leave_out_button.setEnabled(bool(chosen))
        self.take_over_button.setEnabled(bool(chosen) and has_roles)

    def _on_clicked(self) -> None:
        self.decision = str(self.sender().property("decision"))
        self.accept()
