"""How a file is read is said on the command line, and what was left out is counted."""

from __future__ import annotations

import json

import pytest

from deidgui.app.storage.project_io import load_project


@pytest.fixture
def ragged(tmp_path):
    """Titles above the header, and two records of the wrong length."""
    rows = [f"{20 + n % 50};{'mf'[n % 2]};{'abc'[n % 3]}" for n in range(120)]
    rows[3] += ";x"
    rows[70] = "40"
    lines = ["Extract of ward list;;", "age;sex;ward", *rows]
    (tmp_path / "ward.csv").write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path


def test_records_of_the_wrong_length_are_left_out_by_a_word_and_counted(cli, ragged):
    refused = cli("inspect", ragged / "ward.csv")
    assert refused.code == 2
    assert "--dialect skip_ragged=yes" in refused.err
    project = ragged / "p.deid.json"
    done = cli(
        "inspect",
        ragged / "ward.csv",
        "--project",
        project,
        "--dialect",
        "skip_ragged=yes",
    )
    assert done.code == 0, done.err
    assert "2 records of the wrong length" in " ".join(done.out.split())
    assert "Lines above the header that are not read: 1." in " ".join(done.out.split())
    assert load_project(project).inputs[0].n_left_out == 2
    decided = (
        "--rows-are-people",
        "--role=age=quasi_identifier",
        "--role=sex=quasi_identifier",
        "--role=ward=quasi_identifier",
        "--recipient=researcher",
        "--suppressed=left_out",
    )
    assert cli("decide", project, *decided).code == 0
    done = cli("run", project, "--out", ragged / "out")
    assert done.code == 0, done.err
    evidence = json.loads((ragged / "out" / "evidence.json").read_bytes())
    assert evidence["inputs"][0]["left_out"] == 2
    assert evidence["inputs"][0]["rows"] == 118
    assert any("2 records" in e and "left out" in e for e in evidence["warnings"])
    report = (ragged / "out" / "report.html").read_text("utf-8")
    assert "a person chose to leave such records out" in report
    assert cli("verify", ragged / "out").code == 0


@pytest.fixture
def words(tmp_path):
    rows = ["rot;x", "blau;y", "rot;y"] * 30
    (tmp_path / "words.csv").write_text("\n".join(["eins;zwei", *rows]) + "\n", "utf-8")
    return tmp_path


def test_rows_of_totals_are_told(cli, tmp_path):
    """Rows of a table of counts are not people; a word inside a text is no total."""
    counts = ["Regio;Leeftijd;Man", "Noord;0-17;4", "Noord;Totaal;9", "Totaal;0-17;7"]
    (tmp_path / "counts.csv").write_text("\n".join(counts) + "\n", "utf-8")
    told = " ".join(cli("inspect", tmp_path / "counts.csv").out.split())
    assert "Rows are named as totals in: Regio, Leeftijd." in told
    people = [f"{20 + n % 50};{'mf'[n % 2]};total hip {n % 3}" for n in range(120)]
    lines = ["age;sex;operation", *people]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n", "utf-8")
    assert "totals" not in cli("inspect", tmp_path / "people.csv").out


def test_lists_one_below_the_other_are_told(cli, tmp_path):
    """68 records of "column 1" and "column 2" were three lists, and nobody was told."""
    lists = [["type_id,kind", *(f"{n},kind {n}" for n in range(1, 20))]]
    lists.append(["place_id,kind", *(f'{n},"ward {n}, left"' for n in range(1, 15))])
    for empty in (",", ""):
        lines = [*lists[0], empty, *lists[1]]
        (tmp_path / "lists.csv").write_text("\r\n".join(lines) + "\r\n", "utf-8")
        found = cli("inspect", tmp_path / "lists.csv")
        told = " ".join(found.out.split())
        assert "1 line is empty, and what follows looks like another table." in told
        assert "place_id" not in told
    # Empty lines and single words among numbers are no tables.
    for line in ("", ",", "unknown,kind 3", ",\r\n7,kind 7"):
        lines = [*lists[0], line, "21,kind 21"]
        (tmp_path / "list.csv").write_text("\r\n".join(lines) + "\r\n", "utf-8")
        assert "another table" not in cli("inspect", tmp_path / "list.csv").out


def test_what_the_first_record_is_must_be_said(cli, words):
    project = words / "p.deid.json"
    found = cli("inspect", words / "words.csv", "--project", project, "--json").json
    first = found["open"][0]
    assert first["fix"].endswith("--first-record WHICH")
    assert "--first-record" in cli("run", project, "--out", words / "out").err
    wrong = cli("decide", project, "--first-record", "WHICH")
    assert wrong.code == 2
    assert "names, data" in wrong.err
    data = words / "data.deid.json"
    data.write_bytes(project.read_bytes())
    left = cli("decide", project, "--first-record", "names", "--json").json["open"]
    assert all("--first-record" not in each["fix"] for each in left)
    left = cli("decide", data, "--first-record", "data", "--json").json["open"]
    assert all("--first-record" not in each["fix"] for each in left)
    assert {each.name for each in load_project(data).attributes} == {
        "column 1",
        "column 2",
    }
    assert load_project(data).inputs[0].n_rows == 91


def test_a_dialect_and_a_country_are_decided(cli, words):
    project = words / "p.deid.json"
    assert cli("inspect", words / "words.csv", "--project", project).code == 0
    done = cli("decide", project, "--dialect", "delimiter=comma", "--country", "de")
    assert done.code == 0, done.err
    kept = load_project(project)
    assert [each.name for each in kept.attributes] == ["eins;zwei"]
    assert kept.inputs[0].country == "DE"
    assert cli("decide", project, "--country", "found").code == 0
    assert load_project(project).inputs[0].country is None
    wrong = cli("decide", project, "--country", "Germany")
    assert wrong.code == 2
    assert "two letters" in wrong.err
    assert load_project(project) == load_project(project)


def test_texts_that_may_mean_no_value_are_told(cli, tmp_path):
    """They stay values until a person says so, but never silently."""
    days = ["9999-12-31", *(f"2020-01-{1 + n % 28:02d}" for n in range(119))]
    rows = [f"{'mf'[n % 2]},{day}" for n, day in enumerate(days)]
    rows[5], rows[9] = "k.A.,2020-02-02", "-9,2020-02-02"
    file = tmp_path / "ward.csv"
    file.write_text("\n".join(["sex,seen", *rows]) + "\n", "utf-8")
    told = " ".join(cli("inspect", file).out.split())
    assert "sex: 2 texts in 2 rows" in told
    assert "seen: 1 text in 1 row" in told
    columns = cli("inspect", file, "--json").json["columns"]
    assert [(e["doubtful_values"], e["doubtful_rows"]) for e in columns] == [
        (2, 2),
        (1, 1),
    ]


def test_texts_that_are_taken_as_no_value_are_told(cli, tmp_path):
    rows = [f"{'mf'[n % 2]},{'?' if n % 3 else n},{'?' if n else 1}" for n in range(90)]
    file = tmp_path / "ward.csv"
    file.write_text("\n".join(["sex,weight,payer", *rows]) + "\n", "utf-8")
    told = " ".join(cli("inspect", file).out.split())
    assert "“?” counts as missing in 2 columns." in told
    assert "--not-missing COLUMN=TEXT" in told
    columns = cli("inspect", file, "--json").json["columns"]
    assert [each["missing_values"] for each in columns] == [[], ["?"], ["?"]]
    plain = tmp_path / "plain.csv"
    plain.write_text("\n".join(["sex,age", *(f"m,{n}" for n in range(90))]) + "\n")
    assert "counts as missing" not in cli("inspect", plain).out


def test_a_file_that_is_not_there_is_open(cli, case):
    """Before, nothing was open, and a run was refused."""
    assert cli("decide", case.project, "--json").json["open"] == []
    case.data.rename(case.data.with_name("moved.csv"))
    (found,) = cli("decide", case.project, "--json").json["open"]
    assert case.data.name in found["what"]
    assert cli("run", case.project, "--out", case.out).code == 2
    given = ("--input", f"table={case.data.with_name('moved.csv')}")
    assert cli("decide", case.project, *given, "--json").json["open"] == []
