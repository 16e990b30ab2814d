"""Splitting keeps people whole, loses none, and is fair to every part."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from deidgui.engine.population import splitting
from deidgui.engine.population.splitting import split_counts

CELLS = st.lists(
    st.tuples(
        st.integers(0, 10**12),
        st.lists(st.integers(0, 10**9), min_size=1, max_size=8).filter(any),
    ),
    max_size=12,
)


def split(cells):
    n_parts = np.array([len(weights) for _, weights in cells], dtype=np.int64)
    return population_of(
        np.array([count for count, _ in cells], dtype=np.int64),
        np.cumsum(n_parts) - n_parts,
        n_parts,
        np.array([w for _, weights in cells for w in weights], dtype=np.int64),
    )


def population_of(counts, starts, n_parts, weights):
    """People of every part, nobody included, after the parts of each cell."""
    found = split_counts(counts, starts, n_parts, weights)
    assert (found.population > 0).all()
    first = np.cumsum(n_parts) - n_parts
    population = np.zeros(n_parts.sum(), dtype=np.int64)
    population[first[found.of_cell] + found.of_part - starts[found.of_cell]] = (
        found.population
    )
    return population


@given(CELLS)
def test_sums_are_kept_and_nobody_is_negative(cells):
    population = split(cells).tolist()
    for count, weights in cells:
        part, population = population[: len(weights)], population[len(weights) :]
        assert sum(part) == count
        assert min(part) >= 0
        assert all(n == 0 for n, w in zip(part, weights, strict=True) if w == 0)
    assert population == []


@given(
    st.lists(
        st.tuples(
            st.integers(0, 10**6),
            st.lists(st.integers(0, 1000), min_size=1, max_size=8).filter(any),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_each_part_is_within_one_person_of_its_share(cells):
    population = split(cells).tolist()
    for count, weights in cells:
        for weight in weights:
            assert abs(population.pop(0) - count * weight / sum(weights)) < 1


def test_what_is_left_over_falls_to_every_part_alike():
    # 1 person each among 5 parts, 10,000 times: 2,000 for each part if it is fair.
    n = 10_000
    # All have the same parts.
    population = population_of(
        np.ones(n, np.int64),
        np.zeros(n, np.int64),
        np.full(n, 5, np.int64),
        np.ones(5, np.int64),
    )
    totals = population.reshape(n, 5).sum(axis=0)
    assert totals.sum() == n
    assert (np.abs(totals - 2000) <= 5).all()


def test_nothing_is_drawn():
    cells = [(7, [1, 1, 1]), (2, [1, 3])]
    assert (split(cells) == split(cells)).all()


@given(CELLS)
def test_people_are_shared_in_slabs_as_at_once(cells):
    whole = split(cells)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(splitting, "SLAB", 3)
        assert (split(cells) == whole).all()
