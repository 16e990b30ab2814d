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


def test_labels_that_are_rare_in_one_of_both_are_joined():
    found = shift_of({"a": 100, "b": 4, "c": 2}, {"a": 100, "b": 1, "d": 4})
    assert found.cells == {"a": (100, 100)}
    assert found.rest == (6, 5)
    # Nor is a label named that nobody has now.
    found = shift_of({"a": 200, "b": 8, "c": 9}, {"a": 200, "b": 0, "c": 3})
    assert set(found.cells) == {"a"}


def test_few_records_of_the_earlier_release_are_not_counted():
    """With one label among the rest its count would be the label's."""
    before = {"a": 500, "b": 20, "80-89": 1}
    found = shift_of(before, {"a": 500, "b": 25, "80-89": 9})
    assert found.cells == {"a": (500, 500)}
    assert found.rest == (21, 34)
    assert found.is_comparable


def test_a_new_label_is_not_hidden_among_the_rare_ones():
    assert not shift_of({"a": 100}, {"b": 100}).is_comparable
    found = shift_of({"a": 95, "b": 5}, {"a": 95, "c": 10})
    assert found.rest == (5, 10)
    assert found.is_comparable
    assert not shift_of({"a": 95, "b": 5}, {"a": 80, "c": 20}).is_comparable
    # 0 counts as half a record.
    index = stability_index([(100, 0), (0, 100)])
    assert index == pytest.approx(2 * 0.995 * math.log(200))


def test_where_nothing_is_the_same_any_more_nothing_is_compared():
    """40 labels are told one by one; what the others became is not seen."""
    before = {f"before {n}": 50 for n in range(40)}
    now = {f"now {n}": 50 for n in range(40)}
    found = shift_of(before, now, (3000, 3000))
    assert found.totals == (5000, 5000)
    assert not found.is_comparable


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
    assert all(min(each) >= FEW for each in found.cells.values())
    assert not found.cells or found.rest[0] == 0 or found.rest[0] >= FEW
    assert found.stability >= -1e-12
    hidden = [
        rest / total
        for rest, total in zip(found.rest, found.totals, strict=True)
        if total
    ]
    assert found.is_comparable == all(share <= 0.1 for share in hidden)
