"""The page Preview and export: questions about the released table."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea

from deidgui.app import ops
from deidgui.app.activity import Activity
from deidgui.app.decides import Changes
from deidgui.app.deciding.asked import AskedDecisions
from deidgui.app.deciding.context import with_context
from deidgui.app.deciding.deciding import decide
from deidgui.app.deciding.validity import with_validity
from deidgui.app.entered import today
from deidgui.app.jobs import JobRunner, Lane
from deidgui.app.release import previewing
from deidgui.app.release.previewing import preview
from deidgui.app.release.questions import ReleaseQuestion, answer_to
from deidgui.app.release.writing import write_release
from deidgui.app.session import Kind
from deidgui.app.storage.project_io import load_project, save_project
from deidgui.engine.evidence.document import (
    AnsweredQuestion,
    ProtectedUnit,
    RowsKnown,
)
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.export.conditions import AskedCondition
from deidgui.qt.pages.export.page import ExportPage, PreviewPane
from deidgui.qt.settings import Settings
from deidgui.qt.tab_order import next_stop
from deidgui.qt.widgets import CellMark, Label
from deidgui.qt.widgets.grid import MARK_ROLE
from tests.explored_case import fill, make_case
from tests.qt.fakes import FakeWorkspace, Later
from tests.release_case import make_order

QUESTIONS = tuple(
    ReleaseQuestion(name, "disclosed", "question_disclosed", {}, f"about {name}")
    for name in ("age", "zip", "diagnosis")
)


@pytest.fixture
def page(qtbot):
    workspace, case = FakeWorkspace(), make_case()
    confirmed = [each.but(confirmed=True) for each in case.project.attributes]
    case.project = case.project.but(attributes=tuple(confirmed))
    fill(workspace.session, case)
    session = workspace.session
    session.set_result(Kind.MEASUREMENT, case.measured, case.project)
    session.set_result(Kind.QUESTIONS, QUESTIONS, case.project)
    made = ExportPage(workspace, Settings())
    qtbot.addWidget(made)
    made.show()
    return made


def test_records_of_another_choice_are_not_seen_meanwhile(page):
    pane, later = page.preview, Later()
    assert pane.before.isVisible()
    page.workspace.runner = JobRunner(lambda closure: closure(), later)
    pane.which.set_current("suppressed")
    pane.which.chosen.emit("suppressed")
    assert not pane.before.isVisible()
    assert not pane.after.isVisible()
    later.run()
    assert pane.before.isVisible()
    assert pane.after.isVisible()


def test_why_a_reopened_project_is_stopped_stands_beside_it(page):
    session, measured = page.session, page._measured()
    project, loaded = session.project, session.loaded
    session.start(project, loaded=loaded)
    session.set_result(Kind.MEASUREMENT, measured, project)
    session.set_result(Kind.QUESTIONS, (), project)
    page.refresh(Changes.EVERYTHING)
    why = "No policies were searched since the project was opened."
    assert page._what_is_missing() == why
    assert "stopped all the same" in page._state.accessibleName()
    assert page._state._detail.text().splitlines()[0] == why


def test_rows_are_said_with_suppressed_people(page):
    session, unit = page.session, ProtectedUnit(kind="key", people=400)
    measured = replace(page._measured(), unit=unit, rows=(90, 900))
    session.set_result(Kind.MEASUREMENT, measured, session.project)
    page.refresh(Changes.EVERYTHING)
    rows = "Suppressed rows: 90 of 900 rows (10\u202f%)."
    assert rows in page._words.text()
    assert page.help_words().endswith(rows)


def test_one_reason_can_be_given_to_all_questions_that_are_open(page):
    card, session = page.questions, page.session
    first, *others = (each.name for each in QUESTIONS)
    assert card.all_button.isHidden()
    card.fields[first].setText("Agreed")
    card.buttons[first].click()
    assert [answer_to(session.project, e) is None for e in QUESTIONS] == [
        False,
        True,
        True,
    ]
    assert not card.all_button.isHidden()
    assert f"{len(others)} open questions" in card.all_button.text()
    assert "“Agreed”" in card.all_words.text()
    assert "zip, diagnosis" in card.all_words.text()
    card.all_button.click()
    given = [answer_to(session.project, each) for each in QUESTIONS]
    assert [each.because for each in given if each] == ["Agreed"] * 3
    assert card.all_button.isHidden()
    # It is one decision, taken back as one.
    session.undo()
    assert answer_to(session.project, QUESTIONS[0])
    assert not any(answer_to(session.project, each) for each in QUESTIONS[1:])


def test_one_reason_is_offered_for_all_of_a_kind_before_any_is_given(page):
    """Who sees 28 questions must not think that 28 texts are needed."""
    card, session = page.questions, page.session
    texts = questions("note", "memo", kind="unique")
    show(page, (*questions(*"abcd"), *texts))
    assert set(card.together) == {"a:disclosed", "note:unique"}
    button = card.together["a:disclosed"]
    assert button.isVisible()
    assert not button.isEnabled()
    assert button.text() == "Give this reason to all 4"
    named = [e.text() for e in card.findChildren(QLabel) if "same kind" in e.text()]
    assert any("a, b, c, d." in each for each in named)
    card.fields["a:disclosed"].setText("Agreed")
    assert button.isEnabled()
    assert not card.together["note:unique"].isEnabled()
    button.click()
    assert [each.because for each in session.project.answers] == ["Agreed"] * 4
    # Each is still listed, with its reason.
    assert set(card.fields) >= {f"{name}:disclosed" for name in "abcd"}
    assert set(card.together) == {"note:unique"}
    session.undo()
    assert session.project.answers == ()


def questions(*names, kind="disclosed"):
    return tuple(ReleaseQuestion(n, kind, "question_disclosed", {}, n) for n in names)


def test_the_offer_stands_below_the_question_that_comes_next(page):
    """At the top of 29 questions nobody sees it from the second row on."""
    page.resize(1000, 700)
    card = page.questions
    show(page, questions(*"abcdefghij"))
    for key, following in (
        ("d:disclosed", "e:disclosed"),
        ("j:disclosed", "a:disclosed"),
    ):
        card.fields[key].setText("Agreed")
        card.buttons[key].click()
        QApplication.processEvents()
        field, button = card.fields[following], card.all_button
        assert button.isVisible()
        gap = button.mapTo(card, QPoint()).y() - field.mapTo(card, QPoint()).y()
        assert 0 < gap < 120
        # Tab leads from the field to the offer: the button of the row is disabled.
        assert next_stop(card, field, forward=True) is button
    card.all_button.click()
    QApplication.processEvents()
    assert not card.all_button.isVisible()


def test_return_gives_the_reason_and_goes_to_the_next_open_question(page, qtbot):
    card = page.questions
    show(page, questions(*"abcd"))
    page.activateWindow()
    card.fields["b:disclosed"].setFocus()
    qtbot.keyClick(card.fields["b:disclosed"], Qt.Key.Key_Return)
    assert not page.session.project.answers
    card.fields["b:disclosed"].setText("Agreed")
    qtbot.keyClick(card.fields["b:disclosed"], Qt.Key.Key_Return)
    assert [each.column for each in page.session.project.answers] == ["b"]
    assert card.fields["c:disclosed"].hasFocus()
    # What is answered already is not answered again.
    qtbot.keyClick(card.fields["b:disclosed"], Qt.Key.Key_Return)
    assert len(page.session.project.answers) == 1


def test_who_answers_by_return_sees_the_next_question(page, qtbot):
    """The field that has the keyboard is on the screen, whatever was folded away."""
    page.resize(1000, 600)
    card, names = page.questions, [f"column_{n:02}" for n in range(29)]
    show(page, questions(*names))
    page.activateWindow()
    QApplication.processEvents()
    card.fields[f"{names[0]}:disclosed"].setFocus()
    for name, following in pairwise(names[:21]):
        field = card.fields[f"{name}:disclosed"]
        field.setText(f"Agreed for {name}")
        qtbot.keyClick(field, Qt.Key.Key_Return)
        for _ in range(4):
            QApplication.processEvents()
        field = card.fields[f"{following}:disclosed"]
        assert field.hasFocus()
        assert field.visibleRegion().boundingRect().height() == field.height()
        assert is_whole(card.heads[f"{following}:disclosed"])


def is_whole(widget):
    """Whether all of a widget is on the screen."""
    return widget.visibleRegion().boundingRect().height() == widget.height()


def test_whoever_is_led_to_a_question_sees_what_is_asked(page):
    page.resize(1000, 520)
    card, words = page.questions, "Many words that are asked. " * 20
    card.show_asked([AskedCondition(each, words, kind=each) for each in "abcd"])
    page.activateWindow()
    for _ in range(6):
        QApplication.processEvents()
    # As one who comes from below: the field alone is seen.
    field, head = card.fields["a"], card.heads["a"]
    area = next(e for e in page.findChildren(QScrollArea) if e.isAncestorOf(card))
    bar, view = area.verticalScrollBar(), area.viewport()
    bar.setValue(bar.value() + field.mapTo(view, QPoint()).y() - 60)
    assert is_whole(field)
    assert not is_whole(head)
    card.begin()
    assert field.hasFocus()
    assert is_whole(field)
    assert is_whole(head)


def test_many_questions_of_a_kind_are_one_row_until_somebody_opens_them(page, qtbot):
    page.resize(1000, 700)
    page.activateWindow()
    card = page.questions
    show(page, (*questions(*"abcdefghij"), *questions("note", kind="unique")))
    assert seen(card) == ["a:disclosed", "note:unique"]
    # All that stands above it still counts and names what is folded.
    assert card.together["a:disclosed"].text() == "Give this reason to all 10"
    assert "a, b, c, d, e, f, g, h, i, j." in "".join(shown_texts(card))
    fold = card.folds["disclosed"]
    assert fold._button.text() == "9 more questions of the same kind"
    # One after the other: the next one comes up, and the keyboard is there.
    card.fields["a:disclosed"].setFocus()
    card.fields["a:disclosed"].setText("Agreed")
    qtbot.keyClick(card.fields["a:disclosed"], Qt.Key.Key_Return)
    assert seen(card) == ["b:disclosed", "note:unique"]
    assert card.fields["b:disclosed"].hasFocus()
    card.folds["disclosed"]._button.click()
    assert seen(card) == [*(f"{name}:disclosed" for name in "bcdefghij"), "note:unique"]
    # What is open stays so while questions are answered in it.
    card.fields["h:disclosed"].setText("Coarse")
    card.buttons["h:disclosed"].click()
    assert card.folds["disclosed"].is_open
    assert seen(card)[:2] == ["i:disclosed", "b:disclosed"]


def seen(card):
    """Keys of the questions whose fields are shown, from top to bottom."""
    QApplication.processEvents()
    shown = {key: each for key, each in card.fields.items() if each.isVisible()}
    return sorted(shown, key=lambda key: shown[key].mapTo(card, QPoint()).y())


def test_of_a_question_its_first_sentence_stands_out(page):
    counts = {"n_records": 9, "n_released": 100, "n_classes": 2}
    params = {"column": "No. of visits", **counts}
    asked = ReleaseQuestion("visits", "disclosed", "question_disclosed", params, "a")
    show(page, (asked,))
    title = page.questions.heads[asked.name].text()
    assert title.endswith("in 2 classes with one value of it.")
    (more,) = (
        each
        for each in page.questions.findChildren(Label)
        if each.isVisible() and each.text() == asked.words.removeprefix(f"{title} ")
    )
    assert not more.property("kind")


def test_few_questions_of_a_kind_are_all_seen(page):
    show(page, questions(*"abc"))
    assert seen(page.questions) == ["a:disclosed", "b:disclosed", "c:disclosed"]
    assert not page.questions.folds


def test_no_gap_is_left_where_nothing_is_said_of_suppressed_rows(page):
    card = page.options
    for choice, is_said in (("undecided", False), ("stars", True), ("left_out", True)):
        card.suppressed.chosen.emit(choice)
        assert card._suppressed_words.isVisible() == is_said
    # Suppression is said once: how many people, how many rows.
    session, unit = page.session, ProtectedUnit(kind="key", people=400)
    measured = replace(page._measured(), unit=unit, rows=(90, 900))
    session.set_result(Kind.MEASUREMENT, measured, session.project)
    page.refresh(Changes.EVERYTHING)
    assert page._words.text().count("with all rows") == 1
    assert "with them" not in page._words.text()


def test_the_preview_stands_below_the_options_that_change_it(page):
    """Not below 29 questions, twelve screens further down."""
    page.resize(1000, 700)
    show(page, questions(*(f"column_{n:02}" for n in range(29))))
    QApplication.processEvents()
    content = page._content
    above = page.options.mapTo(content, QPoint(0, page.options.height())).y()
    gap = page.preview.mapTo(content, QPoint()).y() - above
    assert 0 <= gap < 40


def test_what_is_written_is_seen_before_the_answered_questions(page):
    page.resize(1000, 400)
    show(page, questions(*"abcdefghij"))
    QApplication.processEvents()
    bar = page._area.verticalScrollBar()
    bar.setValue(bar.maximum())
    page.workspace.activity(Activity(Lane.EXPORT, 0.1, "write", 1.0))
    QApplication.processEvents()
    assert not page.progress.visibleRegion().isEmpty()
    places = [page.progress, page.released, page.questions]
    box = page._content.layout()
    assert sorted(places, key=box.indexOf) == places


def test_no_time_left_is_told_while_policies_are_ruled_out(page):
    """The share of policies that are ruled out foretells nothing."""
    activity = page.workspace.activity
    for second in range(1, 41):
        activity(Activity(Lane.EXPORT, second / 100, "write", float(second)))
    assert "left" in page.progress._time.text()
    activity(Activity(Lane.EXPORT, 0.4, "proof 1200", 41.0))
    assert "so far" in page.progress._time.text()
    assert page.progress._percent.text() == ""


def show(page, asked):
    session = page.session
    session.set_result(Kind.QUESTIONS, asked, session.project)
    page.refresh(Changes.EVERYTHING)


def test_a_reason_is_offered_for_questions_of_its_kind_alone(page):
    card, session = page.questions, page.session
    texts = questions("note", kind="unique")
    show(page, (*questions("age", "zip"), *texts))
    card.fields["age:disclosed"].setText("Agreed")
    card.buttons["age:disclosed"].click()
    assert "zip." in card.all_words.text()
    assert "note" not in card.all_words.text()
    card.all_button.click()
    assert answer_to(session.project, texts[0]) is None
    assert card.all_button.isHidden()


@pytest.mark.parametrize("is_seen", [True, False])
def test_the_reason_of_another_project_is_forgotten(page, is_seen):
    card, session = page.questions, page.session
    card.fields["age:disclosed"].setText("Of the first project")
    card.buttons["age:disclosed"].click()
    assert not card.all_button.isHidden()
    if is_seen:
        show(page, ())
    session.apply(lambda p: p.but(answers=()), "as another project")
    show(page, questions("age", "zip", "town"))
    assert card.all_button.isHidden()
    card.all_button.click()
    assert session.project.answers == ()
    assert "first project" not in card.all_words.text()


def test_a_reason_has_the_name_of_who_gives_it(page):
    card, session = page.questions, page.session
    card.fields["age:disclosed"].setText("Agreed")
    card.buttons["age:disclosed"].click()
    # Nobody is named: it is kept, and said so.
    assert not session.project.answers[0].is_signed
    assert "nobody has signed it" in shown_texts(card)
    assert "Nobody has signed: reasons. " in page.signing.words.text()
    assert page.signing.sign.isVisible()
    page.signing.by.setText("N. N., privacy office")
    card.fields["zip:disclosed"].setText("Coarse")
    card.buttons["zip:disclosed"].click()
    given = session.project.answers[1]
    assert (given.by, given.on) == ("N. N., privacy office", today().isoformat())
    assert f"N. N., privacy office, {today()}" in shown_texts(card)


def shown_texts(card):
    return [each.text() for each in card.findChildren(QLabel)]


def test_the_window_signs_what_the_command_signs(page, tmp_path, qtbot):
    session, file = page.session, tmp_path / "p.deid.json"
    page.questions.fields["age:disclosed"].setText("Agreed")
    page.questions.buttons["age:disclosed"].click()
    for op in (
        ops.set_notes("Second extract."),
        with_context("purpose=Length of stay", "", ""),
        with_validity("contact=office", "", ""),
    ):
        session.apply(op, "type")
    page.refresh(Changes.EVERYTHING)
    save_project(session.project, file)
    before = session.project
    page.signing.by.clear()
    qtbot.mouseClick(page.signing.sign, Qt.MouseButton.LeftButton)
    assert session.project == before
    assert page.signing.problem.isVisible()
    page.signing.by.setText("N. N.")
    qtbot.mouseClick(page.signing.sign, Qt.MouseButton.LeftButton)
    decide(file, AskedDecisions(signs_open=True, answered_by="N. N."), {})
    assert session.project == load_project(file)
    assert session.project.notes_signed.by == "N. N."
    assert not page.signing.sign.isVisible()
    session.undo()
    assert session.project == before


def answer_all(page, *names):
    for name in names:
        page.questions.fields[name].setText("Agreed")
        page.questions.buttons[name].click()


def test_nothing_is_green_that_was_accepted_with_a_reason(page):
    answer_all(page, *(each.name for each in QUESTIONS))
    state = page._state
    assert state.property("tone") == "warning"
    assert "3 questions were accepted with a reason" in state._text.text()
    # Each of those that are counted is named.
    assert all(each.words in state._detail.text() for each in QUESTIONS)
    assert "to be answered" not in page.status().what_is_missing


def test_without_questions_met_thresholds_are_green(page):
    show(page, ())
    assert page._state.property("tone") == "success"


def test_of_whom_the_figures_are_stays_in_view(page, evidence):
    by_number = RowsKnown(
        known="all_and_number", highest=1.0, average=0.4, n_at_risk=12
    )
    unit = ProtectedUnit(kind="key", column="mrn", people=400, rows_known=(by_number,))
    session = page.session
    measured = replace(session.result(Kind.MEASUREMENT), unit=unit)
    session.set_result(Kind.MEASUREMENT, measured, session.project)
    rows = ReleaseQuestion(
        "mrn",
        "rows",
        "question_rows",
        {"column": "mrn", "n_records": 12, "n_released": 400, "least": 3},
        "rows",
    )
    show(page, (rows,))
    answer_all(page, "mrn:rows")
    detail = page._state._detail.text()
    assert "probability of up to 100" in detail
    assert "12 of 400 released people are in a group of fewer than 3" in detail
    assert page._state.property("tone") == "warning"
    # So it is in the card of what was written, and in the rail.
    answered = AnsweredQuestion(
        column="mrn", kind="rows", words=rows.words, because="Agreed"
    )
    show_release(page, evidence, measured, questions=(answered,))
    words = " ".join(shown_texts(page.released))
    assert "1 question was accepted with a reason" in words
    assert rows.words in words
    assert "probability of up to 100" in words
    status = page.status()
    assert (status.state, status.caption) == (StepState.ATTENTION, "released, 1 reason")


def test_a_release_without_reasons_is_green(page, evidence):
    show_release(page, evidence, page.session.result(Kind.MEASUREMENT))
    assert page.released._accepted.isHidden()
    assert page.status().state is StepState.DONE


@pytest.fixture(scope="module")
def evidence(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    return write_release(folder / "out", make_order(folder)).evidence


def show_release(page, evidence, measured, **said):
    """Let a release be written that says something of itself."""
    unit = measured.unit or ProtectedUnit(kind="row")
    said = {"questions": (), "overruled": (), "unit": unit, **said}
    written = SimpleNamespace(
        evidence=evidence.model_copy(update=said),
        verification=SimpleNamespace(checks=range(584)),
    )
    made = SimpleNamespace(folder=Path("out"), written=written, measured=measured)
    session = page.session
    session.set_result(Kind.RELEASE, made, session.project)
    page.refresh(Changes.EVERYTHING)


def test_the_released_card_says_how_the_dossier_stands(page, evidence):
    unit = ProtectedUnit(kind="key", people=400, suppressed_people=10)
    measured = replace(page.session.result(Kind.MEASUREMENT), unit=unit)
    stated_by = evidence.dossier.model_copy(
        update={"complete": 7, "asked": 46, "lacking": (3, 4)}
    )
    show_release(page, evidence, measured, dossier=stated_by)
    words = " ".join(shown_texts(page.released))
    assert "7 of 46 items complete." in words
    assert "Not a determination" in words
    assert "584 comparisons of what the evidence states" in words
    assert "390" in words
    page.released.dossier_button.click()
    assert page.view.current == "dossier"
    assert page.dossier.isVisible()


def test_what_is_not_decided_of_suppressed_records_is_a_click_away(page):
    session = page.session
    session.apply(ops.change_export(suppressed=None), "undecide")
    session.set_result(Kind.MEASUREMENT, page._measured(), session.project)
    show(page, QUESTIONS)
    page.resize(1000, 500)
    QApplication.processEvents()
    page.open.links["no_suppressed_choice"].click()
    QApplication.processEvents()
    assert page.options.suppressed.isAncestorOf(QApplication.focusWidget()) or (
        page.options.suppressed.hasFocus()
    )
    assert not page.options.suppressed.visibleRegion().isEmpty()
    box = page._content.layout()
    assert box.indexOf(page.options.parentWidget()) < box.indexOf(page.questions)


def test_all_that_is_open_is_one_list_with_the_way_to_each(page):
    session = page.session
    session.apply(ops.change_export(suppressed=None), "undecide")
    session.set_result(Kind.MEASUREMENT, page._measured(), session.project)
    asked = questions("age", "zip")
    show(page, asked)
    page.resize(1000, 400)
    QApplication.processEvents()
    assert list(page.open.links) == ["no_suppressed_choice", "export/questions"]
    listed = [each.text() for each in page.open.findChildren(QLabel) if each.text()]
    # The foot of the window names the same, and the banner promises nothing.
    missing = page.status().what_is_missing.splitlines()
    assert len(missing) == 2
    assert set(missing) <= set(listed)
    assert "stopped" in page._state.accessibleName()
    page.open.links["export/questions"].click()
    QApplication.processEvents()
    first = page.questions.fields[asked[0].name]
    assert first.hasFocus()
    assert not first.visibleRegion().isEmpty()
    session.apply(ops.change_export(suppressed="stars"), "decide")
    session.set_result(Kind.MEASUREMENT, page._measured(), session.project)
    show(page, asked)
    assert list(page.open.links) == ["export/questions"]


def test_how_suppressed_records_are_written_is_decided_by_no_arrow(page, qtbot):
    session, control = page.session, page.options.suppressed
    session.apply(ops.change_export(suppressed=None), "undecide")
    session.set_result(Kind.MEASUREMENT, page._measured(), session.project)
    show(page, QUESTIONS)
    page.resize(1000, 420)
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    page.open.links["no_suppressed_choice"].click()
    stars, left_out = control._group.buttons()[1:]
    assert control._group.buttons()[0].hasFocus()
    for focused in (stars, left_out):
        qtbot.keyClick(page.focusWidget(), Qt.Key.Key_Right)
        assert focused.hasFocus()
        assert session.project.export.suppressed is None
    qtbot.keyClick(left_out, Qt.Key.Key_Space)
    assert session.project.export.suppressed == "left_out"
    qtbot.keyClick(left_out, Qt.Key.Key_Left)
    qtbot.keyClick(stars, Qt.Key.Key_Return)
    assert session.project.export.suppressed == "stars"


def test_what_has_the_focus_stays_in_sight_when_a_decision_ends_what_was_above(
    page, qtbot
):
    session, control = page.session, page.options.suppressed
    session.apply(ops.change_export(suppressed=None), "undecide")
    session.set_result(Kind.MEASUREMENT, page._measured(), session.project)
    show(page, ())
    page.resize(1000, 420)
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    page.open.links["no_suppressed_choice"].click()
    focused = control._group.buttons()[0]
    for _step in range(20):
        QApplication.processEvents()
    # Where a person has scrolled to: the control is the first that is seen.
    bar = page._area.verticalScrollBar()
    bar.setValue(focused.mapTo(page._sheet, QPoint(0, 0)).y())
    qtbot.keyClick(focused, Qt.Key.Key_Right)
    chosen = page.focusWidget()
    qtbot.keyClick(chosen, Qt.Key.Key_Space)
    assert not page.open.isVisible()
    qtbot.waitUntil(lambda: not chosen.visibleRegion().isEmpty())


@pytest.mark.parametrize("is_written", [True, False])
def test_the_keyboard_goes_from_the_export_to_stop_and_to_its_release(
    page, evidence, is_written, qtbot
):
    page.resize(900, 400)
    show(page, ())
    page.activateWindow()
    page.export_button.setFocus(Qt.FocusReason.TabFocusReason)
    assert page.export_button.hasFocus()
    activity = page.workspace.activity
    activity(Activity(Lane.EXPORT, 0.0))
    activity(Activity(Lane.EXPORT, 0.1, "write", 1.0))
    assert page.progress.hasFocus()
    activity(Activity(Lane.EXPORT, None))
    assert page.export_button.hasFocus()
    if is_written:
        show_release(page, evidence, page._measured())
        page.workspace.release_written(page.session.result(Kind.RELEASE))
        assert page.released.open_button.hasFocus()
        assert not page.released.open_button.visibleRegion().isEmpty()
        area = page._area.viewport()
        qtbot.waitUntil(
            lambda: 0 <= page.released.mapTo(area, QPoint()).y() < area.height()
        )


def test_what_is_exported_from_the_dossier_is_seen(page, evidence, tmp_path):
    show(page, ())
    page.show_place("dossier")
    assert not page._content.isVisible()
    page.export_to(tmp_path)
    assert page.workspace.calls[-1][0] == "export"
    page.workspace.activity(Activity(Lane.EXPORT, 0.0))
    assert page.progress.isVisible()
    page.workspace.activity(Activity(Lane.EXPORT, None))
    show_release(page, evidence, page._measured())
    told = []
    page.reported.connect(told.append)
    page.workspace.release_written(page.session.result(Kind.RELEASE))
    assert page.released.isVisible()
    assert not told
    # Where somebody has gone elsewhere meanwhile a notice says it.
    page.show_place("dossier")
    page.workspace.release_written(page.session.result(Kind.RELEASE))
    (notice,) = told
    assert (notice.text, notice.fix) == ("Released and verified", "out")


def test_the_earlier_release_stays_when_another_one_is_refused(page, evidence):
    show(page, ())
    page.workspace.activity(Activity(Lane.EXPORT, 0.0))
    page.workspace.activity(Activity(Lane.EXPORT, None))
    assert page.released.isHidden()
    show_release(page, evidence, page._measured())
    assert page.released.isVisible()
    page.workspace.activity(Activity(Lane.EXPORT, 0.0))
    assert page.released.isHidden()
    page.workspace.activity(Activity(Lane.EXPORT, None))
    assert page.released.isVisible()


def test_a_release_takes_the_keyboard_from_nothing_else(page, evidence):
    show(page, ())
    page.activateWindow()
    activity = page.workspace.activity
    page.export_button.setFocus(Qt.FocusReason.TabFocusReason)
    activity(Activity(Lane.EXPORT, 0.0))
    page.view.setFocus(Qt.FocusReason.TabFocusReason)
    elsewhere = page.window().focusWidget()
    activity(Activity(Lane.EXPORT, None))
    show_release(page, evidence, page._measured())
    page.workspace.release_written(page.session.result(Kind.RELEASE))
    assert page.window().focusWidget() is elsewhere is not page.progress


def test_nothing_of_earlier_decisions_is_said_as_if_it_held(page):
    """The policy and the released records were those of before an undo."""
    session = page.session
    words = page._words.text()
    assert "suppressed" in words
    assert "released" in page.help_words()
    session.apply(ops.change_privacy(suppression_limit=0.5), "another limit")
    session.apply(ops.change_attribute("age", minimum_level=1), "coarser")
    page.refresh(Changes.EVERYTHING)
    assert page.help_words() == ""
    assert "not known before the figures are up to date" in page._words.text()
    session.undo()
    session.undo()
    page.refresh(Changes.EVERYTHING)
    assert page._words.text() == words
    assert "released" in page.help_words()


# -- preview ---------------------------------------------------------------------------


def test_where_all_rows_are_gone_no_cell_is_said_to_differ(qtbot):
    case = make_case()
    shown = preview(case.project, case.classes, case.measured.policy, "suppressed")
    assert shown.suppressed.all()
    pane = PreviewPane()
    qtbot.addWidget(pane)
    pane.show_preview(shown)
    n_gone = len(shown.suppressed)
    assert pane._words[0].text() == f"{n_gone} of {n_gone} suppressed rows"


def test_of_suppressed_rows_all_are_counted_and_some_shown(qtbot, monkeypatch):
    case = make_case()
    everything = preview(case.project, case.classes, case.measured.policy)
    monkeypatch.setattr(previewing, "N_SHOWN", 1)
    shown = preview(case.project, case.classes, case.measured.policy, "suppressed")
    pane = PreviewPane()
    qtbot.addWidget(pane)
    pane.show_preview(shown)
    n_gone = int(everything.suppressed.sum())
    assert n_gone > 1
    assert pane._words[0].text() == f"1 of {n_gone} suppressed rows"
    # Rows of which only some cells are suppressed are among them.
    hidden = ~shown.hidden
    pane.show_preview(replace(shown, hidden=hidden))
    assert pane._words[0].text() == f"1 of {n_gone} rows with suppressed cells"


def test_a_missing_value_looks_missing_before_and_after():
    """Unless the release shows another text in its place."""
    case = make_case()
    table, policy = case.classes.table, case.measured.policy
    name = next(e for e in policy.attributes if table.column(e).n_values > 1)
    columns = [
        replace(e, missing_codes=e.codes[:1]) if e.name == name else e
        for e in table.columns
    ]
    table = replace(table, columns=tuple(columns))
    shown = preview(case.project, replace(case.classes, table=table), policy)
    is_missing = [
        each.is_missing[each.codes]
        for each in (shown.before.column(name), shown.after.column(name))
    ]
    place = [e.name for e in shown.after.columns].index(name)
    assert is_missing[0].any()
    expected = is_missing[0] & ~shown.changed[:, place]
    assert (is_missing[1] == expected).all()


def test_met_thresholds_are_ticked_under_a_warning_too(page):
    lines = page._state._detail.text().splitlines()
    assert lines
    assert all(each.startswith("✓ ") for each in lines)


@pytest.mark.parametrize(
    ("choice", "words", "mark"),
    [
        ("stars", "suppressed (grey)", CellMark.SUPPRESSED),
        ("left_out", "left out of the release (grey)", CellMark.LEFT_OUT),
    ],
)
def test_the_preview_says_what_becomes_of_suppressed_records(
    qtbot, choice, words, mark
):
    case = make_case()
    export = case.project.export.but(suppressed=choice)
    policy = case.measured.policy
    shown = preview(case.project.but(export=export), case.classes, policy)
    gone, n_columns = shown.suppressed, len(shown.after.columns)
    n_gone = int(gone.sum())
    assert 0 < n_gone < case.classes.table.n_rows == shown.n_of
    pane = PreviewPane()
    qtbot.addWidget(pane)
    pane.show_preview(shown)
    n_differ = int(shown.changed[~gone].sum())
    assert [each.text() for each in pane._words if each.text()] == [
        f"{shown.n_of} of {shown.n_of} rows; {n_differ:,} cells differ (marked)",
        f"{n_gone} rows {words}",
    ]
    widths = [pane.before.columnWidth(each) for each in range(n_columns)]
    assert widths == [pane.after.columnWidth(each) for each in range(n_columns)]
    for grid, of_gone in ((pane.before, CellMark.SUPPRESSED), (pane.after, mark)):
        model = grid.table_model
        for row in range(shown.after.n_rows):
            marks = {
                model.index(row, place).data(MARK_ROLE) for place in range(n_columns)
            }
            assert (marks == {of_gone}) == gone[row]


def test_the_preview_begins_with_what_differs(qtbot):
    case = make_case()
    shown = preview(case.project, case.classes, case.measured.policy)
    nothing = np.zeros_like(shown.changed)
    last = nothing.shape[1] - 1
    pane = PreviewPane()
    qtbot.addWidget(pane)
    pane.resize(300, 700)
    pane.show()
    bar = pane.after.horizontalScrollBar()
    rest = {"hidden": nothing, "suppressed": nothing[:, 0]}

    def show(*cells):
        changed = nothing.copy()
        for row, place in cells:
            changed[row, place] = True
        pane.show_preview(replace(shown, changed=changed, **rest))
        qtbot.waitUntil(lambda: not pane._soon.isActive())

    show()
    assert bar.maximum() > 0
    show((2, 0), (2, last))
    assert bar.value() == 0
    # Another one differs only further down.
    show((len(nothing) - 1, 0), (2, last))
    for grid in (pane.before, pane.after):
        cell = grid.visualRect(grid.model().index(2, last))
        assert grid.viewport().rect().contains(cell)
    # Whoever has scrolled stays there.
    bar.setValue(1)
    show((2, last))
    assert bar.value() == 1


def test_the_table_before_stands_above_where_both_would_be_narrow(qtbot):
    case = make_case()
    pane = PreviewPane()
    qtbot.addWidget(pane)
    pane.resize(1000, 700)
    pane.show()
    pane.show_preview(preview(case.project, case.classes, case.measured.policy))
    for width in (1000, 520, 1000):
        pane.resize(width, 700)
        qtbot.waitUntil(lambda w=width: (pane.after.width() > w // 2) is (w == 520))


def test_what_is_counted_stays_together_where_it_wraps(qtbot):
    pane = PreviewPane()
    qtbot.addWidget(pane)
    counts = ["1,000 of 100,000 rows; 2,000 cells differ (marked)", "100 rows left out"]
    pane._say(counts)
    pane.show()
    first, second = pane._words[:2]
    for width in (1200, 330):
        pane.resize(width, 500)
        QApplication.processEvents()
        at = [each.mapTo(pane, QPoint(0, 0)) for each in (first, second)]
        if width == 1200:
            middle = pane.which.geometry().center().y()
            assert {each.y() for each in at} == {at[0].y()}
            assert abs(at[0].y() + first.height() // 2 - middle) <= 2
        else:
            apart = at[1].y() + second.height() // 2 - at[0].y() - first.height() // 2
            assert 0 < apart - first.fontMetrics().height() <= 14
