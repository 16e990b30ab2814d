"""Linked, prepared, some events known, attacked, released, verified: all together."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from deidgui.app.commands.headless import attack, inspect, run, verify
from deidgui.app.deciding.asked import AskedDecisions
from deidgui.app.deciding.deciding import decide
from deidgui.engine.evidence.document import canonical_json
from deidgui.errors import DeidError, ProblemsError
from tests.linked_case import event_rows, people_rows, write_rows

STEPS = (
    "truncate_events:share=0.8,columns=ward;diagnosis,period=admission_year",
    "top_code:attribute=birth_year,share=0.8",
)
ROLES = (
    "sex=quasi_identifier",
    "birth_year=insensitive",
    "region=insensitive",
    "admission_year=quasi_identifier",
    "ward=quasi_identifier",
    "diagnosis=insensitive",
)
WITHOUT = 40


@pytest.fixture
def project(tmp_path: Path) -> Path:
    people = people_rows()
    write_rows(tmp_path / "patients.csv", people)
    write_rows(tmp_path / "diagnoses.csv", event_rows(people, WITHOUT))
    file = tmp_path / "p.deid.json"
    inspect(
        tmp_path / "diagnoses.csv",
        project=file,
        others=[tmp_path / "patients.csv"],
        key="subject_id",
    )
    given = AskedDecisions(
        roles=ROLES,
        events="proposed,power=2,threshold=0.1,limit=0.05",
        suppressed="left_out",
        prepare=STEPS,
    )
    decide(file, given, {})
    return file


def released(file: Path) -> tuple[Path, dict]:
    folder = file.parent / "out"
    try:
        found = run(file, folder, {})
    except DeidError as asked:
        problems = asked.problems if isinstance(asked, ProblemsError) else (asked,)
        names = tuple(str(each.params["question"]) for each in problems)
        decide(file, AskedDecisions(accept=names, because="made up for a test"), {})
        found = run(file, folder, {})
    return folder, found["evidence"]


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_all_the_way_to_a_verified_release(project):
    folder, evidence = released(project)
    assert verify(folder)["ok"]
    truncated, top_coded = evidence["preparation"]
    assert truncated["rows_before"] == evidence["inputs"][0]["rows"]
    assert truncated["rows_after"] == evidence["records"] < truncated["rows_before"]
    assert truncated["people_after"] == len(people_rows())
    diagnoses = rows_of(folder / "diagnoses_released.csv")
    patients = rows_of(folder / "patients_released.csv")
    assert len(diagnoses) == evidence["records"]
    assert len(patients) == evidence["unit"]["events"]["people"] == len(people_rows())
    having = Counter(each["subject_id"] for each in diagnoses)
    assert len(patients) - len(having) == WITHOUT
    assert max(having.values()) == truncated["checked"]["most_events"]
    # A column of people is checked in their file.
    assert top_coded["checked"]["columns"] == ["birth_year"]
    codes = {each["code"] for each in verify(folder)["checks"]}
    assert {"preparation_top", "preparation_events", "events_people"} <= codes
    top_coded["checked"]["columns"] = ["gone"]
    (folder / "evidence.json").write_bytes(canonical_json(evidence))
    failed = {each["code"] for each in verify(folder)["checks"] if not each["ok"]}
    assert "preparation_columns" in failed


def test_attacks_know_no_event_of_who_has_none(project):
    found = attack(project, {}, runs=400)
    assert found["people"] == len(people_rows())
    shares = {
        (each["variant"], each["power"]): each
        for each in found["attacks"]
        if each["kind"] == "known_person"
    }
    exact = shares["inexact", 5]["expected"]
    assert exact is not None
    assert shares["inexact", 5]["low"] - 0.02 <= exact
    assert exact <= shares["inexact", 5]["high"] + 0.02
