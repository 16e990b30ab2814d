"""Whatever leads to another page, or to a part of one, arrives there."""

import pytest

from deidgui.app.text import sentences
from deidgui.qt.pages import STEPS
from deidgui.qt.pages.fixes import PLACE_OF, go_words
from tests.explored_case import fill as fill_case
from tests.explored_case import make_case


def test_every_problem_is_fixed_on_a_step():
    steps = {step.key for step in STEPS}
    assert {place.partition("/")[0] for place in PLACE_OF.values()} <= steps
    assert PLACE_OF.keys() <= sentences().keys()
    refusals = {code for code in sentences() if code.startswith("process_")}
    # Which of several thresholds shall go is decided where they are.
    assert refusals - PLACE_OF.keys() == {"process_models"}
    assert len({go_words(place) for place in PLACE_OF.values()}) > 4


@pytest.mark.parametrize("place", sorted(set(PLACE_OF.values())))
def test_a_problem_leads_to_where_it_is_fixed(filled, place):
    key, _, part = place.partition("/")
    filled.show_place(place)
    assert filled.current_key == key
    page = filled.page(key)
    parts = {"population": "population", "limit": "suppression"}
    if part in parts:
        card = getattr(page, parts[part])
        assert card.isAncestorOf(filled.focusWidget())


def test_the_price_of_a_threshold_is_shown(window, workspace, qtbot):
    fill_case(workspace.session, make_case())
    window.show_step("risk")
    window.page("risk").cost.trade_offs_button.click()
    assert window.current_key == "policies"
    page = window.page("policies")
    assert page.results.tabs.current == "trade_offs"
    assert page.results.trade_offs.isVisible()
    # A second time from elsewhere, with another view left behind.
    page.show_tab("list")
    window.show_place("policies/trade_offs")
    assert page.results.tabs.current == "trade_offs"
