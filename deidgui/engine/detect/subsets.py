"""How well do columns, alone and together, tell the records apart?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numba import njit

from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.table import Column
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

ALL_SUBSETS_UP_TO = 12
"""With more columns only small subsets and "all but one" are computed."""

_SMALL = 3
_MOST_WORK = 1_000_000_000
"""Groups times sets that all sets may cost; measured: about 20 s."""
_KEY_SPACE = 2**62
_DENSE = 1 << 16
_COUNTING = 0.1  # of the progress: counting the combinations of rows


def column_distinction(counts: IntArray) -> tuple[float, float]:
    """Distinction and separation of a column, from the records per value.

    Parameters
    ----------
    counts : ndarray of int64, shape (n_values,), each >= 0

    Returns
    -------
    distinction : float in [0, 1]
        Number of different values over number of records.
    separation : float in [0, 1]
        Share of pairs of records that differ; 0 for fewer than two records.

    References
    ----------
    .. [1] Motwani, Xu (2007), *Efficient algorithms for masking and finding
       quasi-identifiers*, definitions 1 and 2.
    """
    n_records = int(counts.sum())
    if n_records == 0:
        return 0.0, 0.0
    distinction = int((counts > 0).sum()) / n_records
    if n_records < 2:
        return distinction, 0.0
    # Python integers: the number of pairs leaves 53 bits from 95 million records.
    alike = int((counts * (counts - 1)).sum())
    return distinction, 1 - alike / (n_records * (n_records - 1))


@dataclass(frozen=True, repr=False, eq=False)
class SubsetTable:
    """Distinction and separation of sets of columns, in order of size.

    Parameters
    ----------
    attributes : tuple of str
    members : ndarray of bool, shape (n_subsets, n_attributes)
        Which columns are in which set; none is empty, each set occurs once.
    distinction, separation : ndarray of float64, shape (n_subsets,), in [0, 1]
    complete : bool
        Whether every set up to the size asked for is there.
    """

    attributes: tuple[str, ...]
    members: BoolArray
    distinction: FloatArray
    separation: FloatArray
    complete: bool

    @property
    def sizes(self) -> IntArray:
        """Number of columns per set: ndarray of int64, shape (n_subsets,)."""
        return np.asarray(self.members.sum(axis=1), dtype=np.int64)

    def names(self, place: int) -> tuple[str, ...]:
        """Names of the columns of one set."""
        return tuple(np.array(self.attributes, dtype=object)[self.members[place]])


def subset_table(
    classes: ClassTable,
    max_size: int | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> SubsetTable:
    """Distinction and separation of all sets of quasi-identifiers.

    Parameters
    ----------
    classes : ClassTable
    max_size : int, >= 1, optional
        Largest set wanted.
    monitor : Monitor, optional

    Returns
    -------
    SubsetTable
        As `subsets_of_codes`.
    """
    return subsets_of_codes(
        classes.attributes, classes.leaves, classes.counts, max_size, monitor=monitor
    )


def subsets_of_columns(
    columns: Sequence[Column],
    max_size: int | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> SubsetTable:
    """Distinction and separation of all sets of columns, values as they are.

    Parameters
    ----------
    columns : sequence of Column, not empty
        Of one table; missing values count as a value.
    max_size : int, >= 1, optional
        Largest set wanted.
    monitor : Monitor, optional

    Returns
    -------
    SubsetTable
        As `subsets_of_codes`.
    """
    codes, counts = _distinct_rows(columns, SubMonitor(monitor, 0.0, _COUNTING))
    names = tuple(column.name for column in columns)
    return subsets_of_codes(names, codes, counts, max_size, monitor=monitor)


def subsets_of_codes(
    attributes: Sequence[str],
    codes: Int32Array,
    counts: IntArray,
    max_size: int | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> SubsetTable:
    """Distinction and separation of all sets of coded columns (methods F.1).

    Parameters
    ----------
    attributes : sequence of str, not empty
    codes : ndarray of int32, shape (n_classes, n_attributes)
        Distinct combinations.
    counts : ndarray of int64, shape (n_classes,), each >= 1
        Records per combination.
    max_size : int, >= 1, optional
        Largest set wanted.
    monitor : Monitor, optional

    Returns
    -------
    SubsetTable
        All sets of up to twelve columns; with more columns, or very many
        combinations, the sets of one to three, of all but one, and of all.

    References
    ----------
    .. [1] Motwani, Xu (2007), *Efficient algorithms for masking and finding
       quasi-identifiers*, definitions 1 and 2.
    """
    n_attributes = len(attributes)
    most = n_attributes if max_size is None else min(max_size, n_attributes)
    coded = _Coded.of(codes)
    counts = np.ascontiguousarray(counts, dtype=np.int64)
    all_of_them = (
        n_attributes <= ALL_SUBSETS_UP_TO
        and len(counts) * 2**n_attributes <= _MOST_WORK
    )
    measure = _measure_all if all_of_them else _measure_some
    figures = measure(coded, counts, most, monitor)
    wanted = sorted(figures, key=lambda subset: (len(subset), subset))
    members = np.zeros((len(wanted), n_attributes), dtype=np.bool_)
    for place, subset in enumerate(wanted):
        members[place, list(subset)] = True
    found = np.array([figures[subset] for subset in wanted])
    monitor.report(1.0, "subsets")
    return SubsetTable(
        tuple(attributes),
        members,
        found[:, 0],
        found[:, 1],
        all_of_them or most <= _SMALL,
    )


@dataclass(frozen=True, repr=False, eq=False)
class _Coded:
    """Codes by combination and column, and the number of codes per column."""

    codes: Int32Array
    widths: IntArray

    @classmethod
    def of(cls, codes: Int32Array) -> _Coded:
        """Measure the widths of codes."""
        widths = codes.max(axis=0, initial=0).astype(np.int64) + 1
        return cls(np.ascontiguousarray(codes, dtype=np.int32), widths)


Subset = tuple[int, ...]
Figures = dict[Subset, tuple[float, float]]


def _measure_some(
    coded: _Coded, counts: IntArray, most: int, monitor: Monitor
) -> Figures:
    """Sets of one to three, of all but one, and of all columns."""
    n_attributes = len(coded.widths)
    wanted = [
        subset
        for size in sorted({1, 2, _SMALL, n_attributes - 1, n_attributes})
        if 1 <= size <= most
        for subset in combinations(range(n_attributes), size)
    ]
    rows = np.arange(len(counts), dtype=np.int64)
    figures = {}
    for done, subset in enumerate(wanted):
        monitor.report(_COUNTING + (1 - _COUNTING) * done / len(wanted), "subsets")
        figures[subset] = column_distinction(_merged(coded, rows, counts, subset)[1])
    return figures


def _measure_all(
    coded: _Coded, counts: IntArray, most: int, monitor: Monitor
) -> Figures:
    """All sets, each from a set with one column more."""
    n_attributes = len(coded.widths)
    figures: Figures = {}
    rows = np.arange(len(counts), dtype=np.int64)
    everything = tuple(range(n_attributes))
    _walk(everything, 0, coded, rows, counts, figures, monitor)
    return {subset: both for subset, both in figures.items() if len(subset) <= most}


def _walk(
    subset: Subset,
    first: int,
    coded: _Coded,
    rows: IntArray,
    counts: IntArray,
    figures: Figures,
    monitor: Monitor,
) -> None:
    """Measure a set, then the sets that lack one more column from `first` on.

    Each set is reached once, from a set with one column more, whose groups are
    merged: the work falls with the number of groups.
    """
    monitor.report(
        _COUNTING + (1 - _COUNTING) * len(figures) / 2 ** len(coded.widths), "subsets"
    )
    rows, counts = _merged(coded, rows, counts, subset)
    figures[subset] = column_distinction(counts)
    if len(subset) == 1:
        return
    for left_out in subset:
        if left_out >= first:
            fewer = tuple(each for each in subset if each != left_out)
            _walk(fewer, left_out + 1, coded, rows, counts, figures, monitor)


def _merged(
    coded: _Coded, rows: IntArray, counts: IntArray, subset: Subset
) -> tuple[IntArray, IntArray]:
    """Groups of rows that are equal in the columns of a set.

    Returns
    -------
    rows : ndarray of int64, shape (n_groups,)
        One row per group.
    counts : ndarray of int64, shape (n_groups,)
    """
    places = np.array(subset, dtype=np.int64)
    codes, widths = coded.codes, coded.widths[places]
    n_keys = int(np.prod(widths.astype(np.float64)).clip(max=_KEY_SPACE))
    if n_keys <= 4 * len(rows) + _DENSE:
        n_groups, heads, sums = _merge_dense(codes, rows, counts, places, widths)
    else:
        n_groups, heads, sums = _merge_hashed(codes, rows, counts, places)
    return heads[:n_groups], sums[:n_groups]


@njit(cache=True, nogil=True)
def _merge_dense(
    codes: Int32Array,
    rows: IntArray,
    counts: IntArray,
    places: IntArray,
    widths: IntArray,
) -> tuple[int, IntArray, IntArray]:
    """Group rows by the codes at `places` with one slot per possible key."""
    n_keys = 1
    for width in widths:
        n_keys *= width
    slots = np.full(n_keys, -1, dtype=np.int32)
    heads = np.empty(min(len(rows), n_keys), dtype=np.int64)
    sums = np.empty(min(len(rows), n_keys), dtype=np.int64)
    n_groups = 0
    for i in range(len(rows)):
        row = rows[i]
        key = np.int64(0)
        for j in range(len(places)):
            key = key * widths[j] + codes[row, places[j]]
        group = slots[key]
        if group < 0:
            slots[key] = n_groups
            heads[n_groups] = row
            sums[n_groups] = counts[i]
            n_groups += 1
        else:
            sums[group] += counts[i]
    return n_groups, heads, sums


@njit(cache=True, nogil=True)
def _merge_hashed(
    codes: Int32Array, rows: IntArray, counts: IntArray, places: IntArray
) -> tuple[int, IntArray, IntArray]:
    """Group rows by the codes at `places` with an open-addressing hash table."""
    size = 16
    while size < 2 * len(rows):
        size *= 2
    slots = np.full(size, -1, dtype=np.int32)
    heads = np.empty(len(rows), dtype=np.int64)
    sums = np.empty(len(rows), dtype=np.int64)
    n_groups = 0
    for i in range(len(rows)):
        row = rows[i]
        mixed = np.uint64(14695981039346656037)
        for place in places:
            mixed = (mixed ^ np.uint64(codes[row, place])) * np.uint64(1099511628211)
            mixed ^= mixed >> np.uint64(29)
        slot = np.int64(mixed & np.uint64(size - 1))
        while True:
            group = slots[slot]
            if group < 0:
                slots[slot] = n_groups
                heads[n_groups] = row
                sums[n_groups] = counts[i]
                n_groups += 1
                break
            same = True
            for place in places:
                if codes[heads[group], place] != codes[row, place]:
                    same = False
                    break
            if same:
                sums[group] += counts[i]
                break
            slot = (slot + 1) & (size - 1)
    return n_groups, heads, sums


def _distinct_rows(
    columns: Sequence[Column], monitor: Monitor
) -> tuple[Int32Array, IntArray]:
    """Distinct combinations of codes, and the records of each.

    Columns join one integer key; when it would leave 62 bits the key is replaced
    by its rank.
    """
    key = np.zeros(columns[0].n_rows, dtype=np.int64)
    space = 1
    for done, column in enumerate(columns):
        monitor.report(done / (len(columns) + 1), "subsets")
        width = max(column.n_values, 1)
        if space > _KEY_SPACE // width:
            ranks, key = np.unique(key, return_inverse=True)
            space = len(ranks)
        key = key * width + column.codes
        space *= width
    monitor.report(len(columns) / (len(columns) + 1), "subsets")
    _, first, counts = np.unique(key, return_index=True, return_counts=True)
    codes = np.column_stack([column.codes[first] for column in columns])
    return codes.astype(np.int32), counts.astype(np.int64)
