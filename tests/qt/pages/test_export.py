"""The page Preview and export: questions about the released table."""

from __future__ import annotations

import pytest

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
    card.all_button.click()
    given = [answer_to(session.project, each) for each in QUESTIONS]
    assert [each.because for each in given if each] == ["Agreed"] * 3
    assert card.all_button.isHidden()
    # It is one decision, taken back as one.
    session.undo()
    assert answer_to(session.project, QUESTIONS[0])
    assert not any(answer_to(session.project, each) for each in QUESTIONS[1:])
