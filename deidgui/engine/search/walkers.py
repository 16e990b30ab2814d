"""Who walks the lattice: one walker per thread, subtree after subtree."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Executor, ThreadPoolExecutor
from itertools import product
from math import prod

import numpy as np

from deidgui.engine.arrays import AnyArray, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.search.kernels import (
    advance,
    begin,
    merge_raised,
    sort_by_field,
)
from deidgui.engine.search.lattice import Lattice
from deidgui.engine.search.layout import (
    FINISHED,
    N_TOTALS,
    UNROLL,
    VISITED,
    Details,
    Figures,
    Plan,
    Walk,
)
from deidgui.engine.search.plan import make_plan
from deidgui.monitor import NULL_MONITOR, Monitor

SLICE = 2_000_000
"""Classes one walker handles between two reports: 5 to 40 ms."""

NODES_PER_SLICE = 4096

SUBTREES_PER_THREAD = 4
"""So that no thread waits long for the other one at the end."""


class Walkers:
    """Threads that share the subtrees of one lattice among them.

    Every node is written once, to its own rows, so the figures depend neither
    on the number of threads nor on who comes first.

    Parameters
    ----------
    figures : Figures
        Where the figures of the nodes go.
    details : Details
        Where goes what else is asked.
    n_threads : int, >= 1
    monitor : Monitor, optional
        For the time until the walk starts.
    """

    def __init__(
        self,
        class_table: ClassTable,
        lattice: Lattice,
        figures: Figures,
        details: Details,
        n_threads: int,
        *,
        monitor: Monitor = NULL_MONITOR,
    ) -> None:
        plan = make_plan(class_table.hierarchies, lattice)
        keys, counts = bottom_classes(class_table, lattice, plan, monitor=monitor)
        self._prefixes = deque(_prefixes(plan, n_threads))
        n_walkers = min(n_threads, len(self._prefixes))
        self._walkers = [
            _Walker(plan, keys, counts, figures, details, self._prefixes)
            for _ in range(n_walkers)
        ]
        self._pool: Executor | None = None
        if n_walkers > 1:
            self._pool = ThreadPoolExecutor(n_walkers, thread_name_prefix="walk")

    def __enter__(self) -> Walkers:
        return self

    def __exit__(self, *_exception: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    @property
    def has_finished(self) -> bool:
        """Whether every node was visited."""
        return not self._prefixes and all(each.is_idle for each in self._walkers)

    def advance(self) -> IntArray:
        """Let every walker handle one slice.

        Returns
        -------
        ndarray of int64
            The nodes that were visited.
        """
        run = map if self._pool is None else self._pool.map
        visited = list(run(_Walker.advance, self._walkers))
        return np.concatenate(visited)


class _Walker:
    def __init__(
        self,
        plan: Plan,
        keys: AnyArray,
        counts: IntArray,
        figures: Figures,
        details: Details,
        prefixes: deque[IntArray],
    ) -> None:
        self._plan, self._prefixes = plan, prefixes
        self._figures, self._details = figures, details
        self._keys, self._counts = keys, counts
        self._walk = _new_walk(plan, keys, figures.ladder)

    @property
    def is_idle(self) -> bool:
        return bool(self._walk.cursor[FINISHED])

    def advance(self) -> IntArray:
        walk = self._walk
        walk.cursor[VISITED] = 0
        budget = SLICE
        while budget > 0 and walk.cursor[VISITED] < NODES_PER_SLICE:
            if walk.cursor[FINISHED] and not self._begin_next():
                break
            budget = advance(self._plan, walk, self._figures, self._details, budget)
        return walk.visited[: walk.cursor[VISITED]].copy()

    def _begin_next(self) -> bool:
        """Go to the next subtree that nobody has taken, if there is one."""
        try:
            prefix = self._prefixes.popleft()
        except IndexError:
            return False
        n = len(self._counts)
        self._walk.keys[0, :, :n] = self._keys
        self._walk.counts[0, :n] = self._counts
        self._walk.n_classes[0] = n
        begin(self._plan, self._walk, prefix)
        return True


def _new_walk(plan: Plan, keys: AnyArray, ladder: IntArray) -> Walk:
    n_depths, n_tables, n_sizes = len(plan.height), len(plan.table_word), ladder[-1]
    n_words, capacity = keys.shape
    n_values = int(plan.table_mask.max()) + 1
    cursor = np.zeros(5, np.int64)
    cursor[FINISHED] = 1
    return Walk(
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


def _prefixes(plan: Plan, n_threads: int) -> list[IntArray]:
    """Levels of the first depths, one vector per subtree.

    A single thread gets the whole tree.
    """
    levels = [int(height) + 1 for height in plan.height]
    wanted = 1 if n_threads == 1 else n_threads * SUBTREES_PER_THREAD
    n_fixed = 0
    while n_fixed < len(levels) and prod(levels[:n_fixed]) < wanted:
        n_fixed += 1
    return [
        np.array(prefix, np.int64)
        for prefix in product(*(range(n) for n in levels[:n_fixed]))
    ]


def bottom_classes(
    class_table: ClassTable,
    lattice: Lattice,
    plan: Plan,
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
