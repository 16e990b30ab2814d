"""A project that was released and is opened again says so, without any figure."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

from deidgui.app import ops
from deidgui.qt.pages.base import StepState
from tests.e2e.test_journeys import ready, write_patients


def test_a_reopened_project_says_what_was_released(driver, tmp_path):
    data, project = tmp_path / "patients.csv", tmp_path / "p.deid.json"
    ready(driver, write_patients(data, n=400))
    driver.search()
    driver.decide_export("stars")
    driver.workspace.save(project)
    released = driver.export(tmp_path)
    session = driver.session
    # Whoever closes without saving would forget it.
    assert session.has_unsaved_changes
    assert not driver.page("export").earlier.isVisible()
    driver.workspace.save(project)
    assert not session.has_unsaved_changes
    # It is no decision: undo does not take it back.
    session.undo()
    assert session.released is not None
    assert str(tmp_path) not in project.read_text()

    driver.open_project(project)
    page = driver.page("export")
    driver.wait_idle()
    assert page.earlier.isVisible()
    assert released.folder.name in page.earlier.accessibleName()
    assert "still the same" in page.earlier.accessibleName()
    status = page.status()
    assert status.state is StepState.READY
    assert status.caption == f"released {session.released.on}"
    seen = [e.text() for e in page.findChildren(QLabel) if e.isVisible()]
    assert not any("%" in each for each in seen)
    driver.click(page.earlier._button)
    driver.wait_idle()
    assert [e.status for e in driver.window.notices.notices] == ["success"]
    # What was decided since is not in it, and nothing of it is called current.
    session.apply(ops.set_role("race", "insensitive"), "role")
    driver.wait_idle()
    assert "have changed since" in page.earlier.accessibleName()
    assert page.earlier.property("tone") == "warning"
    assert page.status().state is StepState.STALE
    session.undo()
    driver.wait_idle()
    assert page.status().caption == f"released {session.released.on}"

    # Another file is another table, whatever was decided.
    write_patients(data, n=401)
    driver.open_project(project)
    driver.workspace.accept_changed_data()
    driver.wait_idle()
    assert "have changed since" in driver.page("export").earlier.accessibleName()
    driver.problems.clear()


def test_what_is_not_searched_yet_is_led_to(driver, tmp_path):
    """A policy that somebody chose is known at once, and stops all the same."""
    project = tmp_path / "p.deid.json"
    ready(driver, write_patients(tmp_path / "patients.csv", n=400))
    driver.search()
    driver.decide_export("stars")
    page = driver.page("policies")
    page._choose(int(page.policies.order()[1]))
    driver.wait_idle()
    driver.workspace.save(project)
    driver.open_project(project)
    page = driver.page("export")
    driver.wait_idle()
    assert "since the project was opened" in page._state.accessibleName()
    assert page._state._button.text() == "Go to Policies"
    driver.click(page._state._button)
    assert driver.window.page("policies").isVisible()
