"""What does every suppression limit and every group size cost?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.policies.lattice.what_if import (
    best_anew,
    can_ask,
    group_size,
    sizes_to_ask,
    with_group_size,
)
from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.search.measure_details import is_asked
from deidgui.engine.search.profile import (
    Profile,
    can_walk_again,
    find_details,
    keep_details,
)
from deidgui.engine.search.question import (
    Question,
    Ranking,
    limit_in_records,
    make_question,
)
from deidgui.engine.search.whole_lattice import Answers, answers_at, make_exact
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

LIMITS: tuple[float, ...] = (
    *(0.0, 0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05),
    *(0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0),
)
"""Suppression limits that people decide on."""

FEW_SIZES = (2, 3, 4, 5, 6, 8, 10, 11, 12, 15, 20, 25, 30, 40, 50, 75, 100)
"""Group sizes that are priced where all of them would take too long."""

MOST_ANSWERS = 3_000_000
"""Policies times group sizes up to which every size is priced."""

VISITS, LEAST_LOOKS, MOST_LOOKS = 20_000_000, 20, 2_000
"""Combinations that may be looked at closer, and policies that they are spent on."""


@dataclass(frozen=True, repr=False, eq=False)
class TradeOffCurve:
    """Loss of the best policy for every value of one threshold.

    All arrays have shape (n,).

    Parameters
    ----------
    at : ndarray of float64, ascending
        Suppression limits in [0, 1], or group sizes.
    loss : ndarray of float64
        NaN where no policy meets the thresholds.
    nodes : ndarray of int64
        The best policy; -1 where there is none or it is not settled.
    exact : ndarray of bool
        Whether the loss is more than a lower bound.
    """

    at: FloatArray
    loss: FloatArray
    nodes: IntArray
    exact: BoolArray

    def place(self, at: float) -> int | None:
        """Last place at or below a value, None if it lies before all of them."""
        place = int(np.searchsorted(self.at, at * (1 + 1e-12), side="right")) - 1
        return place if place >= 0 else None

    def places(self, ats: Sequence[float]) -> list[int]:
        """Places at or below some values, each once, ascending."""
        found = (self.place(at) for at in ats)
        return sorted({place for place in found if place is not None})


@dataclass(frozen=True, repr=False, eq=False)
class TradeOffs:
    """What thresholds cost: loss of the best policy.

    Parameters
    ----------
    by_limit : TradeOffCurve
        Every limit within reach at which the best policy changes, and `LIMITS`.
    by_size : TradeOffCurve
        Every group size, or `FEW_SIZES` if each of them needs a search of its own.
    is_whole : bool
        Whether all policies of the lattice were compared; if not, a better one
        may exist.
    """

    by_limit: TradeOffCurve
    by_size: TradeOffCurve
    is_whole: bool


def find_trade_offs(
    found: LatticePolicies, *, monitor: Monitor = NULL_MONITOR
) -> TradeOffs:
    """Return what each suppression limit and each group size would cost.

    Returns
    -------
    TradeOffs
        Exact, but for measures that need a closer look at more policies than can
        be afforded: there a lower bound.
    """
    by_limit = _by_limit(found, SubMonitor(monitor, 0.0, 0.3))
    by_size = _by_size(found, SubMonitor(monitor, 0.3, 1.0))
    return TradeOffs(by_limit, by_size, found.is_whole)


Best = tuple[float, int, bool]
"""Loss, node (-1 if none or unsettled), and whether the loss is exact."""


@dataclass
class _Budget:
    """How many policies may still be looked at closer."""

    n_left: int

    @classmethod
    def of(cls, profile: Profile) -> _Budget:
        """Return what a curve may cost in all."""
        looks = VISITS // max(profile.class_table.n_classes, 1)
        return cls(min(MOST_LOOKS, max(LEAST_LOOKS, looks)))


@dataclass
class _Curve:
    """A curve that grows by its ends."""

    at: list[float] = field(default_factory=list)
    loss: list[float] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    exact: list[bool] = field(default_factory=list)

    def add(self, at: float, loss: float, node: int, is_exact: bool) -> None:
        self.at.append(at)
        self.loss.append(loss)
        self.nodes.append(node)
        self.exact.append(is_exact)

    def made(self) -> TradeOffCurve:
        return TradeOffCurve(
            np.array(self.at, np.float64),
            np.array(self.loss, np.float64),
            np.array(self.nodes, np.int64),
            np.array(self.exact, np.bool_),
        )


def _question(found: LatticePolicies, k: int | None, limit: float) -> Question:
    models = found.models if k is None else with_group_size(found.models, k)
    table = found.profile.class_table
    return make_question(
        table, models, limit, found.guiding, found.weights, found.keeping
    )


def _answers(profile: Profile, question: Question) -> Answers:
    """Every policy that can be made to meet the thresholds, whatever it suppresses."""
    nodes = np.flatnonzero(profile.checked & profile.possible)
    return answers_at(profile, question, nodes)


def _by_limit(found: LatticePolicies, monitor: Monitor) -> TradeOffCurve:
    """Answer for every limit at once: a policy suppresses the same under each."""
    profile, question = found.profile, _question(found, None, 1.0)
    nodes = np.flatnonzero(profile.checked & profile.possible)
    asks = found.guiding.asks
    keep_details(profile, asks, monitor=monitor)
    answers = answers_at(profile, question, nodes)
    is_missing = is_asked(asks) and asks not in profile.details
    if is_missing and can_walk_again(profile):
        below = np.maximum(found.suppress_below, 1)
        details = find_details(profile, asks, below, monitor=monitor)
        answers = answers_at(profile, question, nodes, details)
    if answers.exact.all():
        monitor.report(1.0, "trade-offs")
        return _staircase(found, nodes, answers.scores)
    curve, limits = _Curve(), _limits(found, [])
    budget = _Budget.of(profile)
    for done, limit in enumerate(limits):
        most = limit_in_records(limit, found.n_records)
        rows = np.flatnonzero(answers.suppressed <= most)
        step = SubMonitor(monitor, done / len(limits), (done + 1) / len(limits))
        curve.add(limit, *_best(profile, question, answers, rows, budget, step))
    return curve.made()


def _limits(found: LatticePolicies, shares: Sequence[float]) -> list[float]:
    """Limits that are priced: round ones, the decided one and others, within reach."""
    reach, limits = found.profile.reach, sorted({*LIMITS, found.limit, *shares})
    if reach is None:
        return limits
    n_records = found.n_records
    return [
        each for each in limits if limit_in_records(each, n_records) <= reach.records
    ]


def _staircase(
    found: LatticePolicies, nodes: IntArray, scores: FloatArray
) -> TradeOffCurve:
    """Every limit at which another policy becomes the best one."""
    suppressed = found.suppressed[nodes]
    rank = np.empty(len(nodes), np.int64)
    ranking = Ranking(found.lattice, scores, found.result.preferred)
    rank[ranking.order(nodes, scores)] = np.arange(len(nodes))
    rows = np.lexsort((rank, suppressed))
    least = np.minimum.accumulate(rank[rows]) if len(rows) else rank
    steps = rows[np.flatnonzero(np.diff(least, prepend=len(nodes)))]
    shares = suppressed[steps] / found.n_records
    curve = _Curve()
    for limit in _limits(found, shares.tolist()):
        most = limit_in_records(limit, found.n_records)
        place = int(np.searchsorted(suppressed[steps], most, "right")) - 1
        if place < 0:
            curve.add(limit, np.nan, -1, True)
        else:
            row = steps[place]
            curve.add(limit, float(scores[row, 0]), int(nodes[row]), True)
    return curve.made()


def _by_size(found: LatticePolicies, monitor: Monitor) -> TradeOffCurve:
    """Answer for every group size, from the same profile where it can tell."""
    profile, curve = found.profile, _Curve()
    now = group_size(found.models)
    few = {*FEW_SIZES, *({now} if now > 1 else ())}
    sizes = sorted(few | {*sizes_to_ask(found)})
    if len(sizes) * profile.n_checked > MOST_ANSWERS or not can_ask(found, 2):
        sizes = sorted(few)
    # Each size has its share, so that one of them does not use up all.
    n_looks = _Budget.of(profile).n_left // len(sizes)
    for done, size in enumerate(sizes):
        step = SubMonitor(monitor, done / len(sizes), (done + 1) / len(sizes))
        step.report(0.0, "trade-offs")
        best = _from_profile(found, size, _Budget(n_looks), step)
        if best is None and size in few:
            best = _searched(found, size, step)
        if best is not None:
            curve.add(size, *best)
    return curve.made()


def _from_profile(
    found: LatticePolicies, size: int, budget: _Budget, monitor: Monitor
) -> Best | None:
    """Best policy for a group size, None if the profile does not settle it."""
    if not can_ask(found, size):
        return None
    question = _question(found, size, found.limit)
    answers = _answers(found.profile, question)
    rows = np.flatnonzero(answers.suppressed <= question.limit_records)
    best = _best(found.profile, question, answers, rows, budget, monitor)
    return best if best[2] else None


def _searched(found: LatticePolicies, size: int, monitor: Monitor) -> Best:
    """Best policy for a group size, by a search of its own."""
    models = with_group_size(found.models, size)
    best = best_anew(found, models, found.limit, monitor=monitor)
    if best.levels is None or best.loss is None or best.gap is None:
        return (np.nan, -1, True) if best.is_proven else (0.0, -1, False)
    if not best.is_proven:
        return best.loss * (1 - best.gap), -1, False
    return best.loss, found.lattice.node(best.levels), True


def _best(
    profile: Profile,
    question: Question,
    answers: Answers,
    rows: IntArray,
    budget: _Budget,
    monitor: Monitor,
) -> Best:
    """Loss of the best of some rows, its node, and whether that is settled.

    Looks closer at rows in the order of their lower bounds, as a search does.
    """
    if not len(rows):
        return np.nan, -1, True
    scores, preferred = answers.scores[rows], question.preferred
    ranking = Ranking(profile.lattice, scores, preferred)
    order = ranking.order(answers.nodes[rows], scores)
    best: tuple[tuple[float, ...], int] | None = None
    for row in rows[order].tolist():
        node = int(answers.nodes[row])
        key = ranking.key(node, answers.scores[row])
        if best is not None and key[:-2] > best[0][:-2]:
            break
        if not answers.exact[row]:
            if not budget.n_left:
                return float(answers.scores[row, 0]), -1, False
            budget.n_left -= 1
            monitor.report(0.0, "trade-offs")
            make_exact(profile, question, answers, row)
            key = ranking.key(node, answers.scores[row])
        if best is None or key < best[0]:
            best = key, row
    assert best is not None
    return float(answers.scores[best[1], 0]), int(answers.nodes[best[1]]), True
