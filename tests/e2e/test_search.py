"""Searches of a user through the real window: large lattices, sensitive values."""

import json
import threading

import numpy as np
import pytest

from deidgui.app import ops
from deidgui.app.jobs import Job, Lane
from deidgui.app.policies.lattice.source import LatticeSource
from deidgui.app.policies.runner import LATTICE
from deidgui.app.session import Kind, State
from deidgui.qt.pages.base import StepState

BANDS = {"rule": {"kind": "intervals", "width": 5, "factors": [2], "whole": True}}
N_COLUMNS = 11
CLOSENESS = {"kind": "equal_t_closeness", "attribute": "diagnosis", "t": 0.3}


def write_project(folder, n_columns, models, n_rows=1500, search=None):
    """A table of independent numbers and a diagnosis, with every decision made."""
    random = np.random.default_rng(5)
    names = [f"q{place}" for place in range(n_columns)]
    numbers = random.integers(0, 40, (n_rows, n_columns))
    diagnoses = random.choice(["I10", "E11", "J45", "C50"], n_rows)
    lines = [",".join([*names, "diagnosis"])]
    for row, diagnosis in zip(numbers.tolist(), diagnoses, strict=True):
        lines.append(",".join([*map(str, row), diagnosis]))
    (folder / "numbers.csv").write_text("\n".join(lines) + "\n")
    quasi = {"role": "quasi_identifier", "kind": "integer", "hierarchy": BANDS}
    fields = {
        "format": "deidgui-project",
        "version": 1,
        "name": "numbers",
        "inputs": [{"name": "table", "file": "numbers.csv"}],
        "attributes": [
            *({"name": name, "confirmed": True, **quasi} for name in names),
            {"name": "diagnosis", "role": "sensitive", "confirmed": True},
        ],
        "privacy": {"models": list(models), "suppression_limit": 0.05},
        "search": search or {},
    }
    path = folder / "numbers.deid.json"
    path.write_text(json.dumps(fields))
    return path


def test_a_lattice_too_large_for_a_profile_is_stopped_in_the_middle(driver, tmp_path):
    project = write_project(tmp_path, N_COLUMNS, [{"kind": "k_anonymity", "k": 3}])
    driver.open_project(project)
    driver.wait(lambda: driver.session.current(Kind.CLASSES) is not None)
    page = driver.page("policies")
    plan = page.look.optimal.plan
    assert plan.options["profile"].reason
    assert "4,194,304 policies" in plan._size.text()
    seen = []

    def stop(_kind, best):
        seen.append(best)
        if len(seen) == 3:
            driver.workspace.cancel(LATTICE)

    driver.workspace.policies.found.connect(stop)
    driver.start_search()
    driver.wait(lambda: len(seen) >= 3)
    assert page.live.gap.text().startswith("The best possible policy is at most")
    driver.wait_idle()
    found = driver.session.result(LATTICE)
    assert found.optimum is not None
    assert found.n_nodes == 4**N_COLUMNS
    assert found.lattice.n_nodes < 1000
    assert not found.complete
    assert 0 < found.gap <= 1
    assert "better" in page.banner._detail.text()
    assert page.status().state is StepState.ATTENTION
    assert "4,194,304" in page.banner._text.text()
    assert page.results.views.policies.rowCount() > 0
    page.show_tab("trade_offs")
    driver.wait(lambda: page._trade_offs is not None)
    assert not page.results.trade_offs._part.isHidden()
    driver.wait_idle()
    assert not driver.problems


def test_closeness_is_searched_explored_and_changed(driver, tmp_path):
    models = [{"kind": "k_anonymity", "k": 5}, CLOSENESS]
    driver.open_project(write_project(tmp_path, 3, models))
    driver.wait(lambda: driver.session.current(Kind.CLASSES) is not None)
    driver.search()
    found = driver.session.current(LATTICE)
    assert found.complete
    assert found.profile.conditions
    page = driver.page("policies")
    driver.wait_idle()
    page.show_tab("what_if")
    controls = page.results.what_if.controls
    controls.control_of("k_anonymity").set_value(10)
    controls.changed.emit()
    driver.wait_idle()
    answer = page.results.what_if._answer
    assert answer.models[0].k == 10
    assert answer.lattice is found.lattice  # from the profile
    driver.click(page.results.what_if.take_over_button)
    driver.wait_idle()
    assert driver.session.state(LATTICE) is State.CURRENT
    page.results.panel.open_measures()
    driver.wait(lambda: page.results.panel.measures._rows)
    driver.window.actions_by_name["undo"].trigger()
    driver.wait_idle()
    assert driver.project.privacy.models[0].k == 5
    assert not driver.problems


@pytest.mark.parametrize("method", ["optimum", "ola"])
def test_other_methods_through_the_window(driver, tmp_path, method):
    models = [{"kind": "k_anonymity", "k": 5}]
    driver.open_project(write_project(tmp_path, 4, models))
    driver.wait(lambda: driver.session.current(Kind.CLASSES) is not None)
    page = driver.page("policies")
    page.look.optimal.plan.options[method].button.click()
    assert driver.project.search.method == method
    driver.search()
    found = driver.session.current(LATTICE)
    assert found.optimality is not None
    assert bool(found.minimal) == (method == "ola")
    driver.page("policies")
    driver.wait_idle()
    driver.session.apply(ops.change_search(method="profile"), "method")
    driver.search()
    best = driver.session.current(LATTICE)
    if method == "optimum":
        assert best.levels_of(best.optimum) == found.levels_of(found.optimum)
    else:
        assert best.loss[best.optimum] <= found.loss[found.optimum]
    assert not driver.problems


@pytest.fixture
def surveying(driver, tmp_path, monkeypatch):
    """A window in which a survey runs until the event is set."""
    ended = threading.Event()

    def survey(_source, _project, _classes, found, *, emit, monitor):
        del emit
        while not ended.wait(0.01):
            monitor.report(0.5)
        return found

    monkeypatch.setattr(LatticeSource, "survey", survey)
    monkeypatch.setattr(LatticeSource, "can_survey", lambda *_given: True)
    models = [{"kind": "k_anonymity", "k": 5}]
    driver.open_project(write_project(tmp_path, 3, models, n_rows=300))
    driver.wait(lambda: driver.session.current(Kind.CLASSES) is not None)
    driver.start_search()
    driver.wait(lambda: driver.workspace.is_running(Lane.SURVEY))
    yield driver
    ended.set()


def _is_waiting(driver):
    return driver.workspace.runner.running(Lane.SURVEY).is_paused


def test_a_survey_waits_while_anything_else_runs(surveying):
    """So it does for what a page begins by itself, of which only the lane is known."""
    driver, ended = surveying, threading.Event()
    driver.wait(lambda: not _is_waiting(driver))

    def work(monitor):
        while not ended.wait(0.01):
            monitor.report(0.5)

    done = []
    job = Job(on_done=done.append, on_failed=done.append)
    driver.workspace.runner.start(Lane.COMPARE, work, job)
    assert _is_waiting(driver)
    ended.set()
    driver.wait(lambda: done)
    driver.wait(lambda: not _is_waiting(driver))


def test_a_survey_waits_while_its_page_is_not_seen(surveying):
    driver = surveying
    driver.wait(lambda: not _is_waiting(driver))
    driver.window.show_step("data")
    driver.wait_idle()
    assert _is_waiting(driver)
    done = []
    job = Job(on_done=done.append, on_failed=done.append)
    driver.workspace.runner.start(Lane.POLICIES, lambda _monitor: None, job)
    driver.wait(lambda: done)
    assert _is_waiting(driver)
    driver.window.show_step("policies")
    driver.wait(lambda: not _is_waiting(driver))


def test_a_survey_that_a_person_paused_goes_on_only_when_told(surveying):
    driver = surveying
    driver.wait(lambda: not _is_waiting(driver))
    progress = driver.page("policies").progress
    driver.click(progress._pause)
    assert _is_waiting(driver)
    done = []
    job = Job(on_done=done.append, on_failed=done.append)
    driver.workspace.runner.start(Lane.COMPARE, lambda _monitor: None, job)
    driver.wait(lambda: done)
    assert _is_waiting(driver)
    driver.click(progress._pause)
    driver.wait(lambda: not _is_waiting(driver))
