"""Complementary suppression: hides further counts until masked ones are protected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.counts.components import raw_parts
from deidgui.engine.counts.inference import WIDTH, Audit, audit
from deidgui.engine.counts.pairs import Choice, cheap, covering, fewest
from deidgui.engine.counts.system import Mark, System
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

SMALL = 20_000
"""Unknowns of the program up to which the cheapest choice is searched for: twice the
counts of a part for each target."""


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
    By parts that share no count that can be hidden. A choice by linear programs, made
    irreducible, is improved upon by an integer program where a part is small. What is
    returned was audited again.
    """
    untied = system.with_hidden((), lowest)
    before = audit(
        untied, width=width, seconds=seconds, monitor=SubMonitor(monitor, 0, 0.2)
    )
    base = untied.without(before.left_out)
    may_hide = (base.marks == Mark.SHOWN) & (base.low >= max(lowest, 1))
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
        hidden += unknowns[candidates[found.chosen]].tolist()
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
    shown = np.where(system.marks == Mark.SHOWN, system.low, 0)
    return 1 + shown / (2 * max(1, int(shown.sum())))


@dataclass(frozen=True, repr=False, eq=False)
class _Repaired:
    """Candidates of one part to hide, and the least that any choice weighs."""

    chosen: IntArray
    least: float


class _Part:
    """Repairs one part of the tables."""

    def __init__(self, choice: Choice, seconds: float, monitor: Monitor) -> None:
        self._choice, self._seconds, self._monitor = choice, seconds, monitor

    def repair(self) -> _Repaired:
        """Choose what to hide."""
        everything = np.arange(len(self._choice.candidates))
        beyond = set(self._too_narrow(everything))
        targets = [each for each in self._too_narrow([]) if each not in beyond]
        chosen = self._irreducible(self._greedy(targets), beyond)
        if not targets:
            return _Repaired(chosen, 0.0)
        least = covering(self._choice, targets, self._seconds, self._monitor)
        if 2 * len(targets) * self._choice.system.size > SMALL:
            return _Repaired(chosen, least)
        bound, fewer = fewest(
            self._choice, targets, chosen, self._seconds, self._monitor
        )
        if fewer is not None:
            fewer = self._irreducible(self._completed(fewer, targets), beyond)
            if self._weight(fewer) < self._weight(chosen):
                chosen = fewer
        return _Repaired(chosen, max(least, bound or 0.0))

    def _greedy(self, targets: Sequence[int]) -> IntArray:
        return self._completed(np.array([], np.int64), targets)

    def _completed(self, chosen: IntArray, targets: Sequence[int]) -> IntArray:
        """Hide more until all targets are protected, one target after the other."""
        hidden = set(chosen.tolist())
        everything = set(range(len(self._choice.candidates)))
        while narrow := [
            each for each in self._too_narrow(sorted(hidden)) if each in targets
        ]:
            before = len(hidden)
            for target in narrow:
                hidden |= self._cheap(hidden, target)
            if len(hidden) == before:
                hidden = everything
        return np.array(sorted(hidden), np.int64)

    def _cheap(self, hidden: set[int], target: int) -> set[int]:
        choice = self._choice
        rest = np.array(
            [at for at in range(len(choice.candidates)) if at not in hidden], np.int64
        )
        now = choice.system.with_hidden(
            choice.candidates[sorted(hidden)].tolist(), choice.lowest
        )
        left = Choice(
            now,
            choice.candidates[rest],
            choice.weights[rest],
            choice.lowest,
            choice.width,
        )
        found = cheap(left, target, self._monitor, self._seconds)
        return set() if found is None else set(rest[found].tolist())

    def _irreducible(self, chosen: IntArray, beyond: set[int]) -> IntArray:
        """Show again what need not be hidden, the costliest first."""
        kept = chosen.tolist()
        for each in sorted(kept, key=lambda at: -self._choice.weights[at]):
            fewer = [at for at in kept if at != each]
            if beyond.issuperset(self._too_narrow(fewer)):
                kept = fewer
        return np.array(kept, np.int64)

    def _too_narrow(self, chosen: Sequence[int] | IntArray) -> Iterator[int]:
        """Give the targets that are not protected if some candidates are hidden."""
        hidden = self._choice.candidates[np.asarray(chosen, np.int64)]
        system = self._choice.system.with_hidden(hidden.tolist(), self._choice.lowest)
        found = audit(
            system,
            width=self._choice.width,
            seconds=self._seconds,
            monitor=SubMonitor(self._monitor, 0, 0),
        )
        yield from found.too_narrow.tolist()

    def _weight(self, chosen: IntArray) -> float:
        return float(self._choice.weights[chosen].sum())
