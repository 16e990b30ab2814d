"""The proven optimum against brute force, for every model and measure."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data.class_table import classes_at
from deidgui.engine.data.population import Register
from deidgui.engine.data.raising import RaisedClasses
from deidgui.engine.privacy import PRIVACY_MODELS, KAnonymity
from deidgui.engine.privacy.suppression import Roles, is_possible, released
from deidgui.engine.quality import QUALITY_MEASURES, Loss, TableFacts, scaled_weights
from deidgui.engine.quality.base import NodeFigures, figures_of
from deidgui.engine.search.bounds import Evaluator
from deidgui.engine.search.branch_and_bound import BoxSearch, find_optimum
from deidgui.engine.search.lattice import around
from deidgui.engine.search.node_figures import figures_at
from deidgui.engine.search.question import limit_in_records
from deidgui.engine.search.whole_lattice import search_lattice
from deidgui.errors import Cancelled
from tests.contracts.models import some_of
from tests.engine.search.cases import (
    class_tables,
    hierarchy_of,
    nodes_of,
    protected,
    table_of,
)

MODELS = [model for kind in PRIVACY_MODELS for model in some_of(kind)]
MEASURES = [measure for kind in QUALITY_MEASURES for measure in some_of(kind)]
LIMITS = (0.0, 0.1, 0.3, 0.6, 1.0)

questions = st.tuples(
    class_tables(),
    st.integers(0, 99),
    st.lists(st.sampled_from(MODELS), min_size=1, max_size=3, unique=True),
    st.sampled_from(LIMITS),
    st.sampled_from(MEASURES),
)


def answers(table, models, limit, measure):
    """By node: records suppressed, whether it is a solution, score."""
    facts = TableFacts(table)
    weights = scaled_weights(table.attributes, None)
    most = limit_in_records(limit, table.n_records)
    found = {}
    for levels in nodes_of(table):
        classes = classes_at(table, levels)
        suppressed = ~released(models, classes)
        n_suppressed = int(classes.counts[suppressed].sum())
        values = measure.exact_values(facts, classes, suppressed)
        score = measure.scores(values[None, :], weights)[0]
        fits = n_suppressed <= most and is_possible(models, classes)
        found[levels] = n_suppressed, fits, score.tolist()
    return found


def best_of(found):
    """Level vectors of the least score, first the one that wins the tie."""
    solutions = {levels: each for levels, each in found.items() if each[1]}
    if not solutions:
        return []
    least = min(each[2] for each in solutions.values())
    tied = [
        levels
        for levels, each in solutions.items()
        if np.allclose(each[2], least, rtol=1e-9, atol=1e-12)
        or (np.isinf(each[2]).all() and np.isinf(least).all())
    ]
    return sorted(tied, key=lambda levels: (sum(levels), levels))


@settings(deadline=None, max_examples=300)
@given(questions)
def test_equals_brute_force(question):
    (table, _), seed, models, limit, measure = question
    table = protected(table, seed)
    found = answers(table, models, limit, measure)
    tied = best_of(found)
    optimum = find_optimum(table, models, limit, measure)
    assert optimum.is_proven
    assert optimum.n_looked_at <= optimum.n_nodes == len(found)
    if not tied:
        assert optimum.levels is None
        return
    assert optimum.gap == 0
    assert optimum.levels in tied
    assert optimum.n_suppressed == found[optimum.levels][0]
    assert optimum.loss == pytest.approx(found[tied[0]][2][0], rel=1e-9, abs=1e-12)
    if len(tied) == 1 or found[tied[0]][2] == found[tied[1]][2]:
        assert optimum.levels == tied[0]


@settings(deadline=None, max_examples=150)
@given(questions)
def test_profile_equals_brute_force_at_every_node(question):
    (table, _), seed, models, limit, measure = question
    table = protected(table, seed)
    found = answers(table, models, limit, measure)
    result = search_lattice(table, models, limit, measure, n_threads=2)
    assert result.suppressed.tolist() == [each[0] for each in found.values()]
    assert result.feasible.tolist() == [each[1] for each in found.values()]
    exact = [each[2] for each in found.values()]
    known = result.exact
    assert known.all() or bool(Roles.of(models).by_size_order)
    assert np.allclose(result.scores[known], np.array(exact)[known], atol=1e-9)
    tied = best_of(found)
    if tied:
        assert result.lattice.levels_of(result.optimum) in tied
    else:
        assert result.optimum is None


@settings(deadline=None, max_examples=150)
@given(class_tables(), st.sampled_from(MEASURES), st.integers(2, 6))
def test_no_node_between_two_is_below_the_floor(drawn, measure, k):
    table, _ = drawn
    facts, weights = TableFacts(table), scaled_weights(table.attributes, None)
    nodes = nodes_of(table)
    exact, figures = {}, {}
    for levels in nodes:
        classes = classes_at(table, levels)
        suppressed = classes.counts < k
        figures[levels] = figures_of(facts, classes, suppressed)
        values = measure.exact_values(facts, classes, suppressed)
        exact[levels] = measure.scores(values[None, :], weights)[0].tolist()
    for low in nodes:
        for high in nodes:
            if not all(a <= b for a, b in zip(low, high, strict=True)):
                continue
            top, bottom = figures[high], figures[low]
            inside = [
                levels
                for levels in nodes
                if all(a <= b <= c for a, b, c in zip(low, levels, high, strict=True))
            ]
            kept = [
                figures[x].n_classes - figures[x].suppressed_classes for x in inside
            ]
            floor = NodeFigures(
                facts,
                bottom.levels,
                np.max(kept, axis=0),
                bottom.squares,
                top.suppressed_records,
                np.zeros(1, np.int64),
                top.suppressed_squares,
                top.suppressed_leaves,
                top.suppressed_bits,
            )
            least = measure.scores(measure.floor(floor), weights)[0]
            for levels in inside:
                slack = 1e-9 * max(1.0, abs(least[0]))
                assert least[0] <= exact[levels][0] + slack


def assert_same_people(raised, classes, order):
    """People raised with the records are those counted at the node."""
    people, counted = raised.population, classes.population
    assert people.sizes[order].tolist() == counted.sizes.tolist()
    assert people.n_empty == counted.n_empty
    wanted = raised.counts > 1
    some = raised.some(wanted).population
    assert some.sizes.tolist() == people.sizes[wanted].tolist()
    assert some.n_empty == people.n_empty + (~wanted).sum()


def test_people_of_many_attributes_are_raised():
    """Keys of more than one word; cells in several rows; people without a leaf."""
    rng = np.random.default_rng(0)
    n_leaves, n_attributes = 3000, 7
    found = tuple(
        hierarchy_of(f"a{at}", [[leaf // 60 for leaf in range(n_leaves)]])
        for at in range(n_attributes)
    )
    few = rng.integers(0, n_leaves, (6, n_attributes))
    rows = np.where(rng.random((200, 7)) < 0.1, 0, few[rng.integers(0, 6, 200)])
    table = table_of(found, rows.tolist())
    others = np.where(rng.random((300, 7)) < 0.2, 0, few[rng.integers(0, 6, 300)])
    cells = np.vstack([table.leaves, others, others[:9]]).astype(np.int32)
    people = np.concatenate([table.counts, rng.integers(1, 5, 309)])
    table = replace(table, population=Register(cells, people, n_outside=2))
    bottom = RaisedClasses.bottom(table)
    for levels in ((0,) * 7, (1,) * 7, (0, 1, 0, 1, 1, 0, 1), (1, 0, 0, 0, 0, 0, 0)):
        raised = bottom.raised(levels)
        order = np.lexsort(raised.groups.T[::-1])
        assert_same_people(raised, classes_at(table, levels), order)
    assert_same_people(bottom, classes_at(table, (0,) * 7), np.arange(table.n_classes))


@settings(deadline=None, max_examples=100)
@given(class_tables(), st.data())
def test_raised_classes_are_the_classes(drawn, data):
    table, _ = drawn
    table = protected(table)
    heights = [hierarchy.height for hierarchy in table.hierarchies]
    low = [data.draw(st.integers(0, height)) for height in heights]
    high = [
        data.draw(st.integers(a, height))
        for a, height in zip(low, heights, strict=True)
    ]
    raised = RaisedClasses.bottom(table).raised(low).raised(high)
    classes = classes_at(table, high)
    order = np.lexsort(raised.groups.T[::-1])
    assert (raised.groups[order] == classes.groups).all()
    assert (raised.counts[order] == classes.counts).all()
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    assert (place[raised.of_combination] == classes.of_combination).all()
    own, other = raised.distribution("s"), classes.distribution("s")
    for at, number in enumerate(order.tolist()):
        mine = slice(own.starts[number], own.starts[number + 1])
        theirs = slice(other.starts[at], other.starts[at + 1])
        assert own.codes[mine].tolist() == other.codes[theirs].tolist()
        assert own.counts[mine].tolist() == other.counts[theirs].tolist()
    assert_same_people(raised, classes, order)
    facts, suppressed = TableFacts(table), classes.counts < 3
    slow = figures_of(facts, classes, suppressed)
    for asks in (
        "suppressed_leaves",
        "suppressed_bits",
        "kept_combinations",
        "kept_log_density",
    ):
        gone = np.where(raised.counts < 3, raised.counts, 0)
        ways = np.array([raised.counts, gone])
        fast = NodeFigures.joined([figures_at(facts, raised, ways, asks)], 1)
        for name in ("squares", "suppressed_records", "suppressed_squares", asks):
            assert getattr(fast, name) == pytest.approx(getattr(slow, name))


def test_same_whatever_the_number_of_threads(monkeypatch):
    monkeypatch.setattr("deidgui.engine.search.branch_and_bound.WORTH_THREADS", 0)
    table = some_table()
    results = [
        find_optimum(table, [KAnonymity(3)], 0.2, Loss(), n_threads=n)
        for n in (1, 2, 3)
    ]
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("limit", [0.0, 0.05, 1.0])
def test_looking_next_to_the_best_changes_nothing_but_the_way(monkeypatch, limit):
    table = some_table()
    plain = find_optimum(table, [KAnonymity(5)], limit, Loss())
    monkeypatch.setattr("deidgui.engine.search.branch_and_bound.WORTH_DESCENDING", 0)
    other = find_optimum(table, [KAnonymity(5)], limit, Loss())
    assert (other.levels, other.loss) == (plain.levels, plain.loss)
    assert other.is_proven
    few = find_optimum(table, [KAnonymity(5)], limit, Loss(), most_nodes=10)
    assert few.loss * (1 - few.gap) <= plain.loss <= few.loss


def some_table():
    """A table that is large enough for several rounds."""
    rng = np.random.default_rng(5)
    steps = [[0, 0, 1, 1, 2, 2, 3, 3], [0, 0, 0, 0, 1, 1, 1, 1], [0] * 8]
    found = [hierarchy_of(name, steps) for name in "uvwxyz"]
    rows = np.minimum(rng.geometric(0.35, (3000, 6)) - 1, 7)
    return table_of(found, [tuple(row) for row in rows.tolist()])


def test_bound_only_rises_and_the_gap_only_falls():
    table = some_table()
    limit = limit_in_records(0.05, table.n_records)
    weights = scaled_weights(table.attributes, None)
    evaluator = Evaluator(table, [KAnonymity(5)], limit, Loss(), weights)
    heights = [hierarchy.height for hierarchy in table.hierarchies]
    seen = []

    def see(progress):
        seen.append((progress.bound, progress.gap, progress.n_decided))
        return True

    final = BoxSearch(evaluator, [0] * 6, heights).run(see)
    bounds = [float(bound[0]) for bound, _, _ in seen if bound is not None]
    gaps = [gap for _, gap, _ in seen if gap is not None]
    decided = [n for _, _, n in seen]
    assert len(bounds) > 10
    assert bounds == sorted(bounds)
    assert gaps == sorted(gaps, reverse=True)
    assert decided == sorted(decided)
    assert final.n_decided == 4**6
    assert final.gap == 0
    assert all(bound <= final.best_score[0] + 1e-12 for bound in bounds)
    assert final.n_looked_at < 4**6 / 4


def test_gives_up_with_a_gap_that_is_true():
    table = some_table()
    proven = find_optimum(table, [KAnonymity(5)], 0.05, Loss())
    stopped = find_optimum(table, [KAnonymity(5)], 0.05, Loss(), most_nodes=30)
    assert not stopped.is_proven
    assert stopped.gap > 0
    assert stopped.n_looked_at < proven.n_looked_at
    assert stopped.loss * (1 - stopped.gap) <= proven.loss <= stopped.loss


def test_cancel_keeps_what_was_found():
    table, told = some_table(), []

    class Impatient:
        def report(self, fraction, note=""):
            assert 0 <= fraction <= 1
            if len(told) > 3:
                raise Cancelled

    with pytest.raises(Cancelled):
        find_optimum(
            table,
            [KAnonymity(5)],
            0.05,
            Loss(),
            on_progress=told.append,
            monitor=Impatient(),
        )
    assert told[-1].levels is not None
    assert told[-1].gap > 0


def test_level_limits_are_kept_to():
    table = some_table()
    optimum = find_optimum(
        table, [KAnonymity(5)], 0.05, Loss(), minimum={"u": 1}, maximum={"v": 2, "z": 2}
    )
    result = search_lattice(
        table, [KAnonymity(5)], 0.05, Loss(), minimum={"u": 1}, maximum={"v": 2, "z": 2}
    )
    assert optimum.levels == result.lattice.levels_of(result.optimum)
    assert optimum.n_nodes == result.lattice.n_nodes


def test_without_a_solution_the_nearest_is_named():
    table = some_table()
    n = table.n_records
    optimum = find_optimum(table, [KAnonymity(n)], 0.0, Loss(), maximum={"u": 1})
    assert optimum.levels is None
    assert optimum.is_proven
    assert optimum.n_nearest > 0
    assert optimum.n_looked_at == 1


def test_around_holds_the_node_and_fills_the_room():
    heights = [(0, 3), (1, 5), (0, 0), (2, 9)]
    found = around(heights, (2, 4, 0, 5), 60)
    sizes = [high - low + 1 for low, high in found]
    assert 20 <= math.prod(sizes) <= 60
    for (low, high), (a, b), level in zip(found, heights, (2, 4, 0, 5), strict=True):
        assert a <= low <= level <= high <= b
    assert around(heights, (2, 4, 0, 5), 1) == [(2, 2), (4, 4), (0, 0), (5, 5)]
    assert around(heights, (2, 4, 0, 5), 10_000) == heights
