"""What is known of a person's rows: the card, the way to look, and what was found."""

from __future__ import annotations

import numpy as np
import pytest

from deidgui.app import ops
from deidgui.app.policies.runner import LONGITUDINAL
from deidgui.app.policies.source import source
from deidgui.app.project import UnitOfProtection
from deidgui.app.session import Kind
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.policies.matrix import PolicyMatrix
from deidgui.qt.pages.policies.page import PoliciesPage
from deidgui.qt.pages.risk.page import RiskPage
from tests.app.policies.longitudinal_case import KNOWN, make_events_case
from tests.qt.fakes import FakeWorkspace


class Workspace(FakeWorkspace):
    """Remembers that figures were wanted anew."""

    def update_measurement(self, *, after_search=False):
        self.calls.append(("update_measurement", after_search))


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    """Decisions, classes and the file of some patients; few levels are allowed."""
    project, classes, loaded = make_events_case(
        tmp_path_factory.mktemp("stays"), None, 80
    )
    for name, low in (("birth_year", 3), ("admission_year", 2), ("region", 1)):
        project = ops.change_attribute(name, minimum_level=low)(project)
    return project, classes, loaded


@pytest.fixture
def workspace(case):
    made = Workspace()
    project, classes, loaded = case
    made.session.start(project)
    made.session.set_loaded(loaded)
    made.session.set_result(Kind.CLASSES, classes, project)
    return made


def shown(qtbot, page):
    qtbot.addWidget(page)
    page.resize(1000, 660)
    with qtbot.waitExposed(page):
        page.show()
    return page


def test_the_switch_takes_over_what_is_usual(qtbot, workspace, settings):
    page = shown(qtbot, RiskPage(workspace, settings))
    card, session = page.events, workspace.session
    assert not card.isHidden()
    assert card.fields.isHidden()
    card.switch.toggled.emit(True)
    known = session.project.privacy.events
    assert (known.power, known.threshold) == (5, 0.2)
    assert session.project.privacy.models == ()
    assert not card.fields.isHidden()
    assert page.status().state is StepState.DONE
    card.power.setValue(3)
    card.limit.setValue(5.0)
    known = session.project.privacy.events
    assert (known.power, known.limit) == (3, 0.05)
    card.threshold.setCurrentIndex(card.threshold.findData("0.05"))
    card.threshold.activated.emit(0)
    assert session.project.privacy.events.limit == pytest.approx(0.008)
    card.rule.setCurrentIndex(1)
    card.rule.activated.emit(1)
    known = session.project.privacy.events
    assert (known.rule, known.significance) == ("poisson", 0.1)
    assert "20" in card.sizes.text()
    card.switch.toggled.emit(False)
    assert session.project.privacy.events is None
    assert session.project.privacy.models != ()


def test_each_row_a_person_offers_nothing(qtbot, workspace, settings):
    page = shown(qtbot, RiskPage(workspace, settings))
    unit = UnitOfProtection(kind="row")
    workspace.session.apply(lambda project: project.but(unit=unit), "rows")
    page.refresh(page.parts)
    assert page.events.isHidden()


def test_what_was_found_is_listed_and_chosen(qtbot, workspace, settings, case):
    session = workspace.session
    session.apply(ops.set_events(KNOWN.but(limit=0.3)), "events")
    session.set_result(Kind.CLASSES, case[1], session.project)
    page = shown(qtbot, PoliciesPage(workspace, settings))
    assert page.look.way == "longitudinal"
    assert not page.look.options["longitudinal"].isHidden()
    assert page.look.longitudinal.problem.isHidden()
    found = source(LONGITUDINAL).run(session.project, case[1])
    session.set_result(LONGITUDINAL, found, session.project)
    page.refresh(page.parts)
    qtbot.waitUntil(lambda: len(page.policies) > 0)
    assert page.policies.n_meeting == found.columns.meets.sum() > 0
    assert page.status().state is StepState.SEEN
    (model,) = {each.model() for each in page.findChildren(PolicyMatrix)}
    titles = [each.name for each in model.columns]
    assert "People at risk" in titles
    assert [page.results.tabs.offers(e) for e in ("lattice", "what_if")] == [
        True,
        False,
    ]
    page.show_tab("plane")
    assert page.results.views.risk.current == "events"
    assert [each.value for each in page.results.views.plane.chart.marks] == [0.3]
    page.show_tab("lattice")
    views, tagged = page.results.views, found.tagged
    chart = views.lattice.chart
    assert chart.n_nodes == found.proof.n_policies == len(tagged.meets)
    assert (chart.feasible == tagged.meets).all()
    is_met = np.array([each.is_met for each in found.looked])
    met = set(found.node_of_row[is_met].tolist())
    assert set(np.flatnonzero(np.isfinite(chart.loss)).tolist()) == met
    assert chart.loss[found.node_of_row[found.optimum]] == pytest.approx(
        found.looked[found.optimum].loss
    )
    views.lattice.node_selected.emit(int(found.node_of_row[found.optimum]))
    assert page.number == page.policies.best
    (other, *_) = np.flatnonzero(found.row_of_node < 0).tolist()
    assert views._describe_node(other) == ["Not looked at: follows from other policies"]
    views.lattice.node_selected.emit(other)
    assert page.number == page.policies.best
    page._choose(page.policies.best)
    assert session.project.chosen.kind == "longitudinal"
