"""Reasons and notes carry who and when, and one name signs all that is open."""

from __future__ import annotations

import json

import pytest

from deidgui.app import ops
from deidgui.app.deciding.asked import AskedDecisions
from deidgui.app.deciding.context import with_context, with_context_answer
from deidgui.app.deciding.deciding import decide
from deidgui.app.deciding.validity import with_validity
from deidgui.app.dossier.dossier import OfRelease, completeness_of, dossier_facts
from deidgui.app.dossier.signing import PARTS, sign_open, unsigned_parts, unsigned_words
from deidgui.app.entered import signature_words, today
from deidgui.app.project import Answer, Counts, Overruling, Project
from deidgui.app.report.contents import report_of
from deidgui.app.storage.project_io import dump_project, load_project, save_project
from deidgui.engine.evidence import document
from deidgui.engine.evidence.entered import Entered, Entry, Principles
from deidgui.errors import ConfigError
from tests.app.test_report_dossier import (
    SENTENCE,
    evidence,  # noqa: F401
    project_of,
    stated,
)
from tests.app.test_signed import BY, disagreeing, missing

ANSWER = Answer(column="diagnosis", kind="disclosed", because="Agreed.", about="a")
OVERRULED = Overruling(model={"kind": "k_anonymity", "k": 5}, because="Few.", about="b")


def reasons(project, by="", on=""):
    """The project with an answer, an overruling and notes of somebody, or nobody."""
    signed = {"by": by, "on": on}
    return project.but(
        answers=(ANSWER.but(**signed),),
        overrulings=(OVERRULED.but(**signed),),
        notes="Second extract.",
        notes_signed=Entered(**signed),
    )


def released(evidence, project):  # noqa: F811
    """Evidence with the reasons and notes of a project, and its dossier."""
    questions = [
        document.AnsweredQuestion(
            **each.model_dump(include={"column", "kind", "because", "by", "on"}),
            words="Found.",
        )
        for each in project.answers
    ]
    overruled = [
        document.Overruled(
            **each.model,
            words="Asks.",
            **each.model_dump(include={"because", "by", "on"}),
        )
        for each in project.overrulings
    ]
    of_release = OfRelease(False, questions, overruled)
    return stated(evidence, project).model_copy(
        update={
            "questions": tuple(questions),
            "overruled": tuple(overruled),
            "notes": project.notes,
            "notes_signed": project.notes_signed,
            "dossier": dossier_facts(project, suppresses=True, of_release=of_release),
        }
    )


PART_OF = {"answers": 11, "overrulings": 21, "notes_signed": 43}


@pytest.mark.parametrize("name", PART_OF)
def test_a_reason_that_nobody_signed_leaves_its_item_open(evidence, name):  # noqa: F811
    project = reasons(project_of(evidence), *BY)
    before = released(evidence, project)
    assert PART_OF[name] not in missing(project)
    open_one = {name: getattr(reasons(project), name)}
    for less in (
        project.but(**open_one),
        # A name without a day is no signature, nor is a day without a name.
        project.but(**{name: getattr(reasons(project, by="N. N."), name)}),
        project.but(**{name: getattr(reasons(project, on=BY[1]), name)}),
    ):
        assert PART_OF[name] in missing(less)
        found = released(evidence, less)
        assert PART_OF[name] in [
            e.number for e in found.dossier.items if e.state == "missing"
        ]
        # Worked out again by other code.
        assert disagreeing(found) == disagreeing(before)
        # An item of D3 or D6: no sentence is printed for an expert to sign.
        assert (SENTENCE in str(report_of(found))) == (name == "notes_signed")


def test_who_and_when_stand_beside_each_reason(evidence):  # noqa: F811
    signed = reasons(project_of(evidence))
    signed = signed.but(
        answers=(ANSWER.but(by="A. A.", on="2026-01-01"),),
        overrulings=(OVERRULED.but(by="B. B.", on="2026-02-02"),),
        notes_signed=Entered(by="C. C.", on="2026-03-03"),
    )
    report = report_of(released(evidence, signed))
    assert "Few. (B. B., 2026-02-02)" in report.headline
    text = str(report)
    assert "'A. A., 2026-01-01'" in text
    assert "Second extract. (C. C., 2026-03-03)" in text
    unsigned = report_of(released(evidence, reasons(project_of(evidence))))
    assert "Few. (nobody has signed it)" in unsigned.headline


def test_a_project_of_before_opens_and_its_reasons_are_attributed_to_nobody(tmp_path):
    file = tmp_path / "p.deid.json"
    fields = json.loads(dump_project(reasons(Project(), *BY)))
    for each in (*fields["answers"], *fields["overrulings"]):
        del each["by"], each["on"]
    del fields["notes_signed"]
    file.write_text(json.dumps(fields), encoding="utf-8")
    opened = load_project(file)
    assert opened == reasons(Project())
    # Nothing is filled in when it is written again.
    save_project(opened, file)
    assert load_project(file) == opened
    assert signature_words(opened.answers[0].by, opened.answers[0].on) == (
        "nobody has signed it"
    )


def of_every_part():
    """A project in which something of every part is typed, by nobody."""
    nobody = ("", "")
    project = reasons(Project())
    for op in (
        with_context("purpose=Length of stay", *nobody),
        with_context_answer("P1=2:A table", *nobody),
        with_validity("contact=office", *nobody),
        ops.change_threshold(justification="As before."),
        ops.enter("legal_basis", Entry(text="Consent.")),
        ops.enter("needed", Entry(text="Outcome."), "age"),
        ops.call_not_applying(9, Entry(text="Not in California.")),
    ):
        project = op(project)
    return project


def test_one_name_signs_all_that_is_open_and_nothing_else():
    project = of_every_part()
    assert unsigned_parts(project) == {
        "context": 2,
        "validity": 1,
        "thresholds": 1,
        "dossier": 3,
        "reasons": 2,
        "notes": 1,
    }
    assert unsigned_words(unsigned_parts(project)) == (
        "Nobody has signed: context (2), validity, justification of the thresholds, "
        "texts of the dossier (3), reasons (2), notes."
    )
    known = ops.enter("archive", Entry(text="Cellar.", by="A. A.", on="2026-01-01"))
    project = known(project)
    for nobody in ("", "  "):
        with pytest.raises(ConfigError) as refused:
            sign_open(nobody, "2026-11-23")(project)
        assert refused.value.code == "validity_unnamed"
    signed = sign_open(*BY)(project)
    assert unsigned_parts(signed) == {}
    assert signed.dossier.entries["archive"].by == "A. A."
    assert signed.dossier.not_applying[9].by == "N. N."
    assert signed.privacy.threshold.set_by == "N. N."
    # Nothing is typed or decided but names and days.
    assert unsigned_words(unsigned_parts(signed)) == ""
    for name, text in (("notes", "Second extract."), ("name", "Untitled")):
        assert getattr(signed, name) == text
    assert [each.about for each in signed.overrulings] == ["b"]
    # Once more changes nothing.
    assert sign_open("Z. Z.", "2027-01-01")(signed) == signed


def test_what_people_say_of_columns_is_signed_too():
    project = Project(attributes=({"name": "age", "role": "quasi_identifier"},))
    said = Principles(replicability="low", by="", on="")
    attributes = (project.attributes[0].but(principles=said),)
    project = project.but(attributes=attributes)
    assert unsigned_parts(project) == {"columns": 1}
    signed = sign_open(*BY)(project)
    assert signed.attributes[0].principles == said.but(by=BY[0], on=BY[1])


def test_the_reason_for_masked_counts_is_signed_too():
    counts = Counts(inferable_because="Published before.")
    project = Project(kind="counts", counts=counts)
    assert unsigned_parts(project) == {"reasons": 1}
    signed = sign_open(*BY)(project)
    assert signed.counts == counts.but(inferable_signed=Entered(by=BY[0], on=BY[1]))


def test_a_command_signs_all_that_is_open(tmp_path):
    file = tmp_path / "p.deid.json"
    project = of_every_part()
    save_project(project, file)
    before = decide(file, AskedDecisions(), {})
    assert before["unsigned"] == unsigned_parts(project)
    with pytest.raises(ConfigError):
        decide(file, AskedDecisions(signs_open=True), {})
    assert load_project(file) == project
    given = AskedDecisions(signs_open=True, answered_by="N. N.")
    assert decide(file, given, {})["unsigned"] == {}
    assert load_project(file) == sign_open("N. N.", today().isoformat())(project)


def test_notes_carry_who_and_when(tmp_path):
    file = tmp_path / "p.deid.json"
    save_project(Project(), file)
    decide(file, AskedDecisions(notes="First."), {})
    assert load_project(file).notes_signed == Entered()
    decide(file, AskedDecisions(notes="Second.", answered_by="N. N."), {})
    assert load_project(file).notes_signed.by == "N. N."
    # A change that nobody signs is not left to the one before.
    decide(file, AskedDecisions(notes="Third."), {})
    assert load_project(file).notes_signed == Entered()


def test_every_part_of_a_project_with_a_signature_can_be_signed():
    """A further part with a name and a day has to be placed in `PARTS`."""
    assert list(PARTS) == [
        "context",
        "validity",
        "thresholds",
        "columns",
        "dossier",
        "reasons",
        "notes",
    ]


def test_what_only_a_release_tells_is_not_called_complete(evidence):  # noqa: F811
    project = ops.enter("sensitivity", None)(project_of(evidence))
    state = {
        e.item.number: e.state for e in completeness_of(project, suppresses=True).items
    }
    assert state[26] == "not_known"
    found = completeness_of(project, suppresses=True)
    assert found.n_complete == found.n_asked - 1
    assert not found.lacking
    for has_gaps, told in ((True, "missing"), (False, "complete")):
        of_release = OfRelease(has_gaps)
        known = completeness_of(project, suppresses=True, of_release=of_release)
        assert known.items[25].state == told
    # What a person worked out counts at once.
    typed = ops.enter("sensitivity", Entry(text="Twice.", by="N. N.", on=BY[1]))
    assert completeness_of(typed(project), suppresses=True).items[25].state == (
        "complete"
    )
