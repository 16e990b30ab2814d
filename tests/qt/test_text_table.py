"""A small table of texts."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QWidget

from deidgui.qt.pages.counts.grid import CountGrid
from deidgui.qt.pages.hierarchies.views import HierarchyGrid
from deidgui.qt.widgets import CheckList, CheckTable, TextTable, column, scrolling


def enlarge(widget, factor=1.6):
    font = widget.font()
    font.setPointSizeF(factor * font.pointSizeF())
    widget.setFont(font)


def test_names_of_strangers_cannot_turn_the_text_around(qtbot):
    table = TextTable("x", ("Set", "Risk"), numbers=(1,))
    qtbot.addWidget(table)
    table.show_texts([("zip\u202e, age", "5 %"), ("sex", "1 %")], bold=1)
    assert "\u202e" not in table.item(0, 0).text()
    assert "\u202e" not in table.item(0, 0).toolTip()
    assert table.item(0, 1).textAlignment() & Qt.AlignmentFlag.AlignRight
    assert not table.item(0, 1).toolTip()
    assert [table.item(at, 0).font().bold() for at in (0, 1)] == [False, True]


def test_home_and_end_go_to_the_first_and_the_last_row(qtbot):
    table = TextTable("x", ("Set", "Risk"))
    qtbot.addWidget(table)
    table.show_texts([(f"set {place}", "5 %") for place in range(7)])
    with qtbot.waitExposed(table):
        table.show()
    table.selectRow(3)
    for key, row in ((Qt.Key.Key_End, 6), (Qt.Key.Key_Home, 0)):
        qtbot.keyClick(table, key)
        assert [each.row() for each in table.selectionModel().selectedRows()] == [row]


def test_what_takes_the_room_that_is_left_has_some_where_there_is_none(qtbot):
    table = TextTable("x", ("Column", "A long heading", "Another long heading"))
    qtbot.addWidget(table)
    table.resize(900, 200)
    enlarge(table, 2.0)
    with qtbot.waitExposed(table):
        table.show()
    table.show_texts([("admission", "x", "y")])
    seen = table.fontMetrics().horizontalAdvance("admis")
    QApplication.processEvents()
    table.resize(table.columnWidth(1) + table.columnWidth(2) + 52, 200)
    QApplication.processEvents()
    assert table.columnWidth(0) >= seen


def test_names_are_as_wide_as_they_need_where_there_is_no_room_for_all(qtbot):
    """Not as wide as they were before, nor cut."""
    table = TextTable("x", ("Column", "A long heading", "Another long heading"))
    qtbot.addWidget(table)
    table.show_texts([("hospital_region", "x", "y")])
    table.resize(900, 200)
    with qtbot.waitExposed(table):
        table.show()
    QApplication.processEvents()
    needed, others = table.sizeHintForColumn(0), sum(map(table.columnWidth, (1, 2)))
    assert table.columnWidth(0) > needed
    for left in (needed // 2, -40):
        table.resize(others + left, 200)
        QApplication.processEvents()
        assert table.columnWidth(0) == needed
    table.resize(900, 200)
    QApplication.processEvents()
    assert table.horizontalScrollBar().maximum() == 0
    assert sum(map(table.columnWidth, range(3))) == table.viewport().width()


def test_a_head_above_short_numbers_takes_two_lines(qtbot):
    heads = ("Set", "In classes of one value", "… all missing", "Gain")
    table = TextTable("x", heads, numbers=(1, 2, 3))
    qtbot.addWidget(table)
    texts = [table.horizontalHeaderItem(at).text() for at in range(4)]
    assert texts == ["Set", "In classes\nof one value", "… all\nmissing", "Gain"]
    header = table.horizontalHeader()
    room = header.fontMetrics().horizontalAdvance(heads[1])
    assert header.sectionSizeHint(1) < room
    assert header.sizeHint().height() >= 2 * header.fontMetrics().height()


def test_all_rows_are_seen_above_the_bar_of_a_narrow_table(qtbot):
    table, inside = TextTable("x", ("Set", "A", "B", "C"), numbers=(1, 2, 3)), QWidget()
    inside.setLayout(column(table, None))
    qtbot.addWidget(inside)
    table.show_texts([(f"set {place}", *["1,234,567,890"] * 3) for place in range(5)])
    table.fit(5)
    inside.resize(900, 600)
    with qtbot.waitExposed(inside):
        inside.show()
    for width in (200, 900, 200):
        inside.resize(width, 600)
        for _ in range(3):
            QApplication.processEvents()
        assert (table.horizontalScrollBar().maximum() > 0) == (width == 200)
        assert table.verticalScrollBar().maximum() == 0


def test_long_texts_take_several_lines_where_they_may(qtbot):
    table = TextTable("x", ("Day", "Event"), wide=1, wraps=True)
    qtbot.addWidget(table)
    table.resize(300, 200)
    with qtbot.waitExposed(table):
        table.show()
    table.show_texts([("2026-11-23", "lost " * 40), ("2026-11-24", "found")])
    assert table.rowHeight(0) > 2 * table.rowHeight(1)
    assert table.horizontalScrollBar().maximum() == 0


def test_a_table_of_long_texts_has_all_its_rows_in_a_page_that_scrolls(qtbot):
    """Also after its width has changed: no row is cut, nothing scrolls within it."""
    table, inside = TextTable("x", ("Day", "Event"), wide=1, wraps=True), QWidget()
    inside.setLayout(column(table))
    area = scrolling(inside)
    qtbot.addWidget(area)
    area.resize(700, 150)
    with qtbot.waitExposed(area):
        area.show()
    table.show_texts([(f"2026-11-{day}", "lost again " * 30) for day in range(10, 22)])
    for width in (700, 420, 600):
        area.resize(width, 150)
        for _ in range(4):
            QApplication.processEvents()
        assert table.verticalScrollBar().maximum() == 0
        last = table.visualItemRect(table.item(11, 1))
        assert table.viewport().rect().contains(last)
        assert all(table.rowHeight(at) >= table.sizeHintForRow(at) for at in range(12))


@pytest.mark.parametrize("width", range(200, 420, 20))
def test_no_line_of_a_long_text_is_cut_off(qtbot, width):
    """With the margins that the style sheet leaves at the sides of a cell."""
    table = TextTable("x", ("Day", "Event"), wide=1, wraps=True)
    qtbot.addWidget(table)
    table.setStyleSheet("QTableView::item { padding: 0 8px; border: 0; }")
    table.resize(width, 400)
    with qtbot.waitExposed(table):
        table.show()
    text = "Columns, roles, levels or conditions are not those of the earlier release."
    table.show_texts([("2026-11-23", text)])
    room = QRect(0, 0, table.columnWidth(1) - 22, 10_000)
    lines = table.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, text)
    assert table.rowHeight(0) >= lines.height() + 4


def test_a_head_stands_above_its_numbers(qtbot):
    table = TextTable("x", ("Set", "Risk"), numbers=(1,))
    qtbot.addWidget(table)
    assert table.horizontalHeader().defaultAlignment() & Qt.AlignmentFlag.AlignLeft
    table.setColumnCount(3)
    table.setHorizontalHeaderLabels(("Set", "Share", "Why"))
    head = table.horizontalHeaderItem(1)
    assert head.textAlignment() & Qt.AlignmentFlag.AlignRight


def test_bold_rows_follow_the_size_of_texts(qtbot):
    """Also where the same rows are shown again, which are not made anew."""
    table, rows = TextTable("x", ("Set", "Risk")), [("zip", "5 %"), ("sex", "1 %")]
    qtbot.addWidget(table)
    table.show_texts(rows, bold=0)
    enlarge(table)
    table.show_texts(rows, bold=0)
    fonts = [table.item(0, place).font() for place in (0, 1)]
    assert {each.pointSizeF() for each in fonts} == {table.font().pointSizeF()}
    assert all(each.bold() for each in fonts)
    assert not table.item(1, 0).font().bold()


@pytest.mark.parametrize(
    "make",
    [
        lambda: CountGrid("x"),
        HierarchyGrid,
        lambda: CheckTable("x", ("Name",), [("a",), ("b",)]),
        lambda: TextTable("x", ("Name",)),
    ],
    ids=["counts", "levels", "check table", "texts"],
)
def test_rows_are_as_high_as_larger_texts(qtbot, make):
    table = make()
    qtbot.addWidget(table)
    room = table.verticalHeader().defaultSectionSize() - table.fontMetrics().height()
    enlarge(table)
    assert (
        table.verticalHeader().defaultSectionSize()
        == table.fontMetrics().height() + room
    )


def test_rows_of_a_check_list_are_as_high_as_larger_texts(qtbot):
    checks = CheckList("x", "Find")
    qtbot.addWidget(checks)
    checks.set_texts(["a", "b", "c"])
    with qtbot.waitExposed(checks):
        checks.show()
    checks.view.visualRect(checks.model.index(0, 0))
    enlarge(checks.view, 2.5)
    for _ in range(3):
        QApplication.processEvents()
    row = checks.view.visualRect(checks.model.index(0, 0))
    assert row.height() >= checks.view.fontMetrics().height()


def test_a_list_to_check_shows_as_many_rows_with_larger_letters(qtbot, themed):
    checks = CheckList("x", "Find", 84)
    qtbot.addWidget(checks)
    checks.show()
    assert checks.view.height() == 84
    themed.set_text_scale(2.0)
    qtbot.waitUntil(lambda: checks.view.height() == 168)
