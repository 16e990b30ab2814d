"""A list of many texts of which some are checked, narrowed by what is typed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

Index = QModelIndex | QPersistentModelIndex


class CheckListModel(QAbstractListModel):
    """Item model over texts; the checked ones are a set, not a state per item.

    Attributes
    ----------
    toggled : Signal of tuple of str
        Somebody checked or unchecked: all checked texts in their order.
    """

    toggled = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._texts: tuple[str, ...] = ()
        self._folded: list[str] = []
        self._shown: Sequence[int] = ()
        self._checked: set[str] = set()
        self._words = ""

    @property
    def checked(self) -> tuple[str, ...]:
        """The checked texts in their order."""
        return tuple(text for text in self._texts if text in self._checked)

    def set_texts(self, texts: Sequence[str], checked: Iterable[str] = ()) -> None:
        """Show other texts; those that are checked come first."""
        self.beginResetModel()
        self._checked = set(checked)
        first = [text for text in texts if text in self._checked]
        rest = [text for text in texts if text not in self._checked]
        self._texts = (*first, *rest)
        self._folded = [text.casefold() for text in self._texts]
        self._narrow()
        self.endResetModel()

    def set_checked(self, checked: Iterable[str]) -> None:
        """Check other texts without telling anybody; the order stays."""
        wanted = set(checked)
        if wanted != self._checked:
            self._checked = wanted
            self._repaint()

    def show_only(self, words: str) -> None:
        """Show the texts that contain what is typed."""
        self.beginResetModel()
        self._words = words.casefold().strip()
        self._narrow()
        self.endResetModel()

    def _narrow(self) -> None:
        if not self._words:
            self._shown = range(len(self._texts))
        else:
            self._shown = [
                place for place, text in enumerate(self._folded) if self._words in text
            ]

    def _repaint(self) -> None:
        if self._shown:
            last = self.index(len(self._shown) - 1)
            self.dataChanged.emit(self.index(0), last)

    # -- Qt ------------------------------------------------------------------------

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsUserCheckable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        text = self._texts[self._shown[index.row()]]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return text
        if role == Qt.ItemDataRole.CheckStateRole:
            is_on = text in self._checked
            return Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked
        return None

    def setData(
        self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid():
            return False
        text = self._texts[self._shown[index.row()]]
        if Qt.CheckState(value) is Qt.CheckState.Checked:
            self._checked.add(text)
        else:
            self._checked.discard(text)
        self.dataChanged.emit(index, index)
        self.toggled.emit(self.checked)
        return True
