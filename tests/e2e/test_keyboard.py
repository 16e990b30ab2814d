"""From import to export without a mouse; Tab goes through every page as it is read."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog

from deidgui.app import ops
from deidgui.app.policies.runner import LATTICE
from deidgui.app.session import Kind
from deidgui.engine.evidence.verify import verify_release
from deidgui.qt.pages import STEPS
from deidgui.qt.pages.policies.looking import WAYS
from deidgui.qt.widgets import Button, ClickableFrame
from tests.e2e.test_journeys import write_patients

MOST = 300
"""Presses of Tab after which a control counts as out of reach."""

NEAR = 4
"""Pixels by which neighbours may overlap."""

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


class Hands:
    """Two hands on a keyboard, and none on a mouse."""

    def __init__(self, driver):
        self.driver, self.window = driver, driver.window
        self.window.activateWindow()
        assert QTest.qWaitForWindowActive(self.window)

    @property
    def focus(self):
        return QApplication.focusWidget()

    def press(self, key, modifier=Qt.KeyboardModifier.NoModifier):
        QTest.keyClick(self.focus or self.window, key, modifier)
        QApplication.processEvents()

    def type(self, text):
        QTest.keyClicks(self.focus, text)

    def tab_to(self, wanted):
        """Press Tab until a control has the focus."""
        for _ in range(MOST):
            if self.focus is wanted:
                return
            self.press(Qt.Key.Key_Tab)
        raise AssertionError(f"Tab does not reach {called(wanted)}")

    def push(self, button):
        self.tab_to(button)
        self.press(Qt.Key.Key_Space)

    def step(self, place):
        """Go to a step by its number; the focus is on its page."""
        self.press(getattr(Qt.Key, f"Key_{place}"), CTRL)
        key = STEPS[place - 1].key
        assert self.window.current_key == key
        self.driver.wait_idle()
        page = self.window.page(key)
        assert self.focus is page or page.isAncestorOf(self.focus)
        return page

    def walk(self, page):
        """Press Tab through a page; return its controls in that order."""
        page.setFocus(Qt.FocusReason.ShortcutFocusReason)
        found = []
        self.backwards = []
        for _ in range(MOST):
            before = self.focus
            self.press(Qt.Key.Key_Tab)
            if not page.isAncestorOf(self.focus) or self.focus in found:
                break
            # Where both stand now: what scrolls has scrolled.
            if found and is_backwards(page, before, self.focus):
                self.backwards.append((called(before), called(self.focus)))
            found.append(self.focus)
        return found


def called(widget):
    words = widget.text() if isinstance(widget, QAbstractButton) else ""
    return f"{type(widget).__name__} {widget.accessibleName() or words}"


def is_backwards(page, before, after):
    """Whether a step of Tab goes neither to the right nor down."""
    one, other = (
        QRect(each.mapTo(page, QPoint(0, 0)), each.size()) for each in (before, after)
    )
    is_right = other.left() >= one.right() - NEAR
    is_below = other.top() >= one.bottom() - NEAR
    return not (is_right or is_below or one.contains(other))


@pytest.fixture
def hands(driver):
    return Hands(driver)


def test_from_import_to_verified_export_by_keyboard(
    driver, hands, tmp_path, monkeypatch
):
    table = str(write_patients(tmp_path / "patients.csv", n=800))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a: (table, ""))
    (tmp_path / "out").mkdir()
    release = str(tmp_path / "out" / "a name of its own")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: (release, ""))
    hands.press(Qt.Key.Key_N, CTRL)
    driver.wait(lambda: driver.session.loaded is not None)
    driver.wait_idle()

    data = hands.step(2)
    hands.push(data.protected.rows)
    assert driver.project.unit.kind == "row"

    attributes = hands.step(3)
    if attributes.confirm.isVisible():
        hands.push(attributes.confirm)
    hands.tab_to(attributes.table)
    keys = {
        "direct_identifier": Qt.Key.Key_1,
        "quasi_identifier": Qt.Key.Key_2,
        "sensitive": Qt.Key.Key_3,
        "insensitive": Qt.Key.Key_4,
    }
    hands.press(Qt.Key.Key_Home, CTRL)
    for _ in driver.project.attributes:
        each = driver.project.attribute(attributes.table.current_name)
        if not each.confirmed:
            hands.press(keys[each.role or "insensitive"])
        hands.press(Qt.Key.Key_Down)
    assert all(each.confirmed for each in driver.project.attributes)

    hierarchies = hands.step(4)
    assert len(hands.walk(hierarchies)) > 3

    risk = hands.step(5)
    hands.push(risk.recipients.option("researcher"))
    assert driver.project.privacy.threshold.recipient == "researcher"

    policies = hands.step(6)
    driver.wait(policies.look.run_button.isEnabled)
    hands.push(policies.look.run_button)
    driver.wait_idle()
    assert driver.session.current(LATTICE) is not None
    hands.tab_to(policies.results.views.table)
    hands.press(Qt.Key.Key_Down)
    hands.press(Qt.Key.Key_Return)
    assert driver.project.chosen is not None
    hands.press(Qt.Key.Key_Z, CTRL)
    assert driver.project.chosen is None

    hands.step(7)
    export = hands.step(8)
    first = export.options.suppressed._group.checkedButton()
    hands.tab_to(first)
    hands.press(Qt.Key.Key_Right)
    assert driver.project.export.suppressed is None
    hands.press(Qt.Key.Key_Space)
    assert driver.project.export.suppressed == "stars"
    driver.wait_idle()
    for key in tuple(export.questions.fields):
        hands.tab_to(export.questions.fields[key])
        hands.type("It is a test.")
        hands.push(export.questions.buttons[key])
    driver.wait(export.export_button.isEnabled)
    hands.push(export.export_button)
    driver.wait(lambda: driver.session.result(Kind.RELEASE) is not None)
    driver.wait_idle()
    folder = driver.session.result(Kind.RELEASE).folder
    assert str(folder) == release
    assert verify_release(folder).ok
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_a: str(folder))
    hands.press(Qt.Key.Key_V, CTRL | SHIFT)
    driver.wait_idle()
    assert "verified" in [each.topic for each in driver.window.notices.notices]
    assert not driver.problems


@pytest.fixture
def searched(driver, tmp_path):
    driver.open_data(write_patients(tmp_path / "patients.csv", n=400))
    driver.confirm_roles()
    driver.session.apply(ops.take_over("researcher"), "recipient")
    driver.wait_idle()
    driver.search()
    return driver


def test_tab_follows_reading_order_on_every_page(searched, hands):
    wrong = {}
    for place, step in enumerate(STEPS, start=1):
        page = hands.step(place)
        order = hands.walk(page)
        assert len(order) > 2, step.key
        wrong[step.key] = hands.backwards
    page = hands.step(6)
    page.look.set_open(True)
    for way in WAYS:
        page.look.set_way(way)
        searched.wait_idle()
        hands.walk(page)
        wrong[way] = hands.backwards
    risk = hands.step(5)
    for part in risk.summaries:
        risk.show_part_of(part)
        hands.walk(risk)
        wrong[part] = hands.backwards
    assert not any(wrong.values()), {k: v for k, v in wrong.items() if v}


def test_whatever_is_clicked_can_be_reached_by_tab(searched, hands):
    """Buttons and choices that are seen are stops, or arrow keys reach them."""
    unreachable = {}
    for place, step in enumerate(STEPS, start=1):
        page = hands.step(place)
        order = hands.walk(page)
        for kind in (QAbstractButton, ClickableFrame):
            for each in page.findChildren(kind):
                is_ours = "deidgui" in type(each).__module__ or each.isCheckable()
                is_seen = each.isVisible() and each.isEnabled() and is_ours
                if is_seen and each not in order and not in_group(each, order):
                    unreachable.setdefault(step.key, []).append(called(each))
    assert not unreachable, unreachable


def in_group(button, order):
    """Whether arrow keys reach a button from another one that Tab reaches."""
    group = button.group() if isinstance(button, QAbstractButton) else None
    siblings = group.buttons() if group is not None else []
    if isinstance(button, QAbstractButton) and button.autoExclusive():
        siblings = button.parentWidget().findChildren(type(button))
    return any(each in order for each in siblings)


def test_one_next_step_is_offered_after_a_search(searched):
    """The button that leads on is the only strong one."""
    page = searched.page("policies")
    searched.wait_idle()
    assert page.results.isVisible()
    strong = [
        each.text()
        for each in searched.window.findChildren(Button)
        if each.property("kind") == "primary" and each.isVisible() and each.isEnabled()
    ]
    assert strong == ["Next: Risk and utility"]


class Mouse:
    """One hand on a mouse, which counts its clicks."""

    def __init__(self, driver):
        self.driver, self.clicks = driver, 0

    def click(self, widget, at=None):
        assert widget.isVisible(), called(widget)
        assert widget.isEnabled(), called(widget)
        where = at or widget.rect().center()
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=where)
        self.clicks += 1
        QApplication.processEvents()
        self.driver.wait_idle()

    def go_on(self, key):
        """Click “Next” until a step is shown."""
        while self.driver.window.current_key != key:
            self.click(self.driver.window.footer._next)


def test_clicks_from_a_new_file_to_a_verified_release(driver, tmp_path, monkeypatch):
    table = str(write_patients(tmp_path / "patients.csv", n=800))
    proposed = []

    def as_proposed(_parent, title, start, *_options):
        proposed.append((title, start))
        return start, ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a: (table, ""))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", as_proposed)
    mouse, window = Mouse(driver), driver.window
    mouse.click(window.page("start").findChildren(Button)[0])
    driver.wait(lambda: driver.session.loaded is not None)
    driver.wait_idle()
    rows = window.page("data").protected.rows
    mouse.click(rows, QPoint(12, rows.height() // 2))
    mouse.go_on("attributes")
    attributes = window.page("attributes")
    mouse.click(attributes.confirm)
    for each in driver.project.attributes:
        if not each.confirmed:
            attributes.table.choose(each.name)
            index = attributes.table.currentIndex()
            rect = attributes.table.visualRect(index)
            mouse.click(attributes.table.viewport(), rect.center())
            mouse.click(attributes.role_buttons[each.role or "insensitive"])
    mouse.go_on("risk")
    mouse.click(window.page("risk").recipients.option("researcher"))
    mouse.go_on("policies")
    mouse.click(window.page("policies").look.run_button)
    mouse.go_on("export")
    export = window.page("export")
    stars = export.options.suppressed._group.button(1)
    mouse.click(stars)
    for key in tuple(export.questions.fields):
        export.questions.fields[key].setText("It is a test.")
        mouse.click(export.questions.buttons[key])
    mouse.click(export.export_button)
    driver.wait(lambda: driver.session.result(Kind.RELEASE) is not None)
    driver.wait_idle()
    folder = driver.session.result(Kind.RELEASE).folder
    assert verify_release(folder).ok
    assert folder == tmp_path / "patients release"
    driver.window.settings.remember_folder("release", tmp_path / "handed out")
    driver.window.actions_by_name["save"].trigger()
    assert proposed == [
        ("New folder for the release: choose its place and name", str(folder)),
        ("Save the project", str(tmp_path / "patients.deid.json")),
    ]
    n_open = sum(not each.taken_over for each in driver.project.attributes)
    # Seven of them go on to the next step; two for each column that is looked at.
    assert mouse.clicks == 13 + 2 * n_open
