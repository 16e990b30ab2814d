"""Prepared tables on their way to a verified release, without the window."""

from __future__ import annotations

import csv
import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from deidgui.app.commands.headless import inspect, run, verify
from deidgui.app.deciding.asked import AskedDecisions
from deidgui.app.deciding.deciding import decide
from deidgui.app.storage.project_io import load_project
from deidgui.engine.evidence.document import canonical_json
from deidgui.errors import ConfigError, ProblemsError
from tests.events_case import write_events

ROLES = (
    "hadm_id=direct_identifier",
    "sex=quasi_identifier",
    "birth_year=quasi_identifier",
    "region=quasi_identifier",
    "admission_year=insensitive",
    "ward=quasi_identifier",
    "diagnosis=sensitive",
)


def project_of(folder: Path, *steps: str, **others: Any) -> Path:
    """A project of events that is ready to be released, prepared by some steps."""
    file = folder / "events.deid.json"
    write_events(folder / "events.csv")
    inspect(folder / "events.csv", project=file)
    given = AskedDecisions(
        roles=(*ROLES, "subject_id=direct_identifier:pseudonym"),
        key="subject_id",
        recipient="internal",
        set_by="test",
        models=("k_anonymity:k=3",),
        limit=0.3,
        suppressed="stars",
        prepare=steps,
        **others,
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


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "events_released.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_truncation_from_the_command_line_to_a_verified_release(tmp_path):
    step = "truncate_events:share=0.4,columns=ward;diagnosis,period=admission_year"
    file = project_of(tmp_path, step)
    folder, evidence = released(file)
    (stated,) = evidence["preparation"]
    events = Counter(
        (row["subject_id"], row["admission_year"])
        for row in rows_of(folder)
        if row["subject_id"] != "*"
    )
    cuts = stated["checked"]["cuts"]
    assert cuts
    assert all(n <= cuts.get(year, 99) for (_, year), n in events.items())
    assert stated["rows_before"] == evidence["inputs"][0]["rows"]
    assert stated["rows_after"] == evidence["records"] < stated["rows_before"]
    checks = {each["code"]: each for each in verify(folder)["checks"]}
    for code in ("preparation_rows", "preparation_events", "preparation_periods"):
        assert checks[code]["ok"]
    assert "people" in stated["words"][0]
    report = (folder / "report.html").read_text("utf-8")
    assert "Preparation" in report
    assert stated["words"][1] in report


@pytest.mark.parametrize("field", ["most_events", "cuts"])
def test_more_events_than_the_step_left_are_noticed(tmp_path, field):
    step = "truncate_events:share=0.4,columns=ward,period=admission_year"
    folder, evidence = released(project_of(tmp_path, step))
    checked = evidence["preparation"][0]["checked"]
    if field == "most_events":
        checked["most_events"] = 1
    else:
        checked["cuts"] = dict.fromkeys(checked["cuts"], 0)
    (folder / "evidence.json").write_bytes(canonical_json(evidence))
    failed = {e["code"] for e in verify(folder)["checks"] if not e["ok"]}
    wanted = {"most_events": "preparation_events", "cuts": "preparation_periods"}
    assert wanted[field] in failed


def test_steps_are_proposed_told_and_removed(tmp_path):
    file = project_of(tmp_path)
    found = decide(file, AskedDecisions(prepare=("truncate_events:share=0.4",)), {})
    (told,) = found["preparation"]
    assert told["rows_after"] < told["rows_before"]
    assert set(told["columns"]) == {"ward"}
    assert told["period"] == "admission_year"
    assert json.loads(json.dumps(found)) == found
    (step,) = load_project(file).preparation
    assert step.columns == ("ward",)
    with pytest.raises(ConfigError, match="not_one_of"):
        decide(file, AskedDecisions(unprepare=(2,)), {})
    decide(file, AskedDecisions(unprepare=(1,)), {})
    assert load_project(file).preparation == ()


def test_truncation_without_a_key_is_refused(tmp_path):
    write_events(tmp_path / "events.csv")
    file = tmp_path / "p.deid.json"
    inspect(tmp_path / "events.csv", project=file)
    before = file.read_bytes()
    with pytest.raises(ConfigError, match="step_needs_key"):
        decide(file, AskedDecisions(prepare=("truncate_events:share=0.4",)), {})
    assert file.read_bytes() == before


def test_two_runs_release_the_same_table(tmp_path):
    step = "truncate_events:share=0.8,columns=ward;diagnosis"
    file = project_of(tmp_path, step)
    folder, first = released(file)
    shutil.rmtree(folder)
    _, second = released(file)
    assert first["preparation"] == second["preparation"]
    assert first["risk"] == second["risk"]


# -- one value for each person ---------------------------------------------------------


def with_mistakes(folder: Path) -> Path:
    """A project of events in which the sex of two people differs between rows."""
    file = project_of(folder)
    path = folder / "events.csv"
    with path.open(newline="", encoding="utf-8") as text:
        rows = list(csv.reader(text))
    own = Counter(row[0] for row in rows[1:])
    for person in [who for who, n in own.items() if n >= 3][:2]:
        place = next(at for at, row in enumerate(rows) if row[0] == person)
        rows[place][2] = "M" if rows[place][2] == "F" else "F"
    with path.open("w", newline="", encoding="utf-8") as text:
        csv.writer(text).writerows(rows)
    file.unlink()
    inspect(path, project=file)
    given = AskedDecisions(
        roles=(*ROLES, "subject_id=direct_identifier:pseudonym"),
        key="subject_id",
        recipient="internal",
        set_by="test",
        models=("k_anonymity:k=3",),
        limit=0.3,
        suppressed="stars",
    )
    decide(file, given, {})
    return file


def test_nearly_constant_columns_are_hinted_at_with_the_command(tmp_path):
    file = with_mistakes(tmp_path)
    found = decide(file, AskedDecisions(events="proposed"), {})
    (hint,) = found["hints"]
    assert (hint["where"], hint["people"], hint["of"]) == ("sex", 2, 400)
    assert "one_value:columns=sex,rule=RULE" in hint["fix"]
    assert str(file) in hint["fix"]
    step = "one_value:rule=most_frequent"
    found = decide(file, AskedDecisions(events="none", prepare=(step,)), {})
    assert found["hints"] == []
    (told,) = found["preparation"]
    assert told["columns"] == ["sex"] or tuple(told["columns"]) == ("sex",)
    assert told["figures"]["people_who_disagree"] == 2


def test_one_value_to_a_verified_release_and_a_changed_row_is_noticed(tmp_path):
    file = with_mistakes(tmp_path)
    step = "one_value:columns=sex,rule=first_row"
    decide(file, AskedDecisions(prepare=(step,)), {})
    folder, evidence = released(file)
    (stated,) = evidence["preparation"]
    assert stated["checked"]["one_value"] is True
    assert stated["figures"]["people_who_disagree"] == 2
    assert "sex" not in evidence["unit"]["varying"]
    checks = {each["code"]: each for each in verify(folder)["checks"]}
    assert checks["preparation_one_value"]["ok"]
    shown: dict[str, set[str]] = {}
    for row in rows_of(folder):
        if row["subject_id"] != "*":
            shown.setdefault(row["subject_id"], set()).add(row["sex"])
    assert all(len(each) == 1 for each in shown.values())
    # Of wards, which differ, the same statement is false.
    stated["checked"]["columns"] = ["subject_id", "admission_year"]
    (folder / "evidence.json").write_bytes(canonical_json(evidence))
    failed = {e["code"] for e in verify(folder)["checks"] if not e["ok"]}
    assert "preparation_one_value" in failed
