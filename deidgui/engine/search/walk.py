"""The walk over all nodes of a lattice, by threads that share its subtrees.

Each node is one attribute one level above one that was visited before, so that its
classes are merged from those. Where the size of a class is all that matters, the whole
walk is compiled; where a privacy model judges each class, merging and counting are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, Int32Array, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.raising import RaisedClasses
from deidgui.engine.privacy.base import PrivacyModel
from deidgui.engine.privacy.suppression import is_possible, released
from deidgui.engine.search.lattice import Lattice
from deidgui.engine.search.measure_details import MeasureDetails, nothing_asked
from deidgui.engine.search.node_figures import coded
from deidgui.engine.search.walk_kernels import (
    FINISHED,
    HEADROOM_BITS,
    N_TOTALS,
    UNROLL,
    VISITED,
    SizeTotals,
    Skip,
    WalkPlan,
    WalkState,
    advance,
    begin,
    fill_details,
    fill_tiers,
    has_more,
    merge_raised,
    sort_by_field,
)
from deidgui.monitor import NULL_MONITOR, Monitor

SUBTREES_PER_THREAD = 4
"""So that no thread waits long for the other one at the end."""

SLICE = 2_000_000
"""Classes one walker handles between two reports: 5 to 40 ms."""

JUDGED_SLICE = 200_000
"""Classes one judging walker handles between two reports."""

NODES_PER_SLICE = 4096

MOST_WALKED = 12_000_000
"""Classes up to which several walkers start from the same ones.

PERF: a walker holds 16 bytes of each for every attribute: of ten million records and
six attributes nearly a gigabyte.
"""

WORD_BITS = 64

TRIED, WORTH_CLOSING = 1 / 16, 0.25
"""Nodes at the top that are looked at before it is seen whether enough can be left out.

What is skipped does not depend on it, only how soon that is known.
"""

TABLE_BITS = 10
"""Fields are counted through one table up to this many bits (L1 cache)."""


class Walk:
    """Threads that share the subtrees of one lattice among them.

    Every node is written once, to its own rows, so the result depends neither
    on the number of threads nor on who comes first.

    Parameters
    ----------
    walkers : sequence of _Walker
        One per thread.
    subtrees : deque of tuple of int
        Those that nobody has taken yet; the walkers take them from here.
    """

    def __init__(
        self, walkers: Sequence[_Walker], subtrees: deque[tuple[int, ...]]
    ) -> None:
        self._walkers, self._subtrees = walkers, subtrees
        self._pool: Executor | None = None
        if len(walkers) > 1:
            self._pool = ThreadPoolExecutor(len(walkers), thread_name_prefix="walk")

    def __enter__(self) -> Walk:
        return self

    def __exit__(self, *_exception: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    @property
    def has_finished(self) -> bool:
        """Whether every node was visited."""
        return not self._subtrees and all(each.is_idle for each in self._walkers)

    def advance(self) -> IntArray:
        """Let every walker handle one slice.

        Returns
        -------
        ndarray of int64
            The nodes that were visited; ``~node`` of one that is skipped.
        """
        run = map if self._pool is None else self._pool.map
        return np.concatenate(list(run(lambda walker: walker.advance(), self._walkers)))


class _Walker(ABC):
    """Visits the nodes of one subtree after the other."""

    def __init__(self, subtrees: deque[tuple[int, ...]]) -> None:
        self._subtrees = subtrees

    @property
    @abstractmethod
    def is_idle(self) -> bool:
        """Whether the subtree that was begun last is done."""

    @abstractmethod
    def advance(self) -> IntArray:
        """Visit nodes until a slice of work is done; return their numbers."""

    def _next_subtree(self) -> tuple[int, ...] | None:
        try:
            return self._subtrees.popleft()
        except IndexError:
            return None


def _subtrees_of(
    lattice: Lattice, order: Sequence[int], n_threads: int
) -> deque[tuple[int, ...]]:
    """Steps of the outermost attributes, one tuple per subtree.

    A single thread gets the whole tree.
    """
    sizes = [lattice.sizes[column] for column in order]
    wanted = 1 if n_threads == 1 else n_threads * SUBTREES_PER_THREAD
    n_fixed = 0
    while n_fixed < len(sizes) and prod(sizes[:n_fixed]) < wanted:
        n_fixed += 1
    return deque(product(*(range(size) for size in sizes[:n_fixed])))


def no_skip() -> Skip:
    """Skip no node."""
    nothing = np.empty(0, np.bool_)
    return Skip(0, 0, np.empty(0, np.int64), nothing, nothing)


def find_skip(
    class_table: ClassTable,
    lattice: Lattice,
    size: int,
    limit: int,
    kept: BoolArray,
    nothing: SizeTotals,
    n_threads: int,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> tuple[Skip, BoolArray]:
    """Find which nodes a walk can leave out with all that are less general.

    The nodes with the innermost attribute at its highest level are few and have few
    classes; they are looked at for that.

    Parameters
    ----------
    size : int, >= 2
        Classes with fewer records are small.
    limit : int
        Most records in small classes of a node that is measured.
    kept : ndarray of bool, shape (n_nodes,)
        Nodes that are measured in any case.
    nothing : SizeTotals
        Totals of no node.
    n_threads : int, >= 1

    Returns
    -------
    skip : Skip
    is_closed : ndarray of bool, shape (n_nodes,)
        Nodes that are not even visited.
    """
    order = _tree_order(class_table.hierarchies, lattice)
    column, low = order[-1], list(lattice.minimum)
    low[column] = lattice.maximum[column]
    top = Lattice(lattice.heights, tuple(low), lattice.maximum)
    is_out = np.zeros(top.n_nodes, np.bool_)
    look = no_skip()._replace(size=size, limit=limit, kept=is_out.copy())
    asked = class_table, top, nothing, nothing_asked(), n_threads, look
    n_seen = n_out = 0
    with walk_by_size(*asked, monitor=monitor) as walk:
        while not walk.has_finished:
            fresh = walk.advance()
            is_out[~fresh[fresh < 0]] = True
            n_seen, n_out = n_seen + len(fresh), n_out + int((fresh < 0).sum())
            monitor.report(0.0, "nodes 0")
            # The least general ones come first: of the others fewer are out.
            if n_seen > top.n_nodes * TRIED and n_out < n_seen * WORTH_CLOSING:
                nothing_closed = np.zeros(lattice.n_nodes, np.bool_)
                return look._replace(kept=kept), nothing_closed
    stride = np.array(top.strides, np.int64)
    stride[column] = 0
    steps = lattice.levels(np.flatnonzero(kept)) - np.array(lattice.minimum)
    for place in (None, *reversed(order)):
        if place is not None:
            steps[:, place] = lattice.sizes[place] - 1
        is_out[steps @ stride] = False
    every = (lattice.levels() - np.array(lattice.minimum)) @ stride
    return Skip(size, limit, stride[order], is_out, kept), is_out[every]


def walk_by_size(
    class_table: ClassTable,
    lattice: Lattice,
    totals: SizeTotals,
    details: MeasureDetails,
    n_threads: int,
    skip: Skip,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Walk:
    """Begin a walk for privacy models that go by the size of a class alone.

    Parameters
    ----------
    totals : SizeTotals
        Where the totals of the nodes go.
    details : MeasureDetails
        Where goes what a measure asks of every class.
    n_threads : int, >= 1
    skip : Skip
        Which nodes are left out.
    monitor : Monitor, optional
        For the time until the walk starts.
    """
    plan = _make_walk_plan(class_table.hierarchies, lattice)
    keys, counts = _bottom_classes(class_table, lattice, plan, monitor=monitor)
    n_threads = min(n_threads, max(1, MOST_WALKED // max(1, len(counts))))
    subtrees = _subtrees_of(lattice, plan.column.tolist(), n_threads)
    n_walkers = min(n_threads, len(subtrees))
    walkers = [
        _SizeWalker(plan, keys, counts, totals, details, skip, subtrees)
        for _ in range(n_walkers)
    ]
    return Walk(walkers, subtrees)


class _SizeWalker(_Walker):
    """Walks compiled code over packed classes."""

    def __init__(
        self,
        plan: WalkPlan,
        keys: AnyArray,
        counts: IntArray,
        totals: SizeTotals,
        details: MeasureDetails,
        skip: Skip,
        subtrees: deque[tuple[int, ...]],
    ) -> None:
        super().__init__(subtrees)
        self._plan, self._totals, self._details = plan, totals, details
        self._skip = skip
        self._keys, self._counts = keys, counts
        self._state = _new_state(plan, keys, totals.ladder)

    @property
    def is_idle(self) -> bool:
        return bool(self._state.cursor[FINISHED])

    def advance(self) -> IntArray:
        state = self._state
        state.cursor[VISITED] = 0
        budget = SLICE
        while budget > 0 and state.cursor[VISITED] < NODES_PER_SLICE:
            if state.cursor[FINISHED] and not self._begin_next():
                break
            asked = self._totals, self._details, self._skip
            budget = advance(self._plan, state, *asked, budget)
        return state.visited[: state.cursor[VISITED]].copy()

    def _begin_next(self) -> bool:
        """Go to the next subtree that nobody has taken, if there is one."""
        steps = self._next_subtree()
        while steps is not None and _is_closed(self._skip, steps, self._plan.height):
            steps = self._next_subtree()
        if steps is None:
            return False
        n = len(self._counts)
        self._state.keys[0, :, :n] = self._keys
        self._state.counts[0, :n] = self._counts
        self._state.n_classes[0] = n
        begin(self._plan, self._state, np.array(steps, np.int64))
        return True


def _is_closed(skip: Skip, steps: Sequence[int], heights: IntArray) -> bool:
    """Whether all nodes with some steps of the outermost attributes are skipped."""
    if not len(skip.tops):
        return False
    highest = heights.copy()
    highest[: len(steps)] = steps
    return bool(skip.tops[int(highest @ skip.stride)])


def _new_state(plan: WalkPlan, keys: AnyArray, ladder: IntArray) -> WalkState:
    n_depths, n_tables, n_sizes = len(plan.height), len(plan.table_word), ladder[-1]
    n_words, capacity = keys.shape
    n_values = int(plan.table_mask.max()) + 1
    cursor = np.zeros(6, np.int64)
    cursor[FINISHED] = 1
    return WalkState(
        level=np.zeros(n_depths, np.int64),
        n_classes=np.zeros(n_depths, np.int64),
        cursor=cursor,
        keys=np.empty((n_depths, n_words, capacity), np.uint64),
        counts=np.empty((n_depths, capacity), np.int64),
        tables=np.zeros((n_tables, n_values), np.int64),
        products=np.ones((n_tables, n_values)),
        by_tier=np.zeros((len(ladder), int(plan.n_groups.max())), np.int64),
        packed=np.zeros((n_tables // UNROLL, n_sizes, UNROLL), np.int64),
        sums=np.zeros((n_sizes, 1 + n_depths), np.int64),
        totals=np.zeros(N_TOTALS + n_depths, np.int64),
        starts=np.empty(int(plan.n_groups.max()) + 1, np.int64),
        visited=np.empty(NODES_PER_SLICE, np.int64),
    )


def walk_and_judge(
    class_table: ClassTable,
    lattice: Lattice,
    totals: SizeTotals,
    details: MeasureDetails,
    conditions: Sequence[PrivacyModel],
    possible: BoolArray,
    n_threads: int,
    skip: Skip,
) -> Walk:
    """Begin a walk for privacy models that look at the records of a class.

    Parameters
    ----------
    totals : SizeTotals
        Where the totals of the nodes go; classes that do not meet the conditions
        are counted as smaller than 1.
    details : MeasureDetails
        Where goes what a measure asks of every class.
    possible : ndarray of bool, shape (n_nodes,)
        Where goes whether suppressing can help.
    n_threads : int, >= 1
    skip : Skip
        Which nodes are left out.
    """
    order = _tree_order(class_table.hierarchies, lattice)
    bottom = RaisedClasses.bottom(class_table)
    if any(lattice.minimum):
        bottom = bottom.raised(lattice.minimum)
    subtrees = _subtrees_of(lattice, order, n_threads)
    walkers = [
        _JudgingWalker(
            lattice,
            order,
            bottom,
            totals,
            details,
            conditions,
            possible,
            skip,
            subtrees,
        )
        for _ in range(min(n_threads, len(subtrees)))
    ]
    return Walk(walkers, subtrees)


class _JudgingWalker(_Walker):
    """Walks over classes that keep their records and asks the models about each."""

    def __init__(
        self,
        lattice: Lattice,
        order: Sequence[int],
        bottom: RaisedClasses,
        totals: SizeTotals,
        details: MeasureDetails,
        conditions: Sequence[PrivacyModel],
        possible: BoolArray,
        skip: Skip,
        subtrees: deque[tuple[int, ...]],
    ) -> None:
        super().__init__(subtrees)
        self._lattice, self._order, self._bottom = lattice, order, bottom
        self._totals, self._details = totals, details
        self._conditions, self._possible = tuple(conditions), possible
        self._skip = skip
        self._heights = np.array([lattice.sizes[at] - 1 for at in order], np.int64)
        self._visits: Iterator[tuple[int, int]] | None = None

    @property
    def is_idle(self) -> bool:
        return self._visits is None

    def advance(self) -> IntArray:
        nodes: list[int] = []
        budget = JUDGED_SLICE
        while budget > 0:
            if self._visits is None:
                steps = self._next_subtree()
                if steps is None:
                    break
                self._visits = self._visit_subtree(steps)
            found = next(self._visits, None)
            if found is None:
                self._visits = None
                continue
            nodes.append(found[0])
            budget -= found[1]
        return np.array(nodes, np.int64)

    def _visit_subtree(self, steps: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        """Visit the nodes of a subtree; yield each with the classes it took."""
        levels = list(self._lattice.minimum)
        for column, step in zip(self._order, steps, strict=False):
            levels[column] += step
        if not _is_closed(self._skip, steps, self._heights):
            yield from self._visit(self._bottom.raised(levels), len(steps))

    def _visit(self, classes: RaisedClasses, depth: int) -> Iterator[tuple[int, int]]:
        if depth == len(self._order):
            node = self._lattice.node(classes.levels)
            if self._is_out(node, classes):
                node = ~node
            else:
                self._look(node, classes)
            yield node, classes.n_classes
            return
        column, low = self._order[depth], self._lattice.minimum
        steps = [classes.levels[at] - low[at] for at in self._order[:depth]]
        if _is_closed(self._skip, steps, self._heights):
            return
        while True:
            yield from self._visit(classes, depth + 1)
            if classes.levels[column] == self._lattice.maximum[column]:
                return
            levels = list(classes.levels)
            levels[column] += 1
            classes = classes.raised(levels)

    def _is_out(self, node: int, classes: RaisedClasses) -> bool:
        size, limit, _, _, kept = self._skip
        if not size or kept[node]:
            return False
        return bool(has_more(classes.counts, classes.n_classes, size, limit))

    def _look(self, node: int, classes: RaisedClasses) -> None:
        fits = released(self._conditions, classes)
        totals, details = self._totals, self._details
        if len(totals.squares):
            self._possible[node] = is_possible(self._conditions, classes)
            totals.n_classes[node] = classes.n_classes
            totals.squares[node] = classes.squares
            tiers = totals.tiers[node]
            fill_tiers(*coded(classes), classes.counts, fits, totals.ladder, tiers)
        if details.asks:
            n_tiers = len(totals.ladder)
            tier = np.searchsorted(totals.ladder, classes.counts, "right")
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


def _tree_order(hierarchies: Sequence[Hierarchy], lattice: Lattice) -> list[int]:
    """Columns from the outermost attribute of the walk to the innermost.

    Attributes with one allowed level never move and come first. Attributes with
    many values come last: the innermost one is raised most often and is never
    sorted by, and raising it leaves the fewest classes.
    """

    def key(column: int) -> tuple[bool, int, int]:
        groups = hierarchies[column].levels[lattice.minimum[column]].n_groups
        return lattice.sizes[column] > 1, groups, column

    return sorted(range(len(hierarchies)), key=key)


def _make_walk_plan(hierarchies: Sequence[Hierarchy], lattice: Lattice) -> WalkPlan:
    """Lay out keys, tables and hierarchies of a lattice for the kernels.

    Parameters
    ----------
    hierarchies : sequence of Hierarchy
        In column order, each with fewer than 2**31 leaves.
    """
    order = _tree_order(hierarchies, lattice)
    steps = _steps(hierarchies, lattice, order)
    bits = [max(1, (int(n) - 1).bit_length()) for n in steps.n_groups[:, 0]]
    counter_bits = [
        hierarchies[column].n_leaves.bit_length() + HEADROOM_BITS for column in order
    ]
    tables = _tables(bits, counter_bits)
    n_depths, n_tables = len(order), -(-len(tables) // UNROLL) * UNROLL
    word, shift, table, counter = (np.zeros(n_depths, np.int64) for _ in range(4))
    table_word = np.zeros(n_tables, np.int64)
    table_shift, table_mask = np.zeros((2, n_tables), np.uint64)
    at_word = at_bit = 0
    for number, each in enumerate(tables):
        if at_bit + each.field_bits > WORD_BITS:
            at_word, at_bit = at_word + 1, 0
        table_word[number], table_shift[number] = at_word, at_bit
        table_mask[number] = (1 << each.field_bits) - 1
        counter_at = HEADROOM_BITS + 1 if number == 0 else 0
        for depth in each.depths:
            word[depth], shift[depth], table[depth] = at_word, at_bit, number
            counter[depth] = counter_at
            at_bit += bits[depth]
            counter_at += counter_bits[depth]
    return WalkPlan(
        height=np.array([lattice.sizes[column] - 1 for column in order], np.int64),
        stride=np.array([lattice.strides[column] for column in order], np.int64),
        column=np.array(order, np.int64),
        word=word,
        shift=shift,
        bits=np.array(bits, np.int64),
        n_groups=steps.n_groups,
        parent_at=steps.parent_at,
        parents=steps.parents,
        leaf_at=steps.leaf_at,
        leaves=steps.leaves,
        table=table,
        counter=counter,
        counter_bits=np.array(counter_bits, np.int64),
        table_word=table_word,
        table_shift=table_shift,
        table_mask=table_mask,
    )


def _bottom_classes(
    class_table: ClassTable,
    lattice: Lattice,
    plan: WalkPlan,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> tuple[AnyArray, IntArray]:
    """Classes of the lowest node, the outermost attribute least significant.

    Returns
    -------
    keys : ndarray of uint64, shape (n_words, n_classes)
    counts : ndarray of int64, shape (n_classes,)
    """
    n = class_table.n_classes
    keys = np.zeros((int(plan.word.max()) + 1, n), np.uint64)
    counts = class_table.counts
    for depth, column in enumerate(plan.column.tolist()):
        level = class_table.hierarchies[column].levels[lattice.minimum[column]]
        codes = level.groups[class_table.leaves[:, column]].astype(np.uint64)
        keys[plan.word[depth]] |= codes << np.uint64(plan.shift[depth])
        monitor.report(0.0, "classes")
    starts = np.empty(int(plan.n_groups.max()) + 1, np.int64)
    for depth in range(len(plan.height)):
        spare = np.empty_like(keys), np.empty_like(counts)
        n_groups = int(plan.n_groups[depth, 0])
        field = int(plan.word[depth]), int(plan.shift[depth]), int(plan.bits[depth])
        sort_by_field(keys, counts, n, *field, n_groups, starts, *spare)
        keys, counts = spare
        monitor.report(0.0, "classes")
    # Raising "to itself" merges what is equal at the lowest allowed levels.
    field = int(plan.word[0]), int(plan.shift[0]), int(plan.bits[0])
    itself = np.arange(int(plan.n_groups[0, 0]), dtype=np.int32)
    n = merge_raised(keys, counts, n, *field, itself)
    return np.ascontiguousarray(keys[:, :n]), counts[:n].copy()


@dataclass
class _Table:
    """Attributes that are counted through one table, and its free bits."""

    depths: list[int]
    field_bits: int
    counter_bits: int


def _tables(field_bits: Sequence[int], counter_bits: Sequence[int]) -> list[_Table]:
    """Share the attributes out to tables; the innermost has one for itself.

    Its level changes at almost every node, and only its own table is refilled.
    """
    innermost = len(field_bits) - 1
    of_classes = HEADROOM_BITS + 1
    tables = [
        _Table([innermost], field_bits[-1], of_classes + counter_bits[-1]),
    ]
    for depth in reversed(range(innermost)):
        for table in tables[1:]:
            if (
                table.field_bits + field_bits[depth] <= TABLE_BITS
                and table.counter_bits + counter_bits[depth] <= WORD_BITS
            ):
                table.depths.append(depth)
                table.field_bits += field_bits[depth]
                table.counter_bits += counter_bits[depth]
                break
        else:
            tables.append(_Table([depth], field_bits[depth], counter_bits[depth]))
    return tables


@dataclass(frozen=True)
class _Steps:
    """The hierarchies' levels from the lowest allowed one, laid out flat."""

    n_groups: IntArray
    parent_at: IntArray
    parents: Int32Array
    leaf_at: IntArray
    leaves: IntArray


def _steps(
    hierarchies: Sequence[Hierarchy], lattice: Lattice, order: Sequence[int]
) -> _Steps:
    shape = (len(order), max(lattice.sizes))
    n_groups, parent_at, leaf_at = (np.zeros(shape, np.int64) for _ in range(3))
    parents: list[Int32Array] = [np.empty(0, np.int32)]
    leaves: list[IntArray] = [np.empty(0, np.int64)]
    at_parent = at_leaf = 0
    for depth, column in enumerate(order):
        hierarchy, low = hierarchies[column], lattice.minimum[column]
        for step in range(lattice.sizes[column]):
            counts = hierarchy.leaf_counts(low + step)
            n_groups[depth, step] = len(counts)
            leaf_at[depth, step] = at_leaf
            leaves.append(counts)
            at_leaf += len(counts)
            if step:
                up = hierarchy.parents(low + step)
                parent_at[depth, step] = at_parent
                parents.append(up)
                at_parent += len(up)
    return _Steps(
        n_groups, parent_at, np.concatenate(parents), leaf_at, np.concatenate(leaves)
    )
