"""The command that finds a policy block by block: JSON values and words."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from deidgui.app.classes import Classes, build_classes
from deidgui.app.files import write_whole
from deidgui.app.headless import Confirm, open_project
from deidgui.app.policies.decisions import allowed_levels, limit_of, weights_of
from deidgui.app.policies.figures import holds, measure_policy
from deidgui.app.policies.lattice.searching import search_problems
from deidgui.app.policies.source import source_of
from deidgui.app.power.coverings import design_of
from deidgui.app.power.risk import LARGER_BLOCKS, USUAL_SETS
from deidgui.app.project import Chosen, Project
from deidgui.app.project_io import load_project
from deidgui.app.summary import WIDTH
from deidgui.engine.arrays import IntArray
from deidgui.engine.covering.blocks import Asked, ByBlocks, Step, de_identify
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.words import sentence
from deidgui.engine.privacy import KnownAttributes
from deidgui.errors import ConfigError, InfeasibleError, raise_all
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
        Attributes of a block; the smallest with few blocks by default.
    write : Path, optional
        File that the policy is written to, to be chosen.

    Raises
    ------
    DeidError
        As `search_problems` and `build_classes`; codes ``blocks_need_model``,
        ``design_sizes``, and ``blocks_over_limit`` if too much would be suppressed.
    """
    project = load_project(project_file)
    raise_all(search_problems(project))
    model = model_of(project)
    step = SubMonitor(monitor, 0.0, 0.2)
    project, opened = open_project(project, project_file, inputs, confirm, step)
    classes = build_classes(
        project,
        opened.loaded.table,
        opened.files,
        opened.population,
        monitor=SubMonitor(monitor, 0.2, 0.3),
    )
    classes.check_rows_agree(tr("de-identification by blocks"))
    sets = blocks_of(len(classes.class_table.attributes), model.known, block_size)
    step = SubMonitor(monitor, 0.3, 0.9)
    found = policy_by_blocks(project, classes, model, sets, monitor=step)
    monitor.report(0.9, "measure")
    chosen = chosen_of(classes, found)
    described = _described(project, classes, model, sets, found, chosen)
    if not described["meets"]:
        raise InfeasibleError(
            "blocks_over_limit",
            n_suppressed=described["suppressed_records"],
            limit=described["limit_records"],
        )
    if write is not None:
        content = chosen.model_dump_json(by_alias=True, indent=1)
        write_whole(write, f"{content}\n".encode())
    return described


def model_of(project: Project) -> KnownAttributes:
    """Return what is asked of few attributes; of several models the strictest of all.

    Raises
    ------
    ConfigError
        Code ``blocks_need_model``.
    """
    models = project.privacy.models
    asked = [each for each in models if isinstance(each, KnownAttributes)]
    if not asked:
        raise ConfigError("blocks_need_model")
    known = max(each.known for each in asked)
    return KnownAttributes(known, max(each.k for each in asked))


def blocks_of(n_attributes: int, known: int, size: int | None) -> IntArray:
    """Return blocks that hold every set of so many attributes.

    Raises
    ------
    ConfigError
        Code ``design_sizes``.
    """
    known = min(known, n_attributes)
    if size is not None:
        return design_of(n_attributes, size, known).points()
    largest = min(n_attributes, known + LARGER_BLOCKS)
    for each in range(known, largest + 1):
        if each == known and math.comb(n_attributes, known) > USUAL_SETS:
            continue
        design = design_of(n_attributes, each, known)
        if design.n_blocks <= USUAL_SETS or each == largest:
            break
    return design.points()


def policy_by_blocks(
    project: Project,
    classes: Classes,
    model: KnownAttributes,
    sets: IntArray,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> ByBlocks:
    """Raise levels block by block, and suppress whole records, as the project allows.

    Parameters
    ----------
    sets : ndarray of int64, shape (n_blocks, block size)
    """
    table = classes.class_table
    lowest, highest = allowed_levels(project.quasi_identifiers, table)
    heights = {each.attribute: each.height for each in table.hierarchies}
    weights = weights_of(project)
    asked = Asked(
        sets,
        model.k,
        limit_of(project, table.n_records),
        [lowest.get(name, 0) for name in table.attributes],
        [highest.get(name, heights[name]) for name in table.attributes],
        [weights[name] for name in table.attributes],
        by_record=True,
    )
    return de_identify(table, asked, monitor=monitor)


def chosen_of(classes: Classes, found: ByBlocks) -> Chosen:
    """Return the levels as a project stores them.

    Which records are suppressed follows from the privacy models. By every set itself
    they are no more than by blocks, which tell more than the sets in them.
    """
    names = classes.class_table.attributes
    return Chosen(levels=dict(zip(names, found.levels, strict=True)))


def _described(
    project: Project,
    classes: Classes,
    model: KnownAttributes,
    sets: IntArray,
    found: ByBlocks,
    chosen: Chosen,
) -> dict[str, Any]:
    table = classes.class_table
    policy = source_of(chosen).policy_of(chosen, project, classes)
    measured = measure_policy(
        policy, table, project.quality.measure, weights_of(project)
    ).figures
    n_suppressed, limit = measured.n_suppressed or 0, limit_of(project, table.n_records)
    of_people = table.units is not None
    return {
        "unit": "people" if of_people else "records",
        "n": table.n_records,
        "known": model.known,
        "k": model.k,
        "attributes": list(table.attributes),
        "block_size": int(sets.shape[1]),
        "blocks": len(sets),
        "steps": [_step(each, table.attributes) for each in found.steps],
        "levels": chosen.levels,
        "suppressed_by_blocks": found.n_touched,
        "suppressed_records": n_suppressed,
        "limit_records": limit,
        "loss": measured.loss,
        "meets": _meets(project, classes, policy) and n_suppressed <= limit,
        "words": sentence(policy, n_suppressed, table.n_records, of_people=of_people),
    }


def _meets(project: Project, classes: Classes, policy: Policy) -> bool:
    return holds(policy, classes.class_table, project.privacy.models)


def _step(step: Step, names: Sequence[str]) -> dict[str, Any]:
    return {
        "pass": step.number,
        "attributes": [names[at] for at in step.block],
        "at_risk_before": step.n_before,
        "at_risk_after": step.n_after,
        "raised": {names[at]: [low, high] for at, low, high in step.raised},
        "suppressed": step.n_records,
        "again": step.is_again,
    }


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
    return (
        f"{step['pass']:>5}{step['at_risk_before']:>10,}{step['suppressed']:>12,}  "
        f"{text}"
    )


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, break_on_hyphens=False)
