"""Every widget of the kit: it renders, says what it is, and works by keyboard."""

from __future__ import annotations

import gc
import itertools
import weakref
from functools import partial
from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QRect, QSize, Qt, QUrl
from PySide6.QtGui import QAccessible, QColor, QDropEvent, QFont, QFontMetrics, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QLineEdit,
    QMenu,
    QRadioButton,
    QStyle,
    QStyleOptionSlider,
    QTableView,
    QTextEdit,
    QToolButton,
    QWidget,
)

from deidgui.qt.tab_order import stops
from deidgui.qt.theme import Mode, apply_theme, tokens
from deidgui.qt.widgets import (
    Button,
    Callout,
    Card,
    Chip,
    Collapsible,
    Columns,
    ComboBox,
    DecimalBox,
    DropArea,
    ElidedLabel,
    EmptyState,
    FittingArea,
    FlowLayout,
    FocusRing,
    HelpButton,
    IconButton,
    KeyValueList,
    Label,
    LabeledSlider,
    Notice,
    NoticeArea,
    ProgressBar,
    ProgressCard,
    ReasonLabel,
    RoleBadge,
    SearchField,
    Segmented,
    ShownStack,
    SpinBox,
    Splitter,
    StatTile,
    StatusLine,
    StepDots,
    ToggleRow,
    ToggleSwitch,
    Toolbar,
    UnstyledArea,
    column,
    dropped_files,
    duration_words,
    field_row,
    holder,
    scrolling,
)
from deidgui.qt.widgets.numbers import _Scale
from tests.qt.gallery import gallery

MAKERS = {
    "button": lambda: Button("Open", "primary", "folder"),
    "callout": lambda: Callout("A sentence", "warning", "A detail", "Fix"),
    "card": lambda: Card("Title", "Lead"),
    "chip": lambda: Chip("word", "accent", "check"),
    "collapsible": lambda: Collapsible("More", True),
    "combo": lambda: ComboBox([("a", "A"), ("b", "B")], "Letters"),
    "decimal": lambda: DecimalBox(0, 1, 0.09, 0.01, "%", "Risk"),
    "drop": lambda: DropArea("Drop", "a file", "Choose…"),
    "elided": lambda: ElidedLabel("a text"),
    "empty": lambda: EmptyState("search", "Nothing", "Yet", "Begin"),
    "help": lambda: HelpButton("k", "The smallest group."),
    "icon_button": lambda: IconButton("undo", "Undo"),
    "key_values": lambda: KeyValueList([("Rows", "10")]),
    "progress_card": lambda: ProgressCard("Searching"),
    "reason": lambda: ReasonLabel("Because."),
    "role": lambda: RoleBadge("sensitive"),
    "search": lambda: SearchField("Search"),
    "segmented": lambda: Segmented([("a", "A"), ("b", "B", "menu")], name="Letters"),
    "slider": lambda: LabeledSlider("Limit", 0, 100, 5, 0.1, "%", "A sentence."),
    "spin": lambda: SpinBox(1, 100, 11, "records", "Smallest group"),
    "stat": lambda: StatTile("Risk", "9.1", "%", "One of 11."),
    "status_line": StatusLine,
    "dots": lambda: StepDots(4, 1),
    "toggle": lambda: ToggleSwitch("Shuffle"),
    "toggle_row": lambda: ToggleRow("Shuffle", "Hides the order."),
}


def painted(widget: QWidget) -> QImage:
    widget.resize(widget.sizeHint().expandedTo(widget.minimumSizeHint()))
    return widget.grab().toImage()


def is_blank(image: QImage) -> bool:
    first = image.pixel(0, 0)
    return all(
        image.pixel(x, y) == first
        for x in range(0, image.width(), 1)
        for y in range(0, image.height(), 1)
    )


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("mode", [Mode.LIGHT, Mode.DARK])
def test_renders(qtbot, qapp, name, mode):
    apply_theme(qapp, mode)
    widget = MAKERS[name]()
    qtbot.addWidget(widget)
    if name == "status_line":
        widget.set_progress("Searching", 0.4, 3.0)
    assert not is_blank(painted(widget))


@pytest.mark.parametrize("name", MAKERS)
def test_dies_with_its_last_reference(qtbot, name):
    widget = MAKERS[name]()
    reference = weakref.ref(widget)
    widget.grab()
    del widget
    gc.collect()
    assert reference() is None


@pytest.mark.parametrize("name", MAKERS)
def test_every_control_has_a_name_for_screen_readers(qtbot, name):
    widget = MAKERS[name]()
    qtbot.addWidget(widget)
    parts = [widget, *widget.findChildren(QWidget)]
    controls = [
        part
        for part in parts
        if part.focusPolicy() & Qt.FocusPolicy.TabFocus
        and isinstance(part, QAbstractButton | QLineEdit)
        and part.objectName() != "qt_spinbox_lineedit"
    ]
    for control in controls:
        spoken = QAccessible.queryAccessibleInterface(control)
        assert spoken.text(QAccessible.Text.Name), control


def test_the_gallery_shows_all_of_them(qtbot):
    sheet = gallery()
    qtbot.addWidget(sheet)
    assert not is_blank(painted(sheet))


def test_labels_never_read_markup(qtbot):
    label = Label("<b>bold</b>")
    qtbot.addWidget(label)
    assert label.textFormat() is Qt.TextFormat.PlainText


def test_elided_label_shows_the_rest_as_tooltip(qtbot):
    label = ElidedLabel("a rather long name of a column")
    assert label.minimumSizeHint().width() == 24
    label.brief = "a name"
    assert label.minimumSizeHint().width() >= label.fontMetrics().horizontalAdvance(
        "a name"
    )
    label.brief = ""
    qtbot.addWidget(label)
    label.resize(60, 20)
    label.grab()
    assert label.toolTip() == "a rather long name of a column"
    label.resize(600, 20)
    label.grab()
    assert label.toolTip() == ""


def test_an_elided_label_of_two_sentences_has_room_for_both(qtbot):
    """One line is drawn: as wide as both together, not as the longer one."""
    label = ElidedLabel("Not decided yet.\nOne question to be answered.")
    qtbot.addWidget(label)
    one_line = "Not decided yet. One question to be answered."
    needed = label.fontMetrics().horizontalAdvance(one_line)
    assert label.sizeHint().width() >= needed


def test_the_glyph_of_a_choice_stands_beside_its_word(qtbot):
    bar = Segmented([("a", "A"), ("b", "Preview of all", "menu")])
    qtbot.addWidget(bar)
    bar.resize(bar.sizeHint())
    bar.show()
    button = bar.findChildren(QAbstractButton)[1]
    image = button.grab().toImage()
    ground = image.pixel(0, 0)
    inked = [
        x
        for x in range(image.width())
        if any(image.pixel(x, y) != ground for y in range(image.height()))
    ]
    gaps = [after - before for before, after in itertools.pairwise(inked)]
    assert max(gaps) < 12, "of pixels between glyph, word and letters"


def test_choices_share_the_room_that_is_left_in_one_row(qtbot):
    options = [(str(n), "Some words", "menu") for n in range(5)]
    bar = Segmented(options, wraps=True)
    qtbot.addWidget(bar)
    buttons = bar.findChildren(QAbstractButton)
    least = sum(each.minimumSizeHint().width() for each in buttons)
    # Not so wide that glyphs had room, and wider than the words alone.
    room = (least + bar.sizeHint().width()) // 2
    bar.resize(room, bar.heightForWidth(room))
    bar.show()
    assert len({each.y() for each in buttons}) == 1
    assert bar.width() - buttons[-1].geometry().right() < 12
    widths = [each.width() for each in buttons]
    assert max(widths) == min(widths) < buttons[0].sizeHint().width()


def test_segments_by_mouse_and_arrow_keys(qtbot):
    segments = Segmented([("a", "A"), ("b", "B"), ("c", "C")])
    qtbot.addWidget(segments)
    segments.show()
    chosen = []
    segments.chosen.connect(chosen.append)
    buttons = segments.findChildren(QAbstractButton)
    qtbot.mouseClick(buttons[1], Qt.MouseButton.LeftButton)
    assert (segments.current, chosen) == ("b", ["b"])
    buttons[1].setFocus()
    qtbot.keyClick(buttons[1], Qt.Key.Key_Right)
    assert segments.current == "c"
    qtbot.keyClick(buttons[2], Qt.Key.Key_Right)
    assert segments.current == "a"
    qtbot.keyClick(buttons[0], Qt.Key.Key_Left)
    assert segments.current == "c"


def test_segments_are_one_stop_of_the_tab_key(qtbot):
    segments = Segmented([("a", "A"), ("b", "B")], "b")
    qtbot.addWidget(segments)
    policies = [
        bool(button.focusPolicy() & Qt.FocusPolicy.TabFocus)
        for button in segments.findChildren(QAbstractButton)
    ]
    assert policies == [False, True]


def test_setting_a_value_tells_nobody(qtbot):
    heard = []
    segments = Segmented([("a", "A"), ("b", "B")])
    toggle = ToggleRow("Shuffle")
    slider = LabeledSlider("Limit", 0, 10, 5)
    combo = ComboBox([("a", "A"), ("b", "B")])
    for widget, signal in (
        (segments, segments.chosen),
        (toggle, toggle.toggled),
        (slider, slider.value_changed),
        (combo, combo.currentIndexChanged),
    ):
        qtbot.addWidget(widget)
        signal.connect(heard.append)
    segments.set_current("b")
    toggle.set_on(True)
    slider.set_value(7)
    combo.set_current("b")
    assert heard == []
    assert (segments.current, toggle.is_on, slider.value, combo.current) == (
        "b",
        True,
        7,
        "b",
    )


def test_switch_by_space(qtbot):
    toggle = ToggleRow("Shuffle")
    qtbot.addWidget(toggle)
    switch = toggle.findChild(ToggleSwitch)
    with qtbot.waitSignal(toggle.toggled) as told:
        qtbot.keyClick(switch, Qt.Key.Key_Space)
    assert told.args == [True]


def test_search_field_waits_until_the_text_rests(qtbot):
    field = SearchField("Search")
    qtbot.addWidget(field)
    heard = []
    field.searched.connect(heard.append)
    with qtbot.waitSignal(field.searched):
        qtbot.keyClicks(field, "age")
    assert heard == ["age"]
    with qtbot.waitSignal(field.searched):
        qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert heard[-1] == ""


def test_slider_and_field_say_the_same(qtbot):
    slider = LabeledSlider("Limit", 0.0, 100.0, 5.0, 0.5, "%")
    qtbot.addWidget(slider)
    heard = []
    slider.value_settled.connect(heard.append)
    slider._slider.setValue(20)
    assert slider.value == 10.0
    slider._field.setValue(33.5)
    assert slider._slider.value() == 67
    assert heard == [10.0, 33.5]


def test_slider_rests_on_stops(qtbot):
    slider = LabeledSlider("k", 2, 100, 11, stops=[2, 3, 5, 11, 20, 100])
    qtbot.addWidget(slider)
    slider._slider.setValue(4)
    assert slider.value == 20
    slider.set_value(10)
    assert slider._slider.value() == 3


def test_a_slider_that_rests_on_stops_says_what_some_of_them_are(qtbot):
    """They are no even scale: 20 % may stand near its end."""
    stops = [1, 1.33, 2, 3.33, 4, 5, 6.67, 9.09, 10, 12.5, 20, 33.33, 50]
    risk = LabeledSlider("Risk", 1, 50, 20, 0.01, "%", stops=stops)
    even = LabeledSlider("Limit", 0, 100, 5, 1, "%")
    for slider in (risk, even):
        qtbot.addWidget(slider)
        slider.resize(500, 120)
        slider.show()
    assert not even.findChildren(_Scale)
    (scale,) = risk.findChildren(_Scale)
    placed = scale.placed()
    assert list(placed)[:2] == [0, len(stops) - 1]
    # Values that people choose, not what stands near the quarters.
    assert sorted(stops[each] for each in placed) == [1, 2, 5, 10, 20, 50]
    boxes = sorted(placed.values(), key=QRect.left)
    assert all(one.right() < two.left() for one, two in pairwise(boxes))
    assert boxes[0].left() == 0
    assert boxes[-1].right() < scale.width()
    # Each stands below the handle when it is there.
    middle = list(placed)[2]
    risk._slider.setValue(middle)
    option = QStyleOptionSlider()
    risk._slider.initStyleOption(option)
    handle = risk._slider.style().subControlRect(
        QStyle.ComplexControl.CC_Slider,
        option,
        QStyle.SubControl.SC_SliderHandle,
        risk._slider,
    )
    assert abs(handle.center().x() - placed[middle].center().x()) <= 2
    assert scale._texts[middle] == f"{risk._field.text()}"
    risk.resize(200, 120)
    scale.resize(60, 20)
    assert list(scale.placed()) == [0, len(stops) - 1]  # what has no room is left out


def test_the_wheel_over_a_field_without_focus_scrolls_the_page(qtbot):
    box = SpinBox(0, 10, 5)
    qtbot.addWidget(box)
    box.show()
    assert not box.hasFocus()

    class Turn:
        ignored = False

        def ignore(self):
            self.ignored = True

    turn = Turn()
    box.wheelEvent(turn)
    assert turn.ignored
    assert box.value() == 5


@pytest.mark.parametrize(
    ("value", "text"), [(0.2, "0.2"), (0.25, "0.25"), (1.0, "1.0"), (0.1234, "0.1234")]
)
def test_decimals_are_as_many_as_needed(qtbot, value, text):
    box = DecimalBox(0, 10, 0, 0.1)
    qtbot.addWidget(box)
    box.setDecimals(4)
    box.setValue(value)
    assert box.text() == text
    assert box.value() == value


def test_chip_is_clicked_by_mouse_and_keyboard(qtbot):
    chip = Chip("filter", is_clickable=True)
    qtbot.addWidget(chip)
    chip.show()
    for act in (
        lambda: qtbot.mouseClick(chip, Qt.MouseButton.LeftButton),
        lambda: qtbot.keyClick(chip, Qt.Key.Key_Return),
        lambda: qtbot.keyClick(chip, Qt.Key.Key_Space),
    ):
        with qtbot.waitSignal(chip.clicked):
            act()


def test_of_a_decision_arrows_only_go_to_a_choice(qtbot):
    options = [("open", "Open"), ("a", "A"), ("b", "B")]
    segments = Segmented(options, is_decision=True)
    window = holder(column(segments))
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    heard = []
    segments.chosen.connect(heard.append)
    segments.setFocus(Qt.FocusReason.TabFocusReason)
    buttons = segments._group.buttons()
    assert buttons[0].hasFocus()
    for place in (1, 2):
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Right)
        assert buttons[place].hasFocus()
        assert list(stops(segments)) == [buttons[place]]
    assert (segments.current, heard) == ("open", [])
    qtbot.keyClick(buttons[2], Qt.Key.Key_Return)
    assert (segments.current, heard) == ("b", ["b"])


def test_a_plain_chip_is_no_stop_of_the_tab_key(qtbot):
    chip = Chip("word")
    qtbot.addWidget(chip)
    assert chip.focusPolicy() is Qt.FocusPolicy.NoFocus


@pytest.mark.parametrize(
    "role", ["direct_identifier", "quasi_identifier", "sensitive", "insensitive", None]
)
def test_roles_differ_in_words_and_glyph(qtbot, role):
    badge = RoleBadge(role)
    qtbot.addWidget(badge)
    assert badge.text
    assert badge.accessibleName() == badge.text
    assert badge._glyph


def test_flow_layout_wraps_and_knows_its_height(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    flow = FlowLayout(widget)
    for _ in range(6):
        flow.addWidget(SpinBox())
    one = flow.itemAt(0).sizeHint()
    wide = flow.heightForWidth(6 * one.width() + 5 * 8)
    narrow = flow.heightForWidth(2 * one.width() + 8)
    assert wide == one.height()
    assert narrow == 3 * one.height() + 2 * 8
    widget.resize(2 * one.width() + 8, narrow)
    widget.show()
    tops = {flow.itemAt(i).geometry().top() for i in range(flow.count())}
    assert len(tops) == 3
    assert flow.itemAt(99) is None
    assert flow.takeAt(99) is None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "less than a second"),
        (12, "12 s"),
        (60, "1 min"),
        (200, "3 min 20 s"),
        (600, "10 min"),
        (3900, "1 h 5 min"),
        (7200, "2 h"),
    ],
)
def test_durations_in_words(seconds, words):
    assert duration_words(seconds) == words


def test_progress_card_tells_and_asks(qtbot):
    card = ProgressCard("Searching")
    qtbot.addWidget(card)
    card.set_progress(0.125, "2 of 20", 5)
    card.set_progress(0.25, "5 of 20", 10)
    texts = [label.text() for label in card.findChildren(Label)]
    assert {"25\u202f%", "5 of 20", "about 30 s left"} <= set(texts)
    pause, stop = card.findChildren(Button)
    with qtbot.waitSignal(card.pause_clicked):
        pause.click()
    card.set_paused(True)
    assert pause.text() == "Continue"
    with qtbot.waitSignal(card.cancel_clicked):
        stop.click()
    card.set_progress(None, "reading", 2)
    assert card.findChild(ProgressBar).maximum() == 0


def test_stat_tile_says_everything_to_a_screen_reader(qtbot):
    tile = StatTile("Highest risk", "9.1", "%", "One of 11.")
    qtbot.addWidget(tile)
    assert tile.accessibleName() == "Highest risk: 9.1 %. One of 11."
    tile.set_change("from 100 %")
    # A change that is not judged has no sign of its own.
    assert tile._delta_glyph.isHidden()
    tile.set_change("from 100 %", "success")
    assert not tile._delta_glyph.isHidden()
    tile.set_tone("danger")
    tile.set_change("")
    tile.set_tone(None)


def test_callout_changes_its_words(qtbot):
    callout = Callout("A", "info")
    qtbot.addWidget(callout)
    callout.show_words("B", "danger", "C", "Fix")
    assert callout.accessibleName() == "B C"
    with qtbot.waitSignal(callout.acted):
        callout.findChild(Button).click()


def test_key_values_keep_their_widgets(qtbot):
    facts = KeyValueList([("a", "1"), ("b", "2")])
    qtbot.addWidget(facts)
    facts.set_pairs([("c", "3")])
    shown = [
        label.text() for label in facts.findChildren(Label) if not label.isHidden()
    ]
    assert shown == ["c", "3"]


def test_toolbar_has_two_ends(qtbot):
    bar = Toolbar()
    qtbot.addWidget(bar)
    left, right = Button("L"), Button("R")
    bar.add_left(left)
    bar.add_right(right)
    bar.resize(600, 40)
    bar.show()
    assert left.mapTo(bar, QPoint(0, 0)).x() == 0
    assert right.mapTo(bar, right.rect().bottomRight()).x() == bar.width() - 1


def stands_below(first, second, top):
    """Whether one part stands wholly below another."""
    one, other = (each.mapTo(top, QPoint(0, 0)).y() for each in (first, second))
    return one + first.height() <= other


def test_a_narrow_toolbar_has_its_right_group_below(qtbot):
    top, bar = QWidget(), Toolbar()
    qtbot.addWidget(top)
    top.setLayout(column(bar, None))
    left, right = Button("Left"), Button("Right")
    bar.add_left(left)
    bar.add_right(right)
    top.show()
    both = left.sizeHint().width() + right.sizeHint().width()
    for width in (both - 10, both + 30, both - 10):
        top.resize(width, 200)
        is_narrow = width < both
        qtbot.waitUntil(lambda n=is_narrow: stands_below(left, right, top) is n)
        assert top.width() == width


def test_a_narrow_splitter_stacks_its_parts(qtbot):
    top, splitter = QWidget(), Splitter()
    qtbot.addWidget(top)
    top.setLayout(column(splitter))
    parts = QWidget(), QWidget()
    for part in parts:
        part.setMinimumSize(200, 50)
        splitter.addWidget(part)
    splitter.share([400, 200], [50, 150])
    top.show()
    for width in (300, 600, 300):
        top.resize(width, 207)
        qtbot.waitUntil(lambda n=width < 400: splitter.is_stacked is n)
        assert top.width() == width
        assert stands_below(*parts, top) is (width < 400)
    assert parts[1].height() > parts[0].height()


def test_words_that_wrap_do_so_within_a_row_of_controls(qtbot):
    top, flow = QWidget(), FlowLayout(wants_one_row=True)
    qtbot.addWidget(top)
    keys = [(str(n), f"Words of choice {n}") for n in range(4)]
    choice = Segmented(keys, wraps=True)
    flow.addWidget(choice)
    top.setLayout(column(holder(flow), None))
    top.show()
    one_row = choice.sizeHint().height()
    top.resize(choice.minimumSizeHint().width() * 2, 300)
    qtbot.waitUntil(lambda: one_row < choice.height() < 300)
    assert choice.width() <= top.width()
    segments = choice._group.buttons()
    assert all(choice.rect().contains(each.geometry()) for each in segments)


def test_collapsible_by_keyboard(qtbot):
    more = Collapsible("More")
    qtbot.addWidget(more)
    more.body.addWidget(Label("inside"))
    assert not more.is_open
    with qtbot.waitSignal(more.toggled):
        qtbot.keyClick(more.findChild(Button), Qt.Key.Key_Space)
    assert more.is_open


def test_help_button_explains_and_closes_by_escape(qtbot):
    button = HelpButton("k", "The smallest group.")
    parent = holder(column(button))
    qtbot.addWidget(parent)
    parent.show()
    button.click()
    sheet = button.popover
    assert sheet is not None
    assert sheet.isVisible()
    qtbot.keyClick(sheet, Qt.Key.Key_Escape)
    assert not sheet.isVisible()


def test_a_sheet_needs_no_compositor(qtbot):
    """Its corners are cut off by a mask, and every pixel that is left is painted."""
    button = HelpButton("k", "The smallest group. " * 20)
    parent = holder(column(button))
    qtbot.addWidget(parent)
    parent.show()
    button.click()
    sheet = button.popover
    assert not sheet.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    right, bottom = sheet.width() - 1, sheet.height() - 1
    mask = sheet.mask()
    for corner in ((0, 0), (right, 0), (0, bottom), (right, bottom)):
        assert not mask.contains(QPoint(*corner))
    assert mask.contains(sheet.rect().center())
    canvas = QImage(sheet.size(), QImage.Format.Format_ARGB32_Premultiplied)
    canvas.fill(QColor(255, 0, 255))
    sheet.render(canvas)
    for x in range(sheet.width()):
        for y in (0, sheet.height() // 2, bottom):
            if mask.contains(QPoint(x, y)):
                assert canvas.pixelColor(x, y) != QColor(255, 0, 255), (x, y)
    sheet.close()


def test_notices_replace_by_topic_and_are_few(qtbot):
    area = NoticeArea()
    qtbot.addWidget(area)
    assert area.isHidden()
    acted = []

    class Fixer:
        def act(self):
            acted.append(True)

    fixer = Fixer()
    area.report(Notice("one", "danger", "fix", "Do it", fixer.act, "t"))
    area.report(Notice("two", "danger", "fix", "Do it", fixer.act, "t"))
    assert [notice.text for notice in area.notices] == ["two"]
    for number in range(5):
        area.report(Notice(f"number {number}"))
    assert [notice.text for notice in area.notices] == [
        "number 2",
        "number 3",
        "number 4",
    ]
    area.report(Notice("last", "warning", "", "Do it", fixer.act))
    strip = area.findChildren(Button)[-1]
    strip.click()
    assert acted == [True]
    assert "last" not in [notice.text for notice in area.notices]
    for notice in area.notices:
        area.dismiss(notice)
    assert area.isHidden()


def test_notices_of_what_was_done_go_with_the_page(qtbot):
    area = NoticeArea()
    qtbot.addWidget(area)
    told = [
        Notice("written", "success"),
        Notice("refused", "danger", topic="x", until="step"),
    ]
    stay = [
        Notice("missing", "warning"),
        Notice("elsewhere", "info", topic="elsewhere"),
        Notice("replaced", "info", action="Undo", act=area.hide, until="decision"),
    ]
    for notice in (told[0], *stay[:2]):
        area.report(notice)
    area.dismiss_read()
    assert area.notices == (stay[0], stay[1])
    area.report(told[1])
    area.dismiss_read()
    area.report(stay[2])
    area.dismiss_read()
    assert area.notices == tuple(stay)
    area.dismiss_decided()
    assert area.notices == (stay[0], stay[1])


def test_a_stack_needs_the_room_of_what_it_shows(qtbot):
    box = QWidget()
    stack = ShownStack(box)
    small, large = QWidget(), QWidget()
    small.setMinimumSize(30, 20)
    large.setMinimumSize(3000, 2000)
    qtbot.addWidget(box)
    stack.addWidget(small)
    stack.addWidget(large)
    assert box.minimumSizeHint() == QSize(30, 20)
    stack.setCurrentWidget(large)
    assert box.minimumSizeHint() == QSize(3000, 2000)


def test_what_a_stack_shows_gives_way(qtbot):
    """A chart below words that wrap may be lower than it would like to be."""
    box, part, chart = QWidget(), QWidget(), QTextEdit()
    qtbot.addWidget(box)
    chart.setMinimumHeight(50)
    part.setLayout(column(Label("words that wrap " * 5, wrap=True), chart))
    stack = ShownStack(box)
    stack.addWidget(part)
    wished = part.layout().totalHeightForWidth(200)
    least = part.layout().totalMinimumHeightForWidth(200)
    assert stack.totalMinimumHeightForWidth(200) == least < wished
    # Qt takes the height that a stack asks for as the least, and cuts what is above.
    assert stack.totalHeightForWidth(200) == least


@pytest.mark.parametrize("kind", [ProgressCard, StatusLine])
def test_the_time_goes_on_while_the_work_reports_nothing(qtbot, monkeypatch, kind):
    part, now = kind(), [100.0]
    qtbot.addWidget(part)
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    words = () if kind is ProgressCard else ("Working",)
    for tenths in (2, 4):
        part.set_progress(*words, tenths / 10, elapsed_s=10.0 * tenths)
    assert part._time.text() == "about 1 min left"
    now[0] += 15.0
    part._clock.ticked.emit()
    assert part._time.text() == "about 50 s left"
    now[0] += 55.0
    part._clock.ticked.emit()
    # What was foretold has passed: nothing more is.
    assert part._time.text() == "1 min 50 s so far"


def test_a_dropped_file_is_told(qtbot, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x\n1\n")
    area = DropArea("Drop", "a file", "Choose…")
    qtbot.addWidget(area)
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(tmp_path)), QUrl.fromLocalFile(str(path))])
    assert dropped_files(mime) == [path]
    event = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    with qtbot.waitSignal(area.dropped) as told:
        area.dropEvent(event)
    assert told.args == [[path]]


def test_links_to_the_net_are_not_taken(qtbot):
    mime = QMimeData()
    mime.setUrls([QUrl("https://example.org/a.csv")])
    assert dropped_files(mime) == []


@pytest.mark.parametrize("make", [Button, partial(Chip, is_clickable=True)])
def test_the_ring_follows_the_keyboard_not_the_mouse(qtbot, make):
    one, two = make("one"), make("two")
    window = holder(column(one, two, margin=16))
    ring = FocusRing(window)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    one.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: ring.widget() is one and ring.isVisible())
    two.setFocus(Qt.FocusReason.TabFocusReason)
    assert ring.widget() is two
    QApplication.sendEvent(two, QEvent(QEvent.Type.Leave))
    two.clearFocus()
    assert not ring.isVisible()


def test_a_ring_that_the_collector_has_emptied_takes_the_focus_quietly(qtbot):
    """The parts of a closed dialog are emptied in any order before they are gone."""
    one, two = Button("one"), Button("two")
    window = holder(column(one, two, margin=16))
    ring = FocusRing(window)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    one.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: ring.widget() is one)
    ring.__dict__.clear()
    with qtbot.captureExceptions() as raised:
        two.setFocus(Qt.FocusReason.TabFocusReason)
        two.clearFocus()
    assert raised == []
    assert not ring.isVisible()


def test_the_ring_is_seen_where_a_control_fills_its_parent(qtbot):
    one = Button("one")
    part = holder(column(one))
    window = holder(column(part))
    ring = FocusRing(window)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    one.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: ring.widget() is one and ring.isVisible())
    for size in (one.size(), one.size() + QSize(80, 40)):
        part.setFixedSize(size)
        QApplication.processEvents()
        picture = part.grab().toImage()
        middle, last = picture.height() // 2, picture.width() - 1
        for x in (1, last - 1):
            assert picture.pixelColor(x, middle) == QColor(tokens().colours.accent)


@pytest.mark.parametrize("kind", [QCheckBox, QRadioButton])
def test_the_ring_leaves_box_and_circle_alone(qtbot, kind):
    one = kind("Each row is one person")
    part = holder(column(one))
    window = holder(column(part, margin=16))
    ring = FocusRing(window)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.setFocus()
    before = window.grab().toImage()
    one.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: ring.widget() is one and ring.isVisible())
    after = window.grab().toImage()
    at = one.mapTo(window, QPoint(0, 0))
    circle = QRect(at, QSize(18, one.height()))
    assert before.copy(circle) == after.copy(circle)
    assert before != after


def test_the_ring_stays_above_a_control_that_was_hidden(qtbot):
    one = Button("one")
    part = holder(column(one, margin=16))
    window = holder(column(part))
    ring = FocusRing(window)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    one.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: ring.widget() is one and ring.isVisible())
    for change in (one.hide, one.show, lambda: one.move(20, 20), one.raise_):
        change()
        QApplication.processEvents()
        if not one.hasFocus():
            one.setFocus(Qt.FocusReason.TabFocusReason)
        if one.isVisible():
            order = ring.parentWidget().children()
            assert order.index(ring) > order.index(one)


def test_field_row_ties_the_label_to_the_field(qtbot):
    field = QLineEdit()
    row = field_row("Name", field, "Shown in the report.")
    qtbot.addWidget(row)
    label = row.findChildren(Label)[0]
    assert label.buddy() is field
    assert field.accessibleName() == "Name"


def test_button_sizes_follow_the_text(qtbot):
    short, long = Button("Go"), Button("Go somewhere far away")
    for button in (short, long):
        qtbot.addWidget(button)
        button.ensurePolished()
    assert long.sizeHint().width() > short.sizeHint().width()
    assert short.sizeHint().height() == long.sizeHint().height()
    assert QPoint(0, 0) == short.pos()


def test_columns_stack_where_it_is_narrow(qtbot):
    one, two = Card("One"), Card("Two")
    columns = Columns([(one, 3), (two, 2)], stack_below=500)
    qtbot.addWidget(columns)
    columns.resize(900, 400)
    columns.show()
    assert not columns.is_stacked
    assert one.y() == two.y()
    columns.resize(400, 400)
    assert columns.is_stacked
    qtbot.waitUntil(lambda: one.x() == two.x() and one.y() < two.y())
    assert columns.minimumSizeHint().width() < 400


def test_columns_stack_when_what_is_in_them_needs_more_room(qtbot):
    words, button = Label("Words beside it"), Button("")
    columns, window = Columns([(words, 1), (button, 0)], stack_below=300), QWidget()
    columns.setParent(window)
    qtbot.addWidget(window)
    columns.resize(400, 200)
    window.show()
    assert not columns.is_stacked
    button.setText("What this button says has become long " * 2)
    qtbot.waitUntil(lambda: columns.is_stacked)
    button.setText("Short")
    qtbot.waitUntil(lambda: not columns.is_stacked)


def test_a_choice_has_room_for_its_words_in_bold(qtbot):
    segments = Segmented([("a", "Known outside"), ("b", "Together")])
    qtbot.addWidget(segments)
    segments.resize(segments.minimumSizeHint())
    segments.show()
    for each in segments.findChildren(QAbstractButton):
        font = each.font()
        font.setWeight(QFont.Weight.DemiBold)
        needed = QFontMetrics(font).horizontalAdvance(each.text())
        assert each.width() >= needed


def test_parts_of_a_splitter_share_what_is_less_until_somebody_moves_them(qtbot):
    splitter = Splitter()
    qtbot.addWidget(splitter)
    for _ in range(2):
        splitter.addWidget(QWidget())
    splitter.setStretchFactor(0, 1)
    splitter.share([600, 300], [50, 150])
    splitter.resize(1200 + splitter.handleWidth(), 300)
    with qtbot.waitExposed(splitter):
        splitter.show()
    for width, sizes in ((1200, [900, 300]), (450, [300, 150]), (1200, [900, 300])):
        splitter.resize(width + splitter.handleWidth(), 300)
        assert splitter.sizes() == sizes
    splitter.moveSplitter(1000, 1)
    splitter.resize(700 + splitter.handleWidth(), 300)
    assert splitter.sizes()[1] == 200


def test_a_text_is_not_cut_for_a_part_of_a_pixel(qtbot):
    label = ElidedLabel()
    qtbot.addWidget(label)
    for number in range(100):
        label.setText(f"{number} columns")
        label.brief = label.text()
        label.resize(label.minimumSizeHint())
        assert label._shown() == label.text()


def test_the_ring_around_a_part_of_a_splitter_is_no_part_of_it(qtbot):
    window, splitter = QWidget(), Splitter()
    table, other = QTableView(), QTableView()
    for each in (table, other):
        splitter.addWidget(each)
    window.setLayout(column(splitter))
    qtbot.addWidget(window)
    ring = FocusRing(window)
    window.resize(400, 300)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    table.setFocus(Qt.FocusReason.TabFocusReason)
    assert ring.isVisible()
    assert splitter.count() == 2
    assert ring.width() >= table.width()
    assert ring.height() >= table.height()


class _LowerBesideTheBar(QWidget):
    """Just fits in an area without a scroll bar, so that it needs none, and back."""

    def __init__(self):
        super().__init__()
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.n_resizes = 0

    def heightForWidth(self, width):
        return 220 if width >= 300 else 100

    def minimumSizeHint(self):
        return QSize(100, self.heightForWidth(self.width()))

    def resizeEvent(self, event):
        self.n_resizes += 1
        self.updateGeometry()


def test_a_scroll_bar_is_not_shown_and_hidden_without_end(qtbot):
    """Qt's own area ends here in a segmentation fault."""
    area, inside = UnstyledArea(), _LowerBesideTheBar()
    area.setWidgetResizable(True)
    area.setFrameShape(UnstyledArea.Shape.NoFrame)
    area.setWidget(inside)
    qtbot.addWidget(area)
    area.show()
    for high in range(90, 240, 5):
        inside.n_resizes = 0
        area.resize(300, high)
        QApplication.processEvents()
        assert inside.n_resizes < 100


def test_the_title_of_an_empty_state_is_whole(qtbot):
    made = EmptyState("search", "Nothing to release yet", "Search first.", "Begin")
    qtbot.addWidget(made)
    for width in (700, 150):
        made.resize(width, 500)
        made.show()
        qtbot.waitExposed(made)
        title = made._title
        needed = title.heightForWidth(title.width())
        assert title.height() >= needed
        is_one_line = needed < 2 * title.fontMetrics().height()
        assert is_one_line == (width == 700)


def page_with(qtbot, part):
    """Put a part below a title, where there is little room."""
    page = QWidget()
    page.setLayout(column(Label("Title"), (part, 1), margin=(0, 0, 0, 24)))
    area = FittingArea(page)
    qtbot.addWidget(area)
    area.resize(400, 300)
    area.show()
    return area


def bars(*areas):
    return [each.verticalScrollBar().maximum() > 0 for each in areas]


def form():
    return holder(column(*(QLineEdit() for _ in range(30))))


def test_on_a_low_page_the_page_alone_scrolls(qtbot):
    part = scrolling(form())
    area = page_with(qtbot, part)
    qtbot.waitUntil(lambda: bars(area, part) == [True, False])
    assert part.height() >= part.widget().height()
    area.resize(400, 600)
    qtbot.waitUntil(lambda: bars(area, part) == [False, True])
    area.resize(400, 300)
    qtbot.waitUntil(lambda: bars(area, part) == [True, False])


def test_what_stands_beside_a_list_scrolls_on_a_low_page_too(qtbot):
    part = scrolling(form(), is_beside=True)
    area = page_with(qtbot, part)
    qtbot.waitUntil(lambda: bars(area, part) == [False, True])
    area.resize(400, 120)
    qtbot.waitUntil(lambda: bars(area, part) == [True, True])
    assert part.height() > 200


@pytest.mark.parametrize(("high", "is_scrolled"), [(270, False), (290, True)])
def test_nothing_scrolls_for_what_is_empty_at_the_end(qtbot, high, is_scrolled):
    part = QWidget()
    part.setFixedHeight(high)
    area = page_with(qtbot, part)
    # The title and the distance below it are 8 to 30 pixels high.
    qtbot.waitUntil(lambda: bars(area) == [is_scrolled])
    bottom = part.mapTo(area.viewport(), part.rect().bottomLeft()).y()
    assert (bottom >= area.viewport().height()) is is_scrolled


def test_the_frame_of_choices_in_rows_is_as_wide_as_the_rows(qtbot):
    bar = Segmented([(str(n), "Some words") for n in range(5)], wraps=True)
    qtbot.addWidget(bar)
    wide = bar.sizeHint().width() * 3 // 4
    bar.resize(wide, bar.heightForWidth(wide))
    bar.show()
    rows = bar.childrenRect()
    assert rows.height() > 40
    assert rows.right() + 10 < wide
    other = QWidget(bar)  # such as the ring of the focus
    other.setGeometry(bar.rect())
    other.show()
    seen = bar.grab().toImage()
    outside = seen.pixelColor(wide - 1, 0)
    drawn = [x for x in range(wide) if seen.pixelColor(x, 30) != outside]
    assert abs(max(drawn) - rows.right()) <= 4


def test_rows_of_tabs_stay_as_they_are_when_the_width_changes(qtbot):
    bar = Segmented([(str(n), "Some words") for n in range(7)], wraps=True)
    qtbot.addWidget(bar)
    bar.show()
    segments = bar.findChildren(QAbstractButton)
    wide = sum(each.minimumSizeHint().width() + 2 for each in segments)
    for share in (0.95, 0.9, 0.75):
        bar.resize(round(wide * share), 90)
        rows = [each.y() for each in segments]
        assert [rows.count(y) for y in sorted(set(rows))] == [4, 3]


def test_a_field_that_searches_has_no_room_for_what_is_not_shown(qtbot):
    field = SearchField("Find a value or group")
    qtbot.addWidget(field)
    field.resize(field.minimumSizeHint())
    field.show()
    (glyph,) = [e for e in field.findChildren(QToolButton) if e.isVisible()]
    words = field.fontMetrics().horizontalAdvance(field.placeholderText())
    assert field.width() - glyph.geometry().right() > words
    field.setText("a")
    qtbot.waitUntil(lambda: len(shown_buttons(field)) == 2)
    field.clear()
    qtbot.waitUntil(lambda: len(shown_buttons(field)) == 1)


def shown_buttons(field):
    return [e for e in field.findChildren(QToolButton) if e.isVisible()]


def test_what_a_splitter_puts_below_a_list_is_whole_on_a_low_page(qtbot):
    split, part = Splitter(300), scrolling(form(), is_beside=True)
    split.addWidget(Label("A list"))
    split.addWidget(part)
    split.share([200, 200], [20, 200])
    area = page_with(qtbot, split)
    qtbot.waitUntil(lambda: bars(area, part) == [False, True])
    area.resize(250, 300)
    qtbot.waitUntil(lambda: bars(area, part) == [True, False])
    assert part.height() >= part.widget().height()
    area.resize(400, 300)
    qtbot.waitUntil(lambda: bars(area, part) == [False, True])


def test_a_splitter_has_room_for_the_lines_of_its_texts(qtbot):
    words, below = Label("Many words, which wrap. " * 12, wrap=True), QWidget()
    below.setFixedHeight(100)
    split = Splitter()
    split.addWidget(holder(column(words, below)))
    split.addWidget(QWidget())
    page_with(qtbot, split)
    split.setSizes([150, 250])
    qtbot.waitUntil(lambda: words.height() >= words.heightForWidth(words.width()))
    assert below.geometry().bottom() < split.height()


def test_the_glyph_of_a_callout_stands_beside_its_words_not_the_button(qtbot):
    callout = Callout("Some columns have no threshold.", "warning", "", "Propose…")
    qtbot.addWidget(callout)
    callout.show()
    for width in (900, 200):
        callout.resize(width, callout.heightForWidth(width))
        QApplication.processEvents()
        glyph, words = callout._glyph.geometry(), callout._text.geometry()
        assert words.top() - 2 <= glyph.center().y() <= words.bottom()


def test_a_button_with_a_menu_shows_an_arrow(qtbot):
    menu, button = QMenu(), Button("Add a step", glyph="plus", small=True)
    for each in (menu, button):
        qtbot.addWidget(each)
    without = painted(button)
    button.setMenu(menu)
    image = painted(button)
    assert image.width() > without.width()
    middle = image.height() // 2
    right = range(image.width() - 26, image.width() - 4)
    assert len({image.pixel(x, middle) for x in right}) > 1
