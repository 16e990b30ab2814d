"""Works out again which items of a dossier are complete."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from deidgui.engine.evidence.checks import Check
from deidgui.engine.evidence.document import (
    Context,
    Dossier,
    Evidence,
    Thresholds,
    Validity,
    canonical_json,
)
from deidgui.engine.evidence.entered import Agreement, Entered, Entry
from deidgui.engine.evidence.verify_context import answers_that_count, breach_rate

_ITEMS = """
1 D1,D13 title case_number
2 D1 owner team
3 D1,D14 expert expert_training expert_independence
4 D2 purpose needed
5 D2 legal_basis
6 D2 recipient recipient_access
7 D2 release
8 D2 agreement clauses
9 D2 california
10 D3 source period frame
11 D3 roles findings_signed
12 D3 principles
13 D3 no_quasi_identifier
14 D3,D8 harm
15 D3 free_text
16 D4 sources
17 D5 attacks
18 D5 controls
19 D5 prevalence breach_rate
20 D6 invasion
21 D6 threshold threshold_because overruled_signed
22 D4 population_because
23 D7
24 D7,D13
25 D7
26 D7 sensitivity
27 D9 rule
28 D9
29 D9 key_custodian
30 D8 criteria_verdict
31 D8 disclosure_verdict
32 D8 intruder
33 D8 other_releases
34 D10 utility_verdict
35 D9,D10 suppression_because
36 D11 valid_until
37 D11 monitoring
38 D11 incident
39 D12 published
40 D2,D5 safe_projects safe_people safe_settings safe_outputs
41 D13 ten_parts
42 D7 small_groups
43 D13 notes_signed
44 D14 expert conclusion owner_signs second_reader
45 D14 archive deletion
46 D2 dpia
"""
"""Number, sections, and what each item needs besides the release itself."""

_ROWS = tuple(line.split() for line in _ITEMS.strip().split("\n"))

_AT_WILL = frozenset(
    (3, 5, 8, 9, 14, 16, 26, 29, *range(31, 34), 35, *range(39, 43), 45, 46)
)
"""Items that a person may call not applicable."""

_CLAUSES = tuple(f"C{n}" for n in range(1, 6))
_OF_RECIPIENT = (
    *(f"C{n}" for n in range(1, 21)),
    *(f"M{n}" for n in range(4)),
    *(f"K{n}" for n in range(1, 4)),
)
_OF_PRIVACY = tuple(f"P{n}" for n in range(1, 9))
_FIRST = frozenset(("D2", "D3", "D5", "D6", "D11"))


def check_dossier(evidence: Evidence) -> Iterator[Check]:
    """Compare the state of each item with what is entered."""
    stated = evidence.dossier
    yield Check("dossier_stated", stated is not None)
    if stated is None:
        return
    said = _said(evidence, stated)
    if_signed = _said_if_signed(evidence)
    waived = {int(n) for n, entry in stated.not_applying.items() if _counts(entry)}
    n_complete = n_asked = 0
    sections = {f"D{n}": True for n in range(1, 15)}
    lacking = []
    for (number, places, *needs), each in zip(_ROWS, stated.items, strict=True):
        state, missing = "complete", tuple(n for n in needs if said[n] is False)
        by_person = int(number) in waived & _AT_WILL
        is_unneeded = bool(needs) and all(said[name] is None for name in needs)
        if by_person or is_unneeded:
            state, missing = "does_not_apply", ()
        elif missing:
            state = "missing"
            sections |= dict.fromkeys(places.split(","), False)
            if _FIRST & set(places.split(",")):
                lacking.append(int(number))
        unsigned = tuple(name for name in missing if if_signed[name])
        found = (int(number), state, missing, by_person)
        fits = found == (each.number, each.state, each.missing, each.by_person)
        fits = fits and each.unsigned == unsigned
        yield Check("dossier_item", fits, {"item": int(number)})
        n_complete += state == "complete"
        n_asked += state != "does_not_apply"
    counted = (n_complete, n_asked) == (stated.complete, stated.asked)
    fits = counted and tuple(lacking) == stated.lacking and sections == stated.sections
    yield Check("dossier_complete", fits)
    tests = [(e.verified, e.claimed, e.targets) for e in stated.intruder_tests]
    yield Check("intruder_counts", all(list(e) == sorted(e) for e in tests))
    yield Check("dossier_columns", _columns_fit(evidence, stated))


def _counts(entry: Entry | None) -> bool:
    """Whether a text has a name and a date."""
    return entry is not None and all(
        part.strip() for part in (entry.text, entry.by, entry.on)
    )


def _said(evidence: Evidence, stated: Dossier) -> Mapping[str, bool | None]:
    """Whether each thing that items need is said; None where it is not needed."""
    said: dict[str, bool | None] = {
        name: _counts(stated.entries.get(name)) for row in _ROWS for name in row[2:]
    }
    said |= _of_context(evidence)
    said |= _of_columns(evidence) | _of_validity(evidence.validity)
    columns = _columns(evidence)
    for name, asked in columns.items():
        texts = [stated.columns.get(each, {}).get(name) for each in asked]
        said[name] = all(map(_counts, texts)) if asked else None
    released = [each for each in evidence.attributes if each.released_as is not None]
    said["title"] = evidence.title.strip() not in ("", "Untitled")
    roles = [each for each in evidence.attributes if each.treatment != "left_out"]
    said["roles"] = all(each.role and each.confirmed for each in roles)
    said["findings_signed"] = all(each.is_signed for each in evidence.questions)
    said["overruled_signed"] = all(each.is_signed for each in evidence.overruled)
    has_notes = bool(evidence.notes.strip())
    said["notes_signed"] = evidence.notes_signed.is_signed or not has_notes
    n_gone = evidence.suppressed_records or evidence.unit.suppressed_people
    if not n_gone and evidence.policy.cells is None:
        said["suppression_because"] = None
    if stated.intruder_tests:
        said["intruder"] = True
    reasons = evidence.criteria.not_measured if evidence.criteria is not None else {}
    has_gaps = any(each.startswith("one_more") for each in reasons)
    if not has_gaps and any(e.decides is not None for e in evidence.sensitivity):
        said["sensitivity"] = True
    if all(each.role != "sensitive" for each in released):
        said["harm"] = None
    keys = {each.key for each in released if each.treatment == "pseudonym"}
    if keys <= {"destroyed"}:
        # Nobody keeps a key that is destroyed.
        said["key_custodian"] = True if keys else None
    if evidence.context is not None and evidence.context.release == "public":
        said["recipient_access"] = None
    return said


def _said_if_signed(evidence: Evidence) -> Mapping[str, bool | None]:
    """What would be said if every text had a name and a day."""
    fields = evidence.model_dump(mode="json")
    _sign(fields)
    names = {*Context.model_fields, *Validity.model_fields, "threshold_because"}
    names |= {f"agreement.{name}" for name in Agreement.model_fields}
    for part in ("context", "validity"):
        if fields[part] is not None:
            fields[part]["signed"] = dict.fromkeys(names, _SOMEBODY)
    for each in fields["principles"]:
        each["open"] = [name for name in each["open"] if name != "by"]
    signed = Evidence.model_validate_json(canonical_json(fields), strict=True)
    assert signed.dossier is not None, "it is stated"
    return _said(signed, signed.dossier)


_SOMEBODY = {"by": "-", "on": "2000-01-01"}


def _sign(value: Any) -> None:
    """Put a name and a day wherever one is asked and none stands."""
    if isinstance(value, dict):
        for names in (("by", "on"), ("set_by", "set_on")):
            if value.keys() >= set(names):
                for name, said in zip(names, _SOMEBODY.values(), strict=True):
                    value[name] = value[name] or said
    inside = value.values() if isinstance(value, dict) else value
    for each in inside:
        if isinstance(each, dict | list):
            _sign(each)


def _columns(evidence: Evidence) -> dict[str, list[str]]:
    """Columns that something is entered about."""
    released = [each for each in evidence.attributes if each.released_as is not None]
    return {
        "needed": [each.name for each in released],
        "rule": [e.name for e in released if e.role == "quasi_identifier"],
    }


def _of_columns(evidence: Evidence) -> dict[str, bool | None]:
    """Whether all is said of what outsiders may know of columns."""
    stated = {each.attribute: each for each in evidence.principles}
    said: dict[str, bool | None] = {"principles": None, "no_quasi_identifier": None}
    for each in evidence.attributes:
        if each.treatment == "left_out" or each.role in (None, "direct_identifier"):
            continue
        is_quasi = each.role == "quasi_identifier"
        name = "principles" if is_quasi else "no_quasi_identifier"
        found = stated.get(each.name)
        is_said = found is not None and not found.open
        said[name] = is_said and said[name] is not False
    return said


def _of_validity(stated: Validity | None) -> dict[str, bool | None]:
    names = {"valid_until", "monitoring", "incident", "deletion"}
    if stated is None:
        return dict.fromkeys(names, False)
    by = _signatures(stated.signed)
    is_watched = stated.review_months is not None and bool(stated.in_charge.strip())
    return {
        "valid_until": bool(stated.periods)
        and bool(stated.periods[-1].because.strip() and stated.conditions.strip())
        and "conditions" in by,
        "monitoring": is_watched and {"in_charge", "review_months"} <= by,
        "incident": bool(stated.contact.strip()) and "contact" in by,
        "deletion": stated.kept_until is not None,
    }


def _signatures(entered: Mapping[str, Entered]) -> set[str]:
    """Names under which somebody has signed with a day."""
    return {n for n, each in entered.items() if each.by.strip() and each.on.strip()}


def _columns_fit(evidence: Evidence, stated: Dossier) -> bool:
    """Whether texts are about columns that are released, and asked about them."""
    asked = _columns(evidence)
    described = [each.attribute for each in evidence.principles]
    in_order = [each.name for each in evidence.attributes if each.name in described]
    return described == in_order and all(
        name in asked and column in asked[name]
        for column, texts in stated.columns.items()
        for name in texts or ("nothing",)
    )


def _is_reasoned(stated: Thresholds) -> bool:
    """Whether thresholds have a reason that somebody signed with a day."""
    parts = (stated.justification, stated.set_by, stated.set_on)
    return all(each.strip() for each in parts)


def _of_context(evidence: Evidence) -> dict[str, bool | None]:
    context = evidence.context
    if context is None:
        names = "purpose recipient release agreement clauses attacks controls"
        more = "prevalence breach_rate invasion threshold"
        none = dict.fromkeys(f"{names} {more}".split(), False)
        return {**none, "threshold_because": _is_reasoned(evidence.thresholds)}
    stood_for = _signatures(context.answers)
    answers = stood_for & answers_that_count(context).keys()
    by = _signatures(context.signed)
    public = context.release == "public"
    asks = None if context.release in ("public", "semi_public") else True
    if context.release is None:
        asks = False
    agreement = context.agreement
    parts = (agreement.reference, agreement.parties, agreement.begins, agreement.ends)
    is_reasoned = _is_reasoned(evidence.thresholds)
    is_set = context.threshold is not None
    if context.own_threshold is not None:
        is_reasoned = bool(context.own_threshold_because.strip())
        is_reasoned = is_reasoned and "threshold_because" in by
        is_set = is_set and "threshold" in by
    chance = context.prevalence is not None and context.acquaintances is not None
    is_sourced = bool(context.prevalence_of.strip())
    is_sourced = is_sourced and {"prevalence", "prevalence_of", "acquaintances"} <= by
    has_rate = breach_rate(context) is not None
    has_rate = has_rate and {"breach_rate", "breach_source", "breach_year"} <= by
    judged = _signatures(context.attacks) == context.attacks.keys()
    judged = judged and (context.matrix is None or "matrix" in by)
    of_agreement = {f"agreement.{name}" for name in type(agreement).model_fields}
    out = {name for name, each in context.attacks.items() if each.is_excluded}
    knows, breaks = (None if public or each in out else True for each in ("T2", "T3"))
    return {
        "purpose": bool(context.purpose.strip()) and "purpose" in by,
        "recipient": public or (bool(context.recipient.strip()) and "recipient" in by),
        "release": context.release is not None and "release" in by,
        "agreement": asks and all(e.strip() for e in parts) and of_agreement <= by,
        "clauses": asks and all(key in answers for key in _CLAUSES),
        "attacks": context.attempt is not None and judged,
        "controls": asks and all(key in answers for key in _OF_RECIPIENT),
        "prevalence": knows and chance and is_sourced,
        "breach_rate": breaks and has_rate,
        "invasion": all(key in answers for key in _OF_PRIVACY),
        "threshold": is_set,
        "threshold_because": is_reasoned,
    }
