"""The screen outlives every widget that asked for it."""

from __future__ import annotations

import re
from pathlib import Path

import shiboken6
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

import deidgui
from deidgui.qt.screens import available_area
from deidgui.qt.widgets.popover import Popover

CALL_THAT_ADOPTS = re.compile(r"\.screen\(\)")
"""Of a widget or a window: the screen becomes its child in Python."""


def test_a_screen_belongs_to_no_widget(qapp, qtbot):
    """A parent that Python collects as garbage would take the screen with it."""
    anchor = QWidget()
    qtbot.addWidget(anchor)
    anchor.show()
    sheet = Popover(anchor)
    sheet.open_at(anchor)
    screen = QGuiApplication.primaryScreen()
    assert "parent.." not in shiboken6.dump(screen)
    assert available_area(anchor) == screen.availableGeometry()


def test_nobody_asks_a_widget_for_its_screen():
    folders = (Path(deidgui.__file__).parent / "qt", Path(__file__).parent)
    found = [
        path.name
        for folder in folders
        for path in sorted(folder.rglob("*.py"))
        if CALL_THAT_ADOPTS.search(path.read_text(encoding="utf-8"))
    ]
    assert not found


def test_a_widget_beside_every_screen_stands_on_the_first(qtbot):
    lost = QWidget()
    qtbot.addWidget(lost)
    lost.move(100_000, 100_000)
    assert available_area(lost) == QGuiApplication.primaryScreen().availableGeometry()
