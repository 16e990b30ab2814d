"""Distributions are counted right and tell nothing about single suppressed people."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.evidence.evidence import (
    MOST_LABELS,
    class_sizes,
    distribution,
    hide_few,
)

SIZES = st.lists(st.integers(1, 1500), max_size=40)


@given(SIZES, SIZES, st.integers(5, 30))
def test_bins_and_steps_count_every_record(before, after, few):
    made = class_sizes(np.array(before, np.int64), np.array(after, np.int64), few)
    assert made.before[0].largest == few - 1
    for bins, sizes in ((made.before, before), (made.after, after)):
        for each in bins:
            top = each.largest or 10**9
            inside = [size for size in sizes if each.smallest <= size <= top]
            assert (each.classes, each.records) == (len(inside), sum(inside))
        assert sum(each.records for each in bins) == sum(sizes)
    for step in made.cumulative:
        if after:
            # Decimal limits like 0.334 stand for 1/3: no size is near one of them.
            low = sum(size for size in after if 1 / size <= step.limit + 1e-9)
            assert step.after == pytest.approx(low / sum(after))


def test_risk_of_one_in_five_is_at_most_a_fifth():
    made = class_sizes(np.array([5]), np.array([5]), 5)
    shares = {step.limit: step.after for step in made.cumulative}
    assert (shares[0.167], shares[0.2]) == (0.0, 1.0)


@given(st.lists(st.integers(0, 12), min_size=2, max_size=8), st.integers(2, 6))
def test_no_small_cell_follows_from_the_total(cells, few):
    shown = hide_few(cells, few)
    if not any(cells):
        assert shown == cells
        return
    assert all(cell is None or cell >= few for cell in shown)
    assert all(cell in (None, true) for cell, true in zip(shown, cells, strict=True))
    hidden = [true for cell, true in zip(shown, cells, strict=True) if cell is None]
    assert len(hidden) != 1
    assert not hidden or sum(hidden) >= few or len(hidden) == len(cells)


def test_hiding_examples():
    assert hide_few([0, 0, 0], 5) == [0, 0, 0]
    assert hide_few([7, 9, 30], 5) == [7, 9, 30]
    assert hide_few([2, 9, 30], 5) == [None, None, 30]
    assert hide_few([2, 0, 30], 5) == [None, None, None]
    assert hide_few([3, 2, 30], 5) == [None, None, 30]
    assert hide_few([1, 1, 6, 30], 5) == [None, None, None, 30]


def test_sizes_of_small_classes_of_the_input_are_one_band():
    one = class_sizes(np.array([1, 1, 1, 3, 9]), np.array([9]), 5)
    other = class_sizes(np.array([2, 1, 2, 1, 9]), np.array([9]), 5)
    assert one.cumulative == other.cumulative
    assert [each.records for each in one.before] == [e.records for e in other.before]


def test_labels_of_suppressed_records_are_not_named():
    made = distribution(
        ["young", "old", "107"], np.array([40, 30, 0]), np.array([6, 9, 1]), 5
    )
    assert [each.label for each in made.labels] == ["young", "old"]
    assert "107" not in made.model_dump_json()
    assert made.others is not None
    assert made.others.label == "0"
    assert made.others.suppressed is None
    assert made.labels[0].suppressed is None
    assert made.labels[1].suppressed == 9


def test_rare_labels_are_summed_up():
    n = 300
    released = np.arange(n, 0, -1)
    made = distribution(
        [f"v{place}" for place in range(n)], released, np.zeros(n, np.int64), 5
    )
    assert len(made.labels) == MOST_LABELS
    assert made.others is not None
    assert made.others.label == str(n - MOST_LABELS)
    total = sum(each.released for each in made.labels) + made.others.released
    assert total == released.sum()
