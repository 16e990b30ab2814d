"""What a search found: the best policy, or the nearest miss."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from deidgui.app.charts.formats import share_text
from deidgui.app.policies.lattice.local_recoding import FoundRounds
from deidgui.app.policies.lattice.policies import LatticePolicies, infeasible
from deidgui.app.session import State
from deidgui.engine.policy.policy import lattice_policy
from deidgui.engine.policy.words import Phrase, phrases
from deidgui.qt.messages import words_for
from deidgui.qt.models.figures import is_share, loss_text, measure_text
from deidgui.qt.models.proof import proof_of
from deidgui.qt.pages.explore.detail import PhraseList
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    Label,
    StatTile,
    row,
    show_if,
)
from deidgui.text import tr

MOST_MINIMAL = 12
"""Least general policies that are listed; the others can be seen in Explore."""


class Outcome(QWidget):
    """The best policy with its figures, and what is proven about it."""

    step_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = Callout()
        self._card = Card(tr("Best policy"))
        self.words = PhraseList()
        self._card.add(self.words)
        self.tiles = [StatTile() for _ in range(4)]
        tiles = QHBoxLayout()
        tiles.setSpacing(12)
        for tile in self.tiles:
            tiles.addWidget(tile, 1)
        self._card.body.addLayout(tiles)
        self.explore_button = Button(
            tr("Compare policies"), glyph="explore", clicked=self._on_explore
        )
        self.preview_button = Button(
            tr("Preview the release"), glyph="export", clicked=self._on_preview
        )
        self._card.body.addLayout(
            row(self.explore_button, self.preview_button, None, spacing=8)
        )
        self.minimal = MinimalCard()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(12)
        for part in (self.state, self._card, self.minimal):
            box.addWidget(part)

    def show_found(self, found: LatticePolicies | None, state: State) -> None:
        """Show the outcome of a search, current or stale."""
        if found is None:
            return
        best = found.optimum
        show_if(self._card, best is not None)
        show_if(self.minimal, bool(found.minimal))
        self._show_state(found, state)
        if best is None:
            return
        is_best = found.complete or not found.minimal
        self._card.set_title(tr("Best policy") if is_best else tr("OLA's choice"))
        self.words.show_phrases(_phrases(found, found.lattice.levels_of(best)))
        self._show_tiles(found, best)
        if found.minimal:
            self.minimal.show_minimal(found)

    def _show_state(self, found: LatticePolicies, state: State) -> None:
        if state is State.STALE:
            self.state.show_words(
                tr("These results rest on earlier decisions."),
                "warning",
                tr("Search again to bring them up to date."),
            )
        elif found.optimum is None:
            words = words_for(infeasible(found))
            self.state.show_words(words.what, "danger", words.fix)
        else:
            proof = proof_of(found)
            self.state.show_words(proof.text, proof.status, proof.detail)

    def _show_tiles(self, found: LatticePolicies, node: int) -> None:
        suppressed = int(found.suppressed[node])
        share = share_text(suppressed / max(found.n_records, 1))
        shown = found.profile.n_checked
        facts = (
            (
                tr("Policies that meet the thresholds"),
                f"{found.result.n_solutions:,}",
                tr("of {nodes:,}", nodes=shown),
                tr("Every one of them is safe enough by your decisions.")
                if shown == found.n_nodes
                else tr("Of those that can be compared; there are more."),
            ),
            (
                tr("Suppressed"),
                f"{suppressed:,}",
                tr("records ({share})", share=share),
                tr("Nothing of them is released."),
            ),
            (
                tr("Average risk"),
                share_text(float(found.average_risk[node])),
                "",
                tr("How likely a known person's record is found, on average."),
            ),
            (
                tr("Loss"),
                loss_text(found, node),
                "" if is_share(found) else found.guiding.unit,
                tr("0 % keeps every value, 100 % keeps nothing.")
                if is_share(found)
                else tr("{title}: less is better.", title=found.guiding.title),
            ),
        )
        for tile, fact in zip(self.tiles, facts, strict=True):
            tile.set_figure(*fact)

    def _on_explore(self) -> None:
        self.step_wanted.emit("explore")

    def _on_preview(self) -> None:
        self.step_wanted.emit("export")


class MinimalCard(Card):
    """The least general policies that OLA found, the one it chose marked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(
            tr("Least general policies"),
            tr(
                "Each meets the thresholds, and none with fewer steps of "
                "generalization below it does."
            ),
        )
        self._rows = QVBoxLayout()
        self._rows.setSpacing(6)
        self.body.addLayout(self._rows)
        self._labels: list[Label] = []
        self._more = Caption()
        self.add(self._more)

    def show_minimal(self, found: LatticePolicies) -> None:
        """List the policies, the chosen one first."""
        assert found.optimum is not None
        chosen = found.lattice.levels_of(found.optimum)
        every = sorted(found.minimal, key=lambda levels: (levels != chosen, levels))
        while len(self._labels) < min(MOST_MINIMAL, len(every)):
            label = Label("", wrap=True)
            self._labels.append(label)
            self._rows.addWidget(label)
        for place, label in enumerate(self._labels):
            show_if(label, place < len(every))
            if place < len(every):
                text = _short_words(found, every[place])
                mark = tr("★ chosen:  ") if every[place] == chosen else "–  "
                label.setText(mark + text)
        n_left = len(every) - MOST_MINIMAL
        self._more.setText(tr("and {n:,} more.", n=max(n_left, 0)))
        show_if(self._more, n_left > 0)


class RoundsCard(Card):
    """What searching the suppressed records again would gain.

    Attributes
    ----------
    choose_wanted : Signal
        The policy of several rounds shall be released.
    """

    choose_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(
            tr("Local recoding"),
            tr("Suppressed records searched again, with the limit that is left."),
        )
        self.sentence = Label("", "strong", wrap=True)
        self.words = Label("", wrap=True)
        self.choose_button = Button(
            tr("Release this policy"), glyph="check", clicked=self.choose_wanted
        )
        self.add(self.sentence)
        self.add(self.words)
        self.body.addLayout(row(self.choose_button, None))

    def show_waiting(self) -> None:
        """Say that the rounds are being searched."""
        self.sentence.setText(tr("Searching the suppressed records again …"))
        show_if(self.words, False)
        show_if(self.choose_button, False)

    def show_rounds(
        self, rounds: FoundRounds | None, found: LatticePolicies, *, is_chosen: bool
    ) -> None:
        """Show what several rounds gain over one."""
        later = rounds is not None and rounds.result.policy.kind == "local_recoding"
        show_if(self.words, later)
        show_if(self.choose_button, later)
        if rounds is None or not later:
            self.sentence.setText(
                tr("Further rounds gain nothing: one policy for all is best.")
            )
            return
        self.sentence.setText(self._gain_words(rounds, found))
        self.words.setText(rounds.words)
        self.choose_button.setEnabled(not is_chosen)
        self.choose_button.setText(
            tr("This policy is chosen") if is_chosen else tr("Release this policy")
        )

    def _gain_words(self, rounds: FoundRounds, found: LatticePolicies) -> str:
        loss = measure_text(found.guiding, rounds.result.loss)
        single = rounds.result.single_loss
        if single is None:
            words = tr("Several rounds meet the thresholds with a loss of {loss}.")
            return words.format(loss=loss)
        words = tr(
            "Several rounds lower the loss from {single} to {loss}; {suppressed:,} "
            "records stay suppressed."
        )
        return words.format(
            single=measure_text(found.guiding, single),
            loss=loss,
            suppressed=rounds.result.released.n_suppressed,
        )


def _phrases(found: LatticePolicies, levels: tuple[int, ...]) -> tuple[Phrase, ...]:
    by_name = dict(zip(found.attributes, levels, strict=True))
    return phrases(lattice_policy(found.hierarchies, by_name, 1))


def _short_words(found: LatticePolicies, levels: tuple[int, ...]) -> str:
    return "; ".join(str(each) for each in _phrases(found, levels))
