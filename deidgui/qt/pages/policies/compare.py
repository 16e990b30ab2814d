"""Up to four policies side by side, whatever found them; what differs is marked."""

from __future__ import annotations

import itertools
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from deidgui.app.charts.plane import Flag
from deidgui.app.policies.candidate import Cell
from deidgui.app.project import Chosen
from deidgui.qt.models.figures import (
    FLAG_SIGNS,
    FLAG_TONES,
    UNKNOWN,
    Figure,
    flag_words,
)
from deidgui.qt.pages.policies.matrix import CellView
from deidgui.qt.widgets import (
    Badge,
    Button,
    Caption,
    Card,
    EmptyState,
    InTurns,
    Label,
    Refill,
    ToggleSwitch,
    column,
    holder,
    line,
    row,
    show_if,
)
from deidgui.text import tr

FEWEST, MOST = 2, 6
"""Policies that make a comparison, and that a grid has room for."""

ROWS_IN_TURN = 5
"""Rows that are added before whoever uses the window is answered."""

FIRST = 2
"""Column of the first policy; before it stand the mark and the name of a row."""


@dataclass(frozen=True)
class Line:
    """One row of the comparison beyond what is known of every policy.

    Parameters
    ----------
    cells : tuple of str
        One per policy; "" where nothing can be said.
    is_code : bool
        Whether the cells are written as published: "[52-53]".
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
class Side:
    """One policy of the comparison.

    Parameters
    ----------
    cells : tuple of Cell
        What it does to each attribute; empty where that is not known.
    figures : tuple of Figure
        Empty where none is known.
    chosen : Chosen or None
        As a project stores it; None of a rule that cannot be chosen.
    reason : str
        Why it cannot be chosen now; empty if it can.
    """

    title: str
    flags: tuple[Flag, ...] = ()
    cells: tuple[Cell, ...] = ()
    figures: tuple[Figure, ...] = ()
    chosen: Chosen | None = None
    reason: str = ""


class _Head(QWidget):
    """Title of a policy below its marks."""

    def __init__(self) -> None:
        super().__init__()
        self._marks = QVBoxLayout()
        self._marks.setSpacing(4)
        self._badges = Refill(self._marks)
        self._title = Label("", "strong", wrap=True)
        self.setLayout(column(self._marks, self._title, spacing=4))

    def show_side(self, side: Side) -> None:
        with self._badges:
            for flag in side.flags:
                badge = self._badges.take("badge", lambda: Badge(""))
                badge.show_words(
                    f"{FLAG_SIGNS[flag]} {flag_words(flag)}", FLAG_TONES[flag]
                )
                self._marks.addWidget(badge)
        self._title.setText(side.title)


class _CellWords(QWidget):
    """What a policy does to an attribute, painted and in words."""

    def __init__(self, type_of_words: str, cell: Cell) -> None:
        super().__init__()
        self._cell, self._words = CellView(cell), Label("", type_of_words, wrap=True)
        self.setLayout(column(self._cell, self._words, None, spacing=2))

    def show_cell(self, cell: Cell) -> None:
        self._cell.show_cell(cell)
        self._words.setText(cell.text)


class CompareView(QWidget):
    """A grid with a column per policy, or what to do as long as there are too few.

    Attributes
    ----------
    list_wanted : Signal
        Somebody wants to go and keep policies.
    """

    choose_wanted = Signal(object)
    drop_wanted = Signal(object)
    list_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sides: tuple[Side, ...] = ()
        self.lines: tuple[Line, ...] = ()
        self._empty = EmptyState(
            "compare",
            tr("Nothing to compare yet"),
            tr(
                "Select a policy in the list, in “Risk and loss” or in the lattice and "
                "keep it. You can compare at most four policies."
            ),
            tr("Go to the list"),
        )
        self._empty.acted.connect(self.list_wanted)
        self.card = Card()
        self.only_differences = ToggleSwitch(tr("Only what differs"))
        self.only_differences.toggled.connect(self._fill)
        self.note = Caption()
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(8)
        self._refill = Refill(self._grid)
        self._turns = InTurns(self)
        self._filled: object = None
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

    def show_sides(
        self, sides: Sequence[Side], lines: Sequence[Line] = (), note: str = ""
    ) -> None:
        """Show some policies side by side; fewer than two show what to do.

        Parameters
        ----------
        note : str
            What is not shown, and why.
        """
        self.sides, self.lines = tuple(sides), tuple(lines)
        self.note.setText(note)
        show_if(self.note, bool(note))
        show_if(self._empty, len(sides) < FEWEST)
        show_if(self.card, len(sides) >= FEWEST)
        self._fill()

    def _fill(self) -> None:
        """Fill the grid, unless it says the same already."""
        wanted = self.sides, self.lines, self.only_differences.isChecked()
        if wanted == self._filled:
            return
        self._filled = wanted
        self._turns.begin(self._fill_in_pieces())

    def _fill_in_pieces(self) -> Iterator[None]:
        """Fill the grid, some rows in each turn from the next on."""
        self._refill.begin()  # figures of others are never seen meanwhile
        yield
        n = len(self.sides)
        rows = self._rows() if n >= FEWEST else iter(())
        while True:
            with self._refill.adding():
                done = [None for _row in itertools.islice(rows, ROWS_IN_TURN)]
            if len(done) < ROWS_IN_TURN:
                return
            yield

    def _rows(self) -> Iterator[None]:
        """Add one row after the other, from the titles down to the buttons."""
        n, bottom = len(self.sides), Qt.AlignmentFlag.AlignBottom
        for place, side in enumerate(self.sides, start=FIRST):
            head = self._refill.take("head", _Head)
            head.show_side(side)
            self._grid.addWidget(head, 0, place, bottom)
        for place in range(max(MOST, n)):
            self._grid.setColumnStretch(FIRST + place, 1 if place < n else 0)
        yield
        at = yield from self._add_cells(1)
        self._add_rule(at)
        at = yield from self._add_figures(at + 1)
        at = yield from self._add_lines(at)
        for place, side in enumerate(self.sides, start=FIRST):
            if side.chosen is not None:
                foot = self._refill.once(self._foot(side, side.chosen))
                self._grid.addWidget(foot, at, place)
        yield

    def _is_left_out(self, differs: bool) -> bool:
        return self.only_differences.isChecked() and not differs

    def _add_cells(self, at: int) -> Generator[None, None, int]:
        """Add a row per attribute; return the next free row."""
        shown = [side.cells for side in self.sides if side.cells]
        for attribute, cells in enumerate(zip(*shown, strict=True)):
            differs = len({_said(cell) for cell in cells}) > 1
            if self._is_left_out(differs):
                continue
            self._add_name(at, cells[0].attribute, differs)
            for place, side in enumerate(self.sides, start=FIRST):
                if side.cells:
                    cell, kind = side.cells[attribute], "strong" if differs else "body"
                    both = self._refill.take(
                        ("cell", kind), partial(_CellWords, kind, cell)
                    )
                    both.show_cell(cell)
                    self._grid.addWidget(both, at, place)
            at += 1
            yield
        return at

    def _add_figures(self, at: int) -> Generator[None, None, int]:
        every = (each.label for side in self.sides for each in side.figures)
        # What the lines say of all sides, of the baseline too, is said once.
        said_below = {each.label for each in self.lines}
        for label in dict.fromkeys(every):
            if label in said_below:
                continue
            figures = [_figure(side, label) for side in self.sides]
            texts = [f"{f.text} {f.unit}".strip() if f else "–" for f in figures]
            # What is not known of some policies cannot be compared with the others.
            known = [f.value for f in figures if f is not None and f.value < UNKNOWN]
            said = {text for text, f in zip(texts, figures, strict=True) if f}
            differs = len(said) > 1 and len(known) > 1
            if self._is_left_out(differs):
                continue
            self._add_name(at, label, differs)
            for place, (figure, text) in enumerate(
                zip(figures, texts, strict=True), start=FIRST
            ):
                is_least = differs and figure is not None and figure.value == min(known)
                shown = self._refill.label(
                    _best_words(text, figure) if is_least else text,
                    "strong" if differs else "body",
                    "success" if is_least else "",
                    wrap=True,
                )
                shown.setToolTip(figure.explanation if figure else "")
                self._grid.addWidget(shown, at, place)
            at += 1
            yield
        return at

    def _add_lines(self, at: int) -> Generator[None, None, int]:
        top = Qt.AlignmentFlag.AlignTop
        for each in self.lines:
            if self._is_left_out(each.differs):
                continue
            if each.starts_part:
                self._add_rule(at)
                at += 1
            name = self._add_name(at, each.label, each.differs)
            name.setToolTip(each.explanation)
            for place, text in enumerate(each.cells, start=FIRST):
                kind = "mono" if each.is_code else "strong" if each.differs else "body"
                cell = self._refill.label(text or "–", kind, wrap=True)
                cell.setToolTip(each.explanation)
                self._grid.addWidget(cell, at, place, top)
            at += 1
            yield
        return at

    def _add_rule(self, at: int) -> None:
        rule = self._refill.take("rule", line)
        self._grid.addWidget(rule, at, 0, 1, FIRST + len(self.sides))

    def _add_name(self, at: int, text: str, differs: bool) -> Label:
        """Add mark and name of a row."""
        top = Qt.AlignmentFlag.AlignTop
        sign = self._refill.label("≠" if differs else "", "strong", "warning")
        if differs:
            sign.setAccessibleName(tr("differs"))
        name = self._refill.label(text, "body", "muted", wrap=True)
        name.setMinimumWidth(140)
        self._grid.addWidget(sign, at, 0, top)
        self._grid.addWidget(name, at, 1, top)
        return name

    def _foot(self, side: Side, chosen: Chosen) -> QWidget:
        choose = Button(
            tr("Choose"), small=True, clicked=partial(self._on_choose, chosen)
        )
        choose.setAccessibleName(tr("Choose this policy"))
        choose.setEnabled(Flag.CHOSEN not in side.flags and not side.reason)
        choose.setToolTip(side.reason)
        parts: list[QWidget] = [choose]
        if Flag.KEPT in side.flags:
            drop = partial(self._on_drop, chosen)
            parts.append(Button(tr("Remove"), "quiet", small=True, clicked=drop))
        return holder(column(*parts, spacing=4))

    def _on_choose(self, chosen: Chosen, _is_checked: bool = False) -> None:
        self.choose_wanted.emit(chosen)

    def _on_drop(self, chosen: Chosen, _is_checked: bool = False) -> None:
        self.drop_wanted.emit(chosen)


def _said(cell: Cell) -> tuple[object, ...]:
    """What two policies have in common that do the same to an attribute."""
    return cell.effect, cell.text, cell.groups if cell.effect == "joined" else ()


def _best_words(text: str, figure: Figure | None) -> str:
    """Mark the best figure of a row: the least, of those that count down the most."""
    if figure is not None and figure.value < 0:
        return tr("{figure}  (most)", figure=text)
    return tr("{figure}  (least)", figure=text)


def _figure(side: Side, label: str) -> Figure | None:
    return next((each for each in side.figures if each.label == label), None)
