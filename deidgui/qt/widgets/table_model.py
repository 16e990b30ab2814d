"""What a table view asks of a table of millions of rows: codes, never row objects."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

import numpy as np
import polars as pl
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from deidgui.engine.arrays import IntArray
from deidgui.engine.data.table import Column, Table

BLOCK = 256
"""Rows whose marks are asked for at once."""

MOST_BLOCKS = 4096
"""Blocks of marks that are kept."""

LONGEST_SHOWN = 400
"""Characters of a cell that are drawn; the tooltip has more."""

Index = QModelIndex | QPersistentModelIndex


class CellMark(IntEnum):
    """What happened to a cell."""

    NONE = 0
    CHANGED = 1
    SUPPRESSED = 2
    PROBLEM = 3
    FOUND = 4


MarkCells = Callable[[IntArray, int], "np.ndarray[Any, np.dtype[np.uint8]]"]
"""From table rows and a column's place to one `CellMark` per row, vectorised."""

IS_MISSING_ROLE = Qt.ItemDataRole.UserRole + 1
MARK_ROLE = Qt.ItemDataRole.UserRole + 2


class TableModel(QAbstractTableModel):
    """Item model over a `Table`, with an order of rows and marks of cells.

    Everything is answered from codes and dictionaries, so that a page of cells
    costs the same at any length.

    Parameters
    ----------
    order : ndarray of int64, optional
        Rows of the table that are shown, in this order.
    """

    def __init__(self, table: Table, order: IntArray | None = None) -> None:
        super().__init__()
        self._marks: MarkCells | None = None
        self._mark_blocks: dict[tuple[int, int], Any] = {}
        self._titles: tuple[str, ...] = ()
        self._hints: dict[int, str] = {}
        self._take(table, order)

    def _take(self, table: Table, order: IntArray | None) -> None:
        self._table = table
        self._order = None if order is None else np.asarray(order, dtype=np.int64)
        self._missing = [column.is_missing for column in table.columns]
        self._mark_blocks.clear()

    # -- what is shown -------------------------------------------------------------

    @property
    def table(self) -> Table:
        """The table that is shown."""
        return self._table

    def set_table(self, table: Table, order: IntArray | None = None) -> None:
        """Show another table."""
        self.beginResetModel()
        self._take(table, order)
        self.endResetModel()

    def set_order(self, order: IntArray | None) -> None:
        """Show other rows or another order; None shows all as in the file."""
        self.beginResetModel()
        self._take(self._table, order)
        self.endResetModel()

    def set_marks(self, marks: MarkCells | None) -> None:
        """Mark cells; `marks` is called with up to 256 rows of one column."""
        self._marks = marks
        self._mark_blocks.clear()
        if self.rowCount() and self.columnCount():
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last, [MARK_ROLE])

    def set_hint(self, column: int, text: str) -> None:
        """Tooltip of a column's heading."""
        self._hints[column] = text

    def row_at(self, position: int) -> int:
        """Row of the table that is shown at a position."""
        return position if self._order is None else int(self._order[position])

    def column_at(self, place: int) -> Column:
        """Column of the table at a place."""
        return self._table.columns[place]

    # -- Qt ------------------------------------------------------------------------

    def rowCount(self, parent: Index | None = None) -> int:
        if parent is not None and parent.isValid():
            return 0
        return self._table.n_rows if self._order is None else len(self._order)

    def columnCount(self, parent: Index | None = None) -> int:
        if parent is not None and parent.isValid():
            return 0
        return len(self._table.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        position, place = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(position, place)[:LONGEST_SHOWN]
        if role == IS_MISSING_ROLE:
            column = self._table.columns[place]
            code = int(column.codes[self.row_at(position)])
            return bool(self._missing[place][code])
        if role == MARK_ROLE:
            return self._mark(position, place)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._text(position, place)
        return None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation is Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return self._table.columns[section].name
            if role == Qt.ItemDataRole.ToolTipRole:
                return self._hints.get(section, self._table.columns[section].name)
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{self._table.lines.line(self.row_at(section)):,}"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    # -- searching and copying -----------------------------------------------------

    def find(
        self, place: int, text: str, start: int = 0, forward: bool = True
    ) -> int | None:
        """Position of the next row whose cell contains a text, whatever its case.

        Parameters
        ----------
        place : int
            Column that is searched.
        start : int
            Position at which the search begins; it wraps around.
        """
        hits = self.hits(place, text)
        if not len(hits):
            return None
        if forward:
            at = int(np.searchsorted(hits, start, side="left"))
            return int(hits[at % len(hits)])
        at = int(np.searchsorted(hits, start, side="right")) - 1
        return int(hits[at])

    def hits(self, place: int, text: str) -> IntArray:
        """Positions of all rows whose cell contains a text, ascending."""
        if not text:
            return np.empty(0, dtype=np.int64)
        column = self._table.columns[place]
        lowered = column.values.str.to_lowercase()
        contains = lowered.str.contains(text.lower(), literal=True).to_numpy()
        codes = column.codes if self._order is None else column.codes[self._order]
        return np.flatnonzero(contains[codes]).astype(np.int64)

    def texts(self, positions: IntArray, places: list[int]) -> list[list[str]]:
        """Raw texts of some rows and columns, for the clipboard."""
        rows = positions if self._order is None else self._order[positions]
        by_column = [self._texts_of(place, rows) for place in places]
        return [list(each) for each in zip(*by_column, strict=True)]

    def _texts_of(self, place: int, rows: IntArray) -> list[str]:
        column = self._table.columns[place]
        return column.values.gather(pl.Series(column.codes[rows])).to_list()

    def _text(self, position: int, place: int) -> str:
        return self._table.columns[place].text(self.row_at(position))

    def _mark(self, position: int, place: int) -> int:
        if self._marks is None:
            return CellMark.NONE
        block = (position // BLOCK, place)
        if block not in self._mark_blocks:
            if len(self._mark_blocks) > MOST_BLOCKS:
                self._mark_blocks.clear()
            first = block[0] * BLOCK
            positions = np.arange(first, min(first + BLOCK, self.rowCount()))
            rows = positions if self._order is None else self._order[positions]
            self._mark_blocks[block] = self._marks(rows, place)
        return int(self._mark_blocks[block][position % BLOCK])
