"""Which records are easiest to find: the smallest classes by their labels."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from deidgui.app.measuring.comparing import RiskiestClasses
from deidgui.qt.widgets import (
    Caption,
    DataGrid,
    ReasonLabel,
    Segmented,
    holder,
    row,
    show_if,
)
from deidgui.text import tr


class ClassesPane(QWidget):
    """A table of the riskiest classes of the input or of the release.

    Attributes
    ----------
    which_wanted : Signal of str
        before or release.
    """

    which_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.which = Segmented(
            [("release", tr("In the release")), ("before", tr("Before"))],
            name=tr("Which classes are shown"),
        )
        self.which.chosen.connect(self.which_wanted)
        self._words = Caption()
        self.grid = DataGrid()
        self.grid.setMinimumHeight(300)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addWidget(holder(row(self.which, None)))
        box.addWidget(self._words)
        box.addWidget(self.grid, 1)
        box.addWidget(
            ReasonLabel(
                tr("Shown here only: these values go into no report and no log."),
                wrap=True,
            )
        )

    def show_classes(self, found: RiskiestClasses | None) -> None:
        """Show some classes; None while they are looked for."""
        show_if(self.grid, found is not None)
        if found is None:
            self._words.setText(tr("Looking for the smallest groups …"))
            return
        self.grid.set_table(found.table)
        self._words.setText(
            tr(
                "The {shown} smallest of {all:equivalence class|equivalence classes}, "
                "the riskiest first.",
                shown=found.table.n_rows,
                all=found.n_classes,
            )
            if found.n_classes
            else tr("Nothing is released.")
        )
