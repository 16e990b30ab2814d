"""Fixtures for the window: offscreen, fresh settings, nothing left dangling."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from deidgui.app.storage.places import HOME_VARIABLE
from deidgui.qt.application import load_charts
from deidgui.qt.dispatch import GarbageCollector
from deidgui.qt.main_window import MainWindow
from deidgui.qt.settings import Settings
from deidgui.qt.theme import Mode, apply_theme
from tests.qt.ends import delete_now
from tests.qt.fakes import FakeWorkspace, fill

HERE = Path(__file__).parent

_add_widget = QtBot.addWidget


def _add_and_hold(self, widget, **others):
    """Hold a widget until it is closed: the collector would end it from any part on.

    Not a dialog: it may ask when it is closed, and nobody would answer.
    """
    _add_widget(self, widget, **others)
    if not isinstance(widget, QDialog):
        self._request.addfinalizer(partial(id, widget))


QtBot.addWidget = _add_and_hold


def pytest_configure(config):
    # The offscreen platform says what it cannot do; real ones can.
    config.addinivalue_line("qt_log_ignore", "^This plugin does not support")


def pytest_collection_modifyitems(items):
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("gui")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A folder of settings that no other test has seen."""
    folder = tmp_path / "home"
    monkeypatch.setenv(HOME_VARIABLE, str(folder))
    return folder


@pytest.fixture(autouse=True)
def themed(qapp):
    """The light theme, whatever the test before has left."""
    theme = apply_theme(qapp, Mode.LIGHT)
    yield theme
    if theme.mode is not Mode.LIGHT or theme.text_scale != 1.0:
        apply_theme(qapp, Mode.LIGHT)


@pytest.fixture(scope="session")
def garbage(qapp):
    """Widgets are destroyed on this thread alone, as in the running program."""
    collector = GarbageCollector(qapp)
    yield collector
    collector.close()


@pytest.fixture(autouse=True)
def collected(garbage):
    """Tests without an event loop collect garbage too."""
    yield
    garbage.collect_if_due()


@pytest.fixture(autouse=True)
def nothing_dangling(qapp):
    """No test may leave a window behind."""
    before = set(QApplication.topLevelWidgets())
    yield
    delete_now()
    left = [
        widget
        for widget in QApplication.topLevelWidgets()
        if widget not in before and widget.parent() is None
    ]
    for widget in left:
        widget.deleteLater()
    assert not left, left


@pytest.fixture
def settings():
    return Settings()


@pytest.fixture
def workspace():
    return FakeWorkspace()


@pytest.fixture
def window(qtbot, workspace, settings):
    """The real window over a workspace that only remembers commands."""
    made = MainWindow(workspace, settings)
    made.files.ask = leave
    qtbot.addWidget(made)
    made.resize(1280, 720)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    made.show_step("start")
    return made


def leave(_title, _text, answers):
    """Answer whatever keeps a window open so that it closes."""
    return "stop" if "stop" in {key for key, *_ in answers} else "discard"


@pytest.fixture
def filled(window, workspace):
    """The window with a table that was read."""
    fill(workspace.session)
    window.show_step("start")
    return window


@pytest.fixture(scope="session", autouse=True)
def charts_loaded(qapp):
    """As in the running program: see `make_application`."""
    load_charts()
