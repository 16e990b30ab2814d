"""Plain facts: names with their values, and a row of tools above something."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QWidget

from deidgui.qt.widgets.polish import show_if
from deidgui.qt.widgets.text import Label


class KeyValueList(QWidget):
    """Names at the left, values at the right, one line each."""

    def __init__(
        self, pairs: Iterable[tuple[str, str]] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self._rows: list[tuple[Label, Label]] = []
        self.set_pairs(pairs)

    def set_pairs(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Show other facts; the widgets of the same rows are kept."""
        wanted = list(pairs)
        while len(self._rows) < len(wanted):
            self._add_row()
        for place, (name, value) in enumerate(self._rows):
            is_shown = place < len(wanted)
            show_if(name, is_shown)
            show_if(value, is_shown)
            if is_shown:
                name.setText(wanted[place][0])
                value.setText(wanted[place][1])

    def _add_row(self) -> None:
        place = len(self._rows)
        name = Label("", "body", "muted")
        value = Label("", "body", wrap=True)
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._grid.addWidget(name, place, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(value, place, 1)
        self._rows.append((name, value))


class Toolbar(QFrame):
    """Row of controls above a table or chart: left group, stretch, right group."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._box = QHBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(8)
        self._n_left = 0
        self._box.addStretch(1)

    def add_left(self, widget: QWidget, stretch: int = 0) -> None:
        """Add a control to the left group."""
        self._box.insertWidget(self._n_left, widget, stretch)
        self._n_left += 1

    def add_right(self, widget: QWidget) -> None:
        """Add a control to the right group."""
        self._box.addWidget(widget)
