"""How a quasi-identifier stands in a population, in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from deidgui.app.project import MatchChoice
from deidgui.errors import DeidError
from deidgui.qt.messages import words_for
from deidgui.qt.models.population_values import Matches
from deidgui.qt.widgets import Status
from deidgui.text import Text, tr

LACKING = ("refused", "independent", "left aside")
"""What can be done about an attribute that the population does not know."""

LACKS = frozenset({"people_lack_attribute", "population_attribute_missing"})
"""Problems that say that the population does not know an attribute."""


@dataclass(frozen=True, eq=False)
class AttributeState:
    """What there is to show of one quasi-identifier.

    Parameters
    ----------
    targets : tuple of str
        Attributes of the population.
    choice : MatchChoice or None
        What a person decided; None if nothing yet.
    matches : Matches or None
        None if the population does not know the attribute.
    problems : tuple of DeidError
        What keeps it from being used.
    """

    name: str
    targets: tuple[str, ...]
    choice: MatchChoice | None = None
    matches: Matches | None = None
    problems: tuple[DeidError, ...] = field(default=())

    @property
    def lacking(self) -> str:
        """What is done if the population does not know the attribute."""
        return self.choice.lacking if self.choice is not None else "refused"

    @property
    def accepts_unmatched(self) -> bool:
        """Whether a person accepted values that stand for nobody."""
        return self.choice is not None and self.choice.accepts_unmatched

    @property
    def is_waiting(self) -> bool:
        """Whether nothing is known yet: the tables or the file are not in order."""
        codes = {problem.code for problem in self.problems}
        return self.matches is None and self.choice is None and not codes & LACKS

    @property
    def is_decided(self) -> bool:
        """Whether a person has changed or confirmed anything."""
        return self.choice is not None and self.choice != MatchChoice()

    @property
    def needs_confirmation(self) -> bool:
        """Whether the proposal is in doubt and nobody has confirmed it."""
        return self.matches is not None and not self.matches.mapping.is_ready

    @property
    def needs_acceptance(self) -> bool:
        """Whether values stand for nobody, and nobody has accepted that."""
        if self.matches is None or self.accepts_unmatched:
            return False
        return bool(self.matches.is_alone.any())

    @property
    def needs_a_person(self) -> bool:
        """Whether somebody must decide before it can be used."""
        if self.matches is None:
            return self.lacking == "refused" and not self.is_waiting
        return self.needs_confirmation or self.needs_acceptance or bool(self.problems)


class Said(NamedTuple):
    """A state in a few words, its glyph and colour."""

    words: str
    status: Status


def said(state: AttributeState) -> Said:
    """Say how a quasi-identifier stands."""
    matches = state.matches
    if state.is_waiting:
        return Said(tr("Not looked up yet"), "info")
    if matches is None:
        return _lacking_said(state.lacking)
    if state.needs_confirmation:
        words = tr("Please look and confirm")
        if state.needs_acceptance:
            words = f"{words}; {_alone_words(matches)}"
        return Said(words, "warning")
    n_alone = int(matches.is_alone.sum())
    if n_alone:
        status: Status = "info" if state.accepts_unmatched else "warning"
        words = _alone_words(matches)
        return Said(words[:1].upper() + words[1:], status)
    if state.problems:
        return Said(words_for(state.problems[0]).what, "danger")
    if matches.mapping.is_confirmed:
        return Said(tr("Confirmed by a person"), "success")
    return Said(tr("Every value is found"), "success")


def _alone_words(matches: Matches) -> str:
    n_alone = int(matches.is_alone.sum())
    records = matches.n_records(matches.is_alone)
    words: Text = "{n:,} values stand for nobody ({records:,} records)"
    if n_alone == 1:
        words = "one value stands for nobody ({records:,} records)"
    return tr(words, n=n_alone, records=records)


def _lacking_said(choice: str) -> Said:
    match choice:
        case "independent":
            return Said(
                tr("Not known there: taken as independent"),
                "info",
            )
        case "left aside":
            return Said(
                tr("Not known there: left aside, risks too low"),
                "warning",
            )
    return Said(tr("Not known there: please decide"), "warning")


def lacking_words(choice: str) -> tuple[str, str]:
    """Name of a choice about an unknown attribute, and what it means."""
    return {
        "refused": (
            tr("Refused"),
            tr(
                "This population is not used until you decide, or choose one that "
                "knows the attribute.",
            ),
        ),
        "independent": (
            tr("Independent"),
            tr(
                "Its shares in your file hold for everybody, whatever the other "
                "attributes. An estimate, and named as one wherever it matters.",
            ),
        ),
        "left aside": (
            tr("Left aside"),
            tr(
                "People are not told apart by it. Groups of people then look larger "
                "and risks are stated too low.",
            ),
        ),
    }[choice]
