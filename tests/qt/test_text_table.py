"""A small table of texts."""

from PySide6.QtCore import Qt

from deidgui.qt.widgets import TextTable


def test_names_of_strangers_cannot_turn_the_text_around(qtbot):
    table = TextTable("x", ("Set", "Risk"), numbers=(1,))
    qtbot.addWidget(table)
    table.show_texts([("zip\u202e, age", "5 %"), ("sex", "1 %")], bold=1)
    assert "\u202e" not in table.item(0, 0).text()
    assert "\u202e" not in table.item(0, 0).toolTip()
    assert table.item(0, 1).textAlignment() & Qt.AlignmentFlag.AlignRight
    assert not table.item(0, 1).toolTip()
    assert [table.item(at, 0).font().bold() for at in (0, 1)] == [False, True]


def test_long_texts_take_several_lines_where_they_may(qtbot):
    table = TextTable("x", ("Day", "Event"), wide=1, wraps=True)
    qtbot.addWidget(table)
    table.resize(300, 200)
    with qtbot.waitExposed(table):
        table.show()
    table.show_texts([("2026-11-23", "lost " * 40), ("2026-11-24", "found")])
    assert table.rowHeight(0) > 2 * table.rowHeight(1)
    assert table.horizontalScrollBar().maximum() == 0


def test_a_head_stands_above_its_numbers(qtbot):
    table = TextTable("x", ("Set", "Risk"), numbers=(1,))
    qtbot.addWidget(table)
    assert table.horizontalHeader().defaultAlignment() & Qt.AlignmentFlag.AlignLeft
    table.setColumnCount(3)
    table.setHorizontalHeaderLabels(("Set", "Share", "Why"))
    head = table.horizontalHeaderItem(1)
    assert head.textAlignment() & Qt.AlignmentFlag.AlignRight
