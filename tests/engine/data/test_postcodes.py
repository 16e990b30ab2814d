"""Postal codes of any country are told by prefix where enough people live."""

import random

import pytest

from deidgui.engine.data.templates.postcodes import (
    OTHER_AREAS,
    Postcodes,
    areas_of,
)
from deidgui.errors import InputError


def levels(rule, values):
    rows = rule.grid(values)
    return [dict(zip((r[0] for r in rows), level, strict=True))
            for level in zip(*rows, strict=True)]  # fmt: skip


def test_without_a_list_every_prefix_is_told():
    found = levels(Postcodes(length=2), ["10115", "80331", "80999"])
    assert found[1] == {"10115": "10***", "80331": "80***", "80999": "80***"}
    assert found[2]["80331"] == "8****"
    assert set(found[-1].values()) == {"*"}


def test_blanks_dashes_and_case_make_no_difference():
    found = levels(Postcodes(length=3), ["sw1a 1aa", "SW1A1AB", "00-950"])
    assert found[1]["sw1a 1aa"] == found[1]["SW1A1AB"] == "SW1****"
    assert found[1]["00-950"] == "009**"


def test_every_area_that_is_told_has_more_people_than_asked():
    """By brute force over the table: also of what is left of a larger area."""
    chance = random.Random(4)
    people = {f"{n:05d}": chance.randrange(0, 4_000) for n in range(0, 40_000, 37)}
    rule = areas_of(people, enough=20_000)
    assert rule.length >= 2
    found = levels(rule, sorted(people))
    for level in found[1:-1]:
        living = {}
        for code, label in level.items():
            living[label] = living.get(label, 0) + people[code]
        living.pop(OTHER_AREAS, None)
        assert living
        assert min(living.values()) > 20_000
    told = sum(people[c] for c, label in found[1].items() if label != OTHER_AREAS)
    assert told >= 0.9 * sum(people.values())


def test_small_and_unknown_areas_are_one_group_on_every_level():
    people = {"10115": 30_000, "10999": 1, "20095": 500, "30159": 90_000}
    rule = areas_of(people, length=3)
    found = levels(rule, ["10115", "10999", "20095", "30159", "77777", "1"])
    for level in found[1:-1]:
        small = {c for c, label in level.items() if label == OTHER_AREAS}
        assert small == {"10999", "20095", "77777", "1"}


def test_a_country_where_no_area_is_large_enough_tells_none():
    rule = areas_of({"10115": 10, "20095": 20})
    found = levels(rule, ["10115", "20095"])
    assert set(found[1].values()) == {OTHER_AREAS}


def test_codes_too_short_come_last_and_are_refused_alone():
    rule = Postcodes(length=3, areas="101")
    assert [row[0] for row in rule.grid(["1", "10115", "999"])] == ["10115", "999", "1"]
    with pytest.raises(InputError, match="template_value"):
        rule.grid(["1", "22"])


def test_the_rule_holds_nothing_but_the_table():
    rule = areas_of({"10": 30_000, "20": 5})
    assert rule.to_json() == {"kind": "postcodes", "length": 2, "areas": "10"} or (
        rule.areas.split() == ["10"]
    )
