"""A policy by blocks, from the command to the release: sets counted in its files."""

from __future__ import annotations

import csv
import json
from collections import Counter
from itertools import combinations

import pytest

from deidgui.cli.main import main
from tests.cli.case import Case

COLUMNS = ("age", "sex", "zip")
NO_RECORD = ("*",) * len(COLUMNS)


def with_model(folder, known=2, k=5, limit=0.1):
    case = Case.write(folder)
    models = [{"kind": "known_attributes", "known": known, "k": k}]
    case.change(privacy={"models": models, "suppression_limit": limit})
    return case


def call(capsys, *arguments, code=0):
    capsys.readouterr()
    assert main([str(each) for each in arguments]) == code
    return capsys.readouterr()


def found(capsys, case, *options):
    return json.loads(call(capsys, "blocks", case.project, *options, "--json").out)


def released_rows(case):
    """Quasi-identifiers of the released records, those with stars left out."""
    evidence = json.loads((case.out / "evidence.json").read_bytes())
    with (case.out / evidence["outputs"][0]["path"]).open(encoding="utf-8") as file:
        rows = [tuple(row[name] for name in COLUMNS) for row in csv.DictReader(file)]
    return [row for row in rows if row != NO_RECORD], evidence


@pytest.mark.parametrize("block", [2, 3])
def test_what_is_released_meets_it_by_every_set(capsys, tmp_path, block):
    case = with_model(tmp_path)
    file = tmp_path / "policy.json"
    told = found(capsys, case, f"--block={block}", "--write", file)
    assert told["meets"]
    assert told["suppressed_records"] <= told["limit_records"] == 30
    call(capsys, "decide", case.project, "--choose", file)
    call(capsys, "decide", case.project, "--role=diagnosis=insensitive")
    call(capsys, "run", case.project, "--out", case.out)
    rows, evidence = released_rows(case)
    assert len(rows) == 300 - told["suppressed_records"]
    for known in combinations(range(3), 2):
        sizes = Counter(tuple(row[at] for at in known) for row in rows)
        assert min(sizes.values()) >= 5
    (model,) = evidence["models"]
    assert (model["kind"], model["satisfied"]) == ("known_attributes", True)
    checks = json.loads(call(capsys, "verify", case.out, "--json").out)["checks"]
    assert "model" in {each["code"] for each in checks if each["ok"]}


def test_a_release_that_says_more_than_it_keeps_is_found_out(capsys, tmp_path):
    case = with_model(tmp_path)
    call(capsys, "decide", case.project, "--role=diagnosis=insensitive")
    call(capsys, "run", case.project, "--out", case.out)
    rows, evidence = released_rows(case)
    smallest = min(
        size
        for known in combinations(range(3), 2)
        for size in Counter(tuple(row[at] for at in known) for row in rows).values()
    )
    evidence["models"][0]["k"] = smallest + 1
    (case.out / "evidence.json").write_text(json.dumps(evidence), "utf-8")
    said = call(capsys, "verify", case.out, "--json", code=4).out
    assert "model" in {e["code"] for e in json.loads(said)["checks"] if not e["ok"]}


def test_steps_are_told(capsys, tmp_path):
    case = with_model(tmp_path)
    told = found(capsys, case)
    assert told["steps"]
    levels = dict.fromkeys(COLUMNS, 0)
    for step in told["steps"]:
        assert step["at_risk_before"] > step["at_risk_after"] == 0
        for name, (before, after) in step["raised"].items():
            assert levels[name] == before < after
            levels[name] = after
    assert levels == told["levels"]
    said = " ".join(call(capsys, "blocks", case.project).out.split())
    assert "An adversary knows any 2 of 3 attributes" in said
    assert "→" in said


def test_without_the_model_it_says_how_to_set_it(capsys, tmp_path):
    case = Case.write(tmp_path)
    assert "known_attributes" in call(capsys, "blocks", case.project, code=2).err
    decided = "--model=known_attributes:known=1,k=3", "--drop-model=k_anonymity"
    call(capsys, "decide", case.project, *decided)
    assert found(capsys, case)["known"] == 1


@pytest.mark.parametrize("size", [1, 4])
def test_blocks_of_impossible_size_are_refused(capsys, tmp_path, size):
    case = with_model(tmp_path)
    said = call(capsys, "blocks", case.project, f"--block={size}", code=2).err
    assert "failed in a way" not in said


def test_too_much_to_suppress_is_refused(capsys, tmp_path):
    case = with_model(tmp_path, k=200, limit=0.0)
    case.change_attribute("age", maximum_level=0)
    said = call(capsys, "blocks", case.project, code=3).err
    assert "suppressed" in said
