"""What follows from two tables: independence, single ages, Hispanic as a race."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from deidgui.engine.population.built_in import load, load_states
from deidgui.engine.population.combining import (
    between_ages,
    spread,
    with_race_and_origin,
    with_single_ages,
)
from deidgui.engine.population.table import (
    PopulationAttribute,
    PopulationTable,
    Subject,
)
from deidgui.errors import InputError

STATE = PopulationAttribute("state", ("x", "y"), Subject.STATE)
ZIP = PopulationAttribute("zip", ("1", "2", "3"))
SEX = PopulationAttribute("sex", ("M", "F"), Subject.SEX)


def table_of(attributes, population):
    places = [axis.ravel() for axis in np.indices(population.shape)]
    return PopulationTable.from_arrays("t", attributes, places, population.ravel())


@given(
    st.lists(st.integers(0, 1000), min_size=6, max_size=6).filter(any),
    st.lists(st.integers(1, 1000), min_size=4, max_size=4),
)
def test_independence_keeps_totals_and_shares(totals, shares):
    first = np.array(totals).reshape(2, 3)
    second = np.array(shares).reshape(2, 2)
    both = spread(table_of([STATE, ZIP], first), table_of([STATE, SEX], second))
    population = both.dense()
    assert both.attribute_names == ("state", "zip", "sex")
    assert (population.sum(axis=2) == first).all()
    share = second / second.sum(axis=1, keepdims=True)
    assert (np.abs(population - first[:, :, None] * share[:, None, :]) < 1).all()
    assert not both.is_counted
    (assumption,) = both.assumptions
    assert assumption.code == "people_independent"
    assert assumption.params["common"] == ("state",)


def test_independence_needs_something_in_common_and_everybody():
    zips = table_of([STATE, ZIP], np.ones((2, 3), int))
    with pytest.raises(InputError, match="people_nothing_in_common"):
        spread(zips, table_of([SEX], np.ones(2, int)))
    with pytest.raises(InputError, match="people_nothing_in_common"):
        spread(zips, table_of([STATE], np.ones(2, int)))
    only_x = table_of([STATE, SEX], np.array([[1, 1], [0, 0]]))
    with pytest.raises(InputError) as caught:
        spread(zips, only_x)
    assert caught.value.code == "people_without_shares"
    assert caught.value.params["population_size"] == 3


def test_the_order_of_values_does_not_matter():
    other = PopulationAttribute("state", ("y", "z", "x"), Subject.STATE)
    population = np.array([[1, 3], [5, 5], [2, 0]])
    both = spread(
        table_of([STATE], np.array([10, 40])), table_of([other, SEX], population)
    ).dense()
    assert both.tolist() == [[10, 0], [10, 30]]


def test_zip_codes_of_a_state_by_sex_age_and_race():
    zips = load_states("zip5_2020", ["Tennessee"])
    states = load_states("states_2020", ["Tennessee"])
    both = spread(zips, states)
    assert both.population_size == zips.population_size == 6_903_473
    assert (both.sums(["zip"]).dense() == zips.sums(["zip"]).dense()).all()
    # As in the state, to about a tenth of a percent of the people: one person each
    # of 631 areas may be rounded away in a cell.
    found = both.sums(["sex", "age"]).dense() / both.population_size
    wanted = states.sums(["sex", "age"]).dense() / states.population_size
    assert np.abs(found - wanted).max() < 1e-3


def test_more_cells_than_memory_holds_are_refused_before_they_are_made():
    zips, states = load("zip5_2020"), load("states_2000_modelled")
    names = states.attribute("state").values
    with pytest.raises(InputError, match="people_many_cells"):
        spread(zips.only("state", names), states)


# -- single ages -----------------------------------------------------------------------


def test_open_ages_are_shared_as_in_a_table_that_knows_them():
    modelled = load_states("states_2000_modelled", ["Tennessee"])
    profile = load("us_2014")
    single = with_single_ages(modelled, profile)
    assert single.attribute_names == modelled.attribute_names
    assert single.attribute("age").values == profile.attribute("age").values
    population, before = single.dense(), modelled.dense()
    assert (population[:, :, :85] == before[:, :, :85]).all()
    assert (population[:, :, 85:].sum(axis=2) == before[:, :, 85]).all()
    # Races differ ("Some other race" is not in the profile): shares go by sex.
    shares = profile.sums(["sex", "age"]).dense()[:, 85:]
    wanted = before[0, :, 85].sum(axis=1)[:, None] * shares
    wanted = wanted / shares.sum(axis=1, keepdims=True)
    assert np.abs(population[0, :, 85:].sum(axis=2) - wanted).max() < 7
    assert [reason.code for reason in single.assumptions] == [
        "people_modelled",
        "people_single_ages",
    ]


def test_bands_of_a_state_keep_their_people():
    states, profile = load_states("states_2024", ["Alaska"]), load("us_2014")
    single = with_single_ages(states, profile)
    population, before = single.dense()[0], states.dense()[0]
    for band in range(17):
        years = population[:, 5 * band : 5 * band + 5]
        assert (years.sum(axis=1) == before[:, band]).all()
    assert (population[:, 85:].sum(axis=1) == before[:, 17]).all()
    assert not single.is_counted


def test_a_profile_must_be_finer():
    with pytest.raises(InputError, match="people_ages_differ"):
        with_single_ages(load("us_2014"), load("us_2010"))
    with pytest.raises(InputError, match="people_nothing_in_common"):
        with_single_ages(load("zip5_2020"), load("us_2010"))


# -- others ----------------------------------------------------------------------------


def test_hispanic_people_are_a_value_of_their_own():
    table = load("us_2010")
    joined = with_race_and_origin(table)
    population, before = joined.dense(), table.dense()
    assert (population[:, :, :6] == before[:, :, :, 0]).all()
    assert (population[:, :, 6] == before[:, :, :, 1].sum(axis=2)).all()
    assert joined.is_counted
    # Census 2010: 50,477,594 Hispanic or Latino people.
    assert joined.sums(["race"]).dense()[6] == 50_477_594
    with pytest.raises(InputError, match="people_attribute_unknown"):
        with_race_and_origin(load("states_2000_modelled"))


def test_adults():
    table = load("us_2010")
    population = table.sums(["age"]).dense()
    assert between_ages(table, 18).population_size == population[18:].sum()
    assert between_ages(table, 18, 64).population_size == population[18:65].sum()
    # Census 2010: 234,564,071 people of 18 and over.
    assert between_ages(table, 18).population_size == 234_564_071
    for low, high in ((18, None), (85, 89)):
        with pytest.raises(InputError, match="people_ages_differ"):
            between_ages(load("states_2024"), low, high)
    with pytest.raises(InputError, match="people_attribute_unknown"):
        between_ages(load("zip5_2020"), 18)
