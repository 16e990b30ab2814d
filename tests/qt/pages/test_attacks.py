"""Simulated attacks on the page Risk and utility: run, progress, results, stale."""

import pytest

from deidgui.app import ops
from deidgui.app.activity import Activity
from deidgui.app.attacks.chart import success_of_attacks
from deidgui.app.attacks.known import first_date, order_column
from deidgui.app.attacks.running import run_attacks
from deidgui.app.jobs import Lane
from deidgui.app.project import Attribute
from deidgui.app.session import Kind
from deidgui.qt.charts.intervals import IntervalView
from deidgui.qt.pages.utility.page import UtilityPage
from deidgui.qt.widgets import Label
from tests.explored_case import fill, make_case


@pytest.fixture(scope="module")
def case():
    return make_case()


@pytest.fixture(scope="module")
def found(case):
    project = ops.set_attacks(runs=500, seed=1)(case.project)
    return run_attacks(project, case.classes, case.measured.chosen_policy)


@pytest.fixture
def page(qtbot, workspace, settings, case):
    fill(workspace.session, case)
    made = UtilityPage(workspace, settings)
    qtbot.addWidget(made)
    made.resize(1000, 660)
    with qtbot.waitExposed(made):
        made.show()
    made.show_tab("attacks")
    return made


def words_of(widget):
    return " ".join(each.text() for each in widget.findChildren(Label))


def test_before_the_first_attack_a_button_starts_it(page, workspace):
    assert page.attacks.empty.isVisible()
    assert not page.attacks.chart.isVisible()
    page.attacks.empty.acted.emit()
    assert ("attack",) in workspace.calls


def test_running_attacks_show_how_far_they_are(page, workspace):
    workspace.activity(Activity(Lane.ATTACKS, 0.4))
    assert page.attacks.progress.isVisible()
    assert not page.attacks.empty.isVisible()
    assert not page.attacks.again.isEnabled()
    workspace.activity(Activity(Lane.ATTACKS, None))
    assert not page.attacks.progress.isVisible()
    assert page.attacks.empty.isVisible()


def test_results_stand_in_words_table_and_chart(page, workspace, case, found):
    session = workspace.session
    session.set_result(Kind.ATTACKS, found, session.project)
    assert page.attacks.chart.isVisible()
    assert page.attacks.chart.view.is_drawn
    assert not page.attacks.stale.isVisible()
    said = words_of(page.attacks)
    assert "The most successful attack" in said
    assert "all quasi-identifiers" in said
    assert "Attacks with a register are not made" in page.attacks._not_done.text


def test_attacks_of_earlier_decisions_are_marked(page, workspace, found):
    session = workspace.session
    session.set_result(Kind.ATTACKS, found, session.project)
    session.apply(ops.set_attacks(seed=7), "seed")
    assert page.attacks.stale.isVisible()
    assert "earlier decisions" in words_of(page.attacks.stale)
    session.undo()
    assert not page.attacks.stale.isVisible()


def test_to_run_before_every_release_is_a_decision(page, workspace, found):
    session = workspace.session
    session.set_result(Kind.ATTACKS, found, session.project)
    page.attacks.in_release.toggled.emit(True)
    assert session.project.attacks.in_release
    # What was simulated stays current: nothing of it has changed.
    assert not page.attacks.stale.isVisible()
    assert session.undo_label == "run attacks before every release"


def test_runs_and_seed_are_decisions(page, workspace, found):
    session = workspace.session
    session.set_result(Kind.ATTACKS, found, session.project)
    page.attacks.runs.setValue(2500)
    page.attacks.seed.setValue(2**53 - 1)
    assert session.project.attacks.runs == 2500
    assert session.project.attacks.seed == 2**53 - 1
    assert page.attacks.stale.isVisible()
    assert session.undo_label == "change how attacks are drawn"
    session.undo()
    session.undo()
    assert page.attacks.runs.value() == session.project.attacks.runs != 2500
    assert page.attacks.seed.value() == session.project.attacks.seed
    assert not page.attacks.stale.isVisible()


def test_columns_that_tell_the_order_are_offered(page, workspace):
    page.attacks.show_orders(("day", "number"), is_dated=True)
    assert page.attacks.order.count() == 3
    page.attacks.order.setCurrentIndex(2)
    assert workspace.session.project.attacks.order_by == "number"


def test_the_order_of_rows_is_read_whole_in_one_line(qtbot, page):
    """Also after it was refilled with longer words."""
    field, part = page.attacks.order, page.attacks._order_row
    (label,) = part.findChildren(Label)

    def lacking(each, words):
        return each.fontMetrics().horizontalAdvance(words) - each.width()

    for is_dated in (True, False):
        page.attacks.show_orders(("day",), is_dated=is_dated)
        qtbot.waitUntil(lambda: lacking(field, field.itemText(0)) < -40)
        assert lacking(label, label.text()) <= 0
        middles = [e.mapTo(part, e.rect().center()).y() for e in (label, field)]
        assert abs(middles[0] - middles[1]) <= 1


@pytest.mark.parametrize(
    ("able", "said"),
    [
        (("birth", "visits"), "the first date that differs"),
        (("visits",), "not known: no date orders the rows"),
    ],
)
def test_without_a_date_nothing_is_said_to_order_rows(page, workspace, able, said):
    """Of a file without a date column the default orders nothing."""
    project = workspace.session.project
    kinds = {"birth": "date", "visits": "integer"}
    added = tuple(Attribute(name=name, kind=kinds[name]) for name in able)
    project = project.but(attributes=(*project.attributes, *added))
    assert (order_column(project, able) is None) == ("not known" in said)
    page._on_orders((able, first_date(project, able) is not None))
    assert page.attacks.order.itemText(0) == said
    # And still after another decision.
    page.attacks.show_choice(project.attacks.but(seed=7))
    assert page.attacks.order.itemText(0) == said


def test_the_chart_is_drawn_read_and_copied(qtbot, found):
    chart = success_of_attacks(found.attacks, 0.01)
    view = IntervalView()
    qtbot.addWidget(view)
    view.set_chart(chart)
    assert view.is_drawn
    view.go_to(0)
    assert any("95\u202f% interval" in each for each in view.card_lines)
    assert chart.to_table().rows[0][1] == found.attacks[0].success
    assert [mark.value for mark in chart.marks] == [0.01]
    assert not view.nearest(0, 5)
    nothing = success_of_attacks((), None)
    view.set_chart(nothing)
    assert not view.is_drawn
