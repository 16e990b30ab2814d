"""The grid of a hierarchy on screen: one row per value, one column per level."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from deidgui.app.tasks.hierarchies import Outline
from deidgui.qt.widgets import CellMark
from deidgui.qt.widgets.grid import MARK_ROLE
from deidgui.text import tr

Index = QModelIndex | QPersistentModelIndex


class HierarchyGridModel(QAbstractTableModel):
    """Item model over an `Outline`: values in the order of the tree.

    The last column holds the records of each value.

    Attributes
    ----------
    written : Signal of (int, int, str)
        Row of the draft, level and label that somebody typed.
    """

    written = Signal(int, int, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._outline: Outline | None = None
        self._flaws: dict[int, frozenset[int]] = {}

    @property
    def outline(self) -> Outline | None:
        """What is shown."""
        return self._outline

    def set_outline(
        self, outline: Outline | None, flaws: dict[int, frozenset[int]] | None = None
    ) -> None:
        """Show another grid.

        Parameters
        ----------
        flaws : dict of int to frozenset of int, optional
            By level the rows of the draft that show a problem.
        """
        self.beginResetModel()
        self._outline, self._flaws = outline, flaws or {}
        self.endResetModel()

    def row_of(self, position: int) -> int:
        """Row of the draft that is shown at a position."""
        assert self._outline is not None
        return int(self._outline.order[position])

    def label_at(self, index: Index) -> tuple[int, str] | None:
        """Level and label of a cell; None in the column of records."""
        outline = self._outline
        if outline is None or not index.isValid() or index.column() > outline.height:
            return None
        return index.column(), outline.draft.columns[index.column()][
            self.row_of(index.row())
        ]

    # -- Qt ------------------------------------------------------------------------

    def rowCount(self, parent: Index | None = None) -> int:
        if self._outline is None or (parent is not None and parent.isValid()):
            return 0
        return len(self._outline.order)

    def columnCount(self, parent: Index | None = None) -> int:
        if self._outline is None or (parent is not None and parent.isValid()):
            return 0
        return self._outline.height + 2

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        outline = self._outline
        if outline is None or not index.isValid():
            return None
        row, column = self.row_of(index.row()), index.column()
        if column > outline.height:
            if role == Qt.ItemDataRole.DisplayRole:
                return f"{int(outline.records[row]):,}"
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return outline.draft.columns[column][row]
        if role == MARK_ROLE:
            is_flaw = row in self._flaws.get(column, ())
            return CellMark.PROBLEM if is_flaw else CellMark.NONE
        if role == Qt.ItemDataRole.ToolTipRole:
            return outline.draft.columns[column][row]
        return None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        if role != Qt.ItemDataRole.DisplayRole or self._outline is None:
            return None
        if orientation is Qt.Orientation.Vertical:
            return f"{section + 1:,}"
        if section > self._outline.height:
            return tr("Records")
        if section == 0:
            return tr("0 · Value")
        if section == self._outline.height:
            return tr("{level} · Left out", level=section)
        return tr("Level {level}", level=section)

    def flags(self, index: Index) -> Qt.ItemFlag:
        found = super().flags(index)
        outline = self._outline
        if outline is not None and 0 < index.column() < outline.height:
            found |= Qt.ItemFlag.ItemIsEditable
        return found

    def setData(
        self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        if role != Qt.ItemDataRole.EditRole or self._outline is None:
            return False
        held = self.label_at(index)
        if held is not None and held[1] != str(value):
            self.written.emit(self.row_of(index.row()), held[0], str(value))
        return False  # the decision changes the grid, not the editor
