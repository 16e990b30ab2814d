"""The experiment's command: contract, refusals, folder, and the real files."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ET

import pandas as pd
import pytest

from deidgui.app.experiment import command
from deidgui.app.experiment.options import ExperimentOptions
from deidgui.app.experiment.population import load_population
from tests.app.experiment.test_case import without_seconds
from tests.app.experiment.test_prepare import records, top_coded, written
from tests.engine.discover.cases import measure_of
from tests.engine.discover.tennessee import RACE_OF, adult_in_tennessee
from tests.shared import shared

METHOD = {"iterations", "evaluations", "seconds", "policies", "non_dominated"}
COLUMNS = ("sex", "race", "age")


@pytest.fixture
def data(tmp_path):
    return written(tmp_path, COLUMNS, records())


def run(cli, *arguments):
    return cli("experiment", "bps", *arguments)


# -- contract --------------------------------------------------------------------------


def test_without_a_file_the_sample_is_used(cli):
    told = run(cli, "--iterations", 20, "--json").json
    assert told["rows"] == 20_000
    assert told["file"] == "synthetic_patients.csv.gz"
    assert told["threshold"] > 0
    for name in ("bps", "directed"):
        assert told[name].keys() >= METHOD
        assert told[name]["iterations"] == 20
    assert told["population"]["state"] == "Tennessee"
    assert told["population"]["basis"] == "modelled"


def test_a_file_of_ones_own(cli, data):
    told = run(cli, "--data", data, "--iterations", 30, "--json").json
    assert told["rows"] == len(records())
    assert [each["name"] for each in told["attributes"]] == list(COLUMNS)
    assert told["bits"] == sum(each["values"] - 1 for each in told["attributes"])
    assert 6 <= told["bps"]["evaluations_per_iteration"] <= 7
    assert told["node_ratio"] >= 6
    assert told["examples"][0]["kind"] == "safe_harbor"
    for each in told["examples"][1:]:
        assert each["risk"] <= told["threshold"] * (1 + 1e-9)
    assert told["least_risk"] < told["threshold"] < told["raw_risk"]


def test_words_for_people(cli, data):
    done = run(cli, "--data", data, "--iterations", 5)
    assert done.code == 0
    assert done.err == ""
    assert "Threshold (Safe Harbor)" in done.out
    assert "MODELLED, not counted" in done.out


def test_a_seed_decides_the_result(cli, data):
    first, again = (
        without_seconds(run(cli, "--data", data, "--seed", 5, "--json").json)
        for _ in range(2)
    )
    assert first == again
    assert first["seed"] == 5


def test_everything_that_decides_is_told(cli, tmp_path):
    data = written(tmp_path, COLUMNS, top_coded())
    given = ("--weights", "none", "--gamma", 2, "--population", "us_2014")
    told = run(cli, "--data", data, *given, "--top-age", "open", "--json").json
    assert told["weights"] == "none"
    assert told["gamma"] == 2
    assert told["population"]["table"] == "us_2014"
    assert told["top_age"] == "open"
    assert told["every_policy_acceptable"]
    assert told["notes"][0].startswith("Every policy is acceptable")


# -- refusals --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--iterations", 0), "at least 1"),
        (("--iterations", "many"), "--iterations"),
        (("--weights", "some"), "both, size, use, none"),
        (("--gamma", 0), "above 0"),
        (("--gamma", "nan"), "above 0"),
        (("--seed", -1), "0 or a larger"),
        (("--population", "zip5_2020"), "us_2014"),
        (("--population", "atlantis"), "atlantis"),
        (("--state", "Atlantis"), "state"),
        (("--column", "sex"), "SUBJECT=NAME"),
        (("--column", "size=sex"), "size"),
        (("--column", "sex=gender"), "gender"),
        (("--age-unit", "unit"), "unit"),
        (("--top-age", "some"), "exact"),
    ],
)
def test_mistakes_are_told(cli, data, arguments, words):
    done = run(cli, "--data", data, *arguments, "--json")
    assert done.code == 2
    assert done.out == ""
    assert words in done.err


def test_a_file_that_is_not_there(cli, tmp_path):
    done = run(cli, "--data", tmp_path / "none.csv")
    assert done.code == 2
    assert "none.csv" in done.err


def test_doubt_is_refused_and_can_be_accepted(cli, tmp_path):
    rows = [*records(), *[("Male", "Zorblatt", "40")] * 4]
    data = written(tmp_path, COLUMNS, rows)
    done = run(cli, "--data", data, "--out", tmp_path / "out", "--json")
    assert done.code == 2
    assert "--accept-mapping" in done.err
    assert "Zorblatt" not in done.err
    assert not (tmp_path / "out").exists()
    told = run(cli, "--data", data, "--accept-mapping", "--json").json
    assert told["accepted_mapping"]
    assert told["rows"] == len(rows)
    told = run(cli, "--data", data, "--leave-out-unmatched", "--json").json
    assert told["rows"] == len(records())
    assert told["left_out_records"] == 4


# -- folder ----------------------------------------------------------------------------


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_folder_holds_tables_figures_and_a_page(cli, data, tmp_path):
    out = tmp_path / "deep" / "out"
    told = run(cli, "--data", data, "--iterations", 12, "--out", out, "--json").json
    assert told["folder"] == str(out)
    stored = json.loads((out / "experiment.json").read_text("utf-8"))
    assert {each.name for each in out.iterdir()} == set(stored["files"])
    assert without_seconds(stored)["examples"] == told["examples"]
    assert [each.name for each in out.parent.iterdir()] == ["out"]

    policies = rows_of(out / "table3.csv")
    assert policies[0]["policy"] == "Safe Harbor"
    assert policies[0]["age"] == "[90-100]"
    assert float(policies[0]["risk"]) == told["threshold"]
    seconds = rows_of(out / "table2.csv")
    assert [each["data"] for each in seconds[:2]] == ["this data"] * 2
    looked = rows_of(out / "figure9_evaluations.csv")
    assert len(looked) == 12
    assert int(looked[-1]["BPS"]) == told["bps"]["evaluations"]
    found = rows_of(out / "figure8_non_dominated.csv")
    assert int(found[-1]["Directed search"]) == told["directed"]["non_dominated"]

    pictures = sorted(out.glob("*.svg"))
    assert len(pictures) == 5
    for picture in pictures:
        assert ET.parse(picture).getroot().tag.endswith("svg")
    page = (out / "experiment.html").read_text("utf-8")
    assert page.count("<svg") == 5
    assert "670 with BPS" in page
    assert "MODELLED, not counted" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace(
        "http-equiv", ""
    )


def test_an_older_experiment_is_replaced_and_nothing_else(cli, data, tmp_path):
    out = tmp_path / "out"
    given = ("--data", data, "--iterations", 3, "--out", out)
    assert run(cli, *given).code == 0
    assert run(cli, *given, "--seed", 2).code == 0
    assert json.loads((out / "experiment.json").read_text("utf-8"))["seed"] == 2
    (out / "mine.txt").write_text("keep")
    done = run(cli, *given)
    assert done.code == 2
    assert "“out” holds something other than an experiment" in done.err
    assert (out / "mine.txt").read_text() == "keep"


def test_a_folder_that_cannot_be_written_leaves_nothing(
    cli, data, tmp_path, monkeypatch
):
    out = tmp_path / "out"
    given = ("--data", data, "--iterations", 3, "--out", out)
    assert run(cli, *given).code == 0
    before = {each.name: each.read_bytes() for each in out.iterdir()}

    def full(path, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(command, "write_synced", full)
    done = run(cli, *given)
    assert done.code == 2
    assert "could not be written" in done.err
    assert {each.name: each.read_bytes() for each in out.iterdir()} == before
    assert not [each for each in tmp_path.iterdir() if each.name.startswith(".")]


# -- real files ------------------------------------------------------------------------


def test_adult_in_tennessee(cli):
    """methods.md A.8: 6 to 7 policies an iteration, Directed six times as many."""
    path = shared("data", "uci_adult", "adult.data.gz")
    told = run(cli, "--data", path, "--json").json
    assert told["rows"] == 32_561
    assert told["bits"] == 1 + 4 + 100
    assert told["bps"]["iterations"] == told["directed"]["iterations"] == 100
    assert 600 <= told["bps"]["evaluations"] <= 700
    assert told["node_ratio"] >= 6
    assert told["bps"]["non_dominated"] > told["directed"]["non_dominated"]
    assert told["coverage"]["n_records_without_population"] == 0
    doubts = {d["code"] for m in told["mapping"] for d in m["doubts"]}
    assert doubts == {"people_race_other", "people_age_top"}

    # The same sum by plain pandas, from the table of people.
    table = load_population(ExperimentOptions())
    names = ("sex", "race", "age")
    population = pd.DataFrame(
        {
            name: pd.Categorical.from_codes(
                table.cells[:, table.place(name)], table.attribute(name).values
            ).astype(str)
            for name in names
        }
    )
    population["g"] = table.counts
    words = {name.removesuffix(" alone"): word for name, word in RACE_OF.items()}
    words |= {
        "Black or African American": "Black",
        "American Indian or Alaska Native": "Amer-Indian-Eskimo",
        "Native Hawaiian or Other Pacific Islander": "Asian-Pac-Islander",
    }
    population["race"] = population["race"].map(words)
    rows = pd.read_csv(path, header=None, skipinitialspace=True, dtype=str)
    rows = rows[[9, 8, 0]].set_axis(names, axis=1)
    for frame in (population, rows):
        frame["age"] = frame["age"].str.rstrip("+").astype(int).clip(upper=90)
    groups = population.groupby(list(names), as_index=False)["g"].sum()
    linked = rows.merge(groups, on=list(names), how="left")
    assert told["threshold"] == pytest.approx((1 / linked["g"]).sum(), rel=1e-9)

    # Another way to share those of 85 and more gives nearly the same.
    other = measure_of(adult_in_tennessee())
    assert told["raw_risk"] == pytest.approx(other.risk(other.space.bottom()), rel=2e-3)


def test_discharges_in_the_nation(cli):
    path = shared("data", "nhds2010", "nhds2010.csv.gz")
    given = ("--data", path, "--population", "us_2014", "--age-unit", "age_unit")
    done = run(cli, *given, "--json")
    assert done.code == 2
    assert "7,929 records" in done.err
    told = run(cli, *given, "--leave-out-unmatched", "--json").json
    assert told["rows_of_file"] == 151_551
    assert told["left_out_records"] == 24_543 + 7_929
    assert told["rows"] == 151_551 - 24_543 - 7_929
    assert told["population"]["basis"] == "counted"
    assert 6 <= told["bps"]["evaluations_per_iteration"] <= 7
    assert told["node_ratio"] >= 6
    assert told["bps"]["non_dominated"] > told["directed"]["non_dominated"]
