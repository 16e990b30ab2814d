"""What a public edition of the report calls other tables, and whom it leaves out."""

from __future__ import annotations

from collections import Counter

from deidgui.engine.evidence.document import Criteria, Dossier, Evidence
from deidgui.text import tr


def without_names(evidence: Evidence) -> Evidence:
    """Return the evidence as a public edition tells it.

    PRIVACY: files and folders are often called after people and places; who has
    chosen a table or has tried to find people is named in the confidential edition.
    """
    changes: dict[str, object] = {}
    if evidence.criteria is not None:
        changes["criteria"] = _criteria(evidence.criteria)
    if evidence.dossier is not None:
        changes["dossier"] = _dossier(evidence.dossier)
    return evidence.model_copy(update=changes)


def _criteria(found: Criteria) -> Criteria:
    counts: Counter[str] = Counter()
    compared = []
    for each in found.compared:
        counts[each.kind] += 1
        n = counts[each.kind]
        is_register = each.kind == "register"
        name = tr("register {n}", n=n) if is_register else tr("release {n}", n=n)
        compared.append(each.model_copy(update={"name": name, "by": "", "on": ""}))
    reasons = {}
    for key, reason in found.not_measured.items():
        named = key
        if key.startswith("compared:"):
            counts["other"] += 1
            named = f"compared:{tr('other table {n}', n=counts['other'])}"
        reasons[named] = reason
    held_out = found.held_out
    if held_out is not None and held_out.sha256 is not None:
        said = {"name": tr("people not released"), "by": "", "on": ""}
        held_out = held_out.model_copy(update=said)
    changes = {"compared": tuple(compared), "not_measured": reasons}
    return found.model_copy(update={**changes, "held_out": held_out})


def _dossier(dossier: Dossier) -> Dossier:
    tests = tuple(
        each.model_copy(update={"tried_by": "", "by": ""})
        for each in dossier.intruder_tests
    )
    return dossier.model_copy(update={"intruder_tests": tests})
