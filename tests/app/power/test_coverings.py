"""The covering designs that ship: each covers all its sets, by a count of its own."""

from __future__ import annotations

import json
from itertools import combinations
from math import comb

import numpy as np
import pytest

from deidgui import resources
from deidgui.app.power.coverings import (
    FILE,
    cover,
    design_of,
    read_designs,
    stored_design,
)
from deidgui.engine.covering.design import schoenheim_bound
from deidgui.errors import ConfigError, ResourceError
from tests.shared import shared

# methods.md C.3, table 7-6 with what it accepts, or what has been reached so far.
ACCEPTED = {
    (5, 4, 3): 4,
    (15, 4, 3): 128,
    (15, 5, 3): 58,  # methods.md accepts 56
    (15, 6, 3): 31,
    (15, 7, 3): 15,
    (15, 8, 3): 13,
    (15, 9, 3): 10,
    (15, 10, 3): 7,
    (15, 6, 5): int(1.2 * 578),
    (15, 7, 5): int(1.2 * 189),
    (15, 8, 5): 104,  # methods.md accepts 95
    (15, 9, 5): 45,  # methods.md accepts 42
    (15, 10, 5): 27,
    (15, 9, 7): int(1.2 * 270),
    (15, 10, 7): 135,  # methods.md accepts 129
}


def n_missed(v, t, blocks):
    """Sets of t points that lie in no block; shares no code with the designs."""
    left = np.array([sum(1 << x for x in each) for each in combinations(range(v), t)])
    for block in blocks:
        mask = sum(1 << x for x in block)
        left = left[(left & ~mask) != 0]
    return len(left)


def test_every_shipped_design_covers_all_its_sets():
    shipped = read_designs(resources.path(*FILE).read_bytes())
    sizes = [(each.v, each.k, each.t) for each in shipped]
    assert len(sizes) > 400
    for v, k, t in sizes:
        blocks = stored_design(v, k, t).blocks
        assert all(len(set(block)) == k for block in blocks), (v, k, t)
        assert all(0 <= x < v for block in blocks for x in block), (v, k, t)
        assert n_missed(v, t, blocks) == 0, (v, k, t)
        assert len(blocks) >= schoenheim_bound(v, k, t)


@pytest.mark.parametrize(("sizes", "most"), ACCEPTED.items(), ids=str)
def test_sizes_of_the_published_table(sizes, most):
    assert design_of(*sizes).n_blocks <= most


def test_no_shipped_design_is_below_a_proven_size():
    exact = shared("data", "covering", "oeis_A066010_exact.csv").read_text().split()
    for line in exact[1:]:
        v, k, t, least = map(int, line.split(","))
        if stored_design(v, k, t) is not None:
            assert stored_design(v, k, t).n_blocks >= least


def test_contract():
    found = cover(5, 4, 3)
    assert found == {
        "v": 5,
        "k": 4,
        "t": 3,
        "size": 4,
        "bound": 4,
        "blocks": [[0, 1, 2, 3], [0, 1, 2, 4], [0, 1, 3, 4], [0, 2, 3, 4]],
    }


def test_what_each_block_of_the_example_covers():
    """methods.md O-C4: with these blocks the fifth one is not needed."""
    covered = {s for b in cover(5, 4, 3)["blocks"] for s in combinations(b, 3)}
    assert covered == set(combinations(range(5), 3))


def test_hyperplanes():
    """methods.md O-C5: collinear triples are covered three times, others once."""
    blocks = design_of(15, 7, 3).blocks
    assert len(blocks) == 15
    times = {}
    for block in blocks:
        for each in combinations(block, 3):
            times[each] = times.get(each, 0) + 1
    assert len(times) == comb(15, 3) == 455
    assert sorted(times.values()) == [1] * 420 + [3] * 35


@pytest.mark.parametrize(
    "sizes", [(9, 3, 3), (9, 9, 4), (9, 4, 1), (30, 8, 2)], ids=str
)
def test_sizes_that_are_not_shipped(sizes):
    v, k, t = sizes
    found = cover(v, k, t)
    assert n_missed(v, t, found["blocks"]) == 0
    assert {len(each) for each in found["blocks"]} == {k}


@pytest.mark.parametrize(
    "sizes", [(5, 6, 3), (5, 2, 3), (5, 4, 0), (65, 5, 2)], ids=str
)
def test_impossible_sizes_are_refused(sizes):
    with pytest.raises(ConfigError, match="design_sizes"):
        cover(*sizes)


def test_too_many_sets_are_refused():
    with pytest.raises(ResourceError, match="design_too_large"):
        cover(64, 20, 10)


def test_command(capsys):
    from deidgui.cli.main import main

    assert main(["cover", "7", "3", "2", "--json"]) == 0
    out = capsys.readouterr().out
    assert json.loads(out)["size"] == 7
    assert main(["cover", "7", "3", "2"]) == 0
    assert "7 blocks of 3 of 7 points" in capsys.readouterr().out
    assert main(["cover", "7", "8", "2"]) == 2
