"""Bugs: shown once, on the GUI thread, without a single value of the data."""

from __future__ import annotations

import logging
import sys
import threading

import pytest
from PySide6.QtCore import QObject, QTimer, qWarning
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit

from deidgui.engine.parameters import Range, check
from deidgui.errors import InputError
from deidgui.qt import crash
from deidgui.qt.crash import CrashDialog, CrashHandler, report, scrubbed
from deidgui.qt.dispatch import GuiDispatcher
from deidgui.qt.widgets import Button

SENTINEL = "Maria-Musterfrau-1931"


def bug() -> Exception:
    """An exception that holds a value everywhere it can."""
    secret = SENTINEL
    try:
        try:
            check(secret)
        except Exception as inner:
            raise ValueError(f"cannot convert {secret}") from inner
    except ValueError as error:
        error.add_note(f"while reading {secret}")
        return error


def test_a_report_names_types_and_our_lines_but_no_value():
    text = report(bug())
    assert SENTINEL not in text
    assert "ValueError" in text
    assert "caused by" in text
    assert "deidgui/engine/parameters.py:" in text
    assert "deidgui " in text.splitlines()[0]


def test_foreign_frames_are_named_by_file_only():
    try:
        Range("x", 1).contains("y" * 3)
    except TypeError as error:
        lines = scrubbed(error).splitlines()
    assert lines[0] == "TypeError"
    assert any(line.strip().startswith("(qt/test_crash.py:") for line in lines)


def test_a_chain_without_end_ends():
    error = ValueError()
    other = ValueError()
    error.__cause__, other.__cause__ = other, error
    assert len(scrubbed(error).splitlines()) < 500


def test_suppressed_context_is_left_out():
    def fail():
        try:
            raise KeyError(SENTINEL)
        except KeyError:
            raise InputError("cannot_read", file="x") from None

    with pytest.raises(InputError) as caught:
        fail()
    lines = scrubbed(caught.value).splitlines()
    assert lines[0] == "InputError"
    assert "KeyError" not in lines


def test_the_dialog_shows_and_copies_the_report(qtbot):
    dialog = CrashDialog(bug())
    qtbot.addWidget(dialog)
    dialog.show()
    shown = dialog.findChild(QPlainTextEdit).toPlainText()
    assert SENTINEL not in shown
    assert shown == dialog.text
    (copy,) = (b for b in dialog.findChildren(Button) if b.text() == "Copy report")
    copy.click()
    assert QGuiApplication.clipboard().text() == dialog.text


@pytest.fixture
def handler(qtbot):
    dispatcher = GuiDispatcher()
    made = CrashHandler(dispatcher.post, lambda: None)
    made.install()
    yield made
    made.uninstall()
    if made.dialog is not None:
        made.dialog.accept()
    dispatcher.deleteLater()


def test_hooks_are_given_back(handler):
    before = sys.excepthook, threading.excepthook
    handler.uninstall()
    assert (sys.excepthook, threading.excepthook) != before


def test_a_bug_in_a_thread_is_shown_on_the_gui_thread(handler, qtbot, caplog):
    def work():
        raise ValueError(SENTINEL)

    with caplog.at_level(logging.CRITICAL, logger="deidgui"):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        qtbot.waitUntil(lambda: handler.dialog is not None)
    assert SENTINEL not in handler.dialog.text
    assert handler.dialog.thread() is QGuiApplication.instance().thread()


def test_a_bug_in_the_event_loop_is_shown_once(handler, qtbot, caplog):
    sys.excepthook(ValueError, ValueError(SENTINEL), None)
    sys.excepthook(KeyError, KeyError(SENTINEL), None)
    qtbot.waitUntil(lambda: handler.dialog is not None)
    assert "ValueError" in handler.dialog.text

    def both_are_logged():
        return sum(each.levelno == logging.ERROR for each in caplog.records) == 2

    qtbot.waitUntil(both_are_logged)
    assert SENTINEL not in caplog.text
    first = handler.dialog
    first.accept()
    assert handler.dialog is None


def test_interrupting_by_the_keyboard_is_no_bug(handler, monkeypatch, qtbot):
    heard = []
    handler._before = (lambda *args: heard.append(args), handler._before[1])
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert len(heard) == 1
    assert handler.dialog is None


@pytest.mark.qt_log_ignore(SENTINEL)
def test_messages_of_qt_are_logged_without_their_text(handler, caplog):
    with caplog.at_level(logging.DEBUG, logger="deidgui"):
        qWarning(f"about {SENTINEL}")
    assert SENTINEL not in caplog.text


def test_the_dispatcher_keeps_the_order_across_threads(qtbot):
    dispatcher = GuiDispatcher()
    heard = []

    def work():
        for number in range(100):
            dispatcher.post(lambda n=number: heard.append((n, threading.get_ident())))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert heard == []
    qtbot.waitUntil(lambda: len(heard) == 100)
    assert [number for number, _ in heard] == list(range(100))
    assert {ident for _, ident in heard} == {threading.get_ident()}
    dispatcher.deleteLater()


def test_module_has_no_timers_of_its_own():
    assert not any(isinstance(each, QObject | QTimer) for each in vars(crash).values())
