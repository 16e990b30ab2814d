"""The screen that a widget stands on."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget


def available_area(widget: QWidget) -> QRect:
    """Return what a window may use of the screen that a widget stands on.

    Nobody may call `QWidget.screen` or `QWindow.screen`. PySide takes what they return
    for a child of the widget; where Python's garbage collector then finds the widget,
    it deletes the screen of the whole program, and the next text that is measured
    reads freed memory. (Functions that belong to no object have no such effect.)
    """
    middle = widget.mapToGlobal(widget.rect().center())
    screen = QGuiApplication.screenAt(middle) or QGuiApplication.primaryScreen()
    return screen.availableGeometry()
