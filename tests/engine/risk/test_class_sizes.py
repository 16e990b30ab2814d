"""Prosecutor, journalist and marketer risk (methods.md O-F1, O-F2, O-F3)."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.detect.subsets import column_distinction
from deidgui.engine.risk.class_sizes import (
    CUMULATIVE_LIMITS,
    attacker_risk,
    class_size_histogram,
    cumulative_risk,
    measure_risk,
    size_at_risk,
)
from deidgui.errors import InputError
from tests.engine.search.adult import adult_classes

sizes_of = st.lists(st.integers(1, 30), min_size=1, max_size=30).map(np.array)
thresholds = st.sampled_from([0.05, 0.09, 0.1, 1 / 3, 0.2, 0.25, 0.33, 0.5, 1.0])


def test_the_worked_example():
    """O-F1: f = (1, 2, 3), F = (2, 10, 4)."""
    f, population = np.array([1, 2, 3]), np.array([2, 10, 4])
    prosecutor = attacker_risk(f, f, threshold=0.2)
    assert (prosecutor.highest, prosecutor.average) == (1, 0.5)
    assert (prosecutor.records_at_risk, prosecutor.at_risk) == (6, 1.0)
    journalist = attacker_risk(f, population, threshold=0.2)
    assert journalist.highest == 0.5
    assert journalist.average == pytest.approx(max(3 / 16, 0.2416666667))
    assert journalist.records_at_risk == 4
    assert journalist.at_risk == pytest.approx(4 / 6)


def test_adult_as_it_is():
    """O-F3."""
    figures = measure_risk(adult_classes().counts, threshold=0.2)
    assert figures.n_classes == 19502
    assert figures.prosecutor.average == pytest.approx(0.6465751608, abs=1e-10)
    assert figures.uniques == 15512
    assert figures.uniques / figures.n_records == pytest.approx(0.5142895033, abs=1e-10)
    histogram = class_size_histogram(adult_classes().counts)
    assert histogram.n_classes[histogram.sizes == 2].tolist() == [2098]


@given(sizes_of, thresholds, st.sampled_from([None, 0.01, 0.1, 0.5, 1.0]))
def test_figures_are_those_of_every_record(sizes, threshold, fraction):
    records = np.repeat(sizes, sizes)
    figures = measure_risk(sizes, threshold=threshold, sampling_fraction=fraction)
    share = fraction or 1.0
    for attacker, risks in (
        (figures.prosecutor, 1 / records),
        (figures.journalist, share / records),
    ):
        assert attacker.highest == pytest.approx(risks.max())
        assert attacker.lowest == pytest.approx(risks.min())
        assert attacker.average == pytest.approx(risks.mean())
        assert attacker.records_at_highest == (records == records.min()).sum()
        assert attacker.records_at_risk == (risks > threshold + 1e-9).sum()
    assert figures.marketer == pytest.approx((share / records).mean())
    assert figures.uniques == (records == 1).sum()
    assert figures.smallest_class == records.min()
    assert ("random_sample" in figures.assumptions) == (fraction is not None)


@given(sizes_of, st.sampled_from([1.0, 0.3]))
def test_cumulative_risk_counts_records_up_to_each_limit(sizes, fraction):
    records = np.repeat(sizes, sizes)
    expected = [
        (fraction / records <= limit + 1e-9).mean() for limit in CUMULATIVE_LIMITS
    ]
    assert cumulative_risk(sizes, fraction=fraction) == pytest.approx(expected)


def test_risk_of_a_fifth_is_not_above_a_fifth():
    assert [size_at_risk(tau) for tau in (0.05, 0.09, 0.1, 0.2, 0.33, 1 / 3, 1)] == [
        *(20, 12, 10, 5, 4, 3, 1)
    ]
    assert attacker_risk(np.array([5]), np.array([5]), threshold=0.2).at_risk == 0


@given(sizes_of)
def test_histogram_adds_up(sizes):
    histogram = class_size_histogram(sizes)
    assert dict(
        zip(histogram.sizes.tolist(), histogram.n_classes.tolist(), strict=True)
    ) == Counter(sizes.tolist())
    assert histogram.n_records.sum() == sizes.sum()


@given(sizes_of, st.lists(st.integers(2, 40), unique=True))
def test_bins_hold_the_sizes_from_their_start_to_the_next(sizes, others):
    starts = [1, *sorted(others)]
    found = class_size_histogram(sizes, starts)
    ends = [*starts[1:], 10**9]
    for start, end, n_classes, n_records in zip(
        starts, ends, found.n_classes, found.n_records, strict=True
    ):
        inside = [size for size in sizes.tolist() if start <= size < end]
        assert (n_classes, n_records) == (len(inside), sum(inside))


ROWS = ("20 F CA", "30 F CA", "40 F TX", "20 M NY", "40 M CA")


@pytest.mark.parametrize(
    ("columns", "distinct", "separated"),
    [
        ((1,), 0.4, 0.6),
        ((2,), 0.6, 0.7),
        ((0,), 0.6, 0.8),
        ((1, 2), 0.8, 0.9),
        ((0, 1), 1, 1),
        ((0, 2), 1, 1),
        ((0, 1, 2), 1, 1),
    ],
)
def test_distinction_and_separation(columns, distinct, separated):
    """O-F2."""
    rows = [tuple(row.split()[at] for at in columns) for row in ROWS]
    counts = np.array(list(Counter(rows).values()))
    assert column_distinction(counts) == pytest.approx((distinct, separated))


def test_without_records_there_is_no_risk_to_measure():
    with pytest.raises(InputError) as caught:
        measure_risk(np.empty(0, np.int64))
    assert caught.value.code == "no_classes"
    assert (cumulative_risk(np.empty(0, np.int64)) == 1).all()
    assert column_distinction(np.array([1])) == (1, 0)


@given(st.lists(st.integers(1, 60), max_size=40))
def test_sizes_that_occur_are_counted_whichever_way(counts):
    """Few sizes are counted in one array, many are sorted."""
    found = class_size_histogram(np.array(counts, dtype=np.int64))
    expected = sorted(Counter(counts).items())
    assert found.sizes.tolist() == [size for size, _ in expected]
    assert found.n_classes.tolist() == [number for _, number in expected]
    assert found.n_records.tolist() == [size * number for size, number in expected]


def test_counted_people_of_the_methods_page():
    """O-F1: f = (1, 2, 3), F = (2, 10, 4), threshold 0.2."""
    counts, population = np.array([1, 2, 3]), np.array([2.0, 10.0, 4.0])
    found = measure_risk(counts, threshold=0.2, population=population)
    assert (found.prosecutor.highest, found.prosecutor.average) == (1, 0.5)
    assert found.prosecutor.records_at_risk == 6
    assert found.journalist.highest == 0.5
    mean = (1 / 2 + 2 / 10 + 3 / 4) / 6
    assert found.journalist.average == pytest.approx(max(3 / 16, mean))
    assert found.journalist.records_at_risk == 4
    assert found.marketer == pytest.approx(mean)
    assert found.population == "counted"
    assert "population_is_right" in found.assumptions


def test_what_is_known_of_the_population_is_said():
    counts = np.array([2, 3])
    assert measure_risk(counts).population == "none"
    assert measure_risk(counts, sampling_fraction=0.5).population == "estimated"
    population = np.array([2.0, 3.0])
    found = measure_risk(counts, sampling_fraction=0.5, population=population)
    assert (found.population, found.journalist.highest) == ("counted", 0.5)


def test_counted_people_outrank_what_missing_values_may_match():
    """A missing value that may be anything must not make people look safer."""
    counts, matches = np.array([1, 2]), np.array([3, 3])
    population = np.array([2.0, 2.0])
    found = measure_risk(counts, matches=matches, population=population)
    assert found.prosecutor.highest == pytest.approx(1 / 3)
    assert found.journalist.highest == 0.5


@given(st.lists(st.integers(1, 5), max_size=20), st.data())
def test_without_uniques_is_the_histogram_of_the_others(sizes, data):
    found = class_size_histogram(np.array(sizes, dtype=np.int64))
    assert found.n_uniques == sizes.count(1)
    number = data.draw(st.integers(0, sizes.count(1)))
    left = sorted(sizes)[number:]
    wanted = class_size_histogram(np.array(left, dtype=np.int64))
    for field in ("sizes", "n_classes", "n_records"):
        one, other = (
            getattr(found.without_uniques(number), field),
            getattr(wanted, field),
        )
        assert one.tolist() == other.tolist()
