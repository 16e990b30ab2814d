"""The context by commands: what it allows stops a release, and verify works it out."""

from __future__ import annotations

import json

import pytest

from deidgui.app.storage.project_io import load_project
from deidgui.engine.determination import CONTROLS, INVASION, MOTIVES
from deidgui.engine.evidence.document import canonical_json
from tests.cli.test_decide import folder, project, ready  # noqa: F401

REASON = ("--accept-finding", "charge:unique", "--because", "Rounded before.")
PUBLIC = ("release=public", "purpose=open data", "threshold=1/60")


def said(*pairs):
    return [part for each in pairs for part in ("--context", each)]


@pytest.fixture
def open_to_all(cli, project):  # noqa: F811
    """Thresholds of researchers, and a release that anybody can have."""
    ready(cli, project)
    assert cli("decide", project, *REASON).code == 0
    because = "threshold_because=a rare condition"
    told = cli("decide", project, *said(*PUBLIC, because), "--json").json
    assert told["context"]["open"] == []
    assert told["context"]["limit"] == pytest.approx(1 / 60)
    assert [each["is_asked"] for each in told["context"]["allowed"]] == [False]
    return project


def test_a_release_outside_what_the_context_allows_is_stopped(
    cli,
    open_to_all,
    folder,  # noqa: F811
):
    done = cli("run", open_to_all, "--out", folder / "out")
    assert done.code == 3
    assert "--overrule context_highest" in done.err
    assert "--take-allowed" in done.err
    assert not (folder / "out").exists()
    taken = cli("decide", open_to_all, "--take-allowed", "--json").json
    assert all(each["is_asked"] for each in taken["context"]["allowed"])
    models = load_project(open_to_all).privacy.models
    assert models[0].threshold == 1 / 60
    assert models[0].depth == 60
    assert cli("decide", open_to_all, *REASON).code == 0
    done = cli("run", open_to_all, "--out", folder / "out", "--json")
    assert done.code == 0, done.err
    evidence = done.json["evidence"]
    assert evidence["context"]["limit"] == pytest.approx(1 / 60)
    assert evidence["risk"]["smallest_class"] >= 60
    assert [e["satisfied"] for e in evidence["models"]] == [True] * 3
    assert cli("verify", folder / "out").code == 0
    report = (folder / "out" / "report.html").read_text("utf-8")
    assert "not a measured frequency" in report


def test_a_person_can_overrule_it_and_the_evidence_says_so_first(
    cli,
    open_to_all,
    folder,  # noqa: F811
):
    why = ("--because", "The board has agreed.")
    done = cli("decide", open_to_all, "--overrule", "context_highest", *why)
    assert done.code == 0, done.err
    done = cli("run", open_to_all, "--out", folder / "out", "--json")
    assert done.code == 0, done.err
    evidence = done.json["evidence"]
    assert [each["kind"] for each in evidence["overruled"]] == ["context_highest"]
    assert evidence["warnings"][0].startswith("OVERRULED")
    assert cli("verify", folder / "out").code == 0
    # Another context, and nobody has overruled what it allows.
    assert cli("decide", open_to_all, *said("threshold=1/70")).code == 0
    assert cli("run", open_to_all, "--out", folder / "again").code == 3


def answers():
    for question in CONTROLS:
        yield f"{question.key}=yes:a file"
    for question in MOTIVES:
        yield f"{question.key}=no"
    for question in INVASION:
        yield f"{question.key}=1"


@pytest.fixture
def under_agreement(cli, project, folder):  # noqa: F811
    """A release to researchers, with all answers."""
    ready(cli, project)
    assert cli("decide", project, *REASON).code == 0
    pairs = said(
        *("release=non_public", "recipient=A group", "purpose=Length of stay"),
        *("agreement.reference=DUA-7", "agreement.ends=2027-12-31", "matrix=ipc-2016"),
        *("prevalence=0.001", "prevalence_of=the state", "acquaintances=150"),
        *("breach_rate=0.27", "breach_source=a survey", "breach_year=2012"),
    )
    given = [part for each in answers() for part in ("--context-answer", each)]
    told = cli("decide", project, *pairs, *given, "--answered-by", "N. N.", "--json")
    found = told.json["context"]
    assert found["open"] == []
    assert found["attempt"] == 0.27
    assert found["limit"] == pytest.approx(0.075 / 0.27)
    done = cli("run", project, "--out", folder / "out", "--json")
    assert done.code == 0, done.err
    assert cli("verify", folder / "out").code == 0
    return folder / "out"


CHANGES = {
    "context_level": {"controls": "low"},
    "context_figure": {"limit": 0.9, "attempt": 0.01, "threshold": 0.9, "score": 3.0},
    "context_open": {"open": ["C1"], "asked": 7},
    "context_words": {"words": "All is well."},
}


def test_verify_works_the_context_out_from_the_answers(cli, under_agreement):
    path = under_agreement / "evidence.json"
    whole = json.loads(path.read_bytes())
    context = whole["context"]
    assert context["answers"]["C1"]["by"] == "N. N."
    assert context["overall"]["T3"] == pytest.approx(
        0.27 * whole["risk"]["classes"] / whole["risk"]["records"]
    )
    for code, fields in CHANGES.items():
        for name, value in fields.items():
            forged = {**whole, "context": {**context, name: value}}
            path.write_bytes(canonical_json(forged))
            checks = cli("verify", under_agreement, "--json").json["checks"]
            failed = {each["code"] for each in checks if not each["ok"]}
            assert code in failed, (name, failed)
    for key in ("C1", "M0", "P1"):
        given = dict(context["answers"])
        worse = {"C": "no", "M": "yes", "P": "2"}[key[0]]
        given[key] = {**given[key], "answer": worse}
        path.write_bytes(
            canonical_json({**whole, "context": {**context, "answers": given}})
        )
        checks = cli("verify", under_agreement, "--json").json["checks"]
        failed = {each["code"] for each in checks if not each["ok"]}
        assert failed & {"context_level", "context_figure"}, key
    # Without a context its limits are no conditions.
    path.write_bytes(canonical_json({**whole, "context": None}))
    checks = cli("verify", under_agreement, "--json").json["checks"]
    assert "context_limits" in {each["code"] for each in checks if not each["ok"]}


@pytest.mark.parametrize(
    "options",
    [
        ("--context", "release=everybody"),
        ("--context", "colour=red"),
        ("--context", "prevalence=2"),
        ("--context", "acquaintances=many"),
        ("--context", "threshold=0"),
        ("--context", "agreement.ends=soon"),
        ("--context-answer", "C99=yes"),
        ("--context-answer", "P1=yes"),
    ],
)
def test_what_cannot_be_said_is_refused_with_what_can(cli, project, options):  # noqa: F811
    before = project.read_bytes()
    done = cli("decide", project, *options)
    assert done.code == 2
    assert done.err
    assert project.read_bytes() == before


def test_what_was_said_can_be_taken_back(cli, project):  # noqa: F811
    assert cli("decide", project, *said("release=public")).code == 0
    assert cli("decide", project, "--context-answer", "P1=2").code == 0
    assert cli("decide", project, "--context-answer", "P1=").code == 0
    assert load_project(project).context.answers == {}
    assert cli("decide", project, "--context", "none").code == 0
    assert load_project(project).context.release is None


def test_a_dossier_is_entered_by_commands(cli, project):  # noqa: F811
    """What is entered stands in the project, and what is missing is told."""
    ready(cli, project)
    told = cli("decide", project, "--json").json
    assert told["dossier"] is None
    texts = ("owner=Registry, head, contact", "rule:age=Bands of the tables", "regime=")
    waived = "not_applying:9=Nobody lives in California"
    given = [part for each in (*texts, waived) for part in ("--dossier", each)]
    told = cli("decide", project, *given, "--answered-by", "N. N.", "--json").json
    dossier = load_project(project).dossier
    assert dossier.entries["owner"].text == "Registry, head, contact"
    assert dossier.entries["owner"].by == "N. N."
    assert dossier.entries["owner"].on
    assert dossier.columns["age"]["rule"].text == "Bands of the tables"
    assert dossier.not_applying[9].counts
    missing = {each["item"]: each for each in told["dossier"]["missing"]}
    assert [e["name"] for e in missing[2]["lacks"]] == ["team"]
    assert 9 not in missing
    assert 6 in told["dossier"]["lacking"]
    words = cli("decide", project).out
    assert "items complete" in words
    told = cli("decide", project, "--dossier", "owner=", "--json").json
    assert len({e["item"]: e for e in told["dossier"]["missing"]}[2]["lacks"]) == 2
    for wrong in ("colour=blue", "rule:name=x", "not_applying:7=x", "regime=fda"):
        refused = cli("decide", project, "--dossier", wrong)
        assert refused.code == 2, wrong
