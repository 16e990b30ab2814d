"""The page Data asks who is protected, and decides nothing by itself."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent

from deidgui.app import ops
from deidgui.app.project import UnitOfProtection
from deidgui.app.workspace import Workspace
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.data.page import DataPage
from tests.events_case import write_events
from tests.qt.fakes import InlineExecutor


@pytest.fixture
def workspace(tmp_path):
    made = Workspace(lambda closure: closure(), executor=InlineExecutor())
    made.open_data(write_events(tmp_path / "events.csv", n_patients=60))
    yield made
    made.close()


@pytest.fixture
def page(qtbot, workspace, settings):
    made = DataPage(workspace, settings)
    qtbot.addWidget(made)
    made.resize(1100, 640)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_nothing_is_decided_before_a_person_answers(page, workspace):
    card = page.protected
    assert workspace.session.project.unit is None
    assert not card.rows.isChecked()
    assert not card.people.isChecked()
    assert page.status().state is StepState.ATTENTION
    assert card.key.current == "subject_id"
    # Looking at other columns is no answer either.
    card.key.setCurrentIndex(card.key.findData("hadm_id"))
    card.key.activated.emit(card.key.currentIndex())
    assert workspace.session.project.unit is None


def test_a_wheel_decides_nothing(qtbot, page, workspace):
    card = page.protected
    at = QPointF(card.key.rect().center())
    event = QWheelEvent(
        at,
        card.key.mapToGlobal(at),
        QPoint(0, -120),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    card.key.wheelEvent(event)
    assert card.key.current == "subject_id"
    assert workspace.session.project.unit is None


def test_people_are_chosen_by_their_column(qtbot, page, workspace):
    card = page.protected
    qtbot.mouseClick(card.people, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    project = workspace.session.project
    assert project.unit == UnitOfProtection(kind="key", column="subject_id")
    # Whose rows they are is decided, and not what becomes of the column.
    key = project.attribute("subject_id")
    assert (key.role, key.treatment) == ("direct_identifier", "remove")
    assert not key.confirmed
    assert page.status().state is StepState.DONE
    assert not card.rows.isVisible()
    assert "asked in Attributes; proposed: Remove." in card._said.text()
    for treatment, said in (
        ("pseudonym", "A pseudonym of “subject_id” is released"),
        ("remove", "“subject_id” itself is removed"),
    ):
        decided = ops.set_role("subject_id", "direct_identifier", treatment)
        workspace.session.apply(decided, treatment)
        assert said in card._said.text()
    for _ in range(3):
        workspace.session.undo()
    assert workspace.session.project.unit is None
    assert card.rows.isVisible()
    assert not card.people.isChecked()


def test_each_row_can_be_a_person(qtbot, page, workspace):
    card = page.protected
    qtbot.mouseClick(card.rows, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert workspace.session.project.unit == UnitOfProtection(kind="row")


def test_the_answer_is_doubted_where_a_column_numbers_people(page, workspace):
    """Events of 60 patients: “each row is one person” stands against the evidence."""
    card, table = page.protected, workspace.session.loaded.table
    column = table.column("subject_id")
    most = max(np.bincount(column.codes))
    assert most > 1
    workspace.session.apply(ops.set_protection(None), "x")
    said = card._said.text()
    assert "“subject_id” looks like the number of a person" in said
    assert f"60 different values, and one of them stands in {most} rows" in said
    assert card._sign._glyph == "warning"
    # Its own warning stands on the page: the step is not done.
    status = page.status()
    assert (status.state, status.caption) == (StepState.ATTENTION, "people in doubt")
    assert not status.what_is_missing
    workspace.session.apply(ops.set_protection("subject_id"), "y")
    assert "looks like" not in card._said.text()
    assert card._sign._glyph == "check"
    assert page.status().state is StepState.DONE


def test_the_answer_can_be_changed(qtbot, page, workspace):
    card = page.protected
    workspace.session.apply(ops.set_protection(None), "x")
    assert not card.rows.isVisible()
    qtbot.mouseClick(card._change, Qt.MouseButton.LeftButton)
    assert card.rows.isChecked()
    qtbot.mouseClick(card.people, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert workspace.session.project.key == "subject_id"
