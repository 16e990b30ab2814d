"""Every figure that a person reads has a unit, a per cent sign or a noun beside it.

Shares and probabilities stand in one form: 20 %, with a narrow space.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields

import pytest
from PySide6.QtCore import QAbstractItemModel, QRect, Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QLabel,
    QTableView,
    QWidget,
)

from deidgui.app.charts.base import Axis, AxisUnit
from deidgui.app.workspace import Workspace
from deidgui.qt.charts.view import ChartView
from deidgui.qt.main_window import MainWindow
from deidgui.qt.widgets import DataGrid, Segmented
from tests.engine.counts.seed import TABLE_1, TABLE_2
from tests.explored_case import fill as fill_case
from tests.explored_case import make_case
from tests.qt.fakes import InlineExecutor
from tests.qt.geometry import shown
from tests.qt.pages.test_counts import paste

UNIT = re.compile(
    r"\b(?:answer|assumption|attacker|attribute|block|byte|cell|character|check|class|column|"
    r"combination|condition|correct|count|day|deviation|digit|event|figure|file|generalization|"
    r"group|identifier|item|level|line|link|loss|measure|member|month|pair|part|people|"
    r"person|place|point|polic|position|proposal|question|quasi|record|repeat|row|second|site|"
    r"size|step|table|threshold|time|value|week|weight|year)"
)
"""What is counted or measured, at the beginning of a word."""

BARE_HEADS = {
    "No.": "the place of a policy in the list",
    "σ": "a standard deviation has the unit of the counts",
}
"""Headings of columns of figures that have no unit, and why."""

BARE = {
    r"\d+/\d+": "which level of how many: the tooltip of the cell says it in words",
    r"(19|20)\d\d": "a year",
}
"""Figures that stand alone, and why."""

AS_THEY_ARE = ("Cells of the table", "The table, with what can be inferred")
"""Tables that show somebody's own table, whose own headings stand in its cells."""

FIRST_ROWS = 12
"""Rows of a table that are looked at: the others are made in the same way."""


def unmarked(text: str) -> str:
    """Words without markup and shortcuts, with their spaces as they are."""
    if "<" in text:
        text = QTextDocumentFragment.fromHtml(text).toPlainText()
    return text.replace("&", "")


def plain(text: str) -> str:
    """Words without markup and shortcuts, one space between two of them."""
    return " ".join(unmarked(text).split())


def is_bare(text: str) -> bool:
    """Whether a part of a text is figures alone; labels with * are values."""
    return any(
        re.search(r"\d", part)
        and not re.search(r"[^\W\d_]|[%*]", part)
        and not any(re.fullmatch(each, part.strip()) for each in BARE)
        for part in text.split("·")
    )


def names_unit(text: str) -> bool:
    """Whether a text says what is counted or measured."""
    return UNIT.search(plain(text).lower()) is not None


def beside(widget: QWidget) -> Iterator[str]:
    """Texts of the same line, above and below, among the nearest relatives."""
    place, top = widget, widget.window()
    for _ in range(3):
        place = place.parentWidget()
        if place is None or place is top:
            return
        own = QRect(widget.mapTo(place, widget.rect().topLeft()), widget.size())
        for other in place.findChildren(QLabel):
            if other is widget or not other.isVisibleTo(place):
                continue
            at = QRect(other.mapTo(place, other.rect().topLeft()), other.size())
            is_in_line = at.top() <= own.bottom() and own.top() <= at.bottom()
            gap = max(own.top() - at.bottom(), at.top() - own.bottom())
            is_near = at.left() <= own.right() and own.left() <= at.right()
            if is_in_line or (is_near and gap < own.height()):
                yield other.text()


def bare_texts(page: QWidget) -> Iterator[str]:
    """Labels, buttons and fields of numbers that say no unit."""
    for widget in shown(page):
        if isinstance(widget, QLabel | QAbstractButton):
            text = plain(widget.text())
            is_part = isinstance(widget.parentWidget(), QAbstractSpinBox)
        elif isinstance(widget, QAbstractSpinBox):
            text, is_part = plain(widget.text()), False
            if names_unit(widget.accessibleName()):
                continue
        else:
            continue
        if is_bare(text) and not is_part and not any(map(names_unit, beside(widget))):
            yield f"{type(widget).__name__} “{text}” ({widget.accessibleName()})"


def bare_cells(page: QWidget) -> Iterator[str]:
    """Columns of tables with figures and a heading that says no unit."""
    across = Qt.Orientation.Horizontal
    for view in shown(page):
        # A grid shows the values of the file as they are.
        if not isinstance(view, QTableView) or isinstance(view, DataGrid):
            continue
        model = view.model()
        is_own = view.accessibleName() in AS_THEY_ARE
        if is_own or not isinstance(model, QAbstractItemModel):
            continue
        for column in range(model.columnCount()):
            head = model.headerData(column, across)
            tip = model.headerData(column, across, Qt.ItemDataRole.ToolTipRole)
            cells = (
                str(model.index(row, column).data() or "")
                for row in range(min(model.rowCount(), FIRST_ROWS))
            )
            is_named = str(head) in BARE_HEADS or names_unit(f"{head} {tip or ''}")
            if not is_named and (text := next(filter(is_bare, cells), "")):
                yield f"{view.accessibleName()}, column “{head}”: “{text}”"


OTHER_PER_CENT = re.compile(r"\d(?:%|[^\S\u202f]%)|per cent")
"""A per cent sign that is not written as everywhere: 20 % with a narrow space."""

PROBABLE = re.compile(r"\b(?:risk|probabilit|chance|likel)", re.IGNORECASE)
DECIMAL = re.compile(r"(?<![\d.,=≈σρεδα] )(?<![\d.,])0\.\d+(?!\s*[\u202f ]?%)")
"""A share written as a decimal; a parameter of a formula stands behind its letter."""


def said_in(page: QWidget) -> Iterator[str]:
    """Texts that are shown, those under the pointer and those of tables."""
    for widget in shown(page):
        if isinstance(widget, QLabel | QAbstractButton | QAbstractSpinBox):
            yield unmarked(widget.text())
        yield unmarked(widget.toolTip())
        is_own = widget.accessibleName() in AS_THEY_ARE
        if isinstance(widget, QTableView) and not isinstance(widget, DataGrid):
            yield from () if is_own else cells_of(widget.model())


def cells_of(model: QAbstractItemModel | None) -> Iterator[str]:
    """Heads and cells of a table, each cell behind its head."""
    across = Qt.Orientation.Horizontal
    for column in range(model.columnCount() if model else 0):
        head = str(model.headerData(column, across) or "")
        for row in range(min(model.rowCount(), FIRST_ROWS)):
            yield f"{head}: {model.index(row, column).data() or ''}"


def other_forms(page: QWidget) -> Iterator[str]:
    """Shares and probabilities that are not written as 20 %."""
    for text in said_in(page):
        if OTHER_PER_CENT.search(text):
            yield f"per cent: “{text}”"
        elif PROBABLE.search(text) and DECIMAL.search(text):
            yield f"decimal: “{text}”"


def unnamed_axes(page: QWidget) -> Iterator[str]:
    """Axes of charts that do not say on the chart what their figures are."""
    for view in shown(page):
        if not isinstance(view, ChartView) or view.chart is None or not view.is_drawn:
            continue
        said = {each.text for each in view.key.entries}
        said |= {view.plot.getAxis(name)._label for name in ("left", "bottom")}
        for field in fields(view.chart):
            axis = getattr(view.chart, field.name)
            if not isinstance(axis, Axis) or field.name == "category_axis":
                continue
            name = axis.label.text()
            if not any(name in each for each in said if each and name):
                yield f"{type(view).__name__}: {field.name} “{name}” is not shown"
            if axis.unit is AxisUnit.COUNT and not names_unit(name):
                yield f"{type(view).__name__}: {field.name} “{name}” counts what?"


def faults(page: QWidget) -> list[str]:
    found = (bare_texts(page), bare_cells(page), unnamed_axes(page), other_forms(page))
    return [fault for each in found for fault in each]


def views_of(page: QWidget) -> Iterator[str]:
    """Show a page as it is, then each of its views."""
    yield ""
    for bar in page.findChildren(Segmented):
        if not bar.isVisibleTo(page):
            continue
        first = bar.current
        for key in bar._keys:
            if key != first and bar.offers(key):
                bar._on_clicked(bar._keys.index(key))
                yield key
        bar._on_clicked(bar._keys.index(first))


def bare_figures(window) -> list[str]:
    """Everything that is wrong on all pages of a window."""
    found = []
    for step in window._steps:
        window.show_step(step.key)
        page = window.page(step.key)
        for view in views_of(page):
            for _ in range(3):
                QApplication.processEvents()
            parts = (page, window.rail, window.footer)
            found += [f"{step.key} {view}: {e}" for part in parts for e in faults(part)]
    return list(dict.fromkeys(found))


def assert_named(window) -> None:
    found = bare_figures(window)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("text", ["12", "1,234", "≥ 3", "2 → 3", "0.44", "12 · 5 %"])
def test_figures_alone_are_found(text):
    assert is_bare(text)


@pytest.mark.parametrize("text", ["12 records", "5 %", "age", "k = 5", "1/3"])
def test_figures_with_a_unit_are_left_alone(text):
    assert not is_bare(text)


@pytest.mark.parametrize("text", ["20%", "20 %", "20\u00a0%", "5 per cent"])
def test_other_forms_of_per_cent_are_found(text):
    assert OTHER_PER_CENT.search(text)


def test_a_risk_as_a_decimal_is_found():
    assert DECIMAL.search("a risk of 0.2 at most")
    assert not DECIMAL.search("a risk of 0.2\u202f%")
    assert not OTHER_PER_CENT.search("20\u202f%")


def test_every_figure_of_people_has_a_unit(window, workspace):
    fill_case(workspace.session, make_case())
    window.resize(1920, 1080)
    assert_named(window)


def test_every_figure_of_tables_of_counts_has_a_unit(qtbot, settings):
    workspace = Workspace(lambda closure: closure(), executor=InlineExecutor())
    window = MainWindow(workspace, settings)
    window.files.ask = lambda *_args: "discard"
    qtbot.addWidget(window)
    window.resize(1920, 1080)
    with qtbot.waitExposed(window):
        window.show()
    window.files.new_counts()
    paste(window, TABLE_1, TABLE_2)
    tables = window.page("tables")
    tables._threshold.setValue(11)
    tables._confirm.click()
    window.show_step("structure")
    window.page("structure")._confirm.click()
    assert workspace.counts.audited.cells
    assert_named(window)
    workspace.close()
