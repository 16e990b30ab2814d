"""Policies block by block in the window: the way to look, the steps, the choice."""

from __future__ import annotations

from pathlib import Path

import pytest

from deidgui.app import ops
from deidgui.app.loaded import Loaded
from deidgui.app.measuring.measuring import measure_project
from deidgui.app.policies.blocks import source as blocks
from deidgui.app.policies.runner import BLOCKS
from deidgui.app.policies.source import source
from deidgui.app.session import Kind
from deidgui.engine.privacy import KnownAttributes
from deidgui.errors import Cancelled
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.export.page import ExportPage
from deidgui.qt.pages.policies.page import PoliciesPage
from deidgui.qt.widgets import Caption
from tests.explored_case import make_case
from tests.qt.fakes import FakeWorkspace


@pytest.fixture(scope="module")
def case():
    return make_case(limit=0.2)


@pytest.fixture
def workspace(case):
    made = FakeWorkspace()
    privacy = case.project.privacy.but(models=(KnownAttributes(2, 6),))
    project = case.project.but(privacy=privacy)
    made.session.start(project)
    made.session.set_result(Kind.CLASSES, case.classes, project)
    return made


def shown(qtbot, workspace, settings):
    page = PoliciesPage(workspace, settings)
    qtbot.addWidget(page)
    page.resize(1100, 660)
    with qtbot.waitExposed(page):
        page.show()
    page.look.options["blocks"].click()
    return page


def loaded(workspace, case):
    table = case.classes.table
    workspace.session.set_loaded(Loaded(Path(table.name), table, "0" * 64, None))
    project = workspace.session.project
    workspace.session.set_result(Kind.CLASSES, case.classes, project)


def test_without_the_model_the_way_leads_to_it(qtbot, workspace, settings, case):
    loaded(workspace, case)
    workspace.session.apply(ops.change_privacy(models=case.project.privacy.models), "")
    page = shown(qtbot, workspace, settings)
    pane = page.look.blocks
    assert not pane.problem.isHidden()
    assert pane.how.isHidden()
    assert not page.look.run_button.isEnabled()
    with qtbot.waitSignal(page.step_wanted) as led:
        pane.model_wanted.emit()
    assert led.args == ["risk"]


def test_the_size_of_blocks_is_decided(qtbot, workspace, settings, case):
    loaded(workspace, case)
    page = shown(qtbot, workspace, settings)
    pane = page.look.blocks
    assert pane.problem.isHidden()
    assert page.look.run_button.isEnabled()
    assert pane.sizes.current == "proposed"
    pane.sizes.setCurrentIndex(pane.sizes.findData("3"))
    pane.sizes.activated.emit(0)
    assert workspace.session.project.blocks.size == 3
    assert pane.sizes.current == "3"


def test_its_steps_grow_and_its_policy_is_chosen(
    qtbot, workspace, settings, case, monkeypatch
):
    monkeypatch.setattr(blocks, "REPORT_EVERY_S", 0.0)
    loaded(workspace, case)
    page, session = shown(qtbot, workspace, settings), workspace.session
    seen = []
    found = source(BLOCKS).run(session.project, case.classes, emit=seen.append)
    page._begin("blocks")
    tables = []
    for each in seen:
        workspace.policies.so_far[BLOCKS] = each
        page._show_so_far()
        qtbot.waitUntil(lambda each=each: page.policies.part(BLOCKS) is each)
        tables.append(page.results.steps.table.rowCount())
    assert page.results.tabs.current == "steps"
    assert tables == list(range(1, len(seen) + 1))
    workspace.policies.so_far.clear()
    session.set_result(BLOCKS, found, session.project)
    page.refresh(page.parts)
    qtbot.waitUntil(lambda: page.policies.part(BLOCKS) is found)
    table = page.results.steps.table
    assert table.rowCount() == len(found.steps)
    raised = {table.item(at, 4).text() for at in range(table.rowCount())}
    assert any("→" in each for each in raised)
    assert page.status().state is StepState.READY
    page._choose(page.policies.best)
    assert session.project.chosen.levels == found.policies[0].chosen.levels
    assert page.status().state is StepState.DONE
    session.apply(ops.change_blocks(size=3), "")
    assert page._stale() == [BLOCKS]


def test_what_was_found_when_it_is_stopped_is_measured(case, workspace):
    project = workspace.session.project
    seen = []

    class Stops:
        def report(self, fraction, note=""):
            del fraction, note
            if seen:
                raise Cancelled

    with pytest.raises(Cancelled):
        source(BLOCKS).run(project, case.classes, emit=seen.append, monitor=Stops())
    last = seen[-1]
    assert not last.is_measured
    weights = {each.name: each.weight for each in project.quasi_identifiers}
    measured = last.guided_by(project.quality.measure, weights)
    assert measured.columns.checked.all()
    assert measured.policies[0].figures.n_suppressed is not None


def test_sizes_of_blocks_are_compared(qtbot, workspace, settings, case):
    loaded(workspace, case)
    page = shown(qtbot, workspace, settings)
    pane = page.look.blocks
    assert pane.estimated.isHidden()
    pane.estimate.click()
    assert not pane.estimated.isHidden()
    table = pane.estimated.table
    rows = [[table.item(y, x).text() for x in range(4)] for y in range(2)]
    assert [row[1] for row in rows] == ["3", "1"]
    assert rows[0][0] == "2"
    assert "Proposed: 2." in pane.estimated.findChild(Caption).text()
    assert rows[0][3] == "exact"
    assert rows[1][3].startswith("+")
    assert rows[0][2]
    workspace.session.apply(ops.change_privacy(models=(KnownAttributes(1, 6),)), "")
    assert pane.estimated.isHidden()


def test_cells_that_cannot_be_suppressed_are_told_and_taken_back(
    qtbot, workspace, settings, case
):
    loaded(workspace, case)
    anything = ops.change_privacy(missing_matches="anything")
    workspace.session.apply(anything, "")
    workspace.session.apply(ops.change_blocks(suppress="cells"), "")
    workspace.session.set_result(Kind.CLASSES, case.classes, workspace.session.project)
    page = shown(qtbot, workspace, settings)
    pane = page.look.blocks
    assert not pane.problem.isHidden()
    assert not page.look.run_button.isEnabled()
    pane.problem.acted.emit()
    assert workspace.session.project.blocks.suppress == "records"
    assert pane.problem.isHidden()


def test_what_is_found_is_exported_without_a_search_of_the_lattice(
    qtbot, workspace, settings, case
):
    loaded(workspace, case)
    session = workspace.session
    session.apply(ops.change_blocks(suppress="cells"), "")
    project = session.project
    session.set_result(Kind.CLASSES, case.classes, project)
    found = source(BLOCKS).run(project, case.classes)
    session.set_result(BLOCKS, found, project)
    measured = measure_project(project, case.classes, found)
    session.set_result(Kind.MEASUREMENT, measured, project)
    assert measured.policy.cells is not None
    policies = PoliciesPage(workspace, settings)
    export = ExportPage(workspace, settings)
    for page in (policies, export):
        qtbot.addWidget(page)
    assert policies.status().state is StepState.PROPOSED
    assert "Search again" not in export.status().what_is_missing
    session.apply(ops.change_blocks(size=3), "")
    assert "Search again" in export.status().what_is_missing
