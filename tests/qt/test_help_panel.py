"""Help: a text for every step, choices in words, a search that finds."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QUrl

from deidgui.qt.help_panel import HelpPanel, MarkdownView, help_pages, step_help
from deidgui.qt.pages import STEPS
from deidgui.qt.theme import Mode, theme


@pytest.fixture
def panel(qtbot):
    made = HelpPanel()
    qtbot.addWidget(made)
    made.show()
    return made


def text(panel) -> str:
    return panel._view.toPlainText()


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.key)
def test_every_step_has_help(panel, step):
    assert len(step_help(step.key).split()) > 80
    panel.set_step(step.key, step.title)
    assert len(text(panel).split()) > 80
    assert panel._title.text() == step.title


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.key)
def test_help_opens_at_its_beginning(qtbot, step):
    panel = HelpPanel()
    qtbot.addWidget(panel)
    panel.resize(panel.width(), 300)
    panel.set_step(step.key, step.title)
    with qtbot.waitExposed(panel):
        panel.show()
    bar = panel._view.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    assert bar.value() == 0
    # Where it was left, and from the beginning for another step.
    bar.setValue(bar.maximum())
    panel.hide()
    panel.set_step(step.key, step.title)
    panel.show()
    assert bar.value() == bar.maximum()
    panel.hide()
    panel.set_step("start", "Start")
    panel.set_step(step.key, "")
    panel.set_choices("Another text.")
    panel.show()
    assert bar.value() == 0


def test_a_number_and_its_sign_are_not_torn_apart(panel):
    panel.set_step("risk", "Risk")
    assert re.search(r"\d %", step_help("risk"))
    assert re.search(r"\d\u202f%", text(panel))
    assert not re.search(r"\d %", text(panel))


def test_choices_in_words_come_first(panel):
    panel.set_step("risk", "Risk")
    panel.set_choices("You ask for groups of **11**.")
    assert text(panel).startswith("Your choices in words")
    assert "groups of 11." in text(panel)
    panel.set_choices("")
    assert "choices in words" not in text(panel)


def test_markup_of_data_is_not_run(panel):
    panel.set_choices("<img src='file:///etc/passwd'> <b>x</b>")
    assert "<b>x</b>" in text(panel)
    assert panel._view.loadResource(2, QUrl("file:///etc/passwd")) is None


def test_index_and_search(panel):
    panel.show_index()
    assert panel.shown == "index"
    everything = panel._list.count()
    assert everything == len(help_pages()) >= len(STEPS)
    panel._on_searched("quasi-identifier direct")
    assert 0 < panel._list.count() < everything
    found = [panel._list.item(place).text() for place in range(panel._list.count())]
    assert found[0] == "Attributes"
    assert {"Roles of columns", "Glossary"} <= set(found)
    panel._on_page_chosen(panel._list.item(found.index("Glossary")))
    assert panel.shown == "page"
    assert "quasi-identifier" in panel._page_view.toPlainText().lower()
    panel._on_searched("zzzz")
    assert panel._list.count() == 0
    assert not panel._none.isHidden()
    panel.show_step()
    assert panel.shown == "step"


def test_links_lead_to_pages_of_the_guide_only(panel):
    panel.show_index()
    panel._on_page_chosen(panel._list.item(0))
    assert panel._page_view.toPlainText().startswith("Contents")
    panel._page_view.anchorClicked.emit(QUrl("https://example.org/glossary"))
    panel._page_view.anchorClicked.emit(QUrl("steps/policies.md"))
    assert panel._page_view.toPlainText().startswith("Contents")
    panel._page_view.anchorClicked.emit(QUrl("glossary.md"))
    assert panel._page_view.toPlainText().startswith("Glossary")
    assert panel.shown == "page"


def test_button_goes_to_the_index_and_back(panel):
    panel._index.click()
    assert panel.shown == "index"
    panel._index.click()
    assert panel.shown == "step"


def test_texts_follow_the_theme(panel, qtbot):
    panel.set_step("risk", "Risk")
    panel.show()
    before = panel.grab().toImage()
    theme().set_mode(Mode.DARK)
    assert panel.grab().toImage() != before


def test_the_view_opens_no_links(qtbot):
    view = MarkdownView()
    qtbot.addWidget(view)
    assert not view.openLinks()
    assert not view.openExternalLinks()
