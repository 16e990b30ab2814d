"""The wheel scrolls; it decides nothing but where somebody clicked."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QTabBar,
)

from deidgui.qt.pages import STEPS
from deidgui.qt.widgets import ComboBox, DecimalBox, LabeledSlider, SpinBox, column
from deidgui.qt.widgets.polish import holder

BY_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
    Qt.FocusReason.OtherFocusReason,
)
KINDS = (QAbstractSpinBox, QAbstractSlider, QComboBox, QTabBar)


def value(field):
    if isinstance(field, QComboBox | QTabBar):
        return field.currentIndex()
    return field.value()


def inputs(root):
    """Every input of ours below a widget; charts bring some that are never shown."""
    return [
        each
        for kind in KINDS
        for each in root.findChildren(kind)
        if "deidgui" in type(each).__module__
    ]


def turn(widget, delta=-120):
    """Turn the wheel over a widget, as the window system tells it."""
    window = widget.window().windowHandle()
    place = widget.mapTo(widget.window(), widget.rect().center())
    QTest.wheelEvent(window, QPointF(place), QPoint(0, delta))


def send(widget, delta):
    place = QPointF(widget.rect().center())
    event = QWheelEvent(
        place,
        QPointF(widget.mapToGlobal(place)),
        QPoint(),
        QPoint(0, delta),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


@pytest.mark.parametrize("step", [step.key for step in STEPS])
def test_the_wheel_changes_no_input_of_a_page(filled, step):
    filled.show_step(step)
    page = filled.page(step)
    for each in inputs(page):
        if each.hasFocus():
            each.clearFocus()
        before = value(each)
        if each.isVisible():
            turn(each)
            turn(each, 360)
        for delta in (-120, 120, 360):
            send(each, delta)
        assert value(each) == before, each.accessibleName()
        assert not each.hasFocus(), each.accessibleName()
        for reason in BY_KEYBOARD:
            each.setFocus(reason)
            for delta in (-120, 120, 360):
                send(each, delta)
            assert value(each) == before, (reason, each.accessibleName())
            each.clearFocus()
        wheel = Qt.FocusPolicy.WheelFocus
        assert each.focusPolicy() & wheel != wheel, each.accessibleName()


def test_every_page_with_inputs_was_looked_at(filled):
    filled.build_all_pages()
    counts = [len(inputs(filled.page(step.key))) for step in STEPS]
    assert sum(count > 0 for count in counts) >= 5
    assert sum(counts) > 40


def test_the_wheel_turns_what_was_clicked(qtbot):
    fields = [
        SpinBox(0, 10, 5),
        DecimalBox(0.0, 1.0, 0.5),
        ComboBox([("a", "a"), ("b", "b"), ("c", "c")]),
    ]
    slider = LabeledSlider("limit", 0.0, 1.0, 0.5, 0.1)
    top = holder(column(*fields, slider))
    qtbot.addWidget(top)
    with qtbot.waitActive(top):
        top.show()
        top.activateWindow()
    fields[2].setCurrentIndex(1)
    for each in (*fields, slider._slider):
        before = value(each)
        turn(each)
        assert value(each) == before
        each.clearFocus()
        each.setFocus(Qt.FocusReason.MouseFocusReason)
        turn(each)
        assert value(each) != before


def test_a_click_counts_where_tab_had_led(qtbot):
    field, slider = SpinBox(0, 10, 5), LabeledSlider("limit", 0.0, 1.0, 0.5, 0.1)
    top = holder(column(field, slider))
    qtbot.addWidget(top)
    with qtbot.waitActive(top):
        top.show()
        top.activateWindow()
    places = ((field, field.lineEdit()), (slider._slider, slider._slider))
    for each, clicked in places:
        each.setFocus(Qt.FocusReason.TabFocusReason)
        before = value(each)
        turn(each)
        assert each.hasFocus()
        assert value(each) == before
        QTest.mouseClick(clicked, Qt.MouseButton.LeftButton)
        before = value(each)
        turn(each)
        assert value(each) != before
        each.setFocus(Qt.FocusReason.OtherFocusReason)
