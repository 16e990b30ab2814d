"""The command that finds a policy block by block: JSON values and words."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deidgui.app.classes import build_classes
from deidgui.app.files import write_whole
from deidgui.app.headless import Confirm, open_project
from deidgui.app.policies.source import BLOCKS
from deidgui.app.policies.source import source as policy_source
from deidgui.app.project_io import load_project
from deidgui.app.summary import WIDTH
from deidgui.errors import InfeasibleError, raise_all
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
        As `build_classes` and the source of policies; code ``blocks_over_limit`` if
        too much would be suppressed.
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
    described = source.describe(found)
    if not described["meets"]:
        raise InfeasibleError(
            "blocks_over_limit",
            n_suppressed=described["suppressed_records"]
            + described["records_with_suppressed_cells"],
            limit=described["limit_records"],
        )
    if write is not None:
        content = found.choice(0).model_dump_json(by_alias=True, indent=1)
        write_whole(write, f"{content}\n".encode())
    return described


def in_words(found: Mapping[str, Any]) -> str:
    """Return the result of `blocks` as text for a terminal."""
    lines = _wrapped(
        tr(
            "An adversary knows any {known} of {m:attribute|attributes}. "
            "{n:block|blocks} of {size} hold every set; each was raised and suppressed "
            "until every class has {k:record|records} or more.",
            known=found["known"],
            m=len(found["attributes"]),
            n=found["blocks"],
            size=found["block_size"],
            k=found["k"],
        )
    )
    head = (tr("pass"), tr("at risk"), tr("suppressed"), tr("block: levels raised"))
    lines += ["", f"{head[0]:>5}{head[1]:>10}{head[2]:>12}  {head[3]}"]
    lines += [_line(each) for each in found["steps"]]
    lines += ["", *_wrapped(found["words"])]
    return "\n".join(lines)


def _line(step: Mapping[str, Any]) -> str:
    raised = [f"{name} {low} → {high}" for name, (low, high) in step["raised"].items()]
    text = ", ".join(step["attributes"])
    if raised:
        text = f"{text}: {', '.join(raised)}"
    n_suppressed = step["suppressed"] or step["suppressed_cells"]
    return f"{step['pass']:>5}{step['at_risk_before']:>10,}{n_suppressed:>12,}  {text}"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, break_on_hyphens=False)
