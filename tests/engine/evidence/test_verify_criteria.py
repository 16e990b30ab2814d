"""How `verify` counts classes by numbers, against counting them by what they say."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.evidence import verify_criteria as criteria
from deidgui.engine.evidence.document import Guessed
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


def guessed_one_by_one(rows):
    """Shares guessed rightly: by class, all, and others; of one value, of none (3)."""
    of_all = Counter(value for _, value in rows)
    best = [v for v, n in of_all.items() if n == max(of_all.values())]
    right = others = uniform = missing = Fraction(0)
    for place, (kind, value) in enumerate(rows):
        own = Counter(v for k, v in rows if k == kind)
        right += Fraction(max(own.values()), sum(own.values()))
        uniform += len(own) == 1
        missing += own.keys() == {3}
        rest = Counter(v for at, (k, v) in enumerate(rows) if k == kind and at != place)
        likely = [v for v, n in rest.items() if n == max(rest.values())] or best
        others += Fraction(value in likely, len(likely))
    n = len(rows)
    blind = Fraction(max(of_all.values()), n)
    return right / n, blind, others / n, uniform / n, missing / n


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)
)
def test_values_are_guessed_as_one_by_one(rows):
    kinds, values = (np.array(each, np.int32) for each in zip(*rows, strict=True))
    rate, baseline, without_own, uniform, missing = map(float, guessed_one_by_one(rows))
    stated = Guessed(
        attribute="a",
        rate=rate,
        baseline=baseline,
        without_own=without_own,
        uniform=uniform,
        missing=missing,
    )
    checks = list(criteria._check_guessed(stated, kinds, values, 3))
    assert len(checks) == 5
    assert all(each.ok for each in checks)
    for name in ("without_own", "missing"):
        more = {name: getattr(stated, name) + 0.01}
        other = stated.model_copy(update=more)
        assert not all(e.ok for e in criteria._check_guessed(other, kinds, values, 3))
