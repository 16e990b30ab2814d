"""The whole job on the built-in sample, from its file to a verified release."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from deidgui import resources
from deidgui.app.classes import build_classes
from deidgui.app.measuring.measuring import risk_json
from deidgui.app.policies.lattice.searching import search as search_policies
from deidgui.app.reading.reading import propose_project, read_input
from deidgui.app.release.releasing import prepare, release
from deidgui.app.release.verifying import verify
from deidgui.app.sample import answered, decided
from deidgui.app.storage.project_io import SUFFIX, load_project, save_project
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


def _check_project_file(path: Path) -> None:
    """Refuse to overwrite a project that is not the demo's own of an earlier time."""
    if path.exists():
        inputs = load_project(path).inputs
        if [each.file for each in inputs] != [resources.SAMPLE]:
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
    path = resources.sample_path()
    loaded = read_input(path, monitor=SubMonitor(monitor, 0.0, 0.3))
    project = decided(propose_project(loaded))
    classes = build_classes(
        project, loaded.table, {}, monitor=SubMonitor(monitor, 0.3, 0.35)
    )
    found = search_policies(project, classes, monitor=SubMonitor(monitor, 0.35, 0.6))
    known: dict[str, Any] = {"classes": classes, "found": found}
    step = SubMonitor(monitor, 0.6, 0.65)
    asked = prepare(project, loaded, {}, **known, monitor=step)
    known["found"] = asked.found
    project = answered(project, asked.questions)
    step = SubMonitor(monitor, 0.65, 0.9)
    released = release(project, loaded, out, {}, **known, monitor=step)
    save_project(project, project_file)
    verified = verify(out, monitor=SubMonitor(monitor, 0.9, 1.0))
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
        "recipient": project.privacy.threshold.recipient,
        "answers": [
            each.model_dump(include={"words", "because", "by", "on"})
            for each in released.written.evidence.questions
        ],
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
