"""The tables that ship are complete and equal what the bureau published."""

import csv
import gzip
import json

import numpy as np
import pytest

from deidgui import resources
from deidgui.app.text import sentences
from deidgui.engine.data.code_lists import us_states, zip3_areas
from deidgui.engine.population.built_in import (
    NAMES,
    card,
    load,
    load_states,
    tables,
)
from deidgui.engine.population.table import Subject
from deidgui.errors import InputError
from tests.shared import shared

# U.S. Census Bureau: resident population of the estimates base of 2000 (census count
# 281,421,906 and corrections), of the census of 2010, and of 2014 (NP2014); ZCTAs of
# DHC table P1, 2020; states as counted in 2000.
PUBLISHED = {
    "us_2000": 281_424_600,
    "us_2010": 308_745_538,
    "us_2014": 318_748_017,
    "states_2000_modelled": 281_421_906,
    "zip5_2020": 334_726_586,
    "zip3_2020": 334_726_586,
}


@pytest.mark.parametrize("name", NAMES)
def test_a_table_is_what_its_card_says(name):
    chosen, table = card(name), load(name)
    assert table.population_size == chosen.total == PUBLISHED.get(name, chosen.total)
    assert [a.name for a in chosen.attributes] == list(table.attribute_names)
    assert chosen.source
    assert chosen.lacks
    assert chosen.basis in ("counted", "modelled")
    assert (table.counts > 0).all()
    assert len(np.unique(table.cells, axis=0)) == table.n_cells
    for attribute, column in zip(table.attributes, table.cells.T, strict=True):
        assert len(set(attribute.values)) == attribute.n_values
        assert 0 <= column.min() <= column.max() < attribute.n_values


def test_only_the_modelled_table_is_not_counted_and_says_so():
    modelled = {each.name for each in tables() if each.is_modelled}
    assert modelled == {"states_2000_modelled"}
    for each in tables():
        table = load(each.name)
        assert table.is_counted is not each.is_modelled
        assert [reason.code for reason in table.assumptions] == (
            ["people_modelled"] if each.is_modelled else []
        )
    assert "MODELLED" in card("states_2000_modelled").title
    assert "MODELLED" in sentences()["people_modelled"].what
    part = load_states("states_2000_modelled", ["Tennessee"]).sums(["sex"])
    assert not part.is_counted


def test_states_are_those_of_the_code_list_and_adults_know_tennessee():
    names = {state.name for state in us_states().states}
    for name in NAMES:
        attribute = load(name).of_subject(Subject.STATE)
        if attribute is not None:
            assert set(attribute.values) <= names
    assert (
        load_states("states_2000_modelled", ["Tennessee"]).population_size == 5_689_283
    )
    assert load_states("zip5_2010", ["Tennessee"]).population_size == 6_339_942


@pytest.mark.parametrize("year", ["2010", "2020"])
def test_areas_of_three_digits_are_those_of_the_code_list(year):
    table = load(f"zip3_{year}").sums(["zip"])
    counted = {p: n for p, n in zip3_areas().population[year].items() if n}
    values = table.attributes[0].values
    found = {values[c]: n for (c,), n in zip(table.cells, table.counts, strict=True)}
    assert found == counted


def test_what_ships_is_small():
    files = list(resources.path("population").glob("*"))
    assert sum(path.stat().st_size for path in files) < 3_000_000
    assert {p.stem for p in files if p.suffix == ".npz"} == {
        p.stem for p in files if p.suffix == ".json"
    }
    for path in files:
        if path.suffix == ".json":
            json.loads(path.read_bytes())


def test_unknown_tables_and_places_are_refused():
    for call in (lambda: card("us_1890"), lambda: load("../us_2000")):
        with pytest.raises(InputError, match="people_table_unknown"):
            call()
    with pytest.raises(InputError, match="people_value_unknown"):
        load_states("states_2024", ["Bavaria"])
    with pytest.raises(InputError, match="people_attribute_unknown"):
        load_states("us_2010", ["Tennessee"])


# -- against the files they were made of -----------------------------------------------


def rows_of(*parts):
    path = shared("data", *parts)
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    yield from csv.DictReader(data.decode("utf-8-sig").splitlines())


def cell(table, *values):
    codes = [a.index[v] for a, v in zip(table.attributes, values, strict=True)]
    found = (table.cells == codes).all(axis=1)
    return int(table.counts[found].sum())


MULTIPLE = "Two or more races"
RACES = {
    "White alone": "White",
    "Black alone": "Black or African American",
    "AIAN alone": "American Indian or Alaska Native",
    "Asian alone": "Asian",
    "NHPI alone": "Native Hawaiian or Other Pacific Islander",
    "Some other race alone": "Some other race",
    "Two or more races": MULTIPLE,
}


def test_the_nation_of_2000_cell_by_cell():
    table = load("us_2000")
    population = table.dense()
    ages = table.attribute("age").values
    n_rows = 0
    for row in rows_of("population", "us_2000_april1_single_age_sex_race_origin.csv"):
        place = (
            table.attributes[0].index[row["sex"]],
            ages.index("85+" if row["age"] == "85" else row["age"]),
            table.attributes[2].index[RACES.get(row["race"], MULTIPLE)],
            table.attributes[3].index[row["origin"]],
        )
        assert population[place] == int(row["population"])
        n_rows += 1
    assert n_rows == population.size


def test_modelled_tennessee_cell_by_cell():
    table = load_states("states_2000_modelled", ["Tennessee"])
    population = table.dense()[0]
    n_rows = 0
    for row in rows_of("population", "tn_2000_MODELLED_ipf_sex_age_race.csv"):
        place = (
            table.attribute("sex").index[row["sex"]],
            int(row["age"]),
            table.attribute("race").index[RACES[row["race"]]],
        )
        assert population[place] == int(row["population"])
        n_rows += 1
    assert n_rows == population.size


def test_the_nation_of_2014_by_sex_and_age():
    table = load("us_2014").sums(["sex", "age"]).dense()
    file = "us_2014_np2014_d1_single_age_0_100.csv.gz"
    n_rows = 0
    for row in rows_of("population", file):
        if row["origin"] == row["race"] == "0" and row["sex"] != "0":
            found = table[int(row["sex"]) - 1, int(row["age"])]
            assert found == int(row["population"])
            n_rows += 1
    assert n_rows == table.size


def test_states_of_2024_by_state_and_race():
    table = load("states_2024").sums(["state", "race"])
    names = {state.fips: state.name for state in us_states().states}
    races = {
        "white_only": "White",
        "black_only": "Black or African American",
        "american_indian_only": "American Indian or Alaska Native",
        "asian_only": "Asian",
        "nhopi_only": "Native Hawaiian or Other Pacific Islander",
        "multiracial": "Two or more races",
    }
    sums = {}
    for row in rows_of("population", "states_2020_2024_sex_age5_race_origin.csv.gz"):
        if row["year"] == "2024":
            key = names[row["state_fips"]], races[row["race"]]
            sums[key] = sums.get(key, 0) + int(row["pop"])
    assert len(sums) == table.dense().size
    assert all(cell(table, *key) == population for key, population in sums.items())


@pytest.mark.parametrize("year", [2010, 2020])
def test_zip_codes_one_by_one(year):
    table = load(f"zip5_{year}").sums(["zip"])
    population = table.dense()
    index = table.attributes[0].index
    total = 0
    for row in rows_of("zcta", f"zcta_{year}_population.csv"):
        assert population[index[row["zcta"]]] == int(row["population"])
        total += int(row["population"])
    assert total == population.sum()
