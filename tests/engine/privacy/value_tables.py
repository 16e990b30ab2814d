"""Small tables with a sensitive attribute, given by the counts of its values."""

import numpy as np
from hypothesis import strategies as st

from deidgui.engine.data.class_table import ClassTable, Distribution
from deidgui.engine.data.hierarchy import Hierarchy
from tests.engine.search.cases import hierarchies, hierarchy_of

LETTERS = "abcdefghij"


def letters_tree(n_values, *levels):
    """Hierarchy of the first letters from groups per level; level 0 is added."""
    steps = [range(n_values), *levels]
    grid = [
        (LETTERS[leaf], *(f"{depth}.{step[leaf]}" for depth, step in enumerate(steps)))
        for leaf in range(n_values)
    ]
    return Hierarchy.from_grid("s", [row[:1] + row[2:] for row in grid])


def distribution_of(matrix, hierarchy=None, attribute="s"):
    """Distribution of groups from records per group (row) and value (column)."""
    matrix = np.array(matrix, dtype=np.int64)
    occurring = matrix.sum(axis=0) > 0
    matrix = matrix[:, occurring]
    values = tuple(np.array(list(LETTERS[: len(occurring)]))[occurring].tolist())
    rows, codes = np.nonzero(matrix)
    leaves = [] if hierarchy is None else [hierarchy.index[each] for each in values]
    return Distribution(
        attribute,
        values,
        hierarchy,
        np.array(leaves, dtype=np.int32),
        matrix.sum(axis=0),
        np.searchsorted(rows, np.arange(len(matrix) + 1)).astype(np.int64),
        codes.astype(np.int32),
        matrix[rows, codes],
    )


def value_table(matrix, tree=None, groups=None):
    """Class table of one attribute, whose leaves are the rows of a matrix of counts."""
    matrix = np.array(matrix, dtype=np.int64)
    hierarchy = groups or hierarchy_of("q", [[0] * len(matrix)])
    return ClassTable(
        (hierarchy,),
        np.arange(len(matrix), dtype=np.int32)[:, None],
        matrix.sum(axis=1),
        {"s": distribution_of(matrix, tree)},
    )


def rows_of(classes, attribute="s"):
    """Records per value of each class, as plain lists over all values."""
    found = classes.distribution(attribute)
    rows = np.zeros((found.n_groups, found.n_values), dtype=np.int64)
    of_entry = np.repeat(np.arange(found.n_groups), np.diff(found.starts))
    rows[of_entry, found.codes] = found.counts
    return rows.tolist()


@st.composite
def trees(draw, n_values):
    """Random hierarchy of the first letters, with or without one root."""
    found = draw(hierarchies("s", max_leaves=10).filter(lambda h: h.n_leaves > 1))
    levels = [
        [int(step.groups[leaf % found.n_leaves]) for leaf in range(n_values)]
        for step in found.levels[1:]
    ]
    return letters_tree(n_values, *levels)


@st.composite
def value_tables(draw, max_values=6, max_count=8):
    """Random matrix of counts with a tree of values and groups of rows."""
    n_values = draw(st.integers(1, max_values))
    groups = draw(hierarchies("q", max_leaves=8))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    shape = groups.n_leaves, n_values
    matrix = rng.integers(0, max_count, shape) * (rng.random(shape) < 0.6)
    # No group without a record.
    matrix[np.arange(len(matrix)), rng.integers(0, n_values, len(matrix))] += 1
    return value_table(matrix, draw(trees(n_values)), groups)
