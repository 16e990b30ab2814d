"""A release of real data: Adult with its nine hierarchies, measured by plain code."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
from collections import Counter

import pytest

from deidgui.app.project import Attribute, Export, Project
from deidgui.app.release.writing import ReleaseOrder, write_release
from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.table import Column, Table
from deidgui.engine.evidence.document import Model
from deidgui.engine.evidence.evidence import ReleaseFigures
from deidgui.engine.policy.policy import lattice_policy
from deidgui.engine.privacy import KAnonymity
from tests.release_case import CREATED, loss_of_attribute, released_keys, risk_of
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
        export=Export(suppressed="stars"),
    )
    return ReleaseOrder(
        project=project,
        input_path=source,
        input_sha256=hashlib.sha256(source.read_bytes()).hexdigest(),
        table=table,
        class_table=classes,
        policy=policy,
        figures=figures(table, policy),
        created=CREATED,
    )


def figures(table, policy):
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
    return ReleaseFigures(
        models=[Model(**KAnonymity(5).to_json(), satisfied=True)],
        risk={
            **risk_of(kept, 0.2),
            "threshold": 0.2,
            "before": risk_of(list(before.values()), 0.2),
        },
        quality={
            "loss": {
                "value": sum(loss.values()) / len(loss),
                "aggregate": "arithmetic_mean",
                "gs_factor": 0.5,
                "by_attribute": loss,
            },
            "discernibility": {"value": float(squares)},
            "average_class_size": {"value": len(keys) / groups, "gs_factor": 0.5},
            "height": {"value": float(sum(LEVELS.values())), "aggregate": "sum"},
        },
        search={"method": "profile", "nodes": 6480, "checked": 6480, "complete": True},
    )


def test_adult_is_released_and_verifies(order, tmp_path):
    made = write_release(tmp_path / "out", order)
    assert made.verification.failed == ()
    assert made.verification.unmeasured == ()
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
