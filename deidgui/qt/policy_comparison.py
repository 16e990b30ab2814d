"""Policies side by side in a card; what differs is marked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from deidgui.app.charts.plane import Flag
from deidgui.qt.models.figures import FLAG_SIGNS, FLAG_TONES, flag_words
from deidgui.qt.widgets import (
    Badge,
    Caption,
    Card,
    EmptyState,
    Label,
    ToggleSwitch,
    clear,
    column,
    holder,
    line,
    row,
    show_if,
)
from deidgui.text import tr

FEWEST, MOST = 2, 6
"""Policies that make a comparison, and that a grid has room for."""

FIRST = 2
"""Column of the first policy; before it stand the mark and the name of a row."""


class PolicyComparison(QWidget):
    """A grid with a column per policy, or what to do as long as there are too few."""

    list_wanted = Signal()

    def __init__(self, what_to_do: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._empty = EmptyState(
            "compare",
            tr("Nothing to compare yet"),
            what_to_do,
            tr("Go to the list"),
        )
        self._empty.acted.connect(self.list_wanted)
        self.card = Card()
        self.only_differences = ToggleSwitch(tr("Only what differs"))
        self.only_differences.toggled.connect(self._fill)
        self.note = Caption()
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(20)
        self._grid.setVerticalSpacing(8)
        hint = tr("≠ marks rows in which the policies differ")
        self.card.body.addLayout(
            row(
                self.only_differences,
                Label(tr("Only what differs")),
                None,
                Label(hint, "caption", "muted"),
            )
        )
        self.card.body.addLayout(self._grid)
        self.card.add(self.note)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self._empty, 1)
        box.addWidget(self.card)
        box.addStretch(1)

    def _fill(self) -> None:
        """Draw everything anew; a policy each."""
        raise NotImplementedError

    def _show(self, n_shown: int, note: str) -> None:
        """Show so many policies, or what to do; and what is not shown."""
        self.note.setText(note)
        show_if(self.note, bool(note))
        show_if(self._empty, n_shown < FEWEST)
        show_if(self.card, n_shown >= FEWEST)
        self._fill()

    def _begin(self, heads: Sequence[QWidget]) -> bool:
        """Clear the grid and head its columns; False if they are too few."""
        clear(self._grid)
        if len(heads) < FEWEST:
            return False
        bottom = Qt.AlignmentFlag.AlignBottom
        for place, head in enumerate(heads, start=FIRST):
            self._grid.addWidget(head, 0, place, bottom)
        for place in range(max(MOST, len(heads))):
            stretch = 1 if place < len(heads) else 0
            self._grid.setColumnStretch(FIRST + place, stretch)
        return True

    def _head(self, title: str, flags: Sequence[Flag]) -> QWidget:
        """Title of a policy below its marks."""
        parts: list[QWidget] = [
            Badge(f"{FLAG_SIGNS[flag]} {flag_words(flag)}", FLAG_TONES[flag])
            for flag in flags
        ]
        return holder(column(*parts, Label(title, "strong", wrap=True), spacing=4))

    def _add_line(self, at: int, n_policies: int) -> None:
        self._grid.addWidget(line(), at, 0, 1, FIRST + n_policies)

    def _name(self, text: str, differs: bool) -> tuple[Label, Label]:
        """Mark and name of a row."""
        sign = Label("≠" if differs else "", "strong", "warning")
        if differs:
            sign.setAccessibleName(tr("differs"))
        return sign, Label(text, "body", "muted")
