"""Two to four policies side by side, the rule among them; what differs is marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from deidgui.app.charts.plane import Flag
from deidgui.qt.policy_comparison import FIRST, PolicyComparison
from deidgui.qt.widgets import Button, Label, column, holder
from deidgui.text import tr


@dataclass(frozen=True)
class Line:
    """One row of the comparison.

    Parameters
    ----------
    cells : tuple of str
        One per policy; "" where nothing can be said.
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
    number : int or None
        Of an alternative; None for the rule.
    """

    title: str
    number: int | None
    flags: tuple[Flag, ...] = ()


class CompareView(PolicyComparison):
    """Policies side by side."""

    use_wanted = Signal(int)
    drop_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        what_to_do = tr(
            "Select policies in the list or the chart and keep them. Up to three "
            "stand here side by side, beside the rule they are measured by.",
        )
        super().__init__(what_to_do, parent)
        self._sides: tuple[Head, ...] = ()
        self._lines: tuple[Line, ...] = ()
        self._reason = ""

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
        note : str
            What is not shown, and why.
        reason : str
            Why none of them can be used now.
        """
        self._sides, self._lines, self._reason = tuple(sides), tuple(lines), reason
        self._show(len(sides), note)

    def _fill(self) -> None:
        heads = [self._head(each.title, each.flags) for each in self._sides]
        if not self._begin(heads):
            return
        at = 1
        for each in self._lines:
            if self.only_differences.isChecked() and not each.differs:
                continue
            if each.starts_part:
                self._add_line(at, len(heads))
                at += 1
            self._add_row(at, each)
            at += 1
        for place, side in enumerate(self._sides, start=FIRST):
            if side.number is not None:
                self._grid.addWidget(self._foot(side, side.number), at, place)

    def _add_row(self, at: int, each: Line) -> None:
        top = Qt.AlignmentFlag.AlignTop
        sign, name = self._name(each.label, each.differs)
        name.setWordWrap(True)
        name.setToolTip(each.explanation)
        name.setMinimumWidth(190)
        self._grid.addWidget(sign, at, 0, top)
        self._grid.addWidget(name, at, 1, top)
        for place, text in enumerate(each.cells, start=FIRST):
            kind = "mono" if each.is_code else "strong" if each.differs else "body"
            cell = Label(text or "–", kind, wrap=True)
            cell.setToolTip(each.explanation)
            self._grid.addWidget(cell, at, place, top)

    def _foot(self, side: Head, number: int) -> QWidget:
        use = Button(
            tr("Use this policy"),
            small=True,
            clicked=partial(self._on_use, number),
        )
        use.setEnabled(Flag.CHOSEN not in side.flags and not self._reason)
        use.setToolTip(self._reason)
        parts: list[QWidget] = [use]
        if Flag.KEPT in side.flags:
            drop = partial(self._on_drop, number)
            parts.append(Button(tr("Stop keeping"), "quiet", small=True, clicked=drop))
        return holder(column(*parts, spacing=4))

    def _on_use(self, number: int, _is_checked: bool = False) -> None:
        self.use_wanted.emit(number)

    def _on_drop(self, number: int, _is_checked: bool = False) -> None:
        self.drop_wanted.emit(number)
