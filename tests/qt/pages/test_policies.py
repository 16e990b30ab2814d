"""The page Policies: list, plane, lattice, comparison, what-if, choosing."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QApplication

from deidgui.app import ops
from deidgui.app.charts.plane import Flag
from deidgui.app.decides import Changes
from deidgui.app.jobs import JobRunner
from deidgui.app.policies.candidate import Cell, short_words
from deidgui.app.policies.lattice.trade_offs import LIMITS, TradeOffCurve
from deidgui.app.policies.runner import LATTICE
from deidgui.app.session import State
from deidgui.engine.privacy import DistinctLDiversity, KAnonymity
from deidgui.engine.quality import QUALITY_MEASURES
from deidgui.qt.models.figures import measure_axis, policy_figures
from deidgui.qt.models.policies import PolicyModel
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.policies.page import PoliciesPage
from deidgui.qt.pages.policies.results import _example_words
from deidgui.qt.pages.policies.thresholds import WantedLimits
from deidgui.qt.pages.policies.trade_offs import TradeOffCard
from deidgui.qt.widgets import DecimalBox, LabeledSlider
from deidgui.text import share_text
from tests.explored_case import fill, make_case
from tests.qt.fakes import FakeWorkspace, Later


class Workspace(FakeWorkspace):
    """Remembers that figures were wanted anew."""

    def update_measurement(self, *, after_search=False):
        self.calls.append(("update_measurement", after_search))


@pytest.fixture(scope="module")
def case():
    return make_case()


@pytest.fixture
def workspace():
    return Workspace()


@pytest.fixture
def page(qtbot, workspace, settings, case):
    """The page over a search of 18 policies."""
    fill(workspace.session, case)
    made = PoliciesPage(workspace, settings)
    qtbot.addWidget(made)
    made.resize(1000, 660)
    with qtbot.waitExposed(made):
        made.show()
    return made


def number_of(page, node):
    """Number of the policy that stands for a node."""
    return page.policies.number_of(page.found.choice(node))


def node_of(page, number):
    """Node of a policy."""
    return int(page.policies.rows_in(LATTICE)[number])


def other(page):
    """A policy that meets the thresholds and is not the best one."""
    return int(page.policies.order()[1])


def select(page, number):
    """Select a policy as a user does in a view."""
    page.results.select(number)
    page.results.selected.emit(number)


def test_without_a_file_the_page_says_what_to_do_first(qtbot, settings):
    page = PoliciesPage(Workspace(), settings)
    qtbot.addWidget(page)
    with qtbot.waitExposed(page):
        page.show()
    assert not page.empty.isHidden()
    assert page._content.isHidden()
    assert page.status().state is StepState.NOT_YET
    assert page.status().what_is_missing == "Open a data file first."


def test_without_policies_one_click_starts_the_search(
    qtbot, settings, case, monkeypatch
):
    workspace, started = Workspace(), []
    fill(workspace.session, case)
    workspace.session._results.pop(LATTICE)
    monkeypatch.setattr(
        workspace.policies, "start", lambda *kinds: started.append(kinds)
    )
    page = PoliciesPage(workspace, settings)
    qtbot.addWidget(page)
    with qtbot.waitExposed(page):
        page.show()
    assert page._found_stack.currentWidget() is page.waiting
    assert page.status().what_is_missing == "Find policies first."
    workspace.session.apply(ops.change_privacy(suppression_limit=None), "no limit")
    page.refresh(page.parts)
    # Nobody goes on past what is still to be decided for a search.
    assert page.status().state is StepState.NOT_YET
    assert page.status().what_is_missing == "Settle what is marked first."
    workspace.session.undo()
    page.refresh(page.parts)
    page.waiting.acted.emit()
    page.look.run_button.click()
    assert started == [(LATTICE,), (LATTICE,)]


def test_the_keyboard_goes_from_a_search_to_its_progress_and_result(page, monkeypatch):
    steering = type(page.steering)
    page.look.set_open(True)
    page.look.run_button.setEnabled(True)
    page.look.run_button.setFocus(Qt.FocusReason.TabFocusReason)
    assert page.look.run_button.hasFocus()
    monkeypatch.setattr(steering, "is_running", property(lambda _self: True))
    page._show_running()
    assert page.progress.hasFocus()
    page.progress._cancel.setFocus(Qt.FocusReason.TabFocusReason)
    page.progress._cancel.click()
    assert page.progress._note.text() == "Stopping…"
    assert not page.progress._time.text()
    assert not page.progress._cancel.isEnabled()
    assert page.progress.has_keyboard(page.window().focusWidget())
    monkeypatch.setattr(steering, "is_running", property(lambda _self: False))
    page._show_running()
    assert page.results.views.table.hasFocus()
    page.progress.set_progress(0.1)
    assert page.progress._cancel.isEnabled()
    assert not page.progress._note.text()


def test_the_keyboard_goes_from_a_search_without_result_to_another_search(
    qtbot, settings, case, monkeypatch
):
    workspace = Workspace()
    fill(workspace.session, case)
    workspace.session._results.pop(LATTICE)
    page = PoliciesPage(workspace, settings)
    qtbot.addWidget(page)
    with qtbot.waitActive(page):
        page.show()
        page.activateWindow()
    steering = type(page.steering)
    monkeypatch.setattr(steering, "is_running", property(lambda _self: True))
    page._show_running()
    page.progress._cancel.setFocus(Qt.FocusReason.TabFocusReason)
    page.progress._cancel.click()
    monkeypatch.setattr(steering, "is_running", property(lambda _self: False))
    page._show_running()
    assert page.look.run_button.hasFocus()


def test_the_best_policy_is_selected_first_and_marked(page, case):
    best = number_of(page, case.found.optimum)
    assert page.number == page.results.panel.number == best
    assert page._flags[best] == (Flag.OPTIMUM,)
    model = page.results.views.policies
    assert model.rowCount() == page.policies.n_meeting
    assert model.number_at(0) == best
    place = model.index(0, 0)
    assert place.data() == "★ 1"
    assert "best" in place.data(Qt.ItemDataRole.AccessibleTextRole)
    assert page.status().state is StepState.SEEN


def test_filter_acts_on_every_view(page, case):
    n = len(page.policies)
    page.results.filters.set_feasible(False)
    assert page.results.views.policies.rowCount() == n
    page.show_tab("plane")
    assert len(page.results.views.plane.chart.policies) == n
    page.results.filters._boxes["sex"].setCurrentIndex(1)  # in full only
    sex = page.policies.attributes.index("sex")
    kept = np.flatnonzero(page.policies.levels[:, sex] == 0).tolist()
    assert sorted(page.results.views.plane.chart.policies) == kept
    page.show_tab("lattice")
    coloured = np.flatnonzero(np.isfinite(page.results.views.lattice.chart.loss))
    assert {number_of(page, node) for node in coloured.tolist()} == set(kept)
    page.results.filters.clear()
    page.show_tab("list")
    assert page.results.views.policies.rowCount() == page.policies.n_meeting


def test_above_the_list_stands_by_what_it_is_sorted(page):
    views = page.results.views
    page.show_tab("list")
    assert views.order.isVisible()
    assert views.order.text() == "Sorted by loss, lowest first."
    assert views.policies.columns[0].explanation.endswith(views.order.text())
    at = section(views.policies, "highest_risk")
    views.table.sortByColumn(at, Qt.SortOrder.AscendingOrder)
    assert views.order.text() == "Sorted by “Highest risk”."


def test_words_filter_and_an_empty_list_says_so(page):
    page.results.filters.search.setText("no such words")
    page.results.filters.search.searched.emit("no such words")
    assert page.results.views.policies.rowCount() == 0
    assert page.results.views.order.text().startswith("No policy passes the filter")
    assert not page.results.filters.clear_button.isHidden()


def test_selection_is_one_in_all_views(page):
    number, views = other(page), page.results.views
    views.table.selectRow(views.policies.row_of(number))
    assert page.results.panel.number == number
    page.show_tab("lattice")
    assert views.lattice.selected == node_of(page, number)
    page.show_tab("plane")
    assert views.plane._picked.tolist() == [number]
    views.plane.policy_selected.emit(0)
    assert page.results.panel.number == 0
    page.show_tab("list")
    page.results.filters.set_feasible(False)
    index = views.table.selectionModel().selectedRows()[0]
    assert views.policies.number_at(index.row()) == 0


def test_choosing_is_a_decision_that_can_be_undone(qtbot, page, workspace):
    number = other(page)
    select(page, number)
    button = page.results.panel.choose_button
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    session = workspace.session
    node = node_of(page, number)
    assert session.project.chosen.levels == page.found.levels_of(node)
    assert Flag.CHOSEN in page._flags[number]
    assert page.status().caption == "own choice"
    session.undo()
    assert session.project.chosen is None
    assert number not in page._flags
    session.redo()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert session.project.chosen is None


def test_enter_in_the_list_chooses(qtbot, page, workspace):
    table = page.results.views.table
    table.selectRow(1)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    chosen = workspace.session.project.chosen
    number = page.results.views.policies.number_at(1)
    assert chosen.levels == page.found.levels_of(node_of(page, number))


def test_which_policy_is_released_is_said_in_one_form(
    qtbot, page, workspace, monkeypatch
):
    """Beside every policy, and in the help; also while it is looked for anew."""
    panel, best = page.results.panel, number_of(page, page.found.optimum)

    def told():
        assert page.help_words().startswith(f"**{panel.released.text()}**")
        assert panel.released.isVisibleTo(panel)
        return panel.released.text()

    words = "As things stand, the best policy (★) is released."
    for number in (best, other(page)):
        select(page, number)
        assert told() == words
    assert page.policies.candidate(best).words() in page.help_words()
    with monkeypatch.context() as patch:
        patch.setattr(workspace, "is_running", lambda lane: lane == LATTICE)
        page.refresh(Changes.RESULT)
        assert told() == "Which policy is released is known when the search is done."
        assert page.policies.candidate(best).words() not in page.help_words()
        assert not page.proof.text()
    page.refresh(Changes.RESULT)
    assert told() == words
    qtbot.mouseClick(panel.choose_button, Qt.MouseButton.LeftButton)
    assert workspace.session.project.chosen is not None
    chosen = "As things stand, the policy that you chose (◆) is released."
    qtbot.waitUntil(lambda: panel.released.text() == chosen)
    assert told() == chosen


def test_a_new_best_policy_is_told_when_it_is_shown(qtbot, page, workspace, case):
    """Until then neither that one nor the best of before."""
    page.workspace.runner._executor = later = Later()
    new = replace(case.found, optimality=None)
    assert not new.is_same_answer(page.policies.part(LATTICE))
    workspace.session.set_result(LATTICE, new, case.project)
    page.refresh(Changes.RESULT)
    open_words = "Which policy is released is known when the search is done."
    assert page.results.panel.released.text() == open_words
    assert not page.proof.text()
    later.run()
    assert page.results.panel.released.text().startswith("As things stand, the best")
    assert page.proof.text()


def test_a_policy_over_the_limit_is_chosen_as_what_has_to_be_overruled(
    qtbot, page, workspace
):
    page.results.filters.set_feasible(False)
    columns = page.policies.columns
    n_records = page.policies.candidate(0).n_records
    over = np.flatnonzero(~columns.meets)
    n_suppressed = {
        int(n): page.policies.candidate(int(n)).figures.n_suppressed for n in over
    }
    number = min(n_suppressed, key=n_suppressed.get)
    assert n_suppressed[number] < n_records
    select(page, number)
    panel = page.results.panel
    assert "until you overrule the limit" in panel._reason.text
    assert panel._reason._label.property("tone") == "danger"
    qtbot.mouseClick(panel.choose_button, Qt.MouseButton.LeftButton)
    chosen = workspace.session.project.chosen
    assert chosen.levels == page.found.levels_of(node_of(page, number))
    qtbot.waitUntil(lambda: page.status().caption == "thresholds not met")
    assert page.status().state is StepState.ATTENTION
    assert page.banner.isVisibleTo(page)
    assert page.banner.property("tone") == "danger"


def test_a_policy_that_releases_nothing_cannot_be_chosen(page, workspace, monkeypatch):
    page.results.filters.set_feasible(False)
    number = int(np.flatnonzero(~page.policies.columns.meets)[0])
    known = page.policies.candidate(number)
    figures = replace(known.figures, n_suppressed=known.n_records)
    nothing = replace(known, figures=figures)
    monkeypatch.setattr(type(page.policies), "candidate", lambda *_: nothing)
    select(page, number)
    assert not page.results.panel.choose_button.isEnabled()
    assert "nothing would be released" in page.results.panel._reason.text
    page.results.views.policy_activated.emit(number)
    assert workspace.session.project.chosen is None


def compared(page):
    """Numbers of the policies that stand side by side."""
    return [page.policies.number_of(s.chosen) for s in page.results.compare.sides]


def test_up_to_four_are_kept_and_compared(page, workspace):
    numbers = page.policies.order()[:5].tolist()
    for number in numbers[:4]:
        select(page, number)
        page.results.panel.keep_button.click()
    assert len(workspace.session.project.kept) == 4
    select(page, numbers[4])
    assert not page.results.panel.keep_button.isEnabled()
    page.show_tab("compare")
    assert sorted(compared(page)) == sorted(numbers[:4])
    chosen = page.policies.candidate(numbers[0]).chosen
    page.results.compare.drop_wanted.emit(chosen)
    assert len(workspace.session.project.kept) == 3
    assert numbers[0] not in compared(page)
    workspace.session.undo()
    assert len(compared(page)) == 4


def test_one_kept_policy_stands_beside_the_best(page):
    page.show_tab("compare")
    assert not page.results.compare._empty.isHidden()
    number = other(page)
    page._keep(number)
    assert page.results.compare.isVisible()
    assert compared(page) == [number_of(page, page.found.optimum), number]
    assert page.results.compare._empty.isHidden()


def test_only_differences(qtbot, page):
    page._keep(other(page))
    page.show_tab("compare")
    compare = page.results.compare
    qtbot.waitUntil(lambda: not compare._turns.is_busy)
    n_all = compare._grid.count()
    compare.only_differences.click()
    qtbot.waitUntil(lambda: not compare._turns.is_busy)
    assert 0 < compare._grid.count() < n_all


def move(pane, k=None, limit=None):
    """Move sliders as a user does."""
    if k is not None:
        slider = pane.controls.control_of("k_anonymity")
        slider.set_value(k)
    if limit is not None:
        pane.controls.limit_slider.set_value(limit)
    pane.controls.changed.emit()


def test_what_if_answers_without_deciding(page, workspace):
    before = workspace.session.project
    page.show_tab("what_if")
    pane = page.results.what_if
    assert pane.controls.asked == WantedLimits((KAnonymity(3),), 0.1)
    assert not pane.take_over_button.isEnabled()
    slider = pane.controls.control_of("k_anonymity")
    # Small groups are most of the slider.
    assert slider._tick_of(20) > slider._slider.maximum() / 2
    move(pane, k=10)
    again = make_case(10).found
    assert pane._answer.optimum == again.optimum
    assert workspace.session.project is before
    assert pane.take_over_button.isEnabled()
    pane.back_button.click()
    assert pane.controls.asked == WantedLimits((KAnonymity(3),), 0.1)
    assert not pane.take_over_button.isEnabled()


def test_the_figures_of_what_if_stand_in_columns(page):
    page.resize(960, 700)
    page.show_tab("what_if")
    pane = page.results.what_if
    pane._tiles[0].set_figure("Suppressed", "1,234,567", "people whose rows go (3.9 %)")
    QApplication.processEvents()
    first, second, third, fourth = (tile.geometry() for tile in pane._tiles)
    assert (first.left(), first.right()) == (third.left(), third.right())
    assert (second.left(), second.right()) == (fourth.left(), fourth.right())


def test_what_a_slider_changes_is_seen_beside_it(page):
    """The figures stand above the levels, and no card is stretched to the other."""
    page.resize(853, 480)
    page.show_tab("what_if")
    pane = page.results.what_if
    QApplication.processEvents()
    lowest = max(tile.geometry().bottom() for tile in pane._tiles)
    assert lowest < pane._words.geometry().top()
    assert pane._question.height() == pane._question.heightForWidth(
        pane._question.width()
    )


def test_thresholds_are_taken_over_by_a_decision_and_at_once_up_to_date(
    page, workspace
):
    page.show_tab("what_if")
    move(page.results.what_if, k=10, limit=20)
    page.results.what_if.take_over_button.click()
    session = workspace.session
    assert session.project.privacy.models == (KAnonymity(10),)
    assert session.project.privacy.suppression_limit == 0.2
    assert session.state(LATTICE) is State.CURRENT
    assert session.current(LATTICE).optimum == make_case(10, 0.2).found.optimum
    assert ("update_measurement", True) in workspace.calls
    session.undo()
    assert session.project.privacy.models == (KAnonymity(3),)
    assert page.status().state is StepState.STALE
    page.banner.acted.emit()  # bring up to date, from the same profile
    assert session.state(LATTICE) is State.CURRENT


def test_no_policy_for_these_values_cannot_be_taken_over(page):
    page.show_tab("what_if")
    pane = page.results.what_if
    move(pane, k=100, limit=0)
    if pane._answer.optimum is None:
        assert not pane.take_over_button.isEnabled()
        assert not pane._none.isHidden()
    else:  # all generalized is always a policy of 400 records
        assert pane.take_over_button.isEnabled()


def explore(qtbot, settings, case):
    """A page over another search."""
    workspace = Workspace()
    fill(workspace.session, case)
    page = PoliciesPage(workspace, settings)
    qtbot.addWidget(page)
    with qtbot.waitExposed(page):
        page.show()
    return page


def test_every_model_has_a_control_and_is_answered(qtbot, settings):
    models = (
        {"kind": "highest_prosecutor_risk", "threshold": 0.15},
        {"kind": "average_prosecutor_risk", "threshold": 0.1},
        {"kind": "distinct_l_diversity", "attribute": "diagnosis", "diversity": 3},
    )
    page = explore(qtbot, settings, make_case(models=models, limit=0.3))
    page.show_tab("what_if")
    controls = page.results.what_if.controls
    assert controls.asked.models == page.found.models  # 0.15 is not of the form 1/k
    slider = controls.control_of("highest_prosecutor_risk")
    slider.set_value(33.33)
    controls.changed.emit()
    assert controls.asked.models[0].threshold == 1 / 3
    assert controls.asked.models[0].depth == 3
    average = controls.control_of("average_prosecutor_risk")
    # It rests on values that people choose, half of them above 5 %; all can be typed.
    for each in (slider, average):
        assert each._tick_of(5) < each._slider.maximum() / 2
    average.set_value(14.29)
    controls.changed.emit()
    assert controls.asked.models[1].threshold == 1 / 7
    average.set_value(5)
    controls.changed.emit()
    assert controls.asked.models[1].threshold == 1 / 20
    expected = ({**models[0], "threshold": 1 / 3}, {**models[1], "threshold": 0.05})
    form = controls._controls[2]
    form.write(DistinctLDiversity("diagnosis", 2))
    controls.changed.emit()
    last = {**models[2], "diversity": 2}
    again = make_case(models=(*expected, last), limit=0.3).found
    answer = page.results.what_if._answer
    best = answer.optimum
    assert answer.levels_of(best) == again.levels_of(again.optimum)
    assert answer.suppressed[best] == again.suppressed[again.optimum]
    assert "A separate search proved" in page.results.what_if._counts.text()
    assert page.results.what_if.take_over_button.isEnabled()


def test_values_that_only_a_new_search_knows_leave_the_results_stale(qtbot, settings):
    models = ({"kind": "average_prosecutor_risk", "threshold": 0.1},)
    page = explore(qtbot, settings, make_case(models=models))
    page.show_tab("what_if")
    pane = page.results.what_if
    # Beyond groups of 100 the profile does not tell sizes apart.
    pane.controls.control_of("average_prosecutor_risk").set_value(0.5)
    pane.controls.changed.emit()
    assert pane._answer.models[0].threshold == 0.005
    pane.take_over_button.click()
    session = page.workspace.session
    (decided,) = session.project.privacy.models
    assert decided.threshold == 0.005
    assert session.state(LATTICE) is State.STALE


def test_a_value_that_is_not_allowed_is_told_and_not_asked(qtbot, settings):
    models = ({"kind": "basic_beta_likeness", "attribute": "diagnosis", "beta": 2.0},)
    page = explore(qtbot, settings, make_case(models=models))
    page.show_tab("what_if")
    pane = page.results.what_if
    field = pane.controls._controls[0].widget.findChild(DecimalBox)
    before = pane._answer
    field.setValue(0)
    assert pane.controls.asked is None
    assert pane._answer is before
    assert not pane.take_over_button.isEnabled()


def test_sliders_of_thresholds_end_in_one_line(page):
    page.show_tab("what_if")
    for _ in range(3):
        QApplication.processEvents()
    sliders = page.results.what_if.controls.findChildren(LabeledSlider)
    assert len(sliders) > 1
    ends = {each._slider.geometry().right() for each in sliders}
    assert len(ends) == 1
    assert len({each._field.width() for each in sliders}) == 1


def test_prices_are_drawn_beside_their_tables(qtbot, page, case):
    page.show_tab("trade_offs")
    qtbot.waitUntil(lambda: not page.results.trade_offs._turns.is_busy)
    for card in (page.results.trade_offs.by_limit, page.results.trade_offs.by_size):
        assert card.chart.view.is_drawn
        assert card.table.rowCount() > 1
        now = [
            card.table.item(at, 0).text()
            for at in range(card.table.rowCount())
            if "now" in card.table.item(at, 0).text()
        ]
        assert len(now) == 1
        assert "records" in card.table.horizontalHeaderItem(0).text()
        assert "it would be 100\u202f%" in card.table.horizontalHeaderItem(1).toolTip()
        assert "records" in card.chart.view.chart.x_axis.label.text()
    table, view = (
        page.results.trade_offs.by_limit.table,
        page.results.trade_offs.by_limit.chart.view,
    )
    table.selectRow(0)
    assert "0" in view.card_lines[0]  # what is selected is read in the chart
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert table.currentRow() == table.rowCount() - 1
    curve = page._trade_offs.by_limit
    node = int(curve.nodes[curve.place(1.0)])
    best = short_words(page.found.cells_at(node))
    assert table.item(table.rowCount() - 1, 2).toolTip() == best
    assert best.split("; ")[0] in view.card_lines
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text().splitlines()
    # Rows that say the same are one, but what is copied has all of them.
    assert len(copied) == len(curve.places((*LIMITS, page.found.limit))) + 1
    assert copied[1].split("\t")[2] == "yes"


@pytest.mark.parametrize("of_people", [False, True])
def test_the_loss_of_a_policy_has_one_name(page, of_people):
    best = page.policies.candidate(page.number)
    known = policy_figures(best.figures, 9, page.found.guiding, of_people=of_people)
    axis = measure_axis(page.found.guiding, of_people=of_people)
    (column,) = [e for e in page.results.views.policies.columns if e.key == "loss"]
    assert axis.label.text() == column.title
    assert column.title in [each.label for each in known]


def test_values_of_the_same_policy_are_one_row_and_now_is_alone(qtbot, page):
    card = page.results.trade_offs.by_limit
    at, same = np.array([0.0, 0.1, 0.2, 0.3, 0.5, 1.0]), [0.5, *[0.2] * 5]
    curve = TradeOffCurve(
        at, np.array(same), np.array([-1, 0, 0, 0, 0, 0]), np.ones(6, bool)
    )
    pane = page.results.trade_offs
    page.show_tab("trade_offs")
    qtbot.waitUntil(lambda: not pane._turns.is_busy)
    card.show_curve(card.chart.view.chart, curve, range(6), 2, page.found)
    shown = [card.table.item(row, 0).text() for row in range(card.table.rowCount())]
    shown = [each.replace("\u202f", " ") for each in shown]
    assert shown == ["0 %", "10 %", "20 %  now", "30 % to 100 %"]
    card.table.show_place(4)
    assert card.table.currentRow() == 3


def test_a_policy_is_told_by_what_differs_from_the_one_above(qtbot, page):
    """As long as most is alike; a tooltip tells the whole."""
    card, found = page.results.trade_offs.by_limit, page.found
    page.show_tab("trade_offs")
    qtbot.waitUntil(lambda: not page.results.trade_offs._turns.is_busy)
    cells = [found.cells_at(node) for node in range(found.lattice.n_nodes)]

    def n_apart(one, other):
        return sum(a != b for a, b in zip(cells[one], cells[other], strict=True))

    near = next(n for n in range(1, len(cells)) if n_apart(0, n) == 1)
    far = next(n for n in range(len(cells)) if n_apart(near, n) == len(cells[0]))
    nodes = np.array([0, near, near, far, -1, far])
    losses = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    at = np.array([0.0, 0.1, 0.2, 0.3, 0.5, 0.8])
    curve = TradeOffCurve(at, losses, nodes, np.ones(6, bool))
    card.show_curve(card.chart.view.chart, curve, range(6), None, found)
    shown = [card.table.item(row, 2).text() for row in range(6)]
    (other,) = [c for c, old in zip(cells[near], cells[0], strict=True) if c != old]
    wholes = [short_words(cells[node]) for node in (0, near, near, far)]
    assert shown[0] == wholes[0]
    assert shown[1] == f"As above, but {short_words([other])}"
    assert shown[2] == "As above."
    assert shown[3] == shown[5] == wholes[3]
    assert [card.table.item(row, 2).toolTip() for row in range(4)] == wholes


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)], ids=str)
def test_the_words_of_a_policy_are_whole_beside_its_price(page, qtbot, size):
    page.resize(*size)
    page.show_tab("trade_offs")
    QApplication.processEvents()
    for card in (page.results.trade_offs.by_limit, page.results.trade_offs.by_size):
        table = card.table
        for at in range(table.rowCount()):
            item = table.item(at, 2)
            font = QFont(table.font())
            font.setBold(item.font().bold())
            # What the style leaves free at the sides of a cell is at least this.
            room = QRect(0, 0, table.columnWidth(2) - 8, 10_000)
            lines = QFontMetrics(font).boundingRect(
                room, Qt.TextFlag.TextWordWrap, item.text()
            )
            assert lines.height() <= table.rowHeight(at), item.text()
            assert lines.width() <= table.columnWidth(2), item.text()


def test_at_1280_by_720_a_curve_is_seen_whole_and_its_table_does_not_scroll(page):
    page.resize(1042, 580)
    page.show_tab("trade_offs")
    for _ in range(4):
        QApplication.processEvents()
    pane = page.results.trade_offs
    room = page.results._sections.currentWidget().viewport().height()
    for card in (pane.by_limit, pane.by_size):
        assert card._columns.is_stacked
        assert card.chart.height() <= room - 100
        assert card.table.verticalScrollBar().maximum() == 0
        heads = [card.table.horizontalHeaderItem(at) for at in (0, 1)]
        right = Qt.AlignmentFlag.AlignRight
        assert all(head.textAlignment() & right for head in heads)


@pytest.mark.parametrize("is_whole", [True, False])
def test_of_policies_that_were_not_compared_nothing_is_claimed(qtbot, is_whole):
    card = TradeOffCard("Cost of the limit", "", "")
    qtbot.addWidget(card)
    curve = SimpleNamespace(at=[0.0, 0.1], loss=[1.0, 0.2], nodes=[-1, 0], exact=[1, 1])
    *_, words = card._texts(curve, 0, SimpleNamespace(is_whole=is_whole), None)
    assert ("compared" in words) != is_whole


def test_prices_of_a_part_say_so(qtbot, settings, monkeypatch):
    for name in ("MOST_AROUND", "FEW_SHOWN"):
        monkeypatch.setattr(f"deidgui.app.policies.lattice.searching.{name}", 8)
    page = explore(qtbot, settings, make_case(method="optimum"))
    page.show_tab("trade_offs")
    assert not page.results.trade_offs._part.isHidden()
    assert "18" in page.results.trade_offs._part._text.text()
    # Beside “Proven best” nothing is said to be better than the best one.
    assert page.found.complete
    assert "at the present values" in page.results.trade_offs._part._detail.text()
    assert "18" in page.proof.text()
    page.show_tab("what_if")
    assert "none of them is better" in page.results.what_if._counts.text()
    # Of other thresholds all 18 are asked, by a short proof.
    move(page.results.what_if, k=10)
    words = "A separate search proved that none of the 18 policies is better."
    assert page.results.what_if._counts.text() == words


def test_a_loss_that_is_uneven_is_explained_where_it_is(page, qtbot, monkeypatch):
    page.show_tab("trade_offs")
    pane, answer, found = page.results.trade_offs, page._trade_offs, page.found

    def explained(answer):
        pane.show_trade_offs(answer, found)
        qtbot.waitUntil(lambda: not pane._turns.is_busy)
        return [not card.uneven.isHidden() for card in (pane.by_limit, pane.by_size)]

    def with_last(curve, loss):
        return replace(curve, loss=np.append(curve.loss[:-1], loss))

    rising = replace(answer, by_limit=with_last(answer.by_limit, 1.0))
    falling = replace(answer, by_size=with_last(answer.by_size, 0.0))
    assert explained(rising) == [False, False]  # without a preference nothing does it
    monkeypatch.setattr(type(found), "keeping", {"age": 1})
    assert explained(answer) == [False, False]
    assert explained(rising) == [True, False]
    assert explained(falling) == [False, True]
    assert "Where the loss falls" in pane.by_size.uneven.text()


def test_charts_stay_while_more_policies_are_compared(page, qtbot, monkeypatch):
    page.show_tab("trade_offs")
    pane, found = page.results.trade_offs, page.found
    cards = (pane.by_limit, pane.by_size)

    def shown():
        return [not each.isHidden() for each in (pane._waiting, *cards)]

    qtbot.waitUntil(lambda: not pane._turns.is_busy)
    assert shown() == [False, True, True]
    for is_same in (True, False):
        monkeypatch.setattr(type(found), "is_same_answer", lambda *_, n=is_same: n)
        pane.show_waiting(0.5, found)
        assert shown() == [True, is_same, is_same]
        pane.show_trade_offs(pane._shown[0], replace(found))
        assert shown() == [False, True, is_same]


def test_an_answer_of_a_part_is_given_anew_of_the_whole(page):
    page.show_tab("what_if")
    pane = page.results.what_if
    move(pane, k=10)
    asked = []
    pane.asked.connect(asked.append)
    of_part, whole = pane._answer, page.found
    assert whole.is_whole
    pane.show_decided(whole, is_grown=True)
    assert asked == [pane.controls.asked]
    assert pane.controls.asked != pane.controls.decided
    assert pane._answer is not of_part
    assert pane.take_over_button.isEnabled()


def section(model, key):
    """Place of a column."""
    return [each.key for each in model.columns].index(key)


def test_losses_that_are_lower_bounds_are_marked(qtbot, settings):
    case = make_case(measure={"kind": "ambiguity"})
    page = explore(qtbot, settings, case)
    model = page.results.views.policies
    at = section(model, "loss")
    texts = [model.index(row, at).data() for row in range(model.rowCount())]
    for number, text in zip(model.numbers.tolist(), texts, strict=True):
        is_exact = case.found.result.exact[node_of(page, number)]
        assert text.startswith("≥") == (not is_exact)


def test_every_measure_of_the_selected_policy(page, case):
    panel = page.results.panel
    panel._more._button.click()
    titles = [row[0].text() for row in panel.measures._rows]
    assert titles[0] == "Loss (guides the search)"
    assert len(titles) == len(list(QUALITY_MEASURES))
    number = other(page)
    select(page, number)
    values = [row[1].text() for row in panel.measures._rows]
    assert values[0] == share_text(float(case.found.loss[node_of(page, number)]))
    assert all(row[2].text() for row in panel.measures._rows)
    assert "geometric mean of 1 + weight × loss" in panel.measures._rows[0][2].text()
    assert "it would be 100\u202f%" in panel.measures._rows[0][2].text()


def test_measures_of_another_policy_are_not_seen_meanwhile(page, workspace):
    panel = page.results.panel
    panel.open_measures()
    shown = panel.measures._rows[0]
    before = shown[1].text()
    runner = Later()
    workspace.runner = JobRunner(lambda closure: closure(), runner)
    select(page, other(page))
    assert not any(part.isVisibleTo(panel) for part in shown)
    runner.run()
    assert all(part.isVisibleTo(panel) for part in shown)
    assert shown[1].text() != before
    # Answers about a policy that was left meanwhile are of no use.
    select(page, page.policies.best)
    panel._more.set_open(False)
    select(page, other(page))
    runner.run()
    assert not any(part.isVisibleTo(panel.measures) for part in shown)


def test_a_group_says_the_figures_of_its_best_one_and_what_that_does_alone(page, qtbot):
    page.results.filters.search.setText("age removed")
    page.results.show_views()
    page.show_tab("groups")
    tiles = page.results.views.groups.tiles
    qtbot.waitUntil(lambda: len(tiles) > 2 and not page.results.views.groups.isHidden())
    every, *names = [tile.accessibleName() for tile in tiles]
    assert "The same in the best of each: age: removed" in every
    assert len(names) == len(page.results._groups)
    for group, name in zip(page.results._groups, names, strict=True):
        best = page.policies.candidate(group.example)
        # One below another, so that those of several groups can be compared.
        lines = name.splitlines()
        assert lines[1].startswith(f"Suppressed: {best.figures.n_suppressed} record")
        assert f"Loss: {share_text(best.figures.loss)}" in lines
        assert "age: removed" not in name
        for cell in best.cells:
            is_said = f"{cell.attribute}: {cell.text}" in name
            is_known = cell.effect == "kept" or f"{cell.attribute}: " in every
            assert is_said != is_known


def test_the_group_of_all_others_says_what_its_best_one_keeps_in_full():
    """No name says it: what the best ones of all groups keep is said there, too."""
    cells = [
        Cell("sex", "kept", "kept in full", 0, 1),
        Cell("race", "kept", "kept in full", 0, 1),
        Cell("age", "generalized", "5 bands", 1, 2),
    ]
    best = SimpleNamespace(cells=cells)
    others = SimpleNamespace(cluster=None, kept=None)
    assert _example_words(others, best, cells[:1]) == (
        "age: 5 bands; in full: sex, race"
    )
    named = SimpleNamespace(cluster=None, kept=("sex", "race"))
    assert _example_words(named, best, ()) == "age: 5 bands"


def test_groups_of_other_policies_are_not_seen_meanwhile(qtbot, page):
    results = page.results
    groups = results.views.groups
    results.show_tab("groups")
    qtbot.waitUntil(lambda: bool(groups.tiles))
    before = [tile.accessibleName() for tile in groups.tiles]
    results.show_tab("list")
    results.filters.set_feasible(False)
    results.filters._boxes["sex"].setCurrentIndex(1)  # in full only
    results.show_tab("groups")
    assert not groups.isVisible()
    qtbot.waitUntil(groups.isVisible)
    assert [tile.accessibleName() for tile in groups.tiles] != before


def test_stale_results_are_shown_as_such(page, workspace, monkeypatch):
    session, started = workspace.session, []
    monkeypatch.setattr(
        workspace.policies, "start", lambda *kinds: started.append(kinds)
    )
    session.apply(ops.change_attribute("age", maximum_level=1), "limit")
    assert not page.banner.isHidden()
    assert not page.results.panel.choose_button.isEnabled()
    page.banner.acted.emit()  # one click, whatever it takes
    assert started == [(LATTICE,)]


def test_thresholds_taken_over_from_stale_results_do_not_make_them_current(
    page, workspace
):
    session = workspace.session
    session.apply(ops.change_attribute("age", maximum_level=1), "limit")
    page._on_take_over(WantedLimits((KAnonymity(10),), 0.2))
    assert session.project.privacy.suppression_limit == 0.2
    assert session.state(LATTICE) is State.STALE


def test_nothing_found_leads_to_the_thresholds(qtbot, settings):
    case = make_case(k=3, limit=0.0)
    case.project = ops.change_attribute("age", maximum_level=0)(case.project)
    from deidgui.app.policies.lattice.searching import search

    case.found = search(case.project, case.classes)
    assert case.found.optimum is None
    workspace = Workspace()
    fill(workspace.session, case)
    page = PoliciesPage(workspace, settings)
    qtbot.addWidget(page)
    with qtbot.waitExposed(page):
        page.show()
    assert not page.banner.isHidden()
    assert page.status().state is StepState.ATTENTION
    assert page.results.panel.number == number_of(page, case.found.nearest)
    assert page.results.views.policies.rowCount() == len(page.policies)
    with qtbot.waitSignal(page.step_wanted) as wanted:
        page.banner.acted.emit()
    assert wanted.args == ["risk"]


@pytest.mark.parametrize("key", ["n_suppressed", "loss", "attribute 0", "best"])
def test_sorting_keeps_ties_in_the_order_of_rank(page, key, qtmodeltester):
    page.results.filters.set_feasible(False)
    model, policies = page.results.views.policies, page.policies
    values = {
        "n_suppressed": policies.columns.n_suppressed,
        "loss": policies.columns.loss,
        "attribute 0": policies.levels[:, 0],
        "best": np.zeros(len(policies)),
    }[key]
    place = np.argsort(policies.order())
    for order, sign in (
        (Qt.SortOrder.AscendingOrder, 1),
        (Qt.SortOrder.DescendingOrder, -1),
    ):
        page.results.views.table.sortByColumn(section(model, key), order)
        at = place * (sign if key == "best" else 1)
        keys = [(sign * values[number], at[number]) for number in model.numbers]
        assert keys == sorted(keys)
    assert isinstance(model, PolicyModel)
    qtmodeltester.check(model)


def test_controls_have_names(page):
    for part in (
        page.results.tabs,
        page.results.filters.search,
        page.results.filters.feasible,
        page.results.filters.suppressed,
        page.results.views.table,
        page.results.compare.only_differences,
    ):
        assert part.accessibleName()


def test_least_general_policies_are_marked_and_the_choice_of_ola_is_not_called_best(
    qtbot, settings
):
    case = make_case(method="ola")
    page = explore(qtbot, settings, case)
    minimal = {n for n, flags in page._flags.items() if Flag.MINIMAL in flags}
    assert minimal == {number_of(page, node) for node in case.found.minimal_nodes}
    assert minimal
    is_best = case.found.complete
    star = Flag.OPTIMUM if is_best else Flag.PICKED
    assert star in page._flags[number_of(page, case.found.optimum)]
    page.show_tab("lattice")
    assert page.results.views.lattice.is_drawn
    assert not page.banner.isHidden()  # what is proven is told


@pytest.mark.parametrize("width", [780, 1000])
def test_the_heading_says_whole_what_is_proven(page, qtbot, width):
    page.resize(width, 440)
    qtbot.wait(20)
    assert page.proof.brief == "Proven best"
    wide = page.proof.fontMetrics().horizontalAdvance(page.proof.brief)
    assert page.proof.contentsRect().width() >= wide
    assert page.results.tabs.height() == page.results.tabs.sizeHint().height()
