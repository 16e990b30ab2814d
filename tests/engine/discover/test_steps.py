"""A step down changes the risk as two whole evaluations say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.completion import complete
from deidgui.engine.discover.risk import Descent
from deidgui.engine.discover.rules import RiskAtMost, RuleWalk
from tests.engine.discover.cases import measure_of, slow_risk, tables


@given(tables(), st.integers(0, 2**32), st.sampled_from([1.0, 1.7]), st.booleans())
def test_each_step_down(table, seed, gamma, is_merged):
    """From all joined to all apart, in any order; people merged like records or not."""
    options = {"most_sums": 0} if is_merged else {}
    measure = measure_of(table, gamma, **options)
    descent = Descent(measure)
    rng = np.random.default_rng(seed)
    bits = np.zeros(measure.space.n_bits, np.bool_)
    risk = slow_risk(table, bits, gamma)
    for place in rng.permutation(len(bits)).tolist():
        # Another step is looked at before one is taken.
        for other in np.flatnonzero(~bits).tolist():
            after = bits.copy()
            after[other] = True
            change = descent.change(bits, after)
            assert risk + change == pytest.approx(slow_risk(table, after, gamma))
        bits = bits.copy()
        bits[place] = True
        risk = slow_risk(table, bits, gamma)


def test_a_node_with_several_children():
    """In subtree mode one step sets several bits."""
    rows = [(str(v), f"{v // 3}", "*") for v in range(9)]
    leaves = np.array([[0], [1], [4], [7], [8]], np.int32)
    hierarchy = Hierarchy.from_grid("age", rows)
    table = ClassTable((hierarchy,), leaves, np.array([2, 1, 5, 1, 3]))
    measure = measure_of(table, mode="subtree")
    splits = measure.space.splits
    descent, current = Descent(measure), measure.space.top()
    while not current.all():
        child = current.copy()
        child[splits.can_split(current)[0]] = True
        before, after = (measure.space.bits_of(each) for each in (current, child))
        expected = measure.risk(after) - measure.risk(before)
        assert descent.change(before, after) == pytest.approx(expected)
        current = child


@given(tables(), st.floats(0.1, 1.0), st.integers(0, 99))
def test_completion_by_steps_is_completion_by_whole_evaluations(table, share, seed):
    measure = measure_of(table)
    space = measure.space
    least, most = (
        measure.risk(space.bits_of(s)) for s in (space.top(), space.bottom())
    )
    # Between two risks, so that rounding decides nothing.
    threshold = least + share * (most - least) + 1e-7
    rule = RiskAtMost(measure, threshold)
    start = [BitPolicy(space, space.top())]
    (stepped,) = complete(rule, start, seed=seed).found

    class Whole(RiskAtMost):
        def walk(self):
            walk = super().walk()
            walk.judge_step = lambda before, risk, after: RuleWalk.judge_step(
                walk, before, risk, after
            )
            return walk

    (whole,) = complete(Whole(measure, threshold), start, seed=seed).found
    assert stepped.policy.text == whole.policy.text
    assert stepped.risk == pytest.approx(whole.risk)
