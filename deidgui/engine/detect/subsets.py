"""Measures how identifying columns are, alone and together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.compiled import njit
from deidgui.engine.data.table import Column
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

_CHUNK = 1 << 19
_DENSE = 1 << 16


@dataclass(frozen=True, repr=False, eq=False)
class CodedColumns:
    """Combinations of coded columns.

    Parameters
    ----------
    codes : ndarray of int32, shape (n_combinations, n_columns), C order
    widths : ndarray of int64, shape (n_columns,), each >= 1
        One more than the largest code of each column.
    """

    codes: Int32Array
    widths: IntArray

    @classmethod
    def of(cls, codes: Int32Array) -> CodedColumns:
        """Measure the widths of codes."""
        widths = codes.max(axis=0, initial=0).astype(np.int64) + 1
        return cls(np.ascontiguousarray(codes, dtype=np.int32), widths)


@dataclass(frozen=True, repr=False, eq=False)
class Groups:
    """Groups of combinations that are alike.

    Parameters
    ----------
    heads : ndarray of int32, shape (n_groups,), ascending
        First combination of each group.
    counts : ndarray of int64, shape (n_groups,), each >= 1
        Records of each group.
    """

    heads: Int32Array
    counts: IntArray


def _distinct_rows(
    columns: Sequence[Column], monitor: Monitor
) -> tuple[Int32Array, IntArray]:
    """Distinct combinations of the codes of columns, and the records of each.

    Returns
    -------
    codes : ndarray of int32, shape (n_combinations, n_columns)
    counts : ndarray of int64, shape (n_combinations,), each >= 1
    """
    absent = next((c.absent for c in columns if c.absent is not None), None)
    held = slice(None) if absent is None else np.flatnonzero(~absent)
    n_rows = len(columns[0].codes[held])
    codes = np.empty((n_rows, len(columns)), dtype=np.int32)
    for place, column in enumerate(columns):
        monitor.report(0.2 * place / len(columns), "subsets")
        codes[:, place] = column.codes[held]
    rows = Groups(np.arange(n_rows, dtype=np.int32), np.ones(n_rows, dtype=np.int64))
    found = merged(CodedColumns.of(codes), rows, range(len(columns)), monitor, 0.2)
    return codes[found.heads], found.counts


def merged(
    coded: CodedColumns,
    groups: Groups,
    subset: Sequence[int],
    monitor: Monitor,
    at: float,
) -> Groups:
    """Merge groups that are alike in the columns of a set.

    Parameters
    ----------
    groups : Groups
        Alike in these columns and perhaps more.
    subset : sequence of int, not empty
        The columns.
    monitor : Monitor
        Asked after every half a million groups, so that the user can stop.
    at : float in [0, 1]
        Progress meanwhile.
    """
    places = np.array(subset, dtype=np.int64)
    widths = coded.widths[places]
    n_groups = len(groups.heads)
    n_keys = math.prod(widths.tolist())
    dense = n_keys <= 4 * n_groups + _DENSE
    merge = _merge_dense if dense else _merge_hashed
    n_slots = n_keys if dense else 1 << max(2 * n_groups, 16).bit_length()
    slots = np.full(n_slots, -1, dtype=np.int32)
    heads = np.empty(n_groups, dtype=np.int32)
    counts = np.empty(n_groups, dtype=np.int64)
    found = 0
    for start in range(0, n_groups, _CHUNK):
        monitor.report(at, "subsets")
        part = slice(start, start + _CHUNK)
        found = merge(
            coded.codes, groups.heads[part], groups.counts[part], places, widths,
            slots, heads, counts, found,
        )  # fmt: skip
    return Groups(heads[:found].copy(), counts[:found].copy())


@njit
def _merge_dense(
    codes: Int32Array,
    rows: Int32Array,
    records: IntArray,
    places: IntArray,
    widths: IntArray,
    slots: Int32Array,
    heads: Int32Array,
    counts: IntArray,
    found: int,
) -> int:
    """Merge into groups with one slot per possible key; returns their number."""
    for i in range(len(rows)):
        row = rows[i]
        key = np.int64(0)
        for j in range(len(places)):
            key = key * widths[j] + codes[row, places[j]]
        group = slots[key]
        if group < 0:
            slots[key] = found
            heads[found] = row
            counts[found] = records[i]
            found += 1
        else:
            counts[group] += records[i]
    return found


@njit
def _merge_hashed(
    codes: Int32Array,
    rows: Int32Array,
    records: IntArray,
    places: IntArray,
    widths: IntArray,
    slots: Int32Array,
    heads: Int32Array,
    counts: IntArray,
    found: int,
) -> int:
    """Merge into groups by open addressing; equality is that of the codes."""
    mask = np.uint64(len(slots) - 1)
    for i in range(len(rows)):
        row = rows[i]
        mixed = np.uint64(14695981039346656037)
        for place in places:
            mixed = (mixed ^ np.uint64(codes[row, place])) * np.uint64(1099511628211)
            mixed ^= mixed >> np.uint64(29)
        slot = np.int64(mixed & mask)
        while True:
            group = slots[slot]
            if group < 0:
                slots[slot] = found
                heads[found] = row
                counts[found] = records[i]
                found += 1
                break
            same = True
            for place in places:
                if codes[heads[group], place] != codes[row, place]:
                    same = False
                    break
            if same:
                counts[group] += records[i]
                break
            slot = (slot + 1) & np.int64(mask)
    return found


ALL_SUBSETS_UP_TO = 12
"""With more columns only small subsets and "all but one" are computed."""

_SMALL = 3
_MOST_WORK = 1_000_000_000
"""Groups times sets that all sets may cost; measured: about 20 s."""
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
    codes : ndarray of int32, shape (n_classes, n_attributes)
        Distinct combinations.
    counts : ndarray of int64, shape (n_classes,), each >= 1
        Records per combination.
    max_size : int, >= 1, optional
        Largest set wanted.

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
    coded = CodedColumns.of(codes)
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


Subset = tuple[int, ...]
Figures = dict[Subset, tuple[float, float]]


def _measure_some(
    coded: CodedColumns, counts: IntArray, most: int, monitor: Monitor
) -> Figures:
    """Sets of one to three, of all but one, and of all columns."""
    n_attributes = len(coded.widths)
    wanted = [
        subset
        for size in sorted({1, 2, _SMALL, n_attributes - 1, n_attributes})
        if 1 <= size <= most
        for subset in combinations(range(n_attributes), size)
    ]
    everything = Groups(np.arange(len(counts), dtype=np.int32), counts)
    figures = {}
    for done, subset in enumerate(wanted):
        at = _COUNTING + (1 - _COUNTING) * done / len(wanted)
        monitor.report(at, "subsets")
        groups = merged(coded, everything, subset, monitor, at)
        figures[subset] = column_distinction(groups.counts)
    return figures


def _measure_all(
    coded: CodedColumns, counts: IntArray, most: int, monitor: Monitor
) -> Figures:
    """All sets, each from a set with one column more."""
    figures: Figures = {}
    everything = Groups(np.arange(len(counts), dtype=np.int32), counts)
    _walk(tuple(range(len(coded.widths))), 0, coded, everything, figures, monitor)
    return {subset: both for subset, both in figures.items() if len(subset) <= most}


def _walk(
    subset: Subset,
    first: int,
    coded: CodedColumns,
    groups: Groups,
    figures: Figures,
    monitor: Monitor,
) -> None:
    """Measure a set, then the sets that lack one more column from `first` on.

    Each set is reached once, from a set with one column more, whose groups are
    merged: the work falls with the number of groups.
    """
    at = _COUNTING + (1 - _COUNTING) * len(figures) / 2 ** len(coded.widths)
    monitor.report(at, "subsets")
    groups = merged(coded, groups, subset, monitor, at)
    figures[subset] = column_distinction(groups.counts)
    if len(subset) == 1:
        return
    for left_out in subset:
        if left_out >= first:
            fewer = tuple(each for each in subset if each != left_out)
            _walk(fewer, left_out + 1, coded, groups, figures, monitor)
