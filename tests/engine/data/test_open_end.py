"""A value as "45+" stands in bands that have no upper end."""

from __future__ import annotations

import pytest

from deidgui.engine.data.hierarchy_build import build_hierarchy, fit_hierarchy
from deidgui.engine.data.table import Column
from deidgui.engine.data.templates import CutPoints, Intervals, Quantiles


def labels(template, *texts):
    hierarchy = build_hierarchy(Column.from_texts("x", texts), template)
    return {row[0]: row[1:-1] for row in hierarchy.grid()}


def test_bands_that_hold_it_are_open():
    found = labels(Intervals(width=5, factors=(2,)), "3", "41", "43", "43+")
    assert found["3"] == ("0-4", "0-9")
    # 43+ may be 60: nothing may say that it is at most 44.
    found = labels(Intervals(width=5, factors=(2,)), "3", "40", "41", "43+")
    assert found["43+"] == ("40+", "40+") == found["40"] == found["41"]


def test_it_is_no_number_where_a_greater_one_is_there():
    found = labels(Intervals(width=5, factors=(2,)), "3", "44", "43+")
    assert found["43+"] == ("not a number", "not a number")
    found = labels(Intervals(width=5, factors=(2,)), "3", "43+", "44+")
    assert found["43+"] == ("not a number", "not a number")


def test_the_same_number_besides_keeps_its_row():
    found = labels(CutPoints("10 20 | 20"), "5", "25", "25+", "12")
    assert found["25"] == found["25+"] == ("20+", "20+")
    assert found["12"] == ("10-19", "<20")
    found = labels(CutPoints("10 20 | 20"), "5", "15+", "12")
    assert found["15+"] == found["12"] == ("10+", "any number")
    assert found["5"] == ("<10", "any number")


def test_single_values_stay():
    found = labels(Intervals(width=5, keep_single=True, top=90), "88", "89+")
    assert found["89+"][0] == "89+"
    assert found["88"][0] == "88"
    assert found["89+"][1] == found["88"][1] == "85+"


@pytest.mark.parametrize("template", [Intervals(), CutPoints(), Quantiles()])
def test_it_is_read(template):
    values = [*map(str, range(30)), "30+"]
    assert template.unread(values) == []
    hierarchy = build_hierarchy(Column.from_texts("x", values), template)
    assert sorted(hierarchy.leaves) == sorted(values)


def test_a_hierarchy_that_was_built_without_it_takes_it_in():
    numbers = [str(n) for n in range(0, 30, 5)]
    built = build_hierarchy(Column.from_texts("x", numbers), Intervals())
    fit = fit_hierarchy(built, Column.from_texts("x", [*numbers, "33+"]))
    assert fit.is_complete
