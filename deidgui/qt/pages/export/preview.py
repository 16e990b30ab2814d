"""Records before and after, side by side, scrolling together."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from deidgui.app.release.previewing import Preview
from deidgui.engine.arrays import IntArray
from deidgui.qt.widgets import (
    Caption,
    CellMark,
    DataGrid,
    Label,
    Segmented,
    column,
    row,
    scroll_together,
)
from deidgui.text import Text, tr

Marks = np.ndarray[Any, np.dtype[np.uint8]]


class PreviewPane(QWidget):
    """Two tables with the same records; changed and suppressed cells are marked.

    Attributes
    ----------
    which_wanted : Signal of str
        first, random or suppressed.
    """

    which_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._preview: Preview | None = None
        self.which = Segmented(
            [
                ("first", tr("First records")),
                ("random", tr("Random records")),
                ("suppressed", tr("Suppressed records")),
            ],
            name=tr("Which records are shown"),
        )
        self.which.chosen.connect(self.which_wanted)
        self._words = Caption()
        self._words.setWordWrap(False)
        self.before, self.after = DataGrid(), DataGrid()
        scroll_together(self.before, self.after)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(self._side(tr("Before"), self.before))
        split.addWidget(self._side(tr("After"), self.after))
        split.setSizes([1, 1])
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addLayout(row(self.which, None, self._words, spacing=12))
        box.addWidget(split, 1)

    def _side(self, title: str, grid: DataGrid) -> QWidget:
        side = QWidget()
        side.setLayout(column(Label(title, "strong"), grid, spacing=4))
        grid.setMinimumWidth(200)
        return side

    def show_preview(self, preview: Preview) -> None:
        """Show some records before and after."""
        self._preview = preview
        self.before.set_table(preview.before)
        self.after.set_table(preview.after)
        model = self.after.table_model
        assert model is not None
        model.set_marks(self._marks_of)
        n_changed = int(preview.changed.sum())
        words: Text = (
            "{shown:,} of {records:,} records; {changed:,} cells differ (marked)"
        )
        self._words.setText(
            tr(
                words,
                shown=preview.after.n_rows,
                records=preview.n_records,
                changed=n_changed,
            )
        )

    def _marks_of(self, rows: IntArray, place: int) -> Marks:
        """Mark of each cell of one column (see `grid.MarkCells`)."""
        assert self._preview is not None
        marks = np.where(
            self._preview.changed[rows, place], CellMark.CHANGED, CellMark.NONE
        )
        marks[self._preview.suppressed[rows]] = CellMark.WITHHELD
        return marks.astype(np.uint8)
