"""People per class: exact counts of a register, estimates of a sample."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data import population
from deidgui.engine.data.class_table import classes_at
from deidgui.engine.data.population import Register, SamplingFraction
from deidgui.errors import ConfigError, InputError
from tests.engine.search.cases import (
    class_tables,
    hierarchy_of,
    nodes_of,
    protected,
    table_of,
)


def labels_of(table, levels, leaves):
    """Labels of each row of leaves at a node, in plain Python."""
    return [
        tuple(
            each.label(level, leaf)
            for each, level, leaf in zip(table.hierarchies, levels, row, strict=True)
        )
        for row in leaves.tolist()
    ]


def counted_by_hand(table, levels):
    """People by labels, and the number of labels no record has."""
    known = table.population
    population_counts = Counter()
    for label, count in zip(
        labels_of(table, levels, known.leaves), known.counts.tolist(), strict=True
    ):
        population_counts[label] += count
    return population_counts, len(
        set(population_counts) - set(labels_of(table, levels, table.leaves))
    )


@given(class_tables(), st.integers(0, 99), st.sampled_from([65_536, -(10**9)]))
def test_register_is_counted_exactly_at_every_node(case, seed, dense):
    table = protected(case[0], seed)
    usual = population.DENSE_KEYS
    population.DENSE_KEYS = dense
    try:
        for levels in nodes_of(table):
            classes = classes_at(table, levels)
            population_counts, n_empty = counted_by_hand(table, levels)
            groups = zip(table.hierarchies, levels, classes.groups.T, strict=True)
            labels = zip(
                *(
                    [each.levels[level].labels[group] for group in column]
                    for each, level, column in groups
                ),
                strict=True,
            )
            assert classes.population.sizes.tolist() == [
                population_counts[each] for each in labels
            ]
            assert classes.population.n_empty == n_empty
    finally:
        population.DENSE_KEYS = usual


@given(class_tables(), st.integers(0, 99))
def test_order_of_cells_and_repeated_cells_do_not_matter(case, seed):
    table = protected(case[0], seed)
    known = table.population
    order = np.random.default_rng(seed).permutation(len(known.counts))
    # Every cell twice: one person, and the others.
    several = Register(
        np.concatenate([known.leaves[order], known.leaves]),
        np.concatenate([known.counts[order] * 0 + 1, known.counts - 1]),
    )
    for levels in nodes_of(table):
        found = classes_at(replace(table, population=several), levels).population
        wanted = classes_at(table, levels).population
        assert (found.sizes == wanted.sizes).all()
        assert found.n_empty == wanted.n_empty


@given(class_tables(), st.sampled_from([1.0, 0.5, 0.1, 1e-6]))
def test_sampling_fraction_multiplies(case, fraction):
    table = replace(case[0], population=SamplingFraction(fraction))
    classes = classes_at(table, nodes_of(table)[-1])
    assert classes.population.sizes == pytest.approx(classes.counts / fraction)
    assert classes.population.n_empty == 0


@pytest.mark.parametrize("fraction", [0.0, -0.1, 1.1, float("nan"), float("inf")])
def test_impossible_fractions_are_refused(fraction):
    with pytest.raises(ConfigError) as refused:
        SamplingFraction(fraction)
    assert refused.value.code == "population_fraction"


def test_register_without_anybody_is_refused():
    with pytest.raises(InputError) as refused:
        Register(np.empty((0, 2), np.int32), np.empty(0, np.int64))
    assert refused.value.code == "population_empty"


def test_records_that_are_no_part_of_the_population_are_counted_and_not_shown():
    secret = hierarchy_of("secret", [[0, 0, 1, 1], [0] * 4])
    table = table_of([secret], [(0,), (0,), (1,), (2,), (2,), (2,)])
    cells = np.array([[0], [2], [3]], dtype=np.int32)
    known = Register(cells, np.array([2, 2, 9]))
    with pytest.raises(InputError) as refused:
        _ = classes_at(replace(table, population=known), (0,)).population
    assert refused.value.code == "population_lacks_records"
    # Leaf 1 has nobody for 1 record, leaf 2 has 2 people for 3.
    assert refused.value.params == {"n_classes": 2, "n_records": 4}
    assert repr(known) == "<Register 13 people in 3 cells>"


def test_keys_beyond_63_bits_do_not_collide():
    n_attributes, n_leaves = 14, 50
    flat = [list(range(n_leaves)), [0] * n_leaves]
    found = [hierarchy_of(f"a{place}", flat) for place in range(n_attributes)]
    rng = np.random.default_rng(5)
    rows = rng.integers(0, n_leaves, (200, n_attributes))
    table = table_of(found, rows.tolist())
    others = rng.integers(0, n_leaves, (300, n_attributes))
    cells = np.concatenate([table.leaves, others]).astype(np.int32)
    population_counts = np.concatenate([table.counts + 3, np.ones(300, np.int64)])
    classes = classes_at(
        replace(table, population=Register(cells, population_counts)),
        (0,) * n_attributes,
    )
    assert (classes.population.sizes == classes.counts + 3).all()
    assert classes.population.n_empty == 300


def test_a_million_cells():
    sizes = (100, 100, 100)
    cells = np.stack(np.unravel_index(np.arange(10**6), sizes), axis=1)
    known = Register(cells.astype(np.int32), np.full(10**6, 2))
    # Halves of the first attribute, the second as it is, the third gone.
    values = [np.arange(100) // 50, np.arange(100), np.zeros(100, np.int64)]
    groups = np.array([[0, 7], [1, 99]])
    found = known.sizes(
        np.array([10_000, 1]),
        np.column_stack([groups, [0, 0]]).astype(np.int32),
        [value.astype(np.int32) for value in values],
        [2, 100, 1],
    )
    assert found.sizes.tolist() == [2 * 50 * 100] * 2
    assert found.n_empty == 198
