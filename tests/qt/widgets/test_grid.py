"""The grid: correct cells, quick at any length, kind to the clipboard."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStyledItemDelegate
from pytestqt.modeltest import ModelTester

from deidgui.engine.data.table import Column, LineIndex, Table
from deidgui.qt.widgets import (
    CellDelegate,
    CellMark,
    DataGrid,
    Label,
    TableModel,
    scroll_together,
)
from deidgui.qt.widgets.grid import IS_MISSING_ROLE, MARK_ROLE
from tests.qt.fakes import big_table, small_table


class CountingModel(TableModel):
    calls = 0

    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        self.calls += 1
        return super().data(index, role)


@pytest.fixture(scope="module")
def million():
    return big_table()


def tiny() -> Table:
    columns = (
        Column.from_texts("a", ["x", "", "Y", "x"]),
        Column.from_texts("b", ["1", "2", "3", "4"]),
    )
    return Table("t.csv", columns, LineIndex(2, (2,), (7,)))


def cells(model):
    return [
        [model.index(r, c).data() for c in range(model.columnCount())]
        for r in range(model.rowCount())
    ]


def test_model_passes_the_model_tester(request):
    ModelTester(request.config).check(TableModel(small_table(50)))


def test_cells_headings_and_lines():
    model = TableModel(tiny())
    assert cells(model) == [["x", "1"], ["", "2"], ["Y", "3"], ["x", "4"]]
    horizontal, vertical = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    assert [model.headerData(c, horizontal) for c in range(2)] == ["a", "b"]
    assert [model.headerData(r, vertical) for r in range(4)] == ["2", "3", "7", "8"]
    assert [model.index(r, 0).data(IS_MISSING_ROLE) for r in range(4)] == [
        False,
        True,
        False,
        False,
    ]


def test_an_order_changes_what_rows_are_shown():
    model = TableModel(tiny(), np.array([3, 2]))
    assert cells(model) == [["x", "4"], ["Y", "3"]]
    assert model.headerData(0, Qt.Orientation.Vertical) == "8"
    model.set_order(None)
    assert model.rowCount() == 4


def test_marks_are_asked_for_in_blocks_of_table_rows():
    asked = []

    def marks(rows, place):
        asked.append((rows.tolist(), place))
        return np.where(rows == 2, CellMark.CHANGED, CellMark.NONE).astype(np.uint8)

    model = TableModel(tiny(), np.array([2, 0]))
    model.set_marks(marks)
    assert [model.index(r, 1).data(MARK_ROLE) for r in (0, 1)] == [1, 0]
    assert asked == [([2, 0], 1)]


def test_copying_gives_tab_separated_text_with_headings(qtbot):
    columns = [("a", ["1", "x\ty\nz"]), ("b", ["2", ""])]
    table = Table("t", tuple(Column.from_texts(*column) for column in columns))
    grid = DataGrid(table)
    qtbot.addWidget(grid)
    grid.selectAll()
    grid.copy_selection()
    assert QGuiApplication.clipboard().text() == "a\tb\n1\t2\nx y z\t"


def test_missing_changed_and_suppressed_cells_look_different(qtbot):
    grid = DataGrid(Table("t", (Column.from_texts("a", ["v", "v", "v", "v", ""]),)))
    qtbot.addWidget(grid)
    grid.resize(200, 240)
    grid.show()
    marks = np.array([0, 1, 2, 3, 0], dtype=np.uint8)
    grid.table_model.set_marks(lambda rows, _place: marks[rows])
    image = grid.viewport().grab().toImage()
    pictures = []
    for row in range(5):
        rect = grid.visualRect(grid.table_model.index(row, 0))
        pictures.append(image.copy(rect))
    assert all(
        one != other
        for place, one in enumerate(pictures)
        for other in pictures[place + 1 :]
    )


def test_a_million_rows_open_and_scroll_without_a_storm(qtbot, million):
    grid = DataGrid()
    qtbot.addWidget(grid)
    model = CountingModel(million)
    model.setParent(grid)
    grid._grid_model = model
    grid.setModel(model)
    grid._fit()
    grid.resize(1200, 700)
    grid.show()
    qtbot.waitExposed(grid)
    bar = grid.verticalScrollBar()
    n_visible = (700 // grid.rowHeight(0) + 2) * (1200 // 64 + 2)
    model.calls = 0
    positions = [0, 10_000, 700_000, bar.maximum()]
    for position in positions:
        bar.setValue(position)
        grid.viewport().repaint()
    # Each visible cell is asked for text, marks and a few roles of its look.
    assert model.calls <= len(positions) * n_visible * 14
    assert grid.table_model.headerData(1_499_999, Qt.Orientation.Vertical)


def test_a_thousand_columns(qtbot):
    grid = DataGrid(big_table(1000, 1000))
    qtbot.addWidget(grid)
    grid.resize(800, 400)
    grid.show()
    grid.horizontalScrollBar().setValue(grid.horizontalScrollBar().maximum())
    assert not grid.grab().isNull()


def test_an_empty_table(qtbot):
    grid = DataGrid(Table("t", ()))
    qtbot.addWidget(grid)
    assert grid.table_model.rowCount() == 0
    grid.copy_selection()
    grid.set_table(tiny())
    assert grid.table_model.rowCount() == 4


def test_a_column_of_few_values_is_as_wide_as_all_of_them(qtbot):
    """Rows drawn at random show also those that do not begin the file."""
    texts = ["?"] * 1000 + ["[75-100), by another scale"]
    grid = DataGrid(Table("t", (Column.from_texts("a", texts),)))
    qtbot.addWidget(grid)
    assert grid.columnWidth(0) > grid.fontMetrics().horizontalAdvance(texts[-1])


def test_two_grids_scroll_together(qtbot):
    one, other = DataGrid(small_table()), DataGrid(small_table())
    for grid in (one, other):
        qtbot.addWidget(grid)
        grid.resize(300, 200)
        grid.show()
    scroll_together(one, other)
    one.verticalScrollBar().setValue(120)
    assert other.verticalScrollBar().value() == 120
    other.horizontalScrollBar().setValue(9)
    assert one.horizontalScrollBar().value() == 9


def test_the_keyboard_leaves_the_grid_by_tab(qtbot):
    grid = DataGrid(tiny())
    qtbot.addWidget(grid)
    assert not grid.tabKeyNavigation()


def test_cells_and_headings_steer_no_reader():
    columns = (Column.from_texts("l\u202etfel", ["a\u2066b"]),)
    model = TableModel(Table("t.csv", columns, LineIndex(2)))
    across = Qt.Orientation.Horizontal
    assert model.headerData(0, across) == r"l\u202etfel"
    assert model.headerData(0, across, Qt.ItemDataRole.ToolTipRole) == r"l\u202etfel"
    assert model.index(0, 0).data() == r"a\u2066b"
    assert model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole) == r"a\u2066b"
    assert Label("l\u202etfel").text() == r"l\u202etfel"


class StyledDelegate(CellDelegate):
    """Lets the style draw every cell."""

    def _paint_text(self, painter, option, index, *_given):
        QStyledItemDelegate.paint(self, painter, option, index)


@pytest.mark.parametrize("is_selected", [False, True])
def test_cells_look_as_the_style_draws_them(qtbot, is_selected):
    texts = ["plain", "", "1.5", "gjpqy Å", "two\nlines", "a\ttab", "long " * 30, "*"]
    columns = [Column.from_texts(mark.name, texts) for mark in CellMark]
    grid = DataGrid(Table("t", tuple(columns)))
    qtbot.addWidget(grid)
    grid.resize(1500, 400)
    grid.table_model.set_marks(lambda rows, place: np.full(len(rows), place, np.uint8))
    if is_selected:
        grid.selectAll()
    quick = grid.grab().toImage()
    grid.setItemDelegate(StyledDelegate(grid))
    assert grid.grab().toImage() == quick
