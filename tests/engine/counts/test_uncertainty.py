"""Uncertainty of sums and ratios, the redundancy audit, threshold or noise."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.counts.noise.advice import (
    SIGMAS,
    crossover,
    threshold_or_noise,
)
from deidgui.engine.counts.noise.distribution import rounded_gaussian
from deidgui.engine.counts.noise.redundancy import best_estimate
from deidgui.engine.counts.noise.repeats import exact_repeats
from deidgui.engine.counts.noise.uncertainty import Uncertain, difference, ratio, total


@pytest.mark.parametrize(("sites", "sigma"), [(4, 5.0), (6, 6.1237), (100, 25.0)])
def test_uncertainty_grows_with_the_root_of_the_sites(sites, sigma):
    """O-D6."""
    found = total([Uncertain(10, 2.5)] * sites)
    assert found.value == 10 * sites
    assert found.sd == pytest.approx(sigma, abs=5e-5)


def test_differences_and_ratios():
    one, other = Uncertain(50, 2.5), Uncertain(100, 2.5)
    assert difference(other, one) == Uncertain(50, pytest.approx(2.5 * math.sqrt(2)))
    share = ratio(one, other)
    stated = 0.5 * math.sqrt((2.5 / 50) ** 2 + (2.5 / 100) ** 2)
    assert share == Uncertain(0.5, pytest.approx(stated))
    assert ratio(Uncertain(0, 2.5), other) == Uncertain(0, pytest.approx(0.025))
    assert ratio(one, Uncertain(5, 2.5)) is None
    assert ratio(one, Uncertain(0, 0)) is None
    assert Uncertain(1, 2.5).interval == (pytest.approx(-3.9), pytest.approx(5.9))


def group(m):
    return [(0, 1.0), *((part, -1.0) for part in range(1, m + 1))]


def test_a_total_and_its_parts_tell_about_each_other():
    """O-D6: four parts, sd 2.2361."""
    found = best_estimate(np.zeros(5), np.full(5, 2.5), [group(4)])
    assert found.sd[1:] == pytest.approx(np.full(4, 2.2361), abs=5e-5)
    assert not found.weakened(np.full(5, 2.5)).any()


@pytest.mark.parametrize("m", [1, 2, 3, 10])
def test_a_part_of_m_has_m_over_m_plus_1_of_the_variance(m):
    found = best_estimate(np.zeros(m + 1), np.full(m + 1, 2.0), [group(m)])
    assert found.sd[1:] ** 2 == pytest.approx(np.full(m, 4 * m / (m + 1)))


@pytest.mark.parametrize("tables", [2, 3, 7])
def test_a_count_in_several_tables_loses_its_noise(tables):
    equations = [[(0, 1.0), (n, -1.0)] for n in range(1, tables)]
    counts = np.arange(tables, dtype=float)
    found = best_estimate(counts, np.full(tables, 2.5), equations)
    assert found.sd == pytest.approx(np.full(tables, 2.5 / math.sqrt(tables)))
    assert found.values == pytest.approx(np.full(tables, counts.mean()))
    assert found.weakened(np.full(tables, 2.5)).all()


def test_equations_that_follow_from_others_and_counts_without_noise():
    # A 2 x 2 table with margins: one of its five equations follows from the others.
    #   0 1 | 2
    #   3 4 | 5
    #   6 7 | 8
    rows = [[(0, 1.0), (1, 1.0), (2, -1.0)], [(3, 1.0), (4, 1.0), (5, -1.0)]]
    columns = [[(0, 1.0), (3, 1.0), (6, -1.0)], [(1, 1.0), (4, 1.0), (7, -1.0)]]
    margins = [[(2, 1.0), (5, 1.0), (8, -1.0)], [(6, 1.0), (7, 1.0), (8, -1.0)]]
    sd = np.full(9, 2.5)
    sd[[2, 5, 6, 7, 8]] = 0.0
    counts = np.array([6.0, 8, 15, 1, 12, 12, 9, 18, 27])
    found = best_estimate(counts, sd, [*rows, *columns, *margins])
    assert found.sd[:2] == pytest.approx([1.25, 1.25])
    for each in [*rows, *columns, *margins]:
        assert sum(f * found.values[c] for c, f in each) == pytest.approx(0)


def test_nothing_is_learned_without_equations():
    found = best_estimate(np.array([3.0, 4.0]), np.array([2.5, 0.0]), [])
    assert found.values.tolist() == [3.0, 4.0]
    assert found.sd.tolist() == [2.5, 0.0]


def test_many_counts_that_hang_together():
    """A cross table of 30 x 40 with margins, and ten tables with the same margins."""
    n_rows, n_columns, n_tables = 30, 40, 10
    size = (n_rows + 1) * (n_columns + 1)
    at = np.arange(size).reshape(n_rows + 1, n_columns + 1)
    lines = [*at.tolist(), *at.T.tolist()]
    one = [[(e[-1], 1.0), *((c, -1.0) for c in e[:-1])] for e in lines]
    equations = [
        [(cell + table * size, factor) for cell, factor in each]
        for table in range(n_tables)
        for each in one
    ]
    margins = [*at[-1].tolist(), *at[:-1, -1].tolist()]
    equations += [
        [(cell, 1.0), (cell + table * size, -1.0)]
        for table in range(1, n_tables)
        for cell in margins
    ]
    assert len(equations) > 1000
    n = size * n_tables
    found = best_estimate(np.ones(n), np.full(n, 2.5), equations)
    # A table with margins in closed form: (r c) of (r + 1)(c + 1) counts are free, and
    # a cell inside keeps r c/((r + 1)(c + 1)) of its variance.
    alone = best_estimate(np.ones(size), np.full(size, 2.5), one)
    kept = n_rows * n_columns / ((n_rows + 1) * (n_columns + 1))
    assert alone.sd[0] ** 2 == pytest.approx(6.25 * kept, rel=1e-6)
    inside = found.sd.reshape(n_tables, n_rows + 1, n_columns + 1)[:, 0, 0]
    assert inside == pytest.approx(np.full(n_tables, inside[0]), rel=1e-6)
    assert inside[0] < alone.sd[0]
    for each in equations[::97]:
        total = sum(factor * found.values[cell] for cell, factor in each)
        assert total == pytest.approx(0, abs=1e-3)


@given(st.integers(0, 2**32), st.integers(2, 7), st.integers(1, 5))
def test_the_estimate_is_that_of_least_squares(seed, n, n_equations):
    """Against the textbook solution by a basis of the solutions of the equations."""
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-1, 2, (n_equations, n)).astype(float)
    equations = [[(c, f) for c, f in enumerate(row.tolist()) if f] for row in matrix]
    equations = [each for each in equations if each]
    counts, sd = rng.normal(20, 5, n), rng.uniform(0.5, 3, n)
    found = best_estimate(counts, sd, equations)
    _, singular, right = np.linalg.svd(matrix)
    basis = right[int(np.count_nonzero(singular > 1e-9)) :].T
    if not basis.size:
        assert found.sd == pytest.approx(np.zeros(n), abs=1e-6)
        return
    weight = np.diag(1 / sd**2)
    inner = np.linalg.inv(basis.T @ weight @ basis)
    expected = basis @ inner @ basis.T @ weight @ counts
    assert found.values == pytest.approx(expected, abs=1e-6)
    assert found.sd**2 == pytest.approx(np.diag(basis @ inner @ basis.T), abs=1e-6)


@pytest.mark.parametrize(
    ("sigma", "average", "sites"),
    [(2.5, 2.5, 1), (2.5, 1, 6.25), (2.5, 0.5, 25), (1.33, 1, 1.7689)],
)
def test_crossover_of_threshold_and_noise(sigma, average, sites):
    """O-D7."""
    assert crossover(sigma, average) == pytest.approx(sites)
    lines = threshold_or_noise(sigma, average)
    is_better = lines.sums > lines.uncertainty + 1e-9
    assert (is_better == (lines.sites > sites + 1e-9)).all()


def test_the_sigma_for_a_lockout_is_that_of_the_paper():
    """D.8: ten repeats are safe with sigma 1.33."""
    means = {s: exact_repeats(rounded_gaussian(s)).mean for s in SIGMAS}
    assert means[1.33] == pytest.approx(11.88, abs=0.01)
    assert min(s for s in SIGMAS if means[s] >= 10) == 1.33
    assert min(s for s in SIGMAS if means[s] >= 20) == 2.5
