"""Is a hierarchy nested, complete, ordered and quick to look up?"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.errors import InputError

PATHS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 1)), max_size=25
)


def nested_grid(paths):
    """Build leaves numbered in order, with groups named by their paths: it nests."""
    return [
        (f"leaf{n}", f"a{a}{b}{c}", f"b{a}{b}", f"c{a}", "*")
        for n, (a, b, c) in enumerate(paths)
    ]


@given(PATHS)
def test_groups_of_leaves_are_those_of_the_grid(paths):
    grid = nested_grid(paths)
    if not grid:
        return
    hierarchy = Hierarchy.from_grid("x", grid)
    by_leaf = {row[0]: row for row in grid}
    assert hierarchy.n_leaves == len(grid)
    for leaf, text in enumerate(hierarchy.leaves):
        labels = tuple(hierarchy.label(level, leaf) for level in range(5))
        assert labels == by_leaf[text]
    assert set(hierarchy.grid()) == set(grid)


@given(PATHS)
def test_leaves_of_every_group_are_neighbours_in_the_order_of_the_grid(paths):
    grid = nested_grid(paths)
    if not grid:
        return
    hierarchy = Hierarchy.from_grid("x", grid)
    for level in hierarchy.levels:
        steps = np.diff(level.groups)
        assert set(steps.tolist()) <= {0, 1}
        assert level.groups[0] == 0
        assert level.n_groups == len(set(level.groups.tolist()))
    # The plain definition of the order: by first row of each group, top first.
    first = {}
    for number, row in enumerate(grid):
        for depth in range(5):
            first.setdefault((depth, row[depth]), number)
    expected = sorted(
        grid, key=lambda row: [first[depth, row[depth]] for depth in (4, 3, 2, 1, 0)]
    )
    assert list(hierarchy.leaves) == [row[0] for row in expected]


@given(PATHS)
def test_parents_and_leaf_counts_by_hand(paths):
    grid = nested_grid(paths)
    if not grid:
        return
    hierarchy = Hierarchy.from_grid("x", grid)
    for level in range(1, 5):
        below, above = hierarchy.levels[level - 1], hierarchy.levels[level]
        parent = {row[level - 1]: row[level] for row in grid}
        found = [above.labels[group] for group in hierarchy.parents(level)]
        assert found == [parent[label] for label in below.labels]
        counts = hierarchy.leaf_counts(level).tolist()
        assert counts == [
            sum(row[level] == label for row in grid) for label in above.labels
        ]


@pytest.mark.parametrize(
    ("grid", "code", "params"),
    [
        ([], "hierarchy_empty", {}),
        ([()], "hierarchy_empty", {}),
        ([("a", "*"), ("b",)], "hierarchy_ragged", {"row": 2, "found": 1}),
        ([("a", "*"), ("a", "*")], "hierarchy_duplicate_leaf", {"row": 2}),
        (
            [("a", "g", "*"), ("b", "g", "+")],
            "hierarchy_not_nested",
            {"row": 2, "level": 1},
        ),
    ],
)
def test_what_is_no_hierarchy_is_refused_with_its_place(grid, code, params):
    with pytest.raises(InputError) as caught:
        Hierarchy.from_grid("x", grid)
    assert caught.value.code == code
    assert params.items() <= caught.value.params.items()


def test_values_are_encoded_as_leaves():
    hierarchy = Hierarchy.from_grid(
        "x",
        [("b", "g", "*"), ("c", "h", "*"), ("a", "g", "*"), ("", "", "*")],
        missing="",
    )
    assert hierarchy.leaves == ("b", "a", "c", "")
    assert hierarchy.encode(["a", "b", "?", "c"]).tolist() == [1, 0, -1, 2]
    assert hierarchy.missing_leaf == 3
    assert "b" not in repr(hierarchy)


@given(PATHS)
def test_a_step_is_a_level_that_releases_other_classes(paths):
    """Brute force: which leaves look alike, at a level and at the one below it."""
    grid = nested_grid(paths)
    if not grid:
        return
    hierarchy = Hierarchy.from_grid("x", grid)

    def alike(level):
        by_label = {}
        for row in grid:
            by_label.setdefault(row[level], set()).add(row[0])
        return {frozenset(each) for each in by_label.values()}

    steps = [e for e in range(5) if e == 0 or alike(e) != alike(e - 1)]
    assert list(hierarchy.steps) == steps
