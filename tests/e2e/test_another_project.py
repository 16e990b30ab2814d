"""After another file was opened, the window is as if it had just been started."""

import csv
import gc
import weakref

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
)

from deidgui.app.activity import Activity
from deidgui.app.jobs import Lane
from deidgui.qt.pages import STEPS
from deidgui.qt.widgets import Notice
from tests.e2e.driver import WizardDriver
from tests.e2e.test_journeys import ready, write_patients


@pytest.fixture
def second(tmp_path):
    """A table that shares no column with the first one."""
    path = tmp_path / "visits.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["district", "gender", "born", "ward"])
        for place in range(300):
            writer.writerow(
                [
                    ("north", "south", "east")[place % 3],
                    ("f", "m")[place % 2],
                    1930 + place % 70,
                    ("surgery", "neurology", "eyes", "heart")[place % 4],
                ]
            )
    return path


def said(page):
    """What a page shows, in an order that does not change."""
    words = []
    for each in page.findChildren(QAbstractItemView):
        if each.isVisible() and each.model() is not None:
            model = each.model()
            words.append(f"{each.accessibleName()}: {model.rowCount()} rows")
    for each in page.findChildren(QAbstractScrollArea):
        if each.isVisible():
            words.append(f"scrolled {each.verticalScrollBar().value()}")
    for kind in (QLabel, QAbstractButton, QLineEdit):
        words += [e.text() for e in page.findChildren(kind) if e.isVisible()]
    for each in page.findChildren(QComboBox):
        if each.isVisible():
            words.append(each.currentText())
    return sorted(words)


def leave_traces(driver):
    """Look at everything of the first file, as somebody does who works with it."""
    for step in STEPS:
        page = driver.page(step.key)
        for area in page.findChildren(QAbstractScrollArea):
            bar = area.verticalScrollBar()
            bar.setValue(bar.maximum())
    attributes = driver.page("attributes")
    attributes.view.set_current("together")
    attributes._show_view()
    attributes.together.start()
    driver.wait_idle()
    driver.page("attributes").search.setText("diag")
    attributes._on_filter_changed()
    driver.page("data").columns.search.setText("birth")
    driver.page("data").reported.emit(Notice("About the first file", "danger"))


def test_the_second_project_looks_as_in_a_fresh_window(driver, tmp_path, second):
    fresh = WizardDriver(driver.qtbot)
    fresh.open_data(second)
    expected = pages_of(fresh)
    fresh.quit()

    ready(driver, write_patients(tmp_path / "patients.csv", n=400))
    driver.search()
    leave_traces(driver)
    driver.open_data(second)
    assert driver.window.current_key == "data"
    assert driver.window.notices.notices == ()
    assert pages_of(driver) == expected


def pages_of(driver):
    found = {}
    for step in STEPS:
        page = driver.page(step.key)
        driver.wait_idle()
        QApplication.processEvents()
        found[step.key] = said(page)
    return found


def test_pages_of_the_first_project_are_let_go(driver, tmp_path, second):
    driver.open_data(write_patients(tmp_path / "patients.csv", n=200))
    for step in STEPS:
        driver.page(step.key)
    driver.wait_idle()
    before = [weakref.ref(driver.window.page(step.key)) for step in STEPS]
    driver.open_data(second)
    driver.wait_idle()
    driver.window.build_all_pages()
    driver.wait(lambda: not driver.window._parting.isActive())
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    left = [s.key for s, each in zip(STEPS, before, strict=True) if each() is not None]
    assert left == []
    # Nobody who is gone is told of anything.
    driver.workspace.policies.baseline.changed()
    driver.workspace.activity(Activity(Lane.READ, None))


def test_what_is_typed_is_no_decision_on_the_next_project(driver, tmp_path, second):
    driver.open_data(write_patients(tmp_path / "patients.csv", n=200))
    page = driver.page("data")
    field = page.columns.search
    field.setFocus()
    driver.qtbot.keyClicks(field, "zzz")
    driver.open_data(second)
    assert driver.session.undo_label is None


def test_closing_a_project_leads_to_the_start(driver, tmp_path):
    driver.open_data(write_patients(tmp_path / "patients.csv", n=200))
    driver.page("risk")
    driver.window.actions_by_name["close"].trigger()
    driver.wait_idle()
    assert driver.window.current_key == "start"
    assert driver.window.windowTitle() == "deidgui"
    for step in STEPS:
        words = said(driver.page(step.key))
        assert not any("patients" in word for word in words)


def test_a_table_of_people_is_opened_after_tables_of_counts(qtbot):
    """The steps are those of counts until the table is read."""
    wizard = WizardDriver(qtbot)
    window = wizard.window
    window.files.new_counts()
    assert window.current_key == "tables"
    window.show_step("start")
    window.files.open_example()
    assert window.current_key == "start"
    wizard.wait(lambda: window.session.project.kind == "table")
    assert window.current_key == "data"
    wizard.wait_idle()
    assert window.page("data").isVisible()
    wizard.quit()
