"""The command that finds a policy block by block."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deidgui.app.classes import Classes, build_classes
from deidgui.app.commands.headless import Confirm, open_project
from deidgui.app.commands.summary import WIDTH
from deidgui.app.policies.blocks.source import USUAL_TIMES, block_sizes
from deidgui.app.policies.source import BLOCKS
from deidgui.app.policies.source import source as policy_source
from deidgui.app.power.risk import described_choice
from deidgui.app.project import Project
from deidgui.app.storage.files import write_whole
from deidgui.app.storage.project_io import load_project
from deidgui.errors import raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import tr


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
    project, classes = _opened(project, project_file, inputs, confirm, monitor)
    found = source.run(project, classes, monitor=SubMonitor(monitor, 0.3, 1.0))
    if found.optimum is None:
        raise found.nothing_meets()
    if write is not None:
        content = found.choice(0).model_dump_json(by_alias=True, indent=1)
        write_whole(write, f"{content}\n".encode())
    described: dict[str, Any] = source.describe(found)
    return described


def sizes(
    project_file: Path,
    inputs: Mapping[str, Path],
    *,
    confirm: Confirm | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Return the sizes of blocks: how many there are, how long a search should take.

    Raises
    ------
    DeidError
        As `build_classes` and `block_sizes`.
    """
    project, classes = _opened(
        load_project(project_file), project_file, inputs, confirm, monitor
    )
    found = block_sizes(project, classes, monitor=SubMonitor(monitor, 0.3, 1.0))
    low, high = USUAL_TIMES
    return {
        "rows": classes.class_table.n_classes,
        "choices": [
            {
                **described_choice(each),
                "search_seconds": [low * each.seconds, high * each.seconds],
            }
            for each in found
        ],
    }


def in_words(found: Mapping[str, Any]) -> str:
    """Return what `sizes` says as text for a terminal."""
    heads = tr("size"), tr("blocks"), tr("seconds"), tr("too high by")
    lines = [f"{heads[0]:>6}{heads[1]:>10}{heads[2]:>18}{heads[3]:>14}"]
    for each in found["choices"]:
        low, high = each["search_seconds"]
        seconds = f"{low:,.2g} – {high:,.2g}"
        over = each["over_estimate_words"]
        line = f"{each['size']:>6}{each['sets']:>10,}{seconds:>18}{over:>14}"
        lines.append(line + (f"  {tr('proposed')}" if each["usual"] else ""))
    words = tr(
        "Seconds: how long a search usually takes, an estimate. Too high by: the share "
        "of records at risk by these blocks, minus that by every set that is known."
    )
    return "\n".join([*lines, "", textwrap.fill(words, WIDTH)])


def _opened(
    project: Project,
    project_file: Path,
    inputs: Mapping[str, Path],
    confirm: Confirm | None,
    monitor: Monitor,
) -> tuple[Project, Classes]:
    """Open the files of a project, and count its classes."""
    raise_all(policy_source(BLOCKS).problems(project))
    step = SubMonitor(monitor, 0.0, 0.2)
    project, opened = open_project(project, project_file, inputs, confirm, step)
    step = SubMonitor(monitor, 0.2, 0.3)
    files, population = opened.files, opened.population
    table = opened.loaded.table
    return project, build_classes(project, table, files, population, monitor=step)
