"""Decisions are undoable and announced; results know when they are stale."""

import gc
import weakref
from pathlib import Path

import pytest

from deidgui.app import ops
from deidgui.app.decides import Changes, Decides
from deidgui.app.loaded import Loaded, LoadedPopulation
from deidgui.app.policies.runner import LATTICE
from deidgui.app.project import (
    Attribute,
    DialectChoice,
    InputFile,
    PopulationChoice,
    Project,
)
from deidgui.app.session import DEPTH, TABLE, Kind, Session, State
from deidgui.app.storage.project_io import dump_project, parse_project
from deidgui.errors import ConfigError


class Found(str):
    """Stands for what a source found."""

    decided_by = Decides.SEARCH


@pytest.fixture
def session():
    attributes = (
        Attribute(name="age", role="quasi_identifier", kind="integer"),
        Attribute(name="dx", role="sensitive"),
    )
    return Session(Project(attributes=attributes))


class Listener:
    def __init__(self, session):
        self.heard = []
        session.project_changed.connect(self.hear)

    def hear(self, changes, initiator):
        self.heard.append((changes, initiator))


def test_apply_announces_what_changed_and_who_did_it(session):
    listener = Listener(session)
    session.apply(ops.set_role("dx", "insensitive"), "set role", initiator="me")
    assert listener.heard == [(Changes.ROLES, "me")]
    assert session.project.attribute("dx").role == "insensitive"
    assert session.project.attribute("dx").confirmed


def test_a_decision_that_changes_nothing_is_not_remembered(session):
    listener = Listener(session)
    session.apply(ops.set_name(session.project.name), "rename")
    assert listener.heard == []
    assert session.undo_label is None


def test_what_changes_with_a_decision_is_announced_once_and_without_one_too(session):
    told = []
    told_of = lambda changes, _initiator: told.append(changes)  # noqa: E731
    session.project_changed.connect(told_of)
    session.apply(ops.set_notes("read anew"), "notes", also=TABLE)
    assert told == [Changes.NOTES | Changes.DATA | Changes.RESULT]
    project = session.project
    session.apply(ops.set_notes("read anew"), "notes", also=TABLE)
    assert told[1:] == [TABLE]
    assert session.project is project
    session.undo()
    assert session.undo_label is None


def test_undo_and_redo_restore_the_very_projects(session):
    versions = [session.project]
    for number in range(5):
        session.apply(ops.set_name(f"n{number}"), f"rename {number}")
        versions.append(session.project)
    for expected in reversed(versions[:-1]):
        session.undo()
        assert session.project == expected
    session.undo()
    for expected in versions[1:]:
        session.redo()
        assert session.project == expected
    session.undo()
    assert session.redo_label == "rename 4"
    session.apply(ops.set_notes("other"), "write a note")
    assert session.redo_label is None


def test_history_is_bounded(session):
    for number in range(DEPTH + 20):
        session.apply(ops.set_name(f"n{number}"), "rename")
    undone = 0
    while session.undo_label:
        session.undo()
        undone += 1
    assert undone == DEPTH
    assert session.project.name == "n19"


def test_a_refused_decision_changes_nothing(session):
    before = session.project
    with pytest.raises(ConfigError):
        session.apply(ops.set_role("nobody", "sensitive"), "set role")
    assert session.project is before
    assert session.undo_label is None


def test_results_become_stale_and_current_again_with_undo(session):
    session.set_result(Kind.CLASSES, "classes", session.project)
    session.set_result(LATTICE, Found("found"), session.project)
    assert session.state(LATTICE) is State.CURRENT
    session.apply(ops.change_privacy(suppression_limit=0.1), "limit")
    assert session.state(Kind.CLASSES) is State.CURRENT
    assert session.state(LATTICE) is State.STALE
    assert session.result(LATTICE) == "found"
    assert session.current(LATTICE) is None
    session.undo()
    assert session.current(LATTICE) == "found"


def test_a_new_role_makes_classes_stale(session):
    session.set_result(Kind.CLASSES, "classes", session.project)
    session.apply(ops.set_role("dx", "quasi_identifier"), "set role")
    assert session.state(Kind.CLASSES) is State.STALE


def test_a_result_of_an_older_snapshot_arrives_stale(session):
    snapshot = session.project
    session.apply(ops.change_privacy(suppression_limit=0.5), "limit")
    session.set_result(LATTICE, Found("late"), snapshot)
    assert session.state(LATTICE) is State.STALE


def test_observers_do_not_stay_alive(session):
    listener = Listener(session)
    reference = weakref.ref(listener)
    del listener
    gc.collect()
    assert reference() is None
    session.apply(ops.set_name("x"), "rename")


def test_role_changes_set_and_clear_the_treatment(session):
    session.apply(ops.set_role("dx", "direct_identifier"), "set role")
    assert session.project.attribute("dx").treatment == "remove"
    session.apply(ops.set_role("dx", "sensitive"), "set role")
    assert session.project.attribute("dx").treatment is None


def test_name_and_notes_make_a_release_stale(session):
    session.set_result(Kind.RELEASE, "released", session.project)
    for op in (ops.set_name("other"), ops.set_notes("other")):
        session.apply(op, "other")
        assert session.state(Kind.RELEASE) is State.STALE
        session.undo()
        assert session.state(Kind.RELEASE) is State.CURRENT


def test_a_late_result_does_not_replace_a_current_one(session):
    snapshot = session.project
    session.apply(ops.change_privacy(suppression_limit=0.5), "limit")
    session.set_result(LATTICE, Found("current"), session.project)
    session.set_result(LATTICE, Found("late"), snapshot)
    assert session.current(LATTICE) == "current"


# -- what is not a decision ------------------------------------------------------------


def test_a_fact_is_recorded_and_told_but_cannot_be_undone(session):
    listener = Listener(session)
    session.amend(ops.set_name("found"))
    assert session.project.name == "found"
    assert [initiator for _, initiator in listener.heard] == [None]
    assert session.undo_label is None
    session.amend(ops.set_name("found"))
    assert len(listener.heard) == 1


def test_nothing_is_undone_or_made_again_where_there_is_nothing(session):
    listener, before = Listener(session), session.project
    session.undo()
    session.redo()
    assert session.project is before
    assert listener.heard == []


def test_a_history_that_is_forgotten_leads_nowhere(session):
    session.apply(ops.set_name("a"), "rename")
    session.apply(ops.set_name("b"), "rename")
    session.undo()
    session.forget_history()
    assert (session.undo_label, session.redo_label) == (None, None)
    assert session.project.name == "a"


def test_a_new_session_has_nothing_to_save():
    assert not Session().has_unsaved_changes
    assert Session().project == Project()
    session = Session(Project(name="opened"))
    assert not session.has_unsaved_changes
    session.apply(ops.set_name("changed"), "rename")
    assert session.has_unsaved_changes
    session.undo()
    assert not session.has_unsaved_changes
    session.forget_saved()
    assert session.has_unsaved_changes


def test_what_was_looked_at_is_no_decision_and_is_kept_with_the_project(session):
    listener, before = Listener(session), session.project
    assert not session.has_seen("hierarchies", ["age"])
    session.note_seen("hierarchies", ["age"])
    assert session.has_seen("hierarchies", ["age"])
    assert not session.has_seen("hierarchies", ["age", "dx"])
    assert not session.has_seen("utility", ["age"])
    assert (listener.heard, session.project) == ([], before)
    assert not session.has_unsaved_changes
    assert session.undo_label is None
    session.apply(ops.set_name("b"), "rename")
    session.undo()
    assert session.has_seen("hierarchies", ["age"])
    kept = parse_project(dump_project(session.project_to_keep), "p.deid.json")
    session.start(Project())
    assert not session.has_seen("hierarchies", ["age"])
    session.start(kept)
    assert session.has_seen("hierarchies", ["age"])
    assert not session.has_unsaved_changes


@pytest.mark.parametrize(
    ("change", "is_same"),
    [
        ({}, True),
        ({"file": "elsewhere/people.csv", "n_rows": 7}, True),
        ({"sha256": "1" * 64}, False),
        ({"member": "b.csv"}, False),
        ({"dialect": DialectChoice(skip_lines=1)}, False),
    ],
)
def test_a_population_is_known_by_its_bytes_and_how_they_are_read(
    session, change, is_same
):
    file = InputFile(name="population", file="people.csv", sha256="0" * 64)
    loaded = LoadedPopulation(Path("people.csv"), None, file)
    wanted = PopulationChoice(kind="register", file=file.but(**change))
    assert loaded.is_of(wanted) == is_same
    assert not loaded.is_of(PopulationChoice())
    session.set_population(loaded)
    assert session.current_population is None
    session.apply(ops.change_privacy(population=wanted), "choose a population")
    assert session.current_population is (loaded if is_same else None)


def test_another_project_starts_with_nothing_of_the_one_before(session):
    session.apply(ops.set_name("before"), "rename")
    session.set_result(Kind.CLASSES, "computed", session.project)
    file = InputFile(name="population", file="people.csv")
    session.set_population(LoadedPopulation(Path("people.csv"), None, file))
    listener, files = Listener(session), {"x.csv": b"1"}
    other = Project(name="other")
    loaded = Loaded(Path("d.csv"), None, "", None)
    session.start(other, Path("p.json"), loaded, files)
    assert (session.project, session.path) == (other, Path("p.json"))
    assert session.loaded is loaded
    assert session.population is None
    assert session.undo_label is None
    assert session.state(Kind.CLASSES) is State.ABSENT
    assert not session.has_unsaved_changes
    assert listener.heard == [(Changes.EVERYTHING, None)]
    session.add_hierarchy_file("y.csv", b"2")
    assert session.hierarchy_files == {"x.csv": b"1", "y.csv": b"2"}
    assert files == {"x.csv": b"1"}
    session.start(Project())
    assert (session.hierarchy_files, session.loaded, session.path) == ({}, None, None)


def test_what_was_read_and_saved_is_told(session):
    listener = Listener(session)
    loaded = Loaded(Path("d.csv"), None, "", None)
    session.set_loaded(loaded)
    assert session.loaded is loaded
    session.set_population(None)
    session.apply(ops.set_name("kept"), "rename")
    session.mark_saved(Path("kept.json"))
    assert session.path == Path("kept.json")
    assert not session.has_unsaved_changes
    told = [changes for changes, _ in listener.heard]
    assert told[:2] == [Changes.DATA | Changes.RESULT, Changes.RESULT]
    assert told[-1] == Changes.FILE
