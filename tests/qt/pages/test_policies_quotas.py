"""Quotas of alternatives, and their figures in list and comparison."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel

from deidgui.app.policies.candidate import Figures
from deidgui.qt.models.figures import policy_figures
from deidgui.qt.models.policies import PolicyModel
from deidgui.qt.pages.policies.compare import CompareView, Line, Side
from deidgui.qt.pages.policies.page import PoliciesPage
from deidgui.qt.pages.policies.quotas import QuotaFields
from deidgui.qt.pages.policies.views import PolicyViews
from deidgui.qt.pages.policies.words import help_text, risk_sentence
from tests.explored_case import fill, make_case
from tests.qt.fakes import FakeWorkspace


def test_shares_never_add_up_to_more_than_all_searches(qtbot):
    fields = QuotaFields()
    qtbot.addWidget(fields)
    told = []
    fields.decided.connect(told.append)
    fields.show_quotas({"age": 0.7}, ("age", "sex"))
    assert told == []
    assert fields.fields["age"].value() == 70
    assert fields.fields["sex"].maximum() == 30
    assert "30\u202f%" in fields.rest.text()
    qtbot.keyClicks(fields.fields["sex"].lineEdit(), "9")
    fields.fields["sex"].setValue(90)
    assert told[-1] == {"age": 0.7, "sex": 0.3}
    fields.show_quotas(told[-1], ("age", "sex"))
    assert "Every search" in fields.rest.text()
    fields.fields["age"].setValue(0)
    assert told[-1] == {"sex": 0.3}


def test_a_quota_is_a_decision_that_can_be_undone(qtbot, settings):
    """In the window, with the columns of the file; said in the summary."""
    workspace = FakeWorkspace()
    fill(workspace.session, make_case())
    page = PoliciesPage(workspace, settings)
    qtbot.addWidget(page)
    page.resize(1280, 720)
    with qtbot.waitExposed(page):
        page.show()
    page.look.options["alternatives"].click()
    method = page.look.alternatives.search.method
    fields = method.quotas.fields
    assert list(fields) == ["age", "sex", "zip"]
    assert all(each.accessibleName() for each in fields.values())
    fields["age"].setValue(40)
    assert page.session.project.discover.quotas == {"age": 0.4}
    assert "age 40" in method.summary.text()
    assert fields["zip"].maximum() == 60
    page.session.undo()
    assert page.session.project.discover.quotas == {}
    assert fields["age"].value() == 0
    method.options["frontier"].button.click()
    assert method.quotas.isHidden()


def test_the_quota_of_a_column_that_cannot_be_joined_can_only_go(qtbot):
    fields = QuotaFields()
    qtbot.addWidget(fields)
    told = []
    fields.decided.connect(told.append)
    fields.show_quotas({"ward": 0.2}, ("age",))
    assert "ward" in fields.rest.text()
    assert fields.fields["ward"].maximum() == 20
    fields.fields["ward"].setValue(0)
    assert told == [{}]


def texts_of(view):
    """Texts of the rows of a comparison, as they are now."""
    widgets = [view._grid.itemAt(n).widget() for n in range(view._grid.count())]
    found = []
    for each in filter(None, widgets):
        labels = [each] if isinstance(each, QLabel) else each.findChildren(QLabel)
        found += [label.text() for label in labels]
    return found


def test_figures_of_alternatives_stand_beside_those_of_the_baseline_once(qtbot):
    """The most populations are the best; what lines say of all sides is said once."""
    known = (Figures(population_risk=7, n_holding=200), Figures(population_risk=8))
    known = (known[0], dataclasses.replace(known[1], n_holding=190))
    own = [
        Side(str(n), figures=policy_figures(f, 9, None)) for n, f in enumerate(known)
    ]
    view = CompareView()
    qtbot.addWidget(view)
    sides = (Side("rule"), *own)
    view.show_sides(sides)
    qtbot.waitUntil(lambda: not view._turns.is_busy)
    assert "200 of 200 populations  (most)" in texts_of(view)
    assert "7.00  (least)" in texts_of(view)
    view.show_sides(sides, [Line("Expected correct links", ("8.5", "7", "8"))])
    qtbot.waitUntil(lambda: not view._turns.is_busy)
    assert texts_of(view).count("Expected correct links") == 1
    assert "8.5" in texts_of(view)
    assert "7.00  (least)" not in texts_of(view)


@pytest.mark.parametrize(
    ("added", "text"),
    [(0.0213, "+0.02"), (0.37, "+0.37"), (1.42, "+1.4"), (0.004, "< 0.01"), (0, "+0")],
)
def test_sums_of_added_risk_fit_their_column(qapp, added, text):
    candidate = SimpleNamespace(figures=Figures(added_sum=added), number=0)
    assert PolicyModel().figure_text(candidate, "added_sum") == text


@pytest.mark.parametrize("n_alone", [0, 12])
def test_both_sums_are_said_where_some_records_have_nobody(n_alone):
    """Of the baseline and of an alternative; only one of them is the limit."""
    basis = SimpleNamespace(
        discover=SimpleNamespace(baseline="safe_harbor"),
        threshold=8.0,
        limit=7.6,
        margin=0.05,
        n_compared=488,
        baseline=SimpleNamespace(sums=SimpleNamespace(cautious=11.2)),
        class_table=SimpleNamespace(n_records=500, units=None),
        coverage=SimpleNamespace(n_records_without_population=n_alone),
    )
    own = SimpleNamespace(risk=7.0, figures=Figures(cautious_risk=10.5))
    found = SimpleNamespace(basis=basis, alternatives=[own])
    said, help_said = risk_sentence(found, 0), help_text(basis)
    assert "7.6" in said
    assert "8" in help_said
    assert ("500 records" in said and "10.5" in said) is bool(n_alone)
    assert ("500 records" in help_said and "11.2" in help_said) is bool(n_alone)


def test_alternatives_are_drawn_by_the_risk_that_they_are_accepted_for(qtbot):
    views = PolicyViews()
    qtbot.addWidget(views)

    def show(*kinds):
        policies = SimpleNamespace(kinds=kinds, parts=())
        none = np.zeros(0, np.bool_)
        views.show_policies(
            policies, none, {}, selected=None, threshold=None, measure=None
        )
        return views.risk.current

    assert show("alternatives") == "population"
    assert show("lattice", "alternatives") == "highest"
    assert show("lattice") == "highest"
    views.risk.set_current("average")
    views.risk.chosen.emit("average")
    assert show("alternatives") == "average"
