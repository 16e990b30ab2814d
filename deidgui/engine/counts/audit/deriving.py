"""Why a reader can infer of a count what an audit says: which relations tell it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deidgui.engine.counts.audit.components import raw_parts
from deidgui.engine.counts.audit.inference import Audit, interval
from deidgui.engine.counts.audit.propagation import narrow
from deidgui.engine.counts.audit.system import System
from deidgui.engine.counts.audit.tracing import (
    Deduction,
    KnownCount,
    Trace,
    relations_of,
    shrunk,
)
from deidgui.monitor import NULL_MONITOR, Monitor

__all__ = ["Deduction", "Derivation", "KnownCount", "derivation"]


@dataclass(frozen=True)
class Derivation:
    """How the interval of a count follows from what is published.

    Parameters
    ----------
    unknown : int
        The count.
    steps : tuple of Deduction
        One relation after the other, the last ones about this count. Empty if nothing
        was inferred, or if it does not follow step by step.
    together : tuple of int
        If not: relations that tell it only when all are solved together in whole
        numbers; none can be left out.
    """

    unknown: int
    steps: tuple[Deduction, ...] = ()
    together: tuple[int, ...] = ()


def derivation(
    audit: Audit,
    unknown: int,
    *,
    seconds: float = 1.0,
    monitor: Monitor = NULL_MONITOR,
) -> Derivation:
    """Return few relations from which the interval of a count follows.

    Parameters
    ----------
    unknown : int
        A masked count of the audit.
    seconds : float
        Time for each question in whole numbers; beyond it a relation stays though
        it might be left out.

    Raises
    ------
    Cancelled
        If the user asked to stop.

    Notes
    -----
    Of the steps, those are kept that come first when all relations are used at once,
    round by round; relations without which the rest gives the same are left out.
    """
    system, low, high = audit.system, audit.low[unknown], audit.high[unknown]
    if (low, high) == (system.low[unknown], system.high[unknown]):
        return Derivation(unknown)
    near = [at for at in _near(system, unknown) if at not in audit.left_out]
    steps = _steps(_only(system, near), unknown)
    used = [near[at] for at in relations_of(steps)]

    def narrows(kept: Sequence[int]) -> bool:
        part = _only(system, kept)
        found = narrow(part.matrix, part.low, part.high, monitor)
        return bool(found.low[unknown] == low and found.high[unknown] == high)

    def tells(kept: Sequence[int]) -> bool:
        ends = interval(_only(system, kept), unknown, seconds, monitor)
        return ends == (low, high)

    if narrows(used):
        used = shrunk(used, narrows)
        derived = _steps(_only(system, used), unknown)
        return Derivation(unknown, tuple(_placed(each, used) for each in derived))
    return Derivation(unknown, together=tuple(shrunk(near, tells)))


def _near(system: System, unknown: int) -> list[int]:
    """Return the relations that can tell something of a count, through unknown ones."""
    for part in raw_parts(system, system.low < system.high):
        if unknown in part.unknowns:
            return [int(each) for each in part.relations]
    return []


def _only(system: System, relations: Sequence[int]) -> System:
    gone = set(range(len(system.relations))) - set(relations)
    return system.without(gone)


def _steps(system: System, unknown: int) -> tuple[Deduction, ...]:
    return Trace.of(system.matrix, system.low, system.high).steps(unknown)


def _placed(step: Deduction, places: Sequence[int]) -> Deduction:
    return Deduction(places[step.relation], step.found, step.others)
