"""Adversary power: the published conditions and values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.longitudinal.power import adversary_power
from tests.engine.longitudinal.small_histories import history_of, some_people

TEN = Hierarchy.from_grid("code", [(str(each), "*") for each in range(10)])

# methods.md O-E2: values of a person, most, power.
BY_HAND = [
    ([0, 0, 1], 5, 2),
    ([0, 0], 5, 2),
    ([0, 1], 5, 1),
    ([0], 5, 1),
    ([0] * 10, 5, 5),
    (list(range(10)), 5, 1),
    ([0] * 10, 15, 10),
]


@pytest.mark.parametrize(("values", "most", "power"), BY_HAND)
def test_by_hand(values, most, power):
    history = history_of([(0, values)], TEN)
    assert adversary_power(history, most).tolist() == [[power]]


def test_nothing_is_known_of_who_has_no_events():
    history = history_of([(0, [1, 1]), (1, [])])
    for diversity in ("entropy", "simpson", "none"):
        assert adversary_power(history, 5, diversity).tolist() == [[2], [0]]


def test_constant_power_is_cut_to_the_number_of_events():
    history = history_of([(0, [0, 1, 2]), (0, [0])])
    assert adversary_power(history, 2, "none").tolist() == [[2], [1]]


def test_simpson_diversity_by_hand():
    # Of 3 pairs of A, A, B one is alike: D = 2/3, power 1 + 2/3 rounded.
    assert adversary_power(history_of([(0, [0, 0, 1])]), 5, "simpson").tolist() == [[2]]


@given(some_people, st.integers(1, 6), st.sampled_from(["entropy", "simpson", "none"]))
def test_limits_and_growth(people, most, diversity):
    history = history_of(people)
    power = adversary_power(history, most, diversity)
    n = history.n_events_of[:, None]
    assert ((power >= 1) | (n == 0)).all()
    assert (power <= np.minimum(most, n)).all()
    # More of everything that a person has is no less power.
    twice = history_of([(sex, events * 2) for sex, events in people])
    assert (adversary_power(twice, most, diversity) >= power).all()
