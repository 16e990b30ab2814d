"""People over the leaves of the data: the rule, its estimates and its refusals."""

from dataclasses import replace

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from deidgui.engine.data.class_table import build_class_table, classes_at
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.table import Column, Table
from deidgui.engine.population.built_in import load_states
from deidgui.engine.population.mapping import UNIT, DataValues
from deidgui.engine.population.over_leaves import Lacking, population_over_leaves
from deidgui.engine.population.own import table_of_columns
from deidgui.engine.population.proposing import absent_texts, propose
from deidgui.engine.population.table import (
    PopulationAttribute,
    PopulationTable,
    Subject,
)
from deidgui.errors import InputError, ProblemsError
from tests.shared import shared

SEX = PopulationAttribute("sex", ("Male", "Female"), Subject.SEX)
AGE = PopulationAttribute("age", ("30-34", "35-39", "40+"), Subject.AGE)


def population(population_counts, *attributes):
    population_counts = np.asarray(population_counts)
    places = [axis.ravel() for axis in np.indices(population_counts.shape)]
    return PopulationTable.from_arrays(
        "t", attributes, places, population_counts.ravel()
    )


def data(sexes, ages, **others):
    """Records, flat hierarchies and values of the data."""
    columns = [
        Column.from_texts(name, texts)
        for name, texts in {"sex": sexes, "age": ages, **others}.items()
    ]
    hierarchies = [
        Hierarchy.from_grid(
            c.name, [(t, "*") for t in c.texts()], missing="" if c.n_missing else None
        )
        for c in columns
    ]
    table = Table("data", tuple(columns))
    values = [DataValues.of(h, c) for h, c in zip(hierarchies, columns, strict=True)]
    return values, build_class_table(table, hierarchies)


def placed(table, values, **options):
    found = propose(values, table)
    confirmed = {name: each.confirmed() for name, each in found.mappings.items()}
    return population_over_leaves(found.table, confirmed, values, **options)


def population_of(leaf_population, values):
    """People by the texts of the leaves."""
    known = [values[place] for place in leaf_population.known]
    return {
        tuple(each.texts[leaf] for each, leaf in zip(known, row, strict=True)): int(n)
        for row, n in zip(
            leaf_population.register.leaves,
            leaf_population.register.counts,
            strict=True,
        )
    }


def remarks(leaf_population):
    return {reason.code: reason.params for reason in leaf_population.remarks}


def test_values_that_fit_are_counted():
    values, _ = data("MMF", ["30-34", "35-39", "40+"])
    found = placed(population([[1, 2, 3], [4, 5, 6]], SEX, AGE), values)
    assert found.is_counted
    assert found.remarks == ()
    assert population_of(found, values) == {
        ("M", "30-34"): 1,
        ("M", "35-39"): 2,
        ("M", "40+"): 3,
        ("F", "30-34"): 4,
        ("F", "35-39"): 5,
        ("F", "40+"): 6,
    }


def test_bands_of_the_data_sum_the_populations():
    values, _ = data("MF", ["30-39", "40 and over"])
    found = placed(population([[1, 2, 3], [4, 5, 6]], SEX, AGE), values)
    assert found.is_counted
    assert population_of(found, values)[("F", "30-39")] == 9


def test_attributes_that_the_data_lack_are_summed_over():
    race = PopulationAttribute("race", ("White", "Asian"), Subject.RACE)
    values, _ = data("MF", ["30-39", "40+"])
    population_counts = np.arange(1, 13).reshape(2, 3, 2)
    found = placed(population(population_counts, SEX, AGE, race), values)
    assert population_of(found, values)[("M", "40+")] == 5 + 6


def test_a_band_of_the_population_is_shared_by_its_ages():
    texts = ["30", "31", "32", "33", "34"]
    values, _ = data("MFMFM", texts)
    found = placed(population([[52, 2, 3], [5, 5, 6]], SEX, AGE), values)
    assert not found.is_counted
    population_counts = population_of(found, values)
    shares = [population_counts[("M", age)] for age in texts]
    assert sum(shares) == 52
    assert set(shares) <= {10, 11}
    assert [population_counts[("F", age)] for age in texts] == [1] * 5
    assert remarks(found)["people_split"] == {"attribute": "age", "population_size": 57}
    assert remarks(found)["people_outside"] == {
        "attribute": "age",
        "population_size": 16,
    }


@given(
    st.lists(st.integers(0, 40), min_size=6, max_size=6).filter(lambda n: any(n[:2])),
    st.sets(st.integers(28, 44), min_size=1, max_size=8).filter(
        lambda ages: any(30 <= age <= 39 for age in ages)
    ),
)
def test_nobody_is_lost_or_invented(numbers, ages):
    texts = [str(age) for age in sorted(ages)]
    values, _ = data((["M", "F"] * len(texts))[: len(texts)], texts)
    table = population(np.array(numbers).reshape(2, 3), SEX, AGE)
    try:
        found = placed(table, values, accepted=["age"])
    except InputError as problem:
        # Shares of the few people may all lie outside the data.
        assert problem.code == "people_share_lost"  # noqa: PT017
        return
    outside = sum(
        int(reason.params["population_size"])
        for reason in found.remarks
        if reason.code == "people_outside"
    )
    assert found.population_size + outside == table.population_size
    assert (found.register.counts >= 1).all()


def test_leaves_for_ages_that_only_the_population_has_hold_everybody():
    values, _ = data("MFMF", ["31", "34", "36", "40"])
    table = population([[52, 20, 33], [50, 51, 60]], SEX, AGE)
    age = propose(values, table).mappings["age"]
    added = absent_texts(age)
    assert added == ("30", "32", "33", "35", "37", "38", "39")
    assert placed(table, values).population_size < table.population_size
    texts = tuple(sorted((*values[1].texts, *added)))
    records = dict(zip(values[1].texts, values[1].n_records, strict=True))
    whole = DataValues("age", texts, np.array([records.get(t, 0) for t in texts]))
    found = placed(table, [values[0], whole])
    assert found.population_size == table.population_size
    assert "people_outside" not in remarks(found)


def test_more_records_than_people_are_people():
    # 3 women of 30-34 where the population has 1; 2 men of 40+ where it has nobody.
    values, classes = data("FFFMM", ["30-34"] * 3 + ["40+"] * 2)
    table = population([[9, 0, 0], [1, 0, 7]], SEX, AGE)
    found = placed(table, values)
    raised = found.raised(found.at_records(classes))
    assert remarks(raised)["people_raised"] == {"n_cells": 2, "n_records": 5}
    assert raised.is_counted
    released = classes_at(replace(classes, population=raised.population), [0, 0])
    assert released.population.sizes.tolist() == [3.0, 2.0]
    # Together with the others: 9 men of 30-34 and 7 women of 40+ look alike, too.
    released = classes_at(replace(classes, population=raised.population), [1, 1])
    assert released.population.sizes.tolist() == [9 + 7 + 3 + 2]
    assert raised.raised(raised.at_records(classes)) is raised


def test_missing_values_are_a_group_of_their_own():
    values, classes = data(["M", "", ""], ["40+"] * 3)
    found = placed(population([[1, 2, 3], [4, 5, 6]], SEX, AGE), values)
    raised = found.raised(found.at_records(classes))
    assert population_of(raised, values)[("", "40+")] == 2
    assert remarks(raised)["people_raised"] == {"n_cells": 1, "n_records": 2}


# -- refusals --------------------------------------------------------------------------


def codes(problem):
    return [each.code for each in getattr(problem, "problems", [problem])]


def test_an_attribute_that_the_population_lacks_is_refused():
    values, _ = data("MF", ["30-39", "40+"], marital=["a", "b"])
    table = population([[1, 2, 3], [4, 5, 6]], SEX, AGE)
    with pytest.raises(InputError) as caught:
        placed(table, values)
    assert caught.value.code == "people_lack_attribute"
    assert caught.value.params["attribute"] == "marital"


def test_independent_shares_are_those_of_the_data():
    values, classes = data(
        "MFMF", ["30-39", "40+", "40+", "40+"], marital=["a", "b", "b", "b"]
    )
    table = population([[100, 0, 40], [0, 8, 80]], SEX, AGE)
    found = placed(table, values, lacking={"marital": Lacking.INDEPENDENT})
    population_counts = population_of(found, values)
    assert population_counts[("M", "30-39", "a")] == 25
    assert population_counts[("M", "30-39", "b")] == 75
    assert population_counts[("F", "30-39", "b")] == 6
    assert found.population_size == table.population_size
    assert not found.is_counted
    assert remarks(found) == {"people_assumed_independent": {"attribute": "marital"}}
    assert (
        found.raised(found.at_records(classes)).population_size == table.population_size
    )


def test_left_aside_everybody_alike_is_counted_for_each_class():
    values, classes = data(
        "MMMF", ["30-39", "30-39", "30-39", "40+"], marital=["a", "b", "b", "b"]
    )
    table = population([[1, 1, 0], [0, 0, 80]], SEX, AGE)
    found = placed(table, values, lacking={"marital": Lacking.LEFT_ASIDE})
    assert found.known == (0, 1)
    assert not found.is_counted
    assert remarks(found) == {"people_left_aside": {"attribute": "marital"}}
    # 3 men of 30-39 among the records, 2 in the population.
    raised = found.raised(found.at_records(classes))
    assert remarks(raised)["people_raised"] == {"n_cells": 1, "n_records": 3}
    whole = replace(classes, population=raised.population)
    assert classes_at(whole, [0, 0, 0]).population.sizes.tolist() == [80.0, 3.0, 3.0]
    assert classes_at(whole, [1, 1, 1]).population.sizes.tolist() == [83.0]
    part = raised.population
    assert part.outside(classes.leaves[:1], [], []) is part


def test_doubts_have_to_be_confirmed_and_partners_accepted():
    values, _ = data(["1", "2", "2"], ["30-39", "40+", "9-8"], marital=["a", "b", "c"])
    table = population([[1, 2, 3], [4, 5, 6]], SEX, AGE)
    found = propose(values, table)
    with pytest.raises(ProblemsError) as caught:
        population_over_leaves(found.table, found.mappings, values)
    assert codes(caught.value) == [
        "people_unconfirmed",
        "people_no_partner",
        "people_lack_attribute",
    ]
    assert caught.value.problems[1].params["n_records"] == 1


def test_one_column_cannot_answer_for_two_attributes():
    values, _ = data("MF", ["30-39", "40+"], other=["30-39", "40+"])
    table = population([[1, 2, 3], [4, 5, 6]], SEX, AGE)
    mappings = dict(propose(values, table).mappings)
    twin = replace(mappings["age"].data, attribute="other")
    mappings["other"] = replace(mappings["age"], data=twin)
    with pytest.raises(InputError, match="people_column_twice"):
        population_over_leaves(table, mappings, values)


def test_a_population_of_others_is_refused():
    values, _ = data("MF", ["1", "2"])
    table = population([[1, 2, 3], [4, 5, 6]], SEX, AGE)
    mappings = {"sex": propose(values, table).mappings["sex"]}
    only_women = table.only("sex", ["Female"])
    found = propose(values[:1], only_women).mappings["sex"].with_partners({"F": []})
    with pytest.raises(InputError, match="people_share_lost"):
        population_over_leaves(only_women, {"sex": found}, values[:1], accepted=["sex"])
    with pytest.raises(InputError, match="people_share_lost"):
        population_over_leaves(
            table, {}, values, lacking=dict.fromkeys(("sex", "age"), Lacking.LEFT_ASIDE)
        )
    assert mappings["sex"].weights.tolist() == [UNIT, UNIT]


# -- own files -------------------------------------------------------------------------


def test_an_own_register_and_own_counts_are_the_same_type():
    sexes, ages = ["f", "m", "f", "m"], ["9", "10", "9", "9"]
    columns = [Column.from_texts("Sex", sexes), Column.from_texts("Age", ages)]
    register = table_of_columns("r.csv", columns)
    assert register.attribute("Age").values == ("9", "10")
    assert [a.subject for a in register.attributes] == [Subject.SEX, Subject.AGE]
    columns = [Column.from_texts("Sex", "ffmm"), Column.from_texts("Age", ages)]
    columns[1] = Column.from_texts("Age", ["9", "10", "10", "9"])
    counts = table_of_columns("c.csv", columns, np.array([2, 0, 1, 1]))
    assert counts.cells.tolist() == register.cells.tolist()
    assert counts.counts.tolist() == register.counts.tolist()
    values, _ = data("MF", ["0-9", "10-19"])
    found = placed(register, values)
    assert found.is_counted
    assert population_of(found, values) == {
        ("F", "0-9"): 2,
        ("M", "0-9"): 1,
        ("M", "10-19"): 1,
    }


def test_other_attributes_are_matched_by_their_name_and_texts():
    columns = [
        Column.from_texts("County", ["Davidson", "Shelby", "Davidson"]),
        Column.from_texts("sex", "MFF"),
    ]
    values, _ = data("MF", ["30", "31"], county=["davidson ", "Shelby"])
    found = placed(
        table_of_columns("r", columns),
        values,
        lacking={"age": Lacking.LEFT_ASIDE},
    )
    assert population_of(found, values)[("F", "Shelby")] == 1
    assert population_of(found, values)[("M", "davidson ")] == 1


# -- Adult in Tennessee ----------------------------------------------------------------


def test_adult_in_modelled_tennessee_against_plain_pandas():
    rows = pd.read_csv(
        shared("data", "uci_adult", "adult.data.gz"), header=None, skipinitialspace=True
    )
    names = {9: "sex", 0: "age", 8: "race"}
    rows = rows[list(names)].rename(columns=names).astype(str)
    sexes, ages, races = (rows[name].tolist() for name in ("sex", "age", "race"))
    values, classes = data(sexes, ages, race=races)
    table = load_states("states_2000_modelled", ["Tennessee"])
    found = placed(table, values)
    population_counts = population_of(found, values)

    path = shared("data", "population", "tn_2000_MODELLED_ipf_sex_age_race.csv")
    source = pd.read_csv(path)
    words = {
        "White alone": "White",
        "Black alone": "Black",
        "AIAN alone": "Amer-Indian-Eskimo",
        "Asian alone": "Asian-Pac-Islander",
        "NHPI alone": "Asian-Pac-Islander",
        "Some other race alone": "Other",
        "Two or more races": "Other",
    }
    source["race"] = source["race"].map(words)
    sums = source.groupby(["sex", "age", "race"])["population"].sum()
    below = {key: n for key, n in population_counts.items() if int(key[1]) < 85}
    wanted = {
        (sex, str(age), race): n
        for (sex, age, race), n in sums.items()
        if 17 <= age < 85 and n
    }
    assert below == wanted
    # Six years share the people of 85 and over; nobody in the data is 89.
    for (sex, age, race), n in sums.items():
        if age == 85:
            shares = [
                population_counts.get((sex, str(a), race), 0)
                for a in (85, 86, 87, 88, 90)
            ]
            assert max(abs(share - n / 6) for share in shares) < 2

    records = rows.groupby(["sex", "age", "race"]).size()
    short = {key: n for key, n in records.items() if population_counts.get(key, 0) < n}
    raised = found.raised(found.at_records(classes))
    assert remarks(raised).get("people_raised", {"n_cells": 0}) == {
        "n_cells": len(short),
        **({"n_records": sum(short.values())} if short else {}),
    }
    after = population_of(raised, values)
    for key, n in short.items():
        parts = [
            count
            for row, count in zip(
                raised.register.leaves, raised.register.counts, strict=True
            )
            if tuple(v.texts[c] for v, c in zip(values, row, strict=True)) == key
        ]
        assert sum(parts) == n
    assert set(after) >= set(population_counts)
