"""What a fifth fewer or more people change: counted by plain code, and by `verify`."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from deidgui.app.dossier.sensitivity_words import (
    people_heads,
    people_rows,
    sensitivity_rows,
)
from deidgui.app.measuring.measuring import measure_project
from deidgui.app.release.verifying import verify
from deidgui.app.report.contents import report_of
from deidgui.engine.evidence.document import canonical_json
from deidgui.engine.evidence.unchecked import is_at, unchecked
from deidgui.engine.privacy import PopulationUniqueness
from deidgui.engine.risk.class_sizes import class_size_histogram
from deidgui.engine.risk.uniqueness import population_uniqueness
from deidgui.text import share_text
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
        assert tuple(found[kind])[:3] == pytest.approx(expected(pairs, by))
        shares = [f / max(f, by * people) for f, people in pairs]
        assert found[kind].least_present == pytest.approx(min(shares))
        assert found[kind].most_present == pytest.approx(max(shares))


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
    heads = people_heads(evidence.sensitivity)
    assert ("In the data" in heads) == (population == "register")
    assert all(len(row) == len(heads) for row in people_rows(evidence.sensitivity))
    if population == "register":
        present = cases["as_stated"].people.most_present
        assert present == evidence.criteria.membership.highest
        assert "(δ-presence) holds as long as" in str(report_of(evidence))
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


def limited(estimator="zayatz", threshold=1.0, every=9):
    """A case whose only knowledge of the population is in a privacy model."""
    project, classes = case_of("none", agreed(), every)
    model = PopulationUniqueness(
        threshold=threshold, sampling_fraction=0.3, estimator=estimator
    )
    models = (*project.privacy.models, model)
    return project.but(privacy=project.privacy.but(models=models)), classes


@pytest.mark.parametrize("estimator", ["zayatz", "pitman", "dankar"])
def test_unique_people_are_estimated_anew_for_other_populations(estimator) -> None:
    project, classes = limited(estimator, every=2)
    found = measure_project(project, classes, None)
    sizes = class_size_histogram(found.sizes_after)
    assert sizes.n_uniques > 0
    n_kept, n = int(found.sizes_after.sum()), classes.class_table.n_records
    for kind, by in BY.items():
        (share,) = found.people[kind].unique
        people = round(n / min(1.0, 0.3 / by))
        again = population_uniqueness(sizes, n_kept / people, estimator)
        assert again.is_valid == (share is not None)
        assert share is None or share == pytest.approx(again.share)
    assert found.people["as_stated"].highest is None


def test_zayatz_by_hand_for_every_population() -> None:
    """Pr(unique there | unique here) by hypergeometric sampling, in plain fractions."""
    counts = np.array([1] * 6 + [2] * 3 + [4])
    model = PopulationUniqueness(
        threshold=1.0, sampling_fraction=0.5, estimator="zayatz"
    )
    n = int(counts.sum())
    times_of = Counter(counts.tolist())
    n_classes = len(counts)
    for by in BY.values():
        people = round(n / min(1.0, 0.5 / by))
        # Of a class of i people exactly one is drawn, over the sizes of the sample.
        seen = {
            i: Fraction(i * comb(people - i, n - 1), comb(people, n)) for i in times_of
        }
        weights = {i: Fraction(times_of[i], n_classes) * seen[i] for i in times_of}
        stays = weights[1] / sum(weights.values())
        uniques = Fraction(times_of[1] * people, n) * stays
        assert model.share_in(counts, n, by) == pytest.approx(float(uniques / people))


def test_unique_people_are_stated_shown_and_verified(tmp_path) -> None:
    project, classes = limited(threshold=0.2)
    done = released(tmp_path, project, classes)
    evidence = done.written.evidence
    cases = {each.kind: each.people for each in evidence.sensitivity}
    shares = [cases[kind].unique[0] for kind in BY]
    assert None not in shares
    rows = people_rows(evidence.sensitivity)
    assert [row[1] for row in rows] == [
        share_text(cases[e].unique[0]) for e in ("as_stated", *list(BY)[1:])
    ]
    assert people_heads(evidence.sensitivity) == ("Case", "Unique people")
    report = str(report_of(evidence))
    assert "estimated anew for so many people" in report
    assert "not worked out again" not in report
    assert verify(done.folder).ok
    assert any(
        is_at(("sensitivity", 1, "people", "unique", 0), pattern)
        for some in unchecked(evidence).values()
        for pattern in some
    )
    path = done.folder / "evidence.json"
    stated = json.loads(path.read_bytes())
    (case,) = (e for e in stated["sensitivity"] if e["kind"] == "as_stated")
    case["people"]["unique"] = [0.5]
    path.write_bytes(canonical_json(stated))
    failed = {each.code for each in verify(done.folder).failed}
    assert "sensitivity_unique" in failed


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("as_stated", {"most_present": 0.01}),
        ("smaller_population", {"most_present": None, "least_present": None}),
        ("larger_population", {"most_present": 1.0, "least_present": 1.0}),
    ],
)
def test_verify_notices_another_presence(tmp_path, kind, change) -> None:
    project, classes = case_of("register", agreed())
    done = released(tmp_path, project, classes)
    path = done.folder / "evidence.json"
    evidence = json.loads(path.read_bytes())
    (case,) = (each for each in evidence["sensitivity"] if each["kind"] == kind)
    people = {**case["people"], **change}
    case["people"] = {k: v for k, v in people.items() if v is not None}
    path.write_bytes(canonical_json(evidence))
    failed = {each.code for each in verify(done.folder).failed}
    assert "sensitivity_present" in failed


def test_nothing_is_said_of_people_whom_nobody_knows() -> None:
    project, classes = case_of("none", agreed())
    measured = measure_project(project, classes, None)
    assert measured.people == {}
