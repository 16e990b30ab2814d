"""Compiled totals over the classes of one node and the suppressed ones of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deidgui.engine.arrays import FloatArray, Int32Array, IntArray
from deidgui.engine.compiled import njit
from deidgui.engine.data.raising import RaisedClasses
from deidgui.engine.quality.base import NodeFigures, TableFacts


def figures_at(
    facts: TableFacts, classes: RaisedClasses, gone: IntArray, asks: str
) -> NodeFigures:
    """Figures of one node from its classes, compiled, for some ways to suppress.

    Parameters
    ----------
    gone : ndarray of int64, shape (n_ways, n_classes), each in [0, size]
        Suppressed records of each class, some or all.
    asks : str
        See `QualityMeasure.asks`: the only one of these fields that is filled.

    Returns
    -------
    NodeFigures
        One row for each way; as `deidgui.engine.quality.base.figures_of` if
        classes are suppressed as a whole. Of parts, each record counts the size of its
        class in `suppressed_squares`; combinations and densities are of the whole
        classes.
    """
    n_ways, n_attributes = len(gone), len(classes.levels)
    totals = add_up(classes.counts, gone)
    leaves = np.zeros((n_ways, n_attributes), np.int64)
    bits: FloatArray | None = None
    products: dict[str, FloatArray] = {}
    if asks == "suppressed_leaves" and totals[2].any():
        leaves = add_up_leaves(*coded(classes), gone)
    elif asks == "suppressed_bits":
        bits = np.zeros((n_ways, n_attributes))
        for way in np.flatnonzero(totals[2]):
            bits[way] = add_up_bits(*coded(classes), gone[way])
    elif asks in PRODUCTS:
        sums = [add_up_products(*coded(classes), classes.counts, way) for way in gone]
        products[asks] = np.array(sums)[:, PRODUCTS.index(asks)]
    return NodeFigures(
        facts,
        np.array([classes.levels] * n_ways),
        totals[0],
        totals[1],
        totals[2],
        totals[3],
        totals[4],
        leaves,
        bits,
        products.get("kept_combinations"),
        products.get("kept_log_density"),
    )


PRODUCTS = ("kept_combinations", "kept_log_density")
"""What `add_up_products` finds, in this order."""


class CodedClasses(NamedTuple):
    """Classes as the loops read them."""

    leaves: Int32Array
    rows: IntArray
    levels: IntArray
    n_groups: IntArray
    group_at: IntArray
    groups: Int32Array
    spans: IntArray


def coded(classes: RaisedClasses) -> CodedClasses:
    """Return classes as the loops read them."""
    coding = classes.coding
    return CodedClasses(
        classes.class_table.leaves,
        classes.rows,
        np.array(classes.levels, np.int64),
        coding.n_groups,
        coding.group_at,
        coding.groups,
        coding.spans,
    )


@njit
def add_up(counts: IntArray, gone: IntArray) -> IntArray:
    """Classes, Σf², and suppressed records, classes and Σf²: int64, (5, n_ways)."""
    n_ways, n_classes = gone.shape
    totals = np.zeros((5, n_ways), np.int64)
    for way in range(n_ways):
        squares = records = classes = suppressed_squares = 0
        for i in range(n_classes):
            size, out = counts[i], gone[way, i]
            squares += size * size
            records += out
            classes += out == size
            suppressed_squares += out * size
        totals[:, way] = n_classes, squares, records, classes, suppressed_squares
    return totals


@njit
def add_up_leaves(
    leaves: Int32Array,
    rows: IntArray,
    levels: IntArray,
    n_groups: IntArray,
    group_at: IntArray,
    groups: Int32Array,
    spans: IntArray,
    gone: IntArray,
) -> IntArray:
    """Leaves below the value, of suppressed records: int64, (n_ways, n_attributes)."""
    n_ways, n_attributes = len(gone), len(levels)
    total = np.zeros((n_ways, n_attributes), np.int64)
    for a in range(n_attributes):
        own = spans[group_at[a, levels[a]] :]
        if levels[a] == 0 or n_groups[a, levels[a]] == 1:
            # All values stand for as many leaves.
            for way in range(n_ways):
                total[way, a] = gone[way].sum() * own[0]
            continue
        for i in range(len(rows)):
            span = own[leaves[rows[i], a]]
            for way in range(n_ways):
                total[way, a] += gone[way, i] * span
    return total


@njit
def add_up_bits(
    leaves: Int32Array,
    rows: IntArray,
    levels: IntArray,
    n_groups: IntArray,
    group_at: IntArray,
    groups: Int32Array,
    spans: IntArray,
    gone: IntArray,
) -> FloatArray:
    """Information among suppressed records: float64, shape (n_attributes,)."""
    n_attributes = len(levels)
    most = 1
    for a in range(n_attributes):
        most = max(most, n_groups[a, levels[a]])
    by_group = np.zeros((n_attributes, most), np.int64)
    n_suppressed = 0
    for i in range(len(rows)):
        if gone[i]:
            n_suppressed += gone[i]
            for a in range(n_attributes):
                group = groups[group_at[a, levels[a]] + leaves[rows[i], a]]
                by_group[a, group] += gone[i]
    bits = np.zeros(n_attributes)
    for a in range(n_attributes):
        total = n_suppressed * np.log2(n_suppressed)
        for group in range(n_groups[a, levels[a]]):
            if by_group[a, group] > 0:
                total -= by_group[a, group] * np.log2(by_group[a, group])
        # Rounding must not make information negative.
        bits[a] = max(0.0, total)
    return bits


@njit
def add_up_products(
    leaves: Int32Array,
    rows: IntArray,
    levels: IntArray,
    n_groups: IntArray,
    group_at: IntArray,
    groups: Int32Array,
    spans: IntArray,
    counts: IntArray,
    gone: IntArray,
) -> FloatArray:
    """Σ f·combinations and Σ f·log2(f/combinations) over kept classes: (2,)."""
    combinations, density = 0.0, 0.0
    for i in range(len(rows)):
        if gone[i] < counts[i]:
            product = 1.0
            for a in range(len(levels)):
                product *= spans[group_at[a, levels[a]] + leaves[rows[i], a]]
            combinations += counts[i] * product
            density += counts[i] * np.log2(counts[i] / product)
    return np.array([combinations, density])
