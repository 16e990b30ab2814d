"""Attacks from a project: oracles of methods.md, brute force, what cannot be made."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.app.attacks.results import AttackResults
from deidgui.app.attacks.running import run_attacks
from deidgui.app.classes import Classes, build_classes
from deidgui.app.project import (
    AttackChoice,
    Attribute,
    HierarchyChoice,
    PopulationChoice,
    Privacy,
    Project,
    UnitOfProtection,
)
from deidgui.engine.data.population import Register
from deidgui.engine.data.table import Column, Table
from deidgui.engine.policy.policy import lattice_policy, local_policy


def project_of(names, *, key=None, fraction=None, models=(), **others):
    """A project in which all columns but the key are quasi-identifiers."""
    flat = HierarchyChoice(rule={"kind": "flat"})
    attributes = tuple(
        Attribute(name=name, role="quasi_identifier", hierarchy=flat, **others)
        for name in names
    )
    unit = UnitOfProtection(kind="row")
    if key is not None:
        hidden = Attribute(name=key, role="direct_identifier", treatment="remove")
        attributes = (hidden, *attributes)
        unit = UnitOfProtection(kind="key", column=key)
    population = PopulationChoice()
    if fraction is not None:
        population = PopulationChoice(
            kind="sampling_fraction", sampling_fraction=fraction
        )
    privacy = Privacy(models=models, population=population, suppression_limit=1.0)
    attacks = AttackChoice(runs=3000, seed=5)
    return Project(attributes=attributes, unit=unit, privacy=privacy, attacks=attacks)


def attacked(project, rows, levels=None, suppress_below=1) -> AttackResults:
    classes = classes_of(project, rows)
    return run_attacks(project, classes, policy_of(classes, levels, suppress_below))


def classes_of(project, rows) -> Classes:
    names = [each.name for each in project.attributes]
    columns = [
        Column.from_texts(name, [row[at] for row in rows])
        for at, name in enumerate(names)
    ]
    return build_classes(project, Table("t", tuple(columns)), {})


def policy_of(classes, levels=None, suppress_below=1):
    hierarchies = classes.class_table.hierarchies
    node = {each.attribute: 0 for each in hierarchies} | (levels or {})
    return lattice_policy(hierarchies, node, suppress_below)


# methods.md O-E4 and O-E5: the key, what stands of a patient once, and a diagnosis.
FOUR = [
    *(("p1", "30F", dx) for dx in "AAB"),
    *(("p2", "30F", dx) for dx in "AA"),
    *(("p3", "30F", dx) for dx in "AC"),
    ("p4", "30M", "A"),
]


def of_power(results, power, variant="inexact"):
    (found,) = [e for e in results.attacks if (e.power, e.variant) == (power, variant)]
    return found


def test_attack_1_by_hand():
    """O-E5: 0.75 if everybody is in the data, 0.075 for a tenth."""
    for fraction, expected in ((None, 0.75), (0.1, 0.075)):
        project = project_of(("who", "dx"), key="id", fraction=fraction)
        results = attacked(project, FOUR)
        found = of_power(results, 5)
        assert found.expected == pytest.approx(expected)
        assert found.low - 0.02 <= expected <= found.high + 0.02
        assert results.known_once == ("who",)
        assert results.known_of_events == ("dx",)
        assert results.unit == "people"
        assert results.n_people == 4


def test_suppressed_people_are_not_found():
    """All four show different things; nothing of the values, and rows are counted."""
    project = project_of(("who", "dx"), key="id")
    results = attacked(project, FOUR, suppress_below=2)
    assert of_power(results, 5).expected == 0
    everything = attacked(project, FOUR, {"who": 1, "dx": 1}, 2)
    assert of_power(everything, 5).expected == pytest.approx(7 / 24)


def test_register_as_counts():
    """O-E6: 80 classes among 16 million people."""
    counties, ages = "ABCD", [str(n) for n in range(20)]
    rows = [(county, age) for county in counties for age in ages]
    project = project_of(("county", "age"))
    classes = classes_of(project, rows)
    leaves = classes.class_table.leaves
    register = Register(leaves, np.full(80, 200_000))
    table = replace(classes.class_table, population=register)
    classes = replace(classes, class_table=table)
    results = run_attacks(project, classes, policy_of(classes))
    found = {each.variant: each for each in results.attacks}
    assert found["sample_of_register"].expected == pytest.approx(5e-6)
    assert found["this_release"].expected == pytest.approx(5e-6)
    assert found["county"].expected == pytest.approx(4 / 16e6)
    assert found["age"].expected == pytest.approx(20 / 16e6)
    assert not results.not_done


records = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), min_size=1, max_size=15
)


@given(records, st.integers(1, 3), st.booleans())
@settings(deadline=None, max_examples=30)
def test_one_record_each_is_as_by_plain_counting(rows, k, is_raised):
    results = attacked(project_of(("a", "b")), rows, {"a": int(is_raised)}, k)
    shown = [("*" if is_raised else a, b) for a, b in rows]
    sizes = Counter(shown)
    n_classes = sum(size >= k for size in sizes.values())
    (found,) = results.attacks
    assert found.expected == pytest.approx(n_classes / len(rows))
    # Missed by chance about once in a million examples.
    spread = (found.high - found.low) / 2
    assert abs(found.success - found.expected) <= 2.6 * spread + 1e-9


histories = st.lists(
    st.tuples(
        st.sampled_from("FM"),
        st.lists(st.tuples(*[st.sampled_from("xyz")] * 2), min_size=1, max_size=4),
    ),
    min_size=2,
    max_size=7,
)


@given(histories)
@settings(deadline=None, max_examples=20)
def test_more_knowledge_never_finds_fewer_of_the_same_people(people):
    """Ordered at least as often as values alone, and more power as often as less."""
    rows = [
        (str(at), sex, *event, str(place))
        for at, (sex, events) in enumerate(people)
        for place, event in enumerate(events)
    ]
    project = project_of(("sex", "dx", "ward"), key="id")
    time = Attribute(name="day", role="insensitive", kind="integer", confirmed=True)
    project = project.but(
        attributes=(*project.attributes, time),
        attacks=AttackChoice(runs=200, seed=2, order_by="day"),
    )
    results = attacked(project, rows)
    if not results.known_of_events:
        assert [each.variant for each in results.attacks] == ["all_known"]
        return
    simulated = {(e.variant, e.power): e.success for e in results.attacks}
    for power in (5, 10, 15):
        if ("ordered", power) in simulated:
            assert simulated["ordered", power] >= simulated["inexact", power]
    assert simulated["inexact", 15] >= simulated["inexact", 5]
    exact = of_power(results, 5)
    assert exact.expected is not None
    spread = (exact.high - exact.low) / 2
    assert abs(exact.success - exact.expected) <= 2.6 * spread + 1e-9


def test_local_recoding_is_matched_round_by_round():
    """By hand: four (a, x) stay, two (*, y) follow, and two are suppressed."""
    rows = [("a", "x")] * 4 + [("a", "y"), ("b", "y"), ("b", "x"), ("c", "z")]
    project = project_of(("a", "b"))
    classes = classes_of(project, rows)
    rounds = [policy_of(classes, level, 2) for level in ({}, {"a": 1})]
    (found,) = run_attacks(project, classes, local_policy(rounds)).attacks
    assert found.expected == pytest.approx((4 / 4 + 2 / 2) / 8)


def test_a_date_orders_events_and_a_number_must_be_chosen():
    rows = [(*row, f"2020-01-{10 - n:02d}") for n, row in enumerate(FOUR)]
    project = project_of(("who", "dx"), key="id")
    day = Attribute(name="day", role="insensitive", kind="date", format="YYYY-MM-DD")
    dated = project.but(attributes=(*project.attributes, day))
    results = attacked(dated, rows)
    assert results.order_by == "day"
    assert {each.variant for each in results.attacks} == {
        *("inexact", "same_event", "ordered")
    }
    codes = {each.code for each in attacked(project, FOUR).not_done}
    assert codes == {"order_missing", "register_not_given"}
    numbered = day.but(kind="integer", format=None)
    project = project.but(attributes=(*project.attributes, numbered))
    rows = [(*row, str(n)) for n, row in enumerate(FOUR)]
    assert "order_not_chosen" in {e.code for e in attacked(project, rows).not_done}
    chosen = project.but(attacks=AttackChoice(runs=10, order_by="day"))
    assert attacked(chosen, rows).order_by == "day"


def test_results_know_the_policy_that_they_are_about():
    project = project_of(("a", "b"))
    classes = classes_of(project, [("a", "x"), ("b", "y"), ("a", "x")])
    results = run_attacks(project, classes, policy_of(classes))
    assert results.is_of(policy_of(classes))
    assert not results.is_of(policy_of(classes, {"a": 1}))
    assert not results.is_of(policy_of(classes, suppress_below=2))
