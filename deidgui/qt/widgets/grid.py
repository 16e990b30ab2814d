"""A table of millions of rows on screen: marks, copying, finding, two in step."""

from __future__ import annotations

import math
import weakref
from collections import deque
from collections.abc import Callable
from enum import IntEnum
from typing import Any

import numpy as np
import polars as pl
from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import (
    QAction,
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QKeySequence,
    QPainter,
    QPalette,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from deidgui.engine.arrays import IntArray
from deidgui.engine.data.hierarchy import SUPPRESSED
from deidgui.engine.data.table import Column, Table
from deidgui.qt.theme import tokens
from deidgui.qt.widgets.polish import least_list
from deidgui.text import escaped, tr

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
    LEFT_OUT = 5


_PALE = (CellMark.SUPPRESSED, CellMark.LEFT_OUT)

MarkCells = Callable[[IntArray, int], "np.ndarray[Any, np.dtype[np.uint8]]"]
"""From table rows and a column's place to one `CellMark` per row, vectorised."""

TEXT, TOOLTIP = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole
ALIGNMENT = Qt.ItemDataRole.TextAlignmentRole
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

    def data(self, index: Index, role: int = TEXT) -> Any:
        if not index.isValid():
            return None
        position, place = index.row(), index.column()
        if role == TEXT:
            return escaped(self._text(position, place)[:LONGEST_SHOWN])
        if role == IS_MISSING_ROLE:
            column = self._table.columns[place]
            code = int(column.codes[self.row_at(position)])
            return bool(self._missing[place][code])
        if role == MARK_ROLE:
            return self._mark(position, place)
        if role == TOOLTIP:
            return escaped(self._text(position, place))
        return None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation is Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return escaped(self._table.columns[section].name)
            if role == Qt.ItemDataRole.ToolTipRole:
                name = escaped(self._table.columns[section].name)
                return self._hints.get(section, name)
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            line = self._table.lines.line(self.row_at(section))
            # Who has no event is in no line of the file of events.
            return f"{line:,}" if line else "–"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    # -- searching and copying -----------------------------------------------------

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


SAMPLE_ROWS = 200
"""Rows that are measured for the width of a column with more values than that."""

MOST_FITTED, FITTED_AT_ONCE = 200, 20
"""Columns whose width follows from their content, and how many between two events."""

MOST_COPIED = 2_000_000
"""Cells that are copied at most."""


HORIZONTAL = int(Qt.AlignmentFlag.AlignHorizontal_Mask)


class CellDelegate(QStyledItemDelegate):
    """Draws missing values in grey italics and marks by background and form."""

    MISSING_WORDS = "∅"
    PADDING = 11
    """Pixels between the sides of a cell and its text: what the style leaves."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        missing = bool(index.data(IS_MISSING_ROLE))
        mark = int(index.data(MARK_ROLE) or 0)
        option.text = option.text or (self.MISSING_WORDS if missing else "")
        _set_font(option.font, option.text, mark, is_missing=missing)
        if missing or mark in _PALE:
            for role in (QPalette.ColorRole.Text, QPalette.ColorRole.HighlightedText):
                option.palette.setColor(role, QColor(tokens().colours.subtle))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> None:
        # PERF: what is asked through the index goes to Qt and back for each role.
        ask = index.model().data
        mark, text = ask(index, MARK_ROLE) or 0, ask(index, TEXT)
        rect = option.rect
        if mark:
            painter.fillRect(rect, _background(mark))
        has_focus = option.state & QStyle.StateFlag.State_HasFocus
        if has_focus or "\n" in text or "\t" in text:
            super().paint(painter, option, index)
        else:
            self._paint_text(painter, option, index, text, mark)
        if mark in (CellMark.CHANGED, CellMark.PROBLEM):
            self._paint_corner(painter, rect, mark)

    def _paint_text(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: Index,
        text: str,
        mark: int,
    ) -> None:
        """Draw a text as the style would.

        PERF: the style asks the model seven times for each cell, and takes five times
        as long.
        """
        colours, rect, font = tokens().colours, option.rect, option.font
        ask = index.model().data
        missing = bool(ask(index, IS_MISSING_ROLE))
        is_pale = missing or mark in _PALE
        if is_pale:
            text = text or self.MISSING_WORDS
            _set_font(font, text, mark, is_missing=missing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(colours.selection))
            is_pale = False
        painter.setFont(font)
        painter.setPen(QColor(colours.subtle if is_pale else colours.text))
        metrics, room = room_for_text(font, rect, self.PADDING)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, (ask(index, ALIGNMENT) or 0) & HORIZONTAL, shown)

    def _paint_corner(self, painter: QPainter, rect: QRect, mark: int) -> None:
        """A bar (changed) or a wider bar (problem) at the cell's left edge."""
        colours = tokens().colours
        colour = colours.accent if mark == CellMark.CHANGED else colours.danger
        width = 2 if mark == CellMark.CHANGED else 4
        bar = QRectF(rect.left(), rect.top() + 3, width, rect.height() - 7)
        painter.fillRect(bar, QColor(colour))


def room_for_text(font: QFont, rect: QRect, margin: int) -> tuple[QFontMetricsF, QRect]:
    """Return where the style writes one line in a cell, at the top of the room."""
    metrics = QFontMetricsF(font)
    above = rect.height() // 2 - math.ceil(metrics.height()) // 2
    return metrics, rect.adjusted(margin, above, -margin, 0)


def _set_font(font: QFont, text: str, mark: int, *, is_missing: bool) -> None:
    if is_missing:
        font.setItalic(True)
    if mark == CellMark.SUPPRESSED:
        font.setStrikeOut(text != SUPPRESSED)


def _background(mark: int) -> QColor:
    colours = tokens().colours
    return QColor(
        {
            CellMark.CHANGED: colours.accent_soft,
            CellMark.SUPPRESSED: colours.hover,
            CellMark.PROBLEM: colours.danger_soft,
            CellMark.FOUND: colours.warning_soft,
            CellMark.LEFT_OUT: colours.hover,
        }[CellMark(mark)]
    )


class DataGrid(QTableView):
    """Table view for millions of rows: fixed row height, widths from a sample.

    Parameters
    ----------
    table : Table, optional
        More can be shown by `set_table`.
    """

    def __init__(
        self, table: Table | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._grid_model: TableModel | None = None
        self._partner: weakref.ref[DataGrid] | None = None
        self._unfitted: deque[int] = deque()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._fit_some)
        self.setItemDelegate(CellDelegate(self))
        self.setShowGrid(True)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setMinimumSectionSize(48)
        lines = self.verticalHeader()
        # PERF: ResizeToContents took 438 s at 1.5 M rows.
        lines.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        lines.setHighlightSections(False)
        self._copy = QAction(tr("Copy"), self)
        self._copy.setShortcut(QKeySequence.StandardKey.Copy)
        self._copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._copy.triggered.connect(self.copy_selection)
        self.addAction(self._copy)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        if table is not None:
            self.set_table(table)

    def minimumSizeHint(self) -> QSize:
        return least_list(self)

    @property
    def table_model(self) -> TableModel | None:
        """The model, once a table is shown."""
        return self._grid_model

    def set_table(self, table: Table, order: IntArray | None = None) -> None:
        """Show a table; widths and row height follow its content."""
        if self._grid_model is None:
            self._grid_model = TableModel(table, order)
            self._grid_model.setParent(self)
            self.setModel(self._grid_model)
        else:
            self._grid_model.set_table(table, order)
        self.setAccessibleName(
            tr(
                "Table of {rows:row|rows} and {columns:column|columns}",
                rows=f"{table.n_rows:,}",
                columns=len(table.columns),
            )
        )
        self._fit()

    def _fit(self) -> None:
        model = self._grid_model
        if model is None:
            return
        metrics = self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(metrics.height() + 12)
        widest = metrics.horizontalAdvance(f"{model.table.n_rows:,}0") + 18
        self.verticalHeader().setFixedWidth(max(44, widest))
        self._unfitted = deque(range(min(model.columnCount(), MOST_FITTED)))
        self._fit_some()

    @property
    def is_fitting(self) -> bool:
        """Whether columns at the right still wait for their width."""
        return bool(self._unfitted)

    def _fit_some(self) -> None:
        """Fit some columns; those at the right follow, a few at a time."""
        for _ in range(min(len(self._unfitted), FITTED_AT_ONCE)):
            self._fit_column(self._unfitted.popleft())
        if self._unfitted:
            self._soon.start()

    def fit_with(self, other: DataGrid) -> None:
        """Give the columns here and there the same width, as both need it."""
        # Widgets that hold each other would be ended by the collector, in any order.
        self._partner, other._partner = weakref.ref(other), weakref.ref(self)

    def _fit_column(self, place: int) -> None:
        other = self._partner() if self._partner else None
        both = [self] if other is None else [self, other]
        if width := self._wanted(place):
            width = max(width, *(each._wanted(place) for each in both))
            for each in both:
                each.setColumnWidth(place, width)

    def _wanted(self, place: int) -> int:
        """Width that a column needs; 0 where there is none."""
        model = self._grid_model
        if model is None or place >= model.columnCount():
            return 0
        metrics = self.fontMetrics()
        column = model.column_at(place)
        if column.n_values <= SAMPLE_ROWS:  # other rows have no longer ones
            texts = column.values.to_list()
        else:
            rows = np.arange(min(SAMPLE_ROWS, model.rowCount()), dtype=np.int64)
            texts = [row[0] for row in model.texts(rows, [place])]
        longest = max(texts, key=len, default="")[:60]
        title = column.name
        width = max(
            metrics.horizontalAdvance(longest) + 26,
            round(metrics.horizontalAdvance(title) * 1.1) + 26,
        )
        return min(max(width, 64), 280)

    def copy_selection(self) -> None:
        """Copy the selected cells as tab-separated text, headings included."""
        model, selection = self._grid_model, self.selectionModel()
        if model is None or not selection.hasSelection():
            return
        block = selection.selection().first()
        places = list(range(block.left(), block.right() + 1))
        n_rows = min(block.height(), MOST_COPIED // len(places))
        positions = np.arange(block.top(), block.top() + n_rows, dtype=np.int64)
        lines = [[model.column_at(place).name for place in places]]
        lines += model.texts(positions, places)
        text = "\n".join("\t".join(_flat(cell) for cell in line) for line in lines)
        QGuiApplication.clipboard().setText(text)

    def show_cell(self, position: int, place: int) -> None:
        """Select a cell and scroll to it."""
        model = self._grid_model
        if model is not None:
            index = model.index(position, place)
            self.setCurrentIndex(index)
            self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange and self._grid_model is not None:
            self._fit()


def _flat(cell: str) -> str:
    return cell.replace("\t", " ").replace("\r", " ").replace("\n", " ")


def scroll_together(one: QTableView, other: QTableView) -> None:
    """Let two views show the same rows and columns."""
    for first, second in ((one, other), (other, one)):
        for bar in ("verticalScrollBar", "horizontalScrollBar"):
            source, target = getattr(first, bar)(), getattr(second, bar)()
            source.valueChanged.connect(target.setValue)


__all__ = [
    "MARK_ROLE",
    "CellDelegate",
    "CellMark",
    "DataGrid",
    "MarkCells",
    "TableModel",
    "scroll_together",
]
