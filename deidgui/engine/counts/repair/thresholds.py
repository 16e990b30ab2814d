"""The smallest threshold that protects what is masked, or that none does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from deidgui.engine.counts.audit.components import raw_parts
from deidgui.engine.counts.audit.inference import WIDTH, Audit, audit, too_narrow
from deidgui.engine.counts.audit.system import PublishedAs, System
from deidgui.engine.counts.repair.complements import Cost
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

BLOCK = 150
"""Counts of relations that are asked alone first: what they give away together is
given away by all, and of thousands one block is enough to refuse a threshold."""

HIGHEST = 10**9
"""Thresholds are looked for up to here; all counts are masked by then."""


@dataclass(frozen=True, repr=False, eq=False)
class HigherThreshold:
    """Tables under a higher threshold.

    Parameters
    ----------
    threshold : int or None
        The smallest that protects every masked count: no smaller one does. None if
        none does up to `HIGHEST`, under which all counts but zeros are masked.
    masked : tuple of int
        Counts that are masked in addition.
    system : System
        What is published then; as it is now if no threshold protects.
    audit : Audit
        Of that: the proof.
    cost : Cost
        Of what is masked in addition.
    """

    threshold: int | None
    masked: tuple[int, ...]
    system: System
    audit: Audit
    cost: Cost


def higher_threshold(
    system: System,
    threshold: int,
    *,
    width: int = WIDTH,
    seconds: float = 10.0,
    monitor: Monitor = NULL_MONITOR,
) -> HigherThreshold:
    """Find the smallest threshold under which every masked count is wide enough.

    Parameters
    ----------
    threshold : int
        The present one: every count from 1 to below it is masked.
    width : int, >= 1
        High minus low that every masked count must have at least, also those that are
        masked only then.
    seconds : float
        Time for each end that needs a search in whole numbers.

    Raises
    ------
    Cancelled
        If the user asked to stop.

    Notes
    -----
    A threshold masks counts and widens what a `T` can be. Between two neighbouring
    counts it only widens: there the smallest that protects is found by halving; where
    the largest of them does not protect, none of them does. A higher threshold can
    protect less, so that all are asked in their order, by parts. What some relations
    of a part tell is told by all: a threshold that fails for them is not asked of the
    whole part.
    """
    untied = system.with_threshold(threshold)
    base = untied.without(audit(untied, width=width, seconds=seconds).left_out)
    joining = (base.low < base.high) | (base.low > 0)
    parts = [
        _Part(base.only(each.relations.tolist())[0], width, seconds, monitor)
        for each in raw_parts(base, joining)
    ]
    found: int | None = threshold
    before = None
    while found is not None and found != before:
        before = found
        for each in parts:
            found = None if found is None else each.from_(found)
    after = untied if found is None else untied.with_threshold(found)
    newly = (after.marks == PublishedAs.MASKED) & (system.marks == PublishedAs.SHOWN)
    return HigherThreshold(
        found,
        tuple(np.flatnonzero(newly).tolist()),
        after,
        audit(after, width=width, seconds=seconds, monitor=monitor),
        Cost(int(newly.sum()), int(system.low[newly].sum())),
    )


class _Part:
    """Looks for thresholds for one part of the tables."""

    def __init__(
        self, system: System, width: int, seconds: float, monitor: Monitor
    ) -> None:
        self._system, self._width, self._seconds = system, width, seconds
        self._monitor = SubMonitor(monitor, 0, 0)
        shown = system.low[system.marks == PublishedAs.SHOWN]
        self._steps = [*np.unique(shown[shown > 0]).tolist(), HIGHEST]
        self._blocks = [system.only(each)[0] for each in _blocks(system)]

    def from_(self, threshold: int) -> int | None:
        """Return the smallest threshold from one on that protects this part."""
        for step in self._steps:
            if step < threshold:
                continue
            if self._protects(threshold):
                return threshold
            if self._protects(step):
                return self._halved(threshold, step)
            threshold = step + 1
        return None

    def _halved(self, fails: int, protects: int) -> int:
        while protects - fails > 1:
            middle = (fails + protects) // 2
            if self._protects(middle):
                protects = middle
            else:
                fails = middle
        return protects

    def _protects(self, threshold: int) -> bool:
        for place, block in enumerate(self._blocks):
            if not self._is_wide(block, threshold):
                # It is likely to refuse the next one, too.
                self._blocks.insert(0, self._blocks.pop(place))
                return False
        return self._is_wide(self._system, threshold)

    def _is_wide(self, system: System, threshold: int) -> bool:
        masked = system.with_threshold(threshold)
        return not len(too_narrow(masked, self._width, self._seconds, self._monitor))


def _blocks(system: System) -> Iterator[list[int]]:
    """Give relations of few counts each, neighbours together; none of a small system.

    What is published only beside other counts is in no block: they may be masked.
    """
    block, inside = list[int](), set[int]()
    for at, relation in enumerate(system.relations):
        if relation.tied_to:
            continue
        if inside and len(inside.union(relation.unknowns)) > BLOCK:
            yield block
            block, inside = [], set()
        block.append(at)
        inside.update(relation.unknowns)
    if len(block) < len(system.relations):
        yield block
