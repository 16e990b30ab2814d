"""Records whose person nobody in the population can be, against slow counting."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.population import Register
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.cells import count_cells, count_records
from deidgui.engine.discover.completion import complete
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.frontier import RiskAndLoss
from deidgui.engine.discover.risk import Descent, RiskMeasure, risk_of_groups
from deidgui.engine.discover.rules import RiskAtMost
from deidgui.engine.discover.space import Space
from deidgui.errors import InputError


def hierarchy(name, size, has_missing):
    """Values 0, 1, …, the last one missing if wanted."""
    values = [str(value) for value in range(size)]
    if has_missing:
        values[-1] = ""
    grid = [(value, "*") for value in values]
    return Hierarchy.from_grid(name, grid, missing="" if has_missing else None)


@st.composite
def lacking_tables(draw):
    """Class table with missing values and a register that knows only some of it."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    sizes = [draw(st.integers(2, 4)) for _ in range(draw(st.integers(1, 3)))]
    missing = [draw(st.booleans()) and size > 2 for size in sizes]
    trees = tuple(
        hierarchy(f"a{place}", size, lost)
        for place, (size, lost) in enumerate(zip(sizes, missing, strict=True))
    )
    every = np.array(list(product(*map(range, sizes))), np.int32)
    lost = np.array(
        [
            size - 1 if is_lost else -1
            for size, is_lost in zip(sizes, missing, strict=True)
        ]
    )
    is_named = ~(every == lost).any(axis=1)
    people = is_named & (rng.random(len(every)) < 0.6)
    people[np.flatnonzero(is_named)[rng.integers(is_named.sum())]] = True
    chosen = rng.random(len(every)) < 0.6
    chosen[np.flatnonzero(people)[0]] = True
    return ClassTable(
        trees,
        every[chosen],
        rng.integers(1, 6, int(chosen.sum())),
        population=Register(every[people], rng.integers(1, 9, int(people.sum()))),
    )


def slow_sums(table, groups, gamma, is_anything):
    """Sum over the records with people, and over all that are compared."""
    lost = [each.missing_leaf for each in table.hierarchies]
    people = [
        (tuple(leaves), count)
        for leaves, count in zip(
            table.population.leaves.tolist(),
            table.population.counts.tolist(),
            strict=True,
        )
    ]
    own, possible = [], []
    for leaves, n in zip(table.leaves.tolist(), table.counts.tolist(), strict=True):

        def alike(other, places, leaves=leaves):
            return all(groups[p][other[p]] == groups[p][leaves[p]] for p in places)

        places = range(len(leaves))
        if any(other == tuple(leaves) for other, _ in people):
            g = sum(count for other, count in people if alike(other, places))
            own.append(n / g**gamma)
            continue
        known = [p for p in places if leaves[p] != lost[p]]
        could_be = any(all(o[p] == leaves[p] for p in known) for o, _ in people)
        if is_anything and len(known) < len(leaves) and could_be:
            g = sum(count for other, count in people if alike(other, known))
            possible.append(n / g**gamma)
    return math.fsum(own), math.fsum([*own, *possible])


def measures(table, gamma, is_anything):
    """One that looks people up in sums, and one that merges them like records."""
    space = Space(tuple(map(Domain.of, table.hierarchies)))
    cells = count_cells(space, table, missing_is_anything=is_anything)
    return [RiskMeasure(cells, gamma, most_sums=most) for most in (2**20, 0)]


@settings(max_examples=150, deadline=None)
@given(lacking_tables(), st.data(), st.sampled_from([1.0, 2.0]), st.booleans())
def test_sums_equal_slow_counting(table, data, gamma, is_anything):
    for measure in measures(table, gamma, is_anything):
        n_bits = measure.space.n_bits
        some = st.lists(st.booleans(), min_size=n_bits, max_size=n_bits)
        below = np.array(data.draw(some))
        groups = [each.tolist() for each in measure.space.groups(below)]
        expected = slow_sums(table, groups, gamma, is_anything)[1]
        assert measure.risk(below) == pytest.approx(expected, rel=1e-12)
        by_groups = risk_of_groups(measure.cells, measure.space.groups(below), gamma)
        assert by_groups == pytest.approx(expected, rel=1e-12)
        above = below & np.array(data.draw(some))
        assert measure.risk(above) <= measure.risk(below) * (1 + 1e-12)
        place = data.draw(st.sampled_from(range(n_bits)))
        split = below.copy()
        split[place] = True
        if not below[place]:
            step = Descent(measure).change(below, split)
            there = measure.risk(split) - measure.risk(below)
            assert step == pytest.approx(there, abs=1e-12)


@settings(max_examples=100, deadline=None)
@given(lacking_tables(), st.booleans())
def test_joining_records_that_nobody_can_be_pays_for_nothing(table, is_anything):
    """Whatever missing values are joined with: the sum stays the same to the bit."""
    measure, _ = measures(table, 1.0, is_anything)
    bits = np.ones(measure.space.n_bits, np.bool_)
    whole = measure.risk(bits)
    for place, tree in enumerate(table.hierarchies):
        if tree.missing_leaf is not None:
            joined = bits.copy()
            joined[measure.space.first_bit[place + 1] - 1] = False
            assert measure.risk(joined) == pytest.approx(whole, rel=1e-15)


@settings(max_examples=60, deadline=None)
@given(lacking_tables(), st.floats(0.1, 0.9))
def test_both_sums_stay_at_or_below_their_limits(table, share):
    """No gain among the records that could be several pays for those with people."""
    space = Space(tuple(map(Domain.of, table.hierarchies)))
    compared, _ = measures(table, 1.0, is_anything=True)
    own = RiskMeasure(count_cells(space, table))
    bits = np.ones(space.n_bits, np.bool_)
    limits = [
        share * each.risk(bits) + (1 - share) * each.risk(~bits)
        for each in (compared, own)
    ]
    rule = RiskAtMost(compared, limits[0], [(own, limits[1])])
    top = BitPolicy(space, space.top())
    found = complete(rule, [top]).found[0].policy
    groups = [each.tolist() for each in space.groups(found.bits)]
    with_people, counted = slow_sums(table, groups, 1.0, is_anything=True)
    assert with_people <= limits[1] * (1 + 1e-9)
    assert counted <= limits[0] * (1 + 1e-9)


def test_the_loss_is_of_all_records():
    rng = np.random.default_rng(1)
    trees = (hierarchy("a", 3, has_missing=True), hierarchy("b", 4, has_missing=False))
    every = np.array(list(product(range(3), range(4))), np.int32)
    counts = rng.integers(1, 9, 12)
    register = Register(every[every[:, 0] < 2], np.full(8, 50))
    table = ClassTable(trees, every, counts, population=register)
    whole = ClassTable(
        trees, every, counts, population=Register(every, np.full(12, 50))
    )
    space = Space(tuple(map(Domain.of, trees)))
    measure = RiskMeasure(count_cells(space, table))
    assert measure.cells.coverage.n_records_left_out == counts[8:].sum()
    figures = RiskAndLoss(measure, RiskMeasure(count_records(space, table)))
    expected = RiskAndLoss(RiskMeasure(count_cells(space, whole)))
    for _ in range(10):
        bits = rng.random(space.n_bits) < 0.5
        assert figures.exactly(bits)[1] == pytest.approx(expected.exactly(bits)[1])


def test_a_population_that_knows_no_record_is_refused():
    trees = (hierarchy("a", 3, has_missing=False),)
    register = Register(np.array([[2]], np.int32), np.array([5]))
    leaves = np.array([[0], [1]], np.int32)
    table = ClassTable(trees, leaves, np.array([4, 3]), population=register)
    with pytest.raises(InputError, match="no_record_has_people") as raised:
        count_cells(Space((Domain.of(trees[0]),)), table)
    assert raised.value.params == {"n_records": 7}


def test_people_assumed_for_records_do_not_count():
    """A register raised to the records is what it was before."""
    trees = (hierarchy("a", 3, has_missing=False),)
    raised = Register(
        np.array([[0], [1], [2], [2]], np.int32), np.array([5, 9, 1, 6]), n_assumed=1
    )
    leaves = np.array([[0], [2]], np.int32)
    table = ClassTable(trees, leaves, np.array([2, 7]), population=raised)
    measure = RiskMeasure(count_cells(Space((Domain.of(trees[0]),)), table))
    assert measure.risk(np.array([True, True])) == pytest.approx(2 / 5 + 7 / 1)
