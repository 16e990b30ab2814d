"""A table of counts on screen: what its cells are, or what can be inferred of them."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import nlargest
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from deidgui.app.counts.auditing import OUTCOMES, AuditedCell
from deidgui.engine.counts.audit.inference import Outcome
from deidgui.engine.counts.tables.cells import CellType, CountCell
from deidgui.engine.counts.tables.table import At, CountTable, letters
from deidgui.qt import icons
from deidgui.qt.theme import tokens
from deidgui.qt.widgets.polish import least_list
from deidgui.text import Text, escaped, tr

Index = QModelIndex | QPersistentModelIndex

TINT_ROLE = Qt.ItemDataRole.UserRole + 1
"""Name of the colour behind a cell; empty for none."""

KINDS: Mapping[CellType, Text] = {
    CellType.COUNT: "Count",
    CellType.PERCENTAGE: "Percentage",
    CellType.MEAN: "Mean",
    CellType.LABEL: "Label",
    CellType.LEFT_OUT: "Not used",
    CellType.EMPTY: "Empty",
}
"""What a cell is, in words."""

_TINTS = {
    CellType.LABEL: "sunken",
    CellType.PERCENTAGE: "accent_soft",
    CellType.MEAN: "accent_soft",
    CellType.LEFT_OUT: "sunken",
}

SIGNS: Mapping[Outcome, tuple[str, str, str]] = {
    Outcome.EXACT: ("danger", "danger", "danger_soft"),
    Outcome.TIGHT: ("warning", "warning", "warning_soft"),
    Outcome.INCONSISTENT: ("warning", "warning", "warning_soft"),
    Outcome.NARROWED: ("info", "info", "accent_soft"),
    Outcome.PROTECTED: ("check-circle", "success", "success_soft"),
}
"""Glyph, its colour and the colour behind each outcome of an audit."""

NOT_INFERRED: Text = "not inferred"
"""What is said of a protected count while nobody has confirmed the structure."""


def sign_of(outcome: Outcome, *, is_open: bool) -> tuple[str, str, str]:
    """Return the signs of an outcome; none is green while the structure is open."""
    is_held_back = is_open and outcome is Outcome.PROTECTED
    return SIGNS[Outcome.NARROWED if is_held_back else outcome]


_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


MOST_MEASURED = 1000
"""Rows, the first ones, whose texts decide how wide a column is."""


class CountGridModel(QAbstractTableModel):
    """Item model over one table of counts."""

    def __init__(self) -> None:
        super().__init__()
        self._table: CountTable | None = None
        self._number = 0
        self._audited: Mapping[At, AuditedCell] = {}
        self._is_open = False

    def show_table(
        self,
        table: CountTable | None,
        number: int = 0,
        audited: Mapping[At, AuditedCell] | None = None,
        *,
        is_open: bool = False,
    ) -> None:
        """Show a table, with what was inferred of its cells if that is known.

        Parameters
        ----------
        is_open : bool
            Whether nobody has confirmed the structure that this rests on.
        """
        self.beginResetModel()
        self._table, self._number = table, number
        self._audited, self._is_open = audited or {}, is_open
        self.endResetModel()

    def audited(self, row: int, column: int) -> AuditedCell | None:
        """Return what was inferred of a cell; None if it is not masked."""
        return self._audited.get(At(self._number, row, column))

    def rowCount(self, parent: Index | None = None) -> int:
        if self._table is None or (parent is not None and parent.isValid()):
            return 0
        return self._table.shape[0]

    def columnCount(self, parent: Index | None = None) -> int:
        if self._table is None or (parent is not None and parent.isValid()):
            return 0
        return self._table.shape[1]

    def longest(self, column: int) -> list[int]:
        """Rows of the longest texts of a column, of headers and of what is below."""
        if self._table is None:
            return []
        first = self._table.layout.n_header_rows
        shown = range(min(self._table.shape[0], MOST_MEASURED))
        sizes = {
            row: len(self._text(row, column, self.audited(row, column)))
            for row in shown
        }
        parts = (range(min(first, len(shown))), range(first, len(shown)))
        return [
            each for part in parts for each in nlargest(2, part, key=sizes.__getitem__)
        ]

    @property
    def labels(self) -> tuple[int, ...]:
        """Columns that name the rows."""
        return () if self._table is None else self._table.layout.labels

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation is Qt.Orientation.Vertical:
            return f"{section + 1}"
        return letters(section)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or self._table is None:
            return None
        row, column = index.row(), index.column()
        cell, found = self._table.cells[row][column], self.audited(row, column)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column, found)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return escaped(self._words(row, column, cell, found))
        if role == TINT_ROLE:
            return _tint(cell, found, is_open=self._is_open)
        if role == Qt.ItemDataRole.DecorationRole:
            return _sign(cell, found, is_open=self._is_open)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT if cell.kind in (CellType.LABEL, CellType.EMPTY) else _RIGHT
        if role == Qt.ItemDataRole.FontRole:
            return _font(cell, row < self._table.layout.n_header_rows)
        return None

    def _text(self, row: int, column: int, found: AuditedCell | None) -> str:
        assert self._table is not None
        text = escaped(self._table.grid[row][column].rstrip())
        if found is None:
            return text
        if found.outcome is Outcome.EXACT:
            return tr("{mark} = {range}", mark=text.strip(), range=found.interval())
        return tr("{mark}: {range}", mark=text.strip(), range=found.interval())

    def _words(
        self, row: int, column: int, cell: CountCell, found: AuditedCell | None
    ) -> str:
        assert self._table is not None
        text = self._table.grid[row][column].strip()
        if found is not None:
            outcome = tr(OUTCOMES[found.outcome])
            if self._is_open and found.outcome is Outcome.PROTECTED:
                outcome = tr(NOT_INFERRED)
            return tr(
                "Masked: {range}, {outcome}", range=found.interval(), outcome=outcome
            )
        if cell.problem:
            return tr("{text}: cannot be read as {kind}", text=text, kind=_kind(cell))
        if cell.is_masked:
            return tr("{text}: masked count", text=text)
        return tr("{text}: {kind}", text=text, kind=_kind(cell)) if text else ""


def _kind(cell: CountCell) -> str:
    return tr(KINDS[cell.kind]).lower()


def _tint(cell: CountCell, found: AuditedCell | None, *, is_open: bool) -> str:
    if found is not None:
        return sign_of(found.outcome, is_open=is_open)[2]
    if cell.problem:
        return "danger_soft"
    if cell.mark is not None:
        return "warning_soft"
    return _TINTS.get(cell.kind, "")


def _sign(cell: CountCell, found: AuditedCell | None, *, is_open: bool) -> Any:
    if found is not None:
        glyph, colour, _soft = sign_of(found.outcome, is_open=is_open)
        return icons.icon(glyph, colour)
    return icons.icon("danger", "danger") if cell.problem else None


def _font(cell: CountCell, is_header: bool) -> QFont | None:
    font = QFont()
    if is_header:
        font.setWeight(QFont.Weight.DemiBold)
    if cell.kind in (CellType.PERCENTAGE, CellType.MEAN):
        font.setItalic(True)
    if cell.kind is CellType.LEFT_OUT:
        font.setStrikeOut(True)
    is_plain = not (is_header or font.italic() or font.strikeOut())
    return None if is_plain else font


NARROW, WIDEST = 88, 220
"""Pixels of a column: where all are to be seen at once, and at most."""


class _Delegate(QStyledItemDelegate):
    """Draws the colour of a cell behind it."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> None:
        tint = index.data(TINT_ROLE)
        if tint:
            colour = QColor(getattr(tokens().colours, tint))
            painter.fillRect(option.rect, colour)
        super().paint(painter, option, index)


class _Names(QTableView):
    """The columns that name the rows, kept in sight at the left of a grid."""

    def __init__(self, grid: CountGrid) -> None:
        super().__init__(grid)
        self.setItemDelegate(_Delegate(self))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setWordWrap(False)
        self.setVerticalScrollMode(grid.verticalScrollMode())
        self.verticalHeader().hide()
        for off in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            off(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Whoever reads the screen hears these cells in the grid itself.
        self.setAccessibleName(tr("Names of the rows"))
        self.hide()

    def follow(self, labels: tuple[int, ...]) -> None:
        """Show the columns that are out of sight, beside the same rows."""
        # Kept by an attribute, both would hold each other and wait to be collected.
        grid = self.parent()
        assert isinstance(grid, CountGrid)
        width = sum(grid.columnWidth(each) for each in labels)
        is_wanted = grid.horizontalScrollBar().value() > 0 and bool(labels)
        if not is_wanted or 2 * width > grid.viewport().width():
            self.hide()
            return
        if self.model() is not grid.model():
            self.setModel(grid.model())
        for each in range(grid.grid_model.columnCount()):
            self.setColumnHidden(each, each not in labels)
            self.setColumnWidth(each, grid.columnWidth(each))
        header, row_height = grid.horizontalHeader(), grid.verticalHeader()
        self.horizontalHeader().setFixedHeight(header.height())
        self.verticalHeader().setDefaultSectionSize(row_height.defaultSectionSize())
        area = grid.viewport().geometry().adjusted(0, -header.height(), 0, 0)
        # The theme may draw a frame of its own around every table.
        edge = self.frameWidth()
        area.setWidth(width)
        self.setGeometry(area.adjusted(-edge, -edge, edge, edge))
        self.verticalScrollBar().setValue(grid.verticalScrollBar().value())
        self.show()
        self.raise_()


class CountGrid(QTableView):
    """Shows one table of counts.

    Attributes
    ----------
    cells_chosen : Signal
        Other cells are selected.
    """

    cells_chosen = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.grid_model = CountGridModel()
        self.setModel(self.grid_model)
        self._wanted: list[int] = []
        self._in_sight: tuple[int, int] | None = None
        self.setItemDelegate(_Delegate(self))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self._fit_rows()
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._names = _Names(self)
        self.horizontalScrollBar().valueChanged.connect(self._show_names)
        self.verticalScrollBar().valueChanged.connect(self._show_names)
        self.selectionModel().selectionChanged.connect(self._on_selected)

    def minimumSizeHint(self) -> QSize:
        return least_list(self)

    def sizeHint(self) -> QSize:
        # Where Qt has too little room it takes more than this from all parts alike.
        return QSize(super().sizeHint().width(), self.minimumSizeHint().height())

    def _fit_rows(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 10)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit_rows()

    def show_table(
        self,
        table: CountTable | None,
        number: int = 0,
        audited: Mapping[At, AuditedCell] | None = None,
        *,
        is_open: bool = False,
    ) -> None:
        """Show a table (as the model does); what is selected stays where it is."""
        here = self.currentIndex()
        place = here.row(), here.column()
        self.grid_model.show_table(table, number, audited, is_open=is_open)
        self._in_sight = None
        self._wanted = [
            min(max(self.sizeHintForColumn(column) + 24, 72), WIDEST)
            for column in range(self.grid_model.columnCount())
        ]
        self._fit_columns()
        index = self.grid_model.index(*place)
        if index.isValid():
            self.setCurrentIndex(index)

    def sizeHintForColumn(self, column: int) -> int:
        """Width of the longest texts of a column.

        PERF: Qt asks for eight roles of each of 1,000 rows, 40 ms a column.
        """
        model = self.grid_model
        cells = [model.index(row, column) for row in model.longest(column)]
        return max((self.sizeHintForIndex(each).width() for each in cells), default=0)

    def _show_names(self) -> None:
        self._names.follow(self.grid_model.labels)

    def scrollTo(
        self,
        index: Index,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Let a cell be seen, with the name of its row beside it."""
        super().scrollTo(index, hint)
        at, bar = self.visualRect(index), self.horizontalScrollBar()
        labels = self.grid_model.labels
        if (
            index.column() not in labels
            and at.right() + bar.value() < self.viewport().width()
        ):
            # It is seen without any scrolling, too.
            bar.setValue(0)
        elif self._names.isVisibleTo(self) and index.column() not in labels:
            bar.setValue(bar.value() - max(0, self._names.width() - at.left()))

    def keep_in_sight(self, row: int, column: int) -> None:
        """Let a cell be seen, also at other sizes, until somebody selects another."""
        self._in_sight = row, column
        self.scrollTo(self.grid_model.index(row, column))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()
        if self._in_sight is not None:
            self.scrollTo(self.grid_model.index(*self._in_sight))

    def _fit_columns(self) -> None:
        """Let wide columns be narrower where then all of them are seen."""
        room = self.viewport().width()
        for most in range(WIDEST, NARROW - 1, -4):
            widths = [min(wanted, most) for wanted in self._wanted]
            if sum(widths) <= room:
                break
        else:
            widths = self._wanted
        for column, width in enumerate(widths):
            self.setColumnWidth(column, width)
        self._show_names()

    def chosen_cells(self) -> list[tuple[int, int]]:
        """Rows and columns of the selected cells."""
        found = self.selectionModel().selectedIndexes()
        return sorted((each.row(), each.column()) for each in found)

    def _on_selected(self) -> None:
        self._in_sight = None
        self.cells_chosen.emit()
