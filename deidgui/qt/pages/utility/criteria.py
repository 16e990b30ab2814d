"""Who is singled out by the release, and what can be guessed of them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHeaderView, QVBoxLayout, QWidget

from deidgui.app.measuring import criteria_words as words
from deidgui.engine.evidence.document import Criteria
from deidgui.qt.pages.signing import NameField
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    Label,
    TextTable,
    column,
    field_row,
    holder,
    row,
    show_if,
)
from deidgui.text import tr


class CriteriaPane(QWidget):
    """Shares of people who are alone on little and on much, and of right guesses.

    Attributes
    ----------
    release_wanted, register_wanted, hold_out_wanted : Signal of str
        Another table is to be chosen; who decides it.
    removal_wanted : Signal of (str, str)
        The comparison of this name is to be taken back; who decides it.
    """

    release_wanted = Signal(str)
    register_wanted = Signal(str)
    hold_out_wanted = Signal(str)
    removal_wanted = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._build_notices()
        self._build_alone()
        self._guessed_card = Card(
            tr("Inference"), tr("How well can a sensitive value be guessed?")
        )
        self.guessed = TextTable(
            tr("Shares of right guesses"),
            words.guessed_heads(),
            numbers=range(1, 7),
        )
        self._guessed_card.add(self.guessed)
        self._guessed_card.add(Caption(words.guessed_words()))
        self._build_linked()
        self.held_out = TextTable(
            tr("Guesses about people who were not released"),
            words.held_out_heads(),
            numbers=range(1, 6),
        )
        self._held_out_words = Caption()
        self.choose_hold_out = Button(
            tr("Choose people who were not released…"), clicked=self._on_hold_out
        )
        self._guessed_card.add(self.held_out)
        self._guessed_card.add(self._held_out_words)
        self._guessed_card.add(holder(row(self.choose_hold_out, None)))
        self._membership_card = Card(
            tr("Membership"), tr("Can be seen that somebody is in the data at all?")
        )
        self._membership = Label("", wrap=True)
        self._membership_card.add(self._membership)
        self._missing_card = Card(
            tr("Not measured"), tr("Nothing is known of this: it can be harmful.")
        )
        self._missing = Label("", wrap=True)
        self._missing_card.add(self._missing)
        self._cards = (
            self._alone_card,
            self._linked_card,
            self._guessed_card,
            self._membership_card,
            self._missing_card,
        )
        self.setLayout(column(self.stale, self.nothing, *self._cards, None, spacing=16))
        self.show_criteria(None)

    def _build_alone(self) -> None:
        self._alone_card = Card(
            tr("Singling out"), tr("Who is alone on what somebody knows of them?")
        )
        self.alone = TextTable(
            tr("Shares of people who are alone"),
            words.alone_heads(),
            wide=2,
            numbers=(1, 3),
            wraps=True,
        )
        # What is known and the worst set share the room.
        self.alone.horizontalHeader().setSectionResizeMode(
            0, QHeaderView.ResizeMode.Stretch
        )
        self._alone_words = Caption()
        self._alone_card.add(self.alone)
        self._alone_card.add(self._alone_words)

    def _build_notices(self) -> None:
        self.stale = Callout()
        self.stale.show_words(
            tr("These figures are based on earlier decisions."), "warning"
        )
        self.nothing = Callout()
        self.nothing.show_words(
            tr("Nothing was measured here before the decisions changed."),
            "warning",
            tr("It is measured once the figures of this page are up to date."),
        )
        show_if(self.nothing, False)

    def _build_linked(self) -> None:
        self._linked_card = Card(
            tr("Linkability"),
            tr("Can two lists be joined, or people be found in another table?"),
        )
        self.linked = TextTable(
            tr("Matches with other tables"),
            words.compared_heads(),
            numbers=range(2, 6),
        )
        self._halves = Label("", wrap=True)
        self._linked_words, self._linked_notes = Caption(), Label("", wrap=True)
        self.by = NameField(tr("Who chooses"))
        self.compare_release = Button(
            tr("Compare with a release…"), clicked=self._on_release
        )
        self.compare_register = Button(
            tr("Compare with a register…"), clicked=self._on_register
        )
        self._chosen = QVBoxLayout()
        self._chosen.setContentsMargins(0, 0, 0, 0)
        self._names: list[str] | None = None
        self._linked_card.add(self._halves)
        self._linked_card.add(self.linked)
        self._linked_card.add(self._linked_notes)
        self._linked_card.add(self._linked_words)
        self._chosen_part = holder(self._chosen)
        self._linked_card.add(self._chosen_part)
        self._linked_card.add(field_row(tr("Who chooses"), self.by))
        self._linked_card.add(
            holder(row(self.compare_release, self.compare_register, None))
        )

    def _on_release(self) -> None:
        self.release_wanted.emit(self.by.text().strip())

    def _on_register(self) -> None:
        self.register_wanted.emit(self.by.text().strip())

    def _on_hold_out(self) -> None:
        self.hold_out_wanted.emit(self.by.text().strip())

    def _on_removal(self) -> None:
        button = self.sender()
        assert isinstance(button, Button)
        name = button.property("comparison")
        self.removal_wanted.emit(name, self.by.text().strip())

    def _show_names(self, names: Sequence[str]) -> None:
        """Offer to take each comparison back."""
        if list(names) == self._names:
            return
        self._names = list(names)
        show_if(self._chosen_part, bool(names))
        while self._chosen.count():
            item = self._chosen.takeAt(0)
            if item is not None and (widget := item.widget()) is not None:
                widget.deleteLater()
        for name in names:
            words_ = tr("Do not compare with “{name}”", name=name)
            button = Button(words_, "link", small=True, clicked=self._on_removal)
            button.setProperty("comparison", name)
            button.setToolTip(
                tr("Nothing is released then until somebody decides anew (Validity).")
            )
            self._chosen.addWidget(holder(row(button, None)))

    def show_criteria(
        self,
        found: Criteria | None,
        names: Sequence[str] = (),
        *,
        is_stale: bool = False,
        fraction: float | None = None,
        before: float | None = None,
        now: float | None = None,
    ) -> None:
        """Show what was measured; None while nothing is known.

        Parameters
        ----------
        names : sequence of str
            Comparisons that are decided.
        fraction : float in (0, 1], optional
            Share of the population that is released, if it is stated.
        before : float in [0, 1], optional
            Share of people who were alone on all quasi-identifiers in the input.
        now : float in [0, 1], optional
            Share of those who are in the release, by the figures of risk.
        """
        self._show_names(names)
        show_if(self.stale, found is not None and is_stale)
        if found is None:
            for card in self._cards:
                show_if(card, False)
            return
        alone = words.alone_rows(found, before, now)
        guessed = words.guessed_rows(found)
        show_if(self._alone_card, bool(alone))
        self.alone.show_texts(alone)
        for place in (2, 3):
            self.alone.setColumnHidden(place, not any(row[place] for row in alone))
        self._alone_words.setText(words.alone_words(found))
        show_if(self._guessed_card, bool(guessed))
        held = words.held_out_rows(found)
        self.held_out.show_texts(held)
        self.held_out.fit(len(held))
        show_if(self.held_out, bool(held))
        self._held_out_words.setText(words.held_out_words(found))
        linked = words.compared_rows(found)
        self.linked.show_texts(linked)
        self.linked.fit(len(linked))
        show_if(self.linked, bool(linked))
        held_out = found.held_out.name if found.held_out is not None else None
        waiting = set(names) - {held_out}
        self._linked_words.setText(
            words.compared_words(found)
            if found.compared or not waiting or words.lacks_compared(found)
            else tr("Tables are chosen, but not compared with this release yet.")
        )
        self._halves.setText(words.halves_words(found))
        show_if(self._halves, found.halves is not None)
        notes = list(words.compared_notes(found, fraction))
        self._linked_notes.setText("\n".join(notes))
        show_if(self._linked_notes, bool(notes))
        show_if(self._linked_card, True)
        self.guessed.show_texts(guessed)
        self.guessed.fit(len(guessed))
        self._membership.setText(words.membership_words(found))
        show_if(self._membership_card, found.membership is not None)
        missing = list(words.missing_words(found))
        self._missing.setText("\n".join(missing))
        show_if(self._missing_card, bool(missing))
