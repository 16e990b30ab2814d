"""Which file of an archive is the table?"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from deidgui.qt.widgets import Button, Card, row
from deidgui.text import tr


class MemberChooser(QWidget):
    """List of the files in an archive.

    Attributes
    ----------
    chosen : Signal of str
        Member to open.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._card = Card()
        self.members = QListWidget()
        self.members.setAccessibleName(tr("Files in the archive"))
        self.members.itemActivated.connect(self._on_activated)
        self.open = Button(tr("Open"), "primary", clicked=self._on_open)
        self._card.add(self.members, 1)
        self._card.body.addLayout(row(self.open, None))
        box = row(self._card)
        self.setLayout(box)

    def show_members(self, name: str, members: tuple[object, ...]) -> None:
        """Show the files of another archive."""
        self._card.set_title(
            tr("Which file of “{archive}” is the table?", archive=name),
            tr("An archive can hold several files; one of them is opened."),
        )
        self.members.clear()
        self.members.addItems([str(member) for member in members])
        self.members.setCurrentRow(0)

    def _on_activated(self, item: QListWidgetItem) -> None:
        self.chosen.emit(item.text())

    def _on_open(self) -> None:
        if (item := self.members.currentItem()) is not None:
            self.chosen.emit(item.text())
