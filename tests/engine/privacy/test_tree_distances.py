"""Are distances along a tree the same from a table of values as from a list of them?"""

from fractions import Fraction
from itertools import combinations, product
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data import class_table
from deidgui.engine.data.class_table import classes_at
from deidgui.engine.data.raising import RaisedClasses
from deidgui.engine.privacy import EqualTCloseness, HierarchicalTCloseness
from deidgui.engine.privacy.kernels import tree_distances, tree_distances_in_table
from tests.engine.privacy.value_tables import letters_tree, rows_of, value_table
from tests.engine.search.cases import hierarchies, nodes_of

ALWAYS, NEVER = 10**9, 0
"""Cells that a table may have for each entry: it is made wherever asked, or nowhere."""


def room(cells):
    return patch.object(class_table, "ROOM", cells)


@st.composite
def tree_tables(draw):
    """Few values below trees of any shape: none, flat, deep, levels of no effect."""
    n_values = draw(st.integers(1, 4))
    groups, levels = list(range(n_values)), []
    for _ in range(draw(st.integers(0, 4))):
        above = draw(st.lists(st.integers(0, 3), min_size=4, max_size=4))
        groups = [above[group] for group in groups]
        levels.append(groups)
    rows = draw(hierarchies("q", max_leaves=5))
    counts = st.one_of(st.just(0), st.integers(1, 9), st.integers(1, 10**6))
    matrix = [
        draw(st.lists(counts, min_size=n_values, max_size=n_values).filter(any))
        for _ in range(rows.n_leaves)
    ]
    return value_table(matrix, letters_tree(n_values, *levels), rows)


def paths_of(whole):
    """Groups of each value from level 1 up to a root; one is added to a forest."""
    levels = whole.hierarchy.levels
    steps = [level.groups.tolist() for level in levels[1:]]
    if levels[-1].n_groups > 1:
        steps.append([0] * len(levels[0].groups))
    return [tuple(step[leaf] for step in steps) for leaf in whole.leaves.tolist()]


def earth_movers_distance(counts, totals, paths):
    """By the theorem of Kantorovich, without moving anything.

    The distance is the most by which the mean of a height differs between class and
    table, of all heights that differ by no more between two values than a move costs.
    Whole numbers suffice, since costs are.
    """
    height, n, f = len(paths[0]), sum(totals), sum(counts)
    if not height:
        return Fraction(0)
    costs = {
        (a, b): 1 + next(at for at in range(height) if paths[a][at] == paths[b][at])
        for a, b in combinations(range(len(totals)), 2)
    }
    surplus = [c * n - p * f for c, p in zip(counts, totals, strict=True)]
    most = max(
        sum(u * more for u, more in zip(heights, surplus, strict=True))
        for heights in product(range(height + 1), repeat=len(totals))
        if all(abs(heights[a] - heights[b]) <= cost for (a, b), cost in costs.items())
    )
    return Fraction(most, height * n * f)


def expected_of(table, rows):
    whole = table.sensitive["s"]
    given_ = whole.totals.tolist(), paths_of(whole)
    return [float(earth_movers_distance(counts, *given_)) for counts in rows]


@settings(max_examples=150, deadline=None)
@given(table=tree_tables())
def test_list_and_table_give_the_earth_movers_distance(table):
    tree = table.sensitive["s"].tree
    for levels in nodes_of(table):
        classes = classes_at(table, levels)
        found, rows = classes.distribution("s"), rows_of(classes)
        of_tree = classes.counts, tree.nodes, tree.totals
        listed = tree_distances(found.starts, found.codes, found.counts, *of_tree)
        in_table = tree_distances_in_table(np.array(rows, np.int64), *of_tree)
        # The same whole numbers are divided: not a bit differs.
        assert listed.tolist() == in_table.tolist()
        assert listed == pytest.approx(expected_of(table, rows), abs=1e-15)


@given(table=tree_tables(), data=st.data())
def test_values_in_a_table_are_those_of_the_list(table, data):
    """Some rows are in no class, and some classes have no row."""
    whole, matrix = table.sensitive["s"], np.array(rows_of(classes_at(table, (0,))))
    n_classes = data.draw(st.integers(1, len(matrix) + 2))
    numbers = st.integers(-1, n_classes - 1)
    size = len(matrix)
    of_group = np.array(data.draw(st.lists(numbers, min_size=size, max_size=size)))
    expected = np.zeros((n_classes, whole.n_values), np.int64)
    np.add.at(expected, of_group[of_group >= 0], matrix[of_group >= 0])
    with room(ALWAYS):
        in_table = whole.table_of(of_group, n_classes)
    with room(NEVER):
        assert whole.table_of(of_group, n_classes) is None
        listed = whole.merged(of_group, n_classes)
    assert in_table.tolist() == expected.tolist()
    again = whole.listed(in_table)
    for part in ("starts", "codes", "counts"):
        assert getattr(again, part).tolist() == getattr(listed, part).tolist()
    of_class, codes = np.nonzero(expected)
    assert listed.codes.tolist() == codes.tolist()
    assert listed.counts.tolist() == expected[of_class, codes].tolist()
    assert np.diff(listed.starts).tolist() == (expected > 0).sum(axis=1).tolist()


@settings(max_examples=100, deadline=None)
@given(table=tree_tables(), data=st.data())
def test_raised_and_suppressed_classes_have_the_same_distances(table, data):
    """Raised level by level, some suppressed at each, with a table or without one."""
    leaf_rows = np.array(rows_of(classes_at(table, (0,))))
    height = table.hierarchies[0].height
    choices = st.lists(st.booleans(), min_size=5, max_size=5)
    kept = [data.draw(choices) for _ in range(height + 1)]
    found = {cells: [] for cells in (ALWAYS, NEVER)}
    for cells, distances in found.items():
        with room(cells):
            classes = RaisedClasses.bottom(table)
            for level in range(height + 1):
                classes = classes.raised((level,))
                wanted = np.array(kept[level][: classes.n_classes])
                for each in (classes, classes.some(wanted), classes.only(wanted)):
                    of_leaf = each.of_combination
                    rows = np.zeros((each.n_classes, leaf_rows.shape[1]), np.int64)
                    np.add.at(rows, of_leaf[of_leaf >= 0], leaf_rows[of_leaf >= 0])
                    is_made = each.value_table("s") is not None
                    assert is_made == (cells is ALWAYS or not each.n_classes)
                    hierarchical = HierarchicalTCloseness("s", 0.2).measure(each)
                    expected = expected_of(table, rows.tolist())
                    assert hierarchical == pytest.approx(expected, abs=1e-15)
                    assert rows_of(each) == rows.tolist()
                    equal = EqualTCloseness("s", 0.2).measure(each)
                    distances += [hierarchical.tolist(), equal.tolist()]
    assert found[ALWAYS] == found[NEVER]
