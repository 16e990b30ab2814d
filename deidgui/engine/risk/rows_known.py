"""How easily is a person found by what an adversary knows of their rows?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.engine.data.people import ValueSets
from deidgui.engine.risk.class_sizes import size_at_risk

MOST_PAIRS = 5_000_000
"""Pairs of a person's rows that are looked at; with more, the figure is unknown."""

Known = Literal["one", "two", "all", "all_and_number"]


@dataclass(frozen=True)
class RowsKnown:
    """Risk of the people of a table for an adversary who knows some of their rows.

    Parameters
    ----------
    known : str
        one, two: so many rows that show different things, those that tell most; all:
        everything that the rows show; all_and_number: also how many rows show it.
    highest, average : float in [0, 1] or None
        Over the people; None where it would take too long.
    n_at_risk : int or None
        People whose risk is above the threshold; None without one.
    """

    known: Known
    highest: float | None
    average: float | None
    n_at_risk: int | None = None


def risk_of_rows(
    shown: ValueSets, numbers: IntArray, threshold: float | None = None
) -> tuple[RowsKnown, ...]:
    """Measure what the rows of each person tell, alone and together.

    Parameters
    ----------
    shown : ValueSets
        By released person, the different classes of rows that they are in.
    numbers : ndarray of int64, shape (n_people,), each >= 0
        The same for people whose rows show what they show equally often.
    threshold : float in (0, 1], optional
        People with a higher risk are at risk.

    Returns
    -------
    tuple of RowsKnown
        From the least to the most knowledge; empty if nobody is released.

    Notes
    -----
    Who knows some rows of a person finds everybody who has such rows too, among them
    the person: the risk is 1 over their number.
    """
    if not shown.n_owners:
        return ()
    of_set, _ = shown.numbered()
    with_number = of_set.astype(np.int64) * (int(numbers.max()) + 1) + numbers
    one = _fewest(np.bincount(shown.codes)[shown.codes], shown.starts)
    alike: dict[Known, IntArray | None] = {
        "one": one,
        "two": _by_pairs(shown, one),
        "all": _alike(of_set.astype(np.int64)),
        "all_and_number": _alike(with_number),
    }
    return tuple(_figures(known, each, threshold) for known, each in alike.items())


def _figures(
    known: Known, alike: IntArray | None, threshold: float | None
) -> RowsKnown:
    if alike is None:
        return RowsKnown(known, None, None)
    risk: FloatArray = 1.0 / alike
    n_at_risk = None
    if threshold is not None:
        n_at_risk = int(np.count_nonzero(alike < size_at_risk(threshold)))
    return RowsKnown(known, float(risk.max()), float(risk.mean()), n_at_risk)


def _alike(numbers: IntArray) -> IntArray:
    """How many have the same number, for each."""
    _, place, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    return np.asarray(counts[place], dtype=np.int64)


def _fewest(counts: IntArray, starts: IntArray) -> IntArray:
    """Smallest count among the entries of each owner; every owner has one."""
    return np.asarray(np.minimum.reduceat(counts, starts[:-1]), dtype=np.int64)


def _by_pairs(shown: ValueSets, one: IntArray) -> IntArray | None:
    """Fewest people who share two different classes of rows of each person."""
    sizes = np.diff(shown.starts)
    n_pairs = sizes * (sizes - 1) // 2
    if n_pairs.sum() > MOST_PAIRS:
        return None
    # Each entry with every later one of its owner.
    place = np.arange(len(shown.codes)) - np.repeat(shown.starts[:-1], sizes)
    n_later = np.repeat(sizes, sizes) - place - 1
    first = np.repeat(np.arange(len(shown.codes)), n_later)
    before = np.repeat(np.cumsum(n_later) - n_later, n_later)
    second = first + 1 + np.arange(len(first)) - before
    width = int(shown.codes.max()) + 1
    together = _alike(shown.codes[first] * width + shown.codes[second])
    found = one.copy()
    np.minimum.at(found, shown.owners[first], together)
    return found
