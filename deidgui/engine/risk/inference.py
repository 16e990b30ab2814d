"""How well a sensitive value can be guessed from what else is released."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.data.grouping import group_keys
from deidgui.engine.risk.linkability import gain_over

NORMAL_95 = 1.959963984540054
"""Two-sided quantile of 95 % of the normal distribution."""


@dataclass(frozen=True)
class Inference:
    """Shares of records whose sensitive value is guessed rightly.

    Parameters
    ----------
    rate : float in [0, 1]
        By the commonest value of their class.
    baseline : float in [0, 1]
        By the commonest value of all.
    without_own : float in [0, 1]
        By the commonest value of the others of their class; ties are shared, and
        who is alone is guessed to have the commonest value of all.
    uniform : float in [0, 1]
        Share of the records in classes that have one value only.
    missing : float in [0, uniform]
        Share of those in classes where all values are missing.
    """

    rate: float
    baseline: float
    without_own: float
    uniform: float
    missing: float = 0.0

    @property
    def gain(self) -> float:
        """Rate beyond the baseline, in [0, 1]."""
        return gain_over(self.rate, self.baseline)

    @property
    def own(self) -> float:
        """Part of the rate that a person's own record brings."""
        return self.rate - self.without_own

    @property
    def group(self) -> float:
        """Part that statistics of the others bring; below 0 if they mislead."""
        return self.without_own - self.baseline


@dataclass(frozen=True)
class Estimate:
    """A share with its error.

    Parameters
    ----------
    value : float in [0, 1]
    error : float, >= 0
        Half the width of the interval of 95 %.
    """

    value: float
    error: float

    @property
    def interval(self) -> tuple[float, float]:
        """Interval of 95 %, cut to [0, 1]."""
        return max(0.0, self.value - self.error), min(1.0, self.value + self.error)


def guess_values(
    class_of: IntArray,
    values: Int32Array,
    n_values: int,
    counts: IntArray | None = None,
    *,
    missing: int | None = None,
) -> Inference:
    """Guess a sensitive value of each record from its class.

    Parameters
    ----------
    class_of : ndarray of int64, shape (n,), each >= 0
        Class of each record, or of records that are alike.
    values : ndarray of int32, shape (n,), each in [0, n_values)
        Their sensitive value.
    counts : ndarray of int64, shape (n,), each >= 1, optional
        Records of each entry; one if it is not given.
    missing : int in [0, n_values), optional
        The value that stands for none: it is guessed as any other one is.

    Returns
    -------
    Inference
    """
    if counts is None:
        counts = np.ones(len(values), dtype=np.int64)
    entries = _Entries.of(class_of, values, n_values, counts)
    n_records = int(counts.sum())
    totals = np.bincount(values, counts, n_values)
    most, second = entries.most, entries.second
    commonest = totals == totals.max()
    found = entries.counts
    alone = entries.sizes == 1
    # A record's own value loses one; a tie is shared with all others of that count.
    ahead = found - 1 > second
    level = found - 1 == second
    leads = (found == most) & (entries.n_most == 1)
    right = np.zeros(len(found))
    right[leads & ahead] = 1.0
    ties = leads & level & ~alone
    right[ties] = 1 / (1 + entries.n_second[ties])
    right[alone] = commonest[entries.values[alone]] / commonest.sum()
    is_uniform = found == entries.sizes
    is_missing = is_uniform & (entries.values == (-1 if missing is None else missing))
    is_first = np.r_[True, entries.classes[1:] != entries.classes[:-1]]
    return Inference(
        rate=float(most[is_first].sum() / n_records),
        baseline=float(totals.max() / n_records),
        without_own=float(found @ right / n_records),
        uniform=float(found[is_uniform].sum() / n_records),
        missing=float(found[is_missing].sum() / n_records),
    )


@dataclass(frozen=True, repr=False, eq=False)
class _Entries:
    """Sensitive values of classes, with the two largest counts of their class."""

    classes: IntArray
    values: IntArray
    counts: IntArray
    sizes: IntArray
    most: IntArray
    n_most: IntArray
    second: IntArray
    n_second: IntArray

    @classmethod
    def of(
        cls, class_of: IntArray, values: Int32Array, n_values: int, counts: IntArray
    ) -> _Entries:
        """Count the values of each class; entries are in the order of the classes."""
        n_classes = int(class_of.max()) + 1
        keys = class_of.astype(np.int64) * n_values + values
        first, of_key = group_keys(keys, n_classes * n_values)
        found = np.bincount(of_key, counts).astype(np.int64)
        classes = class_of[first]
        largest, n_largest = _largest(classes, found, n_classes)
        below = np.where(found == largest[classes], 0, found)
        # Of several largest ones the second is as large.
        next_, n_next = _largest(classes, below, n_classes)
        sizes = np.bincount(classes, found, n_classes).astype(np.int64)
        return cls(
            classes,
            values[first].astype(np.int64),
            found,
            sizes[classes],
            largest[classes],
            n_largest[classes],
            next_[classes],
            n_next[classes],
        )


def _largest(
    classes: IntArray, counts: IntArray, n_classes: int
) -> tuple[IntArray, IntArray]:
    """Largest count of each class, and how many entries have it."""
    largest = np.zeros(n_classes, dtype=np.int64)
    np.maximum.at(largest, classes, counts)
    has_it = counts == largest[classes]
    return largest, np.bincount(classes, has_it, n_classes).astype(np.int64)


def wilson(successes: float, n_trials: int, z: float = NORMAL_95) -> Estimate:
    """Success rate with Wilson's interval.

    Parameters
    ----------
    successes : float, in [0, n_trials]
    n_trials : int, >= 1
    z : float, > 0
        Quantile of the normal distribution.

    Notes
    -----
    The value is the middle of the interval, not the share.

    References
    ----------
    .. [1] E. B. Wilson (1927), JASA 22(158); as Anonymeter uses it.
    """
    spread = successes * (n_trials - successes) / n_trials + z * z / 4
    n_larger = n_trials + z * z
    return Estimate(
        (successes + z * z / 2) / n_larger, z / n_larger * math.sqrt(spread)
    )


def residual(attack: Estimate, control: Estimate) -> Estimate:
    """What an attack finds out about people in the data beyond people who are not.

    Parameters
    ----------
    attack, control : Estimate
        Success rates against people of the data, and against a hold-out.

    Returns
    -------
    Estimate
        Its value is 0 if the control does as well.
    """
    if control.value >= 1:
        return Estimate(0.0, 0.0)
    left = 1 - control.value
    value = (attack.value - control.value) / left
    by_control = control.error * (attack.value - 1) / left**2
    return Estimate(max(0.0, value), math.hypot(attack.error / left, by_control))


CLOSE = 0.05
"""A number counts as guessed rightly within this share of the true one."""


def close_values(numbers: FloatArray) -> BoolArray:
    """Which numbers count as right guesses of which true ones.

    Parameters
    ----------
    numbers : ndarray of float64, shape (n_values,)
        NaN for values that are no numbers: right for nothing but themselves.

    Returns
    -------
    ndarray of bool, shape (n_values, n_values)
        By true value and guess.
    """
    off = np.abs(numbers[:, None] - numbers[None, :])
    close = off <= CLOSE * np.abs(numbers)[:, None]
    return np.asarray(close | np.eye(len(numbers), dtype=np.bool_))


@dataclass(frozen=True, repr=False, eq=False)
class Guesser:
    """Guesses the commonest value of a class; of several one at random.

    Parameters
    ----------
    starts : ndarray of int64, shape (n_classes + 2,)
        Where the commonest values of each class begin in `guesses`; the last ones are
        those of all, for who is in no class.
    guesses : ndarray of int64
    right : ndarray of bool, shape (n_values, n_values), optional
        By true value and guess; only equal ones without it.
    """

    starts: IntArray
    guesses: IntArray
    right: BoolArray | None = None

    @classmethod
    def of(
        cls,
        class_of: IntArray,
        values: IntArray,
        n_values: int,
        right: BoolArray | None = None,
    ) -> Guesser:
        """Learn from records.

        Parameters
        ----------
        class_of : ndarray of int64, shape (n,), each >= 0
        values : ndarray of int64, shape (n,), each in [0, n_values)
        """
        n_classes = int(class_of.max()) + 1
        keys = class_of.astype(np.int64) * n_values + values
        first, of_key = group_keys(keys, n_classes * n_values)
        counts = np.bincount(of_key).astype(np.int64)
        classes = class_of[first].astype(np.int64)
        most, _ = _largest(classes, counts, n_classes)
        is_most = counts == most[classes]
        totals = np.bincount(values, minlength=n_values)
        overall = np.flatnonzero(totals == totals.max())
        per_class = np.bincount(classes[is_most], minlength=n_classes)
        sizes = np.append(per_class, len(overall))
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        guesses = np.append(values[first][is_most].astype(np.int64), overall)
        return cls(starts, guesses, right)

    def n_right(self, class_of: IntArray, values: IntArray) -> float:
        """Expected right guesses of some people.

        Parameters
        ----------
        class_of : ndarray of int64, shape (n,)
            -1 for who is in no class.
        values : ndarray of int64, shape (n,)
            Their true values.
        """
        if not len(values):
            return 0.0
        n_classes = len(self.starts) - 2
        n_values = int(values.max()) + 1
        placed = np.where(class_of < 0, n_classes, class_of).astype(np.int64)
        pairs, times = np.unique(placed * n_values + values, return_counts=True)
        classes, true = pairs // n_values, pairs % n_values
        sizes = self.starts[classes + 1] - self.starts[classes]
        of_pair = np.repeat(np.arange(len(pairs)), sizes)
        ends = np.cumsum(sizes)
        within = np.arange(len(of_pair)) - np.repeat(ends - sizes, sizes)
        guessed = self.guesses[self.starts[classes][of_pair] + within]
        if self.right is None:
            is_right = guessed == true[of_pair]
        else:
            is_right = self.right[true[of_pair], guessed]
        shares = np.bincount(of_pair, is_right, len(pairs)) / sizes
        return float(times @ shares)
