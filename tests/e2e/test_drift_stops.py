"""Another extract stops a release in the window until somebody decides anew."""

from __future__ import annotations

import json
import random
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt

from deidgui.app import ops
from deidgui.app.entered import today
from deidgui.app.project import EarlierRelease
from deidgui.app.session import Kind, State
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.risk import page as risk_page
from tests.app.context_case import public

FILE = "people.csv"


def extract(ages, seed):
    """Six hundred people, of an age in some range."""
    chance = random.Random(seed)
    rows = [f"{chance.choice('FM')},{chance.randrange(*ages)}" for _ in range(600)]
    return "\n".join(["sex,age", *rows])


@pytest.fixture
def released(driver, tmp_path, monkeypatch):
    """A project with a release, which the next ones are to be compared with."""
    (tmp_path / FILE).write_text(extract((20, 80), 4))
    driver.open_data(tmp_path / FILE)
    driver.session.apply(ops.set_protection(None), "each row is one person")
    for name in ("sex", "age"):
        driver.workspace.set_roles([name], "quasi_identifier")
    driver.session.apply(ops.change_context(**vars(public("1/11"))), "describe")
    driver.session.apply(ops.take_allowed(), "take")
    driver.session.apply(ops.change_privacy(suppression_limit=0.5), "limit")
    driver.session.apply(ops.change_export(suppressed="left_out"), "export")
    driver.wait_idle()
    driver.search()
    first = driver.export(tmp_path).folder
    monkeypatch.setattr(risk_page, "ask_folder", lambda *_args: first)
    part = shown_triggers(driver)
    part.by.setText("A. Able")
    driver.click(part.choose_earlier)
    driver.wait_idle()
    assert isinstance(driver.project.validity.earlier, EarlierRelease)
    assert first.name in part.earlier.text()
    return driver


def shown_triggers(driver):
    """The part in which triggers stand, as a user comes to it."""
    risk = driver.page("risk")
    driver.click(risk.summaries["validity"])
    driver.wait_idle()
    driver.qtbot.keyClick(risk.validity.tabs, Qt.Key.Key_Right)
    assert risk.validity.choose_earlier.isVisible()
    return risk.validity


def read_again(driver, tmp_path, text):
    """Put another extract in the place of the first, and take the notice's offer."""
    (tmp_path / FILE).write_text(text)
    notices = driver.window.workspace_notices
    notices.look_at_files()
    driver.workspace.reload_data()
    driver.wait_idle()
    driver.search()


def test_another_extract_stops_the_export_until_somebody_decides_anew(
    released, tmp_path
):
    driver = released
    read_again(driver, tmp_path, extract((60, 100), 5))
    page = driver.page("export")
    driver.wait_idle()
    driver.answer_questions(page)
    assert page.export_button.isEnabled(), "nothing is measured before it is written"
    page.export_to(tmp_path / "again")
    driver.wait_idle()
    # Nothing is written, what was measured is entered, and the page says so.
    assert not list((tmp_path / "again").glob("*"))
    (stopped,) = [error for _lane, error in driver.problems]
    assert stopped.code == "validity_measured"
    kinds = {each.kind for each in driver.project.validity.triggers}
    assert {"extract", "drift"} <= kinds
    assert not page.export_button.isEnabled()
    assert page._state.property("tone") != "success"
    assert page.status().state is not StepState.READY
    driver.problems.clear()
    # One click leads to where it is decided.
    driver.click(page.open.links["validity_trigger"])
    driver.wait_idle()
    part = driver.page("risk").validity
    assert part.isVisible()
    assert part.state.property("tone") == "danger"
    assert part.met.rowCount() == len(kinds)
    decide(driver, part)
    assert not driver.project.validity.triggers
    page = driver.page("export")
    driver.wait_idle()
    assert page.export_button.isEnabled()
    driver.export(tmp_path / "again")
    assert driver.session.state(Kind.RELEASE) is State.CURRENT
    (evidence,) = (tmp_path / "again").glob("*/evidence.json")
    written = json.loads(evidence.read_text("utf-8"))
    assert set(written["drift"]["met"]) == kinds
    # Who takes the decision back is stopped by the same triggers again.
    driver.window.actions_by_name["undo"].trigger()
    driver.wait_idle()
    assert {each.kind for each in driver.project.validity.triggers} == kinds
    assert not driver.page("export").export_button.isEnabled()


def decide(driver, part):
    """Decide a new period, as a person does."""
    day = today()
    part.begins.setText(day.isoformat())
    part.ends.setText((day + timedelta(days=300)).isoformat())
    part.because.setText("An expert has looked at the new extract.")
    part.by.setText("A. Able")
    driver.click(part.decide)
    driver.wait_idle()


def test_the_same_again_is_not_stopped(released, tmp_path):
    driver = released
    page = driver.page("export")
    driver.wait_idle()
    page.export_to(tmp_path / "again")
    driver.wait_idle()
    assert not driver.problems
    assert list((tmp_path / "again").glob("*/evidence.json"))
