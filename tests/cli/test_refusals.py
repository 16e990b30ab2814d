"""Bad input gets one sentence with place and fix, exit code 2, and writes nothing."""

from __future__ import annotations

import gzip
import json
import os

import pytest
import typer

from deidgui.cli.main import app
from tests.cli.case import csv_of, rows


def refused(done, *words):
    """Nothing on stdout, and a message that says each of `words`."""
    assert done.code == 2, done
    assert done.out == ""
    for each in words:
        assert each in done.err, done.err
    assert "‹" not in done.err, "a parameter of the sentence is missing"
    assert "The program failed" not in done.err, done.err


@pytest.fixture(params=[(), ("--json",)], ids=["words", "json"])
def run(cli, case, request):
    """Runs the case's project; whatever happens, only a release may be added."""

    def call(*options):
        before = case.names()
        done = cli("run", case.project, "--out", case.out, *request.param, *options)
        if done.code:
            assert case.names() == before
        return done

    return call


# -- usage -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["frobnicate"], "frobnicate"),
        (["run"], "PROJECT"),
        (["run", "x.deid.json"], "--out"),
        (["inspect"], "FILE"),
        (["search"], "PROJECT"),
        (["verify"], "DIR"),
        (["--frobnicate"], "--frobnicate"),
        (["search", "x", "--limit", "3"], "--limit"),
        (["run", "x", "--out", "y", "--input"], "--input"),
    ],
)
def test_usage(cli, arguments, words):
    refused(cli(*arguments), words, "--help")


@pytest.mark.parametrize("given", ["table", "=x.csv", "table=", ""])
def test_input_must_be_name_and_file(cli, case, given):
    done = cli("run", case.project, "--out", case.out, "--input", given)
    refused(done, "expected NAME=FILE")


def commands_with_inputs():
    """Every command that takes --input, with what else it must be given."""
    for name, command in typer.main.get_command(app).commands.items():
        if any("--input" in each.opts for each in command.params):
            yield name, [each.name for each in command.params if each.required]


GIVEN = {"project": "patients.deid.json", "file": "list.csv", "out": "out"}


@pytest.fixture(params=[e for e, _ in commands_with_inputs()])
def with_input(cli, case, request):
    """Calls one command with files for its inputs; nothing is written."""
    (needed,) = (n for name, n in commands_with_inputs() if name == request.param)
    words: list[object] = []
    for each in needed:
        path = case.folder / GIVEN[each]
        words += ["--out", path] if each == "out" else [path]

    def call(*given):
        before = {e.name: e.read_bytes() for e in case.folder.iterdir()}
        inputs = [part for each in given for part in ("--input", each)]
        done = cli(request.param, *words, *inputs)
        assert {e.name: e.read_bytes() for e in case.folder.iterdir()} == before
        return done

    return call


def test_the_commands_that_take_inputs():
    assert {name for name, _ in commands_with_inputs()} == {
        *("run", "decide", "search", "attack", "drift", "worklist"),
        *("sample", "risk", "blocks"),
    }


def test_input_must_be_known(with_input):
    done = with_input("events=patients.csv")
    refused(done, "no input called “events”", "Its inputs are: table.")


def test_input_must_be_there(with_input):
    refused(with_input("table=x.csv"), "There is no file “x.csv”.", "--input table=")


def test_input_must_be_a_file(with_input, case):
    done = with_input(f"table={case.folder}")
    refused(done, "is a folder", "--input table=FILE")


def test_input_must_be_given_once(with_input, case):
    done = with_input(f"table={case.data}", f"table={case.data}")
    refused(done, "--input table is given twice")


def test_all_wrong_inputs_are_told_at_once(with_input):
    done = with_input("table=x.csv", "tabel=x.csv")
    refused(done, "There is no file “x.csv”.", "no input called “tabel”")


def test_an_open_decision_does_not_hide_a_mistyped_input(with_input, case):
    case.change(privacy={})
    refused(with_input("tabel=patients.csv"), "no input called “tabel”")


@pytest.mark.parametrize(
    "options",
    [
        ("--hierarchy", "sex=x.csv"),
        ("--hierarchy", "sex=x.ahs"),
        ("--choose", "x.json"),
        ("--population", "register=x.csv"),
        ("--compare", "register=x.csv", "--answered-by", "N. N."),
    ],
)
def test_a_mistyped_file_of_a_decision_is_named(cli, case, options):
    before = case.project.read_bytes()
    done = cli("decide", case.project, *options)
    refused(done, f"There is no file “{options[1].rpartition('=')[2]}”.")
    assert case.project.read_bytes() == before


def test_a_hierarchy_saved_as_java_objects_is_refused_with_what_to_do(cli, case):
    """Such a file can run code in the program that loads it: it is not read."""
    path = case.project.with_name("sex.ahs")
    path.write_bytes(b"\xac\xed\x00\x05sr\x00\x1corg.deidentifier.arx.Hierarchy")
    before = case.project.read_bytes()
    done = cli("decide", case.project, "--hierarchy", f"sex={path}")
    refused(done, "hierarchy of “sex”", "saved as Java objects", "export it as a CSV")
    assert case.project.read_bytes() == before


def test_an_earlier_release_must_be_a_folder(with_input, case):
    earlier = {"file": "first", "sha256": "0" * 64, "by": "N.", "on": "2026-11-23"}
    case.change(validity={"earlier": earlier})
    refused(with_input("earlier=first"), "no file “first”", "--input earlier=FOLDER")
    refused(with_input(f"earlier={case.data}"), "is a release", "FOLDER")


def test_tables_of_counts_have_no_inputs(with_input, case):
    fields = {"kind": "counts", "counts": {}}
    case.save({"format": "deidgui-project", "version": 1, **fields})
    done = with_input(f"table={case.data}")
    refused(done, "project of tables of counts has no input", "Leave out")


def test_a_project_of_counts_that_is_compared_is_refused(with_input, case):
    earlier = {"file": "first", "sha256": "0" * 64, "by": "N.", "on": "2026-11-23"}
    fields = {"kind": "counts", "counts": {}, "validity": {"earlier": earlier}}
    case.save({"format": "deidgui-project", "version": 1, **fields})
    done = with_input()
    refused(done, "compared with no other table", "Remove “earlier”")


# -- files -----------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["inspect", "search", "run"])
@pytest.mark.parametrize(
    ("name", "words"), [("none.csv", "There is no file “none.csv”."), (".", "folder")]
)
def test_no_file(cli, case, command, name, words):
    out = ["--out", case.out] if command == "run" else []
    refused(cli(command, case.folder / name, *out), words)
    assert not case.out.exists()


@pytest.mark.parametrize("name", ["none", "patients.csv", "."])
def test_no_release(cli, case, name):
    refused(cli("verify", case.folder / name), "is no release")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ["“bad.csv” is empty."]),
        (b"\n\n\n", ["bad.csv"]),
        (b"a,b\n", ["“bad.csv” has a header and no records."]),
        (b"a,b\n1,2\n3\n" + b"4,5\n" * 50, ["“bad.csv”, line 3: 1 cell where", "2"]),
        (b"a,b\n" + b'1,"x"\n' * 50 + b'2,"y\n', ["“bad.csv”, line 52", "quote"]),
        (b"a,b\n1,2\n3,\x00x\n", ["bad.csv", "line 3"]),
        (b"PK\x03\x04 broken", ["bad.csv"]),
        (b"\x1f\x8b broken", ["bad.csv"]),
        (b"%PDF-1.4", ["PDF"]),
        (b"a,b\n1,\xe9\n" * 9, []),
    ],
)
def test_broken_data(cli, case, content, words):
    path = case.folder / "bad.csv"
    path.write_bytes(content)
    done = cli("inspect", path)
    if words:
        refused(done, *words)
    else:
        assert done.code == 0, done.err


def test_truncated_gzip(cli, case):
    path = case.folder / "bad.csv.gz"
    path.write_bytes(gzip.compress(csv_of(rows()).encode())[:-20])
    refused(cli("inspect", path), "bad.csv.gz")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may")
def test_data_without_permission(cli, case):
    case.data.chmod(0)
    refused(cli("inspect", case.data), "You may not read “patients.csv”.")


# -- projects --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ["line 1, column 1"]),
        (b'{"format": "deidgui-project",\n "version": 1,,}', ["line 2, column 15"]),
        (b"[]", ["is not a project"]),
        (b"{}", ["is not a project"]),
        (b"null", ["is not a project"]),
        (b"\xff\xfe\x00", ["line 1"]),
        (b'{"format": "deidgui-project"}', ["is not a project"]),
        (b'{"format": "deidgui-project", "version": 99}', ["newer version", "99"]),
        (b'{"format": "deidgui-project", "version": 1, "colour": 2}', ["colour"]),
        (
            b'{"format": "deidgui-project", "version": 1, "attributes": [{}]}',
            ["attributes.0.name"],
        ),
        (b'{"format": "deidgui-project", "version": 1}', []),
    ],
)
def test_broken_project(run, case, content, words):
    case.project.write_bytes(content)
    refused(run(), *words)


def test_every_wrong_field_is_told_at_once(run, case):
    fields = case.fields
    fields["attributes"][0]["role"] = "spy"
    fields["attributes"][2]["weight"] = 7
    fields["privacy"]["suppression_limit"] = "much"
    case.save(fields)
    done = run()
    refused(done, "attributes.0.role", "attributes.2.weight", "suppression_limit")
    assert len(done.err.splitlines()) == 3


def test_every_missing_decision_is_told_at_once(run, case):
    fields = case.fields
    fields["attributes"][2]["hierarchy"] = None
    fields["attributes"][5]["role"] = None
    fields["privacy"] = {}
    fields["export"] = {}
    case.save(fields)
    done = run()
    refused(
        done,
        "“age” is a quasi-identifier without a hierarchy",
        "No role is decided for “diagnosis”",
        "No threshold",
        "how many records may be suppressed",
        "what happens to suppressed rows",
    )
    commands = [line for line in done.err.splitlines() if line.startswith("    ")]
    assert [line.split()[:2] for line in commands] == [["deidgui", "decide"]] * 5
    assert len(done.err.splitlines()) == 10


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ({"kind": "k_anonimity"}, "k_anonimity"),
        ({"kind": "k_anonymity"}, "k"),
        ({"kind": "k_anonymity", "k": 1.5}, "k"),
        ({"kind": "k_anonymity", "k": 0}, "k"),
        ({"kind": "k_anonymity", "k": 5, "l": 2}, "l"),
        ({"kind": "highest_prosecutor_risk", "threshold": 7}, "threshold"),
        ({}, ""),
        ({"kind": None}, ""),
        ({"kind": ["k_anonymity"]}, ""),
    ],
)
def test_wrong_models(run, case, model, words):
    case.change(privacy={"models": [model], "suppression_limit": 0.1})
    refused(run(), words)


@pytest.mark.parametrize(
    "measure", [{}, {"kind": "beauty"}, {"kind": "loss", "aggregate": "magic"}]
)
def test_wrong_measures(run, case, measure):
    case.change(quality={"measure": measure})
    refused(run())


@pytest.mark.parametrize(
    "rule",
    [
        {},
        {"kind": "magic"},
        {"kind": ["flat"]},
        {"kind": "intervals", "width": 0},
        {"kind": "intervals", "width": "wide"},
        {"kind": "intervals", "width": 10, "factors": [1e308, 1e308]},
        {"kind": "intervals", "width": 1e-300, "whole": False},
        {"kind": "dates"},
        {"kind": "cut_points", "bounds": "5 4"},
    ],
)
def test_wrong_rules(run, case, rule):
    case.change_attribute("age", hierarchy={"rule": rule})
    done = run()
    if done.code:
        refused(done)


def test_a_rule_that_cannot_read_the_values(run, case):
    case.change_attribute("sex", hierarchy={"rule": {"kind": "intervals", "width": 5}})
    refused(run(), "“sex”", "rule")


def test_problems_of_several_hierarchies_are_told_together(run, case):
    case.change_attribute("sex", hierarchy={"rule": {"kind": "intervals", "width": 5}})
    case.change_attribute("zip", hierarchy={"csv": "none.csv"})
    done = run()
    refused(done, "“sex”", "“none.csv” of “zip”")
    assert len(done.err.splitlines()) == 2


def test_chosen_policy_of_other_attributes(run, case):
    case.change(chosen={"levels": {"age": 1, "sex": 0}})
    refused(run(), "zip")
    case.change(chosen={"levels": {"age": 99, "sex": 0, "zip": 0}})
    refused(run(), "age", "99")


# -- hierarchy files -------------------------------------------------------------------


def with_hierarchy(case, content, path="hierarchies/sex.csv"):
    file = case.folder / path
    file.parent.mkdir(exist_ok=True)
    file.write_text(content, encoding="utf-8")
    case.change_attribute("sex", hierarchy={"csv": path})


def test_a_hierarchy_file_is_used(cli, case):
    with_hierarchy(case, "F;any\nM;any\n")
    assert cli("run", case.project, "--out", case.out).code == 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("F;*\n", ["“sex” that are not in its hierarchy: 1 (", "records)"]),
        ("F;a;*\nM;*\n", ["Row 2", "“sex”"]),
        ("F;a;x\nM;a;y\n", ["“sex”", "level"]),
        ("F;a;*\nF;b;*\nM;b;*\n", ["Row 2", "“sex”"]),
        ("", ["“sex”"]),
        ("F\nM\n", ["“sex”"]),
        ('"F;*\nM;*\n', ["“sex”"]),
    ],
)
def test_broken_hierarchy_files(cli, case, content, words):
    with_hierarchy(case, content)
    refused(cli("run", case.project, "--out", case.out), *words)
    assert not case.out.exists()


@pytest.mark.parametrize(
    "path",
    [
        *("/etc/passwd", "../outside.csv", "a/../../outside.csv", "..\\outside.csv"),
        *("C:\\outside.csv", "\\\\server\\share", "link.csv", "circle", "a\0b"),
        "x" * 5000,
    ],
)
def test_no_path_leads_out_of_the_folder(cli, case, path):
    (case.folder.parent / "outside.csv").write_text("F;SENTINEL\nM;SENTINEL\n")
    (case.folder / "link.csv").symlink_to(case.folder.parent / "outside.csv")
    (case.folder / "circle").symlink_to("circle")
    case.change_attribute("sex", hierarchy={"csv": path})
    done = cli("run", case.project, "--out", case.out)
    refused(done, "is not below its own folder")
    assert "SENTINEL" not in done.err
    assert not case.out.exists()


@pytest.mark.parametrize("path", ["/etc/passwd", "../patients.csv", "a\0b", "x" * 5000])
def test_no_input_is_taken_from_elsewhere(cli, case, path):
    (case.folder.parent / "patients.csv").write_text(csv_of(rows()))
    case.change(inputs=[{"name": "table", "file": path}])
    refused(cli("search", case.project), "is not beside the project")


# -- data and project together ---------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda row: {**row, "new": "1"}, "0 missing, 1 new"),
        (lambda row: {k: v for k, v in row.items() if k != "zip"}, "1 missing, 0 new"),
        (lambda row: {k.upper(): v for k, v in row.items()}, "6 missing, 6 new"),
    ],
)
def test_other_columns_are_refused(run, case, change, words):
    case.data.write_text(csv_of([change(row) for row in rows()]))
    refused(run(), words)


def test_a_dialect_that_does_not_fit(run, case):
    case.change(
        inputs=[
            {"name": "table", "file": "patients.csv", "dialect": {"delimiter": ";"}}
        ]
    )
    refused(run(), "patients.csv")
    case.change(
        inputs=[{"name": "table", "file": "patients.csv", "dialect": {"encoding": "x"}}]
    )
    refused(run(), "encoding")


# -- thresholds that cannot be met -----------------------------------------------------


@pytest.mark.parametrize("command", ["run", "search"])
def test_no_policy_meets_the_thresholds(cli, case, command):
    case.change(
        privacy={"models": [{"kind": "k_anonymity", "k": 301}], "suppression_limit": 0}
    )
    out = ["--out", case.out] if command == "run" else []
    done = cli(command, case.project, *out, "--json")
    assert done.code == 3
    assert done.out == ""
    assert "would suppress 300 records (100\u202f%); 0 are allowed" in done.err
    # To suppress everybody is no way to release them.
    assert "Nothing would be released. Lower the thresholds" in done.err
    assert "--limit" not in done.err
    assert not case.out.exists()


def test_the_nearest_miss_is_named_with_the_limit_that_would_do(cli, case):
    """Adults of 300 records: some of them are alone, and not all."""
    case.change(
        privacy={"models": [{"kind": "k_anonymity", "k": 5}], "suppression_limit": 0},
        attributes=[
            {**each, "maximum_level": int(each["name"] == "age")}
            if each["role"] == "quasi_identifier"
            else each
            for each in case.fields["attributes"]
        ],
    )
    done = cli("run", case.project, "--out", case.out)
    assert done.code == 3
    assert "Raise the suppression limit" in done.err
    assert "--limit 0." in done.err


def test_a_chosen_policy_beyond_the_thresholds(cli, case):
    chosen = {"levels": {"age": 0, "sex": 0, "zip": 0}, "withhold_below": 3}
    case.change(
        chosen=chosen,
        privacy={"models": [{"kind": "k_anonymity", "k": 3}], "suppression_limit": 0},
    )
    done = cli("run", case.project, "--out", case.out)
    assert done.code == 3
    assert "The chosen policy does not meet the thresholds" in done.err
    assert not case.out.exists()


# -- places that cannot be written to --------------------------------------------------


def test_a_release_folder_in_use(run, case):
    case.out.mkdir()
    (case.out / "thesis.txt").write_text("mine")
    refused(run(), "something other than a release")
    assert (case.out / "thesis.txt").read_text() == "mine"


@pytest.mark.parametrize("out", ["patients.csv", "patients.csv/deep", "", ".", "/"])
def test_places_that_are_none(cli, case, monkeypatch, out):
    monkeypatch.chdir(case.folder)
    before = case.data.read_bytes()
    refused(cli("run", case.project, "--out", out))
    assert case.data.read_bytes() == before
    assert case.names() == ["patients.csv", "patients.deid.json"]


def test_an_empty_current_folder_can_be_the_release(cli, case, monkeypatch):
    case.out.mkdir()
    monkeypatch.chdir(case.out)
    done = cli("run", case.project, "--out", ".")
    assert done.code in (0, 2)
    assert "The program failed" not in done.err
    assert case.names() == ["patients.csv", "patients.deid.json", "release"]


def test_a_full_disk_keeps_the_old_release(cli, case, monkeypatch):
    assert cli("run", case.project, "--out", case.out).code == 0
    before = {p: p.read_bytes() for p in case.out.rglob("*") if p.is_file()}

    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    refused(cli("run", case.project, "--out", case.out), "No space left", "unchanged")
    assert {p: p.read_bytes() for p in case.out.rglob("*") if p.is_file()} == before
    assert case.names() == ["patients.csv", "patients.deid.json", "release"]


def test_a_project_that_cannot_be_written(cli, case):
    target = case.folder / "none" / "p.deid.json"
    refused(cli("inspect", case.data, "--project", target), "could not be written")


# -- bugs ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [ValueError, KeyError, RecursionError, AssertionError])
def test_a_bug_tells_its_place_and_no_value(cli, case, monkeypatch, kind):
    def fail(*_arguments, **_options):
        raise kind("M00017")

    monkeypatch.setattr("deidgui.app.commands.headless.build_classes", fail)
    done = cli("search", case.project)
    assert done.code == 2
    assert "M00017" not in done.err
    assert f"({kind.__name__} at test_refusals.py:" in done.err
    assert len(done.err.splitlines()) == 1


def test_too_little_memory(cli, case, monkeypatch):
    def fail(*_arguments, **_options):
        raise MemoryError

    monkeypatch.setattr("deidgui.app.commands.headless.read_project_input", fail)
    done = cli("search", case.project)
    assert done.code == 2
    assert "not enough memory" in done.err


# -- hostile projects ------------------------------------------------------------------


def test_deep_json(run, case):
    text = json.dumps(case.fields)[:-1] + ', "notes": ' + "[" * 100_000
    case.project.write_text(text)
    refused(run(), "project")


@pytest.mark.parametrize(
    "number", ["1e999", "-1e999", "9" * 400, "NaN", "9" * 5000, "1e308", "-7"]
)
@pytest.mark.parametrize("place", ["limit", "k", "level", "seed", "weight", "width"])
def test_enormous_numbers(run, case, number, place):
    fields = case.fields
    match place:
        case "limit":
            fields["privacy"]["suppression_limit"] = "HERE"
        case "k":
            fields["privacy"]["models"][0]["k"] = "HERE"
        case "level":
            fields["attributes"][2]["minimum_level"] = "HERE"
        case "seed":
            fields["export"]["shuffle_seed"] = "HERE"
        case "weight":
            fields["attributes"][2]["weight"] = "HERE"
        case "width":
            fields["attributes"][2]["hierarchy"]["rule"]["width"] = "HERE"
    case.project.write_text(json.dumps(fields).replace('"HERE"', number))
    done = run()
    # Some are allowed: bands as wide as 10^308, or a seed of many digits.
    assert done.code in (0, 2, 3), done
    assert "The program failed" not in done.err, done.err


def wide(case, n):
    """Let the project have `n` quasi-identifiers of two values each."""
    flat = {"rule": {"kind": "flat"}}
    names = [f"c{number}" for number in range(n)]
    case.change(
        attributes=[
            {
                "name": name,
                "role": "quasi_identifier",
                "confirmed": True,
                "hierarchy": flat,
            }
            for name in names
        ]
    )
    return names


def test_a_thousand_attributes(run, case):
    wide(case, 1000)
    refused(run(), "1,000 missing, 6 new")


def test_more_policies_than_can_be_counted_are_searched_all_the_same(cli, case):
    names = wide(case, 150)
    lines = [names, ["1"] * 150, ["2"] * 150]
    case.data.write_text("\n".join(",".join(line) for line in lines) + "\n")
    done = cli("search", case.project)
    assert done.code == 3, done
    assert "No policy meets the thresholds" in done.err
