"""A project is finished by commands alone, and every refusal names the next one."""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import subprocess
import sys

import pytest

from deidgui.app.storage.project_io import load_project
from tests.cli.case import Case, csv_of, rows

PROGRAM = [sys.executable, "-m", "deidgui"]


@pytest.fixture
def folder(tmp_path):
    """Patients with an identifier, a note, exact charges and a column of codes."""
    chance = random.Random(7)
    records = [
        {
            **row,
            "note": chance.choice(["stable", "call Dr. Smith", "fine"]),
            "charge": f"{chance.random() * 9000:.2f}",
            "flag": chance.choice(["p", "q", "r"]),
        }
        for row in rows(400)
    ]
    (tmp_path / "patients.csv").write_text(csv_of(records), encoding="utf-8")
    return tmp_path


def deidgui(folder, command):
    """Run a command line as a shell would, in a folder."""
    words = shlex.split(command)
    assert words[0] == "deidgui"
    return subprocess.run(
        [*PROGRAM, *words[1:]],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=180,
        check=False,
    )


def commands_in(text):
    """Command lines that the program named, as they stand."""
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line.startswith("deidgui ")]


def filled_in(command):
    """What a person writes in place of the words in capitals."""
    command = command.replace('"WHY"', '"The board has agreed."')
    command = command.replace("--key COLUMN", "--rows-are-people")
    return command.replace("=ROLE", "=insensitive").replace("FOLDER", "out")


def test_from_a_file_to_a_verified_release_by_what_the_program_says(folder):
    done = deidgui(folder, "deidgui inspect patients.csv --project p.deid.json")
    assert done.returncode == 0, done.stderr
    used = []
    for _ in range(60):
        named = commands_in(done.stdout) or commands_in(done.stderr)
        named = [filled_in(each) for each in named]
        fresh = [each for each in named if each not in used or " run " in each]
        assert fresh, (done.stdout, done.stderr)
        used.append(fresh[0])
        done = deidgui(folder, fresh[0])
        if " run " in fresh[0] and done.returncode == 0:
            break
        assert done.returncode in (0, 2), (fresh[0], done.stderr)
    assert (folder / "out" / "evidence.json").exists()
    verified = deidgui(folder, "deidgui verify out")
    assert verified.returncode == 0, verified.stdout
    evidence = json.loads((folder / "out" / "evidence.json").read_bytes())
    assert {each["because"] for each in evidence["questions"]} == {
        "The board has agreed."
    }
    assert any("--accept-finding charge:unique" in each for each in used)
    assert evidence["thresholds"]["recipient"] == "researcher"


# -- within this process ---------------------------------------------------------------


@pytest.fixture
def project(cli, folder):
    done = cli("inspect", folder / "patients.csv", "--project", folder / "p.deid.json")
    assert done.code == 0
    return folder / "p.deid.json"


def test_inspect_lists_what_is_undecided(cli, folder):
    path = folder / "q.deid.json"
    found = cli("inspect", folder / "patients.csv", "--project", path, "--json").json
    where = [each["where"] for each in found["open"]]
    assert set(where) >= {each["name"] for each in found["columns"]}
    assert {"what", "where", "fix"} == set(found["open"][0])
    assert all(str(path) in each["fix"] for each in found["open"])


def test_run_refuses_undecided_and_unconfirmed_roles_all_at_once(cli, project, folder):
    done = cli("run", project, "--out", folder / "out")
    assert done.code == 2
    for name in ("mrn", "age", "diagnosis", "charge"):
        assert f"--role {name}=" in done.err
    assert "--recipient researcher" in done.err
    assert not (folder / "out").exists()


def test_confirm_proposals_takes_over_the_certain_ones_only(cli, project):
    before = load_project(project)
    assert not any(each.confirmed for each in before.attributes)
    found = cli("decide", project, "--confirm-proposals", "--json").json
    after = {each.name: each for each in load_project(project).attributes}
    assert after["age"].confirmed
    assert after["age"].taken_over
    assert not after["charge"].confirmed
    open_columns = {each["where"] for each in found["open"]}
    assert "charge" in open_columns
    assert "age" not in open_columns
    # A person's own word is no taking over.
    assert cli("decide", project, "--role", "age=quasi_identifier").code == 0
    assert not load_project(project).attribute("age").taken_over


def test_taking_over_certain_proposals_is_not_offered_again(cli, project):
    before = cli("decide", project, "--name", "x", "--json").json
    assert "--confirm-proposals" in before["certain"]
    found = cli("decide", project, "--confirm-proposals", "--json").json
    assert found["certain"] == ""


def test_a_column_that_was_left_out_comes_back_by_its_own_decision_only(cli, project):
    cli("decide", project, "--leave-out", "diagnosis")
    done = cli("decide", project, "--role", "diagnosis=sensitive")
    assert "“diagnosis” is still left out" in " ".join(done.out.split())
    assert not load_project(project).attribute("diagnosis").include
    cli("decide", project, "--role", "diagnosis=sensitive", "--keep", "diagnosis")
    assert load_project(project).attribute("diagnosis").include


def test_a_model_of_a_column_that_was_left_out_is_taken_away(cli, project):
    model = "distinct_l_diversity:attribute=diagnosis,diversity=2"
    cli("decide", project, "--role", "diagnosis=sensitive", "--model", model)
    found = cli("decide", project, "--leave-out", "diagnosis", "--json").json
    (fix,) = (e["fix"] for e in found["open"] if "protects" in e["what"])
    assert "--drop-model distinct_l_diversity:diagnosis" in fix
    found = cli("decide", project, *fix.split()[3:], "--json").json
    assert not [e for e in found["open"] if "protects" in e["what"]]


def test_two_models_of_one_kind_in_one_call_are_refused(cli, project):
    """The weaker one would win if it were named last."""
    models = ("--model", "k_anonymity:k=10", "--model", "k_anonymity:k=3")
    done = cli("decide", project, *models)
    assert done.code == 2
    assert "“k_anonymity:k=3” is asked for beside another one" in done.err
    assert not load_project(project).privacy.models


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("F;*\n", "sex"),  # a value of the column is missing
        ("F;a\nF;b\nM;a\n", "sex"),  # one value, two labels
        ("F;a;*\nM;a\n", "sex"),
        ("F;a;x\nM;a;y\n", "sex"),  # a group divides again
    ],
)
def test_a_file_that_is_no_hierarchy_of_the_column_is_refused(
    cli, project, folder, rows, words
):
    cli("decide", project, "--role", "sex=quasi_identifier")
    (folder / "sexes.csv").write_text(rows)
    before = project.read_bytes()
    done = cli("decide", project, "--hierarchy", f"sex={folder / 'sexes.csv'}")
    assert done.code == 2
    assert words in done.err
    assert project.read_bytes() == before


def test_values_that_only_the_hierarchy_has_are_counted(cli, project, folder):
    cli("decide", project, "--role", "sex=quasi_identifier")
    (folder / "sexes.csv").write_text("F;*\nX;*\nM;*\n")
    done = cli("decide", project, "--hierarchy", f"sex={folder / 'sexes.csv'}")
    assert done.code == 0
    said = " ".join(done.out.split())
    assert "has 1 value that the column does not have" in said
    assert "headings" not in said


def test_headings_of_a_hierarchy_are_left_out_and_that_is_said(cli, project, folder):
    cli("decide", project, "--role", "sex=quasi_identifier")
    path = folder / "sexes.csv"
    path.write_text("sex;all\nF;*\nM;*\n")
    done = cli("decide", project, "--hierarchy", f"sex={path}")
    assert done.code == 0
    said = " ".join(done.out.split())
    assert "first row of the file was left out: it looks like headings" in said
    assert "that the column does not have" not in said
    made = load_project(project).attribute("sex").hierarchy
    assert (folder / made.csv).read_text() == "F;*\nM;*\n"
    # What is said to do if it is a value.
    path.write_text("F;*\nsex;*\nM;*\n")
    assert cli("decide", project, "--hierarchy", f"sex={path}").code == 0
    made = load_project(project).attribute("sex").hierarchy
    assert (folder / made.csv).read_text() == "F;*\nsex;*\nM;*\n"
    # A short row is refused as it is without headings, and not filled.
    path.write_text("sex;band;all\nF;a;*\nM;*\n")
    refused = cli("decide", project, "--hierarchy", f"sex={path}")
    assert refused.code == 2
    assert "Row 3" in refused.err


def ready(cli, project):
    """Decide everything but what is asked about the table."""
    roles = {
        "mrn": "direct_identifier",
        "name": "direct_identifier",
        "note": "direct_identifier",
        "age": "quasi_identifier",
        "sex": "quasi_identifier",
        "zip": "quasi_identifier",
        "diagnosis": "sensitive",
        "charge": "sensitive",
        "flag": "insensitive",
    }
    options = [f"--role={name}={role}" for name, role in roles.items()]
    options += ["--recipient", "researcher", "--suppressed", "left_out"]
    options += ["--rows-are-people"]
    done = cli("decide", project, *options, "--json").json
    assert done["open"] == [], done
    assert done["next"].startswith("deidgui run ")


def test_a_recipient_fills_in_its_thresholds(cli, project):
    ready(cli, project)
    privacy = load_project(project).privacy
    assert [each.kind for each in privacy.models] == [
        "highest_prosecutor_risk",
        "average_prosecutor_risk",
    ]
    assert privacy.suppression_limit == 0.05
    assert privacy.threshold.recipient == "researcher"


def test_thresholds_of_sensitive_columns_are_proposed_and_added_when_asked(
    cli, project
):
    cli("decide", project, "--role", "diagnosis=sensitive")
    assert load_project(project).privacy.models == ()
    done = cli("decide", project, "--model", "proposed")
    assert "--model proposed" not in done.out
    sensitive = load_project(project).with_role("sensitive")
    assert {each.name for each in sensitive} == {
        each.attribute for each in load_project(project).privacy.models
    }


def test_names_of_columns_that_are_not_released_are_not_handed_out(
    cli, project, folder
):
    (folder / "patients.csv").rename(folder / "mrn_list_20260131.csv")
    named = f"table={folder / 'mrn_list_20260131.csv'}"
    roles = ("mrn=direct_identifier", "name=direct_identifier")
    options = [option for each in roles for option in ("--role", each)]
    others = ("age", "sex", "zip")
    options += [o for n in others for o in ("--role", f"{n}=quasi_identifier")]
    options += ["--role", "flag=insensitive"]
    options += [o for n in ("note", "charge", "diagnosis") for o in ("--leave-out", n)]
    options += ["--recipient", "researcher", "--suppressed", "left_out"]
    options += ["--rows-are-people"]
    assert cli("decide", project, *options, "--input", named).code == 0
    done = cli("run", project, "--out", folder / "out", "--input", named)
    assert done.code == 0, done.err
    told = "\n".join(
        f"{path.name}\n{path.read_bytes().decode('utf-8', 'replace')}"
        for path in (folder / "out").rglob("*")
        if path.is_file() and path.suffix != ".pdf"
    )
    for name in ("mrn", "charge", "diagnosis", "20260131"):
        # The report speaks of a person in charge.
        assert not re.search(rf"(?<!in ){name}", told.lower()), name
    evidence = json.loads((folder / "out" / "evidence.json").read_bytes())
    assert [each["name"] for each in evidence["attributes"][:2]] == [
        "column 1",
        "column 2",
    ]
    assert evidence["inputs"][0]["file"] == "input.csv"
    assert cli("verify", folder / "out").code == 0


def test_a_reason_is_kept_and_goes_stale_with_its_column(cli, project, folder):
    ready(cli, project)
    refused = cli("run", project, "--out", folder / "out")
    assert refused.code == 2
    assert "--accept-finding charge:unique" in refused.err
    assert cli("decide", project, "--accept-finding", "charge:unique").code == 2
    answer = ("--accept-finding", "charge:unique", "--because", "Rounded before.")
    assert cli("decide", project, *answer).code == 0
    (kept,) = load_project(project).answers
    assert (kept.because, kept.by, kept.on) == ("Rounded before.", "", "")
    signed = cli("decide", project, "--sign-open", "--answered-by", "N. N.")
    assert signed.code == 0, signed.err
    assert load_project(project).answers[0].is_signed
    done = cli("run", project, "--out", folder / "out", "--json")
    assert done.code == 0, done.err
    (asked,) = done.json["evidence"]["questions"]
    assert (asked["column"], asked["because"]) == ("charge", "Rounded before.")
    assert (asked["by"], asked["on"]) == (
        "N. N.",
        done.json["evidence"]["created"][:10],
    )
    # The same answer is no answer once the column has another role.
    assert cli("decide", project, "--role", "charge=insensitive").code == 0
    assert cli("run", project, "--out", folder / "again").code == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--role", "agee=sensitive"], "Its columns are: mrn, name, age"),
        (["--role", "age=secret"], "direct_identifier, quasi_identifier, sensitive"),
        (["--recipient", "friend"], "public, researcher, internal, own"),
        (["--model", "k_anonymty:k=5"], "k_anonymity"),
        (["--model", "k_anonymity:n=5"], "Use one of: k."),
        (["--model", "k_anonymity:k=0"], "must lie in"),
        (["--drop-model", "k_map"], "Its models are:"),
        (["--limit", "5"], "0.05 for 5\u202f%"),
        (["--hierarchy", "age=bands"], "intervals"),
        (["--population", "census"], "fraction=SHARE"),
        (["--population", "fraction=0"], "must be above 0"),
        (["--population", "fraction=1.5"], "from 0 to 1"),
        (["--population", "built_in=us_1900"], "us_2000"),
        (["--suppressed", "gone"], "stars, left_out"),
        (["--order", "sideways"], "random, input, NUMBER"),
        (["--choose", "worst"], "best, NUMBER, survey:NUMBER, FILE.json"),
        (["--accept-finding", "age:identifier"], "A reason is missing"),
        (["--levels", "age=a..b"], "1..3"),
        (["--levels", "age=0..99"], "has the levels 0 to 4"),
        (["--levels", "age=99"], "has the levels 0 to 4"),
        (["--levels", "age=3..2"], "has the levels 0 to 4"),
        (["--levels", "age=99.."], "has the levels 0 to 4"),
        (
            ["--hierarchy", "age=intervals:factors=2", "--levels", "age=0..4"],
            "has the levels 0 to 3",
        ),
    ],
)
def test_every_refusal_lists_what_is_valid(cli, project, options, words):
    before = project.read_bytes()
    done = cli("decide", project, *options)
    assert done.code == 2, done
    assert words in done.err
    assert project.read_bytes() == before


def test_other_decisions_are_set(cli, project, folder):
    ready(cli, project)
    repeated = "F;*\nM;*\nF;*\n"
    (folder / "sexes.ahs").write_text(repeated)
    options = [
        *("--model", "distinct_l_diversity:diversity=2,attribute=diagnosis"),
        *("--drop-model", "average_prosecutor_risk"),
        *("--limit", "0.1", "--hierarchy", "age=intervals:width=10"),
        *("--hierarchy", f"sex={folder / 'sexes.ahs'}", "--levels", "zip=1..2"),
        *("--weight", "age=0.9", "--population", "fraction=0.25"),
        *("--order", "7", "--name", "Trial", "--notes", "None.", "--set-by", "Board"),
    ]
    done = cli("decide", project, *options)
    assert done.code == 0, done.err
    assert "repeats 1 row of the hierarchy of “sex”" in " ".join(done.out.split())
    made = load_project(project)
    assert [each.kind for each in made.privacy.models] == [
        "highest_prosecutor_risk",
        "distinct_l_diversity",
    ]
    assert made.privacy.suppression_limit == 0.1
    assert made.privacy.population.sampling_fraction == 0.25
    assert made.attribute("age").hierarchy.rule["width"] == 10
    assert (folder / made.attribute("sex").hierarchy.csv).read_text() == repeated
    zip_code = made.attribute("zip")
    assert (zip_code.minimum_level, zip_code.maximum_level) == (1, 2)
    assert made.attribute("age").weight == 0.9
    assert (made.export.shuffle_seed, made.name) == (7, "Trial")
    assert cli("decide", project, "--choose", "1").code == 0
    assert load_project(project).chosen.levels.keys() == {"age", "sex", "zip"}
    assert cli("decide", project, "--choose", "best").code == 0
    assert load_project(project).chosen is None


def test_data_away_from_the_project(cli, project, folder):
    away = folder / "elsewhere"
    away.mkdir()
    (folder / "patients.csv").rename(away / "patients.csv")
    lost = cli("decide", project, "--confirm-proposals")
    assert lost.code == 2
    assert "--input table=FILE" in lost.err
    named = f"table={away / 'patients.csv'}"
    done = cli("decide", project, "--confirm-proposals", "--input", named)
    assert done.code == 0
    # Every command that is named next names the file, too.
    assert commands_in(done.out)
    assert all(f"--input {named}" in each for each in commands_in(done.out))
    refused = cli("run", project, "--out", folder / "out", "--input", named)
    assert refused.code == 2
    assert all(f"--input {named}" in each for each in commands_in(refused.err))


def test_inspect_of_a_file_away_from_the_project_names_it_in_every_command(cli, folder):
    away = folder / "elsewhere"
    away.mkdir()
    found = cli(
        "inspect", folder / "patients.csv", "--project", away / "p.deid.json", "--json"
    )
    fixes = [each["fix"] for each in found.json["open"]]
    named = f"--input table={folder / 'patients.csv'}"
    assert fixes
    assert all(named in each for each in fixes if each.startswith("deidgui"))
    assert named in found.json["certain"]


def test_a_population_away_from_the_project_is_named_in_every_command(
    cli, project, tmp_path_factory
):
    ready(cli, project)
    people = tmp_path_factory.mktemp("people") / "people.csv"
    people.write_text("sex,people\nF,5000\nM,5000\n")
    done = cli("decide", project, "--population", f"counts={people}", "--json")
    assert done.code == 0, done.err
    commands = [each["fix"] for each in done.json["open"]] + [done.json["next"]]
    named = f"--input population={people}"
    assert all(named in each for each in commands if each.startswith("deidgui"))


def test_a_limit_that_is_overrun_stops_the_release_unless_overruled(cli, tmp_path):
    """Red first in what run prints, in the evidence and in the report."""
    case = Case.write(tmp_path)
    case.change_attribute("diagnosis", role="insensitive")
    case.change(
        privacy={"models": [{"kind": "k_anonymity", "k": 3}], "suppression_limit": 0.0},
        chosen={"levels": {"age": 0, "sex": 0, "zip": 0}, "withhold_below": 3},
    )
    refused = cli("run", case.project, "--out", case.out)
    assert refused.code == 3
    assert "--overrule suppression_limit" in refused.err
    assert "--choose best" in refused.err
    assert not case.out.exists()
    # A reason for another threshold is none for this one.
    other = ("--overrule", "k_anonymity", "--because", "Agreed.")
    assert cli("run", case.project, "--out", case.out, *other).code == 3
    why = ("--overrule", "suppression_limit", "--because", "Only a pilot.")
    why += ("--answered-by", "N. N., privacy office")
    done = cli("run", case.project, "--out", case.out, *why)
    assert done.code == 0, done.err
    assert done.out.lstrip().startswith("NOT MET")
    evidence = json.loads((case.out / "evidence.json").read_bytes())
    (overruled,) = evidence["overruled"]
    assert overruled["kind"] == "suppression_limit"
    assert overruled["because"] == "Only a pilot."
    assert overruled["by"] == "N. N., privacy office"
    assert overruled["on"] == evidence["created"][:10]
    assert f"Only a pilot. (N. N., privacy office, {overruled['on']})" in " ".join(
        done.out.split()
    )
    assert evidence["warnings"][0].startswith("OVERRULED")
    assert "Only a pilot." in evidence["warnings"][0]
    report = (case.out / "report.html").read_text("utf-8")
    assert "THRESHOLDS NOT MET" in report
    assert "1 of 2 thresholds" in report
    assert cli("verify", case.out).code == 0
    # Whoever takes the reason away is found out.
    changed = {**evidence, "overruled": [], "warnings": evidence["warnings"][1:]}
    (case.out / "evidence.json").write_text(json.dumps(changed), "utf-8")
    found = cli("verify", case.out, "--json")
    failed = {each["code"] for each in found.json["checks"] if not each["ok"]}
    assert "overruled" in failed


def test_an_unknown_condition_names_those_that_can_be_overruled(cli, tmp_path):
    case = Case.write(tmp_path)
    wrong = cli("run", case.project, "--out", case.out, "--overrule", "x")
    assert wrong.code == 2
    wrong = cli(
        "run", case.project, "--out", case.out, "--overrule", "x", "--because", "y"
    )
    assert wrong.code == 2
    assert "k_anonymity, suppression_limit" in wrong.err


# -- what the analysis needs, and how values are read ----------------------------------


def test_importance_is_said_in_words_or_numbers(cli, project):
    done = cli("decide", project, "--weight", "age=high", "--weight", "zip=0.3")
    assert done.code == 0, done.err
    decided = load_project(project)
    assert decided.attribute("age").weight == 1.0
    assert decided.attribute("zip").weight == 0.3
    assert decided.importance_said
    assert cli("decide", project, "--weight", "age=huge").code == 2


def test_whether_something_of_every_column_is_kept_is_decided(cli, project):
    assert load_project(project).quality.keep_something
    assert cli("decide", project, "--no-keep-something").code == 0
    assert not load_project(project).quality.keep_something
    assert cli("decide", project, "--limit", "0.1").code == 0
    assert not load_project(project).quality.keep_something
    assert cli("decide", project, "--keep-something").code == 0
    assert load_project(project).quality.keep_something


@pytest.fixture
def doubtful(cli, tmp_path):
    """A project of a file with birth dates in two formats; some fit both."""
    days = [f"{1 + n % 28:02d}/{1 + n % 12:02d}/{1950 + n % 40}" for n in range(200)]
    months = [f"{1 + n % 12:02d}/{1 + n % 28:02d}/{1950 + n % 40}" for n in range(200)]
    path = tmp_path / "births.csv"
    born = [each for pair in zip(days, months, strict=True) for each in pair]
    lines = [f"{each},{'mf'[n % 2]}" for n, each in enumerate(born)]
    path.write_text("\n".join(["birth_date,sex", *lines, ""]), encoding="utf-8")
    project = tmp_path / "p.deid.json"
    assert cli("inspect", path, "--project", project).code == 0
    return project


def test_dates_that_can_be_read_in_two_ways_are_asked_and_the_answer_is_kept(
    cli, doubtful, tmp_path
):
    found = load_project(doubtful).attribute("birth_date")
    assert (found.kind, len(found.open_formats)) == ("date", 2)
    cli("decide", doubtful, "--role", "birth_date=quasi_identifier")
    done = cli("run", doubtful, "--out", tmp_path / "out")
    assert done.code == 2
    assert "can be read in two ways" in done.err
    assert "--format birth_date=FORMAT" in done.err
    assert not (tmp_path / "out").exists()
    done = cli("decide", doubtful, "--format", f"birth_date={found.open_formats[1]}")
    assert done.code == 0, done.err
    answered = load_project(doubtful).attribute("birth_date")
    assert answered.open_formats == ()
    assert answered.format == found.open_formats[1]
    assert answered.hierarchy != found.hierarchy  # it reads the dates, too
    assert "can be read" not in cli("run", doubtful, "--out", tmp_path / "out").err


def test_a_column_that_nobody_reads_need_not_be_read_rightly(cli, doubtful, tmp_path):
    cli("decide", doubtful, "--role", "birth_date=direct_identifier")
    done = cli("run", doubtful, "--out", tmp_path / "out")
    assert "can be read in two ways" not in done.err


def test_a_format_is_one_that_exists(cli, doubtful):
    done = cli("decide", doubtful, "--format", "birth_date=nonsense")
    assert done.code == 2
    assert "YYYY-MM-DD" in done.err
    assert len(load_project(doubtful).attribute("birth_date").open_formats) == 2


def test_texts_that_mean_no_value_are_decided_and_released_as_such(cli, tmp_path):
    path, project = tmp_path / "ages.csv", tmp_path / "p.deid.json"
    ages = ["-9", "", "k=A", *(str(40 + n % 3) for n in range(57))]
    path.write_text("\n".join(["age,sex", *(f"{e},f" for e in ages)]) + "\n")
    assert cli("inspect", path, "--project", project).code == 0
    roles = ("--role", "age=quasi_identifier", "--role", "sex=quasi_identifier")
    asked = ("--missing", "age=-9", "--missing", "age=k=A")
    done = cli("decide", project, *roles, *asked, "--rows-are-people")
    assert done.code == 0, done.err
    assert load_project(project).attribute("age").missing == ("", "-9", "k=A")
    assert load_project(project).attribute("sex").missing == ("",)
    more = ("--model", "k_anonymity:k=2", "--limit", "0.1", "--recipient", "own")
    assert cli("decide", project, *more, "--suppressed", "stars").code == 0
    done = cli("run", project, "--out", tmp_path / "out")
    assert done.code == 0, done.err
    evidence = json.loads((tmp_path / "out" / "evidence.json").read_bytes())
    stated = evidence["attributes"][0]
    assert (stated["missing_as"], stated["missing_records"]) == (["", "-9", "k=A"], 3)
    assert cli("decide", project, "--not-missing", "age=-9").code == 0
    assert load_project(project).attribute("age").missing == ("", "k=A")
    cli("decide", project, "--missing", "age=-9", "--not-missing", "age=")
    assert load_project(project).attribute("age").missing == ("k=A", "-9")


@pytest.mark.parametrize(
    ("option", "named"),
    [
        (("--missing", "nobody=-9"), "mrn, name, age"),
        (("--not-missing", "age=-9"), "Use one of: age=."),
        (("--role", "age"), "age=VALUE"),
        (("--model", "distinct_l_diversity:diversity=2,attribute=x"), "mrn, name, age"),
        (("--format", "age=X"), "YYYY-MM-DD"),
        (("--dialect", "encoding=klingon"), "utf-8, cp1252"),
        (("--overrule", "x", "--because", "y"), "k_anonymity, suppression_limit"),
        (("--drop-model", "k"), "k_anonymity"),
        (("--model", "k_anonymity:l=5"), "Use one of: k."),
        (("--choose", "bst"), "best, NUMBER, survey:NUMBER, FILE.json"),
    ],
)
def test_every_refusal_names_what_is_valid(cli, tmp_path, option, named):
    case = Case.write(tmp_path)
    before = case.project.read_bytes()
    refused = cli("decide", case.project, *option)
    assert refused.code == 2
    assert named in refused.err
    assert case.project.read_bytes() == before


def test_help_tells_the_way_without_the_window(cli):
    out = cli("--help").out
    places = [out.index(f"deidgui {each}") for each in ("inspect", "decide", "run")]
    assert places == sorted(places)
    assert "deidgui verify release" in out
