"""Applying a policy equals the plain rule, record by record."""

from __future__ import annotations

import os
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.table import Column, Table
from deidgui.engine.policy.policy import lattice_policy
from deidgui.engine.policy.released import released_classes
from deidgui.engine.transform import apply as apply_module
from deidgui.engine.transform.apply import (
    apply_policy,
    combinations_of,
    released_class_of,
)
from deidgui.engine.transform.released import shuffle_order
from deidgui.errors import Cancelled, ConfigError, ProblemsError

OTHERS = ("id", "note", "extra")


def cells_of(released):
    """Released texts, record by record."""
    columns = [
        released.texts(each, released.rows).to_list() for each in released.columns
    ]
    return [list(row) for row in zip(*columns, strict=True)]


def slow_release(table, policy, treatments, suppressed, order):
    """The rule in plain Python: one row after the other, nothing shared."""
    labels = {}
    for each in policy.maps:
        leaf = {text: n for n, text in enumerate(each.hierarchy.leaves)}
        labels[each.attribute] = {
            text: each.labels[each.groups[leaf[text]]] for text in leaf
        }
    rows = []
    for row in range(table.n_rows):
        cells = {c.name: c.text(row) for c in table.columns}
        key = tuple(labels[name][cells[name]] for name in policy.attributes)
        rows.append((cells, key))
    counts = Counter(key for _, key in rows)
    released = []
    for row in order:
        cells, key = rows[row]
        out = []
        for name, text in cells.items():
            if name in policy.attributes:
                out.append(labels[name][text])
            elif treatments.get(name) == "keep":
                out.append(text)
            elif treatments.get(name) == "mask":
                out.append("*")
        if counts[key] >= policy.suppress_below:
            released.append(out)
        elif suppressed == "stars":
            released.append(["*"] * len(out))
    return released


@st.composite
def cases(draw):
    """A table of up to four quasi-identifiers with a policy and settings."""
    n = draw(st.integers(1, 40))
    width = draw(st.integers(1, 4))
    columns, hierarchies, levels = [], [], {}
    for place in range(width):
        name = f"q{place}"
        values = [f"{name}{letter}" for letter in "abcdef"]
        texts = draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))
        columns.append(Column.from_texts(name, texts))
        groups = draw(st.lists(st.sampled_from("xyz"), min_size=6, max_size=6))
        rows = [(v, g, "*") for v, g in zip(values, groups, strict=True)]
        hierarchies.append(Hierarchy.from_grid(name, rows))
        levels[name] = draw(st.integers(0, 2))
    for name in OTHERS:
        texts = draw(st.lists(st.text("ab", max_size=2), min_size=n, max_size=n))
        columns.insert(
            draw(st.integers(0, len(columns))), Column.from_texts(name, texts)
        )
    return (
        Table("t.csv", tuple(columns)),
        hierarchies,
        levels,
        draw(st.integers(1, 6)),
        draw(
            st.dictionaries(
                st.sampled_from(OTHERS), st.sampled_from(["keep", "mask", "remove"])
            )
        ),
        draw(st.sampled_from(["stars", "left_out"])),
        draw(st.permutations(range(n))),
    )


@settings(max_examples=150, deadline=None)
@given(cases())
def test_apply_equals_plain_rule(case):
    table, hierarchies, levels, below, treatments, suppressed, order = case
    classes = build_class_table(table, hierarchies)
    policy = lattice_policy(classes.hierarchies, levels, below)
    released = apply_policy(
        table,
        classes,
        policy,
        treatments,
        suppressed=suppressed,
        order=np.array(order, dtype=np.int64),
    )
    expected = slow_release(table, policy, treatments, suppressed, order)
    assert cells_of(released) == expected
    assert released.n_suppressed == released_classes(classes, policy).n_suppressed
    found = released_classes(classes, policy)
    class_of = found.of_combination[combinations_of(table, classes)]
    numbers = released_class_of(table, classes, policy, found)
    assert np.array_equal(numbers, class_of)


def big_table(n=3000, width=9, values=1000):
    """So many possible keys that they do not fit in 63 bits."""
    rng = np.random.default_rng(5)
    columns, hierarchies = [], []
    for place in range(width):
        name = f"q{place}"
        texts = [str(v) for v in rng.integers(0, 3, n) * (values // 3)]
        columns.append(Column.from_texts(name, texts))
        rows = [(str(v), str(v // 10), "*") for v in range(values)]
        hierarchies.append(Hierarchy.from_grid(name, rows))
    return Table("big.csv", tuple(columns)), hierarchies


@pytest.mark.parametrize("dense", [True, False])
def test_keys_beyond_63_bits(dense, monkeypatch):
    if not dense:
        monkeypatch.setattr(apply_module, "_DENSE", 0)
        monkeypatch.setattr(apply_module, "_CHUNK", 700)
    table, hierarchies = big_table()
    classes = build_class_table(table, hierarchies)
    levels = {f"q{place}": 0 if place < 8 else 2 for place in range(9)}
    policy = lattice_policy(classes.hierarchies, levels, 2)
    released = apply_policy(table, classes, policy, {})
    order = range(table.n_rows)
    expected = slow_release(table, policy, {}, "stars", order)
    assert cells_of(released) == expected
    assert 0 < released.n_suppressed < table.n_rows


def small():
    table = Table(
        "t.csv",
        (
            Column.from_texts("id", ["7", "8", "9"]),
            Column.from_texts("sex", ["F", "F", "M"]),
            Column.from_texts("dx", ["flu", "", "rare"]),
        ),
    )
    hierarchy = Hierarchy.from_grid("sex", [("F", "*"), ("M", "*")])
    classes = build_class_table(table, [hierarchy])
    return table, classes, lattice_policy(classes.hierarchies, {"sex": 0}, 2)


def test_nothing_of_a_suppressed_record_is_released():
    table, classes, policy = small()
    released = apply_policy(table, classes, policy, {"dx": "keep", "id": "keep"})
    assert cells_of(released)[2] == ["*", "*", "*"]
    left = apply_policy(table, classes, policy, {"dx": "keep"}, suppressed="left_out")
    assert cells_of(left) == [["F", "flu"], ["F", ""]]


def test_columns_that_nobody_named_are_not_released():
    table, classes, policy = small()
    assert apply_policy(table, classes, policy, {}).column_names == ("sex",)


def test_everything_suppressed():
    table, classes, _ = small()
    policy = lattice_policy(classes.hierarchies, {"sex": 0}, 9)
    stars = apply_policy(table, classes, policy, {"dx": "keep"})
    assert cells_of(stars) == [["*", "*"]] * 3
    none = apply_policy(table, classes, policy, {"dx": "keep"}, suppressed="left_out")
    assert none.n_rows == 0


def test_treatments_are_checked_together():
    table, classes, policy = small()
    with pytest.raises(ProblemsError) as caught:
        apply_policy(table, classes, policy, {"sex": "keep", "nobody": "keep"})
    assert {each.code for each in caught.value.problems} == {
        "treatment_unknown_column",
        "treatment_of_quasi_identifier",
    }
    with pytest.raises(ConfigError):
        apply_policy(table, classes, policy, {"sex": "mask"})


def test_missing_values_follow_their_leaf():
    texts = ["30", "NA", "31", "", "NA"]
    column = Column.from_texts("age", texts, missing=("", "NA"))
    table = Table("t.csv", (column,))
    rows = [("30", "30s", "*"), ("31", "30s", "*"), ("NA", "NA", "*")]
    hierarchy = Hierarchy.from_grid("age", rows, missing="NA")
    classes = build_class_table(table, [hierarchy])
    policy = lattice_policy(classes.hierarchies, {"age": 1}, 1)
    released = apply_policy(table, classes, policy, {})
    assert [row[0] for row in cells_of(released)] == [*("30s", "NA", "30s", "NA", "NA")]


def test_class_table_of_another_table_is_noticed():
    table, classes, policy = small()
    other = Table("u.csv", (Column.from_texts("sex", ["F", "M", "M", "M"]),))
    with pytest.raises(AssertionError):
        apply_policy(other, classes, policy, {})
    assert table.n_rows == 3


def test_formulas_become_harmless_in_cells_and_headers():
    column = Column.from_texts("=cmd", ["=1+1", "-3", "ok"])
    sex = Column.from_texts("sex", ["F", "F", "F"])
    table = Table("t.csv", (sex, column))
    hierarchy = Hierarchy.from_grid("sex", [("F", "*")])
    classes = build_class_table(table, [hierarchy])
    policy = lattice_policy(classes.hierarchies, {"sex": 0}, 1)
    released = apply_policy(table, classes, policy, {"=cmd": "keep"})
    assert released.column_names == ("sex", "'=cmd")
    assert [row[1] for row in cells_of(released)] == ["'=1+1", "-3", "ok"]
    plain = apply_policy(
        table, classes, policy, {"=cmd": "keep"}, spreadsheet_safe=False
    )
    assert plain.column_names == ("sex", "=cmd")


def test_reprs_tell_no_cell():
    table, classes, policy = small()
    released = apply_policy(table, classes, policy, {"dx": "keep", "id": "pseudonym"})
    shown = f"{released!r} {released.columns!r} {released.keys!r}"
    assert "rare" not in shown
    assert released.keys[0].secret.hex() not in shown
    assert repr(released.keys[0].secret) not in shown


def test_progress_rises_and_cancel_stops():
    table, hierarchies = big_table(2000, 3)
    classes = build_class_table(table, hierarchies)
    policy = lattice_policy(
        classes.hierarchies, dict.fromkeys(["q0", "q1", "q2"], 0), 2
    )
    told = []

    class Recorder:
        def report(self, fraction, note=""):
            told.append(fraction)

    apply_policy(table, classes, policy, {}, monitor=Recorder())
    assert told == sorted(told)
    assert told[-1] == 1.0

    class Stopper:
        def report(self, fraction, note=""):
            if fraction > 0.4:
                raise Cancelled

    with pytest.raises(Cancelled):
        apply_policy(table, classes, policy, {}, monitor=Stopper())


def test_order_is_a_permutation_and_reproducible_only_with_a_seed():
    n = 5000
    first, second = shuffle_order(n), shuffle_order(n)
    assert sorted(first.tolist()) == list(range(n))
    assert first.tolist() != second.tolist()
    assert shuffle_order(n, 4).tolist() == shuffle_order(n, 4).tolist()
    expected = np.random.Generator(np.random.PCG64(4)).permutation(n)
    assert shuffle_order(n, 4).tolist() == expected.tolist()
    assert shuffle_order(0).tolist() == []


def test_without_a_seed_the_operating_system_alone_decides(monkeypatch):
    """By keys of 64 bits; records with equal ones stay in their order."""
    keys = np.array([7, 2**63, 7, 1], dtype=np.uint64)
    monkeypatch.setattr(os, "urandom", lambda n: keys.tobytes()[:n])
    assert shuffle_order(4).tolist() == [3, 0, 2, 1]


def test_random_order_is_fair():
    """Each of the 6 orders of 3 rows: 1000 of 6000, standard deviation 29."""
    counts = Counter(tuple(shuffle_order(3).tolist()) for _ in range(6000))
    assert len(counts) == 6
    assert all(abs(count - 1000) < 6 * 29 for count in counts.values())
