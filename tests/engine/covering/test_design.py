"""Covering designs: published ones, known best sizes, a count of what is covered."""

from __future__ import annotations

import csv
import json
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.covering.construct import DesignMaker, annealed
from deidgui.engine.covering.design import Design, schoenheim_bound
from deidgui.errors import ConfigError, ResourceError
from tests.shared import shared


def covered(design):
    """Sets of t points in the blocks, counted without the design's own code."""
    found = {}
    for block in design.blocks:
        assert len(set(block)) == design.k
        for each in combinations(sorted(block), design.t):
            found[each] = found.get(each, 0) + 1
    return found


def is_covering(design):
    every = set(combinations(range(design.v), design.t))
    return set(covered(design)) == every


# methods.md C.3, table 7-6: the bounds of the columns, and sizes of greedy choice.
BOUNDS = {
    (15, 4, 3): 124,
    (15, 5, 3): 54,
    (15, 6, 3): 30,
    (15, 7, 3): 15,
    (15, 8, 3): 12,
    (15, 9, 3): 7,
    (15, 10, 3): 6,
    (15, 6, 5): 548,
    (15, 7, 5): 161,
    (15, 8, 5): 68,
    (15, 9, 5): 35,
    (15, 10, 5): 17,
    (15, 8, 7): 919,
    (15, 9, 7): 197,
    (15, 10, 7): 74,
    (5, 4, 3): 4,
}


@pytest.mark.parametrize(("sizes", "bound"), BOUNDS.items())
def test_published_bounds(sizes, bound):
    assert schoenheim_bound(*sizes) == bound


def test_the_published_example():
    """Table 7-4 (O-C4): four blocks cover every three of five attributes."""
    blocks = [(0, 1, 2, 3), (0, 1, 2, 4), (0, 1, 3, 4), (0, 2, 3, 4)]
    design = Design.of(5, 4, 3, blocks)
    assert is_covering(design)
    assert (design.n_missed, design.bound, design.n_blocks) == (0, 4, 4)
    without = Design.of(5, 4, 3, blocks[1:])
    # 0, 1, 3 lie together in another block, too; 1, 2, 3 nowhere else.
    assert without.n_missed == 1
    assert DesignMaker().design(5, 4, 3).n_blocks == 4


def test_hyperplanes_of_the_projective_space():
    """O-C5: 15 blocks of 7; the 35 lines are covered three times, others once."""
    design = DesignMaker().design(15, 7, 3)
    assert design.n_blocks == 15
    found = covered(design)
    assert len(found) == 455
    assert sorted(found.values()) == [1] * 420 + [3] * 35


@pytest.mark.parametrize(("sizes", "n"), [((7, 3, 2), 7), ((8, 4, 3), 14)])
def test_small_structures(sizes, n):
    design = DesignMaker().design(*sizes)
    assert design.n_blocks == n
    assert is_covering(design)


@given(st.integers(1, 9), st.data())
@settings(deadline=None)
def test_every_design_covers(v, data):
    k = data.draw(st.integers(1, v))
    t = data.draw(st.integers(1, k))
    design = DesignMaker(seed=3).design(v, k, t)
    assert is_covering(design)
    assert design.n_blocks >= design.bound
    smaller = annealed(design, 2000, 2, seed=1)
    assert is_covering(smaller)
    assert smaller.n_blocks <= design.n_blocks


@pytest.mark.parametrize("sizes", [(15, 9, 5), (15, 10, 3), (18, 8, 3), (24, 6, 2)])
def test_larger_designs_cover(sizes):
    design = DesignMaker().design(*sizes)
    assert is_covering(design)


def test_annealing_finds_what_greed_misses():
    """(15, 10, 3): 9 by greedy choice, 7 published."""
    start = DesignMaker().design(15, 10, 3)
    found = annealed(start, 100_000, 3, seed=1)
    assert found.n_blocks == 7
    assert is_covering(found)


def test_stored_designs_are_used_and_checked():
    asked = []

    def known(v, k, t):
        asked.append((v, k, t))
        return Design.of(5, 4, 3, [(0, 1, 2, 3)]) if (v, k, t) == (5, 4, 3) else None

    with pytest.raises(AssertionError):
        DesignMaker(known).design(5, 4, 3)
    assert asked == [(5, 4, 3)]


def test_exact_sizes_are_never_beaten():
    source = shared("data", "covering")
    with (source / "oeis_A066010_exact.csv").open() as file:
        rows = list(csv.DictReader(file))
    maker = DesignMaker()
    for row in rows:
        numbers = [int(each) for each in row.values()]
        v, k, t, n = numbers[:4]
        if v <= 10:
            assert maker.design(v, k, t).n_blocks >= n >= schoenheim_bound(v, k, t)


def test_found_designs_of_fifteen_points():
    found = json.loads((shared("data", "covering") / "covering_15.json").read_text())
    for key, blocks in found.items():
        v, k, t = (int(each) for each in key.split(","))
        design = Design.of(v, k, t, blocks)
        assert design.n_missed == 0
        assert design.n_blocks >= design.bound


def test_impossible_sizes_are_refused():
    for sizes in ((5, 6, 3), (5, 2, 3), (5, 3, 0), (65, 3, 2)):
        with pytest.raises(ConfigError, match="design_sizes"):
            DesignMaker().design(*sizes)
    with pytest.raises(ResourceError, match="design_too_large"):
        DesignMaker().design(64, 10, 7)
