"""A policy by blocks, from the command to the release: sets counted in its files."""

from __future__ import annotations

import csv
import json
from collections import Counter
from itertools import combinations
from types import SimpleNamespace

import pytest

from deidgui.app.policies.blocks.source import blocks_problems
from deidgui.app.policies.source import main_kind
from deidgui.app.project import Attribute, BlocksChoice, Privacy, Project
from deidgui.cli.main import main
from deidgui.engine.privacy import PRIVACY_MODELS, KnownAttributes
from tests.cli.case import Case, rows

COLUMNS = ("age", "sex", "zip")
NO_RECORD = ("*",) * len(COLUMNS)


def with_model(folder, known=2, k=5, limit=0.1, records=None):
    case = Case.write(folder, records)
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


def suppressing_cells(folder, **asked):
    case = with_model(folder, **asked)
    case.change(blocks={"suppress": "cells"})
    return case


def released_with_cells(capsys, folder, **asked):
    """A verified release in which single cells are suppressed."""
    case = suppressing_cells(folder, **asked)
    file = folder / "policy.json"
    told = found(capsys, case, "--write", file)
    call(capsys, "decide", case.project, "--choose", file)
    call(capsys, "decide", case.project, "--role=diagnosis=insensitive")
    call(capsys, "run", case.project, "--out", case.out)
    return case, told


@pytest.mark.parametrize("known", [1, 2, 3])
def test_single_cells_are_suppressed_and_every_set_holds(capsys, tmp_path, known):
    case, told = released_with_cells(capsys, tmp_path, known=known, k=7, limit=0.3)
    assert told["meets"]
    assert told["suppressed_records"] == 0
    evidence = json.loads((case.out / "evidence.json").read_bytes())
    with (case.out / evidence["outputs"][0]["path"]).open(encoding="utf-8") as file:
        shown = [tuple(row[name] for name in COLUMNS) for row in csv.DictReader(file)]
    assert len(shown) == 300
    for sets in combinations(range(3), known):
        sizes = Counter(tuple(row[at] for at in sets) for row in shown)
        assert min(sizes.values()) >= 7
    stated = evidence["policy"]["cells"]
    levels = evidence["policy"]["levels"]
    tops = {each["name"]: each["height"] for each in evidence["attributes"]}
    places = [at for at, name in enumerate(COLUMNS) if levels[name] < tops[name]]
    stars = {COLUMNS[at]: sum(row[at] == "*" for row in shown) for at in places}
    assert stated["by_attribute"] == {name: n for name, n in stars.items() if n}
    n_records = sum(any(row[at] == "*" for at in places) for row in shown)
    assert stated["records"] == n_records == told["records_with_suppressed_cells"] <= 90
    checks = json.loads(call(capsys, "verify", case.out, "--json").out)["checks"]
    assert {"cells", "cells_suffice", "cells_model", "model"} <= {
        each["code"] for each in checks if each["ok"]
    }
    assert "suppressed" in evidence["policy"]["sentence"]
    policy = json.loads((case.out / "policy.json").read_bytes())
    assert policy["cells"] == stated
    report = (case.out / "report.html").read_text("utf-8")
    assert f"{n_records} records have suppressed cells" in " ".join(report.split())


def test_without_a_chosen_policy_a_run_suppresses_cells_if_that_is_asked(
    capsys, tmp_path
):
    case = suppressing_cells(tmp_path, known=2, k=7, limit=0.3)
    call(capsys, "decide", case.project, "--role=diagnosis=insensitive")
    told = json.loads(call(capsys, "search", case.project, "--json").out)["blocks"]
    assert told["meets"]
    assert told["suppressed_cells"] > 0
    said = " ".join(call(capsys, "search", case.project).out.split())
    assert "An adversary knows any 2 of 3 attributes" in said
    call(capsys, "run", case.project, "--out", case.out)
    evidence = json.loads((case.out / "evidence.json").read_bytes())
    stated = evidence["policy"]["cells"]["by_attribute"]
    assert sum(stated.values()) == told["suppressed_cells"]
    assert evidence["policy"]["levels"] == told["levels"]
    assert (evidence["search"]["method"], evidence["search"]["is_optimum"]) == (
        "blocks",
        False,
    )
    assert not evidence["search"]["chosen"]
    report = " ".join((case.out / "report.html").read_text("utf-8").split())
    assert "block by block" in report
    call(capsys, "verify", case.out)
    call(capsys, "decide", case.project, "--choose", "1")
    chosen = json.loads(case.project.read_bytes())["chosen"]
    assert (chosen["kind"], chosen["levels"]) == ("blocks", told["levels"])
    call(capsys, "decide", case.project, "--choose", "2", code=2)


def test_what_fails_another_model_is_said_to(capsys, tmp_path):
    case = suppressing_cells(tmp_path, known=1, k=7, limit=0.3)
    models = [
        {"kind": "known_attributes", "known": 1, "k": 7},
        {"kind": "k_anonymity", "k": 250},
    ]
    case.change(privacy={"models": models, "suppression_limit": 0.3})
    for command in ("search", "blocks"):
        said = call(capsys, command, case.project, code=3).err
        assert "249 others" in " ".join(said.split())


@pytest.mark.parametrize(("known", "kind"), [(2, "lattice"), (4, "blocks")])
def test_blocks_are_the_way_where_every_policy_has_too_many_sets(known, kind):
    names = [f"q{at}" for at in range(14)]
    attributes = [
        Attribute(name=each, role="quasi_identifier", kind="category") for each in names
    ]
    models = (KnownAttributes(known=known, k=5),)
    project = Project(attributes=attributes, privacy=Privacy(models=models))
    assert main_kind(project) == kind
    others = (*models, PRIVACY_MODELS.from_json({"kind": "k_anonymity", "k": 3}))
    assert main_kind(project.but(privacy=Privacy(models=others))) == "lattice"


@pytest.mark.parametrize("field", ["records", "by_attribute", "k"])
def test_a_release_that_states_other_cells_is_found_out(capsys, tmp_path, field):
    case, told = released_with_cells(capsys, tmp_path, known=2, k=7, limit=0.3)
    assert told["suppressed_cells"] > 0
    content = json.loads((case.out / "evidence.json").read_bytes())
    cells = content["policy"]["cells"]
    if field == "by_attribute":
        cells[field][next(iter(cells[field]))] += 1
    else:
        cells[field] += 100
    (case.out / "evidence.json").write_text(json.dumps(content), "utf-8")
    said = call(capsys, "verify", case.out, "--json", code=4).out
    failed = {each["code"] for each in json.loads(said)["checks"] if not each["ok"]}
    assert failed & {"cells", "cells_suffice"}


def test_more_records_with_suppressed_cells_than_allowed_are_no_release(
    capsys, tmp_path
):
    case, told = released_with_cells(capsys, tmp_path, known=2, k=7, limit=0.3)
    limit = (told["records_with_suppressed_cells"] - 1) / 300
    case.change(
        privacy={
            "models": [{"kind": "known_attributes", "known": 2, "k": 7}],
            "suppression_limit": limit,
        }
    )
    call(capsys, "run", case.project, "--out", tmp_path / "other", code=3)


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
    kept, evidence = released_rows(case)
    assert len(kept) == 300 - told["suppressed_records"]
    for known in combinations(range(3), 2):
        sizes = Counter(tuple(row[at] for at in known) for row in kept)
        assert min(sizes.values()) >= 5
    (model,) = evidence["models"]
    assert (model["kind"], model["satisfied"]) == ("known_attributes", True)
    checks = json.loads(call(capsys, "verify", case.out, "--json").out)["checks"]
    assert "model" in {each["code"] for each in checks if each["ok"]}


def test_a_release_that_says_more_than_it_keeps_is_found_out(capsys, tmp_path):
    case = with_model(tmp_path)
    call(capsys, "decide", case.project, "--role=diagnosis=insensitive")
    call(capsys, "run", case.project, "--out", case.out)
    found_rows, evidence = released_rows(case)
    smallest = min(
        size
        for at, other in combinations(range(3), 2)
        for size in Counter((row[at], row[other]) for row in found_rows).values()
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
    assert "from 2 to 3" in " ".join(said.split())


@pytest.mark.parametrize("command", ["blocks", "search"])
def test_cells_of_people_with_several_rows_are_refused_before_a_search(
    capsys, tmp_path, command
):
    case = suppressing_cells(tmp_path)
    case.change(unit={"kind": "key", "column": "mrn"})
    said = " ".join(call(capsys, command, case.project, code=2).err.split())
    assert "several rows can belong to one person" in said
    assert "Suppress whole records instead" in said
    case.change(blocks={"suppress": "records"})
    assert found(capsys, case)["unit"] == "people"


def test_cells_are_refused_where_they_have_no_meaning():
    of_people = SimpleNamespace(
        class_table=SimpleNamespace(population=SimpleNamespace(is_counted=True))
    )
    project = Project(blocks=BlocksChoice(suppress="cells"))

    def codes(project, classes=None):
        return [each.code for each in blocks_problems(project, classes)]

    refused = "blocks_cells_refused"
    assert refused not in codes(project)
    assert refused in codes(project, of_people)
    anything = Privacy(missing_matches="anything")
    assert refused in codes(project.but(privacy=anything))
    whole = project.but(blocks=BlocksChoice(suppress="records"))
    assert refused not in codes(whole, of_people)


@pytest.mark.parametrize("command", ["blocks", "search"])
def test_more_than_64_attributes_are_refused(capsys, tmp_path, command):
    names = [f"q{at}" for at in range(65)]
    lines = [
        ",".join(names),
        *(",".join("01"[at % 2] for _ in names) for at in range(40)),
    ]
    (tmp_path / "wide.csv").write_text("\n".join(lines), "utf-8")
    flat = {"rule": {"kind": "flat"}}
    project = {
        "format": "deidgui-project",
        "version": 1,
        "unit": {"kind": "row"},
        "inputs": [{"name": "table", "file": "wide.csv"}],
        "attributes": [
            {
                "name": each,
                "confirmed": True,
                "role": "quasi_identifier",
                "kind": "integer",
                "hierarchy": flat,
            }
            for each in names
        ],
        "privacy": {
            "models": [{"kind": "known_attributes", "known": 2, "k": 3}],
            "suppression_limit": 0.1,
        },
    }
    file = tmp_path / "wide.deid.json"
    file.write_text(json.dumps(project), "utf-8")
    said = " ".join(call(capsys, command, file, code=2).err.split())
    assert "There are 65 quasi-identifiers; at most 64" in said


def test_more_known_than_there_are_and_one_value_are_no_obstacle(capsys, tmp_path):
    records = [{**each, "sex": "F"} for each in rows()]
    case = with_model(tmp_path, known=9, limit=0.5, records=records)
    told = found(capsys, case)
    assert told["meets"]
    assert (told["known"], told["blocks"]) == (3, 1)


def test_too_much_to_suppress_is_refused(capsys, tmp_path):
    case = with_model(tmp_path, k=200, limit=0.0)
    case.change_attribute("age", maximum_level=0)
    said = call(capsys, "blocks", case.project, code=3).err
    assert "suppressed" in said


def test_a_suppressed_cell_is_told_from_a_missing_value(capsys, tmp_path):
    records = rows()
    for at in range(0, 300, 4):
        records[at]["sex"] = ""
    case, told = released_with_cells(
        capsys, tmp_path, known=3, k=7, limit=0.4, records=records
    )
    evidence = json.loads((case.out / "evidence.json").read_bytes())
    with (case.out / evidence["outputs"][0]["path"]).open(encoding="utf-8") as file:
        sexes = Counter(row["sex"] for row in csv.DictReader(file))
    n_stars = evidence["policy"]["cells"]["by_attribute"].get("sex", 0)
    assert sexes["*"] == n_stars
    assert told["levels"]["sex"] == 0
    # Missing values are written as such, but for those whose cell is suppressed.
    assert 75 - n_stars <= sexes[""] <= 75


def test_sizes_of_blocks_are_compared(capsys, tmp_path):
    case = with_model(tmp_path)
    options = ("--estimate", "--json")
    told = json.loads(call(capsys, "blocks", case.project, *options).out)
    every, whole = told["choices"]
    assert (every["size"], every["sets"], every["usual"]) == (2, 3, True)
    assert (whole["size"], whole["sets"]) == (3, 1)
    records = [tuple(each[name] for name in COLUMNS) for each in rows()]

    def share(places):
        sizes = Counter(tuple(row[at] for at in places) for row in records)
        return sum(n for n in sizes.values() if n < 5) / 300

    exact = max(share(places) for places in combinations(range(3), 2))
    assert every["share_at_risk"] == pytest.approx(exact)
    assert every["over_estimate"] == 0
    assert whole["over_estimate"] == pytest.approx(share(range(3)) - exact)
    assert 0 < every["search_seconds"][0] < every["search_seconds"][1]
    said = call(capsys, "blocks", case.project, "--estimate").out
    assert "proposed" in said
    assert "exact" in said
