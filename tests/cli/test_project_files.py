"""The help page on project files, done as it says: from a file to a release."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter

import pytest

from deidgui import resources
from deidgui.cli.main import BAD_INPUT, main

N_RECORDS = 400


def blocks(kind):
    page = resources.path("help", "project-files.md").read_text("utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path):
    """The files of the page, beside data that fit them."""
    races = ("White", "White", "Black", "Other")
    rows = [
        ("FM"[i % 2], races[i % 4], 20 + i * 7 % 79, i % 5) for i in range(N_RECORDS)
    ]
    with (tmp_path / "patients.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("sex", "race", "age", "illness"), *rows])
    (project,) = blocks("json")
    (tmp_path / "patients.deid.json").write_text(project)
    (tmp_path / "mappings").mkdir()
    (tmp_path / "mappings" / "race.csv").write_text(blocks("text")[0])
    return tmp_path


def said(capsys, *arguments):
    status = main([str(each) for each in arguments])
    told = capsys.readouterr()
    return status, told.out, told.err


def test_from_the_page_to_a_release(folder, capsys):
    project = folder / "patients.deid.json"
    status, out, err = said(capsys, "search", project, "--json")
    assert status == 0, err
    found = json.loads(out)["alternatives"]
    assert found["population"]["basis"] == "modelled"
    assert found["rule"]["joined"]["sex"] == "∅"
    fields = json.loads(project.read_bytes())
    fields["chosen"] = found["listed"][0]["chosen"]
    project.write_text(json.dumps(fields))
    # What is asked about the released table is answered as the page says.
    status, _, err = said(capsys, "run", project, "--out", folder / "release")
    assert status == BAD_INPUT
    assert "--accept-finding illness:disclosed --because" in err
    answer = ("--accept-finding", "illness:disclosed", "--because", "It is a test.")
    assert said(capsys, "decide", project, *answer)[0] == 0
    status, out, err = said(capsys, "run", project, "--out", folder / "release")
    assert status == 0, err
    assert "at least 5 % below that of Safe Harbor on this data set" in " ".join(
        out.split()
    )
    assert "no determination by itself" in " ".join(out.split())
    evidence = json.loads((folder / "release" / "evidence.json").read_bytes())
    assert evidence["search"]["iterations"] == fields["discover"]["iterations"]
    assert evidence["safe_harbor"]["difference"] <= 0
    assert said(capsys, "verify", folder / "release")[0] == 0
    with (folder / "release" / "patients_released.csv").open(newline="") as file:
        assert sum(
            Counter(row["illness"] for row in csv.DictReader(file)).values()
        ) == (N_RECORDS)


def test_the_rule_is_told_without_signs(folder, capsys):
    status, out, err = said(capsys, "search", folder / "patients.deid.json")
    assert status == 0, err
    told = " ".join(out.split())
    assert "the rule joins: age [90+]" in told
    assert "the rule keeps in full: sex, race" in told


def changed(folder, change):
    path = folder / "patients.deid.json"
    fields = json.loads(path.read_bytes())
    change(fields)
    path.write_text(json.dumps(fields))
    return path


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda p: p["privacy"]["population"].pop("matches"), "--match race=HOW"),
        (lambda p: p["discover"].pop("elements"), "discover.elements"),
        (lambda p: p.pop("discover"), "discover.baseline"),
        (
            lambda p: p["privacy"]["population"].update(tables=["us_1900"]),
            "Choose one of: us_2000",
        ),
        (
            lambda p: p["privacy"]["population"].update(states=["TN"]),
            "full name, as Tennessee",
        ),
        (
            lambda p: p["privacy"]["population"]["matches"]["race"].update(
                csv="no.csv"
            ),
            "not beside the project",
        ),
    ],
    ids=["unconfirmed", "elements", "baseline", "table", "state", "mapping"],
)
def test_what_is_missing_is_told_with_how_to_fix_it(folder, capsys, change, words):
    status, _, err = said(capsys, "search", changed(folder, change))
    assert status == BAD_INPUT
    assert words in err


def test_a_changed_mapping_is_another_population(folder, capsys):
    """A policy is not released with people it was not found for."""
    project = folder / "patients.deid.json"
    _, out, _ = said(capsys, "search", project, "--json")
    chosen = json.loads(out)["alternatives"]["listed"][0]["chosen"]
    changed(folder, lambda p: p.update(chosen=chosen))
    mapping = folder / "mappings" / "race.csv"
    mapping.write_text(mapping.read_text().replace("Other;Two or more races\n", ""))
    status, _, err = said(capsys, "run", project, "--out", folder / "release")
    assert status != 0
    assert "deidgui search PROJECT --json" in err
    assert not (folder / "release").exists()
    mapping.write_text("White;Nobody of this name\n")
    status, _, err = said(capsys, "run", project, "--out", folder / "release")
    assert status == BAD_INPUT
    assert "race" in err


def test_help_of_the_command_that_was_meant(capsys):
    _, _, err = said(capsys, "run", "a.deid.json")
    assert "deidgui run --help" in err


def test_this_folder_has_a_name(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert tmp_path.name in said(capsys, "verify", ".")[2]
