"""A release that is a random sample of the people: drawn, judged, stated, verified."""

from __future__ import annotations

import csv
import json
from collections import Counter

import pytest

from deidgui.app.classes import HierarchyCache, build_classes
from deidgui.app.events_known import fraction_of
from deidgui.app.project import SampleChoice
from deidgui.app.reading.linking import read_project_input
from deidgui.app.storage.project_io import load_project
from deidgui.cli.main import main
from tests.cli.case import Case
from tests.events_case import write_events


@pytest.fixture
def case(tmp_path):
    made = Case.write(tmp_path)
    # Each draw would ask other questions about a sensitive column.
    made.change_attribute("diagnosis", role="insensitive")
    return made


def call(*arguments, code=0):
    assert main([str(each) for each in arguments]) == code


def opened(case):
    project = load_project(case.project)
    return project, read_project_input(project, case.data).table


def released_rows(case):
    (file,) = case.out.glob("*_released.csv")
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def evidence_of(case):
    return json.loads((case.out / "evidence.json").read_bytes())


def test_the_release_is_the_sample(case, capsys):
    call("decide", case.project, "--sample=0.4", "--accept-small-sample")
    call("run", case.project, "--out", case.out)
    evidence, rows = evidence_of(case), released_rows(case)
    sample = evidence["sample"]
    assert (sample["people"], sample["sampled"], sample["draw"]) == (300, 120, "random")
    assert evidence["inputs"][0]["rows"] == 300
    assert evidence["records"] == len(rows) == 120
    kept = [each for each in rows if each["age"] != "*" or each["sex"] != "*"]
    sizes = Counter((e["age"], e["sex"], e["zip"]) for e in kept)
    assert min(sizes.values()) >= 3, "k-anonymity holds in the sample"
    assert sample["average"] == pytest.approx(len(sizes) / 300)
    assert any("fewer than the 3,000" in each for each in evidence["warnings"])
    report = (case.out / "report.html").read_text("utf-8")
    assert "120 of 300 records (40\u202f%)" in report
    capsys.readouterr()
    call("verify", case.out, "--json")
    codes = {each["code"] for each in json.loads(capsys.readouterr().out)["checks"]}
    assert {"sample_size", "sample_fraction", "sample_average"} <= codes


@pytest.mark.parametrize(
    ("field", "value", "failing"),
    [
        ("sampled", 121, "sample_size"),
        ("fraction", 0.5, "sample_fraction"),
        ("people", 310, "sample_of_input"),
        ("average", 0.001, "sample_average"),
    ],
)
def test_verify_notices_another_sample(case, capsys, field, value, failing):
    call("decide", case.project, "--sample=0.4", "--accept-small-sample")
    call("run", case.project, "--out", case.out)
    evidence = evidence_of(case)
    evidence["sample"][field] = value
    (case.out / "evidence.json").write_text(json.dumps(evidence), "utf-8")
    capsys.readouterr()
    call("verify", case.out, "--json", code=4)
    found = json.loads(capsys.readouterr().out)["checks"]
    assert failing in {each["code"] for each in found if not each["ok"]}


def test_a_small_sample_waits_for_a_person(case, capsys):
    call("decide", case.project, "--sample=0.4")
    call("run", case.project, "--out", case.out, code=2)
    said = capsys.readouterr().err
    assert "120 people" in said
    assert "--accept-small-sample" in said
    assert not case.out.exists()


@pytest.mark.parametrize("given", ["0", "1.5", "-1", "x", "nan"])
def test_fractions_are_checked(case, given):
    call("decide", case.project, f"--sample={given}", code=2)
    assert load_project(case.project).sample is None


def test_an_empty_sample_is_refused(case):
    call("decide", case.project, "--sample=0.001", "--accept-small-sample")
    call("run", case.project, "--out", case.out, code=2)


def test_everybody_again(case):
    call("decide", case.project, "--sample=0.4")
    call("decide", case.project, "--sample=none")
    assert load_project(case.project).sample is None


def test_two_draws_differ_and_a_seed_repeats_one(case):
    project, table = opened(case)

    def drawn(choice):
        sampled = project.but(sample=choice)
        return build_classes(sampled, table, {}).draw.rows.tolist()

    assert drawn(SampleChoice(fraction=0.5)) != drawn(SampleChoice(fraction=0.5))
    seeded = SampleChoice(fraction=0.5, seed=4)
    assert drawn(seeded) == drawn(seeded)


def test_other_decisions_do_not_draw_again(case):
    project, table = opened(case)
    project = project.but(sample=SampleChoice(fraction=0.5))
    cache = HierarchyCache()
    first = build_classes(project, table, {}, cache=cache)
    fewer = project.but(
        attributes=tuple(
            each.but(role="insensitive") if each.name == "zip" else each
            for each in project.attributes
        )
    )
    second = build_classes(fewer, table, {}, cache=cache)
    assert second.draw.rows is first.draw.rows
    assert first.table.n_rows == first.class_table.n_records == 150
    # Lines are those of the file.
    row = int(first.draw.rows[7])
    assert first.table.lines.line(7) == table.lines.line(row)
    assert first.table.column("age").text(7) == table.column("age").text(row)


def test_people_are_drawn_with_all_their_rows(tmp_path, capsys):
    """methods.md O-C3: never a part of the rows of a person."""
    lines = ["person,sex"] + ["a,F", "b,F", "c,M"] + ["d,M"] * 97
    data = tmp_path / "e.csv"
    data.write_text("\n".join(lines) + "\n", "utf-8")
    project_file = tmp_path / "p.deid.json"
    call("inspect", data, "--project", project_file, "--key", "person")
    call("decide", project_file, "--role=sex=quasi_identifier")
    project = load_project(project_file).but(sample=SampleChoice(fraction=0.5))
    table = read_project_input(project, data).table
    seen = set()
    for seed in range(20):
        choice = SampleChoice(fraction=0.5, seed=seed)
        classes = build_classes(project.but(sample=choice), table, {})
        assert classes.class_table.n_records == classes.draw.n_sampled == 2
        seen.add(classes.table.n_rows)
    assert seen == {2, 98}


def test_a_sample_of_patients_is_released_and_verified(tmp_path, capsys):
    write_events(tmp_path / "events.csv")
    project = tmp_path / "p.deid.json"
    call(
        *("inspect", tmp_path / "events.csv", "--project", project),
        *("--key", "subject_id"),
    )
    roles = ("sex", "birth_year", "region", "admission_year", "ward")
    call(
        *("decide", project),
        *(f"--role={name}=quasi_identifier" for name in roles),
        *("--role=hadm_id=direct_identifier", "--role=diagnosis=insensitive"),
        "--role=subject_id=direct_identifier:pseudonym",
        *("--model=k_anonymity:k=2", "--limit=0.9", "--suppressed=left_out"),
        *("--sample=0.5", "--sample-seed=3", "--accept-small-sample"),
    )
    capsys.readouterr()
    call("decide", project, "--json")
    for each in json.loads(capsys.readouterr().out)["open"]:
        if "--accept-finding" in each["fix"]:
            name = each["fix"].split("--accept-finding ")[1].split()[0]
            call("decide", project, "--accept-finding", name, "--because", "Known.")
    main(["run", str(project), "--out", str(tmp_path / "out")])
    said = capsys.readouterr().err
    for word in said.split():
        if word.startswith(("subject_id:", "diagnosis:", "hadm_id:")):
            name = word.strip(".,")
            call("decide", project, "--accept-finding", name, "--because", "Known.")
    call("run", project, "--out", tmp_path / "out")
    evidence = json.loads((tmp_path / "out" / "evidence.json").read_bytes())
    assert evidence["sample"]["people"] == 400
    assert evidence["unit"]["people"] == evidence["sample"]["sampled"] == 200
    assert evidence["sample"]["draw"] == "seeded"
    assert any("fixed seed" in each for each in evidence["warnings"])
    call("verify", tmp_path / "out")


def test_a_sample_of_a_sample_is_a_smaller_part_of_the_population(case):
    stated = ("--population", "fraction=0.5", "--sample=0.4", "--accept-small-sample")
    call("decide", case.project, *stated)
    project = load_project(case.project)
    assert project.fraction == pytest.approx(0.2)
    assert fraction_of(project) == project.fraction
    call("run", case.project, "--out", case.out)
    evidence = evidence_of(case)
    assert evidence["risk"]["sampling_fraction"] == pytest.approx(0.2)
    average = evidence["risk"]["prosecutor"]["average"]
    assert evidence["risk"]["journalist"]["average"] == pytest.approx(average * 0.2)
    call("verify", case.out)
