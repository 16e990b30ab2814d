"""How the list of columns is drawn and driven by keys."""

from __future__ import annotations

import math

from PySide6.QtCore import QItemSelectionModel, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from deidgui.app.charts.columns import Spark
from deidgui.app.project import Attribute
from deidgui.qt import icons
from deidgui.qt.charts.spark import SparkDelegate
from deidgui.qt.column_words import (
    BAND_COLOUR,
    BAND_GLYPH,
    band_words,
    finding_words,
    table_words,
    type_words,
    words,
)
from deidgui.qt.models.attributes import (
    AttributeColumn,
    AttributeFilter,
    AttributeModel,
)
from deidgui.qt.row_model import NAME_ROLE, Index
from deidgui.qt.theme import theme, tokens
from deidgui.qt.widgets import ROLE_GLYPH, ROLE_TONE, RowTable, paint_chip
from deidgui.qt.widgets.chips import ChipTone
from deidgui.text import tr

ROW_HEIGHT = 46
WIDTHS = {
    AttributeColumn.NAME: 120,
    AttributeColumn.ROLE: 148,
    AttributeColumn.FINDING: 140,
    AttributeColumn.VALUES: 104,
    AttributeColumn.MISSING: 78,
    AttributeColumn.SPREAD: 116,
    AttributeColumn.SEPARATION: 104,
    AttributeColumn.DISTINCTION: 104,
}


TEXTS = AttributeColumn.NAME, AttributeColumn.FINDING
FIGURES = tuple(AttributeColumn)[AttributeColumn.VALUES :]
"""They stand beside the list as well, of the column chosen."""

WIDEST = 280
"""Pixels, at the usual size of texts, that no name and no finding makes a column."""


class _TwoLines(QStyledItemDelegate):
    """Basis, check mark and selection as usual; two lines of our own."""

    beside = 0
    """Pixels of a cell that its lines do not have."""

    def __init__(self, model: AttributeModel, proxy: AttributeFilter) -> None:
        super().__init__(proxy)
        self._model, self._proxy = model, proxy

    def displayText(self, _value: object, _locale: object) -> str:
        return ""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(120, ROW_HEIGHT)

    def lines(self, attribute: Attribute) -> tuple[str, str]:
        """What stands in a cell."""
        raise NotImplementedError

    def wanted_width(self, font: QFont) -> int:
        """Pixels that the longest line of all cells needs."""
        metrics = [QFontMetrics(each) for each in _fonts(font)]
        rows = range(self._model.rowCount())
        cells = {self.lines(self._model.row_at(row)) for row in rows}
        texts = [set(line) for line in zip(*cells, strict=True)]
        widths = [
            max(map(each.horizontalAdvance, line))
            for each, line in zip(metrics, texts, strict=bool(texts))
        ]
        return max(widths, default=0) + self.beside

    def row(self, index: Index) -> int:
        """Row of the model behind a row of the view."""
        return self._proxy.mapToSource(index).row()

    def text_rect(self, option: QStyleOptionViewItem, index: Index) -> QRectF:
        """Where the lines go: beside the check mark if there is one."""
        filled = QStyleOptionViewItem(option)
        self.initStyleOption(filled, index)
        rect = QRect(option.rect).adjusted(10, 0, -6, 0)
        if filled.features & QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator:
            style = filled.widget.style() if filled.widget else QApplication.style()
            part = QStyle.SubElement.SE_ItemViewItemCheckIndicator
            check = style.subElementRect(part, filled, filled.widget)
            rect.setLeft(check.right() + 10)
        return QRectF(rect)

    def paint_lines(
        self,
        painter: QPainter,
        rect: QRectF,
        first: tuple[str, str],
        second: tuple[str, str],
        glyph: tuple[str, str] | None = None,
    ) -> None:
        """Draw two lines, each a text with the name of its colour."""
        colours = tokens().colours
        strong, small = _fonts(painter.font())
        heights = QFontMetrics(strong).height(), QFontMetrics(small).height()
        y = rect.center().y() - (sum(heights) + 1) / 2
        for (text, colour), font, height in zip(
            (first, second), (strong, small), heights, strict=True
        ):
            left = rect.left()
            if glyph is not None and font is strong:
                square = QRectF(left, y + (height - 15) / 2, 15, 15)
                icons.paint_glyph(painter, *_first(glyph, square))
                left += 21
            painter.setFont(font)
            painter.setPen(QColor(getattr(colours, colour)))
            room = QRectF(left, y, rect.right() - left, height)
            shown = QFontMetrics(font).elidedText(
                text, Qt.TextElideMode.ElideRight, int(room.width())
            )
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
            y += height + 1


def _fonts(font: QFont) -> tuple[QFont, QFont]:
    """Of the first and of the second line."""
    strong, small = QFont(font), QFont(font)
    strong.setWeight(QFont.Weight.DemiBold)
    small.setPointSizeF(tokens().type.caption)
    small.setStrikeOut(False)  # only the name of what is left out
    return strong, small


def _first(glyph: tuple[str, str], square: QRectF) -> tuple[str, QRectF, str]:
    return glyph[0], square, glyph[1]


class NameDelegate(_TwoLines):
    """Name and type of a column; a column that is left out is struck out."""

    beside = 48

    def lines(self, attribute: Attribute) -> tuple[str, str]:
        state = type_words(attribute) if attribute.include else tr("Left out")
        if attribute.include and attribute.is_removed:
            state = tr("{kind} · removed", kind=state)
        if table := table_words(attribute):
            state = f"{table} · {state}"
        return attribute.name, state

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> None:
        super().paint(painter, option, index)
        attribute = self._model.row_at(self.row(index))
        painter.save()
        font = QFont(option.font)
        font.setStrikeOut(not attribute.include)
        painter.setFont(font)
        colour = "text" if attribute.include else "subtle"
        name, state = self.lines(attribute)
        rect = self.text_rect(option, index)
        self.paint_lines(painter, rect, (name, colour), (state, "muted"))
        painter.restore()


def _is_left_out(attribute: Attribute) -> bool:
    """Whether nobody need say what a column is, since it is left out."""
    return attribute.role is None and not attribute.include


def _chip(attribute: Attribute) -> tuple[str, ChipTone, str]:
    """Text, colour and glyph of what a column is."""
    if attribute.role is not None:
        role = attribute.role
        return words(role), ROLE_TONE[role], ROLE_GLYPH[role]
    if _is_left_out(attribute):
        return tr("Left out"), "plain", "close"
    return tr("Not decided"), "warning", "help"


class RoleDelegate(_TwoLines):
    """The role as a chip; a proposal says so under it."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> None:
        super().paint(painter, option, index)
        attribute = self._model.row_at(self.row(index))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = QFont(option.font)
        painter.setFont(font)
        font.setPointSizeF(tokens().type.caption)
        metrics = QFontMetrics(font)
        text, tone, glyph = _chip(attribute)
        rect = self.text_rect(option, index)
        height = metrics.height() + 5
        width = min(metrics.horizontalAdvance(text) + 37, rect.width())
        is_open = not attribute.confirmed and not _is_left_out(attribute)
        top = rect.center().y() - (height + (metrics.height() if is_open else 0)) / 2
        chip = QRectF(rect.left() - 2, top, width, height)
        paint_chip(painter, chip, text, tone, glyph)
        if is_open:
            font.setItalic(True)
            painter.setFont(font)
            painter.setPen(QColor(tokens().colours.muted))
            below = QRectF(
                rect.left() + 6, chip.bottom() + 1, rect.width(), metrics.height()
            )
            words_below = tr("proposed") if attribute.role else tr("please decide")
            painter.drawText(below, Qt.AlignmentFlag.AlignVCenter, words_below)
        painter.restore()


class FindingDelegate(_TwoLines):
    """How sure a finding is, with a glyph, and what was found."""

    beside = 42

    def lines(self, attribute: Attribute) -> tuple[str, str]:
        finding = self._model.finding(attribute.name)
        if finding is None:
            return "", ""
        band = band_words(finding.band)
        below = band
        if not finding.band:
            below = "" if attribute.taken_over else tr("please look at it")
        return finding_words(finding) or band, below

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> None:
        super().paint(painter, option, index)
        attribute = self._model.row_at(self.row(index))
        finding = self._model.finding(attribute.name)
        if finding is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(option.font)
        band = finding.band
        glyph = (BAND_GLYPH[band], BAND_COLOUR[band])
        colour = "text" if band else "muted"
        first, below = self.lines(attribute)
        rect = self.text_rect(option, index)
        self.paint_lines(painter, rect, (first, colour), (below, "muted"), glyph)
        painter.restore()


class AttributeTable(RowTable):
    """The list: rows are chosen, Space includes.

    Attributes
    ----------
    include_wanted : Signal
        Leave the chosen columns out, or take them in again.
    """

    include_wanted = Signal()

    def __init__(
        self,
        model: AttributeModel,
        proxy: AttributeFilter,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._model, self._proxy = model, proxy
        self.setModel(proxy)
        self.setAccessibleName(tr("Columns of the data"))
        self.set_lines(2, 14)
        self.setSortingEnabled(True)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = self.horizontalHeader()
        header.setMinimumSectionSize(56)
        header.setStretchLastSection(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.set_widths(WIDTHS, TEXTS, FIGURES)
        delegates = (NameDelegate, RoleDelegate, FindingDelegate)
        for heading, kind in zip(AttributeColumn, delegates, strict=False):
            self.setItemDelegateForColumn(heading, kind(model, proxy))
        self.setItemDelegateForColumn(
            AttributeColumn.SPREAD, SparkDelegate(self._spark_at, self)
        )

    def fit_texts(self) -> None:
        """Give names and findings the room that they need, whatever else has none."""
        scale = theme().text_scale
        widths = dict(WIDTHS)
        for heading in TEXTS:
            delegate = self.itemDelegateForColumn(heading)
            assert isinstance(delegate, _TwoLines)
            wanted = math.ceil(delegate.wanted_width(self.font()) / scale)
            widths[heading] = min(max(widths[heading], wanted), WIDEST)
        self.fit_to(widths)

    def _spark_at(self, index: Index) -> Spark | None:
        return self._model.spark_at(self._proxy.mapToSource(index).row())

    @property
    def current_name(self) -> str:
        """The column the cursor is on; empty if there is none."""
        index = self.currentIndex()
        return str(index.data(NAME_ROLE)) if index.isValid() else ""

    @property
    def n_chosen(self) -> int:
        """Number of chosen rows."""
        return len(self._chosen_rows())

    def _chosen_rows(self) -> list[int]:
        """Rows that are chosen, in the order shown."""
        # PERF: `selectedRows` asks for every cell, 0.2 s at 1,000 columns.
        chosen = self.selectionModel().selection()
        blocks = [chosen.at(place) for place in range(chosen.count())]
        return sorted({n for e in blocks for n in range(e.top(), e.bottom() + 1)})

    @property
    def chosen_names(self) -> tuple[str, ...]:
        """All columns whose row is chosen, in the order shown."""
        model, proxy = self._model, self._proxy
        rows = (
            proxy.mapToSource(proxy.index(row, 0)).row() for row in self._chosen_rows()
        )
        return tuple(model.row_at(row).name for row in rows)

    def choose(self, name: str) -> None:
        """Go to a column, if it is shown."""
        row = self._model.row_of(name)
        index = self._proxy.mapFromSource(self._model.index(row, 0))
        if row >= 0 and index.isValid():
            flag = QItemSelectionModel.SelectionFlag
            self.selectionModel().setCurrentIndex(
                index, flag.ClearAndSelect | flag.Rows
            )
            self.scrollTo(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.modifiers():
            self.include_wanted.emit()
        else:
            super().keyPressEvent(event)
