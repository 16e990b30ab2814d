"""A list of many texts to check, with a field that narrows it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from deidgui.qt.row_model import RowColumn, RowModel
from deidgui.qt.theme import theme
from deidgui.qt.widgets.inputs import SearchField
from deidgui.qt.widgets.polish import column, show_if
from deidgui.qt.widgets.text import Caption
from deidgui.text import tr

BATCH = 500
"""Rows that a list lays out at once."""


class CheckListModel(RowModel[str]):
    """Item model over texts; the checked ones are a set, not a state per item.

    Attributes
    ----------
    toggled : Signal of tuple of str
        Somebody checked or unchecked: all checked texts in their order.
    """

    toggled = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        self._texts: tuple[str, ...] = ()
        self._checked: set[str] = set()
        self._words = ""
        super().__init__(parent)

    def _declared(self) -> Sequence[RowColumn[str]]:
        return (
            RowColumn(
                title="", text=str, is_checked=lambda text: text in self._checked
            ),
        )

    def _is_checked(self, text: str) -> bool:
        return text in self._checked

    @property
    def checked(self) -> tuple[str, ...]:
        """The checked texts in their order."""
        return tuple(text for text in self._texts if text in self._checked)

    def set_texts(self, texts: Sequence[str], checked: Iterable[str] = ()) -> None:
        """Show other texts; those that are checked come first."""
        self._checked = set(checked)
        first = [text for text in texts if text in self._checked]
        rest = [text for text in texts if text not in self._checked]
        self._texts = (*first, *rest)
        self.show_only(self._words)

    def set_checked(self, checked: Iterable[str]) -> None:
        """Check other texts without telling anybody; the order stays."""
        wanted = set(checked)
        if wanted != self._checked:
            self._checked = wanted
            self.redraw(range(self.rowCount()))

    def show_only(self, words: str) -> None:
        """Show the texts that contain what is typed."""
        self._words = words.casefold().strip()
        shown = [text for text in self._texts if self._words in text.casefold()]
        self.begin_with(shown if self._words else self._texts)

    def _on_checked(self, row: str, is_on: bool) -> None:
        (self._checked.add if is_on else self._checked.discard)(row)
        self.redraw([self.row_of(row)])
        self.toggled.emit(self.checked)


ROW_HEIGHT = 26
"""Pixels; room for the box of a row."""


class _WholeRow(QStyledItemDelegate):
    """A click anywhere in a row checks it, and so does Space."""

    def sizeHint(
        self,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> QSize:
        return super().sizeHint(option, index).expandedTo(QSize(0, ROW_HEIGHT))

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        _option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        match event:
            case QMouseEvent():
                is_released = event.type() is QEvent.Type.MouseButtonRelease
                is_meant = is_released and event.button() is Qt.MouseButton.LeftButton
            case QKeyEvent():
                is_meant = event.key() == Qt.Key.Key_Space
            case _:
                is_meant = False
        if not is_meant:
            return False
        role = Qt.ItemDataRole.CheckStateRole
        is_on = Qt.CheckState(index.data(role)) is Qt.CheckState.Checked
        state = Qt.CheckState.Unchecked if is_on else Qt.CheckState.Checked
        return model.setData(index, state, role)


class _ListView(QListView):
    """Tells when Enter is pressed; its heights, in pixels, are for letters × 1."""

    accepted = Signal()

    def __init__(self, least: int, most: int) -> None:
        super().__init__()
        self._least, self._most, self.n_texts = least, most, 0
        self.fit_height()

    def fit_height(self) -> None:
        """Be high enough for all texts if that is little more than the usual height."""
        self.ensurePolished()
        scale, whole = max(1.0, theme().text_scale), 2 * self.frameWidth()
        if self.n_texts:
            whole += self.n_texts * max(ROW_HEIGHT, self.sizeHintForRow(0))
        least, most = (round(each * scale) for each in (self._least, self._most))
        self.setFixedHeight(whole if least < whole <= most else least)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            # Of equal rows the height of one is kept.
            self.scheduleDelayedItemsLayout()
            self.fit_height()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accepted.emit()
        else:
            super().keyPressEvent(event)


class CheckList(QWidget):
    """Texts to check; only those that are seen cost anything.

    Parameters
    ----------
    name : str
        For screen readers.
    placeholder : str
        Of the field that narrows the list.
    height : int
        Of the list in pixels, for letters × 1.
    most : int, optional
        Height up to which it grows if all texts are seen then.

    Attributes
    ----------
    changed : Signal of tuple of str
        All checked texts in their order, after somebody checked one.
    accepted : Signal
        Enter was pressed in the list.
    """

    changed = Signal(object)
    accepted = Signal()

    def __init__(
        self,
        name: str,
        placeholder: str,
        height: int = 176,
        parent: QWidget | None = None,
        *,
        most: int = 0,
    ) -> None:
        super().__init__(parent)
        self.model = CheckListModel(self)
        self.model.toggled.connect(self.changed)
        self.field = SearchField(placeholder)
        self.field.searched.connect(self._on_searched)
        self.view = _ListView(height, max(height, most))
        self.view.setModel(self.model)
        self.view.setUniformItemSizes(True)
        # PERF: a list of all ZIP codes opens at once, its end a moment later.
        self.view.setLayoutMode(QListView.LayoutMode.Batched)
        self.view.setBatchSize(BATCH)
        self.view.setAccessibleName(name)
        self.view.setItemDelegate(_WholeRow(self.view))
        self.view.accepted.connect(self.accepted)
        self._none = Caption(tr("No matches."))
        show_if(self._none, False)
        self.setLayout(column(self.field, self.view, self._none, spacing=6))
        self.setFocusProxy(self.field)

    @property
    def checked(self) -> tuple[str, ...]:
        """The checked texts in their order."""
        return self.model.checked

    def set_texts(self, texts: Sequence[str], checked: Iterable[str] = ()) -> None:
        """Show other texts; those that are checked come first."""
        self.model.set_texts(texts, checked)
        self.view.n_texts = len(texts)
        self.view.fit_height()
        self._show_none()

    def _on_searched(self, words: str) -> None:
        self.model.show_only(words)
        self._show_none()

    def _show_none(self) -> None:
        show_if(self._none, not self.model.rowCount() and bool(self.field.text()))
