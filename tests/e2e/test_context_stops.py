"""A context that allows less than a release has stops it in the window."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from deidgui.app import ops
from deidgui.app.determination.validity import decide_anew, enter_trigger
from deidgui.app.entered import today
from deidgui.app.policies.runner import LATTICE
from deidgui.app.session import State
from deidgui.qt.pages.base import StepState
from tests.app.context_case import public


@pytest.fixture
def found(driver, tmp_path):
    """Thresholds that the context allows, a policy that meets them, nothing open."""
    chance = random.Random(4)
    rows = [f"{chance.choice('FM')},{chance.randrange(20, 80)}" for _ in range(600)]
    (tmp_path / "people.csv").write_text("\n".join(["sex,age", *rows]))
    driver.open_data(tmp_path / "people.csv")
    driver.session.apply(ops.set_protection(None), "each row is one person")
    for name in ("sex", "age"):
        driver.workspace.set_roles([name], "quasi_identifier")
    driver.session.apply(ops.change_context(**vars(public("1/11"))), "describe")
    driver.session.apply(ops.take_allowed(), "take")
    driver.session.apply(ops.change_privacy(suppression_limit=0.5), "limit")
    driver.session.apply(ops.change_export(suppressed="left_out"), "export")
    driver.wait_idle()
    driver.search()
    page = driver.page("export")
    driver.wait_idle()
    assert page.export_button.isEnabled()
    assert page._state.property("tone") == "success"
    return driver


def test_a_context_that_allows_less_stops_what_was_found_before(found, tmp_path):
    driver, page = found, found.page("export")
    tight = public("1/200")
    driver.session.apply(ops.change_context(**vars(tight)), "stricter")
    driver.wait_idle()
    assert not page.export_button.isEnabled()
    assert page._state.property("tone") in ("danger", "warning")
    assert page.status().state is not StepState.READY
    assert page.status().what_is_missing
    page.export_to(tmp_path / "out")
    driver.wait_idle()
    assert driver.problems, "the export says why it is stopped"
    assert not (tmp_path / "out").exists()
    driver.problems.clear()
    # The same search does not help: nobody has asked it for what the context allows.
    driver.search()
    driver.wait_idle()
    page = driver.page("export")
    words = page._state.accessibleName()
    assert "NOT met" in words
    assert "set these thresholds" in words
    assert not page.export_button.isEnabled()
    driver.page("risk").context.result.acted.emit()
    driver.wait_idle()
    assert driver.session.state(LATTICE) is State.STALE
    driver.search()
    page = driver.page("export")
    driver.wait_idle()
    assert page.export_button.isEnabled()
    released = driver.export(tmp_path).written.evidence
    assert released.risk.smallest_class >= 200


DAY = timedelta(days=1)


def test_a_validity_that_is_over_stops_until_somebody_decides_anew(found):
    driver, page = found, found.page("export")
    yesterday = (today() - DAY).isoformat()
    op = decide_anew(yesterday, yesterday, "", "A. Able", yesterday)
    driver.session.apply(op, "decide")
    driver.wait_idle()
    assert not page.export_button.isEnabled()
    assert "validity_ended" in page.open.links
    driver.click(page.open.links["validity_ended"])
    risk = driver.page("risk")
    assert risk.validity.isVisible()
    later = (today() + 30 * DAY).isoformat()
    anew = decide_anew(yesterday, later, "", "A. Able", today().isoformat())
    driver.session.apply(anew, "decide anew")
    driver.wait_idle()
    assert driver.page("export").export_button.isEnabled()
    # A trigger stops it again, although the period is not over.
    met = enter_trigger("law", "A new law.", "B. Boss", today().isoformat())
    driver.session.apply(met, "enter")
    driver.wait_idle()
    assert "validity_trigger" in page.open.links
    assert not page.export_button.isEnabled()
    driver.session.undo()
    driver.wait_idle()
    assert page.export_button.isEnabled()
