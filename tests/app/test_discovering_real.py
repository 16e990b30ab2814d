"""Real files with built-in people, from reading to alternatives that keep old ages."""

from __future__ import annotations

import csv
import gzip

import numpy as np
import pytest

from deidgui.app.classes import build_classes
from deidgui.app.matching import confirm_match, propose_matching, set_partners
from deidgui.app.policies.alternatives.basis import compute_basis
from deidgui.app.policies.alternatives.checking import with_elements
from deidgui.app.policies.alternatives.policies import order
from deidgui.app.policies.alternatives.searching import discover
from deidgui.app.policies.alternatives.space import proposed_elements
from deidgui.app.project import PopulationChoice, PreferenceChoice
from deidgui.app.reading.reading import propose_project, read_input
from tests.app.discovery_case import kept_by_rule
from tests.shared import shared

OLD = PreferenceChoice(attribute="age", low=90)
NAMES = ("sex", "race", "age")


def written(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([NAMES, *rows])
    return path


def adult_rows():
    with gzip.open(shared("data", "uci_adult", "adult.data.gz"), "rt") as file:
        rows = [row for row in csv.reader(file, skipinitialspace=True) if row]
    return [(row[9], row[8], row[0]) for row in rows]


def nhds_rows():
    """Races that the table of people knows; newborns are 0 years old."""
    with gzip.open(shared("data", "nhds2010", "nhds2010.csv.gz"), "rt") as file:
        return [
            (row["sex"], row["race"], row["age"] if row["age_unit"] == "years" else "0")
            for row in csv.DictReader(file)
            if row["race"] not in ("not_stated", "other")
        ]


def matched(project, loaded, *, is_exact):
    """Confirm what values stand for; 90 is one age if `is_exact`."""
    files = {}
    for match in propose_matching(project, loaded.table, files).attributes:
        if match.is_ready:
            continue
        if match.attribute == "age" and is_exact:
            confirmed = set_partners(match, {"90": ["90"]})
        else:
            confirmed = confirm_match(match)
        files[confirmed.name] = confirmed.content
        project = confirmed.op(project)
    return project, files


CASES = {
    "adult": (
        adult_rows,
        PopulationChoice(
            kind="built_in", tables=("states_2000_modelled",), states=("Tennessee",)
        ),
        43,
    ),
    "nhds": (nhds_rows, PopulationChoice(kind="built_in", tables=("us_2014",)), None),
}


@pytest.fixture(scope="module", params=CASES)
def case(request, tmp_path_factory):
    rows, population, n_old = CASES[request.param]
    path = written(tmp_path_factory.mktemp("real") / "patients.csv", rows())
    loaded = read_input(path)
    project = propose_project(loaded)
    project = project.but(privacy=project.privacy.but(population=population))
    return project, loaded, n_old


def with_safe_harbor(project, **changes):
    discover = with_elements(project.discover, proposed_elements(project))
    return project.but(discover=discover.but(**changes))


def test_alternatives_that_keep_every_old_age(case):
    project, loaded, n_old = case
    project, files = matched(project, loaded, is_exact=True)
    classes = build_classes(project, loaded.table, files)
    project = with_safe_harbor(project)
    basis = compute_basis(project, classes)
    assert kept_by_rule(basis) == ("sex", "race")
    oldest = tuple(str(age) for age in range(90, 101))
    assert basis.released_as("age") == {"90+": oldest}
    assert basis.threshold < basis.raw_risk
    assert not basis.warnings
    found = discover(project, classes, basis=basis)
    kept = order(found, [OLD]).scores == 1
    assert kept.sum() > 50
    assert (found.risk <= basis.threshold).all()
    assert 2 <= len(found.clusters) <= 6
    if n_old is not None:
        column = loaded.table.column("age")
        ages = np.array([int(text) for text in column.values.to_list()])
        assert column.counts[ages >= 90].sum() == n_old
    demanded = with_safe_harbor(project, preferences=(OLD.but(is_demanded=True),))
    every = discover(demanded, classes)
    assert (order(every, [OLD]).scores == 1).all()
    assert len(every) >= kept.sum()


def test_where_the_highest_age_is_all_above_safe_harbor_changes_nothing(case):
    """Both files are coded so; then the rule has nothing to do, which is said."""
    project, loaded, _ = case
    project, files = matched(project, loaded, is_exact=False)
    classes = build_classes(project, loaded.table, files)
    basis = compute_basis(with_safe_harbor(project), classes)
    assert basis.baseline.is_identity
    assert [each.code for each in basis.warnings] == ["discovery_rule_changes_nothing"]
