"""Stays of made-up patients with every decision that a longitudinal search asks for."""

from __future__ import annotations

from pathlib import Path

from deidgui.app import ops
from deidgui.app.classes import Classes, build_classes
from deidgui.app.loaded import Loaded
from deidgui.app.project import EventsKnown, Project
from deidgui.app.reading.reading import propose_project, read_input
from tests.events_case import write_events

ROLES = {
    "hadm_id": "direct_identifier",
    "sex": "quasi_identifier",
    "birth_year": "quasi_identifier",
    "region": "quasi_identifier",
    "admission_year": "quasi_identifier",
    "ward": "quasi_identifier",
    "diagnosis": "sensitive",
}

KNOWN = EventsKnown(
    power=2, diversity="entropy", threshold=0.2, limit=0.05, rule="large_sample"
)


def decided(
    path: Path, known: EventsKnown | None = KNOWN, **roles: str
) -> tuple[Project, Loaded]:
    """Decide everything about a table of stays."""
    loaded = read_input(path)
    project = propose_project(loaded)
    decisions = [
        *(ops.set_role(name, role) for name, role in {**ROLES, **roles}.items()),
        ops.set_role("subject_id", "direct_identifier", "pseudonym"),
        ops.set_protection("subject_id"),
        ops.take_over("researcher"),
        ops.change_threshold(set_by="test"),
        ops.set_events(known),
        ops.change_export(suppressed="stars", shuffle_seed=3),
    ]
    for each in decisions:
        project = each(project)
    for name in project.quasi_identifiers:
        if name.hierarchy is None:
            project = ops.set_hierarchy(name.name, {"kind": "flat"})(project)
    return project, loaded


def make_events_case(
    folder: Path, known: EventsKnown | None = KNOWN, n_patients: int = 300
) -> tuple[Project, Classes, Loaded]:
    """Return decisions, classes and the file of some patients."""
    project, loaded = decided(write_events(folder / "stays.csv", n_patients), known)
    return project, build_classes(project, loaded.table, {}), loaded
