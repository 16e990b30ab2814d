"""What is entered for the dossier of a release, and what of it is complete."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from deidgui.app.determination.determination import assessment_of, context_of, unsigned
from deidgui.app.determination.principles import asked_columns, open_fields
from deidgui.app.determination.validity import open_items, unsigned_items
from deidgui.app.dossier.sensitivity import is_measured as is_sensitivity_measured
from deidgui.app.dossier.signing import sign_open
from deidgui.app.project import Attribute, ContextChoice, Project, ValidityChoice
from deidgui.engine.determination import (
    CONTROLS,
    INVASION,
    MOTIVES,
    OF_COLUMNS,
    TYPED,
    Completeness,
    ItemState,
    completeness,
)
from deidgui.engine.evidence import document
from deidgui.engine.evidence.entered import Entry

UNNAMED = ("", "Untitled")
"""Names of projects that nobody has named."""

CLAUSES = ("C1", "C2", "C3", "C4", "C5")
"""Questions about the clauses of an agreement."""


def released_columns(project: Project) -> tuple[Attribute, ...]:
    """Return the columns that are released, however changed."""
    return tuple(
        each
        for each in project.attributes
        if each.include and each.role is not None and not each.is_removed
    )


def columns_of(project: Project, name: str) -> tuple[str, ...]:
    """Return the columns about which something of `OF_COLUMNS` is entered."""
    return tuple(
        each.name
        for each in released_columns(project)
        if name != "rule" or each.role == "quasi_identifier"
    )


class Signed(Protocol):
    """Something that a person has entered, of a project or of evidence."""

    @property
    def is_signed(self) -> bool:
        """Whether somebody stands for it: with a name and a day."""
        ...


@dataclass(frozen=True)
class OfRelease:
    """What only the release tells.

    Parameters
    ----------
    has_gaps : bool
        Whether the sensitivity to one more column is not measured, or not of all.
    questions, overruled : sequence of Signed
        The reasons that it rests on.
    """

    has_gaps: bool = False
    questions: Sequence[Signed] = ()
    overruled: Sequence[Signed] = ()


def completeness_of(
    project: Project, *, suppresses: bool | None, of_release: OfRelease | None = None
) -> Completeness:
    """Return which items of the dossier are complete.

    Parameters
    ----------
    suppresses : bool or None
        Whether the policy suppresses records or cells; None while no policy is known.
    of_release : OfRelease or None
        None before a release.
    """
    dossier = project.dossier
    not_applying = [n for n, each in dossier.not_applying.items() if each.counts]
    met = requirements(project, suppresses=suppresses, of_release=of_release)
    is_open = of_release is None and is_sensitivity_measured(project)
    later = ("sensitivity",) if is_open else ()
    return completeness(met, not_applying, later, _unsigned(project, met, of_release))


def _unsigned(
    project: Project, met: Mapping[str, bool | None], of_release: OfRelease | None
) -> tuple[str, ...]:
    """Return what would be met if somebody signed all that is said."""
    anybody = sign_open("-", "2000-01-01")(project)
    if of_release is not None:
        of_release = OfRelease(of_release.has_gaps)
    signed = requirements(anybody, suppresses=None, of_release=of_release)
    return tuple(n for n, is_met in met.items() if is_met is False and signed[n])


def requirements(
    project: Project, *, suppresses: bool | None, of_release: OfRelease | None = None
) -> dict[str, bool | None]:
    """Return what is said of all that items need; None where it is not needed."""
    met: dict[str, bool | None] = dict(_entered(project))
    met |= _of_reasons(project, of_release)
    if project.dossier.intruder_tests:
        met["intruder"] = True
    met |= _of_context(project)
    met |= _of_columns(project)
    met |= _of_validity(project.validity)
    met["title"] = project.name.strip() not in UNNAMED
    roles = [each for each in project.attributes if each.include]
    met["roles"] = bool(roles) and all(e.role and e.confirmed for e in roles)
    met["measured"] = suppresses is not None
    is_whole = of_release is not None and not of_release.has_gaps
    if is_whole and is_sensitivity_measured(project):
        met["sensitivity"] = True
    if suppresses is False:
        met["suppression_because"] = None
    columns = released_columns(project)
    if not any(each.role == "sensitive" for each in columns):
        met["harm"] = None
    # A release of a project destroys the key: nobody keeps it, and the report says so.
    has_codes = any(each.treatment == "pseudonym" for each in columns)
    met["key_custodian"] = True if has_codes else None
    if project.context.release == "public":
        met["recipient_access"] = None
    return met


def _entered(project: Project) -> Iterator[tuple[str, bool | None]]:
    dossier = project.dossier
    for name in TYPED:
        entry = dossier.entries.get(name)
        yield name, entry is not None and entry.counts
    for name in OF_COLUMNS:
        said = [
            dossier.columns.get(column, {}).get(name)
            for column in columns_of(project, name)
        ]
        yield name, all(e is not None and e.counts for e in said) if said else None


def _of_reasons(project: Project, release: OfRelease | None) -> dict[str, bool | None]:
    """Whether somebody stands for every reason, and for the notes."""
    answers: Sequence[Signed] = (
        project.answers if release is None else release.questions
    )
    overruled: Sequence[Signed] = project.overrulings
    if release is not None:
        overruled = release.overruled
    return {
        "findings_signed": all(each.is_signed for each in answers),
        "overruled_signed": all(each.is_signed for each in overruled),
        "notes_signed": project.notes_signed.is_signed or not _said(project.notes),
    }


def _of_columns(project: Project) -> dict[str, bool | None]:
    """What is said of columns on the step Attributes; None if there are none."""
    known: dict[bool, list[bool]] = {True: [], False: []}
    for each in asked_columns(project):
        is_known_outside = each.role == "quasi_identifier"
        known[is_known_outside].append(not open_fields(each))
    return {
        "principles": all(known[True]) if known[True] else None,
        "no_quasi_identifier": all(known[False]) if known[False] else None,
    }


def _of_validity(choice: ValidityChoice) -> dict[str, bool | None]:
    """What is said of how long the determination holds."""
    left = {*open_items(choice), *unsigned_items(choice)}
    return {
        "valid_until": bool(choice.period and choice.period.because.strip())
        and "conditions" not in left,
        "monitoring": not {"in_charge", "review_months"} & left,
        "incident": "contact" not in left,
        "deletion": choice.period is not None,
    }


def _of_context(project: Project) -> dict[str, bool | None]:
    """What is said of recipient and release."""
    choice, found = project.context, assessment_of(project)
    counted, left = context_of(choice), set(unsigned(choice))
    answers = counted.answers.keys() - left
    decided = project.privacy.threshold
    because = _said(decided.justification) and decided.is_signed
    if choice.threshold is not None:
        because = _said(choice.threshold_because) and "threshold_because" not in left
    is_public = choice.release == "public"
    is_bound: bool | None = None
    if choice.release in ("non_public", None):
        is_bound = choice.release is not None
    chance = (
        choice.prevalence is not None
        and choice.acquaintances is not None
        and _said(choice.prevalence_of)
        and not {"prevalence", "prevalence_of", "acquaintances"} & left
    )
    rate = counted.breach_rate is not None
    rate = rate and not {"breach_rate", "breach_source", "breach_year"} & left
    applying = set() if is_public else {"T2", "T3"} - counted.excluded
    asked = [each.key for each in (*CONTROLS, *MOTIVES)]
    return {
        "purpose": _said(choice.purpose) and "purpose" not in left,
        "recipient": is_public or (_said(choice.recipient) and "recipient" not in left),
        "release": choice.release is not None and "release" not in left,
        "agreement": is_bound and _is_agreed(choice),
        "clauses": is_bound and all(key in answers for key in CLAUSES),
        "attacks": found.attempt is not None and not {"matrix", *choice.attacks} & left,
        "controls": is_bound and all(key in answers for key in asked),
        "prevalence": chance if "T2" in applying else None,
        "breach_rate": rate if "T3" in applying else None,
        "invasion": all(each.key in answers for each in INVASION),
        "threshold": found.threshold is not None and "threshold" not in left,
        "threshold_because": because,
    }


def _said(text: str) -> bool:
    return bool(text.strip())


def _is_agreed(choice: ContextChoice) -> bool:
    """Whether the agreement is named, with parties and dates, each signed."""
    is_signed = not any(name.startswith("agreement.") for name in unsigned(choice))
    return is_signed and all(map(_said, choice.agreement.model_dump().values()))


# -- evidence --------------------------------------------------------------------------


def dossier_facts(
    project: Project, *, suppresses: bool, of_release: OfRelease = OfRelease()
) -> document.Dossier:
    """Return what the evidence states of the dossier.

    PRIVACY: of columns that are not released neither name nor text is stated.
    """
    dossier = project.dossier
    found = completeness_of(project, suppresses=suppresses, of_release=of_release)
    columns = {
        column.name: _stated(
            {
                name: entry
                for name, entry in dossier.columns.get(column.name, {}).items()
                if column.name in columns_of(project, name)
            }
        )
        for column in released_columns(project)
    }
    return document.Dossier(
        regime=dossier.regime,
        edition=dossier.edition or "confidential",
        entries=_stated(dossier.entries),
        columns={name: each for name, each in columns.items() if each},
        intruder_tests=dossier.intruder_tests,
        not_applying=_stated({str(n): e for n, e in dossier.not_applying.items()}),
        items=tuple(map(_item, found.items)),
        complete=found.n_complete,
        asked=found.n_asked,
        sections=found.sections,
        lacking=tuple(each.item.number for each in found.lacking),
    )


def _item(each: ItemState) -> document.DossierItem:
    assert each.state != "not_known", "the release tells it"
    return document.DossierItem(
        number=each.item.number,
        state=each.state,
        missing=each.missing,
        by_person=each.is_by_person,
        unsigned=each.unsigned,
    )


def _stated(entries: Mapping[str, Entry]) -> dict[str, Entry]:
    """Entries with a text, in the order of their names."""
    return {
        name: entries[name] for name in sorted(entries) if entries[name].text.strip()
    }
