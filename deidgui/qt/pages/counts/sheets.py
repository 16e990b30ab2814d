"""A dialog that asks which sheets of spreadsheets become tables."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from deidgui.app.counts.tables import RawTable
from deidgui.qt.widgets import Button, Dialog, Lead, SectionHeading, column, row
from deidgui.text import escaped, tr


class SheetsDialog(Dialog):
    """Lists the tables that were read; those that are checked are added.

    Attributes
    ----------
    made : Signal of list of RawTable
    """

    made = Signal(object)

    def __init__(self, found: Sequence[RawTable], parent: QWidget) -> None:
        super().__init__(tr("Choose the sheets"), parent, (520, 360))
        self._found = found
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Sheets"))
        self.list.setSpacing(3)
        for each in found:
            rows = len(each.grid)
            columns = max(map(len, each.grid), default=0)
            text = tr(
                "{name}  ({rows:row|rows}, {columns:column|columns})",
                name=each.sheet or each.base,
                rows=rows,
                columns=columns,
            )
            item = QListWidgetItem(escaped(text))
            item.setToolTip(escaped(each.source))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.list.itemChanged.connect(self._show)
        self.add = Button("", "primary", "check", self._on_add)
        cancel = Button(tr("Cancel"), clicked=self.reject)
        box = column(
            SectionHeading(tr("Choose the sheets")),
            Lead(tr("Each sheet that is checked becomes a table of the project.")),
            (self.list, 1),
            spacing=16,
        )
        self.lay_out(box, row(None, self.add, cancel))
        self._show()

    def _chosen(self) -> list[RawTable]:
        items = (self.list.item(at) for at in range(self.list.count()))
        is_on = Qt.CheckState.Checked
        pairs = zip(self._found, items, strict=True)
        return [each for each, item in pairs if item.checkState() is is_on]

    def _show(self) -> None:
        n = len(self._chosen())
        self.add.setText(tr("Add {n:table|tables}", n=n) if n else tr("Add tables"))
        self.add.setEnabled(n > 0)

    def _on_add(self) -> None:
        self.made.emit(self._chosen())
        self.accept()
