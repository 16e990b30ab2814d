"""Distinction and separation of sets of columns: methods F.1."""

import csv
import gzip
from collections import Counter
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data.table import Column
from deidgui.engine.detect import subsets
from deidgui.engine.detect.subsets import (
    column_distinction,
    subsets_of_codes,
    subsets_of_columns,
)
from deidgui.errors import Cancelled
from tests.shared import shared


def oracle(rows):
    """Distinction and separation by looking at every pair of records."""
    pairs = list(combinations(rows, 2))
    differ = sum(left != right for left, right in pairs)
    return len(set(rows)) / len(rows), differ / len(pairs) if pairs else 0.0


def by_names(table):
    return {
        table.names(place): (table.distinction[place], table.separation[place])
        for place in range(len(table.members))
    }


def test_oracle_f2():
    rows = [("20", "F", "CA"), ("30", "F", "CA"), ("40", "F", "TX"), ("20", "M", "NY"),
            ("40", "M", "CA")]  # fmt: skip
    columns = [
        Column.from_texts(name, texts)
        for name, texts in zip(("age", "sex", "state"), zip(*rows, strict=True),
                               strict=True)
    ]  # fmt: skip
    table = subsets_of_columns(columns)
    assert by_names(table) == {
        ("sex",): pytest.approx((0.4, 0.6)),
        ("state",): pytest.approx((0.6, 0.7)),
        ("age",): pytest.approx((0.6, 0.8)),
        ("sex", "state"): pytest.approx((0.8, 0.9)),
        ("age", "sex"): pytest.approx((1, 1)),
        ("age", "state"): pytest.approx((1, 1)),
        ("age", "sex", "state"): pytest.approx((1, 1)),
    }
    assert list(table.sizes) == [1, 1, 1, 2, 2, 2, 3]
    assert table.complete


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_all_subsets_equal_the_oracle(data):
    n_columns = data.draw(st.integers(1, 5))
    n_rows = data.draw(st.integers(1, 25))
    row = st.tuples(*[st.integers(0, 3)] * n_columns)
    rows = data.draw(st.lists(row, min_size=n_rows, max_size=n_rows))
    most = data.draw(st.none() | st.integers(1, n_columns))
    names = [f"c{place}" for place in range(n_columns)]
    columns = [
        Column.from_texts(name, [str(row[place]) for row in rows])
        for place, name in enumerate(names)
    ]
    table = subsets_of_columns(columns, most)
    expected = {
        tuple(names[place] for place in chosen): pytest.approx(
            oracle([tuple(row[place] for place in chosen) for row in rows])
        )
        for size in range(1, (most or n_columns) + 1)
        for chosen in combinations(range(n_columns), size)
    }
    assert by_names(table) == expected


@pytest.mark.parametrize("dense", [-10_000, 1 << 20])
def test_hashed_and_dense_grouping_agree(monkeypatch, dense):
    monkeypatch.setattr(subsets, "_DENSE", dense)
    monkeypatch.setattr(subsets, "_CHUNK", 64)
    rng = np.random.default_rng(4)
    codes = rng.integers(0, [3, 40, 7, 11], (500, 4)).astype(np.int32)
    counts = rng.integers(1, 5, 500)
    table = subsets_of_codes("abcd", codes, counts)
    for place, members in enumerate(table.members):
        groups = Counter()
        for row, count in zip(codes[:, members].tolist(), counts, strict=True):
            groups[tuple(row)] += int(count)
        sizes = np.array(list(groups.values()))
        assert table.distinction[place] == pytest.approx(len(groups) / counts.sum())
        alike = (sizes * (sizes - 1)).sum() / (counts.sum() * (counts.sum() - 1))
        assert table.separation[place] == pytest.approx(1 - alike)


def test_more_than_twelve_columns():
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 3, (60, 14)).astype(np.int32)
    names = [f"c{place}" for place in range(14)]
    table = subsets_of_codes(names, codes, np.ones(60, np.int64))
    assert not table.complete
    sizes = Counter(table.sizes.tolist())
    assert sizes == {1: 14, 2: 91, 3: 364, 13: 14, 14: 1}
    last = [tuple(row) for row in codes.tolist()]
    assert table.distinction[-1] == pytest.approx(len(set(last)) / 60)
    small = subsets_of_codes(names, codes, np.ones(60, np.int64), 2)
    assert small.complete
    assert len(small.members) == 14 + 91


def test_too_much_work_is_cut_down(monkeypatch):
    monkeypatch.setattr(subsets, "_MOST_WORK", 10)
    codes = np.arange(40, dtype=np.int32).reshape(8, 5)
    table = subsets_of_codes("abcde", codes, np.ones(8, np.int64))
    assert not table.complete
    assert Counter(table.sizes.tolist()) == {1: 5, 2: 10, 3: 10, 4: 5, 5: 1}


def test_keys_that_leave_62_bits():
    n_rows = 300
    rng = np.random.default_rng(6)
    texts = pl.Series([f"{k:06d}" for k in range(100_000)])
    columns = [
        Column(f"c{place}", rng.integers(0, 100_000, n_rows).astype(np.int32), texts)
        for place in range(5)  # 10^25 possible combinations
    ]
    table = subsets_of_columns(columns)
    rows = list(zip(*[column.codes.tolist() for column in columns], strict=True))
    every = ("c0", "c1", "c2", "c3", "c4")
    assert by_names(table)[every] == pytest.approx(oracle(rows))


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([], (0, 0)),
        ([0, 0], (0, 0)),
        ([1], (1, 0)),
        ([3], (1 / 3, 0)),
        ([1, 1], (1, 1)),
    ],
)
def test_columns_at_the_edge(counts, expected):
    assert column_distinction(np.array(counts, np.int64)) == pytest.approx(expected)


def test_pairs_of_many_records_are_exact():
    counts = np.array([3_000_000_000, 1], np.int64)
    n = 3_000_000_001
    expected = 1 - (3_000_000_000 * 2_999_999_999) / (n * (n - 1))
    assert column_distinction(counts)[1] == pytest.approx(expected, rel=1e-6)


def test_no_records():
    table = subsets_of_codes("ab", np.empty((0, 2), np.int32), np.empty(0, np.int64))
    assert not table.distinction.any()
    assert not table.separation.any()


def test_adult_has_19502_combinations():
    """Oracle O-F3: 19,502 classes over all nine quasi-identifiers."""
    path = shared("data", "adult_hierarchies", "adult.csv.gz")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        header, *rows = csv.reader(file, delimiter=";")
    columns = [
        Column.from_texts(name, [row[place] for row in rows])
        for place, name in enumerate(header)
    ]
    table = subsets_of_columns(columns)
    assert len(table.members) == 511
    assert round(table.distinction[-1] * len(rows)) == 19_502
    assert table.distinction[-1] == pytest.approx(0.6465751608)
    assert bool((np.diff(table.sizes) >= 0).all())


def test_progress_and_cancel():
    seen = []

    class Recorder:
        def report(self, fraction, note=""):
            seen.append(fraction)
            if len(seen) > 20:
                raise Cancelled

    codes = np.arange(60, dtype=np.int32).reshape(10, 6)
    with pytest.raises(Cancelled):
        subsets_of_codes("abcdef", codes, np.ones(10, np.int64), monitor=Recorder())
    assert seen == sorted(seen)
