"""De-identifies a table block by block: raises levels, then suppresses the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray, IntArray
from deidgui.engine.covering.subsets import Combinations, risks_of
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.refining import classes_by, mark_small
from deidgui.monitor import NULL_MONITOR, Monitor

AT_ONCE = 256
"""Blocks that are treated before the next ones are measured again."""

MOST_LOOKED = 3_000_000_000
"""Rows looked at, each once for a block, after which no more levels are lowered.

Of 50 attributes, 3 of them known, and 100,000 rows: 39 levels were tried in 86 s of one
core, a third of the whole search, and the suppression limit was used up by then.
"""

CHEAP = 1e-9
"""Cost of a level that loses nothing, so that shares of costs stay finite."""


@dataclass(frozen=True, repr=False, eq=False)
class BlockTask:
    """What is asked of a table, and how it may be changed.

    Parameters
    ----------
    blocks : ndarray of int64, shape (n_blocks, block size)
        Attributes of each block: every set of attributes that an adversary may know
        lies in one. All these sets, or the blocks of a covering design.
    size : int, >= 1
        Records that every class of every block has at least.
    limit : int, >= 0
        Records of which anything is suppressed, while levels can be raised instead.
    lowest, highest : sequence of int
        Levels that are allowed, by attribute.
    weights : sequence of float, each >= 0
        How much it matters that an attribute stays precise.
    by_record : bool
        Whether whole records are suppressed, and no single cells.
    """

    blocks: IntArray
    size: int
    limit: int
    lowest: Sequence[int]
    highest: Sequence[int]
    weights: Sequence[float]
    by_record: bool = False


@dataclass(frozen=True)
class BlockStep:
    """What was done to one block.

    Parameters
    ----------
    number : int
        Of the pass over all blocks, from 1.
    block : tuple of int
        Its attributes.
    n_before, n_after : int
        Records in too small classes of the block.
    raised : tuple of (int, int, int)
        Attribute, level before and level after.
    n_cells, n_records : int
        Cells and whole records that were suppressed, counted in records of the table.
    n_left : int
        Records in too small classes of the worst block that this pass has not come to
        yet, as they were at its begin.
    is_again : bool
        Whether no block failed before it: a level is lowered again (`raised`), all that
        is suppressed anew under the levels is counted (`block` is empty), or cells of
        an attribute are shown again (`n_cells` below 0).
    """

    number: int
    block: tuple[int, ...]
    n_before: int
    n_after: int
    raised: tuple[tuple[int, int, int], ...]
    n_cells: int
    n_records: int
    n_left: int = 0
    is_again: bool = False


@dataclass(frozen=True, repr=False, eq=False)
class ByBlocks:
    """A table after de-identification by blocks.

    Parameters
    ----------
    levels : tuple of int
        By attribute.
    cells : ndarray of bool, shape (n_combinations, n_attributes)
        Cells that are suppressed, by row of the class table.
    records : ndarray of bool, shape (n_combinations,)
        Rows of the class table that are suppressed as a whole.
    steps : tuple of BlockStep
        In the order in which they were done.
    n_cells, n_touched : int
        Cells suppressed of records that are released, and records of which anything is
        suppressed.
    """

    levels: tuple[int, ...]
    cells: BoolArray
    records: BoolArray
    steps: tuple[BlockStep, ...]
    n_cells: int
    n_touched: int


def de_identify(
    table: ClassTable,
    asked: BlockTask,
    *,
    on_step: Callable[[BlockStep], None] = lambda _: None,
    monitor: Monitor = NULL_MONITOR,
) -> ByBlocks:
    """Change a table until no set of attributes in a block has a class too small.

    Parameters
    ----------
    table : ClassTable
        None of its attributes differs between the rows of a person.
    on_step : callable, optional
        Receives each step when it is done.

    Returns
    -------
    ByBlocks
        With fewer records than a class must have, all of them are suppressed.

    Notes
    -----
    A suppressed cell counts as a value of its own, which an adversary sees like any
    other: of the readings of a suppressed cell the strictest one (classes are no larger
    than those of an adversary who compares it with the original value, or who takes it
    to match anything), and one under which a class of a set of attributes is never
    smaller than that of a larger set. What holds for the blocks therefore holds for
    every set in them, with cells suppressed too. Records of which nothing of a block
    is to be seen are a class like others: if they are too few, the smallest class that
    is large enough joins them. A cell at a level with a single group tells nothing and
    is not suppressed.

    The levels of a block are raised one by one, by what an attribute's next level takes
    out of small classes for the information that it loses, and then lowered again where
    that does no harm. When no block fails, all is suppressed anew under the levels that
    were found, and levels are lowered as long as that keeps to the limit and more is
    shown, of large tables up to `MOST_LOOKED`. That is no search of all levels: others
    may lose less.

    What is suppressed follows from the levels alone: see `suppress`.

    References
    ----------
    .. [1] K. El Emam, L. Arbuckle (2013), *Anonymizing Health Data*, chapter 7;
       methods.md C.2 and C.4.
    """
    work = _Work(table, asked, on_step, _Steady(monitor))
    if table.n_records < asked.size:
        work.gone[:] = True
        return work.result()
    work.settle()
    work.suppress_anew()
    while work.n_touched > asked.limit and work.raise_cheapest():
        work.suppress_anew()
    work.lower()
    work.count_suppressed()
    work.show_cells()
    return work.checked()


def suppress(
    table: ClassTable,
    asked: BlockTask,
    levels: Sequence[int],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> ByBlocks:
    """Suppress what must be under some levels, whatever the limit is.

    Parameters
    ----------
    levels : sequence of int
        Of each attribute; `asked` says nothing about them.

    Returns
    -------
    ByBlocks
        What `de_identify` suppresses where it comes to these levels.
    """
    asked = replace(asked, lowest=levels, highest=levels)
    work = _Work(table, asked, lambda _: None, _Steady(monitor))
    if table.n_records < asked.size:
        work.gone[:] = True
        return work.result()
    work.settle(can_raise=False)
    work.show_cells()
    return work.checked()


@dataclass
class _Steady:
    """Tells progress that never falls."""

    monitor: Monitor
    fraction: float = 0.0

    def reached(self, fraction: float) -> None:
        """Go on to a fraction, if it is higher."""
        self.fraction = max(self.fraction, fraction)

    def report(self, fraction: float, note: str = "") -> None:
        """Pass on that work goes on."""
        del fraction
        self.monitor.report(self.fraction, note)


@dataclass(eq=False)
class _Work:
    """A table that is being changed: what it shows, and what is suppressed."""

    table: ClassTable
    asked: BlockTask
    on_step: Callable[[BlockStep], None]
    monitor: _Steady
    levels: list[int] = field(init=False)
    steps: list[BlockStep] = field(init=False, default_factory=list)
    _number: int = field(init=False, default=0)
    _n_looked: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        n, m = self.table.leaves.shape
        assert not self.table.varying, "sets of values have no levels of cells"
        self.levels = list(self.asked.lowest)
        # PERF: an attribute's cells together.
        self.cells = np.zeros((n, m), np.bool_, order="F")
        self.gone = np.zeros(n, np.bool_)
        self._every = np.arange(n, dtype=np.int32)
        self.codes = np.empty((m, n), np.int32)
        self.sizes = np.empty(m, np.int64)
        self.is_single = np.zeros(m, np.bool_)
        self._found = np.zeros(len(self.asked.blocks), np.int64)
        self._is_changed = np.ones(m, np.bool_)
        self.losses = [self._bits_lost(at) for at in range(m)]
        for at, level in enumerate(self.levels):
            self._set_level(at, level)

    def _bits_lost(self, at: int) -> FloatArray:
        """Share of the information on an attribute that each level loses."""
        leaves, counts = self.table.leaves[:, at], self.table.counts
        bits = []
        for level in self.table.hierarchies[at].levels:
            shares = np.bincount(level.groups[leaves], counts) / counts.sum()
            shares = shares[shares > 0]
            bits.append(float(-(shares * np.log2(shares)).sum()))
        all_bits = bits[0] or 1.0
        return np.array([1 - each / all_bits for each in bits])

    def _set_level(self, at: int, level: int) -> None:
        step = self.table.hierarchies[at].levels[level]
        self.levels[at] = level
        self._is_changed[at] = True
        self.codes[at] = step.groups[self.table.leaves[:, at]]
        self.sizes[at] = step.n_groups + 1
        self.is_single[at] = step.n_groups == 1
        if not self.is_single[at]:
            self.codes[at][self.cells[:, at]] = step.n_groups

    @property
    def touched(self) -> BoolArray:
        """Rows of which anything is suppressed."""
        hidden = self.cells[:, ~self.is_single].any(axis=1)
        return np.asarray(hidden | self.gone, np.bool_)

    @property
    def n_touched(self) -> int:
        """Records of which anything is suppressed."""
        return int(self.table.counts[self.touched].sum())

    def measured_again(self) -> IntArray:
        """Measure all blocks; those of which no attribute changed stay as they were."""
        changed = self._is_changed[self.asked.blocks].any(axis=1)
        self._found[changed] = self.measured(self.asked.blocks[changed])
        self._is_changed[:] = False
        return self._found.copy()

    def measured(self, blocks: IntArray) -> IntArray:
        """Records in too small classes, by block."""
        kept = ~self.gone
        if not kept.any() or not len(blocks):
            return np.zeros(len(blocks), np.int64)
        codes = self.codes if kept.all() else self.codes[:, kept]
        shown = Combinations(np.ascontiguousarray(codes), self.table.counts[kept])
        sets = self._without_single(blocks)
        return risks_of(shown, sets, self.asked.size, monitor=self.monitor).n_at_risk

    def _without_single(self, blocks: IntArray) -> IntArray:
        """Blocks with one attribute in place of each that has a single group."""
        # PERF: blocks that tell the same are then equal, and measured once.
        sets = np.sort(np.where(self.is_single[blocks], -1, blocks), axis=1)
        sets[sets < 0] = self.is_single.argmax()
        return np.asarray(sets, np.int64)

    def settle(self, *, can_raise: bool = True) -> None:
        """Treat blocks, worst first, until none has a class that is too small."""
        first = 0
        while True:
            found = self.measured_again()
            failing = int(np.count_nonzero(found))
            if not failing:
                return
            self._number += can_raise
            first = first or failing
            self.monitor.reached(1 - failing / first)
            order = self._worst_first(self.asked.blocks, found)
            blocks, left = self.asked.blocks[order], np.append(found[order][1:], 0)
            for start in range(0, failing, AT_ONCE):
                part = slice(start, start + AT_ONCE)
                # PERF: what helped one block has helped most of those after it.
                fails = self.measured(blocks[part]) if start else found[order[part]]
                for at in start + np.flatnonzero(fails):
                    self.monitor.report(0.0, f"block {len(self.steps) + 1}")
                    self._treat(blocks[at], int(left[at]), can_raise)

    def _worst_first(self, blocks: IntArray, found: IntArray) -> IntArray:
        """Places of the blocks that fail, equal ones by their attributes."""
        order = np.lexsort((*blocks.T[::-1], -found))
        return order[: np.count_nonzero(found)]

    def _treat(self, block: IntArray, n_left: int, can_raise: bool) -> None:
        """Raise the levels of a block, then suppress what is still at risk."""
        before, hidden = self._look(block)
        if not before:
            return
        levels = list(self.levels)
        if can_raise:
            self._raise(block)
            _, hidden = self._look(block)
        n_cells, n_records = self._suppress(block, hidden)
        raised = tuple(
            (at, levels[at], self.levels[at])
            for at in block.tolist()
            if levels[at] != self.levels[at]
        )
        if not can_raise:
            return
        after, _ = self._look(block)
        self._done(
            BlockStep(
                self._number,
                tuple(block.tolist()),
                before,
                after,
                raised,
                n_cells,
                n_records,
                n_left,
            )
        )

    def _done(self, step: BlockStep) -> None:
        self.steps.append(step)
        self.on_step(step)

    def _look(self, block: IntArray) -> tuple[int, AnyArray]:
        """Records in too small classes of a block, and rows to suppress for them."""
        rows = self._every
        if self.gone.any():
            rows = np.flatnonzero(~self.gone).astype(np.int32)
        shown = block[~self.is_single[block]]
        groups, sums = classes_by(
            self.codes, self.sizes, self.table.counts, rows, shown
        )
        is_bad = sums < self.asked.size
        n_at_risk = int(sums[is_bad].sum())
        if not n_at_risk:
            return 0, rows[:0]
        if not self.asked.by_record:
            # PERF: a column of cells is contiguous, several of them are a copy.
            columns = [self.cells[:, at] for at in shown.tolist()]
            is_bad[groups[np.logical_and.reduce(columns)]] = True
            large = np.flatnonzero(~is_bad)
            if sums[is_bad].sum() < self.asked.size and len(large):
                is_bad[large[np.argmin(sums[large])]] = True
        return n_at_risk, rows[is_bad[groups]]

    def _suppress(self, block: IntArray, rows: AnyArray) -> tuple[int, int]:
        """Suppress rows, or their cells in a block; return how many of each."""
        counts = self.table.counts
        if self.asked.by_record:
            self.gone[rows] = True
            self._is_changed |= len(rows) > 0
            return 0, int(counts[rows].sum())
        n_cells = 0
        for at in block[~self.is_single[block]].tolist():
            new = rows[~self.cells[rows, at]]
            if len(new):
                n_cells += int(counts[new].sum())
                self.cells[new, at] = True
                self.codes[at][new] = self.sizes[at] - 1
                self._is_changed[at] = True
        return n_cells, 0

    # -- levels of one block -----------------------------------------------------------

    def _raise(self, block: IntArray) -> None:
        """Raise levels until few enough records are left to suppress."""
        start = {at: self.levels[at] for at in block.tolist()}
        touched = self.touched
        allowed = max(0, self.asked.limit - int(self.table.counts[touched].sum()))

        def n_new() -> int:
            _, rows = self._look(block)
            return int(self.table.counts[rows[~touched[rows]]].sum())

        now = n_new()
        while now > allowed:
            best = max(self._tries(start, now, n_new), default=None)
            if best is None:
                break
            at = -best[2]
            self._set_level(at, self.levels[at] + 1)
            now = n_new()
            self.monitor.report(0.0, "level")
        if now <= allowed:
            self._lower(start, allowed, n_new)

    def _tries(
        self, block: Sequence[int] | dict[int, int], now: int, n_new: Callable[[], int]
    ) -> Iterator[tuple[float, float, int]]:
        """For each attribute what its next level gains for its cost, largest best."""
        for at in block:
            level = self.levels[at]
            if level >= self.asked.highest[at]:
                continue
            lost = self.losses[at]
            cost = self.asked.weights[at] * float(lost[level + 1] - lost[level])
            self._set_level(at, level + 1)
            gained = now - n_new()
            self._set_level(at, level)
            yield gained / (cost + CHEAP), -cost, -at

    def _lower(
        self, start: dict[int, int], allowed: int, n_new: Callable[[], int]
    ) -> None:
        """Take back levels that were not needed, the costliest first."""

        def cost(at: int) -> float:
            lost = self.losses[at]
            return float(lost[self.levels[at]] - lost[start[at]])

        for at in sorted(
            start, key=lambda at: (-self.asked.weights[at] * cost(at), at)
        ):
            while self.levels[at] > start[at]:
                self._set_level(at, self.levels[at] - 1)
                if n_new() > allowed:
                    self._set_level(at, self.levels[at] + 1)
                    break

    # -- the end -----------------------------------------------------------------------

    def suppress_anew(self) -> None:
        """Suppress again from nothing under the levels of now.

        Of whole records it is never more: those that stay are the most that can stay.
        """
        self.cells[:] = False
        self.gone[:] = False
        self._show_again()
        self.settle(can_raise=False)

    def raise_cheapest(self) -> bool:
        """Raise the level that costs least of those that can be; False if none can."""
        able = [
            at
            for at, level in enumerate(self.levels)
            if level < self.asked.highest[at] and not self.is_single[at]
        ]
        if not able:
            return False

        def cost(at: int) -> float:
            lost, level = self.losses[at], self.levels[at]
            return self.asked.weights[at] * float(lost[level + 1] - lost[level])

        at = min(able, key=lambda at: (cost(at), at))
        self._change_level(at, self.levels[at] + 1)
        return True

    def lower(self) -> None:
        """Take back levels that are not needed any more, each by one, over and over.

        First comes the attribute of which the next lower level shows most. One that
        cannot be lowered is not tried again: others only use up more of the limit.
        With many blocks and rows it ends before all are tried.
        """
        able = [at for at, low in enumerate(self.asked.lowest) if self.levels[at] > low]

        def gain(at: int) -> float:
            lost, level = self.losses[at], self.levels[at]
            return self.asked.weights[at] * float(lost[level] - lost[level - 1])

        lowered = []
        # PERF: a count, so that the same table always comes to the same levels.
        while able and self._n_looked < MOST_LOOKED:
            at = max(able, key=lambda at: (gain(at), -at))
            is_lower = self._lowered(at)
            lowered += [at] * is_lower
            if not is_lower or self.levels[at] == self.asked.lowest[at]:
                able.remove(at)
        if lowered:
            self.suppress_anew()
        # Suppressed for one block, a record can be missing in another one.
        while self.n_touched > self.asked.limit and lowered:
            at = lowered.pop()
            self._change_level(at, self.levels[at] + 1)
            self.suppress_anew()

    def _lowered(self, at: int) -> bool:
        """Lower a level by one if that seems to keep to the limit and shows more."""
        level, before = self.levels[at], self._shown_bits()
        cells, gone = self.cells.copy(order="F"), self.gone.copy()
        self._set_level(at, level - 1)
        self.monitor.report(0.0, "lower")
        blocks = self._blocks_with(at)
        # PERF: other blocks are looked at when all levels are lowered.
        if self._suppress_within(blocks) and self._shown_bits() > before + CHEAP:
            self._done(self._again((at,), raised=((at, level, level - 1),)))
            return True
        self.levels[at] = level
        self.cells[:], self.gone[:] = cells, gone
        self._show_again()
        return False

    def _suppress_within(self, blocks: IntArray) -> bool:
        """Suppress until none of some blocks fails; False if that passes the limit."""
        counts, touched = self.table.counts, self.touched
        n_touched, found = self.n_touched, self.measured(blocks)
        # At least those who are in a class too small now are suppressed then.
        if n_touched + int(found.max(initial=0)) > self.asked.limit:
            return False
        while found.any():
            for block in blocks[self._worst_first(blocks, found)]:
                _, rows = self._look(block)
                self._n_looked += len(counts)
                self._suppress(block, rows)
                n_touched += int(counts[rows[~touched[rows]]].sum())
                touched[rows] = True
                if n_touched > self.asked.limit:
                    return False
            found = self.measured(blocks)
        return True

    def _shown_bits(self) -> float:
        """Information that is left, weighted: shares of each attribute added up."""
        counts = self.table.counts
        hidden = self.cells | self.gone[:, None]
        shares = 1 - counts @ hidden / counts.sum()
        lost = [self.losses[at][level] for at, level in enumerate(self.levels)]
        return float(np.array(self.asked.weights) @ (shares * (1 - np.array(lost))))

    def _blocks_with(self, at: int) -> IntArray:
        holds = (self.asked.blocks == at).any(axis=1)
        return np.asarray(self.asked.blocks[holds], np.int64)

    def show_cells(self) -> None:
        """Show suppressed cells again where no class gets too small by it.

        One attribute after another, the most important first. Cells that would be in
        classes too small stay suppressed; where the others of them leave a class too
        small behind, all stay.
        """
        weights = self.asked.weights
        for at in sorted(range(len(self.levels)), key=lambda at: (-weights[at], at)):
            if self.is_single[at] or not self.cells[:, at].any():
                continue
            self.monitor.report(0.0, "show")
            before = self.cells[:, at].copy()
            blocks = self._blocks_with(at)
            self.cells[:, at] = False
            self._set_level(at, self.levels[at])
            self.cells[:, at] = before & self._small(blocks)
            self._set_level(at, self.levels[at])
            if self.measured(blocks).any():
                self.cells[:, at] = before
                self._set_level(at, self.levels[at])
                continue
            n = int(self.table.counts @ (before & ~self.cells[:, at]))
            if n:
                self._done(self._again((at,), n_cells=-n))

    def _small(self, blocks: IntArray) -> BoolArray:
        """Rows that any of some blocks puts into a class too small."""
        found = np.zeros(len(self.gone), np.bool_)
        rows = np.flatnonzero(~self.gone).astype(np.int32)
        counts, size = self.table.counts, self.asked.size
        mark_small(self.codes, self.sizes, counts, rows, blocks, size, found)
        return found

    def count_suppressed(self) -> None:
        """Say how much is suppressed under the levels that were found."""
        if self.n_touched:
            n_cells = int(self.table.counts @ self.cells.sum(axis=1))
            n_records = int(self.table.counts[self.gone].sum())
            self._done(self._again((), n_cells=n_cells, n_records=n_records))

    def _again(
        self,
        block: tuple[int, ...],
        raised: tuple[tuple[int, int, int], ...] = (),
        n_cells: int = 0,
        n_records: int = 0,
    ) -> BlockStep:
        number = self._number
        return BlockStep(number, block, 0, 0, raised, n_cells, n_records, is_again=True)

    def _change_level(self, at: int, level: int) -> None:
        """Change a level outside of a block, and say so."""
        before = self.levels[at]
        self._set_level(at, level)
        self._done(self._again((at,), raised=((at, before, level),)))

    def _show_again(self) -> None:
        for at, level in enumerate(self.levels):
            self._set_level(at, level)

    def checked(self) -> ByBlocks:
        """Return what was done, after a last measurement of all blocks."""
        # PRIVACY: nothing leaves here that it has not passed.
        assert not self.measured(self.asked.blocks).any()
        return self.result()

    def result(self) -> ByBlocks:
        """Return what was done."""
        cells = self.cells & ~self.is_single & ~self.gone[:, None]
        return ByBlocks(
            tuple(self.levels),
            cells,
            self.gone.copy(),
            tuple(self.steps),
            int(self.table.counts @ cells.sum(axis=1)),
            self.n_touched,
        )
