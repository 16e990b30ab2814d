"""People with several rows: classes of people against plain sets of rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data.class_table import ClassTable, build_class_table, classes_at
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.people import people_of
from deidgui.engine.data.people_table import build_people_table
from deidgui.engine.data.raising import RaisedClasses
from deidgui.engine.data.table import Column, Table
from deidgui.engine.policy.policy import lattice_policy
from deidgui.engine.policy.released import released_classes
from deidgui.engine.privacy import DistinctLDiversity, EntropyLDiversity, KAnonymity
from deidgui.engine.quality import Loss
from deidgui.engine.search.branch_and_bound import find_optimum
from deidgui.engine.search.whole_lattice import search_lattice
from deidgui.errors import ConfigError, InputError

YEARS = ("2001", "2002", "2003", "2004")
WARDS = ("a", "b", "c")


def hierarchies() -> tuple[Hierarchy, Hierarchy, Hierarchy]:
    sex = Hierarchy.from_grid("sex", [("F", "*"), ("M", "*")])
    year = Hierarchy.from_grid(
        "year", [(y, "01-02" if y < "2003" else "03-04", "*") for y in YEARS]
    )
    ward = Hierarchy.from_grid(
        "ward", [(w, "ab" if w < "c" else "c", "*") for w in WARDS]
    )
    return sex, year, ward


Row = tuple[int, str, str, str, str]
"""Person, sex, year, ward, diagnosis."""


def table_of(rows: Sequence[Row]) -> Table:
    names = ("id", "sex", "year", "ward", "diagnosis")
    columns = zip(*rows, strict=True)
    return Table(
        "events.csv",
        tuple(
            Column.from_texts(name, [str(cell) for cell in column])
            for name, column in zip(names, columns, strict=True)
        ),
    )


def count(rows: Sequence[Row], sensitive: bool = False) -> ClassTable:
    table = table_of(rows)
    wanted = {"diagnosis": None} if sensitive else None
    return build_people_table(
        table, people_of(table.column("id")), hierarchies(), wanted
    )


def people_alike(rows: Sequence[Row], levels: Sequence[int]) -> list[list[int]]:
    """Return people by what all their rows show: a plain set of combinations each."""
    labels = [
        dict(zip(h.leaves, range(h.n_leaves), strict=True)) for h in hierarchies()
    ]
    shown: dict[int, set[tuple[str, ...]]] = {}
    for person, *cells, _diagnosis in rows:
        released = tuple(
            h.label(level, of[cell])
            for h, level, of, cell in zip(
                hierarchies(), levels, labels, cells, strict=True
            )
        )
        shown.setdefault(person, set()).add(released)
    alike: dict[frozenset[tuple[str, ...]], list[int]] = {}
    for person, combinations in shown.items():
        alike.setdefault(frozenset(combinations), []).append(person)
    return list(alike.values())


@st.composite
def histories(draw: st.DrawFn) -> list[Row]:
    rows: list[Row] = []
    sexes: dict[int, str] = {}
    for _ in range(draw(st.integers(1, 40))):
        person = draw(st.integers(0, 12))
        sex = sexes.setdefault(person, draw(st.sampled_from("FM")))
        year, ward = draw(st.sampled_from(YEARS)), draw(st.sampled_from(WARDS))
        rows.append((person, sex, year, ward, draw(st.sampled_from("xyz"))))
    return rows


@given(histories())
def test_classes_of_every_node_are_those_of_plain_sets(rows: list[Row]) -> None:
    class_table = count(rows)
    bottom = RaisedClasses.bottom(class_table)
    for levels in product(range(2), range(3), range(3)):
        expected = Counter(len(alike) for alike in people_alike(rows, levels))
        assert Counter(classes_at(class_table, levels).counts.tolist()) == expected
        assert Counter(bottom.raised(levels).counts.tolist()) == expected


@given(histories(), st.integers(2, 4), st.sampled_from([0.0, 0.3, 1.0]))
def test_search_suppresses_whole_people_as_plain_sets_do(
    rows: list[Row], k: int, limit: float
) -> None:
    class_table = count(rows)
    n_people = len({row[0] for row in rows})
    assert class_table.n_records == n_people
    found = search_lattice(class_table, [KAnonymity(k=k)], limit, Loss())
    for node in range(found.lattice.n_nodes):
        alike = people_alike(rows, found.lattice.levels_of(node))
        gone = sum(len(each) for each in alike if len(each) < k)
        assert found.suppressed[node] == gone
        assert found.feasible[node] == (gone <= int(limit * n_people + 1e-9))
    proven = find_optimum(class_table, [KAnonymity(k=k)], limit, Loss())
    assert proven.loss == pytest.approx(
        None if found.optimum is None else found.loss[found.optimum]
    )


@given(histories(), st.integers(2, 4))
def test_a_policy_suppresses_all_rows_of_a_person(rows: list[Row], k: int) -> None:
    class_table = count(rows)
    levels = (0, 1, 1)
    named = dict(zip(("sex", "year", "ward"), levels, strict=True))
    policy = lattice_policy(class_table.hierarchies, named, k)
    assert [each.hierarchy.attribute for each in policy.maps] == ["sex", "year", "ward"]
    assert policy.maps[1].labels == ("01-02", "03-04")
    found = released_classes(class_table, policy)
    units = class_table.units
    assert units is not None
    gone = units.of_rows(found.suppressed[found.of_combination])
    few = {p for each in people_alike(rows, levels) if len(each) < k for p in each}
    assert gone.tolist() == [row[0] in few for row in rows]


@given(histories())
def test_the_order_of_rows_changes_nothing(rows: list[Row]) -> None:
    one, other = count(rows), count(rows[::-1])
    assert np.array_equal(one.leaves, other.leaves)
    assert np.array_equal(one.counts, other.counts)


def test_attributes_that_do_not_vary_keep_their_hierarchy() -> None:
    rows = [
        (1, "F", "2001", "a", "x"),
        (1, "F", "2001", "a", "y"),
        (2, "M", "2002", "b", "x"),
    ]
    class_table = count(rows)
    assert class_table.varying == ()
    assert class_table.hierarchies[1].leaves == YEARS
    assert class_table.counts.tolist() == [1, 1]


def test_what_people_have_in_all_rows_costs_as_much_as_in_one() -> None:
    """Loss of a person is the mean over what the rows show."""
    rows = [(n, "FM"[n % 2], YEARS[n % 4], WARDS[n % 3], "x") for n in range(24)]
    twice = [*rows, *rows, (99, "F", "2001", "a", "x"), (99, "F", "2004", "c", "x")]
    single = build_class_table(table_of(rows), hierarchies())
    several = count(twice)
    assert several.varying == ("year", "ward")
    asks = [KAnonymity(k=2)], 1.0, Loss()
    plain, of_people = search_lattice(single, *asks), search_lattice(several, *asks)
    for node in range(plain.lattice.n_nodes):
        assert of_people.loss[node] == pytest.approx(plain.loss[node], abs=0.07)


def test_a_value_that_everybody_has_in_some_row_is_told() -> None:
    rows = [
        (1, "F", "2001", "a", "x"),
        (1, "F", "2001", "a", "y"),
        (2, "F", "2001", "a", "x"),
    ]
    class_table = count(rows, sensitive=True)
    classes = classes_at(class_table, (0, 0, 0))
    assert classes.distribution("diagnosis").counts.tolist() == [2, 1]
    model = DistinctLDiversity(attribute="diagnosis", diversity=2)
    assert model.holds(classes).tolist() == [False]
    with pytest.raises(ConfigError) as caught:
        EntropyLDiversity(attribute="diagnosis", diversity=2).check(class_table)
    assert caught.value.code == "sensitive_varies"


def test_rows_of_nobody_are_refused() -> None:
    column = Column.from_texts("id", ["1", "", "2", ""])
    with pytest.raises(InputError) as caught:
        people_of(column)
    assert caught.value.code == "key_missing_values"
    assert caught.value.params["n_records"] == 2
