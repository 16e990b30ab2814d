"""Values released alike that need not be neighbours, record by record."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.cells import count_records
from deidgui.engine.discover.comparing import compare_groups
from deidgui.engine.discover.frontier import (
    RiskAndLoss,
    Staircase,
    draw_pair,
    sublattice_search,
)
from deidgui.engine.discover.preferences import Preference, demanded, kept_share, scores
from deidgui.engine.discover.risk import (
    cautious_population,
    loss_of_groups,
    risk_of_groups,
)
from tests.engine.discover.cases import compare, measure_of, paper_measure, tables
from tests.engine.discover.frontiers import shares_of


def random_groups(space, rng):
    """Any grouping of the values of each attribute."""
    return tuple(
        rng.integers(0, domain.n_values, domain.n_values).astype(np.int32)
        for domain in space.domains
    )


def rows_of(cells):
    """Values of every record, one after the other."""
    pairs = zip(cells.values.tolist(), cells.records.tolist(), strict=True)
    return [tuple(values) for values, n in pairs for _ in range(n)]


def joined_with(groups, values):
    """By attribute the values that are released as those of a record are."""
    return tuple(
        tuple(np.flatnonzero(own == own[value]).tolist())
        for own, value in zip(groups, values, strict=True)
    )


@given(tables(), st.integers(0, 2**32))
def test_loss_of_any_groups(table, seed):
    """Kullback-Leibler divergence, combination by combination."""
    cells = measure_of(table).cells
    groups = random_groups(cells.space, np.random.default_rng(seed))
    rows = rows_of(cells)
    n = len(rows)
    classes = [joined_with(groups, row) for row in rows]
    expected = 0.0
    for row, joined in zip(rows, classes, strict=True):
        area = math.prod(map(len, joined))
        spread = classes.count(joined) / (n * area)
        expected += math.log2((rows.count(row) / n) / spread) / n
    assert loss_of_groups(cells, groups) == pytest.approx(expected, abs=1e-9)


@given(tables(), st.integers(0, 2**32))
def test_loss_of_runs_is_that_of_the_frontier(table, seed):
    measure = measure_of(table)
    figures = RiskAndLoss(measure)
    rng = np.random.default_rng(seed)
    bits = rng.random(measure.space.n_bits) < 0.5
    _, share = shares_of(figures, bits)
    loss = loss_of_groups(measure.cells, measure.space.groups(bits))
    assert loss == pytest.approx(share * figures.highest_loss, abs=1e-8)


@given(tables(), st.integers(0, 2**32))
def test_suppressed_records_are_not_linked(table, seed):
    """Those of a class are all suppressed: the others are as risky as before."""
    cells = measure_of(table).cells
    rng = np.random.default_rng(seed)
    groups = random_groups(cells.space, rng)
    keys = [joined_with(groups, values) for values in cells.values.tolist()]
    gone = {key for key in keys if rng.random() < 0.4}
    kept = np.array([key not in gone for key in keys])
    parts = [risk_of_groups(cells, groups, released=each) for each in (kept, ~kept)]
    assert sum(parts) == pytest.approx(risk_of_groups(cells, groups))
    if kept.all():
        assert parts[1] == 0


@given(tables(), st.integers(0, 2**32))
def test_people_of_each_record_are_at_least_the_records_alike(table, seed):
    measure = measure_of(table)
    every = count_records(measure.space, table)
    groups = random_groups(measure.space, np.random.default_rng(seed))
    found = cautious_population(every, groups, measure.cells).tolist()
    for values, n in zip(every.values.tolist(), found, strict=True):
        own = joined_with(groups, values)
        alike = [
            count
            for other, count in zip(table.leaves.tolist(), table.counts, strict=True)
            if joined_with(groups, other) == own
        ]
        people = []
        if table.population is not None:
            rows = zip(
                table.population.leaves.tolist(), table.population.counts, strict=True
            )
            people = [n for leaves, n in rows if joined_with(groups, leaves) == own]
        assert n == max(sum(alike), sum(people))


@given(tables(), st.integers(0, 2**32))
def test_comparing_any_groups(table, seed):
    cells = measure_of(table).cells
    rng = np.random.default_rng(seed)
    left, right = (random_groups(cells.space, rng) for _ in range(2))
    found = compare_groups(cells, left, right, (1.0, 2.0))
    every = [domain.n_values for domain in cells.space.domains]
    for place, n_values in enumerate(every):
        alike = [
            joined_with([left[place]], [value]) == joined_with([right[place]], [value])
            for value in range(n_values)
        ]
        assert found.n_values[place] == alike.count(False)
    n_differing = n_finer = n_coarser = 0
    for row in rows_of(cells):
        one, other = joined_with(left, row), joined_with(right, row)
        n_differing += one != other
        areas = [math.prod(map(len, each)) for each in (one, other)]
        n_finer += areas[0] < areas[1]
        n_coarser += areas[0] > areas[1]
    assert found.n_records == n_differing
    assert (found.n_finer_left, found.n_finer_right) == (n_finer, n_coarser)


def test_comparing_policies_is_comparing_their_groups():
    measure = paper_measure()
    left, right = (BitPolicy.parse(measure.space, t) for t in ("10110", "01011"))
    risks = (measure.risk(left.bits), measure.risk(right.bits))
    by_groups = compare_groups(measure.cells, left.groups, right.groups, risks)
    assert compare(measure, left, right) == by_groups


@given(tables(), st.data())
def test_shares_of_many_policies(table, data):
    space = measure_of(table).space
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    bits = rng.random((4, space.n_bits)) < 0.6
    preferences = []
    for domain in space.domains:
        values = data.draw(st.sets(st.sampled_from(domain.values)))
        preferences.append(Preference(domain.attribute, tuple(values)))
    found = scores(space, bits, preferences)
    for number, own in enumerate(bits):
        policy = BitPolicy(space, space.closed(own))
        expected = [kept_share(policy, preference) for preference in preferences]
        assert found[:, number].tolist() == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(3))
def test_a_frontier_keeps_what_is_demanded(seed):
    measure = paper_measure()
    preference = Preference("age", ("50", "51"))
    keep = demanded(measure.space, [preference])
    found = sublattice_search(RiskAndLoss(measure), 40, seed=seed, keep=keep)
    assert all(kept_share(each.policy, preference) == 1 for each in found.points)
    # Three bits are left: all 8 policies have been looked at.
    assert found.n_evaluated == 8


@pytest.mark.parametrize("n_splits", [3, 63, 64, 65, 130])
def test_pairs_are_compared_over_all_words(n_splits):
    """Comparable policies differ in two splits or more, one way only."""
    rng = np.random.default_rng(n_splits)
    base = rng.random(n_splits) < 0.5
    base[[0, -1]] = False
    up = base.copy()
    up[[0, -1]] = True
    one = base.copy()
    one[0] = True
    for other, is_found in ((up, True), (one, False)):
        pair = Staircase()
        pair.add(0.2, 0.8, base)
        pair.add(0.9, 0.1, other)
        keys, risks, losses = pair.table([])
        low, high, _ = draw_pair(
            keys, risks, losses, 2, rng.random((20, 2)), least_free=0.0
        )
        assert ((low, high) == (0, 1)) is is_found
