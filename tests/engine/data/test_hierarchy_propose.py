"""Does every column get the rule that most people would choose, unasked?"""

import datetime as dt
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data.hierarchy_build import build_hierarchy
from deidgui.engine.data.hierarchy_propose import propose_template
from deidgui.engine.data.table import Column
from deidgui.engine.data.templates import (
    CommonValues,
    CutPoints,
    Dates,
    Flat,
    Icd9,
    Icd10,
    Intervals,
    Masking,
    UsStates,
    ZipCodes,
)

TOPICS = [
    *("age", "zip", "date", "birth date", "year", "month", "state", "icd9", "icd10"),
    *("sex", "code", "county", "number", "length of stay", "anything", None),
]
MONTHS = Intervals(width=3, factors=(2,), start=1)


def propose(texts, kind, value_format=None, topic=None):
    return propose_template(Column.from_texts("x", texts), kind, value_format, topic)


@pytest.mark.parametrize(
    ("texts", "kind", "topic", "expected"),
    [
        (
            [str(age) for age in range(18, 80)],
            "integer",
            "age",
            Intervals(width=5, factors=(2, 2), top=90),
        ),
        (
            [str(age) for age in range(18, 102)],
            "integer",
            "age",
            Intervals(width=5, factors=(2, 2), top=90, keep_single=True),
        ),
        (["37212", "03601"], "text", "zip", ZipCodes()),
        (["372", "036"], "integer", "zip", ZipCodes(stored="3 digits")),
        (["TN", "KY"], "category", "state", UsStates()),
        (["41401", "V3000"], "text", "icd9", Icd9()),
        (["E11.9", "I10"], "text", "icd10", Icd10()),
        (["03", "04", "07", "09"], "category", "state", UsStates(numbers="SSA")),
        (["M", "F"], "category", "sex", Flat()),
        (["1", "2"], "integer", "sex", Flat()),
        (["1", "2", "3"], "integer", None, Flat()),
        (["Private", "State-gov"], "category", None, Flat()),
        ([f"A{n:05d}" for n in range(99)], "text", "code", Masking(step=1, levels=3)),
        ([f"note {n}" for n in range(99)], "text", None, Flat()),
        ([f"{n}" for n in range(470, 570)], "integer", "drug", Masking(levels=2)),
        ([f"{n}" for n in range(1, 13)], "integer", "month", MONTHS),
        (["1980", "2001"], "integer", "year", Intervals(width=5, factors=(2, 2))),
        (
            ["0", "3", "40"],
            "integer",
            "length of stay",
            CutPoints("1 4"),
        ),
        (["47037", "47157"], "text", "county", Masking(step=3, levels=1)),
        (["Davidson", "Shelby"], "category", "county", Flat()),
        # What the detector thought and what the rule can read do not agree.
        ([f"x{n}" for n in range(30)], "text", "age", Flat()),
    ],
)
def test_topics(texts, kind, topic, expected):
    found = propose(texts, kind, None, topic)
    if isinstance(expected, Flat) and topic == "age":
        assert found is not None
        assert found.kind != "intervals"
    else:
        assert found == expected


def test_dates_take_their_format():
    assert propose(["31.12.2020"], "date", "D.M.YYYY", "date") == Dates("D.M.YYYY")
    assert propose(["31.12.2020"], "date", "D.M.YYYY") == Dates("D.M.YYYY")


def test_birth_dates_that_tell_an_age_over_89_today_are_joined():
    last = dt.date.today().year - 90
    old, young = [f"{last}-01-01", "2001-01-01"], [f"{last + 1}-01-01", "2001-01-01"]
    found = propose(old, "date", "YYYY-MM-DD", "birth date")
    assert found == Dates("YYYY-MM-DD", oldest_year=last)
    assert propose(young, "date", "YYYY-MM-DD", "birth date") == Dates("YYYY-MM-DD")


def test_no_values_no_rule():
    assert propose([], "text") is None
    assert propose(["", ""], "text") == Flat()


def test_numbers_get_round_bands_over_their_bulk():
    days = [str(n % 90) for n in range(900)]
    assert propose(days, "integer") == Intervals(width=5, factors=(2, 2))
    costs = [str(n * 10) for n in range(1000)] + ["9000000"]
    found = propose(costs, "integer")
    assert isinstance(found, Intervals)
    assert (found.width, found.factors, found.top) == (500, (2, 2), 10_000)
    mostly_nothing = ["0"] * 5000 + [str(n * 100) for n in range(21)]
    assert propose(mostly_nothing, "integer") == Intervals(width=100, factors=(5, 2))
    lab = [f"{n / 100:.2f}".replace(".", ",") for n in range(300)]
    found = propose(lab, "decimal", ",")
    assert isinstance(found, Intervals)
    assert (found.width, found.whole, found.decimal_mark) == (0.2, False, ",")


@given(
    st.lists(
        st.integers(-(10**12), 10**12).map(str)
        | st.decimals(-1000, 1000, places=3).map(str)
        | st.text(max_size=4),
        min_size=1,
    ),
    st.sampled_from(["text", "integer", "decimal", "category", "date"]),
    st.sampled_from([None, ".", ",", "YYYY-MM-DD"]),
    st.sampled_from(TOPICS),
)
def test_every_proposal_can_be_built_and_reaches_the_star(
    texts, kind, value_format, topic
):
    column = Column.from_texts("x", texts)
    template = propose_template(column, kind, value_format, topic)
    assert template is not None
    hierarchy = build_hierarchy(column, template)
    assert hierarchy.levels[-1].labels == ("*",)
    assert 1 <= hierarchy.height <= 8


def test_lattices_stay_small_and_bands_few():
    random.seed(5)
    for scale in (3, 40, 700, 1e5, 1e9):
        texts = [str(int(random.gauss(0, scale))) for _ in range(3000)]
        hierarchy = build_hierarchy(
            Column.from_texts("x", texts), propose(texts, "integer")
        )
        assert hierarchy.levels[1].n_groups <= 60 if hierarchy.height > 1 else True


def bounds_of(template):
    return [[int(cut) for cut in cuts] for cuts in template.cuts]


def test_bands_of_skewed_numbers_follow_the_distribution():
    drawn = random.Random(5)
    stays = [str(int(drawn.lognormvariate(1.3, 0.9))) for _ in range(5000)]
    charges = [str(int(drawn.lognormvariate(8, 1.4))) for _ in range(5000)]
    for texts in (stays, charges):
        template = propose(texts, "integer")
        assert isinstance(template, CutPoints)
        numbers = sorted(map(int, texts))
        finer = None
        for cuts in bounds_of(template):
            edges = [0, *cuts, 10**9]
            held = [
                sum(low <= n < high for n in numbers) / len(numbers)
                for low, high in pairwise(edges)
            ]
            assert min(held) >= 0.02
            assert max(held) < 0.8
            assert finer is None or set(cuts) < set(finer)
            finer = cuts
        # Two groups at last: more can be kept of it than nothing.
        assert len(finer) <= 2
    first = bounds_of(propose(stays, "integer"))[0]
    assert first == [1, 2, 3, 4, 8, 15]
    last = bounds_of(propose(charges, "integer"))[0]
    assert set(last) <= {d * 10**p for d in (1, 2, 5) for p in range(9)}


def test_even_numbers_have_bands_of_equal_width():
    assert isinstance(propose([str(n) for n in range(400)], "integer"), Intervals)


def test_negative_numbers_have_bands_of_equal_width():
    texts = [str(-5 + (n * n) % 900) for n in range(300)]
    assert isinstance(propose(texts, "integer"), Intervals)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((40, 30), Flat()),  # there is nothing between two values and none
        ((10, 9, 8), Flat()),  # nothing is common
        ((40, 30, 2), CommonValues((1,))),
        (tuple(range(5, 25)), CommonValues((4, 1))),
    ],
)
def test_words_have_a_level_with_the_common_ones(counts, expected):
    texts = [f"word {n:02d}" for n, count in enumerate(counts) for _ in range(count)]
    column = Column.from_texts("x", texts)
    assert propose_template(column, "category") == expected
    numbers = [str(n) for n, count in enumerate(counts) for _ in range(count)]
    if len(counts) <= 12:
        column = Column.from_texts("x", numbers)
        assert propose_template(column, "integer") == expected


@pytest.mark.parametrize(
    ("texts", "first_labels"),
    [
        (
            [f"[{low}-{low + 10})" for low in range(0, 100, 10)],
            ["<20", "20-39", "40-59", "60-79", "80+"],
        ),
        (
            ["6-99", "100-199", "200-299", "300-499", "500+"],
            ["<200", "200-499", "500+"],
        ),
        (["<1", "1 to 4", "5 to 14", "15 to 24"], ["<5", "5+"]),
        (["under 18", "18-64", "65 and over"], ["<65", "65+"]),
        (["[0.5,1.0)", "[1.0,1.5)", "[1.5,2.5)"], ["<1.5", "1.5+"]),
    ],
)
def test_values_that_are_bands_are_joined_with_their_neighbours(texts, first_labels):
    column = Column.from_texts("x", [*texts, "unknown" if len(texts) > 9 else ""] * 20)
    template = propose_template(column, "category", topic="age")
    hierarchy = build_hierarchy(column, template)
    grid = template.grid([*reversed(texts)])
    assert isinstance(template, CutPoints)
    assert [row[0] for row in grid] == texts
    assert list(dict.fromkeys(row[1] for row in grid)) == first_labels
    assert hierarchy.height + 1 == len(template.level_names)


@pytest.mark.parametrize(
    "texts",
    [
        ["0-10", "10-20", "20-30", "30-40"],  # to which does 10 belong?
        ["1-5", "3-8", "9-12", "13-20"],  # they overlap
        ["0.5-1.0", "1.0-1.5", "1.5-2.0"],
        ["0-9", "10-19", "a", "b", "c"],
        ["0-9", "10+"],
    ],
)
def test_values_that_are_no_clear_bands_are_words(texts):
    assert not isinstance(propose(texts * 20, "category"), CutPoints)


def test_no_bound_is_told_of_a_band_that_few_records_have():
    texts = ["0-9", "10-19", "20-29", "30-39", "40-49", "50-59"]
    column = [text for text in texts for _ in range(3 if text == "20-29" else 50)]
    template = propose(column, "category")
    assert template.bounds == "30 50"


@given(
    st.lists(st.integers(1, 40), min_size=3, max_size=30),
    st.lists(st.integers(0, 1200), min_size=1, max_size=5, unique=True),
)
def test_a_band_is_in_a_group_that_holds_all_of_it(widths, cuts):
    lows = [sum(widths[:n]) for n in range(len(widths))]
    texts = [f"{low}-{low + n - 1}" for low, n in zip(lows, widths, strict=True)]
    cuts.sort()
    template = CutPoints(" ".join(map(str, cuts)))

    def groups(low, n):
        return {sum(cut <= number for cut in cuts) for number in range(low, low + n)}

    inside = [
        (text, *groups(low, n))
        for text, low, n in zip(texts, lows, widths, strict=True)
        if len(groups(low, n)) == 1
    ]
    fitting = {text for text, _ in inside}
    assert set(template.unread(texts)) == set(texts) - fitting
    if not inside:
        return
    labels = {text: label for text, label, _ in template.grid(texts)}
    numbers = {f"{cut}": (template.grid([f"{cut}"])[0][1]) for cut in cuts}
    for text, place in inside:
        if place:
            assert labels[text] == numbers[f"{cuts[place - 1]}"]
        else:
            assert labels[text] == f"<{cuts[0]}"
    for text in set(texts) - fitting:
        assert labels[text] == "not a number"
