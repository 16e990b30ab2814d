"""The command "search": alternatives to a rule."""

import pytest

from deidgui.app.project import Chosen
from tests.cli.case import Case

ELEMENTS = {
    "age": {"kind": "age"},
    "sex": {"kind": "other"},
    "zip": {"kind": "zip"},
}
SAFE_HARBOR = {"baseline": "safe_harbor", "elements": ELEMENTS, "iterations": 20}


@pytest.fixture
def case(tmp_path):
    return Case.write(tmp_path)


def alternatives_only(case, **discover):
    case.change(discover=discover, privacy={})


def test_alternatives_besides_the_lattice(cli, case):
    before = cli("search", case.project, "--json").json
    assert before["alternatives"] is None
    case.change(discover=SAFE_HARBOR)
    found = cli("search", case.project, "--json").json
    assert {**found, "alternatives": None} == before
    told = found["alternatives"]
    assert told["alternatives"] == len(told["listed"]) > 5
    # ZIP codes become three digits; nobody is 90.
    assert told["rule"]["joined"] == {"age": "∅", "sex": "∅", "zip": "[372] [381]"}
    assert told["threshold"] < told["raw_risk"]
    assert told["found"] == 20
    for each in told["listed"]:
        assert each["risk"] <= told["threshold"]
        assert each["share_of_threshold"] == each["risk"] / told["threshold"]
        assert Chosen(**each["chosen"]).acceptance.threshold == told["threshold"]
        assert set(each["joined"]) == {"age", "sex", "zip"}
    in_clusters = sum(each["alternatives"] for each in told["clusters"])
    assert in_clusters == told["alternatives"]
    again = cli("search", case.project, "--json").json
    assert again == found


def test_alternatives_without_models(cli, case):
    alternatives_only(case, **SAFE_HARBOR)
    found = cli("search", case.project, "--json").json
    facts = {"records", "unit", "combinations", "attributes", "population"}
    assert set(found) == {*facts, "alternatives"}
    assert found["population"] is None
    words = " ".join(cli("search", case.project).out.split())
    assert "Alternatives no riskier than the Safe Harbor rule:" in words
    assert "the rule joins: zip [372] [381] the rule keeps in full: age, sex" in words
    assert "among the data alone" in words
    assert "warning: No population is given" in words


@pytest.mark.parametrize(
    ("discover", "words"),
    [
        ({"baseline": "typed", "typed": 40.0}, "no riskier than the risk that was"),
        (
            {"baseline": "typed", "typed": 40.0, "method": "frontier", "budget": 300},
            "by frontier",
        ),
        ({"baseline": "typed", "typed": 299.0}, "Every policy is acceptable"),
    ],
)
def test_other_rules_and_methods(cli, case, discover, words):
    alternatives_only(case, **discover)
    assert words in " ".join(cli("search", case.project).out.split())


def test_preferences_order_what_is_listed(cli, case):
    preference = {"attribute": "age", "low": 70}
    alternatives_only(case, **SAFE_HARBOR, preferences=[preference])
    told = cli("search", case.project, "--json").json["alternatives"]
    scores = [each["score"] for each in told["listed"]]
    assert scores == sorted(scores, reverse=True)
    assert "preferences met" in cli("search", case.project).out


def test_nothing_acceptable(cli, case):
    alternatives_only(case, baseline="typed", typed=0.01)
    refused = cli("search", case.project, "--json")
    assert refused.code == 3
    assert "even the most general one" in refused.err


def test_what_is_missing_is_told(cli, case):
    elements = {"age": ELEMENTS["age"]}
    alternatives_only(case, baseline="safe_harbor", elements=elements)
    refused = cli("search", case.project)
    assert refused.code == 2
    assert "what “sex” is for the Safe Harbor rule" in " ".join(refused.err.split())
    assert "what “zip” is for the Safe Harbor rule" in refused.err


def test_search_says_which_alternatives_meet_the_thresholds(cli, case):
    case.change(
        discover={"baseline": "typed", "typed": 60.0, "iterations": 20},
        privacy={
            "models": [{"kind": "k_anonymity", "k": 4}],
            "suppression_limit": 0.3,
        },
    )
    done = cli("search", case.project, "--json")
    assert done.code == 0, done.err
    found = done.json["alternatives"]
    assert found["thresholds"] == 1
    told = [each["meets"] for each in found["listed"]]
    assert sum(told) == found["meeting"] < len(told)
    words = " ".join(cli("search", case.project).out.split())
    assert f"Of these {found['meeting']} meet the privacy models" in words
    assert words.count("a privacy model is NOT MET") >= 1
