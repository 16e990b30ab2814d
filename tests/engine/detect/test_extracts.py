"""Roles on extracts that the rules were made with, and on those held back from them."""

import pytest

from tests.engine.detect.extracts.make import extracts, held_back, public, tuning
from tests.engine.detect.extracts.measure import count, rows


def test_the_parts_are_whole_files():
    assert not held_back() & set(tuning())
    assert held_back() | set(tuning()) == set(extracts())
    assert {each.group for each in held_back()} == {each.group for each in extracts()}


@pytest.mark.parametrize("part", [tuning, held_back, public])
def test_identifying_columns_are_not_proposed_as_harmless(part):
    figures = count(part())
    english = figures.pop("english")
    assert english["harmless"] <= 0.02 * english["identifying"]
    assert len(figures) >= 8
    harmless = sum(each["harmless"] for each in figures.values())
    identifying = sum(each["identifying"] for each in figures.values())
    assert harmless <= 0.04 * identifying


def test_figures_are_told_by_language():
    lines = rows(count(each for each in tuning() if each.group in ("dutch", "polish")))
    assert [line.split()[0] for line in lines] == ["dutch", "polish", "not", "ALL"]
