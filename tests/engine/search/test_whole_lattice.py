"""The optimum against trying every node, record by record (O-B9)."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data.class_table import classes_at
from deidgui.engine.privacy import (
    AverageProsecutorRisk,
    HighestProsecutorRisk,
    KAnonymity,
    PopulationUniqueness,
    RecordsAtRisk,
    SampleUniqueness,
    suppression,
)
from deidgui.engine.quality import (
    Ambiguity,
    AverageClassSize,
    Discernibility,
    Height,
    Loss,
    MonotoneDiscernibility,
    MonotoneEntropy,
    MonotonePrecision,
    NonUniformEntropy,
    NormalizedEntropy,
    Precision,
)
from deidgui.engine.search import walk
from deidgui.engine.search.profile import build_profile
from deidgui.engine.search.question import limit_in_records
from deidgui.engine.search.whole_lattice import search_lattice, what_if
from deidgui.errors import Cancelled, ConfigError
from tests.engine.search.cases import (
    class_tables,
    entropy_by_attribute,
    hierarchy_of,
    leaves_below,
    loss_by_attribute,
    nodes_of,
    released,
    suppressing_order,
    table_of,
)

models = st.one_of(
    st.integers(2, 6).map(KAnonymity),
    st.sampled_from([0.5, 0.34, 0.2, 1.0]).map(HighestProsecutorRisk),
    st.sampled_from([0.5, 0.34, 0.21, 0.2, 1.0]).map(AverageProsecutorRisk),
)
aggregates = st.sampled_from(
    ["sum", "arithmetic_mean", "geometric_mean", "maximum", "rank"]
)
balances = st.sampled_from([0.0, 0.3, 0.5, 0.8, 1.0])
by_attribute = [Loss, MonotoneEntropy, NonUniformEntropy, Precision, MonotonePrecision]
measures = st.one_of(
    st.sampled_from(by_attribute).flatmap(
        lambda kind: st.builds(kind, aggregate=aggregates, gs_factor=balances)
    ),
    st.builds(NormalizedEntropy, aggregate=aggregates, gs_factor=balances),
    st.builds(Height, aggregate=aggregates),
    st.builds(AverageClassSize, gs_factor=balances),
    st.sampled_from([Discernibility(), MonotoneDiscernibility(), Ambiguity()]),
)

looks = st.sampled_from([0, 2, 1000])
"""One walk for all nodes, after some single looks, or single looks only."""

few = st.sampled_from([0.0, math.inf])
"""Classes packed, or merged as the proof does it."""


def meets(model, sizes):
    """Whether released classes of some sizes meet a model."""
    match model.kind:
        case "k_anonymity":
            return all(size >= model.k for size in sizes)
        case "highest_prosecutor_risk":
            return all(1 / size <= model.threshold + 1e-9 for size in sizes)
        case "average_prosecutor_risk":
            return len(sizes) <= sum(sizes) * (model.threshold + 1e-12)


def fewest_suppressed(chosen, table, levels, classes):
    """The fewest of the first classes without which the others meet all models."""
    order = suppressing_order(table, levels, classes)
    for number in range(len(order) + 1):
        left = [classes[labels] for labels in order[number:]]
        if all(meets(model, left) for model in chosen):
            return set(order[:number])
    raise AssertionError("without any class every model is met")


def entropy_shares(bits, rows, general):
    """Bits per attribute as a share of the information it held."""
    for at in range(len(bits)):
        column = [row[at] for row in rows]
        held = -sum(math.log2(column.count(each) / len(rows)) for each in column)
        if general * held > 0:
            bits[at] /= general * held
    return bits


def values_by_attribute(measure, table, rows, levels, gone, n_gone):
    """Values of a measure at one node, record by record (methods.md B.4)."""
    n = len(rows)
    balance = getattr(measure, "gs_factor", 0.5)
    general = 1 if balance <= 0.5 else 1 - 2 * (balance - 0.5)
    suppress = 2 * balance if balance < 0.5 else 1
    heights = [max(each.height, 1) for each in table.hierarchies]
    steps = [level / top for level, top in zip(levels, heights, strict=True)]
    match measure.kind:
        case "loss":
            return loss_by_attribute(table, rows, levels, gone, balance)
        case "monotone_entropy":
            return entropy_by_attribute(table, rows, levels, gone, balance)[0]
        case "non_uniform_entropy":
            return entropy_by_attribute(table, rows, levels, gone, balance)[1]
        case "normalized_entropy":
            bits = entropy_by_attribute(table, rows, levels, gone, balance)[1]
            return entropy_shares(bits, rows, general)
        case "precision":
            shares = [(n - n_gone) / n * step * general for step in steps]
            return [share + n_gone / n * suppress for share in shares]
        case "monotone_precision":
            return [general * step for step in steps]
        case "height":
            return levels
    return None


def value_of_table(measure, table, rows, levels, gone, n_gone):
    """Value of a measure that has no attributes (methods.md B.4)."""
    n, classes = len(rows), released(table, rows, levels)[0]
    balance = getattr(measure, "gs_factor", 0.5)
    general = 1 if balance <= 0.5 else 1 - 2 * (balance - 0.5)
    suppress = 2 * balance if balance < 0.5 else 1
    match measure.kind:
        case "discernibility":
            kept = sum(f * f for label, f in classes.items() if label not in gone)
            return kept + n * n_gone
        case "monotone_discernibility":
            return sum(f * f for f in classes.values())
        case "average_class_size":
            groups = suppress * (len(classes) - len(gone)) + (general if gone else 0)
            return n / groups if groups else math.inf
        case "ambiguity":
            domain = math.prod(each.n_leaves for each in table.hierarchies)
            return n_gone * domain + sum(
                size * math.prod(leaves_of(table, levels, label))
                for label, size in classes.items()
                if label not in gone
            )
    raise AssertionError(measure.kind)


def leaves_of(table, levels, label):
    """Leaves below each value of a class."""
    return [
        leaves_below(each, levels[at], label[at])
        for at, each in enumerate(table.hierarchies)
    ]


def values_at(measure, table, rows, levels, gone):
    """Values of a measure at one node."""
    classes, _ = released(table, rows, levels)
    where = (table, rows, levels, gone, sum(classes[each] for each in gone))
    found = values_by_attribute(measure, *where)
    return [value_of_table(measure, *where)] if found is None else found


def joined(measure, values, weights):
    """Aggregate in plain Python; "rank" stays a list."""
    kind = getattr(measure, "aggregate", None)
    if kind is None:
        return list(values)
    weighted = [value * weight for value, weight in zip(values, weights, strict=True)]
    match kind:
        case "sum":
            return [sum(weighted)]
        case "arithmetic_mean":
            return [sum(weighted) / len(weighted)]
        case "geometric_mean":
            return [math.prod(1 + w for w in weighted) ** (1 / len(weighted)) - 1]
        case "maximum":
            return [max(weighted)]
    return sorted(weighted, reverse=True)


def brute_force(table, rows, chosen, limit, measure, weights):
    found = []
    for node, levels in enumerate(nodes_of(table)):
        classes, _ = released(table, rows, levels)
        gone = fewest_suppressed(chosen, table, levels, classes)
        n_gone = sum(classes[label] for label in gone)
        score = joined(measure, values_at(measure, table, rows, levels, gone), weights)
        found.append((node, levels, n_gone, n_gone <= limit, score))
    return found


@given(
    class_tables(),
    st.lists(models, min_size=1, max_size=2),
    st.sampled_from([0.0, 0.1, 0.35, 1.0]),
    measures,
    st.data(),
)
@settings(max_examples=250, deadline=None)
def test_optimum_is_that_of_trying_every_node(case, chosen, limit, measure, data):
    table, rows = case
    given_weights = {
        name: data.draw(st.sampled_from([0.25, 0.5, 1.0])) for name in table.attributes
    }
    heaviest = max(given_weights.values())
    weights = [given_weights[name] / heaviest for name in table.attributes]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("deidgui.engine.search.whole_lattice.LOOKS", data.draw(looks))
        result = search_lattice(
            table,
            chosen,
            limit,
            measure,
            given_weights,
            k_max=3,
            n_threads=1,
            few_classes=data.draw(few),
        )
    expected = brute_force(
        table, rows, chosen, limit_in_records(limit, len(rows)), measure, weights
    )
    assert result.suppressed.tolist() == [n_gone for _, _, n_gone, _, _ in expected]
    assert result.feasible.tolist() == [fine for _, _, _, fine, _ in expected]
    for node, _, _, _, score in expected:
        if result.exact[node]:
            assert result.scores[node] == pytest.approx(score, rel=1e-9, abs=1e-9)
        else:
            assert result.scores[node].tolist() <= [s + 1e-9 for s in score]
    solutions = [
        (score, sum(levels), node) for node, levels, _, fine, score in expected if fine
    ]
    if solutions:
        least = min(solutions)[0]
        ties = [each for each in solutions if each[0] == pytest.approx(least, abs=1e-9)]
        assert result.optimum == min(ties, key=lambda each: each[1:])[2]
    else:
        assert result.optimum is None
    assert result.suppressed[result.nearest] == min(each[2] for each in expected)


def two_columns():
    """Five records whose best node is a tie between two vectors."""
    found = [hierarchy_of("x", [[0, 0]]), hierarchy_of("y", [[0, 0]])]
    return table_of(found, [(0, 0), (0, 1), (1, 0), (1, 1)])


def test_ties_go_to_the_lower_level_and_then_to_the_smaller_vector():
    # (0, 1) and (1, 0) have the same loss and the same sum of levels.
    result = search_lattice(two_columns(), [KAnonymity(2)], 0.0, Loss(), n_threads=1)
    assert result.levels(result.optimum) == {"x": 0, "y": 1}
    # Every node is a solution with DM = 16: the top counts (4 records)**2 too.
    everything = search_lattice(
        two_columns(), [KAnonymity(5)], 1.0, Discernibility(), n_threads=1
    )
    assert everything.levels(everything.optimum) == {"x": 0, "y": 0}


def test_no_solution_names_the_nearest_miss():
    table = two_columns()
    result = search_lattice(
        table, [KAnonymity(2)], 0.0, Loss(), maximum={"x": 0, "y": 0}, n_threads=1
    )
    assert result.optimum is None
    assert result.nearest == 0
    assert result.suppressed[0] == 4
    assert len(result.ranked) == 0


def test_limit_is_rounded_down_but_not_by_rounding_errors():
    assert limit_in_records(0.04, 30162) == 1206
    assert limit_in_records(0.29, 100) == 29
    assert limit_in_records(1.0, 7) == 7
    assert limit_in_records(0.0, 7) == 0


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"models": []}, "no_privacy_model"),
        ({"limit_fraction": 1.5}, "suppression_limit"),
        ({"weights": {"x": 0.0, "y": 0.0}}, "weights_all_zero"),
        ({"minimum": {"x": 5}}, "level_limits"),
    ],
)
def test_bad_questions_are_refused(change, code):
    arguments = {
        "models": [KAnonymity(2)],
        "limit_fraction": 0.0,
        "measure": Loss(),
        **change,
    }
    with pytest.raises(ConfigError) as caught:
        search_lattice(two_columns(), **arguments)
    assert caught.value.code == code


def test_a_size_that_the_profile_does_not_know_is_refused():
    profile = build_profile(two_columns(), k_max=5, n_threads=1)
    with pytest.raises(ConfigError) as caught:
        what_if(profile, [KAnonymity(9)], 0.0, Loss())
    assert caught.value.code == "k_not_in_profile"
    assert caught.value.params == {"k": 9}


def test_a_model_that_sizes_do_not_answer_needs_its_own_profile():
    profile = build_profile(two_columns(), k_max=5, n_threads=1)
    with pytest.raises(ConfigError) as caught:
        what_if(profile, [PopulationUniqueness(0.2, 0.5)], 0.0, Loss())
    assert caught.value.code == "conditions_not_in_profile"


@settings(deadline=None)
@given(
    class_tables(max_rows=60),
    st.sampled_from([0.05, 0.2, 0.34, 0.5, 0.8]),
    st.sampled_from([0.0, 0.1, 0.5]),
    st.sampled_from([2, 3, 5]),
)
def test_models_of_the_whole_release_are_answered_from_sizes(drawn, risk, share, k):
    """What a profile tells of each node is what suppressing class by class does."""
    table, _ = drawn
    models = [AverageProsecutorRisk(risk), RecordsAtRisk(0.34, share), KAnonymity(k)]
    for asked in (models, models[:2], models[1:], [SampleUniqueness(share)]):
        result = search_lattice(table, asked, 0.4, Loss("maximum"), n_threads=1)
        for node, levels in enumerate(nodes_of(table)):
            classes = classes_at(table, levels)
            gone = classes.counts[~suppression.released(asked, classes)]
            assert result.suppressed[node] == gone.sum()


def many_rows(n_rows=300):
    rng = np.random.default_rng(7)
    found = [
        hierarchy_of(f"a{at}", [[leaf // 2 for leaf in range(8)], [0] * 8])
        for at in range(6)
    ]
    return table_of(found, rng.integers(0, 8, (n_rows, 6)).tolist())


def test_row_order_and_threads_change_nothing(monkeypatch):
    monkeypatch.setattr("deidgui.engine.search.walk.SLICE", 5000)
    table = many_rows()
    alone = search_lattice(table, [KAnonymity(3)], 0.1, Loss(), n_threads=1)
    again = search_lattice(table, [KAnonymity(3)], 0.1, Loss(), n_threads=2)
    assert alone.optimum == again.optimum
    np.testing.assert_array_equal(alone.scores, again.scores)
    np.testing.assert_array_equal(alone.ranked, again.ranked)
    assert alone.ranked[0] == alone.optimum


@pytest.mark.parametrize("measure", [Loss(), NonUniformEntropy(), Ambiguity()])
def test_either_code_finds_the_same_profile(measure):
    table = many_rows()
    one, other = (
        build_profile(table, asks=measure.asks, few_classes=few_classes)
        for few_classes in (0.0, math.inf)
    )
    for name in ("n_classes", "squares", "tiers", "checked", "possible"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert one.details.keys() == other.details.keys()
    for asks, details in one.details.items():
        np.testing.assert_allclose(details.values, other.details[asks].values)


def test_where_classes_are_very_many_only_one_walker_copies_them(monkeypatch):
    table, made = many_rows(), []
    walk_of = walk.Walk

    def counted(walkers, subtrees):
        made.append(len(walkers))
        return walk_of(walkers, subtrees)

    monkeypatch.setattr(walk, "Walk", counted)
    both = build_profile(table, k_max=4)
    # The numbers of two walkers must fit together.
    monkeypatch.setattr(walk, "MOST_WALKED", 2 * table.n_classes - 1)
    alone = build_profile(table, k_max=4)
    assert made == [2, 1]
    np.testing.assert_array_equal(both.tiers, alone.tiers)


@pytest.mark.parametrize("measure", [Loss(), NonUniformEntropy(), Ambiguity()])
def test_improvements_are_told_and_end_at_the_optimum(monkeypatch, measure):
    monkeypatch.setattr("deidgui.engine.search.walk.SLICE", 5000)
    found = []
    result = search_lattice(
        many_rows(), [KAnonymity(3)], 0.4, measure, n_threads=2, on_best=found.append
    )
    losses = [each.loss for each in found]
    assert losses == sorted(losses, reverse=True)
    assert len(losses) > 1
    assert losses[-1] >= result.loss[result.optimum]
    assert found[-1].n_suppressed == result.suppressed[found[-1].node]
    assert found[-1].levels == result.lattice.levels_of(found[-1].node)


class StopAfter:
    def __init__(self, n_reports):
        self.left = n_reports

    def report(self, fraction, note=""):
        self.left -= 1
        if self.left < 0:
            raise Cancelled


def test_cancel_keeps_what_was_found(monkeypatch):
    monkeypatch.setattr("deidgui.engine.search.walk.SLICE", 5000)
    table, found = many_rows(), []
    models = [KAnonymity(3)]
    with pytest.raises(Cancelled):
        search_lattice(
            table,
            models,
            0.4,
            Loss(),
            n_threads=2,
            on_best=found.append,
            monitor=StopAfter(20),
        )
    best = found[-1]
    assert best.n_checked < best.n_nodes
    partial = what_if(best.profile, models, 0.4, Loss())
    assert not partial.is_complete
    assert partial.loss[partial.optimum] <= best.loss
    assert np.isnan(partial.loss[~best.profile.checked]).all()
    assert not partial.feasible[~best.profile.checked].any()
    complete = search_lattice(table, models, 0.4, Loss(), n_threads=1)
    known = best.profile.checked
    np.testing.assert_array_equal(partial.loss[known], complete.loss[known])


@given(class_tables(), measures, st.data())
@settings(max_examples=60, deadline=None)
def test_bounds_hold_for_every_node_above(case, measure, data):
    """B.3: what is certain to be lost at a node is lost by all its successors."""
    table, _ = case
    profile = build_profile(table, k_max=6, n_threads=1)
    nodes = np.arange(profile.lattice.n_nodes)
    weights = np.ones(len(table.hierarchies))
    below = np.full(len(nodes), data.draw(st.integers(1, 6)))
    figures = profile.figures(nodes, below)
    bounds = measure.scores(measure.bounds(figures), weights)
    limit = 1.0
    models_used = [KAnonymity(6)]
    result = what_if(profile, models_used, limit, measure)
    levels = profile.lattice.levels()
    for node in nodes:
        above = (levels >= levels[node]).all(axis=1)
        for other in np.flatnonzero(above):
            reached = result.scores[other] if result.exact[other] else None
            if reached is not None:
                assert bounds[node].tolist() <= (reached + 1e-6).tolist()
