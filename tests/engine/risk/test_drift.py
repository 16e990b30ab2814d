"""How far a distribution has moved: the oracle, and what joining must not hide."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.risk.drift import FEW, LOOK, REDO, shift_of, stability_index

LABELS = st.sampled_from("abcdef")
COUNTS = st.dictionaries(LABELS, st.integers(0, 400))


def test_o_h21():
    """determination.md part 6: .5 .3 .2 became .4 .4 .2."""
    assert stability_index([(50, 40), (30, 40), (20, 20)]) == pytest.approx(
        0.0511, abs=5e-5
    )
    assert 0.1 * math.log(1.25) == pytest.approx(0.0223, abs=5e-5)
    assert 0.1 * math.log(4 / 3) == pytest.approx(0.0288, abs=5e-5)


def test_as_many_more_of_each_have_not_moved():
    assert stability_index([(10, 100), (20, 200)]) == pytest.approx(0)
    assert stability_index([(0, 5)]) == 0
    assert stability_index([]) == 0


def test_labels_that_are_rare_in_both_are_joined():
    found = shift_of({"a": 100, "b": 4, "c": 2}, {"a": 100, "b": 1, "d": 4})
    assert found.cells == {"a": (100, 100)}
    assert found.rest == (6, 5)


def test_a_new_label_is_not_hidden_among_the_rare_ones():
    found = shift_of({"a": 100}, {"b": 100})
    assert found.cells == {"a": (100, 0), "b": (0, 100)}
    assert found.stability > REDO
    # 0 counts as half a record.
    assert found.stability == pytest.approx(2 * 0.995 * math.log(200))


def test_what_may_be_among_the_others_is_not_compared_by_itself():
    found = shift_of({"a": 100, "b": 50}, {"a": 100, "c": 30}, (40, 60))
    assert found.cells == {"a": (100, 100)}
    assert found.rest == (90, 90)
    assert found.stability == pytest.approx(0)


def test_a_moderate_change_is_looked_at():
    found = shift_of({"a": 500, "b": 500}, {"a": 640, "b": 360})
    assert found.stability < LOOK
    found = shift_of({"a": 500, "b": 500}, {"a": 680, "b": 320})
    assert LOOK < found.stability < REDO


@given(COUNTS, COUNTS, st.tuples(st.integers(0, 50), st.integers(0, 50)))
def test_every_record_is_counted_once(before, now, others):
    found = shift_of(before, now, others)
    pairs = [*found.cells.values(), found.rest]
    assert sum(each[0] for each in pairs) == sum(before.values()) + others[0]
    assert sum(each[1] for each in pairs) == sum(now.values()) + others[1]
    assert all(max(each) >= FEW for each in found.cells.values())
    assert found.stability >= -1e-12
    other_way = shift_of(now, before, (others[1], others[0]))
    assert other_way.stability == pytest.approx(found.stability)
