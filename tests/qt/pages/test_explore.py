"""The page Explore: list, plane, lattice, comparison, what-if, choosing."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from deidgui.app import ops
from deidgui.app.changes import Changes
from deidgui.app.charts.formats import share_text
from deidgui.app.charts.plane import Flag
from deidgui.app.policies.runner import LATTICE
from deidgui.app.session import State
from deidgui.engine.privacy import AverageProsecutorRisk, DistinctLDiversity, KAnonymity
from deidgui.engine.quality import QUALITY_MEASURES
from deidgui.qt.models.candidates import CandidateModel, Heading
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.explore import ExplorePage
from deidgui.qt.pages.explore.thresholds import Asked
from deidgui.qt.widgets import DecimalBox
from tests.explored_case import fill, make_case
from tests.qt.fakes import FakeWorkspace


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
    made = ExplorePage(workspace, settings)
    qtbot.addWidget(made)
    made.resize(1000, 660)
    with qtbot.waitExposed(made):
        made.show()
    return made


def other_node(page):
    """A feasible node that is not the best one."""
    return int(page._found.ranked[1])


def test_without_a_file_the_page_says_what_to_do_first(qtbot, settings):
    page = ExplorePage(Workspace(), settings)
    qtbot.addWidget(page)
    page.refresh(Changes.EVERYTHING)
    assert not page._empty.isHidden()
    assert page._content.isHidden()
    assert page.status().state is StepState.NOT_YET


def test_without_a_search_the_page_leads_there(qtbot, settings, case):
    workspace = Workspace()
    fill(workspace.session, case)
    workspace.session._results.clear()
    page = ExplorePage(workspace, settings)
    qtbot.addWidget(page)
    page.refresh(Changes.EVERYTHING)
    with qtbot.waitSignal(page.step_wanted) as wanted:
        page._empty.acted.emit()
    assert wanted.args == ["search"]


def test_the_best_policy_is_selected_first_and_marked(page, case):
    assert page.panel.node == case.found.optimum
    assert page._flags[case.found.optimum] == (Flag.OPTIMUM,)
    model = page.views.policies
    assert model.rowCount() == case.found.result.n_solutions
    assert model.number_at(0) == case.found.optimum
    text = model.index(0, Heading.POLICY).data()
    assert text.startswith("★ best")
    assert page.status().state is StepState.DONE


def test_filter_acts_on_every_view(page, case):
    page.filters.set_feasible(False)
    assert page.views.policies.rowCount() == 18
    page.show_tab("plane")
    assert len(page.views.plane.chart.policies) == 18
    page.filters._boxes["sex"].setCurrentIndex(1)  # in full only
    kept = [n for n in range(18) if case.found.levels_of(n)["sex"] == 0]
    assert sorted(page.views.plane.chart.policies) == kept
    page.show_tab("lattice")
    coloured = np.flatnonzero(np.isfinite(page.views.lattice.chart.loss))
    assert coloured.tolist() == kept
    page.filters.clear()
    page.show_tab("list")
    n_solutions = case.found.result.n_solutions
    assert page.views.policies.rowCount() == n_solutions


def test_words_filter_and_an_empty_list_says_so(page):
    page.filters.search.setText("no such words")
    page.filters.search.searched.emit("no such words")
    assert page.views.policies.rowCount() == 0
    assert not page.views.nothing.isHidden()
    assert not page.filters.clear_button.isHidden()


def test_selection_is_one_in_all_views(page):
    node = other_node(page)
    row = page.views.policies.row_of(node)
    page.views.table.selectRow(row)
    assert page.panel.node == node
    page.show_tab("lattice")
    assert page.views.lattice.selected == node
    page.show_tab("plane")
    assert page.views.plane._picked.tolist() == [node]
    page.views.plane.policy_selected.emit(0)
    assert page.panel.node == 0
    page.show_tab("list")
    page.filters.set_feasible(False)
    index = page.views.table.selectionModel().selectedRows()[0]
    assert page.views.policies.number_at(index.row()) == 0


def test_choosing_is_a_decision_that_can_be_undone(qtbot, page, workspace):
    node = other_node(page)
    page._on_node_selected(node)
    qtbot.mouseClick(page.panel.choose_button, Qt.MouseButton.LeftButton)
    session = workspace.session
    assert session.project.chosen.levels == page._found.levels_of(node)
    assert Flag.CHOSEN in page._flags[node]
    assert page.status().caption == "own choice"
    session.undo()
    assert session.project.chosen is None
    assert node not in page._flags
    session.redo()
    qtbot.mouseClick(page.panel.choose_button, Qt.MouseButton.LeftButton)
    assert session.project.chosen is None


def test_enter_in_the_list_chooses(qtbot, page, workspace):
    table = page.views.table
    table.selectRow(1)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    chosen = workspace.session.project.chosen
    node = page.views.policies.number_at(1)
    assert chosen.levels == page._found.levels_of(node)


def test_a_policy_that_misses_the_thresholds_cannot_be_chosen(page, workspace):
    page.filters.set_feasible(False)
    node = int(np.flatnonzero(~page._found.feasible)[0])
    page._on_node_selected(node)
    assert not page.panel.choose_button.isEnabled()
    assert "suppressed" in page.panel._reason.text
    page.views.node_activated.emit(node)
    assert workspace.session.project.chosen is None


def test_up_to_four_are_kept_and_compared(page, workspace):
    nodes = page._found.ranked[:5].tolist()
    for node in nodes[:4]:
        page._on_node_selected(node)
        page.panel.keep_button.click()
    assert len(workspace.session.project.kept) == 4
    page._on_node_selected(nodes[4])
    assert not page.panel.keep_button.isEnabled()
    page.show_tab("compare")
    assert sorted(page.compare.nodes) == sorted(nodes[:4])
    page.compare.drop_wanted.emit(nodes[0])
    assert len(workspace.session.project.kept) == 3
    assert nodes[0] not in page.compare.nodes
    workspace.session.undo()
    assert len(page.compare.nodes) == 4


def test_one_kept_policy_stands_beside_the_best(page):
    page.show_tab("compare")
    assert not page.compare._empty.isHidden()
    node = other_node(page)
    page._keep(node)
    assert page.compare.isVisible()
    assert page.compare.nodes == [page._found.optimum, node]
    assert page.compare._empty.isHidden()


def test_only_differences(page):
    page._keep(other_node(page))
    page.show_tab("compare")
    n_all = page.compare._grid.count()
    page.compare.only_differences.click()
    assert page.compare._grid.count() < n_all


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
    pane = page.what_if
    assert pane.controls.asked == Asked((KAnonymity(3),), 0.1)
    assert not pane.take_over_button.isEnabled()
    move(pane, k=10)
    again = make_case(10).found
    assert pane._answer.found.optimum == again.optimum
    assert workspace.session.project is before
    assert pane.take_over_button.isEnabled()
    pane.back_button.click()
    assert pane.controls.asked == Asked((KAnonymity(3),), 0.1)
    assert not pane.take_over_button.isEnabled()


def test_thresholds_are_taken_over_by_a_decision_and_at_once_up_to_date(
    page, workspace
):
    page.show_tab("what_if")
    move(page.what_if, k=10, limit=20)
    page.what_if.take_over_button.click()
    session = workspace.session
    assert session.project.privacy.models == (KAnonymity(10),)
    assert session.project.privacy.suppression_limit == 0.2
    assert session.state(LATTICE) is State.CURRENT
    assert session.current(LATTICE).optimum == make_case(10, 0.2).found.optimum
    assert ("update_measurement", True) in workspace.calls
    session.undo()
    assert session.project.privacy.models == (KAnonymity(3),)
    assert page.status().state is StepState.STALE
    page._banner.acted.emit()  # bring up to date, from the same profile
    assert session.state(LATTICE) is State.CURRENT


def test_no_policy_for_these_values_cannot_be_taken_over(page):
    page.show_tab("what_if")
    pane = page.what_if
    move(pane, k=100, limit=0)
    if pane._answer.found.optimum is None:
        assert not pane.take_over_button.isEnabled()
        assert not pane._none.isHidden()
    else:  # all generalized is always a policy of 400 records
        assert pane.take_over_button.isEnabled()


def explore(qtbot, settings, case):
    """A page over another search."""
    workspace = Workspace()
    fill(workspace.session, case)
    page = ExplorePage(workspace, settings)
    qtbot.addWidget(page)
    page.refresh(Changes.EVERYTHING)
    return page


def test_every_model_has_a_control_and_is_answered(qtbot, settings):
    models = (
        {"kind": "highest_prosecutor_risk", "threshold": 0.15},
        {"kind": "average_prosecutor_risk", "threshold": 0.1},
        {"kind": "distinct_l_diversity", "attribute": "diagnosis", "diversity": 3},
    )
    page = explore(qtbot, settings, make_case(models=models, limit=0.3))
    page.show_tab("what_if")
    controls = page.what_if.controls
    assert controls.asked.models == page._found.models  # 0.15 is not of the form 1/k
    slider = controls.control_of("highest_prosecutor_risk")
    slider.set_value(33.33)
    controls.changed.emit()
    assert controls.asked.models[0].threshold == 1 / 3
    assert controls.asked.models[0].depth == 3
    controls._controls[1].write(AverageProsecutorRisk(threshold=0.05))
    controls.changed.emit()
    expected = ({**models[0], "threshold": 1 / 3}, {**models[1], "threshold": 0.05})
    form = controls._controls[2]
    form.write(DistinctLDiversity("diagnosis", 2))
    controls.changed.emit()
    last = {**models[2], "diversity": 2}
    again = make_case(models=(*expected, last), limit=0.3).found
    answer = page.what_if._answer.found
    best = answer.optimum
    assert answer.levels_of(best) == again.levels_of(again.optimum)
    assert answer.suppressed[best] == again.suppressed[again.optimum]
    assert "Proven by a search of its own" in page.what_if._counts.text()
    assert page.what_if.take_over_button.isEnabled()


def test_values_that_only_a_new_search_knows_leave_the_results_stale(qtbot, settings):
    models = ({"kind": "average_prosecutor_risk", "threshold": 0.1},)
    page = explore(qtbot, settings, make_case(models=models))
    page.show_tab("what_if")
    pane = page.what_if
    # Beyond groups of 100 the profile does not tell sizes apart.
    pane.controls._controls[0].write(AverageProsecutorRisk(threshold=0.005))
    pane.controls.changed.emit()
    assert pane._answer.found.models[0].threshold == 0.005
    pane.take_over_button.click()
    session = page.workspace.session
    (decided,) = session.project.privacy.models
    assert decided.threshold == 0.005
    assert session.state(LATTICE) is State.STALE


def test_a_value_that_is_not_allowed_is_told_and_not_asked(qtbot, settings):
    models = ({"kind": "average_prosecutor_risk", "threshold": 0.1},)
    page = explore(qtbot, settings, make_case(models=models))
    page.show_tab("what_if")
    pane = page.what_if
    field = pane.controls._controls[0].widget.findChild(DecimalBox)
    before = pane._answer
    field.setValue(0)
    assert pane.controls.asked is None
    assert pane._answer is before
    assert not pane.take_over_button.isEnabled()


def test_prices_are_drawn_beside_their_tables(qtbot, page, case):
    page.show_tab("prices")
    for card in (page.prices.by_limit, page.prices.by_size):
        assert card.chart.view.is_drawn
        assert card.table.rowCount() > 10
        now = [
            card.table.item(at, 0).text()
            for at in range(card.table.rowCount())
            if "now" in card.table.item(at, 0).text()
        ]
        assert len(now) == 1
    table, view = page.prices.by_limit.table, page.prices.by_limit.chart.view
    table.selectRow(0)
    assert "0" in view.card_lines[0]  # what is selected is read in the chart
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert table.currentRow() == table.rowCount() - 1
    best = page._candidates.short_words(
        int(page._prices.by_limit.nodes[page._prices.by_limit.place(1.0)])
    )
    assert table.item(table.rowCount() - 1, 2).text() == best
    assert best.split("; ")[0] in view.card_lines
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text().splitlines()
    assert len(copied) == table.rowCount() + 1
    assert copied[1].split("\t")[2] == "yes"


def test_prices_of_a_part_say_so(qtbot, settings, monkeypatch):
    monkeypatch.setattr("deidgui.app.policies.lattice.searching.MOST_AROUND", 8)
    page = explore(qtbot, settings, make_case(method="optimum"))
    page.show_tab("prices")
    assert not page.prices._part.isHidden()
    assert "18" in page.prices._part._text.text()
    assert "18" in page.part_words()
    page.show_tab("what_if")
    assert "none of them is better" in page.what_if._counts.text()
    move(page.what_if, k=10)
    assert "a better one may be" in page.what_if._counts.text()


def test_losses_that_are_lower_bounds_are_marked(qtbot, settings):
    case = make_case(measure={"kind": "ambiguity"})
    page = explore(qtbot, settings, case)
    model = page.views.policies
    texts = [model.index(at, Heading.LOSS).data() for at in range(model.rowCount())]
    for node, text in zip(model.numbers, texts, strict=True):
        assert text.startswith("≥") == (not case.found.result.exact[node])


def test_every_measure_of_the_selected_policy(page, case):
    page.panel._more._button.click()
    titles = [row[0].text() for row in page.panel.measures._rows]
    assert titles[0] == "Loss (guides the search)"
    assert len(titles) == len(list(QUALITY_MEASURES))
    node = other_node(page)
    page._on_node_selected(node)
    values = [row[1].text() for row in page.panel.measures._rows]
    assert values[0] == share_text(float(case.found.loss[node]))
    assert all(row[2].text() for row in page.panel.measures._rows)


def test_stale_results_are_shown_as_such(qtbot, page, workspace):
    session = workspace.session
    session.apply(ops.change_attribute("age", maximum_level=1), "limit")
    assert not page._banner.isHidden()
    assert not page.panel.choose_button.isEnabled()
    with qtbot.waitSignal(page.step_wanted) as wanted:
        page._banner.acted.emit()
    assert wanted.args == ["search"]


def test_thresholds_taken_over_from_stale_results_do_not_make_them_current(
    page, workspace
):
    session = workspace.session
    session.apply(ops.change_attribute("age", maximum_level=1), "limit")
    page._on_take_over(Asked((KAnonymity(10),), 0.2))
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
    page = ExplorePage(workspace, settings)
    qtbot.addWidget(page)
    page.refresh(Changes.EVERYTHING)
    assert not page._banner.isHidden()
    assert page.status().state is StepState.ATTENTION
    assert page.panel.node == case.found.nearest
    assert page.views.policies.rowCount() == case.found.lattice.n_nodes
    with qtbot.waitSignal(page.step_wanted) as wanted:
        page._banner.acted.emit()
    assert wanted.args == ["risk"]


@pytest.mark.parametrize("heading", [Heading.WITHHELD, Heading.LOSS, Heading.POLICY])
def test_sorting_keeps_ties_in_the_order_of_rank(page, case, heading, qtmodeltester):
    page.filters.set_feasible(False)
    model = page.views.policies
    values = {
        Heading.WITHHELD: case.found.suppressed,
        Heading.LOSS: case.found.loss,
        Heading.POLICY: np.arange(18),
    }[heading]
    rank_place = np.argsort(page._candidates.by_rank)
    for order, sign in (
        (Qt.SortOrder.AscendingOrder, 1),
        (Qt.SortOrder.DescendingOrder, -1),
    ):
        page.views.table.sortByColumn(heading, order)
        keys = [(sign * values[node], rank_place[node]) for node in model.numbers]
        assert keys == sorted(keys)
    assert isinstance(model, CandidateModel)
    qtmodeltester.check(model)


def test_controls_have_names(page):
    for part in (
        page.tabs,
        page.filters.search,
        page.filters.feasible,
        page.filters.suppressed,
        page.views.table,
        page.compare.only_differences,
    ):
        assert part.accessibleName()
    assert page.help_words().startswith("**The best policy is released.**")


def test_least_general_policies_are_marked_and_the_choice_of_ola_is_not_called_best(
    qtbot, settings
):
    case = make_case(method="ola")
    page = explore(qtbot, settings, case)
    minimal = [node for node, flags in page._flags.items() if Flag.MINIMAL in flags]
    levels = {case.found.lattice.levels_of(node) for node in minimal}
    assert levels == set(case.found.minimal)
    is_best = case.found.complete
    star = Flag.OPTIMUM if is_best else Flag.PICKED
    assert star in page._flags[case.found.optimum]
    page.show_tab("lattice")
    assert page.views.lattice.is_drawn
    assert not page._banner.isHidden()  # what is proven is told
