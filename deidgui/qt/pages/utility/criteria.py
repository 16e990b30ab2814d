"""Who is singled out by the release, and what can be guessed of them."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from deidgui.app.measuring import criteria_words as words
from deidgui.engine.evidence.document import Criteria
from deidgui.qt.widgets import (
    Callout,
    Caption,
    Card,
    Label,
    TextTable,
    column,
    show_if,
)
from deidgui.text import tr


class CriteriaPane(QWidget):
    """Shares of people who are alone on little and on much, and of right guesses."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.stale = Callout()
        self.stale.show_words(
            tr("These figures are based on earlier decisions."), "warning"
        )
        self._alone_card = Card(
            tr("Singling out"), tr("Who is alone on what somebody knows of them?")
        )
        self.alone = TextTable(
            tr("Shares of people who are alone"),
            words.alone_heads(),
            wide=2,
            numbers=(1, 3),
        )
        self._alone_words = Caption()
        self._alone_card.add(self.alone)
        self._alone_card.add(self._alone_words)
        self._guessed_card = Card(
            tr("Inference"), tr("How well can a sensitive value be guessed?")
        )
        self.guessed = TextTable(
            tr("Shares of right guesses"),
            words.guessed_heads(),
            numbers=range(1, 6),
        )
        self._guessed_card.add(self.guessed)
        self._guessed_card.add(Caption(words.guessed_words()))
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
            self._guessed_card,
            self._membership_card,
            self._missing_card,
        )
        self.setLayout(column(self.stale, *self._cards, None, spacing=16))
        self.show_criteria(None)

    def show_criteria(self, found: Criteria | None, *, is_stale: bool = False) -> None:
        """Show what was measured; None while nothing is known."""
        show_if(self.stale, found is not None and is_stale)
        if found is None:
            for card in self._cards:
                show_if(card, False)
            return
        alone, guessed = words.alone_rows(found), words.guessed_rows(found)
        show_if(self._alone_card, bool(alone))
        self.alone.show_texts(alone)
        self._alone_words.setText(words.alone_words(found))
        show_if(self._guessed_card, bool(guessed))
        self.guessed.show_texts(guessed)
        self._membership.setText(words.membership_words(found))
        show_if(self._membership_card, found.membership is not None)
        missing = list(words.missing_words(found))
        self._missing.setText("\n".join(missing))
        show_if(self._missing_card, bool(missing))
