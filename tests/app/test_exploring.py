"""Candidates of a search: filter, order, words, risks, and other thresholds."""

from collections import Counter

import numpy as np
import pytest

from deidgui.app import ops
from deidgui.app.policies.lattice import what_if as exploring
from deidgui.app.policies.lattice.searching import search
from deidgui.app.project import Chosen
from deidgui.engine.data.class_table import classes_at
from deidgui.engine.privacy import (
    AverageProsecutorRisk,
    HighestProsecutorRisk,
    KAnonymity,
)
from deidgui.engine.privacy.suppression import released
from deidgui.engine.quality import QUALITY_MEASURES
from tests.explored_case import cells, make_case
from tests.release_case import hierarchies


@pytest.fixture(scope="module")
def case():
    return make_case()


def class_sizes(case, node):
    """Sizes of all classes at a node."""
    return Counter(keys_at(case, node)).values()


def keys_at(case, node):
    """Released values of every record at a node, by plain Python."""
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
    return list(zip(*columns, strict=True))


DIVERSITY = {"kind": "distinct_l_diversity", "attribute": "diagnosis", "diversity": 3}
CLOSENESS = {"kind": "equal_t_closeness", "attribute": "diagnosis", "t": 0.25}


@pytest.mark.parametrize(
    "models",
    [
        (DIVERSITY,),
        ({"kind": "k_anonymity", "k": 4}, CLOSENESS),
        ({"kind": "highest_prosecutor_risk", "threshold": 0.1}, DIVERSITY, CLOSENESS),
    ],
)
def test_figures_with_conditions_are_those_of_the_released_classes(models):
    """Diversity and closeness suppress classes of any size, record by record here."""
    case = make_case(models=models, limit=1.0)
    found = case.found
    every = case.project.privacy.models
    n_larger_suppressed = 0
    for node in range(case.found.lattice.n_nodes):
        groups = records_by_class(case, node)
        kept = [g for g in groups.values() if all(fits(m, g, case) for m in every)]
        n_kept = sum(map(len, kept))
        assert found.suppressed[node] == found.n_records - n_kept
        if not kept:
            assert case.found.highest_risk[node] == 0
            assert found.average_risk[node] == 0
            continue
        smallest = min(map(len, kept))
        gone = [len(g) for g in groups.values() if g not in kept]
        n_larger_suppressed += max(gone, default=0) > smallest
        assert found.average_risk[node] == pytest.approx(len(kept) / n_kept)
        if smallest <= 100:
            assert case.found.highest_risk[node] == pytest.approx(1 / smallest)
        else:
            assert 1 / smallest <= case.found.highest_risk[node] <= 1 / 100
    if CLOSENESS in models:  # size alone does not say what is suppressed
        assert n_larger_suppressed


@pytest.mark.parametrize("kind", ["average_prosecutor_risk", "sample_uniqueness"])
def test_figures_with_models_of_the_whole_release(kind):
    """Which classes go is decided for the whole: the rule is tested with the models."""
    models = ({"kind": "k_anonymity", "k": 2}, {"kind": kind, "threshold": 0.08})
    case = make_case(models=models, limit=1.0)
    found = case.found
    table = case.classes.class_table
    for node in range(case.found.lattice.n_nodes):
        classes = classes_at(table, found.lattice.levels_of(node))
        sizes = classes.counts[released(found.models, classes)]
        assert found.suppressed[node] == found.n_records - sizes.sum()
        average = len(sizes) / max(sizes.sum(), 1)
        assert found.average_risk[node] == pytest.approx(average)
        smallest = sizes.min(initial=1000)
        if smallest <= 100:
            assert case.found.highest_risk[node] == pytest.approx(1 / smallest)
        else:
            assert 0 <= case.found.highest_risk[node] <= 1 / 100


def records_by_class(case, node):
    """Diagnoses of the records of every class at a node, by plain Python."""
    groups = {}
    diagnoses = cells(case.classes.table, "diagnosis")
    for key, diagnosis in zip(keys_at(case, node), diagnoses, strict=True):
        groups.setdefault(key, []).append(diagnosis)
    return groups


def fits(model, diagnoses, case):
    """Whether a class meets a model of a sensitive attribute, by its definition."""
    if model.kind == "distinct_l_diversity":
        return len(set(diagnoses)) >= model.diversity
    if model.kind == "equal_t_closeness":
        every = Counter(cells(case.classes.table, "diagnosis"))
        here = Counter(diagnoses)
        n, total = len(diagnoses), every.total()
        distance = sum(abs(here[d] / n - every[d] / total) for d in every) / 2
        return distance <= model.t + 1e-9
    return len(diagnoses) >= model.depth


@pytest.mark.parametrize("measure", ["loss", "non_uniform_entropy", "ambiguity"])
def test_every_measure_of_a_candidate_whichever_guides(measure):
    case = make_case(measure={"kind": measure}, models=(DIVERSITY,), limit=0.3)
    found = case.found
    for node in found.ranked[:3].tolist():
        losses = found.measure(node).losses
        assert {each.measure.kind for each in losses} == {
            each.kind for each in QUALITY_MEASURES
        }
        assert losses[0].measure == found.guiding
        assert losses[0].loss >= found.loss[node] - 1e-9  # a lower bound at least
        for each in losses:
            guided = make_case(
                measure=each.measure.to_json(), models=(DIVERSITY,), limit=0.3
            ).found
            if guided.result.exact[node]:
                assert each.loss == pytest.approx(guided.loss[node], rel=1e-9)


def test_highest_risk_is_one_over_the_smallest_released_class(case):
    for node in range(case.found.lattice.n_nodes):
        below = case.found.suppress_below[node]
        released = [size for size in class_sizes(case, node) if size >= below]
        risk = case.found.highest_risk[node]
        if not released:
            assert risk == 0
        elif min(released) <= 100:
            assert risk == pytest.approx(1 / min(released))
        else:  # the profile tells sizes up to 100 apart: an upper bound
            assert 1 / min(released) <= risk <= 1 / 100


def test_candidates_that_meet_the_thresholds_come_first(case):
    found = case.found
    n_feasible = found.feasible.sum()
    assert found.feasible[found.best_first[:n_feasible]].all()
    assert found.best_first[0] == found.optimum
    assert sorted(found.best_first) == list(range(found.lattice.n_nodes))


@pytest.mark.parametrize(("k", "limit"), [(2, 0.0), (5, 0.05), (10, 0.3), (50, 1.0)])
def test_what_if_finds_what_a_search_finds(case, k, limit):
    answer = exploring.ask(case.found, (KAnonymity(k),), limit)
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


def test_a_stored_policy_is_found_again_only_if_it_suppresses_the_same(case):
    found = case.found
    assert found.row_of(None) is None
    choice = found.choice(found.optimum)
    assert found.row_of(choice) == found.optimum
    other = choice.but(suppress_below=choice.suppress_below + 1)
    assert found.row_of(other) is None
    gone = Chosen(levels={"age": 0}, suppress_below=3)
    assert found.row_of(gone) is None


# Parts of a lattice


def test_conditions_can_be_answered_for_sizes_but_not_for_others():
    k3, k6 = {"kind": "k_anonymity", "k": 3}, {"kind": "k_anonymity", "k": 6}
    case = make_case(models=(k3, DIVERSITY), limit=0.4)
    models = case.project.privacy.models
    other = exploring.with_group_size(models, 6)
    answer = exploring.ask(case.found, other, 0.2)
    again = make_case(models=(k6, DIVERSITY), limit=0.2).found
    assert answer.optimum == again.optimum
    assert (answer.suppressed == again.suppressed).all()
    assert exploring.can_answer(case.found, other)
    assert not exploring.can_answer(case.found, other[:1])
    average = AverageProsecutorRisk(threshold=0.05)
    assert exploring.can_answer(case.found, (*models, average))
    assert not exploring.can_answer(
        case.found, (*models, AverageProsecutorRisk(threshold=0.005))
    )
    assert not exploring.can_answer(case.found, (KAnonymity(101), models[1]))
    project = ops.change_privacy(models=(k6,))(case.project)
    assert not exploring.can_renew(project, case.classes, case.found)


def test_a_part_of_a_lattice_proves_nothing_for_other_thresholds(monkeypatch):
    for name in ("MOST_AROUND", "FEW_SHOWN"):
        monkeypatch.setattr(f"deidgui.app.policies.lattice.searching.{name}", 8)
    case = make_case(method="optimum")
    found = case.found
    assert found.optimality is not None
    assert found.complete
    assert found.lattice.n_nodes < found.n_nodes == 18
    assert exploring.ask(found, found.models, found.limit) is found
    answer = exploring.ask(found, (KAnonymity(4),), found.limit)
    assert not answer.complete
    assert answer.gap is None
    assert answer.n_nodes == 18
    assert not exploring.can_renew(case.project, case.classes, found)


def test_a_search_for_the_optimum_that_saw_everything_answers_like_a_profile():
    case = make_case(method="optimum")
    assert case.found.lattice.n_nodes == case.found.n_nodes
    answer = exploring.ask(case.found, (KAnonymity(6),), 0.2)
    assert answer.complete
    assert answer.optimum == make_case(6, 0.2).found.optimum
    assert exploring.can_renew(case.project, case.classes, case.found)
    chosen = ops.change_search(method="ola")(case.project)
    assert not exploring.can_renew(chosen, case.classes, case.found)


@pytest.mark.parametrize("limit", [0.0, 0.1, 0.6])
def test_thresholds_that_the_profile_does_not_know_are_searched_anew(limit):
    unique = {
        "kind": "population_uniqueness",
        "threshold": 0.3,
        "sampling_fraction": 0.1,
    }
    k6 = {"kind": "k_anonymity", "k": 6}
    case = make_case()
    for models in ((k6, unique), (k6, DIVERSITY), (CLOSENESS,)):
        again = make_case(models=models, limit=limit).found
        decided = make_case(models=models).project.privacy.models
        assert not exploring.can_answer(case.found, decided)
        answer = exploring.answer(case.found, decided, limit)
        assert answer.complete
        if again.optimum is None:
            assert answer.optimum is None
            assert answer.n_nodes == 18
            continue
        assert answer.levels_of(answer.optimum) == again.levels_of(again.optimum)
        assert answer.suppressed[answer.optimum] == again.suppressed[again.optimum]
        assert answer.loss[answer.optimum] == again.loss[again.optimum]
        risk = again.highest_risk[again.optimum]
        assert answer.highest_risk[answer.optimum] == risk
