"""The context on the page Risk and thresholds: questions, picture, thresholds."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from deidgui.app import ops
from deidgui.app.determination import assessment_of
from deidgui.engine.determination import QUESTIONS
from deidgui.qt.pages.risk.context import TABS
from deidgui.qt.pages.risk.page import RiskPage
from tests.app.context_case import agreed, public
from tests.qt.fakes import fill


@pytest.fixture
def page(qtbot, workspace, settings):
    fill(workspace.session)
    made = RiskPage(workspace, settings)
    qtbot.addWidget(made)
    made.resize(1000, 640)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def part(page, qtbot):
    """The context, as a person opens it from the recipient."""
    qtbot.mouseClick(page.recipients.context_button, Qt.MouseButton.LeftButton)
    assert page.context.isVisible()
    assert not page.thresholds.isVisible()
    return page.context


def said(page):
    return page.session.project.context


def choose(part, key, answer):
    row = part.rows[key]
    row.choice.setCurrentIndex(row.choice.findData(answer))
    row.choice.activated.emit(row.choice.currentIndex())


def type_text(part, name, text):
    field = part.texts[name].field
    field.setText(text)
    field.editingFinished.emit()


def test_nothing_is_said_by_itself(part, page):
    for key in TABS:
        part.show_tab(key)
    assert said(page) == type(said(page))()
    assert len(part.rows) == len(QUESTIONS)
    assert {each.choice.current for each in part.rows.values()} == {""}
    assert part.release.current == part.matrix.current == ""
    assert page.summaries["context"].words == "Nothing said yet"


def test_an_answer_keeps_proof_name_and_day_and_is_undone(part, page):
    part.show_tab("controls")
    part._by.setText("N. N., data protection")
    choose(part, "C1", "yes")
    row = part.rows["C1"]
    row.proof.setText("DUA-7, page 2")
    row.proof.editingFinished.emit()
    answer = said(page).answers["C1"]
    assert (answer.answer, answer.proof) == ("yes", "DUA-7, page 2")
    assert answer.by == "N. N., data protection"
    assert len(answer.on) == len("2026-11-23")
    page.session.undo()
    page.session.undo()
    assert said(page).answers == {}
    choose(part, "C1", "no")
    choose(part, "C1", "")
    assert said(page).answers == {}


def test_what_cannot_be_read_is_told_at_the_field_and_not_kept(part, page):
    part.show_tab("figures")
    for name, text in (
        ("prevalence", "12 %"),
        ("acquaintances", "many"),
        ("threshold", "nine"),
    ):
        type_text(part, name, text)
        assert not part.texts[name].problem.isHidden(), name
        assert part.texts[name].field.text() == text
    assert said(page) == type(said(page))()
    type_text(part, "prevalence", "0.002")
    assert part.texts["prevalence"].problem.isHidden()
    assert said(page).prevalence == 0.002


def test_what_the_context_allows_is_set_as_thresholds_by_a_person(part, page, qtbot):
    page._decide(lambda project: project.but(context=agreed()), "said")
    before = page.session.project.privacy.models
    assert before == ()
    assert "No threshold asks for it yet" in part.result.accessibleName()
    assert "27.78" in part.picture.accessibleName()
    assert not page.summaries["context"]._glyph.isHidden()
    part.result.acted.emit()
    models = page.session.project.privacy.models
    assert [each.kind for each in models] == [
        "average_prosecutor_risk",
        "highest_prosecutor_risk",
    ]
    assert models[1].depth == 3
    assert "or for more" in part.result.accessibleName()
    page.session.undo()
    assert page.session.project.privacy.models == ()


def test_a_third_stays_a_third_in_its_field(page):
    """A field of two decimals must not ask for groups of 4."""
    page._decide(lambda project: project.but(context=agreed()), "said")
    page._decide(ops.take_allowed(), "taken")
    editor = page.thresholds.editors[1]
    editor.form.field("threshold").control.editingFinished.emit()
    assert page.session.project.privacy.models[1].depth == 3


def test_an_open_answer_opens_the_limit(part, page):
    page._decide(lambda project: project.but(context=public()), "said")
    assert "9\u202f% (1 in 11)" in part.picture.accessibleName()
    part.show_tab("figures")
    type_text(part, "threshold_because", "")
    assert "open" in part.result.accessibleName()
    assert "9 open" not in page.summaries["context"].words
    assert "8 open" in page.summaries["context"].words


def test_the_context_is_left_by_the_summary_of_the_limits(part, page, qtbot):
    page.summaries["limits"].clicked.emit()
    assert page.thresholds.isVisible()
    assert not part.isVisible()
    page.show_place("context")
    assert part.isVisible()


def test_an_attack_is_excluded_with_a_reason_and_that_is_undone(part, page):
    page.session.apply(ops.change_context(**vars(agreed())), "say all")
    part.show_tab("attacks")
    row = part.attacks["T3"]
    assert part.attacks["T4"].isHidden()
    row.choice.setCurrentIndex(row.choice.findData("excluded"))
    row.choice.activated.emit(row.choice.currentIndex())
    assert said(page).attacks["T3"].relevant is False
    assert assessment_of(page.session.project).attempt == 0.27
    row.proof.setText("no copy leaves the enclave")
    row.proof.editingFinished.emit()
    judged = said(page).attacks["T3"]
    assert judged.because == "no copy leaves the enclave"
    assert judged.by == "N. N."
    assert judged.on
    assert assessment_of(page.session.project).attempt < 0.27
    for _ in range(2):
        page.session.undo()
    assert said(page).attacks == {}
    assert row.choice.current == ""


def test_a_text_says_who_entered_it_and_nobody_is_named_by_itself(part, page, qtbot):
    part.show_tab("release")
    part._by.clear()
    type_text(part, "purpose", "Length of stay")
    shown = part.texts["purpose"].signed
    assert shown.isVisible()
    assert shown.text() == "nobody has signed it"
    assert said(page).signed == {}
    assert "1 not signed" in part._progress.text()
    # Nobody is named: nothing is signed.
    qtbot.mouseClick(part.sign, Qt.MouseButton.LeftButton)
    assert said(page).signed == {}
    part._by.setText("N. N., privacy office")
    qtbot.mouseClick(part.sign, Qt.MouseButton.LeftButton)
    assert said(page).signed["purpose"].by == "N. N., privacy office"
    assert shown.text().startswith("N. N., privacy office, 20")
    assert part.sign.isHidden()
    page.session.undo()
    assert said(page).signed == {}
