"""Every command of the contract: its words, its JSON, its exit code."""

from __future__ import annotations

import csv
import json
import zipfile
from collections import Counter

import pytest

from deidgui import __version__
from deidgui.app.commands import headless
from deidgui.app.storage.project_io import project_schema
from tests.cli.case import csv_of, rows

QUASI_IDENTIFIERS = ("age", "sex", "zip")


def released_rows(folder):
    (path,) = folder.glob("*_released.csv")
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


# -- run -------------------------------------------------------------------------------


def test_run_writes_a_release_that_meets_the_threshold(cli, case):
    done = cli("run", case.project, "--out", case.out)
    assert done.code == 0
    assert done.err == ""
    assert "(verified)" in done.out
    assert {each.name for each in case.out.iterdir()} == {
        *("patients_released.csv", "policy.json", "evidence.json", "mapping"),
        *("report.html", "report.pdf"),
    }
    table = released_rows(case.out)
    assert len(table) == 300
    assert list(table[0]) == ["mrn", "age", "sex", "zip", "diagnosis"]
    kept = [row for row in table if set(row.values()) != {"*"}]
    classes = Counter(tuple(row[name] for name in QUASI_IDENTIFIERS) for row in kept)
    assert min(classes.values()) >= 3
    assert len(table) - len(kept) <= 30
    assert case.names() == ["patients.csv", "patients.deid.json", "release"]


def test_run_tells_one_json_object(cli, case):
    done = cli("run", case.project, "--out", case.out, "--json")
    assert done.code == 0
    evidence = done.json["evidence"]
    stored = json.loads((case.out / "evidence.json").read_text("utf-8"))
    assert evidence == stored
    assert done.json["release"] == str(case.out)


def test_two_runs_with_a_seed_write_the_same_bytes(cli, case, monkeypatch):
    # Keys of pseudonyms are drawn anew each time, and so is the time of the release.
    case.change_attribute("mrn", treatment="remove")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795000000")
    contents = []
    for name in ("first", "second"):
        assert cli("run", case.project, "--out", case.folder / name).code == 0
        contents.append(
            {
                path.relative_to(case.folder / name): path.read_bytes()
                for path in (case.folder / name).rglob("*")
                if path.is_file()
            }
        )
    assert contents[0] == contents[1]


def test_run_replaces_an_older_release_and_nothing_else(cli, case):
    assert cli("run", case.project, "--out", case.out).code == 0
    assert cli("run", case.project, "--out", case.out).code == 0
    (case.out / "mine.txt").write_text("keep")
    done = cli("run", case.project, "--out", case.out)
    assert done.code == 2
    assert "“release” is not as it was written" in done.err
    assert "lost: mine.txt, " in done.err
    assert (case.out / "mine.txt").read_text() == "keep"


def test_run_takes_the_chosen_policy(cli, case):
    chosen = {"levels": {"age": 2, "sex": 1, "zip": 3}, "withhold_below": 3}
    case.change(chosen=chosen)
    done = cli("run", case.project, "--out", case.out, "--json")
    assert done.json["evidence"]["policy"]["levels"] == chosen["levels"]


NO_ZIP = {"sex": 1, "zip": 3}


def _refuse_to_search(monkeypatch):
    def searched(*_args, **_options):
        raise AssertionError("a chosen policy is not searched for")

    for name in ("search_lattice", "find_optimum", "ola"):
        monkeypatch.setattr(f"deidgui.app.policies.lattice.searching.{name}", searched)


def test_a_chosen_policy_is_not_searched_for(cli, case, monkeypatch):
    chosen = {"levels": {"age": 2, "sex": 1, "zip": 3}, "withhold_below": 3}
    case.change(chosen=chosen)
    _refuse_to_search(monkeypatch)
    assert cli("attack", case.project, "--runs", 50).code == 0
    done = cli("run", case.project, "--out", case.out, "--json")
    assert done.code == 0
    search = done.json["evidence"]["search"]
    assert search["method"] == "not_searched"
    assert search["chosen"]
    assert (search["nodes"], search["checked"]) == (None, None)
    assert not search["complete"]
    assert not search["is_optimum"]
    report = (case.out / "report.html").read_text("utf-8")
    assert "chosen by a person, not searched for" in report
    assert cli("verify", case.out).code == 0
    # Every condition is judged all the same.
    case.change(chosen={**chosen, "withhold_below": 1, "levels": {"age": 0, **NO_ZIP}})
    assert cli("run", case.project, "--out", case.folder / "other").code == 3
    case.change_attribute("age", maximum_level=1)
    case.change(chosen=chosen)
    refused = cli("run", case.project, "--out", case.folder / "other")
    assert refused.code == 3
    assert "level" in refused.err


def test_a_chosen_policy_says_what_its_search_knew(cli, case, monkeypatch):
    """As long as the decisions are those that were searched under."""
    found = cli("search", case.project, "--json").json
    stated = {}
    for number in (1, 2):
        assert cli("decide", case.project, "--choose", number).code == 0
        with monkeypatch.context() as patch:
            _refuse_to_search(patch)
            out = case.folder / f"release{number}"
            done = cli("run", case.project, "--out", out, "--json").json
        stated[number] = done["evidence"]["search"]
        levels = found["candidates"][number - 1]["levels"]
        assert done["evidence"]["policy"]["levels"] == levels
        assert cli("verify", out).code == 0
    for search in stated.values():
        assert search["chosen"]
        assert search["complete"]
        assert search["method"] == found["method"]
        assert (search["nodes"], search["checked"]) == (
            found["nodes"],
            found["checked"],
        )
    assert [each["is_optimum"] for each in stated.values()] == [True, False]
    privacy = {"models": [{"kind": "k_anonymity", "k": 2}], "suppression_limit": 0.1}
    case.change(privacy=privacy)
    done = cli("run", case.project, "--out", case.folder / "later", "--json").json
    assert done["evidence"]["search"]["method"] == "not_searched"


def test_run_takes_the_optimum_of_the_search(cli, case):
    best = cli("search", case.project, "--json").json["optimum"]
    done = cli("run", case.project, "--out", case.out, "--json").json["evidence"]
    assert done["policy"]["levels"] == best["levels"]
    assert done["suppressed_records"] == best["suppressed_records"]
    assert done["quality"]["loss"]["value"] == pytest.approx(best["loss"], rel=1e-9)


# -- search ----------------------------------------------------------------------------


def test_search_lists_candidates_best_first(cli, case):
    found = cli("search", case.project, "--json").json
    losses = [each["loss"] for each in found["candidates"]]
    assert losses == sorted(losses)
    assert found["optimum"] == found["candidates"][0]
    assert found["complete"] is True
    assert found["nodes"] == found["checked"]
    assert found["limit_records"] == 30
    assert case.names() == ["patients.csv", "patients.deid.json"]


def test_search_in_words(cli, case):
    done = cli("search", case.project)
    assert done.code == 0
    assert "Every policy was examined: the first is proven best." in done.out
    assert "  1. Loss " in done.out
    assert "age: " in done.out


# -- inspect ---------------------------------------------------------------------------


def test_inspect_names_roles_and_reasons(cli, case):
    columns = cli("inspect", case.data, "--json").json["columns"]
    roles = {each["name"]: each["role"] for each in columns}
    assert roles["mrn"] == roles["name"] == "direct_identifier"
    assert roles["age"] == roles["sex"] == roles["zip"] == "quasi_identifier"
    assert all(each["reasons"] for each in columns)


def test_inspect_in_words(cli, case):
    done = cli("inspect", case.data)
    assert done.code == 0
    assert done.out.startswith("patients.csv: 300 rows, 6 columns\n")
    assert "\nQuasi-identifiers (3)\n" in done.out
    assert max(len(line) for line in done.out.splitlines()) <= 88
    assert case.names() == ["patients.csv", "patients.deid.json"]


def test_inspect_writes_proposals_but_never_over_decisions(cli, case):
    before = case.project.read_bytes()
    refused = cli("inspect", case.data, "--project", case.project)
    assert refused.code == 2
    assert "already a project" in refused.err
    assert case.project.read_bytes() == before
    fresh = case.folder / "fresh.deid.json"
    done = cli("inspect", case.data, "--project", fresh)
    assert done.code == 0
    assert "written to fresh.deid.json" in done.out.replace("\n", " ")
    assert f"deidgui decide {fresh} --role mrn=direct_identifier" in done.out
    fields = json.loads(fresh.read_text("utf-8"))
    assert fields["inputs"][0]["file"] == "patients.csv"
    assert not any(each["confirmed"] for each in fields["attributes"])
    # A proposal alone releases nothing: thresholds are a person's decision.
    assert cli("run", fresh, "--out", case.out).code == 2
    assert not case.out.exists()


def test_what_is_to_be_said_of_many_columns_is_said_once(cli, tmp_path):
    path = tmp_path / "stays.csv"
    header = "dx01,dx02,dx03,sex"
    lines = [f"I10,E11,J45,{'FM'[number % 2]}" for number in range(60)]
    path.write_text("\n".join([header, *lines]) + "\n")
    out = cli("inspect", path).out
    assert "dx01, dx02, dx03: " in out
    assert out.count("It is a diagnosis") == 1


# -- archives --------------------------------------------------------------------------


@pytest.fixture
def archive(case):
    path = case.folder / "export.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("year/patients.csv", csv_of(rows()))
        file.writestr("readme.txt", "about\n")
    return path


def test_an_archive_of_several_files_asks_for_one(cli, archive):
    done = cli("inspect", archive)
    assert done.code == 2
    assert "year/patients.csv, readme.txt" in done.err


@pytest.mark.parametrize("member", ["year/patients.csv", "patients.csv"])
def test_a_member_is_inspected_and_released(cli, case, archive, member):
    made = case.folder / "made.deid.json"
    done = cli("inspect", archive / member, "--project", made)
    assert done.out.startswith("export.zip/year/patients.csv: 300 rows")
    stored = json.loads(made.read_text("utf-8"))
    assert stored["inputs"][0]["file"] == "export.zip"
    assert stored["inputs"][0]["member"] == "year/patients.csv"
    case.change(inputs=stored["inputs"])
    assert cli("run", case.project, "--out", case.out).code == 0
    assert [path.name for path in case.out.glob("*.csv")] == ["patients_released.csv"]
    assert cli("verify", case.out).code == 0


@pytest.mark.parametrize("new", ["plain.csv", "export.zip/patients.csv"])
def test_a_member_can_be_replaced_by_another_file(cli, case, archive, new):
    (case.folder / "plain.csv").write_text(csv_of(rows(200)))
    case.change(
        inputs=[{"name": "table", "file": "old.zip", "member": "year/patients.csv"}]
    )
    named = f"table={case.folder / new}"
    done = cli("run", case.project, "--out", case.out, "--input", named)
    assert done.code == 0, done.err


# -- verify ----------------------------------------------------------------------------


def test_verify_agrees(cli, case):
    cli("run", case.project, "--out", case.out)
    done = cli("verify", case.out, "--json")
    assert done.code == 0
    assert done.json["ok"] is True
    assert all(each["ok"] for each in done.json["checks"])
    assert "0 failed" in cli("verify", case.out).out


@pytest.mark.parametrize(
    ("name", "content"),
    [("evidence.json", "{"), ("evidence.json", ""), ("policy.json", "[")],
)
def test_a_release_too_damaged_to_be_measured_is_not_verified(cli, case, name, content):
    assert cli("run", case.project, "--out", case.out).code == 0
    (case.out / name).write_text(content)
    assert cli("verify", case.out).code == 4


def test_an_empty_folder_in_a_release_was_added(cli, case):
    assert cli("run", case.project, "--out", case.out).code == 0
    assert cli("verify", case.out).code == 0
    (case.out / "mapping" / "more").mkdir()
    assert cli("verify", case.out).code == 4


@pytest.mark.parametrize("name", ["patients_released.csv", "policy.json", "report.pdf"])
def test_verify_of_a_tampered_release_says_so(cli, case, name):
    cli("run", case.project, "--out", case.out)
    path = case.out / name
    content = path.read_bytes()
    path.write_bytes(content[:-1] + b"?")
    done = cli("verify", case.out)
    assert done.code == 4
    assert f"The SHA-256 of “{name}”" in done.out
    assert "Do not share it" in done.out
    assert cli("verify", case.out, "--json").json["ok"] is False


# -- the rest --------------------------------------------------------------------------


def test_demo_does_the_whole_job(cli, tmp_path):
    out = tmp_path / "demo"
    done = cli("demo", "--out", out, "--no-window")
    assert done.code == 0
    assert "(verified: " in done.out
    assert cli("verify", out).code == 0
    # The project that it leaves is one that can be run again.
    project = tmp_path / "demo.deid.json"
    assert cli("search", project).code == 0
    assert cli("demo", "--out", out, "--no-window").code == 0


def test_demo_overwrites_nobodys_project(cli, case):
    before = case.project.read_bytes()
    done = cli("demo", "--out", case.folder / "patients", "--no-window")
    assert done.code == 2
    assert case.project.read_bytes() == before
    assert not (case.folder / "patients").exists()


def test_schema_is_that_of_projects(cli):
    assert cli("schema").json == project_schema()


def test_version(cli):
    assert cli("--version").out == f"deidgui {__version__}\n"


def test_self_check(cli):
    done = cli("--self-check")
    assert done.code == 0
    assert "FAILED" not in done.out


def test_a_failed_self_check_says_so(cli, monkeypatch):
    def missing(*_parts):
        raise FileNotFoundError("a path")

    monkeypatch.setattr("deidgui.resources.path", missing)
    done = cli("--self-check")
    assert done.code == 4
    assert "FAILED (FileNotFoundError)" in done.out


def test_help_names_every_command(cli):
    out = cli("--help").out
    assert all(each in out for each in ("run", "inspect", "search", "verify", "demo"))


# -- changed data ----------------------------------------------------------------------


@pytest.fixture
def changed(case):
    """The file is not the one that the project was made with."""
    case.change(
        inputs=[{"name": "table", "file": "patients.csv", "sha256": "0" * 64}],
    )
    return case


@pytest.mark.parametrize("arguments", [("run", "--out"), ("search",)])
@pytest.mark.parametrize("json_flag", [(), ("--json",)])
def test_changed_data_is_refused_unless_it_is_named(cli, changed, arguments, json_flag):
    command, *out = arguments
    call = [command, changed.project, *out, *([changed.out] if out else []), *json_flag]
    refused = cli(*call)
    assert refused.code == 2
    assert refused.out == ""
    assert "“patients.csv” is not the file the project was made with" in refused.err
    assert "--input table=FILE" in refused.err
    assert not changed.out.exists()
    assert cli(*call, "--input", f"table={changed.data}").code == 0


@pytest.mark.parametrize(("answer", "code"), [(True, 0), (False, 2)])
def test_changed_data_is_asked_for_in_a_terminal(
    cli, changed, monkeypatch, answer, code
):
    asked = []

    def confirm(text, err):
        assert err, "questions go to stderr"
        asked.append(text)
        return answer

    monkeypatch.setattr("deidgui.cli.explaining.has_person", lambda: True)
    monkeypatch.setattr("typer.confirm", confirm)
    assert cli("run", changed.project, "--out", changed.out).code == code
    assert len(asked) == 1
    assert "patients.csv" in asked[0]
    # With --json there is no person to ask.
    if code:
        assert not changed.out.exists()
    else:
        assert cli("search", changed.project, "--json").code == 2
        assert len(asked) == 1


def test_commands_are_functions_of_the_application_layer(case, tmp_path):
    """The window can do all this by the same functions."""
    assert headless.search(case.project, {})["complete"]
    assert headless.run(case.project, tmp_path / "out", {})["release"]
    assert headless.verify(tmp_path / "out")["ok"]
