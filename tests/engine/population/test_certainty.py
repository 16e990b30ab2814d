"""A match is certain only if the name and the values speak for it."""

from __future__ import annotations

import numpy as np
import pytest

from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.population.mapping import DataValues
from deidgui.engine.population.over_leaves import population_over_leaves
from deidgui.engine.population.proposing import propose
from deidgui.engine.population.table import (
    PopulationAttribute,
    PopulationTable,
    Subject,
)
from tests.engine.discover.cases import flat

SEXES, RACES = ("Female", "Male"), ("White", "Black", "Asian")


def table_of_people():
    cells = np.array([(s, r) for s in range(2) for r in range(3)], np.int32)
    attributes = (
        PopulationAttribute("sex", SEXES, Subject.SEX),
        PopulationAttribute("race", RACES, Subject.RACE),
    )
    return PopulationTable("people", attributes, cells, np.full(6, 100))


def values(name, texts, records=None):
    n = np.array(records or [10] * len(texts), np.int64)
    return DataValues(name, tuple(texts), n, None)


@pytest.mark.parametrize(
    ("name", "texts", "codes"),
    [
        ("sex", SEXES, []),
        ("PatientGender", SEXES, []),
        ("SEXO", SEXES, []),
        ("doctor", SEXES, ["people_by_values_alone"]),
        ("x17", RACES, ["people_by_values_alone"]),
        ("race", RACES, []),
        ("race", ("White", "Klingon", "Vulcan", "Romulan"), ["people_by_name_alone"]),
    ],
)
def test_name_and_values(name, texts, codes):
    found = propose([values(name, texts)], table_of_people())
    (mapping,) = found.mappings.values()
    doubts = [each.code for each in mapping.doubts]
    assert [each for each in doubts if each.startswith("people_by_")] == codes
    assert mapping.is_ready == (not doubts)
    assert mapping.confirmed().is_ready


def test_records_that_rest_on_doubtful_matches_are_counted():
    """Those with any doubtful value, each once; what is said by hand is not."""
    data = [values("x17", SEXES), values("race", RACES)]
    proposal = propose(data, table_of_people())
    mappings = {name: each.confirmed() for name, each in proposal.mappings.items()}
    leaves = np.array([(s, r) for s in range(2) for r in range(3)], np.int32)
    trees = (flat("x17", SEXES), flat("race", RACES))
    table = ClassTable(trees, leaves, np.arange(1, 7))
    placed = population_over_leaves(proposal.table, mappings, data)
    assert placed.n_records_doubtful(table) == 21
    by_hand = mappings["x17"].with_partners({"Male": ["Male"]})
    placed = population_over_leaves(
        proposal.table, {**mappings, "x17": by_hand.confirmed()}, data
    )
    assert placed.n_records_doubtful(table) == 1 + 2 + 3
