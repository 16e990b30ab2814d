"""Two to four policies side by side, the rule among them; what differs is marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from deidgui.app.charts.plane import Flag
from deidgui.qt.models.figures import FLAG_SIGNS, FLAG_TONES, flag_words
from deidgui.qt.widgets import (
    Badge,
    Button,
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


@dataclass(frozen=True)
class Line:
    """One row of the comparison.

    Parameters
    ----------
    label : str
    cells : tuple of str
        One per policy; "" where nothing can be said.
    explanation : str
    is_code : bool
        Whether the cells are written as in the paper's table.
    starts_part : bool
        Whether a rule is drawn above it.
    """

    label: str
    cells: tuple[str, ...]
    explanation: str = ""
    is_code: bool = False
    starts_part: bool = False

    @property
    def differs(self) -> bool:
        """Whether the cells say different things."""
        return len({cell for cell in self.cells if cell}) > 1


@dataclass(frozen=True)
class Head:
    """One policy of the comparison.

    Parameters
    ----------
    title : str
    number : int or None
        Of an alternative; None for the rule.
    flags : tuple of Flag
    """

    title: str
    number: int | None
    flags: tuple[Flag, ...] = ()


class CompareView(QWidget):
    """Policies side by side.

    Attributes
    ----------
    use_wanted, drop_wanted : Signal of int
    list_wanted : Signal
    """

    use_wanted = Signal(int)
    drop_wanted = Signal(int)
    list_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sides: tuple[Head, ...] = ()
        self._lines: tuple[Line, ...] = ()
        self._reason = ""
        self._empty = EmptyState(
            "compare",
            self.tr("Nothing to compare yet"),
            self.tr(
                "Select policies in the list or the chart and keep them. Up to three "
                "stand here side by side, beside the rule they are measured by."
            ),
            self.tr("Go to the list"),
        )
        self._empty.acted.connect(self.list_wanted)
        self.card = Card()
        self.only_differences = ToggleSwitch(self.tr("Only what differs"))
        self.only_differences.toggled.connect(self._fill)
        self.note = Caption()
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(20)
        self._grid.setVerticalSpacing(8)
        hint = self.tr("≠ marks rows in which the policies differ")
        self.card.body.addLayout(
            row(
                self.only_differences,
                Label(self.tr("Only what differs")),
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

    @property
    def sides(self) -> tuple[Head, ...]:
        """The policies that stand side by side."""
        return self._sides

    @property
    def lines(self) -> tuple[Line, ...]:
        """Everything that is compared."""
        return self._lines

    def show_policies(
        self,
        sides: Sequence[Head],
        lines: Sequence[Line],
        note: str = "",
        reason: str = "",
    ) -> None:
        """Show some policies side by side; fewer than two show what to do.

        Parameters
        ----------
        sides : sequence of Head
        lines : sequence of Line
        note : str
            What is not shown, and why.
        reason : str
            Why none of them can be used now.
        """
        self._sides, self._lines, self._reason = tuple(sides), tuple(lines), reason
        self.note.setText(note)
        show_if(self.note, bool(note))
        show_if(self._empty, len(sides) < 2)
        show_if(self.card, len(sides) >= 2)
        self._fill()

    def _fill(self) -> None:
        clear(self._grid)
        if len(self._sides) < 2:
            return
        bottom = Qt.AlignmentFlag.AlignBottom
        for place, side in enumerate(self._sides, start=2):
            self._grid.addWidget(self._head(side), 0, place, bottom)
        for place in range(2, 6):
            stretch = 1 if place < 2 + len(self._sides) else 0
            self._grid.setColumnStretch(place, stretch)
        at = 1
        for each in self._lines:
            if self.only_differences.isChecked() and not each.differs:
                continue
            if each.starts_part:
                self._grid.addWidget(line(), at, 0, 1, 2 + len(self._sides))
                at += 1
            self._add_line(at, each)
            at += 1
        for place, side in enumerate(self._sides, start=2):
            if side.number is not None:
                self._grid.addWidget(self._foot(side, side.number), at, place)

    def _head(self, side: Head) -> QWidget:
        parts: list[QWidget] = [
            Badge(f"{FLAG_SIGNS[flag]} {flag_words(flag)}", FLAG_TONES[flag])
            for flag in side.flags
        ]
        return holder(column(*parts, Label(side.title, "strong", wrap=True), spacing=4))

    def _add_line(self, at: int, each: Line) -> None:
        top = Qt.AlignmentFlag.AlignTop
        sign = Label("≠" if each.differs else "", "strong", "warning")
        if each.differs:
            sign.setAccessibleName(self.tr("differs"))
        name = Label(each.label, "body", "muted", wrap=True)
        name.setToolTip(each.explanation)
        name.setMinimumWidth(190)
        self._grid.addWidget(sign, at, 0, top)
        self._grid.addWidget(name, at, 1, top)
        for place, text in enumerate(each.cells, start=2):
            kind = "mono" if each.is_code else "strong" if each.differs else "body"
            cell = Label(text or "–", kind, wrap=True)
            cell.setToolTip(each.explanation)
            self._grid.addWidget(cell, at, place, top)

    def _foot(self, side: Head, number: int) -> QWidget:
        use = Button(
            self.tr("Use this policy"),
            small=True,
            clicked=partial(self._on_use, number),
        )
        use.setEnabled(Flag.CHOSEN not in side.flags and not self._reason)
        use.setToolTip(self._reason)
        parts: list[QWidget] = [use]
        if Flag.KEPT in side.flags:
            drop = partial(self._on_drop, number)
            parts.append(
                Button(self.tr("Stop keeping"), "quiet", small=True, clicked=drop)
            )
        return holder(column(*parts, spacing=4))

    def _on_use(self, number: int, _is_checked: bool = False) -> None:
        self.use_wanted.emit(number)

    def _on_drop(self, number: int, _is_checked: bool = False) -> None:
        self.drop_wanted.emit(number)
