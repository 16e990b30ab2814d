"""Baselines, matches of the population and settings, by the command line alone."""

from __future__ import annotations

import pytest

from deidgui.app.storage.project_io import load_project
from tests.cli.case import Case
from tests.cli.population_case import ELEMENTS, TOPICS, among_population


@pytest.fixture
def case(tmp_path):
    made = Case.write(tmp_path)
    for name, topic in TOPICS.items():
        made.change_attribute(name, topic=topic)
    return made


def decide(cli, case, *options):
    done = cli("decide", case.project, *options, "--json")
    assert done.code == 0, done.err
    return load_project(case.project)


def test_the_people_of_a_state_are_matched_and_confirmed_by_commands(
    cli, case, tmp_path
):
    """The same decisions and files as the window's functions make."""
    other = tmp_path / "other"
    other.mkdir()
    oracle = Case.write(other)
    names = among_population(oracle)
    wanted = load_project(oracle.project)
    project = decide(
        cli,
        case,
        *("--drop-model", "k_anonymity"),
        *("--population", "built_in=zip5_2020+states_2020,state=Tennessee"),
        *(f"--match={name}=proposed" for name in TOPICS),
        *(f"--match={name}=accept_unmatched" for name in TOPICS),
        *("--baseline", "safe_harbor"),
        *(f"--element={name}=proposed" for name in TOPICS),
        *("--set", "discover.iterations=20"),
    )
    assert project.privacy.population == wanted.privacy.population
    assert project.discover == wanted.discover
    for name in names:
        written = (case.folder / name).read_bytes()
        assert written == (other / name).read_bytes()
    found = cli("search", case.project, "--json")
    assert found.code == 0, found.err
    expected = cli("search", oracle.project, "--json").json
    assert (
        found.json["alternatives"]["threshold"]
        == (expected["alternatives"]["threshold"])
    )


def test_what_must_be_said_of_a_population_is_named_with_its_command(cli, case):
    decide(cli, case, "--population", "built_in=zip5_2020,state=Tennessee")
    refused = cli("search", case.project)
    assert refused.code == 2
    assert "--match age=HOW" in refused.err
    assert "--match sex=HOW" in refused.err
    wrong = cli("decide", case.project, "--match", "sex=gender")
    assert wrong.code == 2
    for each in ("state", "zip", "independent", "left_aside"):
        assert each in wrong.err
    wrong = cli("decide", case.project, "--match", "zip=place")
    assert wrong.code == 2
    for each in ("proposed", "accept_unmatched", "FILE.csv"):
        assert each in wrong.err
    project = decide(cli, case, "--match", "sex=independent")
    assert project.privacy.population.matches["sex"].lacking == "independent"


def test_a_mapping_file_says_what_values_stand_for(cli, case):
    population = "built_in=zip5_2020+states_2020,state=Tennessee"
    decide(cli, case, "--population", population, "--match", "sex=proposed")
    (known,) = (case.folder / "mappings").iterdir()
    before = load_project(case.project).privacy.population.matches["sex"]
    own = case.folder / "own.csv"
    own.write_bytes(known.read_bytes())
    decide(cli, case, "--match", "sex=independent")
    project = decide(cli, case, "--match", "sex=sex", f"--match=sex={own}")
    assert project.privacy.population.matches["sex"].csv == before.csv
    own.write_text("no,mapping\n")
    assert cli("decide", case.project, f"--match=sex={own}").code == 2


def test_every_element_is_said_and_missing_ones_are_named(cli, case):
    decide(cli, case, "--baseline", "safe_harbor")
    refused = cli("search", case.project)
    assert refused.code == 2
    assert "--element age=KIND" in refused.err
    project = decide(
        cli,
        case,
        *("--element", "age=age", "--element", "sex=other"),
        *("--element", "zip=date:YYYY-MM-DD:1930"),
    )
    elements = project.discover.elements
    assert elements["age"].kind == ELEMENTS["age"]["kind"]
    assert elements["zip"].date_format == "YYYY-MM-DD"
    assert elements["zip"].oldest_year == 1930


@pytest.mark.parametrize(
    ("option", "named"),
    [
        (("--element", "age=years"), "proposed, age, zip"),
        (("--element", "age=zip:3"), "proposed, age, zip"),
        (("--element", "age=date:nonsense"), "date format"),
        (("--element", "diagnosis=age"), "age, sex, zip"),
        (("--baseline", "harbor"), "safe_harbor, models"),
        (("--baseline", "typed=0"), "typed=NUMBER"),
        (("--baseline", "policy"), "--choose"),
        (("--set", "search.speed=1"), "search.method"),
        (("--set", "search.method=fast"), "profile, optimum, ola"),
        (("--set", "search.local_recoding=maybe"), "yes, no"),
        (("--set", "discover.iterations=0"), "1"),
        (("--match", "diagnosis=sex"), "quasi-identifier"),
        (("--population", "built_in=mars"), "zip5_2020"),
        (("--quota", "age=1.5"), "0 to 1"),
        (("--quota", "diagnosis=0.2"), "age, sex, zip"),
        (("--quota", "age=0.7", "--quota", "sex=0.4"), "at most"),
        (("--prefer", "age=old"), "LOW..HIGH"),
        (("--prefer", "age=75..60"), "LOW..HIGH"),
        (("--prefer", "age=all:0"), "LOW..HIGH"),
        (("--prefer", "diagnosis=all"), "age, sex, zip"),
        (("--set", "discover.margin=2"), "0.9"),
    ],
)
def test_every_refusal_names_what_is_valid_and_changes_nothing(
    cli, case, option, named
):
    before = case.project.read_bytes()
    refused = cli("decide", case.project, *option)
    assert refused.code == 2
    assert named in refused.err
    assert case.project.read_bytes() == before


def test_settings_without_an_option_of_their_own(cli, case):
    project = decide(
        cli,
        case,
        *("--set", "search.method=optimum", "--set", "search.local_recoding=yes"),
        *("--set", "privacy.missing_matches=anything"),
        *("--set", "export.spreadsheet_safe=no", "--set", "discover.gamma=2"),
        *("--baseline", "typed=12.5"),
    )
    assert project.search.method == "optimum"
    assert project.search.local_recoding
    assert project.privacy.missing_matches == "anything"
    assert not project.export.spreadsheet_safe
    assert project.discover.gamma == 2
    assert project.discover.typed == 12.5
    assert decide(cli, case, "--baseline", "none").discover.baseline is None


def test_postal_codes_by_a_table_of_people(cli, case):
    table = case.folder / "people.csv"
    lines = ("372;25,001", "381;19,999", "999;400000")
    table.write_text("\n".join(["prefix;people", *lines]) + "\n", "utf-8")
    project = decide(cli, case, f"--hierarchy=zip=postcodes:people={table},length=3")
    rule = project.attribute("zip").hierarchy.rule
    assert rule["kind"] == "postcodes"
    assert rule["areas"].split() == ["372", "999"]
    more = f"--hierarchy=zip=postcodes:people={table},enough=30000,length=3"
    rule = decide(cli, case, more).attribute("zip").hierarchy.rule
    assert rule["areas"].split() == ["999"]
    table.write_text("a;b;c\n1;2;3\n")
    refused = cli("decide", case.project, f"--hierarchy=zip=postcodes:people={table}")
    assert refused.code == 2
    assert "two columns" in refused.err
    wrong = f"--hierarchy=zip=postcodes:people={table},least=3"
    assert "enough, length" in cli("decide", case.project, wrong).err


def test_columns_that_the_population_does_not_know_are_decided_at_once(cli, case):
    built_in = ("--population", "built_in=zip5_2020,state=Tennessee")
    refused = cli("decide", case.project, "--unknown-columns", "independent")
    assert refused.code == 2
    assert "population" in refused.err
    project = decide(
        cli, case, *built_in, "--match=age=left_aside", "--unknown-columns=independent"
    )
    matches = project.privacy.population.matches
    assert {name: each.lacking for name, each in matches.items()} == {
        "age": "left aside",
        "sex": "independent",
    }
    # What was decided before stays.
    again = decide(cli, case, "--unknown-columns", "left_aside")
    assert again.privacy.population.matches == matches
    wrong = cli("decide", case.project, "--unknown-columns", "somehow")
    assert wrong.code == 2
    assert "independent, left_aside" in wrong.err
    decide(cli, case, "--population", "built_in=zip5_2020+states_2020,state=Tennessee")
    wrong = cli("decide", case.project, "--unknown-columns", "independent")
    assert "knows every quasi-identifier" in wrong.err


def test_quotas_and_preferences_steer_by_commands(cli, case):
    project = decide(
        cli,
        case,
        *("--baseline", "safe_harbor", "--set", "discover.margin=0.1"),
        *("--quota", "age=0.4", "--quota", "sex=0.5"),
        *("--prefer", "age=60..75:must", "--prefer", "sex=all:2"),
        *("--prefer", "age=70.."),
    )
    assert project.discover.margin == 0.1
    assert project.discover.quotas == {"age": 0.4, "sex": 0.5}
    assert [
        (each.attribute, each.low, each.high, each.weight, each.is_demanded)
        for each in project.discover.preferences
    ] == [
        ("age", 60, 75, 1, True),
        ("sex", None, None, 2, False),
        ("age", 70, None, 1, False),
    ]
    less = decide(cli, case, "--quota", "age=0", "--prefer", "age=none")
    assert less.discover.quotas == {"sex": 0.5}
    assert [each.attribute for each in less.discover.preferences] == ["sex"]
    heavier = decide(cli, case, "--prefer", "sex=all:3").discover.preferences
    assert [(each.attribute, each.weight) for each in heavier] == [("sex", 3)]


def test_a_quota_of_a_column_that_is_none_is_taken_back_by_the_named_command(cli, case):
    project = decide(cli, case, "--baseline", "typed=100", "--quota", "sex=0.5")
    assert project.discover.quotas == {"sex": 0.5}
    decide(cli, case, "--role", "sex=insensitive")
    refused = cli("search", case.project)
    assert refused.code == 2
    assert "--quota sex=0" in refused.err
    assert decide(cli, case, "--quota", "sex=0").discover.quotas == {}


def test_a_list_and_a_match_are_decided_on_one_line(cli, case, tmp_path):
    codes = tmp_path / "codes.csv"
    codes.write_text("J45,exact,x\n", "utf-8")
    project = decide(
        cli,
        case,
        *("--prepare", f"remove_people:codes={codes},columns=diagnosis"),
        *("--population", "built_in=zip5_2020,state=Tennessee"),
        "--match=age=left_aside",
    )
    (step,) = project.preparation
    assert (case.folder / step.codes).read_bytes() == codes.read_bytes()
    assert project.privacy.population.matches["age"].lacking == "left aside"
