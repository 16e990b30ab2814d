"""A table of millions of rows on screen: marks, copying, finding, two in step."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QRect,
    QRectF,
    Qt,
)
from PySide6.QtGui import (
    QAction,
    QColor,
    QGuiApplication,
    QKeySequence,
    QPainter,
    QPalette,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from deidgui.engine.arrays import IntArray
from deidgui.engine.data.table import Table
from deidgui.qt.theme import tokens
from deidgui.qt.widgets.table_model import (
    IS_MISSING_ROLE,
    MARK_ROLE,
    CellMark,
    Index,
    MarkCells,
    TableModel,
)
from deidgui.text import tr

SAMPLE_ROWS = 200
"""Rows that are measured for the width of a column."""

MOST_COPIED = 2_000_000
"""Cells that are copied at most."""


class CellDelegate(QStyledItemDelegate):
    """Draws missing values in grey italics and marks by ground and form."""

    MISSING_WORDS = "∅"

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        colours = tokens().colours
        missing = bool(index.data(IS_MISSING_ROLE))
        mark = int(index.data(MARK_ROLE) or 0)
        if missing:
            option.font.setItalic(True)
            option.text = option.text or self.MISSING_WORDS
        if missing or mark == CellMark.SUPPRESSED:
            for role in (QPalette.ColorRole.Text, QPalette.ColorRole.HighlightedText):
                option.palette.setColor(role, QColor(colours.subtle))
        if mark == CellMark.SUPPRESSED:
            option.font.setStrikeOut(True)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> None:
        mark = int(index.data(MARK_ROLE) or 0)
        rect: QRect = option.rect
        if mark:
            painter.fillRect(rect, _background(mark))
        super().paint(painter, option, index)
        if mark in (CellMark.CHANGED, CellMark.PROBLEM):
            self._paint_corner(painter, rect, mark)

    def _paint_corner(self, painter: QPainter, rect: QRect, mark: int) -> None:
        """A bar (changed) or a wider bar (problem) at the cell's left edge."""
        colours = tokens().colours
        colour = colours.accent if mark == CellMark.CHANGED else colours.danger
        width = 2 if mark == CellMark.CHANGED else 4
        bar = QRectF(rect.left(), rect.top() + 3, width, rect.height() - 7)
        painter.fillRect(bar, QColor(colour))


def _background(mark: int) -> QColor:
    colours = tokens().colours
    return QColor(
        {
            CellMark.CHANGED: colours.accent_soft,
            CellMark.SUPPRESSED: colours.sunken,
            CellMark.PROBLEM: colours.danger_soft,
            CellMark.FOUND: colours.warning_soft,
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
                "Table of {rows} rows and {columns} columns",
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
        rows = np.arange(min(SAMPLE_ROWS, model.rowCount()), dtype=np.int64)
        for place in range(min(model.columnCount(), 200)):
            texts = (row[0] for row in model.texts(rows, [place]))
            longest = max(texts, key=len, default="")[:60]
            title = model.column_at(place).name
            width = max(
                metrics.horizontalAdvance(longest) + 26,
                round(metrics.horizontalAdvance(title) * 1.1) + 26,
            )
            self.setColumnWidth(place, min(max(width, 64), 280))

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

    def find_next(self, place: int, text: str, forward: bool = True) -> bool:
        """Go to the next cell of a column that contains a text.

        Returns
        -------
        bool
            Whether there is one.
        """
        model = self._grid_model
        if model is None:
            return False
        here = self.currentIndex().row()
        start = here + 1 if forward else max(here, 0) - 1
        found = model.find(place, text, start, forward)
        if found is None:
            return False
        self.show_cell(found, place)
        return True

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
