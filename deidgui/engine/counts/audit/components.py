"""Divides what is still open between counts into parts that do not touch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.counts.audit.system import Matrix, System


@dataclass(frozen=True, repr=False, eq=False)
class Component:
    """Counts that depend on each other.

    Parameters
    ----------
    unknowns, relations : ndarray of int64
        Sorted numbers.
    is_tree : bool
        Whether no two relations are joined in two ways and all coefficients are 1 or
        -1: then bounds that no relation narrows alone are all reached.
    """

    unknowns: IntArray
    relations: IntArray
    is_tree: bool


def open_parts(matrix: Matrix, low: IntArray, high: IntArray) -> Iterator[Component]:
    """Give the parts that relations leave open.

    Parameters
    ----------
    low, high : ndarray of int64, shape (n,)
        Bounds; a count whose bounds are alike joins nothing.
    """
    least, most = matrix.span(low, high)
    # A relation that holds whatever the counts within their bounds are tells nothing.
    binding = (least < matrix.low) | (most > matrix.high)
    entries = binding[matrix.rows] & (low < high)[matrix.unknowns]
    yield from _parts(matrix, len(low), entries)


def raw_parts(system: System, joining: BoolArray) -> Iterator[Component]:
    """Give the parts of a system that some counts join, whatever is known of them.

    Parameters
    ----------
    joining : ndarray of bool, shape (n,)
        Counts that join the relations in which they are.
    """
    entries = joining[system.matrix.unknowns]
    yield from _parts(system.matrix, system.size, entries)


def beside(system: System) -> Mapping[int, frozenset[int]]:
    """Return for each open count all that relations join it to, and itself."""
    is_open = system.low < system.high
    found = {int(each): frozenset((int(each),)) for each in np.flatnonzero(is_open)}
    for part in raw_parts(system, is_open):
        inside = frozenset(part.unknowns.tolist())
        found.update(dict.fromkeys(inside, inside))
    return found


def _parts(matrix: Matrix, size: int, entries: BoolArray) -> Iterator[Component]:
    rows, unknowns = matrix.rows[entries], matrix.unknowns[entries]
    single = np.abs(matrix.coefficients[entries]) == 1
    parts = _joined(size, rows, unknowns)
    order = np.argsort(parts, kind="stable")
    ends = np.flatnonzero(np.diff(parts[order], append=-1)) + 1
    for inside in np.split(order, ends[:-1]) if len(order) else ():
        part_unknowns, part_rows = np.unique(unknowns[inside]), np.unique(rows[inside])
        is_tree = len(inside) == len(part_unknowns) + len(part_rows) - 1
        yield Component(
            part_unknowns, part_rows, bool(is_tree and single[inside].all())
        )


def _joined(n_unknowns: int, rows: IntArray, unknowns: IntArray) -> IntArray:
    """Return a count that stands for the part of each entry, entries row by row."""
    parent = list(range(n_unknowns))

    def root(of: int) -> int:
        while parent[of] != of:
            parent[of] = of = parent[parent[of]]
        return of

    pairs = zip(rows.tolist(), unknowns.tolist(), strict=True)
    last_row, last = -1, -1
    for row, unknown in pairs:
        if row == last_row:
            parent[root(unknown)] = root(last)
        last_row, last = row, unknown
    return np.array([root(each) for each in unknowns.tolist()], np.int64)
