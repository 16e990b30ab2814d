"""The policies of all sources in one set: order, filter, lookup, equal tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from deidgui.app.policies.candidate import CandidateState, Figures, Proven, cells_of
from deidgui.app.policies.policy_set import (
    FIGURES,
    CandidateColumns,
    Filter,
    PolicySet,
)
from deidgui.app.policies.source import ALTERNATIVES, source
from deidgui.app.policies.stored import stored_policies
from deidgui.app.project import Chosen, Discover
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.policy.policy import lattice_policy
from deidgui.engine.policy.released import released_classes
from deidgui.engine.privacy import KAnonymity
from tests.explored_case import make_case


@pytest.fixture(scope="module")
def case():
    return make_case()


@pytest.fixture(scope="module")
def found(case):
    return PolicySet().with_part(case.found, "now")


def released_table(case, policy):
    """Rows as they are released, sorted: an oracle for equal tables."""
    table = case.classes.class_table
    released = released_classes(table, policy)
    rows = []
    for leaves, group in zip(
        table.leaves.tolist(), released.of_combination.tolist(), strict=True
    ):
        texts = [
            each.labels[each.groups[leaf]]
            for each, leaf in zip(policy.maps, leaves, strict=True)
        ]
        rows.append(None if released.suppressed[group] else tuple(texts))
    return tuple(rows)


def test_every_different_table_is_one_policy(case, found):
    nodes = range(case.found.lattice.n_nodes)
    tables = {released_table(case, case.found.policy(node)) for node in nodes}
    assert len(found) == len(tables)
    own = {released_table(case, found.candidate(n).policy) for n in range(len(found))}
    assert own == tables


def test_the_best_policy_stands_first_and_is_proven(case, found):
    best = found.candidate(found.best)
    assert found.best == found.order()[0]
    assert best.chosen == case.found.choice(case.found.optimum)
    assert best.rank == 1
    assert best.state is CandidateState.MEETS
    assert best.proven == {Proven.BEST}


def test_known_figures_are_those_of_the_classes(found):
    for number in range(len(found)):
        known, exact = found.candidate(number).figures, found.measure(number).figures
        assert known.n_suppressed == exact.n_suppressed
        assert known.average_risk == pytest.approx(exact.average_risk, rel=1e-12)
        # Class sizes above the ladder of the profile are not told apart.
        assert known.highest_risk >= exact.highest_risk - 1e-12
        if known.highest_is_exact:
            assert known.highest_risk == pytest.approx(exact.highest_risk, rel=1e-12)
        assert known.loss <= exact.loss + 1e-12
        assert known.population_risk is known.n_riskier is known.added_risk is None


@pytest.mark.parametrize("by", FIGURES)
@pytest.mark.parametrize("descending", [False, True])
def test_an_order_holds_all_policies_unknown_figures_last(found, by, descending):
    order = found.order(by, descending=descending)
    assert sorted(order.tolist()) == list(range(len(found)))
    values = getattr(found.columns, by)[order]
    known = values[~np.isnan(values)]
    assert np.isnan(values[len(known) :]).all()
    assert (np.diff(known) <= 0).all() if descending else (np.diff(known) >= 0).all()


def test_a_choice_is_found_again(found):
    for number in range(len(found)):
        assert found.number_of(found.candidate(number).chosen) == number
    assert found.number_of(None) is None
    assert found.number_of(Chosen(levels={"age": 1})) is None
    best = found.candidate(found.best).chosen
    assert found.number_of(best.but(suppress_below=99)) is None


def test_a_filter_goes_by_words_levels_and_suppressed_records(found):
    columns = found.columns
    assert found.matching(Filter()).tolist() == columns.meets.tolist()
    every = found.matching(Filter(only_meeting=False))
    assert every.tolist() == columns.checked.tolist()
    none = found.matching(Filter(suppressed_share=0.0, only_meeting=False))
    assert none.tolist() == (columns.n_suppressed == 0).tolist()
    name = found.candidate(0).cells[0].attribute
    low = found.matching(Filter(highest_level={name: 0}, only_meeting=False))
    kept = found.matching(Filter(text=f"{name} kept", only_meeting=False))
    second = found.candidate(0).cells[1].attribute
    text = f"{name.upper()}  Kept, {second} kept"
    both = found.matching(Filter(text=text, only_meeting=False))
    for number in range(len(found)):
        cell, next_cell = found.candidate(number).cells[:2]
        assert both[number] == (cell.effect == next_cell.effect == "kept")
        assert low[number] == (cell.level == 0)
        assert kept[number] == (cell.effect == "kept")
    text = "no such word"
    assert not found.matching(Filter(text=text, only_meeting=False)).any()
    assert not found.matching(Filter(sources=frozenset({"other"}))).any()
    assert found.matching(Filter(sources=frozenset({"lattice"}))).any()


def test_a_cell_says_effect_level_and_height(case):
    hierarchies = case.classes.class_table.hierarchies
    levels = {each.attribute: each.height for each in hierarchies}
    top = cells_of(lattice_policy(hierarchies, levels, 1))
    assert [cell.level for cell in top] == [cell.height for cell in top]
    bottom = cells_of(lattice_policy(hierarchies, dict.fromkeys(levels, 0), 1))
    assert {cell.effect for cell in bottom} == {"kept"}
    # PRIVACY: labels can be cell values.
    texts = [cell.text for cell in top if cell.effect == "generalized"]
    assert not any(text in repr(top) for text in texts)


def test_parts_are_replaced_by_kind(case, found):
    assert found.kinds == ("lattice",)
    assert found.fingerprints == {"lattice": "now"}
    again = found.with_part(case.found, "later")
    assert again.kinds == ("lattice",)
    assert again.fingerprints == {"lattice": "later"}
    assert PolicySet().best is None
    assert not len(PolicySet().order())


@pytest.fixture(scope="module")
def both(case):
    """The lattice, and alternatives of which only the most general one is left."""
    project = case.project.but(
        discover=Discover(baseline="typed", typed=20.0, iterations=5)
    )
    found = source(ALTERNATIVES).run(project, case.classes)
    basis = found.basis
    top = replace(
        found.alternatives[0],
        policy=BitPolicy(basis.space, basis.space.top()),
        risk=basis.least_risk,
        figures=Figures(n_suppressed=0, population_risk=basis.least_risk),
    )
    only = replace(found, alternatives=(top,))
    found = only.guided_by(found.guiding, found.weights)
    return PolicySet(population=basis).with_part(case.found).with_part(found)


def test_a_joined_policy_that_is_a_lattice_policy_is_one_entry(case, found, both):
    (alternative,) = both.part(ALTERNATIVES).alternatives
    assert len(both) == len(found)
    number = both.number_of(both.part(ALTERNATIVES).choice(0))
    top = case.found.lattice.n_nodes - 1
    assert number == both.number_of(case.found.choice(top))
    known = both.candidate(number)
    assert known.sources == ("lattice", "alternatives")
    assert known.figures.population_risk == alternative.risk
    assert known.state is CandidateState.MEETS
    # The same release has the same loss, whoever measures it.
    own = both.part(ALTERNATIVES).columns.loss[0]
    assert own == pytest.approx(case.found.loss[top], rel=1e-12)
    only = both.matching(Filter(sources=frozenset({"alternatives"})))
    assert np.flatnonzero(only).tolist() == [number]


def test_the_risk_in_the_population_is_told_on_request(both):
    assert both.candidate(0).figures.population_risk is None
    measured = both.measure(0).figures
    assert 0 < measured.population_risk <= both.candidate(0).n_records


def test_stored_policies_are_judged_by_the_decisions_of_now(case, found):
    best = found.candidate(found.best).chosen
    low = Chosen(levels=dict.fromkeys(best.levels, 0))
    gone = best.but(levels={"nothing": 0})
    stored = stored_policies(case.project, case.classes, [best, low, gone])
    assert [each.chosen for each in stored.policies] == [best, low]
    assert [each.state for each in stored.policies] == [
        CandidateState.MEETS,
        CandidateState.FAILS,
    ]
    assert stored.columns.loss[0] == pytest.approx(
        case.found.loss[case.found.optimum], rel=1e-12
    )
    every = found.with_part(stored)
    assert every.candidate(every.number_of(best)).sources == ("lattice", "stored")
    assert len(every) == len(found) + 1
    assert every.candidate(every.number_of(low)).state is CandidateState.FAILS


# -- thresholds are conditions of alternatives, too ------------------------------------


@pytest.fixture(scope="module")
def alternatives(case):
    project = case.project.but(
        discover=Discover(baseline="typed", typed=20.0, iterations=20, seed=3)
    )
    return source(ALTERNATIVES).run(project, case.classes)


def test_an_alternative_is_not_checked_before_it_is_measured(alternatives):
    policies = PolicySet().with_part(alternatives)
    states = {policies.candidate(n).state for n in range(len(policies))}
    assert states == {CandidateState.UNCHECKED}
    assert policies.n_meeting == 0
    # It is shown all the same: a person sees what was found.
    assert policies.matching(Filter()).all()


def test_an_alternative_meets_only_what_was_measured(case, alternatives):
    """Whatever risk was accepted: by an oracle that counts the released rows."""
    k = 3
    measured = alternatives.guided_by(
        alternatives.guiding, alternatives.weights, (KAnonymity(k),)
    )
    assert measured.is_guided_by(
        alternatives.guiding, alternatives.weights, (KAnonymity(k),)
    )
    assert not measured.is_guided_by(alternatives.guiding, alternatives.weights, ())
    policies = PolicySet().with_part(measured)
    table = case.classes.class_table
    seen = set()
    for number in range(len(policies)):
        candidate = policies.candidate(number)
        released = released_classes(table, candidate.policy)
        is_met = min(released.kept_counts) >= k
        assert candidate.state is (
            CandidateState.MEETS if is_met else CandidateState.FAILS
        )
        assert (candidate.rank is not None) == is_met
        seen.add(is_met)
    assert seen == {True, False}
    shown = policies.matching(Filter())
    assert shown.sum() == policies.n_meeting < len(policies)


def test_without_a_threshold_no_riskier_than_safe_harbor_needs_a_population(case):
    project = case.project.but(
        discover=Discover(baseline="typed", typed=20.0, iterations=5, seed=3)
    )
    found = source(ALTERNATIVES).run(project, case.classes)
    found = found.guided_by(found.guiding, found.weights)
    assert PolicySet().with_part(found).n_meeting
    basis = found.basis
    harbor = basis.discover.but(baseline="safe_harbor", typed=None)
    compared = replace(found, basis=replace(basis, discover=harbor, population=None))
    assert not PolicySet().with_part(compared).n_meeting


def test_a_highest_risk_above_the_ladder_is_a_bound_until_it_is_known(case):
    """Classes of 100 and more are counted alike: 1 % then is no figure."""
    profile = replace(case.found.profile, ladder=np.array([1, 2, 3]))
    profile = replace(profile, tiers=case.found.profile.tiers[:, :3])
    short = replace(case.found, result=replace(case.found.result, profile=profile))
    top = short.lattice.node(short.lattice.maximum)
    figures = short.columns.figures(top)
    assert not figures.highest_is_exact
    assert figures.highest_risk == pytest.approx(1 / 3)
    # Another source that has looked at the classes knows better.
    rows = np.array([top])
    exact = case.found.measure(top).figures
    yes = np.ones(1, np.bool_)
    columns = short.columns.at(np.arange(len(short.columns)))
    columns.take_over(rows, CandidateColumns.of([exact], yes, yes))
    known = columns.figures(top)
    assert known.highest_is_exact
    assert known.highest_risk == exact.highest_risk
