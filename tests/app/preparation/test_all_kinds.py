"""Every kind of step without the window to a verified release, and what verify sees."""

from __future__ import annotations

import csv
import datetime
import hashlib
import json
import random
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deidgui.app.commands.headless import inspect, run, verify
from deidgui.app.deciding.asked import AskedDecisions
from deidgui.app.deciding.deciding import decide
from deidgui.app.storage.project_io import load_project
from deidgui.engine.evidence.document import canonical_json
from deidgui.errors import ProblemsError

Rows = list[dict[str, str]]

ROLES = {
    "sex": "quasi_identifier",
    "born": "direct_identifier",
    "seen": "insensitive",
    "los": "insensitive",
    "code": "insensitive",
    "doctor": "insensitive",
}


def stays(path: Path) -> Path:
    """Hospital stays with dates and codes, made up."""
    rng = random.Random(5)
    rows = []
    for person in range(300):
        sex, born = rng.choice("FM"), datetime.date(1940 + person % 60, 1, 1)
        start = datetime.date(2015, 1, 1) + datetime.timedelta(rng.randrange(900))
        for _ in range(1 + int(rng.expovariate(0.5))):
            los = min(200, int(rng.expovariate(0.15)))
            code = rng.choice(["I10", "E11.9", "J18.9", "B20", "Z33.1", "S72.0"])
            if code == "B20" and person % 15:
                code = "I10"
            doctor = f"d{rng.randrange(40)}"
            rows.append((f"P{person:04d}", sex, born, start, los, code, doctor))
            start += datetime.timedelta(rng.randrange(1, 400))
    rng.shuffle(rows)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("pid", "sex", "born", "seen", "los", "code", "doctor"))
        writer.writerows(rows)
    return path


def code_list(folder: Path) -> Path:
    path = folder / "elsewhere" / "removal.csv"
    path.parent.mkdir()
    path.write_text("code,prefix,reason\nB20,prefix,HIV\n", "utf-8")
    return path


def project_of(folder: Path, *steps: str) -> Path:
    """A project of stays that is ready to be released, prepared by some steps."""
    file = folder / "stays.deid.json"
    inspect(stays(folder / "stays.csv"), project=file)
    given = AskedDecisions(
        roles=(
            *(f"{name}={role}" for name, role in ROLES.items()),
            "pid=direct_identifier:pseudonym",
        ),
        key="pid",
        recipient="internal",
        set_by="test",
        models=("k_anonymity:k=3",),
        limit=0.3,
        suppressed="stars",
        prepare=steps,
    )
    decide(file, given, {})
    return file


def released(file: Path) -> tuple[Path, dict[str, Any]]:
    folder = file.parent / "out"
    try:
        found = run(file, folder, {})
    except ProblemsError as asked:
        names = tuple(str(each.params["question"]) for each in asked.problems)
        decide(file, AskedDecisions(accept=names, because="made up for a test"), {})
        found = run(file, folder, {})
    return folder, found["evidence"]


def rows_of(folder: Path) -> Rows:
    with (folder / "stays_released.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_every_kind_of_step_to_a_verified_release(tmp_path):
    codes = code_list(tmp_path)
    steps = (
        f"remove_people:codes={codes},columns=code,compare=los",
        "top_code:attribute=los,share=0.95",
        "truncate_events:share=0.9,columns=code;los,period=seen",
        "suppress_providers:attribute=doctor,columns=code,fraction=0.5,fewest=70",
        "shift_dates:attributes=seen;born,days=90",
        "days_since_first:attribute=seen",
        "group_codes:attribute=code,grouping=icd10,level=3",
    )
    file = project_of(tmp_path, *steps)
    project = load_project(file)
    kinds = [each.partition(":")[0] for each in steps]
    assert [each.kind for each in project.preparation] == kinds
    assert project.attribute("seen").kind == "integer"
    removal = project.preparation[0]
    assert (removal.dates, removal.date_format) == ("seen", "YYYY-MM-DD")
    assert (tmp_path / removal.codes).read_bytes() == codes.read_bytes()
    assert str(codes) not in file.read_text("utf-8")
    folder, evidence = released(file)
    told = evidence["preparation"]
    assert [each["kind"] for each in told] == kinds
    assert [each["key"] for each in told] == [*[None] * 4, "destroyed", None, None]
    rows = rows_of(folder)
    assert len(rows) == told[-1]["rows_after"] < told[0]["rows_before"]
    assert not any("B20" in row["code"] for row in rows)
    top = told[1]["figures"]["top"]
    numbers = [
        float(row["los"]) for row in rows if row["los"] not in ("*", f"{top:g}+")
    ]
    assert max(numbers) < top
    assert min(int(row["seen"]) for row in rows if row["seen"] != "*") == 0
    checks = verify(folder)
    assert checks["ok"]
    wanted = {"preparation_rows", "preparation_people", "preparation_top"}
    assert wanted | {"preparation_events"} <= {e["code"] for e in checks["checks"]}
    # A column that is not released is not named.
    assert "born" not in json.dumps(told)
    # Without the steps the columns are what they were.
    decide(file, AskedDecisions(unprepare=tuple(range(1, 8))), {})
    project = load_project(file)
    assert project.preparation == ()
    seen = project.attribute("seen")
    assert (seen.kind, seen.format) == ("date", "YYYY-MM-DD")


# -- what verify notices ---------------------------------------------------------------


def tampered(folder: Path, change: Callable[[Rows], Rows]) -> set[str]:
    """Change the released rows, and the evidence about the file; what fails then."""
    rows = change(rows_of(folder))
    path = folder / "stays_released.csv"
    lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
    content = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(content)
    evidence = json.loads((folder / "evidence.json").read_text("utf-8"))
    (output,) = evidence["outputs"]
    output["bytes"] = len(content)
    output["sha256"] = hashlib.sha256(content).hexdigest()
    (folder / "evidence.json").write_bytes(canonical_json(evidence))
    return {each["code"] for each in verify(folder)["checks"] if not each["ok"]}


def first(rows: Rows) -> dict[str, str]:
    return next(row for row in rows if row["pid"] != "*")


def with_more(rows: Rows) -> Rows:
    first(rows)["los"] = "4000"
    return rows


def with_code(rows: Rows) -> Rows:
    first(rows)["code"] = "b20.9"
    return rows


def with_more_events(rows: Rows) -> Rows:
    who = first(rows)
    for row in rows[:60]:
        row |= {"pid": who["pid"], "sex": who["sex"]}
    return rows


@pytest.mark.parametrize(
    ("step", "change", "code"),
    [
        ("top_code:attribute=los,share=0.95", with_more, "preparation_top"),
        ("remove_people:codes={codes},columns=code", with_code, "preparation_codes"),
        (
            "truncate_events:share=0.9,columns=code",
            with_more_events,
            "preparation_events",
        ),
    ],
)
def test_what_a_step_should_have_left_is_compared(tmp_path, step, change, code):
    step = step.format(codes=code_list(tmp_path))
    folder, _ = released(project_of(tmp_path, step))
    assert verify(folder)["ok"]
    assert code not in tampered(folder, lambda rows: rows)
    assert code in tampered(folder, change)


def test_an_index_of_each_person_to_a_verified_release(tmp_path):
    file = project_of(tmp_path, "charlson_index:attribute=code,codes=ICD-10-CM")
    folder, evidence = released(file)
    (told,) = evidence["preparation"]
    assert told["checked"]["one_value"]
    by_person = {}
    for row in rows_of(folder):
        by_person.setdefault(row["pid"], set()).add(row["code"])
    assert all(len(found) == 1 for found in by_person.values())
    assert verify(folder)["ok"]


@pytest.mark.parametrize(
    ("field", "code"),
    [("rows_after", "preparation_rows"), ("people_after", "preparation_people")],
)
def test_steps_that_do_not_follow_each_other_are_noticed(tmp_path, field, code):
    steps = (
        "top_code:attribute=los,share=0.9",
        "truncate_events:share=0.9,columns=code",
    )
    folder, evidence = released(project_of(tmp_path, *steps))
    evidence["preparation"][0][field] -= 1
    (folder / "evidence.json").write_bytes(canonical_json(evidence))
    failed = {each["code"] for each in verify(folder)["checks"] if not each["ok"]}
    assert code in failed


def test_groups_that_begin_as_a_listed_code_does_are_no_codes(tmp_path):
    # The label of I10 is "I00-I99 ...".
    codes = tmp_path / "l.csv"
    codes.write_text("B20,exact,x\nI00,prefix,y\n", "utf-8")
    steps = (
        f"remove_people:codes={codes},columns=code",
        "group_codes:attribute=code,grouping=icd10,level=3",
    )
    folder, evidence = released(project_of(tmp_path, *steps))
    assert evidence["preparation"][0]["checked"]["columns"] == []
    assert verify(folder)["ok"]


# -- shifted dates ---------------------------------------------------------------------


@pytest.mark.parametrize("seed", [None, 7])
def test_only_a_seed_shifts_dates_alike_again(tmp_path, seed):
    typed = "" if seed is None else f",seed={seed}"
    file = project_of(tmp_path, f"shift_dates:attributes=seen,days=900{typed}")
    found = []
    for _ in range(2):
        folder, evidence = released(file)
        found.append(Counter(row["seen"] for row in rows_of(folder)))
        (told,) = evidence["preparation"]
        assert told["key"] == ("destroyed" if seed is None else "seeded")
        warned = [each for each in evidence["warnings"] if "undo the shift" in each]
        assert bool(warned) == (seed is not None)
        assert verify(folder)["ok"]
        shutil.rmtree(folder)
    assert (found[0] == found[1]) == (seed is not None)
