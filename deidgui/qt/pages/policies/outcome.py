"""What a search adds to its best policy: least general ones, and further rounds."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.policies.lattice.searching import FoundRounds
from deidgui.engine.policy.policy import lattice_policy
from deidgui.engine.policy.words import Worded, phrases
from deidgui.qt.models.figures import measure_text
from deidgui.qt.widgets import (
    Button,
    Caption,
    Card,
    Label,
    row,
    show_if,
)
from deidgui.text import count_words, tr, unit_words

MOST_MINIMAL = 12
"""Least general policies that are listed; the others are marked in the list."""


class MinimalCard(Card):
    """The least general policies that OLA found, the one it chose marked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(margin=12, parent=parent)
        self.set_title(
            tr("Least general policies"),
            tr("Minimal solutions: every less general policy fails the thresholds."),
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
                mark = tr("★ OLA's choice:  ") if every[place] == chosen else "–  "
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
        super().__init__(margin=12, parent=parent)
        self.set_title(
            tr("Local recoding"),
            tr("What is suppressed is searched again, with the limit that is left."),
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
        self.sentence.setText(tr("Searching what is suppressed again …"))
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
        unit = unit_words(found.by_person)
        loss = measure_text(found.guiding, rounds.result.loss, unit)
        single = rounds.result.single_loss
        if single is None:
            return tr(
                "Several rounds meet the thresholds with a loss of {loss}.", loss=loss
            )
        return tr(
            "Several rounds lower the loss from {single} to {loss}; still suppressed: "
            "{suppressed}.",
            single=measure_text(found.guiding, single, unit),
            loss=loss,
            suppressed=count_words(
                rounds.result.released.n_suppressed, found.by_person
            ),
        )


def _phrases(found: LatticePolicies, levels: tuple[int, ...]) -> tuple[Worded, ...]:
    by_name = dict(zip(found.attributes, levels, strict=True))
    return phrases(lattice_policy(found.hierarchies, by_name, 1))


def _short_words(found: LatticePolicies, levels: tuple[int, ...]) -> str:
    return "; ".join(str(each) for each in _phrases(found, levels))
