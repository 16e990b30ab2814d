"""Which parts has the step, and which of them is shown?"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from deidgui.qt.widgets import Caption, Segmented, holder, row
from deidgui.text import tr


class Parts(QWidget):
    """Tabs above the parts of the step; beside them, what was found.

    Attributes
    ----------
    chosen : Signal of str
        A tab was clicked.
    """

    chosen = Signal(str)

    def __init__(
        self,
        parts: Mapping[str, QWidget],
        running: QWidget,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._parts = dict(parts)
        self._stack = QStackedLayout()
        for part in self._parts.values():
            self._stack.addWidget(part)
        self.found = Caption()
        self.tabs = Segmented(
            [
                ("baseline", tr("1 Baseline"), "risk"),
                ("search", tr("2 Preferences and search"), "search"),
                ("choose", tr("3 Choose"), "alternatives"),
                ("compare", tr("Compare"), "compare"),
                ("experiment", tr("Experiment"), "chart"),
            ],
            name=tr("Part of the step"),
        )
        self.tabs.chosen.connect(self.chosen)
        head = row(self.tabs, self.found, spacing=16)
        head.setStretch(1, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(12)
        box.addWidget(holder(head))
        box.addWidget(running)
        box.addLayout(self._stack, 1)

    def show_part(self, key: str) -> None:
        """Show a part and mark its tab."""
        self.tabs.set_current(key)
        self._stack.setCurrentWidget(self._parts[key])
