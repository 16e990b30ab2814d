"""Table of rows of which several can be chosen, some with check marks."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from deidgui.qt.row_model import Index


class RowTable(QTableView):
    """Rows are chosen as usual; a click on a check mark leaves the choice alone."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)

    def selectionCommand(
        self, index: Index, event: QEvent | None = None
    ) -> QItemSelectionModel.SelectionFlag:
        if isinstance(event, QMouseEvent) and self._is_on_check(index, event):
            return QItemSelectionModel.SelectionFlag.NoUpdate
        return super().selectionCommand(index, event)

    def _is_on_check(self, index: Index, event: QMouseEvent) -> bool:
        if index.data(Qt.ItemDataRole.CheckStateRole) is None:
            return False
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        option.rect = self.visualRect(index)
        option.features |= QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator
        part = QStyle.SubElement.SE_ItemViewItemCheckIndicator
        check = self.style().subElementRect(part, option, self)
        return check.contains(event.position().toPoint())
