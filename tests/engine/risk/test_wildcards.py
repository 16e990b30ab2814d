"""A missing value fits every value: counted pair by pair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.risk import wildcards
from deidgui.engine.risk.wildcards import match_sizes
from deidgui.errors import ResourceError

rows = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)),
    min_size=1,
    max_size=40,
)


def by_pairs(records, missing):
    def agree(left, right):
        return all(
            a == b or gap in (a, b)
            for a, b, gap in zip(left, right, missing, strict=True)
        )

    return [sum(agree(one, other) for other in records) for one in records]


@given(rows, st.tuples(*[st.sampled_from([None, 0])] * 3))
def test_equal_to_comparing_all_pairs(records, missing):
    labels, counts = np.unique(np.array(records), axis=0, return_counts=True)
    found = match_sizes(labels, counts, missing)
    gaps = [-1 if each is None else each for each in missing]
    expected = dict(zip(records, by_pairs(records, gaps), strict=True))
    assert found.tolist() == [expected[tuple(row)] for row in labels.tolist()]


def test_without_missing_values_the_class_sizes_come_back():
    labels = np.array([[0, 1], [1, 0], [1, 1]])
    counts = np.array([3, 1, 7])
    assert match_sizes(labels, counts, [None, None]).tolist() == [3, 1, 7]


def test_too_many_patterns_are_refused(monkeypatch):
    monkeypatch.setattr(wildcards, "MAX_PATTERNS", 1)
    with pytest.raises(ResourceError):
        match_sizes(np.array([[0], [1]]), np.array([1, 1]), [0])
