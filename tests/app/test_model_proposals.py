"""Which threshold is proposed for a sensitive column, and why."""

import csv
import gzip
import itertools
import re

import pytest

from deidgui.app.model_proposals import propose_models, unprotected
from deidgui.app.project import Attribute, Privacy, Project, UnitOfProtection
from deidgui.engine.data.table import Column, Table
from deidgui.engine.privacy import (
    DistinctLDiversity,
    EqualTCloseness,
    KAnonymity,
    OrderedTCloseness,
)
from tests.shared import shared

N = 200
VALUES = {
    "costs": [str(100 + place) for place in range(N)],
    "diagnosis": ["E11", "I10", "J45", "C50"] * (N // 4),
    "hiv": ["no"] * (N - 4) + ["yes"] * 4,
    "stars": [str(place % 5) for place in range(N)],
    "same": ["x"] * N,
    "gaps": ["?", "", "a", "b"] * (N // 4),
    "further": [""] * (N - 20) + [f"code {place}" for place in range(20)],
}
KINDS = {"costs": "integer", "stars": "integer"}


def project_of(*names):
    return Project(
        attributes=tuple(
            Attribute(
                name=name,
                role="sensitive",
                kind=KINDS.get(name, "text"),
                missing=("", "?"),
            )
            for name in names
        )
    )


def table_of(*names):
    return Table("t", tuple(Column.from_texts(each, VALUES[each]) for each in names))


def proposed(*names, **changes):
    project = project_of(*names).but(**changes)
    return {e.attribute: e for e in propose_models(project, table_of(*names))}


@pytest.mark.parametrize(
    ("name", "kind", "n_values", "share"),
    [
        ("costs", OrderedTCloseness, N, 1 / N),
        ("diagnosis", DistinctLDiversity, 4, 0.25),
        ("hiv", EqualTCloseness, 2, 0.98),
        ("stars", DistinctLDiversity, 5, 0.2),
        # Both missing texts are one value.
        # Both missing texts are one value.
        # In a class of few records many values cannot be spread as in the file.
        ("further", DistinctLDiversity, 21, 0.9),
        # Both missing texts are one value.
        ("gaps", DistinctLDiversity, 3, 0.5),
    ],
)
def test_the_model_follows_from_the_values(name, kind, n_values, share):
    found = proposed(name)[name]
    assert type(found.model) is kind
    assert found.model.attribute == name
    assert (found.n_values, found.most_common) == (n_values, pytest.approx(share))
    assert not any(value in found.reason for value in VALUES["diagnosis"])


def test_missing_values_are_not_called_values():
    """The other pages count them apart, too."""
    words = proposed("gaps")["gaps"].reason
    assert words.startswith("2 different values and missing ones, the most common")
    words = proposed("diagnosis")["diagnosis"].reason
    assert words.startswith("4 different values, the most common")


def test_every_sensitive_column_of_the_discharges_has_a_proposal():
    """Of the survey of 2010: 29 columns, codes of diseases with up to 100 % missing."""
    path = shared("data", "nhds2010", "nhds2010.csv.gz")
    with gzip.open(path, "rt", newline="") as file:
        reader = csv.reader(file)
        heads = next(reader)
        rows = list(itertools.islice(reader, 20_000))
    named = re.compile(r"(dx|pc)\d\d|payor_.*|DRG|dx_adm|dc_status|adm_origin")
    names = [head for head in heads if named.fullmatch(head)]
    assert len(names) == 29
    texts = {name: [row[heads.index(name)] for row in rows] for name in names}
    table = Table("t", tuple(Column.from_texts(e, texts[e]) for e in names))
    found = propose_models(project_of(*names), table)
    assert [each.attribute for each in found] == names
    for each in found:
        assert each.model.attribute == each.attribute
        assert each.n_values == len(
            {"" if v == "?" else v for v in texts[each.attribute]}
        )
        assert len(each.reason.split()) > 5
        assert not any(code in each.reason for code in ("V5862", "64403"))


def test_numbers_are_ordered_as_numbers():
    assert proposed("costs")["costs"].model.order == "numeric"


def test_a_column_with_one_value_has_no_proposal():
    assert proposed("same", "diagnosis").keys() == {"diagnosis"}


def test_only_distinct_values_mean_something_where_people_have_several_rows():
    found = proposed(
        "costs", "hiv", unit=UnitOfProtection(kind="key", column="patient")
    )
    assert {type(each.model) for each in found.values()} == {DistinctLDiversity}


def test_what_a_model_is_about_needs_no_proposal():
    models = (KAnonymity(5), DistinctLDiversity("hiv", 2))
    project = project_of("hiv", "costs").but(privacy=Privacy(models=models))
    assert [each.name for each in unprotected(project)] == ["costs"]
    (found,) = propose_models(project, table_of("hiv", "costs"))
    assert found.attribute == "costs"
