"""The best node of a lattice of any size, proven by branch and bound."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import log2, sqrt
from operator import le

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray
from deidgui.engine.data.class_table import ClassTable, classes_at
from deidgui.engine.data.raising import RaisedClasses
from deidgui.engine.privacy.base import PrivacyModel
from deidgui.engine.privacy.suppression import released
from deidgui.engine.quality.base import NodeFigures, QualityMeasure
from deidgui.engine.search.bounds import Evaluation, Evaluator, Pairs
from deidgui.engine.search.lattice import Levels, lattice_of
from deidgui.engine.search.measure_details import is_asked
from deidgui.engine.search.question import DIGITS, Preferred, make_question
from deidgui.monitor import NULL_MONITOR, Monitor

Key = tuple[float, ...]

AT_ONCE = 32
"""Boxes that are split in one round; the result does not depend on it."""

MOST_REMEMBERED = 2048
"""Dead ends and solutions that boxes are compared with, the last ones."""

WORTH_THREADS = 50_000
"""Classes from which a second thread gains more than handing over costs."""

WORTH_DESCENDING = 200_000
"""Nodes of a lattice from which better solutions are looked for next to the best."""

WORTH_COMPARING = 4000
"""Classes from which others to merge from are looked for."""

MOST_SOURCES = 16
"""Classes of nodes that are kept to merge others from, those of the fewest classes."""

WORTH_REGROUPING = 64
"""Nodes of a box from which its own classes are worth making."""

WORTH_RECOUNTING = 8
"""The same if the values of a sensitive attribute are counted for each node."""

WORTH_COUNTING = 4
"""The same if the bound is the better the fewer classes are counted."""

WORTH_UNITING = 4
"""The same if the bound rests on the classes that others are merged from."""


@dataclass(frozen=True)
class Optimum:
    """The best solution found, and what is proven about it.

    Parameters
    ----------
    levels : tuple of int or None
        None if no solution was found.
    gap : float in [0, 1] or None
        No node has a loss lower by more than this share of it; 0 if it is the
        optimum. None without a solution.
    is_proven : bool
        Whether no node is better; without a solution, whether there is none.
    nearest : tuple of int
        A node with the fewest suppressed records among those looked at.
    n_nearest : int
        Records suppressed there; a lower bound if that is more than the limit.
    n_nodes, n_looked_at : int
        Of the whole lattice.
    """

    levels: Levels | None
    loss: float | None
    n_suppressed: int | None
    gap: float | None
    is_proven: bool
    nearest: Levels
    n_nearest: int
    n_nodes: int
    n_looked_at: int


def find_optimum(
    class_table: ClassTable,
    models: Sequence[PrivacyModel],
    limit_fraction: float,
    measure: QualityMeasure,
    weights: Mapping[str, float] | None = None,
    minimum: Mapping[str, int] | None = None,
    maximum: Mapping[str, int] | None = None,
    *,
    preferred: Mapping[str, int] | None = None,
    most_nodes: int | None = None,
    n_threads: int = 2,
    on_progress: Callable[[Optimum], None] | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> Optimum:
    """Find the best policy of a lattice without looking at most of its nodes.

    Parameters
    ----------
    limit_fraction : float in [0, 1]
        Share of the records that may be suppressed.
    weights : mapping of str to float in [0, 1], optional
        Importance by attribute.
    minimum, maximum : mapping of str to int, optional
        Allowed levels by attribute.
    preferred : mapping of str to int, optional
        Level by attribute; of two nodes the one that is above fewer of these levels
        is the better one, weighed by importance.
    most_nodes : int, optional
        Give up the proof after so many nodes were looked at; the gap tells what is
        left of it. A number and not a time, so that every machine finds the same.
    n_threads : int, >= 1
        The result does not depend on it.
    on_progress : callable, optional
        Receives what is known so far whenever the best solution changes and
        several times per second, on the calling thread. After a cancel the last
        one is what was found.

    Returns
    -------
    Optimum
        Ties go to the lower sum of levels, then to the lexicographically smaller
        level vector (methods.md B.1).

    Raises
    ------
    ConfigError
        Codes ``no_privacy_model``, ``suppression_limit``, ``weights_all_zero``,
        ``level_limits`` and those of `PrivacyModel.check`.
    """
    question = make_question(
        class_table, models, limit_fraction, measure, weights, preferred
    )
    lattice = lattice_of(class_table.hierarchies, minimum, maximum)
    evaluator = Evaluator(
        class_table, models, question.limit_records, measure, question.weights
    )
    boxes = BoxSearch(
        evaluator, lattice.minimum, lattice.maximum, n_threads, question.preferred
    )
    watch = _Watch(evaluator, lattice.n_nodes, most_nodes, on_progress)
    progress = boxes.run(watch.see, monitor)
    monitor.report(1.0, f"proof {progress.n_looked_at}")
    return watch.state(progress)


class _Watch:
    """Tells of progress, not too often, and ends the search when it was enough."""

    EVERY = 0.1

    def __init__(
        self,
        evaluator: Evaluator,
        n_nodes: int,
        most_nodes: int | None,
        on_progress: Callable[[Optimum], None] | None,
    ) -> None:
        self._evaluator, self._n_nodes = evaluator, n_nodes
        self._on_progress = on_progress
        self._most_nodes = most_nodes
        self._reported = 0.0
        self._best: object = None

    def see(self, progress: SearchProgress) -> bool:
        now = time.monotonic()
        is_due = progress.best is not self._best or now - self._reported > self.EVERY
        if self._on_progress is not None and is_due:
            self._reported, self._best = now, progress.best
            self._on_progress(self.state(progress))
        return self._most_nodes is None or progress.n_looked_at < self._most_nodes

    def state(self, progress: SearchProgress) -> Optimum:
        """Return what is known so far."""
        best, nearest = progress.best, progress.nearest
        assert nearest is not None
        return Optimum(
            levels=None if best is None else best.levels,
            loss=None if best is None else self._exact_loss(best, progress),
            n_suppressed=None if best is None else best.n_suppressed,
            gap=progress.gap,
            is_proven=progress.bound is None,
            nearest=nearest.levels,
            n_nearest=nearest.n_suppressed,
            n_nodes=self._n_nodes,
            n_looked_at=progress.n_looked_at,
        )

    def _exact_loss(self, best: Evaluation, progress: SearchProgress) -> float:
        """Loss in the order of summation that every other part uses.

        Sums of integers, and of nothing, are the same in any order.
        """
        evaluator = self._evaluator
        asks = evaluator.measure.asks
        if not is_asked(asks) or (asks == "suppressed_bits" and not best.n_suppressed):
            return float(progress.best_score[0])
        classes = classes_at(evaluator.class_table, best.levels)
        suppressed = ~released(evaluator.models, classes)
        values = evaluator.measure.exact_values(evaluator.facts, classes, suppressed)
        return float(evaluator.measure.scores(values[None, :], evaluator.weights)[0, 0])


@dataclass(eq=False)
class SearchProgress:
    """How far a search has come.

    Attributes
    ----------
    best : Evaluation or None
        Best solution so far.
    best_score : ndarray of float64, shape (n_columns,)
        Its score by the measure; empty if there is none.
    nearest : Evaluation or None
        Node with the fewest suppressed records so far.
    bound : ndarray of float64 or None
        No node that is not looked at yet has a lower score; None if there is none.
    n_decided : int
        Nodes that were looked at, or need not be.
    """

    best: Evaluation | None = None
    best_score: FloatArray = field(default_factory=lambda: np.empty(0))
    nearest: Evaluation | None = None
    bound: FloatArray | None = None
    n_decided: int = 0
    n_looked_at: int = 0

    @property
    def gap(self) -> float | None:
        """By which share of its loss the best solution could still be bettered.

        0 if it is proven to be the optimum, None if there is no solution yet.
        """
        if self.best is None:
            return None
        if self.bound is None:
            return 0.0
        loss, bound = float(self.best_score[0]), float(self.bound[0])
        return max(0.0, (loss - bound) / loss) if loss > 0 else 0.0


class BoxSearch:
    """Best-first branch and bound over boxes of a lattice.

    A box is bounded from both sides: no node in it is generalized less than its
    low corner, and none suppresses fewer records than its high corner. The box with
    the least bound is cut in two along the attribute that costs most, and the high
    corner of the lower half is looked at. High corners have few classes, so that
    most nodes of the lattice, and all expensive ones, are never grouped.

    Parameters
    ----------
    minimum, maximum : sequence of int
        Levels of the lattice's corners.
    n_threads : int, >= 1
        The result does not depend on it.
    preferred : Preferred, optional
        What decides before the measure does.

    References
    ----------
    .. [1] A. H. Land, A. G. Doig (1960), *An automatic method of solving discrete
       programming problems*; the bounds are those of methods.md B.3, tightened by
       the records that the more general corner suppresses (B.2).
    """

    def __init__(
        self,
        evaluator: Evaluator,
        minimum: Sequence[int],
        maximum: Sequence[int],
        n_threads: int = 2,
        preferred: Preferred | None = None,
    ) -> None:
        self._evaluator, self._preferred = evaluator, preferred
        self._minimum, self._maximum = tuple(minimum), tuple(maximum)
        self._n_threads = n_threads
        self._heap: list[tuple[Key, int, Box]] = []
        self._n_pushed = 0
        self._best_key: Key | None = None
        self._dead_ends = np.empty((MOST_REMEMBERED, len(self._minimum)), np.int16)
        self._n_dead_ends = 0
        self._lowest: Evaluation | None = None
        self._solutions = np.empty_like(self._dead_ends)
        self._n_solutions = 0
        self.progress = SearchProgress()
        bottom = evaluator.bottom
        is_lowest = not any(self._minimum)
        self._bottom = bottom if is_lowest else bottom.raised(self._minimum)
        self._sources: list[RaisedClasses] = []
        self._source_sizes: list[int] = []
        self._values = _level_values(evaluator, self._minimum)
        self._costs = _level_costs(evaluator, self._values)
        self._goes_by_classes = not evaluator.measure.is_by_attribute
        self._scale = np.ones(1)
        self._worth = WORTH_REGROUPING
        if evaluator.class_table.sensitive:
            self._worth = WORTH_RECOUNTING
        if self._goes_by_classes:
            self._worth = WORTH_COUNTING
        if evaluator.unites:
            self._worth = WORTH_UNITING
        self._bits = _level_bits(self._bottom)
        self._is_exact = evaluator.limit_records == 0
        self._pairs: Pairs | None = None

    def run(
        self,
        on_round: Callable[[SearchProgress], bool] | None = None,
        monitor: Monitor = NULL_MONITOR,
    ) -> SearchProgress:
        """Search until the optimum is proven.

        Parameters
        ----------
        on_round : callable, optional
            Receives the progress many times per second; False ends the search.

        Returns
        -------
        SearchProgress
            With ``bound`` None if the best solution is proven to be the optimum.
        """
        with ExitStack() as stack:
            pool = None
            if self._n_threads > 1 and self._bottom.n_classes >= WORTH_THREADS:
                threads = ThreadPoolExecutor(self._n_threads, "boxes")
                pool = stack.enter_context(threads)
            self._begin(monitor)
            while self._heap:
                boxes = self._next_boxes()
                self._split(boxes, pool, monitor)
                if self._n_nodes > WORTH_DESCENDING:
                    self._descend(pool, monitor)
                self._state_bound()
                if on_round is not None and not on_round(self.progress):
                    break
        return self.progress

    @cached_property
    def _n_nodes(self) -> int:
        return _n_between(self._minimum, self._maximum)

    def _begin(self, monitor: Monitor) -> None:
        """Look at the most general node; the whole lattice is the first box."""
        top = self._evaluator.evaluate(self._bottom.raised(self._maximum))
        if top.is_solution:
            score = self._scores([top])[0]
            is_scale = np.isfinite(score) & (score != 0)
            self._scale = np.where(is_scale, np.abs(score), 1.0)
        self._take([top])
        most = min(top.most_classes, self._bottom.n_classes)
        box = Box(self._minimum, self._maximum, top, self._bottom, most, ())
        self.progress.n_decided = 1
        if top.is_dead_end:
            self._drop(box)
        elif self._n_nodes > 1:
            if self._evaluator.asks_for_size:
                pairs = self._evaluator.pairs(self._bottom, monitor)
                self._pairs = pairs if pairs.is_any else None
            self._push(self._raised([box]))

    def _next_boxes(self) -> list[Box]:
        """Take the boxes with the least bounds that can still hold a better node."""
        found: list[Box] = []
        wanted = min(AT_ONCE, 1 + self.progress.n_looked_at // 16)
        while self._heap and len(found) < wanted:
            key, _, box = heapq.heappop(self._heap)
            if self._is_beaten(key):
                self._drop(box)
                while self._heap:
                    self._drop(heapq.heappop(self._heap)[2])
                break
            found.append(box)
        return found

    def _is_beaten(self, key: Key) -> bool:
        return self._best_key is not None and key >= self._best_key

    def _drop(self, box: Box) -> None:
        """Count the nodes of a box as decided; its top was counted before."""
        self.progress.n_decided += box.n_nodes - (box.top.levels == box.high)

    def _report(self, monitor: Monitor) -> None:
        done = self.progress.n_decided / self._n_nodes
        monitor.report(done, f"proof {self.progress.n_looked_at}")

    def _split(
        self, boxes: Sequence[Box], pool: Executor | None, monitor: Monitor
    ) -> None:
        halves = [self._halves(box) for box in boxes]
        lower = self._raised([lower for _, lower in halves])
        tasks = self._spared(lower, self._is_below_dead_end)
        run = map if pool is None else pool.map
        left = [upper for upper, _ in halves]
        if self._goes_by_classes:
            self._count_low_corners(left)
        found: list[Evaluation] = []
        # One by one: a cancel need not wait for the others.
        for box, (source, evaluation) in zip(
            tasks, run(self._look, tasks), strict=True
        ):
            self._report(monitor)
            found.append(evaluation)
            self.progress.n_decided += 1
            most = min(box.most_classes, evaluation.most_classes, source.n_classes)
            if source is not box.source:
                most = min(most, self._evaluator.most_classes_above(source))
            box.top, box.source, box.most_classes = evaluation, source, most
            if evaluation.is_dead_end_between or box.n_nodes == 1:
                self._drop(box)
            else:
                left.append(box)
        self._take(found)
        self._remember([box.source for box in left])
        self._push(left)

    def _count_low_corners(self, boxes: Sequence[Box]) -> None:
        """Count the classes of the low corners, which bound what is above them."""
        for box in boxes:
            source = self._source(box)
            if source is not box.source:
                most = self._evaluator.most_classes_above(source)
                box.source, box.most_classes = source, min(box.most_classes, most)

    def _descend(self, pool: Executor | None, monitor: Monitor) -> None:
        """Look for better solutions next to the best one, until there is none.

        Boxes come to good solutions late where nodes are many; what is found here
        cuts boxes off earlier, and is worth having if the proof is given up. First
        every attribute is lowered by a level, then also another one is raised.
        """
        while self.progress.best is not self._lowest:
            self._lowest = best = self.progress.best
            assert best is not None
            places = range(len(best.levels))
            lower = [
                _with_level(best.levels, place, best.levels[place] - 1)
                for place in places
                if best.levels[place] > self._minimum[place]
            ]
            self._look_at(lower, pool, monitor)
            if self.progress.best is best:
                exchanged = [
                    _with_level(levels, place, levels[place] + 1)
                    for levels in lower
                    for place in places
                    if best.levels[place] == levels[place] < self._maximum[place]
                ]
                self._look_at(exchanged, pool, monitor)

    def _look_at(
        self, nodes: Sequence[Levels], pool: Executor | None, monitor: Monitor
    ) -> None:
        """Look at nodes that can be solutions."""
        if not nodes:
            return
        known = self._dead_ends[: min(self._n_dead_ends, MOST_REMEMBERED)]
        idle = _any_row(known >= np.array(nodes, known.dtype)[:, None])
        fresh = [each for each, is_idle in zip(nodes, idle, strict=True) if not is_idle]
        run = map if pool is None else pool.map
        for evaluation in run(self._look_at_one, fresh):
            self._report(monitor)
            self._take([evaluation])

    def _look_at_one(self, levels: Levels) -> Evaluation:
        return self._evaluator.evaluate(self._bottom.raised(levels))

    def _spared(
        self, boxes: Sequence[Box], is_idle: Callable[[Sequence[Box]], BoolArray]
    ) -> list[Box]:
        """Return the boxes that are worth going on with; the others are decided."""
        left: list[Box] = []
        if not boxes:
            return left
        for box, idle in zip(boxes, is_idle(boxes).tolist(), strict=True):
            if idle:
                self._drop(box)
            else:
                left.append(box)
        return left

    def _raised(self, boxes: Sequence[Box]) -> list[Box]:
        """Leave out what pairs of attributes rule out; return what is left."""
        if self._pairs is None or not boxes:
            return list(boxes)
        left: list[Box] = []
        lows = self._pairs.least(
            [box.low for box in boxes], [box.high for box in boxes]
        )
        for box, low in zip(boxes, lows, strict=True):
            if low == box.low:
                left.append(box)
            elif all(map(le, low, box.high)):
                self.progress.n_decided += box.raise_low(low)
                left.append(box)
            else:
                self._drop(box)
        return left

    def _is_below_dead_end(self, boxes: Sequence[Box]) -> BoolArray:
        """Whether every node of a box is known to be no solution."""
        known = self._dead_ends[: min(self._n_dead_ends, MOST_REMEMBERED)]
        levels = np.array([box.high for box in boxes], known.dtype)
        return _any_row(known >= levels[:, None])

    def _is_above_solution(self, boxes: Sequence[Box]) -> BoolArray:
        """Whether a solution is less general than every node, so that it is better.

        Without suppressed records no measure falls on the way up (methods.md B.2).
        """
        if self._evaluator.limit_records:
            return np.zeros(len(boxes), np.bool_)
        known = self._solutions[: min(self._n_solutions, MOST_REMEMBERED)]
        levels = np.array([box.low for box in boxes], known.dtype)
        return _any_row(known <= levels[:, None])

    def _look(self, box: Box) -> tuple[RaisedClasses, Evaluation]:
        source = self._source(box)
        fewest = source
        if not self._evaluator.unites:
            fewest = self._fewest(source, box.high)
        is_between = all(map(le, fewest.levels, box.low))
        classes = fewest.raised(box.high)
        return source, self._evaluator.evaluate(classes, is_between=is_between)

    def _source(self, box: Box) -> RaisedClasses:
        """Classes to merge from: those of the low corner, if they are far fewer."""
        source = box.source
        if source.levels == box.low or box.n_nodes < self._worth:
            return source
        groups = source.coding.n_groups
        cells = 1.0
        for place, level in enumerate(box.low):
            cells *= groups[place, level]
        is_small = cells * 2 < source.n_classes or _shrinks(source, box.low)
        if is_small or self._evaluator.unites:
            return self._fewest(source, box.low).raised(box.low)
        return source

    def _fewest(self, source: RaisedClasses, levels: Levels) -> RaisedClasses:
        """Fewest known classes that can be merged to those of a node."""
        n_classes = source.n_classes
        if n_classes < WORTH_COMPARING:
            return source
        for each, n_own in zip(self._sources, self._source_sizes, strict=True):
            if n_own >= n_classes:
                break
            if all(map(le, each.levels, levels)):
                return each
        return source

    def _remember(self, sources: Sequence[RaisedClasses]) -> None:
        """Keep classes to merge others from."""
        known = {each.levels: each for each in self._sources}
        fresh = {each.levels: each for each in sources if each.levels not in known}
        if fresh:
            every = [*self._sources, *fresh.values()]
            self._sources = sorted(every, key=lambda each: each.n_classes)
            del self._sources[MOST_SOURCES:]
            self._source_sizes = [each.n_classes for each in self._sources]

    def _halves(self, box: Box) -> tuple[Box, Box]:
        """Cut a box along the attribute that tells most apart at the highest cost.

        Before that, levels above the preferred ones are cut off.
        """
        if (found := self._preferred_cut(box)) is not None:
            return self._cut(box, *found)
        place, widest = -1, -1.0
        for each, (cost, detail) in enumerate(
            zip(self._costs, self._bits, strict=True)
        ):
            low, high = box.low[each], box.high[each]
            if high > low:
                width = (cost[high] - cost[low]) * sqrt(detail[low] - detail[high])
                if width > widest:
                    place, widest = each, width
        low, high = box.low[place], box.high[place]
        # Without suppressed records the boundary of the solutions is what counts, and
        # that follows the number of classes rather than the loss.
        steps = self._bits[place] if self._is_exact else self._costs[place]
        middle = (steps[low] + steps[high]) / 2
        sign = 1 if steps[high] >= steps[low] else -1
        cut = low
        while cut + 1 < high and sign * steps[cut + 1] <= sign * middle:
            cut += 1
        return self._cut(box, place, cut)

    def _preferred_cut(self, box: Box) -> tuple[int, int] | None:
        """Attribute and level to cut a box at, so that all its nodes cost alike."""
        if self._preferred is None:
            return None
        levels, costs = self._preferred.levels, self._preferred.costs
        is_cut = (np.array(box.low) <= levels) & (levels < np.array(box.high))
        if not is_cut.any():
            return None
        place = int(np.argmax(np.where(is_cut, costs, -1.0)))
        return place, int(levels[place])

    def _cut(self, box: Box, place: int, cut: int) -> tuple[Box, Box]:
        """Cut a box above a level of an attribute: what is above, what is not."""
        above, below = (
            _with_level(box.low, place, cut + 1),
            _with_level(box.high, place, cut),
        )
        rest = box.top, box.source, box.most_classes, box.key
        return Box(above, box.high, *rest), Box(box.low, below, *rest)

    def _state_keys(self, boxes: Sequence[Box]) -> None:
        """Bound some boxes."""
        measure, weights = self._evaluator.measure, self._evaluator.weights
        if self._is_exact and self._values is not None:
            lows = np.array([box.low for box in boxes])
            values = self._values[np.arange(lows.shape[1]), lows]
        else:
            floor = measure.bounds if self._is_exact else measure.floor
            values = floor(_between(boxes, 0))
        if any(len(box.top.sure) > 1 for box in boxes):
            values = np.maximum(values, measure.floor(_between(boxes, -1)))
        scores = self._rounded(measure.scores(values, weights))
        for box, score in zip(boxes, scores, strict=True):
            box.key = (self._cost(box.low), *score, sum(box.low), *box.low)

    def _cost(self, levels: Levels) -> float:
        """Cost of levels above the preferred ones, the first that nodes differ in."""
        if self._preferred is None:
            return 0.0
        return float(self._preferred.cost(np.array([levels]))[0])

    def _rounded(self, scores: FloatArray) -> list[list[float]]:
        """Scores as they are compared, row by row."""
        rows: list[list[float]] = np.round(scores / self._scale, DIGITS).tolist()
        return rows

    def _push(self, boxes: Sequence[Box]) -> None:
        boxes = self._spared(boxes, self._is_above_solution)
        if boxes:
            self._state_keys(boxes)
        for box in boxes:
            if self._is_beaten(box.key):
                self._drop(box)
            elif box.n_nodes > 1 or box.top.levels != box.high:
                self._n_pushed += 1
                heapq.heappush(self._heap, (box.key, self._n_pushed, box))

    def _take(self, evaluations: Sequence[Evaluation]) -> None:
        """Keep what was found at some nodes."""
        progress = self.progress
        progress.n_looked_at += len(evaluations)
        for each in evaluations:
            if progress.nearest is None or self._is_nearer(each):
                progress.nearest = each
            if each.is_dead_end:
                self._dead_ends[self._n_dead_ends % MOST_REMEMBERED] = each.levels
                self._n_dead_ends += 1
            if each.is_solution:
                self._solutions[self._n_solutions % MOST_REMEMBERED] = each.levels
                self._n_solutions += 1
        if solutions := [each for each in evaluations if each.is_solution]:
            self._take_solutions(solutions)

    def _take_solutions(self, solutions: Sequence[Evaluation]) -> None:
        """Keep the best of some solutions, if it is better than those before."""
        scores = self._scores(solutions)
        for each, score, rounded in zip(
            solutions, scores, self._rounded(scores), strict=True
        ):
            levels = each.levels
            key = (self._cost(levels), *rounded, sum(levels), *levels)
            if self._best_key is None or key < self._best_key:
                self._best_key = key
                self.progress.best, self.progress.best_score = each, score

    def _scores(self, solutions: Sequence[Evaluation]) -> FloatArray:
        """Scores by the measure: float64, (n_solutions, n_columns)."""
        measure, weights = self._evaluator.measure, self._evaluator.weights
        figures = NodeFigures.joined([each.sure[0] for each in solutions], 0)
        return measure.scores(measure.values(figures), weights)

    def _is_nearer(self, evaluation: Evaluation) -> bool:
        nearest = self.progress.nearest
        assert nearest is not None
        return evaluation.n_suppressed < nearest.n_suppressed

    def _state_bound(self) -> None:
        progress = self.progress
        progress.bound = None
        if self._heap and not self._is_beaten(self._heap[0][0]):
            cost, *score = self._heap[0][0][: 1 + len(self._scale)]
            progress.bound = np.array(score) * self._scale
            if self._best_key is not None and cost < self._best_key[0]:
                # Nodes that are better whatever they lose may be left.
                progress.bound[:] = 0.0


@dataclass(slots=True, eq=False)
class Box:
    """All nodes between two nodes of the lattice, none of them looked at but the top.

    Parameters
    ----------
    low, high : tuple of int
        Levels of the least and of the most general node.
    top : Evaluation
        Of a node at or above `high`.
    source : RaisedClasses
        Classes of a node at or below `low`.
    most_classes : int
        No node of the box has more classes that may be released.
    key : tuple of float
        No node of the box compares as less: a score, then what breaks ties.

    Attributes
    ----------
    n_nodes : int
        Number of nodes.
    """

    low: Levels
    high: Levels
    top: Evaluation
    source: RaisedClasses
    most_classes: int
    key: Key
    n_nodes: int = field(init=False)

    def __post_init__(self) -> None:
        self.n_nodes = _n_between(self.low, self.high)

    def raise_low(self, low: Levels) -> int:
        """Leave out the nodes that are not at or above one; return how many."""
        before, self.low = self.n_nodes, low
        self.n_nodes = _n_between(low, self.high)
        return before - self.n_nodes


def _n_between(low: Levels, high: Levels) -> int:
    """Return how many nodes there are between two nodes, both counted."""
    n = 1
    for least, most in zip(low, high, strict=True):
        n *= most - least + 1
    return n


def _any_row(holds: BoolArray) -> BoolArray:
    """Whether any row holds throughout: (n_boxes, n_rows, n) to (n_boxes,)."""
    rows: BoolArray = np.all(holds, axis=2)
    return np.asarray(np.any(rows, axis=1))


def _with_level(levels: Levels, place: int, level: int) -> Levels:
    """Return the same levels but for one attribute."""
    return (*levels[:place], level, *levels[place + 1 :])


def _shrinks(source: RaisedClasses, levels: Levels) -> bool:
    """Whether a node likely has less than half as many classes as the source."""
    groups = source.coding.n_groups
    ratio = 1.0
    for place, (own, level) in enumerate(zip(source.levels, levels, strict=True)):
        ratio *= groups[place, level] / groups[place, own]
    return ratio < 0.3


def _between(boxes: Sequence[Box], view: int) -> NodeFigures:
    """Figures for `QualityMeasure.floor`, one row per box."""
    return replace(
        NodeFigures.joined([box.top.sure[view] for box in boxes], -1),
        levels=np.array([box.low for box in boxes]),
        n_classes=np.array([box.most_classes for box in boxes]),
        squares=np.array([box.source.squares for box in boxes]),
        suppressed_classes=np.zeros(len(boxes), np.int64),
        kept_combinations=None,
        kept_log_density=None,
    )


def _level_bits(classes: RaisedClasses) -> list[list[float]]:
    """By attribute and level: log2 of the values told apart there."""
    groups = classes.coding.n_groups.tolist()
    return [[log2(max(1, n_groups)) for n_groups in row] for row in groups]


def _level_values(evaluator: Evaluator, minimum: Levels) -> FloatArray | None:
    """By attribute and level: what no more general node loses less of the attribute.

    Returns
    -------
    ndarray of float64, shape (n_attributes, n_levels), or None
        Without a value per attribute there are none; inf above the hierarchy.
    """
    facts, measure = evaluator.facts, evaluator.measure
    if not measure.is_by_attribute:
        return None
    heights = facts.heights.tolist()
    places = [
        (a, level) for a, height in enumerate(heights) for level in range(height + 1)
    ]
    nodes = np.array([_with_level(minimum, *place) for place in places])
    none = np.zeros(len(nodes), np.int64)
    leaves = np.zeros_like(nodes)
    figures = NodeFigures(facts, nodes, none, none, none, none, none, leaves)
    bounds = measure.bounds(figures)
    values = np.full((len(heights), max(heights) + 1), np.inf)
    for row, (a, level) in enumerate(places):
        values[a, level] = bounds[row, a]
    return values


def _level_costs(evaluator: Evaluator, values: FloatArray | None) -> list[list[float]]:
    """By attribute and level: what releasing it there costs on its own.

    For measures without a value per attribute, how much less is told apart.
    """
    if values is not None:
        costs: list[list[float]] = (values.T * evaluator.weights).T.tolist()
        return costs
    bits = _level_bits(evaluator.bottom)
    return [[row[0] - each for each in row] for row in bits]
