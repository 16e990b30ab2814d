"""OLA with predictive tagging against brute force, and the published counts."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data.class_table import build_class_table, classes_at
from deidgui.engine.privacy import (
    AverageProsecutorRisk,
    HierarchicalTCloseness,
    KAnonymity,
    RecursiveCLDiversity,
)
from deidgui.engine.quality import (
    QUALITY_MEASURES,
    Loss,
    MonotoneEntropy,
    NonUniformEntropy,
    TableFacts,
)
from deidgui.engine.search.lattice import Lattice
from deidgui.engine.search.ola import minimal_nodes, ola
from deidgui.engine.search.whole_lattice import search_lattice
from deidgui.errors import ConfigError
from tests.contracts.models import random_tables, some_of
from tests.engine.search.adult import adult_classes, adult_hierarchy, adult_table
from tests.engine.search.cases import class_tables, nodes_of


def is_below(low, high):
    return all(a <= b for a, b in zip(low, high, strict=True))


@st.composite
def lattices(draw):
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=5))
    low = tuple(draw(st.integers(0, size - 1)) for size in sizes)
    high = tuple(
        draw(st.integers(a, size - 1)) for a, size in zip(low, sizes, strict=True)
    )
    return Lattice(tuple(size - 1 for size in sizes), low, high)


@given(lattices(), st.data())
def test_minimal_nodes_of_any_upward_closed_set(lattice, data):
    every = [lattice.levels_of(node) for node in range(lattice.n_nodes)]
    seeds = data.draw(st.lists(st.sampled_from(every), max_size=6))
    solutions = [each for each in every if any(is_below(s, each) for s in seeds)]
    asked = []

    def is_solution(levels):
        asked.append(levels)
        return levels in solutions

    found = minimal_nodes(lattice, is_solution)
    expected = [
        each
        for each in solutions
        if not any(is_below(other, each) and other != each for other in solutions)
    ]
    assert [lattice.levels_of(node) for node in found.nodes.tolist()] == expected
    assert found.n_solutions == len(solutions)
    assert [every[node] for node in np.flatnonzero(found.is_solution)] == solutions
    assert found.n_checks == len(asked) == len(set(asked)) <= lattice.n_nodes


@given(class_tables(), st.integers(2, 6), st.sampled_from([0.0, 0.1, 0.5, 1.0]))
def test_minimal_solutions_of_a_table(drawn, k, limit):
    table, rows = drawn
    found = ola(table, [KAnonymity(k)], limit, MonotoneEntropy())
    most = int(limit * len(rows) + 1e-9)
    solutions = [
        levels
        for levels in nodes_of(table)
        if (counts := classes_at(table, levels).counts)[counts < k].sum() <= most
    ]
    lattice = found.minimal.lattice
    assert [
        lattice.levels_of(node) for node in np.flatnonzero(found.minimal.is_solution)
    ] == solutions
    searched = search_lattice(
        table, [KAnonymity(k)], limit, MonotoneEntropy(), n_threads=1
    )
    assert found.is_optimal
    assert found.optimum == searched.optimum


@pytest.mark.parametrize("measure", [each() for each in QUALITY_MEASURES], ids=repr)
def test_optimal_without_suppression_under_every_measure(measure):
    for table, _ in random_tables(3):
        models = [KAnonymity(3), AverageProsecutorRisk(0.2)]
        found = ola(table, models, 0.0, measure)
        searched = search_lattice(table, models, 0.0, measure, n_threads=1)
        assert found.is_optimal
        best = searched.scores[searched.optimum]
        chosen = found.minimal.nodes.tolist().index(found.optimum)
        assert found.scores[chosen] == pytest.approx(best, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    "measure",
    [each for kind in QUALITY_MEASURES for each in some_of(kind)],
    ids=repr,
)
def test_what_counts_no_suppressed_records_is_declared(measure):
    if measure.counts_suppressed:
        return
    for table, _ in random_tables(2):
        found = ola(table, [KAnonymity(3)], 0.3, measure)
        assert found.is_optimal
        for levels in nodes_of(table):
            classes = classes_at(table, levels)
            values = [
                measure.exact_values(TableFacts(table), classes, classes.counts < k)
                for k in (1, 4)
            ]
            assert values[0].tolist() == values[1].tolist()


def test_optimal_where_suppressed_records_do_not_count():
    """O-B6, 4 % suppressed: 4,452 solutions, the best one under monotone entropy."""
    table = adult_classes()
    found = ola(table, [KAnonymity(5)], 0.04, MonotoneEntropy())
    lattice = found.minimal.lattice
    assert found.minimal.n_solutions == 4452
    assert found.is_optimal
    assert lattice.levels_of(found.optimum) == (1, 0, 1, 1, 3, 2, 2, 0, 1)
    assert found.scores.min() == pytest.approx(255559.85456, abs=1e-4)


def test_not_optimal_where_suppressed_records_count():
    """Some table has a better solution above its least general ones."""
    n_missed = 0
    for table, _ in random_tables(6):
        found = ola(table, [KAnonymity(4)], 0.6, NonUniformEntropy())
        best = search_lattice(table, [KAnonymity(4)], 0.6, NonUniformEntropy())
        assert not found.is_optimal
        n_missed += found.optimum != best.optimum
    assert n_missed > 0


EIGHT = ("age", "education", "marital-status", "native-country", "race")
EIGHT += ("salary-class", "sex", "workclass")


def test_published_checks_of_five_anonymity():
    """O-B8: 60 solutions, 18 minimal ones, 85 to 110 checks of 4,320 nodes."""
    table = adult_classes(*EIGHT)
    found = ola(table, [KAnonymity(5)], 0.0, Loss())
    assert found.minimal.lattice.n_nodes == 4320
    assert found.minimal.n_solutions == 60
    assert len(found.minimal.nodes) == 18
    assert 85 <= found.minimal.n_checks <= 110
    # Breadth-first search checks every node but the solutions above minimal ones.
    assert 4320 - 60 + 18 == 4278


@pytest.mark.parametrize(
    ("models", "n_solutions", "n_minimal", "n_checks"),
    [
        ([HierarchicalTCloseness("occupation", 0.2)], 5, 2, 16),
        ([KAnonymity(5), RecursiveCLDiversity("occupation", 4.0, 3)], 48, 16, None),
        ([RecursiveCLDiversity("occupation", 4.0, 3)], 55, 15, None),
    ],
    ids=["closeness", "both", "recursive"],
)
def test_published_minimal_nodes(models, n_solutions, n_minimal, n_checks):
    """O-B8; the number of checks does not depend on the order for closeness."""
    occupation = {"occupation": adult_hierarchy("occupation")}
    hierarchies = [adult_hierarchy(name) for name in EIGHT]
    table = build_class_table(adult_table(), hierarchies, occupation)
    # The published lattice has its attributes in alphabetical order.
    places = [table.attributes.index(name) for name in EIGHT]
    table = replace(
        table,
        hierarchies=tuple(hierarchies),
        leaves=np.ascontiguousarray(table.leaves[:, places]),
    )
    found = ola(table, models, 0.0, Loss())
    assert found.minimal.n_solutions == n_solutions
    assert len(found.minimal.nodes) == n_minimal
    assert n_checks is None or found.minimal.n_checks == n_checks
    assert found.is_optimal


def test_large_lattice_is_tagged_with_few_checks():
    lattice = Lattice((9,) * 5, (0,) * 5, (9,) * 5)
    found = minimal_nodes(lattice, lambda levels: sum(levels) >= 20)
    assert lattice.n_nodes == 100_000
    assert (found.is_solution == (lattice.level_sums >= 20)).all()
    assert (lattice.level_sums[found.nodes] == 20).all()


def test_refuses_models_that_tagging_is_not_valid_for(monkeypatch):
    table, _ = next(random_tables(1))
    monkeypatch.setattr(KAnonymity, "monotone_suppression", False)
    ola(table, [KAnonymity(2)], 0.0, Loss())
    with pytest.raises(ConfigError) as refused:
        ola(table, [KAnonymity(2)], 0.5, Loss())
    assert refused.value.code == "model_not_monotone"
    with pytest.raises(ConfigError) as refused:
        ola(table, [], 0.5, Loss())
    assert refused.value.code == "no_privacy_model"


class Stopped(BaseException):
    pass


class Impatient:
    def __init__(self, n_reports):
        self.left = n_reports
        self.fractions = []

    def report(self, fraction, note=""):
        self.fractions.append(fraction)
        self.left -= 1
        if self.left < 0:
            raise Stopped


def test_progress_and_cancel():
    table, _ = next(random_tables(1))
    patient = Impatient(10_000)
    ola(table, [KAnonymity(3)], 0.0, Loss(), monitor=patient)
    assert patient.fractions == sorted(patient.fractions)
    assert 0 <= patient.fractions[0] <= patient.fractions[-1] <= 1
    with pytest.raises(Stopped):
        ola(table, [KAnonymity(3)], 0.0, Loss(), monitor=Impatient(2))


def test_no_solution():
    table, rows = next(random_tables(1))
    found = ola(table, [KAnonymity(len(rows) + 1)], 0.0, Loss())
    assert found.optimum is None
    assert found.minimal.nodes.tolist() == []
    assert found.minimal.n_solutions == 0
