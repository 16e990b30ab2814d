"""Who entered a text and when: without both it is kept, and counts as not complete."""

from __future__ import annotations

import pytest

from deidgui.app import ops
from deidgui.app.deciding.context import (
    context_result,
    with_attack,
    with_context,
    with_context_answer,
)
from deidgui.app.deciding.validity import validity_result, with_validity
from deidgui.app.determination.determination import (
    assessment_of,
    typed_fields,
    unsigned,
)
from deidgui.app.dossier.dossier import completeness_of
from deidgui.app.entered import signature_words
from deidgui.app.project import Project
from deidgui.app.report.contents import report_of
from deidgui.engine.evidence.verify_context import check_context
from deidgui.engine.evidence.verify_dossier import check_dossier
from deidgui.errors import ConfigError
from tests.app.context_case import agreed
from tests.app.test_report_dossier import (
    SENTENCE,
    evidence,  # noqa: F401
    project_of,
    stated,
)

BY = ("N. N.", "2026-11-23")
NOBODY = ("", "2026-11-23")


def missing(project):
    found = completeness_of(project, suppresses=True)
    return {e.item.number for e in found.items if e.state == "missing"}


def disagreeing(found):
    return {
        each.params["item"]
        for each in check_dossier(found)
        if each.code == "dossier_item" and not each.ok
    }


def without(project, name):
    """Take the signature of a field, an answer or a text of the validity away."""
    context, validity = project.context, project.validity
    if name in context.answers:
        lost = {name: context.answers[name].but(by="")}
        return ops.change_context(answers={**context.answers, **lost})(project)
    if name in context.signed:
        left = {key: e for key, e in context.signed.items() if key != name}
        return ops.change_context(signed=left)(project)
    left = {key: e for key, e in validity.signed.items() if key != name}
    return project.but(validity=validity.but(signed=left))


ITEM_OF = {
    "release": 7,
    "recipient": 6,
    "purpose": 4,
    "agreement.reference": 8,
    "agreement.parties": 8,
    "agreement.begins": 8,
    "agreement.ends": 8,
    "matrix": 17,
    "prevalence": 19,
    "prevalence_of": 19,
    "acquaintances": 19,
    "breach_rate": 19,
    "breach_source": 19,
    "breach_year": 19,
    "C1": 8,
    "C20": 18,
    "M2": 18,
    "K3": 18,
    "P8": 20,
    "conditions": 36,
    "in_charge": 37,
    "review_months": 37,
    "contact": 38,
}


@pytest.mark.parametrize("name", ITEM_OF)
def test_what_nobody_signed_leaves_its_item_open(evidence, name):  # noqa: F811
    project = project_of(evidence)
    before = disagreeing(stated(evidence, project))
    assert ITEM_OF[name] not in missing(project)
    less = without(project, name)
    assert ITEM_OF[name] in missing(less)
    found = stated(evidence, less)
    # Worked out again by other code.
    assert disagreeing(found) == before
    text = str(report_of(found))
    assert "nobody has signed" in text
    assert SENTENCE not in text


def test_every_typed_field_of_the_context_has_a_case():
    none = {"threshold", "threshold_because"}
    assert typed_fields(agreed()).keys() - none <= ITEM_OF.keys()
    assert unsigned(agreed()) == ()


def test_commands_keep_a_text_and_attribute_it_to_nobody():
    project = with_context("purpose=Length of stay", *NOBODY)(Project())
    project = with_context_answer("P1=2", *NOBODY)(project)
    project = with_validity("contact=office", *NOBODY)(project)
    assert project.context.purpose == "Length of stay"
    assert project.context.signed == {}
    assert context_result(project)["unsigned"] == ["purpose", "P1"]
    assert validity_result(project)["unsigned"] == ["contact"]
    for op in (
        with_context("purpose=Length of stay", *BY),
        with_context_answer("P1=2", *BY),
        with_validity("contact=office", *BY),
    ):
        project = op(project)
    assert context_result(project)["unsigned"] == []
    assert validity_result(project)["unsigned"] == []
    assert project.context.signed["purpose"].by == "N. N."


def test_a_change_without_a_name_is_not_left_to_the_one_before():
    project = with_context("purpose=First", *BY)(Project())
    project = with_context("purpose=Second", *NOBODY)(project)
    assert unsigned(project.context) == ("purpose",)
    project = with_validity("contact=First", *BY)(project)
    project = with_validity("contact=Second", *NOBODY)(project)
    assert project.validity.signed == {}
    # What is taken back needs no name.
    assert with_context("purpose=", *BY)(project).context == type(project.context)()


def test_an_exclusion_that_nobody_signed_does_not_count(evidence):  # noqa: F811
    project = Project(context=agreed())
    alone = with_attack("T3=excluded:no copies", *NOBODY)(project)
    assert assessment_of(alone).excluded == frozenset()
    assert assessment_of(alone).attempt == assessment_of(project).attempt
    signed = with_attack("T3=excluded:no copies", *BY)(project)
    assert assessment_of(signed).excluded == {"T3"}
    for each in (alone, signed):
        checks = check_context(stated(evidence, each))
        wrong = [(e.code, e.params) for e in checks if not e.ok]
        assert not [e for e in wrong if e[1].get("figure") == "attempt"]


def test_somebody_stands_for_what_is_open_and_for_nothing_else():
    project = with_context("purpose=A", "A. A.", "2026-01-01")(Project())
    project = with_context("recipient=B", *NOBODY)(project)
    project = with_context_answer("P1=2", *NOBODY)(project)
    with pytest.raises(ConfigError):
        ops.sign_context("  ", "2026-11-23")(project)
    project = ops.sign_context(*BY)(project)
    assert unsigned(project.context) == ()
    assert project.context.signed["purpose"].by == "A. A."
    assert project.context.signed["recipient"].by == "N. N."
    assert project.context.answers["P1"].by == "N. N."


def test_nobody_is_named_as_such():
    assert signature_words("", "2026-11-23") == "nobody has signed it"
    assert signature_words("N. N.", "") == "N. N., no date"
    assert signature_words(*BY) == "N. N., 2026-11-23"
