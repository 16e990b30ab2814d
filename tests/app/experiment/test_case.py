"""Both searches on the paper's small example, with answers known by hand."""

import pytest

from deidgui.app.experiment.case import ExperimentCase, run_case
from deidgui.app.experiment.options import ExperimentOptions
from deidgui.app.experiment.results import (
    csv_of,
    describe,
    policies_table,
    seconds_table,
)
from deidgui.engine.discover.rules import RiskAtMost
from deidgui.errors import Cancelled, ConfigError, InfeasibleError
from tests.engine.discover.cases import RISKS, paper_measure

MINIMAL = {"11100", "10010", "01110"}
"""Risk-minimal policies at T = 1.3 (methods.md O-A1)."""


def case_at(threshold):
    measure = paper_measure()
    return ExperimentCase(measure.cells, RiskAtMost(measure, threshold))


def without_seconds(told):
    """A result apart from what a clock decides."""
    told = {
        name: each
        for name, each in told.items()
        if name not in ("time_ratio", "time_difference", "bps_time_trend")
    }
    for name in ("bps", "directed"):
        told[name] = {k: v for k, v in told[name].items() if "seconds" not in k}
        told["per_iteration"][name].pop("seconds")
    return told


def test_policies_found_are_those_of_the_paper():
    outcome = run_case(case_at(1.3), ExperimentOptions(iterations=40))
    told = describe(outcome)
    assert told["rows"] == 6
    assert told["threshold"] == 1.3
    assert told["raw_risk"] == pytest.approx(RISKS["11111"], abs=1e-5)
    assert told["least_risk"] == pytest.approx(RISKS["00000"], abs=1e-5)
    assert not told["every_policy_acceptable"]
    for name in ("bps", "directed"):
        found = told[name]
        assert found["iterations"] == 40
        # 13 of the 32 policies are acceptable, all of them at the boundary.
        assert 1 <= found["non_dominated"] <= found["policies"] <= 13
        assert found["evaluations"] == sum(told["per_iteration"][name]["evaluations"])
        assert found["new_evaluations"] <= min(found["evaluations"], 32)
        assert all(risk <= 1.3 for risk in told["per_iteration"][name]["risk"])
    # Five bits: two or three policies are looked at by each bisection.
    assert 80 <= told["bps"]["evaluations"] <= 120


def test_examples_are_risk_minimal_and_single_joins_the_best_ones():
    outcome = run_case(case_at(1.3), ExperimentOptions(iterations=40))
    kinds = [each.kind for each in outcome.examples]
    assert kinds == ["found"] * len(kinds)
    risks = {round(each.risk, 5) for each in outcome.examples}
    assert risks <= {RISKS[bits] for bits in MINIMAL}
    # At T = 2 one join is enough: the sexes, or the ages 53 and 54.
    joined = [e for e in run_case(case_at(2.0)).examples if e.kind == "one_join"]
    assert [each.generalizations for each in joined] == [
        ("[M, F]", "∅"),
        ("∅", "[53-54]"),
    ]
    assert [round(each.risk, 5) for each in joined] == [
        RISKS["01111"],
        RISKS["11110"],
    ]


def test_a_seed_decides_everything_but_the_seconds():
    first, again, other = (
        without_seconds(
            describe(
                run_case(case_at(1.3), ExperimentOptions(iterations=30, seed=seed))
            )
        )
        for seed in (3, 3, 4)
    )
    assert first == again
    assert first["per_iteration"] != other["per_iteration"]


def test_weights_change_the_policies():
    found = [
        describe(
            run_case(case_at(1.3), ExperimentOptions(iterations=30, weights=name))
        )["per_iteration"]
        for name in ("both", "size", "use", "none")
    ]
    assert len({str(each["bps"]["risk"]) for each in found}) > 1
    assert len({str(each["directed"]["risk"]) for each in found}) == 1


def test_nothing_is_searched_where_every_policy_is_acceptable():
    outcome = run_case(case_at(4.0), ExperimentOptions(iterations=50))
    told = describe(outcome)
    assert told["every_policy_acceptable"]
    assert told["bps"]["policies"] == told["bps"]["iterations"] == 1
    assert told["time_difference"] is None
    assert told["bps_time_trend"] is None
    assert told["notes"][0].startswith("Every policy is acceptable")
    assert outcome.examples == ()
    assert policies_table(outcome).rows == ()


def test_one_iteration_has_no_deviation():
    outcome = run_case(case_at(1.3), ExperimentOptions(iterations=1))
    assert describe(outcome)["bps"]["seconds_sd"] is None
    lines = csv_of(seconds_table(outcome)).decode().splitlines()
    (own,) = [line for line in lines if line.startswith("this data,BPS,1,")]
    assert own.split(",")[4] == ""


def test_an_impossible_threshold_names_the_least_risk():
    with pytest.raises(InfeasibleError) as caught:
        run_case(case_at(0.1))
    assert caught.value.code == "no_acceptable_policy"
    assert caught.value.params["least"] == pytest.approx(RISKS["00000"], abs=1e-5)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"iterations": 0}, "discovery_iterations"),
        ({"iterations": 10_001}, "experiment_iterations"),
        ({"seed": -1}, "experiment_seed"),
        ({"weights": "some"}, "experiment_weights"),
    ],
)
def test_choices_that_make_no_sense(wrong, code):
    with pytest.raises(ConfigError) as caught:
        ExperimentOptions(**wrong)
    assert caught.value.code == code


def test_cancel():
    class Stop:
        def report(self, fraction, note=""):
            if fraction > 0.5:
                raise Cancelled

    with pytest.raises(Cancelled):
        run_case(case_at(1.3), ExperimentOptions(iterations=200), monitor=Stop())
