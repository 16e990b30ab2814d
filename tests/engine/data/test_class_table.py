"""Classes of records against plain pandas, and on key spaces beyond 63 bits."""

import numpy as np
import pandas as pd
import pytest

from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.data.dialect import Dialect
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.hierarchy_io import read_hierarchy
from deidgui.engine.data.source import open_source
from deidgui.engine.data.table import Column, Table
from deidgui.errors import InputError, ProblemsError
from tests.shared import shared
from tests.sources import read_table


def flat(column):
    return Hierarchy.from_grid(column.name, [(text, "*") for text in column.texts()])


def test_adult_against_pandas():
    path = shared("data", "adult_hierarchies", "adult.csv.gz")
    table = read_table(open_source(path), Dialect(delimiter=";"))
    hierarchies = [
        read_hierarchy(
            shared("data", "adult_hierarchies", f"adult_hierarchy_{name}.csv"), name
        )
        for name in table.column_names
    ]
    classes = build_class_table(table, hierarchies)
    frame = pd.read_csv(path, sep=";", dtype=str, keep_default_na=False)
    sizes = frame.groupby(list(frame.columns)).size()
    assert classes.n_classes == len(sizes) == 19502  # methods.md O-F3
    assert sorted(classes.counts) == sorted(sizes)
    rows = {
        tuple(h.leaves[leaf] for h, leaf in zip(classes.hierarchies, row, strict=True))
        for row in classes.leaves
    }
    assert rows == set(sizes.index)


def test_order_of_rows_and_hierarchies_does_not_matter():
    random = np.random.default_rng(1)
    texts = [[str(v) for v in random.integers(0, 5, 200)] for _ in range(3)]

    def classes(order, turned):
        columns = [
            Column.from_texts(f"c{i}", [column[row] for row in order])
            for i, column in enumerate(texts)
        ]
        hierarchies = [flat(column) for column in columns]
        return build_class_table(Table("t", tuple(columns)), hierarchies[::turned])

    one = classes(range(200), 1)
    two = classes(random.permutation(200), -1)
    assert one.attributes == two.attributes == ("c0", "c1", "c2")
    assert (one.leaves == two.leaves).all()
    assert (one.counts == two.counts).all()


def test_key_spaces_beyond_63_bits():
    random = np.random.default_rng(2)
    columns = tuple(
        Column.from_texts(f"c{i}", [str(v) for v in random.integers(0, 900, 2000)])
        for i in range(9)
    )
    table = Table("t", columns)
    classes = build_class_table(table, [flat(column) for column in columns])
    frame = pd.DataFrame({c.name: c.codes for c in columns})
    expected = frame.groupby(list(frame.columns)).size()
    assert (classes.counts == expected.to_numpy()).all()
    assert (classes.leaves == np.array(expected.index.tolist())).all()


def test_missing_texts_share_one_leaf():
    column = Column.from_texts("x", ["a", "", "?", "a"], missing=("", "?"))
    hierarchy = Hierarchy.from_grid("x", [("a", "*"), ("?", "*")], missing="?")
    classes = build_class_table(Table("t", (column,)), [hierarchy])
    assert classes.counts.tolist() == [2, 2]


def test_every_gap_is_told_at_once():
    columns = tuple(Column.from_texts(name, ["a", "b"]) for name in "xy")
    hierarchies = [Hierarchy.from_grid(name, [("a", "*")]) for name in "xy"]
    with pytest.raises(ProblemsError) as caught:
        build_class_table(Table("t", columns), hierarchies)
    assert [p.params["attribute"] for p in caught.value.problems] == ["x", "y"]
    assert all(p.code == "hierarchy_gap" for p in caught.value.problems)


def test_nothing_to_count_is_refused():
    with pytest.raises(InputError, match="no_quasi_identifier"):
        build_class_table(Table("t", ()), [])
    empty = Column.from_texts("x", [])
    with pytest.raises(InputError, match="no_records"):
        build_class_table(
            Table("t", (empty,)), [Hierarchy.from_grid("x", [("a", "*")])]
        )
