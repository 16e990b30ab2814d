"""What has changed since an earlier release stops the next one, until decided anew."""

from __future__ import annotations

import json
import shutil

import pytest

from deidgui.app.storage.project_io import load_project
from deidgui.engine.evidence.document import canonical_json
from tests.cli.case import csv_of, rows

WHO = ("--answered-by", "A. Analyst")


def evidence(folder):
    return json.loads((folder / "evidence.json").read_bytes())


def run(cli, case, name):
    out = case.out.with_name(name)
    done = cli("run", case.project, "--out", out)
    return done, out


def measured(cli, case, *more):
    done = cli("drift", case.project, "--json", *more)
    assert done.code == 0, done.err
    return done.json


def failed(cli, folder, *more):
    checks = cli("verify", folder, *more, "--json").json["checks"]
    return {each["code"] for each in checks if not each["ok"]}


@pytest.fixture
def followed(cli, case):
    """A project with a release that the next one is compared with."""
    done, first = run(cli, case, "first")
    assert done.code == 0, done.err
    assert measured(cli, case)["drift"] is None
    refused = cli("decide", case.project, "--earlier", first)
    assert refused.code != 0
    assert cli("decide", case.project, "--earlier", first, *WHO).code == 0
    return case


def test_the_same_again_is_released(cli, followed):
    chosen = load_project(followed.project).validity.earlier
    assert (chosen.file, chosen.by) == ("first", "A. Analyst")
    done, second = run(cli, followed, "second")
    assert done.code == 0, done.err
    drift = evidence(second)["drift"]
    assert drift["met"] == []
    assert [each["stability"] for each in drift["columns"]] == [0.0] * 3
    report = (second / "report.html").read_text("utf-8")
    assert "Changes since the earlier release" in report
    given = ("--against", followed.out.with_name("first"))
    done = cli("verify", second, *given)
    assert done.code == 0, done.err
    # What was before and met no trigger shows only beside the earlier release.
    whole, forged = evidence(second), evidence(second)
    blank = {"comparable": False, "cells": {}, "rest": [0, 0], "stability": None}
    forged["drift"]["people_before"] -= 1
    forged["drift"]["created"] = None
    (second / "evidence.json").write_bytes(canonical_json(forged))
    codes = {f"drift_{what}" for what in ("created", "people_before")}
    assert not any(each.startswith("drift") for each in failed(cli, second))
    assert codes <= failed(cli, second, *given)
    # A column that cannot be compared is a trigger by itself.
    forged["drift"]["columns"][0] |= blank
    (second / "evidence.json").write_bytes(canonical_json(forged))
    assert {"drift_met", "drift_decided"} <= failed(cli, second)
    # Who forges what was before shows a trigger that nobody has decided about.
    forged = whole
    forged["drift"]["people_before"] = 100
    (second / "evidence.json").write_bytes(canonical_json(forged))
    assert {"drift_met", "drift_decided"} <= failed(cli, second)


def test_the_earlier_release_is_not_replaced_by_the_next_one(cli, followed):
    """Else nothing could be compared with it any more, nor be verified against it."""
    first = followed.out.with_name("first")
    before = {e: e.read_bytes() for e in first.rglob("*") if e.is_file()}
    done, _ = run(cli, followed, "first")
    assert done.code != 0
    assert "first" in done.err
    assert {e: e.read_bytes() for e in first.rglob("*") if e.is_file()} == before
    moved = first.rename(first.parent.parent / "elsewhere")
    given = ("--input", f"earlier={moved}")
    done = cli("run", followed.project, "--out", moved, *given)
    assert done.code != 0
    assert (moved / "evidence.json").read_bytes() == before[first / "evidence.json"]


def test_another_extract_stops_until_somebody_decides_anew(cli, followed):
    others = [{**each, "sex": "M"} for each in rows(300, seed=6)]
    file = followed.project.with_name("patients.csv")
    assert file.exists()
    file.write_text(csv_of(others), "utf-8")
    done, second = run(cli, followed, "second")
    assert done.code != 0
    assert "deidgui drift" in done.err
    assert not second.exists()
    found = measured(cli, followed)
    assert found["drift"]["met"][0] == "extract"
    assert "drift" in found["drift"]["met"]
    kinds = [each["kind"] for each in found["undecided"]]
    assert kinds == found["drift"]["met"]
    # It is entered by the command that was stopped, as by the window.
    triggers = load_project(followed.project).validity.triggers
    assert [each.kind for each in triggers] == kinds
    assert measured(cli, followed, "--enter")["entered"] == len(kinds)
    assert measured(cli, followed, "--enter")["entered"] == len(kinds)
    # Entered once only, and known to every command from now on.
    triggers = load_project(followed.project).validity.triggers
    assert [each.kind for each in triggers] == kinds
    stopped = cli("run", followed.project, "--out", second)
    assert "--valid" in stopped.err
    period = ("--valid", "2020-01-01..2099-12-31: looked at the new year")
    assert cli("decide", followed.project, *period, *WHO).code == 0
    assert measured(cli, followed)["undecided"] == []
    done, second = run(cli, followed, "second")
    assert done.code == 0, done.err
    assert cli("verify", second).code == 0
    stated = evidence(second)
    assert [
        each["kind"] for each in stated["validity"]["periods"][-1]["after"]
    ] == kinds
    for each in stated["drift"]["columns"]:
        if each["attribute"] == "sex":
            # All of a label that is gone are joined: too many to compare.
            assert not each["comparable"]
    # A decision about something else is none about this.
    forged = json.loads(json.dumps(stated))
    forged["validity"]["periods"][-1]["after"][0]["digest"] = "0" * 64
    (second / "evidence.json").write_bytes(canonical_json(forged))
    assert "drift_decided" in failed(cli, second)
    forged = json.loads(json.dumps(stated))
    forged["drift"]["columns"][0]["stability"] = 0.01
    (second / "evidence.json").write_bytes(canonical_json(forged))
    assert "drift_index" in failed(cli, second)


def test_who_gives_the_comparison_up_is_named_and_decides_anew(cli, followed):
    others = [{**each, "sex": "M"} for each in rows(300, seed=6)]
    followed.project.with_name("patients.csv").write_text(csv_of(others), "utf-8")
    stopped, second = run(cli, followed, "second")
    assert stopped.code != 0
    chosen = load_project(followed.project).validity.earlier
    assert cli("decide", followed.project, "--earlier", "none").code != 0
    assert load_project(followed.project).validity.earlier == chosen
    assert cli("decide", followed.project, "--earlier", "none", *WHO).code == 0
    triggers = load_project(followed.project).validity.triggers
    assert {"extract", "drift", "comparison"} <= {each.kind for each in triggers}
    stopped, second = run(cli, followed, "second")
    assert stopped.code != 0
    assert not second.exists()
    period = ("--valid", "2020-01-01..2099-12-31: looked at it")
    assert cli("decide", followed.project, *period, *WHO).code == 0
    done, second = run(cli, followed, "second")
    assert done.code == 0, done.err
    stated = evidence(second)
    assert stated["drift"] is None
    given_up = stated["validity"]["periods"][-1]["after"][-1]
    assert (given_up["kind"], given_up["by"]) == ("comparison", "A. Analyst")
    assert chosen.sha256 in given_up["because"]
    assert chosen.sha256 in (second / "report.html").read_text("utf-8")
    assert cli("verify", second).code == 0


def test_a_column_that_changed_wholly_stops(cli, followed):
    others = [{**each, "zip": f"9{each['zip'][1:]}"} for each in rows(300)]
    followed.project.with_name("patients.csv").write_text(csv_of(others), "utf-8")
    done, _ = run(cli, followed, "second")
    assert done.code != 0
    found = measured(cli, followed)["drift"]
    (column,) = [each for each in found["columns"] if each["attribute"] == "zip"]
    # Nothing of the earlier release is handed out but how many records it has.
    assert not column["comparable"]
    assert (column["cells"], column["stability"]) == ({}, None)
    assert "drift" in found["met"]
    period = ("--valid", "2020-01-01..2099-12-31: looked at it")
    assert cli("decide", followed.project, *period, *WHO).code == 0
    done, second = run(cli, followed, "second")
    assert done.code == 0, done.err
    assert cli("verify", second).code == 0
    # Who says that it can be compared is found out.
    forged = evidence(second)
    (stated,) = [e for e in forged["drift"]["columns"] if e["attribute"] == "zip"]
    stated |= {"comparable": True, "stability": 0.0}
    (second / "evidence.json").write_bytes(canonical_json(forged))
    assert "drift_cells" in failed(cli, second)


def test_another_policy_stops(cli, followed):
    changed = cli("decide", followed.project, "--leave-out", "diagnosis")
    assert changed.code == 0, changed.err
    done, _ = run(cli, followed, "second")
    assert done.code != 0
    assert measured(cli, followed)["drift"]["met"] == ["policy"]


def test_what_cannot_be_compared_is_not_passed_over(cli, followed):
    first = followed.project.with_name("first")
    elsewhere = shutil.move(first, first.parent.parent / "moved")
    done, _ = run(cli, followed, "second")
    assert done.code != 0
    assert "earlier=FOLDER" in done.err
    out = followed.out.with_name("second")
    given = ("--input", f"earlier={elsewhere}")
    done = cli("run", followed.project, "--out", out, *given)
    assert done.code == 0, done.err
    # Another release than the one that was chosen.
    done = cli("drift", followed.project, "--input", f"earlier={out}")
    assert done.code != 0
    assert cli("decide", followed.project, "--earlier", "none", *WHO).code == 0
    assert load_project(followed.project).validity.earlier is None
