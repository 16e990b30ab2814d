"""How tables whose masked counts can be inferred can be repaired, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from deidgui.app.counts import ops
from deidgui.app.counts.auditing import (
    AuditedTables,
    known_relations_words,
    small_counts,
    small_shown_words,
)
from deidgui.app.project import Hiding
from deidgui.engine.counts.audit.system import UNLIMITED
from deidgui.engine.counts.repair.complements import Suppression, suppression
from deidgui.engine.counts.repair.thresholds import HigherThreshold, higher_threshold
from deidgui.engine.counts.tables.cells import CellType
from deidgui.engine.counts.tables.structure import Bounds, Relation, cell_at, place_name
from deidgui.engine.counts.tables.table import At, CountTable
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import share_text, tr


@dataclass(frozen=True, repr=False, eq=False)
class Repairs:
    """Two ways to protect masked counts, each audited again.

    Parameters
    ----------
    lowest : int
        Least count that a reader thinks possible for a complement.
    threshold : HigherThreshold or None
        None if nothing is masked.
    """

    audited: AuditedTables
    lowest: int
    complements: Suppression
    threshold: HigherThreshold | None

    @property
    def hidden(self) -> tuple[At, ...]:
        """Cells to be hidden as complements."""
        places = self.audited.public.places
        return tuple(places[each] for each in self.complements.hidden)

    @property
    def unprotected(self) -> tuple[At, ...]:
        """Masked cells that no complements protect."""
        places = self.audited.public.places
        return tuple(places[each] for each in self.complements.audit.too_narrow)

    @property
    def tied(self) -> tuple[At, ...]:
        """Cells with percentages or means of what is masked or hidden: to be masked."""
        return tuple(sorted(self.hides.keys() - set(self.hidden)))

    @cached_property
    def hides(self) -> Mapping[At, Hiding]:
        """All that complementary suppression hides in the tables."""
        return self._with_tied(dict.fromkeys(self.hidden, "complement"))

    @cached_property
    def raises(self) -> Mapping[At, Hiding]:
        """All that the higher threshold masks in the tables; empty if none protects.

        Also counts whose own mark says that they are below a lower threshold.
        """
        masked = {*self._newly_masked, *self.remarked}
        return self._with_tied(dict.fromkeys(sorted(masked), "masked"))

    @property
    def _newly_masked(self) -> tuple[At, ...]:
        higher, places = self.threshold, self.audited.public.places
        if higher is None or higher.threshold is None:
            return ()
        return tuple(places[each] for each in higher.masked)

    @cached_property
    def remarked(self) -> tuple[At, ...]:
        """Masked cells whose own mark says that they are below a lower threshold."""
        higher, tables = self.threshold, self.audited.tables
        if higher is None or higher.threshold is None:
            return ()
        most = ((at, cell_at(tables, at).most) for at in self.audited.by_place)
        last = higher.threshold - 1
        return tuple(at for at, each in most if each is not None and each < last)

    @property
    def tied_to_raised(self) -> tuple[At, ...]:
        """Cells with percentages or means of what the higher threshold masks."""
        masked = {*self._newly_masked, *self.remarked}
        return tuple(sorted(self.raises.keys() - masked))

    def _with_tied(self, hidden: dict[At, Hiding]) -> dict[At, Hiding]:
        gone = {*hidden, *self.audited.by_place}
        return {
            **tied_to(gone, self.audited.tables, self.audited.public.relations),
            **hidden,
        }


def tied_to(
    gone: Set[At], tables: Sequence[CountTable], relations: Iterable[Relation]
) -> dict[At, Hiding]:
    """Percentages and means that tell what is masked or hidden: to be hidden too."""
    found: dict[At, Hiding] = {}
    for each in relations:
        at = each.shown
        if at is None or gone.isdisjoint(each.cells):
            continue
        cell = cell_at(tables, at)
        if cell.share is not None or cell.mean is not None:
            found[at] = "share" if cell.kind is CellType.COUNT else "masked"
    return found


def small_shown(tables: Sequence[CountTable], bounds: Bounds) -> dict[At, Hiding]:
    """Shown counts that are below the threshold: to be masked."""
    return dict.fromkeys(small_counts(tables, bounds), "masked")


def repair_tables(
    audited: AuditedTables,
    *,
    seconds: float = 10.0,
    monitor: Monitor = NULL_MONITOR,
) -> Repairs:
    """Find complements and a higher threshold that protect all masked counts.

    Parameters
    ----------
    seconds : float
        Time for each integer program.

    Raises
    ------
    Cancelled
        If the user asked to stop.
    """
    system, width = audited.public.system, audited.found.width
    masked = system.high[system.masked]
    own = int(masked.max()) + 1 if len(masked) else 0
    threshold = audited.bounds.threshold or own
    assert threshold < UNLIMITED
    lowest = 0 if audited.bounds.any_count else threshold
    complements = suppression(
        system,
        lowest,
        width=width,
        seconds=seconds,
        monitor=SubMonitor(monitor, 0, 0.5),
    )
    higher = None
    if len(masked):
        step = SubMonitor(monitor, 0.5, 1)
        higher = higher_threshold(
            system, threshold, width=width, seconds=seconds, monitor=step
        )
    return Repairs(audited, lowest, complements, higher)


def masking(
    tables: Sequence[CountTable], relations: Sequence[Relation], bounds: Bounds
) -> ops.WithFiles:
    """Mask the counts below the threshold, and what tells them."""
    hides = small_shown(tables, bounds)
    tied = tied_to(hides.keys(), tables, relations)
    return ops.WithFiles(ops.use_repair(tables, {**tied, **hides}))


def hiding(found: Repairs) -> ops.WithFiles:
    """Hide the complements that were found.

    Raises
    ------
    ConfigError
        Code ``repair_does_nothing`` if there are none.
    """
    if not found.hides:
        raise ConfigError("repair_does_nothing")
    return ops.WithFiles(ops.use_repair(found.audited.tables, found.hides))


def raising(found: Repairs) -> ops.WithFiles:
    """Raise the threshold to the smallest that protects.

    Raises
    ------
    ConfigError
        Code ``repair_does_nothing`` if no threshold does.
    """
    higher = found.threshold
    if higher is None or higher.threshold is None:
        raise ConfigError("repair_does_nothing")
    tables = found.audited.tables
    return ops.WithFiles(ops.use_repair(tables, found.raises, higher.threshold))


def describe_repairs(repairs: Repairs) -> dict[str, Any]:
    """Return repairs as JSON values.

    Returns
    -------
    dict
        With ``to_protect``, ``has_masked``, ``relations`` (how many are known),
        ``small_shown`` (counts below ``stated``, the threshold, that are shown),
        ``complements`` (``cells``,
        ``mask_too``, ``unprotected``, ``figures``, ``counted``, ``gap``, ``lowest``),
        ``threshold`` (``value``, null if none protects, ``masked``, ``counted``), or
        null if nothing is masked.
    """
    found, higher = repairs.complements, repairs.threshold
    return {
        "to_protect": len(repairs.audited.found.too_narrow),
        "has_masked": bool(repairs.audited.cells),
        "relations": len(repairs.audited.structure.relations),
        "stated": repairs.audited.bounds.threshold,
        "small_shown": repairs.audited.n_small_shown,
        "complements": {
            "cells": [_place(repairs.audited, at) for at in repairs.hidden],
            "mask_too": [_place(repairs.audited, at) for at in repairs.tied],
            "unprotected": [_place(repairs.audited, at) for at in repairs.unprotected],
            "figures": found.cost.n_figures,
            "counted": found.cost.n_counted,
            "gap": found.gap,
            "lowest": repairs.lowest,
        },
        "threshold": higher
        and {
            "value": higher.threshold,
            "masked": higher.cost.n_figures,
            "counted": higher.cost.n_counted,
        },
    }


def _place(audited: AuditedTables, at: At) -> dict[str, Any]:
    return {
        "table": audited.tables[at.table].name,
        "name": place_name(audited.tables, at),
        "line": at.row + 1,
        "position": at.column + 1,
    }


def repairs_words(result: Mapping[str, Any]) -> str:
    """Return repairs on a screen of plain text."""
    return "\n".join(_lines(result))


def _lines(result: Mapping[str, Any]) -> Iterator[str]:
    n = result["to_protect"]
    small, threshold = result["small_shown"], result["stated"]
    if small or not result["has_masked"]:
        yield from unmasked_lines(small, threshold)
    elif not n:
        yield tr(
            "No masked count can be inferred exactly or nearly: nothing to repair."
        )
        yield known_relations_words(result["relations"])
    if not n:
        if not result["complements"]["mask_too"]:
            return
    else:
        yield tr("{n:masked count is|masked counts are} exact or too narrow.", n=n)
    yield ""
    yield from _of_complements(result["complements"])
    if result["threshold"] and n:
        yield ""
        yield _of_threshold(result["threshold"])


def unmasked_lines(n_small: int, threshold: int | None) -> Iterator[str]:
    """Say that nothing protects counts that are not masked, and what would."""
    yield small_shown_words(n_small, threshold)
    if threshold is None:
        yield tr("State one with --threshold 11, then mask: repair --apply mask.")
    elif n_small:
        yield tr("Mask them before anything else: repair --apply mask.")


def _of_complements(found: Mapping[str, Any]) -> Iterator[str]:
    yield tr(
        "Complements: hide {n:more count|more counts}, whose values add up to "
        "{counted}, with a mark of their own, never T.",
        n=found["figures"],
        counted=found["counted"],
    )
    for each in found["cells"]:
        yield tr("  {name}, line {line:d}", name=each["name"], line=each["line"])
    if found["gap"] > _PROVEN:
        share = share_text(found["gap"])
        yield tr("  Another choice could hide up to {share} fewer.", share=share)
    else:
        yield tr("  No choice hides fewer.")
    if found["lowest"]:
        yield tr(
            "  Readers may know that a complement is {lowest} or more.",
            lowest=found["lowest"],
        )
    if found["mask_too"]:
        yield tr("  Percentages and means to be masked too:")
    for each in found["mask_too"]:
        yield tr("  {name}, line {line:d}", name=each["name"], line=each["line"])
    if found["unprotected"]:
        yield tr("  No complement protects these:")
    for each in found["unprotected"]:
        yield tr("  {name}, line {line:d}", name=each["name"], line=each["line"])


_PROVEN = 1e-3
"""A gap below is that of floating point numbers."""


def _of_threshold(found: Mapping[str, Any]) -> str:
    if found["value"] is None:
        return tr("No threshold protects every masked count; all were checked.")
    return tr(
        "Higher threshold: {value} is the smallest that protects; it masks {n:more "
        "count|more counts}, whose values add up to {counted}.",
        value=found["value"],
        n=found["masked"],
        counted=found["counted"],
    )
