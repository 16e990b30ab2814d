"""What do the classes of one node add up to, and the withheld ones among them?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from deidgui.engine.arrays import FloatArray, Int32Array, IntArray
from deidgui.engine.data.raising import RaisedClasses
from deidgui.engine.quality.figures import Domain, NodeFigures


def figures_at(
    domain: Domain, classes: RaisedClasses, gone: IntArray, asks: str
) -> NodeFigures:
    """Figures of one node from its classes, compiled.

    Parameters
    ----------
    domain : Domain
    classes : RaisedClasses
    gone : ndarray of int64, shape (n_classes,), each in [0, size]
        Withheld records of each class, some or all.
    asks : str
        See `QualityMeasure.asks`: the only one of these fields that is filled.

    Returns
    -------
    NodeFigures
        Of one node; as `deidgui.engine.quality.figures.figures_of` if classes are
        withheld as a whole. Of parts, each record counts the size of its class in
        `withheld_squares`; combinations and densities are of the whole classes.
    """
    counts = classes.counts
    n_attributes = len(classes.levels)
    totals = add_up(counts, gone)
    leaves = np.zeros((1, n_attributes), np.int64)
    bits: FloatArray | None = None
    products: FloatArray | None = None
    if totals[2] and asks == "withheld_leaves":
        leaves[0] = add_up_leaves(*coded(classes), gone)
    elif asks == "withheld_bits":
        bits = np.zeros((1, n_attributes))
        if totals[2]:
            bits[0] = add_up_bits(*coded(classes), gone)
    elif asks in ("kept_combinations", "kept_log_density"):
        products = add_up_products(*coded(classes), counts, gone)
    return NodeFigures(
        domain,
        np.array(classes.levels)[None, :],
        totals[:1],
        totals[1:2],
        totals[2:3],
        totals[3:4],
        totals[4:5],
        leaves,
        bits,
        products[:1] if products is not None and asks == "kept_combinations" else None,
        products[1:] if products is not None and asks == "kept_log_density" else None,
    )


class Coded(NamedTuple):
    """Classes as the loops read them."""

    leaves: Int32Array
    rows: IntArray
    levels: IntArray
    n_groups: IntArray
    group_at: IntArray
    groups: Int32Array
    below_at: IntArray
    below: IntArray


def coded(classes: RaisedClasses) -> Coded:
    """Return classes as the loops read them."""
    coding = classes.coding
    return Coded(
        classes.class_table.leaves,
        classes.rows,
        np.array(classes.levels, np.int64),
        coding.n_groups,
        coding.group_at,
        coding.groups,
        coding.below_at,
        coding.below,
    )


@njit(cache=True, nogil=True)
def add_up(counts: IntArray, gone: IntArray) -> IntArray:
    """Classes, Σf², and withheld records, classes and Σf²: int64, shape (5,)."""
    totals = np.zeros(5, np.int64)
    totals[0] = len(counts)
    for i in range(len(counts)):
        size = counts[i]
        totals[1] += size * size
        totals[2] += gone[i]
        totals[3] += gone[i] == size
        totals[4] += gone[i] * size
    return totals


@njit(cache=True, nogil=True)
def add_up_leaves(
    leaves: Int32Array,
    rows: IntArray,
    levels: IntArray,
    n_groups: IntArray,
    group_at: IntArray,
    groups: Int32Array,
    below_at: IntArray,
    below: IntArray,
    gone: IntArray,
) -> IntArray:
    """Leaves below the value, over withheld records: int64, (n_attributes,)."""
    n_attributes = len(levels)
    total = np.zeros(n_attributes, np.int64)
    for i in range(len(rows)):
        if gone[i]:
            for a in range(n_attributes):
                group = groups[group_at[a, levels[a]] + leaves[rows[i], a]]
                total[a] += gone[i] * below[below_at[a, levels[a]] + group]
    return total


@njit(cache=True, nogil=True)
def add_up_bits(
    leaves: Int32Array,
    rows: IntArray,
    levels: IntArray,
    n_groups: IntArray,
    group_at: IntArray,
    groups: Int32Array,
    below_at: IntArray,
    below: IntArray,
    gone: IntArray,
) -> FloatArray:
    """Information among withheld records: float64, shape (n_attributes,)."""
    n_attributes = len(levels)
    most = 1
    for a in range(n_attributes):
        most = max(most, n_groups[a, levels[a]])
    by_group = np.zeros((n_attributes, most), np.int64)
    n_withheld = 0
    for i in range(len(rows)):
        if gone[i]:
            n_withheld += gone[i]
            for a in range(n_attributes):
                group = groups[group_at[a, levels[a]] + leaves[rows[i], a]]
                by_group[a, group] += gone[i]
    bits = np.zeros(n_attributes)
    for a in range(n_attributes):
        total = n_withheld * np.log2(n_withheld)
        for group in range(n_groups[a, levels[a]]):
            if by_group[a, group] > 0:
                total -= by_group[a, group] * np.log2(by_group[a, group])
        # Rounding must not make information negative.
        bits[a] = max(0.0, total)
    return bits


@njit(cache=True, nogil=True)
def add_up_products(
    leaves: Int32Array,
    rows: IntArray,
    levels: IntArray,
    n_groups: IntArray,
    group_at: IntArray,
    groups: Int32Array,
    below_at: IntArray,
    below: IntArray,
    counts: IntArray,
    gone: IntArray,
) -> FloatArray:
    """Σ f·combinations and Σ f·log2(f/combinations) over kept classes: (2,)."""
    combinations, density = 0.0, 0.0
    for i in range(len(rows)):
        if gone[i] < counts[i]:
            product = 1.0
            for a in range(len(levels)):
                group = groups[group_at[a, levels[a]] + leaves[rows[i], a]]
                product *= below[below_at[a, levels[a]] + group]
            combinations += counts[i] * product
            density += counts[i] * np.log2(counts[i] / product)
    return np.array([combinations, density])
