"""What one node, or two of its levels, prove about other nodes of the lattice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.compiled import njit
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.raising import RaisedClasses
from deidgui.engine.privacy.base import PrivacyModel
from deidgui.engine.privacy.suppression import Roles, is_possible, released
from deidgui.engine.quality.base import NodeFigures, QualityMeasure, TableFacts
from deidgui.engine.search.lattice import Levels
from deidgui.engine.search.node_figures import figures_at
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
    is_dead_end_between : bool
        The same of those nodes alone that were asked about.
    most_classes : int
        No less general node that was asked about has more classes that may be
        released.
    sure : tuple of NodeFigures
        Figures of this one node, possibly several: the last row of each has records
        that every less general solution that was asked about suppresses as well, the
        first row of the first one those that are suppressed here. Empty if it is a
        dead end.
    """

    levels: tuple[int, ...]
    n_suppressed: int
    is_solution: bool
    is_dead_end: bool
    is_dead_end_between: bool
    most_classes: int
    sure: tuple[NodeFigures, ...]


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
        self.facts = TableFacts(class_table)
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
        self._uniting = [each for each in self._by_class if each.unites]
        if not self._bounds_suppressed:
            self._uniting = []

    @property
    def unites(self) -> bool:
        """Whether the classes that others are merged from make bounds better."""
        return bool(self._uniting)

    @property
    def asks_for_size(self) -> bool:
        """Whether the size of its classes alone can keep a node from being one."""
        return self._smallest > 1 and self.limit_records < self.facts.n_records

    def pairs(self, classes: RaisedClasses, monitor: Monitor = NULL_MONITOR) -> Pairs:
        """Find what two attributes alone say about all nodes at or above one."""
        return Pairs(classes, self._smallest, self.limit_records, monitor=monitor)

    def evaluate(
        self, classes: RaisedClasses, *, is_between: bool = False
    ) -> Evaluation:
        """Look at one node.

        Parameters
        ----------
        is_between : bool
            Whether it is asked only about nodes that are not less general than the
            classes that these were merged from.
        """
        counts = classes.counts
        in_small, is_large = _large(counts, self._smallest)
        if in_small > self.limit_records:
            return _dead_end(classes, in_small)
        by_classes = is_between and not self.measure.is_by_attribute
        gone, n_sure, n_between, most_classes = _ways(
            counts,
            is_large,
            *self._judged(classes, is_large, in_small, is_between),
            self._smallest,
            *(_finer(classes) if by_classes else (NOTHING, NOTHING)),
        )
        least = max([n_sure, *(m.least_suppressed(classes) for m in self._table_wide)])
        if least > self.limit_records or not is_possible(self.models, classes):
            return _dead_end(classes, least)
        if self._table_wide:
            fits = released(self._table_wide, classes, gone[0] == 0)
            gone[0] = np.where(fits, 0, counts)
        n_ways = 1 if self._is_dominant else 2
        figures = figures_at(self.facts, classes, gone[:n_ways], self.measure.asks)
        n_suppressed = int(figures.suppressed_records[0])
        sure = [figures]
        if least > n_sure:
            sure.append(self._cheapest(classes, least))
        return Evaluation(
            classes.levels,
            n_suppressed,
            n_suppressed <= self.limit_records,
            False,
            n_between > self.limit_records,
            most_classes,
            tuple(sure),
        )

    def _judged(
        self,
        classes: RaisedClasses,
        is_large: BoolArray,
        in_small: int,
        is_between: bool,
    ) -> tuple[BoolArray, IntArray, IntArray]:
        """Which classes fit, and how many records of each can be released at most.

        At any less general node, and at those that were asked about. Classes too small
        for any model are not even counted value by value: it is about the large ones
        alone where models look into classes.
        """
        if self._goes_by_size:
            most = classes.counts * is_large
            return is_large, most, most
        judged = classes.some(is_large) if in_small else classes
        fits, most = None, judged.counts
        for model in self._by_class:
            holds = model.holds(judged)
            fits = holds if fits is None else fits & holds
            if model.monotone_suppression:
                most = np.where(holds, most, 0)
            elif self._bounds_suppressed:
                most = np.minimum(most, model.most_released(judged))
        between = most
        for model in self._uniting if is_between else ():
            between = np.minimum(between, model.most_between(judged))
        assert fits is not None  # else all goes by size
        return fits, most, between

    def most_classes_above(self, classes: RaisedClasses) -> int:
        """Most classes that may be released at any node at or above one.

        A class there either holds one that may be released here, or enough records
        out of those that may not.
        """
        in_small, is_large = _large(classes.counts, self._smallest)
        return int(np.count_nonzero(is_large)) + in_small // self._smallest

    def _cheapest(self, classes: RaisedClasses, n_suppressed: int) -> NodeFigures:
        """As if those records were suppressed, attribute by attribute, that cost least.

        Some records must be suppressed at every less general solution; nobody knows
        which ones. Those with the most general values lose least.
        """
        nothing = np.zeros((1, classes.n_classes), np.int64)
        found = figures_at(self.facts, classes, nothing, "")
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
            self.class_table.hierarchies, self.facts.marginals, strict=True
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


def _dead_end(classes: RaisedClasses, least: int) -> Evaluation:
    return Evaluation(classes.levels, least, False, True, True, 0, ())


def _finer(classes: RaisedClasses) -> tuple[IntArray, IntArray]:
    """Sizes of the classes that these were merged from, and the class of each."""
    if classes.merged_from is None:
        return NOTHING, NOTHING
    finer, of_finer = classes.merged_from
    return finer.counts, of_finer


NOTHING = np.empty(0, np.int64)


@njit
def _large(counts: IntArray, smallest: int) -> tuple[int, BoolArray]:
    """Records of the classes that are too small; which are not."""
    in_small = 0
    is_large = np.empty(len(counts), np.bool_)
    for i in range(len(counts)):
        is_large[i] = counts[i] >= smallest
        in_small += 0 if is_large[i] else counts[i]
    return in_small, is_large


@njit
def _ways(
    counts: IntArray,
    is_large: BoolArray,
    fits: BoolArray,
    most: IntArray,
    between: IntArray,
    smallest: int,
    finer: IntArray,
    of_finer: IntArray,
) -> tuple[IntArray, int, int, int]:
    """Records that are suppressed, and that surely are; most classes that are released.

    Parameters
    ----------
    fits : ndarray of bool, shape (n_classes,) or (n_large,)
        This and the next two are of all classes, or of the large ones.
    most, between : ndarray of int64
        Most records of each that are released at less general nodes: at any, and at
        those that are asked about.
    finer, of_finer : ndarray of int64, shape (n_finer,)
        As of `_most_between`, or empty.

    Returns
    -------
    gone : ndarray of int64, shape (2, n_classes)
        Here, and surely at the nodes that are asked about.
    n_sure, n_between : int
        Records that are suppressed at any less general node, and at those that are
        asked about.
    most_classes : int
        Here and below: every class there lies in one of these, and has no fewer
        records than the smallest that can be released.
    """
    gone = np.empty((2, len(counts)), np.int64)
    n_sure = n_between = most_classes = place = 0
    for i in range(len(counts)):
        gone[0, i] = gone[1, i] = counts[i]
        if is_large[i] or len(fits) == len(counts):
            gone[0, i] = 0 if fits[place] else counts[i]
            gone[1, i] -= between[place]
            n_sure -= most[place]
            most_classes += most[place] // smallest
            place += 1
        n_sure += counts[i]
        n_between += gone[1, i]
    if len(finer):
        most_classes = _most_between(finer, of_finer, counts - gone[1], smallest)
    return gone, n_sure, n_between, most_classes


@njit
def _most_between(
    finer: IntArray, of_finer: IntArray, most: IntArray, smallest: int
) -> int:
    """Most classes that may be released at a node between two others.

    Each class there lies in one of the more general node, and either holds a class of
    the less general one that may be released, or enough records out of those there
    that may not.

    Parameters
    ----------
    finer : ndarray of int64, shape (n_finer,)
        Sizes of the classes of the less general node.
    of_finer : ndarray of int64, shape (n_finer,)
        Class of each of them at the more general node.
    most : ndarray of int64, shape (n_classes,)
        Most records of each class there that can be released at all.
    """
    n_large = np.zeros(len(most), np.int64)
    in_small = np.zeros(len(most), np.int64)
    for i in range(len(finer)):
        if finer[i] >= smallest:
            n_large[of_finer[i]] += 1
        else:
            in_small[of_finer[i]] += finer[i]
    found = 0
    for i in range(len(most)):
        if most[i] >= smallest:
            found += min(most[i] // smallest, n_large[i] + in_small[i] // smallest)
    return found


CELLS_PER_CLASS = 4
"""Attributes whose values make more pairs than this for each class are not paired."""


class Pairs:
    """Nodes that cannot be solutions, told by two of their levels.

    Records that are alike at a node are alike in every two attributes. So a class of
    two attributes alone that is too small holds only classes that are too small. If
    more records than the limit are in such classes, no node with these two levels is
    a solution, whatever the others are; nor is one where they are lower.

    Parameters
    ----------
    classes : RaisedClasses
        Of the least general node.
    smallest : int, >= 1
        Fewest records of a class that can be released.
    limit_records : int
        Most records that may be suppressed.

    References
    ----------
    .. [1] K. LeFevre, D. DeWitt, R. Ramakrishnan (2005), *Incognito: efficient
       full-domain k-anonymity*, SIGMOD, section 3 (subset property).
    """

    def __init__(
        self,
        classes: RaisedClasses,
        smallest: int,
        limit_records: int,
        *,
        monitor: Monitor = NULL_MONITOR,
    ) -> None:
        coding = classes.coding
        n_attributes, n_levels = coding.n_groups.shape
        shape = (n_attributes, n_levels, n_attributes, n_levels)
        self._is_fine = np.zeros(shape, np.bool_)
        leaves = np.empty((n_attributes, classes.n_classes), np.int32)
        for place in range(n_attributes):
            leaves[place] = classes.class_table.leaves[classes.rows, place]
        for place in range(1, n_attributes):
            monitor.report(0.0, "pairs")
            _compare(
                self._is_fine,
                place,
                leaves,
                classes.counts,
                np.array(classes.levels, np.int64),
                coding.n_leaves,
                coding.n_groups,
                coding.group_at,
                coding.groups,
                smallest,
                limit_records,
            )

    @cached_property
    def is_any(self) -> bool:
        """Whether any node is ruled out."""
        return bool(self._is_fine.any())

    def least(self, lows: Sequence[Levels], highs: Sequence[Levels]) -> list[Levels]:
        """Least general nodes above which all solutions between two nodes are.

        Parameters
        ----------
        lows, highs : sequence of tuple of int, not empty
            Levels of the two nodes of each box.

        Returns
        -------
        list of tuple of int
            For each box: at or above the lower node. If no node of the box is a
            solution, it is not below the upper one.
        """
        found = np.array(lows)
        _raise(self._is_fine, found, np.array(highs))
        return [tuple(row) for row in found.tolist()]


@njit
def _raise(is_fine: BoolArray, lows: IntArray, highs: IntArray) -> None:
    """Raise the lower corners of boxes to the least nodes that may be solutions.

    A level is as low as the highest levels of all others allow. Those do not change
    here, so that one pass is enough.
    """
    n_boxes, n_attributes = lows.shape
    for box in range(n_boxes):
        low, high = lows[box], highs[box]
        for a in range(n_attributes):
            for b in range(n_attributes):
                while low[a] <= high[a] and is_fine[a, low[a], b, high[b]]:
                    low[a] += 1


@njit
def _compare(
    is_fine: BoolArray,
    a: int,
    leaves: Int32Array,
    counts: IntArray,
    low: IntArray,
    n_leaves: IntArray,
    n_groups: IntArray,
    group_at: IntArray,
    groups: Int32Array,
    smallest: int,
    limit: int,
) -> None:
    """Find which levels of one attribute are too fine with those of each before it.

    Parameters
    ----------
    is_fine : ndarray of bool, shape (n_attributes, n_levels, n_attributes, n_levels)
        Where the result goes.
    a : int
        The attribute.
    leaves : ndarray of int32, shape (n_attributes, n_classes)
    counts : ndarray of int64, shape (n_classes,)
    low : ndarray of int64, shape (n_attributes,)
        Lowest levels.
    n_leaves, n_groups, group_at, groups : ndarray
        See `Coding`.
    smallest, limit : int
        See `Pairs`.
    """
    heights = (n_groups > 0).sum(axis=1)
    for b in range(a):
        if n_leaves[a] * n_leaves[b] > CELLS_PER_CLASS * len(counts):
            continue
        cells = _count(leaves[a], leaves[b], counts, n_leaves[a], n_leaves[b])
        end = heights[b]
        for level in range(low[a], heights[a]):
            of_a = groups[group_at[a, level] :]
            for other in range(low[b], end):
                of_b = groups[group_at[b, other] :]
                shape = n_groups[a, level], n_groups[b, other]
                if _in_small_pairs(cells, of_a, of_b, shape, smallest) <= limit:
                    # Nor are more general levels, of either of them.
                    end = other
                    break
                is_fine[a, level, b, other] = is_fine[b, other, a, level] = True


@njit
def _count(
    first: Int32Array, second: Int32Array, counts: IntArray, n_first: int, n_second: int
) -> IntArray:
    """Records of each pair of leaves: (first, second, records), (3, n_pairs)."""
    records = np.zeros((n_first, n_second), np.int64)
    for i in range(len(counts)):
        records[first[i], second[i]] += counts[i]
    n_pairs = 0
    pairs = np.empty((3, np.count_nonzero(records)), np.int64)
    for one in range(n_first):
        for other in range(n_second):
            if records[one, other] > 0:
                pairs[0, n_pairs] = one
                pairs[1, n_pairs] = other
                pairs[2, n_pairs] = records[one, other]
                n_pairs += 1
    return pairs


@njit
def _in_small_pairs(
    cells: IntArray,
    of_first: Int32Array,
    of_second: Int32Array,
    shape: tuple[int, int],
    smallest: int,
) -> int:
    """Records in pairs of groups that have fewer than the smallest class."""
    records = np.zeros(shape, np.int64)
    for i in range(cells.shape[1]):
        records[of_first[cells[0, i]], of_second[cells[1, i]]] += cells[2, i]
    found = 0
    for count in records.flat:
        found += int(count) if count < smallest else 0
    return found
