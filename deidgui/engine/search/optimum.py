"""Which node is best, and how far can it be from the best, on a lattice of any size?"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.classes import classes_at
from deidgui.engine.privacy.base import PrivacyModel
from deidgui.engine.privacy.suppression import released
from deidgui.engine.quality.base import QualityMeasure
from deidgui.engine.search.box import Progress
from deidgui.engine.search.boxes import BoxSearch
from deidgui.engine.search.closer import is_asked
from deidgui.engine.search.evaluation import Evaluation, Evaluator
from deidgui.engine.search.lattice import lattice_of
from deidgui.engine.search.question import make_question
from deidgui.monitor import NULL_MONITOR, Monitor

Levels = tuple[int, ...]


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
    question = make_question(class_table, models, limit_fraction, measure, weights)
    lattice = lattice_of(class_table.hierarchies, minimum, maximum)
    evaluator = Evaluator(
        class_table, models, question.limit_records, measure, question.weights
    )
    boxes = BoxSearch(evaluator, lattice.minimum, lattice.maximum, n_threads)
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
        self._told = 0.0
        self._best: object = None

    def see(self, progress: Progress) -> bool:
        now = time.monotonic()
        is_due = progress.best is not self._best or now - self._told > self.EVERY
        if self._on_progress is not None and is_due:
            self._told, self._best = now, progress.best
            self._on_progress(self.state(progress))
        return self._most_nodes is None or progress.n_looked_at < self._most_nodes

    def state(self, progress: Progress) -> Optimum:
        """Return what is known so far."""
        best, nearest = progress.best, progress.nearest
        assert nearest is not None
        return Optimum(
            levels=None if best is None else best.levels,
            loss=None if best is None else self._exact_loss(best),
            n_suppressed=None if best is None else best.n_suppressed,
            gap=progress.gap,
            is_proven=progress.bound is None,
            nearest=nearest.levels,
            n_nearest=nearest.n_suppressed,
            n_nodes=self._n_nodes,
            n_looked_at=progress.n_looked_at,
        )

    def _exact_loss(self, best: Evaluation) -> float:
        """Loss in the order of summation that every other part uses.

        Sums of integers, and of nothing, are the same in any order.
        """
        evaluator = self._evaluator
        asks = evaluator.measure.asks
        if not is_asked(asks) or (asks == "suppressed_bits" and not best.n_suppressed):
            return float(best.score[0])
        classes = classes_at(evaluator.class_table, best.levels)
        suppressed = ~released(evaluator.models, classes)
        values = evaluator.measure.exact_values(evaluator.domain, classes, suppressed)
        return float(evaluator.measure.scores(values[None, :], evaluator.weights)[0, 0])


def around(
    heights: Sequence[tuple[int, int]], levels: Sequence[int], n_nodes: int
) -> list[tuple[int, int]]:
    """Levels around a node, as many on all sides as a small lattice can hold.

    Parameters
    ----------
    heights : sequence of pairs of int
        Lowest and highest level allowed, by attribute.
    levels : sequence of int
        Of the node, each within its limits.
    n_nodes : int, >= 1
        Most nodes of the lattice around it.

    Returns
    -------
    list of pairs of int
        Lowest and highest level by attribute, the node's own between them.
    """
    found = [(level, level) for level in levels]
    growing = True
    while growing:
        growing = False
        for place, (low, high) in enumerate(found):
            lowest, highest = heights[place]
            for wider in ((max(lowest, low - 1), high), (low, min(highest, high + 1))):
                low, high = found[place]
                wider = min(low, wider[0]), max(high, wider[1])
                sizes = [b - a + 1 for a, b in found]
                sizes[place] = wider[1] - wider[0] + 1
                if wider != found[place] and np.prod(sizes, dtype=float) <= n_nodes:
                    found[place] = wider
                    growing = True
    return found
