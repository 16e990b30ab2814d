"""From a file to a proposed project: nothing harmless, named or read by default."""

from dataclasses import fields

import pytest

from deidgui.app.commands import headless
from deidgui.app.commands.describe import describe_inspection
from deidgui.app.reading import reading
from deidgui.app.reading.linking import read_project_input
from deidgui.app.reading.reading import (
    Inspection,
    propose_project,
    read_input,
    renew_project,
)
from deidgui.app.storage.project_io import load_project, save_project
from tests.cli.case import Case

PEOPLE = [
    ("Müller", "Anna", "Lindenweg 3", "Celle"),
    ("Krause", "Uwe", "Hauptstr. 12", "Kiel"),
    ("Nowak", "Petra", "Am Markt 7", "Neuss"),
    ("Fischer", "Hans", "Goethestr. 1", "Fürth"),
]


def loaded(tmp_path, lines, **how):
    path = tmp_path / "ward.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return read_input(path, **how)


def test_the_first_patient_is_no_header(tmp_path):
    found = loaded(tmp_path, [";".join(row) for row in PEOPLE])
    assert found.table.n_rows == len(PEOPLE)
    assert found.inspection.guess.header_in_doubt
    project = propose_project(found)
    assert [a.name for a in project.attributes] == [f"column {k}" for k in range(1, 5)]
    stored = project.model_dump_json()
    assert not any(cell in stored for row in PEOPLE for cell in row)


def test_a_column_without_evidence_has_no_role(tmp_path):
    lines = ["sex;zzz", *(f"{'MF'[k % 2]};{k % 3}" for k in range(60))]
    project = propose_project(loaded(tmp_path, lines))
    sex, unknown = project.attributes
    assert (sex.role, sex.confirmed) == ("quasi_identifier", False)
    assert (unknown.role, unknown.confirmed, unknown.hierarchy) == (None, False, None)


def test_both_formats_of_dates_stay_in_the_project(tmp_path):
    days = [f"{1 + k % 28}.{1 + k % 12}.20{10 + k % 9}" for k in range(40)]
    iso = [f"20{10 + k % 9}-{1 + k % 12:02d}-{1 + k % 28:02d}" for k in range(20)]
    found = loaded(tmp_path, ["sex;seen", *(f"M;{day}" for day in (*days, *iso))])
    project = propose_project(found)
    seen = project.attributes[1]
    assert (seen.kind, seen.format) == ("date", "D.M.YYYY | YYYY-MM-DD")
    assert seen.hierarchy is not None
    assert seen.hierarchy.rule["format"] == seen.format
    path = tmp_path / "p.deid.json"
    save_project(project, path)
    assert load_project(path).attributes[1].format == seen.format


@pytest.mark.parametrize(("country", "topic"), [(None, "postcode"), ("US", "zip")])
def test_the_country_can_be_said(tmp_path, country, topic):
    lines = ["PLZ;Geschlecht", *(f"{k:05d};m" for k in range(10_115, 99_000, 411))]
    found = loaded(tmp_path, lines, country=country)
    assert found.inspection.country.country == (country or "DE")
    assert propose_project(found).attributes[0].topic == topic
    told = describe_inspection(found)["country"]
    assert told["code"] == found.inspection.country.country


def test_the_country_that_a_person_said_stays_in_the_project(tmp_path):
    lines = ["PLZ;Geschlecht", *(f"{k:05d};m" for k in range(10_115, 99_000, 411))]
    project = propose_project(loaded(tmp_path, lines))
    (file,) = project.inputs
    assert file.country is None
    said = project.but(inputs=(file.but(country="US"),))
    again = read_project_input(said, tmp_path / "ward.csv")
    assert again.inspection.findings["PLZ"].topic == "zip"
    assert renew_project(said, again).inputs[0].country == "US"


def test_what_is_found_out_later_is_what_is_found_out_at_once(tmp_path):
    lines = ["PLZ;Geschlecht", *(f"{k:05d};m" for k in range(10_115, 99_000, 411))]
    project = propose_project(loaded(tmp_path, lines))
    path = tmp_path / "ward.csv"
    at_once = read_project_input(project, path).inspection
    later = read_project_input(project, path, inspects=False).inspection
    for name in ("keys", *(each.name for each in fields(Inspection))):
        assert getattr(later, name) == getattr(at_once, name), name


def test_a_search_of_decided_columns_finds_nothing_out_about_them(
    tmp_path, monkeypatch
):
    case = Case.write(tmp_path)
    expected = headless.search(case.project, {})

    def fail(*_arguments, **_options):
        raise AssertionError("asked what the columns are")

    for name in ("guess_dialect", "detect_columns", "guess_type", "propose_keys"):
        monkeypatch.setattr(reading, name, fail)
    assert headless.search(case.project, {}) == expected


@pytest.mark.parametrize("is_known", [True, False])
def test_a_doubtful_header_of_another_file_is_still_told(tmp_path, is_known):
    """The first record of a file with other columns may be a person."""
    lines = ["sex;age", *(f"{'MF'[k % 2]};{k % 60}" for k in range(120))]
    project = propose_project(loaded(tmp_path, lines))
    lines = lines if is_known else [";".join(row) for row in PEOPLE]
    (tmp_path / "ward.csv").write_text("\n".join(lines), encoding="utf-8")
    at_once, later = (
        renew_project(
            project,
            read_project_input(project, tmp_path / "ward.csv", inspects=inspects),
        )
        for inspects in (True, False)
    )
    assert at_once == later
    assert later.inputs[0].header_in_doubt is not is_known
