"""The command "search": methods, proofs, every measure, prices."""

import pytest

from deidgui.app.policies.lattice import source
from deidgui.engine.quality import QUALITY_MEASURES
from tests.cli.case import Case


@pytest.fixture
def case(tmp_path):
    return Case.write(tmp_path)


def test_every_measure_is_reported_for_every_candidate(cli, case):
    found = cli("search", case.project, "--json").json
    kinds = {each.kind for each in QUALITY_MEASURES}
    for candidate in found["candidates"]:
        assert {each["kind"] for each in candidate["measures"]} == kinds
        assert candidate["measures"][0]["kind"] == "loss"
        assert candidate["measures"][0]["loss"] == candidate["loss"]
    case.change(quality={"measure": {"kind": "discernibility"}})
    other = cli("search", case.project, "--json").json
    before = {str(each["levels"]): each["measures"] for each in found["candidates"]}
    for candidate in other["candidates"]:
        told = {each["kind"]: each["loss"] for each in candidate["measures"]}
        assert told.pop("discernibility") == candidate["loss"]
        if str(candidate["levels"]) in before:
            known = {
                each["kind"]: each["loss"] for each in before[str(candidate["levels"])]
            }
            assert told.items() <= known.items()


@pytest.mark.parametrize("method", ["profile", "optimum", "ola"])
def test_every_method_says_what_is_proven(cli, case, method):
    best = cli("search", case.project, "--json").json["optimum"]
    case.change(search={"method": method})
    found = cli("search", case.project, "--json").json
    assert found["method"] == method
    assert found["nodes"] == 40
    assert found["checked"] <= found["nodes"]
    words = cli("search", case.project).out
    if method == "ola":
        assert found["minimal"]
        assert found["optimum"]["levels"] in found["minimal"]
        assert not found["complete"]
        assert "need not be the best" in " ".join(words.split())
    else:
        assert found["complete"]
        assert found["gap"] == 0
        assert found["optimum"]["levels"] == best["levels"]
        assert "proven best" in " ".join(words.split())


def test_prices_are_told(cli, case):
    found = cli("search", case.project, "--json").json
    limits = found["prices"]["by_suppression_limit"]
    assert found["prices"]["all_policies_compared"]
    assert limits[0]["limit"] == 0
    assert limits[-1]["limit"] == 1
    assert [each["k"] for each in found["prices"]["by_group_size"]][:3] == [2, 3, 4]
    here = next(each for each in limits if each["limit"] == pytest.approx(0.1))
    assert here["loss"] == pytest.approx(found["optimum"]["loss"])
    assert here["levels"] == found["optimum"]["levels"]
    models = [
        {"kind": "k_anonymity", "k": 3},
        {"kind": "population_uniqueness", "threshold": 1, "sampling_fraction": 0.1},
    ]
    case.change(privacy={"models": models, "suppression_limit": 0.1})
    assert cli("search", case.project, "--json").json["prices"] is None


def test_only_who_asks_for_a_survey_waits_for_one(cli, case, monkeypatch, tmp_path):
    surveyed = []

    def survey(project, classes, found, **_options):
        surveyed.append(found)
        return found

    monkeypatch.setattr(source, "survey", survey)
    release = tmp_path / "release"
    for arguments in (
        ("search", case.project),
        ("run", case.project, "--out", release),
        ("attack", case.project, "--runs", 10),
        ("risk", case.project, "--known", 2),
        ("verify", release),
        ("report", release, "--out", tmp_path / "report.html"),
        ("decide", case.project, "--choose", "1"),
    ):
        assert cli(*arguments).code == 0, arguments
        assert not surveyed, arguments
    assert cli("search", case.project, "--survey").code == 0
    assert len(surveyed) == 1
    assert cli("decide", case.project, "--choose", "survey:1").code == 0
    assert len(surveyed) == 2
