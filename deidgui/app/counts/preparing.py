"""A release of tables of counts, to look at before it is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from deidgui.app.counts.fuzzing import (
    KeptApart,
    audited_facts,
    check_decided,
    order_of,
    with_said,
)
from deidgui.app.counts.questions import answered_about
from deidgui.app.counts.releasing import PreparedCounts, prepare_counts
from deidgui.app.project import Project
from deidgui.app.stated_counts import structure_words
from deidgui.engine.counts.noise.redundancy import ENOUGH
from deidgui.engine.counts.noise.uncertainty import NORMAL_95
from deidgui.engine.counts.tables.cells import Mark
from deidgui.engine.counts.tables.structure import place_name
from deidgui.engine.counts.tables.table import At, CountTable
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import escaped, tr


def basis_of(project: Project, kept: KeptApart) -> Any:
    """Return all that decides what a release says and which noise it has."""
    counts = project.counts
    decided = None if counts is None else counts.but(sites=(), sites_sigma=None)
    notes = (project.notes, project.notes_signed)
    return decided, project.name, notes, project.answers, project.validity, kept


@dataclass(frozen=True)
class Noisy:
    """A count with noise.

    Parameters
    ----------
    sd : float
        Standard deviation of its noise.
    left : float
        That is left to who knows how the counts hang together.
    """

    count: int
    sd: float
    left: float

    @property
    def is_weak(self) -> bool:
        """Whether less than 80 % of the noise is left."""
        return self.left < ENOUGH * self.sd - 1e-9

    @property
    def reach(self) -> float:
        """Half of the 95 % interval."""
        return NORMAL_95 * self.sd


@dataclass(frozen=True, eq=False, repr=False)
class DrawnRelease:
    """A release whose noise is drawn, or whose masked counts are audited.

    PRIVACY: the noise that is looked at is the noise that is released.

    Parameters
    ----------
    basis : object
        As of `basis_of`.
    """

    prepared: PreparedCounts
    basis: Any

    @property
    def tables(self) -> tuple[CountTable, ...]:
        """The tables as they are released."""
        return self.prepared.tables

    @cached_property
    def by_place(self) -> dict[At, Noisy]:
        """Every count with noise."""
        found = self.prepared.fuzzed
        if found is None:
            return {}
        counts, left = found.counts.tolist(), found.effective.tolist()
        return {
            at: Noisy(count, found.sd, sd)
            for at, count, sd in zip(found.places, counts, left, strict=True)
        }

    @cached_property
    def weakened(self) -> tuple[At, ...]:
        """Counts with less than 80 % of the noise left, the weakest first."""
        weak = [at for at, each in self.by_place.items() if each.is_weak]
        return tuple(sorted(weak, key=lambda at: self.by_place[at].left))

    def name(self, at: At) -> str:
        """Return the name of a count."""
        return place_name(self.tables, at)

    def words(self) -> tuple[str, ...]:
        """Say what was done, a sentence each."""
        found = self.prepared.fuzzed
        if found is None:
            return self._words_on_masked()
        n = len(found.places)
        lines = [
            tr(
                "{n:count has|counts have} noise with a standard deviation of {sd}: "
                "95\u202f% are within ±{reach} of the true count.",
                n=n,
                sd=f"{found.sd:.2f}",
                reach=f"{NORMAL_95 * found.sd:.1f}",
            )
        ]
        n_below = int(np.count_nonzero(found.counts < 0))
        if n_below:
            lines.append(
                tr(
                    "{n:count is|counts are} negative. Negative counts stay: setting "
                    "them to zero would make sums too high.",
                    n=n_below,
                )
            )
        if found.omitted:
            lines.append(
                tr(
                    "{n:percentage or mean is|percentages and means are} omitted (T).",
                    n=len(found.omitted),
                )
            )
        if found.masked:
            lines.append(tr("{n:count is|counts are} masked.", n=len(found.masked)))
        if found.true_zeros:
            lines.append(tr("{n:zero stays|zeros stay} zero.", n=len(found.true_zeros)))
        return tuple(lines)

    def _words_on_masked(self) -> tuple[str, ...]:
        audit = self.prepared.order.audit
        if audit is None:
            return ()
        n_weak, n_unknown = audit.exact + audit.tight, len(audit.inconsistent)
        n = audit.masked
        if not n:
            return (tr("No count is masked."),)
        lines = [
            tr(
                "{n:count is|counts are} masked because they are below {threshold}.",
                n=n,
                threshold=audit.threshold,
            )
        ]
        if n_weak:
            lines.append(
                tr(
                    "{n:masked count|masked counts} can be inferred exactly or nearly. "
                    "Reason for the release: {because}",
                    n=n_weak,
                    because=escaped(audit.because),
                )
            )
        if n_unknown:
            lines.append(
                tr(
                    "{n:masked count is|masked counts are} in sums that do not agree: "
                    "what can be inferred is not known. Reason for the release: "
                    "{because}",
                    n=n_unknown,
                    because=escaped(audit.because),
                )
            )
        if audit.is_structure_open:
            lines.append(structure_words(audit.relations)[0])
        elif not n_weak and not n_unknown:
            lines.append(tr("Each is wide enough to be protected."))
        cells = (cell for t in self.tables for _r, _c, cell in t.counts())
        n_hidden = sum(cell.mark is Mark.COMPLEMENT for cell in cells)
        if n_hidden:
            lines.append(
                tr(
                    "{n:count is|counts are} hidden as complements.",
                    n=n_hidden,
                )
            )
        return tuple(lines)


def draw_release(
    project: Project,
    tables: Sequence[CountTable],
    path: Path | None,
    kept: KeptApart,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> DrawnRelease:
    """Draw the noise of a project's release, or audit its masked counts.

    Parameters
    ----------
    path : Path or None
        Of the project; nothing that it consists of is ever replaced.
    kept : KeptApart
        Its title is that of the project.

    Raises
    ------
    ConfigError, InputError, ProblemsError
        As `check_decided`, `answered_about`, `audited_facts`, `order_of` and
        `prepare_counts`.
    """
    check_decided(project)
    counts = project.counts
    assert counts is not None, "just checked"
    files: list[Path] = []
    if path is not None:
        files = [path, *(path.parent / each.file for each in counts.tables)]
    answered = answered_about(project, tables)
    audit = None
    if counts.release == "masked":
        audit = audited_facts(counts, tables, monitor=SubMonitor(monitor, 0.0, 0.8))
    order = order_of(
        counts,
        tables,
        None if audit is not None else counts.noise,
        files=files,
        kept=KeptApart(kept.key_file, kept.zeros_file, project.name),
    )
    order = with_said(order, project, audit, answered)
    prepared = prepare_counts(order, monitor=SubMonitor(monitor, 0.8, 1.0))
    return DrawnRelease(prepared, basis_of(project, kept))
