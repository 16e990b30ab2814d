"""The card of importance: a line for each quasi-identifier, however many there are."""

import pytest
from shiboken6 import delete

from deidgui.app.project import Attribute, HierarchyChoice, Project
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.qt.pages.risk.importance import LINES_AT_ONCE, ImportanceCard
from deidgui.qt.widgets import ComboBox

GRID = [
    ("1", "1", "1-2", "1-4", "*"),
    ("2", "2", "1-2", "1-4", "*"),
    ("3", "3", "3-4", "1-4", "*"),
    ("4", "4", "3-4", "1-4", "*"),
]
"""The second column joins nothing, and the last as much as the one before."""


def project_of(names, **fields):
    choice = HierarchyChoice(csv="a.csv")
    return Project(
        attributes=tuple(
            Attribute(
                name=name,
                role="quasi_identifier",
                confirmed=True,
                hierarchy=choice,
                **fields,
            )
            for name in names
        )
    )


@pytest.fixture
def card(qtbot):
    card = ImportanceCard()
    qtbot.addWidget(card)
    card.show()
    return card


def shown(card):
    return [each.name.text() for each in card._lines if each.name.isVisible()]


def sees(qtbot, card, names):
    qtbot.waitUntil(lambda: shown(card) == list(names))


def test_many_columns_are_shown_a_few_at_a_time(qtbot, card):
    names = [f"c{number}" for number in range(5 * LINES_AT_ONCE)]
    card.show_project(project_of(names), {})
    assert len(card._lines) == LINES_AT_ONCE
    sees(qtbot, card, names)
    card.show_project(project_of(names[1:3]), {})
    assert shown(card) == names[1:3]


def test_the_columns_of_a_turn_are_laid_out_once(qtbot, card, monkeypatch):
    asked, hint = [], ComboBox.minimumSizeHint

    def counted(box):
        asked.append(1)
        return hint(box)

    monkeypatch.setattr(ComboBox, "minimumSizeHint", counted)
    names = [f"c{number}" for number in range(8 * LINES_AT_ONCE)]
    card.show_project(project_of(names), {})
    sees(qtbot, card, names)
    # With each line laid out by itself it was two times for each of them.
    assert len(asked) <= len(names)


def test_nothing_is_made_for_a_card_that_nobody_sees(qtbot, card):
    card.hide()
    card.show_project(project_of(["a", "b"]), {})
    assert not card._lines
    card.show()
    sees(qtbot, card, "ab")


def test_a_decision_leaves_the_other_lines_and_the_focus_alone(qtbot, card):
    project = project_of(["a", "b"])
    card.show_project(project, {})
    sees(qtbot, card, "ab")
    line = card._lines[1]
    line.levels.setFocus()
    qtbot.waitUntil(line.levels.hasFocus)
    heard = []
    card.weight_set.connect(lambda *given: heard.append(given))
    line.weight.chosen.emit("high")
    (name, weight) = heard[0]
    first, second = project.attributes
    decided = project.but(attributes=(first, second.but(weight=weight)))
    card.show_project(decided, {})
    assert name == "b"
    assert card._lines[1] is line
    assert line.weight.current == "high"
    assert line.levels.hasFocus()


def test_a_level_that_makes_no_difference_is_no_limit(card):
    hierarchy = Hierarchy.from_grid("a", GRID)
    assert hierarchy.steps == (0, 2, 3)
    card.show_project(project_of(["a"]), {"a": hierarchy})
    levels = card._lines[0].levels
    offered = [levels.itemData(place) for place in range(levels.count())]
    assert offered == ["None", "0", "2", "3", "4"]
    card.show_project(project_of(["a"], maximum_level=1), {"a": hierarchy})
    assert levels.current == "1"
    card.show_project(project_of(["a"], maximum_level=2), {"a": hierarchy})
    assert levels.current == "2"


def test_lines_of_a_card_that_is_given_up_meanwhile_are_left_alone(qtbot, card):
    card.show_project(project_of([f"c{n}" for n in range(3 * LINES_AT_ONCE)]), {})
    card.hide()
    delete(card._lines[0].name)
    while card._soon.isActive():
        qtbot.wait(1)
    assert len(card._lines) == LINES_AT_ONCE


def test_a_name_stands_above_the_choices_where_it_would_be_cut(qtbot, card):
    name = "admission_type_id_of_the_stay"
    card.show_project(project_of([name]), {})
    line = card._lines[0]
    for width, is_above in ((800, False), (460, True), (800, False)):
        card.resize(width, 400)
        qtbot.waitUntil(lambda up=is_above: (line.name.y() < line.weight.y()) is up)
        assert line.name.width() >= line.name.sizeHint().width()
