"""Average and highest risk over the sampling fraction, in closed form and simulated.

*Average* is the registry average: a member of the whole file is looked for by somebody
who does not know whether they are in the sample; who finds a class points at one of its
people. It falls with the fraction. The highest risk hardly does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import AnyArray, FloatArray, IntArray
from deidgui.engine.compiled import njit
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor

FEWEST_FOR_ANALYSIS = 3000
"""Samples below this are thought to be too small for most analyses."""

N_THREADS = 2

_ROUNDING = 1e-9


@dataclass(frozen=True, repr=False, eq=False)
class SizeCounts:
    """How many classes there are of each size.

    Parameters
    ----------
    sizes : ndarray of int64, ascending, each >= 1
    n_classes : ndarray of int64, same shape, each >= 1
    """

    sizes: IntArray
    n_classes: IntArray

    @classmethod
    def of(cls, class_sizes: AnyArray) -> SizeCounts:
        """Count classes by size.

        Parameters
        ----------
        class_sizes : ndarray of int, shape (n_classes,), each >= 1

        Raises
        ------
        ConfigError
            Code ``nobody_there``.
        """
        if not len(class_sizes):
            raise ConfigError("nobody_there")
        sizes, n_classes = np.unique(class_sizes, return_counts=True)
        return cls(sizes.astype(np.int64), n_classes.astype(np.int64))

    @property
    def n_people(self) -> int:
        """People of the whole file."""
        return int((self.sizes * self.n_classes).sum())

    @property
    def n_all(self) -> int:
        """Number of classes."""
        return int(self.n_classes.sum())


def sample_size(n_people: int, fraction: float) -> int:
    """People of a sample: the fraction, rounded down.

    Raises
    ------
    ConfigError
        Code ``sampling_fraction``.
    """
    if not 0 < fraction <= 1:
        raise ConfigError("sampling_fraction", fraction=fraction)
    return math.floor(n_people * fraction + _ROUNDING)


def average_risk(classes: SizeCounts, n_sampled: int, least: int = 1) -> float:
    """Average risk of a simple random sample, in closed form.

    Parameters
    ----------
    n_sampled : int, in [0, n_people]
    least : int, >= 1
        Classes with fewer people of the sample are suppressed.

    Returns
    -------
    float in [0, 1]
        Expected classes that are released, by the people of the whole file.

    References
    ----------
    .. [1] K. El Emam, L. Arbuckle (2013), *Anonymizing Health Data*, chapter 7; the
       formula, which the text does not give: methods.md C.1.
    """
    released = _present(classes, n_sampled) - _too_few(classes, n_sampled, least)
    return max(0.0, float(classes.n_classes @ released / classes.n_people))


def suppressed_share(classes: SizeCounts, n_sampled: int, least: int) -> float:
    """Share of a sample that is suppressed since its classes are too small.

    Parameters
    ----------
    n_sampled : int, in [0, n_people]
    least : int, >= 1
        As of `average_risk`.

    Returns
    -------
    float in [0, 1]
        Expected; 0 of an empty sample.
    """
    if not n_sampled:
        return 0.0
    people = _too_few(classes, n_sampled, least, counts_people=True)
    return min(1.0, float(classes.n_classes @ people / n_sampled))


def _too_few(
    classes: SizeCounts, n_sampled: int, least: int, *, counts_people: bool = False
) -> FloatArray:
    """Chance that a class of each size has somebody in the sample, but too few.

    Or the expected people of such a class, if they are counted.
    """
    total, sizes = classes.n_people, classes.sizes
    found = np.zeros(len(sizes))
    whole = _log_choose(np.array([total]), np.array([n_sampled]))
    for n_seen in range(1, min(least, n_sampled + 1)):
        is_possible = (sizes >= n_seen) & (total - sizes >= n_sampled - n_seen)
        some = sizes[is_possible]
        logs = _log_choose(some, np.full(len(some), n_seen))
        logs += _log_choose(total - some, np.full(len(some), n_sampled - n_seen))
        weight = n_seen if counts_people else 1
        found[is_possible] += weight * np.exp(logs - whole)
    return found


def _log_choose(numbers: IntArray, chosen: IntArray) -> FloatArray:
    above = _log_factorial(numbers)
    return above - _log_factorial(chosen) - _log_factorial(numbers - chosen)


def _present(classes: SizeCounts, n_sampled: int) -> FloatArray:
    """Chance that a class of each size has somebody in the sample."""
    total, sizes = classes.n_people, classes.sizes
    if not 0 <= n_sampled <= total:
        raise ConfigError("sample_size", n_sampled=n_sampled, n_people=total)
    missed = np.zeros(len(sizes))
    can_miss = total - sizes >= n_sampled
    left = total - sizes[can_miss]
    # C(N - F, n) / C(N, n) = (N-F)! (N-n)! / ((N-F-n)! N!), by logarithms.
    logs = _log_factorial(left) - _log_factorial(left - n_sampled)
    logs -= _log_factorial(np.array([total])) - _log_factorial(
        np.array([total - n_sampled])
    )
    missed[can_miss] = np.exp(logs)
    return np.asarray(1.0 - missed)


def _log_factorial(numbers: IntArray) -> FloatArray:
    return np.array([math.lgamma(each + 1) for each in numbers.tolist()])


def largest_sample(classes: SizeCounts, threshold: float, least: int = 1) -> int:
    """Most people of a sample whose average risk is at most a threshold.

    Parameters
    ----------
    threshold : float in (0, 1]
    least : int, >= 1
        As of `average_risk`.

    Returns
    -------
    int, in [0, n_people]
    """
    low, high = 0, classes.n_people
    while low < high:
        middle = (low + high + 1) // 2
        if average_risk(classes, middle, least) <= threshold + 1e-12:
            low = middle
        else:
            high = middle - 1
    return low


def highest_survives(classes: SizeCounts, n_sampled: int) -> float:
    """Chance that the highest risk of the whole file is that of the sample too.

    Returns
    -------
    float in [0, 1]
        That at least one person of the smallest classes is sampled.

    References
    ----------
    .. [1] methods.md C.1; exact here, without its large-sample form.
    """
    smallest = SizeCounts(
        np.array([classes.sizes[0] * classes.n_classes[0]]), np.ones(1, np.int64)
    )
    others = classes.n_people - int(smallest.sizes[0])
    if not others:
        return 1.0 if n_sampled else 0.0
    both = SizeCounts(np.array([smallest.sizes[0], others]), np.ones(2, dtype=np.int64))
    return float(_present(both, n_sampled)[0])


@dataclass(frozen=True)
class DetectableEffects:
    """Smallest effects that a sample shows with a power of 0.9 at a level of 0.05.

    Parameters
    ----------
    difference : float
        Of the means of two groups of equal size, in standard deviations.
    """

    difference: float
    correlation: float


def detectable_effects(n_sampled: int) -> DetectableEffects:
    """Smallest effects that a sample of people shows.

    Parameters
    ----------
    n_sampled : int, >= 4

    Raises
    ------
    ConfigError
        Code ``sample_size``.

    References
    ----------
    .. [1] methods.md C.1: 3.2415 is the sum of the two normal quantiles.
    """
    if n_sampled < 4:
        raise ConfigError("sample_size", n_sampled=n_sampled, n_people=4)
    both = 3.2415
    return DetectableEffects(
        both * math.sqrt(4 / n_sampled), both / math.sqrt(n_sampled - 3)
    )


@dataclass(frozen=True, repr=False, eq=False)
class SimulatedCurve:
    """Risks of samples that were really drawn.

    Parameters
    ----------
    average, highest : ndarray of float64, shape (n_replicates, n_points)
    """

    n_sampled: tuple[int, ...]
    average: FloatArray
    highest: FloatArray

    def percentiles(self, *each: float) -> FloatArray:
        """Percentiles of the average risk: shape (len(each), n_points)."""
        return np.asarray(np.percentile(self.average, each, axis=0))


def simulate(
    classes: SizeCounts,
    n_sampled: Sequence[int],
    n_replicates: int,
    seed: int,
    *,
    least: int = 1,
    monitor: Monitor = NULL_MONITOR,
) -> SimulatedCurve:
    """Draw samples and measure them.

    Parameters
    ----------
    n_sampled : sequence of int, each in [0, n_people]
    n_replicates : int, >= 1
    seed : int, >= 0
    least : int, >= 1
        Classes with fewer people of a sample are suppressed.

    Raises
    ------
    ConfigError
        Code ``sample_size``.

    Notes
    -----
    Each replicate puts the people in random order; its samples are the beginnings of
    that order, so that the points of a replicate hang together, and those of different
    replicates do not.
    """
    total = classes.n_people
    for each in n_sampled:
        if not 0 <= each <= total:
            raise ConfigError("sample_size", n_sampled=each, n_people=total)
    points = np.array(sorted(n_sampled), np.int64)
    places = np.searchsorted(points, np.array(n_sampled, np.int64))
    numbers = np.repeat(classes.sizes, classes.n_classes)
    found = np.zeros((n_replicates, len(points)), np.int64)
    smallest = np.zeros((n_replicates, len(points)), np.int64)
    # From which point on each place of the order is sampled; small, to stay in cache.
    joins = np.searchsorted(points, np.arange(total), side="right")
    joins = joins.astype(np.uint8 if len(points) < 255 else np.int32)
    seeds = np.random.default_rng(seed).integers(1, 2**63, n_replicates, np.uint64)

    def run(replicate: int) -> None:
        _draw(
            joins,
            numbers,
            least,
            seeds[replicate],
            found[replicate],
            smallest[replicate],
        )

    with ThreadPoolExecutor(N_THREADS) as pool:
        for start in range(0, n_replicates, N_THREADS):
            monitor.report(start / n_replicates, f"samples {start}")
            list(pool.map(run, range(start, min(start + N_THREADS, n_replicates))))
    highest = np.zeros(found.shape)
    np.divide(1.0, smallest, out=highest, where=smallest > 0)
    return SimulatedCurve(
        tuple(n_sampled), found[:, places] / total, highest[:, places]
    )


@njit
def _draw(
    joins: AnyArray,
    numbers: IntArray,
    least: int,
    seed: np.uint64,
    found: IntArray,
    smallest: IntArray,
) -> None:
    """Shuffle the people; at every point, count the classes seen and their smallest.

    The people of a class are neighbours, and it is released from the point on at which
    `least` of them have joined.

    References
    ----------
    .. [1] G. Marsaglia (2003), *Xorshift RNGs*, Journal of Statistical Software 8(14).
    """
    order = joins.copy()
    n, state, half = len(order), seed, np.uint64(32)
    for place in range(n - 1):
        state ^= state << np.uint64(13)
        state ^= state >> np.uint64(7)
        state ^= state << np.uint64(17)
        left = np.uint64(n - place)
        other = place + np.int64(((state >> half) * left) >> half)
        order[place], order[other] = order[other], order[place]
    first, n_points = 0, len(found)
    soonest = np.empty(least, np.int64)
    for at in range(len(numbers)):
        size = numbers[at]
        if size >= least:
            point = _when(order[first : first + size], soonest)
            if point < n_points:
                found[point] += 1
                if smallest[point] == 0 or size < smallest[point]:
                    smallest[point] = size
        first += size
    for point in range(1, n_points):
        found[point] += found[point - 1]
        before = smallest[point - 1]
        if before and (smallest[point] == 0 or before < smallest[point]):
            smallest[point] = before


@njit
def _when(joined: AnyArray, soonest: IntArray) -> int:
    """Point at which as many people have joined as `soonest` has places."""
    least = len(soonest)
    for at in range(len(joined)):
        point, place = np.int64(joined[at]), min(at, least)
        if place == least:
            if point >= soonest[least - 1]:
                continue
            place -= 1
        while place > 0 and soonest[place - 1] > point:
            soonest[place] = soonest[place - 1]
            place -= 1
        soonest[place] = point
    return int(soonest[least - 1])
