"""Tables of counts in which columns tell who single people are."""

from __future__ import annotations

import csv
import gzip
import json

import pytest

from deidgui.app.counts.fuzzing import fuzz, run_counts
from deidgui.app.counts.inspecting import inspect
from deidgui.app.counts.questions import (
    answered_about,
    open_questions,
    questions_of_tables,
)
from deidgui.app.deciding.asked import AskedDecisions
from deidgui.app.deciding.deciding import decide
from deidgui.app.release.verifying import verify
from deidgui.app.report.public_edition import for_public
from deidgui.app.storage.project_io import load_project
from deidgui.engine.counts.noise.rules import RoundedGaussian
from deidgui.engine.counts.tables.table import CountTable
from deidgui.engine.evidence.counts_document import CountsEvidence
from deidgui.errors import ConfigError, InputError, ProblemsError
from tests.shared import shared

RULE = RoundedGaussian(2.5, 11, "noise", "keyed")

PEOPLE = (
    *("Lisa Hernandez", "Judy Brown", "Mark Smith", "Ana Jones", "Peter Miller"),
    *("Karl Weber", "Mia Lee", "Tom Hanson", "Jane Doe", "Susan Ray"),
)
COUNTIES = ("Benton", "Blount", "Cheatham", "Dickson", "Fayette", "Gibson", "Hardin")


def table(header, labels, name="visits"):
    rows = [(header, "Visits"), *((each, str(7 + n)) for n, each in enumerate(labels))]
    return CountTable.of(name, rows)


def kinds(*tables):
    return [each.params["kind"] for each in questions_of_tables(tables)]


@pytest.mark.parametrize("header", ["Patient", "", "Resident"])
def test_names_of_people_are_asked_about_whatever_stands_above_them(header):
    assert kinds(table(header, PEOPLE)) == ["name"]


@pytest.mark.parametrize(
    ("header", "labels", "kind"),
    [
        ("Patient ID", [str(100_234 + 7 * n) for n in range(9)], "medical record"),
        ("mail", [f"someone{n}@example.org" for n in range(9)], "e-mail"),
        ("Phone", [f"(901) 555-01{n}" for n in range(10, 19)], "telephone"),
        ("Date of birth", [f"19{n}-03-07" for n in range(50, 59)], "date of birth"),
    ],
)
def test_numbers_of_people_are_asked_about(header, labels, kind):
    (found,) = kinds(table(header, labels))
    assert found.startswith(kind)


@pytest.mark.parametrize(
    ("header", "labels"),
    [
        ("County", COUNTIES),
        ("Hospital name", ["General Hospital", "Mercy Clinic", "Baptist East"] * 3),
        ("Program ID", list("ABCDEFG")),
        ("Sample2", ["100,000", "50,000", "49,000", "1", "999", "0"]),
        ("Phone calls", ["1", "2", "3", "4", "5", "8"]),
        ("Age", ["0-17", "18-44", "45-64", "65+"]),
        ("Week", [f"2024-01-{n:02}" for n in range(1, 29, 7)]),
    ],
)
def test_what_groups_are_called_is_not_asked_about(header, labels):
    assert not kinds(table(header, labels))


LARGE = [str(100_234 + 7 * n) for n in range(9)]


@pytest.mark.parametrize(
    "heading", ["patients", "Number of patients", "Members", "No. of subjects"]
)
def test_who_is_counted_is_no_number_of_a_person(heading):
    counted = CountTable.of(
        "t", [("Age", heading), *zip(COUNTIES, LARGE, strict=False)]
    )
    assert not kinds(counted)
    # In the first column the same numbers are those of patients.
    assert kinds(table(heading, LARGE))


@pytest.mark.parametrize(
    "heading", ["Patient ID", "Patient number", "MRN", "Patient no."]
)
def test_numbers_of_people_are_asked_about_where_they_are_taken_for_counts(heading):
    counted = CountTable.of(
        "t", [("Age", heading), *zip(COUNTIES, LARGE, strict=False)]
    )
    assert kinds(counted) == ["medical record number"]


@pytest.mark.parametrize(
    ("headers", "kind"),
    [
        (PEOPLE, "name"),
        ([f"someone{n}@example.org" for n in range(5)], "e-mail address"),
        (COUNTIES, None),
        (["White", "Black", "Asian", "Other"], None),
        (["January", "April", "May", "June", "July", "August"], None),
    ],
)
def test_people_may_stand_in_the_headers(headers, kind):
    body = [
        [name, *map(str, range(7, 7 + len(headers)))] for name in ("Visits", "Days")
    ]
    wide = CountTable.of("wide", [("Measure", *headers), *body])
    asked = questions_of_tables([wide])
    assert [each.params["kind"] for each in asked] == [kind] * (kind is not None)
    assert all(each.name == "wide:1:identifier" for each in asked)
    assert all(each.words.startswith("Row 1 of “wide”") for each in asked)


@pytest.mark.parametrize(
    "place",
    [
        ("population", "shelby_county_tn_2019_bridged_single_age.csv"),
        ("population", "tn_2000_sf1_tracts.csv.gz"),
        ("population", "us_2000_april1_single_age_sex_race_origin.csv"),
        ("zcta", "zcta_2010_over18_race_origin.csv.gz"),
    ],
)
def test_real_tables_of_counts_are_not_asked_about(place):
    path = shared("data", *place)
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        grid = [row for _n, row in zip(range(2000), csv.reader(file), strict=False)]
    assert not kinds(CountTable.of("real", grid))


def test_a_question_names_a_column_and_no_cell():
    first = table("Lisa Hernandez", PEOPLE)
    (asked,) = questions_of_tables([first])
    assert asked.name == "visits:A:identifier"
    said = json.dumps([asked.words, asked.about, dict(asked.params)])
    assert not any(name in said for name in PEOPLE)


def people_file(tmp_path):
    path = tmp_path / "visits.csv"
    rows = "\n".join(f"{name},{7 + n}" for n, name in enumerate(PEOPLE))
    path.write_text(f"Patient,Visits\n{rows}\n")
    return path


def test_nothing_is_released_while_a_question_is_open(tmp_path):
    path = people_file(tmp_path)
    with pytest.raises(ConfigError, match="label_open"):
        fuzz([path], tmp_path / "out", RULE)
    assert not (tmp_path / "out").exists()
    project = tmp_path / "p.deid.json"
    inspect([path], project)
    with pytest.raises(ConfigError, match="label_open"):
        fuzz([project], tmp_path / "out", RULE)


def answered(tmp_path):
    project = tmp_path / "p.deid.json"
    inspect([people_file(tmp_path)], project)
    rule = "rounded_gaussian:sigma=2.5,threshold=11,zeros=noise,repeats=keyed"
    first = decide(project, AskedDecisions(settings=(f"counts.noise={rule}",)), {})
    assert any("visits:A:identifier" in each["fix"] for each in first["open"])
    given = AskedDecisions(
        accept=("visits:A:identifier",),
        because="They agreed to be named",
        answered_by="A. Person",
    )
    return project, decide(project, given, {})


def test_a_reason_stands_in_evidence_and_report(tmp_path):
    project, after = answered(tmp_path)
    assert not after["open"]
    found = run_counts(load_project(project), project, tmp_path / "out")
    (stated,) = found["evidence"]["questions"]
    assert stated["because"] == "They agreed to be named"
    assert stated["by"] == "A. Person"
    assert any("They agreed to be named" in w for w in found["evidence"]["warnings"])
    assert verify(tmp_path / "out").ok
    report = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "They agreed to be named" in report
    assert "Column A of “visits”" in report


def test_the_public_edition_tells_no_reason_and_no_name(tmp_path):
    project, _ = answered(tmp_path)
    run_counts(load_project(project), project, tmp_path / "out")
    content = (tmp_path / "out" / "evidence.json").read_bytes()
    evidence = CountsEvidence.model_validate_json(content)
    told = for_public(evidence).model_dump_json()
    assert "They agreed to be named" in evidence.model_dump_json()
    assert "They agreed to be named" not in told
    assert "A. Person" not in told
    assert "Column A of" in told


def test_an_answer_is_about_one_column_of_one_table(tmp_path):
    project, _ = answered(tmp_path)
    given = load_project(project)
    same = table("Patient", PEOPLE)
    (stated,) = answered_about(given, [same])
    assert stated.column == "visits:A"
    others = [
        table("Patient", PEOPLE[:-1]),
        table("Phone", [f"(901) 555-01{n}" for n in range(10, 20)]),
        table("Patient", PEOPLE, "others"),
    ]
    for other in others:
        assert open_questions(given, [other]), other
    with pytest.raises(ProblemsError):
        answered_about(given, others[1:])


def test_an_answer_needs_a_reason_and_a_question(tmp_path):
    project, _ = answered(tmp_path)
    for said, code in (
        ({"accept": ("visits:A:identifier",)}, "reason_missing"),
        ({"accept": ("visits:B:identifier",), "because": "x"}, "question_unknown"),
    ):
        with pytest.raises(ConfigError, match=code):
            decide(project, AskedDecisions(**said), {})


def test_a_letter_is_no_table_of_counts(tmp_path):
    path = tmp_path / "letter.csv"
    path.write_text("Dear colleague\nThank you for the report\nWith kind regards\n")
    with pytest.raises(InputError, match="counts_none"):
        fuzz([path], tmp_path / "out", RULE)
    assert not (tmp_path / "out").exists()


def test_names_are_asked_about_where_they_are_taken_for_counts():
    """Of words alone all columns but the first are taken for counts."""
    rows = [(name, name.split()[0], "Clinic") for name in PEOPLE]
    words = CountTable.of("words", [("Ward", "Patient", "Place"), *rows])
    assert len(words.layout.labels) == 1
    asked = {each.name for each in questions_of_tables([words])}
    assert "words:B:identifier" in asked
