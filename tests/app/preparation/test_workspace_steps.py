"""Steps are decided, undone and redone like anything else; the table follows them."""

from __future__ import annotations

import pytest

from deidgui.app import ops
from deidgui.app.jobs import Lane
from deidgui.app.session import Kind
from deidgui.app.workspace import Workspace
from deidgui.engine.preparation import TruncateEvents
from tests.app.test_workspace import Deferred
from tests.events_case import write_events


class Problems:
    """What the workspace tells; it holds its listeners weakly."""

    def __init__(self):
        self.found = []

    def told(self, error, lane):
        self.found.append((error.code, lane))


STEP = TruncateEvents(0.5, ("ward",))


@pytest.fixture
def executor():
    return Deferred()


@pytest.fixture
def problems():
    return Problems()


@pytest.fixture
def workspace(tmp_path, executor, problems):
    made = Workspace(lambda closure: closure(), executor=executor)
    made.problem.connect(problems.told)
    made.open_data(write_events(tmp_path / "events.csv", 60))
    executor.run_all()
    made.session.apply(ops.set_protection("subject_id"), "people")
    executor.run_all()
    yield made
    made.close()


def add(workspace, executor, *steps):
    workspace.change_steps(steps, "steps")
    executor.run_all()


def test_the_table_follows_decision_undo_and_redo(workspace, executor):
    session = workspace.session
    as_read = session.loaded.table
    n_people = session.current(Kind.CLASSES).class_table.n_records
    add(workspace, executor, STEP)
    assert session.project.preparation == (STEP,)
    n_left = session.loaded.table.n_rows
    assert n_left < as_read.n_rows
    assert session.loaded.as_read is as_read
    assert session.loaded.effects[0].rows_after == n_left
    classes = session.current(Kind.CLASSES)
    assert classes.source.n_rows == n_left
    assert classes.class_table.n_records == n_people
    session.undo()
    executor.run_all()
    assert session.loaded.table.n_rows == as_read.n_rows
    assert session.current(Kind.CLASSES).source.n_rows == as_read.n_rows
    session.redo()
    executor.run_all()
    assert session.loaded.table.n_rows == n_left
    assert session.current(Kind.CLASSES).source.n_rows == n_left


def test_other_people_prepare_the_table_again(workspace, executor, problems):
    session = workspace.session
    add(workspace, executor, STEP)
    session.apply(ops.set_protection("hadm_id"), "stays")
    executor.run_all()
    assert session.loaded.effects[0].rows_removed == 0
    # Without a column of people the step cannot be applied: nothing is shown.
    session.apply(ops.set_protection(None), "rows")
    executor.run_all()
    assert session.loaded is None
    assert problems.found == [("step_needs_key", Lane.READ)]
    session.undo()
    executor.run_all()
    assert session.loaded.effects[0].rows_removed == 0
    session.undo()
    executor.run_all()
    assert session.loaded.effects[0].rows_removed > 0


def test_a_step_that_does_not_fit_is_not_decided(workspace, executor, problems):
    before = workspace.session.project
    add(workspace, executor, TruncateEvents(0.5, ("gone",)))
    assert workspace.session.project == before
    assert workspace.session.loaded.effects == ()
    assert problems.found == [("step_column_missing", Lane.PREPARATION)]


def test_a_project_with_steps_opens_prepared(workspace, executor, tmp_path):
    add(workspace, executor, STEP)
    n_left = workspace.session.loaded.table.n_rows
    workspace.save(tmp_path / "p.deid.json")
    workspace.open_project(tmp_path / "p.deid.json")
    executor.run_all()
    assert workspace.session.loaded.table.n_rows == n_left
    assert workspace.session.project.inputs[0].n_rows > n_left


def test_a_decision_that_was_undone_meanwhile_leaves_the_right_table(
    workspace, executor
):
    session = workspace.session
    workspace.change_steps((STEP,), "steps")
    session.apply(ops.set_protection("hadm_id"), "stays")
    executor.run_all()
    assert session.project.preparation == (STEP,)
    assert session.loaded.effects[0].people_before == session.loaded.as_read.n_rows
