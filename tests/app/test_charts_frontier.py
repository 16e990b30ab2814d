"""Where alternatives and the rule stand, by hand."""

import numpy as np
import pytest

from deidgui.app.charts.frontier import alternatives_chart
from deidgui.app.charts.plane import Flag
from deidgui.app.policies.alternatives.searching import discover
from tests.app.discovery_case import classes_of, project_of, typed
from tests.engine.discover.cases import paper_table
from tests.engine.discover.tennessee import adult_in_tennessee


def chart_of(table, project, **marked):
    found = discover(project, classes_of(table))
    return found, alternatives_chart(found, **marked)


def test_alternatives_and_the_rule():
    table = adult_in_tennessee()
    project = project_of(table, iterations=30)
    found, chart = chart_of(table, project, chosen=2, kept=(1, 3))
    assert chart.policies.tolist() == list(range(len(found)))
    assert chart.y.tolist() == found.risk.tolist()
    assert chart.x.tolist() == found.loss_share.tolist()
    assert chart.feasible.all()
    (rule,) = [each for each in chart.marked if each.flag is Flag.REFERENCE]
    assert rule.label.text() == "Safe Harbor"
    assert rule.y == found.basis.threshold
    # 43 of 32,561 records, all of age 90, are spread over 11 ages.
    lost = 43 / 32_561 * np.log2(11)
    assert rule.x * found.basis.highest_loss == pytest.approx(lost, rel=1e-9)
    flags = [(each.flag, each.policy) for each in chart.marked[:-1]]
    assert flags == [(Flag.KEPT, 1), (Flag.KEPT, 3), (Flag.CHOSEN, 2)]
    assert chart.marks[0].value == found.basis.limit
    n_better = int(((chart.x <= rule.x) & (chart.y <= rule.y)).sum())
    told = chart.sentence.text()
    assert told.startswith(f"{len(found)} alternatives are no riskier")
    assert f"; {n_better} of them" in told


def test_points_of_a_frontier_that_are_too_risky():
    table = paper_table()
    project = typed(table, 1.3, method="frontier", budget=64)
    found, chart = chart_of(table, project)
    n_points = len(found.frontier.points)
    assert len(chart.policies) == n_points > len(found)
    too_risky = chart.policies < 0
    assert (chart.y[too_risky] > 1.3).all()
    assert (chart.y[~too_risky] <= 1.3).all()
    assert chart.feasible.tolist() == (~too_risky).tolist()
    assert sorted(chart.policies[too_risky].tolist()) == list(
        range(-int(too_risky.sum()), 0)
    )
    assert not chart.marked
    assert chart.sentence.text() == (
        f"{len(found)} alternatives are acceptable under the rule."
    )
    table_rows = chart.to_table().rows
    assert len(table_rows) == n_points


@pytest.mark.parametrize(("gamma", "label"), [(1.0, "Expected"), (2.0, "Sum of 1")])
def test_what_the_risk_is(gamma, label):
    table = paper_table()
    _, chart = chart_of(table, typed(table, 1.3, gamma=gamma))
    assert chart.y_axis.label.text().startswith(label)
