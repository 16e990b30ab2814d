"""What outsiders may know of each column: proposals by its kind, and what is open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from deidgui.app.project import ROLES_WITH_REASON, Attribute, Project
from deidgui.engine.detect.roles import Topic
from deidgui.engine.evidence.entered import Degree, Principles
from deidgui.text import Text, tr

Circle = Literal["nobody", "recipient", "acquaintances", "anybody"]

ASKED = ("quasi_identifier", "sensitive", "insensitive")
"""Roles of columns that are asked about: direct identifiers are not released."""

FIELDS = ("replicability", "availability", "knowable_by")
"""What must be said of a column; of some roles also the reason."""


@dataclass(frozen=True)
class ColumnProposal:
    """What is proposed for a kind of column: the wording and judgement are our own.

    Parameters
    ----------
    sources : str
        Where such values stand with a name.
    because : str
        Why it need not be a quasi-identifier; empty where nothing speaks for that.
    """

    replicability: Degree
    availability: Degree
    knowable_by: Circle
    sources: Text
    because: Text = ""


_REGISTERS: Text = "Population and voter registers, social media"
_ADDRESSES: Text = "Address, telephone and property registers"
_SEEN: Text = "Seen or told; registers, social media"
_BACKGROUND: Text = "Professional networks, social media, colleagues"
_EVENTS: Text = "Family and colleagues; media on accidents and on known persons"
_CARE: Text = "Family; whoever visits or pays"
_MONEY: Text = "Employer, tax office, insurer"
_RECORD: Text = "The medical record only"
_LISTS: Text = "Lists with names of the institution"
_INSIDE: Text = "Made by the data holder for its own use"
_ONLY_HERE: Text = (
    "It changes each time that it is measured, and stands with a name in the medical "
    "record only."
)
_OF_HOLDER: Text = "It was made by the data holder and says nothing about the person."

_KINDS: tuple[tuple[ColumnProposal, tuple[Topic, ...]], ...] = (
    (
        ColumnProposal("high", "high", "anybody", _REGISTERS),
        (Topic.BIRTH_DATE, Topic.AGE, Topic.NAME),
    ),
    (
        ColumnProposal("high", "high", "anybody", _ADDRESSES),
        (
            *(Topic.ZIP, Topic.POSTCODE, Topic.STREET, Topic.COORDINATES, Topic.CITY),
            *(Topic.COUNTY, Topic.STATE, Topic.REGION, Topic.COUNTRY, Topic.CONTACT),
        ),
    ),
    (
        ColumnProposal("high", "high", "anybody", _SEEN),
        (Topic.SEX, Topic.RACE, Topic.ETHNICITY, Topic.LANGUAGE),
    ),
    (
        ColumnProposal("medium", "high", "anybody", _BACKGROUND),
        (Topic.MARITAL, Topic.OCCUPATION, Topic.EDUCATION, Topic.RELATIONSHIP),
    ),
    (
        ColumnProposal("medium", "medium", "acquaintances", _SEEN),
        (Topic.RELIGION, Topic.LIFESTYLE, Topic.BODY),
    ),
    (
        ColumnProposal("medium", "medium", "acquaintances", _EVENTS),
        (
            *(Topic.DATE, Topic.YEAR, Topic.MONTH, Topic.LENGTH_OF_STAY),
            *(Topic.FACILITY, Topic.ADMISSION, Topic.DISPOSITION, Topic.SPECIALTY),
            *(Topic.DIAGNOSIS, Topic.ICD9, Topic.ICD10, Topic.PROCEDURE),
        ),
    ),
    (
        ColumnProposal("medium", "low", "acquaintances", _CARE),
        (Topic.DRUG, Topic.PAYOR, Topic.COUNT),
    ),
    (ColumnProposal("medium", "low", "recipient", _MONEY), (Topic.INCOME, Topic.MONEY)),
    (ColumnProposal("low", "low", "nobody", _RECORD, _ONLY_HERE), (Topic.LAB,)),
    (ColumnProposal("high", "low", "recipient", _LISTS), (Topic.IDENTIFIER,)),
    (
        ColumnProposal("low", "low", "nobody", _INSIDE, _OF_HOLDER),
        (Topic.HOUSEKEEPING, Topic.SAMPLING_WEIGHT),
    ),
)

PROPOSALS: Mapping[str, ColumnProposal] = {
    topic.value: proposal for proposal, topics in _KINDS for topic in topics
}
"""By kind of column. Numbers and codes whose meaning nobody knows, and free text, have
none: a person must look at them."""


def proposal_of(attribute: Attribute) -> ColumnProposal | None:
    """Return what is proposed for a column; None if its kind is not known."""
    return PROPOSALS.get(attribute.topic or "")


def asked_columns(project: Project) -> tuple[Attribute, ...]:
    """Columns that are released and that outsiders may know, in column order."""
    return project.with_role(*ASKED)


def asked_fields(attribute: Attribute) -> tuple[str, ...]:
    """Names of what can be said of a column: a reason only of some roles."""
    reason = ("because",) if attribute.role in ROLES_WITH_REASON else ()
    return (*FIELDS, "sources", *reason)


def open_fields(attribute: Attribute) -> tuple[str, ...]:
    """Names of what nobody has said of a column that is asked about."""
    said = attribute.principles or Principles()
    left = [name for name in FIELDS if getattr(said, name) is None]
    if "because" in asked_fields(attribute) and not said.because.strip():
        left.append("because")
    if not said.by.strip():
        left.append("by")
    return tuple(left)


def open_columns(project: Project) -> tuple[Attribute, ...]:
    """Columns of which something is not said."""
    return tuple(each for each in asked_columns(project) if open_fields(each))


def acceptable(project: Project) -> tuple[str, ...]:
    """Columns of which nothing is said yet and something is proposed."""
    return tuple(
        each.name
        for each in asked_columns(project)
        if each.principles is None and proposal_of(each) is not None
    )


def accepted(attribute: Attribute, by: str, on: str) -> Attribute:
    """Return a column with its proposal accepted; one with an answer stays as it is."""
    proposal = proposal_of(attribute)
    # Nobody signs for what another one has said.
    if proposal is None or attribute.principles is not None:
        return attribute
    is_asked = attribute.role in ROLES_WITH_REASON and proposal.because
    because = tr(proposal.because) if is_asked else ""
    changes = {
        "replicability": proposal.replicability,
        "availability": proposal.availability,
        "knowable_by": proposal.knowable_by,
        "sources": tr(proposal.sources),
        "because": because,
        "is_proposal": True,
        "by": by,
        "on": on,
    }
    return attribute.but(principles=Principles(**changes))


def with_said(
    attribute: Attribute, by: str, on: str, said: Mapping[str, str | None]
) -> Attribute:
    """Return a column of which a person says what it is asked; None takes it back."""
    said = {name: said[name] for name in asked_fields(attribute) if name in said}
    before = attribute.principles or Principles()
    stated = before.but(**said)
    if all(getattr(stated, name) == getattr(before, name) for name in said):
        return attribute
    stated = stated.but(is_proposal=False, by=by, on=on)
    signature = {"by": "", "on": ""}
    is_empty = stated.but(**signature) == Principles()
    return attribute.but(principles=None if is_empty else stated)
