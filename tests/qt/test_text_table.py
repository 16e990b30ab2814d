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
