"""Two files on the command line, all the way to a verified release of two files."""

from __future__ import annotations

import csv
import shutil

import pytest

from deidgui.app.storage.project_io import load_project
from tests.linked_case import event_rows, people_rows, write_rows

ROLES = ("sex", "birth_year", "region", "admission_year", "ward")


@pytest.fixture
def folder(tmp_path):
    people = people_rows()
    events = event_rows(people, without=20)
    stray = {**events[0], "subject_id": "nobody"}
    write_rows(tmp_path / "patients.csv", people)
    write_rows(tmp_path / "diagnoses.csv", [stray, *events])
    return tmp_path


def commands_of(found):
    return [each["fix"] for each in found["open"]]


def test_two_files_from_inspect_to_a_verified_release(cli, folder):
    files = (folder / "diagnoses.csv", folder / "patients.csv")
    project = folder / "p.deid.json"
    options = ("--key", "subject_id", "--project", project, "--json")
    found = cli("inspect", *files, *options).json
    # Whichever is named first: the people are where each key is in one row.
    assert found["file"] == "diagnoses.csv"
    assert [(e["name"], e["of"]) for e in found["inputs"]] == [
        ("table", "diagnoses.csv"),
        ("people", "patients.csv"),
    ]
    assert found["link"] == {
        "column": "subject_id",
        "people_column": "subject_id",
        "orphans": 1,
        "keyless": 0,
        "without_events": 20,
    }
    assert {e["name"]: e["input"] for e in found["columns"]} == {
        "subject_id": "people",
        "sex": "people",
        "birth_year": "people",
        "region": "people",
        "admission_year": "table",
        "ward": "table",
        "diagnosis": "table",
    }
    asked = next(each for each in found["open"] if each["where"] == "links")
    assert "1 with a key that no person has" in asked["what"]
    assert asked["fix"].endswith("--orphans left_out")
    assert cli("decide", project, "--orphans", "left_out").code == 0
    decided = [
        *(f"--role={name}=quasi_identifier" for name in ROLES),
        "--role=diagnosis=sensitive",
        "--model=k_anonymity:k=3",
        "--limit=0.5",
        "--suppressed=stars",
        "--accept-finding",
    ]
    left = cli("decide", project, *decided[:-1], "--json").json
    stars = next(e for e in left["open"] if "rows of *" in e["what"])
    assert stars["fix"].endswith("--suppressed left_out")
    left = cli("decide", project, "--suppressed=left_out", "--json").json
    assert left["open"] == []
    answer_file(project)
    out = folder / "out"
    assert cli("run", project, "--out", out).code == 0
    assert cli("verify", out).code == 0
    with (out / "patients_released.csv").open() as file:
        people = {each["subject_id"] for each in csv.DictReader(file)}
    with (out / "diagnoses_released.csv").open() as file:
        assert {each["subject_id"] for each in csv.DictReader(file)} < people
    # An older release of both files is known again; the files it is made of are safe.
    assert cli("run", project, "--out", out).code == 0
    shutil.copy(folder / "patients.csv", out)
    assert cli("run", project, "--out", out).code == 2


def answer_file(project):
    from tests.answers import answer_file as answer

    answer(project)


def test_the_file_of_people_can_be_named(cli, folder):
    project = folder / "p.deid.json"
    files = (folder / "patients.csv", folder / "diagnoses.csv")
    cli("inspect", *files, "--key", "subject_id", "--project", project)
    away = folder / "elsewhere"
    away.mkdir()
    moved = shutil.move(folder / "patients.csv", away / "patients.csv")
    lost = cli("decide", project, "--orphans", "left_out")
    assert lost.code == 2
    assert "--input people=" in lost.err
    named = ("--input", f"people={moved}")
    assert cli("decide", project, "--orphans", "left_out", *named).code == 0
    assert load_project(project).link.orphans == "left_out"
    assert cli("decide", project, "--orphans", "open", *named).code == 0
    assert load_project(project).link.orphans is None
    unknown = cli("decide", project, "--orphans", "open", "--input", "patients=x.csv")
    assert "people" in unknown.err


def test_every_file_is_told_with_its_own_rows_and_columns(cli, folder):
    files = (folder / "patients.csv", folder / "diagnoses.csv")
    told = cli("inspect", *files, "--key", "subject_id").out.splitlines()[:2]
    for line, path in zip(told, reversed(files), strict=True):
        header, *rows = path.read_text("utf-8").splitlines()
        n_columns = header.count(",") + 1
        assert line == f"{path.name}: {len(rows):,} rows, {n_columns} columns"


def test_each_fault_of_the_key_names_what_to_do(cli, folder):
    files = (folder / "patients.csv", folder / "diagnoses.csv")
    unsaid = cli("inspect", *files)
    assert unsaid.code == 2
    assert "--key COLUMN" in unsaid.err
    assert "subject_id" in unsaid.err
    unknown = cli("inspect", *files, "--key", "ward")
    assert unknown.code == 2
    assert "patients.csv" in unknown.err
    assert "birth_year" in unknown.err
    three = cli("inspect", *files, files[0], "--key", "subject_id")
    assert three.code == 2
    assert "same content" in three.err
    twice = people_rows(50)
    write_rows(folder / "patients.csv", [*twice, twice[3]])
    refused = cli("inspect", *files, "--key", "subject_id")
    assert refused.code == 2
    assert "5, 52" in refused.err
    assert twice[3]["subject_id"] not in refused.err


def test_keys_of_two_names_are_found(cli, tmp_path):
    people = [{"Id": str(n), "sex": "FM"[n % 2]} for n in range(20)]
    events = [{"PATIENT": str(n % 20), "code": str(n % 3)} for n in range(60)]
    files = (
        write_rows(tmp_path / "people.csv", people),
        write_rows(tmp_path / "events.csv", events),
    )
    asked = cli("inspect", *files)
    assert "Id=PATIENT" in asked.err
    for key in ("Id=PATIENT", "PATIENT=Id"):
        found = cli("inspect", *files, "--key", key, "--json").json
        assert found["key"] == "PATIENT"
