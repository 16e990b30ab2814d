"""Where nodes stand: every one on its own place, in its own row, in little time."""

from __future__ import annotations

import time
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.app.charts.lattice import lattice_layout
from deidgui.engine.search.lattice import Lattice


def lattice(heights, low=None):
    return Lattice(tuple(heights), tuple(low or [0] * len(heights)), tuple(heights))


def laid_out(heights, low=None, **values):
    names = [f"a{place}" for place in range(len(heights))]
    return lattice_layout(names, lattice(heights, low), **values)


HEIGHTS = st.lists(st.integers(0, 4), min_size=1, max_size=5)


@given(HEIGHTS)
def test_no_two_nodes_share_a_place(heights):
    layout = laid_out(heights)
    places = set(
        zip(layout.x.round(6).tolist(), layout.y.round(6).tolist(), strict=True)
    )
    assert len(places) == layout.n_nodes


@given(HEIGHTS)
def test_rows_are_level_sums_and_do_not_overlap(heights):
    layout = laid_out(heights)
    levels = layout.lattice.levels()
    assert layout.row.tolist() == levels.sum(axis=1).tolist()
    ends = [
        (layout.y[layout.row == row].min(), layout.y[layout.row == row].max())
        for row in range(sum(heights) + 1)
    ]
    for below, above in pairwise(ends):
        assert below[1] < above[0]


@given(HEIGHTS, st.data())
def test_neighbours_differ_by_one_level(heights, data):
    layout = laid_out(heights)
    node = data.draw(st.integers(0, layout.n_nodes - 1))
    here = layout.lattice.levels_of(node)
    slow_up = {
        layout.lattice.node([*here[:a], here[a] + 1, *here[a + 1 :]])
        for a in range(len(here))
        if here[a] < heights[a]
    }
    assert set(layout.successors(node)) == slow_up
    assert all(node in layout.predecessors(other) for other in slow_up)
    xs = [layout.x[other] for other in layout.successors(node)]
    assert xs == sorted(xs)


@given(HEIGHTS)
def test_edges_of_all_nodes_are_all_edges_once(heights):
    layout = laid_out(heights)
    edges = layout.edges(np.arange(layout.n_nodes))
    slow = {
        (node, other)
        for node in range(layout.n_nodes)
        for other in layout.successors(node)
    }
    found = [tuple(edge) for edge in edges.tolist()]
    assert len(found) == len(slow)
    assert set(found) == slow


def test_stepping_aside_visits_the_whole_band_and_stops():
    layout = laid_out([2, 2, 2])
    row = np.flatnonzero(layout.row == 3)
    here = int(row[np.argmin(layout.x[row])])
    seen = [here]
    while (there := layout.beside(here, 1)) != here:
        seen.append(there)
        here = there
    assert sorted(seen) == row.tolist()
    assert layout.beside(seen[1], -1) == seen[0]


def crossings(layout):
    """Pairs of edges between two rows that cross."""
    edges = layout.edges(np.arange(layout.n_nodes))
    total = 0
    for row in range(int(layout.row.max())):
        ends = edges[layout.row[edges[:, 0]] == row]
        x, y = layout.x[ends[:, 0]], layout.x[ends[:, 1]]
        total += int(
            (((x[:, None] - x[None]) * (y[:, None] - y[None])) < -1e-9).sum() // 2
        )
    return total


@pytest.mark.parametrize("heights", [[2, 4, 1, 2], [2, 4, 1]])
def test_order_crosses_less_than_the_order_of_numbers(heights):
    layout = laid_out(heights)
    found = crossings(layout)
    by_number = np.zeros(layout.n_nodes)
    for row in range(int(layout.row.max()) + 1):
        nodes = np.flatnonzero(layout.row == row)
        by_number[nodes] = np.arange(len(nodes)) - (len(nodes) - 1) / 2
    layout.x[:] = by_number
    assert found < crossings(layout)


def test_values_change_without_new_places():
    loss, feasible = np.linspace(0, 1, 12), np.arange(12) > 5
    layout = laid_out([2, 3], loss=loss)
    assert layout.sentence.code == "lattice_none"
    other = layout.with_values(loss, feasible)
    assert other.x is layout.x
    assert other.sentence.text().startswith("6 of 12 policies meet the thresholds")
    # What was not measured does not fail, and what a filter hides was measured.
    some = np.where(np.arange(12) < 4, np.nan, loss)
    partly = laid_out([2, 3], loss=some, feasible=feasible)
    partly = partly.with_values(np.where(np.arange(12) < 7, np.nan, loss), feasible)
    said = partly.sentence.text()
    assert said.startswith("6 of 8 measured policies meet the thresholds")
    assert "(4 not measured)" in said
    table = other.to_table()
    assert table.header[:2] == ("Level of a0", "Level of a1")
    assert table.rows[7] == (1, 3, pytest.approx(7 / 11), 1)


def test_level_limits_shift_the_levels():
    layout = laid_out([3, 2], low=[1, 0])
    assert layout.n_nodes == 9
    assert layout.to_table().rows[0][:2] == (1, 0)
    # Three levels of one and three of the other: one to five steps from all in full.
    assert list(layout.row_sums) == [1, 2, 3, 4, 5]


def test_a_hundred_thousand_nodes_take_less_than_a_second():
    start = time.process_time()
    layout = laid_out([9, 9, 9, 9, 9])
    assert layout.n_nodes == 100_000
    # The bound is ten times what was measured, so that it never fails by chance.
    assert time.process_time() - start < 3.0


def test_wide_rows_become_bands_that_fill_the_picture():
    layout = laid_out([1, 4, 1, 2, 3, 2, 2, 2, 1])
    width, height = np.ptp(layout.x), np.ptp(layout.y)
    assert 1.2 < width / height < 1.9
    assert width < 400
