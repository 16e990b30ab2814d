"""What two attributes alone rule out, against counting it node by node."""

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data.class_table import classes_at
from deidgui.engine.data.raising import RaisedClasses
from deidgui.engine.privacy import (
    EqualTCloseness,
    HierarchicalTCloseness,
    KAnonymity,
    PrivacyModel,
    suppression,
)
from deidgui.engine.quality import AverageClassSize, Loss
from deidgui.engine.search.bounds import Evaluator, Pairs
from tests.engine.search.cases import (
    class_tables,
    hierarchy_of,
    leaves_below,
    nodes_of,
    protected,
    released,
    table_of,
)

questions = st.tuples(class_tables(), st.integers(1, 6), st.integers(0, 12))


def in_small(table, rows, levels, places, k):
    """Records in classes of fewer than k, told apart by some attributes only."""
    _, labels = released(table, rows, levels)
    seen = [tuple(label[place] for place in places) for label in labels]
    return sum(seen.count(each) < k for each in seen)


@settings(deadline=None, max_examples=100)
@given(questions, st.data())
def test_least_node_that_may_be_a_solution(question, data):
    (table, rows), k, limit = question
    bottom = RaisedClasses.bottom(table)
    nodes = nodes_of(table)
    start = data.draw(st.sampled_from(nodes))
    pairs = Pairs(bottom.raised(start), k, limit)
    above = [each for each in nodes if np.all(np.array(each) >= start)]
    low = data.draw(st.sampled_from(above))
    high = data.draw(
        st.sampled_from([each for each in above if np.all(np.array(each) >= low)])
    )
    (least,) = pairs.least([low], [high])
    assert np.all(np.array(least) >= low)
    for levels in above:
        if np.all(np.array(levels) >= low) and np.all(np.array(levels) <= high):
            is_solution = in_small(table, rows, levels, range(len(levels)), k) <= limit
            assert not is_solution or np.all(np.array(levels) >= least)


def few_cells(table):
    sizes = [each.n_leaves for each in table.hierarchies]
    return all(a * b <= 4 * table.n_classes for a, b in combinations(sizes, 2))


@settings(deadline=None, max_examples=100)
@given(questions)
def test_all_that_pairs_rule_out_is_ruled_out(question):
    (table, rows), k, limit = question
    if not few_cells(table):
        return
    pairs = Pairs(RaisedClasses.bottom(table), k, limit)
    nodes = nodes_of(table)
    found = pairs.least(nodes, nodes)
    places = range(len(table.hierarchies))
    for levels, least in zip(nodes, found, strict=True):
        fine = [
            in_small(table, rows, levels, pair, k) > limit
            for pair in combinations(places, 2)
        ]
        assert (least != levels) == any(fine)
    assert pairs.is_any == (found != nodes)


@settings(deadline=None, max_examples=150)
@given(questions, st.data())
def test_no_node_between_two_releases_more_classes(question, data):
    (table, rows), k = question[0], question[1] + 1
    nodes = nodes_of(table)
    low = data.draw(st.sampled_from(nodes))
    between = [each for each in nodes if np.all(np.array(each) >= low)]
    high = data.draw(st.sampled_from(between))
    weights = np.ones(len(table.hierarchies))
    # With a limit that lets everything go no node is a dead end.
    n_records = int(table.counts.sum())
    evaluator = Evaluator(
        table, [KAnonymity(k)], n_records, AverageClassSize(), weights
    )
    classes = RaisedClasses.bottom(table).raised(low).raised(high)
    most = evaluator.evaluate(classes, is_between=True).most_classes
    assert most <= evaluator.evaluate(classes).most_classes
    assert most <= evaluator.most_classes_above(RaisedClasses.bottom(table).raised(low))
    for levels in between:
        if np.all(np.array(levels) <= high):
            sizes, _ = released(table, rows, levels)
            assert sum(size >= k for size in sizes.values()) <= most


def gone_at(table, model, levels):
    """Rows of the class table whose records a node suppresses, and their records."""
    classes = classes_at(table, levels)
    fits = suppression.released([model], classes)
    return np.where(fits[classes.of_combination], 0, table.counts)


@settings(deadline=None, max_examples=150)
@given(
    class_tables(),
    st.sampled_from([HierarchicalTCloseness, EqualTCloseness]),
    st.sampled_from([0.1, 0.2, 0.3, 0.5]),
    st.data(),
)
def test_what_is_surely_suppressed_is_so_at_every_node_between(drawn, kind, t, data):
    """Between the classes they were merged from and they themselves, record by record.

    The figures are of the more general node: what the suppressed records of a node
    between stand for there is at least what was said to be sure.
    """
    table = protected(drawn[0], data.draw(st.integers(0, 99)))
    model: PrivacyModel = kind("s", t)
    nodes = nodes_of(table)
    low = data.draw(st.sampled_from(nodes))
    above = [each for each in nodes if np.all(np.array(each) >= low)]
    high = data.draw(st.sampled_from(above))
    weights = np.ones(len(table.hierarchies))
    evaluator = Evaluator(table, [model], int(table.counts.sum()), Loss(), weights)
    classes = RaisedClasses.bottom(table).raised(low).raised(high)
    sure = evaluator.evaluate(classes, is_between=True).sure[0]
    wider = evaluator.evaluate(classes).sure[0]
    assert sure.suppressed_records[-1] >= wider.suppressed_records[-1]
    for levels in above:
        if np.all(np.array(levels) <= high):
            gone = gone_at(table, model, levels)
            assert gone.sum() >= sure.suppressed_records[-1]
            for place, hierarchy in enumerate(table.hierarchies):
                level = high[place]
                spans = [
                    leaves_below(hierarchy, level, hierarchy.label(level, leaf))
                    for leaf in table.leaves[:, place]
                ]
                assert gone @ spans >= sure.suppressed_leaves[-1][place]


def test_a_class_that_cannot_be_split_is_suppressed_whole():
    """Of 30 records with one value and 10 with another a part would be near enough.

    Half of the table has either value, and 23 and 10 are less than 0.2 away; but no
    node between splits the class.
    """
    hierarchy = hierarchy_of("a", [[0, 1]])
    rows = [(0,)] * 40 + [(1,)] * 40
    values = [[0] * 30 + [1] * 10, [0] * 10 + [1] * 30]
    table = protected(table_of([hierarchy], rows), values=values)
    evaluator = Evaluator(table, [EqualTCloseness("s", 0.2)], 80, Loss(), np.ones(1))
    classes = RaisedClasses.bottom(table).raised((0,)).raised((0,))
    assert evaluator.evaluate(classes).sure[0].suppressed_records[-1] == 2 * (40 - 33)
    assert (
        evaluator.evaluate(classes, is_between=True).sure[0].suppressed_records[-1]
        == 80
    )
