"""`deidgui attack`: the contract, the same figures for a seed, errors that help."""

from __future__ import annotations

import csv
import json

import pytest

from tests.cli.population_case import among_population
from tests.events_case import write_events

FIELDS = ["kind", "variant", "power", "runs", "success", "low", "high", "expected"]


def test_the_contract_for_one_row_per_person(cli, case):
    done = cli("attack", case.project, "--runs", 2000, "--seed", 1, "--json")
    assert done.code == 0
    (attack,) = done.json["attacks"]
    assert list(attack) == FIELDS
    assert attack["kind"] == "known_person"
    assert attack["variant"] == "all_known"
    assert attack["runs"] == 2000
    assert 0 <= attack["low"] <= attack["success"] <= attack["high"] <= 1
    # By plain Python: classes of the release among all people.
    assert cli("run", case.project, "--out", case.out).code == 0
    with (case.out / "patients_released.csv").open(newline="") as file:
        rows = [(r["age"], r["sex"], r["zip"]) for r in csv.DictReader(file)]
    classes = {row for row in rows if row != ("*", "*", "*")}
    assert attack["expected"] == pytest.approx(len(classes) / len(rows))


def test_a_seed_decides_what_is_drawn(cli, case):
    found = [
        cli("attack", case.project, "--runs", 500, "--seed", seed, "--json").out
        for seed in (1, 1, 2)
    ]
    assert found[0] == found[1] != found[2]


def test_the_project_says_how_many_runs(cli, case):
    case.change(attacks={"runs": 70, "seed": 9})
    assert cli("attack", case.project, "--json").json["attacks"][0]["runs"] == 70
    assert cli("attack", case.project, "--runs", 80, "--json").json["seed"] == 9


def test_a_sampling_fraction_lowers_the_success(cli, case):
    before = cli("attack", case.project, "--runs", 100, "--json").json
    privacy = case.fields["privacy"]
    population = {"kind": "sampling_fraction", "sampling_fraction": 0.1}
    case.change(privacy={**privacy, "population": population})
    after = cli("attack", case.project, "--runs", 100, "--json").json
    assert after["fraction"] == 0.1
    both = [found["attacks"][0]["expected"] for found in (before, after)]
    assert both[1] == pytest.approx(0.1 * both[0])


def test_the_words_say_of_whom_and_against_what(cli, case):
    words = " ".join(cli("attack", case.project, "--runs", 200).out.split())
    assert "knows all quasi-identifiers" in words
    assert "200 runs for each figure" in words
    assert "Attacks with a register are not made" in words


def test_what_cannot_be_is_refused(cli, case):
    for options, said in (
        (("--runs", 0), "between 1 and 1,000,000"),
        (("--seed", -1), "seed"),
        (("--order-by", "nothing"), "nothing"),
    ):
        refused = cli("attack", case.project, *options)
        assert refused.code == 2
        assert said in refused.err
    privacy = {"models": [{"kind": "k_anonymity", "k": 299}], "suppression_limit": 0}
    limits = [
        {**each, "maximum_level": 0} if each["role"] == "quasi_identifier" else each
        for each in case.fields["attributes"]
    ]
    case.change(privacy=privacy, attributes=limits)
    assert cli("attack", case.project).code == 3


def test_registers_are_matched_with_the_release(cli, case):
    among_population(case)
    privacy = case.fields["privacy"]
    models = [{"kind": "k_anonymity", "k": 3}]
    case.change(privacy={**privacy, "models": models, "suppression_limit": 0.1})
    done = cli("attack", case.project, "--runs", 100, "--json")
    assert done.code == 0, done.err
    attacks = done.json["attacks"]
    registers = {e["variant"]: e for e in attacks if e["kind"] == "register"}
    assert set(registers) == {"this_release", "sample_of_register"}
    columns = {e["variant"]: e for e in attacks if e["kind"] == "register_columns"}
    assert len(columns) == 6
    whole = registers["sample_of_register"]["expected"]
    for names, each in columns.items():
        assert each["runs"] is None
        assert each["success"] is None
        assert each["power"] == names.count("+") + 1
        assert 0 < each["expected"] <= whole
        for more, other in columns.items():
            if set(names.split("+")) <= set(more.split("+")):
                assert each["expected"] <= other["expected"]
    assert 0 < done.json["fraction"] < 1
    assert "Expected" not in cli("attack", case.project, "--runs", 100).err


@pytest.fixture
def events(cli, tmp_path):
    write_events(tmp_path / "events.csv", n_patients=150)
    project = tmp_path / "p.deid.json"
    options = ("--project", project, "--key", "subject_id")
    assert cli("inspect", tmp_path / "events.csv", *options).code == 0
    roles = ("sex", "birth_year", "region", "admission_year", "ward")
    decided = [
        *(f"--role={name}=quasi_identifier" for name in roles),
        "--role=hadm_id=direct_identifier",
        "--role=diagnosis=sensitive",
        "--model=k_anonymity:k=3",
        "--limit=0.3",
        "--suppressed=left_out",
    ]
    assert cli("decide", project, *decided).code == 0
    return project


def test_rows_of_people_power_and_order(cli, events):
    found = cli("attack", events, "--runs", 400, "--json").json
    assert found["known_of_events"] == ["admission_year", "ward"]
    table = {(e["variant"], e["power"]): e for e in found["attacks"]}
    assert set(table) == {
        (v, p) for v in ("inexact", "same_event") for p in (5, 10, 15)
    }
    assert "--order-by" in " ".join(found["not_done"])
    options = ("--order-by", "admission_year", "--runs", 400, "--json")
    ordered = cli("attack", events, *options).json
    table = {(e["variant"], e["power"]): e for e in ordered["attacks"]}
    assert len(table) == 9
    for power in (5, 10, 15):
        # The same people are drawn: more knowledge never finds fewer.
        assert table["ordered", power]["success"] >= table["inexact", power]["success"]
    assert table["inexact", 15]["success"] >= table["inexact", 5]["success"]
    assert ordered["order_by"] == "admission_year"
    unreadable = cli("attack", events, "--order-by", "ward", "--runs", 9, "--json").json
    assert len(unreadable["attacks"]) == 6
    assert "no date or number" in " ".join(unreadable["not_done"])


def test_attacks_made_before_a_release_stand_in_it(cli, case):
    case.change(attacks={"runs": 300, "seed": 4, "in_release": True})
    assert cli("run", case.project, "--out", case.out).code == 0
    evidence = json.loads((case.out / "evidence.json").read_bytes())
    stated = evidence["attacks"]
    assert stated["seed"] == 4
    (attack,) = stated["simulated"]
    (same,) = cli("attack", case.project, "--json").json["attacks"]
    assert {name: attack[name] for name in FIELDS} == same
    report = (case.out / "report.html").read_text(encoding="utf-8")
    assert "Simulated attacks" in report
    assert "simulated estimates" in report
    verified = cli("verify", case.out, "--json").json
    assert verified["ok"]
    assert "attacks_fit" in {each["code"] for each in verified["checks"]}
    fields = [field for each in verified["not_checked"] for field in each["fields"]]
    assert "attacks.**" in fields


def test_without_asking_a_release_states_no_attack(cli, case):
    assert cli("run", case.project, "--out", case.out).code == 0
    evidence = json.loads((case.out / "evidence.json").read_bytes())
    assert evidence["attacks"] is None
    assert "Simulated attacks" not in (case.out / "report.html").read_text("utf-8")


def test_a_work_list_is_written_only_by_those_who_know_what_it_contains(cli, case):
    file = case.out.with_name("list.csv")
    refused = cli("worklist", case.project, file)
    assert refused.code != 0
    assert "--contains-values" in refused.err
    assert not file.exists()
    done = cli("worklist", case.project, file, "--contains-values", "--json")
    assert done.code == 0, done.err
    with file.open(encoding="utf-8-sig", newline="") as opened:
        note, head, *rows = csv.reader(opened)
    assert "CONTAINS VALUES" in note[0]
    assert {"age", "sex", "zip"} <= set(head)
    assert done.json["classes"] == len(rows)


def test_a_work_list_never_writes_over_a_file(cli, case):
    """The patients, the project, the release and any other file stay as they were."""
    folder = case.project.parent
    assert cli("run", case.project, "--out", case.out).code == 0
    plain, link = folder / "notes.txt", folder / "link.csv"
    plain.write_text("mine", encoding="utf-8")
    link.symlink_to(folder / "patients.csv")
    taken = (folder / "patients.csv", case.project, plain, link, case.out / "new.csv")
    taken = (*taken, case.out / "below" / "new.csv", case.out / "evidence.json")
    (case.out / "below").mkdir()
    before = {p: p.read_bytes() for p in taken if p.exists()}
    for place in taken:
        refused = cli("worklist", case.project, place, "--contains-values")
        assert refused.code == 2, (place, refused.out)
        assert place.name in refused.err
    assert {p: p.read_bytes() for p in taken if p.exists()} == before
    assert link.is_symlink()


def test_a_work_list_waits_for_the_decisions(cli, case):
    attributes = [{**each, "confirmed": False} for each in case.fields["attributes"]]
    case.change(attributes=attributes)
    file = case.out.with_name("list.csv")
    refused = cli("worklist", case.project, file, "--contains-values")
    assert refused.code == cli("run", case.project, "--out", case.out).code == 2
    assert "not confirmed" in refused.err or "confirm" in refused.err
    assert not file.exists()
