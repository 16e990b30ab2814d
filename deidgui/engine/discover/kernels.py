"""How records merge under a policy, and what they add up to: the compiled loops.

Combinations are merged in the order of their first member, wherever they are
merged from: sums of floats are then equal to the last bit, whether a policy is
evaluated from the beginning or from a more specific one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array, IntArray

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""Spreads keys over a hash table (Knuth, TAOCP 3, section 6.4)."""

NO_KEY = np.int64(-1)


class Layout(NamedTuple):
    """Counts of a space as flat arrays.

    Values of all attributes are numbered one after another. A people table is held
    as sums over all cells up to a corner, so that a box of values costs as many
    look-ups as it has corners, whatever its size.
    """

    values: Int32Array  # (n_cells, n_attributes), number of the value
    first_value: IntArray  # (n_attributes + 1,)
    first_bit: IntArray  # (n_attributes + 1,)
    part_starts: IntArray  # (n_parts + 1,): slices of the next two
    part_attributes: IntArray
    part_strides: IntArray
    part_shares: FloatArray  # (n_parts,): 1 for the first, else 1 / its people
    part_offsets: IntArray  # (n_parts,): where each starts in `sums`
    sums: IntArray  # people up to each corner, all parts
    fraction: float  # g = records / fraction; 0 if people are counted


class Work(NamedTuple):
    """Memory of the loops; `slots` is all -1 between calls."""

    groups: IntArray  # (n_values,): key of the value's run
    lows: IntArray  # (n_values,): first value of the run, within the attribute
    highs: IntArray  # (n_values,): one after its last
    slots: Int32Array  # (2^bits,)
    keys: IntArray  # (2^bits,)
    places: IntArray  # (n_cells,): slot of each class


class Merged(NamedTuple):
    """Classes: a cell in each, its records, and people who are in no table."""

    cells: Int32Array
    records: IntArray
    people: FloatArray


@njit(cache=True, nogil=True)
def lay_out_runs(bits: BoolArray, layout: Layout, work: Work) -> float:
    """Fill in the run of each value and its key; return how many keys there are."""
    n_keys = 1.0
    stride = np.int64(1)
    for attribute in range(len(layout.first_value) - 1):
        start, end = layout.first_value[attribute], layout.first_value[attribute + 1]
        bit = layout.first_bit[attribute]
        run, low = 0, start
        for value in range(start, end):
            work.groups[value] = run * stride
            work.lows[value] = low - start
            if value + 1 == end or bits[bit + value - start]:
                for member in range(low, value + 1):
                    work.highs[member] = value + 1 - start
                low = value + 1
                run += 1
        n_keys *= run
        stride *= run
    return n_keys


@njit(cache=True, nogil=True)
def merge(
    layout: Layout, work: Work, is_dense: bool, source: Merged, n: int, into: Merged
) -> int:
    """Merge classes that have equal keys; return how many are left."""
    m = layout.values.shape[1]
    mask = np.int64(len(work.slots) - 1)
    shift = np.uint64(64)
    size = len(work.slots)
    while size > 1:
        size >>= 1
        shift -= np.uint64(1)
    found = 0
    for i in range(n):
        cell = source.cells[i]
        key = np.int64(0)
        for attribute in range(m):
            key += work.groups[layout.values[cell, attribute]]
        if is_dense:
            place = key
        else:
            place = np.int64((np.uint64(key) * GOLDEN) >> shift)
            while work.slots[place] >= 0 and work.keys[place] != key:
                place = (place + 1) & mask
        slot = work.slots[place]
        if slot < 0:
            work.slots[place] = found
            work.keys[place] = key
            work.places[found] = place
            into.cells[found] = cell
            into.records[found] = source.records[i]
            into.people[found] = source.people[i]
            found += 1
        else:
            into.records[slot] += source.records[i]
            into.people[slot] += source.people[i]
    for slot in range(found):
        work.slots[work.places[slot]] = -1
    return found


@njit(cache=True, nogil=True)
def people_in_box(layout: Layout, work: Work, cell: int) -> float:
    """People in the runs of a cell's values."""
    found = 1.0
    for part in range(len(layout.part_shares)):
        start, end = layout.part_starts[part], layout.part_starts[part + 1]
        total = np.int64(0)
        for corner in range(1 << (end - start)):
            place = layout.part_offsets[part]
            is_minus = False
            for j in range(start, end):
                value = layout.values[cell, layout.part_attributes[j]]
                if (corner >> (j - start)) & 1:
                    place += work.lows[value] * layout.part_strides[j]
                    is_minus = not is_minus
                else:
                    place += work.highs[value] * layout.part_strides[j]
            if is_minus:
                total -= layout.sums[place]
            else:
                total += layout.sums[place]
        found *= total * layout.part_shares[part]
    return found


@njit(cache=True, nogil=True)
def add_up(
    layout: Layout,
    work: Work,
    merged: Merged,
    n: int,
    gamma: float,
    with_spread: bool,
) -> tuple[float, float]:
    """Risk of some classes, and the sum of f log2(area / f).

    Parameters
    ----------
    layout, work : Layout, Work
    merged : Merged
    n : int
        Number of classes.
    gamma : float > 0
    with_spread : bool
        Whether the second sum is wanted.

    Returns
    -------
    risk : float
        Sum of f / g^γ; g are the people of the class.
    spread : float
        In bits; area is the number of combinations of values in the class.
    """
    m = layout.values.shape[1]
    n_parts = len(layout.part_shares)
    risk = spread = 0.0
    for i in range(n):
        records = merged.records[i]
        if records == 0:
            continue
        people = merged.people[i]
        if layout.fraction > 0:
            people = records / layout.fraction
        elif n_parts > 0:
            people += people_in_box(layout, work, merged.cells[i])
        risk += records / people if gamma == 1.0 else records / people**gamma
        if with_spread:
            area = 1.0
            for attribute in range(m):
                value = layout.values[merged.cells[i], attribute]
                area *= work.highs[value] - work.lows[value]
            spread += records * np.log2(area / records)
    return risk, spread


@njit(cache=True, nogil=True)
def evaluate(
    bits: BoolArray,
    layout: Layout,
    work: Work,
    source: Merged,
    n: int,
    into: Merged,
    gamma: float,
    with_spread: bool,
) -> tuple[int, float, float]:
    """Merge the classes of a more specific policy and add them up.

    Parameters
    ----------
    bits : ndarray of bool, shape (n_bits,)
    layout, work : Layout, Work
    source, n : Merged, int
        Classes of a policy that is at least as specific.
    into : Merged
        Memory for the classes of this one.
    gamma, with_spread : float, bool
        See `add_up`.

    Returns
    -------
    n_classes : int
    risk, spread : float
    """
    n_keys = lay_out_runs(bits, layout, work)
    is_dense = n_keys <= len(work.slots)
    found = merge(layout, work, is_dense, source, n, into)
    risk, spread = add_up(layout, work, into, found, gamma, with_spread)
    return found, risk, spread
