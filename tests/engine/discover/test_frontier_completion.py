"""Points of a frontier that are completed, against all policies and all children."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.population import Register
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.cells import count_cells, count_records
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.frontier import RiskAndLoss, sublattice_search
from deidgui.engine.discover.frontier_completion import complete_frontier
from deidgui.engine.discover.risk import RiskMeasure
from deidgui.engine.discover.rules import RiskAtMost
from deidgui.engine.discover.space import Space
from deidgui.engine.discover.steering import kinds_of, top_of
from tests.engine.discover.cases import all_bits, flat


@st.composite
def sparse_cases(draw):
    """Two attributes with values that no record has, some without people either."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    sizes = [draw(st.integers(2, 6)), draw(st.integers(2, 4))]
    trees = tuple(flat(f"a{i}", range(size)) for i, size in enumerate(sizes))
    every = np.array(list(product(*map(range, sizes))), np.int32)
    present = [rng.random(size) < 0.6 for size in sizes]
    chosen = present[0][every[:, 0]] & present[1][every[:, 1]]
    chosen[rng.integers(len(every))] = True
    some = chosen | (rng.random(len(every)) < 0.5)
    people = Register(every[some], rng.integers(1, 40, int(some.sum())))
    table = ClassTable(
        trees, every[chosen], rng.integers(1, 5, int(chosen.sum())), population=people
    )
    domains = tuple(
        Domain.of(tree).of_records(table.leaves[:, place])
        for place, tree in enumerate(trees)
    )
    return table, Space(domains)


def completed(table, space, share, budget=30):
    """A frontier with few evaluations, completed below a share of the highest risk."""
    measure = RiskMeasure(count_cells(space, table))
    every = RiskMeasure(count_records(space, table))
    figures = RiskAndLoss(measure, every, space.of_file())
    own = figures.space
    bottom, top = np.ones(space.n_bits, bool), np.zeros(space.n_bits, bool)
    low, high = measure.risk(top), measure.risk(bottom)
    rule = RiskAtMost(measure, low + share * (high - low))
    keep = own.top()
    found = sublattice_search(figures, budget, seed=1)
    tops = [keep, *(top_of(own, kind, keep) for kind in kinds_of(own))]
    done = complete_frontier(found, figures, measure, rule, tops=tops)
    return RiskAndLoss(measure, every), rule, found, done


@settings(max_examples=60, deadline=None)
@given(sparse_cases(), st.floats(0.05, 0.95))
def test_no_point_is_beaten_by_another_or_by_its_own_child(case, share):
    table, space = case
    figures, rule, _, done = completed(table, space, share)
    listed = [p for p in done.points if rule.accepts(p.policy.bits)]
    assert listed
    exact = [figures.exactly(point.policy.bits) for point in listed]
    for point, (risk, loss) in zip(listed, exact, strict=True):
        own = [figures.exactly(child.bits) for child in point.policy.children()]
        for other_risk, other_loss in [*exact, *own]:
            is_beaten = (
                other_risk <= risk * (1 + 1e-9)
                and other_loss <= loss + 1e-9
                and (other_risk < risk * (1 - 1e-9) or other_loss < loss - 1e-9)
            )
            assert not is_beaten
    for point, (risk, loss) in zip(listed, exact, strict=True):
        assert point.policy.space is space
        assert point.risk * done.highest_risk == pytest.approx(risk, rel=1e-9)
        assert point.loss * done.highest_loss == pytest.approx(loss, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(sparse_cases(), st.floats(0.1, 0.9))
def test_the_alternative_of_least_loss_is_minimal(case, share):
    """No child of the policy that loses least is acceptable; it beats the search's."""
    table, space = case
    figures, rule, found, done = completed(table, space, share)

    def least(frontier):
        accepted = [p for p in frontier.points if rule.accepts(p.policy.bits)]
        return min(
            (figures.exactly(p.policy.bits)[1] for p in accepted), default=np.inf
        )

    assert least(done) <= least(found) + 1e-9
    last = max(
        (p for p in done.points if rule.accepts(p.policy.bits)), key=lambda p: p.risk
    )
    own = space.of_file()
    for child in BitPolicy(own, own.closed(last.policy.bits)).children():
        loss = figures.exactly(child.bits)[1]
        assert not rule.accepts(child.bits) or loss >= least(done) - 1e-9


def test_splits_of_the_file_join_what_lies_between():
    """Records of 1, 2 and 5 among 0 to 7: before, between, after."""
    tree = flat("a", range(8))
    domain = Domain.of(tree).of_records(np.array([1, 2, 5, 5], np.int32))
    space = Space((domain,)).of_file()
    assert domain.n_in_file == 3
    assert space.splits.of_bit.tolist() == [0, 1, 2, 2, 2, 3, 3]
    assert space.splits.n_splits == 4
    joined = BitPolicy(space, np.array([True, True, False, True]))
    assert joined.text == "1100011"
    whole = Space((domain,))
    for bits in all_bits(7):
        closed = space.bits_of(space.closed(bits))
        assert (closed <= bits).all()
        assert (space.bits_of(space.closed(closed)) == closed).all()
    assert Space((domain,), "subtree").of_file().is_of_file is False
    assert whole.splits.n_splits == 7
