"""Candidates of a search: filter, order, words, risks, and other thresholds."""

from collections import Counter

import numpy as np
import pytest

from deidgui.app import ops
from deidgui.app.project import Chosen
from deidgui.app.tasks import exploring
from deidgui.app.tasks.exploring import Filter
from deidgui.app.tasks.searching import search
from deidgui.engine.privacy import (
    AverageProsecutorRisk,
    HighestProsecutorRisk,
    KAnonymity,
)
from tests.explored_case import cells, make_case
from tests.release_case import hierarchies


@pytest.fixture(scope="module")
def case():
    return make_case()


@pytest.fixture(scope="module")
def candidates(case):
    return exploring.candidates(case.found)


def class_sizes(case, node):
    """Sizes of all classes at a node, by plain Python."""
    levels = case.found.levels_of(node)
    columns = []
    for hierarchy in hierarchies(case.classes.table):
        level = hierarchy.levels[levels[hierarchy.attribute]]
        label = {
            leaf: level.labels[group]
            for leaf, group in zip(hierarchy.leaves, level.groups, strict=True)
        }
        texts = cells(case.classes.table, hierarchy.attribute)
        columns.append([label[text] for text in texts])
    return Counter(zip(*columns, strict=True)).values()


def test_highest_risk_is_one_over_the_smallest_released_class(case, candidates):
    for node in range(candidates.n_nodes):
        below = case.found.withhold_below[node]
        released = [size for size in class_sizes(case, node) if size >= below]
        risk = candidates.highest_risk[node]
        if not released:
            assert risk == 0
        elif min(released) <= 100:
            assert risk == pytest.approx(1 / min(released))
        else:  # the profile tells sizes up to 100 apart: an upper bound
            assert 1 / min(released) <= risk <= 1 / 100


def test_every_node_has_a_rank_exactly_if_it_is_feasible(case, candidates):
    feasible = case.found.feasible
    assert sorted(candidates.rank[feasible]) == list(range(1, feasible.sum() + 1))
    assert not candidates.rank[~feasible].any()
    assert candidates.by_rank[0] == case.found.optimum
    assert sorted(candidates.by_rank) == list(range(candidates.n_nodes))


def test_words_say_what_happens_to_each_column(candidates):
    found = candidates.found
    node = found.node_of({"age": 1, "sex": 0, "zip": 2})
    effects = {each.attribute: each.effect for each in candidates.phrases(node)}
    assert effects == {"age": "grouped", "sex": "kept", "zip": "removed"}
    words = candidates.short_words(node)
    assert words.startswith("age: ")
    assert "in full: sex" in words
    assert "removed: zip" in words


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Filter(is_feasible=False), lambda _levels: True),
        (Filter("sex full", is_feasible=False), lambda levels: levels["sex"] == 0),
        (
            Filter("SEX  Full, zip removed", is_feasible=False),
            lambda levels: levels["sex"] == 0 and levels["zip"] == 2,
        ),
        (
            Filter(highest_level={"age": 1}, is_feasible=False),
            lambda levels: levels["age"] <= 1,
        ),
        (Filter("no such word", is_feasible=False), lambda _levels: False),
    ],
)
def test_filter_by_words_and_levels(candidates, wanted, expected):
    passed = candidates.matching(wanted)
    for node in range(candidates.n_nodes):
        assert passed[node] == expected(candidates.found.levels_of(node))


def test_filter_by_thresholds_and_withheld_records(candidates):
    found = candidates.found
    assert (candidates.matching(Filter()) == found.feasible).all()
    passed = candidates.matching(Filter(withheld_share=0.05, is_feasible=False))
    assert (passed == (found.withheld <= 20)).all()  # 5 % of 400 records


@pytest.mark.parametrize(("k", "limit"), [(2, 0.0), (5, 0.05), (10, 0.3), (50, 1.0)])
def test_what_if_finds_what_a_search_finds(case, k, limit):
    answer = exploring.ask(case.found, k, limit)
    again = make_case(k, limit).found
    assert answer.optimum == again.optimum
    assert (answer.feasible == again.feasible).all()
    np.testing.assert_allclose(answer.loss, again.loss)


def test_group_size_is_asked_in_the_words_of_the_model():
    average = AverageProsecutorRisk(threshold=0.1)
    highest = HighestProsecutorRisk(threshold=0.2)
    assert exploring.group_size((highest, average)) == 5
    assert exploring.group_size((average,)) == 1
    changed = exploring.with_group_size((highest, average), 7)
    assert changed[1] == average
    assert changed[0].kind == highest.kind
    assert changed[0].depth == 7
    added = exploring.with_group_size((average,), 4)
    assert added == (average, KAnonymity(4))
    assert exploring.with_group_size((average,), 1) == (average,)


@pytest.mark.parametrize("k", range(2, 101))
def test_every_group_size_survives_as_a_risk(k):
    (model,) = exploring.with_group_size((HighestProsecutorRisk(threshold=0.5),), k)
    assert model.depth == k


def test_prices_are_those_of_searches_and_never_rise_with_the_limit(case):
    prices = exploring.prices(case.found)
    for k, loss in zip(prices.sizes[:3], prices.loss_by_size[:3], strict=True):
        again = make_case(int(k), case.found.limit).found
        expected = np.nan if again.optimum is None else again.loss[again.optimum]
        np.testing.assert_equal(loss, expected)
    known = prices.loss_by_limit[np.isfinite(prices.loss_by_limit)]
    assert (np.diff(known) <= 1e-12).all()
    known = prices.loss_by_size[np.isfinite(prices.loss_by_size)]
    assert (np.diff(known) >= -1e-12).all()


def test_other_thresholds_are_answered_from_the_profile(case):
    changed = ops.change_privacy(
        models=({"kind": "k_anonymity", "k": 6},), suppression_limit=0.2
    )(case.project)
    assert exploring.can_renew(changed, case.classes, case.found)
    renewed = exploring.renewed(changed, case.found)
    assert renewed.optimum == search(changed, case.classes).optimum
    assert renewed.limit == 0.2


def test_other_data_or_levels_need_a_search(case):
    limited = ops.change_attribute("age", maximum_level=1)(case.project)
    assert not exploring.can_renew(limited, case.classes, case.found)
    assert not exploring.can_renew(case.project, None, case.found)
    assert not exploring.can_renew(case.project, make_case().classes, case.found)
    none = ops.change_privacy(models=())(case.project)
    assert not exploring.can_renew(none, case.classes, case.found)


def test_a_stored_policy_is_found_again_only_if_it_withholds_the_same(case):
    found = case.found
    assert exploring.node_of(found, None) is None
    choice = found.choice(found.optimum)
    assert exploring.node_of(found, choice) == found.optimum
    other = choice.but(withhold_below=choice.withhold_below + 1)
    assert exploring.node_of(found, other) is None
    gone = Chosen(levels={"age": 0}, withhold_below=3)
    assert exploring.node_of(found, gone) is None
