"""A release of real data: Adult with its nine hierarchies, measured by plain code."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import math
from collections import Counter

import pytest

from deidgui.app.classes import Classes
from deidgui.app.measuring.criteria import measure_criteria
from deidgui.app.measuring.measuring import quality_figures
from deidgui.app.project import Attribute, Export, Privacy, Project, Threshold
from deidgui.app.release.writing import ReleaseOrder, write_release
from deidgui.app.stated import ASSUMPTIONS, warnings_of_decisions, warnings_of_policy
from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.table import Column, Table
from deidgui.engine.evidence.document import Model
from deidgui.engine.evidence.evidence import ReleaseFigures
from deidgui.engine.policy.policy import lattice_policy
from deidgui.engine.policy.released import released_classes
from deidgui.engine.privacy import KAnonymity
from tests.release_case import (
    CREATED,
    dossier_of,
    loss_of_attribute,
    released_keys,
    risk_of,
)
from tests.shared import shared

QUASI_IDENTIFIERS = (
    *("sex", "age", "race", "marital-status", "education"),
    *("native-country", "workclass", "occupation"),
)
LEVELS = dict(zip(QUASI_IDENTIFIERS, (0, 2, 1, 1, 1, 1, 1, 1), strict=True))


def read(path):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter=";"))


@pytest.fixture(scope="module")
def order(tmp_path_factory):
    source = shared("data", "adult_hierarchies", "adult.csv.gz")
    header, *rows = read(source)
    columns = [
        Column.from_texts(name, list(texts), missing=("?",))
        for name, texts in zip(header, zip(*rows, strict=True), strict=True)
    ]
    table = Table("adult.csv", tuple(columns))
    grids = [
        Hierarchy.from_grid(name, read(source.with_name(f"adult_hierarchy_{name}.csv")))
        for name in QUASI_IDENTIFIERS
    ]
    classes = build_class_table(table, grids)
    policy = lattice_policy(classes.hierarchies, LEVELS, 5, "chosen")
    attributes = [
        Attribute(
            name=name,
            role="quasi_identifier" if name in QUASI_IDENTIFIERS else "sensitive",
            confirmed=True,
        )
        for name in header
    ]
    project = Project(
        unit={"kind": "row"},
        name="Adult",
        attributes=tuple(attributes),
        privacy=Privacy(threshold=Threshold(at_risk=0.2, set_by="Privacy board")),
        export=Export(suppressed="stars"),
    )
    return ReleaseOrder(
        project=project,
        input_path=source,
        input_sha256=hashlib.sha256(source.read_bytes()).hexdigest(),
        table=table,
        class_table=classes,
        policy=policy,
        figures=figures(project, table, classes, policy),
        created=CREATED,
    )


def figures(project, table, classes, policy):
    keys = released_keys(table, policy)
    counts = Counter(keys)
    kept = [size for size in counts.values() if size >= policy.suppress_below]
    raw = [table.column(name) for name in policy.attributes]
    before = Counter(tuple(c.text(row) for c in raw) for row in range(table.n_rows))
    is_kept = [counts[key] >= policy.suppress_below for key in keys]
    loss = {
        each.attribute: loss_of_attribute(
            [key[place] for key in keys],
            is_kept,
            Counter(each.labels[group] for group in each.groups),
        )
        for place, each in enumerate(policy.maps)
    }
    n_suppressed = is_kept.count(False)
    squares = sum(size * size for size in kept) + len(keys) * n_suppressed
    groups = len(kept) + (n_suppressed > 0)
    quality = {
        each.measure.kind: {
            **each.measure.params,
            "value": each.value,
            "words": f"{each.measure.title}: {each.measure.words()}",
            "by_attribute": dict(each.by_attribute),
        }
        for each in quality_figures(project, classes, released_classes(classes, policy))
    }
    # What plain code has measured from rows is what the program measures.
    assert quality["loss"]["by_attribute"] == pytest.approx(loss)
    geometric = math.prod(1 + value for value in loss.values()) ** (1 / len(loss)) - 1
    assert quality["loss"]["value"] == pytest.approx(geometric)
    assert quality["discernibility"]["value"] == squares
    assert quality["average_class_size"]["value"] == pytest.approx(len(keys) / groups)
    assert quality["height"]["value"] == sum(LEVELS.values())
    model = KAnonymity(5)
    assumed = (
        *("quasi_identifiers_complete", "one_record_per_person"),
        "population_is_the_data",
    )
    return ReleaseFigures(
        criteria=measure_criteria(project, Classes(table, classes, table), policy),
        dossier=dossier_of(project, (), suppresses=n_suppressed > 0),
        models=[Model(**model.to_json(), satisfied=True, words=model.words())],
        risk={
            **risk_of(kept, 0.2),
            "threshold": 0.2,
            "before": risk_of(list(before.values()), 0.2),
        },
        quality=quality,
        search={"method": "profile", "nodes": 6480, "checked": 6480, "complete": True},
        assumptions=[ASSUMPTIONS[code] for code in assumed],
        warnings=[
            *warnings_of_policy(0, [model], rounds_have_conditions=False),
            *warnings_of_decisions(None, "Privacy board", "random"),
        ],
    )


def test_adult_is_released_and_verifies(order, tmp_path):
    made = write_release(tmp_path / "out", order)
    assert made.verification.failed == ()
    # These depend on the original values, which the files do not tell.
    assert set(made.verification.unmeasured) == {
        *("kl_divergence", "monotone_discernibility", "monotone_entropy"),
        *("non_uniform_entropy", "normalized_entropy"),
    }
    evidence = json.loads((made.folder / "evidence.json").read_bytes())
    assert evidence["records"] == 30162
    assert evidence["policy"]["levels"] == LEVELS
    with (made.folder / evidence["outputs"][0]["path"]).open(newline="") as file:
        header, *rows = csv.reader(file)
    assert tuple(header) == order.table.column_names
    suppressed = [row for row in rows if set(row) == {"*"}]
    assert len(suppressed) == evidence["suppressed_records"]
    names = [header.index(name) for name in QUASI_IDENTIFIERS]
    sizes = Counter(tuple(row[at] for at in names) for row in rows if set(row) != {"*"})
    assert min(sizes.values()) >= 5
    # Sensitive values of the released records, whatever their order.
    keys = released_keys(order.table, order.policy)
    counts = Counter(keys)
    salary = order.table.column("salary-class")
    expected = Counter(
        salary.text(row) for row, key in enumerate(keys) if counts[key] >= 5
    )
    at = header.index("salary-class")
    assert Counter(r[at] for r in rows if set(r) != {"*"}) == expected
