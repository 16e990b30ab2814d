"""The whole window over the real workspace: from a file to its classes and back."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtWidgets import QApplication, QLabel

from deidgui.app import ops, sample
from deidgui.app.activity import Activity
from deidgui.app.jobs import Lane
from deidgui.app.stopping import CANCELLED
from deidgui.app.storage.project_io import load_project
from deidgui.engine import compiled
from deidgui.qt.application import Running
from deidgui.qt.settings import Settings


@pytest.fixture
def running(qapp, qtbot):
    made = Running(qapp, Settings())
    made.window.files.ask = lambda *_args: "discard"
    qtbot.addWidget(made.window)
    made.window.show()
    yield made
    made.close()
    made.dispatcher.deleteLater()


def test_a_first_reading_says_that_the_program_is_compiled(running, qtbot):
    """In a thread: the words stay until the reading goes on."""
    page = running.window.page("data")
    words = page.progress.findChildren(QLabel)
    once = "Preparing the program for this computer, only once"

    def are_shown():
        return once in [each.text() for each in words]

    running.workspace.activity(Activity(Lane.READ, 0.18, "read"))
    assert not are_shown()
    thread = threading.Thread(target=_compile)
    thread.start()
    qtbot.waitUntil(are_shown)
    thread.join()
    running.workspace.activity(Activity(Lane.READ, 0.2, "read"))
    assert not are_shown()


def _compile():
    for announce in compiled._announced_to:  # as numba does before it compiles
        announce()


@pytest.fixture
def csv(tmp_path):
    path = tmp_path / "people.csv"
    rows = [f"P{i:05d},{20 + i % 60},{'mf'[i % 2]},{10 + i % 37}" for i in range(500)]
    path.write_text("\n".join(["patient_id,age,sex,zip", *rows]) + "\n")
    return path


def test_a_file_is_read_in_the_background(running, qtbot, csv):
    running.window.files.open_path(csv)
    session = running.workspace.session
    qtbot.waitUntil(lambda: session.loaded is not None, timeout=30_000)
    assert session.loaded.table.n_rows == 500
    assert running.window.current_key == "data"
    assert "people" in running.window.windowTitle()


def test_a_file_that_is_no_table_is_told(running, qtbot, tmp_path):
    path = tmp_path / "empty.csv"
    path.write_bytes(b"")
    running.window.files.open_path(path)
    page = running.window.page("data")
    qtbot.waitUntil(lambda: page._problem is not None, timeout=30_000)
    # Once: where the data would be.
    assert "empty.csv" in page.empty._title.text()
    assert running.window.notices.notices == ()
    assert running.crashes.dialog is None


def test_saving_and_opening_again(running, qtbot, csv, tmp_path):
    session = running.workspace.session
    running.window.files.open_path(csv)
    qtbot.waitUntil(lambda: session.loaded is not None, timeout=30_000)
    path = tmp_path / "p.deid.json"
    running.workspace.save(path)
    assert load_project(path).inputs
    running.window.files.close_project()
    assert session.loaded is None
    running.open_first(path)
    qtbot.waitUntil(lambda: session.loaded is not None, timeout=30_000)
    assert running.window.notices.notices == ()


def test_the_example_comes_with_its_decisions(running, qtbot):
    session = running.workspace.session
    running.window.files.open_example()
    qtbot.waitUntil(lambda: session.undo_label is not None, timeout=60_000)
    assert session.project == sample.decided(session.project)
    assert session.undo_label == "decisions of the worked example"
    running.workspace.session.undo()
    assert not session.project.privacy.models


def test_what_a_crash_left_is_offered(qapp, qtbot, csv):
    first = Running(qapp, Settings())
    first.workspace.open_data(csv)
    qtbot.waitUntil(lambda: first.workspace.session.loaded is not None, timeout=30_000)
    first.workspace.session.apply(ops.set_notes("careful"), "change notes")
    first.workspace.autosave()
    first.workspace.runner.close()  # as a crash: nothing is tidied up
    first.window.deleteLater()
    first.dispatcher.deleteLater()
    second = Running(qapp, Settings())
    qtbot.addWidget(second.window)
    second.window.files.ask = lambda *_args: "discard"
    second.open_first(None)
    (notice,) = second.window.notices.notices
    notice.act()
    session = second.workspace.session
    qtbot.waitUntil(lambda: session.loaded is not None, timeout=30_000)
    assert session.has_unsaved_changes
    second.close()
    assert not second.recovery.exists
    second.dispatcher.deleteLater()


def test_tables_of_counts_that_a_crash_left_are_restored(qapp, qtbot):
    """Their steps are others: the window was led to one that they do not have."""
    first = Running(qapp, Settings())
    first.workspace.begin_counts()
    first.workspace.session.apply(ops.set_notes("careful"), "change notes")
    first.workspace.autosave()
    first.workspace.runner.close()
    first.window.deleteLater()
    first.dispatcher.deleteLater()
    second = Running(qapp, Settings())
    qtbot.addWidget(second.window)
    second.window.files.ask = lambda *_args: "discard"
    second.open_first(None)
    (notice,) = second.window.notices.notices
    with qtbot.captureExceptions() as raised:
        notice.act()
        window = second.window
        qtbot.waitUntil(lambda: window.current_key == "tables", timeout=30_000)
        qtbot.waitUntil(lambda: window.current_key in window._pages, timeout=30_000)
    assert raised == []
    assert second.workspace.session.project.notes == "careful"
    second.close()
    second.dispatcher.deleteLater()


def test_a_signal_keeps_unsaved_decisions(qapp, qtbot, csv, monkeypatch):
    """Nobody was asked whether to save: the next start offers them."""
    first = Running(qapp, Settings())
    first.workspace.open_data(csv)
    qtbot.waitUntil(lambda: first.workspace.session.loaded is not None, timeout=30_000)
    first.workspace.session.apply(ops.set_notes("careful"), "change notes")
    # No loop is running: Qt would refuse to begin any later one in this process.
    codes: list[int] = []
    monkeypatch.setattr(QApplication, "exit", codes.append)
    first.end()
    assert codes == [CANCELLED]
    first.close()
    first.window.deleteLater()
    first.dispatcher.deleteLater()
    second = Running(qapp, Settings())
    qtbot.addWidget(second.window)
    second.window.files.ask = lambda *_args: "discard"
    assert second.recovery.exists
    second.open_first(None)
    second.close()
    second.dispatcher.deleteLater()
