"""Policies and a rule on perturbed populations, against one population at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.population import Register
from deidgui.engine.discover.cells import count_cells
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.riskier import riskier_records
from deidgui.engine.discover.sensitivity import (
    Lookup,
    Perturbation,
    n_holding,
    populations,
)
from deidgui.engine.discover.space import Space
from tests.engine.discover.cases import flat
from tests.engine.discover.test_without_people import lacking_tables

AGES = [str(age) for age in range(80, 96)]


def old_people():
    """Men and women of 80 to 95 years, ever fewer."""
    trees = (flat("sex", "MF"), flat("age", AGES))
    cells = np.array([(s, a) for s in range(2) for a in range(16)], np.int32)
    counts = np.array([10_000 * 0.8**a for a in range(16)] * 2).astype(np.int64)
    records = np.ones(32, np.int64)
    table = ClassTable(trees, cells, records, population=Register(cells, counts))
    return count_cells(Space(tuple(map(Domain.of, trees))), table), counts


def drawn(cells, how):
    return np.concatenate(list(populations(cells, how)), axis=1)


def test_cells_err_as_they_are_said_to():
    cells, counts = old_people()
    found = drawn(cells, Perturbation(0.1, None, n_populations=4000, seed=1))
    assert found.shape == (32, 4000)
    assert found.mean(axis=1) == pytest.approx(counts, rel=0.02)
    expected = np.sqrt(counts + (0.1 * counts) ** 2)
    assert found.std(axis=1) == pytest.approx(expected, rel=0.06)


def test_the_tail_keeps_its_people_and_changes_its_profile():
    cells, _ = old_people()
    plain = drawn(cells, Perturbation(0.1, None, n_populations=500, seed=2))
    tilted = drawn(cells, Perturbation(0.1, "age", 0.05, n_populations=500, seed=2))
    ages = np.tile(np.arange(80, 96), 2)
    young = ages < 85
    assert (plain[young] == tilted[young]).all()
    for sex in (slice(0, 16), slice(16, 32)):
        old = ages[sex] >= 85
        totals = [each[sex][old].sum(axis=0) for each in (plain, tilted)]
        assert totals[0] == pytest.approx(totals[1], rel=1e-12)
        ratio = np.log(tilted[sex][old] / plain[sex][old])
        slope = ratio[-1] - ratio[0]
        assert slope.std() == pytest.approx(10 * 0.05, rel=0.15)
        # One profile for everybody: straight in the logarithm.
        assert np.diff(ratio, 2, axis=0) == pytest.approx(0, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(lacking_tables(), st.integers(0, 99), st.booleans())
def test_sums_are_those_of_each_population_by_itself(table, seed, is_anything):
    space = Space(tuple(map(Domain.of, table.hierarchies)))
    cells = count_cells(space, table, missing_is_anything=is_anything)
    rng = np.random.default_rng(seed)
    groups = space.groups(rng.random(space.n_bits) < 0.5)
    how = Perturbation(0.3, n_populations=5, seed=seed)
    found = drawn(cells, how)
    risks = Lookup.of(cells, groups).risks(found, 2.0)
    leaves, any_cells = cells.population[0].leaves, cells.is_any
    for number in range(5):
        expected = 0.0
        rows = zip(cells.values.tolist(), any_cells, cells.records, strict=True)
        for values, is_any, n in rows:
            g = sum(
                people
                for other, people in zip(leaves.tolist(), found[:, number], strict=True)
                if all(
                    is_any[p] or groups[p][other[p]] == groups[p][values[p]]
                    for p in range(len(values))
                )
            )
            expected += n / max(g, 1.0) ** 2.0
        assert risks[number] == pytest.approx(expected, rel=1e-9)


def test_whoever_leans_on_the_tail_holds_less_often():
    """The rule joins 85 and over; one policy the same, one 94 and 95, one the sexes."""
    cells, _ = old_people()
    space = cells.space
    ages, sexes = np.arange(16, dtype=np.int32), np.arange(2, dtype=np.int32)
    old = np.minimum(ages, 5)
    rule = Lookup.of(cells, (sexes, old))
    same = Lookup.of(cells, (sexes, old.copy()))
    none = Lookup.of(cells, (sexes, ages))
    both = Lookup.of(cells, (sexes * 0, ages // 4))
    how = Perturbation(0.05, "age")
    found = n_holding([(cells, [same, none, both], rule)], how, 1.0)
    assert found.tolist()[:2] == [200, 0]
    # Against a fixed sum, as many as draws that stay below it.
    people = drawn(cells, how)
    limit = float(np.median(both.risks(people, 1.0)))
    assert n_holding([(cells, [both], limit)], how, 1.0).tolist() == [100]
    assert space.attributes == ("sex", "age")


def test_all_sums_must_hold():
    cells, _ = old_people()
    groups = tuple(np.arange(n, dtype=np.int32) for n in (2, 16))
    own = Lookup.of(cells, groups)
    measured = [(cells, [own], 1e9), (cells, [own], 1e-9)]
    how = Perturbation(0.05, n_populations=7)
    assert n_holding(measured[:1], how, 1.0).tolist() == [7]
    assert n_holding(measured, how, 1.0).tolist() == [0]


def test_populations_do_not_depend_on_how_many_are_held_at_once(monkeypatch):
    cells, _ = old_people()
    how = Perturbation(0.05, "age", n_populations=10)
    whole = [each.shape[1] for each in populations(cells, how)]
    monkeypatch.setattr("deidgui.engine.discover.sensitivity.MOST_FLOATS", 3 * 32)
    parts = [each.shape[1] for each in populations(cells, how)]
    assert (whole, parts) == ([10], [3, 3, 3, 1])


def test_who_is_riskier_in_words():
    race = Hierarchy.from_grid(
        "race", [(v, "*") for v in ("White", "Black", "Asian", "")], missing=""
    )
    trees = (flat("sex", "MF"), flat("age", AGES), race)
    every = np.array([(s, a, r) for s in (0, 1) for a in range(16) for r in range(4)])
    table = ClassTable(trees, every.astype(np.int32), np.full(len(every), 3))
    cells = count_cells(Space(tuple(map(Domain.of, trees))), table)
    other = np.full(len(every), 0.2)

    def told(chosen, added=0.1):
        return riskier_records(cells, other + added * chosen, other)

    found = told((every[:, 1] >= 8) & (every[:, 2] >= 2))
    assert found.who == "age 88 to 95; race Asian, no value"
    assert found.n_records == 3 * 2 * 8 * 2
    assert found.most == pytest.approx(0.1)
    assert found.total == pytest.approx(0.1 * found.n_records)
    ages = np.isin(every[:, 1], [0, 1, 5, 9, 10, 11])
    assert told(ages).who == "age 80 to 81, 85, 89 to 91"
    some = np.isin(every[:, 1], [0, 2, 4, 6, 8]) & (every[:, 0] == 1)
    assert told(some).who == "sex F; age 5 of 16 values from 80 to 88"
    assert told(np.ones(len(every), bool)).who == "records with any values"
    assert told(ages, 1e-12).who == ""
    assert "Asian" not in repr(found)
