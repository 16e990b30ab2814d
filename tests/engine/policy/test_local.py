"""Several rounds of a policy, against records followed one by one."""

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.policy.policy import lattice_policy, local_policy
from deidgui.engine.policy.released import released_classes
from deidgui.engine.privacy import DistinctLDiversity, EqualTCloseness, KMap
from tests.engine.search.cases import (
    class_tables,
    hierarchy_of,
    nodes_of,
    protected,
    table_of,
)


def at(table, levels, below, conditions=()):
    named = dict(zip(table.attributes, levels, strict=True))
    return lattice_policy(table.hierarchies, named, below, conditions=conditions)


def values_of(table):
    """Sensitive values of each combination: {value: records}."""
    found = table.sensitive["s"]
    return [
        {
            int(code): int(count)
            for code, count in zip(
                found.codes[a:b].tolist(), found.counts[a:b].tolist(), strict=True
            )
        }
        for a, b in zip(found.starts[:-1], found.starts[1:], strict=True)
    ]


def labels_at(table, policy, row):
    return tuple(
        each.labels[each.groups[leaf]]
        for each, leaf in zip(policy.maps, table.leaves[row].tolist(), strict=True)
    )


def slow_rounds(table, rounds, kept):
    """Round and labels of each combination; `kept(classes, policy)` judges."""
    left = list(range(table.n_classes))
    outcome = {}
    for number, policy in enumerate(rounds):
        classes = defaultdict(list)
        for row in left:
            classes[labels_at(table, policy, row)].append(row)
        fine = kept(classes, policy)
        for labels, rows in classes.items():
            if labels in fine:
                outcome.update(dict.fromkeys(rows, (number, labels)))
        left = [row for row in left if row not in outcome]
    return outcome


@st.composite
def local_cases(draw):
    table, _ = draw(class_tables())
    nodes = nodes_of(table)
    chosen = [draw(st.sampled_from(nodes)) for _ in range(draw(st.integers(2, 4)))]
    below = [draw(st.integers(1, 5)) for _ in chosen]
    return protected(table, draw(st.integers(0, 99))), chosen, below


@settings(max_examples=50, deadline=None)
@given(local_cases())
def test_rounds_release_what_all_before_them_suppress(case):
    table, nodes, belows = case
    diverse = DistinctLDiversity("s", 2)
    rounds = [at(table, n, b, [diverse]) for n, b in zip(nodes, belows, strict=True)]
    values = values_of(table)

    def kept(classes, policy):
        return {
            labels
            for labels, rows in classes.items()
            if sum(int(table.counts[row]) for row in rows) >= policy.suppress_below
            and len(set().union(*(values[row] for row in rows))) >= 2
        }

    expected = slow_rounds(table, rounds, kept)
    policy = local_policy(rounds)
    found = released_classes(table, policy)
    sizes = Counter()
    for row, (_, labels) in expected.items():
        sizes[labels] += int(table.counts[row])
    for row in range(table.n_classes):
        number = found.of_combination[row]
        assert found.suppressed[number] == (row not in expected)
        if row in expected:
            texts = zip(policy.labels, found.labels[number].tolist(), strict=True)
            labels = tuple(text[code] for text, code in texts)
            assert labels == expected[row][1]
            assert found.counts[number] == sizes[labels]
    assert found.n_later == sum(
        int(table.counts[row]) for row, (number, _) in expected.items() if number
    )
    assert found.counts.sum() == table.n_records


@settings(max_examples=50, deadline=None)
@given(local_cases())
def test_closeness_compares_every_round_with_the_whole_table(case):
    table, nodes, belows = case
    close = EqualTCloseness("s", 0.3)
    rounds = [at(table, n, b, [close]) for n, b in zip(nodes, belows, strict=True)]
    values = values_of(table)
    whole = Counter()
    for each in values:
        whole.update(each)

    def distance(rows):
        own = Counter()
        for row in rows:
            own.update(values[row])
        total, everyone = own.total(), whole.total()
        return sum(abs(own[v] / total - whole[v] / everyone) for v in whole) / 2

    def kept(classes, policy):
        return {
            labels
            for labels, rows in classes.items()
            if sum(int(table.counts[row]) for row in rows) >= policy.suppress_below
            and distance(rows) <= 0.3 + 1e-9
        }

    expected = slow_rounds(table, rounds, kept)
    found = released_classes(table, local_policy(rounds))
    gone = found.suppressed[found.of_combination]
    assert {row for row in range(table.n_classes) if not gone[row]} == set(expected)


@settings(max_examples=50, deadline=None)
@given(local_cases())
def test_nobody_of_the_population_is_counted_in_two_rounds(case):
    """People whose class was released cannot hide a record of a later round."""
    table, nodes, belows = case
    rounds = [at(table, n, b, [KMap(3)]) for n, b in zip(nodes, belows, strict=True)]
    cells = list(
        zip(
            table.population.leaves.tolist(),
            table.population.counts.tolist(),
            strict=True,
        )
    )

    def label(policy, leaves):
        return tuple(
            each.labels[each.groups[leaf]]
            for each, leaf in zip(policy.maps, leaves, strict=True)
        )

    population = []

    def kept(classes, policy):
        nonlocal cells
        counts = Counter()
        for leaves, count in cells:
            counts[label(policy, leaves)] += count
        fine = {
            labels
            for labels, rows in classes.items()
            if sum(int(table.counts[row]) for row in rows) >= policy.suppress_below
            and counts[labels] >= 3
        }
        population.append({labels: counts[labels] for labels in fine})
        cells = [cell for cell in cells if label(policy, cell[0]) not in fine]
        return fine

    expected = slow_rounds(table, rounds, kept)
    policy = local_policy(rounds)
    found = released_classes(table, policy)
    total = Counter()
    for each in population:
        total.update(each)
    sizes = found.population()
    for place, labels in enumerate(found.labels[~found.suppressed].tolist()):
        texts = zip(policy.labels, labels, strict=True)
        assert sizes[place] == total[tuple(text[code] for text, code in texts)]
    assert len(expected) == np.count_nonzero(~found.suppressed[found.of_combination])
    kept_classes = found.kept_classes(table)
    assert KMap(3).holds(kept_classes).all()


def test_classes_with_the_same_labels_are_one_class():
    """A leaf and a group are both called X: the file shows one class of five."""
    grid = [("X", "X", "*"), ("y", "X", "*"), ("b", "b", "*")]
    hierarchy = Hierarchy.from_grid("a", grid)
    rows = [(0,)] * 3 + [(1,)] * 2 + [(2,)]
    table = protected(table_of([hierarchy], rows), values=[[0, 1, 2], [0, 0], [3]])
    policy = local_policy([at(table, (0,), 3), at(table, (1,), 2)])
    found = released_classes(table, policy)
    assert policy.labels == (("X", "y", "b"),)
    assert found.kept_counts.tolist() == [5]
    assert (found.n_suppressed, found.n_later) == (1, 2)
    kept = found.kept_classes(table)
    assert sorted(kept.distribution("s").counts.tolist()) == [1, 1, 3]


def test_one_round_is_no_local_recoding():
    table = table_of([hierarchy_of("a", [[0, 0, 1]])], [(0,), (1,)])
    policy = local_policy([at(table, (0,), 1)])
    assert policy.kind == "lattice"
    assert policy.rounds == (policy,)


@pytest.mark.parametrize("below", [1, 2])
def test_rounds_stop_when_nothing_is_left(below):
    table = table_of([hierarchy_of("a", [[0, 0]])], [(0,), (0,)])
    policy = local_policy([at(table, (0,), below), at(table, (1,), 1)])
    found = released_classes(table, policy)
    assert found.n_suppressed == 0
    assert len(found.rounds) == 1
