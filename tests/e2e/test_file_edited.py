"""The data file is edited while it is open: nothing is shown as if it were current."""

from __future__ import annotations

import random

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel

from deidgui.app import ops
from deidgui.app.session import Kind
from deidgui.engine.privacy import KAnonymity
from deidgui.qt.pages.base import StepState
from deidgui.qt.widgets import Notice

FILE = "people.csv"


def extract(seed):
    """Six hundred people."""
    chance = random.Random(seed)
    rows = [f"{chance.choice('FM')},{chance.randrange(20, 80)}" for _ in range(600)]
    return "\n".join(["sex,age", *rows])


@pytest.fixture
def ready(driver, tmp_path):
    """A project that can be released."""
    (tmp_path / FILE).write_text(extract(4))
    driver.open_data(tmp_path / FILE)
    driver.session.apply(ops.set_protection(None), "each row is one person")
    for name in ("sex", "age"):
        driver.workspace.set_roles([name], "quasi_identifier")
    driver.session.apply(ops.change_privacy(models=(KAnonymity(k=3),)), "models")
    driver.session.apply(ops.change_privacy(suppression_limit=0.5), "limit")
    driver.session.apply(ops.change_export(suppressed="left_out"), "export")
    driver.wait_idle()
    driver.search()
    page = driver.page("export")
    driver.wait_idle()
    driver.answer_questions(page)
    assert page.export_button.isEnabled()
    return driver


def edit(tmp_path):
    (tmp_path / FILE).write_text(extract(5) + "\nF,33")


def told(driver):
    """How often what is seen says that the data file has changed since it was read."""
    labels = driver.window.findChildren(QLabel)
    return sum("changed since" in e.text() for e in labels if e.isVisible())


def test_a_refused_export_offers_to_read_the_file_again(ready, tmp_path):
    driver, window = ready, ready.window
    edit(tmp_path)
    page = driver.page("export")
    page.write_release(tmp_path / "release")
    driver.wait_idle()
    (_lane, error), *_ = driver.problems
    driver.problems.clear()
    assert error.code == "input_changed_since_read"
    (notice,) = [e for e in window.notices.notices if "has changed" in e.text]
    assert notice.status == "danger"
    assert notice.action == "Read it again"
    # Neither step nor box is shown as if it were of the file of now.
    assert page._state._text.text() == "Out of date: earlier data"
    # It is said once, above every page, with the button.
    assert told(driver) == 1
    assert not page.export_button.isEnabled()
    for key in ("hierarchies", "policies", "utility", "export"):
        state = window._status(key).state
        assert state not in (StepState.DONE, StepState.SEEN, StepState.READY), key
    assert window._status("policies").caption == "earlier data"
    utility = driver.page("utility")
    driver.wait_idle()
    assert utility.risk.verdict.property("tone") == "warning"
    assert told(driver) == 1
    data = driver.page("data")
    assert told(driver) == 1
    assert data.status().state is StepState.ATTENTION
    data.show_view("reading")
    driver.click(data.dialect.read)
    driver.wait_idle()
    assert told(driver) == 0
    assert not data.dialect.read.isEnabled()
    assert data.status().state is StepState.DONE
    assert driver.session.loaded.table.n_rows == 601
    assert driver.session.undo_label is None
    page = driver.page("export")
    assert told(driver) == 0
    assert "data have changed" in page.status().what_is_missing


def test_what_somebody_must_look_at_is_not_of_the_file_of_now_either(ready, tmp_path):
    ready.page("risk")
    ready.session.apply(ops.change_privacy(models=()), "no models")
    ready.wait_idle()
    status = ready.window._status("risk")
    assert status.state is StepState.ATTENTION
    edit(tmp_path)
    ready.window.workspace_notices.autosave.timeout.emit()
    now = ready.window._status("risk")
    assert (now.state, now.caption) == (StepState.STALE, "earlier data")
    assert now.what_is_missing == status.what_is_missing


def test_it_is_told_without_leaving_the_window(ready, tmp_path):
    notices = ready.window.workspace_notices
    edit(tmp_path)
    notices.autosave.timeout.emit()
    assert ready.session.is_outdated
    assert told(ready) == 1
    strip = next(e for e in ready.window.notices._strips if e.notice.topic == "input")
    # Nothing else says it: it cannot be taken away, and further notices do not.
    assert "Dismiss" not in {e.toolTip() for e in strip.findChildren(QAbstractButton)}
    for place in range(5):
        ready.window.notices.report(Notice(f"another {place}"))
    notices.autosave.timeout.emit()
    assert told(ready) == 1


def test_a_choice_is_not_green_before_its_policies_were_searched(ready, tmp_path):
    driver = ready
    policy = driver.session.current(Kind.MEASUREMENT).policy
    levels = policy.levels
    driver.session.apply(ops.choose(levels, policy.suppress_below), "choose")
    driver.wait_idle()
    driver.workspace.save(tmp_path / "study.deid")
    edit(tmp_path)
    driver.workspace.open_project(tmp_path / "study.deid")
    driver.wait_idle()
    driver.workspace.accept_changed_data()
    driver.wait_idle()
    policies = driver.page("policies")
    assert policies.status().state is StepState.READY
    page = driver.page("export")
    driver.wait_idle()
    assert page._state.property("tone") != "success"
    assert "changed" not in page.status().what_is_missing
    assert "since the project was opened" in page.status().what_is_missing
