"""The risk of every set of attributes that an adversary may know."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from deidgui.engine.arrays import AnyArray, FloatArray, IntArray
from deidgui.engine.compiled import njit
from deidgui.engine.data.refining import refine
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor

N_THREADS = 2

AT_ONCE = 64
"""Sets of attributes that a thread measures before progress is told."""


@dataclass(frozen=True, repr=False, eq=False)
class Combinations:
    """The different rows of a table by its quasi-identifiers, and their records.

    Parameters
    ----------
    codes : ndarray of int32, shape (n_attributes, n_rows)
        Group of each row, by attribute; C order, an attribute's rows together.
    counts : ndarray of int64, shape (n_rows,), each >= 1
        Records of each row. Suppressed records are among them (methods.md C.2: else
        a larger set of attributes might have a lower risk).
    """

    codes: AnyArray
    counts: IntArray

    def __post_init__(self) -> None:
        assert self.codes.flags.c_contiguous
        assert self.codes.shape[1] == len(self.counts)

    @property
    def n_attributes(self) -> int:
        """Number of attributes."""
        return len(self.codes)


@dataclass(frozen=True, repr=False, eq=False)
class SubsetRisks:
    """The risk that each of some sets of attributes brings.

    Parameters
    ----------
    subsets : ndarray of int64, shape (n_subsets, size)
        Attributes of each set, ascending.
    smallest : ndarray of int64, shape (n_subsets,)
        Size of the smallest class.
    n_classes, n_at_risk : ndarray of int64, shape (n_subsets,)
        Classes, and records in classes that are too small.
    """

    subsets: IntArray
    smallest: IntArray
    n_classes: IntArray
    n_at_risk: IntArray
    n_records: int

    @property
    def highest(self) -> FloatArray:
        """Highest risk of a record by set."""
        return np.asarray(1.0 / self.smallest)

    @property
    def average(self) -> FloatArray:
        """Average risk of the records by set."""
        return np.asarray(self.n_classes / self.n_records)

    @property
    def share_at_risk(self) -> FloatArray:
        """Share of the records at risk by set."""
        return np.asarray(self.n_at_risk / self.n_records)

    def order(self) -> IntArray:
        """Return the sets from the riskiest to the least, equal ones by attributes."""
        by_attribute = tuple(self.subsets.T[::-1])
        return np.lexsort(
            (*by_attribute, -self.n_classes, self.smallest, -self.n_at_risk)
        )


def risks_of_all(
    table: Combinations,
    n_known: int,
    size_at_risk: int,
    always: Sequence[int] = (),
    *,
    monitor: Monitor = NULL_MONITOR,
) -> SubsetRisks:
    """Measure every set of attributes of a size.

    Parameters
    ----------
    n_known : int, in [1, n_attributes]
        Attributes that the adversary knows, those that are always known among them.
    size_at_risk : int, >= 1
        Records in smaller classes are at risk.
    always : sequence of int
        Attributes that are always known.

    Raises
    ------
    ConfigError
        Code ``known_attributes``.
    """
    m = table.n_attributes
    if not max(1, len(set(always))) <= n_known <= m:
        raise ConfigError("known_attributes", n_known=n_known, n_attributes=m)
    others = [each for each in range(m) if each not in set(always)]
    n_free = n_known - len(set(always))
    every = np.fromiter(
        (at for each in combinations(others, n_free) for at in (*always, *each)),
        np.int64,
        math.comb(len(others), n_free) * n_known,
    ).reshape(-1, n_known)
    return risks_of(table, np.sort(every, axis=1), size_at_risk, monitor=monitor)


def risks_of(
    table: Combinations,
    subsets: IntArray,
    size_at_risk: int,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> SubsetRisks:
    """Measure some sets of attributes of equal size.

    Parameters
    ----------
    subsets : ndarray of int64, shape (n_subsets, size)
    """
    assert len(table.counts)
    # Neighbours share what was grouped for their common beginning.
    order = np.lexsort(tuple(subsets.T[::-1]))
    wanted = np.ascontiguousarray(subsets[order])
    found = np.zeros((len(wanted), 3), np.int64)
    sizes = table.codes.max(axis=1).astype(np.int64) + 1
    parts = list(_parts(len(wanted)))

    def measure(part: slice) -> None:
        _measure(
            table.codes, sizes, table.counts, wanted[part], size_at_risk, found[part]
        )

    with ThreadPoolExecutor(N_THREADS) as pool:
        for at in range(0, len(parts), N_THREADS):
            monitor.report(at / len(parts), f"attributes {parts[at].start}")
            list(pool.map(measure, parts[at : at + N_THREADS]))
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    smallest, n_classes, n_at_risk = found[back].T
    return SubsetRisks(subsets, smallest, n_classes, n_at_risk, int(table.counts.sum()))


def _parts(n: int) -> Iterator[slice]:
    for start in range(0, n, AT_ONCE):
        yield slice(start, min(n, start + AT_ONCE))


@njit
def _measure(
    codes: AnyArray,
    sizes: IntArray,
    counts: IntArray,
    subsets: IntArray,
    size_at_risk: int,
    found: IntArray,
) -> None:
    """Group by one attribute after another; rows that are alone are not looked at.

    A row that is alone in its class stays so whatever else is known, so that each
    further attribute groups the other rows only.
    """
    n_subsets, depth = subsets.shape
    n = len(counts)
    rows = np.empty((depth + 1, n), np.int32)
    groups = np.empty((depth + 1, n), np.int32)
    n_rows = np.zeros(depth + 1, np.int64)
    n_groups = np.ones(depth + 1, np.int64)
    # Of the rows that are alone: smallest number of records, classes, records at risk.
    alone = np.zeros((depth + 1, 3), np.int64)
    rows[0] = np.arange(n)
    groups[0] = 0
    n_rows[0] = n
    room = 16
    while room < 2 * n:
        room *= 2
    keys = np.empty(room, np.int64)
    numbers = np.empty(room, np.int32)
    sums, members = np.empty(n, np.int64), np.empty(n, np.int32)
    for at in range(n_subsets):
        first = 0
        if at:
            while first < depth and subsets[at, first] == subsets[at - 1, first]:
                first += 1
        for level in range(first, depth):
            own, size = codes[subsets[at, level]], sizes[subsets[at, level]]
            now, of = rows[level, : n_rows[level]], groups[level, : n_rows[level]]
            n_keys = n_groups[level] * size
            if level == depth - 1 and n_keys <= n:
                # PERF: the classes of the whole set have no numbers.
                _add_up(own, size, counts, now, of, sums[:n_keys])
                _finish(sums[:n_keys], alone[level], size_at_risk, found[at])
                break
            new = groups[level + 1]
            n_groups[level + 1] = refine(
                own, size, counts, now, of, keys, numbers, sums, members, new
            )
            if level == depth - 1:
                n_keys = n_groups[level + 1]
                _finish(sums[:n_keys], alone[level], size_at_risk, found[at])
                break
            n_rows[level + 1] = _set_apart(
                counts,
                now,
                members,
                alone[level],
                size_at_risk,
                rows[level + 1],
                new,
                alone[level + 1],
            )
        if first == depth:
            found[at] = found[at - 1]


@njit
def _set_apart(
    counts: IntArray,
    rows: AnyArray,
    members: AnyArray,
    alone: IntArray,
    size_at_risk: int,
    kept_rows: AnyArray,
    groups: AnyArray,
    alone_now: IntArray,
) -> int:
    """Keep the rows that share their group, in place; add up those that do not."""
    least, n_alone, at_risk, kept = alone[0], alone[1], alone[2], 0
    for place in range(len(rows)):
        row, group = rows[place], groups[place]
        if members[group] == 1:
            n_alone += 1
            if least == 0 or counts[row] < least:
                least = counts[row]
            if counts[row] < size_at_risk:
                at_risk += counts[row]
        else:
            kept_rows[kept], groups[kept] = row, group
            kept += 1
    alone_now[0], alone_now[1], alone_now[2] = least, n_alone, at_risk
    return kept


@njit
def _add_up(
    codes: AnyArray,
    size: int,
    counts: IntArray,
    rows: AnyArray,
    groups: AnyArray,
    sums: IntArray,
) -> None:
    """Add up the records of each group by one more attribute."""
    sums[:] = 0
    for place in range(len(rows)):
        row = rows[place]
        sums[np.int64(groups[place]) * size + codes[row]] += counts[row]


@njit
def _finish(
    sums: IntArray, alone: IntArray, size_at_risk: int, found: IntArray
) -> None:
    """Add the rows that were alone before to the classes; those of 0 are none."""
    least, n_classes, at_risk = alone
    for n_records in sums:
        if not n_records:
            continue
        n_classes += 1
        if least == 0 or n_records < least:
            least = n_records
        if n_records < size_at_risk:
            at_risk += n_records
    found[0], found[1], found[2] = least, n_classes, at_risk
