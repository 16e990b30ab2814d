"""The question what the first record of a file is: column names, or a person."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from deidgui.app.loaded import Loaded
from deidgui.qt.column_words import evidence_words
from deidgui.qt.widgets import Button, Card, ElidedLabel, Label, column, holder, row
from deidgui.text import tr

MOST_CELLS = 8
"""Cells of the first record that are shown."""


class HeaderCard(Card):
    """Asks what the first record is, and shows it.

    Attributes
    ----------
    answered : Signal of bool
        Whether it holds the names of the columns.
    """

    answered = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(margin=12, parent=parent)
        self.set_title(
            tr("What is the first record of the file?"),
            tr("Column names appear in the project, the evidence and the report."),
        )
        # Nothing of it is cut off where the page is low.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._cells = ElidedLabel("", "mono")
        self._reason = Label("", "caption", "muted", wrap=True)
        self.names = Button(tr("It holds the column names"), clicked=self._on_names)
        self.data = Button(tr("It is the data of a person"), clicked=self._on_data)
        buttons = row(self.names, self.data, None)
        self.add(holder(column(self._cells, self._reason, spacing=4)))
        self.body.addLayout(buttons)

    def show_file(self, loaded: Loaded) -> None:
        """Show the first record of a file, and what was made of it."""
        inspection = loaded.inspection
        self._cells.setText(" · ".join(_shown(first_record(loaded))))
        words = [
            evidence_words(each)
            for each in inspection.guess.evidence
            if each.code.startswith("header")
        ]
        self._reason.setText(" ".join(words))

    def _on_names(self) -> None:
        self.answered.emit(True)

    def _on_data(self) -> None:
        self.answered.emit(False)


def first_record(loaded: Loaded) -> list[str]:
    """Cells of the first record as they stand in the file; for the screen only."""
    if loaded.inspection.dialect.header:
        given = loaded.inspection.report.renamed
        return ["" if name in given else name for name in loaded.table.column_names]
    if not loaded.table.n_rows:
        return []
    return [each.text(0) for each in loaded.table.columns]


def _shown(cells: Sequence[str]) -> list[str]:
    shown = [cell or "–" for cell in cells[:MOST_CELLS]]
    return [*shown, "…"] if len(cells) > MOST_CELLS else shown
