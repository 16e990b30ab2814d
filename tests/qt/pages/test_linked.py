"""The page Data links a table of people, shows its faults and takes it back."""

from __future__ import annotations

import pytest

from deidgui.app.workspace import Workspace
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.data.page import DataPage
from tests.linked_case import (
    condition_tables,
    event_rows,
    people_rows,
    three_kinds,
    write_rows,
)
from tests.qt.fakes import InlineExecutor

PEOPLE = people_rows(60)


@pytest.fixture
def workspace():
    made = Workspace(lambda closure: closure(), executor=InlineExecutor())
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


@pytest.fixture
def files(tmp_path):
    events = event_rows(PEOPLE, without=5)
    stray = {**events[0], "subject_id": "nobody"}
    return (
        write_rows(tmp_path / "patients.csv", PEOPLE),
        write_rows(tmp_path / "diagnoses.csv", [stray, *events]),
    )


def test_without_a_file_there_is_nothing_to_link(page):
    assert not page.facts.add_people.isVisible()
    assert not page.linked.isVisible()


def test_events_first_then_their_people(page, workspace, files):
    workspace.open_data(files[1])
    assert page.facts.add_people.isVisible()
    page.add_people(files[0])
    card = page.linked
    assert card.is_offering
    assert not page.protected.isVisible()
    assert [each.current for each in card.keys] == ["subject_id", "subject_id"]
    assert workspace.session.project.link is None
    card.link.click()
    project = workspace.session.project
    assert project.link.n_orphans == 1
    assert project.key == "subject_id"
    assert workspace.session.loaded.people.n_without_events == 5
    assert not card.is_offering
    assert card.isVisible()
    assert not page.protected.isVisible()
    assert page.facts.add_people.text() == "Add a table of events…"
    # Nobody has decided on the event of nobody.
    assert card.question.isVisible()
    assert page.status().state is StepState.ATTENTION
    card.question.acted.emit()
    assert workspace.session.project.link.orphans == "left_out"
    assert page.status().state is StepState.DONE
    card.question.acted.emit()
    assert workspace.session.project.link.orphans is None


def test_people_first_then_their_events(page, workspace, files):
    workspace.open_data(files[0])
    workspace.set_roles(["region"], "insensitive")
    page.add_people(files[1])
    page.linked.link.click()
    project = workspace.session.project
    assert [(each.name, each.file) for each in project.inputs] == [
        ("table", "diagnoses.csv"),
        ("people", "patients.csv"),
    ]
    region = project.attribute("region")
    assert (region.role, region.confirmed, region.table) == (
        "insensitive",
        True,
        "people",
    )


def test_undo_and_redo_read_what_was_decided(page, workspace, files):
    workspace.open_data(files[1])
    before = workspace.session.project
    n_rows = workspace.session.loaded.table.n_rows
    page.add_people(files[0])
    page.linked.link.click()
    workspace.session.undo()
    assert workspace.session.project == before
    assert workspace.session.loaded.people is None
    assert workspace.session.loaded.table.n_rows == n_rows
    assert page.protected.isVisible()
    assert not page.linked.isVisible()
    workspace.session.redo()
    assert workspace.session.project.link is not None
    assert workspace.session.loaded.people is not None
    page.linked.remove.click()
    assert workspace.session.project.link is None
    assert workspace.session.loaded.table.n_rows == n_rows
    assert workspace.session.project.key == "subject_id"


def test_undo_brings_the_people_back_that_were_opened_first(page, workspace, files):
    workspace.open_data(files[0])
    page.add_people(files[1])
    page.linked.link.click()
    workspace.session.undo()
    assert workspace.session.loaded.path == files[0]
    assert workspace.session.loaded.table.n_rows == len(PEOPLE)


def test_a_file_that_is_not_wanted_changes_nothing(page, workspace, files):
    workspace.open_data(files[1])
    before = workspace.session.project
    page.add_people(files[0])
    page.linked.cancel.click()
    assert not page.linked.isVisible()
    assert page.protected.isVisible()
    assert page.facts.add_people.isVisible()
    assert workspace.session.project is before


def test_what_is_no_table_changes_nothing(page, workspace, files, tmp_path):
    workspace.open_data(files[1])
    before = workspace.session.project
    wrong = tmp_path / "picture.png"
    wrong.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    told = []

    def note(error, lane):
        told.append(error.code)

    workspace.problem.connect(note)
    page.add_people(wrong)
    assert told == ["not_text"]
    assert workspace.session.project is before
    assert not page.linked.is_offering


def test_people_that_are_there_twice_are_told_and_another_key_is_possible(
    page, workspace, files, tmp_path
):
    workspace.open_data(files[1])
    write_rows(files[0], [*PEOPLE, PEOPLE[3]])
    page.add_people(files[0])
    card = page.linked
    card.keys[0].set_current("subject_id")
    card.keys[1].set_current("subject_id")
    card.link.click()
    assert card.is_offering
    assert card.problem.isVisible()
    assert "5, 62" in card.problem.accessibleName()
    assert workspace.session.project.link is None
    card.cancel.click()
    assert not card.isVisible()


def test_another_file_is_named_where_its_columns_are_called_alike(
    page, workspace, tmp_path
):
    people, conditions = condition_tables()
    workspace.open_data(write_rows(tmp_path / "conditions.csv", conditions))
    page.add_people(write_rows(tmp_path / "patients.csv", people))
    assert [each.current for each in page.linked.keys] == ["PATIENT", "Id"]
    page.linked.link.click()
    names = [each.name for each in workspace.session.project.attributes]
    assert "DESCRIPTION (people)" in names
    # A cell is named by the line of its own file.
    workspace.change_columns(
        {"BIRTHDATE": {"kind": "integer", "format": None}}, "set type"
    )
    page.show_view("columns")
    page.columns.choose("BIRTHDATE")
    check = page.columns._check
    assert check.n_failing == len(people)
    assert [line for line, _row, _text in check.failing[:3]] == [2, 3, 4]
    column = workspace.session.loaded.table.column("BIRTHDATE")
    assert all(column.text(row) == text for _line, row, text in check.failing)


def test_a_saved_project_opens_with_both_files(page, workspace, files, tmp_path):
    workspace.open_data(files[1])
    page.add_people(files[0])
    page.linked.link.click()
    workspace.save(tmp_path / "p.deid.json")
    saved = workspace.session.project
    workspace.open_data(files[1])
    workspace.open_project(tmp_path / "p.deid.json")
    assert workspace.session.project == saved
    assert workspace.session.loaded.people is not None
    wanted = []

    def ask(name, file):
        wanted.append((name, file))

    workspace.input_wanted.connect(ask)
    away = files[0].rename(tmp_path / "moved.csv")
    workspace.open_project(tmp_path / "p.deid.json")
    assert wanted == [("people", "patients.csv")]
    workspace.locate_input(away)
    assert workspace.session.loaded.people.path == away


def three_files(folder):
    tables = three_kinds(60)
    tables["drugs"].append({**tables["drugs"][0], "person": "stranger"})
    return {n: write_rows(folder / f"{n}.csv", rows) for n, rows in tables.items()}


def test_further_events_are_added_and_removed_by_themselves(page, workspace, tmp_path):
    files = three_files(tmp_path)
    card, session = page.linked, workspace.session
    workspace.open_data(files["claims"])
    page.add_people(files["people"])
    card.link.click()
    assert page.facts.add_people.isVisible()
    one = session.project
    page.add_people(files["drugs"])
    assert card.is_offering
    # The people are linked by their key already: only the other file's is asked.
    assert [card.keys[0].itemData(i) for i in range(card.keys[0].count())] == ["person"]
    assert card.keys[1].current == "person"
    card.link.click()
    assert not card.is_offering
    assert [each.table for each in session.project.links] == ["table", "drugs"]
    assert session.project.attribute("code (drugs)").table == "drugs"
    assert [each.isVisible() for each in card.lines] == [True, True]
    assert not card.lines[0].question.isVisible()
    assert card.lines[1].question.isVisible()
    assert page.status().state is StepState.ATTENTION
    card.lines[1].question.acted.emit()
    assert [e.orphans for e in session.project.links] == [None, "left_out"]
    page.add_people(files["labs"])
    card.keys[1].set_current("patient")
    card.link.click()
    assert [each.table for each in session.project.links] == ["table", "drugs", "labs"]
    assert session.project.links[1].orphans == "left_out"
    three = session.project
    assert "status (labs)" in session.loaded.table.column_names
    # Only the one that was added last can go alone.
    assert [each.remove.isVisible() for each in card.lines] == [True, False, True]
    card.lines[2].remove.click()
    assert [each.table for each in session.project.links] == ["table", "drugs"]
    assert "status (labs)" not in session.loaded.table.column_names
    session.undo()
    assert session.project == three
    assert "status (labs)" in session.loaded.table.column_names
    for _ in range(3):
        session.undo()
    assert session.project == one
    assert "days" not in session.loaded.table.column_names
    for _ in range(3):
        session.redo()
    assert session.project == three
    card.lines[0].remove.click()
    assert session.project.links == ()
    assert session.loaded.people is None


def test_a_project_with_further_events_opens_again(page, workspace, tmp_path):
    files = three_files(tmp_path)
    workspace.open_data(files["claims"])
    for name in ("people", "drugs"):
        page.add_people(files[name])
        page.linked.link.click()
    decided = workspace.session.project
    columns = workspace.session.loaded.table.column_names
    path = tmp_path / "p.deid.json"
    workspace.save(path)
    workspace.close_project()
    workspace.open_project(path)
    assert workspace.session.loaded.table.column_names == columns
    assert workspace.session.project.links == decided.links
