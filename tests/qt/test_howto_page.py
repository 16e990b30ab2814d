"""The page of the how-to "add a page" works, and so does the chart's drawing."""

import pytest

from deidgui.app.charts import phrases
from deidgui.qt.charts.bars import BarView
from deidgui.qt.pages.base import StepState
from tests.qt.fakes import fill
from tests.test_howtos import example


@pytest.fixture
def page(qtbot, workspace, settings):
    fill(workspace.session)
    made = example("notes_page").NotesPage(workspace, settings)
    qtbot.addWidget(made)
    made.show()
    return made


def test_page_writes_by_operations(page):
    assert page.status().state is StepState.READY
    page._field.setPlainText("Second extract.")
    assert page.session.project.notes == "Second extract."
    assert page.session.undo_label == "change notes"
    assert page.status().state is StepState.DONE


def test_page_shows_what_others_decide(page):
    page._field.setPlainText("Second extract.")
    page.session.undo()
    assert page._field.toPlainText() == page.session.project.notes == ""


def test_chart_is_drawn(qtbot, monkeypatch):
    module = example("level_chart")
    for code, sentence in module.PHRASES.items():
        monkeypatch.setitem(phrases.PHRASES, code, sentence)
    view = BarView()
    qtbot.addWidget(view)
    view.set_chart(module.levels_used({"age": 2, "sex": 0}, {"age": 4, "sex": 1}))
    view.resize(400, 300)
    view.show()
    assert view.n_stops() == 2
