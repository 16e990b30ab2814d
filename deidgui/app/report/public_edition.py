"""What a public edition of the report shows of what people typed, and what not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from deidgui.engine.evidence.document import Criteria, Evidence, canonical_json
from deidgui.engine.evidence.unchecked import Place, is_at, leaves
from deidgui.text import Text, tr

SHOWN = (
    *("title", "context.recipient", "context.purpose"),
    *("context.agreement.reference", "validity.in_charge", "validity.contact"),
    *("dossier.entries.source.text", "dossier.entries.period.text"),
    "dossier.entries.published.text",
)
"""Typed texts that a public edition shows: half a page for the public (D12) is made of
them. Whoever enters them is told so."""

_NAMES = (
    *("thresholds.set_by", "notes_signed.by", "questions.*.by", "overruled.*.by"),
    *("context.answers.*.by", "context.attacks.*.by", "context.signed.*.by"),
    *("principles.*.by", "validity.signed.*.by", "validity.periods.*.by"),
    *("validity.periods.*.after.*.by", "dossier.entries.*.by"),
    *("dossier.columns.*.*.by", "dossier.not_applying.*.by"),
    *("dossier.intruder_tests.*.by", "dossier.intruder_tests.*.tried_by"),
    *("criteria.compared.*.by", "criteria.held_out.by", "drift.by"),
)
_TEXTS = (
    *("notes", "thresholds.justification", "questions.*.because"),
    *("overruled.*.because", "context.agreement.parties", "context.prevalence_of"),
    *("context.breach_source", "context.own_threshold_because"),
    *("context.answers.*.proof", "context.attacks.*.because"),
    *("principles.*.sources", "principles.*.because", "validity.conditions"),
    *("validity.periods.*.because", "validity.periods.*.after.*.because"),
    *("dossier.entries.*.text", "dossier.columns.*.*.text"),
    *("dossier.not_applying.*.text", "dossier.intruder_tests.*.tested"),
    *("dossier.intruder_tests.*.sources", "inputs.*.file", "inputs.*.member"),
)
_NO_NAME: Text = "[name left out]"
_NO_TEXT: Text = "[in the confidential edition]"


def for_public(evidence: Evidence) -> Evidence:
    """Return the evidence as a public edition tells it.

    PRIVACY: whatever people type can name somebody, and files are often called after
    people and places. Only what is meant to be published is shown (`SHOWN`); of all
    else it is said that it stands in the confidential edition. That something is
    signed, and on which day, stays.
    """
    fields = evidence.model_dump(mode="json")
    reasons = [each.because for each in evidence.overruled]
    for place in list(leaves(fields)):
        if any(is_at(place, each) for each in SHOWN):
            continue
        if any(is_at(place, each) for each in _NAMES):
            _leave_out(fields, place, tr(_NO_NAME))
        elif any(is_at(place, each) for each in _TEXTS):
            _leave_out(fields, place, tr(_NO_TEXT))
    # What is overruled leads the warnings, with its reason.
    for number, reason in enumerate(reasons):
        words = fields["warnings"][number].replace(reason, tr(_NO_TEXT))
        fields["warnings"][number] = words
    found = Evidence.model_validate_json(canonical_json(fields), strict=True)
    if found.criteria is None:
        return found
    return found.model_copy(update={"criteria": _criteria(found.criteria)})


def _leave_out(fields: Any, place: Place, words: str) -> None:
    """Put words in the place of a text; what is empty stays empty."""
    *steps, last = place
    for each in steps:
        fields = fields[each]
    if isinstance(fields[last], str) and fields[last].strip():
        fields[last] = words


def _criteria(found: Criteria) -> Criteria:
    """Number the tables that were compared, instead of naming them."""
    counts: Counter[str] = Counter()
    compared = []
    for each in found.compared:
        counts[each.kind] += 1
        n = counts[each.kind]
        is_register = each.kind == "register"
        name = tr("register {n}", n=n) if is_register else tr("release {n}", n=n)
        compared.append(each.model_copy(update={"name": name}))
    held_out = found.held_out
    if held_out is not None and held_out.sha256 is not None:
        said = {"name": tr("people not released")}
        held_out = held_out.model_copy(update=said)
    reasons = dict(_reasons(found))
    changes = {"compared": tuple(compared), "not_measured": reasons}
    return found.model_copy(update={**changes, "held_out": held_out})


def _reasons(found: Criteria) -> Iterator[tuple[str, str]]:
    n = 0
    for key, reason in found.not_measured.items():
        if key.startswith("compared:"):
            n += 1
            yield f"compared:{tr('other table {n}', n=n)}", reason
        else:
            yield key, reason
