"""Divides groups of rows by one more attribute: classes of a few attributes."""

from __future__ import annotations

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, Int32Array, IntArray
from deidgui.engine.compiled import njit

_SPREAD = np.int64(0x1E3779B97F4A7C15)
"""Odd; spreads neighbouring keys over a table."""


@njit
def refine(
    codes: AnyArray,
    size: int,
    counts: IntArray,
    rows: AnyArray,
    groups: AnyArray,
    keys: IntArray,
    numbers: AnyArray,
    sums: IntArray,
    members: AnyArray,
    refined: AnyArray,
) -> int:
    """Divide groups by one more attribute; return how many there are then.

    Parameters
    ----------
    codes : ndarray of int32, shape (n_rows,), each in [0, size)
        Of the attribute.
    rows, groups : ndarray of int32, shape (n,)
        Rows to divide, and their groups so far.
    keys, numbers : ndarray
        Room for twice as many entries as rows, rounded up to a power of 2.
    sums, members, refined : ndarray
        Receive records and rows by group, and the group of each row.
    """
    room = 16
    while room < 2 * len(rows):
        room *= 2
    n_before = 0
    for place in range(len(rows)):
        n_before = max(n_before, groups[place] + 1)
    n_keys = np.int64(n_before) * size
    if n_keys <= room:
        # PERF: a place for each key, so that none is looked for.
        numbers[:n_keys] = -1
        return _refine_by_place(
            codes, size, counts, rows, groups, numbers, sums, members, refined
        )
    keys[:room] = -1
    n_groups = 0
    for place in range(len(rows)):
        row = rows[place]
        key = np.int64(groups[place]) * size + codes[row]
        slot = ((key * _SPREAD) >> 24) & (room - 1)
        while keys[slot] != key and keys[slot] != -1:
            slot = (slot + 1) & (room - 1)
        if keys[slot] == -1:
            keys[slot] = key
            numbers[slot] = n_groups
            sums[n_groups], members[n_groups] = 0, 0
            n_groups += 1
        group = numbers[slot]
        sums[group] += counts[row]
        members[group] += 1
        refined[place] = group
    return n_groups


@njit
def _refine_by_place(
    codes: AnyArray,
    size: int,
    counts: IntArray,
    rows: AnyArray,
    groups: AnyArray,
    numbers: AnyArray,
    sums: IntArray,
    members: AnyArray,
    refined: AnyArray,
) -> int:
    """Divide groups as `refine`; `numbers` has -1 at the place of each key."""
    n_groups = 0
    for place in range(len(rows)):
        row = rows[place]
        key = np.int64(groups[place]) * size + codes[row]
        group = numbers[key]
        if group < 0:
            group = n_groups
            numbers[key] = group
            sums[group], members[group] = 0, 0
            n_groups += 1
        sums[group] += counts[row]
        members[group] += 1
        refined[place] = group
    return n_groups


@njit
def classes_by(
    codes: AnyArray,
    sizes: IntArray,
    counts: IntArray,
    rows: Int32Array,
    attributes: IntArray,
) -> tuple[Int32Array, IntArray]:
    """Group some rows by some attributes.

    Parameters
    ----------
    codes : ndarray of int32, shape (n_attributes, n_rows)
    sizes : ndarray of int64, shape (n_attributes,)
        Codes of an attribute are smaller.
    counts : ndarray of int64, shape (n_rows,)
    rows : ndarray of int32, shape (n,)
    attributes : ndarray of int64

    Returns
    -------
    groups : ndarray of int32, shape (n,)
        Class of each of the rows; not every number need occur.
    sums : ndarray of int64, shape (n_numbers,)
        Records of each class; 0 where there is none.
    """
    n = len(rows)
    n_keys = 1
    for attribute in attributes:
        # No overflow: neither factor is larger than 2**31.
        n_keys = min(n_keys, n + 1) * sizes[attribute]
    if n_keys <= n:
        return _by_place(codes, sizes, counts, rows, attributes, n_keys)
    groups, refined = np.zeros(n, np.int32), np.empty(n, np.int32)
    room = 16
    while room < 2 * n:
        room *= 2
    keys, numbers = np.empty(room, np.int64), np.empty(room, np.int32)
    sums, members = np.zeros(max(n, 1), np.int64), np.empty(max(n, 1), np.int32)
    n_groups = min(n, 1)
    for place in range(n):
        sums[0] += counts[rows[place]]
    for attribute in attributes:
        n_groups = refine(
            codes[attribute],
            sizes[attribute],
            counts,
            rows,
            groups,
            keys,
            numbers,
            sums,
            members,
            refined,
        )
        groups, refined = refined, groups
    return groups, sums[:n_groups].copy()


@njit
def _by_place(
    codes: AnyArray,
    sizes: IntArray,
    counts: IntArray,
    rows: Int32Array,
    attributes: IntArray,
    n_keys: int,
) -> tuple[Int32Array, IntArray]:
    """Group as `classes_by`, with a number for everything that can occur."""
    groups, sums = np.zeros(len(rows), np.int32), np.zeros(n_keys, np.int64)
    for attribute in attributes:
        own, size = codes[attribute], np.int32(sizes[attribute])
        for place in range(len(rows)):
            groups[place] = groups[place] * size + own[rows[place]]
    for place in range(len(rows)):
        sums[groups[place]] += counts[rows[place]]
    return groups, sums


@njit
def mark_small(
    codes: AnyArray,
    sizes: IntArray,
    counts: IntArray,
    rows: Int32Array,
    sets: IntArray,
    least: int,
    is_small: BoolArray,
) -> None:
    """Mark rows that any of some sets of attributes puts into a class too small.

    Parameters
    ----------
    codes, sizes, counts, rows : ndarray
        As of `classes_by`.
    sets : ndarray of int64, shape (n_sets, size), size >= 1
        Attributes of each set, all different; neighbours share the grouping by their
        common beginning.
    least : int
        Records that a class has at least.
    is_small : ndarray of bool, shape (n_rows,)
        Receives the marks.
    """
    n_sets, depth = sets.shape
    n = len(rows)
    groups = np.zeros((depth + 1, n), np.int32)
    room = 16
    while room < 2 * n:
        room *= 2
    keys, numbers = np.empty(room, np.int64), np.empty(room, np.int32)
    sums, members = np.empty(n, np.int64), np.empty(n, np.int32)
    for at in range(n_sets):
        first = 0
        if at:
            while first < depth - 1 and sets[at, first] == sets[at - 1, first]:
                first += 1
        for level in range(first, depth):
            attribute = sets[at, level]
            refine(
                codes[attribute],
                sizes[attribute],
                counts,
                rows,
                groups[level],
                keys,
                numbers,
                sums,
                members,
                groups[level + 1],
            )
        for place in range(n):
            if sums[groups[depth, place]] < least:
                is_small[rows[place]] = True
