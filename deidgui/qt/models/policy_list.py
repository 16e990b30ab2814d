"""Policies as a table of up to hundreds of thousands of rows, whatever found them."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from deidgui.app.charts.plane import Flag
from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.qt.models.figures import FLAG_SIGNS, Flags, flag_words

Index = QModelIndex | QPersistentModelIndex

PLACE, POLICY = 0, 1
"""Columns that every list has: the place in its own order, and the words."""


class PolicyListModel(QAbstractTableModel):
    """Rows are policies in some order; texts are made only for rows that are shown.

    Parameters
    ----------
    headings : type of IntEnum
        The columns; `PLACE` and `POLICY` come first.
    """

    def __init__(self, headings: type[enum.IntEnum]) -> None:
        super().__init__()
        self._headings = headings
        self._numbers: IntArray = np.empty(0, dtype=np.int64)
        self._row_of: IntArray = np.empty(0, dtype=np.int64)
        self._flags: Flags = {}
        self._sorted_by = (PLACE, Qt.SortOrder.AscendingOrder)

    @property
    def numbers(self) -> IntArray:
        """Policies in the order of the rows: ndarray of int64, shape (n_rows,)."""
        return self._numbers

    def set_flags(self, flags: Flags) -> None:
        """Mark policies as best, chosen or kept."""
        self._flags = flags
        if len(self._numbers):
            last = self.index(len(self._numbers) - 1, POLICY)
            self.dataChanged.emit(self.index(0, POLICY), last)

    def number_at(self, row: int) -> int:
        """Policy of a row."""
        return int(self._numbers[row])

    def row_of(self, number: int) -> int | None:
        """Row of a policy, None if it is not shown."""
        if not 0 <= number < len(self._row_of):
            return None
        row = int(self._row_of[number])
        return row if row >= 0 else None

    def _show(self, numbers: IntArray) -> None:
        """Show other policies, in the order that is set; within a reset."""
        self._numbers = numbers
        self._arrange()

    def _arrange(self) -> None:
        """Bring the policies into order; remember where each one is."""
        if not len(self._numbers):
            self._row_of = np.empty(0, dtype=np.int64)
            return
        heading, order = self._sorted_by
        numbers = self._by_place(self._numbers)
        keys = self._keys(heading)
        if keys is not None:
            # Equal ones stay in the order of their place, whatever the direction.
            keys = keys[numbers]
            is_up = order is Qt.SortOrder.AscendingOrder
            numbers = numbers[np.argsort(keys if is_up else -keys, kind="stable")]
        elif order is Qt.SortOrder.DescendingOrder:
            numbers = numbers[::-1]
        self._numbers = numbers
        self._row_of = np.full(self._n_policies(), -1, dtype=np.int64)
        self._row_of[numbers] = np.arange(len(numbers))

    # -- what each list says -------------------------------------------------------

    def _n_policies(self) -> int:
        """Policies that there are, shown or not."""
        raise NotImplementedError

    def _by_place(self, numbers: IntArray) -> IntArray:
        """Return some policies in the list's own order."""
        raise NotImplementedError

    def _keys(self, heading: int) -> FloatArray | IntArray | None:
        """Numbers by which a column is sorted; None if the place decides."""
        raise NotImplementedError

    def _title(self, heading: int) -> tuple[str, str]:
        """Title of a column and what it means."""
        raise NotImplementedError

    def _text(self, number: int, heading: int) -> str:
        """Text of a cell."""
        raise NotImplementedError

    def _hint(self, number: int, heading: int) -> str | None:
        """What is said of a cell under the pointer."""
        raise NotImplementedError

    # -- what Qt asks --------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's
        return 0 if parent.isValid() else len(self._numbers)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's
        return 0 if parent.isValid() else len(self._headings)

    def sort(
        self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder
    ) -> None:
        self.layoutAboutToBeChanged.emit()
        self._sorted_by = (column, order)
        before = self.persistentIndexList()
        numbers = [self.number_at(index.row()) for index in before]
        self._arrange()
        after = [
            self.index(int(self._row_of[number]), index.column())
            for number, index in zip(numbers, before, strict=True)
        ]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = 0
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        title, explanation = self._title(section)
        if role == Qt.ItemDataRole.DisplayRole:
            # Room for the arrow that says by what the list is sorted.
            return f"{title}\u2003"
        if role == Qt.ItemDataRole.ToolTipRole:
            return explanation
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None

    def data(self, index: Index, role: int = 0) -> Any:
        if not index.isValid():
            return None
        number, heading = self.number_at(index.row()), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            marks = mark_text(self._flags.get(number, ())) if heading == POLICY else ""
            return marks + self._text(number, heading)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(heading)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._hint(number, heading)
        return None


def mark_text(flags: tuple[Flag, ...]) -> str:
    """Signs and names of marks, to stand before the words of a policy."""
    return "".join(f"{FLAG_SIGNS[flag]} {flag_words(flag)}  " for flag in flags)


def _alignment(column: int) -> Qt.AlignmentFlag:
    is_text = column == POLICY
    side = Qt.AlignmentFlag.AlignLeft if is_text else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
