"""Do the models of a sensitive attribute judge classes as their definitions do?"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.app.text import message_for
from deidgui.engine.data.class_table import classes_at
from deidgui.engine.privacy import (
    BasicBetaLikeness,
    DeltaDisclosure,
    DistinctLDiversity,
    EnhancedBetaLikeness,
    EntropyLDiversity,
    EqualTCloseness,
    HierarchicalTCloseness,
    OrderedTCloseness,
    RecursiveCLDiversity,
)
from deidgui.engine.privacy.entropy_l_diversity import _GRASSBERGER
from deidgui.engine.privacy.kernels import n_log_n, ordered_distances
from deidgui.errors import ConfigError
from tests.engine.privacy import oracles
from tests.engine.privacy.value_tables import (
    letters_tree,
    rows_of,
    value_table,
    value_tables,
)
from tests.engine.search.cases import nodes_of

THRESHOLDS = st.sampled_from([0.0, 0.05, 0.1, 0.2, 0.25, 0.3, 0.5, 0.75, 1.0])


def all_classes(table):
    for levels in nodes_of(table):
        classes = classes_at(table, levels)
        yield classes, rows_of(classes)


def paths_of(whole):
    """Groups of each value from level 1 up to a root."""
    levels = whole.hierarchy.levels
    steps = [level.groups.tolist() for level in levels[1:]]
    if levels[-1].n_groups > 1:
        steps.append([0] * len(levels[0].groups))
    return [tuple(step[leaf] for step in steps) for leaf in whole.leaves.tolist()]


@settings(max_examples=150, deadline=None)
@given(table=value_tables(), t=THRESHOLDS)
def test_closeness_is_as_defined(table, t):
    whole = table.sensitive["s"]
    totals = whole.totals.tolist()
    by_tree = np.argsort(whole.leaves).tolist()
    exact = Fraction(str(t))  # 0.2 is meant to be a fifth
    for classes, rows in all_classes(table):
        for model, distance, more in (
            (EqualTCloseness("s", t), oracles.equal_distance, ()),
            (OrderedTCloseness("s", t), oracles.ordered_distance, ()),
            (
                OrderedTCloseness("s", t, "hierarchy"),
                oracles.ordered_distance,
                (by_tree,),
            ),
            (
                HierarchicalTCloseness("s", t),
                oracles.hierarchical_distance,
                (paths_of(whole),),
            ),
        ):
            expected = [distance(counts, totals, *more) for counts in rows]
            found = model.distances(classes)
            # Both are the nearest double of one fraction, up to one rounding.
            assert found == pytest.approx([float(e) for e in expected], abs=1e-15)
            assert model.holds(classes).tolist() == [e <= exact for e in expected]


@settings(max_examples=100, deadline=None)
@given(
    table=value_tables(),
    least=st.integers(2, 5),
    diversity=st.sampled_from([1.0, 1.5, 2.0, 2.7, 3.0, 4.0]),
    factor=st.sampled_from([0.5, 1.0, 2.0, 3.0, 10.0]),
    gain=st.sampled_from([0.25, 0.5, 1.0, 2.0]),
)
def test_the_others_are_as_defined(table, least, diversity, factor, gain):
    totals = table.sensitive["s"].totals.tolist()
    for classes, rows in all_classes(table):
        for model, oracle, parameters in (
            (DistinctLDiversity("s", least), oracles.distinct, (least,)),
            (EntropyLDiversity("s", diversity), oracles.entropy, (diversity,)),
            (
                EntropyLDiversity("s", diversity, "grassberger"),
                oracles.grassberger,
                (diversity,),
            ),
            (
                RecursiveCLDiversity("s", factor, least),
                oracles.recursive,
                (factor, least),
            ),
            (BasicBetaLikeness("s", gain), oracles.basic_likeness, (gain,)),
            (EnhancedBetaLikeness("s", gain), oracles.enhanced_likeness, (gain,)),
            (DeltaDisclosure("s", gain), oracles.delta_disclosure, (gain,)),
        ):
            expected = [oracle(counts, totals, *parameters) for counts in rows]
            assert model.holds(classes).tolist() == expected, model


@pytest.mark.parametrize("n_values", [15, 60, 400])
def test_many_values_in_any_order(n_values):
    """Values come sorted in more than one way, by how many there are."""
    rng = np.random.default_rng(n_values)
    matrix = rng.integers(0, 9, (12, n_values)) * (rng.random((12, n_values)) < 0.3)
    matrix[0] = 1
    matrix[1, n_values // 3] = 7
    rows, codes = np.nonzero(matrix)
    starts = np.searchsorted(rows, np.arange(13)).astype(np.int64)
    sizes, totals = matrix.sum(axis=1), matrix.sum(axis=0)
    ranks = rng.permutation(n_values).astype(np.int32)
    entries = starts, codes.astype(np.int32), matrix[rows, codes], sizes
    found = ordered_distances(*entries, ranks, totals)
    order = np.argsort(ranks).tolist()
    expected = [
        float(oracles.ordered_distance(counts, totals.tolist(), order))
        for counts in matrix.tolist()
    ]
    assert found == pytest.approx(expected, rel=1e-15)


def test_a_union_may_fail_with_grassberger_only():
    """Five values once each, twice: G(10) - G(2) = 1.575 is below ln 5 = 1.609."""
    table = value_table([[1] * 5, [1] * 5])
    low, high = classes_at(table, (0,)), classes_at(table, (1,))
    for estimator, holds in (("shannon", True), ("grassberger", False)):
        model = EntropyLDiversity("s", 5.0, estimator)
        assert model.holds(low).all()
        assert model.holds(high).all() == holds
        assert model.monotone_generalization == holds


def test_salaries_of_the_paper():
    """O-B4: nine equally frequent salaries 3k..11k."""
    low, spread = [1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 1, 0, 0, 1]
    rest = [1 - a - b for a, b in zip(low, spread, strict=True)]
    classes = classes_at(value_table([low, spread, rest]), (0,))
    found = OrderedTCloseness("s", 0.1).distances(classes)
    assert found[:2] == pytest.approx([0.375, 1 / 6], abs=1e-15)


def test_small_classes_of_the_methods():
    """O-B4 and O-B2: (3, 1) fails recursive (2, 2), (3, 2) holds; exp(H) of (4, 1)."""
    classes = classes_at(value_table([[3, 1], [3, 2], [4, 1]]), (0,))
    assert RecursiveCLDiversity("s", 2.0, 2).holds(classes).tolist() == [0, 1, 0]
    assert EntropyLDiversity("s", 1.6493).holds(classes)[2]
    assert not EntropyLDiversity("s", 1.6495).holds(classes)[2]


def test_a_successor_of_a_solution_need_not_be_one():
    """O-B2: with at most 60 % suppressed."""
    table = value_table([[1, 1], [3, 0]])
    model = EntropyLDiversity("s", 2.0)
    low, high = classes_at(table, (0,)), classes_at(table, (1,))
    assert low.counts[~model.holds(low)].sum() == 3
    assert high.counts[~model.holds(high)].sum() == 5
    assert model.least_suppressed(high) <= 3


def test_what_is_equal_to_a_strict_limit_fails():
    # 55 is not less than 1.1 times 50, though it is less than the product of doubles.
    assert 1.1 * 50 > 55
    classes = classes_at(value_table([[55, 50], [54, 50]]), (0,))
    assert RecursiveCLDiversity("s", 1.1, 2).holds(classes).tolist() == [0, 1]
    half = classes_at(value_table([[1, 0], [1, 2]]), (0,))
    # Q / P is exactly 2 in the first class: 1 bit is not less than 1 bit.
    assert not DeltaDisclosure("s", 1.0).holds(half)[0]
    assert BasicBetaLikeness("s", 1.0).holds(half)[0]


def test_trees_without_a_root_get_one():
    """Values of different groups of the top level are as far apart as can be."""
    matrix = [[2, 0, 0, 0], [0, 0, 2, 0], [1, 1, 1, 1]]
    forest = value_table(matrix, letters_tree(4, [0, 0, 1, 1]))
    tree = value_table(matrix, letters_tree(4, [0, 0, 1, 1], [0, 0, 0, 0]))
    flat = value_table(matrix, letters_tree(4))
    model, equal = HierarchicalTCloseness("s", 0.1), EqualTCloseness("s", 0.1)
    found = [model.distances(classes_at(each, (0,))) for each in (forest, tree, flat)]
    assert (found[0] == found[1]).all()
    assert (found[2] == equal.distances(classes_at(flat, (0,)))).all()


def test_one_value_is_no_distance():
    classes = classes_at(value_table([[2], [3]], letters_tree(1, [0])), (0,))
    for kind in (EqualTCloseness, OrderedTCloseness, HierarchicalTCloseness):
        assert (kind("s", 0.0).distances(classes) == 0).all()
        assert kind("s", 0.0).least_suppressed(classes) == 0
    assert EnhancedBetaLikeness("s", 1.0).holds(classes).all()


def test_grassberger_of_large_counts():
    """Beyond the tabulated counts the series goes on where the sums end."""
    for number in (4096, 4097, 10_001, 100_000):
        expected = number * oracles.grassberger_g(number)
        found = n_log_n(np.int64(number), _GRASSBERGER, False)
        assert found == pytest.approx(expected, rel=1e-13)


def test_what_a_model_lacks_is_said():
    table = value_table([[1, 2], [3, 1]])
    for model, code in (
        (EqualTCloseness("t", 0.2), "sensitive_missing"),
        (HierarchicalTCloseness("s", 0.2), "sensitive_hierarchy_missing"),
        (OrderedTCloseness("s", 0.2, "hierarchy"), "sensitive_hierarchy_missing"),
        (OrderedTCloseness("s", 0.2, "numeric"), "order_not_numeric"),
    ):
        with pytest.raises(ConfigError) as caught:
            model.check(table)
        assert caught.value.code == code
        message = message_for(caught.value)
        assert message.fix
        assert "‹" not in str(message)
        assert "a, b" not in str(message)
    assert HierarchicalTCloseness("s", 0.2).needs_hierarchy
    assert OrderedTCloseness("s", 0.2, "hierarchy").needs_hierarchy
    assert not OrderedTCloseness("s", 0.2).needs_hierarchy
    EqualTCloseness("s", 0.2).check(table)
