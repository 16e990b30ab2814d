"""Small random tables, and the answers for them in plain Python."""

import math
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
from hypothesis import strategies as st

from deidgui.engine.data.class_table import ClassTable, count_values
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.population import Register
from deidgui.engine.data.table import Column


def hierarchy_of(name, levels):
    """Hierarchy from groups per level; level 0 is added."""
    n_leaves = len(levels[0]) if levels else 1
    steps = [list(range(n_leaves)), *levels]
    grid = [
        tuple(f"{name}{depth}.{step[leaf]}" for depth, step in enumerate(steps))
        for leaf in range(n_leaves)
    ]
    return Hierarchy.from_grid(name, grid)


@st.composite
def hierarchies(draw, name, max_leaves=6, max_height=3):
    """Random nested groups of neighbouring leaves."""
    n_leaves = draw(st.integers(1, 10).map(lambda n: min(n, max_leaves)))
    levels = []
    groups = list(range(n_leaves))
    for _ in range(draw(st.sampled_from([0, 1, 2, 2, max_height]))):
        cuts = [draw(st.booleans()) for _ in range(max(groups))]
        numbers = np.concatenate([[0], np.cumsum(cuts)]).astype(int)
        groups = [int(numbers[group]) for group in groups]
        levels.append(groups)
    return hierarchy_of(name, levels or [list(range(n_leaves))])


@st.composite
def class_tables(draw, max_rows=40):
    """Random table of leaf combinations, with its rows."""
    found = [
        draw(hierarchies(f"a{place}"))
        for place in range(draw(st.sampled_from([1, 2, 3, 3])))
    ]
    n_rows = draw(st.integers(1, max_rows))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    # A few common combinations and some noise, so that classes differ in size.
    common = [rng.integers(0, each.n_leaves, 5) for each in found]
    picked = rng.integers(0, 5, n_rows)
    columns = [
        np.where(
            rng.random(n_rows) < 0.7,
            values[picked],
            rng.integers(0, each.n_leaves, n_rows),
        )
        for each, values in zip(found, common, strict=True)
    ]
    rows = [tuple(row) for row in np.stack(columns, axis=1).tolist()]
    return table_of(found, rows), rows


def table_of(found, rows):
    """Class table of some rows of leaves."""
    counts = Counter(map(tuple, rows))
    leaves = sorted(counts)
    return ClassTable(
        tuple(found),
        np.array(leaves, dtype=np.int32).reshape(len(leaves), len(found)),
        np.array([counts[each] for each in leaves], dtype=np.int64),
    )


def nodes_of(table, minimum=None, maximum=None):
    """All level vectors in lexicographic order."""
    low = minimum or [0] * len(table.hierarchies)
    high = maximum or [each.height for each in table.hierarchies]
    return list(product(*(range(a, b + 1) for a, b in zip(low, high, strict=True))))


def released(table, rows, levels):
    """Classes of a node as {labels: records}, and the labels of every row."""
    labels = [
        tuple(
            each.label(level, leaf)
            for each, level, leaf in zip(table.hierarchies, levels, row, strict=True)
        )
        for row in rows
    ]
    return Counter(labels), labels


def leaves_below(hierarchy, level, label):
    """Hierarchy leaves that carry a label at a level."""
    return sum(
        hierarchy.label(level, leaf) == label for leaf in range(hierarchy.n_leaves)
    )


def suppressing_order(table, levels, sizes):
    """Labels of classes in the order in which models of the whole release suppress.

    Parameters
    ----------
    sizes : dict
        What the order goes by first, by the labels of a class.
    """
    places = sorted(range(len(levels)), key=table.attributes.__getitem__)

    def key(labels):
        parts = (
            leaves_below(hierarchy, level, label) * (2**40 // hierarchy.n_leaves)
            for hierarchy, level, label in zip(
                table.hierarchies, levels, labels, strict=True
            )
        )
        return sizes[labels], -sum(parts), [labels[place] for place in places]

    return sorted(sizes, key=key)


def loss_by_attribute(table, rows, levels, suppressed, balance=0.5):
    """Loss per attribute, record by record (methods.md B.4)."""
    generalized = 1 if balance <= 0.5 else 1 - 2 * (balance - 0.5)
    of_suppressed = 2 * balance if balance < 0.5 else 1
    _, labels = released(table, rows, levels)
    n, found = len(rows), []
    for place, hierarchy in enumerate(table.hierarchies):
        raw = 0.0
        for label in labels:
            share = leaves_below(hierarchy, levels[place], label[place])
            share /= hierarchy.n_leaves
            if label in suppressed:
                raw += share + of_suppressed * (1 - share)
            else:
                raw += share * generalized
        least = generalized * n / hierarchy.n_leaves
        found.append(max(0.0, (raw - least) / (n - least)) if n > least else 0.0)
    return found


def entropy_by_attribute(table, rows, levels, suppressed, balance=0.5):
    """Non-uniform entropy per attribute, with its suppression part, in bits."""
    generalized = 1 if balance <= 0.5 else 1 - 2 * (balance - 0.5)
    of_suppressed = 2 * balance if balance < 0.5 else 1
    _, labels = released(table, rows, levels)
    gone = [label for label in labels if label in suppressed]
    first, both = [], []
    for place in range(len(table.hierarchies)):
        own = Counter(row[place] for row in rows)
        grouped = Counter(label[place] for label in labels)
        bits = -sum(
            math.log2(own[row[place]] / grouped[label[place]])
            for row, label in zip(rows, labels, strict=True)
        )
        counts = Counter(label[place] for label in gone)
        more = -sum(math.log2(counts[label[place]] / len(gone)) for label in gone)
        first.append(generalized * bits)
        both.append(generalized * bits + of_suppressed * more)
    return first, both


SENSITIVE = Hierarchy.from_grid(
    "s", [(str(value), f"group {value // 2}", "*") for value in (3, 1, 0, 4, 2)]
)
"""Five sensitive values in three groups, for `protected`: numbers, not in order."""


def protected(table, seed=0, values=None):
    """Return the same class table with a sensitive attribute "s" and a register.

    The sensitive values are skewed and depend on the first attribute; the register
    holds every record, more people like them, and some unlike all of them.

    Parameters
    ----------
    values : list of list of int, optional
        For each row of the class table, the sensitive value (0..4) of its records.
    """
    rng = np.random.default_rng(seed)
    if values is None:
        values = [
            np.where(
                rng.random(count) < 0.4, leaf[0] % 5, rng.geometric(0.5, count) % 5
            ).tolist()
            for leaf, count in zip(table.leaves.tolist(), table.counts, strict=True)
        ]
    rows = [(row, value) for row, each in enumerate(values) for value in each]
    column = Column.from_texts("s", [SENSITIVE.leaves[value] for _, value in rows])
    of_record = np.array([row for row, _ in rows], dtype=np.int64)
    found = count_values(column, of_record, table.n_classes, SENSITIVE)
    sizes = [each.n_leaves for each in table.hierarchies]
    others = rng.integers(0, sizes, (20, len(sizes)))
    population_counts = Counter(map(tuple, others.tolist()))
    for leaf, count in zip(table.leaves.tolist(), table.counts.tolist(), strict=True):
        population_counts[tuple(leaf)] += count + int(rng.integers(0, 5))
    cells = sorted(population_counts)
    register = Register(
        np.array(cells, dtype=np.int32),
        np.array([population_counts[each] for each in cells], dtype=np.int64),
    )
    return replace(table, sensitive={"s": found}, population=register)


def mirrored(table):
    """Return the same class table with its attributes in reverse order."""
    leaves = table.leaves[:, ::-1]
    order = np.lexsort(leaves.T[::-1])
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    sensitive = {
        name: each.merged(place, len(order)) for name, each in table.sensitive.items()
    }
    population = table.population
    if population is not None:
        population_counts = np.ascontiguousarray(population.leaves[:, ::-1])
        population = Register(population_counts, population.counts)
    return ClassTable(
        table.hierarchies[::-1],
        np.ascontiguousarray(leaves[order]),
        table.counts[order],
        sensitive,
        population,
    )
