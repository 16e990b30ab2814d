"""Puts a repair of tables of counts into their project, from window and command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from deidgui.app.counts import ops
from deidgui.app.counts.coarser import CoarserTables, coarser_choice
from deidgui.app.counts.repairing import Repairs, small_shown, tied_to
from deidgui.app.ops import Op
from deidgui.app.project import Counts
from deidgui.engine.counts.tables.structure import Bounds, Relation
from deidgui.engine.counts.tables.table import CountTable
from deidgui.errors import ConfigError

WAYS = ("mask", "complements", "threshold", "coarser")
"""What can be put into a project: small counts masked, and the repairs."""


@dataclass(frozen=True)
class Applied:
    """A decision, and the files with cells that it needs.

    Parameters
    ----------
    files : mapping of str to bytes
        By the relative path that the project uses.
    """

    op: Op
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)


def masking(
    tables: Sequence[CountTable], relations: Sequence[Relation], bounds: Bounds
) -> Applied:
    """Mask the counts below the threshold, and what tells them."""
    hides = small_shown(tables, bounds)
    tied = tied_to(hides.keys(), tables, relations)
    return Applied(ops.use_repair(tables, {**tied, **hides}))


def hiding(found: Repairs) -> Applied:
    """Hide the complements that were found.

    Raises
    ------
    ConfigError
        Code ``repair_does_nothing`` if there are none.
    """
    if not found.hides:
        raise ConfigError("repair_does_nothing")
    return Applied(ops.use_repair(found.audited.tables, found.hides))


def raising(found: Repairs) -> Applied:
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
    return Applied(ops.use_repair(tables, found.raises, higher.threshold))


def joining(found: CoarserTables, counts: Counts) -> Applied:
    """Put tables with coarser categories in the place of the present ones.

    Raises
    ------
    ConfigError
        Code ``repair_does_nothing`` if nothing can be joined.
    """
    if not found.joined:
        raise ConfigError("repair_does_nothing")
    choice = coarser_choice(found, counts)
    return Applied(ops.use_coarser(choice.tables, choice.relations), choice.files)
