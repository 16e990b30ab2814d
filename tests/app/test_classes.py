"""A hierarchy that is used again was built from the very same column and rule."""

import numpy as np

from deidgui.app.project import Attribute, HierarchyChoice
from deidgui.app.tasks.classes import HierarchyCache
from deidgui.engine.data.table import Column


def attribute(**choice):
    return Attribute(
        name="x", role="quasi_identifier", hierarchy=HierarchyChoice(**choice)
    )


def test_other_columns_never_get_the_hierarchy_of_one_that_is_gone():
    # Arrays come and go, so that a later one lies where an earlier one lay.
    cache, flat = HierarchyCache(), attribute(rule={"kind": "flat"})
    for first in range(200):
        others = [np.empty(3, np.int32) for _ in range(first % 7)]
        texts = [str(first + number) for number in range(20)]
        hierarchy = cache.get(flat, Column.from_texts("x", texts), {})
        assert set(hierarchy.leaves) == set(texts)
        del others


def test_the_same_column_gets_the_same_hierarchy():
    cache, flat = HierarchyCache(), attribute(rule={"kind": "flat"})
    column = Column.from_texts("x", ["a", "b"])
    assert cache.get(flat, column, {}) is cache.get(flat, column, {})


def test_another_file_of_the_same_name_is_another_hierarchy():
    cache, by_hand = HierarchyCache(), attribute(csv="x.csv")
    column = Column.from_texts("x", ["a", "b"])
    for label in ("one", "two"):
        files = {"x.csv": f"a;{label};*\nb;{label};*\n".encode()}
        assert cache.get(by_hand, column, files).levels[1].labels == (label,)
