"""Context menus do what buttons do; dialogs begin where they were."""

import ast
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu

import deidgui.qt
from deidgui.qt import file_dialogs
from deidgui.qt.charts.frame import ChartFrame
from deidgui.qt.pages import STEPS
from tests.explored_case import fill as fill_case
from tests.explored_case import make_case


@pytest.fixture
def explored(window, workspace):
    """The window with classes and a search."""
    fill_case(workspace.session, make_case())
    return window


def by_key(window):
    """Press the menu key where the focus is, as systems tell it to a window."""
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    reason = QContextMenuEvent.Reason.Keyboard
    event = QContextMenuEvent(reason, QPoint(), QPoint())
    QApplication.sendEvent(window.windowHandle(), event)
    return opened()


def by_mouse(widget, at):
    """Press the right button on a widget."""
    reason = QContextMenuEvent.Reason.Mouse
    event = QContextMenuEvent(reason, at, widget.mapToGlobal(at))
    QApplication.sendEvent(widget, event)
    return opened()


def opened():
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    menu.close()
    return {each.text(): each for each in menu.actions() if each.text()}


def test_columns_of_the_data_have_a_menu(explored, workspace, monkeypatch):
    said = []
    monkeypatch.setattr(
        workspace, "change_columns", lambda wanted, _label: said.append(wanted)
    )
    explored.show_step("data")
    columns = explored.page("data").columns
    explored.page("data").show_view("columns")
    first = columns.current_name
    columns.table.setFocus()
    entries = by_key(explored)
    assert list(entries) == ["Leave out of the release", "Set the type"]
    entries["Leave out of the release"].trigger()
    assert said == [{first: {"include": False}}]
    entries["Set the type"].trigger()
    assert columns.panel.kind.hasFocus()
    columns.table.selectAll()
    columns.table.setFocus()
    entries = by_key(explored)
    assert not entries["Set the type"].isEnabled()
    next(iter(entries.values())).trigger()
    assert len(said[1]) == columns.model.rowCount() > 1


def test_columns_have_a_menu(explored, workspace, monkeypatch):
    said = []
    for name in ("set_roles", "change_columns"):
        monkeypatch.setattr(workspace, name, said_to(said), raising=False)
    explored.show_step("attributes")
    page = explored.page("attributes")
    page.table.selectAll()
    page.table.setFocus()
    entries = by_key(explored)
    assert list(entries) == [
        "Direct identifier",
        "Quasi-identifier",
        "Sensitive",
        "Insensitive",
        "Leave out or take in again",
    ]
    entries["Sensitive"].trigger()
    names, role, _label = said[0]
    assert role == "sensitive"
    assert set(names) == {each.name for each in workspace.session.project.attributes}
    by_key(explored)["Leave out or take in again"].trigger()
    wanted, _label = said[1]
    assert list(wanted) == list(names)
    # One of them was left out: Space takes all in first.
    assert {each["include"] for each in wanted.values()} == {True}


def said_to(said):
    return lambda *given: said.append(given)


def test_policies_have_a_menu_in_list_and_plane(explored, workspace, qtbot):
    explored.show_step("policies")
    page = explored.page("policies")
    qtbot.waitUntil(lambda: page.results.panel.number is not None)
    page.show_tab("list")
    page.results.views.table.setFocus()
    entries = by_key(explored)
    assert list(entries) == ["Choose this policy", "Keep", "Compare"]
    entries["Keep"].trigger()
    assert len(workspace.session.project.kept) == 1
    assert "Remove" in by_key(explored)
    page.show_tab("plane")
    QApplication.processEvents()
    plane = page.results.views.plane
    other = next(
        place
        for place in range(plane.n_stops())
        if plane.chart.policies[place] != page.number
    )
    stop, before = plane.stop(other), page.number
    box = plane.plot.getViewBox()
    scene = box.mapViewToScene(QPointF(stop.x, stop.y))
    at = plane.plot.mapFromScene(scene)
    entries = by_mouse(plane.plot.viewport(), at)
    assert {"Choose this policy", "Copy the picture", "Save as PNG"} <= entries.keys()
    found = page.number
    assert found != before
    entries["Choose this policy"].trigger()
    assert page.policies.number_of(workspace.session.project.chosen) == found


def test_every_chart_has_a_menu(explored, qtbot):
    explored.build_all_pages()
    frames = [
        frame
        for step in STEPS
        for frame in explored.page(step.key).findChildren(ChartFrame)
    ]
    assert len(frames) > 10
    for frame in frames:
        frame.menu.fill()
        words = {each.text() for each in frame.menu.actions()}
        wanted = {"Copy the numbers", "Copy the picture", "Save as PNG", "Save as SVG"}
        assert wanted <= words, frame.accessibleName()
    explored.show_step("policies")
    page = explored.page("policies")
    page.show_tab("plane")
    QApplication.processEvents()
    page.results.views.plane.setFocus()
    QGuiApplication.clipboard().clear()
    by_key(explored)["Copy the numbers"].trigger()
    assert "\t" in QGuiApplication.clipboard().text()


def test_files_are_asked_for_in_one_place():
    """Else a dialog forgets its folder."""
    root = Path(deidgui.qt.__file__).parent
    asking = {
        path.name
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr.startswith(("getOpen", "getSave", "getExisting"))
    }
    assert asking == {"file_dialogs.py"}


def test_each_kind_of_dialog_begins_where_it_was(window, tmp_path, monkeypatch):
    begun = []

    def choose(_parent, _title, start, *_others):
        begun.append(start)
        return str(target), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", choose)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
    inner = window.page("start")
    target = one / "list.csv"
    assert file_dialogs.ask_open(inner, "list", "Title") == target
    target = other / "chart.png"
    file_dialogs.ask_save(inner, "picture", "Title", "chart.png")
    file_dialogs.ask_open(inner, "list", "Title")
    file_dialogs.ask_save(inner, "picture", "Title", "next.png")
    assert begun[2:] == [str(one), str(other / "next.png")]
    assert window.settings.folder_for("picture") == str(other)
    # A project that is open lies where its files are.
    project = tmp_path / "project" / "p.deid.json"
    project.parent.mkdir()
    window.session.mark_saved(project)
    file_dialogs.ask_open(inner, "list", "Title")
    file_dialogs.ask_open(inner, "list", "Title")
    file_dialogs.ask_save(inner, "picture", "Title", "last.png")
    assert begun[4:] == [
        str(project.parent), str(other), str(project.parent / "last.png")
    ]  # fmt: skip
