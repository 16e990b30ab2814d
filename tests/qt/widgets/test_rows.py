"""Tables of rows: what nobody sees is not made."""

from PySide6.QtCore import QItemSelectionModel, QStringListModel, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QWidget

from deidgui.qt.widgets import CheckTable, MadeRows, RowTable, column

N = 3000


def test_only_rows_that_are_seen_are_made(qtbot):
    made = []

    def texts(place):
        made.append(place)
        return f"column {place}", "9999"

    table = CheckTable("columns", ["Column", "Shape"], MadeRows(N, texts))
    qtbot.addWidget(table)
    table.resize(600, 300)
    with qtbot.waitExposed(table):
        table.show()
    assert table.model().rowCount() == N
    assert 0 < len(made) < 100
    assert len(made) == len(set(made))
    table.scrollToBottom()
    last = table.model().index(N - 1, 0)
    assert last.data() == f"column {N - 1}"
    assert len(made) < 200


def test_all_rows_can_be_chosen_and_checked(qtbot):
    rows = MadeRows(N, lambda place: (str(place),))
    table = CheckTable("columns", ["Column"], rows)
    qtbot.addWidget(table)
    table.check(range(0, N, 2))
    assert table.checked == tuple(range(0, N, 2))
    table.check([0], is_on=False)
    assert table.checked == tuple(range(2, N, 2))
    table.selectAll()
    assert len(table.selectionModel().selectedRows()) == N
    model = table.horizontalHeader().selectionModel()
    assert isinstance(model, QItemSelectionModel)
    assert model is not table.selectionModel()
    assert list(rows[:2]) == [("0",), ("1",)]


def test_home_and_end_go_to_rows_which_space_then_checks(qtbot):
    rows = [(f"column {place}", "why") for place in range(9)]
    table = CheckTable("columns", ["Column", "Why"], rows)
    qtbot.addWidget(table)
    with qtbot.waitExposed(table):
        table.show()
    table.selectRow(4)
    for key, row in ((Qt.Key.Key_End, 8), (Qt.Key.Key_Home, 0)):
        qtbot.keyClick(table, key)
        assert {each.row() for each in table.selectedIndexes()} == {row}
        assert table.currentIndex().column() == 0
        qtbot.keyClick(table, Qt.Key.Key_Space)
    assert table.checked == (0, 8)


def test_columns_follow_the_size_of_texts(qtbot, themed):
    table = CheckTable("Names", ["Name", "Why", "When"], [("a", "b", "c")])
    qtbot.addWidget(table)
    table.set_widths({0: 100, 1: 80})
    assert [table.columnWidth(place) for place in (0, 1)] == [100, 80]
    table.show()
    themed.set_text_scale(1.5)
    qtbot.waitUntil(lambda: table.columnWidth(0) == 150)
    assert table.columnWidth(1) == 120


def test_rows_follow_the_size_of_texts(qtbot, themed):
    table = RowTable()
    qtbot.addWidget(table)
    table.setModel(QStringListModel(["a", "b"]))
    table.set_lines(2, 10)
    table.show()
    themed.set_text_scale(2.0)
    least = 2 * 2 * 13 + 10  # letters of 13 pixels are the usual ones
    qtbot.waitUntil(lambda: table.rowHeight(1) >= least)


def test_growing_columns_share_what_is_left_until_somebody_chooses(qtbot):
    table = CheckTable("Names", ["Name", "Why", "When"], [("a", "b", "c")])
    qtbot.addWidget(table)
    table._is_fitted = True
    table.set_widths({0: 100, 1: 80, 2: 60}, (0, 1))
    table.resize(640, 200)
    with qtbot.waitExposed(table):
        table.show()
    more = (table.viewport().width() - 240) // 2
    assert [table.columnWidth(n) for n in (0, 1)] == [100 + more, 80 + more]
    table.setColumnWidth(1, 90)  # as with the mouse
    table.resize(800, 200)
    assert table.columnWidth(1) == 90


def test_a_long_name_is_whole_before_what_is_left_is_shared(qtbot):
    table, model = RowTable(), QStandardItemModel(0, 2)
    model.appendRow([QStandardItem("a name of many letters " * 3), QStandardItem("b")])
    table.setModel(model)
    qtbot.addWidget(table)
    table.resize(760, 200)
    table.set_widths({0: 100, 1: 100}, growing=[0, 1])
    with qtbot.waitExposed(table):
        table.show()
    needed = table.sizeHintForColumn(0)
    assert needed > 380  # more than half
    assert table.columnWidth(0) >= needed


def test_names_get_half_of_the_room_that_nobody_needs(qtbot):
    table = CheckTable("Names", ["Name", "Why"], [("a name", "why")])
    qtbot.addWidget(table)
    table.resize(600, 200)
    with qtbot.waitExposed(table):
        table.show()
    assert table.columnWidth(0) > 200
    assert table.columnWidth(1) > 200


def test_growing_columns_make_room_for_those_behind_them(qtbot):
    table, model = RowTable(), QStandardItemModel(0, 2)
    model.appendRow([QStandardItem("some words"), QStandardItem("b")])
    table.setModel(model)
    table.verticalHeader().hide()
    table.set_widths({0: 300, 1: 90}, growing=[0])
    qtbot.addWidget(table)
    table.show()
    table.resize(240, 200)
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)
    assert table.columnWidth(1) == 90
    table.resize(90, 200)
    assert table.columnWidth(0) >= table.sizeHintForColumn(0)


def test_texts_are_as_wide_as_usual_before_one_is_cut_to_the_least(qtbot):
    table = RowTable()
    table.setModel(QStandardItemModel(1, 3))
    table.verticalHeader().hide()
    qtbot.addWidget(table)
    table.set_widths({0: 120, 1: 60, 2: 140}, growing=[0, 2])
    table.fit_to({0: 200, 1: 60, 2: 210})
    with qtbot.waitExposed(table):
        table.show()
    edge = table.width() - table.viewport().width()
    for wide, widths in ((380, (180, 60, 140)), (300, (120, 60, 120))):
        table.resize(wide + edge, 200)
        assert tuple(map(table.columnWidth, range(3))) == widths


def test_some_rows_of_a_list_are_always_seen(qtbot, themed):
    table = RowTable()
    table.setModel(QStringListModel([str(n) for n in range(50)]))
    table.set_lines(1, 12)
    top = QWidget()
    top.setLayout(column(table))
    qtbot.addWidget(top)
    top.show()
    rows = table.verticalHeader()
    for scale in (1.0, 2.0):
        themed.set_text_scale(scale)
        top.resize(300, 50)
        qtbot.waitUntil(
            lambda: table.viewport().height() >= 5 * rows.defaultSectionSize()
        )
