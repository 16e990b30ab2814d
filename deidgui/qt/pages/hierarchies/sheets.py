"""Small sheets that ask for a name or for a group."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QWidget

from deidgui.app.hierarchies.editing import Outline
from deidgui.qt.widgets import (
    Button,
    Caption,
    Popover,
    SearchField,
    SectionHeading,
    row,
)
from deidgui.text import tr

MOST_LISTED = 300
"""Groups that are listed at once; one types to find others."""


class NameSheet(Popover):
    """Asks for the name of a group."""

    named = Signal(str)

    def __init__(
        self,
        title: str,
        sentence: str,
        proposal: str,
        action: str,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.field = QLineEdit(proposal)
        self.field.setMinimumWidth(260)
        self.field.setMaxLength(200)
        self.field.setAccessibleName(title)
        self.field.returnPressed.connect(self._on_accepted)
        self.field.textChanged.connect(self._on_text_changed)
        self.button = Button(action, "primary", clicked=self._on_accepted)
        self.body.addWidget(SectionHeading(title))
        words = Caption(sentence)
        words.setFixedWidth(260)
        self.body.addWidget(words)
        self.body.addWidget(self.field)
        self.body.addLayout(row(None, self.button))
        self._on_text_changed(proposal)

    def ask_at(self, anchor: QWidget) -> None:
        """Open below a control with the proposal selected."""
        self.open_at(anchor)
        self.field.setFocus()
        self.field.selectAll()

    def _on_text_changed(self, text: str) -> None:
        self.button.setEnabled(bool(text.strip()))

    def _on_accepted(self) -> None:
        text = self.field.text().strip()
        if text:
            self.close()
            self.named.emit(text)


class GroupSheet(Popover):
    """Asks which group receives something.

    Attributes
    ----------
    picked : Signal of (int, str)
        Level and label of the group.
    """

    picked = Signal(int, str)

    def __init__(
        self, title: str, outline: Outline, lowest: int, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._outline, self._lowest = outline, lowest
        self.field = SearchField(tr("Find a group"))
        self.field.searched.connect(self._fill)
        self.field.returnPressed.connect(self._on_entered)
        self.groups = QListWidget()
        self.groups.setMinimumSize(300, 240)
        self.groups.setAccessibleName(tr("Groups"))
        self.groups.itemActivated.connect(self._on_activated)
        self.groups.itemClicked.connect(self._on_activated)
        self.body.addWidget(SectionHeading(title))
        self.body.addWidget(self.field)
        self.body.addWidget(self.groups)
        self._fill("")

    def ask_at(self, anchor: QWidget) -> None:
        """Open below a control."""
        self.open_at(anchor)
        self.field.setFocus()

    def _fill(self, text: str) -> None:
        self.groups.clear()
        wanted = text.casefold()
        for level in range(self._lowest, self._outline.height):
            for node in range(self._outline.n_nodes(level)):
                if self.groups.count() >= MOST_LISTED:
                    return
                label = self._outline.label(level, node)
                if wanted in label.casefold():
                    self._add(level, node, label)

    def _add(self, level: int, node: int, label: str) -> None:
        words = tr(
            "{label}   (level {level}, {records:,} records)",
            label=label or tr("(empty)"),
            level=level,
            records=int(self._outline.n_records[level][node]),
        )
        item = QListWidgetItem(words)
        item.setData(Qt.ItemDataRole.UserRole, (level, label))
        self.groups.addItem(item)

    def _on_entered(self) -> None:
        self._fill(self.field.text())
        if self.groups.count():
            self._on_activated(self.groups.currentItem() or self.groups.item(0))

    def _on_activated(self, item: QListWidgetItem) -> None:
        level, label = item.data(Qt.ItemDataRole.UserRole)
        self.close()
        self.picked.emit(level, label)
