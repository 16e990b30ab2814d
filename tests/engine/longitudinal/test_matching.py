"""Who matches: compiled counts against a look at every person."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.longitudinal import matching
from deidgui.engine.longitudinal.kernels import draw_events, start_of
from deidgui.engine.longitudinal.matching import Matcher
from tests.engine.longitudinal.small_histories import (
    history_of,
    match_sizes,
    matches,
    some_people,
    values_of,
)

levels = st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 2))
shares = st.sampled_from([1, 2, 1000])
"""With 1 nothing is kept as bits that not everybody has; with 1000 everything is."""


def counted(node, people, powers, *, seed, draw, enough=0):
    draws = np.full(len(people), draw)
    return node.counts(people, powers, seed=seed, draws=draws, enough=enough)


@pytest.fixture(autouse=True)
def _share(monkeypatch):
    monkeypatch.setattr(matching, "SHARE_OF_BITS", matching.SHARE_OF_BITS)


@given(some_people, levels, shares)
@settings(deadline=None)
def test_who_knows_all_events(people, levels, share):
    matching.SHARE_OF_BITS = share
    history = history_of(people)
    everybody = np.arange(history.n_people)
    powers = np.full((history.n_people, 2), 99, np.int32)
    node = Matcher(history).at(levels)
    found = counted(node, everybody, powers, seed=1, draw=0)
    others = [values_of(history, person, levels) for person in everybody]
    assert found.tolist() == [sum(matches(a, b) for b in others) for a in others]
    stopped = counted(node, everybody, powers, seed=1, draw=0, enough=2)
    assert (np.minimum(stopped, 2) == np.minimum(found, 2)).all()


@given(some_people, levels, shares, st.integers(0, 3), st.integers(0, 2**31))
@settings(deadline=None)
def test_each_draw_is_one_that_may_be_known(people, levels, share, power, seed):
    matching.SHARE_OF_BITS = share
    history = history_of(people)
    everybody = np.arange(history.n_people)
    powers = np.full((history.n_people, 2), power, np.int32)
    node = Matcher(history).at(levels)
    for draw in range(3):
        found = counted(node, everybody, powers, seed=seed, draw=draw)
        for person in everybody:
            possible = match_sizes(history, person, levels, powers)
            assert found[person] in {len(each) for each in possible}
            assert found[person] >= 1


@given(some_people, st.integers(0, 1000))
@settings(deadline=None)
def test_what_is_known_does_not_depend_on_the_node(people, seed):
    """A more general node never has fewer matches for the same draw."""
    history = history_of(people)
    everybody = np.arange(history.n_people)
    powers = np.full((history.n_people, 2), 2, np.int32)
    matcher = Matcher(history)
    below = counted(matcher.at((0, 0, 0)), everybody, powers, seed=seed, draw=5)
    for above in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 2), (1, 1, 2)):
        found = counted(matcher.at(above), everybody, powers, seed=seed, draw=5)
        assert (found >= below).all()


def test_more_equal_values_than_there_are_rows_of_bits_for():
    history = history_of([(0, [0] * 20), (0, [0] * 30), (0, [0] * 17 + [1] * 9)])
    powers = np.array([[18], [18], [26]], np.int32)
    found = counted(Matcher(history).at((0, 0)), np.arange(3), powers, seed=1, draw=0)
    assert found.tolist() == [2, 2, 1]


def test_many_people_who_are_alike():
    """Classes over several words of bits, at their edges."""
    people = [(n % 2, [0, 0] if n % 3 else [0, 1]) for n in range(1000)]
    node = Matcher(history_of(people)).at((0, 0))
    powers = np.full((1000, 1), 2, np.int32)
    found = counted(node, np.arange(1000), powers, seed=1, draw=0)
    for n, (sex, events) in enumerate(people):
        assert found[n] == people.count((sex, events))


def test_every_choice_of_events_is_equally_likely():
    """Chi-squared of 60,000 draws of 3 of 5 events over the 10 choices."""
    chosen, counts = np.empty(3, np.int64), {}
    for draw in range(60_000):
        draw_events(5, 3, np.uint64(start_of(7, draw, 3, 1)), chosen)
        key = tuple(sorted(chosen.tolist()))
        counts[key] = counts.get(key, 0) + 1
    assert len(counts) == 10
    expected = 6000
    chi_squared = sum((n - expected) ** 2 / expected for n in counts.values())
    # 9 degrees of freedom: more than 33.7 once in 10,000.
    assert chi_squared < 33.7


@given(some_people, levels)
@settings(deadline=None)
def test_who_stands_for_others_matches_as_many(people, levels):
    """People with one event each who show the same are matched once."""
    history = history_of(people)
    node = Matcher(history).at(levels)
    everybody = np.arange(history.n_people)
    powers = np.full((history.n_people, 2), 99, np.int32)
    found = counted(node, everybody, powers, seed=1, draw=0)
    each, of_given = node.different(everybody)
    assert (found[each][of_given] == found).all()
    shown = [values_of(history, person, levels) for person in each]
    once = [own for own in shown if sum(own[1][0].values()) == 1]
    assert all(once.count(own) == 1 for own in once)
