"""The list grows while a survey runs: what says the same keeps its widgets."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QWidget

from deidgui.app import ops
from deidgui.app.policies.lattice.searching import search
from deidgui.app.policies.runner import LATTICE
from deidgui.qt.pages.policies.groups import GroupList
from deidgui.qt.pages.policies.preferences import PreferencesCard
from deidgui.qt.widgets import Badge, Chip
from tests.explored_case import fill, make_case


def test_what_says_the_same_keeps_its_widgets(qtbot, window, workspace):
    fill(workspace.session, make_case())
    window.show_step("policies")
    page, session = window.page("policies"), workspace.session
    found = session.result(LATTICE)
    qtbot.waitUntil(lambda: page.policies.part(LATTICE) is found)
    before = page.findChildren(QWidget)
    grown = replace(found)
    session.set_result(LATTICE, grown, session.project)
    qtbot.waitUntil(lambda: page.policies.part(LATTICE) is grown)
    qtbot.wait(0)
    # The few marks of the selected policy are made anew.
    gone = set(before) - set(page.findChildren(QWidget))
    assert all(isinstance(each, Badge | Chip) for each in gone), gone


@pytest.mark.parametrize("view", ["list", "plane", "lattice"])
def test_fewer_policies_than_the_number_that_was_selected(
    qtbot, window, workspace, view
):
    """A search that finds less: what was selected before is not looked up in it."""
    many = make_case()
    first = next(each.name for each in many.project.quasi_identifiers)
    coarser = ops.change_attribute(first, minimum_level=1)(many.project)
    few = search(coarser, many.classes)
    fill(workspace.session, many)
    window.show_step("policies")
    page, session = window.page("policies"), workspace.session
    qtbot.waitUntil(lambda: page.policies.part(LATTICE) is many.found)
    last = len(page.policies) - 1
    page.results.show_tab(view)
    page.results.filters.set_feasible(False)
    page.results.views._on_selected(last)
    assert page.number == last
    session.set_result(LATTICE, few, session.project)
    qtbot.waitUntil(lambda: page.policies.part(LATTICE) is few)
    assert page.number is not None
    assert page.number < len(page.policies) <= last


def test_preferences_that_are_proposed_again_keep_their_chips(qtbot):
    card = PreferencesCard()
    qtbot.addWidget(card)
    card.maker.show_domains = lambda _domains: None
    domains = [
        SimpleNamespace(attribute=name, spans=None, n_values=3, kind="category")
        for name in ("sex", "zip")
    ]
    card.show_preferences((), domains[:0], {})
    assert card._ideas.isHidden()
    card.show_preferences((), domains[:1], {})
    before = card.ideas
    assert len(before) == 1
    assert not card._ideas.isHidden()
    card.show_preferences((), domains[:1], {})
    assert card.ideas is before
    made = []
    card.preferred.connect(made.append)
    card.ideas[0].clicked.emit()
    assert [each.attribute for each in made[0]] == ["sex"]
    card.show_preferences(made[0], domains, {})
    assert [each.text for each in card.ideas] != [each.text for each in before]


def test_groups_that_are_more_or_fewer_keep_the_first_ones(qtbot):
    groups = GroupList()
    qtbot.addWidget(groups)
    one, two = ("Keeps sex", "2 policies", "zip"), ("All others", "1 policy", "")
    groups.show_groups(3, [one, two], 1)
    first = groups.tiles[:2]
    groups.show_groups(3, [("Keeps sex", "3 policies", "")], -1)
    assert groups.tiles == first
    assert groups.tiles[1].accessibleName() == "Keeps sex. 3 policies"
    assert groups.current == -1
    groups.show_groups(4, [one, two, two], 2)
    assert groups.tiles[:2] == first
    assert [each.isChecked() for each in groups.tiles] == [False, False, False, True]
    chosen = []
    groups.group_chosen.connect(chosen.append)
    groups.tiles[2].click()
    assert chosen == [1]
