"""Sums, restrictions and bad input of tables of people."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from deidgui.engine.population.table import (
    PopulationAttribute,
    PopulationTable,
    Subject,
)
from deidgui.errors import InputError, ProblemsError

SEX = PopulationAttribute("sex", ("M", "F"), Subject.SEX)
AGE = PopulationAttribute("age", ("0", "1", "2"), Subject.AGE)
TOWN = PopulationAttribute("town", ("a", "b", "c", "d"))


def table_of(population):
    """Table of an array with one axis per attribute."""
    population = np.asarray(population)
    attributes = (SEX, AGE, TOWN)[: population.ndim]
    places = [axis.ravel() for axis in np.indices(population.shape)]
    return PopulationTable.from_arrays("t", attributes, places, population.ravel())


POPULATION = st.lists(st.integers(0, 50), min_size=24, max_size=24).filter(any)


@given(POPULATION, st.sets(st.sampled_from(range(3)), min_size=1))
def test_sums_are_those_of_the_array(numbers, kept):
    population = np.array(numbers).reshape(2, 3, 4)
    names = [("sex", "age", "town")[axis] for axis in sorted(kept)]
    gone = tuple(axis for axis in range(3) if axis not in kept)
    table = table_of(population)
    assert (table.dense() == population).all()
    assert (table.sums(names).dense() == population.sum(axis=gone)).all()
    assert table.sums(names).population_size == population.sum()
    assert table.sums(names[::-1]).attribute_names == tuple(names[::-1])


@given(POPULATION, st.sets(st.sampled_from(TOWN.values), min_size=1))
def test_restricting_leaves_the_others_out(numbers, towns):
    population = np.array(numbers).reshape(2, 3, 4)
    kept = [place for place, town in enumerate(TOWN.values) if town in towns]
    if not population[:, :, kept].any():
        with pytest.raises(InputError, match="people_nobody"):
            table_of(population).only("town", towns)
        return
    part = table_of(population).only("town", towns)
    assert (part.dense() == population[:, :, kept]).all()
    assert part.attribute("town").values == tuple(t for t in TOWN.values if t in towns)


def test_a_register_counts_its_rows():
    codes = [np.array([1, 0, 1]), np.array([2, 0, 2])]
    table = PopulationTable.from_arrays("r", [SEX, AGE], codes)
    assert table.cells.tolist() == [[0, 0], [1, 2]]
    assert table.counts.tolist() == [1, 2]
    assert table.is_counted


def test_regrouping_sums_groups():
    population = np.arange(24).reshape(2, 3, 4)
    half = PopulationAttribute("half", ("ab", "cd"))
    table = table_of(population).regrouped("town", half, np.array([0, 0, 1, 1]))
    assert (table.dense() == population.reshape(2, 3, 2, 2).sum(axis=3)).all()


@pytest.mark.parametrize(
    ("counts", "code", "row"),
    [
        ([1, -1, 2], "people_count_negative", 2),
        ([1.0, 1.5, 2.0], "people_count_fractional", 2),
        ([1.0, 1.0, np.nan], "people_count_fractional", 3),
        ([1, 2, 10**13], "people_count_large", 3),
        ([0, 0, 0], "people_nobody", None),
    ],
)
def test_bad_counts_are_refused(counts, code, row):
    codes = [np.array([0, 1, 0]), np.array([0, 0, 1])]
    with pytest.raises(InputError) as caught:
        PopulationTable.from_arrays("t", [SEX, AGE], codes, np.array(counts))
    assert caught.value.code == code
    assert caught.value.params.get("row") == row


def test_a_cell_that_stands_twice_is_refused():
    codes = [np.array([0, 1, 0]), np.array([0, 0, 0])]
    with pytest.raises(InputError) as caught:
        PopulationTable.from_arrays("t", [SEX, AGE], codes, np.array([1, 1, 1]))
    assert caught.value.code == "people_cell_twice"
    assert (caught.value.params["row"], caught.value.params["first_row"]) == (3, 1)


def test_all_problems_are_told_at_once():
    codes = [np.array([0, 0]), np.array([0, 0])]
    with pytest.raises(ProblemsError) as caught:
        PopulationTable.from_arrays("t", [SEX, AGE], codes, np.array([-1, 0.5]))
    assert [problem.code for problem in caught.value.problems] == [
        "people_count_negative",
        "people_count_fractional",
        "people_cell_twice",
    ]


def test_unknown_names_are_refused():
    table = table_of(np.ones((2, 3)))
    for call in (
        lambda: table.sums(["race"]),
        lambda: table.only("race", ["x"]),
        lambda: table.attribute("race"),
    ):
        with pytest.raises(InputError, match="people_attribute_unknown"):
            call()
    with pytest.raises(InputError, match="people_value_unknown"):
        table.only("sex", ["M", "X"])


def test_no_value_of_a_register_stands_in_a_repr():
    town = PopulationAttribute("town", ("Secretville",))
    table = PopulationTable.from_arrays("r", [town], [np.array([0])])
    assert "Secret" not in repr(table) + repr(town)
