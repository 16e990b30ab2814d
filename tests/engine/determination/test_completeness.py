"""Which items of a dossier are complete, and when an expert's sentence is printed."""

from __future__ import annotations

import pytest

from deidgui.engine.determination import (
    ELSEWHERE,
    ITEMS,
    MAY_NOT_APPLY,
    NEEDS,
    OF_COLUMNS,
    SECTIONS,
    TITLES,
    TYPED,
    completeness,
)

ALL_MET = dict.fromkeys(NEEDS, True)

DECISIVE = {
    *(4, 5, 6, 7, 8, 9, 40, 46),
    *(10, 11, 12, 13, 14, 15),
    *(17, 18, 19),
    *(20, 21),
    *(36, 37, 38),
}
"""Items of D2, D3, D5, D6 and D11, as determination.md 1.2 lists them."""


def test_the_checklist_has_46_items_in_14_sections():
    assert [each.number for each in ITEMS] == list(range(1, 47))
    assert {name for each in ITEMS for name in each.sections} == set(SECTIONS)
    assert set(TITLES) == set(range(1, 47))
    assert {name for each in ITEMS for name in each.needs} == set(NEEDS)
    assert set(TYPED) | set(OF_COLUMNS) | set(ELSEWHERE) == set(NEEDS)


def test_all_said_is_complete():
    found = completeness(ALL_MET)
    assert (found.n_complete, found.n_asked) == (46, 46)
    assert not found.lacking
    assert all(found.sections.values())


def test_nothing_said_leaves_what_the_program_states_by_itself():
    found = completeness({})
    complete = [e.item.number for e in found.items if e.state == "complete"]
    # 43: whether somebody wrote notes and signed them is said by the project.
    assert complete == [28]
    assert found.lacking
    # Every section has an item that somebody must enter.
    assert not any(found.sections.values())


@pytest.mark.parametrize("name", list(NEEDS))
def test_each_single_thing_that_is_missing_is_named(name):
    found = completeness({**ALL_MET, name: False})
    short = [each for each in found.items if each.state == "missing"]
    assert {each.item.number for each in short} == {
        each.number for each in ITEMS if name in each.needs
    }
    assert all(each.missing == (name,) for each in short)
    assert found.n_complete == 46 - len(short)
    sections = {s for each in short for s in each.item.sections}
    assert {s for s, is_complete in found.sections.items() if not is_complete} == (
        sections
    )


@pytest.mark.parametrize("number", range(1, 47))
def test_o_h22_any_item_of_the_decisive_sections_keeps_the_sentence_back(number):
    needs = ITEMS[number - 1].needs
    found = completeness({**ALL_MET, **dict.fromkeys(needs, False)})
    kept_back = bool(found.lacking)
    # An item without a need is stated by the program.
    assert kept_back == (bool(needs) and number in DECISIVE)
    if kept_back:
        assert number in [each.item.number for each in found.lacking]


@pytest.mark.parametrize("number", range(1, 47))
def test_only_some_items_can_be_called_not_applicable(number):
    needs = ITEMS[number - 1].needs
    state = completeness(dict.fromkeys(NEEDS, False), [number]).items[number - 1]
    if number in MAY_NOT_APPLY:
        assert (state.state, state.is_by_person) == ("does_not_apply", True)
    else:
        assert state.state == ("missing" if needs else "complete")
    # What decides the risk is always asked.
    assert not MAY_NOT_APPLY & {7, 11, 12, 13, 17, 18, 19, 20, 21, 36, 37, 38}


def test_what_a_release_does_not_need_is_not_counted():
    needs = ITEMS[18].needs
    found = completeness({**ALL_MET, **dict.fromkeys(needs, None)})
    assert found.items[18].state == "does_not_apply"
    assert not found.items[18].is_by_person
    assert (found.n_complete, found.n_asked) == (45, 45)
    half = completeness({**ALL_MET, needs[0]: None, needs[1]: False})
    assert half.items[18].missing == (needs[1],)
