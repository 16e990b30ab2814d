"""Are sensitive values counted, ordered and grouped as a table has them?"""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data.class_table import count_values
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.table import Column
from deidgui.errors import ConfigError, InputError

TEXTS = st.lists(st.sampled_from(["b", "a", "", "10", "9", "NA", "é"]), min_size=1)


def counted(texts, groups=None, hierarchy=None, missing=("",)):
    column = Column.from_texts("s", texts, missing)
    groups = [0] * len(texts) if groups is None else groups
    of_record = np.array(groups, dtype=np.int64)
    return count_values(column, of_record, max(groups) + 1, hierarchy)


def as_counters(found):
    """Records by text of each group."""
    return [
        {
            found.values[code]: int(count)
            for code, count in zip(
                found.codes[start:end], found.counts[start:end], strict=True
            )
        }
        for start, end in zip(found.starts[:-1], found.starts[1:], strict=True)
    ]


@given(texts=TEXTS, data=st.data())
def test_values_are_counted_by_group_and_merged(texts, data):
    n_groups = data.draw(st.integers(1, 4))
    groups = [
        *range(n_groups),
        *(data.draw(st.integers(0, n_groups - 1)) for _ in texts),
    ]
    texts = [*["a"] * n_groups, *texts]
    found = counted(texts, groups, missing=("", "NA"))
    shown = ["" if text == "NA" else text for text in texts]
    expected = [Counter() for _ in range(n_groups)]
    for group, text in zip(groups, shown, strict=True):
        expected[group][text] += 1
    assert as_counters(found) == expected
    assert found.values == tuple(sorted(set(shown)))
    assert dict(zip(found.values, found.totals, strict=True)) == Counter(shown)
    assert found.n_records == len(texts)
    of_group = [data.draw(st.integers(-1, 1)) for _ in range(n_groups)]
    merged = found.merged(np.array(of_group, dtype=np.int64), 2)
    joined = [Counter(), Counter()]
    for group, number in zip(expected, of_group, strict=True):
        if number >= 0:
            joined[number] += group
    assert as_counters(merged) == joined
    assert (merged.totals == found.totals).all()
    for start, end in zip(merged.starts[:-1], merged.starts[1:], strict=True):
        assert (np.diff(merged.codes[start:end]) > 0).all()


@pytest.mark.parametrize("n_distinct", [3, 40, 1000])
def test_many_values_are_merged(n_distinct):
    """Values of a class are sorted in three ways, by how many there are."""
    rng = np.random.default_rng(n_distinct)
    texts = [f"{code:04d}" for code in rng.integers(0, n_distinct, 3000)]
    groups = np.minimum(rng.geometric(0.02, 3000) - 1, 399).tolist()
    groups[-1] = 399
    found = counted(texts, groups)
    of_group = np.arange(400) // 3 % 90
    merged = found.merged(of_group, 90)
    for part, numbers in ((found, groups), (merged, of_group[groups].tolist())):
        expected = [Counter() for _ in range(part.n_groups)]
        for number, text in zip(numbers, texts, strict=True):
            expected[number][text] += 1
        assert as_counters(part) == expected
        inner = np.ones(len(part.codes), np.bool_)
        inner[part.starts[:-1][part.starts[:-1] < len(inner)]] = False
        assert (np.diff(part.codes, prepend=-1)[inner] > 0).all()


def in_order(found, order):
    ranks = found.ranks(order)
    assert sorted(ranks.tolist()) == list(range(found.n_values))
    return [found.values[code] for code in np.argsort(ranks)]


def test_orders():
    texts = ["10", "9", "-1.5", "9.0", "", "100"]
    grid = [(text, "*") for text in ("9", "100", "", "10", "9.0", "-1.5")]
    found = counted(texts, hierarchy=Hierarchy.from_grid("s", grid, missing=""))
    assert in_order(found, "alphabetical") == ["", "-1.5", "10", "100", "9", "9.0"]
    # Equal numbers by code point, missing values last.
    assert in_order(found, "numeric") == ["-1.5", "9", "9.0", "10", "100", ""]
    assert in_order(found, "hierarchy") == [row[0] for row in grid]
    assert found.ranks("numeric") is found.ranks("numeric")
    comma = counted(["1,5", "0,25", "2"])
    assert in_order(comma, "numeric") == ["0,25", "1,5", "2"]


def test_what_is_no_number_is_counted_and_not_told():
    found = counted(["secret", "12", "", "other"])
    with pytest.raises(ConfigError) as caught:
        found.ranks("numeric")
    assert caught.value.code == "order_not_numeric"
    assert caught.value.params == {"attribute": "s", "n_values": 2}
    with pytest.raises(ConfigError) as caught:
        found.ranks("hierarchy")
    assert caught.value.code == "sensitive_hierarchy_missing"


def test_trees_leave_the_root_out():
    grid = [("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*"), ("unused", "y", "*")]
    found = counted(["a", "c", "c", "b"], hierarchy=Hierarchy.from_grid("s", grid))
    tree = found.tree
    assert tree.n_levels == 2
    assert tree.totals[tree.nodes].tolist() == [[1, 1, 2], [2, 2, 2]]
    assert tree.nodes[1].tolist() == [tree.nodes[1][0]] * 2 + [tree.nodes[1][2]]
    assert len(set(tree.nodes[0].tolist()) | set(tree.nodes[1].tolist())) == 5
    assert found.flat.totals[found.flat.nodes].tolist() == [[1, 1, 2]]
    forest = [row[:2] for row in grid]
    found = counted(["a", "c"], hierarchy=Hierarchy.from_grid("s", forest))
    assert found.tree.n_levels == 2
    single = counted(["a", "a"], hierarchy=Hierarchy.from_grid("s", [("a",)]))
    assert single.tree.n_levels == 0
    with pytest.raises(ConfigError):
        _ = counted(["a"]).tree


def test_values_without_a_leaf_are_refused():
    with pytest.raises(InputError) as caught:
        counted(["a", "secret"], hierarchy=Hierarchy.from_grid("s", [("a", "*")]))
    assert caught.value.code == "hierarchy_gap"
    assert "secret" not in repr(caught.value)


def test_no_value_is_shown():
    found = counted(["secret", "a"])
    assert "secret" not in repr(found)
    assert "secret" not in repr(found.flat)
