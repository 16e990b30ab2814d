"""Compiled loops that merge records under a policy and add up their risk.

Combinations are merged in the order of their first member, wherever they are
merged from: sums of floats are then equal to the last bit, whether a policy is
evaluated from the beginning or from a more specific one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.compiled import njit

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""Spreads keys over a hash table (Knuth, TAOCP 3, section 6.4)."""


class FlatSpace(NamedTuple):
    """Counts of a space as flat arrays.

    Values of all attributes are numbered one after another. A people table is held
    as sums over all cells up to a corner, so that a box of values costs as many
    look-ups as it has corners, whatever its size.
    """

    values: Int32Array  # (n_cells, n_attributes), number of the value
    first_value: IntArray  # (n_attributes + 1,)
    n_any: int  # 1 if the last number of each attribute stands for any value, else 0
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
    boxes: FloatArray  # (n_cells,): people in the tables, of each class


class Merged(NamedTuple):
    """Classes: a cell in each, its records, and people who are in no table."""

    cells: Int32Array
    records: IntArray
    population: FloatArray


@njit
def lay_out_runs(bits: BoolArray, layout: FlatSpace, work: Work) -> float:
    """Fill in the run of each value and its key; return how many keys there are."""
    groups, lows, highs = work.groups, work.lows, work.highs
    n_keys = 1.0
    stride = np.int64(1)
    for attribute in range(len(layout.first_value) - 1):
        start = layout.first_value[attribute]
        end = layout.first_value[attribute + 1] - layout.n_any
        bit = layout.first_bit[attribute]
        run, low = 0, start
        for value in range(start, end):
            groups[value] = run * stride
            lows[value] = low - start
            if value + 1 == end or bits[bit + value - start]:
                for member in range(low, value + 1):
                    highs[member] = value + 1 - start
                low = value + 1
                run += 1
        if layout.n_any:
            groups[end] = run * stride
            lows[end], highs[end] = 0, end - start
            run += 1
        n_keys *= run
        stride *= run
    return n_keys


# PERF: arrays are taken out of their tuples before each loop; within it, every
# access would count references (risk of 63 classes: 34 → 12 µs).


@njit
def merge(
    layout: FlatSpace, work: Work, is_dense: bool, source: Merged, n: int, into: Merged
) -> int:
    """Merge classes that have equal keys; return how many are left."""
    values, groups = layout.values, work.groups
    slots, keys, places = work.slots, work.keys, work.places
    cells, records, population = source
    into_cells, into_records, into_population = into
    m = values.shape[1]
    mask = np.int64(len(slots) - 1)
    shift = np.uint64(64 - _log2(len(slots)))
    found = 0
    for i in range(n):
        cell = cells[i]
        key = np.int64(0)
        for attribute in range(m):
            key += groups[values[cell, attribute]]
        if is_dense:
            place = key
        else:
            place = np.int64((np.uint64(key) * GOLDEN) >> shift)
            while slots[place] >= 0 and keys[place] != key:
                place = (place + 1) & mask
        slot = slots[place]
        if slot < 0:
            slots[place], keys[place], places[found] = found, key, place
            into_cells[found] = cell
            into_records[found] = records[i]
            into_population[found] = population[i]
            found += 1
        else:
            into_records[slot] += records[i]
            into_population[slot] += population[i]
    for slot in range(found):
        slots[places[slot]] = -1
    return found


@njit
def _log2(power: int) -> int:
    """Exponent of a power of two."""
    exponent = 0
    while power > 1:
        power >>= 1
        exponent += 1
    return exponent


@njit
def add_population(layout: FlatSpace, work: Work, merged: Merged, n: int) -> None:
    """Put the people in the runs of each class's values in `work.boxes`.

    The sums at the corners of a box are added and taken away in turn, in an order in
    which each corner differs from the one before in one attribute (a Gray code).
    """
    values, lows, highs, boxes = layout.values, work.lows, work.highs, work.boxes
    attributes, strides = layout.part_attributes, layout.part_strides
    sums, cells, records = layout.sums, merged.cells, merged.records
    steps = np.empty(values.shape[1], np.int64)
    for part in range(len(layout.part_shares)):
        start, end = layout.part_starts[part], layout.part_starts[part + 1]
        share = layout.part_shares[part]
        n_corners = 1 << (end - start)
        for i in range(n):
            if records[i] == 0:
                continue
            place = layout.part_offsets[part]
            for j in range(start, end):
                value = values[cells[i], attributes[j]]
                place += highs[value] * strides[j]
                steps[j - start] = (lows[value] - highs[value]) * strides[j]
            total, sign = sums[place], np.int64(1)
            for corner in range(1, n_corners):
                turned = 0
                while not (corner >> turned) & 1:
                    turned += 1
                place += steps[turned]
                steps[turned] = -steps[turned]
                sign = -sign
                total += sign * sums[place]
            boxes[i] = total * share * (boxes[i] if part else 1.0)


@njit
def add_up(
    layout: FlatSpace,
    work: Work,
    merged: Merged,
    n: int,
    gamma: float,
    with_spread: bool,
) -> tuple[float, float]:
    """Risk of some classes, and the sum of f log2(area / f).

    Parameters
    ----------
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
    values, lows, highs, boxes = layout.values, work.lows, work.highs, work.boxes
    cells, records, added = merged
    fraction, n_parts = layout.fraction, len(layout.part_shares)
    add_population(layout, work, merged, n)
    # A million equal terms would add up to 1e-11 too much: what rounding takes away
    # is carried to the next term (Kahan), so that equal risks are equal.
    risk = carried = spread = 0.0
    for i in range(n):
        if records[i] == 0:
            continue
        population = records[i] / fraction if fraction > 0 else added[i]
        if n_parts > 0:
            population += boxes[i]
        term = (
            records[i] / population if gamma == 1.0 else records[i] / population**gamma
        )
        term -= carried
        total = risk + term
        carried = (total - risk) - term
        risk = total
        if with_spread:
            area = 1.0
            for attribute in range(values.shape[1]):
                value = values[cells[i], attribute]
                area *= highs[value] - lows[value]
            spread += records[i] * np.log2(area / records[i])
    return risk, spread


@njit
def evaluate(
    bits: BoolArray,
    layout: FlatSpace,
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
