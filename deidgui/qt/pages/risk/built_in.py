"""The population tables that come with the program, and which part of them is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from deidgui.engine.population.built_in import TableCard
from deidgui.engine.population.table import Subject
from deidgui.qt.widgets import (
    Badge,
    Button,
    Callout,
    Caption,
    CheckList,
    Collapsible,
    Columns,
    IconButton,
    Label,
    ReasonLabel,
    Segmented,
    SpinBox,
    column,
    holder,
    mark,
    refilled,
    row,
    show_if,
)
from deidgui.text import Text, tr

MOST_TABLES = 4
"""Tables that can be combined: as many as a project keeps."""


def family(name: str) -> str:
    """What a table has in common with those of other years: its name without one."""
    return re.sub(r"_?\d{4}", "", name)


def families(cards: Sequence[TableCard]) -> list[tuple[TableCard, ...]]:
    """Tables that differ in their year only, in the order in which they come."""
    found: dict[str, list[TableCard]] = {}
    for card in cards:
        found.setdefault(family(card.name), []).append(card)
    return [tuple(each) for each in found.values()]


def subject_words(subject: Subject) -> str:
    """Name of what an attribute of a table speaks of."""
    return {
        Subject.SEX: tr("sex"),
        Subject.AGE: tr("age"),
        Subject.RACE: tr("race"),
        Subject.ORIGIN: tr("Hispanic origin"),
        Subject.RACE_AND_ORIGIN: tr("race and origin"),
        Subject.STATE: tr("state"),
        Subject.ZIP5: tr("ZIP code"),
        Subject.ZIP3: tr("three-digit ZIP area"),
        Subject.OTHER: tr("other"),
    }[subject]


def basis_badge(card: TableCard) -> Badge:
    """Whether a table was counted or modelled, in word, colour and glyph."""
    badge = Badge("")
    show_basis(badge, card)
    return badge


def show_basis(badge: Badge, card: TableCard) -> None:
    """Say on a badge whether a table was counted or modelled."""
    if card.is_modelled:
        badge.show_words(tr("MODELLED"), "warning", "warning")
    else:
        badge.show_words(tr("Counted"), "success", "check-circle")


def _lacks(card: TableCard) -> str:
    return tr("Does not contain: {things}.", things="; ".join(card.lacks))


def _size(card: TableCard) -> str:
    return tr(
        "Population {population:,} · {place} · {year:d}",
        population=card.total,
        place=card.geography,
        year=card.year,
    )


class FamilyCard(QFrame):
    """Tables that differ in their year: choose one, read what it holds, use it.

    Attributes
    ----------
    use_clicked, add_clicked : Signal of str
        Name of the table that shall be the only one, or joined to the others.
    """

    use_clicked = Signal(str)
    add_clicked = Signal(str)

    def __init__(
        self, cards: Sequence[TableCard], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        mark(self, kind="card")
        self._cards = {card.name: card for card in cards}
        self._shown = cards[-1]
        years = [(card.name, str(card.year)) for card in cards]
        self.years = Segmented(years, self._shown.name, tr("Year"))
        self.years.chosen.connect(self._on_year_chosen)
        show_if(self.years, len(cards) > 1)
        self._title = Label("", "strong", wrap=True)
        self._badge = basis_badge(self._shown)
        self._size, self._knows = Caption(), Label("", "caption", "", wrap=True)
        self._lacks, self._source = Caption(), Caption()
        self.use_button = Button(
            tr("Use this table"), clicked=self._on_use_clicked, small=True
        )
        self.add_button = Button(
            tr("Add this table"),
            "quiet",
            "plus",
            self._on_add_clicked,
            small=True,
        )
        head = row(self._title, self._badge)
        head.setStretch(0, 1)
        parts = (head, self._size, self._knows, self._lacks, self._source)
        foot = row(self.use_button, self.add_button, None)
        self.setLayout(
            column(*parts, None, row(self.years, None), foot, spacing=6, margin=12)
        )
        self._show()

    @property
    def shown(self) -> TableCard:
        """The table of the year that is shown."""
        return self._shown

    def show_chosen(self, names: Sequence[str]) -> None:
        """Show which tables are in use."""
        own = [name for name in names if name in self._cards]
        if own and self._shown.name not in own:
            self._shown = self._cards[own[0]]
            self.years.set_current(self._shown.name)
            self._show()
        is_used = self._shown.name in names
        mark(self, state="selected" if is_used else "")
        self.use_button.setEnabled(not (is_used and len(names) == 1))
        self.use_button.setText(
            tr("In use") if is_used and len(names) == 1 else self._use_words(names)
        )
        can_add = bool(names) and not own and len(names) < MOST_TABLES
        show_if(self.add_button, can_add)

    def _use_words(self, names: Sequence[str]) -> str:
        return tr("Use only this table") if names else tr("Use this table")

    def _show(self) -> None:
        card = self._shown
        self._title.setText(card.title)
        show_basis(self._badge, card)
        self._size.setText(_size(card))
        knows: Text = "Columns: {attributes}."
        subjects = [subject_words(each.subject) for each in card.attributes]
        self._knows.setText(tr(knows, attributes=", ".join(subjects)))
        self._lacks.setText(_lacks(card))
        self._source.setText(card.source)
        self.setAccessibleName(f"{card.title}. {self._badge.text}.")

    def _on_year_chosen(self, name: str) -> None:
        self._shown = self._cards[name]
        self._show()
        self.years_shown_again()

    def years_shown_again(self) -> None:
        """Another year can be used although one of the family is in use."""
        mark(self, state="")
        self.use_button.setEnabled(True)
        self.use_button.setText(tr("Use this table"))

    def _on_use_clicked(self) -> None:
        self.use_clicked.emit(self._shown.name)

    def _on_add_clicked(self) -> None:
        self.add_clicked.emit(self._shown.name)


class ChosenTable(QFrame):
    """One table in use, in a few lines."""

    remove_clicked = Signal(str)

    def __init__(
        self, card: TableCard, can_remove: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        mark(self, kind="card")
        self._card = card
        self.remove_button = IconButton(
            "close",
            tr("Do not use “{table}”", table=card.title),
            self._on_remove_clicked,
            small=True,
        )
        show_if(self.remove_button, can_remove)
        title = Label(card.title, "strong", wrap=True)
        head = row(title, basis_badge(card), self.remove_button)
        head.setStretch(0, 1)
        self.setLayout(
            column(
                head,
                Label(_size(card), "caption", "", wrap=True),
                Caption(_lacks(card)),
                Caption(card.source),
                spacing=4,
                margin=12,
            )
        )
        self.setAccessibleName(card.title)

    def _on_remove_clicked(self) -> None:
        self.remove_clicked.emit(self._card.name)


class TablesPart(QWidget):
    """The tables in use, and all others to choose from.

    Attributes
    ----------
    tables_set : Signal of tuple of str
        Names of the tables that shall be used, in the order in which they are joined.
    """

    tables_set = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cards: tuple[TableCard, ...] = ()
        self._names: tuple[str, ...] = ()
        self._families: list[FamilyCard] = []
        self._words = Caption(
            tr(
                "Population of the United States by age, sex, race and place, "
                "from the Census Bureau. The tables come with the program; "
                "nothing is sent over a network."
            )
        )
        self._chosen = column()
        self._joined = Callout(
            tr("The combination of these tables is an assumption, not a count."),
            "warning",
            tr(
                "Columns found in only one table are assumed independent of "
                "those found only in the other, given the columns they share."
            ),
        )
        self.others = Collapsible(tr("All tables"))
        self._pairs = column(spacing=12)
        self.others.body.addLayout(self._pairs)
        self.setLayout(
            column(
                self._words,
                holder(self._chosen),
                self._joined,
                self.others,
                spacing=12,
            )
        )

    @property
    def family_cards(self) -> Sequence[FamilyCard]:
        """The cards to choose from."""
        return self._families

    def show_tables(
        self, cards: tuple[TableCard, ...], chosen: tuple[str, ...]
    ) -> None:
        """Show all tables and which of them are in use."""
        if cards != self._cards:
            self._cards = cards
            self._make_families()
        was_chosen, self._names = self._names, chosen
        show_if(self._words, not chosen)
        show_if(self._joined, len(chosen) > 1)
        if bool(chosen) != bool(was_chosen) or not chosen:
            self.others.set_open(not chosen)
        if chosen != was_chosen:
            with refilled(self._chosen):
                by_name = {card.name: card for card in cards}
                for name in chosen:
                    if name in by_name:
                        part = ChosenTable(by_name[name], len(chosen) > 1)
                        part.remove_clicked.connect(self._on_remove_clicked)
                        self._chosen.addWidget(part)
        for each in self._families:
            each.show_chosen(chosen)

    def _make_families(self) -> None:
        with refilled(self._pairs):
            self._families = []
            for cards in families(self._cards):
                made = FamilyCard(cards)
                made.use_clicked.connect(self._on_use_clicked)
                made.add_clicked.connect(self._on_add_clicked)
                self._families.append(made)
            parts: list[QWidget] = list(self._families)
            if len(parts) % 2:
                parts.append(QWidget())
            for left, right in zip(parts[::2], parts[1::2], strict=True):
                self._pairs.addWidget(Columns([(left, 1), (right, 1)], 680, 12))

    def _on_use_clicked(self, name: str) -> None:
        self.tables_set.emit((name,))

    def _on_add_clicked(self, name: str) -> None:
        self.tables_set.emit((*self._names, name))

    def _on_remove_clicked(self, name: str) -> None:
        self.tables_set.emit(tuple(each for each in self._names if each != name))


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
            name=tr("States of the population"),
        )
        self.choice.chosen.connect(self._on_choice)
        self.list = CheckList(tr("States"), tr("Find a state"), 156)
        self.list.changed.connect(self._on_checked)
        self._words = Caption()
        self.setLayout(
            column(
                Label(tr("States"), "strong"),
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
                return tr("Select the states that your records come from.")
            return tr(
                "Select the states that your records come from. A population "
                "that is too large understates the risk."
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
            name=tr("Ages of the population"),
        )
        self.choice.chosen.connect(self._on_choice)
        self.youngest = SpinBox(0, OLDEST - 1, 18, "", tr("Youngest age"))
        self.oldest = SpinBox(0, OLDEST, OLDEST, "", tr("Oldest age"))
        self.oldest.setSpecialValueText("")
        for box in (self.youngest, self.oldest):
            box.valueChanged.connect(self._on_edited)
        self._no_limit = Caption(tr("120 means no upper limit."))
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
            tr(
                "Limit the ages if your file contains only some of them, such as "
                "adults."
            )
        )
        self.setLayout(
            column(
                Label(tr("Ages"), "strong"),
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
            self._report()
            self.youngest.setFocus()
        else:
            self.ages_set.emit(None, None)

    def _on_edited(self) -> None:
        self._report()

    def _report(self) -> None:
        low, high = self.youngest.value(), self.oldest.value()
        self.ages_set.emit(low or None, None if high >= OLDEST else max(low, high))


def _on_top(part: QWidget) -> QWidget:
    """Let a part stand at the top where there is more room than it needs."""
    return holder(column(part, None))


class PopulationPart(QWidget):
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

    def show_population(
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
