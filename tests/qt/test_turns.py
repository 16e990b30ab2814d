"""What takes long leaves turns of the event loop to whoever uses the window."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from deidgui.qt.dispatch import TURN_S, GuiDispatcher, LaterPainting
from deidgui.qt.widgets import (
    Block,
    InTurns,
    Label,
    column,
    discard_in_turns,
    refilled,
)


@pytest.fixture
def heart(qtbot):
    """Beats whenever the event loop comes around; writes "beat" into the list."""
    seen: list[str] = []
    timer = QTimer()
    timer.setInterval(0)
    timer.timeout.connect(lambda: seen.append("beat"))
    timer.start()
    yield seen
    timer.stop()


def without_repeats(seen):
    return [each for at, each in enumerate(seen) if not at or each != seen[at - 1]]


def test_closures_that_take_long_have_turns_of_their_own(qtbot, heart):
    dispatcher = GuiDispatcher()

    def work(name):
        heart.append(name)
        time.sleep(1.5 * TURN_S)

    for name in ("first", "second", "third"):
        dispatcher.post(lambda name=name: work(name))
    qtbot.waitUntil(lambda: "third" in heart)
    found = heart[heart.index("first") : heart.index("third")]
    assert "second" in found
    assert "beat" in found


def test_what_fails_does_not_keep_the_rest_waiting(qtbot):
    dispatcher, seen = GuiDispatcher(), []

    def fail():
        raise ValueError("expected")

    with qtbot.captureExceptions() as failed:
        for closure in (fail, lambda: seen.append("after")):
            dispatcher.post(closure)
        qtbot.waitUntil(lambda: seen == ["after"])
    assert [kind for kind, *_rest in failed] == [ValueError]


class Painted(QWidget):
    def __init__(self, seen):
        super().__init__()
        self._seen = seen

    def paintEvent(self, _event):
        self._seen.append("painted")


def test_a_window_is_painted_in_another_turn_than_it_was_changed_in(qtbot, heart):
    dispatcher, window = GuiDispatcher(), Painted(heart)
    qtbot.addWidget(window)
    LaterPainting(window, dispatcher.post)
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(lambda: "painted" in heart)
    for _ in range(3):
        heart.clear()
        QTimer.singleShot(0, lambda: (heart.append("changed"), window.update()))
        qtbot.waitUntil(lambda: "painted" in heart)
        found = without_repeats(heart)
        assert found[found.index("changed") :][:3] == ["changed", "beat", "painted"]


class Counted(QVBoxLayout):
    n = 0

    def setGeometry(self, rect):
        self.n += 1
        super().setGeometry(rect)


def test_ten_new_parts_are_laid_out_once(qtbot):
    outer, inner = Counted(), QVBoxLayout()
    window, holder = QWidget(), QWidget()
    holder.setLayout(inner)
    outer.addWidget(holder)
    window.setLayout(outer)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    qtbot.wait(20)
    outer.n = 0
    with refilled(inner):
        for number in range(10):
            inner.addWidget(Label(f"line {number}"))
    qtbot.wait(20)
    labels = holder.findChildren(Label)
    assert len(labels) == 10
    assert all(each.isVisible() and each.height() > 5 for each in labels)
    assert len({each.y() for each in labels}) == 10
    assert 1 <= outer.n <= 3


def test_what_was_hidden_on_purpose_stays_hidden(qtbot):
    window, inner = QWidget(), column()
    window.setLayout(inner)
    window.resize(200, 200)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    shown, hidden = Label("shown"), Label("hidden")
    with refilled(inner):
        hidden.hide()
        for each in (shown, hidden):
            inner.addWidget(each)
    qtbot.wait(20)
    assert shown.isVisible()
    assert not hidden.isVisible()


def test_pieces_leave_turns_and_other_work_takes_their_place(qtbot, heart):
    owner = QWidget()
    qtbot.addWidget(owner)
    turns = InTurns(owner)

    def pieces(name, n):
        for number in range(n):
            heart.append(f"{name} {number}")
            yield

    turns.begin(pieces("one", 3))
    assert heart[-1] == "one 0"
    qtbot.waitUntil(lambda: not turns.is_busy)
    found = without_repeats(heart)
    between = found[found.index("one 0") : found.index("one 2")]
    assert "one 1" in between
    assert "beat" in between
    turns.begin(pieces("two", 5))
    turns.begin(pieces("three", 2))
    qtbot.waitUntil(lambda: not turns.is_busy)
    assert "two 1" not in heart
    assert "three 1" in heart


def test_what_is_shown_in_blocks_is_given_up_a_block_in_each_turn(qtbot, heart):
    window, held = QWidget(), QWidget()
    qtbot.addWidget(window)
    window.setLayout(column(held))
    held.setLayout(column())
    for name in ("first", "second", "third"):
        block = Block(column())
        block.add(Label(name))
        held.layout().addWidget(block)
        block.destroyed.connect(lambda _gone, name=name: heart.append(name))
    held.destroyed.connect(lambda: heart.append("all"))
    with qtbot.waitExposed(window):
        window.show()
    heart.clear()
    discard_in_turns(held)
    assert held.isHidden()
    qtbot.waitUntil(lambda: "all" in heart)
    found = without_repeats(heart)
    assert [each for each in found if each != "beat"] == [
        "first",
        "second",
        "third",
        "all",
    ]
    assert "beat" in found[found.index("first") : found.index("third")]
