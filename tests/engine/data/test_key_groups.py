"""Equal keys are found alike by compiled code and by a plain sort."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data import grouping
from deidgui.engine.data.grouping import group_keys, sums_by_group
from deidgui.errors import Cancelled


@pytest.fixture(autouse=True, scope="module")
def small_chunks():
    """Let the compiled code run on few keys, in several parts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grouping, "FEW_KEYS", 0)
        patch.setattr(grouping, "_CHUNK", 3)
        yield


KEYS = st.lists(
    st.one_of(st.integers(0, 4), st.integers(0, 5000), st.integers(0, 2**62 - 1)),
    min_size=1,
    max_size=40,
)


@given(KEYS, st.booleans(), st.data())
def test_groups_are_those_of_a_sort_by_comparisons(keys, in_order, data):
    keys = sorted(keys) if in_order else keys
    n_keys = data.draw(st.sampled_from([max(keys) + 1, 2**62]))
    first, of_key = group_keys(np.array(keys, dtype=np.int64), n_keys)
    distinct = sorted(set(keys))
    assert first.tolist() == [keys.index(key) for key in distinct]
    assert of_key.tolist() == [distinct.index(key) for key in keys]
    # Nor do others come out where the memory of the keys is used for the work.
    again = group_keys(np.array(keys, dtype=np.int64), n_keys, owned=True)
    assert [each.tolist() for each in again] == [first.tolist(), of_key.tolist()]
    counts = data.draw(
        st.lists(st.integers(0, 10**17), min_size=len(keys), max_size=len(keys))
    )
    sums = sums_by_group(of_key, np.array(counts, dtype=np.int64), len(first))
    assert sums.tolist() == [
        sum(n for n, other in zip(counts, keys, strict=True) if other == key)
        for key in distinct
    ]


def test_the_keys_themselves_stay_as_they_are():
    keys = np.array([5, 3, 5, 1, 2**40], dtype=np.int64)
    before = keys.copy()
    group_keys(keys, 2**41)
    assert (keys == before).all()


def test_grouping_tells_progress_and_can_be_stopped_anywhere():
    keys = np.random.default_rng(3).integers(0, 2**30, 50)
    told = []

    class Stop:
        def __init__(self, left):
            self.left = left

        def report(self, fraction, _note=""):
            told.append(fraction)
            self.left -= 1
            if self.left < 0:
                raise Cancelled

    group_keys(keys, 2**30, monitor=Stop(10**6))
    whole = list(told)
    assert whole == sorted(whole)
    assert whole[-1] == 1
    for left in range(0, len(whole), 9):
        with pytest.raises(Cancelled):
            group_keys(keys, 2**30, monitor=Stop(left))
