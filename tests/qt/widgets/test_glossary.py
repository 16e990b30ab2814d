"""Terms of the glossary are explained wherever they stand in the window."""

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from deidgui.qt.main_window import MainWindow
from deidgui.qt.settings import Settings
from deidgui.qt.widgets.text import Caption, Label, Title
from tests.qt.fakes import FakeWorkspace


def hover(widget):
    place = QPoint(2, 2)
    event = QHelpEvent(QEvent.Type.ToolTip, place, widget.mapToGlobal(place))
    QApplication.sendEvent(widget, event)
    return QToolTip.text()


@pytest.mark.parametrize("kind", [Title, Label, Caption])
def test_a_term_is_explained_on_hover_and_to_screen_readers(qtbot, kind):
    label = kind("Two quasi-identifiers")
    qtbot.addWidget(label)
    label.show()
    shown = hover(label)
    assert shown.startswith("Quasi-identifier: a column that others may know")
    assert label.accessibleDescription() == shown
    label.setText("Nothing of that kind")
    assert label.accessibleDescription() == ""


def test_a_description_of_its_own_stays(qtbot):
    label = Label("Suppression limit")
    qtbot.addWidget(label)
    label.setAccessibleDescription("Own")
    label.setText("Equivalence class")
    assert label.accessibleDescription() == "Own"


@pytest.mark.parametrize(
    ("step", "term"), [("risk", "Threshold"), ("hierarchies", "Hierarchy")]
)
def test_terms_in_page_headers_are_explained(qtbot, step, term):
    window = MainWindow(FakeWorkspace(), Settings())
    qtbot.addWidget(window)
    window.show_step(step)
    (title,) = window.page(step).findChildren(Title)
    assert hover(title).startswith(f"{term}: ")
