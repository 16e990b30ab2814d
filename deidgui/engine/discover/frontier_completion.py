"""Completes a frontier: its acceptable points as specific as can be, none beaten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.completion import walk_down
from deidgui.engine.discover.frontier import Frontier, Point, RiskAndLoss, Staircase
from deidgui.engine.discover.risk import Descent, RiskMeasure
from deidgui.engine.discover.rules import ROUNDING, Asking, Rule
from deidgui.engine.discover.space import Space
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

MOST_STARTS = 60
"""Points of a frontier, spread over all of it, from which is walked down."""


def complete_frontier(
    frontier: Frontier,
    figures: RiskAndLoss,
    measure: RiskMeasure,
    rule: Rule,
    *,
    tops: Sequence[BoolArray] = (),
    monitor: Monitor = NULL_MONITOR,
) -> Frontier:
    """Walk the acceptable points of a frontier down, and leave out what is beaten.

    Parameters
    ----------
    frontier : Frontier
        Found with `figures`.
    figures : RiskAndLoss
        Its space may have fewer splits than that of the rule (`Space.of_file`).
    measure : RiskMeasure
        Of all bits.
    rule : Rule
        What is acceptable.
    tops : sequence of ndarray of bool, each of shape (n_splits,)
        Further policies to start from, such as the most general one of each kind.

    Returns
    -------
    Frontier
        Policies of the space of the rule: the points and, of the acceptable ones,
        those at the end of the walks, without those that another one or its own child
        beats in both risk and loss.
    """
    finish = _Finish(frontier, figures, measure, rule)
    finish.walk(tops, SubMonitor(monitor, 0.0, 0.8))
    points = finish.points(SubMonitor(monitor, 0.8, 1.0))
    monitor.report(1.0, "policies")
    return replace(frontier, points=points, n_evaluated=finish.n_evaluated)


class _Finish:
    """A frontier that is being completed."""

    def __init__(
        self,
        frontier: Frontier,
        figures: RiskAndLoss,
        measure: RiskMeasure,
        rule: Rule,
    ) -> None:
        self._found, self._figures = frontier, figures
        self._measure, self._rule = measure, rule
        self._space: Space = figures.space
        self._descent = Descent(measure)
        self._rng = np.random.Generator(np.random.PCG64(frontier.seed))
        self._stairs = Staircase()
        for point in frontier.points:
            self._stairs.add(point.risk, point.loss, point.policy.splits)

    @property
    def n_evaluated(self) -> int:
        """Different policies evaluated, those of the frontier too."""
        return self._figures.n_evaluated

    def walk(self, tops: Sequence[BoolArray], monitor: Monitor) -> None:
        """Walk down from every acceptable point, at random and by what it is worth."""
        worth = split_worth(self._figures)
        asking = Asking(self._rule, monitor, self._space)
        known = self._stairs.splits
        some = np.unique(np.linspace(0, len(known) - 1, MOST_STARTS).astype(int))
        starts = [*tops, *(known[place] for place in some.tolist())]
        for number, start in enumerate(starts):
            asking.begin(number / len(starts))
            if not asking.ask(start).accepted:
                continue
            for preferred in (worth, None):
                self._note(walk_down(asking, start, self._rng, preferred))

    def _note(self, splits: BoolArray) -> None:
        self._figures.restart()
        self._stairs.add(*self._figures.of(splits), splits)

    def points(self, monitor: Monitor) -> tuple[Point, ...]:
        """Return the points; where it costs no risk, they are more specific."""
        stairs, whole = Staircase(), self._rule.space
        rows = list(
            zip(
                self._stairs.risks,
                self._stairs.losses,
                self._stairs.splits,
                strict=True,
            )
        )
        asking = Asking(self._rule, monitor, whole)
        for number, (risk, loss, splits) in enumerate(rows):
            asking.begin(number / len(rows))
            own = whole.closed(self._space.bits_of(splits))
            figures = risk, loss
            if self._rule.threshold is not None and asking.ask(own).accepted:
                own = self._at_same_risk(own)
                figures = self._figures.shares(whole.bits_of(own))
            stairs.add(*figures, own)
        found = zip(stairs.risks, stairs.losses, stairs.splits, strict=True)
        return tuple(
            Point(BitPolicy(whole, splits), risk, loss) for risk, loss, splits in found
        )

    def _at_same_risk(self, splits: BoolArray) -> BoolArray:
        """Split whatever nobody's risk depends on."""
        whole = self._rule.space
        risk = self._measure.risk(whole.bits_of(splits))
        current, refused = splits, np.zeros(len(splits), np.bool_)
        while True:
            places = whole.splits.can_split(current)
            places = places[~refused[places]]
            if not len(places):
                return current
            child = current.copy()
            child[places[0]] = True
            bits = whole.bits_of(current), whole.bits_of(child)
            if abs(self._descent.change(*bits)) <= ROUNDING * risk:
                current = child
            else:
                refused[places[0]] = True


def split_worth(figures: RiskAndLoss) -> FloatArray:
    """How much information joining a split costs for the risk that it saves.

    Returns
    -------
    ndarray of float64, shape (n_splits,), each in [0, 1]
        Ranks, of each split joined by itself; those that cannot be are in the middle.
    """
    space = figures.space
    bottom = space.bottom()
    found = np.full(len(bottom), np.nan)
    highest, _ = figures.shares(space.bits_of(bottom))
    for place in space.splits.can_join(bottom).tolist():
        joined = bottom.copy()
        joined[place] = False
        risk, loss = figures.shares(space.bits_of(joined))
        found[place] = loss / max(highest - risk, 1e-15)
    known = np.flatnonzero(~np.isnan(found))
    ranks = np.full(len(found), 0.5)
    order = np.argsort(found[known], kind="stable")
    ranks[known[order]] = np.arange(len(known)) / max(1, len(known) - 1)
    return ranks
