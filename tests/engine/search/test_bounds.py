"""What two attributes alone rule out, against counting it node by node."""

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data.raising import RaisedClasses
from deidgui.engine.privacy import KAnonymity
from deidgui.engine.quality import AverageClassSize
from deidgui.engine.search.bounds import Evaluator, Pairs
from tests.engine.search.cases import class_tables, nodes_of, released

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
