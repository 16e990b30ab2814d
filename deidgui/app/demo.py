"""The whole job on the built-in sample, with decisions that are written down."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from deidgui import resources
from deidgui.app import ops
from deidgui.app.classes import build_classes
from deidgui.app.measuring.measuring import risk_json
from deidgui.app.policies.lattice.searching import search as search_policies
from deidgui.app.project import Project
from deidgui.app.project_io import SUFFIX, load_project, save_project
from deidgui.app.reading.reading import propose_project, read_input
from deidgui.app.recipients import take_over
from deidgui.app.release.releasing import release
from deidgui.engine.evidence.verify import verify_release
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import tr

SAMPLE = "synthetic_patients.csv.gz"
"""The synthetic hospital cohort that ships with the program."""


def sample_path() -> Path:
    """Path of the built-in sample."""
    return resources.path("samples", SAMPLE)


def prepared(project: Project) -> Project:
    """Return the sample's project with what a data manager would see at once.

    The city follows from the ZIP code, and the discharge date from the admission
    date and the length of stay: each would only be generalized along. Nobody needs
    exact dates, so the search begins at years of birth and quarters of admission.
    """
    for op in (
        ops.set_name(tr("Synthetic hospital cohort")),
        ops.set_notes(
            tr(
                "A worked example on synthetic data. The city is left out because it "
                "follows from the ZIP code, and the discharge date because it follows "
                "from the admission date and the length of stay."
            )
        ),
        ops.set_included("city", include=False),
        ops.set_included("discharge_date", include=False),
        ops.change_attribute("birth_date", minimum_level=3),
        ops.change_attribute("admission_date", minimum_level=2),
    ):
        project = op(project)
    return project


def decided(project: Project) -> Project:
    """Return the sample's project with all decisions of the worked example.

    Researchers under an agreement receive it, with the thresholds that are usual
    for them; suppressed records stay as rows of stars.
    """
    for op in (
        prepared,
        ops.confirm_roles(),
        take_over("researcher"),
        ops.change_threshold(set_by=tr("the worked example of deidgui")),
        ops.change_export(suppressed="stars"),
    ):
        project = op(project)
    return project


def _check_project_file(path: Path) -> None:
    """Refuse to overwrite a project that is not the demo's own of an earlier time."""
    if path.exists():
        inputs = load_project(path).inputs
        if [each.file for each in inputs] != [SAMPLE]:
            raise ConfigError("project_exists", file=path.name)


def run(out: Path, *, monitor: Monitor = NULL_MONITOR) -> dict[str, Any]:
    """Read, classify, search, export and verify the sample.

    Parameters
    ----------
    out : Path
        Folder of the release; the project is written beside it.

    Returns
    -------
    dict
        What was done in figures and words, as JSON values.

    Raises
    ------
    ConfigError
        Code ``project_exists`` if a project of somebody else would be overwritten.
    DeidError
        As the steps of the job.
    """
    started = time.monotonic()
    project_file = out.with_name(f"{out.name}{SUFFIX}")
    _check_project_file(project_file)
    path = sample_path()
    loaded = read_input(path, monitor=SubMonitor(monitor, 0.0, 0.3))
    project = decided(propose_project(loaded))
    classes = build_classes(
        project, loaded.table, {}, monitor=SubMonitor(monitor, 0.3, 0.35)
    )
    found = search_policies(project, classes, monitor=SubMonitor(monitor, 0.35, 0.6))
    released = release(
        project,
        loaded,
        out,
        {},
        classes=classes,
        found=found,
        monitor=SubMonitor(monitor, 0.6, 0.9),
    )
    save_project(project, project_file)
    verified = verify_release(out, monitor=SubMonitor(monitor, 0.9, 1.0))
    measured = released.measured
    return {
        "file": path.name,
        "records": measured.n_records,
        "columns": len(project.attributes),
        "roles": {
            role: [attribute.name for attribute in project.with_role(role)]
            for role in (
                "direct_identifier",
                "quasi_identifier",
                "sensitive",
                "insensitive",
            )
        },
        "left_out": [each.name for each in project.attributes if not each.include],
        "thresholds": [verdict.model.words() for verdict in measured.verdicts],
        "nodes": found.n_nodes,
        "solutions": found.result.n_solutions,
        "policy": measured.words,
        "withheld": measured.n_suppressed,
        "risk_before": risk_json(measured.before),
        "risk_after": risk_json(measured.after),
        "release": str(out),
        "project": str(project_file),
        "verified": verified.ok,
        "checks": len(verified.checks),
        "seconds": round(time.monotonic() - started, 1),
    }
