"""Attack 1 on people of one record each, against plain enumeration."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.attack.records_known import RecordsKnown
from deidgui.errors import ConfigError

kinds = st.lists(
    st.tuples(
        st.integers(0, 3), st.integers(0, 2), st.integers(-1, 1), st.integers(1, 4)
    ),
    min_size=1,
    max_size=8,
)


def made(rows, fraction=1.0):
    columns = np.array(rows, np.int64).T
    return RecordsKnown((columns[0], columns[1]), columns[2], columns[3], fraction)


def enumerated(rows):
    """Every person, every released record that can be theirs."""
    people = [row for row in rows for _ in range(row[3])]
    total = 0.0
    for one in people:
        fits = [
            other
            for other in people
            if other[2] >= 0 and one[other[2]] == other[other[2]]
        ]
        total += 1 / len(fits) if one[2] >= 0 else 0
    return total / len(people)


@given(kinds, st.integers(0, 2**31))
@settings(deadline=None, max_examples=100)
def test_expectation_enumeration_and_simulation_agree(rows, seed):
    attack, n_runs = made(rows, 0.6), 3000
    exact = attack.expected()
    assert exact == pytest.approx(0.6 * enumerated(rows))
    found = attack.simulate(n_runs, seed)
    error = math.sqrt(exact * (1 - exact) / n_runs)
    assert abs(found.share - exact) <= 5 * error + 1e-9
    assert found.low <= found.share <= found.high


def test_by_hand():
    """Classes of 2 and 3 people, and one who is suppressed: (1 + 1 + 0) / 6."""
    attack = RecordsKnown(
        (np.array([0, 1, 0]),), np.array([0, 0, -1]), np.array([2, 3, 1])
    )
    assert attack.expected() == pytest.approx(2 / 6)


def test_what_cannot_be_is_refused():
    with pytest.raises(ConfigError, match="sampling_fraction"):
        made([(0, 0, 0, 1)], 1.5)
    nobody = np.zeros(0, np.int64)
    with pytest.raises(ConfigError, match="nobody_there"):
        RecordsKnown((nobody,), nobody, nobody)
