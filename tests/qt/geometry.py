"""What of the window is cut, covered or out of reach.

Usage: ``python -m tests.qt.geometry TEXT_SCALE WIDTHxHEIGHT...``. Shows every page and
each of its views in windows of these sizes and prints what is wrong. A process of its
own: the factor of the screen (``QT_SCALE_FACTOR``) holds for a process.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from itertools import combinations

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QScrollBar,
    QStackedWidget,
    QTabBar,
    QWidget,
)

import deidgui  # noqa: F401 - guards None/True/False before any Qt use
from deidgui.qt.widgets import Segmented

CONTROLS = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
)
INSIDE = (QAbstractSpinBox, QComboBox, QAbstractItemView, QScrollBar, QTabBar)
"""What holds controls that are parts of it, and no others."""

USABLE = 40
"""Pixels that a part which scrolls must show at least."""


def controls(top: QWidget) -> Iterator[QWidget]:
    """Controls that are shown, without the parts of larger ones."""
    for widget in top.findChildren(QWidget):
        if not isinstance(widget, CONTROLS) or not widget.isVisibleTo(top):
            continue
        place, is_part = widget.parentWidget(), False
        while place is not None and place is not top:
            is_part = is_part or isinstance(place, INSIDE) or place.isWindow()
            place = place.parentWidget()
        if not is_part:
            yield widget


def name(widget: QWidget) -> str:
    """Words that tell which widget is meant."""
    text = getattr(widget, "text", None)
    words = text() if callable(text) else ""
    own = words or widget.accessibleName() or widget.toolTip() or widget.objectName()
    parents = []
    place = widget.parentWidget()
    while place is not None and len(parents) < 3:
        if type(place).__name__ not in ("QWidget", "QStackedWidget", "QFrame"):
            parents.append(type(place).__name__)
        place = place.parentWidget()
    return f"{type(widget).__name__} “{own}” in {'<'.join(parents)}"


def is_reachable(widget: QWidget, top: QWidget) -> str:
    """Why a control cannot be brought to sight, or ""."""
    rect = QRect(QPoint(0, 0), widget.size())
    place = widget
    while place is not top:
        parent = place.parentWidget()
        rect = rect.translated(place.pos())
        area = parent.parentWidget() if parent is not None else None
        if isinstance(area, QScrollArea) and parent is area.viewport():
            bars = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            if area.horizontalScrollBarPolicy() is bars and (
                rect.right() - place.x() >= parent.width()
            ):
                return f"{rect.right() - place.x() - parent.width() + 1} px right of what scrolls"
            if parent.width() < USABLE or parent.height() < USABLE:
                return f"what scrolls is {parent.width()}×{parent.height()} px small"
            rect = QRect(QPoint(0, 0), parent.size())
        else:
            seen = rect.intersected(parent.rect())
            cut = max(rect.width() - seen.width(), rect.height() - seen.height())
            if cut > 1:
                return f"{cut} px outside {type(parent).__name__}"
        place = parent
    return ""


def unreachable(top: QWidget) -> Iterator[str]:
    """Controls that no scrolling brings to sight."""
    for widget in controls(top):
        why = is_reachable(widget, top)
        if why:
            yield f"unreachable: {name(widget)}: {why}"


def cut(top: QWidget) -> Iterator[str]:
    """Buttons whose words have less room than they need."""
    kinds = (QPushButton, QCheckBox, QRadioButton)
    for widget in controls(top):
        if isinstance(widget, kinds) and widget.text():
            least = widget.minimumSizeHint()
            if widget.width() < least.width() or widget.height() < least.height() - 1:
                yield f"cut: {name(widget)}: {widget.size().toTuple()} < {least.toTuple()}"


def covered(top: QWidget) -> Iterator[str]:
    """Neighbours of a layout of which one lies on the other."""
    only = Qt.FindChildOption.FindDirectChildrenOnly
    for widget in (top, *top.findChildren(QWidget)):
        is_layered = isinstance(widget, QStackedWidget | QAbstractScrollArea)
        if widget.layout() is None or is_layered or not widget.isVisibleTo(top):
            continue
        inside = [
            each
            for each in widget.findChildren(QWidget, options=only)
            if each.isVisibleTo(widget)
            and not each.isWindow()
            and not each.size().isEmpty()
        ]
        for one, other in combinations(inside, 2):
            both = one.geometry().intersected(other.geometry())
            if both.width() > 1 and both.height() > 1:
                yield f"covered: {name(one)} and {name(other)} by {both.size().toTuple()}"


def faults(top: QWidget) -> list[str]:
    """Everything that is wrong with what is shown of a widget."""
    return [*unreachable(top), *cut(top), *covered(top)]


def settle() -> None:
    """Let layouts come to rest."""
    for _ in range(4):
        QApplication.sendPostedEvents()
        QApplication.processEvents()


class Survey:
    """A window with results, and the faults found in it."""

    def __init__(self, text_scale: float) -> None:
        os.environ["DEIDGUI_HOME"] = tempfile.mkdtemp(prefix="deidgui-geometry-")
        from deidgui.qt.application import make_application
        from deidgui.qt.main_window import MainWindow
        from deidgui.qt.settings import Settings
        from deidgui.qt.theme import Mode, apply_theme
        from tests.explored_case import fill, make_case
        from tests.qt.fakes import FakeWorkspace

        self.app = make_application(["deidgui"])
        apply_theme(self.app, Mode.LIGHT, text_scale)
        self.workspace = FakeWorkspace()
        self.window = MainWindow(self.workspace, Settings())
        self.window.show()
        fill(self.workspace.session, make_case())
        self.found: list[str] = []

    def look(self, where: str, top: QWidget) -> None:
        settle()
        self.found += [f"{where}: {each}" for each in dict.fromkeys(faults(top))]

    def walk(self) -> None:
        """Show every page with each of its views."""
        window = self.window
        available = window.screen().availableGeometry()
        settle()
        frame = window.frameGeometry()
        if not available.contains(frame):
            self.found.append(f"window {frame.getRect()} beyond {available.getRect()}")
        for step in window._steps:
            window.show_step(step.key)
            self.look(step.key, window)
            page = window.page(step.key)
            for bar in page.findChildren(Segmented):
                if not bar.isVisibleTo(page):
                    continue
                first = bar.current
                for key in bar._keys:
                    if key != first and bar.offers(key):
                        bar._on_clicked(bar._keys.index(key))
                        self.look(f"{step.key} {key}", window)
                bar._on_clicked(bar._keys.index(first))


def main() -> None:
    survey = Survey(float(sys.argv[1]))
    for size in sys.argv[2:]:
        wide, high = map(int, size.split("x"))
        survey.window.resize(wide, high)
        survey.walk()
        print(size, survey.window.size().toTuple())
    for each in survey.found:
        print(each)


if __name__ == "__main__":
    main()
