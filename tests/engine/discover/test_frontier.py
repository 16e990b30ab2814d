"""Frontier of risk and loss: figures by hand, against all policies, and by area."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.discover.frontier import (
    RiskAndLoss,
    Staircase,
    free_share,
    sublattice_search,
)
from deidgui.errors import Cancelled, ConfigError
from tests.engine.discover.cases import (
    all_bits,
    figures_of,
    paper_measure,
    runs_of,
    slow_risk,
    tables,
)
from tests.engine.discover.frontiers import random_chains, shares_of

SEARCHES = {"shs": sublattice_search, "chains": random_chains}


def slow_loss(table, bits):
    """Bits per record, cell by cell (methods.md A.9)."""
    runs = runs_of([each.n_leaves for each in table.hierarchies], bits)
    rows = list(zip(table.leaves.tolist(), table.counts.tolist(), strict=True))
    n = sum(count for _, count in rows)
    loss = 0.0
    for leaves, count in rows:
        key = [run[leaf] for run, leaf in zip(runs, leaves, strict=True)]
        f = sum(
            other
            for others, other in rows
            if [run[leaf] for run, leaf in zip(runs, others, strict=True)] == key
        )
        area = math.prod(run.count(part) for run, part in zip(runs, key, strict=True))
        loss += count / n * math.log2((count / n) / (f / (n * area)))
    return loss


def test_figures_by_hand():
    """methods.md O-A5."""
    figures = RiskAndLoss(paper_measure())
    assert figures.highest_loss == pytest.approx(1.0703, abs=5e-5)
    space = figures.space
    assert shares_of(figures, space.bits_of(space.bottom()))[1] == 0
    risk, loss = shares_of(figures, space.bits_of(space.top()))
    assert loss == 1
    assert risk == pytest.approx(0.10526 / 3.76667, abs=1e-5)


@settings(max_examples=60, deadline=None)
@given(tables(), st.data())
def test_loss_equals_slow_counting_and_grows_upwards(table, data):
    figures = figures_of(table)
    n = figures.space.n_bits
    draw = st.lists(st.booleans(), min_size=n, max_size=n)
    below = np.array(data.draw(draw))
    above = below & np.array(data.draw(draw))
    losses = [shares_of(figures, each)[1] for each in (below, above)]
    assert losses[0] * figures.highest_loss == pytest.approx(
        slow_loss(table, below), abs=1e-9
    )
    assert losses[1] >= losses[0] - 1e-12


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
@settings(max_examples=25, deadline=None)
@given(table=tables(2, 4), seed=st.integers(0, 9))
def test_frontier_of_all_policies(search, table, seed):
    """With a budget for every policy the frontier is that of the definition."""
    figures = figures_of(table)
    result = search(figures, 10_000, seed=seed)
    everything = {
        tuple(bits): (slow_risk(table, bits), slow_loss(table, bits))
        for bits in all_bits(figures.space.n_bits)
    }
    for point in result.points:
        risk, loss = everything[tuple(point.policy.bits)]
        assert point.risk * result.highest_risk == pytest.approx(risk)
        assert point.loss * result.highest_loss == pytest.approx(loss, abs=1e-9)
    if result.n_evaluated < len(everything):
        return
    best = {
        (round(risk, 9), round(loss, 9))
        for risk, loss in everything.values()
        if not any(
            r <= risk + 1e-12
            and u <= loss + 1e-12
            and (r < risk - 1e-9 or u < loss - 1e-9)
            for r, u in everything.values()
        )
    }
    found = {
        (round(p.risk * result.highest_risk, 9), round(p.loss * result.highest_loss, 9))
        for p in result.points
    }
    assert len(found) == len(best)
    for (r, u), (risk, loss) in zip(sorted(found), sorted(best), strict=True):
        assert (r, u) == pytest.approx((risk, loss), abs=1e-8)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=12),
    st.tuples(st.integers(0, 7), st.integers(0, 7)),
    st.tuples(st.integers(1, 8), st.integers(1, 8)),
)
def test_staircase_and_free_share_on_a_grid(points, corner, size):
    """Whole numbers: the share is that of unit squares that no point reaches."""
    stairs = Staircase()
    for risk, loss in points:
        stairs.add(float(risk), float(loss), np.array([True]))
    best = {
        (r, u)
        for r, u in points
        if not any(a <= r and b <= u and (a, b) != (r, u) for a, b in points)
    }
    assert list(zip(stairs.risks, stairs.losses, strict=True)) == sorted(best)
    (left, low), (width, height) = corner, size
    free = sum(
        not any(r <= x and u <= y for r, u in points)
        for x in range(left, left + width)
        for y in range(low, low + height)
    )
    share = free_share(
        np.array(stairs.risks),
        np.array(stairs.losses),
        float(left),
        float(left + width),
        float(low),
        float(low + height),
    )
    assert share == pytest.approx(free / (width * height))


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_seed_budget_and_progress(search):
    seen = []

    measure = paper_measure()

    def anew():
        return RiskAndLoss(measure)

    one, two = (search(anew(), 20, seed=3) for _ in range(2))
    assert [p.policy for p in one.points] == [p.policy for p in two.points]
    assert 20 <= one.n_evaluated <= 20 + anew().space.n_bits
    search(anew(), 20, seed=3, on_chain=lambda state: seen.append(state.frontier()))
    sizes = [each.n_evaluated for each in seen]
    assert sizes == sorted(sizes)
    assert seen[-1] is not one
    assert [p.policy for p in seen[-1].points] == [p.policy for p in one.points]

    class Impatient:
        def report(self, fraction, note=""):
            if len(seen) > 3:
                raise Cancelled

    seen.clear()
    with pytest.raises(Cancelled):
        search(
            anew(),
            32,
            monitor=Impatient(),
            on_chain=lambda state: seen.append(len(state.stairs)),
        )
    assert len(seen) == 4
    with pytest.raises(ConfigError) as caught:
        search(anew(), 1)
    assert caught.value.code == "discovery_budget"
