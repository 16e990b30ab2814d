"""Published optima of Adult, from counts of its groups that go with these tests.

Above a node all figures follow from its classes and from how often each value occurs
in its column. So a table is dealt that has both, and nothing else of Adult, and the
lattice is searched from that node on. `tests/data/adult/SOURCE.txt` says more.
"""

import csv
from collections import Counter
from functools import cache
from itertools import chain, repeat
from pathlib import Path

import pytest

from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.table import Column, Table
from deidgui.engine.privacy import KAnonymity
from deidgui.engine.quality import (
    AverageClassSize,
    Discernibility,
    Loss,
    MonotoneEntropy,
    NonUniformEntropy,
    Precision,
)
from deidgui.engine.search.whole_lattice import search_lattice
from tests.engine.search.adult import adult_hierarchy, adult_table

DATA = Path(__file__).parents[2] / "data" / "adult"
HEIGHTS = {
    "sex": 1,
    "age": 4,
    "race": 1,
    "marital-status": 2,
    "education": 3,
    "native-country": 2,
    "workclass": 2,
    "occupation": 2,
    "salary-class": 1,
}
BY_BANDS = dict(zip(HEIGHTS, (0, 1, 1, 1, 3, 2, 2, 1, 0), strict=True))
BY_YEARS = dict(zip(HEIGHTS, (0, 0, 1, 2, 3, 2, 2, 1, 1), strict=True))


@cache
def rows_of(name):
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def age_labels(age):
    """Bands of 5, 10 and 20 years of ARX's hierarchy: 20 is the last of "15-19"."""
    lows = [(age - 1) // width * width for width in (5, 10, 20)]
    bands = [
        f"{low}-{low + width - 1}" for low, width in zip(lows, (5, 10, 20), strict=True)
    ]
    return (str(age), *bands, "*")


def hierarchy_of(name):
    """Hierarchy of an attribute; groups that no test looks at are the values."""
    if name == "age":
        return Hierarchy.from_grid(name, [age_labels(age) for age in range(1, 101)])
    grid = []
    for row in rows_of("columns"):
        if row["attribute"] == name:
            n_groups = HEIGHTS[name] - 1
            group = row["group"] or row["value"]
            grid.append((row["value"], *[group] * n_groups, "*"))
    return Hierarchy.from_grid(name, grid)


def dealt(name, groups):
    """Values of a column, as often as in Adult, each in its group.

    `groups` has a record's group; all are one if the column is not in the table.
    """
    left = {}
    for row in rows_of("columns"):
        if row["attribute"] == name:
            group = group_of(name, row) if groups else ""
            values = repeat(row["value"], int(row["records"]))
            left[group] = chain(left.get(group, ()), values)
    if not groups:
        return list(left[""])
    found = [next(left[group]) for group in groups]
    assert all(next(values, None) is None for values in left.values())
    return found


def group_of(name, row):
    return age_labels(int(row["value"]))[1] if name == "age" else row["group"]


@cache
def classes_of(file):
    """Class table of records that have the groups of a file."""
    rows = rows_of(file)
    counts = [int(row["records"]) for row in rows]
    columns = []
    for name in HEIGHTS:
        kept = [
            row.get(name, "")
            for row, count in zip(rows, counts, strict=True)
            for _ in range(count)
        ]
        is_raw = name in rows[0] and rows[0][name] in hierarchy_of(name).leaves
        texts = kept if is_raw else dealt(name, kept if name in rows[0] else None)
        columns.append(Column.from_texts(name, texts))
    table = Table(file, tuple(columns))
    assert table.n_rows == 30162
    return build_class_table(table, [hierarchy_of(name) for name in HEIGHTS])


AT_0 = (0, 4, 1, 1, 3, 2, 2, 1, 0)
ENTROPY_AT_0 = (1, 2, 1, 1, 3, 2, 2, 1, 1)
YEARS = tuple(BY_YEARS.values())


@pytest.mark.parametrize(
    ("file", "k", "limit", "measure", "loss", "levels", "n_suppressed"),
    [
        ("bands", 5, 0.0, Loss("arithmetic_mean"), 0.635544, AT_0, 0),
        ("bands", 5, 0.0, Loss("geometric_mean"), 0.573151, AT_0, 0),
        ("bands", 5, 0.0, Precision(), 0.666667, AT_0, 0),
        ("bands", 5, 0.0, MonotoneEntropy(), 407289.53889, ENTROPY_AT_0, 0),
        ("bands", 5, 0.0, NonUniformEntropy(), 407289.53889, ENTROPY_AT_0, 0),
        ("bands", 5, 0.0, AverageClassSize(), 628.375, ENTROPY_AT_0, 0),
        ("bands", 5, 0.0, Discernibility(), 33627534, (1, 1, 1, 2, 3, 2, 2, 1, 1), 0),
        ("years", 5, 0.04, Discernibility(), 7220555, YEARS, 105),
        ("years", 5, 1.0, Discernibility(), 7220555, YEARS, 105),
        (
            *("bands", 100, 0.04, MonotoneEntropy(), 379417.34606),
            *((1, 1, 1, 1, 3, 2, 2, 1, 1), 866),
        ),
        (
            *("bands", 100, 0.0, MonotoneEntropy(), 453196.89325),
            *((0, 4, 1, 1, 3, 2, 2, 1, 1), 0),
        ),
    ],
)
def test_published_optimum(file, k, limit, measure, loss, levels, n_suppressed):
    """methods.md O-B6; the values of monotone entropy are those of ARX's own tests."""
    lowest = BY_BANDS if file == "bands" else BY_YEARS
    found = search_lattice(
        classes_of(file), [KAnonymity(k)], limit, measure, minimum=lowest
    )
    assert found.loss[found.optimum] == pytest.approx(loss, rel=2e-6)
    assert found.lattice.levels_of(found.optimum) == levels
    assert found.suppressed[found.optimum] == n_suppressed
    assert found.is_complete


# -- where Adult is beside the checkout ------------------------------------------------


def labels_of(name, level):
    """Label of every record of the whole table."""
    column = adult_table().column(name)
    rows = {row[0]: row for row in adult_hierarchy(name).grid()}
    labels = [rows[text][level] for text in column.values.to_list()]
    return [labels[code] for code in column.codes]


@pytest.mark.parametrize(("file", "levels"), [("bands", BY_BANDS), ("years", BY_YEARS)])
def test_counts_are_those_of_adult(file, levels):
    names = [name for name in HEIGHTS if name in rows_of(file)[0]]
    records = zip(*(labels_of(name, levels[name]) for name in names), strict=True)
    stated = {
        tuple(row[name] for name in names): int(row["records"]) for row in rows_of(file)
    }
    assert stated == Counter(records)


@pytest.mark.parametrize("name", HEIGHTS)
def test_columns_are_those_of_adult(name):
    rows = [row for row in rows_of("columns") if row["attribute"] == name]
    stated = {row["value"]: int(row["records"]) for row in rows}
    assert Counter(stated) == Counter(labels_of(name, 0))
    grid = {row[0]: row for row in adult_hierarchy(name).grid()}
    assert set(hierarchy_of(name).leaves) == grid.keys()
    for row in rows:
        assert row["group"] in ("", grid[row["value"]][1])
    if name == "age":
        assert all(grid[str(age)] == age_labels(age) for age in range(1, 101))
