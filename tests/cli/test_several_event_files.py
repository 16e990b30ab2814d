"""Four files on the command line, all the way to a verified release of four files."""

from __future__ import annotations

import csv

from deidgui.app.storage.project_io import load_project
from tests.answers import answer_file
from tests.linked_case import three_kinds, write_rows

QUASI = ("sex", "decade", "code", "place", "code (drugs)", "days", "status (labs)")
DATES = ("date", "date (drugs)", "date (labs)", "status")


def folder_of(tmp_path):
    tables = three_kinds()
    for row in tables["labs"]:
        row["person"] = row.pop("patient")
    for name, rows in tables.items():
        write_rows(tmp_path / f"{name}.csv", rows)
    return [tmp_path / f"{name}.csv" for name in ("claims", "people", "drugs", "labs")]


def test_four_files_from_inspect_to_a_verified_release(cli, tmp_path):
    files, project = folder_of(tmp_path), tmp_path / "p.deid.json"
    unsaid = cli("inspect", *files)
    assert unsaid.code == 2
    assert "--key" in unsaid.err
    options = ("--key", "person", "--project", project, "--json")
    found = cli("inspect", *files, *options).json
    assert [(e["name"], e["of"]) for e in found["inputs"]] == [
        ("table", "claims.csv"),
        ("people", "people.csv"),
        ("drugs", "drugs.csv"),
        ("labs", "labs.csv"),
    ]
    assert [e["table"] for e in found["link"]["further"]] == ["drugs", "labs"]
    assert {e["name"]: e["input"] for e in found["columns"]}["days"] == "drugs"
    told = cli("inspect", *files, "--key", "person").out
    assert "no event in labs.csv" in " ".join(told.split())
    decided = [
        *(f"--role={name}=quasi_identifier" for name in QUASI),
        *(f"--role={name}=insensitive" for name in DATES),
        *("--model=k_anonymity:k=2", "--limit=0.9", "--suppressed=left_out"),
        "--recipient=researcher",
    ]
    assert cli("decide", project, *decided).code == 0
    # Events of a table are truncated by themselves.
    step = "truncate_events:share=0.9,columns=code (drugs)"
    assert cli("decide", project, "--prepare", step).code == 0
    assert load_project(project).preparation
    answer_file(project)
    out = cli("run", project, "--out", tmp_path / "out")
    assert out.code == 0, out.err
    assert cli("verify", tmp_path / "out").code == 0
    with (tmp_path / "out" / "labs_released.csv").open(newline="") as file:
        assert next(csv.reader(file)) == ["person", "date (labs)", "status (labs)"]
    # An input that lies elsewhere is named as the project calls it.
    moved = tmp_path / "elsewhere.csv"
    (tmp_path / "labs.csv").rename(moved)
    lost = cli("run", project, "--out", tmp_path / "again")
    assert lost.code == 2
    assert "labs" in lost.err
    named = f"labs={moved}"
    again = cli("run", project, "--out", tmp_path / "again", "--input", named)
    assert again.code == 0, again.err
    names = {path.name for path in (tmp_path / "again").glob("*.csv")}
    start = {"claims_released.csv", "people_released.csv", "drugs_released.csv"}
    assert names == start | {"elsewhere_released.csv"}
