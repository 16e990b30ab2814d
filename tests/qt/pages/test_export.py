"""The page Preview and export: questions about the released table."""

from __future__ import annotations

import pytest

from deidgui.app.decides import Changes
from deidgui.app.release.questions import Question, answer_to
from deidgui.app.session import Kind
from deidgui.qt.pages.export.page import ExportPage
from deidgui.qt.settings import Settings
from tests.explored_case import fill, make_case
from tests.qt.fakes import FakeWorkspace

QUESTIONS = tuple(
    Question(name, "disclosed", "question_disclosed", {}, f"about {name}")
    for name in ("age", "zip", "diagnosis")
)


@pytest.fixture
def page(qtbot):
    workspace, case = FakeWorkspace(), make_case()
    fill(workspace.session, case)
    session = workspace.session
    session.set_result(Kind.MEASUREMENT, case.measured, case.project)
    session.set_result(Kind.QUESTIONS, QUESTIONS, case.project)
    made = ExportPage(workspace, Settings())
    qtbot.addWidget(made)
    made.show()
    return made


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


def questions(*names, kind="disclosed"):
    return tuple(Question(n, kind, "question_disclosed", {}, n) for n in names)


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
