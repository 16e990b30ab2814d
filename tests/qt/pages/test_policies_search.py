"""How to look for the best policy: method, plan, what is proven, local recoding."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from deidgui.app import ops
from deidgui.app.activity import Activity
from deidgui.app.decides import Changes
from deidgui.app.jobs import Lane
from deidgui.app.policies.lattice import planning
from deidgui.app.policies.lattice.planning import plan_search
from deidgui.app.policies.lattice.searching import search
from deidgui.app.policies.runner import LATTICE
from deidgui.app.project import Discover, ElementChoice
from deidgui.app.session import Kind
from deidgui.engine.privacy import KAnonymity
from deidgui.engine.privacy.average_prosecutor_risk import AverageProsecutorRisk
from deidgui.errors import Cancelled
from deidgui.qt.models.proof import proof_of
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.policies.baseline import (
    ROWS_IN_TURN,
    BaselineCard,
)
from deidgui.qt.pages.policies.page import PoliciesPage
from deidgui.qt.pages.risk.importance import weight_words
from tests.explored_case import fill, make_case
from tests.qt.fakes import FakeWorkspace

K3 = {"kind": "k_anonymity", "k": 3}


def show(qtbot, settings, case, *, found=True):
    """The page over a case, before or after its search."""
    workspace = FakeWorkspace()
    fill(workspace.session, case)
    if not found:
        workspace.session._results.pop(LATTICE)
    page = PoliciesPage(workspace, settings)
    qtbot.addWidget(page)
    page.resize(1000, 700)
    with qtbot.waitExposed(page):
        page.show()
    return page


def test_beside_the_open_panel_nothing_scrolls_sideways(qtbot, settings):
    page = show(qtbot, settings, make_case(), found=False)
    page.look.set_open(True)
    # Of a window of 1280 pixels, beside the names of the steps.
    page.resize(1038, 614)
    page.show_tab("list")
    page.results.show_detail(True)
    bar = page._area.horizontalScrollBar()
    for number in (0, 1):
        page._found_stack.setCurrentIndex(number)
        QApplication.processEvents()
        assert bar.maximum() == 0


def test_while_a_search_has_found_nothing_nobody_is_told_to_start_one(qtbot, settings):
    page = show(qtbot, settings, make_case(), found=False)
    page.workspace.is_running = lambda lane: lane == LATTICE
    page.workspace.activity(Activity(LATTICE, 0.0, "nodes 1", 1.0))
    texts = [label.text() for label in page.waiting.findChildren(QLabel)]
    assert "No policy found so far" in texts
    assert "No policies yet" not in texts


def test_policies_of_earlier_decisions_are_told_while_a_search_runs(
    qtbot, settings, monkeypatch
):
    page = show(qtbot, settings, make_case())
    page.session.apply(ops.change_privacy(models=(KAnonymity(k=4),)), "k")
    page.refresh(Changes.PRIVACY)
    words = "These policies rest on earlier decisions."
    assert page.banner.isVisibleTo(page)
    assert page.banner._text.text() == words
    steering = type(page.steering)
    monkeypatch.setattr(steering, "is_running", property(lambda _self: True))
    page._show_banner()
    assert page.banner.isVisibleTo(page)
    assert page.banner._text.text() == words
    # What would bring them up to date is running.
    assert not page._banner_action


def test_what_will_be_done_is_what_is_chosen(qtbot, settings):
    page = show(qtbot, settings, make_case(), found=False)
    card, session = page.look.optimal.plan, page.session
    classes = session.current(Kind.CLASSES)
    plan = plan_search(session.project, classes)
    many = replace(plan, method="optimum", n_policies=8_398_080, is_too_large=True)
    card.show_plan(many, session.project, classes)
    profile, optimum = card.options["profile"], card.options["optimum"]
    assert optimum.button.isChecked()
    assert not profile.button.isChecked()
    assert not profile.button.isEnabled()
    assert "at most 200,000" in profile.reason
    assert profile._usual.isHidden()
    # Of fewer policies it is the usual way again: nobody has decided otherwise.
    card.show_plan(plan, session.project, classes)
    assert profile.button.isChecked()
    assert not profile._usual.isHidden()


def test_the_usual_method_is_marked_and_the_size_is_told(qtbot, settings):
    page = show(qtbot, settings, make_case(), found=False)
    assert page.look.optimal.plan.options["profile"].button.isChecked()
    assert page.look.optimal.plan._size.text().startswith("18 policies")
    assert (
        page.look.optimal.plan._duration.text()
        == "This should take less than a second."
    )
    assert all(not option.reason for option in page.look.optimal.plan.options.values())
    assert page.look.optimal.plan._most_row.isHidden()
    assert page.status().state is StepState.READY


def test_weights_are_said_as_they_are_chosen():
    assert [weight_words(each) for each in (0.25, 0.5, 1.0)] == [
        "Low",
        "Medium",
        "High",
    ]
    assert weight_words(0.7) == "0.7"


def test_choosing_a_method_is_a_decision_that_can_be_undone(qtbot, settings):
    page = show(qtbot, settings, make_case(), found=False)
    with qtbot.waitExposed(page):
        page.show()
    session = page.session
    page.look.optimal.plan.options["optimum"].button.click()
    assert session.project.search.method == "optimum"
    assert not page.look.optimal.plan._most_row.isHidden()
    page.look.optimal.plan.most_nodes.setValue(5000)
    page.look.optimal.plan.most_nodes.editingFinished.emit()
    page.look.optimal.plan.most_nodes.editingFinished.emit()
    assert session.project.search.most_nodes == 5000
    session.undo()
    assert session.project.search.most_nodes == 100_000
    session.undo()
    assert session.project.search.method == "profile"
    assert page.look.optimal.plan.options["profile"].button.isChecked()


def test_too_many_policies_are_told_with_the_method_that_is_used(
    qtbot, settings, monkeypatch
):
    monkeypatch.setattr(planning, "MOST_PROFILED", 10)
    page = show(qtbot, settings, make_case(), found=False)
    assert "18" in page.look.optimal.plan.options["profile"].reason
    assert not page.look.optimal.plan._how.isHidden()
    assert not page.look.optimal.plan._most_row.isHidden()
    assert "cannot be told in advance" in page.look.optimal.plan._duration.text()


@pytest.mark.parametrize("method", ["optimum", "ola"])
def test_what_is_usual_is_called_so_and_rests_on_this_table(
    qtbot, settings, monkeypatch, method
):
    measured = []

    def measure(project, classes, *, monitor):
        seconds = planning.measure_node(project, classes, monitor=monitor)
        measured.append(seconds)
        return 2.0

    monkeypatch.setattr("deidgui.qt.pages.policies.questions.measure_node", measure)
    page = show(qtbot, settings, make_case(method=method), found=False)
    words = page.look.optimal.plan._duration.text()
    assert words.startswith("How long it takes cannot be told in advance")
    # 18^0.38 = 3.0 and 18^0.69 = 7.3; 18^0.41 = 3.3 and 18^0.82 = 10.7.
    low, high = {"optimum": (3, 7), "ola": (3, 10)}[method]
    assert f"Usually {low} to {high} of so many" in words
    assert f"that is {2 * low} s to {2 * high} s." in words
    assert len(measured) == 1
    assert 0 < measured[0] < 1
    page.refresh(Changes.EVERYTHING)
    assert len(measured) == 1
    page.session.apply(
        ops.change_privacy(models=({"kind": "k_anonymity", "k": 9},)), ""
    )
    page.refresh(Changes.PRIVACY)
    assert len(measured) == 2


def test_the_end_of_a_proof_is_told_but_nothing_beyond_what_was_measured(
    qtbot, settings, monkeypatch
):
    monkeypatch.setattr(
        "deidgui.qt.pages.policies.questions.measure_node", lambda *_, **__: 1
    )
    monkeypatch.setattr(planning, "MOST_FORESEEN", 10)
    case = make_case(method="optimum")
    case.project = ops.change_search(most_nodes=12)(case.project)
    page = show(qtbot, settings, case, found=False)
    words = page.look.optimal.plan._duration.text()
    assert "Usually" not in words
    # It may end a hundred times sooner: no duration bounds it.
    assert words.startswith("The proof is given up after 12 policies")
    assert "12 s" not in words
    assert "cannot be told" not in words
    page.session.apply(ops.change_search(most_nodes=18), "")
    page.refresh(Changes.SEARCH)
    assert "given up" not in page.look.optimal.plan._duration.text()


def test_without_thresholds_nothing_is_measured(qtbot, settings):
    case = make_case(method="optimum")
    case.project = ops.change_privacy(models=())(case.project)
    page = show(qtbot, settings, case, found=False)
    assert "of so many are looked at." in page.look.optimal.plan._duration.text()


def test_no_time_left_is_told_while_policies_are_ruled_out(qtbot, settings):
    page = show(qtbot, settings, make_case(method="optimum"), found=False)
    running = Activity("lattice", 0.5, "proof 1200", 10.0)
    page.workspace.activity(running)
    assert page.progress._note.text() == (
        "1,200 policies examined, 120 a second; how much longer cannot be told"
    )
    assert page.progress._time.text() == "10 s so far"
    # Half are decided, most of them without a look: no share of the 1,200.
    assert page.progress._percent.text() == ""
    half = replace(running, note="nodes 600", fraction=0.25, elapsed_s=5.0)
    page.workspace.activity(half)
    page.workspace.activity(replace(running, note="nodes 1200"))
    assert page.progress._note.text() == "1,200 policies examined, 120 a second"
    assert page.progress._percent.text() == "50\u202f%"
    assert page.progress._time.text() == "less than 10 s left"


def test_ola_says_with_which_models_it_cannot_be_used(qtbot, settings):
    closeness = {"kind": "equal_t_closeness", "attribute": "diagnosis", "t": 0.4}
    case = make_case(models=(K3, closeness), limit=0.1)
    page = show(qtbot, settings, case, found=False)
    assert "t-closeness" in page.look.optimal.plan.options["ola"].reason
    assert not page.look.optimal.plan.options["ola"].button.isEnabled()
    case = make_case(models=(K3, closeness), limit=0.0)  # nothing is suppressed
    page = show(qtbot, settings, case, found=False)
    assert not page.look.optimal.plan.options["ola"].reason


def test_what_is_proven_is_said_of_what_was_asked():
    case = make_case()
    assert proof_of(case.found).text == "Proven: no policy is better."
    quality = case.project.quality.but(keep_something=True)
    project = case.project.but(quality=quality)
    found = search(project, case.classes)
    kept = "Proven: no policy that keeps something of every quasi-identifier is better."
    assert proof_of(found).text == kept
    strict = project.privacy.but(models=(KAnonymity(100),), suppression_limit=0.3)
    found = search(project.but(privacy=strict), case.classes)
    proof = proof_of(found)
    assert found.removed_at(found.optimum)
    assert "removes fewer quasi-identifiers, weighed by importance," in proof.text
    assert all(name in proof.detail for name in found.removed_at(found.optimum))


def test_the_whole_lattice_is_proven(qtbot, settings):
    page = show(qtbot, settings, make_case())
    assert page.proof.text() == "Proven: no policy is better."
    assert page.status().state is StepState.SEEN
    assert page.results.panel.sentence.text() == page.proof.text()


def test_nothing_is_proven_of_policies_of_earlier_thresholds(qtbot, settings):
    page = show(qtbot, settings, make_case())
    assert "Proven" in page.proof.text()
    page.session.apply(ops.change_privacy(suppression_limit=0.01), "limit")
    page.refresh(page.parts)
    assert "Proven" not in page.proof.text()
    page.session.undo()
    page.refresh(page.parts)
    assert page.proof.text() == "Proven: no policy is better."


@pytest.mark.parametrize("method", ["profile", "optimum", "ola"])
def test_where_the_proof_has_no_room_nothing_of_it_is_cut(qtbot, settings, method):
    page = show(qtbot, settings, make_case(method=method))
    page.proof.resize(110, page.proof.height())
    is_proven = "Proven" in page.proof.text()
    assert is_proven == (method != "ola") or not page.proof.text()
    assert page.proof._shown() == ("Proven best" if is_proven else "")
    assert page.proof.toolTip() == page.proof.text()
    page._say("Comparing the policies of the neighbourhood")
    assert page.proof._shown().startswith("Compar")


def test_a_threshold_with_one_number_is_named_once(qtbot, settings):
    models = ({"kind": "average_prosecutor_risk", "threshold": 0.5},)
    page = show(qtbot, settings, make_case(models=models))
    page.show_tab("what_if")
    labels = page.results.what_if.controls.findChildren(QLabel)
    shown = {each.text() for each in labels if not each.isHidden()}
    assert "Average risk" in shown
    assert "Average probability" not in shown


def test_a_proof_says_for_which_choice_among_equal_classes_it_holds():
    """A model of the whole release suppresses the first of equally small classes."""
    case = make_case()
    assert "equally small" not in proof_of(case.found).detail
    of_release = replace(case.found, models=(AverageProsecutorRisk(0.5),))
    detail = proof_of(of_release).detail
    assert "equally small equivalence classes" in detail
    assert "Suppressing others of them could lose less." in detail


@pytest.mark.parametrize("measure", ["loss", "discernibility"])
def test_a_proof_of_a_part_says_what_can_be_compared(
    qtbot, settings, monkeypatch, measure
):
    for name in ("MOST_AROUND", "FEW_SHOWN"):
        monkeypatch.setattr(f"deidgui.app.policies.lattice.searching.{name}", 8)
    case = make_case(method="optimum", measure={"kind": measure})
    page = show(qtbot, settings, case)
    assert page.proof.text().startswith("Proven: no policy is better.")
    assert "of 18 policies can be compared" in page.proof.text()
    _name, figure, _unit = page.results.panel._figures._rows[1]
    assert "–" not in figure.text()


def test_least_general_policies_are_listed_and_the_choice_is_judged(qtbot, settings):
    case = make_case(method="ola", limit=0.1)
    page = show(qtbot, settings, case)
    assert not page.look.optimal.minimal.isHidden()
    labels = [each for each in page.look.optimal.minimal._labels if not each.isHidden()]
    assert len(labels) == len(case.found.minimal)
    assert labels[0].text().startswith("★")
    detail = page.banner._detail.text()
    best, chosen = case.found.ranked[0], case.found.optimum
    if case.found.loss[best] < case.found.loss[chosen]:
        assert "not the best by this measure" in detail
    else:
        assert "is the best of all policies" in detail


def stopped(case, n_best):
    """What a search that was stopped after some improvements leaves."""
    seen = []

    def tell(best):
        seen.append(best)
        if len(seen) == n_best:
            raise Cancelled

    with pytest.raises(Cancelled):
        search(case.project, case.classes, emit=tell)
    return seen


def with_gap(found, gap, n_looked_at=0):
    """A best policy so far of which something is proven."""
    known = found.optimality
    n_looked_at = n_looked_at or known.n_looked_at
    known = replace(known, gap=gap, n_looked_at=n_looked_at, is_proven=False)
    return replace(found, optimality=known)


def test_every_view_says_the_same_number_of_policies(qtbot, settings):
    case = make_case(limit=0.3)
    case.found.profile.checked[np.flatnonzero(~case.found.feasible)[:2]] = False
    found = case.found
    page = show(qtbot, settings, case)
    meeting, looked_at = int(found.feasible.sum()), found.profile.n_checked
    assert looked_at == found.lattice.n_nodes - 2
    shown = {each.text() for each in page.results.filters.findChildren(QLabel)}
    assert f"{meeting} of {looked_at} listed; 18 policies in all" in shown
    assert "2 policies are not listed" in page.results.filters.count.toolTip()
    page.show_tab("what_if")
    counts = page.results.what_if._counts.text()
    assert counts.startswith(f"{meeting} of the {looked_at} ")


def test_policies_that_release_the_same_table_are_told(qtbot, settings):
    """With groups of 70 several of the 18 policies release nobody: one table."""
    case = make_case(k=70, limit=1.0)
    n_all, n_empty = case.found.n_nodes, int((case.found.suppressed == 400).sum())
    assert n_empty > 1
    page = show(qtbot, settings, case)
    page.results.filters.clear_button.click()
    count = page.results.filters.count
    assert f"of {n_all - n_empty + 1} different policies" in count.text()
    assert f"{n_all} policies were looked at" in count.toolTip()
    assert f"{n_empty - 1} policies release the same table" in count.toolTip()


def test_where_all_tables_differ_nothing_is_said_of_the_same(qtbot, settings):
    page = show(qtbot, settings, make_case())
    assert "different" not in page.results.filters.count.text()
    assert "same table" not in page.results.filters.count.toolTip()


def test_the_gap_is_shown_while_it_runs_and_after_a_stop(qtbot, settings):
    case = make_case(method="optimum", limit=0.3)
    first, *_, kept = stopped(case, 1)
    first = with_gap(first, 0.25)
    page = show(qtbot, settings, case, found=False)
    page.live.begin(case.project.quality.measure)
    assert page.live.is_empty
    for best in (first, with_gap(first, 0.031, 9)):
        page.workspace.policies.found(LATTICE, best)
    assert (
        page.live.gap.text() == "The best possible policy is at most 3.1\u202f% better."
    )
    np.testing.assert_allclose(
        page.live.chart.view.chart.series[0].values, [0.25, 0.031]
    )
    assert "records suppressed" in page.live.figures.text()
    assert page.live.words.accessibleName()
    found = with_gap(kept, 0.031)
    page.session.set_result(LATTICE, found, case.project, complete=False)
    page.refresh(Changes.RESULT)
    assert "ended after" in page.banner._text.text()
    assert page.status().state is StepState.ATTENTION


@pytest.mark.parametrize(
    ("is_found", "is_complete", "words"),
    [
        (True, True, "The search was stopped: what is shown was found before it."),
        (True, False, "The search was stopped: what is shown is a part."),
        (False, False, "The search was stopped before it found a policy."),
    ],
)
def test_that_a_search_was_stopped_is_said_until_the_next_one(
    qtbot, settings, is_found, is_complete, words
):
    case = make_case()
    page = show(qtbot, settings, case, found=is_found)
    assert "stopped" not in page.banner._text.text()
    page.workspace.policies.stopped.add(LATTICE)
    if is_found and not is_complete:
        page.session.set_result(LATTICE, case.found, case.project, complete=False)
    page.refresh(Changes.RESULT)
    assert page.banner.isVisible()
    assert page.banner._text.text().startswith(words)
    page.workspace.policies.start(LATTICE)
    page.refresh(Changes.RESULT)
    assert not page.workspace.policies.stopped
    assert "stopped" not in page.banner._text.text() or page.banner.isHidden()


def test_that_a_survey_was_stopped_is_said(qtbot, settings):
    page = show(qtbot, settings, make_case())
    page.workspace.policies.stopped.add(Lane.SURVEY)
    page.refresh(Changes.RESULT)
    assert page.banner._text.text().startswith("The survey was stopped: the best")


def test_what_stopping_keeps_is_said_as_it_is(qtbot, settings):
    """Beside what an earlier search found to its end nothing is kept."""
    for is_complete, kept in ((True, "found before"), (False, "this policy")):
        case = make_case()
        page = show(qtbot, settings, case)
        page.session.set_result(LATTICE, case.found, case.project, is_complete)
        page._begin("optimal")
        assert kept in page.live._note.text()


def test_rounds_are_searched_and_can_be_chosen(qtbot, settings):
    case = make_case(k=12, limit=0.5)
    case.project = ops.change_search(local_recoding=True)(case.project)
    case.found = search(case.project, case.classes)
    page = show(qtbot, settings, case)
    assert page.look.optimal.plan.local_recoding.is_on
    assert not page.look.optimal.rounds.isHidden()
    rounds = page.steering._rounds
    if rounds is None or rounds.result.policy.kind == "lattice":
        assert "gain nothing" in page.look.optimal.rounds.sentence.text()
        return
    assert "lower the loss" in page.look.optimal.rounds.sentence.text()
    qtbot.mouseClick(page.look.optimal.rounds.choose_button, Qt.MouseButton.LeftButton)
    assert page.session.project.chosen == rounds.choice()


def test_methods_have_names_and_sentences_for_screen_readers(qtbot, settings):
    page = show(qtbot, settings, make_case())
    for option in page.look.optimal.plan.options.values():
        assert option.button.text()
        assert option.button.accessibleDescription()
    assert page.look.optimal.plan.most_nodes.accessibleName()


def test_the_plan_lists_levels_and_weights_of_each_quasi_identifier(qtbot, settings):
    page = show(qtbot, settings, make_case(), found=False)
    table, project = page.look.optimal.plan.levels, page.session.project
    assert [table.item(row, 0).text() for row in range(table.rowCount())] == [
        each.name for each in project.quasi_identifiers
    ]
    assert table.item(0, 1).text().startswith("0–")
    assert table.item(0, 2).text() == weight_words(project.quasi_identifiers[0].weight)
    # The card scrolls: of many columns all are seen at once.
    classes = page.session.current(Kind.CLASSES)
    (first, *_), n_many = project.quasi_identifiers, 20
    many = {f"column {n}": classes.hierarchies[first.name] for n in range(n_many)}
    columns = [
        SimpleNamespace(name=n, minimum_level=0, maximum_level=1, weight=first.weight)
        for n in many
    ]
    page.look.optimal.plan._fill_attributes(
        SimpleNamespace(quasi_identifiers=columns), SimpleNamespace(hierarchies=many)
    )
    assert table.height() > n_many * table.row_height


HARBOR = Discover(baseline="safe_harbor")


def elements_of(n_columns):
    kinds = ("other", "date", "age")
    return {
        f"item {place}": ElementChoice(kind=kinds[place % 3])
        for place in range(n_columns)
    }


@pytest.fixture
def card(qtbot):
    made = BaselineCard()
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_columns_of_the_rule_are_shown_only_under_the_rule(qtbot, card):
    elements = elements_of(2 * ROWS_IN_TURN)
    card.show_discover(Discover(), elements, {})
    assert not card.elements.rows
    card.show_discover(HARBOR, elements, {})
    qtbot.waitUntil(lambda: bool(card.elements.rows))


def test_many_columns_of_the_rule_are_shown_some_in_each_turn(qtbot, card):
    elements = elements_of(3 * ROWS_IN_TURN + 2)
    effects = {"item 25": ("writes 90+", True)}
    card.show_discover(HARBOR, elements, effects)
    assert not card.elements.rows  # the turn of the decision has enough to do
    qtbot.waitUntil(lambda: len(card.elements.rows) == len(elements))
    rows = card.elements.rows
    assert list(rows) == list(elements)
    assert {name: row.kind.current for name, row in rows.items()} == {
        name: element.kind for name, element in elements.items()
    }
    assert rows["item 25"].effect.text() == "writes 90+"
    assert all(row.isVisible() for row in rows.values())
    # Fewer columns are shown in the same rows, and the rest is hidden at once.
    fewer = {"zip code": ElementChoice(kind="zip"), **elements_of(1)}
    before = list(rows.values())
    card.show_discover(HARBOR, fewer, {})
    assert list(card.elements.rows) == list(fewer)
    assert list(card.elements.rows.values()) == before[:2]
    assert not any(row.isVisible() for row in before[2:])


def test_a_row_of_an_earlier_project_decides_nothing(qtbot, card):
    elements, decided = elements_of(2 * ROWS_IN_TURN), []
    card.decided.connect(decided.append)
    card.show_discover(HARBOR, elements, {})
    qtbot.waitUntil(lambda: len(card.elements.rows) == len(elements))
    last = list(card.elements.rows.values())[-1]
    others = {
        f"other {n}": ElementChoice(kind="other") for n in range(2 * ROWS_IN_TURN)
    }
    card.show_discover(HARBOR, others, {})
    last.kind.set_current("zip")
    last.kind.activated.emit(1)
    assert decided == []
    qtbot.waitUntil(lambda: list(card.elements.rows) == list(others))
    last.kind.set_current("zip")
    last.kind.activated.emit(1)
    assert decided[0]["elements"] == {**others, last.name: ElementChoice(kind="zip")}
