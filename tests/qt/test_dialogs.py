"""Every dialog shows where the keyboard is; Tab goes as one reads, to Cancel last."""

from __future__ import annotations

import importlib
import pkgutil
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QPlainTextEdit,
    QWidget,
)
from shiboken6 import isValid

import deidgui.qt
from deidgui.app.counts.tables import RawTable
from deidgui.app.model_proposals import ModelProposal
from deidgui.app.project import Attribute
from deidgui.engine.counts.tables.table import CountTable
from deidgui.engine.privacy import DistinctLDiversity
from deidgui.qt.about import AboutDialog
from deidgui.qt.crash import CrashDialog
from deidgui.qt.dialogs import CheckDialog, QuestionDialog, ShortcutsDialog
from deidgui.qt.pages.attributes.review import ReviewDialog
from deidgui.qt.pages.counts.making import MakeDialog
from deidgui.qt.pages.counts.relation import RelationDialog
from deidgui.qt.pages.counts.sheets import SheetsDialog
from deidgui.qt.pages.risk.proposals import ProposalsDialog
from deidgui.qt.widgets import Button, CheckTable, Dialog, column, holder
from deidgui.qt.widgets.focus import FocusRing
from deidgui.qt.widgets.popover import Popover
from tests.qt.fakes import small_table

SCREEN = QRect(0, 0, 1280, 720)

GRID = (("age", "F", "M"), ("0-9", "12", "30"), ("10-19", "14", "40"))


def _review(window):
    open_ = [Attribute(name=name, role="insensitive") for name in ("sex", "age", "zip")]
    return ReviewDialog(open_, lambda _attribute: None, window)


def _proposals(window):
    columns = ("diagnosis", "hospital", "outcome")
    fakes = [
        ModelProposal(DistinctLDiversity(attribute=each, diversity=2), each, 4, 0.5)
        for each in columns
    ]
    return ProposalsDialog(fakes, window)


def _question(window):
    answers = [("stay", "Stay", "primary"), ("stop", "Stop", "plain")]
    return QuestionDialog("Stop what is running?", "It has not ended.", answers, window)


def _sheets(window):
    return SheetsDialog([RawTable("a", GRID, "a.xlsx", "", "a")] * 3, window)


MAKERS = {
    AboutDialog: lambda window: AboutDialog(window.workspace.runner, window),
    CrashDialog: lambda window: CrashDialog(ValueError("x"), window),
    MakeDialog: lambda window: MakeDialog(
        window.workspace, "a.csv", small_table(), window
    ),
    ProposalsDialog: _proposals,
    QuestionDialog: _question,
    RelationDialog: lambda window: RelationDialog(
        [CountTable.of("a", GRID)], {}, [], window
    ),
    ReviewDialog: _review,
    SheetsDialog: _sheets,
    ShortcutsDialog: lambda window: ShortcutsDialog(
        window.actions_by_name.by_name, window
    ),
}


def _kinds(kind):
    return {kind} | {each for sub in kind.__subclasses__() for each in _kinds(sub)}


def test_all_dialogs_of_the_program_are_looked_at():
    for module in pkgutil.walk_packages(deidgui.qt.__path__, "deidgui.qt."):
        importlib.import_module(module.name)
    ours = {each for each in _kinds(Dialog) if each.__module__.startswith("deidgui.")}
    assert ours - {Dialog, CheckDialog} == set(MAKERS)


@pytest.fixture(params=MAKERS, ids=lambda kind: kind.__name__)
def dialog(request, window, qtbot):
    made = MAKERS[request.param](window)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    with qtbot.waitActive(made):
        made.open()
    yield made
    if isValid(made):
        made.done(0)
        QApplication.processEvents()


def _around(dialog: Dialog, widget: QWidget):
    """What is seen of a control and of the pixels around it."""
    QApplication.processEvents()
    place = QRect(widget.mapTo(dialog, widget.rect().topLeft()), widget.size())
    return dialog.grab(place.adjusted(-4, -4, 4, 4)).toImage()


def _stops(dialog: Dialog, qtbot) -> list[QWidget]:
    first = dialog.focusWidget()
    assert first is not None
    found = [first]
    for _ in range(40):
        if isinstance(found[-1], QPlainTextEdit):
            dialog.focusNextChild()  # Tab is a letter there
        else:
            qtbot.keyClick(found[-1], Qt.Key.Key_Tab)
        now = dialog.focusWidget()
        if now is first:
            break
        found.append(now)
    return found


def test_every_stop_of_tab_is_seen(dialog, qtbot):
    stops = _stops(dialog, qtbot)
    assert len(stops) == len(set(stops))
    for stop in stops:
        stop.setFocus(Qt.FocusReason.TabFocusReason)
        assert stop.hasFocus()
        there = _around(dialog, stop)
        stop.clearFocus()
        assert there != _around(dialog, stop), (stop, stop.accessibleName())


def test_the_current_row_of_a_list_is_seen(dialog, qtbot):
    for view in dialog.findChildren(QAbstractItemView):
        model = view.model()
        is_met = view.isVisible() and view.focusPolicy() & Qt.FocusPolicy.TabFocus
        if not is_met or model is None or model.rowCount() < 2:
            continue
        view.setFocus(Qt.FocusReason.TabFocusReason)
        first = _around(dialog, view)
        row = view.currentIndex().row()
        qtbot.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
        assert view.currentIndex().row() != row
        assert _around(dialog, view) != first


def test_tab_goes_through_a_dialog_as_it_is_read(dialog, qtbot):
    for box in dialog.findChildren(CheckTable):
        box.check((0,))  # what decides about checked rows can be pressed
    stops = _stops(dialog, qtbot)
    places = [QRect(each.mapTo(dialog, QPoint()), each.size()) for each in stops]
    back = [
        (before, after)
        for before, after in pairwise([*places, places[0]])
        if not (after.left() > before.right() or after.top() > before.bottom())
    ]
    assert len(back) == 1  # from the last to the first, wherever the focus began
    words = [each.text() for each in stops if isinstance(each, Button)]
    assert "Cancel" not in words[:-1]
    for box in dialog.findChildren(CheckTable):
        box.check((0,), is_on=False)


def test_a_question_begins_at_the_proposed_answer(window, qtbot):
    made = _question(window)
    with qtbot.waitActive(made):
        made.open()
    assert made.focusWidget().text() == "Stay"
    made.done(0)
    made.deleteLater()


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("kind", MAKERS, ids=lambda kind: kind.__name__)
def test_a_dialog_is_no_larger_than_the_screen(
    window, qtbot, themed, monkeypatch, kind, scale
):
    monkeypatch.setattr(
        "deidgui.qt.widgets.dialog.available_area", lambda _widget: SCREEN
    )
    themed.set_text_scale(scale)
    themed.settle()
    made = MAKERS[kind](window)
    with qtbot.waitActive(made):
        made.open()
    assert made.width() <= SCREEN.width()
    assert made.height() <= SCREEN.height()
    made.done(0)
    made.deleteLater()


def test_answers_without_room_stand_below_one_another(window, qtbot, monkeypatch):
    monkeypatch.setattr(
        "deidgui.qt.widgets.dialog.available_area", lambda _widget: SCREEN
    )
    name = "A very long name of a folder, and longer still, " * 3
    answers = [("one", f"Write “{name}”", "primary"), ("no", "Cancel", "quiet")]
    answers.insert(1, ("other", "Replace the older release", "plain"))
    made = QuestionDialog(f"The folder “{name}” exists", "", answers, window)
    with qtbot.waitActive(made):
        made.open()
    buttons = {each.text(): each for each in made.findChildren(Button)}
    first, other, cancel = (buttons[words] for _key, words, _kind in answers)
    assert first.y() < other.y() < cancel.y()
    assert made.width() <= SCREEN.width()
    made.done(0)
    made.deleteLater()


def test_the_outcome_of_the_check_is_seen(window, qtbot):
    made = AboutDialog(window.workspace.runner, window)
    with qtbot.waitActive(made):
        made.open()
    before = made.height()
    checks = [{"check": f"check {n}", "ok": True, "seconds": 1} for n in range(4)]
    made._on_checked({"checks": checks})
    bar = made._area.verticalScrollBar()
    qtbot.waitUntil(lambda: made.height() > before and bar.maximum() == 0)
    made.done(0)
    made.deleteLater()


def test_space_checks_the_row_that_tab_came_to(window, qtbot):
    made = _proposals(window)
    with qtbot.waitActive(made):
        made.open()
    made.table.setFocus(Qt.FocusReason.TabFocusReason)
    assert {index.row() for index in made.table.selectedIndexes()} == {0}
    qtbot.keyClick(made.table, Qt.Key.Key_Space)
    assert made.table.checked == (0,)
    qtbot.keyClick(made.table, Qt.Key.Key_Tab)
    assert made.focusWidget() is made.all_button
    made.accept()
    made.deleteLater()


def test_tab_comes_to_what_releases_columns_after_what_leaves_them_out(window, qtbot):
    made = _review(window)
    with qtbot.waitActive(made):
        made.open()
    made.check("age")
    made.table.setFocus()
    seen = []
    for _ in range(4):
        qtbot.keyClick(made.focusWidget(), Qt.Key.Key_Tab)
        seen.append(made.focusWidget())
    decided = (made.take_over_button, made.leave_out_button, made.release_button)
    assert tuple(seen) == (made.all_button, *decided)
    made.check("age", is_on=False)
    made.reject()
    made.deleteLater()


@pytest.mark.parametrize("answer", ["stay", "discard"])
@pytest.mark.parametrize("make", [_review, _proposals])
def test_what_was_checked_is_not_lost_unasked(window, qtbot, monkeypatch, make, answer):
    asked = []

    def exec_(question):
        asked.append(question)
        assert question.answer == "stay"  # Esc keeps what was checked
        question.answer = answer

    monkeypatch.setattr(QuestionDialog, "exec", exec_)
    made = make(window)
    with qtbot.waitActive(made):
        made.open()
    made.table.check((0, 2))
    qtbot.keyClick(made, Qt.Key.Key_Escape)
    assert len(asked) == 1
    assert made.isVisible() == (answer == "stay")
    assert made.table.checked == (0, 2)
    made.table.check((0, 2), is_on=False)
    qtbot.keyClick(made, Qt.Key.Key_Escape)
    assert len(asked) == 1
    assert not made.isVisible()
    made.deleteLater()


def test_a_sheet_shows_the_keyboard_too(window, qtbot):
    sheet = Popover(window)
    buttons = Button("One"), Button("Two")
    for each in buttons:
        sheet.body.addWidget(each)
    sheet.open_at(window.top_bar)
    buttons[0].setFocus(Qt.FocusReason.TabFocusReason)
    there = sheet.grab().toImage()
    qtbot.keyClick(buttons[0], Qt.Key.Key_Tab)
    assert buttons[1].hasFocus()
    assert sheet.grab().toImage() != there
    sheet.close()
    sheet.deleteLater()


def test_the_ring_does_not_go_with_what_stood_around_a_control(window, qtbot):
    button = Button("Once")
    part = holder(column(button))
    window.page("start").body.addWidget(part)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    ring = window.findChild(FocusRing)
    assert ring.widget() is button
    window.setFocus()
    part.deleteLater()
    QApplication.sendPostedEvents(part, 52)  # DeferredDelete
    assert not isValid(part)
    assert isValid(ring)
