"""How policies are looked for if an adversary knows some of a person's events."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from deidgui.app.events_known import fraction_of, size_asked, who_knows
from deidgui.app.policies.longitudinal.policies import LongitudinalPolicies
from deidgui.app.project import Project
from deidgui.errors import DeidError
from deidgui.qt.messages import words_for
from deidgui.qt.widgets import Button, Callout, Caption, Card, Label, column, show_if
from deidgui.text import share_text, tr


class LongitudinalPane(QWidget):
    """What is assumed to be known of events, and what the last search found.

    Attributes
    ----------
    decide_wanted : Signal
        Where it is decided what is known of events.
    """

    decide_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem = Callout()
        self.problem.acted.connect(self.decide_wanted)
        self.assumed = Card(margin=12)
        self.assumed.set_title(tr("What is assumed"))
        self._words, self._how = Label("", wrap=True), Caption()
        self.change = Button(tr("Change"), "link", clicked=self.decide_wanted)
        for part in (self._words, self._how, self.change):
            self.assumed.add(part)
        self.found = Card(margin=12)
        self.found.set_title(tr("Last search"))
        self._found = Label("", wrap=True)
        self.found.add(self._found)
        self.setLayout(column(self.problem, self.assumed, self.found, None, spacing=8))

    def show_project(self, project: Project, problems: list[DeidError]) -> None:
        """Show what is decided, or what is missing."""
        show_if(self.problem, bool(problems))
        if problems:
            words = words_for(problems[0])
            action = tr("Take me there")
            self.problem.show_words(words.what, "warning", words.fix, action)
        known = project.privacy.events
        show_if(self.assumed, known is not None)
        if known is None:
            return
        self._words.setText(
            tr(
                "{who}. At most {share} of the people may be matched by fewer than "
                "{size}.",
                who=_capital(who_knows(known)),
                share=share_text(known.limit),
                size=size_asked(known, fraction_of(project)),
            )
        )
        self._how.setText(
            tr(
                "Nobody is suppressed. Columns of people and of events are generalized "
                "together. Policies are ordered by non-uniform entropy: of people's "
                "values by person, of events' values by row, weighted by importance."
            )
        )

    def show_found(self, found: LongitudinalPolicies | None) -> None:
        """Say what the last search found."""
        show_if(self.found, found is not None)
        if found is not None:
            self._found.setText(found_text(found))


def found_text(found: LongitudinalPolicies) -> str:
    """Say how many policies were looked at, and what is known of them."""
    proof, n_nodes = found.proof, found.proof.n_policies or 0
    parts = [
        tr(
            "{checked:policy was|policies were} looked at, of {all:,}; {n} of these "
            "meet the limit.",
            checked=proof.n_examined,
            all=n_nodes,
            n=found.n_meeting,
        )
    ]
    if len(found.policies) < proof.n_examined:
        parts.append(tr("The best {n} can be compared.", n=len(found.policies)))
    if not proof.is_complete:
        parts.append(_stopped_text(proof.gap))
    elif found.n_undecided:
        parts.append(
            tr(
                "Of {n:policy|policies} the estimate lies too near the limit: the mean "
                "of the draws decided.",
                n=found.n_undecided,
            )
        )
    return " ".join(parts)


def _stopped_text(gap: float | None) -> str:
    if gap is None:
        return tr("Not all policies were looked at. Searching again goes on from here.")
    return tr(
        "The best policy so far is not proven to be the best: another one can lose at "
        "most {gap} less. Searching again goes on from here.",
        gap=share_text(gap),
    )


def miss_text(found: LongitudinalPolicies) -> tuple[str, str]:
    """Say why no policy meets the limit, and what can be done."""
    words = words_for(found.nothing_meets())
    return words.what, words.fix


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
