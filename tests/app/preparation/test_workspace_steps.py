"""Steps are decided, undone and redone like anything else; the table follows them."""

from __future__ import annotations

import pytest

from deidgui.app import ops
from deidgui.app.jobs import Lane
from deidgui.app.reading.reading import read_input
from deidgui.app.session import Kind
from deidgui.app.workspace import Workspace
from deidgui.engine.preparation import RemovePeople, TopCode, TruncateEvents
from tests.app.test_workspace import Deferred
from tests.events_case import write_events
from tests.linked_case import event_rows, people_rows, write_rows


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


def test_further_steps_are_decided_and_undone_one_by_one(workspace, executor):
    session = workspace.session
    top, removal = TopCode("birth_year", 0.8), RemovePeople("l.csv", ("diagnosis",))
    add(workspace, executor, STEP)
    lists = {"l.csv": b"C50,exact,cancer\n"}
    workspace.change_steps((STEP, top, removal), "two steps", lists)
    executor.run_all()
    sizes = [each.rows_after for each in session.loaded.effects]
    assert sizes[0] == sizes[1] > sizes[2]
    add(workspace, executor, top, removal)
    assert session.loaded.effects[0].rows_before == session.loaded.as_read.n_rows
    for wanted in (sizes, sizes[:1]):
        session.undo()
        executor.run_all()
        assert [each.rows_after for each in session.loaded.effects] == wanted
        assert session.loaded.table.n_rows == wanted[-1]
        assert session.current(Kind.CLASSES).source.n_rows == wanted[-1]
    session.redo()
    executor.run_all()
    assert [each.rows_after for each in session.loaded.effects] == sizes


def test_files_that_are_linked_later_are_prepared_together(
    executor, problems, tmp_path
):
    people = people_rows(60)
    events = event_rows(people, without=10)
    path = write_rows(tmp_path / "diagnoses.csv", events)
    other = write_rows(tmp_path / "patients.csv", people)
    workspace = Workspace(lambda closure: closure(), executor=executor)
    workspace.problem.connect(problems.told)
    workspace.open_data(path)
    executor.run_all()
    session = workspace.session
    session.apply(ops.set_protection("subject_id"), "people")
    executor.run_all()
    add(workspace, executor, STEP)
    alone = session.loaded.effects[0]
    workspace.link_people(read_input(other), "subject_id", "subject_id")
    executor.run_all()
    assert problems.found == []
    (effect,) = session.loaded.effects
    assert effect.rows_removed == alone.rows_removed
    assert effect.people_after == len(people)
    assert alone.people_after == len(people) - 10
    assert int(session.loaded.table.absent.sum()) == 10
    classes = session.current(Kind.CLASSES)
    assert classes is None or classes.class_table.n_records == len(people)
    add(workspace, executor, STEP, TopCode("birth_year", 0.5))
    # A step that needs the file of people cannot stay without it.
    workspace.unlink_people()
    executor.run_all()
    assert session.loaded is None
    assert problems.found == [("step_column_missing", Lane.READ)]
    session.undo()
    executor.run_all()
    assert len(session.loaded.effects) == 2
    workspace.close()
