"""Complementary suppression: hides further counts until masked ones are protected."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.counts.audit.components import raw_parts
from deidgui.engine.counts.audit.inference import WIDTH, Audit, audit, too_narrow
from deidgui.engine.counts.audit.system import PublishedAs, System
from deidgui.engine.counts.repair.pairs import Choice, cheap, covering, fewest
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

SMALL = 20_000
"""Unknowns of the program up to which the cheapest choice is searched for: twice the
counts of a part for each target."""

NEARBY = 150
"""Counts around a target among which complements for it are looked for first."""

AROUND = 200
"""Counts that open counts join to a target which are looked at first: of many tables
that are linked to each other few tell anything about one count."""


@dataclass(frozen=True)
class Cost:
    """What readers of repaired tables no longer learn.

    Parameters
    ----------
    n_figures : int
        Figures that are not published any more.
    n_counted : int
        Sum of these counts, as far as they are known.
    """

    n_figures: int
    n_counted: int


@dataclass(frozen=True, repr=False, eq=False)
class Suppression:
    """Tables with complements hidden.

    Parameters
    ----------
    hidden : tuple of int
        Counts that are to be hidden, with a mark of their own: never as a `T`.
    system : System
        What is published then. Figures tied to masked or hidden counts are left out.
    audit : Audit
        Of that: the proof. Its `too_narrow` are counts that even hiding all that may be
        hidden does not protect.
    cost : Cost
        Of what is hidden.
    weight : float
        Sum of the weights of what is hidden.
    least_weight : float
        No choice that protects as much weighs less.
    """

    hidden: tuple[int, ...]
    system: System
    audit: Audit
    cost: Cost
    weight: float
    least_weight: float

    @property
    def gap(self) -> float:
        """Share of the weight that another choice could save at most, in [0, 1]."""
        return max(0.0, 1 - self.least_weight / self.weight) if self.weight else 0.0


def suppression(
    system: System,
    lowest: int,
    *,
    width: int = WIDTH,
    kept: Iterable[int] | None = None,
    weights: FloatArray | None = None,
    seconds: float = 10.0,
    monitor: Monitor = NULL_MONITOR,
) -> Suppression:
    """Hide as little as possible so that every masked count is wide enough.

    Parameters
    ----------
    lowest : int
        Least count that a reader thinks possible for a complement: the threshold if
        it is known that smaller counts are always a `T`, else 0. Shown counts below
        are not hidden, nor are zeros.
    width : int, >= 1
        High minus low that every masked count must have at least.
    kept : iterable of int, optional
        Counts that stay shown; overall totals (`System.wholes`) if it is not given.
    weights : ndarray of float64, shape (n,), optional
        What it costs to hide each count, above 0. If not given, a figure costs 1, and
        of as many figures those are hidden that count fewer.
    seconds : float
        Time for each integer program.

    Raises
    ------
    Cancelled
        If the user asked to stop.

    Notes
    -----
    By parts that share no count that can be hidden. Of a choice by linear programs,
    what is not needed is shown again; where a part is small, an integer program looks
    for a better one. In a large part a choice is made with what is around each target;
    the whole part is audited after it, and more is hidden where that was not enough.
    What is returned was audited again.
    """
    untied = system.with_hidden((), lowest)
    before = audit(
        untied, width=width, seconds=seconds, monitor=SubMonitor(monitor, 0, 0.2)
    )
    base = untied.without(before.left_out)
    may_hide = (base.marks == PublishedAs.SHOWN) & (base.low >= max(lowest, 1))
    may_hide[list(base.wholes if kept is None else kept)] = False
    costs = _weights(base, weights)
    hidden: list[int] = []
    least = 0.0
    parts = list(_to_repair(base, may_hide, before))
    for number, part in enumerate(parts):
        inside, unknowns = base.only(part)
        candidates = np.flatnonzero(may_hide[unknowns])
        choice = Choice(inside, candidates, costs[unknowns][candidates], lowest, width)
        start, end = (0.2 + 0.6 * at / len(parts) for at in (number, number + 1))
        found = _Part(choice, seconds, SubMonitor(monitor, start, end)).repair()
        hidden += unknowns[candidates[sorted(found.chosen)]].tolist()
        least += found.least
    after = untied.with_hidden(hidden, lowest)
    proof = audit(
        after, width=width, seconds=seconds, monitor=SubMonitor(monitor, 0.8, 1)
    )
    return Suppression(
        tuple(sorted(hidden)),
        after,
        proof,
        Cost(len(hidden), int(base.low[hidden].sum())),
        float(costs[hidden].sum()),
        least,
    )


def _to_repair(
    system: System, may_hide: BoolArray, before: Audit
) -> Iterator[list[int]]:
    """Give the relations of each part that has counts to protect.

    What is tied to counts tells nothing while they are shown, and goes when they go.
    """
    for part in raw_parts(system, may_hide | (system.low < system.high)):
        if np.isin(before.too_narrow, part.unknowns).any():
            of = part.relations.tolist()
            yield [at for at in of if not system.relations[at].tied_to]


def _weights(system: System, weights: FloatArray | None) -> FloatArray:
    if weights is not None:
        return weights
    shown = np.where(system.marks == PublishedAs.SHOWN, system.low, 0)
    return 1 + shown / (2 * max(1, int(shown.sum())))


@dataclass(frozen=True, repr=False, eq=False)
class _Repaired:
    """Candidates of one part to hide, and the least that any choice weighs."""

    chosen: set[int]
    least: float


class _Part:
    """Repairs one part of the tables."""

    def __init__(self, choice: Choice, seconds: float, monitor: Monitor) -> None:
        self._choice, self._seconds, self._monitor = choice, seconds, monitor
        self._fraction = 0.0
        self._everything = set(range(len(choice.candidates)))
        self._place = {each: at for at, each in enumerate(choice.candidates.tolist())}
        self._relations: dict[int, list[int]] = {}
        for at, relation in enumerate(choice.system.relations):
            for unknown in relation.unknowns:
                self._relations.setdefault(unknown, []).append(at)

    def repair(self) -> _Repaired:
        """Choose what to hide."""
        choice = self._choice
        beyond = self._too_narrow(self._everything)
        targets = sorted(self._too_narrow(set()) - beyond)
        chosen = self._reduced(self._completed(set(), targets), targets, beyond)
        if not targets:
            return _Repaired(chosen, 0.0)
        least = covering(choice, targets, self._seconds, self._still)
        if 2 * len(targets) * choice.system.size > SMALL:
            return _Repaired(chosen, least)
        first = np.array(sorted(chosen), np.int64)
        bound, found = fewest(choice, targets, first, self._seconds, self._still)
        if found is not None:
            fewer = self._completed(set(found.tolist()), targets)
            fewer = self._reduced(fewer, targets, beyond)
            chosen = min(chosen, fewer, key=self._weight)
        return _Repaired(chosen, max(least, bound or 0.0))

    def _completed(self, hidden: set[int], targets: Sequence[int]) -> set[int]:
        """Hide more until all targets are protected, one target after the other."""
        whole, most = False, AROUND
        while narrow := sorted(self._too_narrow(hidden).intersection(targets)):
            before = len(hidden)
            for number, target in enumerate(narrow):
                self._progressed(number / len(narrow))
                hidden = hidden | self._cheap(hidden, target, most, whole=whole)
            is_stuck = len(hidden) == before
            if is_stuck and whole and most >= self._choice.system.size:
                return self._everything
            whole = is_stuck
            most = 8 * most if is_stuck else most
        return hidden

    @property
    def _still(self) -> Monitor:
        """Monitor of a step that is no progress of its own."""
        return SubMonitor(self._monitor, self._fraction, self._fraction)

    def _progressed(self, fraction: float) -> None:
        """Report progress, which never goes back."""
        self._fraction = max(self._fraction, fraction)
        self._monitor.report(self._fraction, "repair")

    def _cheap(
        self, hidden: set[int], target: int, most: int, *, whole: bool
    ) -> set[int]:
        """Return what protects one target in addition, looked for nearby first."""
        choice, size = self._choice, NEARBY
        while True:
            near = self._near([target], hidden, size, most)
            system, unknowns = self._with(hidden, near)
            inside = [
                (number, self._place[each])
                for number, each in enumerate(unknowns.tolist())
                if each in self._place
                and self._place[each] not in hidden
                and near.issuperset(self._relations[each])
            ]
            places = np.array([place for _, place in inside], np.int64)
            candidates = np.array([number for number, _ in inside], np.int64)
            local = Choice(
                system, candidates, choice.weights[places], choice.lowest, choice.width
            )
            at = int(np.searchsorted(unknowns, target))
            found = cheap(local, at, self._still, self._seconds, whole=whole)
            if found is not None:
                return set(places[found].tolist())
            if len(near) == len(choice.system.relations):
                return set()
            size, most = 8 * size, 8 * most

    def _reduced(
        self, chosen: set[int], targets: Sequence[int], beyond: set[int]
    ) -> set[int]:
        """Show again what need not be hidden; hide again what was needed after all."""
        kept = self._irreducible(chosen, beyond)
        if self._choice.system.size > AROUND:
            # What was judged by what is around it alone.
            kept = self._completed(kept, targets)
        return min(kept, chosen, key=self._weight)

    def _irreducible(self, chosen: set[int], beyond: set[int]) -> set[int]:
        """Show again what need not be hidden, costliest first, while time is left."""
        kept, until = set(chosen), time.monotonic() + self._seconds
        for each in sorted(chosen, key=lambda at: -self._choice.weights[at]):
            if time.monotonic() > until:
                break
            # What depends on it while it is hidden, judged when it is not.
            near = self._near([int(self._choice.candidates[each])], kept, 0, AROUND)
            if self._too_narrow(kept - {each}, near) <= beyond:
                kept.remove(each)
        return kept

    def _near(
        self, start: Iterable[int], hidden: set[int], size: int, most: int
    ) -> set[int]:
        """Return relations around counts: those that open counts join to them.

        Parameters
        ----------
        size : int
            Counts up to which candidates join more relations, too.
        most : int
            Counts up to which open counts do.
        """
        system = self._choice.system
        waiting, later, seen = deque(start), deque[int](), set(start)
        near: set[int] = set()
        while (waiting and len(seen) <= most) or (later and len(seen) <= size):
            unknown = (waiting or later).popleft()
            for at in self._relations.get(unknown, ()):
                near.add(at)
                for each in set(system.relations[at].unknowns) - seen:
                    seen.add(each)
                    is_hidden = self._place.get(each) in hidden
                    if system.low[each] < system.high[each] or is_hidden:
                        waiting.append(each)
                    elif each in self._place:
                        later.append(each)
        return near

    def _with(self, hidden: set[int], near: set[int]) -> tuple[System, IntArray]:
        """Return some relations with candidates hidden, and their counts."""
        system, unknowns = self._choice.system.only(sorted(near))
        chosen = [
            number
            for number, each in enumerate(unknowns.tolist())
            if self._place.get(each) in hidden
        ]
        return system.with_hidden(chosen, self._choice.lowest), unknowns

    def _too_narrow(self, hidden: set[int], near: set[int] | None = None) -> set[int]:
        """Return the counts that are not protected if some candidates are hidden."""
        everywhere = set(range(len(self._choice.system.relations)))
        system, unknowns = self._with(hidden, everywhere if near is None else near)
        found = too_narrow(system, self._choice.width, self._seconds, self._still)
        return set(unknowns[found].tolist())

    def _weight(self, chosen: Iterable[int]) -> float:
        return float(sum(self._choice.weights[at] for at in chosen))
