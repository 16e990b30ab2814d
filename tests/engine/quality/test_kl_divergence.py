"""KL divergence against sums over distinct combinations in plain Python."""

import csv
import gzip
import math
from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data.class_table import build_class_table, classes_at
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.quality import KLDivergence, TableFacts, figures_of
from tests.engine.search.cases import class_tables, leaves_below, nodes_of, released
from tests.peer.tables import table_of
from tests.shared import shared

KL = KLDivergence()


def by_definition(table, rows, levels, suppressed):
    """Sum over the distinct rows, q(t) as methods.md B.4 gives it."""
    sizes, labels = released(table, rows, levels)
    n, gone = len(rows), sum(sizes[label] for label in suppressed)
    everything = math.prod(each.n_leaves for each in table.hierarchies)
    total = 0.0
    for row, label in set(zip(rows, labels, strict=True)):
        p = Fraction(rows.count(row), n)
        if label in suppressed:
            q = Fraction(gone, n * everything)
        else:
            area = math.prod(
                leaves_below(each, level, text)
                for each, level, text in zip(
                    table.hierarchies, levels, label, strict=True
                )
            )
            q = Fraction(sizes[label], n * area)
        total += float(p) * math.log2(p / q)
    return total


def labels_of(table, classes):
    """Labels of every class, in the order of the classes."""
    found = {}
    for row, number in zip(table.leaves.tolist(), classes.of_combination, strict=True):
        found[int(number)] = tuple(
            each.label(level, leaf)
            for each, level, leaf in zip(
                table.hierarchies, classes.levels, row, strict=True
            )
        )
    return [found[number] for number in range(classes.n_classes)]


@given(class_tables(), st.data())
def test_sum_over_distinct_combinations(drawn, data):
    table, rows = drawn
    levels = data.draw(st.sampled_from(nodes_of(table)))
    classes = classes_at(table, levels)
    some = st.lists(st.booleans(), min_size=classes.n_classes)
    suppressed = np.array(data.draw(some)[: classes.n_classes])
    texts = labels_of(table, classes)
    gone = {text for text, is_gone in zip(texts, suppressed, strict=True) if is_gone}
    found = KL.exact_values(TableFacts(table), classes, suppressed)
    expected = by_definition(table, rows, levels, gone)
    assert found == pytest.approx([expected], rel=1e-9, abs=1e-9)
    assert expected >= -1e-12


@given(class_tables(), st.data())
def test_bound_holds_here_and_above_whatever_is_suppressed(drawn, data):
    """The suppressed block never fits better than its classes (log sum inequality)."""
    table, _ = drawn
    facts, nodes = TableFacts(table), nodes_of(table)
    low = data.draw(st.sampled_from(nodes))
    above = [n for n in nodes if all(a <= b for a, b in zip(low, n, strict=True))]
    high = data.draw(st.sampled_from(above))
    classes = classes_at(table, high)
    some = st.lists(st.booleans(), min_size=classes.n_classes)
    suppressed = np.array(data.draw(some)[: classes.n_classes])
    value = KL.exact_values(facts, classes, suppressed)[0]
    here = classes_at(table, low)
    whole = figures_of(facts, here, np.zeros(here.n_classes, bool))
    assert KL.values(whole)[0, 0] <= value + 1e-9
    assert KL.bounds(whole)[0, 0] <= KL.values(whole)[0, 0]
    guessed = KL.values(whole.without_suppression())[0, 0]
    assert KL.bounds(whole)[0, 0] <= guessed <= KL.values(whole)[0, 0]


def test_uniform_table_loses_nothing_by_any_generalization():
    """Every combination once: each class is spread as the data are."""
    grid = [(str(a), "*") for a in range(4)]
    rows = [["a", "b"], *([str(a), str(b)] for a in range(4) for b in range(4))]
    table = build_class_table(
        table_of("all", rows), [Hierarchy.from_grid(name, grid) for name in "ab"]
    )
    facts = TableFacts(table)
    for levels in nodes_of(table):
        classes = classes_at(table, levels)
        for suppressed in (False, True):
            everything = np.full(classes.n_classes, suppressed)
            value = KL.exact_values(facts, classes, everything)
            assert value == pytest.approx([0.0], abs=1e-12)


ADULT = ("sex", "age", "race", "marital-status", "education", "native-country")
ADULT += ("workclass", "occupation", "salary-class")


def grid_of(name):
    path = shared("data", "adult_hierarchies", name)
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter=";"))


@pytest.mark.parametrize(
    ("levels", "k"),
    [((0,) * 9, 1), ((1, 0, 1, 1, 3, 2, 2, 0, 1), 5), ((0, 3, 0, 1, 1, 1, 1, 2, 0), 5)],
)
def test_adult_from_its_files(levels, k):
    rows = grid_of("adult.csv.gz")
    grids = {name: grid_of(f"adult_hierarchy_{name}.csv") for name in ADULT}
    places = [rows[0].index(name) for name in ADULT]
    raw = [tuple(row[place] for place in places) for row in rows[1:]]
    released_as, below = [], []
    for name, level in zip(ADULT, levels, strict=True):
        released_as.append({line[0]: line[level] for line in grids[name]})
        below.append(Counter(line[level] for line in grids[name]))
    classes = defaultdict(Counter)
    for row in raw:
        key = tuple(of[text] for of, text in zip(released_as, row, strict=True))
        classes[key][row] += 1
    n, everything = len(raw), math.prod(len(grid) for grid in grids.values())
    sizes = {key: members.total() for key, members in classes.items()}
    gone = sum(size for size in sizes.values() if size < k)
    total = 0.0
    for key, members in classes.items():
        area = math.prod(of[text] for of, text in zip(below, key, strict=True))
        q = sizes[key] / n / area if sizes[key] >= k else gone / n / everything
        total += sum(c / n * math.log2(c / n / q) for c in members.values())
    hierarchies = [Hierarchy.from_grid(name, grids[name]) for name in ADULT]
    table = build_class_table(table_of("adult", rows), hierarchies)
    found = classes_at(table, levels)
    values = KL.exact_values(TableFacts(table), found, found.counts < k)
    assert values == pytest.approx([total], rel=1e-9, abs=1e-9)
