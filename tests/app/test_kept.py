"""Policies of the lattice and alternatives, by the risk they share: counted by hand."""

from __future__ import annotations

import gettext
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from deidgui.app.classes import population_words
from deidgui.app.policies.alternatives.basis import compute_basis
from deidgui.app.policies.alternatives.judging import judge, judged_alternatives
from deidgui.app.policies.alternatives.searching import discover
from deidgui.app.policies.figures import guiding_figures
from deidgui.app.project import Chosen, FoundBy
from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.data.hierarchy_build import build_hierarchy
from deidgui.engine.data.population import Register, SamplingFraction
from deidgui.engine.data.templates import TEMPLATES
from deidgui.engine.policy.policy import lattice_policy
from tests.app.discovery_case import classes_of, project_of
from tests.app.population_case import table_of

AGES = [str(age) for age in range(60, 95)]
RULES = {
    "age": {"kind": "intervals", "width": 5, "factors": [2]},
    "sex": {"kind": "flat"},
}


@pytest.fixture(scope="module")
def case():
    """Records, people by their values, and the class table."""
    rng = np.random.default_rng(3)
    rows = list(zip(rng.choice(AGES, 200), rng.choice(list("FM"), 200), strict=True))
    rows += [(age, sex) for age in AGES for sex in "FM"]
    ages, sexes = zip(*rows, strict=True)
    table = table_of(age=ages, sex=sexes)
    grids = [
        build_hierarchy(column, TEMPLATES.from_json(RULES[column.name]))
        for column in table.columns
    ]
    leaves = [hierarchy.leaves for hierarchy in grids]
    population = {
        (a, s): int(rng.integers(20, 60)) for a in leaves[0] for s in leaves[1]
    }
    cells = np.array(
        [[leaves[0].index(age), leaves[1].index(sex)] for age, sex in population],
        np.int32,
    )
    register = Register(cells, np.array(list(population.values())))
    return rows, population, build_class_table(table, grids, {}, register)


def summed(rows, population, label, below=1):
    """Sum of 1 / g over the records that a policy releases."""
    records = Counter(label(*row) for row in rows)
    sizes = Counter()
    for values, n in population.items():
        sizes[label(*values)] += n
    return sum(n / sizes[key] for key, n in records.items() if n >= below)


def fives(age, sex):
    return int(age) // 5, sex


def risk_of(basis, project, table, policy):
    """Risk in the population that the list of policies shows."""
    known = guiding_figures(policy, table, project.quality.measure, {})
    return basis.compared(policy, known).population_risk


def test_policies_of_the_lattice_are_measured_as_alternatives_are(case):
    rows, population, table = case
    project, classes = project_of(table, iterations=3), classes_of(table)
    policies = [
        lattice_policy(table.hierarchies, {"age": 0, "sex": 0}, 4),
        lattice_policy(table.hierarchies, {"age": 1, "sex": 0}, 1),
        lattice_policy(table.hierarchies, {"age": 1, "sex": 1}, 1),
    ]
    basis = compute_basis(project, classes)
    found = [risk_of(basis, project, table, each) for each in policies]
    expected = (
        summed(rows, population, lambda age, sex: (age, sex), 4),
        summed(rows, population, fives),
        summed(rows, population, lambda age, sex: int(age) // 5),
    )
    assert found == pytest.approx(expected, rel=1e-12)
    rule = summed(rows, population, lambda age, sex: (min(int(age), 90), sex))
    assert basis.threshold == pytest.approx(rule, rel=1e-12)
    # The same policy written as joined neighbours has the same risk.
    alternative = discover(project, classes).choice(0)
    (kept,) = judged_alternatives(project, classes, [alternative])
    own = risk_of(basis, project, table, kept.policy)
    assert own == pytest.approx(kept.accepted.risk, rel=1e-12)
    assert kept.figures.population_risk == kept.accepted.risk
    assert kept.figures.n_suppressed == 0


def test_a_sample_is_said_to_be_modelled(case):
    _, _, table = case
    columns = {
        name: [hierarchy.leaves[leaf] for leaf in table.leaves[:, place]]
        for place, (name, hierarchy) in enumerate(
            zip(table.attributes, table.hierarchies, strict=True)
        )
    }
    sampled = build_class_table(
        table_of(**columns), table.hierarchies, {}, SamplingFraction(0.1)
    )
    policy = lattice_policy(table.hierarchies, {"age": 0, "sex": 0}, 1)
    project = project_of(sampled)
    basis = compute_basis(project, classes_of(sampled))
    assert population_words(classes_of(sampled))[1]
    # One record of a kind, ten people: a tenth for each of the combinations.
    found = risk_of(basis, project, sampled, policy)
    assert found == pytest.approx(len(sampled.counts) / 10)


def test_what_is_known_of_the_population_does_not_depend_on_the_language(
    case, monkeypatch
):
    _, _, table = case
    for known, is_known in ((table.population, True), (None, False)):
        counted = replace(table, population=known)
        project, classes = project_of(counted, iterations=3), classes_of(counted)
        chosen = discover(project, classes).choice(0)
        with monkeypatch.context() as patch:
            patch.setattr(
                gettext.NullTranslations, "gettext", lambda _, text: "!" + text
            )
            accepted = judge(project, chosen, classes)
            assert accepted.population.startswith("!")
            assert accepted.is_about_population == is_known
            lone = any("Nothing is known about" in each for each in accepted.warnings)
            assert lone != is_known


def test_a_choice_notes_how_it_was_found(case):
    _, _, table = case
    project = project_of(table, iterations=7, seed=5, weights="size")
    found = discover(project, classes_of(table))
    chosen = found.choice(0)
    assert chosen.found_by == FoundBy(
        method="bps",
        seed=5,
        weights="size",
        iterations=7,
        completes=True,
        alternatives=len(found),
        evaluated=found.counts.evaluated,
    )
    other = discover(project_of(table, method="frontier", budget=50), classes_of(table))
    assert other.found_by.budget == 50
    assert other.found_by.iterations is other.found_by.weights is None
    # However it was found, it is the same policy.
    assert chosen.is_same(chosen.but(found_by=None, note="the same"))
    assert not chosen.is_same(chosen.but(levels={"age": 1, "sex": 0}))


def test_only_alternatives_note_how_they_were_found():
    with pytest.raises(ValueError, match="joins neighbours"):
        Chosen(levels={"age": 1}, found_by=FoundBy(method="bps"))
