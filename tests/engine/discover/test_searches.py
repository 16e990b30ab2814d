"""Searches find policies at the boundary, whatever the mode and the seed."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.discover import bps
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.bps import UNWEIGHTED, Weights, bisecting_search
from deidgui.engine.discover.directed import directed_search
from deidgui.engine.discover.drawing import draw_joins
from deidgui.engine.discover.rules import RiskAtMost
from deidgui.engine.discover.space import Splits
from deidgui.errors import Cancelled, ConfigError, InfeasibleError
from tests.engine.discover.cases import measure_of, paper_measure, slow_risk, tables
from tests.engine.search.cases import class_tables

SEARCHES = {"bps": bisecting_search, "directed": directed_search}


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
@pytest.mark.parametrize("mode", ["interval", "subtree"])
@settings(max_examples=40, deadline=None)
@given(drawn=class_tables(), seed=st.integers(0, 99), share=st.floats(0.05, 0.95))
def test_every_policy_found_is_at_the_boundary(search, mode, drawn, seed, share):
    """methods.md O-A4: acceptable, and a child is not."""
    table, _ = drawn
    if all(each.n_leaves == 1 for each in table.hierarchies):
        return
    measure = measure_of(table, mode=mode)
    space = measure.space
    most = measure.risk(space.bits_of(space.bottom()))
    least = measure.risk(space.bits_of(space.top()))
    rule = RiskAtMost(measure, least + share * (most - least))
    result = search(rule, 5, seed=seed)
    for found in result.found:
        assert slow_risk(table, found.policy.bits) == pytest.approx(found.risk)
        assert found.risk <= rule.threshold * (1 + 1e-9)
        if result.every_policy_acceptable:
            assert found.policy.level == 0
        else:
            assert any(
                slow_risk(table, child.bits) > rule.threshold
                for child in found.policy.children()
            )
        assert (space.closed(found.policy.bits) == found.policy.splits).all()


def test_path_of_table_1(monkeypatch):
    """Bits are cleared as in the paper: 10010 (yes), then 10110 (no)."""
    draws = iter([[1, 2, 4], [1, 4]])
    asked = []

    def drawn(splits, among, n, weights, rng):
        places = np.array(next(draws))
        assert len(places) == n
        return places

    monkeypatch.setattr(bps, "draw_joins", drawn)
    measure = paper_measure()
    rule = RiskAtMost(measure, 1.3)
    ask = bps.Asking.ask

    def noted(self, splits):
        verdict = ask(self, splits)
        asked.append(("".join(map(str, splits.astype(int))), verdict.accepted))
        return verdict

    monkeypatch.setattr(bps.Asking, "ask", noted)
    result = bisecting_search(rule, 1)
    assert asked == [
        *(("00000", True), ("11111", False), ("10010", True), ("10110", False))
    ]
    assert [each.policy.text for each in result.found] == ["10010"]
    assert result.n_asked.tolist() == [2]


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_a_seed_gives_the_same_policies(search):
    rule = RiskAtMost(paper_measure(), 1.3)
    one, two = (search(rule, 20, seed=4) for _ in range(2))
    other = search(rule, 20, seed=5)
    texts = [each.policy.text for each in one.found]
    assert texts == [each.policy.text for each in two.found]
    assert texts != [each.policy.text for each in other.found]


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_thresholds_out_of_reach(search):
    measure = paper_measure()
    with pytest.raises(InfeasibleError) as caught:
        search(RiskAtMost(measure, 0.1))
    assert caught.value.code == "no_acceptable_policy"
    assert caught.value.params["least"] == pytest.approx(6 / 57)
    result = search(RiskAtMost(measure, 3.7666666666666))
    assert result.every_policy_acceptable
    assert [each.policy.text for each in result.found] == ["11111"]
    for bad in (0.0, float("nan"), float("inf")):
        with pytest.raises(ConfigError) as caught:
            RiskAtMost(measure, bad)
        assert caught.value.code == "discovery_threshold"
    with pytest.raises(ConfigError) as caught:
        search(RiskAtMost(measure, 1.3), 0)
    assert caught.value.code == "discovery_iterations"


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_values_to_keep_are_kept(search):
    measure = paper_measure()
    keep = measure.space.keeping({"gender": [0]})
    result = search(RiskAtMost(measure, 1.3), 30, keep=keep)
    assert {each.policy.text[0] for each in result.found} == {"1"}


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_cancelling_keeps_what_was_found(search):
    found = []

    class Impatient:
        def report(self, fraction, note=""):
            if len(found) == 3:
                raise Cancelled

    rule = RiskAtMost(paper_measure(), 1.3)
    with pytest.raises(Cancelled):
        search(rule, 100, on_found=found.append, monitor=Impatient())
    assert len(found) == 3


def test_weights():
    """methods.md A.7: w1 is the size of the domain, w2 the share of earlier uses."""
    space = paper_measure().space
    assert Weights().fixed(space).tolist() == [0.4, 1, 1, 1, 1]
    assert Weights(w1_scale="sum").fixed(space).tolist() == pytest.approx(
        [2 / 7, *[5 / 7] * 4]
    )
    assert UNWEIGHTED.fixed(space).tolist() == [1] * 5
    with pytest.raises(ConfigError) as caught:
        Weights(w1_scale="mean")
    assert caught.value.code == "discovery_w1_scale"


def test_draws_are_as_likely_as_their_weights():
    """Sequential draws without replacement: Pr(first i, then j) in closed form."""
    weights = np.array([1.0, 2.0, 5.0])
    splits = Splits(np.arange(3), np.full(3, -1))
    rng = np.random.default_rng(7)
    n = 20_000
    seen = dict.fromkeys(itertools.permutations(range(3), 2), 0)
    for _ in range(n):
        drawn = draw_joins(splits, np.ones(3, np.bool_), 2, weights, rng)
        seen[tuple(drawn.tolist())] += 1
    for (i, j), count in seen.items():
        p = weights[i] / 8 * weights[j] / (8 - weights[i])
        assert abs(count / n - p) < 5 * np.sqrt(p * (1 - p) / n)


def test_draws_in_a_tree_wait_for_what_is_below():
    """Root 0 above 1 and 2; then Pr(1 first) = w1 / (w1 + w2)."""
    splits = Splits(np.array([0, 1, 2]), np.array([-1, 0, 0]))
    weights = np.array([9.0, 1.0, 3.0])
    rng = np.random.default_rng(8)
    n, first = 20_000, 0
    for _ in range(n):
        drawn = draw_joins(splits, np.ones(3, np.bool_), 3, weights, rng).tolist()
        assert drawn[2] == 0
        first += drawn[0] == 1
    assert abs(first / n - 0.25) < 5 * np.sqrt(0.25 * 0.75 / n)


@settings(max_examples=30, deadline=None)
@given(tables(), st.integers(0, 9))
def test_weights_reach_the_same_boundary(table, seed):
    measure = measure_of(table)
    space = measure.space
    most, least = measure.risk(space.bottom()), measure.risk(space.top())
    rule = RiskAtMost(measure, (most + least) / 2)
    for weights in (UNWEIGHTED, Weights(w1_scale="sum"), Weights(by_size=False)):
        for found in bisecting_search(rule, 3, seed=seed, weights=weights).found:
            policy: BitPolicy = found.policy
            assert rule.accepts(policy.bits)
            children = list(policy.children())
            assert not children or not all(rule.accepts(c.bits) for c in children)
