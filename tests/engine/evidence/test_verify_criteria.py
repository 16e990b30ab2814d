"""How `verify` counts classes by numbers, against counting them by what they say."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.evidence import verify_criteria as criteria

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
    assert sorted(criteria._alike(keys.copy())) == sorted(Counter(rows).values())
    sizes = np.arange(1, len(rows) + 1)
    expected = Counter()
    for row, size in zip(rows, sizes.tolist(), strict=True):
        expected[row] += size
    assert sorted(criteria._sums(keys, sizes)) == sorted(expected.values())
    alike = criteria._like(np.array(rows, np.int64), np.ones(len(rows), np.int64))
    assert alike.tolist() == [rows.count(row) for row in rows]
