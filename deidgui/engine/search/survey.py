"""What does every node cost if classes are judged by more than their size?"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
from numba import njit

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.raising import RaisedClasses
from deidgui.engine.privacy.base import PrivacyModel
from deidgui.engine.privacy.suppression import is_possible, released
from deidgui.engine.search.closer import fill_bits, fill_kept, product_of
from deidgui.engine.search.lattice import Lattice
from deidgui.engine.search.layout import BITS, N_TOTALS, Details, Figures
from deidgui.engine.search.plan import tree_order
from deidgui.engine.search.sums import coded

SLICE = 200_000
"""Classes one surveyor handles between two reports."""


class Surveyors:
    """Threads that share the subtrees of one lattice and judge every class in it.

    As `deidgui.engine.search.walkers.Walkers`, for privacy models that look at the
    records of a class and not only at their number.

    Parameters
    ----------
    figures : Figures
        Where the figures of the nodes go; classes that do not meet the conditions
        are counted as smaller than 1.
    details : Details
        Where goes what else is asked.
    possible : ndarray of bool, shape (n_nodes,)
        Where goes whether suppressing can help.
    n_threads : int, >= 1
    """

    def __init__(
        self,
        class_table: ClassTable,
        lattice: Lattice,
        figures: Figures,
        details: Details,
        conditions: Sequence[PrivacyModel],
        possible: BoolArray,
        n_threads: int,
    ) -> None:
        self._lattice, self._conditions = lattice, tuple(conditions)
        self._figures, self._details = figures, details
        self._possible = possible
        self._order = tree_order(class_table.hierarchies, lattice)
        bottom = RaisedClasses.bottom(class_table)
        self._bottom = (
            bottom.raised(lattice.minimum) if any(lattice.minimum) else bottom
        )
        self._prefixes = deque(self._subtrees(n_threads))
        self._running: list[Iterator[tuple[int, int]] | None] = [None] * n_threads
        self._pool = ThreadPoolExecutor(n_threads, thread_name_prefix="survey")

    def __enter__(self) -> Surveyors:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._pool.shutdown()

    @property
    def has_finished(self) -> bool:
        """Whether every node was visited."""
        return not self._prefixes and all(each is None for each in self._running)

    def advance(self) -> IntArray:
        """Let every surveyor handle one slice.

        Returns
        -------
        ndarray of int64
            The nodes that were visited.
        """
        visited = list(self._pool.map(self._advance, range(len(self._running))))
        return np.array([node for each in visited for node in each], np.int64)

    def _advance(self, place: int) -> list[int]:
        nodes: list[int] = []
        budget = SLICE
        while budget > 0:
            if self._running[place] is None:
                try:
                    self._running[place] = self._survey(self._prefixes.popleft())
                except IndexError:
                    break
            survey = self._running[place]
            assert survey is not None
            found = next(survey, None)
            if found is None:
                self._running[place] = None
                continue
            nodes.append(found[0])
            budget -= found[1]
        return nodes

    def _subtrees(self, n_threads: int) -> list[tuple[int, ...]]:
        """Levels of the outermost attributes, one vector per subtree."""
        heights = [range(self._lattice.sizes[column]) for column in self._order]
        n_fixed, n_subtrees = 0, 1
        while n_fixed < len(heights) and n_subtrees < 4 * n_threads:
            n_subtrees *= len(heights[n_fixed])
            n_fixed += 1
        return list(product(*heights[:n_fixed]))

    def _survey(self, prefix: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        """Visit the nodes of a subtree; yield each with the classes it took."""
        levels = list(self._lattice.minimum)
        for column, step in zip(self._order, prefix, strict=False):
            levels[column] += step
        yield from self._visit(self._bottom.raised(levels), len(prefix))

    def _visit(self, classes: RaisedClasses, depth: int) -> Iterator[tuple[int, int]]:
        if depth == len(self._order):
            node = self._lattice.node(classes.levels)
            self._look(node, classes)
            yield node, classes.n_classes
            return
        column = self._order[depth]
        while True:
            yield from self._visit(classes, depth + 1)
            if classes.levels[column] == self._lattice.maximum[column]:
                return
            levels = list(classes.levels)
            levels[column] += 1
            classes = classes.raised(levels)

    def _look(self, node: int, classes: RaisedClasses) -> None:
        fits = released(self._conditions, classes)
        figures, details = self._figures, self._details
        if len(figures.squares):
            self._possible[node] = is_possible(self._conditions, classes)
            figures.n_classes[node] = classes.n_classes
            figures.squares[node] = classes.squares
            tiers = figures.tiers[node]
            fill_tiers(*coded(classes), classes.counts, fits, figures.ladder, tiers)
        if details.asks:
            n_tiers = len(figures.ladder)
            tier = np.searchsorted(figures.ladder, classes.counts, "right")
            fill_details(
                *coded(classes),
                classes.counts,
                np.where(fits, tier, 0),
                n_tiers,
                details.asks,
                details.known_bits,
                details.first[node],
                details.values[node],
            )


@njit(cache=True, nogil=True)
def fill_details(
    leaves: Int32Array,
    rows: IntArray,
    levels: IntArray,
    n_groups: IntArray,
    group_at: IntArray,
    groups: Int32Array,
    spans: IntArray,
    counts: IntArray,
    tier: IntArray,
    n_tiers: int,
    asks: int,
    known_bits: FloatArray,
    first: int,
    values: FloatArray,
) -> None:
    """Keep what is asked of classes in their tiers (see `Details`)."""
    n_attributes = len(levels)
    if asks == BITS:
        for a in range(n_attributes):
            group_of = groups[group_at[a, levels[a]] :]
            by_tier = np.zeros((n_tiers, n_groups[a, levels[a]]), np.int64)
            for i in range(len(rows)):
                if tier[i] < n_tiers:
                    by_tier[tier[i], group_of[leaves[rows[i], a]]] += counts[i]
            margin = np.empty(by_tier.shape[1], np.int64)
            fill_bits(by_tier, margin, known_bits, first, values[:, a])
        return
    sums = np.zeros(n_tiers + 1)
    for i in range(len(rows)):
        product = 1.0
        for a in range(n_attributes):
            product *= spans[group_at[a, levels[a]] + leaves[rows[i], a]]
        sums[tier[i]] += product_of(asks, counts[i], product)
    fill_kept(sums, first, values[:, 0])


@njit(cache=True, nogil=True)
def fill_tiers(
    leaves: Int32Array,
    rows: IntArray,
    levels: IntArray,
    n_groups: IntArray,
    group_at: IntArray,
    groups: Int32Array,
    spans: IntArray,
    counts: IntArray,
    fits: BoolArray,
    ladder: IntArray,
    tiers: AnyArray,
) -> None:
    """Keep what is in the classes smaller than each size of the ladder.

    Classes that do not fit count as smaller than all.
    """
    n_attributes = len(levels)
    n_sizes = ladder[-1]
    sums = np.zeros((n_sizes, N_TOTALS + n_attributes), np.int64)
    for i in range(len(rows)):
        size = counts[i]
        place = size if fits[i] else 0
        if place < n_sizes:
            sums[place, 0] += size
            sums[place, 1] += 1
            sums[place, 2] += size * size
            for a in range(n_attributes):
                span = spans[group_at[a, levels[a]] + leaves[rows[i], a]]
                sums[place, N_TOTALS + a] += size * span
    totals = np.zeros(N_TOTALS + n_attributes, np.int64)
    tier = 0
    for size in range(n_sizes):
        totals += sums[size]
        if ladder[tier] == size + 1:
            for column in range(len(totals)):
                tiers[tier, column] = totals[column]
            tier += 1
