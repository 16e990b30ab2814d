"""`deidgui attack` on prepared tables and samples: the attacker knows what was read."""

from __future__ import annotations

import json

import pytest

from tests.app.attacks.test_before_preparation import FOUR


def test_truncation_and_attack_from_the_command_line(cli, tmp_path):
    """O-E5 through files: every figure that `deidgui attack` prints is of D1."""
    lines = ["id,who,dx", *(",".join(row) for row in FOUR)]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    project = tmp_path / "p.deid.json"
    done = cli("inspect", tmp_path / "t.csv", "--project", project, "--key", "id")
    assert done.code == 0, done.err
    known = "proposed,power=5,diversity=entropy,threshold=1,limit=1,rule=large_sample"
    done = cli(
        *("decide", project, "--role=who=quasi_identifier", "--limit=1"),
        *("--role=dx=quasi_identifier", "--suppressed=left_out", "--events", known),
    )
    if done.code:
        pytest.fail(done.err)
    step = "truncate_events:share=0.75,columns=dx"
    found = {}
    for name, options in (("whole", ()), ("cut", ("--prepare", step))):
        if options:
            assert cli("decide", project, *options).code == 0
        done = cli("attack", project, "--runs", 50, "--json")
        assert done.code == 0, done.err
        figures = {(e["variant"], e["power"]): e for e in done.json["attacks"]}
        found[name] = figures["inexact", 5]["expected"]
        found[f"{name} known"] = done.json["assumptions"]
    assert found["cut known"] == ["truncate_events"]
    assert found["whole"] == pytest.approx(0.75)
    assert found["cut"] == pytest.approx(7 / 12)
    words = " ".join(cli("attack", project, "--runs", 50).out.split())
    assert "truncation removed" in words


def test_a_sample_without_a_seed_is_said_to_be_another_at_each_call(cli, case):
    decided = cli("decide", case.project, "--sample", 0.5)
    assert decided.code == 0, decided.err
    assert "--sample-seed" in " ".join(decided.out.split())
    (note,) = cli("decide", case.project, "--sample", 0.5, "--json").json["notes"]
    assert "another sample" in note
    options = ("--sample", 0.5, "--sample-seed", 7, "--json")
    assert cli("decide", case.project, *options).json["notes"] == []
    assert cli("decide", case.project, "--sample", "none", "--json").json["notes"] == []


def test_removed_and_undrawn_people_stand_in_a_verified_release(cli, case):
    """The expected share is of everybody in the file, and the check knows it."""
    options = ("--sample", 0.5, "--sample-seed", 7, "--accept-small-sample")
    assert cli("decide", case.project, *options).code == 0
    case.change(attacks={"runs": 300, "seed": 4, "in_release": True})
    done = cli("run", case.project, "--out", case.out)
    assert done.code == 0, done.err
    evidence = json.loads((case.out / "evidence.json").read_bytes())
    attacks = evidence["attacks"]
    assert attacks["people"] == 300 == 2 * evidence["records"]
    assert attacks["assumptions"] == ["sample"]
    (attack,) = attacks["simulated"]
    share = evidence["risk"]["classes"] / 300
    assert attack["expected"] == pytest.approx(share)
    assert cli("verify", case.out, "--json").json["ok"]
    report = (case.out / "report.html").read_text(encoding="utf-8")
    assert "drawn into the sample" in report
