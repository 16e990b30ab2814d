"""What an adversary finds who knows some rows of a person, against plain counting."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data.people import ValueSets
from deidgui.engine.risk.rows_known import risk_of_rows

Histories = list[tuple[frozenset[int], int]]
"""Classes of rows that a person is in, and how many more rows there are than those."""

histories = st.lists(
    st.tuples(st.frozensets(st.integers(0, 5), min_size=1), st.integers(0, 2)),
    min_size=1,
    max_size=15,
)


def sets_of(people: Histories) -> tuple[ValueSets, np.ndarray]:
    starts = np.cumsum([0, *(len(shown) for shown, _ in people)])
    codes = [code for shown, _ in people for code in sorted(shown)]
    n_rows = np.array([len(shown) + more for shown, more in people])
    return ValueSets(starts.astype(np.int64), np.array(codes, np.int64)), n_rows


@given(histories)
def test_risk_is_one_over_the_people_who_fit(people: Histories) -> None:
    found = {each.known: each for each in risk_of_rows(*sets_of(people), 0.4)}
    sizes = [len(shown) + more for shown, more in people]

    def fits(known: frozenset[int]) -> int:
        return sum(known <= other for other, _ in people)

    expected = {
        "one": [min(fits(frozenset([c])) for c in shown) for shown, _ in people],
        "two": [
            min(
                fits(frozenset(some)) for n in (1, 2) for some in combinations(shown, n)
            )
            for shown, _ in people
        ],
        "all": [sum(shown == other for other, _ in people) for shown, _ in people],
        "all_and_number": [
            sum(
                (shown, size) == (other, n)
                for (other, _), n in zip(people, sizes, strict=True)
            )
            for (shown, _), size in zip(people, sizes, strict=True)
        ],
    }
    for known, alike in expected.items():
        assert found[known].highest == pytest.approx(max(1 / n for n in alike))
        assert found[known].average == pytest.approx(
            sum(1 / n for n in alike) / len(alike)
        )
        assert found[known].n_at_risk == sum(1 / n > 0.4 for n in alike)


def test_nobody_released_has_no_risk() -> None:
    empty = ValueSets(np.zeros(1, np.int64), np.empty(0, np.int64))
    assert risk_of_rows(empty, np.empty(0, np.int64)) == ()
