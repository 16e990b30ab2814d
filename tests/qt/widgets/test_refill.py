"""Layouts that are filled again look as if they were new."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QGridLayout, QPushButton, QWidget

from deidgui.qt.help_panel import MarkdownView
from deidgui.qt.widgets import Card, Label, Refill, mark

FILLINGS = (
    [("short", "1"), ("words that need two lines " * 4, "2"), ("end", "30")],
    [("one", "a much longer text beside it")],
    [("one", ""), ("words that need some lines " * 9, "3")],
    [],
    [("again", "4"), ("and again", "5")],
)


class Table(QWidget):
    def __init__(self):
        super().__init__()
        self._card = Card()
        self._grid = QGridLayout()
        self._refill = Refill(self._grid)
        self._card.body.addLayout(self._grid)
        box = QGridLayout(self)
        box.addWidget(self._card, 0, 0)
        box.setRowStretch(1, 1)
        self.pressed = []

    def fill(self, rows):
        with self._refill as refill:
            for at, (name, value) in enumerate(rows):
                words = refill.label(name, "strong", wrap=True)
                words.setToolTip(f"about {name[:5]}" if at else "")
                self._grid.addWidget(words, at, 0)
                self._grid.addWidget(refill.label(value, "caption", "muted"), at, 1)
                self._grid.addWidget(refill.once(QPushButton(name[:5])), at, 2)

    @property
    def texts(self):
        labels = [each for each in self.findChildren(Label) if each.isVisible()]
        return sorted(each.text() for each in labels)


def shown(qtbot, *fillings):
    table = Table()
    qtbot.addWidget(table)
    table.resize(420, 500)
    with qtbot.waitExposed(table):
        table.show()
    for rows in fillings:
        table.fill(rows)
        for _ in range(3):
            QApplication.processEvents()
    return table


@pytest.mark.parametrize("n", range(1, len(FILLINGS) + 1))
def test_what_is_filled_again_equals_what_is_new(qtbot, n):
    again, new = shown(qtbot, *FILLINGS[:n]), shown(qtbot, FILLINGS[n - 1])
    assert again.texts == sorted(text for row in FILLINGS[n - 1] for text in row)
    assert again.grab().toImage() == new.grab().toImage()


def test_buttons_never_mean_another_row(qtbot):
    table = shown(qtbot, FILLINGS[0])
    before = table.findChildren(QPushButton)
    table.fill(FILLINGS[4])
    # Those of before are hidden, and there until the next turn.
    after = [each for each in table.findChildren(QPushButton) if not each.isHidden()]
    assert len(after) == len(FILLINGS[4])
    assert not set(before) & set(after)


def test_labels_are_kept_and_forget_what_they_said(qtbot):
    table = shown(qtbot, FILLINGS[0])
    before = set(table.findChildren(Label))
    assert any(each.toolTip() for each in before)
    table.fill(FILLINGS[1])
    assert set(table.findChildren(Label)) == before
    assert not any(each.toolTip() for each in before if each.isVisible())


def test_a_mark_before_the_first_look_is_seen(qtbot):
    """What is not styled yet is styled once, with all that was said by then."""
    late, early = Label("text"), Label("text", "title")
    for each in (late, early):
        qtbot.addWidget(each)
    mark(late, type="title")
    late.show()
    early.show()
    assert late.font() == early.font()
    mark(late, type="caption")
    assert late.font().pointSizeF() < early.font().pointSizeF()


def test_hidden_help_is_rendered_when_it_is_shown(qtbot):
    view = MarkdownView()
    qtbot.addWidget(view)
    view.show_markdown("# first")
    view.show_markdown("# second")
    assert view.toPlainText() == ""
    view.show()
    assert view.toPlainText() == "second"
    view.show_markdown("# third")
    assert view.toPlainText() == "third"
