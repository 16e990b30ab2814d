"""From a file with many rows per patient to a release that protects patients."""

from __future__ import annotations

import json

import pytest

from deidgui.app.storage.project_io import load_project
from tests.events_case import write_events


@pytest.fixture
def folder(tmp_path):
    write_events(tmp_path / "events.csv")
    return tmp_path


def test_the_key_is_found_asked_for_and_decided(cli, folder):
    project = folder / "p.deid.json"
    found = cli("inspect", folder / "events.csv", "--project", project, "--json").json
    assert found["key"] is None
    assert [each["column"] for each in found["keys"]] == ["subject_id", "hadm_id"]
    key = found["keys"][0]
    assert key["values"] == 400
    assert sum(key["rows_per_value"].values()) == 400
    assert {"sex", "birth_year"} <= set(key["same_in_all_rows"])
    first = found["open"][0]
    assert first["fix"].endswith("--key COLUMN")
    refused = cli("run", project, "--out", folder / "out")
    assert refused.code == 2
    assert "who is protected" in refused.err
    assert cli("decide", project, "--key", "patient").code == 2
    assert cli("decide", project, "--key", "subject_id").code == 0
    assert load_project(project).key == "subject_id"
    # Whose rows they are is decided, and not what becomes of the column.
    left = cli("decide", project, "--json").json["open"]
    assert "how many people may be suppressed" in str(left)
    assert "subject_id" in {each["where"] for each in left}
    both = ("--key", "subject_id", "--role", "subject_id=direct_identifier:pseudonym")
    left = cli("decide", project, *both, "--json").json["open"]
    assert "subject_id" not in {each["where"] for each in left}
    assert load_project(project).attribute("subject_id").treatment == "pseudonym"


def test_inspect_takes_a_key(cli, folder):
    project = folder / "p.deid.json"
    options = ("--project", project, "--key", "subject_id")
    found = cli("inspect", folder / "events.csv", *options, "--json").json
    assert found["key"] == "subject_id"
    assert load_project(project).key == "subject_id"
    unknown = cli("inspect", folder / "events.csv", "--key", "nobody")
    assert unknown.code == 2


def test_to_a_release_that_protects_patients(cli, folder):
    project = folder / "p.deid.json"
    options = ("--project", project, "--key", "subject_id")
    assert cli("inspect", folder / "events.csv", *options).code == 0
    roles = ("sex", "birth_year", "region", "admission_year", "ward")
    decided = [
        *(f"--role={name}=quasi_identifier" for name in roles),
        "--role=hadm_id=direct_identifier",
        "--role=subject_id=direct_identifier:pseudonym",
        "--role=diagnosis=sensitive",
        "--model=k_anonymity:k=5",
        "--model=distinct_l_diversity:attribute=diagnosis,diversity=2",
        "--limit=0.1",
        "--suppressed=left_out",
    ]
    done = cli("decide", project, *decided, "--json")
    assert done.code == 0, done.err
    refused = cli("run", project, "--out", folder / "out")
    assert refused.code == 2
    assert "--accept-finding subject_id:rows" in refused.err
    answer = ("--accept-finding", "subject_id:rows", "--because", "Nobody knows them.")
    assert cli("decide", project, *answer).code == 0
    done = cli("run", project, "--out", folder / "out")
    assert done.code == 0, done.err
    assert "suppressed with all rows" in " ".join(done.out.split())
    evidence = json.loads((folder / "out" / "evidence.json").read_bytes())
    assert evidence["unit"]["people"] == 400
    assert evidence["risk"]["prosecutor"]["highest"] <= 0.2
    verified = cli("verify", folder / "out", "--json")
    assert verified.code == 0
    codes = {each["code"] for each in verified.json["checks"]}
    assert "suppressed_people" in codes


def test_policies_of_people_are_told_in_people(cli, folder):
    """What a search suppresses and asks for are people, never said to be records."""
    project = folder / "p.deid.json"
    options = ("--project", project, "--key", "subject_id")
    assert cli("inspect", folder / "events.csv", *options).code == 0
    roles = ("sex", "birth_year", "region", "admission_year", "ward")
    decided = [
        *(f"--role={name}=quasi_identifier" for name in roles),
        "--role=hadm_id=direct_identifier",
        "--role=subject_id=direct_identifier:pseudonym",
        "--role=diagnosis=insensitive",
        "--model=k_anonymity:k=5",
        "--limit=0.1",
        "--suppressed=left_out",
    ]
    assert cli("decide", project, *decided).code == 0
    found = cli("search", project)
    words = " ".join(found.out.split())
    assert "for 400 people" in words
    assert "at most 40 people suppressed" in words
    assert "count each person once" in words
    assert "record" not in words
    as_json = cli("search", project, "--json").json
    assert as_json["unit"] == "people"
    for each in as_json["candidates"]:
        assert "suppressed with all rows" in each["words"] or (
            "nobody suppressed" in each["words"]
        )
    # A refusal counts people, too, and names the command that would end it.
    strict = ("--model=k_anonymity:k=300", "--limit=0")
    strict = (*strict, *(f"--levels={name}=0..0" for name in roles))
    assert cli("decide", project, *strict).code == 0
    refused = cli("run", project, "--out", folder / "out")
    assert refused.code == 3
    assert "would suppress 400 people" in refused.err
    assert "Nothing would be released" in refused.err


def test_the_country_is_told(cli, tmp_path):
    lines = ["Patientennummer;Geburtsdatum;Geschlecht;Wohnort"]
    lines += [
        f"{n};0{1 + n % 9}.11.19{50 + n % 40};{'mw'[n % 2]};Ulm" for n in range(60)
    ]
    (tmp_path / "fall.csv").write_text("\n".join(lines) + "\n", "utf-8")
    done = cli("inspect", tmp_path / "fall.csv")
    assert "The rules of Germany (DE) are used." in done.out
