"""The frame: steps, bars, notices, drops, questions before anything is lost."""

from __future__ import annotations

import gc
import platform
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import pytest
from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QMimeData,
    QObject,
    QPoint,
    QPointF,
    QSize,
    Qt,
    QUrl,
)
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeySequence,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)
from shiboken6 import isValid

from deidgui import resources
from deidgui.app import ops
from deidgui.app.commands import self_check
from deidgui.app.decides import Changes
from deidgui.app.jobs import Job
from deidgui.app.project import (
    Comparison,
    EarlierRelease,
    InputFile,
    PopulationChoice,
    Privacy,
    Project,
    ValidityChoice,
)
from deidgui.app.release.questions import ReleaseQuestion
from deidgui.app.session import Kind
from deidgui.app.storage.named_inputs import NamedInput, named_inputs
from deidgui.app.storage.project_io import save_project
from deidgui.errors import ConfigError, InputError
from deidgui.qt.about import AboutDialog
from deidgui.qt.actions import TEXT_SIZES
from deidgui.qt.bars import ActionButton
from deidgui.qt.dialogs import ShortcutsDialog
from deidgui.qt.main_window import PARTED_AT_ONCE, MainWindow, first_size
from deidgui.qt.pages import COUNTS_STEPS, STEPS
from deidgui.qt.pages.base import PageStatus, StepState
from deidgui.qt.pages.policies.looking import LookPanel, OptimalPane
from deidgui.qt.pages.policies.page import PoliciesPage
from deidgui.qt.pages.start import RecentRow, StartPage
from deidgui.qt.settings import Settings
from deidgui.qt.tab_order import next_stop
from deidgui.qt.theme import Mode, theme
from deidgui.qt.widgets import (
    Block,
    Button,
    Chip,
    FittingArea,
    Label,
    Notice,
    SpinBox,
    column,
    holder,
)
from tests import explored_case
from tests.qt.ends import delete_now
from tests.qt.fakes import FakeActivity, FakeWorkspace, fill


def drop(widget, *paths: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    widget.dropEvent(
        QDropEvent(
            QPointF(5, 5),
            Qt.DropAction.CopyAction,
            mime,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
    )


@pytest.fixture
def csv(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a,b\n1,2\n")
    return path


@pytest.fixture
def project_file(tmp_path):
    path = tmp_path / "kept.deid.json"
    save_project(Project(name="Kept"), path)
    return path


# -- steps ---------------------------------------------------------------------------


def test_begins_at_start_and_names_the_next_step(window):
    assert window.current_key == "start"
    assert window.footer._next.text() == "Next: Data"
    assert window.footer._back.isHidden()


def test_next_says_what_is_missing_while_it_is_disabled(window):
    assert not window.footer._next.isEnabled()
    assert "Open a data file" in window.footer.reason


def test_the_last_step_says_what_is_missing_too(filled):
    filled.show_step("export")
    assert filled.footer._next.isHidden()
    filled.footer.set_status(PageStatus(StepState.ATTENTION, "", "Choose a policy."))
    assert filled.footer.reason == "Choose a policy."


def test_each_page_is_asked_once_how_its_step_stands(filled, monkeypatch):
    filled.show_step("hierarchies")
    page, asked = filled.page("hierarchies"), []
    status = page.status

    def counted():
        asked.append(page.key)
        return status()

    monkeypatch.setattr(page, "status", counted)
    filled._show_statuses()
    assert asked == ["hierarchies"]


def test_the_foot_ends_the_last_step(filled):
    """A page may have scrolled away its own button, which does the same."""
    assert filled.footer._finish.isHidden()
    filled.show_step("export")
    page, button = filled.page("export"), filled.footer._finish
    assert not button.isHidden()
    assert button.text() == page.finish.text()
    asked = []
    page.finish.clicked.connect(lambda: asked.append(True))
    page.finish.clicked.disconnect(page._on_export_clicked)
    for is_on in (False, True):
        page.finish.setEnabled(is_on)
        assert button.isEnabled() is is_on
    button.click()
    assert asked == [True]
    filled.go_back()
    assert button.isHidden()
    filled.show_step("utility")
    assert button.isHidden()


def test_next_and_back_walk_the_steps(filled):
    filled.go_on()
    assert filled.current_key == "data"
    filled.go_back()
    assert filled.current_key == "start"
    filled.go_back()
    assert filled.current_key == "start"


class _Windows(QObject):
    """Notes what is shown as a window of its own."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.shown = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_shown = event.type() == QEvent.Type.Show and isinstance(watched, QWidget)
        if is_shown and watched.isWindow():
            self.shown.append(type(watched).__name__)
        return False


def test_no_part_of_a_page_is_a_window_for_a_moment(qtbot, workspace, settings):
    # A part without a parent flashes, and takes the focus of the window that is made.
    windows = _Windows(QApplication.instance())
    QApplication.instance().installEventFilter(windows)
    made = MainWindow(workspace, settings)
    made.files.ask = lambda *_args: "discard"
    qtbot.addWidget(made)
    made.show()
    fill(workspace.session)
    for step in STEPS:
        made.show_step(step.key)
        QApplication.processEvents()
    QApplication.instance().removeEventFilter(windows)
    windows.deleteLater()
    assert windows.shown == ["MainWindow"]


def test_every_step_by_its_keys(filled, qtbot):
    for step in STEPS:
        qtbot.keySequence(filled, step.keys)
        assert filled.current_key == step.key


def test_every_step_by_the_rail(filled, qtbot):
    for step in STEPS:
        filled.rail.item(step.key).click()
        assert filled.current_key == step.key
        assert filled.rail.item(step.key).isChecked()


def test_the_rail_is_walked_by_tab(filled, qtbot):
    item = filled.rail.item("data")
    item.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(item, Qt.Key.Key_Space)
    assert filled.current_key == "data"


@pytest.mark.parametrize("state", list(StepState))
@pytest.mark.parametrize("is_narrow", [False, True])
def test_rail_shows_states_in_words_and_pictures(window, state, is_narrow):
    item = window.rail.item("risk")
    window.rail.set_collapsed(is_narrow)
    blank = window.rail.item("policies").grab().toImage()
    item.set_status(PageStatus(state, "two words"))
    assert "two words" in item.accessibleName()
    assert item.state_words() in item.accessibleName()
    assert "Ctrl+5" in item.toolTip()
    assert item.grab().toImage() != blank
    assert item.state_words()
    mark = item.grab().toImage()
    other = next(e for e in StepState if e is not state)
    item.set_status(PageStatus(other, "two words"))
    assert item.grab().toImage() != mark


def test_rail_folds_at_narrow_width_until_somebody_chooses(window):
    window.resize(1040, 700)
    assert window.rail.is_collapsed
    window.resize(1300, 700)
    assert not window.rail.is_collapsed
    window.actions_by_name["rail"].trigger()
    assert window.rail.is_collapsed
    window.resize(1500, 800)
    assert window.rail.is_collapsed


def test_long_step_names_are_not_cut(window):
    for step in STEPS:
        item = window.rail.item(step.key)
        room = window.rail.width() - 50 - 22 - 18
        assert item.fontMetrics().horizontalAdvance(step.title) <= room


def test_all_pages_are_built_while_idle(window, qtbot):
    qtbot.waitUntil(lambda: not window._builder.isActive(), timeout=120_000)
    assert len(window._pages) == len(STEPS)


@pytest.mark.parametrize("n_pieces", [1, 2, 3, 4, 5])
def test_a_window_takes_along_what_has_no_place_yet(n_pieces, workspace, settings):
    before = set(QApplication.topLevelWidgets())
    window = MainWindow(workspace, settings)
    window.files.ask = lambda *_: "cancel"
    for step in STEPS:
        for _piece in range(n_pieces):
            if step.key not in window._built:
                window._build_piece(step)
    unplaced = set(QApplication.topLevelWidgets()) - before - {window}
    assert len(unplaced) >= len(STEPS)
    window.deleteLater()
    delete_now()
    assert set(QApplication.topLevelWidgets()) <= before


def test_a_page_with_a_bug_does_not_take_the_window_along(window, monkeypatch, qtbot):
    def broken(_workspace, _settings):
        raise RuntimeError("bug")

    window._builder.stop()
    window._pages.pop("risk", None)
    page = "deidgui.qt.pages.risk.page.RiskPage"
    monkeypatch.setattr(page, broken)
    with qtbot.waitSignal(window.bug_found):
        window.show_step("risk")
    assert window.current_key == "risk"
    window.show_step("start")


# -- project and saving --------------------------------------------------------------


def test_title_and_state_of_the_project(filled, workspace, tmp_path):
    assert "Admissions 2026" in filled.windowTitle()
    assert filled.top_bar._saved.text == "Not saved yet"
    workspace.save(tmp_path / "a.deid.json")
    assert filled.top_bar._saved.text == "Saved"
    workspace.session.apply(ops.set_name("Other"), "rename project")
    assert filled.top_bar._saved.text == "Unsaved changes"
    assert filled.isWindowModified()


def test_undo_and_redo_are_named(filled, workspace):
    undo, redo = filled.actions_by_name["undo"], filled.actions_by_name["redo"]
    assert not undo.isEnabled()
    workspace.session.apply(ops.set_role("sex", "sensitive"), "set role of sex")
    assert undo.text() == "&Undo set role of sex"
    undo.trigger()
    assert workspace.session.project.attribute("sex").role == "quasi_identifier"
    assert redo.text() == "&Redo set role of sex"
    redo.trigger()
    assert workspace.session.project.attribute("sex").role == "sensitive"


def test_undo_takes_back_the_decision_while_a_field_has_the_focus(filled, qtbot):
    """Of a field it takes back only what is typed and not taken over yet."""
    field, note, names = SpinBox(0, 100, 20, "%"), QPlainTextEdit(), QLineEdit()
    box = column(field, note, names)
    filled.setCentralWidget(holder(box))
    control, session = Qt.KeyboardModifier.ControlModifier, filled.session
    shift = control | Qt.KeyboardModifier.ShiftModifier

    def role():
        return session.project.attribute("sex").role

    def text(each):
        if isinstance(each, QPlainTextEdit):
            return each.toPlainText()
        return each.text()

    for each in (field, note, names):
        each.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.waitUntil(each.hasFocus)
        for before in ("quasi_identifier", "sensitive"):
            session.apply(ops.set_role("sex", "direct_identifier"), "set role of sex")
            session.apply(ops.set_role("sex", before), "set role of sex")
            qtbot.keyClick(each, Qt.Key.Key_Z, control)
            assert role() == "direct_identifier"
            qtbot.keyClick(each, Qt.Key.Key_Z, shift)
            assert role() == before
            qtbot.keyClick(each, Qt.Key.Key_Z, control)
            qtbot.keyClick(each, Qt.Key.Key_Y, control)
            assert role() == before
        shown = text(each)
        qtbot.keyClicks(each, "7")
        assert text(each) != shown
        qtbot.keyClick(each, Qt.Key.Key_Z, control)
        assert (text(each), role()) == (shown, before)
        qtbot.keyClick(each, Qt.Key.Key_Z, control)
        assert role() == "direct_identifier"
        if each is not note:
            qtbot.keyClicks(each, "7")
            qtbot.keyClick(each, Qt.Key.Key_Return)
            session.apply(ops.set_role("sex", before), "set role of sex")
            qtbot.keyClick(each, Qt.Key.Key_Z, control)
            assert role() == "direct_identifier"
            assert text(each) != shown


@pytest.mark.parametrize("how", ["decide", "undo", "decide here"])
def test_why_an_action_was_refused_goes_with_the_next_decision(filled, how):
    filled.session.apply(ops.set_role("sex", "sensitive"), "set role of sex")
    page = filled.page("policies")
    filled.show_step("policies")
    page.show_error(ConfigError("no_privacy_model"))
    refused = filled.notices.notices
    assert [each.topic for each in refused] == ["no_privacy_model"]
    filled.session.mark_saved(None)  # no decision
    assert filled.notices.notices == refused
    if how == "undo":
        filled.session.undo()
    elif how == "decide":
        filled.session.apply(ops.set_role("sex", "insensitive"), "set role of sex")
    else:
        page.apply(ops.set_role("sex", "insensitive"), "set role of sex")
    assert not filled.notices.notices


def test_saving_asks_for_a_name_once(filled, workspace, tmp_path, monkeypatch):
    asked = []

    def choose(*_args):
        asked.append(1)
        return str(tmp_path / "mine"), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    filled.actions_by_name["save"].trigger()
    filled.actions_by_name["save"].trigger()
    assert (tmp_path / "mine.deid.json").is_file()
    assert len(asked) == 1
    assert filled.settings.now.recent == (str(tmp_path / "mine.deid.json"),)


def test_what_is_still_typed_is_saved_and_asked_about(filled, qtbot, monkeypatch):
    """Fields are taken over when they are left, and Ctrl+S leaves none."""
    filled.show_step("risk")
    card = filled.page("risk").justification
    filled.activateWindow()
    qtbot.waitUntil(filled.isActiveWindow)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    monkeypatch.setattr(filled.files, "ask", lambda *_: "cancel")

    def threshold():
        return filled.session.project.privacy.threshold

    for field, leave, taken in (
        (card.reason, filled.files.save, lambda: threshold().justification),
        (card.field, filled.files.may_discard, lambda: threshold().set_by),
    ):
        field.setFocus()
        qtbot.waitUntil(field.hasFocus)
        qtbot.keyClicks(field, "signed")
        assert not leave()
        assert taken() == "signed"
        assert field.hasFocus()


def test_a_save_that_fails_is_told(filled, workspace, tmp_path, monkeypatch):
    target = str(tmp_path / "no" / "such" / "folder" / "x.deid.json")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: (target, ""))
    filled.actions_by_name["save"].trigger()
    assert filled.notices.notices[0].status == "danger"
    assert workspace.session.path is None


def test_a_save_that_succeeds_takes_away_why_one_failed(filled, tmp_path, monkeypatch):
    target = [str(tmp_path / "no" / "such" / "folder" / "x.deid.json")]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: (target[0], ""))
    filled.actions_by_name["save"].trigger()
    assert filled.notices.notices
    target[0] = str(tmp_path / "x.deid.json")
    filled.actions_by_name["save"].trigger()
    assert filled.notices.notices == ()


def test_renaming_in_place(filled, qtbot, workspace):
    filled.actions_by_name["rename"].trigger()
    field = next(
        each
        for each in filled.findChildren(QLineEdit)
        if each.accessibleName() == "Project name"
    )
    field.setText("Ward 7")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert workspace.session.project.name == "Ward 7"


# -- opening -------------------------------------------------------------------------


def test_a_dropped_data_file_is_opened(window, workspace, csv):
    drop(window, csv)
    assert workspace.calls == [("open_data", csv)]
    assert window.current_key == "data"


def test_of_several_files_none_is_picked_silently(window, workspace, csv):
    other = csv.with_name("other.csv")
    other.write_bytes(csv.read_bytes())
    for widget in (window, window.page("start")._drop):
        drop(widget, csv, other)
        assert workspace.calls == []
        (notice,) = window.notices.notices
        assert "2 files" in notice.text


def test_a_file_over_the_window_is_welcomed(window, csv):
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(csv))])
    event = QDragEnterEvent(
        QPoint(5, 5),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dragEnterEvent(event)
    assert event.isAccepted()
    assert window._drop_hint.isVisible()
    window.dragLeaveEvent(QDragLeaveEvent())
    assert not window._drop_hint.isVisible()


def test_statuses_are_shown_once_however_many_pages_speak(filled, qtbot, monkeypatch):
    filled.build_all_pages()
    filled._builder.stop()
    calls = []
    page = filled.page("start")
    status = page.status
    monkeypatch.setattr(page, "status", lambda: calls.append(1) or status())
    filled.session.apply(ops.set_notes("x"), "change notes")
    qtbot.waitUntil(lambda: bool(calls))
    # Once for the rail and once for the foot.
    assert len(calls) <= 2


def test_a_dropped_project_is_opened(window, workspace, project_file):
    drop(window, project_file)
    assert workspace.session.project.name == "Kept"
    assert window.settings.now.recent == (str(project_file),)


def test_a_broken_project_is_told_and_nothing_changes(window, workspace, tmp_path):
    path = tmp_path / "broken.deid.json"
    path.write_text("{")
    window.files.open_path(path)
    (notice,) = window.notices.notices
    assert "broken.deid.json" in notice.text
    assert workspace.session.project == Project()


def test_a_file_that_has_gone_is_told(window, workspace, tmp_path):
    window.files.open_path(tmp_path / "gone.csv")
    assert "gone.csv" in window.notices.notices[0].text
    assert workspace.calls == []


def test_choosing_files(window, workspace, csv, project_file, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a: (str(csv), ""))
    window.actions_by_name["new"].trigger()
    assert workspace.calls[-1] == ("open_data", csv)
    assert window.settings.folder_for("data") == str(csv.parent)
    chosen = (str(project_file), "")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a: chosen)
    window.actions_by_name["open"].trigger()
    assert workspace.calls[-1] == ("open_project", project_file)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a: ("", ""))
    n_calls = len(workspace.calls)
    window.actions_by_name["open"].trigger()
    assert len(workspace.calls) == n_calls


@pytest.mark.parametrize(
    ("answer", "is_opened"), [("cancel", False), ("discard", True), ("save", True)]
)
def test_unsaved_decisions_are_asked_about(
    filled, workspace, csv, answer, is_opened, tmp_path, monkeypatch
):
    target = str(tmp_path / "x.deid.json")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: (target, ""))
    workspace.session.apply(ops.set_name("changed"), "rename project")
    filled.files.ask = lambda *_args: answer
    filled.files.open_path(csv)
    assert (("open_data", csv) in workspace.calls) is is_opened
    assert Path(target).exists() is (answer == "save")


def test_of_pasted_tables_nothing_is_said_about_a_data_file(filled, workspace):
    asked = []
    filled.files.ask = lambda _title, text, _answers: asked.append(text) or "cancel"
    workspace.session.apply(ops.set_name("changed"), "rename project")
    assert not filled.files.may_discard()
    assert "data file itself is never changed" in asked[-1]
    workspace.session.path = Path("pasted.deid.json")
    workspace.session.apply(lambda each: each.but(inputs=()), "as pasted")
    assert not filled.files.may_discard()
    assert "data file" not in asked[-1]
    filled.files.ask = lambda *_args: "discard"


def test_missing_and_changed_data_files_are_offered(
    window, workspace, csv, monkeypatch
):
    missing = NamedInput("table", "data.csv", "", is_data=True)
    workspace.missing_inputs = (missing,)
    workspace.input_wanted("table", "data.csv")
    (notice,) = window.notices.notices
    assert "data.csv" in notice.text
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a: (str(csv), ""))
    notice.act()
    assert workspace.calls[-1] == ("locate_input", csv, "table")
    workspace.missing_inputs = ()
    workspace.activity(FakeActivity("read", 0.0))
    workspace.data_changed(csv)
    (notice,) = window.notices.notices
    notice.act()
    assert workspace.calls[-1] == ("accept_changed_data",)


def naming(n_registers: int) -> Project:
    """A project that names releases, registers, a population and data."""
    digest, who = "0" * 64, {"by": "N. N.", "on": "2026-11-23"}
    earlier = EarlierRelease(file="first", sha256=digest, **who)
    registers = (
        Comparison(name=f"b{n}", kind="register", file=f"b{n}.csv", sha256=digest)
        for n in range(n_registers)
    )
    release = Comparison(name="a", kind="release", file="a", sha256=digest)
    people = InputFile(name="population", file="p.csv", sha256=digest)
    population = PopulationChoice(kind="register", file=people)
    data = InputFile(name="table", file="t.csv", sha256=digest)
    return Project(
        inputs=(data,),
        validity=ValidityChoice(earlier=earlier),
        comparisons=(release, *registers),
        privacy=Privacy(population=population),
    )


def test_one_notice_lists_all_that_a_project_names_and_is_not_found(
    window, workspace, tmp_path, monkeypatch, qtbot
):
    """However many: each is asked for once the one before was looked at."""
    project = naming(6)
    workspace.session.start(project)
    missing = [each for each in named_inputs(project) if each.name != "population"]
    workspace.missing_inputs = tuple(missing)
    for each in missing:
        workspace.input_wanted(each.name, each.file)
    (notice,) = window.notices.notices
    assert "9" in notice.text
    assert all(f"“{each.file}”" in notice.fix for each in missing)
    # Nobody knows where b1.csv is: it is passed over.
    asked = []

    def file_dialog(_parent, title, *_args):
        asked.append(title)
        return ("" if "b1" in title else str(tmp_path / "x.csv"), "")

    def folder_dialog(_parent, title, *_args):
        asked.append(title)
        return str(tmp_path)

    monkeypatch.setattr(QFileDialog, "getOpenFileName", file_dialog)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", folder_dialog)

    def found(path, name=""):
        workspace.calls.append(("locate_input", path, name))
        left = (each for each in workspace.missing_inputs if each.name != name)
        workspace.missing_inputs = tuple(left)
        workspace.input_located(name)

    monkeypatch.setattr(workspace, "locate_input", found)
    notice.act()
    window.notices.dismiss(notice)  # As its button does.
    qtbot.waitUntil(lambda: len(asked) == len(missing))
    located = [call[2] for call in workspace.calls if call[0] == "locate_input"]
    assert located == [each.name for each in missing if each.name != "b1"]
    qtbot.waitUntil(lambda: [e.action for e in window.notices.notices] == ["Find it…"])
    (notice,) = window.notices.notices
    assert "“b1.csv”" in notice.text
    # A population has a notice of its own: reading it takes that away.
    workspace.input_wanted("population", "p.csv")
    one = next(e for e in window.notices.notices if "“p.csv”" in e.text)
    one.act()
    assert workspace.calls[-1] == ("locate_input", tmp_path / "x.csv", "population")


def test_who_is_given_another_file_asks_no_further(
    window, workspace, tmp_path, monkeypatch, qtbot
):
    project = naming(2)
    workspace.session.start(project)
    named = named_inputs(project)
    workspace.missing_inputs = tuple(e for e in named if e.name.startswith("b"))
    workspace.input_wanted("b0", "b0.csv")
    asked = []

    def file_dialog(*args):
        asked.append(args[1])
        return (str(tmp_path / "x.csv"), "")

    monkeypatch.setattr(QFileDialog, "getOpenFileName", file_dialog)
    (notice,) = window.notices.notices
    notice.act()
    workspace.problem(InputError("not_a_project", file="b0.csv"), "others")
    workspace.input_located("b0")
    qtbot.wait(50)
    assert len(asked) == 1
    texts = [each.text for each in window.notices.notices]
    assert sum("were not found" in each for each in texts) == 1


def test_recent_menu_lists_what_is_still_there(
    window, settings, project_file, tmp_path
):
    settings.add_recent(project_file)
    settings.add_recent(tmp_path / "gone.deid.json")
    menu = window.actions_by_name.recent_menu
    menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()] == ["kept"]
    menu.actions()[0].trigger()
    assert window.session.project.name == "Kept"


# -- the Start page ------------------------------------------------------------------


def start_page(window) -> StartPage:
    page = window.page("start")
    assert isinstance(page, StartPage)
    return page


def test_recent_projects_open_and_go(window, settings, project_file, tmp_path, qtbot):
    gone = tmp_path / "gone.deid.json"
    settings.add_recent(gone)
    settings.add_recent(project_file)
    page = start_page(window)
    page.refresh(page.parts)
    first, second = page.findChildren(RecentRow)
    assert "Missing" in second.accessibleName()
    qtbot.mouseClick(first, Qt.MouseButton.LeftButton)
    assert window.session.project.name == "Kept"
    rows = [row for row in page.findChildren(RecentRow) if row._path == gone]
    rows[-1].removed.emit(gone)
    assert settings.now.recent == (str(project_file),)


def test_recent_project_by_keyboard(window, settings, project_file, qtbot):
    settings.add_recent(project_file)
    page = start_page(window)
    page.refresh(page.parts)
    (row,) = page.findChildren(RecentRow)
    qtbot.keyClick(row, Qt.Key.Key_Return)
    assert window.session.project.name == "Kept"


def test_without_recent_projects_there_is_a_sentence(window):
    assert start_page(window).findChildren(RecentRow) == []


def test_the_example_is_opened(window, workspace):
    start_page(window).example_wanted.emit()
    assert workspace.calls == [("open_data", resources.sample_path())]
    assert window.current_key == "data"


@pytest.mark.parametrize("is_ok", [True, False])
def test_the_installation_is_checked_from_the_about_sheet(
    window, monkeypatch, qtbot, is_ok
):
    outcome = {"check": "search", "ok": is_ok, "error": "X", "seconds": 0.1}
    monkeypatch.setattr(self_check, "run", lambda: {"checks": [outcome]})
    window.actions_by_name["about"].trigger()
    sheet = window.findChild(AboutDialog)
    sheet.start_check()
    texts = [label.text() for label in sheet.findChildren(Label)]
    assert ("search" if is_ok else "search (X)") in texts
    sheet.accept()
    qtbot.waitUntil(lambda: not _is_alive(sheet))


# -- running work --------------------------------------------------------------------


def test_running_work_is_told_quietly_and_can_be_stopped(window, workspace):
    line = window.footer.status_line
    workspace.activity(FakeActivity("classes", 0.5, elapsed_s=0.1))
    assert line._words.text() == ""
    workspace.activity(FakeActivity("classes", 0.5, elapsed_s=2.0))
    assert line._words.text() == "Counting groups of records"
    workspace.activity(FakeActivity("lattice", 0.1, elapsed_s=2.0))
    assert line._words.text() == "Searching for policies"
    line.cancel_clicked.emit()
    assert workspace.calls == [("cancel", "lattice")]
    workspace.activity(FakeActivity("lattice", None))
    assert line._words.text() == "Counting groups of records"
    workspace.activity(FakeActivity("classes", None))
    assert line._words.text() == ""


def test_what_was_asked_to_stop_says_so_at_once(window, workspace):
    line = window.footer.status_line
    job = Job(lambda _found: None, lambda _error: None)
    workspace.runner._lanes["survey"] = job
    workspace.cancel = lambda lane: workspace.runner.running(lane).cancel()
    workspace.activity(FakeActivity("survey", 0.5, elapsed_s=2.0))
    line._cancel.click()
    assert job.cancel_requested
    assert line._words.text() == "Stopping…"
    assert not line._time.isVisible()
    assert not line._cancel.isEnabled()
    assert not line._clock._timer.isActive()
    # What another lane tells in between does not take it away.
    workspace.activity(FakeActivity("power", 0.5, elapsed_s=2.0))
    assert line._words.text() == "Stopping…"
    workspace.activity(FakeActivity("power", None))
    del workspace.runner._lanes["survey"]
    workspace.activity(FakeActivity("survey", None))
    workspace.activity(FakeActivity("survey", 0.1, elapsed_s=2.0))
    assert line._words.text() == "Surveying the other policies"
    assert line._cancel.isEnabled()


def test_work_that_reports_nothing_is_told_all_the_same(window, workspace, qtbot):
    line = window.footer.status_line
    workspace.activity(FakeActivity("verify", 0.0))
    assert not line._words.text()
    qtbot.waitUntil(lambda: line._words.text() == "Verifying a release")
    workspace.activity(FakeActivity("verify", None))
    assert not line._words.text()


@pytest.mark.parametrize(
    ("reasons", "why"),
    [
        (("page",), "waits until Policies is open"),
        (("read",), "waits for other work"),
        (("read", "page"), "waits until Policies is open"),
        (("person", "page"), "is paused"),
    ],
)
def test_a_survey_that_waits_is_not_shown_as_running(window, workspace, reasons, why):
    """It waits while its page is not shown: no time is left, and none goes by."""
    line = window.footer.status_line
    window.show()
    job = Job(lambda _found: None, lambda _error: None)
    workspace.runner._lanes["survey"] = job
    workspace.activity(FakeActivity("survey", 0.5, elapsed_s=2.0))
    assert line._words.text() == "Surveying the other policies"
    assert line._time.isVisible()
    for reason in reasons:
        workspace.policies.hold(reason)
    assert line._words.text() == f"The survey of the other policies {why}"
    assert not line._time.isVisible()
    assert not line._clock._timer.isActive()
    for reason in reasons:
        workspace.policies.let_go(reason)
    assert line._words.text() == "Surveying the other policies"
    assert line._time.isVisible()
    del workspace.runner._lanes["survey"]


def test_closing_asks_while_work_runs(window, workspace):
    job = Job(lambda _found: None, lambda _error: None)
    workspace.runner._lanes["export"] = job
    window.files.ask = lambda *_args: "stay"
    event = QCloseEvent()
    window.closeEvent(event)
    assert not event.isAccepted()
    window.files.ask = lambda *_args: "stop"
    event = QCloseEvent()
    window.closeEvent(event)
    assert event.isAccepted()


def test_closing_remembers_the_size(window, home):
    window.resize(1333, 777)
    window.close()
    assert Settings().now.geometry


@pytest.mark.parametrize("suffix", [".csv", ".deid.json"])
def test_what_is_no_file_is_called_what_it_is(window, tmp_path, suffix):
    folder, gone = tmp_path / f"folder{suffix}", tmp_path / f"gone{suffix}"
    folder.mkdir()
    window.files.open_path(folder)
    assert window.notices.notices[-1].text == f"“{folder.name}” is a folder."
    window.files.open_path(gone)
    assert window.notices.notices[-1].text == f"There is no file “{gone.name}”."
    assert window.current_key == "start"


def test_without_data_nobody_goes_on_from_the_page_that_shows_it(window):
    window.show_step("data")
    assert not window.footer._next.isEnabled()
    assert window.footer.reason == "Open a data file first."


def test_expected_failures_become_notices(window, workspace):
    workspace.problem(InputError("not_a_project", file="x.json"), "read")
    (notice,) = window.notices.notices
    assert "x.json" in notice.text
    assert notice.fix


def test_what_failed_is_forgotten_when_it_is_tried_again(window, workspace):
    workspace.problem(InputError("not_a_project", file="x.json"), "export")
    workspace.missing_inputs = (NamedInput("data", "x.csv", "", is_data=True),)
    workspace.input_wanted("data", "x.csv")
    assert len(window.notices.notices) == 2
    workspace.activity(FakeActivity("export", 0.0))
    assert [notice.topic for notice in window.notices.notices] == ["missing"]
    workspace.missing_inputs = ()
    workspace.activity(FakeActivity("read", 0.0))
    assert window.notices.notices == ()


def test_what_decisions_failed_goes_with_them_and_what_a_file_failed_stays(filled):
    session, workspace = filled.session, filled.workspace
    workspace.problem(ConfigError("level_unknown_attribute", attribute="age"), "export")
    workspace.problem(ConfigError("level_missing", attribute="age"), "measure")
    workspace.problem(InputError("not_a_project", file="x.json"), "attacks")

    def topics():
        return [notice.topic for notice in filled.notices.notices]

    assert topics() == ["export", "measure", "attacks"]
    # The order of the released rows decides the release, not what is measured.
    session.apply(ops.change_export(shuffle=False), "in order")
    assert topics() == ["measure", "attacks"]
    session.apply(ops.change_privacy(missing_matches="anything"), "match")
    assert topics() == ["attacks"]


def test_undo_is_offered_for_the_last_decision_only(filled):
    session = filled.session
    notice = Notice("replaced", "info", "", "Undo", session.undo, until="decision")
    filled.notices.report(notice)
    session.apply(ops.set_name("another"), "rename")
    assert notice not in filled.notices.notices


def test_bugs_are_passed_on(window, workspace, qtbot):
    bug = RuntimeError("secret")
    with qtbot.waitSignal(window.bug_found) as told:
        workspace.problem(bug, "search")
    assert told.args == [bug]
    assert window.notices.notices == ()


def test_decisions_are_kept_every_few_seconds(window, workspace, qtbot):
    assert window.workspace_notices.autosave.interval() < 5000
    window.workspace_notices.autosave.timeout.emit()
    assert workspace.autosaves >= 1


# -- view ----------------------------------------------------------------------------


def test_theme_is_switched_and_remembered(window):
    window.actions_by_name["toggle_theme"].trigger()
    assert theme().mode is Mode.DARK
    assert Settings().now.theme == "dark"
    assert window.actions_by_name["theme_dark"].isChecked()
    window.actions_by_name["theme_light"].trigger()
    assert theme().mode is Mode.LIGHT


def test_text_size_walks_its_stops(window):
    seen = [theme().text_scale]
    for _ in range(len(TEXT_SIZES)):
        window.actions_by_name["larger"].trigger()
        seen.append(theme().text_scale)
    assert list(dict.fromkeys(seen)) == [each for each in TEXT_SIZES if each >= 1.0]
    assert TEXT_SIZES[-1] == 2.0  # as much as the program supports
    for _ in range(len(TEXT_SIZES)):
        window.actions_by_name["smaller"].trigger()
    assert theme().text_scale == TEXT_SIZES[0]
    window.actions_by_name["normal_size"].trigger()
    assert Settings().now.text_scale == 1.0


def test_large_text_still_fits_the_smallest_window(window):
    theme().set_text_scale(1.3)
    window.resize(1280, 720)
    assert window.minimumSizeHint().width() <= 1280
    assert window.minimumSizeHint().height() <= 720


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_names_of_steps_give_way_to_larger_letters(filled, themed, scale):
    themed.set_text_scale(scale)
    themed.settle()
    filled.resize(1280, 720)
    QApplication.processEvents()
    assert filled.rail.is_collapsed == (scale > 1.0)
    # A bar beside the glyphs covers none of them.
    assert filled.rail._area.horizontalScrollBar().maximum() == 0


def test_help_panel_opens_closes_and_is_remembered(window):
    assert window.help_panel.isHidden()
    window.actions_by_name["help_panel"].trigger()
    assert not window.help_panel.isHidden()
    assert Settings().now.help_open is True
    window.help_panel.close_clicked.emit()
    assert window.help_panel.isHidden()


def test_shortcuts_and_about(window, qtbot):
    for name in ("shortcuts", "about"):
        window.actions_by_name[name].trigger()
        (dialog,) = [each for each in window.findChildren(QDialog) if each.isVisible()]
        assert not dialog.grab().isNull()
        (close,) = (b for b in dialog.findChildren(Button) if b.text() == "Close")
        close.click()
        qtbot.waitUntil(lambda closed=dialog: not _is_alive(closed))


@pytest.mark.parametrize("steps", [STEPS, COUNTS_STEPS], ids=["people", "counts"])
def test_the_sheet_of_shortcuts_says_what_each_key_does(window, qtbot, steps):
    actions = window.actions_by_name
    actions.show_steps(steps)
    sheet = ShortcutsDialog(actions.by_name, window)
    qtbot.addWidget(sheet)
    chips = [chip.text for chip in sheet.findChildren(Chip)]
    for action in actions.by_name.values():
        for key in action.shortcuts() if action.isVisible() else ():
            words = key.toString(QKeySequence.SequenceFormat.NativeText)
            assert chips.count(words) == 1, words
    assert {"Tab", "Esc", "Menu", "Home"} <= set(chips)
    said = [label.text() for label in sheet.findChildren(Label)]
    for step in steps:
        assert said.count(f"Go to {step.title}") == 1
    content = sheet.findChild(FittingArea)
    assert sheet.sizeHint().width() <= 800
    assert content.widget().minimumSizeHint().width() <= 800 - 2 * 24
    others = {e.title for e in (*STEPS, *COUNTS_STEPS)} - {e.title for e in steps}
    assert not {f"Go to {title}" for title in others} & set(said)


def _is_alive(widget) -> bool:
    return isValid(widget) and widget.isVisible()


@pytest.mark.parametrize("steps", [STEPS, COUNTS_STEPS], ids=["people", "counts"])
def test_no_two_commands_that_are_offered_share_keys(window, steps):
    window.actions_by_name.show_steps(steps)
    keys = [
        key.toString()
        for action in window.actions_by_name.by_name.values()
        for key in action.shortcuts()
        if action.isVisible()
    ]
    assert len(keys) == len(set(keys))


def test_notices_of_pages_are_shown(window):
    start_page(window).reported.emit(Notice("hello", "success"))
    assert window.notices.notices[0].text == "hello"


def test_a_closed_window_is_forgotten(qtbot, settings):
    workspace = FakeWorkspace()
    made = MainWindow(workspace, settings)
    made.build_all_pages()
    fill(workspace.session)
    reference = weakref.ref(made)
    pages = [weakref.ref(page) for page in made._pages.values()]
    made.files.ask = lambda *_args: "discard"
    made.close()
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    del made
    gc.collect()
    assert reference() is None
    assert [page() for page in pages] == [None] * len(pages)
    fill(workspace.session)  # nobody is left to listen


def test_tab_walks_bars_steps_page_foot_help(filled, qtbot):
    filled.actions_by_name["help_panel"].trigger()
    filled.setFocus()
    places = []
    for _ in range(40):
        qtbot.keyClick(filled.focusWidget() or filled, Qt.Key.Key_Tab)
        stop = filled.focusWidget()
        parts = [filled.top_bar, filled.rail, filled._stack, filled.footer]
        parts.append(filled.help_panel)
        places += [n for n, part in enumerate(parts) if part.isAncestorOf(stop)]
        if len(places) > 2 and places[-2] == 4 and places[-1] == 0:
            break
    assert places == [*sorted(places[:-1]), 0]
    assert set(places) == {0, 1, 2, 3, 4}


def test_what_others_did_to_the_files_is_told_when_one_is_back(
    filled, workspace, project_file
):
    notices = filled.workspace_notices
    workspace.session.mark_saved(project_file)
    workspace.is_data_changed = lambda: True
    workspace.reload_data = lambda: workspace.calls.append(("reload_data",))
    notices.look_at_files()
    (notice,) = filled.notices.notices
    notice.act()
    assert ("reload_data",) in workspace.calls
    assert "undo" not in notice.fix
    workspace.session.apply(ops.set_name("Other"), "rename project")
    filled.notices.dismiss(notice)
    notices.look_at_files()
    assert "ends their undo" in filled.notices.notices[0].fix
    workspace.is_changed_on_disk = lambda: True
    notices.look_at_files()
    assert "Another window or program" in filled.notices.notices[-1].text
    workspace.is_changed_on_disk = lambda: False
    workspace.open_elsewhere = platform.node
    notices.look_at_files()
    assert "open in another window" in filled.notices.notices[-1].text
    workspace.open_elsewhere = lambda: "ward-7"
    notices.look_at_files()
    assert "on the computer “ward-7”" in filled.notices.notices[-1].text
    workspace.open_elsewhere = lambda: None
    notices.look_at_files()
    assert all("window" not in each.text for each in filled.notices.notices)


@pytest.mark.parametrize(("answer", "is_saved"), [("cancel", False), ("replace", True)])
def test_saving_asks_before_it_replaces_what_others_wrote(
    filled, workspace, project_file, answer, is_saved
):
    workspace.session.mark_saved(project_file)
    workspace.is_changed_on_disk = lambda: True
    filled.files.ask = lambda *_args: answer
    assert filled.files.save() is is_saved
    filled.files.ask = lambda *_args: "discard"


# -- keyboard ------------------------------------------------------------------------


def test_the_keys_of_a_step_put_the_keyboard_on_its_page(filled, qtbot):
    filled.rail.item("start").setFocus()
    for step in STEPS[1:]:
        qtbot.keySequence(filled, step.keys)
        assert filled.page(step.key).hasFocus()
    qtbot.keyClick(filled.focusWidget(), Qt.Key.Key_Tab)
    page = filled.page(STEPS[-1].key)
    assert page.isAncestorOf(filled.focusWidget()) or not any(
        child.isVisible() and child.focusPolicy() & Qt.FocusPolicy.TabFocus
        for child in page.findChildren(QWidget)
    )


@pytest.mark.parametrize("stays_on", ["help", "foot"])
def test_next_and_back_put_the_keyboard_on_their_page(filled, stays_on):
    filled.show_step("data")
    filled._on_help_step()
    if stays_on == "foot":
        filled.footer.setFocus()
    for walk, key in ((filled.go_back, "start"), (filled.go_on, "data")):
        walk()
        filled.show_step(key)
        assert filled.page(key).hasFocus()


@pytest.mark.parametrize("was_on", ["page", "theme", "window"])
def test_another_project_takes_the_keyboard_to_its_page(filled, workspace, was_on):
    filled.show_step("start")
    stop = next_stop(filled.page("start"), None, forward=True)
    if was_on == "theme":
        stop = filled.top_bar.findChildren(ActionButton)[-2]
        assert stop._action is filled.actions_by_name["toggle_theme"]
    (filled if was_on == "window" else stop).setFocus(Qt.FocusReason.TabFocusReason)
    workspace.session.start(workspace.session.project)
    filled.lead_to("data")
    filled.show_step("data")
    assert filled.page("data").hasFocus()
    # A page that nobody came to by Tab is a place to scroll.
    ringed = None if was_on == "window" else filled.page("data")
    assert filled._focus_ring.widget() is ringed
    assert filled._focus_ring.isVisible() is (ringed is not None)


@pytest.mark.parametrize("was_on", ["theme", "window"])
def test_a_file_that_is_opened_takes_the_keyboard_to_its_page(window, csv, was_on):
    stop = window
    if was_on == "theme":
        stop = window.top_bar.findChildren(ActionButton)[-1]
    stop.setFocus(Qt.FocusReason.TabFocusReason)
    window.files.open_path(csv)
    window.show_step("data")
    assert window.page("data").hasFocus()
    fill(window.session)
    window.show_step("data")
    assert window.page("data").hasFocus()
    assert window._focus_ring.isVisible() is (was_on == "theme")


@pytest.mark.parametrize("is_ready", [True, False])
def test_the_keys_of_export_lead_to_its_button_or_to_what_is_missing(
    window, qtbot, monkeypatch, is_ready
):
    asked = []
    monkeypatch.setattr(
        QFileDialog, "getExistingDirectory", lambda *_a: asked.append(1) or ""
    )
    case, session = explored_case.make_case(), window.session
    confirmed = [each.but(confirmed=True) for each in case.project.attributes]
    case.project = case.project.but(attributes=tuple(confirmed))
    explored_case.fill(session, case)
    session.set_result(Kind.MEASUREMENT, case.measured, case.project)
    open_one = ReleaseQuestion("disease", "disclosed", "question_disclosed", {}, "")
    session.set_result(Kind.QUESTIONS, () if is_ready else (open_one,), case.project)
    window.show_step("data")
    qtbot.keySequence(window, "Ctrl+E")
    qtbot.waitUntil(lambda: not window.is_leading, timeout=30_000)
    page = window.page("export")
    assert page.finish.isEnabled() is is_ready
    missing = None if is_ready else page.open.links["export/questions"]
    assert window.focusWidget() is (page.finish if is_ready else missing)
    QApplication.processEvents()
    if is_ready:
        page.view.set_current("dossier")
        window.session.apply(ops.change_export(suppressed=None), "undecided")
        page.refresh(Changes.EXPORT)
        window.setFocus()
        qtbot.keySequence(window, "Ctrl+E")
        assert page.open.isAncestorOf(window.focusWidget())
        QApplication.processEvents()
    assert not asked


@pytest.mark.parametrize("how", ["hide", "disable"])
def test_what_disappears_hands_the_keyboard_to_no_decision(filled, qtbot, how):
    filled.show_step("risk")
    page = filled.page("risk")
    buttons = [b for b in page.findChildren(Button) if b.isVisible() and b.isEnabled()]
    (button, *_others) = buttons
    button.setFocus(Qt.FocusReason.TabFocusReason)
    assert button.hasFocus()
    button.hide() if how == "hide" else button.setEnabled(False)
    now = filled.focusWidget()
    assert now is not button
    assert now.isAncestorOf(button)
    assert not isinstance(now, QAbstractButton)
    assert filled._focus_ring.widget() is now
    assert filled._focus_ring.isVisible()


def test_help_of_the_step_by_its_key(filled, qtbot):
    filled.show_step("hierarchies")
    qtbot.keyClick(filled, Qt.Key.Key_F1)
    assert filled.help_panel.isVisible()
    assert filled.help_panel.shown == "step"
    qtbot.keyClick(filled, Qt.Key.Key_F1, Qt.KeyboardModifier.ControlModifier)
    assert filled.help_panel.shown == "index"
    qtbot.keyClick(filled, Qt.Key.Key_F1)
    assert filled.help_panel.shown == "step"


@pytest.mark.parametrize(
    ("screen", "size"),
    [
        ((1280, 720), (1280, 680)),
        ((1920, 1080), (1440, 900)),
        ((853, 480), (853, 440)),
        ((640, 360), (640, 320)),
        ((1366, 768), (1366, 728)),
    ],
)
def test_the_first_window_fits_the_screen(screen, size):
    assert first_size(QSize(*screen)) == QSize(*size)


def test_verify_and_export_are_in_the_menu_and_on_start(
    filled, workspace, tmp_path, monkeypatch
):
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_a: str(tmp_path))
    filled.actions_by_name["verify"].trigger()
    start_page(filled).verify_wanted.emit()
    assert workspace.calls == [("verify", tmp_path)] * 2
    outcome = {"ok": True, "checks": [{"ok": True, "words": "x"}]}
    workspace.release_verified(tmp_path, outcome)
    (notice,) = filled.notices.notices
    assert (notice.status, notice.fix) == (
        "success",
        f"{tmp_path}: 1 check passed. How high the risk is, and what was accepted with "
        "a reason, stands in its report.",
    )
    outcome = {"ok": False, "checks": [{"ok": False, "words": "The table differs."}]}
    workspace.release_verified(tmp_path, outcome)
    (notice,) = filled.notices.notices
    assert notice.status == "danger"
    assert "Not so: The table differs." in notice.fix
    for wanted in (filled.actions_by_name["export"].trigger, start_export(filled)):
        filled.show_step("start")
        wanted()
        assert filled.current_key == "export"


def start_export(window):
    exporter = start_page(window).exporter
    assert not exporter.isHidden()
    return exporter.click


def test_pages_are_imported_beside_the_window(window, qtbot):
    window._builder.stop()
    window._importer = threading.Thread(target=lambda: release.wait(30))
    release = threading.Event()
    window._importer.start()
    n_pages = len(window._pages)
    window._build_next_page()
    assert len(window._pages) == n_pages
    release.set()
    window._importer.join()

    def built():
        window._build_next_page()
        return len(window._pages) > n_pages

    qtbot.waitUntil(built, timeout=60_000)


IMPORTING = """
import builtins, importlib, sys
from collections import deque
from PySide6.QtCore import QObject
from deidgui.qt.main_window import _import_pages
from deidgui.qt.pages import ALL_STEPS

make, made, of_qt = builtins.__build_class__, [], deque()

def build(*given, **named):
    made.append(make(*given, **named))
    return made[-1]

builtins.__build_class__ = build
_import_pages(of_qt)
print([each for each in made if isinstance(each, type(QObject))])
for name in of_qt:
    importlib.import_module(name)
print([step.key for step in ALL_STEPS if step.module not in sys.modules])
"""


def test_only_the_thread_of_the_window_makes_classes_of_qt():
    command = [sys.executable, "-c", IMPORTING]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["[]", "[]"], said.stdout


def arrived(window) -> bool:
    return not window.is_leading


def test_a_page_comes_in_pieces_and_nobody_goes_on_before_it_is_there(filled, qtbot):
    before = filled._stack.currentWidget()
    filled.rail.item("risk").click()
    assert filled.current_key == "risk"
    assert filled._stack.currentWidget() is before
    assert not filled.footer._next.isEnabled()
    qtbot.waitUntil(lambda: arrived(filled))
    assert filled._stack.currentWidget() is filled._pages["risk"]
    assert filled._pages["risk"].isVisible()
    assert filled.footer._next.isEnabled() == (not filled.footer.reason)


def test_what_is_asked_for_is_there_at_once(filled):
    filled.lead_to("risk/context")
    page = filled.page("risk")
    assert arrived(filled)
    assert page.isVisible()
    assert page.context.isVisible()


def test_a_page_that_is_left_takes_nothing_that_is_typed_or_clicked(filled, qtbot):
    filled.show_step("risk")
    box = filled.page("risk").suppression.findChild(QAbstractSpinBox)
    box.setFocus()
    assert filled.focusWidget() is box
    before, project = box.text(), filled.session.project
    filled.lead_to("utility")
    qtbot.keyClick(box, Qt.Key.Key_Up)
    assert box.text() == before
    assert filled.session.project is project
    left = filled._stack.currentWidget()
    away = Qt.WidgetAttribute.WA_TransparentForMouseEvents
    assert left.testAttribute(away)
    qtbot.waitUntil(lambda: arrived(filled))
    assert not left.testAttribute(away)
    filled.show_step("risk")
    qtbot.keyClick(box, Qt.Key.Key_Up)
    assert box.text() != before


def test_nothing_of_the_last_project_is_seen_until_the_next_is_there(filled, qtbot):
    filled.show_step("data")
    old = filled.page("data")
    assert old.isVisible()
    fill(filled.session)
    assert not old.isVisible()
    assert not filled.footer._next.isEnabled()
    qtbot.waitUntil(lambda: arrived(filled))
    assert filled._stack.currentWidget() is filled._pages["data"]
    assert filled._pages["data"] is not old


def test_what_changes_while_a_page_is_refreshed_is_shown(filled):
    """The pieces that were done are of a project that is not the present one."""
    explored_case.fill(filled.session, explored_case.make_case())
    page = filled.page("policies")
    assert page.refresh_piece()
    assert page.refresh_piece()
    before = filled.session.project.privacy.suppression_limit
    op = ops.change_privacy(suppression_limit=0.37 if before != 0.37 else 0.36)
    filled.session.apply(op, "limit")
    filled.show_step("policies")
    fresh = PoliciesPage(filled.workspace, filled.settings)
    fresh.refresh_now()
    seen = [[each.text() for each in p.findChildren(QLabel)] for p in (page, fresh)]
    fresh.deleteLater()
    assert sorted(seen[0]) == sorted(seen[1])


def test_building_the_pages_shows_no_other_window(window, qapp):
    shown = []

    class Watch(QObject):
        def eventFilter(self, watched, event):
            is_window = isinstance(watched, QWidget) and watched.isWindow()
            if event.type() == QEvent.Type.Show and is_window:
                shown.append(type(watched).__name__)
            return False

    watch = Watch()
    qapp.installEventFilter(watch)
    window.build_all_pages()
    qapp.removeEventFilter(watch)
    assert shown == []


def test_a_page_that_is_wanted_early_takes_the_parts_that_are_there(window):
    window._builder.stop()
    (step,) = [each for each in STEPS if each.key == "policies"]
    window._build_piece(step)
    (part,) = window._makers["policies"].made
    assert type(part) is OptimalPane
    page = window.page("policies")
    assert page.look.optimal is part
    assert page.isAncestorOf(part)


def test_a_part_takes_the_parts_within_it_that_are_there(window):
    window._builder.stop()
    (step,) = [each for each in STEPS if each.key == "policies"]
    window._build_piece(step)
    maker = window._makers["policies"]
    while not any(isinstance(each, LookPanel) for each in maker.made):
        within = maker.made[:]
        window._build_piece(step)
    (look,) = [each for each in maker.made if isinstance(each, LookPanel)]
    assert {look.optimal, look.alternatives, look.blocks} < set(within)
    page = window.page("policies")
    assert page.look is look
    assert page.isAncestorOf(look)
    assert page.isAncestorOf(page.results)


def test_a_page_of_many_parts_is_given_up_some_at_a_time(filled):
    filled.show_step("export")
    page, gone = filled.page("export"), []
    block = Block(column(), page)
    for _ in range(2 * PARTED_AT_ONCE + 1):
        QWidget(block).destroyed.connect(lambda: gone.append("part"))
    block.destroyed.connect(lambda: gone.append("block"))
    filled._part_with(filled._pages.pop("export"))
    for n_gone in (PARTED_AT_ONCE, 2 * PARTED_AT_ONCE):
        filled._on_parting()
        delete_now()
        assert gone == n_gone * ["part"]
    filled._on_parting()
    delete_now()
    assert len(gone) == 2 * PARTED_AT_ONCE + 2


def test_a_page_is_given_up_after_its_blocks(filled, qtbot):
    filled.show_step("export")
    page, gone = filled.page("export"), []
    for _ in range(2):
        Block(column(), page).destroyed.connect(lambda: gone.append("block"))
    page.destroyed.connect(lambda: gone.append("page"))
    filled._part_with(filled._pages.pop("export"))
    for n_blocks in (1, 2):
        filled._on_parting()
        delete_now()
        assert gone == n_blocks * ["block"]
    while filled._parted:
        filled._on_parting()
        delete_now()
    assert gone == ["block", "block", "page"]
