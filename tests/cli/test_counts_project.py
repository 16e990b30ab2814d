"""Tables of counts from files to a verified release by commands alone."""

from __future__ import annotations

import csv
import json

import pytest

from deidgui.app.counts import ops
from deidgui.app.counts.auditing import audit_decided
from deidgui.app.counts.fuzzing import run_counts
from deidgui.app.counts.repairing import repair_tables
from deidgui.app.counts.tables import tables_of
from deidgui.app.reading.files import load_hierarchy_files
from deidgui.app.storage.project_io import load_project, save_project
from deidgui.engine.counts.noise.rules import RoundedGaussian
from tests.engine.counts.seed import TABLE_1, TABLE_2

TRUE = "Group,N\nOverall,40\n0-17,4\n18-39,6\n40-64,14\n65+,16\n"


def decide(cli, path, *settings):
    options = [part for each in settings for part in ("--set", each)]
    return cli("decide", path, *options, "--json")


@pytest.fixture
def project(cli, tmp_path):
    """Tables 1 and 2 of the paper as a project that is masked."""
    files = []
    for name, text in (("table1", TABLE_1), ("table2", TABLE_2)):
        path = tmp_path / f"{name}.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(line.split("\t") for line in text.splitlines())
        files.append(path)
    path = tmp_path / "p.deid.json"
    done = cli("counts", "inspect", *files, "--project", path, "--json")
    assert done.code == 0
    found = json.loads(done.out)
    assert [each["masked"] for each in found["tables"]] == [1, 4]
    assert len(found["structure"]) == 6
    assert cli("counts", "inspect", *files, "--project", path).code == 2
    settings = ("counts.threshold=11", "counts.mask_zero=no", "counts.release=masked")
    result = json.loads(decide(cli, path, *settings).out)
    assert result["open"] == []
    return path


def test_what_is_open_is_named_with_the_command_that_decides_it(cli, tmp_path):
    table, path = tmp_path / "t.csv", tmp_path / "p.deid.json"
    table.write_text("Group,N\nOverall,40\nA,T\nB,34\n", "utf-8")
    cli("counts", "inspect", table, "--project", path)
    for wanted in ("counts.threshold=", "counts.release="):
        found = json.loads(cli("decide", path, "--json").out)
        assert found["next"] == ""
        assert wanted in found["open"][0]["fix"]
        is_first = "threshold" in wanted
        decide(cli, path, "counts.threshold=11" if is_first else "counts.release=noise")
    found = json.loads(cli("decide", path, "--json").out)
    assert "counts.noise=" in found["open"][0]["fix"]
    rule = found["open"][0]["fix"].split("--set ")[1].strip("'\"")
    assert json.loads(decide(cli, path, rule).out)["open"] == []
    assert load_project(path).counts.noise == RoundedGaussian(2.5, 11, "noise", "keyed")


def test_command_and_window_release_the_same_bytes(cli, project, tmp_path):
    """The window applies `ops.use_repair` with what `repair_tables` found."""
    assert cli("run", project, "--out", tmp_path / "early").code != 0
    by_hand = tmp_path / "by_hand.deid.json"
    made = load_project(project)
    tables = tables_of(made, load_hierarchy_files(made, tmp_path))
    found = repair_tables(audit_decided(made.counts, tables))
    save_project(ops.use_repair(tables, found.hides)(made), by_hand)
    run_counts(load_project(by_hand), by_hand, tmp_path / "window")
    done = cli("counts", "repair", project, "--apply", "complements", "--json")
    assert json.loads(done.out)["left"] == 0
    assert cli("run", project, "--out", tmp_path / "command").code == 0
    assert cli("verify", tmp_path / "command").code == 0
    for name in ("table1_released.csv", "table2_released.csv"):
        content = (tmp_path / "command" / name).read_bytes()
        assert content == (tmp_path / "window" / name).read_bytes()
        assert b"C" in content


def test_a_higher_threshold_is_put_into_the_project(cli, project, tmp_path):
    done = cli("counts", "repair", project, "--apply", "threshold", "--json")
    result = json.loads(done.out)
    assert result["left"] == 0
    assert load_project(project).counts.threshold == result["threshold"]["value"]
    assert cli("run", project, "--out", tmp_path / "out").code == 0


def test_small_counts_are_masked_and_categories_joined(cli, tmp_path):
    table, path = tmp_path / "t.csv", tmp_path / "p.deid.json"
    table.write_text(TRUE, "utf-8")
    cli("counts", "inspect", table, "--project", path)
    found = decide(cli, path, "counts.threshold=11", "counts.release=masked")
    (point,) = json.loads(found.out)["open"]
    assert point["fix"].endswith("--apply mask")
    done = json.loads(cli("counts", "repair", path, "--apply", "mask", "--json").out)
    assert (done["masked"], done["left"]) == (2, 0)
    # T and T are 10 in sum: each is 1 to 9. Wider asks for another repair.
    done = cli("counts", "repair", path, "--width", "9", "--apply", "coarser", "--json")
    result = json.loads(done.out)
    assert result["left"] == 0
    counts = load_project(path).counts
    assert counts.width == 9
    assert cli("run", path, "--out", tmp_path / "out").code == 0
    lines = (tmp_path / "out" / "t_released.csv").read_text("utf-8").splitlines()
    assert len(lines) < len(TRUE.splitlines())
    assert lines[1] == "Overall,40"


def test_commands_do_not_call_counts_protected_while_no_relation_is_known(
    cli, tmp_path
):
    """PRIVACY: a total that is published elsewhere tells a masked count."""
    table, path = tmp_path / "t.csv", tmp_path / "p.deid.json"
    table.write_text("Tract,N\n0200,40\n0201,T\n0202,0\n0203,31\n", "utf-8")
    cli("counts", "inspect", table, "--project", path)
    found = json.loads(
        decide(cli, path, "counts.threshold=11", "counts.release=masked").out
    )
    unknown = "No relations between these counts are known"
    (note,) = found["notes"]
    assert unknown in note
    assert "counts.relations=confirmed" in note
    for command in ("audit", "repair"):
        assert unknown in cli("counts", command, path).out
    audited = json.loads(cli("counts", "audit", path, "--json").out)
    assert not audited["structure_confirmed"]
    assert cli("run", path, "--out", tmp_path / "open").code == 0
    assert cli("verify", tmp_path / "open").code == 0
    stated = json.loads((tmp_path / "open" / "evidence.json").read_text("utf-8"))
    assert unknown in " ".join(stated["warnings"])
    # A person says that there are none.
    found = json.loads(decide(cli, path, "counts.relations=confirmed").out)
    assert found["notes"] == []
    audited = json.loads(cli("counts", "audit", path, "--json").out)
    assert audited["structure_confirmed"]
    assert cli("run", path, "--out", tmp_path / "said").code == 0
    stated = json.loads((tmp_path / "said" / "evidence.json").read_text("utf-8"))
    assert stated["warnings"] == []
    assert cli("verify", tmp_path / "said").code == 0


def test_every_decision_can_be_set(cli, project):
    settings = (
        "counts.mask_zero=yes",
        "counts.any_count=yes",
        "counts.width=5",
        "counts.mark=s=masked",
        "counts.relations=without:1+6",
        "counts.relation=at_most;table2:2:2;table2:4:2",
        "counts.noise=discrete_gaussian:sigma=4,threshold=11,counts_per_person=2,"
        "delta=0.000001",
        "counts.inferable_because=Nobody minds.",
    )
    assert decide(cli, project, *settings).code == 0
    counts = load_project(project).counts
    assert (counts.mask_zero, counts.any_count, counts.width) == (True, True, 5)
    assert counts.marks == {"T": "masked", "C": "complement", "s": "masked"}
    assert [each.form for each in counts.relations].count("sum") == 3
    assert counts.relations[-1].form == "at_most"
    assert counts.noise.counts_per_person == 2
    assert counts.inferable_because == "Nobody minds."
    decide(cli, project, "counts.relations=proposed", "counts.noise=none")
    counts = load_project(project).counts
    assert counts.relations is None
    assert counts.noise is None
    decide(cli, project, "counts.relations=confirmed")
    assert load_project(project).counts.relations_confirmed
    decide(cli, project, "counts.cells=table2:*:3=left_out")
    (said,) = {each.kind for each in load_project(project).counts.tables[1].said}
    assert said == "left_out"
    cli("counts", "repair", project, "--apply", "complements")
    decide(cli, project, "counts.hidden=none")
    assert not any(each.hidden for each in load_project(project).counts.tables)


@pytest.mark.parametrize(
    "setting",
    [
        "counts.threshold=1",
        "counts.threshold=many",
        "counts.mask_zero=maybe",
        "counts.release=both",
        "counts.noise=uniform:sigma=1",
        "counts.noise=rounded_gaussian:sigma=2.5",
        "counts.relations=without:99",
        "counts.relations=without:1+x",
        "counts.relation=sum;table2:1:1",
        "counts.relation=ratio;table2:2:2;table2:4:2",
        "counts.cells=table9:1:1=count",
        "counts.cells=table2:1:1=number",
        "counts.mark=masked",
        "counts.hidden=all",
        "search.method=optimum",
    ],
)
def test_what_cannot_be_decided_is_refused_and_changes_nothing(cli, project, setting):
    before = project.read_bytes()
    done = decide(cli, project, "counts.width=7", setting)
    assert done.code == 2
    assert project.read_bytes() == before


def test_what_belongs_to_other_projects_is_refused(cli, project, tmp_path):
    assert cli("decide", project, "--role", "a=sensitive").code == 2
    table = tmp_path / "table1.csv"
    done = cli("counts", "repair", table, "--threshold", "11", "--apply", "mask")
    assert done.code == 2
    assert "--project" in done.err
    assert cli("counts", "repair", project, "--apply", "magic").code == 2
    cli("counts", "repair", project, "--apply", "complements")
    again = cli("counts", "repair", project, "--apply", "coarser")
    assert again.code == 2


def test_counts_obey_the_end_of_a_determination_too(cli, project, tmp_path):
    signed = ("--answered-by", "N. N.")
    past = ("--valid", "2020-01-01..2020-12-31", *signed)
    done = cli("decide", project, *past, "--validity", "contact=office", "--json")
    assert done.code == 0, done.err
    assert done.json["validity"]["ends"] == "2020-12-31"
    run = cli("run", project, "--out", tmp_path / "out")
    assert run.code == 2
    assert "2020-12-31" in run.err
    assert not (tmp_path / "out").exists()
    anew = ("--valid", "2020-01-01..2099-12-31:By law.", *signed)
    anew += ("--set", "counts.inferable_because=Published elsewhere.")
    assert cli("decide", project, *anew).code == 0
    run = cli("run", project, "--out", tmp_path / "out", "--json")
    assert run.code == 0, run.err
    evidence = json.loads((tmp_path / "out" / "evidence.json").read_bytes())
    assert evidence["validity"]["ends"] == "2099-12-31"
    assert evidence["validity"]["signed"]["contact"]["by"] == "N. N."
    report = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "The determination holds until 2099-12-31." in report
    assert cli("verify", tmp_path / "out").code == 0
    # A trigger stops it as well.
    assert cli("decide", project, "--trigger", "law:A new law.", *signed).code == 0
    assert cli("run", project, "--out", tmp_path / "again").code == 2


def test_counts_are_compared_with_nothing(cli, case, project, tmp_path):
    out, before = tmp_path / "out", project.read_bytes()
    who = ("--answered-by", "A. A.")
    refused = cli("decide", project, "--compare", "register=x.csv", *who)
    assert refused.code == 2
    assert "--compare is for tables of records" in refused.err
    assert project.read_bytes() == before
    # Nor is a release of records compared with one of counts.
    assert cli("counts", "repair", project, "--apply", "complements").code == 0
    assert cli("run", project, "--out", out).code == 0
    before = case.project.read_bytes()
    for asked in (("--compare", f"release={out}"), ("--earlier", out)):
        refused = cli("decide", case.project, *asked, *who)
        assert refused.code != 0
        assert "“out” is a release of tables of counts" in refused.err
    assert case.project.read_bytes() == before


def test_a_second_release_needs_a_reason(cli, project, tmp_path):
    rule = "rounded_gaussian:sigma=2.5,threshold=11,zeros=noise,repeats=keyed"
    settings = (f"counts.noise={rule}", "counts.release=noise")
    assert decide(cli, project, *settings).code == 0
    assert cli("run", project, "--out", tmp_path / "a" / "one").code == 0
    # It lies elsewhere, and nothing tells where.
    for folder in ("one", "two"):
        refused = cli("run", project, "--out", tmp_path / "a" / folder)
        assert refused.code == 2
        assert "Whoever has both releases can average them" in refused.err
        assert "--earlier" in refused.err
    assert not (tmp_path / "a" / "two").exists()
    named = ("decide", project, "--earlier", tmp_path / "a" / "one")
    assert "A reason is missing" in cli(*named).err
    said = ("--because", "The first was never passed on.", "--answered-by", "A. A.")
    assert cli(*named, *said).code == 0
    assert cli("run", project, "--out", tmp_path / "a" / "two").code == 0
    report = (tmp_path / "a" / "two" / "report.html").read_text("utf-8")
    assert "The first was never passed on." in report
    # What is no earlier release of these tables is not taken for one.
    wrong = cli("decide", project, "--earlier", tmp_path, *said)
    assert wrong.code == 2
