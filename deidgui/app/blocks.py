"""The command that finds a policy block by block."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deidgui.app.classes import build_classes
from deidgui.app.files import write_whole
from deidgui.app.headless import Confirm, open_project
from deidgui.app.policies.source import BLOCKS
from deidgui.app.policies.source import source as policy_source
from deidgui.app.project_io import load_project
from deidgui.errors import raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


def blocks(
    project_file: Path,
    inputs: Mapping[str, Path],
    block_size: int | None = None,
    write: Path | None = None,
    *,
    confirm: Confirm | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Find a policy under which no few attributes put anybody into a class too small.

    Parameters
    ----------
    block_size : int, optional
        Attributes of a block; what the project says by default.
    write : Path, optional
        File that the policy is written to, to be chosen.

    Raises
    ------
    DeidError
        As `build_classes`, the source of policies, and `BlockPolicies.nothing_meets`.
    """
    project = load_project(project_file)
    if block_size is not None:
        project = project.but(blocks=project.blocks.but(size=block_size))
    source = policy_source(BLOCKS)
    raise_all(source.problems(project))
    step = SubMonitor(monitor, 0.0, 0.2)
    project, opened = open_project(project, project_file, inputs, confirm, step)
    classes = build_classes(
        project,
        opened.loaded.table,
        opened.files,
        opened.population,
        monitor=SubMonitor(monitor, 0.2, 0.3),
    )
    found = source.run(project, classes, monitor=SubMonitor(monitor, 0.3, 1.0))
    if found.optimum is None:
        raise found.nothing_meets()
    if write is not None:
        content = found.choice(0).model_dump_json(by_alias=True, indent=1)
        write_whole(write, f"{content}\n".encode())
    described: dict[str, Any] = source.describe(found)
    return described
