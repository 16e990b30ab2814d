"""The solution that loses least, against a look at every node."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.search import least_loss as searching
from deidgui.engine.search.lattice import Lattice
from deidgui.engine.search.least_loss import least_loss

SIZES = (3, 4, 2, 3)


@st.composite
def cases(draw):
    """A lattice, nodes above which everything is a solution, and losses by level."""
    low = tuple(draw(st.integers(0, 1)) for _ in SIZES)
    high = tuple(size - 1 for size in SIZES)
    inside = st.tuples(*(st.integers(a, b) for a, b in zip(low, high, strict=True)))
    least = draw(st.lists(inside, max_size=6))
    steps = st.sampled_from([0.0, 0.125, 0.25, 1.0])
    losses = [
        np.cumsum(draw(st.lists(steps, min_size=size, max_size=size))) for size in SIZES
    ]
    return Lattice(high, low, high), least, losses


def solves(least):
    return lambda levels: any(
        all(a <= b for a, b in zip(each, levels, strict=True)) for each in least
    )


def every_loss(lattice, is_solution, losses):
    """Loss of every solution, by levels."""
    ranges = (
        range(a, b + 1) for a, b in zip(lattice.minimum, lattice.maximum, strict=True)
    )
    return {
        levels: sum(each[at] for each, at in zip(losses, levels, strict=True))
        for levels in itertools.product(*ranges)
        if is_solution(levels)
    }


@given(cases())
@settings(deadline=None, max_examples=200)
def test_it_is_the_best_of_all_and_nothing_below_it_is_one(case):
    lattice, least, losses = case
    is_solution = solves(least)
    every = every_loss(lattice, is_solution, losses)
    asked = []

    def looked(levels):
        asked.append(levels)
        return is_solution(levels)

    found = least_loss(lattice, looked, losses)
    assert len(asked) == len(set(asked)) == found.n_checks
    if not every:
        assert found.node is None
        return
    assert found.is_proven
    assert found.is_minimal
    assert found.loss == found.bound == min(every.values())
    assert every[lattice.levels_of(found.node)] == found.loss
    below = lattice.predecessors(found.node).tolist()
    assert not any(lattice.levels_of(node) in every for node in below)


@given(cases(), st.integers(1, 12))
@settings(deadline=None, max_examples=100)
def test_what_is_proven_of_an_early_end_is_true(case, most):
    lattice, least, losses = case
    is_solution = solves(least)
    every = every_loss(lattice, is_solution, losses)
    asked = []

    def looked(levels):
        asked.append(levels)
        return is_solution(levels)

    found = least_loss(lattice, looked, losses, may_go_on=lambda: len(asked) < most)
    assert len(asked) <= most
    best = min(every.values(), default=np.inf)
    if found.node is not None:
        assert found.bound <= best <= found.loss
        assert every[lattice.levels_of(found.node)] == found.loss
    if found.is_minimal:
        below = lattice.predecessors(found.node).tolist()
        assert not any(lattice.levels_of(node) in every for node in below)


def test_of_too_many_nodes_a_minimal_one_is_found(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(searching, "MOST_NODES", 10)
    lattice = Lattice((2, 2, 2), (0, 0, 0), (2, 2, 2))
    losses = [np.array([0.0, 1.0, 2.0])] * 3
    found = least_loss(lattice, solves([(1, 0, 1)]), losses)
    assert lattice.levels_of(found.node) == (1, 0, 1)
    assert found.is_minimal
    assert not found.is_proven
    assert found.bound == 0
