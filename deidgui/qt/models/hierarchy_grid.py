"""The grid of a hierarchy on screen: one row per value, one column per level."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from deidgui.app.hierarchies.editing import Outline
from deidgui.qt.row_model import FLAGS, Index, RowColumn, RowModel
from deidgui.qt.widgets import CellMark
from deidgui.qt.widgets.grid import MARK_ROLE
from deidgui.text import tr

EDITABLE = FLAGS | Qt.ItemFlag.ItemIsEditable


class HierarchyGridModel(RowModel[int]):
    """Rows of the draft of an `Outline`, in the order of the tree.

    The last column holds the records of each value.

    Attributes
    ----------
    written : Signal of (int, int, str)
        Row of the draft, level and label that somebody typed.
    """

    written = Signal(int, int, str)

    def __init__(self, parent: QObject | None = None) -> None:
        self._outline: Outline | None = None
        self._flaws: Mapping[int, frozenset[int]] = {}
        self._titles: Sequence[str] = ()
        super().__init__(parent)

    def _declared(self) -> Sequence[RowColumn[int]]:
        outline = self._outline
        if outline is None:
            return ()
        levels = [self._level(outline, level) for level in range(outline.height + 1)]
        records = RowColumn[int](
            title=tr("Rows"),
            text=lambda row: f"{int(outline.records[row]):,}",
            is_number=True,
        )
        return (*levels, records)

    def _level(self, outline: Outline, level: int) -> RowColumn[int]:
        labels, flaws = outline.draft.columns[level], self._flaws.get(level, ())

        def mark(row: int) -> CellMark:
            return CellMark.PROBLEM if row in flaws else CellMark.NONE

        label: Callable[[int], str] = labels.__getitem__
        others = {Qt.ItemDataRole.EditRole: label, MARK_ROLE: mark}
        title = self._title(level)
        return RowColumn(title=title, meaning=title, text=label, others=others)

    def _title(self, level: int) -> str:
        if level == 0:
            return tr("0 · Value")
        number = tr("Level {level}", level=level)
        title = self._titles[level] if self._titles else number
        return number if title == number else f"{level} · {title}"

    @property
    def outline(self) -> Outline | None:
        """What is shown."""
        return self._outline

    def set_outline(
        self,
        outline: Outline | None,
        flaws: Mapping[int, frozenset[int]] | None = None,
        titles: Sequence[str] = (),
    ) -> None:
        """Show another grid.

        Parameters
        ----------
        titles : sequence of str, optional
            What the levels are called.
        flaws : mapping of int to frozenset of int, optional
            By level the rows of the draft that show a problem.
        """
        self._outline, self._flaws, self._titles = outline, flaws or {}, titles
        self.begin_with([] if outline is None else outline.order.tolist())

    def _take(self, rows: Sequence[int]) -> None:
        # PERF: there may be many thousands, and nobody looks for a row by its key.
        self._rows = rows
        self._declare(self._declared())
        for level in range(1, len(self._columns) - 2):
            self._cell_flags[level] = EDITABLE

    def label_at(self, index: Index) -> tuple[int, str] | None:
        """Level and label of a cell; None in the column of records."""
        outline = self._outline
        if outline is None or not index.isValid() or index.column() > outline.height:
            return None
        level = index.column()
        return level, outline.draft.columns[level][self.row_at(index.row())]

    # -- Qt ------------------------------------------------------------------------

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        is_row = orientation is Qt.Orientation.Vertical
        if is_row and role == Qt.ItemDataRole.DisplayRole:
            return f"{section + 1:,}"
        return super().headerData(section, orientation, role)

    def setData(
        self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        if role != Qt.ItemDataRole.EditRole or self._outline is None:
            return False
        held = self.label_at(index)
        if held is not None and held[1] != str(value):
            self.written.emit(self.row_at(index.row()), held[0], str(value))
        return False  # the decision changes the grid, not the editor
