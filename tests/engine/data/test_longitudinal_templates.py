"""Table 4 of the Heritage Health Prize, boundary by boundary, and that levels nest."""

from __future__ import annotations

import pytest

from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.templates import Ages, DaysInHospital, DaysSince, LengthOfStay
from deidgui.errors import ConfigError


def labels(template, number):
    (row,) = template.grid([str(number)])
    return row[1:-1]


@pytest.mark.parametrize(
    ("age", "expected"),
    [
        (0, ("0-4", "0-9", "0-19")),
        (4, ("0-4", "0-9", "0-19")),
        (5, ("5-9", "0-9", "0-19")),
        (9, ("5-9", "0-9", "0-19")),
        (10, ("10-14", "10-19", "0-19")),
        (19, ("15-19", "10-19", "0-19")),
        (20, ("20-24", "20-29", "20-39")),
        (39, ("35-39", "30-39", "20-39")),
        (40, ("40-44", "40-49", "40-59")),
        (59, ("55-59", "50-59", "40-59")),
        (60, ("60-64", "60-69", "60-79")),
        (79, ("75-79", "70-79", "60-79")),
        (80, ("80+", "80+", "80+")),
        (104, ("80+", "80+", "80+")),
    ],
)
def test_ages(age, expected):
    assert labels(Ages(), age) == expected


def test_ages_with_another_top():
    assert labels(Ages(90), 89) == ("85-89", "80-89", "80-89")
    assert labels(Ages(90), 90) == ("90+",) * 3
    with pytest.raises(ConfigError, match="parameter_range"):
        Ages(10)


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (0, ("0", "0")),
        (1, ("1", "1")),
        (6, ("6", "6")),
        (7, ("7", "7-14")),
        (8, ("8", "7-14")),
        (14, ("14", "7-14")),
        (15, ("15+", "15+")),
        (300, ("15+", "15+")),
    ],
)
def test_days_in_hospital(days, expected):
    assert labels(DaysInHospital(), days) == expected


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (0, ("0", "0", "0-6", "0-28")),
        (1, ("1", "1", "0-6", "0-28")),
        (6, ("6", "6", "0-6", "0-28")),
        (7, ("7-14", "7-14", "7-14", "0-28")),
        (8, ("7-14", "7-14", "7-14", "0-28")),
        (14, ("7-14", "7-14", "7-14", "0-28")),
        (15, ("15-21", "15-28", "15-28", "0-28")),
        (21, ("15-21", "15-28", "15-28", "0-28")),
        (22, ("22-28", "15-28", "15-28", "0-28")),
        (28, ("22-28", "15-28", "15-28", "0-28")),
        (29, ("29-35", "29-56", "29-56", "29-56")),
        (56, ("50-56", "29-56", "29-56", "29-56")),
        (57, ("57-63", "57-84", "57-84", "57-84")),
        (84, ("78-84", "57-84", "57-84", "57-84")),
        (85, ("85-91", "85-182", "85-182", "85-182")),
        (182, ("176-182", "85-182", "85-182", "85-182")),
        (183, ("183-189", "183+", "183+", "183+")),
        (900, ("897-903", "183+", "183+", "183+")),
    ],
)
def test_length_of_stay(days, expected):
    assert labels(LengthOfStay(), days) == expected


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (0, ("0-6", "0-13", "0-27")),
        (6, ("0-6", "0-13", "0-27")),
        (7, ("7-13", "0-13", "0-27")),
        (13, ("7-13", "0-13", "0-27")),
        (14, ("14-20", "14-27", "0-27")),
        (27, ("21-27", "14-27", "0-27")),
        (28, ("28-34", "28-41", "28-55")),
        (364, ("364-370", "364-377", "364-391")),
        (-1, ("-7 to -1", "-14 to -1", "-28 to -1")),
        (-7, ("-7 to -1", "-14 to -1", "-28 to -1")),
        (-8, ("-14 to -8", "-14 to -1", "-28 to -1")),
    ],
)
def test_days_since_an_event(days, expected):
    assert labels(DaysSince(), days) == expected


@pytest.mark.parametrize(
    "rule", [Ages(), DaysInHospital(), LengthOfStay(), DaysSince()]
)
def test_levels_nest_for_every_number(rule):
    values = [*map(str, range(1000)), "no number"]
    grid = rule.grid(values)
    assert len(grid) == len(values)
    assert rule.unread(values) == ["no number"]
    hierarchy = Hierarchy.from_grid("x", grid, rule=rule)
    assert hierarchy.height == len(rule.level_names) - 1
    assert [row[0] for row in grid][:-1] == values[:-1]


def test_the_lattice_of_the_prize():
    """methods.md E.4: 4, 3, 3, 5 and 4 levels besides nothing at all; 720 nodes."""
    rules = (Ages(), DaysInHospital(), DaysInHospital(), LengthOfStay(), DaysSince())
    assert [len(rule.level_names) - 1 for rule in rules] == [4, 3, 3, 5, 4]


@pytest.mark.parametrize("rule", [Ages(), DaysInHospital(), LengthOfStay()])
def test_negative_numbers_are_not_read(rule):
    assert rule.unread(["3", "-1"]) == ["-1"]
