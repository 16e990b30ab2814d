"""The Adult table with its hierarchies, read from beside the checkout."""

import csv
import gzip
from functools import cache

from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.table import Column, Table
from tests.shared import shared

FOLDER = ("data", "adult_hierarchies")


@cache
def adult_table():
    """The 30,162 records as a table."""
    path = shared(*FOLDER, "adult.csv.gz")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        header, *rows = csv.reader(file, delimiter=";")
    columns = zip(header, zip(*rows, strict=True), strict=True)
    return Table(
        path.name, tuple(Column.from_texts(name, texts) for name, texts in columns)
    )


@cache
def adult_hierarchy(name):
    """One attribute's hierarchy."""
    path = shared(*FOLDER, f"adult_hierarchy_{name}.csv")
    with path.open(encoding="utf-8", newline="") as file:
        return Hierarchy.from_grid(name, list(csv.reader(file, delimiter=";")))


@cache
def adult_classes(*names):
    """Class table of some quasi-identifiers; of all nine without names."""
    table = adult_table()
    chosen = names or table.column_names
    return build_class_table(table, [adult_hierarchy(name) for name in chosen])
