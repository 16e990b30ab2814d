"""The numbers of charts, against slow and obvious ways to get them."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.app.charts import classes, columns, curves, plane, tables
from deidgui.app.charts.base import Axis, NumberTable, SeriesRole
from deidgui.app.charts.formats import (
    axis_text,
    count_text,
    number_text,
    risk_texts,
)
from deidgui.app.charts.phrases import PHRASES, Phrase, plain
from deidgui.engine.risk.class_sizes import CUMULATIVE_LIMITS
from deidgui.text import share_text

SIZES = st.lists(st.integers(1, 4000), max_size=40).map(
    lambda sizes: np.array(sizes, dtype=np.int64)
)
SECRET = "Sentinel-Müller"


# Formats


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0 %"),
        (1.0, "100 %"),
        (0.007, "0.7 %"),
        (0.0005, "0.05 %"),
        (0.00001, "< 0.01 %"),
        (0.99999, "> 99.9 %"),
        (0.5142895, "51.4 %"),
        (math.nan, "unknown"),
    ],
)
def test_shares_read_well_and_never_lie(share, text):
    assert share_text(share).replace("\u202f", " ") == text


@given(st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_a_share_between_none_and_all_is_never_written_as_either(share):
    assert share_text(share).replace("\u202f", " ") not in ("0 %", "100 %")


def test_counts_and_numbers():
    assert count_text(1234567) == "1,234,567"
    assert count_text(-1000) == "−1,000"
    assert number_text(0.003) == "< 0.01"
    assert number_text(0.0) == "0"
    assert number_text(12.34) == "12.3"
    assert number_text(1234.5) in ("1,234", "1,235")
    assert number_text(math.inf) == "∞"


@given(st.integers(-50, 50), st.sampled_from([0.001, 0.02, 0.5, 1, 20, 500]))
def test_ticks_are_told_apart_and_exact(step, spacing):
    here = axis_text(step * spacing, spacing, is_share=False)
    there = axis_text((step + 1) * spacing, spacing, is_share=False)
    assert here != there
    value = Fraction(here.replace(",", "").replace("−", "-"))
    assert float(value) == pytest.approx(step * spacing)


# Phrases


def test_every_phrase_fills_from_its_own_parameters():
    for code, template in PHRASES.items():
        names = {
            field.split(":")[0]
            for part in template.split("{")[1:]
            for field in [part.split("}")[0]]
        }
        text = Phrase(code, dict.fromkeys(names, 1)).text()
        assert "{" not in text, code
        assert text.strip() == text


def test_nouns_follow_their_count():
    assert Phrase("other", {"n": 1}).text() == "1 other value"
    assert Phrase("other", {"n": 1200}).text() == "1,200 other values"


def test_no_repr_shows_a_value():
    phrase = plain(SECRET)
    spark = columns.value_spark(np.array([1, 2]))
    chart = columns.value_distribution(SECRET, [SECRET], np.array([3]))
    for thing in (phrase, spark, chart, chart.series, chart.to_table()):
        assert SECRET not in repr(thing)


# Tables to copy


def test_copied_numbers_are_tab_separated_and_inert():
    table = NumberTable(("a", "b"), (("=1+1", 0.25), ("x\ty\nz", 3), ("-3", math.nan)))
    assert table.tsv() == "a\tb\n'=1+1\t0.25\nx y z\t3\n'-3\t\n"


# Class sizes


@given(SIZES, st.one_of(st.none(), st.integers(1, 5000)))
def test_size_bins_hold_every_record_once(sizes, k):
    chart = classes.class_size_histogram(sizes, k=k)
    if not len(sizes):
        assert chart.is_empty
        return
    counts = chart.series[0].values
    assert counts.sum() == sizes.sum()
    for place, label in enumerate(chart.labels):
        low, _, high = label.replace(",", "").partition("–")
        inside = [s for s in sizes.tolist() if int(low) <= s <= int(high or low)]
        assert counts[place] == sum(inside)


@given(SIZES.filter(len), st.integers(1, 5000))
def test_no_size_bin_holds_both_sides_of_k(sizes, k):
    chart = classes.class_size_histogram(sizes, k=k)
    if k <= sizes.max():
        assert k in chart.edges[:-1]
        assert chart.marks[0].value == k
        assert float(chart.place(k)).is_integer()


def test_size_bins_are_one_two_five():
    assert classes.size_edges(70).tolist() == [1, 2, 3, 5, 10, 20, 50, 100]
    assert classes.size_edges(1).tolist() == [1, 2]
    assert classes.size_edges(70, k=11).tolist() == [1, 2, 3, 5, 10, 11, 20, 50, 100]


@given(SIZES.filter(len), st.integers(1, 5000))
def test_classes_that_are_suppressed_are_one_bin(sizes, k):
    released = sizes[sizes >= k]
    chart = classes.class_size_histogram(sizes, released, k=k)
    edges = chart.edges.tolist()
    assert edges[0] == 1
    assert all(edge >= k for edge in edges[1:])
    assert chart.series[0].values.sum() == sizes.sum()
    assert chart.series[1].values.sum() == released.sum()
    if k > 1:
        assert chart.series[0].values[0] == sizes[sizes < k].sum()
        assert chart.series[1].values[0] == 0


def test_size_sentences():
    before = np.array([1, 1, 2, 6])
    alone = classes.class_size_histogram(before).sentence.text()
    assert alone.startswith("2 of 10 records (20\u202f%) are alone")
    both = classes.class_size_histogram(before, np.array([2, 6])).sentence.text()
    assert "0\u202f% in the release" in both
    assert "at least 1 other." in both
    none = classes.class_size_histogram(before, np.empty(0, np.int64))
    assert none.sentence.code == "no_records"
    assert none.series[1].values.sum() == 0


# Cumulative risk


@given(SIZES.filter(len))
def test_cumulative_risk_counts_records_exactly(sizes):
    chart = classes.cumulative_risk(classes.Candidates.prosecutor(sizes))
    n_records = int(sizes.sum())
    for limit, share in zip(chart.positions, chart.series[0].values, strict=True):
        least = math.ceil(1 / limit - 1e-9)
        below = sum(size for size in sizes.tolist() if size >= least)
        assert share == pytest.approx(below / n_records)


def test_at_risk_is_strictly_above_the_threshold():
    five = classes.Candidates.prosecutor(np.array([5, 4]))
    assert five.n_above(0.2) == 4
    assert five.n_above(0.25) == 0


def test_journalist_risk_of_methods_f1():
    """O-F1: f = (1, 2, 3), F = (2, 10, 4): four of six records above 0.2."""
    exposure = classes.Candidates(np.array([1, 2, 3]), np.array([2.0, 10.0, 4.0]))
    assert exposure.n_above(0.2) == 4
    assert exposure.highest == 0.5


def test_risk_sentences():
    before = classes.Candidates.prosecutor(np.array([1, 9]))
    after = classes.Candidates.prosecutor(np.array([10]))
    nobody = classes.Candidates.prosecutor(np.empty(0, np.int64))
    chart = classes.cumulative_risk(before, after, threshold=0.2)
    assert "10\u202f% of the records before, 0\u202f% in the release" in (
        chart.sentence.text()
    )
    assert classes.cumulative_risk(before).sentence.code == "risk_highest_input"
    assert classes.cumulative_risk(before, after).sentence.code == "risk_highest"
    only = classes.cumulative_risk(before, threshold=0.2)
    assert only.sentence.code == "risk_above_input"
    assert classes.cumulative_risk(before, nobody).sentence.code == "no_records"
    assert classes.cumulative_risk(nobody).is_empty
    assert chart.positions[0] == pytest.approx(0.09)
    assert 0.2 in chart.positions


def words_of_chart(chart):
    axes = [each for each in vars(chart).values() if isinstance(each, Axis)]
    return " ".join(
        each.text() for each in (chart.title, chart.sentence, *(a.label for a in axes))
    )


@pytest.mark.parametrize("after", [None, [10], [1, 9], []])
@pytest.mark.parametrize("threshold", [None, 0.2])
def test_where_people_have_several_rows_nothing_is_said_of_records(after, threshold):
    before = np.array([1, 9])
    left = None if after is None else np.array(after, np.int64)
    risks = [None if e is None else classes.Candidates.prosecutor(e) for e in (left,)]
    charts = (
        classes.class_size_histogram(before, left, of_people=True),
        classes.cumulative_risk(
            classes.Candidates.prosecutor(before),
            *risks,
            threshold=threshold,
            of_people=True,
        ),
    )
    for chart in charts:
        said = words_of_chart(chart).lower()
        assert "record" not in said
        assert "people" in said


def test_all_limits_of_methods_f1_are_there():
    limits = CUMULATIVE_LIMITS
    assert (np.diff(limits) > 0).all()
    wanted = [1e-8, 0.01, 0.05, 0.1, 0.125, 0.143, 0.167, 0.2, 0.25, 0.334, 0.5, 1]
    assert set(wanted) <= set(limits.tolist())


# Distributions


@st.composite
def released_columns(draw):
    n_values = draw(st.integers(1, 20))
    before = draw(st.lists(st.integers(0, 50), min_size=n_values, max_size=n_values))
    groups = draw(st.lists(st.integers(0, 4), min_size=n_values, max_size=n_values))
    counts = [
        draw(
            st.integers(
                0, sum(b for b, h in zip(before, groups, strict=True) if h == g)
            )
        )
        for g in range(5)
    ]
    return (
        np.array(before),
        columns.Released(np.array(groups, np.int32), np.array(counts)),
    )


@given(released_columns())
def test_spreading_keeps_every_released_record(case):
    _, released = case
    spread = released.spread()
    for group, count in enumerate(released.counts.tolist()):
        inside = spread[released.groups == group]
        assert inside.sum() == pytest.approx(count if len(inside) else 0)
        assert len(set(inside.round(9).tolist())) <= 1


@given(released_columns(), st.integers(1, 25), st.booleans())
def test_top_values_and_the_rest_add_up(case, top, is_ordered):
    before, released = case
    labels = [f"v{place}" for place in range(len(before))]
    chart = columns.value_distribution(
        "c", labels, before, released, is_ordered=is_ordered, top=top
    )
    assert chart.series[0].values.sum() == before.sum()
    shown = [label for label in chart.categories if label.startswith("v")]
    assert len(shown) <= top
    if is_ordered:
        assert shown == sorted(shown, key=lambda label: int(label[1:]))
    else:
        counts = [before[int(label[1:])] for label in shown]
        assert counts == sorted(counts, reverse=True)


def test_distance_is_half_the_sum_of_differences():
    one, other = np.array([50.0, 50.0]), np.array([1.0, 0.0])
    assert columns.distance(one, other) == 0.5
    assert columns.distance(one, one * 3) == 0
    assert math.isnan(columns.distance(one, np.zeros(2)))


def test_distribution_sentences():
    same = columns.Released(np.array([0, 1], np.int32), np.array([3, 1]))
    gone = columns.Released(np.array([0, 1], np.int32), np.array([0, 0]))
    wide = columns.Released(np.array([0, 0], np.int32), np.array([4]))
    before, labels = np.array([3, 1]), ["a", "b"]

    def sentence(released):
        chart = columns.value_distribution("c", labels, before, released)
        return chart.sentence

    assert sentence(same).code == "distribution_equal"
    assert sentence(gone).code == "no_records"
    assert sentence(wide).text().startswith("25\u202f% of the rows would have")
    assert sentence(None).code == "distribution_shape"
    grouped = columns.value_distribution("c", labels, before, wide)
    assert grouped.series[1].name.code == "release_spread"
    at_labels = columns.released_values("c", labels, before, np.array([3, 0]))
    assert at_labels.series[1].name.code == "release"
    assert at_labels.series[1].values.tolist() == [3, 0]


@given(
    st.lists(st.integers(-200, 400), min_size=1, max_size=60, unique=True),
    st.integers(1, 50),
)
def test_number_bins_hold_every_record_once(numbers, n_bins):
    values = np.array(numbers, dtype=np.float64)
    counts = np.arange(1, len(values) + 1)
    chart = columns.number_distribution("c", values, counts, n_bins=n_bins)
    for place in range(len(chart.labels)):
        low, end = chart.edges[place], chart.edges[place + 1]
        slow = sum(
            count
            for value, count in zip(values, counts, strict=True)
            if low <= value < end
        )
        assert chart.series[0].values[place] == slow
    assert chart.series[0].values.sum() == counts.sum()
    assert len(chart.labels) <= 2 * n_bins + 2


def test_number_bins_are_round_and_leave_text_out():
    edges = columns.round_edges(0.0, 1.0, 10)
    assert edges.tolist() == pytest.approx([i / 10 for i in range(12)])
    numbers = np.array([17.0, 90.0, math.nan])
    chart = columns.number_distribution("age", numbers, np.array([5, 5, 7]))
    assert chart.series[0].values.sum() == 10
    assert chart.sentence.params["median"] == 17
    assert columns.number_distribution(
        "age", np.array([math.nan]), np.array([1])
    ).is_empty


@given(st.lists(st.integers(0, 9), max_size=60), st.booleans())
def test_sparks_are_shares_of_the_highest_bar(counts, is_ordered):
    spark = columns.value_spark(np.array(counts, np.int64), is_ordered=is_ordered)
    assert len(spark.heights) <= 24
    if any(counts):
        assert spark.heights.max() == 1
    assert (spark.heights >= 0).all()
    if not is_ordered:
        assert (np.diff(spark.heights) <= 0).all()


def test_number_spark():
    spark = columns.number_spark(np.array([0.0, 10.0]), np.array([1, 3]), n_bars=2)
    assert spark.heights.tolist() == pytest.approx([1 / 3, 1])
    assert len(columns.number_spark(np.array([math.nan]), np.array([1])).heights) == 0


@pytest.mark.parametrize(
    ("n_values", "n_bars"), [(1, 1), (12, 12), (31, 31), (92, 23), (20_000, 32)]
)
def test_small_bars_of_whole_numbers_have_no_gaps_of_their_own(n_values, n_bars):
    numbers = np.arange(1.0, n_values + 1)
    spark = columns.number_spark(numbers, np.ones(n_values, np.int64))
    assert spark.heights.tolist() == [1] * n_bars


# The plane


@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 6), st.booleans()), max_size=30
    )
)
def test_the_frontier_is_what_no_feasible_point_beats(points):
    loss = np.array([float(p[0]) for p in points])
    risk = np.array([float(p[1]) for p in points])
    feasible = np.array([p[2] for p in points], dtype=np.bool_)
    found = plane.frontier(loss, risk, feasible)
    fine = [(p[0], p[1]) for p in points if p[2]]
    best = {
        (x, y)
        for x, y in fine
        if not any((a <= x and b <= y and (a, b) != (x, y)) for a, b in fine)
    }
    assert {(loss[row], risk[row]) for row in found} == best
    assert len(found) == len(best)
    assert (np.diff(loss[found]) > 0).all()


def test_plane_marks_and_sentences():
    policies = np.array([10, 11, 12])
    loss, risk = np.array([0.1, 0.2, math.nan]), np.array([0.3, 0.1, 0.2])
    feasible = np.array([False, True, True])
    chart = plane.risk_utility_plane(
        policies,
        loss,
        risk,
        feasible,
        optimum=11,
        kept=[10, 12],
        references=[plane.Reference(plain("Safe Harbor"), 0.5, 0.2)],
        threshold=0.15,
    )
    assert chart.policies.tolist() == [10, 11]
    flags = [(mark.flag, mark.policy) for mark in chart.marked]
    assert flags == [
        (plane.Flag.KEPT, 10),
        (plane.Flag.OPTIMUM, 11),
        (plane.Flag.REFERENCE, None),
    ]
    # What is drawn is what a filter leaves: no share of all policies.
    assert chart.sentence.text() == (
        "1 of 2 policies shown meet the thresholds; the best has a loss of 20\u202f% "
        "at a risk of 10\u202f%."
    )
    in_bits = Axis(plain("Entropy (bits)"))
    every = plane.risk_utility_plane(
        policies, loss * 100, risk, np.ones(3, np.bool_), optimum=11, loss_axis=in_bits
    )
    assert every.sentence.text() == (
        "2 policies shown meet the thresholds; the best has a loss of 20 at a risk of "
        "10\u202f%. 1 policy that meets them loses less."
    )
    assert chart.to_table().rows[1] == (11, 0.2, 0.1, 1)
    none = plane.risk_utility_plane(policies, loss, risk, np.zeros(3, np.bool_))
    assert none.sentence.code == "plane_none"
    empty = plane.risk_utility_plane(policies[:0], loss[:0], risk[:0], feasible[:0])
    assert empty.is_empty


# Curves


def test_progress_starts_when_something_was_found():
    nodes, best = np.array([1, 5, 9]), np.array([math.nan, 0.5, 0.4])
    chart = curves.search_progress(nodes, best)
    assert chart.positions.tolist() == [5, 9]
    assert chart.sentence.params == {"n_nodes": 9, "loss": "40\u202f%"}
    # The axis is that of the whole search from its start, and moves rarely.
    assert chart.x_axis.limits == (0, 1000)
    assert curves.search_progress(nodes * 200, best).x_axis.limits == (0, 2000)
    nothing = curves.search_progress(nodes[:1], best[:1])
    assert nothing.is_empty
    assert nothing.sentence.code == "progress_none"


def test_what_if_curves_hold_until_the_next_value():
    limits, losses = np.array([0.0, 0.02, 0.05]), np.array([math.nan, 0.5, 0.3])
    chart = curves.loss_by_limit(limits, losses, 0.04)
    assert chart.sentence.params["loss"] == "50\u202f%"
    exact = curves.loss_by_limit(np.array([0.1, 0.3]), np.array([1.0, 0.0]), 0.1 * 3)
    assert exact.sentence.params["loss"] == "0\u202f%"
    by_k = curves.loss_by_k(np.array([2, 3, 5]), np.array([0.1, 0.2, math.nan]), 4)
    assert by_k.sentence.text() == (
        "Groups of 5 instead of 4: no policy meets the thresholds."
    )
    assert by_k.has_points
    assert curves.loss_by_k(np.array([2, 5]), np.array([0.1, math.nan]), 7).marks


@pytest.mark.parametrize(
    ("limit", "losses", "sentence"),
    [
        (0.0, [0.5, 0.26, 0.2], "Allowing 2 % instead of 0 % halves the loss, "),
        (0.0, [0.5, 0.47, 0.4], "Allowing 5 % instead of 0 % lowers the loss from 50"),
        (0.02, [0.5, 0.3, 0.29], "With a suppression limit of 2 % the best"),
        (
            0.0,
            [math.nan, 0.3, 0.2],
            "With a suppression limit of 0 % no pol",
        ),
        (0.0, [math.nan] * 3, "With a suppression limit of 0 % no policy"),
    ],
)
def test_a_plain_sentence_says_what_a_limit_buys(limit, losses, sentence):
    limits = np.array([0.0, 0.02, 0.05])
    chart = curves.loss_by_limit(limits, np.array(losses), limit)
    assert chart.sentence.text().replace("\u202f", " ").startswith(sentence)


@pytest.mark.parametrize(
    ("losses", "sentence"),
    [
        ([0.1, 0.2, 0.4], "Groups of 4 instead of 2 raise the loss from 10 % to 20 %."),
        ([0.1, 0.1, 0.4], "Groups of 4 instead of 2 cost nothing."),
        (
            [0.3, 0.2, 0.4],
            "Groups of 4 instead of 2 lower the loss from 30 % to 20 %, "
            "but remove more.",
        ),
        ([math.nan, 0.1, 0.4], "With k = 2 no policy meets the thresholds."),
    ],
)
def test_a_plain_sentence_says_what_larger_groups_cost(losses, sentence):
    chart = curves.loss_by_k(np.array([2, 4, 9]), np.array(losses), 2)
    assert chart.sentence.text().replace("\u202f", " ") == sentence


def test_a_loss_that_is_no_share_is_told_as_a_number():
    axis = Axis(plain("Ambiguity"))
    chart = curves.loss_by_k(
        np.array([2, 4]), np.array([1200.0, 3400.0]), 2, loss_axis=axis
    )
    assert chart.sentence.text().endswith("raise the loss from 1,200 to 3,400.")


def test_lower_bounds_are_a_curve_of_their_own():
    losses, exact = np.array([0.1, 0.2, 0.3]), np.array([True, False, True])
    chart = curves.loss_by_limit(np.array([0, 0.1, 0.2]), losses, 0.1, exact=exact)
    assert chart.sentence.code == "by_limit_bound"
    curve, bounds = chart.series
    assert curve.values.tolist() == [0.1, 0.2, 0.3]
    assert np.isnan(bounds.values).tolist() == [True, False, True]


def test_the_axis_of_limits_ends_a_little_after_the_last_change():
    limits = np.array([0.0, 0.02, 0.08, 0.1, 0.2, 0.5, 1.0])
    losses = np.array([math.nan, 0.4, 0.3, *[0.3] * 4])
    chart = curves.loss_by_limit(limits, losses, 0.05)
    assert chart.positions.tolist() == [0, 0.02, 0.08, 0.1]
    text = chart.x_axis.label.text().replace("\u202f", " ")
    assert text == (
        "Suppression limit, share of the records (nothing changes above 8 %)"
    )
    # What is in force stays in view, and so does another policy of the same loss.
    chart = curves.loss_by_limit(limits, losses, 0.3)
    assert chart.positions[-1] == 0.5
    notes = ("", "a", "b", "b", "b", "b", "c")
    whole = curves.loss_by_limit(limits, losses, 0.05, notes=notes)
    assert whole.positions[-1] == 1
    assert len(whole.notes) == 7
    assert whole.x_axis.label.text() == "Suppression limit, share of the records"
    flat = curves.loss_by_limit(limits, np.full(7, 0.3), 0.0)
    assert flat.positions[-1] == 1


def test_notes_are_copied_with_the_numbers():
    chart = curves.loss_by_k(
        np.array([2, 4]), np.array([0.1, 0.2]), 2, notes=("sex kept", "=sex")
    )
    assert chart.to_table().rows == ((2, 0.1, "sex kept"), (4, 0.2, "=sex"))
    assert "'=sex" in chart.to_table().tsv()


def test_the_gap_is_told_until_it_is_closed():
    nodes = np.array([1, 4, 9])
    chart = curves.gap_progress(nodes, np.array([math.nan, 0.4, 0.03]))
    assert chart.positions.tolist() == [4, 9]
    assert chart.sentence.text().replace("\u202f", " ") == (
        "The best possible policy is at most 3 % better."
    )
    assert (chart.x_axis.limits, chart.y_axis.limits) == ((0, 1000), (0, 1))
    closed = curves.gap_progress(nodes, np.array([0.5, 0.4, 0.0]))
    assert closed.sentence.code == "gap_proven"
    vacuous = curves.gap_progress(nodes, np.array([math.nan, 1.0, 1.0]))
    assert vacuous.sentence.code == "gap_unknown"
    assert curves.gap_progress(nodes[:1], np.array([math.nan])).is_empty


# Cross tables


CODES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), max_size=60)


def slow_cramers_v(pairs):
    """Cramér's V less what all orders of a column have on average, cell by cell."""
    rows = sorted({a for a, _ in pairs})
    cells = sorted({b for _, b in pairs})
    r, c, n = len(rows), len(cells), len(pairs)
    if min(r, c) < 2:
        return 0.0
    chi = 0.0
    for a in rows:
        for b in cells:
            expected = sum(p[0] == a for p in pairs) * sum(p[1] == b for p in pairs) / n
            chi += (pairs.count((a, b)) - expected) ** 2 / expected
    by_chance = (r - 1) * (c - 1) / (n - 1)
    phi, most = chi / n - by_chance, min(r, c) - 1 - by_chance
    return math.sqrt(phi / most) if phi > 1e-9 and most > 1e-9 else 0.0


def test_what_is_taken_off_is_the_mean_over_all_orders():
    first, second = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 0]
    n = len(first)
    found = []
    for order in itertools.permutations(second):
        pairs = list(zip(first, order, strict=True))
        chi = sum(
            (pairs.count((a, b)) - first.count(a) * second.count(b) / n) ** 2
            / (first.count(a) * second.count(b) / n)
            for a in range(3)
            for b in range(2)
        )
        found.append(chi / n)
    assert sum(found) / len(found) == pytest.approx(2 * 1 / (n - 1))


@given(CODES)
def test_association_is_cramers_v(pairs):
    first = np.array([a for a, _ in pairs], np.int32)
    second = np.array([b for _, b in pairs], np.int32)
    found = tables.association(first, 5, second, 4)
    assert found == pytest.approx(slow_cramers_v(pairs), abs=1e-5)


def test_many_values_do_not_go_together_by_chance():
    # 15,000 dates of birth and 30 lengths of stay of 20,000 people, drawn apart.
    rng = np.random.default_rng(7)
    dates = rng.integers(0, 15_000, 20_000, dtype=np.int32)
    stays = rng.integers(0, 30, 20_000, dtype=np.int32)
    assert tables.association(dates, 15_000, stays, 30) < 0.1
    # What follows from the dates still goes together with them.
    years = dates // 365
    assert tables.association(dates, 15_000, years, 42) > 0.95


def test_association_of_many_values_is_the_same(monkeypatch):
    rng = np.random.default_rng(1)
    first = rng.integers(0, 50, 2000, dtype=np.int32)
    second = ((first + rng.integers(0, 9, 2000)) % 40).astype(np.int32)
    dense = tables.association(first, 50, second, 40)
    monkeypatch.setattr(tables, "DENSE_CELLS", 0)
    assert tables.association(first, 50, second, 40) == pytest.approx(dense)


@given(CODES, st.integers(1, 6))
def test_cross_table_counts_every_record_once(pairs, top):
    rows = tables.Coded("r", list("abcde"), np.array([a for a, _ in pairs], np.int32))
    cells = tables.Coded("c", list("wxyz"), np.array([b for _, b in pairs], np.int32))
    chart, same = tables.cross_tables((rows, cells), (rows, cells), 0.0, top=top)
    assert chart.values.sum() == len(pairs)
    assert (chart.values == same.values).all()
    for row, a in enumerate(chart.row_labels):
        for column, b in enumerate(chart.column_labels):
            if len(a) == 1 and len(b) == 1:
                pair = ("abcde".index(a), "wxyz".index(b))
                assert chart.values[row, column] == pairs.count(pair)


def test_cross_tables_stand_side_by_side():
    """What vanished stays as an empty row, in the order of the input."""

    def coded(name, labels, texts):
        codes = [labels.index(text) for text in texts]
        return tables.Coded(name, labels, np.array(codes, np.int32))

    before = (
        coded("race", ["?", "A", "B", "C"], "?ABBCCC"),
        coded("sex", ["f", "m", "?"], "ffmmf?m"),
    )
    # The release has its own codes, one value less of each, and a withheld cell.
    after = (
        coded("race", ["C", "*", "B", "A"], "ABBC*"),
        coded("sex", ["m", "f"], "fmmfm"),
    )
    one, other = tables.cross_tables(before, after, 0.5)
    assert one.row_labels == other.row_labels == ("?", "A", "B", "C", "*")
    assert one.column_labels == other.column_labels == ("f", "m", "?")
    assert one.values.tolist() == [
        *([1, 0, 0], [1, 0, 0], [0, 2, 0], [1, 1, 1], [0, 0, 0])
    ]
    assert other.values.tolist() == [
        *([0, 0, 0], [1, 0, 0], [0, 2, 0], [1, 0, 0], [0, 1, 0])
    ]
    assert one.highest == other.highest == 2
    # No number of all combinations: a value of one table alone has cells in both.
    assert one.sentence.text().startswith("6 combinations of values occur;")
    # Bands are no values of the input: nothing stands beside them.
    bands = (coded("race", ["1-2", "3-4"], ["1-2", "3-4"]), coded("sex", ["f"], "ff"))
    assert tables.cross_tables(before, bands, 0.5)[1].row_labels == ("1-2", "3-4")


def test_association_map_names_the_strongest_and_the_changed():
    rng = np.random.default_rng(2)
    one = rng.integers(0, 4, 500, dtype=np.int32)
    other = rng.integers(0, 4, 500, dtype=np.int32)
    coded = [
        tables.Coded(name, list("abcd"), codes)
        for name, codes in (("p", one), ("q", other), ("r", (one + 1) % 4))
    ]
    matrix = tables.association_matrix(coded)
    assert matrix == pytest.approx(matrix.T)
    assert (np.diag(matrix) == 1).all()
    # A removed column goes together with nothing, not even with itself.
    removed = tables.Coded("x", ["*"], np.zeros(500, np.int32))
    with_it = tables.association_matrix([*coded, removed])
    assert (with_it[3] == 0).all()
    labels = tables.association_map(["p", "q", "r", "x"], with_it).row_labels
    assert labels == ("p", "q", "r", "x (one value)")
    chart = tables.association_map(["p", "q", "r"], matrix)
    assert chart.sentence.text().startswith("Strongest: p and r with 1 ")
    changed = tables.association_map(["p", "q", "r"], np.eye(3), matrix)
    assert changed.sentence.params["second"] == "r"
    assert chart.to_table().header == ("Association", "p", "q", "r")


def test_series_roles_tell_input_from_release():
    chart = classes.class_size_histogram(np.array([1, 2]), np.array([3]))
    assert [series.role for series in chart.series] == [
        SeriesRole.BEFORE,
        SeriesRole.AFTER,
    ]
    assert chart.to_table().header[1:] == ("Before", "Release")


@pytest.mark.parametrize(
    ("risks", "texts"),
    [
        ((7.744, 7.806), ("7.74", "7.81")),
        ((0.3309, 0.3311), ("0.3309", "0.3311")),
        ((0.09, 0.09), ("0.0900", "0.0900")),
        ((364.331, 364.3313), ("364.3310", "364.3313")),
        ((12345.0, 0.0), ("12,345.00", "0.00")),
        ((0.0,), ("0.00",)),
    ],
)
def test_risks_beside_each_other_are_told_apart(risks, texts):
    assert risk_texts(*risks) == texts
