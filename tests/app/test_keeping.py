"""By default no quasi-identifier is removed as a whole where that can be helped."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from deidgui.app import ops
from deidgui.app.policies.decisions import kept_levels
from deidgui.app.policies.lattice import searching
from deidgui.app.policies.lattice import what_if as exploring
from deidgui.app.policies.lattice.keeping import (
    cost_words,
    kept_words,
    order_words,
)
from deidgui.app.policies.lattice.searching import search, search_rounds, with_cost
from deidgui.app.policies.lattice.source import describe_lattice
from deidgui.app.policies.ordering import sorted_words
from deidgui.app.policies.policy_set import PolicySet
from deidgui.app.project import Project, Quality, Search
from deidgui.app.reading.importance import HIGH, LOW, MEDIUM
from deidgui.app.reading.reading import propose_project, read_input
from deidgui.app.storage.project_io import dump_project, parse_project
from deidgui.engine.data.class_table import classes_at
from deidgui.engine.privacy import KAnonymity
from tests.explored_case import make_case

THRESHOLDS = [
    (k, limit) for k in (2, 3, 5, 10, 20, 50, 100) for limit in (0.0, 0.1, 0.3)
]


def with_keeping(project: Project, is_kept: bool) -> Project:
    return project.but(quality=project.quality.but(keep_something=is_kept))


def searched(case, k, limit, *, is_kept=True, method="profile"):
    """What a search finds for a case under thresholds."""
    project = with_keeping(case.project, is_kept)
    privacy = project.privacy.but(models=(KAnonymity(k),), suppression_limit=limit)
    project = project.but(privacy=privacy, search=Search(method=method))
    return search(project, case.classes)


def weighed(**weights):
    """A case in which columns matter so much."""
    case = make_case()
    attributes = tuple(
        each.but(weight=weights.get(each.name, 1.0)) for each in case.project.attributes
    )
    project = with_keeping(case.project.but(attributes=attributes), is_kept=True)
    return replace(case, project=project)


@pytest.fixture(scope="module")
def case():
    """One in which the ages matter little: a search would give them up."""
    return weighed(age=0.01)


@pytest.fixture(scope="module")
def costly():
    """One in which only the ages matter: the other columns lose a lot."""
    return weighed(sex=0.01, zip=0.01)


def told(found, node):
    """By attribute: number of different values that a node tells."""
    classes = classes_at(found.profile.class_table, found.lattice.levels_of(node))
    return [len(np.unique(classes.groups[:, i])) for i in range(len(found.attributes))]


def best_by_hand(found):
    """The best node by looking at every one: first those that tell of most."""
    sums, weights = found.lattice.level_sums, found.weights

    def key(node):
        of_each = zip(found.attributes, told(found, node), strict=True)
        removed = sum(weights[name] ** 2 for name, number in of_each if number == 1)
        loss = round(float(found.loss[node]), 12)
        return round(removed, 9), loss, int(sums[node]), node

    return min(np.flatnonzero(found.feasible).tolist(), key=key, default=None)


@pytest.mark.parametrize(("k", "limit"), THRESHOLDS)
@pytest.mark.parametrize("method", ["profile", "optimum"])
def test_the_best_policy_keeps_something_of_each_if_any_does(case, k, limit, method):
    found = searched(case, k, limit, method=method)
    every = searched(case, k, limit)
    best = best_by_hand(every)
    assert (found.optimum is None) == (best is None)
    if best is not None:
        assert found.levels_of(found.optimum) == every.levels_of(best)
        assert found.complete
        removed = {
            n
            for n, t in zip(every.attributes, told(every, best), strict=True)
            if t == 1
        }
        assert set(found.removed_at(found.optimum)) == removed
        described = describe_lattice(found)
        assert described["removed"] == list(found.removed_at(found.optimum))


def test_some_of_these_thresholds_would_remove_a_column_without_it(case):
    lost, helped, forced = [], [], []
    for k, limit in THRESHOLDS:
        free = searched(case, k, limit, is_kept=False)
        if free.optimum is None:
            continue
        kept = searched(case, k, limit)
        is_lost = min(told(free, free.optimum)) == 1
        lost.append(is_lost)
        helped.append(is_lost and not kept.removed_at(kept.optimum))
        forced.append(bool(kept.removed_at(kept.optimum)))
    assert any(lost)
    assert any(helped)
    assert any(forced)


def test_a_removed_column_of_the_highest_importance_is_named_as_such():
    """Where all matter alike, none is more important than the others."""
    names = {}
    for weight in (0.5, 1.0):
        case = weighed(age=weight, sex=0.5, zip=0.5)
        for k, limit in THRESHOLDS:
            found = searched(case, k, limit)
            if found.optimum is not None and found.removed_at(found.optimum):
                words = kept_words(found)
                is_named = "importance among them: age" in words
                names.setdefault(weight, []).append(is_named)
                assert is_named == (
                    weight == 1.0 and "age" in found.removed_at(found.optimum)
                )
    assert not any(names[0.5])
    assert any(names[1.0])


def test_ola_prefers_the_same(case):
    for k, limit in THRESHOLDS:
        kept = searched(case, k, limit, method="ola")
        every = searched(case, k, limit)
        if every.optimum is not None:
            is_removed = bool(every.removed_at(every.optimum))
            assert bool(kept.removed_at(kept.optimum)) == is_removed


@pytest.mark.parametrize(("k", "limit"), THRESHOLDS)
def test_other_thresholds_are_answered_with_the_same_preference(case, k, limit):
    base = searched(case, 3, 0.1)
    answer = exploring.ask(base, (KAnonymity(k),), limit)
    anew = exploring.best_anew(base, (KAnonymity(k),), limit)
    again = searched(case, k, limit)
    assert answer.optimum == again.optimum
    assert answer.ranked.tolist() == again.ranked.tolist()
    if again.optimum is not None:
        assert anew.levels == again.lattice.levels_of(again.optimum)


def test_the_list_puts_policies_that_remove_a_column_behind_all_others(case):
    found = searched(case, 3, 0.3)
    policies = PolicySet().with_part(found)
    order = policies.order("best")[: policies.n_meeting]
    removed = [
        round(
            sum(
                found.weights[cell.attribute] ** 2
                for cell in policies.candidate(n).cells
                if cell.effect == "removed"
            ),
            9,
        )
        for n in order.tolist()
    ]
    assert removed[0] == 0
    assert removed[-1] > 1
    assert removed == sorted(removed)
    assert policies.best == order[0]


def test_several_rounds_keep_something_in_the_first(case):
    for k, limit in [(10, 0.1), (20, 0.0), (20, 0.3)]:
        privacy = case.project.privacy.but(
            models=(KAnonymity(k),), suppression_limit=limit
        )
        project = case.project.but(privacy=privacy)
        single = search(project, case.classes)
        rounds = search_rounds(project, case.classes)
        if single.optimum is not None and not single.removed_at(single.optimum):
            assert rounds is not None
            assert not single.removed_at_levels(rounds.choice().levels)


def test_what_a_person_decided_about_a_column_is_respected(case):
    table = case.classes.class_table
    names = list(kept_levels(case.project, table))
    assert names == list(table.attributes)
    heights = {each.attribute: each.height for each in table.hierarchies}
    first = names[0]

    def changed(**decided):
        attributes = tuple(
            each.but(**decided) if each.name == first else each
            for each in case.project.attributes
        )
        return kept_levels(case.project.but(attributes=attributes), table)

    assert list(changed(weight=0.0)) == names[1:]
    assert list(changed(maximum_level=heights[first])) == names[1:]
    assert list(changed(minimum_level=heights[first])) == names[1:]
    assert kept_levels(with_keeping(case.project, is_kept=False), table) == {}


def test_only_new_projects_keep_something_by_themselves(tmp_path):
    assert not Quality.model_validate({"measure": {"kind": "loss"}}).keep_something
    (tmp_path / "a.csv").write_text("sex,age\nf,30\nm,40\n")
    assert propose_project(read_input(tmp_path / "a.csv")).quality.keep_something


def test_figures_do_not_depend_on_the_preference(case):
    kept, free = searched(case, 5, 0.1), searched(case, 5, 0.1, is_kept=False)
    assert (kept.feasible == free.feasible).all()
    np.testing.assert_array_equal(kept.loss, free.loss)
    assert replace(kept.result, preferred=None).ranked.tolist() == free.ranked.tolist()


@pytest.mark.parametrize(("k", "limit"), THRESHOLDS)
@pytest.mark.parametrize("named", ["case", "costly"])
def test_the_cost_of_the_preference_is_counted_with_equal_weights(
    request, named, k, limit
):
    case = request.getfixturevalue(named)
    found = searched(case, k, limit)
    if found.optimum is None:
        assert found.preference_cost is None
        return
    equal = tuple(each.but(weight=1.0) for each in case.project.attributes)
    plain = replace(case, project=case.project.but(attributes=equal))
    free = searched(plain, k, limit, is_kept=False)
    assert found.preference_cost[:2] == pytest.approx(
        (free.loss[found.optimum], free.loss[free.optimum])
    )
    assert found.preference_cost.is_proven
    is_other = free.loss[found.optimum] > free.loss[free.optimum]
    assert bool(cost_words(found)) == is_other


@pytest.mark.parametrize(("k", "limit"), [(3, 0.1), (20, 0.1), (50, 0.3)])
def test_the_cost_in_a_large_lattice_is_measured_by_a_search_of_its_own(
    costly, k, limit, monkeypatch
):
    found = searched(costly, k, limit, method="optimum")
    privacy = costly.project.privacy.but(
        models=(KAnonymity(k),), suppression_limit=limit
    )
    project = costly.project.but(privacy=privacy, search=Search(method="optimum"))
    assert cost_words(found)
    # As if the policies around the best one were a part of more.
    part = replace(found, optimality=replace(found.optimality, n_nodes=10**6))
    assert part.preference_cost is None
    assert cost_words(part) == ""
    measured = with_cost(project, part)
    assert measured.preference_cost == pytest.approx(found.preference_cost)
    assert cost_words(measured) == cost_words(found)
    assert with_cost(project, measured) is measured
    monkeypatch.setattr(searching, "MOST_AROUND", 1)
    few = Search(method="optimum", most_nodes=1)
    stopped = with_cost(project.but(search=few), part)
    assert not stopped.preference_cost.is_proven
    words = cost_words(stopped, says_nothing=False)
    assert "at least" in words or "stopped" in words
    # One that ended before any policy was found has been asked for, too.
    none = replace(part, plain=replace(stopped.plain, levels=None, loss=None))
    assert none.preference_cost.least == none.preference_cost.loss
    assert with_cost(project, none) is none


def test_nothing_is_searched_for_a_cost_that_does_not_follow(costly, monkeypatch):
    """Of what importance and a proof that was given up cost, nobody knows which."""
    found = searched(costly, 20, 0.1, method="optimum")
    proof = replace(found.optimality, n_nodes=10**6, is_proven=False, gap=0.2)
    assert replace(found, optimality=replace(proof, is_proven=True)).lacks_cost
    monkeypatch.setattr(searching, "find_optimum", None)
    stopped = replace(found, optimality=proof)
    assert not stopped.lacks_cost
    assert with_cost(costly.project, stopped) is stopped


@pytest.mark.parametrize(
    ("method", "profiled", "around", "is_proven"),
    [
        ("profile", 18, 1, True),
        ("profile", 17, 1, False),
        ("profile", 17, 18, True),
        ("optimum", 18, 17, False),
        ("optimum", 18, 18, True),
    ],
)
def test_the_search_for_the_cost_ends_unless_a_survey_would_tell_it(
    costly, monkeypatch, method, profiled, around, is_proven
):
    """Who waits for the survey, and a run that does none, state the same."""
    found = searched(costly, 50, 0.3, method="optimum")
    assert found.lattice.n_nodes == 18
    part = replace(found, optimality=replace(found.optimality, n_nodes=10**6))
    monkeypatch.setattr(searching, "MOST_PROFILED", profiled)
    monkeypatch.setattr(searching, "MOST_AROUND", around)
    project = costly.project.but(
        privacy=costly.project.privacy.but(
            models=(KAnonymity(50),), suppression_limit=0.3
        ),
        search=Search(method=method),
    )
    assert with_cost(project, part).preference_cost.is_proven
    monkeypatch.setattr(searching, "MOST_FOR_COST", 1)
    monkeypatch.setattr(searching, "LEAST_FOR_COST", 1)
    assert with_cost(project, part).preference_cost.is_proven == is_proven


def test_a_project_that_does_not_say_it_finds_what_it_found(case):
    fields = json.loads(dump_project(case.project))
    assert fields["quality"]["keep_something"] is True
    del fields["quality"]["keep_something"]
    before = parse_project(json.dumps(fields).encode(), "x")
    assert kept_levels(before, case.classes.class_table) == {}


def test_who_sets_one_weight_has_not_confirmed_all_others(case):
    assert not case.project.importance_said
    assert not ops.set_weight("age", 1.0)(case.project).importance_said
    confirmed = ops.confirm_importance()(case.project)
    assert confirmed.importance_said
    assert confirmed.attributes == case.project.attributes


def test_importance_is_proposed_by_kind(tmp_path):
    path = tmp_path / "stays.csv"
    rows = [
        f"{20 + n % 60},{'MF'[n % 2]},{100 + n % 40},{'ABC'[n % 3]}" for n in range(300)
    ]
    path.write_text("\n".join(["age,sex,room_number,marital_status", *rows]))
    project = propose_project(read_input(path))
    weights = {each.name: each.weight for each in project.attributes}
    assert weights["age"] == weights["sex"] == HIGH
    assert weights["marital_status"] == MEDIUM
    assert weights["room_number"] == LOW


def test_why_a_policy_that_loses_less_stands_below_the_best_is_said(case):
    """Wherever it decides, and only there."""
    n_told = 0
    for k, limit in THRESHOLDS:
        for is_kept in (True, False):
            found = searched(case, k, limit, is_kept=is_kept)
            words = order_words(found)
            if found.optimum is None:
                assert words == ""
                continue
            less = found.loss[found.feasible] < found.loss[found.optimum] - 1e-9
            assert bool(words) == bool(less.any())
            assert is_kept or not words
            n_told += bool(words)
            if words:
                n_less = int(less.sum())
                assert f"{n_less} polic" in words
    assert n_told


def test_what_is_removed_decides_first_also_where_no_policy_keeps_every_column():
    """As the list says it: what is removed, weighed by importance, then the loss."""
    case, n_forced = weighed(sex=0.5, zip=0.25), 0
    for k, limit in THRESHOLDS:
        found = searched(case, k, limit)
        policies = PolicySet().with_part(found)
        order = policies.order()[: int(policies.columns.meets.sum())].tolist()
        nodes = [int(policies.rows_in("lattice")[number]) for number in order]
        removed = [
            [
                name
                for name, n in zip(found.attributes, told(found, node), strict=True)
                if n == 1
            ]
            for node in nodes
        ]
        costs = [sum(found.weights[name] ** 2 for name in each) for each in removed]
        loss = [float(policies.columns.loss[number]) for number in order]
        keys = [(round(c, 9), round(x, 9)) for c, x in zip(costs, loss, strict=True)]
        assert keys == sorted(keys)
        is_forced = all(removed) and loss != sorted(loss)
        if is_forced:
            words = sorted_words(policies, policies.order())
            assert "keep something of every column" not in words
            assert "removes as a whole decide first, weighed by importance" in words
        n_forced += is_forced
    assert n_forced


def test_a_list_says_by_what_it_is_sorted_and_why_a_lower_loss_comes_later(case):
    """Of exactly the policies that are shown."""
    n_later = 0
    for k, limit in THRESHOLDS:
        policies = PolicySet().with_part(searched(case, k, limit))
        meets, loss = policies.columns.meets, policies.columns.loss
        shown = policies.order()[meets[policies.order()]]
        words = sorted_words(policies, shown)
        if not len(shown):
            assert words == ""
            continue
        n_less = int((loss[shown] < loss[shown[0]] - 1e-9).sum())
        n_later += n_less > 0
        is_sorted = (np.diff(loss[shown]) >= -1e-9).all()
        assert (words == "Sorted by loss, lowest first.") == is_sorted
        assert is_sorted or "weighed by importance" in words
        assert (f"{n_less} polic" in words) == (n_less > 0)
        assert "“–”" not in words
        everything = sorted_words(policies, policies.order())
        assert ("“–” do not meet" in everything) == (not meets.all())
    assert n_later
