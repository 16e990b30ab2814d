"""What a reader of published tables can infer of every masked count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.counts.audit.components import Component, open_parts, raw_parts
from deidgui.engine.counts.audit.propagation import narrow
from deidgui.engine.counts.audit.solving import Ends, IntervalEnd
from deidgui.engine.counts.audit.system import UNLIMITED, Matrix, PublishedAs, System
from deidgui.engine.counts.audit.tracing import Trace, relations_of, shrunk
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

WIDTH = 3
"""Difference between the ends of an interval that protects, by default."""


class Outcome(StrEnum):
    """What becomes of a masked count."""

    EXACT = "exact"
    """Its number can be inferred."""
    TIGHT = "tight"
    """The interval is narrower than wanted."""
    NARROWED = "narrowed"
    """The interval is wide enough, but says more than the `T`."""
    PROTECTED = "protected"
    """Nothing but what the `T` says can be inferred."""
    INCONSISTENT = "inconsistent"
    """Would be narrowed or protected, but only since relations that contradict others
    were left out: they might have told more."""


@dataclass(frozen=True)
class Inferred:
    """What can be inferred of one masked count.

    Parameters
    ----------
    unknown : int
        Its number.
    low : int
        Least count that fits all that is published.
    high : int or None
        Most; None if nothing bounds it.
    outcome : Outcome
        How much that is.
    is_proven : bool
        Whether both ends are known to be possible. If not (the integer program was
        stopped), the true interval may be narrower, and `outcome` is that of the
        narrowest interval that it can be.
    """

    unknown: int
    low: int
    high: int | None
    outcome: Outcome
    is_proven: bool


@dataclass(frozen=True)
class Conflict:
    """Relations that no counts fulfil together, with the marks of their counts.

    Parameters
    ----------
    relations : tuple of int
        Positions in the audited system; if any one is left out, the others can be
        fulfilled.
    unknowns : tuple of int
        The counts in them.
    """

    relations: tuple[int, ...]
    unknowns: tuple[int, ...]


@dataclass(frozen=True, repr=False, eq=False)
class Audit:
    """What can be inferred of all masked counts.

    Parameters
    ----------
    system : System
        What is published.
    width : int
        High minus low that an interval must have at least.
    low, high : ndarray of int64, shape (n,)
        Every count that fits lies within them (`UNLIMITED` for none).
    low_found, high_found : ndarray of int64, shape (n,)
        Ends of the counts that are known to fit; ``low_found > high_found`` for none.
    conflicts : tuple of Conflict
        Contradictions. All else holds with their relations left out.
    """

    system: System
    width: int
    low: IntArray
    high: IntArray
    low_found: IntArray
    high_found: IntArray
    conflicts: tuple[Conflict, ...] = ()

    def of(self, unknown: int) -> Inferred:
        """Return what can be inferred of one count."""
        low, high = int(self.low[unknown]), int(self.high[unknown])
        is_proven = low == self.low_found[unknown] and high == self.high_found[unknown]
        return Inferred(
            unknown,
            low,
            None if high >= UNLIMITED else high,
            self._outcome(unknown),
            bool(is_proven) or low == high,
        )

    @cached_property
    def cells(self) -> tuple[Inferred, ...]:
        """What can be inferred of each masked count, in their order."""
        return tuple(self.of(int(each)) for each in self.system.masked)

    @property
    def left_out(self) -> frozenset[int]:
        """Relations of conflicts."""
        return frozenset(at for each in self.conflicts for at in each.relations)

    @property
    def too_narrow(self) -> IntArray:
        """Masked counts that are not protected as wanted (exact or tight)."""
        found = self.high_found - self.low_found
        return self.system.masked[found[self.system.masked] < self.width]

    def _outcome(self, unknown: int) -> Outcome:
        low, high = self.low[unknown], self.high[unknown]
        if low == high:
            return Outcome.EXACT
        if self.high_found[unknown] - self.low_found[unknown] < self.width:
            return Outcome.TIGHT
        own = self.system.low[unknown], self.system.high[unknown]
        return Outcome.PROTECTED if own == (low, high) else Outcome.NARROWED


def audit(
    system: System,
    *,
    width: int = WIDTH,
    seconds: float = 10.0,
    monitor: Monitor = NULL_MONITOR,
) -> Audit:
    """Find the interval that a reader can infer for every masked count.

    Parameters
    ----------
    width : int, >= 1
        High minus low that an interval must have at least to protect.
    seconds : float
        Time for each end of an interval that needs a search in whole numbers; an end
        that is not found by then is not proven.

    Raises
    ------
    Cancelled
        If the user asked to stop.

    Notes
    -----
    Intervals are propagated first; where that is not the last word, each end is the
    optimum of an integer program, by parts that do not touch each other.
    """
    work = _Work(system, system.marks == PublishedAs.MASKED, seconds, monitor)
    conflicts = list(_plainly_wrong(system))
    left_out = {at for each in conflicts for at in each.relations}
    while wrong := work.infer(left_out):
        rest = system.without(left_out)
        # Positions of what is left, in the system as it came.
        places = [at for at in range(len(system.relations)) if at not in left_out]
        group = smallest_conflict(rest, wrong, seconds, monitor)
        conflicts.append(_conflict(system, [places[at] for at in group]))
        left_out |= set(conflicts[-1].relations)
    return Audit(
        system, width, work.low, work.high, work.low_found, work.high_found,
        tuple(conflicts),
    )  # fmt: skip


def too_narrow(
    system: System, width: int, seconds: float, monitor: Monitor
) -> IntArray:
    """Return the masked counts that are not protected, in a system without conflict.

    The same as `Audit.too_narrow`, without looking for ends beyond the width.
    """
    work = _Work(
        system, system.marks == PublishedAs.MASKED, seconds, monitor, enough=width
    )
    work.infer(set())
    found = work.high_found - work.low_found
    return system.masked[found[system.masked] < width]


def interval(
    system: System, unknown: int, seconds: float, monitor: Monitor
) -> tuple[int, int]:
    """Return the ends of one count (`UNLIMITED` for none) in a system without conflict.

    Parameters
    ----------
    unknown : int
        Any count, masked or not.
    """
    asked = np.zeros(system.size, bool)
    asked[unknown] = True
    work = _Work(system, asked, seconds, monitor)
    work.infer(set())
    return int(work.low[unknown]), int(work.high[unknown])


def _conflict(system: System, relations: Sequence[int]) -> Conflict:
    inside = {each for at in relations for each in system.relations[at].unknowns}
    return Conflict(tuple(relations), tuple(sorted(inside)))


def _plainly_wrong(system: System) -> Iterator[Conflict]:
    """Give the relations that no counts within their own bounds fulfil."""
    least, most = system.matrix.span(system.low, system.high)
    wrong = (least > system.matrix.high) | (most < system.matrix.low)
    for at in np.flatnonzero(wrong).tolist():
        yield _conflict(system, [at])


class _Work:
    """The bounds of one audit while they are found."""

    low: IntArray
    high: IntArray
    low_found: IntArray
    high_found: IntArray

    def __init__(
        self,
        system: System,
        asked: BoolArray,
        seconds: float,
        monitor: Monitor,
        enough: int = UNLIMITED,
    ) -> None:
        self._system, self._asked, self._enough = system, asked, enough
        self._seconds, self._monitor = seconds, monitor

    def infer(self, left_out: set[int]) -> list[int]:
        """Find all bounds; or return relations that contradict each other, if some do.

        Returns
        -------
        list of int
            Positions among those that are not left out.
        """
        rest = self._system.without(left_out)
        narrowed = narrow(rest.matrix, rest.low, rest.high, self._monitor)
        self.low, self.high = narrowed.low, narrowed.high
        if len(narrowed.contradicted):
            return first_contradiction(rest) or list(range(len(rest.relations)))
        self.low_found, self.high_found = self.low.copy(), self.high.copy()
        parts = list(open_parts(rest.matrix, self.low, self.high))
        hard = [each for each in parts if not (each.is_tree and narrowed.at_rest)]
        n_unknowns, n_done = sum(len(each.unknowns) for each in hard), 0
        for part in hard:
            n_after = n_done + len(part.unknowns)
            share = SubMonitor(self._monitor, n_done / n_unknowns, n_after / n_unknowns)
            if not self._infer_part(rest, part, share):
                return [int(each) for each in part.relations]
            n_done = n_after
        return []

    def _infer_part(self, rest: System, part: Component, monitor: Monitor) -> bool:
        """Find the bounds of a part; tell whether any counts fit it."""
        bounds = self.low, self.high
        ends = part_ends(rest.matrix, part, bounds, self._seconds, monitor)
        found = _Found(ends, self.low[part.unknowns], self.high[part.unknowns])
        asked = np.flatnonzero(self._asked[part.unknowns])
        if not found.look_around(asked):
            return False
        for number, each in enumerate(asked.tolist()):
            ends.fraction = number / len(asked)
            if found.width(each) < self._enough:
                found.settle(each)
        self.low[part.unknowns], self.high[part.unknowns] = found.low, found.high
        self.low_found[part.unknowns] = found.low_found
        self.high_found[part.unknowns] = found.high_found
        return True


class _Found:
    """Bounds of a part, and the ends of counts that were found to fit."""

    def __init__(self, ends: Ends, low: IntArray, high: IntArray) -> None:
        self._ends, self.low, self.high = ends, low.copy(), high.copy()
        self.low_found = np.full(len(low), UNLIMITED)
        self.high_found = np.full(len(low), -UNLIMITED)

    def look_around(self, asked: IntArray) -> bool:
        """Ask for all small and all large: many ends at once; tell whether any fit."""
        cost = np.zeros(len(self.low))
        cost[asked] = 1
        return all(self._ask(sign * cost) is not None for sign in (0, 1, -1))

    def width(self, unknown: int) -> int:
        """Return by how much a count is known to be able to differ."""
        return int(self.high_found[unknown] - self.low_found[unknown])

    def settle(self, unknown: int) -> None:
        """Find both ends of one count."""
        cost = np.zeros(len(self.low))
        if self.low_found[unknown] > self.low[unknown]:
            cost[unknown] = 1
            end = self._ask(cost)
            if end is not None and end.bound is not None:
                self.low[unknown] = max(self.low[unknown], end.bound)
        if self.high_found[unknown] < self.high[unknown]:
            cost[unknown] = -1
            end = self._ask(cost)
            if end is not None and end.bound is not None:
                self.high[unknown] = min(self.high[unknown], -end.bound)
            elif end is not None and end.counts is not None:
                self.high_found[unknown] = UNLIMITED

    def _ask(self, cost: FloatArray) -> IntervalEnd | None:
        end = self._ends.least(cost)
        if end is not None and end.counts is not None:
            np.minimum(self.low_found, end.counts, out=self.low_found)
            np.maximum(self.high_found, end.counts, out=self.high_found)
        return end


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
