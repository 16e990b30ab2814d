"""Which combinations are alike in some of their columns, and how many records?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from deidgui.engine.arrays import Int32Array, IntArray
from deidgui.engine.data.table import Column
from deidgui.monitor import Monitor

_CHUNK = 1 << 19
_DENSE = 1 << 16


@dataclass(frozen=True, repr=False, eq=False)
class Coded:
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
    def of(cls, codes: Int32Array) -> Coded:
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


def distinct_rows(
    columns: Sequence[Column], monitor: Monitor
) -> tuple[Int32Array, IntArray]:
    """Distinct combinations of the codes of columns, and the records of each.

    Returns
    -------
    codes : ndarray of int32, shape (n_combinations, n_columns)
    counts : ndarray of int64, shape (n_combinations,), each >= 1
    """
    n_rows = columns[0].n_rows
    codes = np.empty((n_rows, len(columns)), dtype=np.int32)
    for place, column in enumerate(columns):
        monitor.report(0.2 * place / len(columns), "subsets")
        codes[:, place] = column.codes
    rows = Groups(np.arange(n_rows, dtype=np.int32), np.ones(n_rows, dtype=np.int64))
    found = merged(Coded.of(codes), rows, range(len(columns)), monitor, 0.2)
    return codes[found.heads], found.counts


def merged(
    coded: Coded, groups: Groups, subset: Sequence[int], monitor: Monitor, at: float
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
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
