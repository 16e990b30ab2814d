"""Another look at runtime is that of a window made in it, wherever one looks."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from deidgui.qt.crash import CrashDialog
from deidgui.qt.dialogs import ShortcutsDialog
from deidgui.qt.main_window import MainWindow
from deidgui.qt.pages import STEPS
from deidgui.qt.pages.policies.matrix import PolicyMatrix
from deidgui.qt.restyling import LARGE, Cover, Restyler, seen_of
from deidgui.qt.settings import Settings
from deidgui.qt.theme import Mode
from deidgui.qt.widgets import Card, Label, column, holder
from tests.explored_case import fill, make_case
from tests.qt.fakes import FakeWorkspace

KEYS = [step.key for step in STEPS]


@pytest.fixture
def make_window(qtbot):
    """Makes windows that show the same search; half of their pages were seen."""
    # A window that Python alone owns ends when its garbage is collected.
    case, made = make_case(), []

    def make():
        workspace = FakeWorkspace()
        window = MainWindow(workspace, Settings())
        window.files.ask = lambda *_args: "discard"
        qtbot.addWidget(window)
        made.append(window)
        window.resize(1280, 720)
        window.show()
        fill(workspace.session, case)
        window.menu = QMenu(window)
        for key in (*KEYS[::2], "risk"):
            window.show_step(key)
            QApplication.processEvents()
        return window

    return make


def picture_at_rest(widget) -> QImage:
    """Picture of a widget when it no longer changes."""
    after = QImage()
    for _ in range(9):
        for _ in range(3):
            QApplication.processEvents()
        before, after = after, widget.grab().toImage()
        if after == before:
            break
    return after


def pictures(window):
    """Pictures of every page, of a menu and of a dialog."""
    seen = {}
    # A step whose page is not there yet has no status.
    window.build_all_pages()
    for key in KEYS:
        window.show_step(key)
        window.setFocus()
        seen[key] = picture_at_rest(window)
    later = QMenu(window.page("risk"))
    for each, title in ((window.menu, "earlier menu"), (later, "later menu")):
        each.addAction(title)
        each.popup(QPoint(0, 0))
        seen[title] = picture_at_rest(each)
        each.close()
    dialog = ShortcutsDialog(window.actions_by_name.by_name, window)
    dialog.open()
    seen["dialog"] = picture_at_rest(dialog)
    dialog.close()
    return seen


def test_another_look_is_that_of_a_window_made_in_it(themed, make_window, tmp_path):
    window = make_window()
    themed.set_text_scale(1.15)
    themed.set_mode(Mode.DARK)
    themed.set_text_scale(1.0)
    switched = pictures(window)
    window.close()
    themed.apply()
    fresh = pictures(make_window())
    wrong = [name for name in switched if switched[name] != fresh[name]]
    for name in wrong:
        switched[name].save(str(tmp_path / f"{name}-switched.png"))
        fresh[name].save(str(tmp_path / f"{name}-fresh.png"))
    assert not wrong, tmp_path


def heights(window) -> dict[str, int]:
    """Heights on the page of policies that follow the size of the text."""
    window.show_step("policies")
    page = window.page("policies")
    for _ in range(9):  # until nothing is laid out any more
        QApplication.processEvents()
    (matrix,) = page.findChildren(PolicyMatrix)
    return {
        "row": matrix.verticalHeader().defaultSectionSize(),
        "titles": matrix.horizontalHeader().minimumHeight(),
        "head": page._head_line.height(),
        "filter": page.results.filters.search.height(),
    }


@pytest.mark.parametrize("seen", ["policies", "risk"])
def test_rows_are_as_high_as_larger_text_needs(themed, make_window, seen):
    window = make_window()
    window.show_step("policies")
    window.show_step(seen)
    themed.set_text_scale(1.3)
    switched = heights(window)
    window.close()
    themed.apply()
    fresh = heights(make_window())
    themed.set_text_scale(1.0)
    assert switched == fresh


class Counting(Label):
    """Counts how often it is told that its style is another one."""

    n_styled = 0

    def changeEvent(self, event):
        self.n_styled += event.type() is QEvent.Type.StyleChange
        super().changeEvent(event)


def test_what_is_put_together_for_a_window_is_styled_once(window, themed):
    label = inner = Counting("words", "title")
    for _ in range(6):
        inner = holder(column(inner))
    assert label.n_styled == 0
    window.page("start").body.addWidget(inner)
    inner.show()
    assert label.n_styled <= 2
    assert label.font().pointSizeF() == pytest.approx(themed.tokens.type.title, abs=0.1)
    assert colour(label) == themed.tokens.colours.text


def test_a_dialog_without_a_window_has_the_look(window, qtbot):
    window.hide()
    (alone, above) = CrashDialog(KeyError(), None), CrashDialog(KeyError(), window)
    seen = []
    for each in (alone, above):
        qtbot.addWidget(each)
        each.show()
        seen.append(picture_at_rest(each))
        # Only one of two has the keyboard, and shows where it is.
        each.hide()
    assert seen[0] == seen[1]


def title(window):
    """Label of the page Start that has the colour of text."""
    labels = window.page("start").findChildren(Label)
    return next(each for each in labels if each.property("type") == "title")


def colour(label) -> str:
    return label.palette().windowText().color().name()


@pytest.fixture
def large(qtbot):
    """A part that is large enough to be divided, beside one that is not seen."""
    cards = [Card(f"Card {i}") for i in range(LARGE // 2)]
    top = holder(column(*cards))
    qtbot.addWidget(top)
    top.show()
    return top, cards


def test_what_is_not_seen_waits_until_it_is(large, themed):
    _top, cards = large
    hidden = [card.findChild(Label) for card in cards[::2]]
    for card in cards[::2]:
        card.hide()
    before, after = themed.tokens.colours.text, None
    themed.set_mode(Mode.DARK)
    themed.settle()
    after = themed.tokens.colours.text
    assert {colour(card.findChild(Label)) for card in cards[1::2]} == {after}
    assert {colour(label) for label in hidden} == {before}
    for card in cards[::2]:
        card.show()
    assert {colour(label) for label in hidden} == {after}


def test_what_is_added_later_has_the_present_look(large, themed):
    top, _cards = large
    themed.set_mode(Mode.DARK)
    themed.settle()
    card = Card("Another one")
    top.layout().addWidget(card)
    card.show()
    assert colour(card.findChild(Label)) == themed.tokens.colours.text
    themed.set_mode(Mode.LIGHT)
    themed.settle()
    assert colour(card.findChild(Label)) == themed.tokens.colours.text


def test_while_nothing_is_on_screen_the_application_gets_the_look(
    large, themed, qapp, qtbot
):
    top, cards = large
    themed.set_mode(Mode.DARK)
    assert cards[0].styleSheet()
    light = qapp.styleSheet()
    top.hide()
    themed.set_text_scale(1.3)
    assert not cards[0].styleSheet()
    assert qapp.styleSheet() != light
    other = QWidget()
    other.setLayout(column(Label("words")))
    qtbot.addWidget(other)
    for each in (top, other):
        each.show()
        assert colour(each.findChild(Label)) == themed.tokens.colours.text
    themed.set_text_scale(1.0)


def test_what_is_deleted_while_it_waits_is_forgotten(large, themed):
    top, cards = large
    for card in cards:
        card.hide()
    themed.set_mode(Mode.DARK)
    for card in cards[::2]:
        card.setParent(None)
        card.deleteLater()
    QApplication.processEvents()
    top.hide()
    top.show()
    for card in cards[1::2]:
        card.show()
        assert colour(card.findChild(Label)) == themed.tokens.colours.text


def test_pages_that_are_made_after_the_first_change_are_parts_of_their_own(
    window, themed
):
    themed.set_mode(Mode.DARK)
    window.show_step("risk")
    themed.set_mode(Mode.LIGHT)
    styled = [each for each in window.findChildren(QWidget) if each.styleSheet()]
    sizes = [len(each.findChildren(QWidget)) for each in styled]
    assert sum(sizes) < len(window.page("risk").findChildren(QWidget))


def seen(window) -> QImage:
    """What the screen shows: to grab a window would paint it."""
    return seen_of(window)


def test_the_former_look_is_seen_until_the_other_one_is_there_and_announced(
    window, themed, qtbot, monkeypatch
):
    """Neither half of a window in the other scheme nor an empty one is painted."""
    window.show_step("start")
    QApplication.processEvents()
    former, heard = seen(window), []

    def hear():
        heard.append(seen(window) == former)

    themed.changed.connect(hear)
    label = title(window)
    monkeypatch.setattr(Restyler._restyle_some, "__defaults__", (0.0,))
    themed.set_mode(Mode.DARK)
    for _turn in range(3):
        QApplication.processEvents()
        window.update()
    assert not heard
    assert window.updatesEnabled()
    assert seen(window) == former
    qtbot.waitUntil(lambda: bool(heard))
    themed.changed.disconnect(hear)
    assert heard == [True]
    assert colour(label) == themed.tokens.colours.text
    qtbot.waitUntil(lambda: seen(window) != former)
    assert not window.findChildren(Cover)
    assert seen(window) == window.grab().toImage()


def test_what_is_seen_is_laid_out_before_the_other_look_is_announced(
    large, themed, qtbot
):
    top, cards = large
    before, heard = [card.height() for card in cards], []

    def hear():
        heard.append([card.height() for card in cards])

    themed.changed.connect(hear)
    themed.set_text_scale(1.3)
    qtbot.waitUntil(lambda: bool(heard))
    themed.changed.disconnect(hear)
    QApplication.processEvents()
    assert heard == [[card.height() for card in cards]] != [before]
    assert top.layout().isEnabled()
    themed.set_text_scale(1.0)


def test_a_window_that_is_hidden_meanwhile_is_painted_again(
    window, themed, qtbot, monkeypatch
):
    monkeypatch.setattr(Restyler._restyle_some, "__defaults__", (0.0,))
    themed.set_mode(Mode.DARK)
    window.hide()
    themed.set_mode(Mode.LIGHT)
    window.show()
    qtbot.waitUntil(lambda: not window.findChildren(Cover))
    label = title(window)
    assert colour(label) == themed.tokens.colours.text
