"""How far are the sensitive values of a class from those of the whole table?

The kernels take the values of all classes at once, as a `Distribution` holds them:
those of class g are the slice ``starts[g]:starts[g + 1]`` of `codes` and `counts`.
Their cost is linear in the entries; values that a class lacks cost nothing.

Notes
-----
All products are of integers and exact. With n records, H levels and f <= n records in
a class, the largest is H n f: at n = 10,000,000 and H = 1000 it is 1e17, below 2^63.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated

import numpy as np
from numba import njit

from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.data.classes import Classes
from deidgui.engine.data.sensitive import ValueTree
from deidgui.engine.parameters import Help, Range
from deidgui.engine.privacy.base import TOLERANCE
from deidgui.engine.privacy.largest_parts import (
    SLACK,
    SensitiveModel,
    largest_parts,
)

MOST_REST = 2**61
"""Room for one more product of two numbers of records, up to 1e9 each."""

FEW_VALUES = 16
"""Sorted one by one, which is faster than to call a sort."""

LargestDistance = Annotated[
    float,
    Range(0, 1),
    Help(
        "Largest distance",
        "How far the values of a group may be from those of the whole file: 0 is "
        "not at all, 1 is no limit.",
    ),
]
"""Type of the parameter ``t`` of t-closeness."""


class Closeness(SensitiveModel):
    """The values of each class are at most t away from those of the table.

    Attributes
    ----------
    t : float in [0, 1]
    """

    t: float

    def distances(self, classes: Classes) -> FloatArray:
        """Distance of each class from the table: float64, (n_classes,), in [0, 1]."""
        if self not in classes.memory:
            classes.memory[self] = self.measure(classes)
        return classes.memory[self]

    @abstractmethod
    def measure(self, classes: Classes) -> FloatArray:
        """Compute `distances`."""

    def holds(self, classes: Classes) -> BoolArray:
        """Which classes may be released (see `PrivacyModel.holds`)."""
        return is_within(self.distances(classes), self.t)


class TreeCloseness(Closeness):
    """Closeness to the table with distances between values along a tree."""

    @abstractmethod
    def tree(self, classes: Classes) -> ValueTree:
        """Tree of the values of the whole table."""

    def measure(self, classes: Classes) -> FloatArray:
        """Compute `distances`."""
        tree, found = self.tree(classes), classes.distribution(self.attribute)
        entries = found.starts, found.codes, found.counts, classes.counts
        return np.asarray(tree_distances(*entries, tree.nodes, tree.totals))

    def smallest_class(self, classes: Classes) -> int:
        """Fewest records of a class (see `PrivacyModel.smallest_class`).

        A class of f records has at most f groups of values at each level; at best
        those with the largest shares in the table, and lacks all others.
        """
        tree = self.tree(classes)
        lacking = np.zeros(tree.nodes.shape[1] + 1)
        for level in tree.nodes:
            totals = tree.totals[np.unique(level)]
            shares = np.sort(totals / totals.sum())[::-1]
            rest = np.clip(1 - np.cumsum(shares), 0, 1)
            lacking[0] += 1
            lacking[1 : len(rest) + 1] += rest
        near = lacking / tree.n_levels <= self.t * (1 + TOLERANCE) + SLACK
        return max(1, int(np.argmax(near)))

    def most_released(self, classes: Classes) -> IntArray:
        """Most records of each class (see `PrivacyModel.most_released`)."""
        tree, found = self.tree(classes), classes.distribution(self.attribute)
        entries = found.starts, found.codes, found.counts, classes.counts
        shares = tree.totals / found.n_records
        target = tree.n_levels * (1 - self.t * (1 + TOLERANCE))
        fits = self.holds(classes)
        return np.asarray(largest_parts(*entries, fits, tree.nodes, shares, target))


def is_within(distances: FloatArray, threshold: float) -> BoolArray:
    """Which distances are at most a threshold.

    A distance is the rounded quotient of two exact integers and off by 3e-16 of its
    size at most, a threshold like 0.2 by 1e-16: what is equal stays equal with a
    tolerance of 1e-12, and no class passes that is farther by more than that.

    Parameters
    ----------
    distances : ndarray of float64, shape (n_classes,), each in [0, 1]
    threshold : float in [0, 1]

    Returns
    -------
    ndarray of bool, shape (n_classes,)
    """
    return np.asarray(distances <= threshold * (1 + TOLERANCE), dtype=np.bool_)


@njit(cache=True, nogil=True)
def tree_distances(
    starts: IntArray,
    codes: Int32Array,
    counts: IntArray,
    sizes: IntArray,
    nodes: Int32Array,
    totals: IntArray,
) -> FloatArray:
    """Earth mover's distance of each class from the table along a tree of values.

    Moving a share from one value to another costs the height of their first common
    ancestor over the height H of the tree. The distance is then the mean, over the
    levels below the root, of half the sum of |Q - P| over the groups of the level: the
    share that cannot stay within its group at level i must go up one level more, and
    each level costs 1 / H. (The cost of methods.md B.5 telescopes to this: what
    cancels at level i is the difference of two such sums.) With a single level it is
    the distance of equal ground distances.

    Parameters
    ----------
    starts, codes, counts : ndarray
        Values of the classes.
    sizes : ndarray of int64, shape (n_classes,)
        Records of each class.
    nodes : ndarray of int32, shape (n_levels, n_values)
        Group of each value at each level, no number used at two levels.
    totals : ndarray of int64, shape (n_nodes,)
        Records of the whole table in each group.

    Returns
    -------
    ndarray of float64, shape (n_classes,), each in [0, 1]

    References
    ----------
    .. [1] N. Li, T. Li, S. Venkatasubramanian (2007), *t-Closeness*, ICDE, section 5;
       methods.md B.5.
    """
    n_levels = len(nodes)
    distances = np.zeros(len(sizes))
    if n_levels == 0:
        return distances
    n_records = np.int64(0)
    for code in range(nodes.shape[1]):
        n_records += totals[nodes[0, code]]
    together = np.zeros(len(totals), np.int64)
    for number in range(len(sizes)):
        size, surplus = sizes[number], np.int64(0)
        for level in range(n_levels):
            of_value = nodes[level]
            for entry in range(starts[number], starts[number + 1]):
                together[of_value[codes[entry]]] += counts[entry]
            # Groups that the class lacks have no surplus: only the others count.
            for entry in range(starts[number], starts[number + 1]):
                node = of_value[codes[entry]]
                more = together[node] * n_records - totals[node] * size
                together[node] = 0
                if more > 0:
                    surplus += more
        distances[number] = surplus / (np.float64(n_levels) * n_records * size)
    return distances


@njit(cache=True, nogil=True)
def ordered_distances(
    starts: IntArray,
    codes: Int32Array,
    counts: IntArray,
    sizes: IntArray,
    ranks: Int32Array,
    totals: IntArray,
) -> FloatArray:
    """Earth mover's distance of each class from the table along a line of values.

    Moving a share from one value to the next costs 1 / (m - 1) with m values, so the
    distance is the mean of |Q - P| over the cumulative shares. Between two values of a
    class its own cumulative share is constant and that of the table grows: the sum
    over such a stretch follows from running sums once the place is found where the
    sign changes.

    Parameters
    ----------
    starts, codes, counts : ndarray
        Values of the classes.
    sizes : ndarray of int64, shape (n_classes,)
        Records of each class.
    ranks : ndarray of int32, shape (n_values,)
        Place of each value in the order.
    totals : ndarray of int64, shape (n_values,)
        Records of the whole table by value (not by rank).

    Returns
    -------
    ndarray of float64, shape (n_classes,), each in [0, 1]

    References
    ----------
    .. [1] N. Li, T. Li, S. Venkatasubramanian (2007), *t-Closeness*, ICDE, section 5;
       methods.md B.5.
    """
    n_values = len(totals)
    distances = np.zeros(len(sizes))
    if n_values < 2:
        return distances
    upto, wholes, rests = _running(ranks, totals)
    alone = _alone(wholes, rests, upto[n_values - 1])
    places = np.empty(n_values, np.int64)
    at_place = np.zeros(n_values, np.int64)
    for number in range(len(sizes)):
        start, stop = starts[number], starts[number + 1]
        if stop - start == 1:
            distances[number] = alone[ranks[codes[start]]]
            continue
        for entry in range(start, stop):
            at_place[ranks[codes[entry]]] = counts[entry]
        _sort_places(start, stop, codes, ranks, places)
        distances[number] = _ordered_distance(
            stop - start, places, at_place, upto, wholes, rests, sizes[number]
        )
    return distances


@njit(cache=True, nogil=True)
def _ordered_distance(
    n_places: int,
    places: IntArray,
    at_place: IntArray,
    upto: IntArray,
    wholes: IntArray,
    rests: IntArray,
    size: np.int64,
) -> float:
    """Distance of one class; its places ascend, and its records there are cleared.

    The sum of |own n - table f| over the values is n whole + rest: it may be as large
    as m n f, which need not fit into 63 bits; both parts always do.
    """
    n_values = len(upto)
    n_records = upto[n_values - 1]
    whole, rest, own, begin = np.int64(0), np.int64(0), np.int64(0), 0
    for step in range(n_places + 1):
        end = places[step] if step < n_places else n_values
        turn = _turn(upto, begin, end, own * n_records, size)
        more = wholes[turn] - wholes[begin] - (wholes[end] - wholes[turn])
        whole += own * (2 * turn - begin - end) - size * more
        rest -= size * (rests[turn] - rests[begin] - (rests[end] - rests[turn]))
        if abs(rest) > MOST_REST:
            whole, rest = whole + rest // n_records, rest % n_records
        if end < n_values:
            own += at_place[end]
            at_place[end] = 0
        begin = end
    scale = np.float64(n_values - 1) * size
    if scale * n_records < MOST_REST:
        return float((whole * n_records + rest) / (scale * n_records))
    whole, rest = whole + rest // n_records, rest % n_records
    return float((whole + rest / n_records) / scale)


@njit(cache=True, nogil=True)
def _alone(wholes: IntArray, rests: IntArray, n_records: np.int64) -> FloatArray:
    """Distance of a class with one value, by its place."""
    n_values = len(wholes) - 1
    alone = np.empty(n_values)
    for place in range(n_values):
        whole = 2 * wholes[place] - wholes[n_values] + n_values - place
        rest = 2 * rests[place] - rests[n_values]
        sum_of_all = whole * n_records + rest
        alone[place] = sum_of_all / (np.float64(n_values - 1) * n_records)
    return alone


@njit(cache=True, nogil=True)
def _running(
    ranks: Int32Array, totals: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    """Cumulative records by rank, and their running sums divided by n: whole, rest."""
    n_values = len(totals)
    upto = np.empty(n_values, np.int64)
    for code in range(n_values):
        upto[ranks[code]] = totals[code]
    for place in range(1, n_values):
        upto[place] += upto[place - 1]
    n_records = upto[n_values - 1]
    wholes = np.zeros(n_values + 1, np.int64)
    rests = np.zeros(n_values + 1, np.int64)
    for place in range(n_values):
        rest = rests[place] + upto[place]
        wholes[place + 1] = wholes[place] + rest // n_records
        rests[place + 1] = rest % n_records
    return upto, wholes, rests


@njit(cache=True, nogil=True)
def _sort_places(
    start: int, stop: int, codes: Int32Array, ranks: Int32Array, places: IntArray
) -> None:
    """Write the places of the values of one class into `places`, in order."""
    is_sorted = True
    for entry in range(stop - start):
        place, to = ranks[codes[start + entry]], entry
        if entry < FEW_VALUES:
            while to > 0 and places[to - 1] > place:
                places[to] = places[to - 1]
                to -= 1
        elif places[entry - 1] > place:
            is_sorted = False
        places[to] = place
    if not is_sorted:
        places[: stop - start].sort()


@njit(cache=True, nogil=True)
def _turn(upto: IntArray, begin: int, end: int, own: np.int64, size: np.int64) -> int:
    """First place in [begin, end) where the table's share exceeds the class's own."""
    if begin == end or upto[begin] * size > own:
        return begin
    if upto[end - 1] * size <= own:
        return end
    low, high = begin, end - 1
    while high - low > 1:
        middle = (low + high) // 2
        if upto[middle] * size > own:
            high = middle
        else:
            low = middle
    return high


@njit(cache=True, nogil=True)
def ordered_limits(
    starts: IntArray,
    codes: Int32Array,
    fits: BoolArray,
    ranks: Int32Array,
    totals: IntArray,
) -> tuple[FloatArray, FloatArray]:
    """Least and largest distance of any distribution on the values of each class.

    The least is reached with the middle of the table's cumulative shares between two
    neighbouring values. The largest is that of one of the two outermost values alone:
    the distance is convex in the distribution, and that of single values in their
    place.

    Parameters
    ----------
    starts, codes : ndarray
        Values of the classes.
    fits : ndarray of bool, shape (n_classes,)
        Classes to leave out.
    ranks, totals : ndarray
        See `ordered_distances`.

    Returns
    -------
    least : ndarray of float64, shape (n_classes,), each in [0, 1]
        0 for classes left out.
    largest : ndarray of float64, shape (n_classes,), each in [0, 1]
        1 for classes left out.
    """
    n_values = len(totals)
    least, largest = np.zeros(len(fits)), np.ones(len(fits))
    if n_values < 2:
        return least, largest
    upto, wholes, rests = _running(ranks, totals)
    n_records = upto[n_values - 1]
    alone = _alone(wholes, rests, n_records)
    sums = wholes + rests / n_records
    places = np.empty(n_values, np.int64)
    for number in range(len(fits)):
        if fits[number]:
            continue
        n_places = starts[number + 1] - starts[number]
        _sort_places(starts[number], starts[number + 1], codes, ranks, places)
        first, last = places[0], places[n_places - 1]
        found = sums[first] + (n_values - last) - (sums[n_values] - sums[last])
        for step in range(1, n_places):
            begin, end = places[step - 1], places[step]
            low, high = (begin + end) // 2, (begin + end + 1) // 2
            found += (sums[end] - sums[high]) - (sums[low] - sums[begin])
        least[number] = found / (n_values - 1)
        largest[number] = max(alone[first], alone[last])
    return least, largest
