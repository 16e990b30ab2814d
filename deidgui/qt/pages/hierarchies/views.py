"""The tree and the grid of a hierarchy as widgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QDrag,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFont,
    QPainter,
    QPalette,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QTreeView,
    QWidget,
)

from deidgui.app.hierarchies.editing import InEditor
from deidgui.qt import icons
from deidgui.qt.models.hierarchy_grid import HierarchyGridModel
from deidgui.qt.models.hierarchy_tree import (
    IS_SMALL_ROLE,
    IS_TORN_ROLE,
    SHARE_ROLE,
    HierarchyTreeModel,
    TreeColumn,
)
from deidgui.qt.pages.hierarchies.words import level_title
from deidgui.qt.row_model import Index
from deidgui.qt.theme import tokens
from deidgui.qt.widgets import CellDelegate, Chip
from deidgui.qt.widgets.polish import discard, least_list
from deidgui.text import tr

MOST_OPEN = 60
"""Rows that are in sight at first: as many levels are opened as fit."""

MOST_OPENED = 1000
"""Rows that one click on a level brings in sight at most."""

BAR_WIDTH = 54

BESIDE_VALUES, BESIDE_RECORDS, WARNING_WIDTH = 24, 18, 20
"""Pixels beside the figures, and of the warning before those of small groups."""

LEAST_LETTERS = 14
"""So many letters of a group are seen at least; the bars give way before."""


@dataclass(frozen=True)
class Selection:
    """Groups or values of one level that are selected.

    Parameters
    ----------
    level : int
        -1 if nothing is selected, or groups of several levels.
    labels : tuple of str
        In the order of the screen, each once.
    n_levels : int
        Levels the selection lies on.
    """

    level: int = -1
    labels: tuple[str, ...] = ()
    n_levels: int = 0


class TreeDelegate(QStyledItemDelegate):
    """Draws the bar of records and the marks of groups that need attention.

    Attributes
    ----------
    has_bars : bool
        Whether there is room for the bars.
    """

    has_bars = True

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        model = index.model()
        assert isinstance(model, HierarchyTreeModel)
        colours = tokens().colours
        if model.is_more(index):
            _set_text(option, colours.accent_text)
        elif index.column() == TreeColumn.RECORDS:
            option.text = ""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> None:
        super().paint(painter, option, index)
        model = index.model()
        assert isinstance(model, HierarchyTreeModel)
        if model.place(index) is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if index.column() == TreeColumn.RECORDS:
            self._paint_records(painter, option, index)
        elif index.column() == TreeColumn.LABEL and index.data(IS_TORN_ROLE):
            square = QRectF(
                option.rect.right() - 20, option.rect.center().y() - 7, 14, 14
            )
            icons.paint_glyph(painter, "danger", square, "danger")
        painter.restore()

    def _paint_records(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> None:
        look = tokens()
        room = QRectF(option.rect).adjusted(8, 0, -10, 0)
        is_small = bool(index.data(IS_SMALL_ROLE))
        words = str(index.data(Qt.ItemDataRole.DisplayRole))
        if self.has_bars:
            _paint_bar(painter, room, float(index.data(SHARE_ROLE)))
            room.setRight(room.right() - BAR_WIDTH - 8)
        colour = look.colours.warning if is_small else look.colours.text
        painter.setPen(QColor(colour))
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(room, flags, words)
        if is_small:
            width = painter.fontMetrics().horizontalAdvance(words)
            square = QRectF(
                room.right() - width - WARNING_WIDTH, room.center().y() - 7, 14, 14
            )
            icons.paint_glyph(painter, "warning", square, "warning")


def _paint_bar(painter: QPainter, room: QRectF, share: float) -> None:
    look = tokens()
    track = QRectF(room.right() - BAR_WIDTH, room.center().y() - 2, BAR_WIDTH, 5)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(look.colours.sunken))
    painter.drawRoundedRect(track, 2, 2)
    if share > 0:
        track.setWidth(max(2.0, BAR_WIDTH * min(share, 1.0)))
        painter.setBrush(QColor(look.chart.before))
        painter.drawRoundedRect(track, 2, 2)


def _set_text(option: Any, colour: str) -> None:
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.HighlightedText):
        option.palette.setColor(role, QColor(colour))


AWAY = 14
"""Pixels between the pointer and what is dragged."""


class HierarchyTree(QTreeView):
    """Groups that open to their members; drag and drop moves, F2 renames.

    Attributes
    ----------
    selected : Signal
        Other groups are selected.
    """

    selected = Signal()
    delete_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tree = HierarchyTreeModel(self)
        self.setModel(self.tree)
        self._painting = TreeDelegate(self)
        self.setItemDelegate(self._painting)
        self.setUniformRowHeights(True)
        self.setIndentation(18)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.SelectedClicked
        )
        self.setExpandsOnDoubleClick(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDropIndicatorShown(True)
        self.setAutoExpandDelay(700)
        # What is dragged goes onto a group, not between two.
        self.setDragDropOverwriteMode(True)
        self._target = QPersistentModelIndex()
        self.setAccessibleName(tr("Tree of groups"))
        head = self.header()
        head.setStretchLastSection(False)
        head.setMinimumSectionSize(56)
        self.clicked.connect(self._on_clicked)
        self.activated.connect(self._on_clicked)
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self._attribute = ""
        self._share_room()

    def minimumSizeHint(self) -> QSize:
        return least_list(self)

    def _share_room(self) -> None:
        """Let names be read: the bars give way, then all columns scroll sideways."""
        metrics, head = self.fontMetrics(), self.header()
        values, records, small = (
            metrics.horizontalAdvance(f"{n:,}") for n in self.tree.most()
        )
        head_of = head.sectionSizeHint
        values = max(head_of(TreeColumn.VALUES), values + BESIDE_VALUES)
        records = max(records, small + WARNING_WIDTH) + BESIDE_RECORDS
        records = max(head_of(TreeColumn.RECORDS), records)
        least = LEAST_LETTERS * metrics.averageCharWidth() + 2 * self.indentation()
        room = self.viewport().width() - values - least
        self._painting.has_bars = room >= records + BAR_WIDTH + 8
        if self._painting.has_bars:
            records += BAR_WIDTH + 8
        self.setColumnWidth(TreeColumn.VALUES, values)
        self.setColumnWidth(TreeColumn.RECORDS, records)
        modes = QHeaderView.ResizeMode
        mode = modes.Stretch if room >= records else modes.Fixed
        head.setSectionResizeMode(TreeColumn.LABEL, mode)
        if mode is modes.Fixed:
            self.setColumnWidth(TreeColumn.LABEL, least)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._share_room()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._share_room()

    def show_opened(self, opened: InEditor, smallest: int) -> None:
        """Show a hierarchy; what was open, selected and in sight stays so."""
        is_same = opened.attribute == self._attribute
        held = self._opened_labels() if is_same else []
        chosen = self.selection() if is_same else Selection()
        scrolled = self.verticalScrollBar().value()
        self._attribute = opened.attribute
        self.tree.set_outline(opened.outline, smallest, _torn(opened))
        self._share_room()
        if is_same:
            self._open_again(held)
            self._select_again(chosen)
            self.verticalScrollBar().setValue(scrolled)
        else:
            self.open_to(self.tree.levels_to_open(MOST_OPEN))
        self.selected.emit()

    def open_to(self, level: int) -> None:
        """Open so that the groups of a level are in sight, if they are not too many."""
        outline = self.tree.outline
        if outline is None:
            return
        self.setUpdatesEnabled(False)
        self.collapseAll()
        least = max(level, self.tree.levels_to_open(MOST_OPENED))
        for above in range(outline.height, least, -1):
            for node in range(outline.n_nodes(above)):
                self.expand(self.tree.index_of(above, node))
        self.setUpdatesEnabled(True)

    def selection(self) -> Selection:
        """Groups that are selected."""
        outline = self.tree.outline
        places = [
            place
            for index in self.selectionModel().selectedRows()
            if (place := self.tree.place(index)) is not None
        ]
        if outline is None or not places:
            return Selection()
        levels = {level for level, _node in places}
        if len(levels) > 1:
            return Selection(n_levels=len(levels))
        labels = dict.fromkeys(outline.label(*place) for place in sorted(places))
        return Selection(levels.pop(), tuple(labels), 1)

    def go_to(self, level: int, node: int) -> None:
        """Select one group or value and bring it in sight."""
        index = self.tree.index_of(level, node)
        self.setCurrentIndex(index)
        self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def current_place(self) -> tuple[int, int] | None:
        """Level and node of the current row."""
        return self.tree.place(self.currentIndex())

    def keyPressEvent(self, event: Any) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.delete_pressed.emit()
        else:
            super().keyPressEvent(event)

    # -- dragging ------------------------------------------------------------------

    def startDrag(self, actions: Qt.DropAction) -> None:
        """Drag the selection with a small ghost beside the pointer."""
        indexes = self.selectionModel().selectedRows()
        drag = QDrag(self)
        drag.setMimeData(self.tree.mimeData(indexes))
        drag.setPixmap(self._ghost(indexes))
        # Left and above of the ghost: the target under the pointer is seen.
        drag.setHotSpot(QPoint(-AWAY, -AWAY))
        drag.exec(actions, Qt.DropAction.MoveAction)

    def _ghost(self, indexes: Sequence[QModelIndex]) -> QPixmap:
        """The first label and how many more."""
        words = str(indexes[0].data()) if indexes else ""
        if len(indexes) > 1:
            words = tr("{words} and {n:,} more", words=words, n=len(indexes) - 1)
        chip = Chip(words, "accent", parent=self)
        chip.adjustSize()
        picture = chip.grab()
        discard(chip)
        return picture

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)
        at = self.indexAt(event.position().toPoint())
        self._mark_target(at if event.isAccepted() else QModelIndex())

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self._mark_target(QModelIndex())

    def dropEvent(self, event: QDropEvent) -> None:
        super().dropEvent(event)
        self._mark_target(QModelIndex())

    def _mark_target(self, index: QModelIndex) -> None:
        self._target = QPersistentModelIndex(index.siblingAtColumn(0))
        self.viewport().update()

    def drawRow(self, painter: QPainter, option: Any, index: Index) -> None:
        super().drawRow(painter, option, index)
        first = index.sibling(index.row(), 0)
        if self._target.isValid() and self._target == first:
            painter.setPen(QPen(QColor(tokens().colours.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(option.rect.adjusted(1, 1, -1, -1), 4, 4)

    def _opened_labels(self) -> list[tuple[int, str]]:
        """Groups that are open, the general ones first."""
        outline = self.tree.outline
        found: list[tuple[int, str]] = []
        if outline is None:
            return found
        waiting = [self.tree.index(row, 0) for row in range(self.tree.rowCount())]
        while waiting:
            index = waiting.pop()
            place = self.tree.place(index)
            if place is None or not self.isExpanded(index):
                continue
            found.append((place[0], outline.label(*place)))
            if place[0] > 1:
                rows = range(self.tree.rowCount(index))
                waiting += [self.tree.index(row, 0, index) for row in rows]
        return sorted(found, key=lambda each: -each[0])

    def _open_again(self, held: list[tuple[int, str]]) -> None:
        outline = self.tree.outline
        assert outline is not None
        for row in range(self.tree.rowCount()):
            self.expand(self.tree.index(row, 0))
        for level, label in held:
            node = outline.node_of(level, label) if level <= outline.height else None
            if node is not None:
                self.expand(self.tree.index_of(level, node))

    def _select_again(self, chosen: Selection) -> None:
        outline = self.tree.outline
        assert outline is not None
        if not 0 <= chosen.level <= outline.height or len(chosen.labels) > 100:
            return
        flags = (
            self.selectionModel().SelectionFlag.Select
            | self.selectionModel().SelectionFlag.Rows
        )
        for label in chosen.labels:
            node = outline.node_of(chosen.level, label)
            if node is not None:
                self.selectionModel().select(
                    self.tree.index_of(chosen.level, node), flags
                )

    def _on_clicked(self, index: QModelIndex) -> None:
        if self.tree.is_more(index):
            self.tree.show_more(index)

    def _on_selection_changed(self) -> None:
        self.selected.emit()


def _torn(opened: InEditor) -> dict[int, frozenset[str]]:
    """Labels by level that lie in several groups."""
    found: dict[int, set[str]] = {}
    for problem in opened.problems:
        if problem.code == "draft_not_nested" and problem.level is not None:
            label = opened.draft.columns[problem.level][problem.rows[0]]
            found.setdefault(problem.level, set()).add(label)
    return {level: frozenset(labels) for level, labels in found.items()}


def _flaws(opened: InEditor) -> dict[int, frozenset[int]]:
    """Rows by level that show a problem."""
    found: dict[int, set[int]] = {}
    for problem in opened.problems:
        if problem.level is not None and problem.level <= opened.draft.height:
            found.setdefault(problem.level, set()).update(problem.rows)
    return {level: frozenset(rows) for level, rows in found.items()}


class HierarchyGrid(QTableView):
    """The same hierarchy as rows of labels; typing in a cell moves the value."""

    selected = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.grid = HierarchyGridModel(self)
        self.setModel(self.grid)
        self.setItemDelegate(CellDelegate(self))
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setAccessibleName(tr("Grid of values and levels"))
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setTextElideMode(Qt.TextElideMode.ElideRight)
        # WORKAROUND Qt 6: titles are cut without regard to the style sheet's weight.
        font = QFont()
        font.setWeight(QFont.Weight.DemiBold)
        head.setFont(font)
        head.setMinimumSectionSize(64)
        head.setDefaultSectionSize(120)
        lines = self.verticalHeader()
        # PERF: other modes measure every row.
        lines.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self._attribute = ""
        self._widths: list[tuple[int, int]] = []
        self._is_fitting = False
        head.sectionResized.connect(self._on_section_resized)
        self._fit_rows()

    def minimumSizeHint(self) -> QSize:
        return least_list(self)

    def show_opened(self, opened: InEditor) -> None:
        """Show a hierarchy; what was in sight stays so."""
        is_same = opened.attribute == self._attribute
        scrolled = self.verticalScrollBar().value()
        current = self.currentIndex()
        here = (current.row(), current.column())
        width = self.grid.columnCount()
        self._attribute = opened.attribute
        levels = range(opened.outline.height + 1)
        titles = [level_title(opened, level) for level in levels]
        self.grid.set_outline(opened.outline, _flaws(opened), titles)
        self._fit_rows()
        if not is_same or width != self.grid.columnCount():
            self._fit()
        if is_same:
            self.setCurrentIndex(self.grid.index(*here))
            self.verticalScrollBar().setValue(scrolled)

    def _fit_rows(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 12)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit_rows()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_widths()

    def _fit(self) -> None:
        """Widths from the first rows and the titles."""
        metrics = self.fontMetrics()
        self._widths = []
        for column in range(self.grid.columnCount()):
            rows = range(min(100, self.grid.rowCount()))
            texts = [str(self.grid.index(row, column).data()) for row in rows]
            wide = [metrics.horizontalAdvance(text[:60]) for text in texts]
            needed = min(max(28 + max(wide, default=0), 72), 240)
            whole = min(self.horizontalHeader().sectionSizeHint(column), 240)
            self._widths.append((needed, max(needed, whole)))
        self._fit_widths()

    def _fit_widths(self) -> None:
        """Cut titles that are wider than what is under them, as far as room lacks."""
        lacking = sum(whole for _needed, whole in self._widths)
        lacking -= self.viewport().width()
        self._is_fitting = True
        for column, (needed, whole) in enumerate(self._widths):
            cut = min(whole - needed, max(0, lacking))
            self.setColumnWidth(column, whole - cut)
            lacking -= cut
        self._is_fitting = False

    def _on_section_resized(self) -> None:
        if not self._is_fitting:
            self._widths = []  # somebody has chosen one

    def selection(self) -> Selection:
        """Groups whose cells are selected, if they are of one level."""
        outline = self.grid.outline
        ranges = list(self.selectionModel().selection())  # type: ignore[call-overload]
        levels = {
            column for each in ranges for column in range(each.left(), each.right() + 1)
        }
        if outline is None or not levels:
            return Selection()
        if len(levels) > 1 or max(levels) > outline.height:
            return Selection(n_levels=len(levels))
        level = levels.pop()
        labels = outline.draft.columns[level]
        rows = (
            self.grid.row_at(position)
            for each in ranges
            for position in range(each.top(), each.bottom() + 1)
        )
        return Selection(level, tuple(dict.fromkeys(labels[row] for row in rows)), 1)

    def go_to(self, level: int, node: int) -> None:
        """Select the first cell of a group and bring it in sight."""
        outline = self.grid.outline
        assert outline is not None
        index = self.grid.index(int(outline.starts[level][node]), level)
        self.setCurrentIndex(index)
        self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def _on_selection_changed(self) -> None:
        self.selected.emit()


__all__ = ["HierarchyGrid", "HierarchyTree", "Selection", "TreeDelegate"]
