"""The part of the page Risk and utility about attributes that are known."""

import pytest
from PySide6.QtCore import Qt

from deidgui.app.jobs import Lane
from deidgui.qt.pages.utility.page import UtilityPage
from tests.explored_case import fill, make_case


@pytest.fixture(scope="module")
def case():
    return make_case()


@pytest.fixture
def page(qtbot, workspace, settings, case):
    """The page over 400 patients, with its view of attributes known."""
    fill(workspace.session, case)
    made = UtilityPage(workspace, settings)
    qtbot.addWidget(made)
    made.resize(1100, 900)
    with qtbot.waitExposed(made):
        made.show()
    made.show_tab("known")
    return made


def click(qtbot, button):
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_every_set_of_the_release_is_shown(qtbot, page):
    pane = page.known
    assert not pane.table.isVisible()
    click(qtbot, pane.start)
    assert pane.table.isVisible()
    # Any of them, and the three pairs of three attributes.
    assert pane.table.rowCount() == 4
    assert "any 2 of 3 attributes" in pane.words.text()
    assert not pane.progress.isVisible()


def test_blocks_are_offered_with_their_time_and_measured(qtbot, page):
    pane = page.known
    pane.known.setValue(1)
    click(qtbot, pane.estimate)
    assert pane.blocks.count() == 3
    pane.blocks.set_current("2")
    click(qtbot, pane.start)
    assert "2 blocks of 2" in pane.words.text()
    assert "at least" in pane.table.item(1, 0).text()


def test_what_is_always_known_leaves_fewer_sets(qtbot, page):
    pane = page.known
    pane.known.setValue(1)
    pane.always.set_texts(("age", "sex", "zip"), ("sex",))
    click(qtbot, pane.start)
    assert "always sex" in pane.words.text()
    assert pane.table.rowCount() == 3


def test_it_is_stated_taken_back_and_undone(qtbot, page, workspace):
    pane, session = page.known, workspace.session
    click(qtbot, pane.state_it)
    assert session.project.privacy.attributes_known.known == 2
    click(qtbot, pane.leave_out)
    assert session.project.privacy.attributes_known is None
    session.undo()
    assert session.project.privacy.attributes_known.known == 2


def test_a_job_can_be_stopped(qtbot, page, workspace, monkeypatch):
    started = []

    def start(lane, _work, job):
        started.append((lane, job))

    monkeypatch.setattr(workspace.runner, "start", start)
    monkeypatch.setattr(workspace.runner, "running", lambda _lane: started[0][1])
    click(qtbot, page.known.start)
    ((lane, job),) = started
    assert lane == Lane.KNOWN
    assert page.known.progress.isVisible()
    page.known.progress.cancel_clicked.emit()
    assert job.cancel_requested
    job.on_cancelled()
    assert not page.known.progress.isVisible()


def test_attributes_known_together_count_as_one(qtbot, page):
    pane = page.known
    pane.together.set_texts(("age", "sex", "zip"), ("sex",))
    click(qtbot, pane.group)
    assert "two or more" in pane.grouped.text()
    pane.together.set_texts(("age", "sex", "zip"), ("age", "zip"))
    click(qtbot, pane.group)
    assert pane.grouped.text() == "age + zip"
    pane.known.setValue(1)
    assert pane.choice().groups == (("age", "zip"),)
    click(qtbot, pane.start)
    assert "any 1 of 2 attributes" in pane.words.text()
    assert "Release of the current policy" in pane.words.text()
    click(qtbot, pane.ungroup)
    assert pane.choice().groups == ()


def test_sizes_are_compared_with_what_they_over_estimate(qtbot, page):
    pane = page.known
    pane.known.setValue(1)
    assert pane.sizes.isHidden()
    click(qtbot, pane.estimate)
    assert pane.sizes.table.rowCount() == 3
    assert pane.sizes.table.item(0, 3).text() == "exact"
    shares = [pane.sizes.table.item(row, 3).text() for row in (1, 2)]
    assert all(each.startswith("+") for each in shares)
    pane.known.setValue(2)
    assert pane.sizes.isHidden()
