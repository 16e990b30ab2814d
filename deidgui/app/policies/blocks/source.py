"""Policies for an adversary who knows few of many quasi-identifiers: block by block."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakKeyDictionary

from deidgui.app.classes import Classes
from deidgui.app.demands import search_problems
from deidgui.app.policies.blocks.policies import BlockPolicies
from deidgui.app.policies.candidate import CandidateState, Figures, Proof, n_whole
from deidgui.app.policies.decisions import (
    allowed_levels,
    kept_levels,
    limit_of,
    weights_of,
)
from deidgui.app.policies.lattice.storing import lattice_rounds
from deidgui.app.policies.listed import Listed
from deidgui.app.policies.policy_set import Emit
from deidgui.app.policies.source import BLOCKS, PolicySource
from deidgui.app.power.coverings import design_of
from deidgui.app.power.risk import (
    LARGER_BLOCKS,
    USUAL_SETS,
    BlockChoice,
    block_choices,
    power_table,
)
from deidgui.app.project import (
    AttributesKnown,
    BlocksChoice,
    Chosen,
    ChosenCells,
    Project,
)
from deidgui.engine.arrays import IntArray
from deidgui.engine.covering.blocks import (
    BlockStep,
    BlockTask,
    ByBlocks,
    de_identify,
    suppress,
)
from deidgui.engine.covering.design import MOST_POINTS, schoenheim_bound
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.policy.policy import (
    Policy,
    SuppressedCells,
    lattice_policy,
    policy_with_cells,
)
from deidgui.engine.policy.words import sentence
from deidgui.engine.privacy import KnownAttributes, PrivacyModel
from deidgui.engine.privacy.known_attributes import MOST_SETS
from deidgui.errors import Cancelled, ConfigError, DeidError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import tr

METHOD = "blocks"
"""Of searching, in evidence and descriptions."""

REPORT_EVERY_S = 0.25
"""How often what was done so far is told."""

DESIGNING, TREATING = 0.1, 0.85
"""Parts of the progress at which the blocks are known, and no block fails."""


def blocks_problems(
    project: Project, classes: Classes | None = None
) -> list[DeidError]:
    """Return the decisions that are missing or do not go together.

    Codes ``blocks_need_model``, ``blocks_attributes``, ``blocks_size`` and
    ``blocks_cells_refused``, and those of `search_problems`.

    Parameters
    ----------
    classes : Classes, optional
        Of the same decisions: they tell whether people of a population are counted.
    """
    problems = search_problems(project)
    model, size = model_of(project.privacy.models), project.blocks.size
    if project.privacy.models and model is None:
        problems.append(ConfigError("blocks_need_model"))
    m = len(project.quasi_identifiers)
    if m > MOST_POINTS:
        problems.append(ConfigError("blocks_attributes", m=m, most=MOST_POINTS))
    elif model is not None and size is not None and m:
        known = min(model.known, m)
        if not known <= size <= m:
            problems.append(ConfigError("blocks_size", size=size, known=known, m=m))
    reason = _why_no_cells(project, classes)
    if reason and project.blocks.suppress == "cells":
        problems.append(ConfigError("blocks_cells_refused", reason=reason))
    return problems


def model_of(models: Sequence[PrivacyModel]) -> KnownAttributes | None:
    """Return what is asked of few attributes; of several models the strictest of all.

    Returns
    -------
    KnownAttributes or None
        None if there is no such model.
    """
    asked = [each for each in models if isinstance(each, KnownAttributes)]
    if not asked:
        return None
    known = max(each.known for each in asked)
    return KnownAttributes(known, max(each.k for each in asked))


def blocks_of(
    n_attributes: int,
    known: int,
    size: int | None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> IntArray:
    """Return blocks that hold every set of so many attributes.

    Parameters
    ----------
    size : int or None
        None takes the smallest size with few blocks; where there is none, every set,
        of which nothing is over-estimated.

    Returns
    -------
    ndarray of int64, shape (n_blocks, block size)

    Raises
    ------
    ConfigError
        Code ``design_sizes``.
    """
    known = min(known, n_attributes)
    if size is not None:
        return design_of(n_attributes, size, known, monitor=monitor).points()
    largest = min(n_attributes, known + LARGER_BLOCKS)
    for each in range(known, largest + 1):
        least = schoenheim_bound(n_attributes, each, known)
        # PERF: minutes for a design that is known to have too many blocks.
        if each < largest and least > USUAL_SETS:
            continue
        design = design_of(n_attributes, each, known, monitor=monitor)
        if design.n_blocks <= USUAL_SETS or each == largest:
            break
    if design.n_blocks > USUAL_SETS and math.comb(n_attributes, known) <= MOST_SETS:
        return design_of(n_attributes, known, known, monitor=monitor).points()
    return design.points()


USUAL_TIMES = (10, 80)
"""A search takes so many times as long as all blocks are measured once, usually.

Measured on tables of 8 to 30 attributes, 2 to 5 of them known, with groups of 3 and 10,
cells and records (11 to 81 times), and on 50 with 3 known and 100,000 rows (65 times):
``python -m tests.benchmarks blocks ratios``.
"""


def block_sizes(
    project: Project, classes: Classes, *, monitor: Monitor = NULL_MONITOR
) -> tuple[BlockChoice, ...]:
    """Return the sizes of blocks to choose from; seconds are those of one measurement.

    A search takes `USUAL_TIMES` as long. What is measured are the records at the least
    general levels that are allowed.

    Raises
    ------
    DeidError
        As `blocks_problems`.
    """
    raise_all(blocks_problems(project.but(blocks=BlocksChoice()), classes))
    table, model = classes.class_table, model_of(project.privacy.models)
    assert model is not None, "looked for before"
    m = len(table.attributes)
    lowest, _ = allowed_levels(project.quasi_identifiers, table)
    levels = {name: lowest.get(name, 0) for name in table.attributes}
    known = AttributesKnown(known=min(model.known, m))
    policy = lattice_policy(table.hierarchies, levels, 1, "chosen")
    step = SubMonitor(monitor, 0.1, 1.0)
    found = block_choices(
        power_table(classes, policy, known), known, model.k, monitor=step
    )
    usual = blocks_of(m, model.known, None).shape[1]
    return tuple(replace(each, is_usual=each.size == usual) for each in found)


@dataclass(eq=False)
class _Search:
    """A search that goes on, and who is told what it has come to."""

    project: Project
    classes: Classes
    found: BlockPolicies
    emit: Emit | None
    levels: list[int]
    steps: list[BlockStep] = field(default_factory=list)
    _emitted_at: float = 0.0

    def on_step(self, step: BlockStep) -> None:
        """Tell what has been done, not too often."""
        self.steps.append(step)
        for at, _, level in step.raised:
            self.levels[at] = level
        now = time.monotonic()
        if now - self._emitted_at >= REPORT_EVERY_S:
            self.report()
            self._emitted_at = now

    def report(self) -> None:
        """Tell the levels that were come to, which nothing is known about yet."""
        if self.emit is not None and self.steps:
            self.emit(self.at(self.levels, self.steps, is_complete=False))

    def at(
        self, levels: Sequence[int], steps: Sequence[BlockStep], *, is_complete: bool
    ) -> BlockPolicies:
        """Return some levels as what was found."""
        names = self.classes.class_table.attributes
        by_name = dict(zip(names, levels, strict=True))
        # Which records are suppressed follows from the privacy models. By every set
        # itself they are no more than by blocks, which tell more than the sets in them.
        chosen = Chosen(levels=by_name)
        if is_complete and self.project.blocks.suppress == "cells":
            model, size = self.found.of_model, self.found.blocks.shape[1]
            cells = ChosenCells(known=model.known, k=model.k, size=size)
            chosen = Chosen(kind="blocks", levels=by_name, cells=cells)
        policy = SOURCE.policy_of(chosen, self.project, self.classes)
        listed = Listed(chosen, policy, Figures(), CandidateState.UNCHECKED)
        proof = Proof(METHOD, None, len(steps), is_complete)
        return replace(
            self.found, policies=(listed,), steps=tuple(steps), how_found=proof
        )


class BlocksSource(PolicySource[BlockPolicies]):
    """Raises levels block by block, and suppresses the rest (see `PolicySource`)."""

    kind = BLOCKS

    def problems(self, project: Project) -> list[DeidError]:
        """Return what is missing before it can run."""
        return blocks_problems(project)

    def run(
        self,
        project: Project,
        classes: Classes,
        *,
        basis: Any = None,
        emit: Emit | None = None,
        monitor: Monitor = NULL_MONITOR,
    ) -> BlockPolicies:
        """Change levels until no few attributes put anybody into a small class."""
        del basis
        raise_all(blocks_problems(project, classes))
        classes.check_rows_agree(tr("de-identification by blocks"))
        step = SubMonitor(monitor, 0.0, DESIGNING)
        empty = _empty(project, classes, step)
        asked = _asked(project, classes, empty)
        search = _Search(project, classes, empty, emit, list(asked.lowest))
        step = SubMonitor(monitor, DESIGNING, TREATING)
        try:
            done = de_identify(
                classes.class_table, asked, on_step=search.on_step, monitor=step
            )
        except Cancelled:
            search.report()
            raise
        if not asked.by_record:
            _remember(project, classes, empty, done)
        found = search.at(done.levels, done.steps, is_complete=True)
        measure, weights = project.quality.measure, weights_of(project)
        step = SubMonitor(monitor, TREATING, 1.0)
        return found.guided_by(measure, weights, monitor=step)

    def describe(
        self, found: BlockPolicies, *, monitor: Monitor = NULL_MONITOR
    ) -> dict[str, Any]:
        """Return what was found as JSON values; see `describe_blocks`."""
        monitor.report(0.0, "describe")
        return describe_blocks(found)

    def policy_of(self, chosen: Chosen, project: Project, classes: Classes) -> Policy:
        """Rebuild a stored policy."""
        if chosen.cells is None:
            return lattice_rounds(chosen, project, classes)
        return _with_cells(chosen, chosen.cells, project, classes)


_KNOWN: WeakKeyDictionary[ClassTable, dict[str, SuppressedCells]] = WeakKeyDictionary()
"""What was suppressed already: it takes minutes for many quasi-identifiers."""


def _with_cells(
    chosen: Chosen, rule: ChosenCells, project: Project, classes: Classes
) -> Policy:
    """Suppress the cells that must be under the levels of a policy."""
    table = classes.class_table
    classes.check_rows_agree(tr("de-identification by blocks"))
    if reason := _why_no_cells(project, classes):
        raise ConfigError("blocks_cells_refused", reason=reason)
    plain = lattice_policy(table.hierarchies, chosen.levels, 1, "chosen")
    known = _KNOWN.setdefault(table, {})
    levels = tuple(plain.levels.values())
    key = _key(levels, rule, project)
    if key not in known:
        known[key] = _cells(table, rule, levels, weights_of(project))
    return policy_with_cells(plain, known[key])


def _key(levels: Sequence[int], rule: ChosenCells, project: Project) -> str:
    """Return all that decides which cells of a table are suppressed."""
    return repr((tuple(levels), rule, sorted(weights_of(project).items())))


def _remember(
    project: Project, classes: Classes, asked: BlockPolicies, done: ByBlocks
) -> None:
    """Keep what a search has suppressed: its levels say the same again."""
    table, model = classes.class_table, asked.of_model
    size = int(asked.blocks.shape[1])
    rule = ChosenCells(known=model.known, k=model.k, size=size)
    if not done.records.any():
        _KNOWN.setdefault(table, {})[_key(done.levels, rule, project)] = (
            SuppressedCells(done.cells, table.counts, model.known, model.k, size)
        )


def _cells(
    table: ClassTable,
    rule: ChosenCells,
    levels: Sequence[int],
    weights: Mapping[str, float],
) -> SuppressedCells:
    m = len(table.attributes)
    sets = blocks_of(m, rule.known, min(rule.size, m))
    importance = [weights[name] for name in table.attributes]
    asked = BlockTask(sets, rule.k, 0, levels, levels, importance)
    found = suppress(table, asked, levels)
    if found.records.any():
        raise ConfigError(
            "blocks_cells_refused", reason=tr("there are too few records")
        )
    size = int(sets.shape[1])
    return SuppressedCells(found.cells, table.counts, rule.known, rule.k, size)


def _why_no_cells(project: Project, classes: Classes | None) -> str:
    """Why what is measured has no meaning for suppressed cells; empty if it has."""
    population = classes.class_table.population if classes is not None else None
    if project.key is not None:
        return tr("several rows can belong to one person")
    if population is not None and population.is_counted:
        return tr("the people of the population are counted")
    if project.privacy.missing_matches == "anything":
        return tr("missing values match anything")
    return ""


def _empty(project: Project, classes: Classes, monitor: Monitor) -> BlockPolicies:
    """Return what is asked, with the blocks, before anything is found."""
    table, model = classes.class_table, model_of(project.privacy.models)
    assert model is not None, "looked for before"
    size, m = project.blocks.size, len(table.attributes)
    return BlockPolicies(
        BLOCKS,
        (),
        table,
        project.quality.measure,
        weights_of(project),
        Proof(METHOD, None, 0, is_complete=False),
        kept_levels(project, table),
        asked=model,
        sets=blocks_of(m, model.known, size, monitor=monitor),
        limit=limit_of(project, table.n_records),
        models=project.privacy.models,
    )


def _asked(project: Project, classes: Classes, found: BlockPolicies) -> BlockTask:
    table = classes.class_table
    lowest, highest = allowed_levels(project.quasi_identifiers, table)
    heights = {each.attribute: each.height for each in table.hierarchies}
    weights = weights_of(project)
    return BlockTask(
        found.blocks,
        found.of_model.k,
        found.limit,
        [lowest.get(name, 0) for name in table.attributes],
        [highest.get(name, heights[name]) for name in table.attributes],
        [weights[name] for name in table.attributes],
        by_record=project.blocks.suppress == "records",
    )


def describe_blocks(found: BlockPolicies) -> dict[str, Any]:
    """Return the policy, what it keeps, and every step to it.

    Returns
    -------
    dict
        JSON values.
    """
    (listed,) = found.policies
    cells = listed.policy.cells
    n_suppressed, n = n_whole(listed.policy, listed.figures), found.n_records
    return {
        "unit": "people" if found.by_person else "records",
        "n": n,
        "known": min(found.of_model.known, len(found.attributes)),
        "k": found.of_model.k,
        "attributes": list(found.attributes),
        "block_size": int(found.blocks.shape[1]),
        "blocks": len(found.blocks),
        "steps": [_step(each, found.attributes) for each in found.steps],
        "levels": listed.chosen.levels,
        "candidates": [{"levels": listed.chosen.levels}],
        "suppressed_records": n_suppressed,
        "suppressed_cells": int(cells.by_attribute.sum()) if cells else 0,
        "records_with_suppressed_cells": cells.n_records if cells else 0,
        "limit_records": found.limit,
        "loss": listed.figures.loss,
        "meets": listed.state is CandidateState.MEETS,
        "words": sentence(listed.policy, n_suppressed, n, of_people=found.by_person),
    }


def _step(step: BlockStep, names: Sequence[str]) -> dict[str, Any]:
    return {
        "pass": step.number,
        "attributes": [names[at] for at in step.block],
        "at_risk_before": step.n_before,
        "at_risk_after": step.n_after,
        "raised": {names[at]: [low, high] for at, low, high in step.raised},
        "suppressed": step.n_records,
        "suppressed_cells": step.n_cells,
        "at_risk_left": step.n_left,
        "again": step.is_again,
    }


SOURCE = BlocksSource()
