"""The list of quasi-identifiers with how the hierarchy of each stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from deidgui.qt import icons
from deidgui.qt.row_model import Index, RowColumn, RowModel
from deidgui.qt.theme import tokens
from deidgui.text import tr

ENTRY_ROLE = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True)
class HierarchyRow:
    """One quasi-identifier of the list.

    Parameters
    ----------
    source : str
        Where its hierarchy comes from: "Number bands", "By hand".
    sizes : str
        Groups per level in words: "91 → 19 → *".
    problem : str
        What is wrong; empty if nothing.
    """

    name: str
    source: str
    sizes: str = ""
    problem: str = ""

    @property
    def words(self) -> str:
        """All of it, a line each."""
        lines = (self.name, self.source, self.sizes, self.problem)
        return "\n".join(line for line in lines if line)


class HierarchyListModel(RowModel[HierarchyRow]):
    """Item model over entries."""

    def _declared(self) -> Sequence[RowColumn[HierarchyRow]]:
        others = {ENTRY_ROLE: lambda entry: entry}
        return (
            RowColumn(
                title=tr("Column"),
                text=lambda entry: entry.name,
                said=lambda entry: entry.words,
                others=others,
            ),
        )

    def _key(self, row: HierarchyRow) -> str:
        return row.name

    @property
    def entries(self) -> Sequence[HierarchyRow]:
        """What is shown."""
        return self._rows


class HierarchyListDelegate(QStyledItemDelegate):
    """Draws an entry in three lines; a problem as glyph and words."""

    MARGIN = 10

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        body, small = self._metrics(option.font)
        return QSize(120, body.height() + 2 * small.height() + 22)

    def _metrics(self, font: QFont) -> tuple[QFontMetrics, QFontMetrics]:
        small = QFont(font)
        small.setPointSizeF(tokens().type.caption)
        return QFontMetrics(font), QFontMetrics(small)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> None:
        entry: HierarchyRow = index.data(ENTRY_ROLE)
        colours = tokens().colours
        rect = QRectF(option.rect).adjusted(2, 2, -2, -2)
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if is_chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            background = colours.accent_soft if is_chosen else colours.hover
            painter.setBrush(QColor(background))
            painter.drawRoundedRect(rect, 6, 6)
        if is_chosen:
            painter.setBrush(QColor(colours.accent))
            bar = QRectF(rect.left(), rect.top() + 8, 3, rect.height() - 16)
            painter.drawRoundedRect(bar, 1.5, 1.5)
        self._paint_words(painter, option.font, rect, entry)
        painter.restore()

    def _paint_words(
        self, painter: QPainter, font: QFont, rect: QRectF, entry: HierarchyRow
    ) -> None:
        colours = tokens().colours
        body, small = self._metrics(font)
        x, width = rect.left() + self.MARGIN, rect.width() - 2 * self.MARGIN
        y = rect.top() + 7
        bold = QFont(font)
        bold.setWeight(QFont.Weight.DemiBold)
        caption = QFont(font)
        caption.setPointSizeF(tokens().type.caption)
        third = entry.problem or entry.sizes
        lines = (
            (entry.name, bold, colours.text, body.height()),
            (entry.source, caption, colours.muted, small.height()),
            (third, caption, colours.muted, small.height()),
        )
        for place, (text, line_font, colour, height) in enumerate(lines):
            indent = 0.0
            if place == 2 and entry.problem:
                colour = colours.danger
                square = QRectF(x, y + (height - 14) / 2, 14, 14)
                icons.paint_glyph(painter, "danger", square, "danger")
                indent = 18
            painter.setFont(line_font)
            painter.setPen(QColor(colour))
            shown = QFontMetrics(line_font).elidedText(
                text, Qt.TextElideMode.ElideRight, int(width - indent)
            )
            box = QRectF(x + indent, y, width - indent + 1, height)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, shown)
            y += height + 2
