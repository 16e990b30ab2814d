"""How many records are alone on what is released of them, and on parts of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from deidgui.engine.arrays import FloatArray, Int32Array, IntArray
from deidgui.engine.data.grouping import group_rows
from deidgui.monitor import NULL_MONITOR, Monitor


@dataclass(frozen=True, repr=False, eq=False)
class Alone:
    """Records that are alone on every set of so many columns.

    Parameters
    ----------
    size : int
        Columns of each set.
    sets : tuple of tuple of int
        Places of the columns, in lexicographic order.
    shares : ndarray of float64, shape (n_sets,), each in [0, 1]
        Share of the records that are alone on each set.
    anywhere : float in [0, 1]
        Share of the records that are alone on at least one of the sets.
    """

    size: int
    sets: tuple[tuple[int, ...], ...]
    shares: FloatArray
    anywhere: float

    @property
    def mean(self) -> float:
        """Mean share over the sets."""
        return float(self.shares.mean())

    @property
    def worst(self) -> int:
        """Number of the set on which most records are alone; the first of several."""
        return int(self.shares.argmax())


def alone_on_sets(
    columns: Sequence[Int32Array],
    n_values: Sequence[int],
    size: int,
    *,
    counts: IntArray | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> Alone:
    """Find the records that are alone on sets of columns.

    Parameters
    ----------
    columns : sequence of ndarray of int32, each of shape (n,), n >= 1
        Codes of what is released of each record, or of records that are alike.
    n_values : sequence of int
        Codes of each column lie in [0, n_values).
    size : int, in [1, number of columns]
        Columns of each set.
    counts : ndarray of int64, shape (n,), each >= 1, optional
        Records that each entry stands for; one if it is not given.

    References
    ----------
    .. [1] Article 29 Working Party, Opinion 05/2014, singling out; for generalized
       tables counted over all records instead of sampled queries.
    """
    n_entries = len(columns[0])
    if counts is None:
        counts = np.ones(n_entries, dtype=np.int64)
    n_records = int(counts.sum())
    sets = tuple(combinations(range(len(columns)), size))
    n_alone = np.zeros(len(sets))
    anywhere = np.zeros(n_entries, dtype=np.bool_)
    for number, places in enumerate(sets):
        monitor.report(number / len(sets), "measure")
        groups = group_rows(
            n_entries,
            (columns[each] for each in places),
            [n_values[each] for each in places],
        )
        is_alone = groups.sums(counts)[groups.of_row] == 1
        n_alone[number] = np.count_nonzero(is_alone)
        anywhere |= is_alone
    n_anywhere = np.count_nonzero(anywhere)
    return Alone(size, sets, n_alone / n_records, float(n_anywhere / n_records))


def isolated_by_chance(n_records: int, weight: float) -> float:
    """Probability that a random condition holds for exactly one record.

    Parameters
    ----------
    n_records : int, >= 1
    weight : float in [0, 1]
        Probability that the condition holds for a record.

    Returns
    -------
    float in [0, 1]
        At most about 0.37, where `weight` is 1 / `n_records`: isolation at such
        weights proves nothing.

    References
    ----------
    .. [1] A. Cohen, K. Nissim (2020), *Towards Formalizing the GDPR's Notion of
       Singling Out*, PNAS 117(15).
    """
    if weight >= 1:
        return 1.0 if n_records == 1 else 0.0
    return n_records * weight * math.exp((n_records - 1) * math.log1p(-weight))


def isolated_in_classes(counts: IntArray) -> float:
    """How often a condition true for one in f isolates somebody in a class of f.

    Parameters
    ----------
    counts : ndarray of int64, shape (n_classes,), each >= 1
        Records of each class.

    Returns
    -------
    float in (0, 1]
        Mean of `isolated_by_chance` over people: 1 for classes of one, 1/e for large
        ones.
    """
    sizes, times = np.unique(counts, return_counts=True)
    chances = np.array([isolated_by_chance(f, 1 / f) for f in sizes.tolist()])
    weights = sizes * times
    return float(weights @ chances / weights.sum())
