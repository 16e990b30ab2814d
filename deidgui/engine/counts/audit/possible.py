"""Whether any counts fit relations, and the smallest group of them that none fit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deidgui.engine.arrays import IntArray
from deidgui.engine.counts.audit.components import Component, open_parts, raw_parts
from deidgui.engine.counts.audit.propagation import narrow
from deidgui.engine.counts.audit.solving import Ends
from deidgui.engine.counts.audit.system import Matrix, System
from deidgui.engine.counts.audit.tracing import Trace, relations_of, shrunk
from deidgui.monitor import NULL_MONITOR, Monitor


def part_ends(
    matrix: Matrix,
    part: Component,
    bounds: tuple[IntArray, IntArray],
    seconds: float,
    monitor: Monitor,
) -> Ends:
    """Return the integer program of a part, whose other counts are known."""
    low, high = bounds
    inside = matrix.part(part.relations, part.unknowns, low)
    of = part.unknowns
    return Ends(inside, low[of], high[of], seconds, monitor)


def is_possible(
    system: System, seconds: float = np.inf, monitor: Monitor = NULL_MONITOR
) -> bool:
    """Tell whether some counts fit; also if that could not be settled in time."""
    matrix = system.matrix
    empty = matrix.starts[1:] == matrix.starts[:-1]
    if np.any(empty & ((matrix.low > 0) | (matrix.high < 0))):
        return False
    narrowed = narrow(matrix, system.low, system.high, monitor)
    low, high = narrowed.low, narrowed.high
    if len(narrowed.contradicted):
        return False
    for part in open_parts(matrix, low, high):
        if part.is_tree and narrowed.at_rest:
            continue
        ends = part_ends(matrix, part, (low, high), seconds, monitor)
        if ends.least(np.zeros(len(part.unknowns))) is None:
            return False
    return True


def smallest_conflict(
    system: System,
    among: Sequence[int],
    seconds: float = np.inf,
    monitor: Monitor = NULL_MONITOR,
) -> list[int]:
    """Return relations that no counts fit, of which none can be left out.

    Parameters
    ----------
    among : sequence of int
        Relations that no counts fit together, or no counts within the bounds that the
        relations around them leave.
    """
    everything = set(range(len(system.relations)))

    def conflicts(kept: Sequence[int]) -> bool:
        rest = system.without(everything - set(kept))
        return not is_possible(rest, seconds, monitor)

    for each in among:
        if conflicts([each]):
            return [each]
    return shrunk(among if conflicts(among) else _around(system, among), conflicts)


def _around(system: System, relations: Sequence[int]) -> list[int]:
    """Return relations and all that narrow their counts, near or far."""
    found = set(relations)
    for part in raw_parts(system, system.low < system.high):
        inside = set(part.relations.tolist())
        found |= inside if not found.isdisjoint(inside) else set()
    return sorted(found)


def first_contradiction(system: System) -> list[int]:
    """Return the relations by which propagation finds a contradiction, if it does."""
    matrix = system.matrix
    trace = Trace.of(matrix, system.low, system.high)
    unknown = trace.contradicted()
    return [] if unknown is None else relations_of(trace.steps(unknown))
