"""All policies of small spaces, and the risk-minimal ones among them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.bps import bisecting_search
from deidgui.engine.discover.completion import complete
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.exhaustive import exhaustive_search, is_small
from deidgui.engine.discover.rules import RiskAtMost
from deidgui.engine.discover.space import Space
from deidgui.errors import InfeasibleError, ResourceError
from tests.engine.discover.cases import (
    all_bits,
    flat,
    measure_of,
    paper_measure,
    slow_risk,
    tables,
)
from tests.engine.search.cases import class_tables, table_of


@pytest.mark.parametrize(
    ("threshold", "n_acceptable", "n_boundary", "risk_minimal"),
    [
        (1.3, 13, 13, {"11100", "10010", "01110"}),
        (2.0, 24, 16, {"01111", "11110"}),
    ],
)
def test_paper_example(threshold, n_acceptable, n_boundary, risk_minimal):
    """methods.md O-A1."""
    told = []
    result = exhaustive_search(
        RiskAtMost(paper_measure(), threshold), on_found=told.append
    )
    assert (result.n_policies, len(result.found)) == (32, n_acceptable)
    assert sum(each.is_boundary for each in result.found) == n_boundary
    assert {
        each.policy.text for each in result.found if each.is_risk_minimal
    } == risk_minimal
    assert {each.policy.text for each in told} == risk_minimal
    assert {each.policy.text for each in result.non_dominated} == risk_minimal


@settings(max_examples=40, deadline=None)
@given(tables(2, 5), st.floats(0, 1), st.booleans())
def test_census_equals_slow_looking(table, share, keeps):
    measure = measure_of(table)
    risks = {tuple(b): slow_risk(table, b) for b in all_bits(measure.space.n_bits)}
    low, high = min(risks.values()), max(risks.values())
    threshold = low + share * (high - low) + 1e-9
    keep = measure.space.top()
    keep[0] = keeps
    rule = RiskAtMost(measure, threshold)
    wanted = {
        bits
        for bits, risk in risks.items()
        if risk <= threshold and (bits[0] or not keeps)
    }
    if not wanted:
        with pytest.raises(InfeasibleError):
            exhaustive_search(rule, keep=keep)
        return
    result = exhaustive_search(rule, keep=keep)
    assert {tuple(each.policy.bits) for each in result.found} == wanted
    minimal = {
        bits
        for bits in wanted
        if not any(
            other != bits and all(o >= b for o, b in zip(other, bits, strict=True))
            for other in wanted
        )
    }
    assert {
        tuple(each.policy.bits) for each in result.found if each.is_risk_minimal
    } == minimal


@settings(max_examples=40, deadline=None)
@given(class_tables(), st.floats(0.05, 0.95), st.integers(0, 9))
def test_completed_policies_are_risk_minimal(drawn, share, seed):
    table, _ = drawn
    if all(each.n_leaves == 1 for each in table.hierarchies):
        return
    for mode in ("interval", "subtree"):
        measure = measure_of(table, mode=mode)
        space = measure.space
        most = measure.risk(space.bits_of(space.bottom()))
        least = measure.risk(space.bits_of(space.top()))
        rule = RiskAtMost(measure, least + share * (most - least))
        start = bisecting_search(rule, 3, seed=seed).distinct
        result = complete(rule, [each.policy for each in start], seed=seed)
        for before, after in zip(start, result.found, strict=True):
            assert after.is_risk_minimal
            assert (after.policy.splits >= before.policy.splits).all()
            assert slow_risk(table, after.policy.bits) == pytest.approx(after.risk)
            for child in after.policy.children():
                assert slow_risk(table, child.bits) > rule.threshold * (1 - 1e-9)


def test_what_is_not_acceptable_is_not_completed():
    measure = paper_measure()
    with pytest.raises(InfeasibleError):
        complete(RiskAtMost(measure, 1.3), [BitPolicy.parse(measure.space, "11111")])


def test_subtree_spaces_are_enumerated_by_nodes():
    table = paper_measure().cells
    assert is_small(table.space)
    wide = Space((Domain.of(flat("age", range(101))),))
    assert not is_small(wide)
    assert is_small(Space(wide.domains, "subtree"))


def test_large_spaces_are_refused():
    ages = flat("age", range(18))
    rule = RiskAtMost(measure_of(table_of([ages], [(0,), (5,)])), 1.5)
    with pytest.raises(ResourceError) as caught:
        exhaustive_search(rule)
    assert caught.value.code == "discovery_too_many_policies"
