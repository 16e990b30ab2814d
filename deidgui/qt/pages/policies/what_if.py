"""What other thresholds would give, at once and without deciding anything."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from deidgui.app.policies.lattice.keeping import order_words, skipped_words
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.qt.models.figures import Figure, policy_figures
from deidgui.qt.models.proof import gap_words
from deidgui.qt.pages.policies.detail import PhraseList
from deidgui.qt.pages.policies.thresholds import ThresholdControls, WantedLimits
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    Columns,
    Label,
    StatTile,
    column,
    holder,
    row,
    show_if,
)
from deidgui.text import tr


class WhatIfPane(QWidget):
    """Sliders for thresholds and suppression limit, and the answer to them.

    Attributes
    ----------
    asked : Signal of WantedLimits
        Thresholds that somebody wants to see.
    take_over_wanted : Signal of WantedLimits
        The same, to be decided.
    """

    asked = Signal(object)
    take_over_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._decided: LatticePolicies | None = None
        self._answer: LatticePolicies | None = None
        self.controls = ThresholdControls()
        self.controls.changed.connect(self._ask)
        self._question = Card(
            tr("What if …"),
            tr("Try other thresholds; nothing changes until you apply them."),
        )
        self._question.add(self.controls)
        self.take_over_button = Button(
            tr("Use these thresholds"),
            "primary",
            "check",
            self._on_take_over,
        )
        self.back_button = Button(
            tr("Back to the decided values"), "quiet", clicked=self._on_back
        )
        self._question.body.addLayout(
            row(self.take_over_button, self.back_button, None)
        )
        self._build_answer()
        asking = holder(column(self._question, None))
        self.setLayout(
            column(
                Columns([(asking, 1), (self._answered, 1)], 640),
                None,
                spacing=16,
            )
        )

    def _build_answer(self) -> None:
        self._answered = Card(tr("Best policy for these values"), margin=12)
        self._answered.body.setSpacing(8)
        self._none = Callout(
            tr("No policy meets these values."),
            "warning",
            tr("Allow more to be suppressed, or a smaller group."),
        )
        self._sentence = Label("", "strong", wrap=True)
        self._words = PhraseList()
        self._counts = Caption()
        self._tiles = [StatTile() for _ in range(4)]
        tiles = QGridLayout()
        tiles.setSpacing(8)
        for place, tile in enumerate(self._tiles):
            tiles.addWidget(tile, *divmod(place, 2))
            tiles.setColumnStretch(place % 2, 1)
        self._answered.add(self._none)
        self._answered.add(self._sentence)
        # What a slider changes first is seen beside it.
        self._answered.body.addLayout(tiles)
        self._answered.add(self._counts)
        self._answered.add(self._words)
        self._answered.body.addStretch(1)
        show_if(self._none, False)

    # -- what is shown -------------------------------------------------------------

    def show_decided(self, found: LatticePolicies, *, is_grown: bool = False) -> None:
        """Begin at the thresholds that are decided.

        Parameters
        ----------
        is_grown : bool
            Whether more is known of the same policies: other values that are shown
            stay.
        """
        is_asked = is_grown and self._answer is not self._decided
        self._decided = found
        if is_asked:
            if found.is_whole:
                # What was said of those looked at so far is now said of all.
                self._ask()
            return
        self.controls.show_decided(found)
        self.show_answer(found, found)

    def show_answer(self, answer: LatticePolicies, decided: LatticePolicies) -> None:
        """Show what the values lead to, beside what the decided ones do."""
        self._answer = answer
        best = answer.optimum
        show_if(self._none, best is None)
        for part in (self._sentence, self._words, *self._tiles):
            show_if(part, best is not None)
        self._counts.setText(self._count_words(answer))
        self._show_buttons(can_use=best is not None)
        if best is None:
            return
        self._sentence.setText(self._best_words(answer, decided))
        self._words.show_phrases(answer.cells_at(best))
        before = decided.optimum
        now = _figures(answer, best)
        then = _figures(decided, before) if before is not None else now
        for tile, new, old in zip(self._tiles, now, then, strict=True):
            tile.set_figure(new.label, new.text, new.unit)
            tile.setToolTip(new.explanation)
            words = tr("decided: {figure}", figure=old.text)
            is_less = new.value < old.value
            status = "success" if is_less else "danger"
            tile.set_change(
                "" if new.text == old.text else words,
                None if new.text == old.text else status,  # type: ignore[arg-type]
            )

    def _count_words(self, answer: LatticePolicies) -> str:
        words = (self._how_many(answer), order_words(answer))
        return " ".join(filter(None, words))

    def _how_many(self, found: LatticePolicies) -> str:
        some = found.result.n_solutions
        if found.lattice.n_nodes == 1 < found.n_nodes:
            return self._anew_words(found)
        if found.is_whole:
            words = tr(
                "{some:,} of {all:policy|policies} meet them.",
                some=some,
                all=found.n_nodes,
            )
            return f"{words} {skipped_words(found)}".strip()
        shown = found.profile.n_checked
        if found.complete:
            return tr(
                "{some:,} of the {shown:policy|policies} measured meet them; there "
                "are {all:,} in all, and none of them is better.",
                some=some,
                shown=shown,
                all=found.n_nodes,
            )
        return tr(
            "{some:,} of the {shown:policy|policies} examined meet them; there are "
            "{all:,} in all, and a better one may be among the others.",
            some=some,
            shown=shown,
            all=found.n_nodes,
        )

    def _anew_words(self, found: LatticePolicies) -> str:
        """Say how good the answer of a search of its own is."""
        assert found.optimality is not None
        if found.optimality.is_proven:
            words = tr(
                "A separate search proved that none of the {all:policy|policies} "
                "is better.",
                all=found.n_nodes,
            )
            if found.optimum is None:
                words = tr(
                    "A separate search proved that none of the "
                    "{all:policy|policies} meets these thresholds.",
                    all=found.n_nodes,
                )
            return words
        if found.gap is None:
            return tr(
                "Found by a search of its own among the policies that can be compared; "
                "a better one may be among the others."
            )
        return tr("Found by a search of its own. {gap}", gap=gap_words(found.gap))

    def show_waiting(self) -> None:
        """Say that the answer is being looked for."""
        self._counts.setText(tr("Looking for the best policy …"))

    def show_problem(self, words: str) -> None:
        """Say why there is no answer."""
        self._counts.setText(words)
        self._show_buttons(can_use=False)

    def _best_words(self, answer: LatticePolicies, decided: LatticePolicies) -> str:
        """Say whether another policy is best than for the decided values."""
        best, before = answer.optimum, decided.optimum
        if answer is decided:
            return tr("These are the decided values.")
        if before is None or best is None:
            return tr("With the decided values no policy is left.")
        if answer.levels_of(best) == decided.levels_of(before):
            return tr("The same policy is best as for the decided values.")
        return tr("Another policy is best than for the decided values.")

    def _show_buttons(self, *, can_use: bool) -> None:
        asked = self.controls.asked
        is_other = asked is not None and asked != self.controls.decided
        self.take_over_button.setEnabled(is_other and can_use)
        show_if(self.back_button, asked != self.controls.decided)

    # -- what somebody does --------------------------------------------------------

    def _ask(self) -> None:
        asked = self.controls.asked
        # What is not valid is told at its field; what it gives is not known yet.
        self._show_buttons(can_use=False)
        if asked is not None and self._decided is not None:
            self.asked.emit(asked)

    def _on_back(self) -> None:
        self.controls.back()
        self._ask()

    def _on_take_over(self) -> None:
        asked: WantedLimits | None = self.controls.asked
        if asked is not None:
            self.take_over_wanted.emit(asked)


def _figures(found: LatticePolicies, node: int) -> tuple[Figure, ...]:
    known = found.columns.figures(node)
    return policy_figures(
        known,
        found.n_records,
        found.guiding,
        weights=found.weights,
        of_people=found.by_person,
    )
