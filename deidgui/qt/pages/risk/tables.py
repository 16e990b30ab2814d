"""Which tables of people that come with the program are used, and what they hold."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from deidgui.app.matching.matching import TableCard
from deidgui.engine.population.table import Subject
from deidgui.qt.widgets import (
    Badge,
    Button,
    Callout,
    Caption,
    Collapsible,
    Columns,
    IconButton,
    Label,
    Segmented,
    clear,
    column,
    holder,
    mark,
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
        Subject.OTHER: tr("another attribute"),
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
    return tr("Not in it: {things}.", things="; ".join(card.lacks))


def _size(card: TableCard) -> str:
    return tr(
        "{people:person|people} · {place} · {year}",
        people=card.total,
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
            tr("Combine with it"),
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
        knows: Text = "Tells people apart by {attributes}."
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
                "People of the United States by age, sex, race and place, counted by "
                "its Census Bureau. Nothing is sent anywhere: the tables came with the "
                "program. Nothing is decided until you use one."
            )
        )
        self._chosen = column()
        self._joined = Callout(
            tr("These tables are joined by an assumption. Nobody counted it."),
            "warning",
            tr(
                "Among people who are alike in what both tables know, what only one of "
                "them knows is taken to have nothing to do with what only the other "
                "knows: in each ZIP code, ages are spread as in the whole state."
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
            clear(self._chosen)
            by_name = {card.name: card for card in cards}
            for name in chosen:
                if name in by_name:
                    part = ChosenTable(by_name[name], len(chosen) > 1)
                    part.remove_clicked.connect(self._on_remove_clicked)
                    self._chosen.addWidget(part)
        for each in self._families:
            each.show_chosen(chosen)

    def _make_families(self) -> None:
        clear(self._pairs)
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
