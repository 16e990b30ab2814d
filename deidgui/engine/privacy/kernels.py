"""Compiled loops over the sensitive values of classes.

They take the values of all classes at once, as a `Distribution` holds them: those of
class g are the slice ``starts[g]:starts[g + 1]`` of `codes` and `counts`. Their cost
is linear in the entries; values that a class lacks cost nothing. The models import
this module when they first judge a table: projects hold models without compiling.

Notes
-----
All products are of integers and exact. With n records, H levels and f <= n records in
a class, the largest is H n f: at n = 10,000,000 and H = 1000 it is 1e17, below 2^63.
"""

from __future__ import annotations

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.compiled import njit
from deidgui.engine.data.grouping import members_of
from deidgui.engine.privacy.rounding import SLACK

MOST_STEPS = 20
"""Newton steps; any one of them is a bound, four are usual."""

N_BINS = 128
"""Parts of a class are put in so many bins by what a record of them weighs."""

MOST_REST = 2**61
"""Room for one more product of two numbers of records, up to 1e9 each."""

FEW_VALUES = 16
"""Sorted one by one, which is faster than to call a sort."""


@njit
def largest_parts(
    starts: IntArray,
    codes: Int32Array,
    counts: IntArray,
    sizes: IntArray,
    fits: BoolArray,
    nodes: Int32Array,
    shares: FloatArray,
    target: float,
) -> IntArray:
    """Most records of each class that can be near to the table, or below a cap.

    A union of classes that meet one of these models meets it too (methods.md B.2, U).
    So the records of a class that are released at a less general node, where it may be
    split into several, form together a part of it that meets the model.

    A part of K records, k of them in a group of values that has the share p, meets
    the condition only if the sum over all groups of min(k, p K) is at least
    ``target`` K. As k is at most the c records that the class has, K is at most the
    largest root of sum min(c, p K) = target K. The left side is concave and 0 at 0, so
    Newton's steps from the whole class come down to that root and never pass it.

    * Within t of the table along a tree of H levels: p are the table's shares of the
      groups of each level and the target is H (1 - t), since half the sum of
      |k / K - p| over a level is 1 less the sum of min(k / K, p).
    * At most the share p of each value: the target is 1.

    Parameters
    ----------
    starts, codes, counts : ndarray
        Values of the classes, see `Distribution`.
    sizes : ndarray of int64, shape (n_classes,)
        Records of each class.
    fits : ndarray of bool, shape (n_classes,)
        Classes that meet the model as they are.
    nodes : ndarray of int32, shape (n_levels, n_values)
        Group of each value at each level, no number used at two levels.
    shares : ndarray of float64, shape (n_nodes,)

    Returns
    -------
    ndarray of int64, shape (n_classes,), each in [0, size]
    """
    n_levels, n_values = nodes.shape
    together = np.zeros(len(shares), np.int64)
    number_of = np.empty(n_levels * n_values, np.float64)
    share_of = np.empty(n_levels * n_values, np.float64)
    parts = sizes.copy()
    for number in range(len(sizes)):
        if fits[number]:
            continue
        n_groups = 0
        for level in range(n_levels):
            of_value = nodes[level]
            for entry in range(starts[number], starts[number + 1]):
                together[of_value[codes[entry]]] += counts[entry]
            for entry in range(starts[number], starts[number + 1]):
                node = of_value[codes[entry]]
                if together[node] > 0:
                    number_of[n_groups] = together[node]
                    share_of[n_groups] = shares[node]
                    together[node] = 0
                    n_groups += 1
        part = _largest_root(
            number_of[:n_groups],
            share_of[:n_groups],
            float(sizes[number]),
            target - SLACK,
        )
        parts[number] = min(sizes[number], np.int64(part * (1 + SLACK) + SLACK))
    return parts


@njit
def _largest_root(
    numbers: FloatArray, shares: FloatArray, size: float, target: float
) -> float:
    """Largest K up to `size` with sum min(number, share K) >= target K, from above."""
    part = size
    for _ in range(MOST_STEPS):
        fixed, slope = 0.0, 0.0
        for place in range(len(numbers)):
            if numbers[place] <= shares[place] * part:
                fixed += numbers[place]
            else:
                slope += shares[place]
        if slope >= target or fixed >= (target - slope) * part:
            break
        part = fixed / (target - slope)
        if part < 1 - SLACK:
            return 0.0
    return part


@njit
def tree_excess(
    starts: IntArray,
    codes: Int32Array,
    counts: IntArray,
    sizes: IntArray,
    fits: BoolArray,
    nodes: Int32Array,
    shares: FloatArray,
    t: float,
) -> FloatArray:
    """What one record of each value weighs, by the groups that a class has too many of.

    The distance is at least the mean over the levels of Q(A) - P(A), whatever groups A
    are taken at each of them; with those of which the class has more than its share it
    is the distance of the class itself. So of what is near enough, each record weighs
    the share of the levels at which its group is in A, less the mean of P(A), less t,
    and all of them together 0 or less.

    Parameters
    ----------
    starts, codes, counts, sizes, fits, nodes, shares : ndarray
        See `largest_parts`.
    t : float
        Largest distance.

    Returns
    -------
    ndarray of float64, shape (n_entries,)
    """
    n_levels = len(nodes)
    excess = np.zeros(len(codes))
    together = np.zeros(len(shares), np.int64)
    for number in range(len(sizes)):
        if fits[number]:
            continue
        allowed = t
        for level in range(n_levels):
            of_value = nodes[level]
            for entry in range(starts[number], starts[number + 1]):
                together[of_value[codes[entry]]] += counts[entry]
            for entry in range(starts[number], starts[number + 1]):
                node = of_value[codes[entry]]
                if abs(together[node]) > shares[node] * sizes[number]:
                    excess[entry] += 1 / n_levels
                    if together[node] > 0:  # Below 0 once its share is counted.
                        allowed += shares[node] / n_levels
                        together[node] = -together[node]
            for entry in range(starts[number], starts[number + 1]):
                together[of_value[codes[entry]]] = 0
        for entry in range(starts[number], starts[number + 1]):
            excess[entry] -= allowed
    return excess


@njit
def cap_excess(
    starts: IntArray,
    codes: Int32Array,
    counts: IntArray,
    sizes: IntArray,
    caps: FloatArray,
) -> FloatArray:
    """What one record of each value weighs, by the values above their caps.

    They have together at most the sum of their caps of what meets the model.

    Parameters
    ----------
    starts, codes, counts, sizes : ndarray
        See `largest_parts`.
    caps : ndarray of float64, shape (n_values,)
        Largest share of each value.

    Returns
    -------
    ndarray of float64, shape (n_entries,)
    """
    excess = np.zeros(len(codes))
    for number in range(len(sizes)):
        allowed = 0.0
        for entry in range(starts[number], starts[number + 1]):
            if counts[entry] > caps[codes[entry]] * sizes[number]:
                excess[entry] = 1.0
                allowed += caps[codes[entry]]
        for entry in range(starts[number], starts[number + 1]):
            excess[entry] -= allowed
    return excess


@njit
def largest_unions(
    starts: IntArray,
    codes: Int32Array,
    sizes: IntArray,
    excess: FloatArray,
    n_values: int,
    of_finer: IntArray,
    finer_starts: IntArray,
    finer_codes: Int32Array,
    finer_counts: IntArray,
    finer_sizes: IntArray,
) -> IntArray:
    """Most records of each class in a union of finer classes that weighs 0 or less.

    Finer classes that weigh 0 or less are taken; those that weigh most for a record
    are left out, and of one bin a part is taken as if it weighed as little for a
    record as any in it: no union has more records.

    Parameters
    ----------
    starts, codes, sizes, excess : ndarray
        Values of the classes, and what a record of each weighs.
    of_finer : ndarray of int64, shape (n_finer,)
        Class of each finer class, or -1.
    finer_starts, finer_codes, finer_counts, finer_sizes : ndarray
        Values of the finer classes.

    Returns
    -------
    ndarray of int64, shape (n_classes,), each in [0, size]
    """
    first, members = members_of(of_finer, len(sizes))
    weighs = np.zeros(n_values)
    records, weights = np.empty(N_BINS), np.empty(N_BINS)
    least = np.empty(N_BINS)
    most = sizes.copy()
    for number in range(len(sizes)):
        own = slice(starts[number], starts[number + 1])
        if not excess[own].any():
            continue
        weighs[codes[own]] = excess[own]
        records[:], weights[:], least[:] = 0.0, 0.0, np.inf
        taken, room = 0.0, SLACK * (1 + sizes[number])
        for part in members[first[number] : first[number + 1]]:
            size, weight = finer_sizes[part], 0.0
            for entry in range(finer_starts[part], finer_starts[part + 1]):
                weight += finer_counts[entry] * weighs[finer_codes[entry]]
            if weight <= 0:
                taken += size
                room -= weight
                continue
            place = min(N_BINS - 1, int(N_BINS * weight / size))
            records[place] += size
            weights[place] += weight
            least[place] = min(least[place], weight / size)
        for place in range(N_BINS):
            if weights[place] > room:
                taken += room / least[place]
                break
            taken += records[place]
            room -= weights[place]
        most[number] = min(sizes[number], np.int64(taken * (1 + SLACK) + SLACK))
    return most


@njit
def shares_between(
    starts: IntArray,
    codes: Int32Array,
    counts: IntArray,
    sizes: IntArray,
    low: FloatArray,
    high: FloatArray,
) -> BoolArray:
    """Which classes have only values whose share of the class lies within limits."""
    found = np.ones(len(sizes), np.bool_)
    for number in range(len(sizes)):
        size = np.float64(sizes[number])
        for entry in range(starts[number], starts[number + 1]):
            code, count = codes[entry], counts[entry]
            if count < low[code] * size or count > high[code] * size:
                found[number] = False
                break
    return found


@njit
def n_log_n(number: np.int64, table: FloatArray, is_shannon: bool) -> np.float64:
    """Number times its logarithm; from the table if it is small.

    G(2m) = digamma(m + 1/2) + ln 2; of the digamma's series two terms are exact to
    double precision beyond the table.
    """
    if number < len(table):
        return np.float64(table[number])
    if is_shannon:
        return np.float64(number * np.log(number))
    half = np.float64(number // 2)
    series = np.log(2 * half) + 1 / (24 * half**2) - 7 / (960 * half**4)
    return np.float64(number * series)


@njit
def is_diverse(
    starts: IntArray,
    counts: IntArray,
    sizes: IntArray,
    least: int,
    entropy: float,
    table: FloatArray,
    is_shannon: bool,
) -> BoolArray:
    """Whether f (ln f - ln l) >= sum c ln c, and at least `least` values."""
    found = np.zeros(len(sizes), np.bool_)
    for number in range(len(sizes)):
        if starts[number + 1] - starts[number] < least:
            continue
        room = n_log_n(sizes[number], table, is_shannon)
        room -= sizes[number] * entropy
        for entry in range(starts[number], starts[number + 1]):
            room -= n_log_n(counts[entry], table, is_shannon)
        found[number] = room >= 0
    return found


@njit
def most_diverse(
    starts: IntArray,
    counts: IntArray,
    sizes: IntArray,
    least: int,
    entropy: float,
    table: FloatArray,
    is_shannon: bool,
) -> IntArray:
    """Most records of each class in a part that is diverse.

    Of all parts with so many records the one that cuts the commonest values down to one
    height is most diverse, and the lower the height, the more. So with a height at
    which the cut class still fails, no part with as many records is diverse.
    """
    most = np.zeros(len(sizes), np.int64)
    for number in range(len(sizes)):
        own = counts[starts[number] : starts[number + 1]]
        if len(own) < least:
            continue
        most[number] = sizes[number]
        low, high = np.int64(1), own.max()
        n_cut, room = _cut_entropy(own, high, entropy, table, is_shannon)
        if room >= 0:
            continue
        most[number] = n_cut - 1
        # A cut of one record each holds. Nearer than 2 % is not worth the time.
        while high - low > max(1, high // 64):
            height = (low + high) // 2
            n_cut, room = _cut_entropy(own, height, entropy, table, is_shannon)
            if room >= 0:
                low = height
            else:
                high, most[number] = height, n_cut - 1
    return most


@njit
def _cut_entropy(
    counts: IntArray,
    height: np.int64,
    entropy: float,
    table: FloatArray,
    is_shannon: bool,
) -> tuple[np.int64, np.float64]:
    """Records left of values cut to a height, and what their entropy is above."""
    n_cut, room = np.int64(0), np.float64(0)
    for count in counts:
        cut = min(count, height)
        n_cut += cut
        room -= n_log_n(cut, table, is_shannon)
    room += n_log_n(n_cut, table, is_shannon)
    return n_cut, room - n_cut * entropy


@njit
def is_recursive(
    starts: IntArray, counts: IntArray, sizes: IntArray, factor: float, least: int
) -> BoolArray:
    """Whether r_1 < c (r_l + ... + r_m) and m >= l, keeping the l - 1 commonest."""
    found = np.zeros(len(sizes), np.bool_)
    commonest = np.empty(least, np.int64)
    for number in range(len(sizes)):
        if starts[number + 1] - starts[number] < least:
            continue
        commonest[:] = 0
        for entry in range(starts[number], starts[number + 1]):
            count, place = counts[entry], least - 1
            while place > 0 and commonest[place - 1] < count:
                commonest[place] = commonest[place - 1]
                place -= 1
            commonest[place] = count
        commonest[least - 1] = 0
        rare = sizes[number] - commonest.sum()
        found[number] = commonest[0] < factor * rare
    return found


@njit
def most_recursive(
    starts: IntArray,
    counts: IntArray,
    sizes: IntArray,
    fits: BoolArray,
    factor: float,
    least: int,
) -> IntArray:
    """Most records of each class in a part that meets the model; exact.

    A part whose commonest value occurs h times is largest if all values are cut down
    to h records, and its rare ones are then commonest. Whether h < c (rare ones) can
    only turn from true to false as h grows: the part with the largest such h is the
    largest of all.
    """
    most = np.where(fits, sizes, 0)
    for number in range(len(sizes)):
        if fits[number] or starts[number + 1] - starts[number] < least:
            continue
        own = np.sort(counts[starts[number] : starts[number + 1]])
        rare = own[: len(own) - least + 1]
        low, high = np.int64(0), own[-1]
        while high - low > 1:
            height = (low + high) // 2
            if height < factor * _cut(rare, height):
                low = height
            else:
                high = height
        most[number] = _cut(own, low)
    return most


@njit
def _cut(counts: IntArray, height: np.int64) -> np.int64:
    """Records left of values cut down to a height."""
    n_cut = np.int64(0)
    for count in counts:
        n_cut += min(count, height)
    return n_cut


@njit
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
    the distance of equal distances between values.

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


@njit
def tree_distances_in_table(
    table: IntArray, sizes: IntArray, nodes: Int32Array, totals: IntArray
) -> FloatArray:
    """Distances of `tree_distances`, of classes with a place for every value.

    Parameters
    ----------
    table : ndarray of int64, shape (n_classes, n_values)
        Records of each class by value.
    sizes, nodes, totals : ndarray
        See `tree_distances`.

    Returns
    -------
    ndarray of float64, shape (n_classes,), each in [0, 1]
    """
    n_levels, n_values = nodes.shape
    distances = np.zeros(len(sizes))
    if n_levels == 0:
        return distances
    n_records = np.int64(0)
    for code in range(n_values):
        n_records += totals[nodes[0, code]]
    together = np.empty(len(totals), np.int64)
    for number in range(len(sizes)):
        size, surplus, of_value = sizes[number], np.int64(0), table[number]
        together[:] = 0
        for level in range(n_levels):
            for code in range(n_values):
                together[nodes[level, code]] += of_value[code]
        for node in range(len(totals)):
            more = together[node] * n_records - totals[node] * size
            surplus += max(more, np.int64(0))
        distances[number] = surplus / (np.float64(n_levels) * n_records * size)
    return distances


@njit
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


@njit
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


@njit
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


@njit
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


@njit
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


@njit
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


@njit
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


@njit
def least_below(
    of_combination: IntArray,
    n_classes: int,
    counts: IntArray,
    of_population: FloatArray,
    order: IntArray,
    share: float,
) -> FloatArray:
    """Fewest records of each class to suppress so that the share of the rest suffices.

    As if a combination could go in part: no choice of combinations has fewer records.

    Parameters
    ----------
    of_combination : ndarray of int64, shape (n_combinations,)
        Class of each combination, or -1.
    counts : ndarray of int64, shape (n_combinations,), each >= 1
    of_population : ndarray of float64, shape (n_combinations,)
        Members of the population with each combination, the records counted.
    order : ndarray of int64, shape (n_combinations,)
        Combinations by their share of records in the population, the least one first.
    share : float in (0, 1]
        Least share of the records among those of the population who look like them.

    Returns
    -------
    ndarray of float64, shape (n_classes,)
        Whole numbers.
    """
    lacking = np.zeros(n_classes)
    gone = np.zeros(n_classes)
    for each in range(len(counts)):
        if of_combination[each] >= 0:
            lacking[of_combination[each]] += share * of_population[each] - counts[each]
    for each in order:
        number, gain = of_combination[each], share * of_population[each] - counts[each]
        if gain <= 0:
            break
        if number >= 0 and lacking[number] > 0:
            part = min(1.0, lacking[number] / gain)
            gone[number] += part * counts[each]
            lacking[number] -= gain
    return np.ceil(gone - SLACK)
