"""A small release with everything in it, measured by plain Python."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from deidgui.app.classes import Classes
from deidgui.app.dossier.dossier import OfRelease, dossier_facts
from deidgui.app.measuring.criteria import measure_criteria
from deidgui.app.measuring.measuring import quality_figures
from deidgui.app.project import (
    Attribute,
    Dossier,
    Export,
    InputFile,
    Privacy,
    Project,
)
from deidgui.app.project import Threshold as ThresholdChoice
from deidgui.app.release.writing import ReleaseOrder
from deidgui.app.stated import (
    ASSUMPTIONS,
    assumption_codes,
    warnings_of_decisions,
    warnings_of_policy,
)
from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.table import Column, Table
from deidgui.engine.evidence import document
from deidgui.engine.evidence.document import Model, Overruled
from deidgui.engine.evidence.entered import Entry
from deidgui.engine.evidence.evidence import ReleaseFigures
from deidgui.engine.policy.policy import Policy, lattice_policy
from deidgui.engine.policy.released import released_classes
from deidgui.engine.privacy import KAnonymity, PrivacyModel

OVERRULED = (
    "OVERRULED: a threshold that was set is NOT met. It asks: {words} A person "
    "released the table all the same, for this reason: It is a test."
)
CREATED = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


def age_row(text: str) -> tuple[str, ...]:
    """Age in years, 10-year bands, and nothing."""
    if not text:
        return ("", "", "*")
    low = int(text) // 10 * 10
    return (text, f"{low}–{low + 9}", "*")


def hierarchies(table: Table) -> list[Hierarchy]:
    """Hierarchies of age, sex and zip; those of age and zip fit the file."""
    ages = sorted(set(table.column("age").texts()), key=lambda text: int(text or -1))
    zips = table.column("zip").texts()
    return [
        Hierarchy.from_grid("age", [age_row(age) for age in ages], missing=""),
        Hierarchy.from_grid("sex", [("F", "*"), ("M", "*"), ("X", "*")]),
        Hierarchy.from_grid("zip", [(z, z[:3] + "**", "*") for z in zips]),
    ]


def make_table(n: int = 400, seed: int = 7) -> Table:
    """Patients with an identifier, three quasi-identifiers and two others."""
    rng = np.random.default_rng(seed)
    ages = [str(age) if age > 20 else "" for age in rng.integers(18, 80, n)]
    notes = ["stable", '-1+1 "urgent"', "=2*3", "", "a;=b", "x,y", "two\nlines"]
    texts = {
        "mrn": [f"M{number:05d}" for number in rng.permutation(n)],
        "name": [f"Person {number % 97}" for number in range(n)],
        "age": ages,
        "sex": rng.choice(["F", "M"], n).tolist(),
        "zip": [f"{z:05d}" for z in rng.choice([1001, 1002, 2101, 90210], n)],
        "diagnosis": rng.choice(["I10", "E11", "J45"], n).tolist(),
        "note": rng.choice(notes, n).tolist(),
        "internal": ["x"] * n,
    }
    columns = [Column.from_texts(name, column) for name, column in texts.items()]
    return Table("patients.csv", tuple(columns))


def make_project(**export: Any) -> Project:
    """Decisions for `make_table`."""
    settings = {"suppressed": "stars", "shuffle_seed": 3, **export}
    return Project(
        unit={"kind": "row"},
        name="Asthma registry extract",
        inputs=(InputFile(file="patients.csv"),),
        attributes=(
            Attribute(name="mrn", role="direct_identifier", treatment="pseudonym"),
            Attribute(name="name", role="direct_identifier", treatment="remove"),
            Attribute(name="age", role="quasi_identifier", kind="integer"),
            Attribute(name="sex", role="quasi_identifier", kind="category"),
            Attribute(name="zip", role="quasi_identifier"),
            Attribute(name="diagnosis", role="sensitive", confirmed=True),
            Attribute(name="note", role="insensitive"),
            Attribute(name="internal", include=False),
        ),
        privacy=Privacy(
            threshold=ThresholdChoice(
                recipient="researcher",
                justification="Data use agreement 2026-17, no linkage allowed.",
                set_by="Privacy board, 3 November 2026",
                at_risk=0.2,
            ),
            models=({"kind": "k_anonymity", "k": 5},),
            suppression_limit=1.0,
        ),
        export=Export(**settings),
    )


def make_order(
    folder: Path,
    levels: dict[str, int] | None = None,
    below: int = 5,
    key_file: Path | None = None,
    table: Table | None = None,
    conditions: Sequence[PrivacyModel] = (),
    **export: Any,
) -> ReleaseOrder:
    """A release order for `make_table`; its input file is written to `folder`."""
    table = table or make_table()
    source = folder / table.name
    source.write_bytes(f"stands for the file of {table.n_rows} rows\n".encode())
    classes = build_class_table(table, hierarchies(table), {"diagnosis": None})
    policy = lattice_policy(
        classes.hierarchies,
        levels or {"age": 1, "sex": 0, "zip": 1},
        below,
        "profile",
        conditions,
    )
    project = make_project(**export)
    if key_file is not None:
        custodian = Entry(text="Archive", by="Data manager", on="2026-11-20")
        project = project.but(dossier=Dossier(entries={"key_custodian": custodian}))
    return ReleaseOrder(
        project=project,
        input_path=source,
        input_sha256=hashlib.sha256(source.read_bytes()).hexdigest(),
        table=table,
        class_table=classes,
        policy=policy,
        figures=make_figures(table, policy, project),
        created=CREATED,
        key_file=key_file,
    )


def with_project(order: ReleaseOrder, project: Project) -> ReleaseOrder:
    """The same order by other decisions, with the figures of these."""
    figures = make_figures(order.table, order.policy, project)
    return replace(order, project=project, figures=figures)


def released_keys(table: Table, policy: Policy) -> list[tuple[str, ...]]:
    """Released labels of the quasi-identifiers of every record, the slow way."""
    columns = []
    for each in policy.maps:
        leaf = {text: n for n, text in enumerate(each.hierarchy.leaves)}
        column = table.column(each.attribute)
        columns.append(
            [
                each.labels[each.groups[leaf[column.text(row)]]]
                for row in range(table.n_rows)
            ]
        )
    return list(zip(*columns, strict=True))


def released_keys_of(
    table: Table,
    policy: Policy,
    keys: list[tuple[str, ...]],
    counts: Counter[tuple[str, ...]],
) -> dict[tuple[str, ...], bool]:
    """Whether each class is released: large enough, with three diagnoses if asked."""
    diagnoses: dict[tuple[str, ...], set[str]] = {key: set() for key in counts}
    for row, key in enumerate(keys):
        diagnoses[key].add(table.column("diagnosis").text(row))
    return {
        key: size >= policy.suppress_below
        and (not policy.conditions or len(diagnoses[key]) >= 3)
        for key, size in counts.items()
    }


def risk_of(sizes: list[int], threshold: float) -> dict[str, Any]:
    """Figures of methods.md F.1 with nothing known about the population."""
    n, n_classes = sum(sizes), len(sizes)
    if not n:
        none: dict[str, Any] = {}
        counts = {"records": 0, "classes": 0, "smallest_class": None, "uniques": 0}
        return {"prosecutor": none, "journalist": none, "marketer": none, **counts}
    at_risk = sum(size for size in sizes if 1 / size > threshold)
    attacker = {
        "highest": 1 / min(sizes),
        "average": n_classes / n,
        "at_risk": at_risk / n,
        "records_at_risk": at_risk,
    }
    return {
        "prosecutor": attacker,
        "journalist": attacker,
        "marketer": {"average": n_classes / n},
        "records": n,
        "classes": n_classes,
        "smallest_class": min(sizes),
        "uniques": sizes.count(1),
    }


def make_quality(
    project: Project, table: Table, policy: Policy, loss: dict[str, float]
) -> dict[str, dict[str, Any]]:
    """Every measure in the program's figures and words; the loss from rows."""
    classes = build_class_table(table, hierarchies(table), {"diagnosis": None})
    found = released_classes(classes, policy)
    quality = {
        each.measure.kind: {
            **each.measure.params,
            "value": each.value,
            "words": f"{each.measure.title}: {each.measure.words()}",
            "by_attribute": dict(each.by_attribute),
        }
        for each in quality_figures(project, classes, found)
    }
    found_loss = quality["loss"]["by_attribute"]
    for name, value in loss.items():
        assert math.isclose(found_loss[name], value, rel_tol=1e-9, abs_tol=1e-12)
    return quality


def make_figures(table: Table, policy: Policy, project: Project) -> ReleaseFigures:
    """Figures of a policy on a table, from rows."""
    order = "input"
    if project.export.shuffle:
        order = "random" if project.export.shuffle_seed is None else "seeded"
    models = [KAnonymity(5), *policy.conditions]
    risk_codes = (
        *("quasi_identifiers_complete", "one_record_per_person"),
        "population_is_the_data",
    )
    keys = released_keys(table, policy)
    counts = Counter(keys)
    is_released = released_keys_of(table, policy, keys, counts)
    kept = [size for key, size in counts.items() if is_released[key]]
    raw = [table.column(name) for name in policy.attributes]
    before = Counter(tuple(c.text(row) for c in raw) for row in range(table.n_rows))
    risk = risk_of(kept, 0.2)
    loss = {
        each.attribute: loss_of_attribute(
            [key[place] for key in keys],
            [is_released[key] for key in keys],
            Counter(each.labels[group] for group in each.groups),
        )
        for place, each in enumerate(policy.maps)
    }
    is_met = not kept or min(kept) >= 5
    overruled = [
        Overruled(**model.to_json(), words=model.words(), because="It is a test.")
        for model in models[:1]
        if not is_met
    ]
    classes = build_class_table(table, hierarchies(table), {"diagnosis": None})
    return ReleaseFigures(
        overruled=overruled,
        criteria=measure_criteria(project, Classes(table, classes, table), policy),
        dossier=dossier_of(project, overruled, suppresses=sum(kept) < table.n_rows),
        models=[
            Model(
                **model.to_json(),
                satisfied=is_met or model.kind != "k_anonymity",
                words=model.words(),
            )
            for model in models
        ],
        risk={
            **risk,
            "threshold": 0.2,
            "before": risk_of(list(before.values()), 0.2),
        },
        quality=make_quality(project, table, policy, loss),
        search={
            "method": "profile",
            "seed": 0,
            "nodes": 18,
            "checked": 18,
            "complete": True,
        },
        assumptions=[
            ASSUMPTIONS[code]
            for code in assumption_codes(risk_codes, models, of_people=False)
        ],
        warnings=[
            *([] if is_met else [OVERRULED.format(words=models[0].words())]),
            *warnings_of_policy(0, models, False),
            *warnings_of_decisions(None, "somebody", order),
        ],
    )


def dossier_of(
    project: Project, overruled: Sequence[Overruled], *, suppresses: bool = True
) -> document.Dossier:
    """State of a dossier in which nothing is measured in vain, and nobody is asked."""
    of_release = OfRelease(has_gaps=False, overruled=tuple(overruled))
    return dossier_facts(project, suppresses=suppresses, of_release=of_release)


def loss_of_attribute(
    labels: list[str], kept: list[bool], leaves: Counter[str]
) -> float:
    """Normalised Loss, record by record (methods.md B.4)."""
    n, total = len(labels), leaves.total()
    raw = sum(
        leaves[label] / total if keep else 1.0
        for label, keep in zip(labels, kept, strict=True)
    )
    return max(0.0, (raw - n / total) / (n - n / total))
