"""No riskier than Safe Harbor, re-measured by plain pandas on the real files."""

from __future__ import annotations

import csv
import gzip
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from deidgui.app.classes import build_classes
from deidgui.app.matching import confirm_match, propose_matching, set_partners
from deidgui.app.policies.alternatives.basis import compute_basis
from deidgui.app.policies.alternatives.checking import with_elements
from deidgui.app.policies.alternatives.judging import judge
from deidgui.app.policies.alternatives.searching import discover
from deidgui.app.policies.alternatives.space import proposed_elements
from deidgui.app.project import MatchChoice, PopulationChoice
from deidgui.app.reading.reading import propose_project, read_input
from tests.app.test_discovering_real import written
from tests.shared import shared

NAMES = ["sex", "race", "age"]


def nhds_rows():
    """All discharges; a race that is not stated is missing."""
    with gzip.open(shared("data", "nhds2010", "nhds2010.csv.gz"), "rt") as file:
        return [
            (
                row["sex"],
                "" if row["race"] == "not_stated" else row["race"],
                row["age"] if row["age_unit"] == "years" else "0",
            )
            for row in csv.DictReader(file)
        ]


@dataclass
class Case:
    """A project with its classes; records and people for pandas, counted by values."""

    project: object
    classes: object
    records: pd.DataFrame
    people: pd.DataFrame


@pytest.fixture(scope="module")
def nhds(tmp_path_factory):
    rows = nhds_rows()
    path = written(tmp_path_factory.mktemp("nhds") / "patients.csv", rows)
    loaded = read_input(path)
    project = propose_project(loaded)
    population = PopulationChoice(kind="built_in", tables=("us_2014",))
    project = project.but(privacy=project.privacy.but(population=population))
    files = {}
    for match in propose_matching(project, loaded.table, files).attributes:
        if match.attribute == "age":
            confirmed = set_partners(match, {"90": ["90"]})
        elif not match.is_ready or match.attribute == "race":
            confirmed = confirm_match(match)
        else:
            continue
        files[confirmed.name] = confirmed.content
        project = confirmed.op(project)
    matches = dict(project.privacy.population.matches)
    known = matches.get("race", MatchChoice(target="race"))
    matches["race"] = known.but(accepts_unmatched=True)
    population = project.privacy.population.but(matches=matches)
    project = project.but(privacy=project.privacy.but(population=population))
    decided = with_elements(project.discover, proposed_elements(project))
    project = project.but(discover=decided)
    classes = build_classes(project, loaded.table, files)
    frame = pd.DataFrame(rows, columns=NAMES)
    records = frame.groupby(NAMES, as_index=False).size()
    records = records.rename(columns={"size": "records"})
    return Case(project, classes, records, people_of(classes))


def people_of(classes):
    """People by the values of the file, as the register counts them."""
    leaves, counts = classes.class_table.population.known
    trees = classes.class_table.hierarchies
    columns = {
        tree.attribute: np.array(tree.leaves)[leaves[:, place]]
        for place, tree in enumerate(trees)
    }
    frame = pd.DataFrame(columns)[NAMES].assign(n=counts)
    return frame.groupby(NAMES, as_index=False)["n"].sum()


def released(frame, maps):
    """Records or people with the labels that a policy releases."""
    return pd.DataFrame({name: frame[name].map(maps[name]) for name in NAMES})


def risk_by_pandas(case, maps, records):
    """Sum of 1 / g over some records."""
    people = released(case.people, maps).assign(n=case.people["n"])
    sizes = people.groupby(NAMES)["n"].sum().rename("g").reset_index()
    looked_up = released(records, maps).merge(sizes, on=NAMES, how="left")
    assert looked_up["g"].notna().all()
    return float((records["records"].to_numpy() / looked_up["g"]).sum())


def with_people(case):
    """Records of which the population has somebody with the very same values."""
    found = case.records.merge(case.people, on=NAMES, how="left")["n"]
    return case.records[found.notna().to_numpy()]


def safe_harbor_maps(case):
    """Ages over 89 are one, all else is kept."""
    values = {
        name: sorted(set(case.people[name]) | set(case.records[name])) for name in NAMES
    }
    maps = {name: {value: value for value in each} for name, each in values.items()}
    maps["age"] = {v: "90+" if v and int(v) >= 90 else v for v in values["age"]}
    return maps


def maps_of(policy):
    return {
        each.attribute: {
            leaf: each.labels[group]
            for leaf, group in zip(
                each.hierarchy.leaves, each.groups.tolist(), strict=True
            )
        }
        for each in policy.maps
    }


@pytest.mark.parametrize("margin", [0.05, 0.0])
def test_alternatives_of_nhds_hold_for_the_records_that_have_people(nhds, margin):
    """180 of 180.35 of the risk came from races that nobody stated, before."""
    project = nhds.project.but(discover=nhds.project.discover.but(margin=margin))
    basis = compute_basis(project, nhds.classes)
    known = with_people(nhds)
    assert basis.n_compared == known["records"].sum()
    n_left_out = nhds.records["records"].sum() - known["records"].sum()
    assert n_left_out > 10_000
    limit = risk_by_pandas(nhds, safe_harbor_maps(nhds), known)
    assert basis.threshold == pytest.approx(limit, rel=1e-9)
    assert basis.baseline.sums.cautious > 100 * limit
    codes = [each.code for each in basis.warnings]
    assert "discovery_both_sums" in codes
    assert "discovery_records_left_out" in codes
    found = discover(project, nhds.classes, basis=basis)
    assert len(found) > 20
    for row in range(len(found)):
        risk = risk_by_pandas(nhds, maps_of(found.policy(row)), known)
        assert risk == pytest.approx(found.alternatives[row].risk, rel=1e-9)
        assert risk <= limit * (1 - margin) * (1 + 1e-9)
    judged = judge(project, found.choice(0), nhds.classes)
    assert judged.is_met
    assert judged.n_left_out == n_left_out


def test_records_of_no_race_among_all_people_that_they_could_be(nhds):
    """Both hold: the sum with them, and the sum over those who have people."""
    anything = nhds.project.privacy.but(missing_matches="anything")
    project = nhds.project.but(privacy=anything)
    basis = compute_basis(project, nhds.classes)
    known = with_people(nhds)
    unstated = nhds.records[nhds.records["race"] == ""]
    n_unstated = unstated["records"].sum()
    assert basis.coverage.n_records_possible == n_unstated
    assert basis.n_compared == known["records"].sum() + n_unstated
    sums = {}

    def both(maps):
        key = str(sorted(maps["age"].items())), str(maps["race"]), str(maps["sex"])
        if key not in sums:
            own = risk_by_pandas(nhds, maps, known)
            people = released(nhds.people, maps).assign(n=nhds.people["n"])
            sizes = people.groupby(["sex", "age"])["n"].sum().rename("g").reset_index()
            looked_up = released(unstated, maps).merge(
                sizes, on=["sex", "age"], how="left"
            )
            assert len(looked_up) == len(unstated)
            n = unstated["records"].to_numpy()
            sums[key] = own, own + float((n / looked_up["g"]).sum())
        return sums[key]

    limits = both(safe_harbor_maps(nhds))
    assert basis.threshold == pytest.approx(limits[1], rel=1e-9)
    found = discover(project, nhds.classes, basis=basis)
    assert len(found) > 20
    for row in range(len(found)):
        own, counted = both(maps_of(found.policy(row)))
        assert counted == pytest.approx(found.alternatives[row].risk, rel=1e-9)
        assert own <= 0.95 * limits[0] * (1 + 1e-9)
        assert counted <= 0.95 * limits[1] * (1 + 1e-9)
