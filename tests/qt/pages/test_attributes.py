"""The page Attributes shows proposals with reasons and takes decisions by all ways."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QRadioButton,
    QStyle,
    QStyleOptionViewItem,
)

from deidgui.app import ops
from deidgui.app.jobs import JobRunner
from deidgui.app.policies.runner import LATTICE
from deidgui.app.project import Project
from deidgui.app.reading.importance import WEIGHTS
from deidgui.app.workspace import Workspace
from deidgui.qt.column_words import finding_words
from deidgui.qt.models.attributes import AttributeColumn
from deidgui.qt.pages.attributes.page import AttributesPage
from deidgui.qt.pages.base import StepState
from deidgui.qt.row_model import NAME_ROLE, SORT_ROLE
from deidgui.qt.theme import theme
from deidgui.qt.widgets import Button
from tests.qt.fakes import InlineExecutor, Later, fill

PLAIN = Qt.KeyboardModifier.NoModifier
N_ROWS = 240
CSV = "patient_id,email,sex,age,zip,diagnosis,weighting\n" + "".join(
    f"P{i:05d},p{i}@example.org,{'female' if i % 2 else 'male'},{20 + i % 70},"
    f"{10000 + 37 * (i % 50)},{'EIJK'[i % 4]}{10 + i % 80}.{i % 10},{1000 + i * 7}\n"
    for i in range(N_ROWS)
)


@pytest.fixture
def workspace():
    made = Workspace(lambda closure: closure(), executor=InlineExecutor())
    yield made
    made.close()


@pytest.fixture
def page(qtbot, workspace, settings):
    made = AttributesPage(workspace, settings)
    qtbot.addWidget(made)
    made.resize(1100, 640)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def data(tmp_path, workspace):
    path = tmp_path / "patients.csv"
    path.write_text(CSV)
    workspace.open_data(path)
    return path


@pytest.fixture
def filled(page, data):
    return page


def attribute(page, name):
    return page.session.project.attribute(name)


def choose_rows(page, *names):
    page.table.clearSelection()
    flags = page.table.selectionModel().SelectionFlag
    for name in names:
        row = page.model.row_of(name)
        index = page.proxy.mapFromSource(page.model.index(row, 0))
        page.table.selectionModel().setCurrentIndex(index, flags.Select | flags.Rows)


def text(page, name, heading):
    return page.model.index(page.model.row_of(name), heading).data()


def test_without_data_it_says_what_to_do(qtbot, page):
    assert page._empty.isVisible()
    assert page.status().state is StepState.NOT_YET
    with qtbot.waitSignal(page.step_wanted) as wanted:
        page._empty.acted.emit()
    assert wanted.args == ["start"]


def test_every_column_has_a_row_with_figures(filled):
    assert filled.model.rowCount() == 7
    assert text(filled, "sex", AttributeColumn.VALUES) == "2"
    assert text(filled, "sex", AttributeColumn.MISSING).startswith("0")
    # 120 women and 120 men: 2 * 120 * 120 of 240 * 239 ordered pairs differ.
    separation = filled.model.finding("sex").separation
    assert separation == pytest.approx(2 * 120 * 120 / (240 * 239))
    assert text(filled, "patient_id", AttributeColumn.SEPARATION).startswith("100")


def test_proposals_are_visibly_proposals(filled):
    row = filled.model.index(filled.model.row_of("email"), AttributeColumn.ROLE)
    spoken = row.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Direct identifier, proposed"
    assert filled.confirm.isVisible()
    # Six of seven are certain; the other one is decided by itself.
    assert " 6 " in filled.confirm.text()
    assert " 1 " in filled.review.text()
    assert filled.status().state is StepState.ATTENTION


def test_the_band_is_said_in_words(filled):
    row = filled.model.index(filled.model.row_of("email"), AttributeColumn.FINDING)
    spoken = row.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("Certain")
    assert row.data(Qt.ItemDataRole.ToolTipRole)


def test_confirming_takes_certain_proposals_over_and_can_be_undone(qtbot, filled):
    before = filled.session.project
    qtbot.mouseClick(filled.confirm, Qt.MouseButton.LeftButton)
    attributes = filled.session.project.attributes
    assert sum(each.confirmed for each in attributes) == 6
    assert all(each.taken_over == each.confirmed for each in attributes)
    assert not filled.confirm.isVisible()
    assert filled.review.isVisible()
    assert filled.status().state is StepState.ATTENTION
    filled.session.undo()
    assert filled.session.project == before
    assert filled.confirm.isVisible()


@pytest.mark.parametrize(
    ("key", "role"),
    [
        (Qt.Key.Key_1, "direct_identifier"),
        (Qt.Key.Key_2, "quasi_identifier"),
        (Qt.Key.Key_3, "sensitive"),
        (Qt.Key.Key_4, "insensitive"),
    ],
)
@pytest.mark.parametrize(
    ("where", "modifier"),
    [
        (lambda page: page.table, PLAIN),
        (lambda page: page.table, Qt.KeyboardModifier.KeypadModifier),
        (lambda page: page.review, PLAIN),
        (lambda page: page.detail.findChild(QRadioButton), PLAIN),
    ],
    ids=["list", "keypad", "header", "detail"],
)
def test_keys_set_the_role_of_all_chosen_rows(
    qtbot, filled, key, role, where, modifier
):
    choose_rows(filled, "sex", "diagnosis", "weighting")
    with qtbot.waitActive(filled):
        filled.activateWindow()
    where(filled).setFocus()
    qtbot.keyClick(where(filled), key, modifier)
    roles = {attribute(filled, name).role for name in ("sex", "diagnosis", "weighting")}
    assert roles == {role}
    assert attribute(filled, "sex").confirmed
    assert set(filled.table.chosen_names) == {"sex", "diagnosis", "weighting"}


def test_keys_set_no_role_where_one_types_nor_where_the_list_is_not_seen(qtbot, filled):
    choose_rows(filled, "sex")
    with qtbot.waitActive(filled):
        filled.activateWindow()
    before = filled.session.project
    filled.search.setFocus()
    qtbot.keyClick(filled.search, Qt.Key.Key_1)
    assert filled.search.text() == "1"
    assert filled.session.project == before
    filled.view.set_current("importance")
    filled._show_view()
    filled.view.setFocus()
    qtbot.keyClick(filled.view, Qt.Key.Key_1)
    assert filled.session.project == before


def test_a_new_quasi_identifier_has_a_hierarchy(qtbot, filled):
    choose_rows(filled, "weighting")
    with qtbot.waitActive(filled):
        filled.activateWindow()
    qtbot.keyClick(filled.table, Qt.Key.Key_4)
    qtbot.keyClick(filled.table, Qt.Key.Key_2)
    assert attribute(filled, "weighting").hierarchy is not None


def test_bulk_buttons_set_roles_as_one_decision(qtbot, filled):
    choose_rows(filled, "sex", "age")
    qtbot.mouseClick(filled.role_buttons["sensitive"], Qt.MouseButton.LeftButton)
    assert attribute(filled, "sex").role == attribute(filled, "age").role == "sensitive"
    assert "2 columns" in filled.session.undo_label
    filled.session.undo()
    assert attribute(filled, "sex").role == "quasi_identifier"


def test_space_leaves_out_and_takes_in(qtbot, filled):
    choose_rows(filled, "sex", "age")
    qtbot.keyClick(filled.table, Qt.Key.Key_Space)
    assert not attribute(filled, "sex").include
    assert not attribute(filled, "age").include
    qtbot.keyClick(filled.table, Qt.Key.Key_Space)
    assert attribute(filled, "sex").include


def test_the_check_mark_leaves_a_column_out(filled):
    index = filled.model.index(filled.model.row_of("zip"), AttributeColumn.NAME)
    filled.model.setData(
        index, Qt.CheckState.Unchecked.value, Qt.ItemDataRole.CheckStateRole
    )
    assert not attribute(filled, "zip").include
    spoken = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert "left out" in spoken


def test_the_detail_gives_the_reasons_of_the_current_column(filled):
    filled.table.choose("email")
    shown = filled.detail
    assert shown._name.text() == "email"
    role = shown.roles.checkedButton().text()
    assert role == "Direct identifier"
    # The meaning stands below the last role: it says which one it is of.
    assert shown._meaning.text().startswith(f"{role}: ")
    assert shown._reasons.count() == len(filled.model.finding("email").reasons)
    assert "direct identifier" in shown._reasons.itemAt(0).widget().text()
    assert shown.treatment.isVisible()
    filled.table.choose("sex")
    assert not shown.treatment.isVisible()


def test_the_treatment_is_decided(qtbot, filled):
    filled.table.choose("patient_id")
    combo = filled.detail.treatment
    combo.setCurrentIndex(combo.findData("pseudonym"))
    combo.activated.emit(combo.currentIndex())
    assert attribute(filled, "patient_id").treatment == "pseudonym"
    assert "secret key" in filled.detail._treatment_meaning.text()


def test_one_can_go_back_to_the_proposal(qtbot, filled):
    filled.table.choose("sex")
    filled.detail.roles.button(3).click()
    assert attribute(filled, "sex").role == "insensitive"
    assert filled.detail._proposal.isVisible()
    qtbot.mouseClick(filled.detail._proposal, Qt.MouseButton.LeftButton)
    assert attribute(filled, "sex").role == "quasi_identifier"
    assert not filled.detail._proposal.isVisible()


def test_a_column_that_is_kept_and_nearly_unique_is_flagged(qtbot, filled):
    place = filled.model.row_of("weighting")
    index = filled.model.index(place, AttributeColumn.VALUES)
    for role, is_flagged in (
        ("insensitive", True),
        ("quasi_identifier", False),
        ("sensitive", True),
    ):
        choose_rows(filled, "weighting")
        filled._set_roles(("weighting",), role)
        is_signed = index.data(Qt.ItemDataRole.DecorationRole) is not None
        assert is_signed is is_flagged, role
        filled.table.choose("weighting")
        assert filled.detail.unique.isVisible() is is_flagged
    assert "Nearly unique: 100" in index.data(Qt.ItemDataRole.ToolTipRole)
    filled.table.choose("sex")
    assert not filled.detail.unique.isVisible()


def test_a_column_is_found_by_its_name_alone(filled):
    """What was found in a column stands in no text that the search is about."""
    names = [each.name for each in filled.session.project.attributes]
    found = {finding_words(filled.model.finding(each)) for each in names} - {""}
    assert found
    for words in found:
        filled.proxy.show_only(words, "all")
        told = words.casefold()
        assert shown_names(filled) == [each for each in names if told in each]


def test_search_and_filter_narrow_the_list(filled):
    filled.search.setText("mai")
    filled.search.searched.emit("mai")
    assert filled.proxy.rowCount() == 1
    filled.search.setText("nothing like it")
    filled.search.searched.emit("nothing like it")
    assert filled.proxy.rowCount() == 0
    assert filled._no_match.isVisible()
    filled.search.clear()
    filled.filter.set_current("quasi_identifier")
    filled._on_filter_changed()
    shown = {
        filled.proxy.index(row, 0).data() for row in range(filled.proxy.rowCount())
    }
    quasi = {each.name for each in filled.session.project.quasi_identifiers}
    assert shown == quasi


def test_columns_sort_by_their_figures(filled):
    filled.table.sortByColumn(AttributeColumn.VALUES, Qt.SortOrder.DescendingOrder)
    keys = [
        filled.proxy.index(row, AttributeColumn.VALUES).data(SORT_ROLE)
        for row in range(filled.proxy.rowCount())
    ]
    assert keys == sorted(keys, reverse=True)
    assert keys[0] == N_ROWS


def shown_names(page):
    proxy = page.proxy
    return [proxy.index(row, 0).data(NAME_ROLE) for row in range(proxy.rowCount())]


def test_sorting_asks_each_column_once(filled, monkeypatch):
    asked, get = [], filled.summaries.get

    def counted(attribute):
        asked.append(attribute.name)
        return get(attribute)

    monkeypatch.setattr(filled.summaries, "get", counted)
    filled.model.sort(AttributeColumn.VALUES, Qt.SortOrder.AscendingOrder)
    names = [each.name for each in filled.session.project.attributes]
    assert sorted(asked) == sorted(names)


def test_the_order_stays_while_columns_are_decided_and_ends_with_sorting(filled):
    unsorted = shown_names(filled)
    choose_rows(filled, "age", "sex")
    filled.table.sortByColumn(AttributeColumn.VALUES, Qt.SortOrder.DescendingOrder)
    ordered = shown_names(filled)
    assert ordered != unsorted
    assert sorted(ordered) == sorted(unsorted)
    assert set(filled.table.chosen_names) == {"age", "sex"}
    filled.session.apply(ops.set_role("zip", "insensitive"), "role")
    assert shown_names(filled) == ordered
    filled.proxy.show_only("ag", "all")
    some = shown_names(filled)
    assert 1 < len(some) < len(ordered)
    assert some == [each for each in ordered if each in some]
    filled.proxy.show_only("", "all")
    filled.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    assert shown_names(filled) == unsorted


def test_together_measures_all_sets_on_demand(filled):
    filled.view.chosen.emit("together")
    filled.view.set_current("together")
    filled._show_view()
    together = filled.together
    assert together.empty.isVisible()
    together.empty.acted.emit()
    n_quasi = len(filled.session.project.quasi_identifiers)
    assert together.model.rowCount() == 2**n_quasi - 1
    # The most telling set first; no subset tells more than the whole.
    assert together.table.isVisible()
    assert not together.stale.isVisible()
    filled.session.apply(ops.set_role("sex", "insensitive"), "set role")
    assert together.stale.isVisible()
    together.stale.acted.emit()
    assert together.model.rowCount() == 2 ** (n_quasi - 1) - 1
    assert not together.stale.isVisible()


def test_while_sets_are_measured_nothing_is_stretched_and_the_keyboard_is_there(
    filled, qtbot, monkeypatch
):
    filled.view.set_current("together")
    filled.view.chosen.emit("together")
    filled._show_view()
    filled.resize(1100, 800)
    filled.activateWindow()
    qtbot.waitUntil(filled.isActiveWindow)
    together, later = filled.together, Later()
    monkeypatch.setattr(
        filled.workspace, "runner", JobRunner(lambda closure: closure(), later)
    )
    button = together.empty.findChild(Button)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    button.click()
    assert together.progress.hasFocus()
    QApplication.processEvents()
    lead, card = together._lead, together.progress
    assert lead.height() <= lead.heightForWidth(lead.width()) + 2
    assert card.height() <= card.sizeHint().height() + 2
    assert card.y() == lead.geometry().bottom() + 1 + 12
    later.run()
    qtbot.waitUntil(together.table.hasFocus)


def test_a_set_is_as_telling_as_counted_by_hand(filled):
    filled.together.start()
    model = filled.together.model
    rows = {
        model.index(row, 0).data(): model.row_at(row) for row in range(model.rowCount())
    }
    lines = [line.split(",") for line in CSV.splitlines()[1:]]
    pairs = {(line[2], line[3]) for line in lines}
    name = next(each for each in rows if set(each.split(" + ")) == {"sex", "age"})
    distinction = filled.together._subsets.distinction[rows[name]]
    assert distinction == pytest.approx(len(pairs) / N_ROWS)


def test_without_quasi_identifiers_it_says_so(filled):
    for each in filled.session.project.quasi_identifiers:
        filled.session.apply(ops.set_role(each.name, "insensitive"), "set role")
    assert filled.status().what_is_missing
    assert "role quasi-identifier" in filled.together.empty._sentence.text()


def test_an_opened_project_without_its_file_is_shown(page, data):
    project = page.session.project
    page.session.start(project)
    assert page.model.rowCount() == 7
    assert page.detail.isVisible()
    page.session.start(Project())
    assert page._empty.isVisible()


def test_a_thousand_columns_are_fluent(qtbot, page, workspace, tmp_path):
    path = tmp_path / "wide.csv"
    names = ",".join(f"c{i}" for i in range(1000))
    row = ",".join(str(i % 7) for i in range(1000))
    path.write_text(names + "\n" + "\n".join([row] * 20) + "\n")
    workspace.open_data(path)
    assert page.model.rowCount() == 1000
    assert text(page, "c999", AttributeColumn.VALUES) == "1"
    began = time.perf_counter()
    page.refresh(page.parts)
    page.table.choose("c900")
    page.grab()
    assert time.perf_counter() - began < 5  # loose: only against quadratic work


def test_help_counts_the_roles(filled):
    words = filled.help_words()
    assert "Direct identifier" in words
    assert "Quasi-identifier" in words


def test_open_columns_are_decided_by_their_shape_without_a_value(qtbot, filled):
    qtbot.mouseClick(filled.confirm, Qt.MouseButton.LeftButton)
    dialog = filled.review_dialog()
    qtbot.addWidget(dialog)
    (column,) = [e for e in filled.session.project.attributes if not e.confirmed]
    table = dialog.table
    assert table.model().rowCount() == 1
    cells = [table.model().index(0, at).data() for at in range(4)]
    assert cells[0] == column.name
    assert "length" in cells[2]
    assert "in one record only" in cells[3]
    shown = " ".join(cells)
    texts = filled.session.loaded.table.column(column.name).texts()
    assert not any(text in shown for text in texts if len(text) > 3)
    assert not dialog.leave_out_button.isEnabled()
    # It has no proposal: nothing is checked together with others.
    assert column.role is None
    dialog.all_button.click()
    assert not dialog.chosen
    dialog.check(column.name)
    qtbot.mouseClick(dialog.leave_out_button, Qt.MouseButton.LeftButton)
    filled.take_decision(dialog.chosen, dialog.decision)
    assert not filled.session.project.attribute(column.name).include
    assert filled.status().state is StepState.READY


def test_removed_and_left_out_columns_have_other_marks(filled):
    """Who counts the ticks must not count a column that its treatment removes."""
    first, second, third, *_ = filled.session.project.attributes
    session = filled.session
    for each in (first, second, third):
        session.apply(ops.set_role(each.name, "direct_identifier"), "role")
    session.apply(ops.change_attribute(second.name, treatment="pseudonym"), "keep")
    session.apply(ops.change_attribute(third.name, include=False), "leave out")

    def mark(name):
        index = filled.model.index(filled.model.row_of(name), AttributeColumn.NAME)
        return Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole))

    assert mark(first.name) is Qt.CheckState.PartiallyChecked
    assert mark(second.name) is Qt.CheckState.Checked
    assert mark(third.name) is Qt.CheckState.Unchecked
    # A click on the dash leaves the column out, another takes it in again.
    index = filled.model.index(filled.model.row_of(first.name), AttributeColumn.NAME)
    for wanted in (False, True):
        click = Qt.CheckState.Checked.value, Qt.ItemDataRole.CheckStateRole
        filled.model.setData(index, *click)
        assert attribute(filled, first.name).include is wanted


def test_a_step_is_done_once_what_the_page_asks_is_answered(filled):
    """Confirmed roles are not enough: the page still lists what is open."""
    session = filled.session
    for each in session.project.attributes:
        session.apply(ops.set_role(each.name, "quasi_identifier"), "role")
    n = len(session.project.attributes)
    assert filled.question.isVisible()
    status = filled.status()
    assert (status.state, status.caption) == (
        StepState.READY,
        f"{n + 1} questions open",
    )
    texts = {e.text() for e in filled.view._group.buttons()}
    assert texts >= {f"Known outside ({n} open)", "Importance (1 open)"}
    session.apply(ops.confirm_importance(), "importance")
    assert filled.status().caption == f"{n} questions open"
    assert "Importance" in {e.text() for e in filled.view._group.buttons()}
    said = {"replicability": "low", "availability": "low", "knowable_by": "nobody"}
    names = [each.name for each in session.project.attributes]
    said |= {"sources": "nowhere"}
    op = ops.say_principles(names, by="A", on="2026-01-02", **said)
    session.apply(op, "outsiders")
    assert filled.status().state is StepState.DONE
    assert not filled.status().what_is_missing


def test_a_column_that_its_treatment_removes_is_no_part_of_the_release(filled):
    choose_rows(filled, "email")
    detail = filled.detail
    assert attribute(filled, "email").include
    assert detail.treatment.current == "remove"
    assert not detail.include.is_on
    assert not detail.include._switch.isEnabled()
    assert "Nothing of it is released" in detail.include._explanation.text()
    row = filled.model.index(filled.model.row_of("email"), AttributeColumn.NAME)
    assert "removed" in row.data(Qt.ItemDataRole.AccessibleTextRole)
    detail.treatment_wanted.emit("mask")
    assert detail.include.is_on
    assert detail.include._switch.isEnabled()
    assert "Off leaves the column out" in detail.include._explanation.text()
    assert "removed" not in row.data(Qt.ItemDataRole.AccessibleTextRole)
    # Left out altogether it can be taken in again here.
    filled._include(("email",), is_on=False)
    assert not detail.include.is_on
    assert detail.include._switch.isEnabled()


class _Spy(QPainter):
    """Remembers what is written, and whether it is struck out."""

    def __init__(self, device):
        super().__init__(device)
        self.written = []

    def drawText(self, *given):
        self.written.append((given[-1], self.font().strikeOut()))
        super().drawText(*given)


def test_only_the_name_of_what_is_left_out_is_struck_out(filled):
    filled._include(("sex",), is_on=False)
    index = filled.proxy.mapFromSource(
        filled.model.index(filled.model.row_of("sex"), AttributeColumn.NAME)
    )
    delegate = filled.table.itemDelegateForColumn(AttributeColumn.NAME)
    option = QStyleOptionViewItem()
    filled.table.initViewItemOption(option)
    option.rect = QRect(0, 0, 200, 46)
    picture = QPixmap(200, 46)
    painter = _Spy(picture)
    delegate.paint(painter, option, index)
    painter.end()
    assert painter.written == [("sex", True), ("Left out", False)]


@pytest.mark.parametrize("is_decided", [True, False])
def test_after_the_review_the_keyboard_is_on_the_page(window, qtbot, is_decided):
    """Nothing is left to review: what follows has it, neither Back nor a decision."""
    workspace = window.workspace
    fill(workspace.session)
    window.show_step("attributes")
    page = window.page("attributes")
    QApplication.processEvents()

    def answer():
        dialog = QApplication.activeModalWidget()
        if not is_decided:
            dialog.reject()
            return
        for name in [each.name for each in dialog._attributes]:
            dialog.check(name)
        dialog.release_button.click()

    page.review.setFocus()
    QTimer.singleShot(0, answer)
    page.review.click()
    window.activateWindow()

    def is_back():
        here = QApplication.focusWidget()
        return here is not None and here.window() is window

    qtbot.waitUntil(is_back)
    now = QApplication.focusWidget()
    if page.review.isVisible():
        assert now is page.review
    else:
        assert page.isAncestorOf(now) or now is page
        assert not isinstance(now, QAbstractButton), now.text()
    assert page.review.isVisible() != is_decided


def test_after_importance_is_confirmed_the_keyboard_is_at_the_views(window, qtbot):
    fill(window.workspace.session)
    window.show_step("attributes")
    page = window.page("attributes")
    page.apply(ops.confirm_roles(), "confirm")
    page.question.acted.emit()
    button = page.importance.confirm
    qtbot.waitUntil(button.isVisible)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(button, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not button.isVisible())
    QApplication.processEvents()
    now = window.focusWidget()
    assert now is not None
    assert page.view.isAncestorOf(now)


@pytest.mark.parametrize("is_open", [True, False])
def test_after_the_proposals_are_confirmed_the_keyboard_is_on_what_follows(
    window, data, is_open
):
    window.show_step("attributes")
    page = window.page("attributes")
    if not is_open:
        page.take_decision(tuple(e.name for e in page._to_review()), "release")
    QApplication.processEvents()
    page.confirm.setFocus(Qt.FocusReason.TabFocusReason)
    assert page.confirm.hasFocus()
    page.confirm.click()
    assert page.confirm.isHidden()
    assert page.review.isVisible() is is_open
    now = page.review if is_open else page.table
    assert now.hasFocus()
    assert window._focus_ring.widget() is now


def test_columns_that_have_a_proposal_are_checked_together(qtbot, filled):
    dialog = filled.review_dialog()
    qtbot.addWidget(dialog)
    model = dialog.table.model()
    lines = [
        (model.index(row, 0).data(), model.index(row, 1).data())
        for row in range(model.rowCount())
    ]
    dialog.all_button.click()
    assert dialog.chosen == tuple(name for name, role in lines if role != "Not decided")
    assert dialog.take_over_button.isEnabled() == bool(dialog.chosen)


def test_undecided_columns_stand_first(filled):
    filled.session.apply(
        ops.change_attribute("zip", role=None, confirmed=False), "undecided"
    )
    attributes = filled.session.project.attributes
    filled.model.set_attributes((), {})
    filled.model.set_attributes(attributes, {})
    assert filled.model.row_at(0).name == "zip"
    said = filled.model.index(0, AttributeColumn.ROLE)
    assert "proposed" not in said.data(Qt.ItemDataRole.AccessibleTextRole)
    assert said.data(Qt.ItemDataRole.AccessibleTextRole) == "Not decided"
    # Of what is left out nobody need say what it is.
    filled.session.apply(ops.change_attribute("zip", include=False), "leave out")
    filled.model.set_attributes(filled.session.project.attributes, {})
    rows = range(filled.model.rowCount())
    row = next(r for r in rows if filled.model.row_at(r).name == "zip")
    said = filled.model.index(row, AttributeColumn.ROLE)
    assert said.data(Qt.ItemDataRole.AccessibleTextRole) == "Left out"


# -- what the analysis needs most ------------------------------------------------------


def test_it_asks_once_what_the_analysis_needs_most(filled):
    assert filled.question.isHidden()  # the roles come first
    filled._include(("weighting",), is_on=False)
    filled.apply(ops.confirm_roles(), "confirm")
    filled.refresh(filled.parts)
    assert filled.question.isVisible()
    filled.question.acted.emit()
    assert filled.importance.isVisible()
    assert filled.question.isHidden()
    filled.importance.confirmed.emit()
    assert filled.session.project.importance_said
    assert filled.importance.confirm.isHidden()
    filled.view.set_current("alone")
    filled._show_view()
    assert filled.question.isHidden()


def test_importance_has_three_levels_that_are_proposed_by_kind(filled):
    filled.apply(ops.confirm_roles(), "confirm")
    filled.refresh(filled.parts)
    assert attribute(filled, "age").weight == WEIGHTS["high"]
    filled.importance.weight_set.emit("age", WEIGHTS["low"])
    assert attribute(filled, "age").weight == WEIGHTS["low"]
    assert not filled.session.project.importance_said  # nobody looked at the others
    filled.session.undo()
    assert attribute(filled, "age").weight == WEIGHTS["high"]


def test_what_importance_costs_is_said_after_a_search(filled):
    workspace = filled.workspace
    filled.apply(ops.confirm_roles(), "confirm")
    filled._include(("weighting",), is_on=False)
    filled.apply(ops.take_over("researcher"), "recipient")
    filled.apply(ops.change_search(method="optimum"), "method")
    filled.refresh(filled.parts)
    assert filled.importance.measure.isHidden()
    assert "After a search" in filled.importance.cost.text()
    workspace.policies.start(LATTICE)
    found = workspace.session.current(LATTICE)
    part = replace(found, optimality=replace(found.optimality, n_nodes=10**6))
    workspace.session.set_result(LATTICE, part, workspace.session.project)
    filled.refresh(filled.parts)
    assert filled.importance.measure.isVisibleTo(filled.importance)
    filled.importance.cost_wanted.emit()
    filled.refresh(filled.parts)
    assert workspace.session.current(LATTICE).preference_cost is not None
    assert "cost" in filled.importance.cost.text()
    assert not filled.importance.measure.isVisibleTo(filled.importance)


def test_a_click_on_a_check_mark_keeps_what_is_chosen(filled, qtbot, workspace):
    table = filled.table
    rows = [table.model().index(row, 0) for row in range(3)]
    for index in rows:
        table.selectionModel().select(
            index,
            QItemSelectionModel.SelectionFlag.Select
            | QItemSelectionModel.SelectionFlag.Rows,
        )
    chosen = table.chosen_names
    assert len(chosen) == 3
    rect = table.visualRect(rows[1])
    place = next(
        QPoint(x, rect.center().y())
        for x in range(rect.left(), rect.right())
        if check_at(table, rows[1], QPoint(x, rect.center().y()))
    )
    before = attribute(filled, chosen[1]).include
    qtbot.mouseClick(
        table.viewport(), Qt.MouseButton.LeftButton, pos=place + QPoint(6, 0)
    )
    assert attribute(filled, chosen[1]).include is not before
    assert table.chosen_names == chosen


def check_at(table, index, place):
    option = QStyleOptionViewItem()
    table.initViewItemOption(option)
    option.rect = table.visualRect(index)
    option.features |= QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator
    part = QStyle.SubElement.SE_ItemViewItemCheckIndicator
    return table.style().subElementRect(part, option, table).contains(place)


def test_the_rail_counts_what_the_two_buttons_count(filled):
    n_both = len(filled._certain()) + len(filled._to_review())
    assert any(each.role is None for each in filled._open())
    assert filled.status().caption == f"{n_both} to confirm"
    assert "no role" in filled.status().what_is_missing


def shown_headings(table):
    return [each for each in AttributeColumn if not table.isColumnHidden(each)]


def test_figures_are_in_the_list_where_they_have_whole_room(filled, qtbot):
    """Nothing to decide by lies behind a scroll bar; the detail has the figures."""
    table, before = filled.table, []
    for wide in (1030, 1200, 1400, 1800):
        filled.resize(wide, 480)
        QApplication.processEvents()
        assert table.horizontalScrollBar().maximum() == 0, wide
        shown = shown_headings(table)
        assert shown == list(AttributeColumn)[: len(shown)]
        assert len(shown) >= max(3, len(before))
        before = shown
    assert before == list(AttributeColumn)
    table.setColumnWidth(AttributeColumn.NAME, 300)  # as somebody wants it
    filled.resize(1030, 480)
    QApplication.processEvents()
    assert table.columnWidth(AttributeColumn.NAME) == 300
    assert AttributeColumn.DISTINCTION not in shown_headings(table)


def test_the_words_of_the_search_are_not_cut(filled, qtbot):
    filled.resize(1030, 480)
    QApplication.processEvents()
    words = filled.search.fontMetrics().horizontalAdvance("Find a column")
    assert filled.search.width() >= words + 60  # glyph and border
    assert filled._count.width() >= filled._count.sizeHint().width()
    number = filled._count.text().split(" · ")[0]
    needed = filled._count.fontMetrics().horizontalAdvance(number)
    assert filled._count.minimumSizeHint().width() >= needed


def test_no_name_and_no_finding_is_cut_while_other_columns_have_room(
    page, workspace, tmp_path, qtbot
):
    path = tmp_path / "long.csv"
    names = "medical_record_number,discharge_disposition_id,sex"
    rows = "".join(f"MRN{i:06d},{i % 9},{'FM'[i % 2]}\n" for i in range(N_ROWS))
    path.write_text(f"{names}\n{rows}")
    page.resize(1000, 480)
    workspace.open_data(path)
    table = page.table
    qtbot.waitUntil(lambda: page.model.row_of("medical_record_number") >= 0)
    assert table.isColumnHidden(AttributeColumn.DISTINCTION)
    for heading in (AttributeColumn.NAME, AttributeColumn.FINDING):
        delegate = table.itemDelegateForColumn(heading)
        assert delegate.wanted_width(table.font()) <= table.columnWidth(heading)
    row = page.model.row_of("medical_record_number")
    cell = page.model.index(row, AttributeColumn.FINDING)
    said = cell.data(Qt.ItemDataRole.DisplayRole)
    assert said
    assert said in cell.data(Qt.ItemDataRole.ToolTipRole)
    table.setColumnWidth(AttributeColumn.NAME, 90)  # as somebody wants it
    page.refresh(page.parts)
    assert table.columnWidth(AttributeColumn.NAME) == 90


@pytest.mark.parametrize("size", [(1020, 600), (1640, 980)])
def test_importance_is_as_high_as_it_needs_and_its_names_are_near(filled, qtbot, size):
    for each in ("sex", "age"):
        filled.session.apply(ops.set_role(each, "quasi_identifier"), "role")
    filled.resize(*size)
    filled.view.set_current("importance")
    filled._show_view()
    card = filled.importance
    area = card.parentWidget()
    qtbot.waitUntil(lambda: card.isVisible() and len(card._lines) >= 2)
    qtbot.waitUntil(lambda: card.height() <= card.heightForWidth(card.width()) + 1)
    assert card.pos() == QPoint(0, 0)
    assert card.width() >= min(area.width() - 24, 900)
    assert card.width() <= 960
    for line in card._lines[:2]:
        # Nothing but a hairline is between a name and what is decided about it.
        name, leader = line.name.geometry(), line._leader.geometry()
        assert line._leader.isVisible()
        assert leader.left() - name.right() < 20
        assert line.weight.geometry().left() - leader.right() < 20


@pytest.mark.parametrize(
    ("wide", "scale", "words", "glyphs"),
    [
        (520, 1, True, False),
        (800, 1, True, False),
        (1020, 1, True, True),
        (640, 2, False, True),
    ],
)
def test_roles_have_words_where_words_have_room(
    filled, qtbot, wide, scale, words, glyphs
):
    theme().set_text_scale(scale)
    try:
        filled.resize(wide, 480)
        QApplication.processEvents()
        assert filled.width() == wide
        buttons = list(filled.role_buttons.values())
        assert all(bool(each.text()) is words for each in buttons)
        assert all(each.icon().isNull() is not glyphs for each in buttons)
        assert all(each.accessibleName() and each.toolTip() for each in buttons)
        tools = buttons[0].parentWidget()
        assert tools.minimumSizeHint().width() <= wide - 48  # what the page leaves
    finally:
        theme().set_text_scale(1)


@pytest.mark.parametrize("n", [9, 99])
def test_nothing_moves_under_the_pointer_when_proposals_are_confirmed(
    window, data, n, monkeypatch
):
    window.resize(1280, 720)
    window.show_step("attributes")
    page = window.page("attributes")
    names = page._open()
    monkeypatch.setattr(page, "_certain", lambda: [*names, *names] * n)
    monkeypatch.setattr(page, "_to_review", lambda: [*names, *names] * n)
    page._show_open()
    QApplication.processEvents()

    def places():
        parts = (page._title, page.view, page.table)
        return [each.mapTo(page, QPoint(0, 0)).y() for each in parts]

    before = places()
    assert page.confirm.isVisible()
    assert page.review.isVisible()
    monkeypatch.setattr(page, "_certain", lambda: [])
    monkeypatch.setattr(page, "_to_review", lambda: [])
    page._show_open()
    QApplication.processEvents()
    assert places() == before
