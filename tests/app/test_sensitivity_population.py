"""What a fifth fewer or more people change: counted by plain code, and by `verify`."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from deidgui.app.measuring.measuring import measure_project
from deidgui.app.release.verifying import verify
from deidgui.app.report.contents import report_of
from deidgui.app.sensitivity_words import people_rows, sensitivity_rows
from deidgui.engine.evidence.document import canonical_json
from deidgui.engine.evidence.unchecked import is_at, unchecked
from tests.app.context_case import agreed, public
from tests.app.test_joined_release import general_bits, released, tiny, with_bits

BY = {"as_stated": 1.0, "smaller_population": 0.8, "larger_population": 1.2}


def case_of(population, context, every=9):
    project, classes = tiny(population)
    if population == "register":
        # Where there are records nobody else is: a fifth less would be fewer than them.
        known = classes.class_table.population
        records = dict(
            zip(
                map(tuple, classes.class_table.leaves.tolist()),
                classes.class_table.counts.tolist(),
                strict=True,
            )
        )
        for place, leaves in enumerate(map(tuple, known.leaves.tolist())):
            known.counts[place] = records.get(leaves, 1)
    project = with_bits(project, classes, general_bits(classes, project, every))
    return project.but(context=context), classes


def by_hand(classes, policy):
    """Records, and people, by what the policy shows of them."""
    table, maps = classes.class_table, policy.maps

    def shown(leaves):
        return tuple(
            int(each.groups[leaf]) for each, leaf in zip(maps, leaves, strict=True)
        )

    records, people = Counter(), Counter()
    for leaves, n in zip(table.leaves.tolist(), table.counts.tolist(), strict=True):
        records[shown(leaves)] += n
    known = table.population
    for leaves, n in zip(known.leaves.tolist(), known.counts.tolist(), strict=True):
        people[shown(leaves)] += n
    return [(records[key], people[key]) for key in records]


def expected(pairs, by):
    pairs = [(f, max(f, by * people)) for f, people in pairs]
    n = sum(f for f, _ in pairs)
    matched = sum(f / people for f, people in pairs) / n
    average = max(matched, len(pairs) / sum(people for _, people in pairs))
    return max(1 / people for _, people in pairs), average, matched


def test_other_numbers_of_people_in_a_table_of_the_population() -> None:
    project, classes = case_of("register", agreed(), every=2)
    measured = measure_project(project, classes, None)
    pairs = by_hand(classes, measured.chosen_policy)
    assert any(0.8 * people < f for f, people in pairs), "the case shows the bound"
    found = measured.people
    assert found.keys() == BY.keys()
    for kind, by in BY.items():
        assert tuple(found[kind]) == pytest.approx(expected(pairs, by))


@pytest.mark.parametrize("population", ["register", "fraction"])
@pytest.mark.parametrize("context", [agreed(), public()], ids=["agreed", "public"])
def test_it_is_stated_shown_and_verified(tmp_path, population, context) -> None:
    project, classes = case_of(population, context)
    done = released(tmp_path, project, classes)
    evidence = done.written.evidence
    cases = {each.kind: each for each in evidence.sensitivity}
    before = evidence.risk.journalist
    assert {kind for kind, each in cases.items() if each.people} == BY.keys()
    assert cases["as_stated"].people.highest == before.highest
    assert cases["larger_population"].people.highest == pytest.approx(
        before.highest / 1.2
    )
    smaller = cases["smaller_population"].people
    assert before.average < smaller.average <= before.average / 0.8 + 1e-12
    if population == "fraction":
        assert smaller.highest == pytest.approx(before.highest / 0.8)
    assert len(people_rows(evidence.sensitivity)) == 3
    # Of the public nothing else rests on the number of people.
    lines = [row[0] for row in sensitivity_rows(evidence.sensitivity)]
    assert ("Population a fifth smaller" in lines) == (context.release != "public")
    assert "Journalist, highest" in str(report_of(evidence))
    found = verify(done.folder)
    assert found.ok
    patterns = [e for some in unchecked(evidence).values() for e in some]
    place = ("sensitivity", 1, "people", "highest")
    is_listed = any(is_at(place, each) for each in patterns)
    assert is_listed == (population == "register")


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("larger_population", {"highest": 0.9}),
        ("larger_population", {"matched": 0.0}),
        ("smaller_population", {"average": 0.0}),
        ("smaller_population", {"highest": 1.0}),
        ("as_stated", {"average": 0.9}),
        ("as_stated", None),
        ("smaller_population", None),
        ("breach", {"average": 0.1, "highest": 0.1, "matched": 0.1}),
    ],
)
def test_verify_notices_other_figures(tmp_path, kind, change) -> None:
    project, classes = case_of("fraction", agreed())
    done = released(tmp_path, project, classes)
    path = done.folder / "evidence.json"
    evidence = json.loads(path.read_bytes())
    (case,) = (each for each in evidence["sensitivity"] if each["kind"] == kind)
    if change is None:
        del case["people"]
    else:
        case["people"] = {**case.get("people", {}), **change}
    path.write_bytes(canonical_json(evidence))
    assert "sensitivity_people" in {each.code for each in verify(done.folder).failed}


def test_nothing_is_said_of_people_whom_nobody_knows() -> None:
    project, classes = case_of("none", agreed())
    measured = measure_project(project, classes, None)
    assert measured.people == {}
