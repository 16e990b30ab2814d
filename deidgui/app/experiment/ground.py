"""The experiment on what the window discovers alternatives on."""

from __future__ import annotations

from typing import Any

from deidgui.app.experiment.case import Case, Example
from deidgui.app.policies.alternatives.basis import Basis
from deidgui.app.policies.alternatives.comparing import rule_in_words
from deidgui.app.text import sentence_for


def case_of_ground(basis: Basis, name: str = "") -> Case:
    """Return what a discovery rests on, for the experiment.

    Parameters
    ----------
    name : str, optional
        Of the project.

    Returns
    -------
    Case
        With the rule, the values and the people of the discovery; preferences do not
        count.
    """
    facts: dict[str, Any] = {"population": _population(basis)}
    if name:
        facts["file"] = name
    return Case(
        basis.measure.cells,
        basis.rule,
        _reference(basis),
        basis.measure.gamma,
        facts,
    )


def _reference(basis: Basis) -> Example | None:
    rule = basis.baseline
    if rule is None:
        return None
    joined = rule_in_words(rule)
    pairs = zip(basis.attributes, joined, strict=True)
    words = "; ".join(f"{attribute}: {text}" for attribute, text in pairs)
    return Example(rule.kind, joined, words, rule.risk)


def _population(basis: Basis) -> dict[str, Any] | None:
    people = basis.people
    if people is None:
        return None
    return {
        "table": ", ".join(people.tables),
        "title": ", ".join(people.titles) or ", ".join(people.tables),
        "year": max(people.years, default=None),
        "state": ", ".join(people.parts) or None,
        "source": " ".join(people.sources),
        "basis": people.basis,
        "people": people.coverage.n_people_inside,
        "people_of_table": people.coverage.n_people,
        "assumptions": [
            {"code": each.code, "text": sentence_for(each.code, each.params)}
            for each in people.remarks
        ],
    }
