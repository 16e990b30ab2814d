"""Rows are alike exactly when their codes are, however many keys there could be."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data.grouping import (
    MOST_KEYS,
    group_rows,
    group_sizes,
    joint_keys,
    ranks_of,
)


@st.composite
def coded_rows(draw):
    """Rows of codes near both ends of columns that may have very many values."""
    sizes = draw(st.lists(st.sampled_from([1, 2, 3, 1000, 2**31]), max_size=7))
    row = st.tuples(
        *(st.sampled_from(sorted({0, size // 2, size - 1})) for size in sizes)
    )
    return sizes, draw(st.lists(row, max_size=25))


def columns_of(sizes, rows):
    table = np.array(rows, dtype=np.int64).reshape(len(rows), len(sizes))
    return list(table.astype(np.int32).T)


@given(coded_rows())
def test_groups_are_the_distinct_rows_in_order(case):
    sizes, rows = case
    found = group_rows(len(rows), columns_of(sizes, rows), sizes)
    distinct = sorted(set(rows))
    assert [rows[first] for first in found.first] == distinct
    assert [distinct[group] for group in found.of_row] == rows
    assert found.first.tolist() == [rows.index(row) for row in distinct]
    assert found.sums(np.full(len(rows), 3)).tolist() == [
        3 * rows.count(row) for row in distinct
    ]
    counted = group_sizes(len(rows), columns_of(sizes, rows), sizes)
    assert counted.tolist() == [rows.count(row) for row in distinct]


@given(coded_rows(), st.data())
def test_keys_keep_the_order_and_find_other_rows(case, data):
    sizes, rows = case
    keys, rule = joint_keys(len(rows), iter(columns_of(sizes, rows)), sizes)
    assert rule.n_keys <= MOST_KEYS
    assert all(0 <= key < rule.n_keys for key in keys.tolist())
    in_order = sorted(zip(rows, keys.tolist(), strict=True))
    assert [key for _, key in in_order] == sorted(keys.tolist())
    if not sizes or not rows:
        return
    places = data.draw(st.lists(st.sampled_from(range(len(rows))), min_size=1))
    others = columns_of(sizes, [rows[place] for place in places])
    assert rule.keys(others).tolist() == keys[places].tolist()


def test_key_of_no_known_row_is_refused():
    with pytest.raises(AssertionError):
        ranks_of(np.array([2]), np.array([1, 3]))
    with pytest.raises(AssertionError):
        ranks_of(np.array([4]), np.array([1, 3]))


def test_equal_rows_beyond_63_bits_are_told_apart():
    # Without ranks, 2**70 keys wrap around: both rows would get the key 0.
    sizes = [2**35, 2**35]
    columns = [np.array([0, 2**29]), np.array([0, 0])]
    assert group_rows(2, columns, sizes).of_row.tolist() == [0, 1]


@pytest.mark.parametrize(("group", "most"), [(group_rows, 32), (group_sizes, 24)])
def test_rows_of_their_own_take_few_bytes_each(group, most):
    n = 200_000
    codes = np.random.default_rng(5).permutation(n).astype(np.int32)
    group(n, [codes, codes], [n, n])  # What is compiled is loaded once.
    tracemalloc.start()
    try:
        group(n, [codes, codes], [n, n])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < most * n
