"""From a file to a proposed project: nothing harmless, named or read by default."""

import pytest

from deidgui.app.describe import describe_inspection
from deidgui.app.project_io import load_project, save_project
from deidgui.app.reading.linking import read_project_input
from deidgui.app.reading.reading import (
    propose_project,
    read_input,
    renew_project,
)

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
