"""Risk of sets of attributes: against plain counting, and what follows for designs."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.covering.construct import DesignMaker
from deidgui.engine.covering.subsets import Combinations, risks_of, risks_of_all
from deidgui.errors import ConfigError

tables = st.integers(1, 5).flatmap(
    lambda m: st.lists(
        st.tuples(st.tuples(*[st.integers(0, 2)] * m), st.integers(1, 3)),
        min_size=1,
        max_size=12,
    )
)


def combinations_of(rows):
    codes = np.array([values for values, _ in rows], np.int32).T
    counts = np.array([count for _, count in rows], np.int64)
    return Combinations(np.ascontiguousarray(codes), counts)


def by_hand(rows, subset, size_at_risk):
    """Smallest class, classes, and records in small ones."""
    sizes = Counter()
    for values, count in rows:
        sizes[tuple(values[at] for at in subset)] += count
    at_risk = sum(size for size in sizes.values() if size < size_at_risk)
    return min(sizes.values()), len(sizes), at_risk


@given(tables, st.data())
@settings(deadline=None)
def test_against_plain_counting(rows, data):
    table = combinations_of(rows)
    size = data.draw(st.integers(1, table.n_attributes))
    size_at_risk = data.draw(st.integers(1, 5))
    found = risks_of_all(table, size, size_at_risk)
    every = list(combinations(range(table.n_attributes), size))
    assert [tuple(each) for each in found.subsets.tolist()] == every
    measured = zip(found.smallest, found.n_classes, found.n_at_risk, strict=True)
    for subset, figures in zip(every, measured, strict=True):
        assert tuple(figures) == by_hand(rows, subset, size_at_risk)


@given(tables, st.data())
@settings(deadline=None)
def test_blocks_never_show_less_than_the_sets_in_them(rows, data):
    """O-C6, and why a design is safe."""
    table = combinations_of(rows)
    m = table.n_attributes
    k = data.draw(st.integers(1, m))
    t = data.draw(st.integers(1, k))
    design = DesignMaker().design(m, k, t)
    blocks = risks_of(table, design.points(), 3)
    every = risks_of_all(table, t, 3)
    assert blocks.highest.max() >= every.highest.max()
    assert blocks.average.max() >= every.average.max()
    assert blocks.n_at_risk.max() >= every.n_at_risk.max()
    riskiest = blocks.order()[0]
    assert blocks.n_at_risk[riskiest] == blocks.n_at_risk.max()


def test_what_is_always_known():
    rows = [((0, 0, 1), 1), ((0, 1, 1), 2), ((1, 0, 0), 1)]
    table = combinations_of(rows)
    found = risks_of_all(table, 2, 2, always=[1])
    assert found.subsets.tolist() == [[0, 1], [1, 2]]
    for subset, smallest in zip(found.subsets, found.smallest, strict=True):
        assert smallest == by_hand(rows, subset, 2)[0]


def test_more_than_there_are_is_refused():
    table = combinations_of([((0, 1), 1)])
    for n_known, always in ((3, ()), (0, ()), (1, (0, 1))):
        with pytest.raises(ConfigError, match="known_attributes"):
            risks_of_all(table, n_known, 2, always)


def test_many_rows_against_numpy():
    chance = np.random.default_rng(1)
    codes = chance.integers(0, 7, (6, 20_000)).astype(np.int32)
    table = Combinations(codes, np.ones(20_000, np.int64))
    found = risks_of_all(table, 4, 11)
    for at, subset in enumerate(found.subsets):
        _, sizes = np.unique(codes[subset].T, axis=0, return_counts=True)
        assert found.smallest[at] == sizes.min()
        assert found.n_classes[at] == len(sizes)
        assert found.n_at_risk[at] == sizes[sizes < 11].sum()
