"""Does every hierarchy rule put every value where its plain definition says?"""

import datetime as dt
import math
import re
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.templates import (
    TEMPLATES,
    Ages,
    Ccs,
    CommonValues,
    CutPoints,
    Dates,
    DaysInHospital,
    DaysSince,
    Flat,
    Icd9,
    Icd10,
    Intervals,
    LengthOfStay,
    Masking,
    Postcodes,
    Quantiles,
    Template,
    UsStates,
    ZipCodes,
)
from deidgui.engine.data.templates.common import OTHERS, SHARED
from deidgui.errors import ConfigError, InputError

ANY_TEXT = st.text(max_size=6)
NUMBERS = st.one_of(
    st.integers(-200, 200).map(str),
    st.decimals(-500, 500, places=2).map(str),
    st.sampled_from(["05", "5", "5.0", " 5 ", "+5", "1e3", "1,5", "nan", "", "-0"]),
)
DATES = st.dates(dt.date(1, 1, 1), dt.date(9999, 12, 31)).map(dt.date.isoformat)
KINDS: dict[str, tuple[st.SearchStrategy[str], st.SearchStrategy[Template]]] = {
    "intervals": (
        NUMBERS,
        st.builds(
            Intervals,
            width=st.sampled_from([1, 5, 7]),
            start=st.sampled_from([0, 1, -2]),
            factors=st.sampled_from([(), (2,), (2, 2), (3, 5, 2)]),
            top=st.sampled_from([None, 90, 33]),
            bottom=st.sampled_from([None, -50, 10]),
            keep_single=st.booleans(),
            whole=st.booleans(),
            decimal_mark=st.sampled_from([".", ","]),
        ),
    ),
    "common_values": (
        ANY_TEXT,
        st.builds(CommonValues, keep=st.sampled_from([(1,), (4, 1), (6, 3, 2)])),
    ),
    "quantiles": (
        NUMBERS,
        st.builds(
            Quantiles,
            groups=st.integers(2, 12),
            factors=st.sampled_from([(), (2, 2), (3,)]),
            whole=st.booleans(),
        ),
    ),
    "cut_points": (
        NUMBERS,
        st.builds(
            CutPoints,
            bounds=st.sampled_from(["1 2 5 | 2", "-3", "0 10 20 | 0 20 | 0"]),
            whole=st.booleans(),
        ),
    ),
    "ages": (NUMBERS, st.builds(Ages, top=st.integers(20, 120))),
    "days_in_hospital": (NUMBERS, st.just(DaysInHospital())),
    "length_of_stay": (NUMBERS, st.just(LengthOfStay())),
    "days_since": (NUMBERS, st.just(DaysSince())),
    "flat": (ANY_TEXT, st.just(Flat())),
    "masking": (
        st.text("ab*", max_size=5),
        st.builds(
            Masking,
            side=st.sampled_from(["left", "right"]),
            step=st.integers(1, 3),
            levels=st.integers(1, 4),
            mask=st.sampled_from("*xa"),
        ),
    ),
    "dates": (
        DATES,
        st.builds(
            Dates,
            finest=st.sampled_from(["day", "month", "quarter", "year", "decade"]),
            oldest_year=st.sampled_from([None, 1930, 1939, 2004]),
        ),
    ),
    "zip": (
        st.from_regex(r"\A[0-9]{1,9}(-[0-9]{4})?\Z"),
        st.builds(
            ZipCodes,
            census=st.sampled_from(["2000", "2010", "2020"]),
            stored=st.sampled_from(["5 digits", "3 digits"]),
        ),
    ),
    "postcodes": (
        st.from_regex(r"\A[0-9A-Za-z]{2,4}[ -]?[0-9A-Z]{1,4}\Z"),
        st.builds(
            Postcodes,
            length=st.integers(1, 5),
            areas=st.sampled_from(["", "10 SW", "1 2 A", "-"]),
        ),
    ),
    "us_states": (
        st.sampled_from(["TN", "tennessee", "47", "PR", "New  York", "99", "01", "1"]),
        st.builds(UsStates, numbers=st.sampled_from(["FIPS", "SSA"])),
    ),
    "icd9": (
        st.from_regex(r"\A([0-9]{3}|V[0-9]{2}|E[0-9]{3})\.?[0-9]{0,2}-?\Z"),
        st.builds(Icd9, names=st.booleans()),
    ),
    "icd10": (
        st.from_regex(r"\A[A-Z][0-9][0-9A-C]\.?[0-9A-Z]{0,4}\Z"),
        st.builds(Icd10, names=st.booleans()),
    ),
    "ccs": (
        st.sampled_from(["A15.0", "i10", "E119", "41401", "486-", "0010"]),
        st.builds(
            Ccs,
            codes=st.sampled_from(["ICD-9-CM", "ICD-10-CM"]),
            names=st.booleans(),
        ),
    ),
}


def labels(template: Template, value: str, *others: str) -> tuple[str, ...]:
    """Labels of one value above level 0."""
    rows = {row[0]: row[1:] for row in template.grid([value, *others])}
    return rows[value]


@pytest.mark.parametrize("kind", [template.kind for template in TEMPLATES])
@given(data=st.data())
def test_every_rule_nests_covers_and_ends_with_a_star(kind, data):
    values_of_kind, templates = KINDS[kind]
    template = data.draw(templates)
    values = data.draw(st.lists(values_of_kind | ANY_TEXT, unique=True, max_size=30))
    unread = template.unread(values)
    if values and len(unread) == len(values):
        with pytest.raises(InputError) as caught:
            template.grid(values)
        assert caught.value.code == "template_value"
        assert caught.value.params["n_values"] == len(values)
        return
    grid = template.grid(values)
    assert Counter(row[0] for row in grid) == Counter(values)
    assert {len(row) for row in grid} <= {len(template.level_names)}
    assert all(row[-1] == "*" for row in grid)
    if grid:
        Hierarchy.from_grid("a", grid)  # refuses what does not nest
    by_leaf = {row[0]: row[1:] for row in grid}
    assert len({by_leaf[value] for value in unread}) <= 1
    last = [row[0] for row in grid][len(grid) - len(unread) :]
    assert sorted(last) == sorted(unread)


@pytest.mark.parametrize("kind", [template.kind for template in TEMPLATES])
@given(data=st.data())
def test_rules_survive_a_project_file(kind, data):
    template = data.draw(KINDS[kind][1])
    assert TEMPLATES.from_json(template.to_json()) == template


@pytest.mark.parametrize(
    "template", list(TEMPLATES), ids=lambda template: template.kind
)
def test_every_rule_says_what_it_is_for(template):
    assert template.title
    assert template.summary.endswith(".")
    assert template().level_names[0] == "as it is"
    assert template().level_names[-1] == "left out"


def test_ages_are_banded_as_on_paper_with_90_and_over_together():
    template = Intervals(width=5, factors=(2, 2), top=90, keep_single=True)
    rows = {row[0]: row for row in template.grid([str(age) for age in range(120)])}
    for age in range(120):
        bands = []
        for width in (1, 5, 10, 20):
            low = age // width * width
            high = min(low + width - 1, 89)
            bands.append(f"{low}" if low == high else f"{low}-{high}")
        expected = ["90+"] * 4 if age >= 90 else bands
        assert rows[str(age)] == (str(age), *expected, "*")


def test_safe_harbor_ages_of_the_methods():
    # methods.md O-G2: 89.9 is 89, 104 is 90+.
    template = Intervals(top=90, keep_single=True)
    assert labels(template, "89.9")[:2] == ("89", "85-89")
    assert labels(template, "104")[:2] == ("90+", "90+")
    assert labels(template, "90")[0] == "90+"
    assert labels(template, "89")[0] == "89"


@given(
    st.decimals(-1000, 1000, places=3),
    st.sampled_from(["0.1", "0.25", "5", "7", "0.3"]),
    st.sampled_from([(), (2,), (3, 2)]),
)
def test_decimal_bands_by_exact_fractions(number, width, factors):
    template = Intervals(width=float(width), factors=factors, whole=False)
    found = labels(template, str(number))
    step = Fraction(width)
    for label, factor in zip(found[:-1], (1, *factors), strict=True):
        step *= factor
        low = math.floor(Fraction(str(number)) / step) * step
        low_text, high_text = label.split(" to <")
        assert Fraction(low_text) == low
        assert Fraction(high_text) == low + step


def test_bands_at_the_edges():
    template = Intervals(width=5, factors=(2,), bottom=12, top=33)
    assert labels(template, "11")[:2] == ("<12", "<12")
    assert labels(template, "12")[:2] == ("12-14", "12-19")
    assert labels(template, "32")[:2] == ("30-32", "30-32")
    assert labels(template, "33")[:2] == ("33+", "33+")
    assert labels(Intervals(width=5, factors=()), "-1")[0] == "-5 to -1"
    assert labels(Intervals(width=1, factors=()), "-3")[0] == "-3"
    assert labels(Intervals(width=10, factors=()), "-0")[0] == "0-9"
    german = Intervals(width=0.5, factors=(), whole=False, decimal_mark=",")
    assert labels(german, "1,7")[0] == "1,5 to <2"


def test_quarters_of_numbered_months():
    template = Intervals(width=3, factors=(2,), start=1)
    assert [labels(template, str(month))[0] for month in (1, 3, 4, 12)] == [
        "1-3",
        "1-3",
        "4-6",
        "10-12",
    ]
    assert labels(template, "7")[1] == "7-12"
    assert labels(template, "0")[0] == "-2 to 0"


def test_bands_come_in_numeric_order():
    grid = Intervals().grid(["100", "9", "x", "10", "09"])
    assert [row[0] for row in grid] == ["09", "9", "10", "100", "x"]


@pytest.mark.parametrize(
    "text", ["1e999999999", "9" * 400, "0." + "0" * 500, "٣", "1_0", "∞", "--1", "."]
)
def test_hostile_numbers_are_not_read(text):
    assert labels(Intervals(), text, "1") == ("not a number",) * 3 + ("*",)


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"width": 0}, "parameter_range"),
        ({"width": 2.5}, "band_not_whole"),
        ({"top": 89.5}, "band_not_whole"),
        ({"factors": (1,)}, "parameter_range"),
        ({"factors": (2,) * 13}, "template_levels"),
        ({"factors": ("a",)}, "parameter_type"),
        ({"factors": (2.5,)}, "parameter_type"),
        ({"factors": 2}, "parameter_type"),
        ({"top": 10, "bottom": 10}, "band_order"),
        ({"decimal_mark": ";"}, "parameter_option"),
    ],
)
def test_impossible_bands_are_refused(params, code):
    with pytest.raises(ConfigError) as caught:
        Intervals(**params)
    assert caught.value.code == code


@given(
    st.dictionaries(st.integers(0, 60), st.integers(SHARED, 40), min_size=1),
    st.integers(2, 9),
)
def test_quantiles_cut_where_the_definition_says(records, groups):
    values = [str(number) for number in records]
    template = Quantiles(groups=groups, factors=())
    grid = template.weighted_grid(values, list(records.values()))
    total = sum(records.values())

    def share_below(number):
        return Fraction(sum(n for x, n in records.items() if x < number), total)

    cuts = set()
    for q in range(1, groups):
        reached = [x for x in records if share_below(x) >= Fraction(q, groups)]
        if reached:
            cuts.add(min(reached))
    group_of = {row[0]: row[1] for row in grid}
    for a in records:
        for b in records:
            same = sum(c <= a for c in cuts) == sum(c <= b for c in cuts)
            assert (group_of[str(a)] == group_of[str(b)]) == same


@given(
    st.dictionaries(st.integers(0, 10_000), st.integers(1, 14), min_size=2),
    st.integers(2, 9),
)
def test_labels_of_quantiles_tell_no_number_of_few_records(records, groups):
    values = [str(number) for number in records]
    template = Quantiles(groups=groups, factors=(2,))
    grid = template.weighted_grid(values, list(records.values()))
    spread = (max(records) - min(records)) / (2 * groups)
    for row in grid:
        for label in row[1:-1]:
            for text in re.findall(r"[0-9]+", label):
                number = int(text)
                is_last = "-" in label and label.endswith(text)
                start = number + 1 if is_last else number
                is_round = start % 5 == 0 and spread >= 5
                rare = 0 < records.get(number, 0) < SHARED
                assert not rare or is_round


def test_decimals_of_single_records_are_not_told():
    values = [f"{n * 1.37 + 3.111:.3f}" for n in range(200)]
    grid = Quantiles(groups=4, factors=(), whole=False).grid(values)
    labels_there = {row[1] for row in grid}
    assert len(labels_there) == 4
    assert not any(value in label for value in values for label in labels_there)


def test_quantiles_of_distinct_numbers_are_even():
    values = [str(number) for number in range(800)]
    grid = Quantiles(groups=8, factors=(2, 2)).grid(values)
    assert list(Counter(row[1] for row in grid).values()) == [100] * 8
    assert list(Counter(row[2] for row in grid).values()) == [200] * 4
    assert list(Counter(row[3] for row in grid)) == ["<400", "400+"]


def test_length_of_stay_of_the_methods():
    # methods.md E.4 (El Emam et al. 2012, Table 4) with its boundary rule.
    bands = {
        range(7, 15): "7-14",
        range(15, 29): "15-28",
        range(29, 57): "29-56",
        range(57, 85): "57-84",
        range(85, 183): "85-182",
        range(183, 400): "183+",
    }
    for days, label in bands.items():
        for day in days:
            by_day, by_week, by_month, _ = labels(CutPoints(), str(day))
            assert (by_day, by_week) == (label, label)
            assert by_month == (label if day > 28 else "<29")
    for day in range(1, 7):
        assert labels(CutPoints(), str(day))[:3] == (str(day), "<7", "<29")
    assert labels(CutPoints(), "0")[0] == "<1"


@pytest.mark.parametrize(
    ("bounds", "code"),
    [
        ("", "cut_points_order"),
        ("1 2 |", "cut_points_order"),
        ("2 1", "cut_points_order"),
        ("1 1", "cut_points_order"),
        ("1 x", "cut_points_number"),
        ("1 2.5", "cut_points_number"),
        ("1 2 | 3", "cut_points_nested"),
        ("1|" * 12 + "1", "template_levels"),
        (" ".join(map(str, range(1001))), "cut_points_order"),
    ],
)
def test_impossible_bounds_are_refused(bounds, code):
    with pytest.raises(ConfigError) as caught:
        CutPoints(bounds=bounds)
    assert caught.value.code == code


@given(st.dates(dt.date(1800, 1, 1), dt.date(2100, 12, 31)))
def test_dates_by_the_calendar(day):
    found = labels(Dates(finest="day"), day.isoformat())
    five = day.year // 5 * 5
    assert found == (
        day.strftime("%Y-%m-%d"),
        day.strftime("%Y-%m"),
        f"{day.year} Q{math.ceil(day.month / 3)}",
        str(day.year),
        f"{five}-{five + 4}",
        f"{day.year // 10 * 10}s",
        "*",
    )


def test_dates_in_other_formats():
    german = labels(Dates("D.M.YYYY"), "1.2.2020")
    american = labels(Dates("M/D/YYYY"), "2/1/2020 13:45")
    assert (
        german == american == ("2020-02", "2020 Q1", "2020", "2020-2024", "2020s", "*")
    )
    assert labels(Dates(), "2020-02-30", "2020-01-01")[0] == "not a date"
    with pytest.raises(ConfigError) as caught:
        Dates("whenever")
    assert caught.value.code == "date_format_unknown"


def test_birth_years_that_tell_an_age_over_89_are_joined():
    # methods.md O-G2, reference 2020-12-31.
    template = Dates(finest="year", oldest_year=1930)
    assert labels(template, "1930-12-31")[:3] == ("≤1930",) * 3
    assert labels(template, "1931-05-02")[:3] == ("1931", "1931-1934", "1931-1939")
    last = Dates(finest="5 years", oldest_year=1938)
    assert labels(last, "1939-05-02")[:2] == ("1939", "1939")


def test_zip_codes_of_the_methods():
    # methods.md O-G1
    by_census = {census: ZipCodes(census=census) for census in ("2000", "2010", "2020")}
    expected = {
        ("03601", "000", "000", "000"),
        ("06301", "000", "063", "063"),
        ("36901", "369", "000", "000"),
        ("3601", "000", "000", "000"),
        ("90210-1234", "902", "902", "902"),
        ("902101234", "902", "902", "902"),
        ("09012", "000", "000", "000"),
        ("79001", "000", "790", "790"),
    }
    for text, *prefixes in expected:
        for template, prefix in zip(by_census.values(), prefixes, strict=True):
            assert labels(template, text)[0] == prefix
    for census in ("2010", "2020"):
        assert labels(by_census[census], "20500")[0] == "000"


def test_zip_levels_and_prefixes():
    assert labels(ZipCodes(), "37212") == ("372", "37*", "3**", "*")
    assert labels(ZipCodes(), "3601") == ("000", "000", "000", "*")
    assert labels(ZipCodes(stored="3 digits"), "21")[0] == "021"
    assert ZipCodes().unread(["37212", "SW1A 1AA", "12", "501", "3601.0"]) == [
        "SW1A 1AA",
        "12",
    ]


def test_states_by_name_abbreviation_and_number():
    south = ("East South Central", "South", "*")
    for text in ("TN", "tn", " Tennessee ", "TENNESSEE", "47"):
        assert labels(UsStates(), text) == south
    assert labels(UsStates(numbers="SSA"), "44") == south
    assert labels(UsStates(), "1") == south  # Alabama, zero dropped
    assert labels(UsStates(), "Puerto Rico")[0] == "US territories"
    assert labels(UsStates(), "xx", "TN")[0] == "not in the list"
    divisions = {row[1] for row in UsStates().grid([f"{n:02d}" for n in range(1, 57)])}
    assert len(divisions - {"not in the list"}) == 9


def test_diagnoses_with_and_without_dots():
    for text in ("414.01", "41401", " 414.01 ", "414-"):
        assert labels(Icd9(), text) == (
            "414",
            "410-414 Ischemic heart disease",
            "390-459 Diseases of the circulatory system",
            "*",
        )
    assert labels(Icd9(names=False), "41.01")[:3] == ("041", "030-041", "001-139")
    assert labels(Icd9(names=False), "V30.00")[:3] == ("V30", "V30-V39", "V01-V91")
    assert labels(Icd9(names=False), "E8889")[:2] == ("E888", "E880-E888")
    for text in ("E11.9", "e119", "E11"):
        assert labels(Icd10(), text)[:2] == ("E11", "E08-E13 Diabetes mellitus")
    # The 2019 list of the sources puts C7A under C79; the tabular list does not.
    assert labels(Icd10(names=False), "C7A.010")[:2] == ("C7A", "C7A")
    assert labels(Icd10(names=False), "U07.1")[:3] == ("U07", "U00-U49", "U00-U49")
    assert Icd10().unread(["E11.9", "E11.99999", "U99", "hypertension", "401"]) == [
        "E11.99999",
        "U99",
        "hypertension",
        "401",
    ]


def test_ccs_groups_of_both_classifications():
    pneumonia = labels(Ccs(codes="ICD-9-CM"), "486-")
    assert pneumonia[0].startswith("122 Pneumonia")
    assert pneumonia[1] == "8 Diseases of the respiratory system"
    assert labels(Ccs(names=False), "A15.0")[:2] == ("1", "chapter 1")
    assert Ccs().unread(["I10", "41401"]) == ["41401"]


@given(st.text("abc", min_size=1, max_size=8), st.integers(1, 3), st.integers(1, 3))
def test_masking_by_counting_characters(text, step, level):
    right = labels(Masking(step=step, levels=3), text)[level - 1]
    left = labels(Masking(side="left", step=step, levels=3), text)[level - 1]
    kept = len(text) - step * level
    assert right == (text[:kept] + "*" * (len(text) - kept) if kept > 0 else "*")
    assert left == ("*" * (len(text) - kept) + text[-kept:] if kept > 0 else "*")


@pytest.mark.parametrize("mask", ["", "**", "\n"])
def test_a_mask_is_one_visible_character(mask):
    with pytest.raises(ConfigError) as caught:
        Masking(mask=mask)
    assert caught.value.code == "template_mask"


# -- common values ---------------------------------------------------------------------


@given(
    st.dictionaries(ANY_TEXT, st.integers(0, 60), min_size=1, max_size=9),
    st.sampled_from([(1,), (4, 1), (5, 3, 2), (12,)]),
)
def test_common_values_are_kept_and_the_others_joined(records, keep):
    """By a plain definition: counted one by one, ties in the order given."""
    values, counts = list(records), list(records.values())
    rows = CommonValues(keep).weighted_grid(values, counts)
    assert [row[0] for row in rows] == values
    for level, n_kept in enumerate(keep, start=1):
        if len(values) <= max(2, n_kept):
            expected = set(values)
        else:
            ranked = sorted(values, key=lambda v: (-records[v], values.index(v)))
            most = min(n_kept, len(values) - 2)
            expected = {v for v in ranked[:most] if records[v] >= SHARED}
            assert len(values) - len(expected) >= 2
        told = {row[0] for row in rows if row[level] == row[0] != OTHERS}
        assert told == expected - {OTHERS}
        joined = {row[level] for row in rows if row[0] not in expected}
        assert joined <= {OTHERS}
    Hierarchy.from_grid("x", rows)  # nested


@pytest.mark.parametrize("keep", [(), (0,), (1, 4), (4, 4), (1.5,), ("a",), 3])
def test_common_values_refuse_what_keeps_no_fewer_values(keep):
    with pytest.raises(ConfigError):
        CommonValues(keep)
