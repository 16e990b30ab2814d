"""The window's experiment has the rule, the values and the people of its page."""

import pytest

from deidgui.app.experiment.case import Choice, run_case
from deidgui.app.experiment.describe import describe
from deidgui.app.experiment.folder import files_of
from deidgui.app.experiment.ground import case_of_ground
from deidgui.app.policies.alternatives import compute_basis
from tests.app.discovery_case import classes_of, project_of, typed
from tests.engine.discover.cases import RISKS, paper_table
from tests.engine.discover.tennessee import adult_in_tennessee


def ground_of(project, table):
    return compute_basis(project, classes_of(table))


def test_safe_harbor_on_adult():
    table = adult_in_tennessee()
    basis = ground_of(project_of(table, baseline="safe_harbor"), table)
    outcome = run_case(case_of_ground(basis, "adult"), Choice(50))
    told = describe(outcome)
    assert told["rows"] == 32_561
    assert told["threshold"] == basis.threshold
    assert told["raw_risk"] == pytest.approx(basis.highest_risk)
    assert told["threshold_from"] == "safe_harbor"
    assert outcome.examples[0].risk == basis.threshold
    assert outcome.examples[0].generalizations[:2] == ("∅", "∅")
    assert 6 <= told["bps"]["evaluations_per_iteration"] <= 7
    assert told["node_ratio"] >= 6
    assert "experiment.html" in files_of(outcome)


def test_a_typed_threshold_has_no_line_of_its_own():
    table = paper_table()
    basis = ground_of(typed(table, 2.0), table)
    outcome = run_case(case_of_ground(basis), Choice(20))
    told = describe(outcome)
    assert told["threshold"] == 2.0
    assert told["threshold_from"] == "given"
    assert "file" not in told
    assert told["raw_risk"] == pytest.approx(RISKS["11111"], abs=1e-5)
    assert {each.kind for each in outcome.examples} == {"one_join", "found"}
    assert b"the current project" in files_of(outcome)["experiment.html"]
