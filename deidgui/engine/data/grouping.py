"""Groups rows that are alike in several columns of integer codes.

Codes become one integer key per row. Keys are sorted digit by digit: that takes a fifth
of the time of a sort by comparisons, lets go of the interpreter, and can be stopped
after every million keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deidgui.engine.arrays import AnyArray, Int32Array, IntArray
from deidgui.engine.compiled import njit
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

MOST_KEYS = 2**62
"""Keys are replaced by their ranks before they could exceed this: no 63-bit
integer ever overflows."""


@dataclass(frozen=True, repr=False, eq=False)
class KeyRule:
    """How the codes of a row become one integer, in the order of the rows.

    Grouping by one integer takes a tenth of the time of grouping by rows, and
    does not hold the interpreter for seconds.

    Parameters
    ----------
    sizes : tuple of int
        One more than the largest possible code of each column.
    ranks : mapping of int to ndarray of int64
        Columns before which the key so far is replaced by its rank, and the
        ascending keys that occurred there.
    n_keys : int
        Keys lie in [0, n_keys).
    """

    sizes: tuple[int, ...]
    ranks: Mapping[int, IntArray]
    n_keys: int

    def keys(self, columns: Sequence[AnyArray]) -> IntArray:
        """Return the keys of other rows, alike to rows that made the rule.

        Parameters
        ----------
        columns : sequence of ndarray of int, not empty, each of shape (n_rows,)

        Returns
        -------
        ndarray of int64, shape (n_rows,)
        """
        key = np.zeros(len(columns[0]), dtype=np.int64)
        for place, (codes, size) in enumerate(zip(columns, self.sizes, strict=True)):
            if place in self.ranks:
                key = ranks_of(key, self.ranks[place])
            key *= size
            key += codes
        return key


def ranks_of(keys: IntArray, known: IntArray) -> IntArray:
    """Rank of each key among ascending keys that hold all of them.

    Parameters
    ----------
    keys : ndarray of int64, shape (n,)
    known : ndarray of int64, shape (n_known,), ascending, not empty

    Returns
    -------
    ndarray of int64, shape (n,), each in [0, n_known)
    """
    ranks = np.searchsorted(known, keys)
    ranks[ranks == len(known)] = 0
    assert (known[ranks] == keys).all(), "rows of another table"
    return ranks.astype(np.int64, copy=False)


def joint_keys(
    n_rows: int,
    columns: Iterable[AnyArray],
    sizes: Sequence[int],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> tuple[IntArray, KeyRule]:
    """Make one integer of the codes of each row.

    Parameters
    ----------
    columns : iterable of ndarray of int, each of shape (n_rows,)
        Made one after another if it is a generator: one is held at a time.
    sizes : sequence of int, each >= 1
        One per column; its codes lie in [0, size).

    Returns
    -------
    keys : ndarray of int64, shape (n_rows,)
        Equal for equal rows, and in their lexicographic order.
    rule : KeyRule
        Finds the keys of other rows.
    """
    key = np.zeros(n_rows, dtype=np.int64)
    ranks: dict[int, IntArray] = {}
    n_keys = 1
    for place, (codes, size) in enumerate(zip(columns, sizes, strict=True)):
        if n_keys > MOST_KEYS // size:
            first, ranked = group_keys(key, n_keys, monitor=monitor)
            ranks[place], key = key[first], ranked
            n_keys = len(ranks[place])
        monitor.report(place / len(sizes), "rows")
        key *= size
        key += codes
        n_keys *= size
    return key, KeyRule(tuple(sizes), ranks, n_keys)


@dataclass(frozen=True, repr=False, eq=False)
class RowGroups:
    """Groups of equal rows, in the lexicographic order of the rows.

    Parameters
    ----------
    first : ndarray of int64, shape (n_groups,)
        First row of each group.
    of_row : ndarray of int64, shape (n_rows,)
        Group of each row.
    """

    first: IntArray
    of_row: IntArray

    def sums(self, counts: IntArray, *, monitor: Monitor = NULL_MONITOR) -> IntArray:
        """Sum of a number per row over each group: int64, shape (n_groups,)."""
        return sums_by_group(self.of_row, counts, len(self.first), monitor=monitor)


def group_rows(
    n_rows: int,
    columns: Iterable[AnyArray],
    sizes: Sequence[int],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> RowGroups:
    """Group equal rows; the parameters are those of `joint_keys`.

    Parameters
    ----------
    columns : iterable of ndarray of int, each of shape (n_rows,)
    sizes : sequence of int, each >= 1
    """
    step = SubMonitor(monitor, 0.0, 0.2)
    key, rule = joint_keys(n_rows, columns, sizes, monitor=step)
    step = SubMonitor(monitor, 0.2, 1.0)
    return RowGroups(*group_keys(key, rule.n_keys, owned=True, monitor=step))


def group_sizes(
    n_rows: int, columns: Iterable[AnyArray], sizes: Sequence[int]
) -> IntArray:
    """Count equal rows; the parameters are those of `joint_keys`.

    Parameters
    ----------
    columns : iterable of ndarray of int, each of shape (n_rows,)
    sizes : sequence of int, each >= 1

    Returns
    -------
    ndarray of int64, shape (n_groups,), each >= 1
        In the lexicographic order of the rows.
    """
    # PERF: 17 bytes a row; with the group of each row, and its first one, 28.
    keys = joint_keys(n_rows, columns, sizes)[0]
    keys.sort()
    is_last = np.ones(n_rows, dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=is_last[:-1])
    del keys
    ends = np.flatnonzero(is_last)
    ends[1:] -= ends[:-1]
    ends[:1] += 1
    return ends


FEW_KEYS = 1 << 16
"""Up to so many are sorted at once, in milliseconds and without compiled code."""

_CHUNK = 1 << 20
_DIGIT_BITS = 11
"""So many bits are sorted at a time: the 2,048 open ends fit into a cache."""

_NOTE = "rows"


def group_keys(
    keys: IntArray,
    n_keys: int,
    *,
    owned: bool = False,
    monitor: Monitor = NULL_MONITOR,
) -> tuple[IntArray, IntArray]:
    """Group equal keys.

    Parameters
    ----------
    keys : ndarray of int64, shape (n,), each in [0, n_keys)
    owned : bool
        Whether nobody needs the keys any more: their memory is used for the work.

    Returns
    -------
    first : ndarray of int64, shape (n_groups,)
        First place of each key, in ascending order of the keys.
    of_key : ndarray of int64, shape (n,)
        Group of each place.
    """
    if len(keys) <= FEW_KEYS:
        _, first, of_key = np.unique(keys, return_index=True, return_inverse=True)
        return first, of_key
    ordered, of_key, places = _sorted(keys, n_keys, owned, monitor)
    first = np.empty(len(keys), dtype=np.int64)
    n_groups = 0
    for part in chunks(len(keys)):
        monitor.report(0.8 + 0.2 * part.start / len(keys), _NOTE)
        n_groups = _group(
            ordered, places, part.start, part.stop, n_groups, first, of_key
        )
    monitor.report(1.0, _NOTE)
    # What is not used of the memory is given back.
    return first if n_groups == len(keys) else first[:n_groups].copy(), of_key


def sums_by_group(
    of_row: IntArray,
    counts: IntArray,
    n_groups: int,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> IntArray:
    """Sum of a number per row over each group.

    Parameters
    ----------
    of_row : ndarray of int64, shape (n_rows,), each in [0, n_groups)
    counts : ndarray of int, shape (n_rows,)

    Returns
    -------
    ndarray of int64, shape (n_groups,)
    """
    total = np.zeros(n_groups, dtype=np.int64)
    if len(of_row) <= FEW_KEYS:
        np.add.at(total, of_row, counts)
        return total
    for part in chunks(len(of_row)):
        monitor.report(part.start / len(of_row), _NOTE)
        _add_up(of_row[part], np.ascontiguousarray(counts[part]), total)
    monitor.report(1.0, _NOTE)
    return total


def chunks(n: int) -> Iterator[slice]:
    """Yield places 0 to n in parts, each the work of some milliseconds."""
    return (slice(low, min(low + _CHUNK, n)) for low in range(0, n, _CHUNK))


def _ascends(keys: IntArray) -> bool:
    parts = (keys[max(part.start - 1, 0) : part.stop] for part in chunks(len(keys)))
    return all(bool((part[1:] >= part[:-1]).all()) for part in parts)


def _sorted(
    keys: IntArray, n_keys: int, owned: bool, monitor: Monitor
) -> tuple[IntArray, IntArray, Int32Array]:
    """Keys in ascending order, room for as many, and where each was.

    Equal keys stay as they stood.
    """
    n = len(keys)
    assert n < 2**31, "more rows than a table has"
    places = np.arange(n, dtype=np.int32)
    ordered, spare = keys, _room(n, np.int64, monitor, 0.0)
    if _ascends(keys):
        return keys, spare, places
    n_bits = max((n_keys - 1).bit_length(), 1)
    n_digits = -(-n_bits // _DIGIT_BITS)
    width = -(-n_bits // n_digits)
    spare_places = _room(n, np.int32, monitor, 0.0)
    for digit in range(n_digits):
        done = 0.8 * digit / n_digits
        ends = np.zeros((1 << width) + 1, dtype=np.int64)
        for part in chunks(n):
            monitor.report(done, _NOTE)
            _count_digits(ordered[part], digit * width, ends)
        ends = np.cumsum(ends)
        for part in chunks(n):
            monitor.report(done + 0.8 * part.start / n / n_digits, _NOTE)
            _scatter(
                ordered[part], places[part], digit * width, ends, spare, spare_places
            )
        # Two buffers take turns; a caller's keys stay as they are.
        if ordered is keys and not owned:
            ordered = _room(n, np.int64, monitor, 0.8 * (digit + 1) / n_digits)
        ordered, spare = spare, ordered
        places, spare_places = spare_places, places
    return ordered, spare, places


def _room(
    n: int, kind: type[np.integer[Any]], monitor: Monitor, done: float
) -> AnyArray:
    """Memory that is filled out of order: the system hands it over part by part."""
    room = np.empty(n, dtype=kind)
    for part in chunks(n):
        monitor.report(done, _NOTE)
        room[part] = 0
    return room


# -- compiled code ---------------------------------------------------------------------


@njit
def _count_digits(keys: IntArray, shift: int, counts: IntArray) -> None:
    """Count keys by digit, one place further than it."""
    mask = len(counts) - 2
    for i in range(len(keys)):
        counts[((keys[i] >> shift) & mask) + 1] += 1


@njit
def _scatter(
    keys: IntArray,
    places: Int32Array,
    shift: int,
    ends: IntArray,
    new_keys: IntArray,
    new_places: Int32Array,
) -> None:
    """Append keys where those of their digit stand, and move the ends on."""
    mask = len(ends) - 2
    for i in range(len(keys)):
        digit = (keys[i] >> shift) & mask
        end = ends[digit]
        new_keys[end] = keys[i]
        new_places[end] = places[i]
        ends[digit] = end + 1


@njit
def _group(
    ordered: IntArray,
    places: Int32Array,
    start: int,
    stop: int,
    n_groups: int,
    first: IntArray,
    of_key: IntArray,
) -> int:
    """Number some ordered keys; returns the number of groups so far."""
    for i in range(start, stop):
        if i == 0 or ordered[i] != ordered[i - 1]:
            first[n_groups] = places[i]
            n_groups += 1
        of_key[places[i]] = n_groups - 1
    return n_groups


@njit
def _add_up(of_row: IntArray, counts: AnyArray, total: IntArray) -> None:
    for i in range(len(of_row)):
        total[of_row[i]] += counts[i]


@njit
def members_of(of_group: IntArray, n_classes: int) -> tuple[IntArray, IntArray]:
    """Groups of each class: those of class c are members[first[c]:first[c + 1]]."""
    first = np.zeros(n_classes + 1, np.int64)
    for each in of_group:
        if each >= 0:
            first[each + 1] += 1
    for number in range(n_classes):
        first[number + 1] += first[number]
    members = np.empty(first[n_classes], np.int64)
    at = first.copy()
    for group in range(len(of_group)):
        if of_group[group] >= 0:
            members[at[of_group[group]]] = group
            at[of_group[group]] += 1
    return first, members
