"""Whose people are meant: of which states, and of which ages."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from deidgui.app.matching.matching import TableCard
from deidgui.engine.population.table import Subject
from deidgui.qt.widgets import (
    Caption,
    CheckList,
    Columns,
    Label,
    ReasonLabel,
    Segmented,
    SpinBox,
    column,
    holder,
    row,
    show_if,
)
from deidgui.text import tr

OLDEST = 120
"""Stands for "no limit" in the field of the last age."""

MOST_NAMED = 6
"""States that are named before the rest is counted."""


class StatesPart(QWidget):
    """All states of a table, or some of them by name.

    Attributes
    ----------
    states_set : Signal of tuple of str
        In the table's order; empty means all.
    """

    states_set = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[str, ...] = ()
        self._states: tuple[str, ...] = ()
        self._wants_some = False
        self.choice = Segmented(
            [("all", tr("All states")), ("some", tr("Some states"))],
            name=tr("People of which states"),
        )
        self.choice.chosen.connect(self._on_choice)
        self.list = CheckList(tr("States"), tr("Find a state"), 156)
        self.list.changed.connect(self._on_checked)
        self._words = Caption()
        self.setLayout(
            column(
                Label(tr("People of which states?"), "strong"),
                row(self.choice, None),
                self.list,
                self._words,
                spacing=6,
            )
        )

    def show_states(self, every: tuple[str, ...], chosen: tuple[str, ...]) -> None:
        """Show which states are meant; none chosen means all."""
        if every != self._all:
            self._all = every
            self.list.set_texts(every, chosen)
        self._states = chosen
        self._wants_some = bool(chosen) or self._wants_some
        self.list.model.set_checked(chosen)
        self._show()

    def _show(self) -> None:
        self.choice.set_current("some" if self._wants_some else "all")
        show_if(self.list, self._wants_some)
        self._words.setText(self._said())

    def _said(self) -> str:
        if not self._states:
            if self._wants_some:
                return tr("Check the states that your records come from.")
            return tr(
                "A population that is too large states risks too low: take the states "
                "that your records come from."
            )
        named = ", ".join(self._states[:MOST_NAMED])
        rest = len(self._states) - MOST_NAMED
        if rest > 0:
            named = tr("{named} and {n} more", named=named, n=rest)
        return tr(
            "{named}: {n} of {all}.",
            named=named,
            n=len(self._states),
            all=len(self._all),
        )

    def _on_choice(self, kind: str) -> None:
        self._wants_some = kind == "some"
        if kind == "all" and self._states:
            self.states_set.emit(())
        self._show()
        if self._wants_some:
            self.list.field.setFocus()

    def _on_checked(self, states: tuple[str, ...]) -> None:
        order = {name: place for place, name in enumerate(self._all)}
        self.states_set.emit(tuple(sorted(states, key=order.__getitem__)))


class AgesPart(QWidget):
    """Everybody, or only people of some ages.

    Attributes
    ----------
    ages_set : Signal of (int or None, int or None)
        Youngest and oldest; None is no limit.
    """

    ages_set = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wants_some = False
        self.choice = Segmented(
            [("all", tr("All ages")), ("some", tr("Some ages"))],
            name=tr("People of which ages"),
        )
        self.choice.chosen.connect(self._on_choice)
        self.youngest = SpinBox(0, OLDEST - 1, 18, "", tr("Youngest age"))
        self.oldest = SpinBox(0, OLDEST, OLDEST, "", tr("Oldest age"))
        self.oldest.setSpecialValueText("")
        for box in (self.youngest, self.oldest):
            box.valueChanged.connect(self._on_edited)
        self._no_limit = Caption(tr("120 means that there is no limit."))
        self._fields = holder(
            row(
                Label(tr("from")),
                self.youngest,
                Label(tr("to")),
                self.oldest,
                Label(tr("years")),
                None,
            )
        )
        self.problem = ReasonLabel("", "danger")
        self._words = Caption(
            tr("If your file has only adults, or only people insured from 65.")
        )
        self.setLayout(
            column(
                Label(tr("People of which ages?"), "strong"),
                row(self.choice, None),
                self._fields,
                self._no_limit,
                self.problem,
                self._words,
                spacing=6,
            )
        )

    def show_ages(self, youngest: int | None, oldest: int | None) -> None:
        """Show which ages are meant."""
        is_limited = youngest is not None or oldest is not None
        self._wants_some = is_limited
        if is_limited:
            self.youngest.set_value(0 if youngest is None else youngest)
            self.oldest.set_value(OLDEST if oldest is None else oldest)
        self._show()

    def _show(self) -> None:
        self.choice.set_current("some" if self._wants_some else "all")
        show_if(self._fields, self._wants_some)
        show_if(self._no_limit, self._wants_some)
        show_if(self._words, not self._wants_some)

    def _on_choice(self, kind: str) -> None:
        self._wants_some = kind == "some"
        self._show()
        if self._wants_some:
            self._tell()
            self.youngest.setFocus()
        else:
            self.ages_set.emit(None, None)

    def _on_edited(self) -> None:
        self._tell()

    def _tell(self) -> None:
        low, high = self.youngest.value(), self.oldest.value()
        self.ages_set.emit(low or None, None if high >= OLDEST else max(low, high))


def _on_top(part: QWidget) -> QWidget:
    """Let a part stand at the top where there is more room than it needs."""
    return holder(column(part, None))


class PeoplePart(QWidget):
    """States and ages, as far as the tables in use know them."""

    states_set = Signal(object)
    ages_set = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.states, self.ages = StatesPart(), AgesPart()
        self.states.states_set.connect(self.states_set)
        self.ages.ages_set.connect(self.ages_set)
        both = Columns([(self.states, 1), (_on_top(self.ages), 1)], 560, 24)
        self.setLayout(column(both))

    def show_people(
        self,
        cards: Sequence[TableCard],
        states: tuple[str, ...],
        ages: tuple[int | None, int | None],
    ) -> None:
        """Show the part of some tables that is meant."""
        every = self.states_known(cards)
        knows_ages = any(Subject.AGE in card.subjects for card in cards)
        show_if(self.states, bool(every))
        show_if(self.ages, knows_ages)
        if every:
            self.states.show_states(every, states)
        if knows_ages:
            self.ages.show_ages(*ages)

    def states_known(self, cards: Sequence[TableCard]) -> tuple[str, ...]:
        """States that all tables with states know."""
        known = [
            attribute.values
            for card in cards
            for attribute in card.attributes
            if attribute.subject is Subject.STATE
        ]
        if not known:
            return ()
        common = set(known[0]).intersection(*known[1:])
        return tuple(each for each in known[0] if each in common)
