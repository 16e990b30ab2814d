"""Is one node a solution, what does it cost, and what follows for all below it?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numba import njit

from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.raising import RaisedClasses
from deidgui.engine.privacy.base import PrivacyModel
from deidgui.engine.privacy.suppression import Roles, is_possible, released
from deidgui.engine.quality.base import QualityMeasure
from deidgui.engine.quality.figures import Domain, NodeFigures
from deidgui.engine.search.pairs import Pairs
from deidgui.engine.search.sums import figures_at
from deidgui.monitor import NULL_MONITOR, Monitor


@dataclass(frozen=True, eq=False)
class Evaluation:
    """One node of the lattice, looked at.

    Parameters
    ----------
    n_suppressed : int
        Records that must be suppressed.
    is_solution : bool
        Whether no more than the limit is suppressed.
    is_dead_end : bool
        Whether no less general node can be a solution.
    values, score : ndarray of float64, shape (n_values,) and (n_columns,)
        By the measure; empty if it is no solution.
    most_classes : int
        No less general node has more classes that may be released.
    sure : tuple of NodeFigures
        Figures of this one node, with records that every less general solution
        suppresses as well, possibly in two ways; empty if it is a dead end.
    """

    levels: tuple[int, ...]
    n_suppressed: int
    is_solution: bool
    is_dead_end: bool
    values: FloatArray
    score: FloatArray
    most_classes: int
    sure: tuple[NodeFigures, ...]


def _dead_end(classes: RaisedClasses, least: int) -> Evaluation:
    nothing = np.empty(0)
    return Evaluation(classes.levels, least, False, True, nothing, nothing, 0, ())


@njit(cache=True, nogil=True)
def _in_small(counts: IntArray, smallest: int) -> int:
    """Records of the classes that are too small."""
    found = 0
    for count in counts:
        found += count if count < smallest else 0
    return found


@njit(cache=True, nogil=True)
def _among_all(
    is_large: BoolArray, fits: BoolArray, most: IntArray
) -> tuple[BoolArray, IntArray]:
    """What is known of the large classes, told of all; the others are suppressed."""
    all_fits = np.zeros(len(is_large), np.bool_)
    all_most = np.zeros(len(is_large), np.int64)
    place = 0
    for i in range(len(is_large)):
        if is_large[i]:
            all_fits[i], all_most[i] = fits[place], most[place]
            place += 1
    return all_fits, all_most


@njit(cache=True, nogil=True)
def _ways(
    counts: IntArray, fits: BoolArray, most: IntArray, smallest: int
) -> tuple[IntArray, int]:
    """Records that are suppressed, and that surely are; most classes that are released.

    Returns
    -------
    gone : ndarray of int64, shape (2, n_classes)
    most_classes : int
        Here and below: every class there lies in one of these, and has no fewer
        records than the smallest that can be released.
    """
    gone = np.empty((2, len(counts)), np.int64)
    most_classes = 0
    for i in range(len(counts)):
        gone[0, i] = 0 if fits[i] else counts[i]
        gone[1, i] = counts[i] - most[i]
        most_classes += most[i] // smallest
    return gone, most_classes


class Evaluator:
    """Looks at nodes under thresholds and a measure.

    Parameters
    ----------
    weights : ndarray of float64, shape (n_attributes,)
    """

    def __init__(
        self,
        class_table: ClassTable,
        models: Sequence[PrivacyModel],
        limit_records: int,
        measure: QualityMeasure,
        weights: FloatArray,
    ) -> None:
        self.class_table, self.models = class_table, tuple(models)
        self.limit_records, self.measure, self.weights = limit_records, measure, weights
        self.domain = Domain(class_table)
        roles = Roles.of(models)
        self._by_class, self._table_wide = roles.of_classes, roles.of_release
        # A class that such a model suppresses is suppressed, whole or in parts, at
        # every less general node (methods.md B.2, dominant).
        self._is_dominant = not self._table_wide and all(
            model.monotone_suppression for model in self._by_class
        )
        # Where everything may be suppressed only the measure's bound is left.
        may_all_go = limit_records >= class_table.n_records
        self._bounds_suppressed = measure.floor_counts_suppressed or not may_all_go
        bottom = RaisedClasses.bottom(class_table)
        self.bottom = bottom
        least = [each.smallest_class(bottom) for each in self._by_class]
        self._smallest = max([1, *least])
        self._goes_by_size = not roles.by_class

    @property
    def asks_for_size(self) -> bool:
        """Whether the size of its classes alone can keep a node from being one."""
        return self._smallest > 1 and self.limit_records < self.domain.n_records

    def pairs(self, classes: RaisedClasses, monitor: Monitor = NULL_MONITOR) -> Pairs:
        """Find what two attributes alone say about all nodes at or above one."""
        return Pairs(classes, self._smallest, self.limit_records, monitor=monitor)

    def evaluate(self, classes: RaisedClasses) -> Evaluation:
        """Look at one node."""
        counts = classes.counts
        least = int(_in_small(counts, self._smallest))
        if least > self.limit_records:
            return _dead_end(classes, least)
        fits, most = self._judged(classes, n_small=least)
        least = n_sure = self.domain.n_records - int(most.sum())
        for model in self._table_wide:
            least = max(least, model.least_suppressed(classes))
        if least > self.limit_records or not is_possible(self.models, classes):
            return _dead_end(classes, least)
        if self._table_wide:
            fits = released(self._table_wide, classes, fits)
        n_ways = 1 if self._is_dominant else 2
        gone, most_classes = _ways(counts, fits, most, self._smallest)
        figures = figures_at(self.domain, classes, gone[:n_ways], self.measure.asks)
        n_suppressed = int(figures.suppressed_records[0])
        is_solution = n_suppressed <= self.limit_records
        values = score = np.empty(0)
        if is_solution:
            rows = self.measure.values(figures)[:1]
            values, score = rows[0], self.measure.scores(rows, self.weights)[0]
        sure = [figures if n_ways == 1 else figures.row(1)]
        if least > n_sure:
            sure.append(self._cheapest(classes, least))
        return Evaluation(
            classes.levels,
            n_suppressed,
            is_solution,
            False,
            values,
            score,
            most_classes,
            tuple(sure),
        )

    def _judged(
        self, classes: RaisedClasses, n_small: int
    ) -> tuple[BoolArray, IntArray]:
        """Which classes fit, and how many records of each can be released at most.

        Classes too small for any model are not even counted value by value.
        """
        is_large = classes.counts >= self._smallest
        if self._goes_by_size:
            return is_large, classes.counts * is_large
        judged = classes.some(is_large) if n_small else classes
        fits, most = np.ones(judged.n_classes, np.bool_), judged.counts
        for model in self._by_class:
            holds = model.holds(judged)
            fits &= holds
            if model.monotone_suppression:
                most = np.where(holds, most, 0)
            elif self._bounds_suppressed:
                most = np.minimum(most, model.most_released(judged))
        if judged is classes:
            return fits, most
        return _among_all(is_large, fits, most)

    def most_classes_above(self, classes: RaisedClasses) -> int:
        """Most classes that may be released at any node at or above one.

        A class there either holds one that may be released here, or enough records
        out of those that may not.
        """
        n_small = int(_in_small(classes.counts, self._smallest))
        n_large = int(np.count_nonzero(classes.counts >= self._smallest))
        return n_large + n_small // self._smallest

    def _cheapest(self, classes: RaisedClasses, n_suppressed: int) -> NodeFigures:
        """As if those records were suppressed, attribute by attribute, that cost least.

        Some records must be suppressed at every less general solution; nobody knows
        which ones. Those with the most general values lose least.
        """
        nothing = np.zeros((1, classes.n_classes), np.int64)
        found = figures_at(self.domain, classes, nothing, "")
        leaves = self._most_leaves(classes.levels, n_suppressed)
        largest = int(classes.counts.max())
        return replace(
            found,
            suppressed_records=np.array([n_suppressed]),
            suppressed_squares=np.array([n_suppressed * largest]),
            suppressed_leaves=leaves[None, :],
        )

    def _most_leaves(self, levels: Sequence[int], n_records: int) -> IntArray:
        """Most leaves that the values of so many records can stand for."""
        most = []
        for place, level in enumerate(levels):
            records, leaves = self._by_generality[place][level]
            most.append(np.interp(n_records, records, leaves))
        return np.ceil(most).astype(np.int64)

    @cached_property
    def _by_generality(self) -> list[list[tuple[FloatArray, FloatArray]]]:
        """By attribute and level: running records and leaves, most leaves first."""
        found = []
        for hierarchy, marginal in zip(
            self.class_table.hierarchies, self.domain.marginals, strict=True
        ):
            steps = []
            for number, level in enumerate(hierarchy.levels):
                below = hierarchy.leaf_counts(number)
                records = np.bincount(level.groups, marginal, level.n_groups)
                order = np.argsort(-below, kind="stable")
                total = np.cumsum(np.r_[0.0, records[order]])
                weighted = np.cumsum(np.r_[0.0, records[order] * below[order]])
                steps.append((total, weighted))
            found.append(steps)
        return found
