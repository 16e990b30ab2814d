"""What outsiders may know of columns, on the page Attributes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt

from deidgui.app import ops
from deidgui.app.determination.principles import acceptable, asked_columns, open_columns
from deidgui.qt.pages.attributes import outsiders
from deidgui.qt.pages.attributes.page import AttributesPage
from tests.qt.fakes import fill


@pytest.fixture
def page(qtbot, workspace, settings):
    fill(workspace.session)
    made = AttributesPage(workspace, settings)
    qtbot.addWidget(made)
    made.resize(1100, 640)
    with qtbot.waitExposed(made):
        made.show()
    made.view.set_current("outsiders")
    made.refresh(made.parts)
    return made


def said(page):
    return {e.name: e.principles for e in page.session.project.attributes}


def choose(view, *names):
    view.table.clearSelection()
    for place, each in enumerate(asked_columns(view._project)):
        if each.name in names:
            view._select(place)


def test_nothing_is_said_by_itself_and_nobody_unnamed_says_anything(page, qtbot):
    view = page.outsiders
    asked = [each.name for each in asked_columns(page.session.project)]
    assert view.table.rowCount() == len(asked) > 1
    assert set(said(page).values()) == {None}
    choose(view, *asked)
    view.by.clear()
    view.choices["availability"].set_current("high")
    view.choices["availability"].activated.emit(3)
    assert set(said(page).values()) == {None}
    assert view.choices["availability"].current == ""


def test_it_begins_with_a_column_that_has_a_proposal(qtbot, workspace, settings):
    fill(workspace.session)
    session = workspace.session
    names = [each.name for each in asked_columns(session.project)]
    session.apply(ops.change_attribute(names[0], topic="code"), "its kind")
    session.apply(ops.change_attribute(names[1], topic="age"), "its kind")
    made = AttributesPage(workspace, settings)
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    made.view.set_current("outsiders")
    made.refresh(made.parts)
    view = made.outsiders
    assert view.chosen == (names[1],)
    assert view.accept.isEnabled()
    # That it is a code is known; what is not, is another thing.
    choose(view, names[0])
    words = view._proposed.text()
    assert "coded value" in words
    assert "not known" not in words


def test_who_says_it_is_asked_where_it_is_typed_until_it_is_said(page, qtbot):
    view = page.outsiders
    view.by.clear()
    choose(view, asked_columns(page.session.project)[0].name)
    view.choices["availability"].setFocus()
    view.choices["availability"].set_current("high")
    view.choices["availability"].activated.emit(3)
    assert page.focusWidget() is view.by
    asked = view.state.accessibleName()
    assert "Nobody is named" in asked
    # Neither the measurement that ends nor anything else that is shown takes it away.
    view.show_project(page.session.project)
    assert view.state.accessibleName() == asked
    qtbot.keyClicks(page.focusWidget(), "A. Analyst")
    qtbot.keyClick(view.by, Qt.Key.Key_Return)
    assert view.by.text() == "A. Analyst"
    assert "columns are open" in view.state.accessibleName()


def test_a_reason_is_written_only_to_columns_that_are_asked_for_one(page):
    view = page.outsiders
    roles = {e.name: e.role for e in asked_columns(page.session.project)}
    assert len(set(roles.values())) > 1
    choose(view, *roles)
    n_asked = sum(role != "quasi_identifier" for role in roles.values())
    assert f"A reason is asked of {n_asked}." in view._title.text()
    view.by.setText("A. Analyst")
    because = view.texts["because"].field
    because.setText("in the record only")
    because.editingFinished.emit()
    for name, role in roles.items():
        found = said(page)[name]
        if role == "quasi_identifier":
            assert found is None
        else:
            assert found.because == "in the record only"
    # Those who are asked agree: the others have nothing to differ in.
    assert because.text() == "in the record only"
    assert view.texts["because"].signed.text().startswith("A. Analyst")


def test_a_column_without_a_proposal_does_not_hide_those_of_others(page):
    view, session = page.outsiders, page.session
    without, having = (e.name for e in asked_columns(session.project)[:2])
    session.apply(ops.change_attribute(having, topic="age"), "its kind")
    page.refresh(page.parts)
    assert acceptable(session.project) == (having,)
    choose(view, without)
    assert view.accept.text() == "No proposal for this column"
    assert not view.accept.isEnabled()
    assert "Ctrl+A" in view.state.accessibleName()
    view.table.selectAll()
    assert view.accept.text().startswith("Accept 1 proposal")
    assert view.accept.isEnabled()


def test_several_columns_are_said_at_once_and_it_is_undone(page):
    view = page.outsiders
    asked = [each.name for each in asked_columns(page.session.project)]
    view.by.setText("A. Analyst")
    choose(view, *asked)
    for name in ("replicability", "availability"):
        view.choices[name].set_current("low")
        view.choices[name].activated.emit(1)
    view.choices["knowable_by"].set_current("nobody")
    view.choices["knowable_by"].activated.emit(1)
    assert view.chosen == tuple(asked)
    view.texts["because"].field.setText("in the record only")
    view.texts["because"].field.editingFinished.emit()
    found = said(page)
    assert {found[name].availability for name in asked} == {"low"}
    assert {found[name].by for name in asked} == {"A. Analyst"}
    assert open_columns(page.session.project) == ()
    assert view.table.item(0, 2).text() == "low"
    for _ in range(4):
        page.session.undo()
    page.refresh(page.parts)
    assert set(said(page).values()) == {None}


def test_what_was_typed_without_a_name_stays_until_there_is_one(page):
    view = page.outsiders
    first = asked_columns(page.session.project)[0].name
    choose(view, first)
    view.by.clear()
    sources = view.texts["sources"]
    sources.field.setText("a register")
    sources.field.editingFinished.emit()
    page.refresh(page.parts)
    assert sources.field.text() == "a register"
    assert not sources.problem.isHidden()
    assert said(page)[first] is None
    view.by.setText("A. Analyst")
    view.by.editingFinished.emit()
    assert said(page)[first].sources == "a register"
    assert sources.problem.isHidden()


def test_columns_that_differ_show_nothing_and_stay_as_they_are(page):
    view = page.outsiders
    first, second = (e.name for e in asked_columns(page.session.project)[:2])
    view.by.setText("A. Analyst")
    for name, value in ((first, "low"), (second, "high")):
        choose(view, name)
        view.choices["availability"].set_current(value)
        view.choices["availability"].activated.emit(0)
    choose(view, first, second)
    words = {
        name: (each.currentText() or each.placeholderText())
        for name, each in view.choices.items()
    }
    assert words["availability"] == "differs"
    assert words["replicability"] == "not stated"
    view.texts["sources"].field.editingFinished.emit()
    view.choices["availability"].activated.emit(0)
    assert said(page)[first].availability == "low"
    assert said(page)[second].availability == "high"
    view.choices["availability"].set_current("")
    view.choices["availability"].activated.emit(0)
    assert [said(page)[each] for each in (first, second)] == [None, None]


def test_how_far_columns_tell_apart_is_measured(page, qtbot):
    view = page.outsiders
    qtbot.waitUntil(lambda: view.table.item(0, 5).text() != "–", timeout=20_000)
    assert "%" in view.table.item(0, 5).text()
    assert "alone" in view._apart_words.text()


def test_rows_are_reached_by_keyboard(page, qtbot):
    view = page.outsiders
    view.table.setFocus()
    # Not by `selectRow`: it heeds the Shift that the test before has pressed.
    flags = QItemSelectionModel.SelectionFlag
    how = flags.ClearAndSelect | flags.Rows
    view.table.selectionModel().setCurrentIndex(view.table.model().index(0, 0), how)
    before = view.chosen
    assert len(before) == 1
    qtbot.keyClick(view.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert len(view.chosen) == len(before) + 1


def test_who_says_it_stands_with_what_was_accepted(page):
    view, session = page.outsiders, page.session
    first, second = (e.name for e in asked_columns(session.project)[:2])
    for name in (first, second):
        session.apply(ops.change_attribute(name, topic="age"), "its kind")
    session.apply(ops.accept_principles([first], "A. Analyst", "2026-11-28"), "accept")
    page.refresh(page.parts)
    choose(view, first)
    sources = view.texts["sources"]
    assert sources.field.text()
    assert sources.signed.text() == "A. Analyst, 2026-11-28"
    session.apply(ops.accept_principles([second], "B. Boss", "2026-11-28"), "accept")
    page.refresh(page.parts)
    choose(view, first, second)
    view._show_chosen()
    # Nobody is named for what another one said.
    assert sources.field.text()
    assert not sources.signed.isVisible()


def test_what_is_missing_is_said_where_a_proposal_gives_no_reason(page):
    view, session = page.outsiders, page.session
    quasi, other = (
        next(
            e.name
            for e in asked_columns(session.project)
            if (e.role == "quasi_identifier") is is_quasi
        )
        for is_quasi in (True, False)
    )
    for name in (quasi, other):
        session.apply(ops.change_attribute(name, topic="age"), "its kind")
    names = [quasi, other]
    session.apply(ops.accept_principles(names, "A. Analyst", "2026-11-28"), "accept")
    page.refresh(page.parts)
    rows = [each.name for each in asked_columns(session.project)]
    states = {e: view.table.item(n, 1).text() for n, e in enumerate(rows)}
    assert states[quasi] == "✓ answered"
    assert states[other] == "reason missing"
    assert {states[e] for e in rows if e not in names} == {"open"}
    n_open = len(open_columns(session.project))
    said_of_all = view.state.accessibleName()
    assert f"{n_open} of {len(rows)} columns are open." in said_of_all
    assert "Of 1, only “Why no quasi-identifier” is missing." in said_of_all


def test_what_is_chosen_is_asked_once_however_many_columns_there_are(page, monkeypatch):
    view, session = page.outsiders, page.session
    choose(view, asked_columns(session.project)[0].name)
    n_asked = []

    def counted(project):
        n_asked.append(1)
        return asked_columns(project)

    monkeypatch.setattr(outsiders, "asked_columns", counted)
    view.by.clear()  # nothing is decided, and the page is not shown anew
    view._say("availability", "high")
    # To say it, and to show again what stands there.
    assert len(n_asked) <= 4 < len(session.project.attributes)
