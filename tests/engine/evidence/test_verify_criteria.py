"""How `verify` counts classes by numbers, against counting them by what they say."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.evidence import verify_criteria as criteria
from deidgui.engine.evidence.rows_seen import RowsSeen

ROWS = st.lists(
    st.tuples(
        st.integers(0, 3), st.sampled_from([0, 1, 2**31 - 1]), st.integers(0, 2**31)
    ),
    min_size=1,
    max_size=30,
)


@given(ROWS)
def test_one_number_stands_for_what_several_columns_say(rows):
    found = criteria._as_one(np.array(rows, np.int64)).tolist()
    assert len(set(zip(found, rows, strict=True))) == len(set(found)) == len(set(rows))


@given(ROWS)
def test_rows_that_are_alike_are_counted(rows):
    keys = criteria._as_one(np.array(rows, np.int64))
    ends = np.flatnonzero(criteria._first_ones(keys.copy()))
    assert sorted(np.diff(ends)) == sorted(Counter(rows).values())
    sizes = np.arange(1, len(rows) + 1)
    expected = Counter()
    for row, size in zip(rows, sizes.tolist(), strict=True):
        expected[row] += size
    assert sorted(criteria._sums(keys, sizes)) == sorted(expected.values())
    alike = criteria._like(np.array(rows, np.int64), np.ones(len(rows), np.int64))
    assert alike.tolist() == [rows.count(row) for row in rows]


RELEASED = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from("xyz"), st.booleans()),
    min_size=1,
    max_size=40,
).filter(lambda rows: any(taken for _, _, taken in rows))


def seen_of(rows):
    """Take rows of a class and a text; those that are not released are stars."""
    seen = RowsSeen([0, 1], {"text": (1, frozenset())}, {"text": 1}, None)
    shown = [(str(kind), text) if taken else ("*", "*") for kind, text, taken in rows]
    keys = [(kind,) for kind, _, _ in rows]
    seen.add(keys, [list(each) for each in zip(*shown, strict=True)])
    return seen


@given(RELEASED, st.sampled_from([2, 1 << 20]))
def test_rows_are_compared_in_the_memory_that_they_take(rows, at_once):
    seen = seen_of(rows)
    released = [(kind, text) for kind, text, taken in rows if taken]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(criteria, "_AT_ONCE", at_once)
        is_released = seen.released(len(rows) - len(released))
        assert is_released.tolist() == [taken for _, _, taken in rows]
        of_row = np.asarray(seen.classes)[is_released]
        sizes = Counter(kind for kind, _ in released)
        assert sorted(filter(None, criteria._sizes(of_row))) == sorted(sizes.values())
        found = criteria._agreeing(seen, is_released, of_row, "text")
        alone = criteria._alone_on_all(seen, is_released)
    counts = Counter(released)
    assert found == (len(counts), min(counts.values()))
    assert alone == sum(n == 1 for n in counts.values()) / len(released)
    assert not seen.texts
    assert not seen.hashes


@given(RELEASED)
def test_suppressed_rows_are_the_first_rows_of_stars(rows):
    seen = seen_of(rows)
    n_stars = sum(not taken for _, _, taken in rows)
    for n_suppressed in range(n_stars + 1):
        left, is_released = n_suppressed, []
        for _, _, taken in rows:
            is_released.append(taken or not left)
            left -= not is_released[-1]
        assert seen.released(n_suppressed).tolist() == is_released
