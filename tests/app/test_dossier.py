"""What is entered for a dossier, and what the evidence states of it."""

from __future__ import annotations

import pytest

from deidgui.app import ops
from deidgui.app.dossier.dossier import completeness_of, dossier_facts, requirements
from deidgui.app.project import (
    Answer,
    Attribute,
    Dossier,
    Overruling,
    Project,
    ValidityChoice,
)
from deidgui.app.session import Session
from deidgui.app.storage.project_io import dump_project, parse_project
from deidgui.engine.determination import ELSEWHERE, NEEDS, OF_COLUMNS, TYPED
from deidgui.engine.evidence.entered import Entry
from tests.app.context_case import agreed, public
from tests.app.dossier_case import entry, whole


def columns():
    roles = {
        "name": "direct_identifier",
        "code": "direct_identifier",
        "age": "quasi_identifier",
        "charge": "insensitive",
        "diagnosis": "sensitive",
    }
    treatments = {"name": "remove", "code": "pseudonym"}
    return tuple(
        Attribute(name=n, role=r, confirmed=True, treatment=treatments.get(n))
        for n, r in roles.items()
    )


@pytest.fixture
def project():
    return whole(Project(attributes=columns(), context=agreed()))


def states(project, **more):
    more = {"suppresses": True, **more}
    return {e.item.number: e for e in completeness_of(project, **more).items}


def test_a_whole_dossier_is_complete(project):
    found = completeness_of(project, suppresses=True)
    assert [e.missing for e in found.items if e.state == "missing"] == []
    assert found.n_complete == 46
    assert not found.lacking


def test_nothing_is_assumed():
    met = requirements(Project(), suppresses=None)
    assert set(met) == set(NEEDS)
    # Where there is no reason and no note, nobody has to sign one.
    nothing_to_sign = {"findings_signed", "overruled_signed", "notes_signed"}
    assert {name for name, is_met in met.items() if is_met} == nothing_to_sign


@pytest.mark.parametrize("name", TYPED)
def test_each_text_that_is_taken_back_is_missing(project, name):
    if name == "sensitivity":
        # Complete by itself once the context is answered.
        project = project.but(context=agreed(matrix=None))
    without = ops.enter(name, None)(project)
    if name == "key_custodian":
        # A release of a project destroys the key.
        assert requirements(without, suppresses=True)[name] is True
        return
    assert not requirements(without, suppresses=True)[name]
    # A text of which nobody says who and when does not count.
    for lack in ("text", "by", "on"):
        less = ops.enter(name, entry().but(**{lack: ""}))(project)
        assert not requirements(less, suppresses=True)[name]


@pytest.mark.parametrize("name", OF_COLUMNS)
def test_each_column_is_asked(project, name):
    asked = {
        "needed": {"code", "age", "charge", "diagnosis"},
        "rule": {"age"},
    }[name]
    said = {c for c, texts in project.dossier.columns.items() if name in texts}
    assert said == asked
    for column in asked:
        without = ops.enter(name, None, column)(project)
        assert requirements(without, suppresses=True)[name] is False


def test_a_text_for_many_columns_makes_one_other_project(project, monkeypatch):
    names = ("age", "code", "charge")
    one_by_one = project
    for each in names:
        one_by_one = ops.enter("needed", entry("For all."), each)(one_by_one)
    made = []
    but = Project.but

    def counted(self, **changes):
        made.append(changes)
        return but(self, **changes)

    monkeypatch.setattr(Project, "but", counted)
    assert ops.enter("needed", entry("For all."), *names)(project) == one_by_one
    assert len(made) == 1


ELSEWHERE_TAKEN_BACK = {
    "title": {"name": "Untitled"},
    "purpose": {"context": agreed(purpose=" ")},
    "recipient": {"context": agreed(recipient="")},
    "release": {"context": agreed(release=None)},
    "agreement": {"context": agreed(agreement=agreed().agreement.but(parties=""))},
    "clauses": {"context": agreed().but(answers={})},
    "attacks": {"context": agreed(matrix=None)},
    "controls": {"context": agreed().but(answers={})},
    "prevalence": {"context": agreed(prevalence_of="")},
    "breach_rate": {"context": agreed(breach_year=None)},
    "invasion": {"context": agreed().but(answers={})},
    "threshold": {"context": agreed().but(answers={})},
    "valid_until": {"validity": ValidityChoice(contact="x")},
    "monitoring": {"validity": ValidityChoice(in_charge="x")},
    "incident": {"validity": ValidityChoice(in_charge="x")},
    "deletion": {"validity": ValidityChoice(contact="x")},
    "principles": {"attributes": columns()},
    "no_quasi_identifier": {"attributes": columns()},
    "findings_signed": {
        "answers": (Answer(column="age", kind="text", because="x", about="x"),)
    },
    "overruled_signed": {
        "overrulings": (Overruling(model={}, because="x", about="x"),)
    },
    "notes_signed": {"notes": "x"},
}


@pytest.mark.parametrize("name", list(ELSEWHERE))
def test_what_is_said_elsewhere_is_the_same_field(project, name):
    met = requirements(project, suppresses=True)
    assert met[name] is True
    changes = ELSEWHERE_TAKEN_BACK.get(name)
    if name == "roles":
        open_one = project.attributes[2].but(confirmed=False)
        changes = {"attributes": (*project.attributes[:2], open_one)}
    if name == "threshold_because":
        privacy = project.privacy
        changes = {
            "privacy": privacy.but(threshold=privacy.threshold.but(justification=""))
        }
    suppresses = None if name == "measured" else True
    without = project.but(**(changes or {}))
    assert not requirements(without, suppresses=suppresses)[name]


def test_a_public_release_asks_for_no_agreement(project):
    open_to_all = project.but(context=public())
    found = states(open_to_all)
    for number in (8, 18, 19):
        assert found[number].state == "does_not_apply"
        assert not found[number].is_by_person
    assert found[6].state == "complete"
    # It is asked how far privacy would be invaded, whatever the threshold.
    assert found[20].state == "missing"


def test_what_the_release_does_not_need(project):
    assert states(project, suppresses=False)[35].state == "does_not_apply"
    plain = project.but(attributes=(columns()[2],))
    assert states(plain)[14].state == "does_not_apply"
    assert states(plain)[29].state == "does_not_apply"


def test_a_key_that_is_destroyed_has_no_custodian(project):
    """Item 29 is stated by the program: codes, and nobody can turn them back."""
    without = ops.enter("key_custodian", None)(project)
    assert states(without)[29].state == "complete"


def test_a_person_says_why_an_item_does_not_apply(project):
    without = ops.enter("california", None)(project)
    assert states(without)[9].state == "missing"
    named = ops.call_not_applying(9, entry("No data of California."))(without)
    assert states(named)[9].is_by_person
    unsigned = ops.call_not_applying(9, Entry(text="No."))(without)
    assert states(unsigned)[9].state == "missing"
    with pytest.raises(ValueError, match="always applies"):
        ops.call_not_applying(20, entry())(project)


def test_it_is_undone_and_kept_in_the_project_file(project):
    session = Session()
    session.apply(lambda _: project, "set up")
    session.apply(ops.enter("owner", entry("Other")), "enter owner")
    assert session.project.dossier.entries["owner"].text == "Other"
    session.undo()
    assert session.project == project
    assert parse_project(dump_project(project), "p").dossier == project.dossier


def test_texts_make_no_figures_stale(project):
    from deidgui.app.changes import fingerprint
    from deidgui.app.decides import Decides

    changed = ops.enter("owner", entry("Other"))(project)
    for result in (Decides.MEASUREMENT, Decides.SEARCH, Decides.CRITERIA):
        assert fingerprint(project, result) == fingerprint(changed, result)
    assert fingerprint(project, Decides.RELEASE) != fingerprint(
        changed, Decides.RELEASE
    )


def test_evidence_names_no_column_that_is_not_released(project):
    dossier = project.dossier
    about = {**dossier.columns, "name": {"needed": entry("SECRET")}}
    about["charge"] = {**about["charge"], "rule": entry("not asked")}
    project = project.but(dossier=dossier.but(columns=about))
    stated = dossier_facts(project, suppresses=True)
    assert set(stated.columns) == {"code", "age", "charge", "diagnosis"}
    assert set(stated.columns["charge"]) == {"needed"}
    assert "SECRET" not in stated.model_dump_json()


def test_names_that_nobody_asks_for_are_refused():
    for wrong in (
        {"entries": {"other": entry()}},
        {"columns": {"age": {"owner": entry()}}},
        {"not_applying": {7: entry()}},
    ):
        with pytest.raises(ValueError, match=r"dossier|column|applies"):
            Dossier(**wrong)
