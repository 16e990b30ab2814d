"""Plain facts: names with their values, and a row of tools above something."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from deidgui.qt.widgets.layouts import Columns
from deidgui.qt.widgets.polish import holder, row, show_if
from deidgui.qt.widgets.text import Label


class KeyValueList(QWidget):
    """Names at the left, values at the right, one line each; they wrap where narrow."""

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
        self._is_narrow = False
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

    def minimumSizeHint(self) -> QSize:
        wide = self._needed(is_narrow=True)
        return QSize(wide, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._arrange()
        return super().event(event)

    def _arrange(self) -> None:
        """Let names wrap, too, where they leave too little to their values."""
        is_narrow = self.width() < self._needed(is_narrow=False)
        if is_narrow == self._is_narrow:
            return
        self._is_narrow = is_narrow
        self._grid.setColumnStretch(0, int(is_narrow))
        for name, _value in self._rows:
            name.setWordWrap(is_narrow)
        self.updateGeometry()

    def _needed(self, *, is_narrow: bool) -> int:
        """Pixels that the names and the longest words of their values need."""
        names, values = [0], [0]
        for name, value in self._rows:
            if not name.isHidden():
                name.ensurePolished()
                texts = name.text().split() if is_narrow else [name.text()]
                advance = name.fontMetrics().horizontalAdvance
                names.append(max(map(advance, texts), default=0))
                values.append(value.minimumSizeHint().width())
        return max(names) + self._grid.horizontalSpacing() + max(values)

    def _add_row(self) -> None:
        place = len(self._rows)
        name = Label("", "body", "muted", wrap=self._is_narrow)
        value = Label("", "body", wrap=True)
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._grid.addWidget(name, place, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(value, place, 1)
        self._rows.append((name, value))


class Toolbar(Columns):
    """Row of controls above a table or chart: left group, stretch, right group.

    Where both have no room beside one another, the right group stands below.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        left, right = row(None), row(None)
        self._rest = holder(right)
        super().__init__([(holder(left), 1), (self._rest, 0)], 0, 8, parent)
        self._left, self._right, self._n_left = left, right, 0
        show_if(self._rest, False)

    def add_left(self, widget: QWidget, stretch: int = 0) -> None:
        """Add a control to the left group; one that grows does so before the gap."""
        self._left.insertWidget(self._n_left, widget, stretch)
        self._n_left += 1
        if stretch:
            self._left.setStretch(self._n_left, 0)

    def add_right(self, widget: QWidget) -> None:
        """Add a control to the right group."""
        self._right.insertWidget(self._right.count() - 1, widget)
        show_if(self._rest, True)
