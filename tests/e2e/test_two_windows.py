"""Two windows over one project, and a data file that somebody edits meanwhile."""

import pytest

from deidgui.app import ops
from deidgui.app.storage.project_io import load_project
from tests.e2e.driver import WizardDriver
from tests.e2e.test_journeys import write_patients


@pytest.fixture
def opened(driver, tmp_path):
    """A saved project, open in a window."""
    data, project = tmp_path / "patients.csv", tmp_path / "study.deid.json"
    write_patients(data)
    driver.open_data(data)
    driver.workspace.save(project)
    return data, project


def told(driver):
    """What the window says when somebody comes back to it."""
    driver.window.workspace_notices.look_at_files()
    return {each.text: each for each in driver.window.notices.notices}


def test_two_windows_know_of_each_other_and_overwrite_nothing(driver, qtbot, opened):
    _data, project = opened
    other = WizardDriver(qtbot)
    try:
        assert not any("another window" in text for text in told(driver))
        other.open_project(project)
        for each in (driver, other):
            assert "This project is open in another window, too." in told(each)
        other.session.apply(ops.set_name("theirs"), "rename project")
        assert other.window.files.save()
        (text,) = (each for each in told(driver) if "has changed" in each)
        assert project.name in text
        driver.session.apply(ops.set_name("mine"), "rename project")
        asked = []
        driver.window.files.ask = lambda *words: asked.append(words) or "cancel"
        assert not driver.window.files.save()
        assert len(asked) == 1
        assert load_project(project).name == "theirs"
        assert driver.project.name == "mine"
        driver.window.files.ask = lambda *_words: "replace"
        assert driver.window.files.save()
        assert load_project(project).name == "mine"
        assert any("has changed" in text for text in told(other))
    finally:
        driver.window.files.ask = lambda *_words: "discard"
        other.quit()


def test_a_data_file_that_was_edited_is_read_again(driver, opened):
    data, _project = opened
    lines = data.read_text().splitlines()
    n_rows = driver.session.loaded.table.n_rows
    roles = [(each.name, each.role) for each in driver.project.attributes]
    assert not any("since it was read" in text for text in told(driver))
    data.write_text("\n".join([*lines, lines[-1], lines[-2]]) + "\n")
    (text,) = (each for each in told(driver) if "since it was read" in each)
    assert data.name in text
    # Until somebody wants it, what is shown stays what was read.
    assert driver.session.loaded.table.n_rows == n_rows
    told(driver)[text].act()
    driver.wait(lambda: driver.session.loaded.table.n_rows == n_rows + 2)
    driver.wait_idle()
    assert [(each.name, each.role) for each in driver.project.attributes] == roles
    assert not any("since it was read" in text for text in told(driver))
