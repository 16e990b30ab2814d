"""The matrix of policies: what each does to every attribute is painted, not written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import ceil
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSignalBlocker,
    QSize,
    QSizeF,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionHeader,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from deidgui.app.policies.candidate import Cell
from deidgui.qt.models.policies import (
    PolicyModel,
    cell_words,
    column_places,
)
from deidgui.qt.theme import theme, tokens
from deidgui.qt.tokens import Colours
from deidgui.qt.widgets import InTurns, mark
from deidgui.qt.widgets.grid import room_for_text
from deidgui.qt.widgets.polish import least_list
from deidgui.text import share_text, tr

Index = QModelIndex | QPersistentModelIndex

GAP = 4
"""Pixels between neighbouring cells."""

NARROWEST, WIDEST = 32, 168
"""Pixels of a column that shows an attribute."""

SLIM = 28
"""The same where that lets every figure stand beside them."""

READABLE, FEW = 84, 4
"""Pixels that show well which values are joined; so few attributes have as much before
any figure that can be left out."""

PLACE_WIDTH, FIGURE_WIDTH, AVERAGE_WIDTH, LOSS_WIDTH = 60, 58, 66, 72
"""Pixels of the other columns; a loss may be a lower bound: "≥ 26.2 %"."""

HEADER_MARGIN = 5
"""Pixels of a section that its title leaves free."""

HIGHEST = 104
"""Pixels of a title that stands on end at most, for letters × 1; the middle of a longer
one is cut."""

BY_NEED = (
    "added_sum",
    "average_risk",
    "added_risk",
    "preferences",
    "n_riskier",
    "n_holding",
    "events_loss",
)
"""Figures that are left out where it is narrow, in this order; the detail has them."""

MARKED = QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_HasFocus
"""States in which a cell has a background. PERF: to ask what else it may have takes
longer than to paint it, and nothing else has one."""

SEEN = 3
"""Pixels of a value in a strip that can be told from its neighbours."""

BIN = 4
"""Pixels that stand for several values where there are too many for that."""


LEAST_SHARE = 1e-6
"""Written as less than can be shown: the widest figure that columns have room for."""

TEXT_MARGIN = 5
"""Pixels that a figure leaves free at its sides: those of the style sheet and of Qt."""

MOST_PAINTED = 2048
"""Pictures of cells that are kept."""


class Run(NamedTuple):
    """Neighbouring values in a strip, from one pixel to another."""

    start: float
    end: float
    is_joined: bool


@lru_cache(4096)
def runs(groups: tuple[int, ...], width: float) -> tuple[Run, ...]:
    """Cut a strip of values into runs: of joined values, and of others.

    Parameters
    ----------
    groups : tuple of int
        Number of the group of each value, in their order.
    width : float
        Pixels of the strip.

    Returns
    -------
    tuple of Run
        Each group of joined values is one; all others between two of them are one.
    """
    found: list[Run] = []
    step, begin = width / max(len(groups), 1), 0
    for place in range(1, len(groups) + 1):
        if place < len(groups) and groups[place] == groups[begin]:
            continue
        is_joined = place - begin > 1
        if found and not is_joined and not found[-1].is_joined:
            found[-1] = found[-1]._replace(end=place * step)
        else:
            found.append(Run(begin * step, place * step, is_joined))
        begin = place
    return tuple(found)


@lru_cache(4096)
def joined_shares(groups: tuple[int, ...], width: float) -> tuple[float, ...]:
    """Share of joined values in each part of a strip that has too many values.

    Returns
    -------
    tuple of float
        In [0, 1], from the left; every part is `BIN` pixels wide or a little more.
    """
    numbers = np.asarray(groups)
    is_as_next = numbers[1:] == numbers[:-1]
    is_joined = np.zeros(len(numbers), np.float64)
    is_joined[1:] = is_as_next
    is_joined[:-1] = np.maximum(is_joined[:-1], is_as_next)
    n_parts = max(int(width // BIN), 1)
    return tuple(float(part.mean()) for part in np.array_split(is_joined, n_parts))


def paint_cell(painter: QPainter, rect: QRectF, cell: Cell) -> None:
    """Paint what a policy does to one attribute.

    Kept in full is a round, filled pill; coarser a box over a bar that is as long as
    what is left of the levels; removed a dashed outline; joined values a strip in
    which blocks are values that are released as one. Of more values than can be seen,
    a block is as high as the share of them that is joined.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(_caption_font(painter.font()))
    paint = {
        "kept": _paint_kept,
        "generalized": _paint_generalized,
        "joined": _paint_joined,
        "removed": _paint_removed,
    }[cell.effect]
    paint(painter, rect, cell, tokens().colours)
    painter.restore()


def _caption_font(font: QFont) -> QFont:
    font.setPointSizeF(tokens().type.caption)
    return font


def _paint_kept(painter: QPainter, rect: QRectF, _cell: Cell, colours: Colours) -> None:
    painter.setPen(QPen(QColor(colours.success_line), 1))
    painter.setBrush(QColor(colours.success_soft))
    radius = rect.height() / 2
    painter.drawRoundedRect(rect, radius, radius)
    painter.setPen(QPen(QColor(colours.success), 1.8))
    at = rect.center()
    painter.drawPolyline(
        [at + QPointF(-4, 0), at + QPointF(-1.2, 3), at + QPointF(4.5, -3.5)]
    )


def _paint_generalized(
    painter: QPainter, rect: QRectF, cell: Cell, colours: Colours
) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours.accent_soft))
    painter.drawRoundedRect(rect, 3, 3)
    taken = (cell.level or 0) / max(cell.height, 1)
    bar = QRectF(rect.left(), rect.bottom() - 3, rect.width(), 3)
    painter.setBrush(QColor(colours.accent_line))
    painter.drawRect(bar)
    painter.setBrush(QColor(colours.accent))
    bar.setWidth(max(2.0, taken * rect.width()))
    painter.drawRect(bar)
    text = fitting_words(cell, QFontMetricsF(painter.font()), rect.width() - 8)
    painter.setPen(QColor(colours.accent_text))
    box = rect.adjusted(1, 0, -1, -3)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def fitting_words(cell: Cell, metrics: QFontMetricsF, width: float) -> str:
    """Return the words of a cell if they fit; else its level, or else cut words."""
    if metrics.horizontalAdvance(cell.text) <= width:
        return cell.text
    if cell.level is not None:
        return f"{cell.level}/{cell.height}"
    return metrics.elidedText(cell.text, Qt.TextElideMode.ElideRight, width)


def _paint_removed(
    painter: QPainter, rect: QRectF, _cell: Cell, colours: Colours
) -> None:
    pen = QPen(QColor(colours.field_line), 1)
    pen.setStyle(Qt.PenStyle.DashLine)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
    painter.setPen(QPen(QColor(colours.muted), 1.6))
    at = rect.center()
    for x in (3.5, -3.5):
        painter.drawLine(at + QPointF(-x, -3.5), at + QPointF(x, 3.5))


def _paint_joined(
    painter: QPainter, rect: QRectF, cell: Cell, colours: Colours
) -> None:
    middle = rect.center().y()
    painter.setPen(QPen(QColor(colours.success), 2, Qt.PenStyle.DotLine))
    if len(cell.groups) * SEEN > rect.width():
        painter.drawLine(QPointF(rect.left(), middle), QPointF(rect.right(), middle))
        # Parts that touch have no seam.
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.accent))
        shares = joined_shares(cell.groups, rect.width())
        step = rect.width() / len(shares)
        for place, share in enumerate(shares):
            high = share * (rect.height() - 4)
            left = rect.left() + place * step
            painter.drawRect(QRectF(left, middle - high / 2, step, high))
        return
    for run in runs(cell.groups, rect.width()):
        if not run.is_joined:
            painter.drawLine(
                QPointF(rect.left() + run.start, middle),
                QPointF(rect.left() + run.end, middle),
            )
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours.accent))
    for run in runs(cell.groups, rect.width()):
        if run.is_joined:
            # A block never touches the next one, and is never invisible.
            width = max(run.end - run.start - 1, 1)
            left = rect.left() + run.start
            box = QRectF(left, rect.top() + 2, width, rect.height() - 4)
            painter.drawRoundedRect(box, 2, 2)


class MatrixDelegate(QStyledItemDelegate):
    """Paints what a policy does to an attribute, and writes all else.

    PERF: what is done to an attribute is the same in many rows, and is painted once.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._painted: dict[tuple[object, ...], QPixmap] = {}

    def forget(self) -> None:
        """Paint all anew: colours or letters are others."""
        self._painted.clear()

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> None:
        model = index.model()
        assert isinstance(model, PolicyModel)
        cell = model.cell_at(index)
        if option.state & MARKED:
            self.initStyleOption(option, index)
            room = option.rect.width() - 2 * TEXT_MARGIN
            metrics = QFontMetricsF(option.font)
            option.text = "" if cell else figure_for(option.text, metrics, room)
            style = option.widget.style() if option.widget else QApplication.style()
            element = QStyle.ControlElement.CE_ItemViewItem
            style.drawControl(element, option, painter, option.widget)
        elif cell is None:
            _write(painter, option, index)
        if cell is not None:
            # A line is as wide as a pixel, and lies half outside.
            box = option.rect.adjusted(GAP - 1, GAP - 1, 1 - GAP, 1 - GAP)
            painter.drawPixmap(box.topLeft(), self._pixmap(painter, box.size(), cell))

    def _pixmap(self, painter: QPainter, size: QSize, cell: Cell) -> QPixmap:
        """Return the picture of a cell, painted when it is first seen."""
        ratio = painter.device().devicePixelRatio()
        seen = cell.effect, cell.text, cell.level, cell.height, cell.groups
        key = (*seen, size.width(), size.height(), ratio)
        found = self._painted.get(key)
        if found is None:
            if len(self._painted) >= MOST_PAINTED:
                self.forget()
            found = self._painted[key] = QPixmap(size * ratio)
            found.setDevicePixelRatio(ratio)
            found.fill(Qt.GlobalColor.transparent)
            with QPainter(found) as onto:
                onto.setFont(painter.font())
                room = QRectF(QPointF(), QSizeF(size)).adjusted(1, 1, -1, -1)
                paint_cell(onto, room, cell)
        return found


def _write(painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
    """Write a figure where Qt would, which has nothing else to show there."""
    metrics, room = room_for_text(option.font, option.rect, TEXT_MARGIN)
    painter.setPen(option.palette.color(QPalette.ColorRole.Text))
    painter.setFont(option.font)
    text = figure_for(str(index.data() or ""), metrics, room.width())
    painter.drawText(room, Qt.AlignmentFlag.AlignRight, text)


def _without_blanks(text: str) -> str:
    return "".join(text.split())  # also what a narrow blank parts


def figure_for(text: str, metrics: QFontMetricsF, room: float) -> str:
    """Return a figure without its blanks where it has no room; cut only at last."""
    if metrics.horizontalAdvance(text) > room:
        text = _without_blanks(text)
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)


def _scale() -> float:
    """How much more room larger letters need; smaller ones get no less."""
    return max(1.0, theme().text_scale)


class MatrixHeader(QHeaderView):
    """Titles of at most two lines; where columns are narrow they stand on end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setHighlightSections(False)
        self.setSectionsClickable(True)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.setMinimumSectionSize(SLIM)
        mark(self, kind="matrix")
        self._on_end: frozenset[int] = frozenset()
        self._is_hovered = False

    @property
    def _font(self) -> QFont:
        """The font of the sections, which the style sheet gives them."""
        font = self.font()
        font.setPointSizeF(tokens().type.caption)
        return font

    def stand(self, sections: Sequence[int]) -> None:
        """Write titles from the bottom to the top if columns are too narrow for them.

        Parameters
        ----------
        sections : sequence of int
            Columns of one width, whose titles all stand or all lie.
        """
        titles, scale = {each: self._title(each) for each in sections}, _scale()
        is_cut = any(
            self.sectionSize(place) < READABLE * scale
            and self.fitting(title, self.sectionSize(place)) != title
            for place, title in titles.items()
        )
        self._on_end = frozenset(sections) if is_cut else frozenset()
        metrics = QFontMetricsF(self._font)
        least = 2 * self.fontMetrics().height() + 10
        for place in self._on_end:
            for text in self._lines(place):
                high = metrics.horizontalAdvance(text) + 2 * HEADER_MARGIN
                least = max(least, min(ceil(high), round(HIGHEST * scale)))
        self.setMinimumHeight(least)
        self.viewport().update()

    def put_last(self, sections: Sequence[int]) -> None:
        """Let some sections stand behind all others, which are seen before them."""
        first = [each for each in range(self.count()) if each not in sections]
        for place, section in enumerate([*first, *sections]):
            if (now := self.visualIndex(section)) != place:
                self.moveSection(now, place)

    def _title(self, section: int) -> str:
        return str(self.model().headerData(section, self.orientation()) or "")

    def _lines(self, section: int) -> list[str]:
        """Lines of a title that stands on end: one where two have no room."""
        title, line = self._title(section), QFontMetricsF(self._font).height()
        if 2 * line > self.sectionSize(section):
            title = title.replace("\n", "")
        return title.split("\n")

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:
        super().initStyleOptionForIndex(option, section)
        self._is_hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        is_lying = section not in self._on_end
        width = self.sectionSize(section)
        option.text = self.fitting(option.text, width) if is_lying else ""

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        painter.save()
        super().paintSection(painter, rect, section)
        painter.restore()
        if section not in self._on_end:
            return
        colours, font = tokens().colours, self._font
        metrics, middle = QFontMetricsF(font), Qt.TextElideMode.ElideMiddle
        room = rect.height() - 2 * HEADER_MARGIN
        lines = [metrics.elidedText(e, middle, room) for e in self._lines(section)]
        painter.save()
        painter.setFont(font)
        painter.setPen(QColor(colours.text if self._is_hovered else colours.muted))
        painter.translate(rect.left(), rect.bottom())
        painter.rotate(-90)
        box = QRectF(HEADER_MARGIN, 0, room, rect.width())
        start = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(box, start, "\n".join(lines))
        painter.restore()

    def fitting(self, title: str, width: int) -> str:
        """Title of a section that is so many pixels wide."""
        metrics, middle = QFontMetricsF(self._font), Qt.TextElideMode.ElideMiddle
        lines = title.split("\n")
        room = width - HEADER_MARGIN
        return "\n".join(metrics.elidedText(each, middle, room) for each in lines)


class PolicyMatrix(QTableView):
    """The policies as rows; Enter and double click activate."""

    policy_selected = Signal(int)
    policy_activated = Signal(int)

    def __init__(self, policies: PolicyModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._policies = policies
        policies.setParent(self)
        self.setModel(policies)
        mark(self, kind="matrix")
        self._delegate = MatrixDelegate(self)
        self.setItemDelegate(self._delegate)
        theme().changed.connect(self._delegate.forget)
        self.setAccessibleName(tr("Policies"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._build_headers()
        self.selectionModel().currentRowChanged.connect(self._on_row_changed)
        self.doubleClicked.connect(self._on_activated)
        self._ahead = InTurns(self)
        policies.modelReset.connect(self._on_reset)

    def _on_reset(self) -> None:
        self._fit_columns()
        self._ahead.begin(self._look_up_seen())

    def _look_up_seen(self) -> Iterator[None]:
        """Look up the policies in sight, in another turn than they are painted in."""
        yield
        first = self.rowAt(0)
        if self.isVisible() and first >= 0:
            n_seen = self.viewport().height() // self.rowHeight(first) + 1
            for row in range(first, min(first + n_seen, self._policies.rowCount())):
                _cells = self._policies.candidate_at(row).cells

    def _build_headers(self) -> None:
        lines = self.verticalHeader()
        lines.hide()
        # PERF: heights that follow the contents are asked of every row.
        lines.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._header = MatrixHeader(self)
        self.setHorizontalHeader(self._header)
        self._fit_rows()
        self.setSortingEnabled(True)
        self.sortByColumn(0, Qt.SortOrder.AscendingOrder)

    def _fit_rows(self) -> None:
        """Make rows as high as their text needs, and titles."""
        line = self.fontMetrics().height()
        self.verticalHeader().setDefaultSectionSize(line + 14)
        self._fit_columns()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit_rows()

    def minimumSizeHint(self) -> QSize:
        return least_list(self).expandedTo(QSize(320, 0))

    def show_policy(self, number: int | None) -> None:
        """Select the row of a policy without telling; none if it is not shown."""
        row = None if number is None else self._policies.row_of(number)
        with QSignalBlocker(self.selectionModel()):
            if row is None:
                self.clearSelection()
            else:
                flags = (
                    QItemSelectionModel.SelectionFlag.ClearAndSelect
                    | QItemSelectionModel.SelectionFlag.Rows
                )
                at = self._policies.index(row, max(self.currentIndex().column(), 0))
                self.selectionModel().setCurrentIndex(at, flags)
        if row is not None:
            self.scrollTo(self._policies.index(row, 0))
        self.viewport().update()

    def _on_row_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid():
            self.policy_selected.emit(self._policies.number_at(current.row()))

    def _on_activated(self, index: QModelIndex) -> None:
        self.policy_activated.emit(self._policies.number_at(index.row()))

    def _fit_columns(self) -> None:
        """Give attributes the room; leave figures out where it is narrow."""
        columns = self._policies.columns
        attributes = column_places(columns)
        keys = [each.key for each in columns]
        hidden: list[str] = []
        others = (e.key for e in columns if e.attribute < 0)
        figures = sum(map(_width, others))
        room = self.viewport().width() - figures
        scale = theme().text_scale
        narrowest = round(NARROWEST * _scale())
        least = READABLE * scale if len(attributes) <= FEW else narrowest
        for key in BY_NEED:
            if room < least * len(attributes) and key in keys:
                hidden.append(key)
                room += _width(key)
        width = room // max(len(attributes), 1)
        slim = round(SLIM * _scale())
        is_tight = width < slim
        for place, column in enumerate(columns):
            self.setColumnHidden(place, column.key in hidden)
            least = narrowest if is_tight else slim
            wide = max(least, min(width, round(WIDEST * scale)))
            is_cell = column.attribute >= 0
            self.setColumnWidth(place, wide if is_cell else _width(column.key))
        self._header.put_last(attributes if is_tight else ())
        self._header.stand(attributes)
        self._show_order(keys)

    def _show_order(self, keys: Sequence[str]) -> None:
        """Mark the column by which the policies are in order; tells nobody."""
        key, order = self._policies.sorted_by
        header = self.horizontalHeader()
        with QSignalBlocker(header):
            header.setSortIndicator(keys.index(key), order)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and index.isValid():
            self._on_activated(index)
        else:
            super().keyPressEvent(event)


def _width(key: str) -> int:
    """Pixels of a column that shows no attribute."""
    widths = {
        "best": PLACE_WIDTH,
        "average_risk": AVERAGE_WIDTH,
        "loss": LOSS_WIDTH,
        # An estimate has its mark.
        "share_at_risk": LOSS_WIDTH,
    }
    wide = round(widths.get(key, FIGURE_WIDTH) * theme().text_scale)
    if key == "best":
        return wide
    metrics = QFontMetricsF(QApplication.font())
    least = metrics.horizontalAdvance(_without_blanks(share_text(LEAST_SHARE)))
    return max(wide, ceil(least) + 2 * TEXT_MARGIN)


class CellView(QWidget):
    """One cell of the matrix on its own."""

    def __init__(self, cell: Cell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(NARROWEST)
        self.setMaximumWidth(WIDEST)
        self.show_cell(cell)

    def sizeHint(self) -> QSize:
        """As high as its letters, and the bar below them."""
        line = QFontMetricsF(_caption_font(self.font())).height()
        return QSize(NARROWEST, max(22, ceil(line) + 6))

    def show_cell(self, cell: Cell) -> None:
        """Show another cell."""
        self._cell = cell
        self.update()
        self.setToolTip(cell_words(cell))
        self.setAccessibleName(cell_words(cell))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_cell(
            painter, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), self._cell
        )
