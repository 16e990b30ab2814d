"""How the values of one column are distributed, before and in the release."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.app.charts.base import (
    Axis,
    AxisUnit,
    BarChart,
    Histogram,
    Series,
    SeriesRole,
)
from deidgui.app.charts.formats import number_text
from deidgui.app.charts.phrases import Phrase, plain
from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array, IntArray

ROWS = Axis(Phrase("rows"), AxisUnit.COUNT)


@dataclass(frozen=True, eq=False, repr=False)
class Released:
    """What a release makes of the values of one column.

    Parameters
    ----------
    groups : ndarray of int32, shape (n_values,), each in [0, n_groups)
        Released group of each value.
    counts : ndarray of int64, shape (n_groups,)
        Released records per group, suppressed ones excluded.
    """

    groups: Int32Array
    counts: IntArray

    def spread(self) -> FloatArray:
        """Released records per original value, each group spread evenly over its own.

        Returns
        -------
        ndarray of float64, shape (n_values,)
            Sums to the released records of the groups that have a value.
        """
        sizes = np.bincount(self.groups, minlength=len(self.counts))
        return (self.counts / np.maximum(sizes, 1))[self.groups]

    @property
    def name(self) -> Phrase:
        """What a series of the spread records is called."""
        is_grouped = len(self.counts) < len(self.groups)
        return Phrase("release_spread" if is_grouped else "release")


def distance(before: FloatArray, after: FloatArray) -> float:
    """Share of the records that would have to move to make two counts alike.

    Parameters
    ----------
    before, after : ndarray of float64, shape (n,), each >= 0

    Returns
    -------
    float in [0, 1]
        Total variation distance of the two distributions; NaN if one is empty.
    """
    total_before, total_after = before.sum(), after.sum()
    if not total_before or not total_after:
        return math.nan
    return float(np.abs(before / total_before - after / total_after).sum() / 2)


def value_distribution(
    column: str,
    labels: Sequence[str],
    before: IntArray,
    released: Released | None = None,
    *,
    is_ordered: bool = False,
    top: int = 12,
) -> BarChart:
    """Records per value, before and in the release.

    Parameters
    ----------
    column : str
        Name of the column.
    labels : sequence of str, length n_values
        Original values.
    before : ndarray of int64, shape (n_values,)
        Records per original value.
    released : Released, optional
        What the release makes of them.
    is_ordered : bool
        Whether the order of `labels` means something and is kept.
    top : int, >= 1
        Values shown; the others are added up.
    """
    counts = before.astype(np.float64)
    spread = None if released is None else released.spread()
    shown = np.argsort(-before, kind="stable")[:top]
    shown = shown[before[shown] > 0] if spread is None else shown
    if is_ordered:
        shown = np.sort(shown)
    n_hidden = int((before > 0).sum() - (before[shown] > 0).sum())
    categories = [labels[place] for place in shown.tolist()]
    if n_hidden:
        categories.append(Phrase("other", {"n": n_hidden}).text())
    series = [_picked(Phrase("before"), counts, SeriesRole.BEFORE, shown, n_hidden)]
    if released is not None and spread is not None:
        series.append(_picked(released.name, spread, SeriesRole.AFTER, shown, n_hidden))
    return BarChart(
        _title(column, released),
        _sentence(counts, spread) or _shape_sentence(before),
        tuple(categories),
        tuple(series),
        Axis(plain(column)),
        ROWS,
    )


def _picked(
    name: Phrase, values: FloatArray, role: SeriesRole, shown: IntArray, n_hidden: int
) -> Series:
    """Some values of a series, and the sum of the others if there are any."""
    picked = values[shown]
    rest = [values.sum() - picked.sum()] if n_hidden else []
    return Series(name, np.append(picked, rest), role)


def released_values(
    column: str, labels: Sequence[str], before: IntArray, counts: IntArray
) -> BarChart:
    """Records per value as it is released: what was suppressed, not what was grouped.

    Parameters
    ----------
    column : str
        Name of the column.
    labels : sequence of str, length n_groups
        Released labels.
    before : ndarray of int64, shape (n_groups,)
        Records of the input whose value belongs to each label.
    counts : ndarray of int64, shape (n_groups,)
        Released records of each label.
    """
    own = Released(np.arange(len(labels), dtype=np.int32), counts)
    return value_distribution(column, labels, before, own, top=20)


def number_distribution(
    column: str,
    numbers: FloatArray,
    before: IntArray,
    released: Released | None = None,
    *,
    n_bins: int = 30,
) -> Histogram:
    """Records per interval of a number, before and in the release.

    Parameters
    ----------
    column : str
        Name of the column.
    numbers : ndarray of float64, shape (n_values,)
        The original values as numbers; NaN for those that are none (left out).
    before : ndarray of int64, shape (n_values,)
        Records per original value.
    released : Released, optional
        What the release makes of them.
    n_bins : int, >= 1
        Bins wanted; round edges may give up to twice or half as many.
    """
    known = np.isfinite(numbers) & (before > 0)
    axis = Axis(plain(column), AxisUnit.NUMBER)
    if not known.any():
        nothing = Phrase("nothing_yet")
        empty = np.empty(0)
        return Histogram(_title(column, released), nothing, empty, (), (), axis, ROWS)
    low, high = float(numbers[known].min()), float(numbers[known].max())
    is_whole = bool((numbers[known] == np.floor(numbers[known])).all())
    edges = round_edges(low, high, n_bins, is_whole=is_whole)
    spread = None if released is None else released.spread()
    counts = before.astype(np.float64)
    series = [
        Series(Phrase("before"), _binned(numbers, counts, edges), SeriesRole.BEFORE)
    ]
    if released is not None and spread is not None:
        binned = _binned(numbers, spread, edges)
        series.append(Series(released.name, binned, SeriesRole.AFTER))
    return Histogram(
        _title(column, released),
        _sentence(counts, spread) or _range_sentence(numbers, before, known),
        edges,
        tuple(_interval(a, b, is_whole) for a, b in itertools.pairwise(edges.tolist())),
        tuple(series),
        axis,
        ROWS,
    )


def _binned(numbers: FloatArray, weights: FloatArray, edges: FloatArray) -> FloatArray:
    """Sum of the weights of the numbers in each bin; numbers outside are left out."""
    inside = np.isfinite(numbers) & (numbers >= edges[0]) & (numbers < edges[-1])
    binned, _ = np.histogram(numbers[inside], edges, weights=weights[inside])
    return np.asarray(binned, dtype=np.float64)


def round_edges(
    low: float, high: float, n_bins: int, *, is_whole: bool = False
) -> FloatArray:
    """Round bin edges from at most `low` to above `high`, all of one width.

    Parameters
    ----------
    low, high : float, low <= high
    n_bins : int, >= 1
        Bins wanted.
    is_whole : bool
        Whether the values are whole numbers, so that bins are too.

    Returns
    -------
    ndarray of float64, strictly ascending
        The width is 1, 2 or 5 times a power of ten.
    """
    aim = (high - low) / n_bins or 1.0
    power = 10.0 ** math.floor(math.log10(aim))
    width = next(step * power for step in (1, 2, 5, 10) if step * power >= aim * 0.999)
    if is_whole:
        width = max(1.0, width)
    first, last = math.floor(low / width), math.floor(high / width) + 1
    # Multiplying whole steps keeps edges such as 0.3 exact to the last digit.
    return np.arange(first, last + 1).astype(np.float64) * width


def _title(column: str, released: Released | None) -> Phrase:
    code = "distribution_input" if released is None else "distribution"
    return Phrase(code, {"column": column})


def _sentence(before: FloatArray, spread: FloatArray | None) -> Phrase | None:
    if spread is None:
        return None
    moved = distance(before, spread)
    if math.isnan(moved):
        return Phrase("no_records" if before.sum() else "nothing_yet")
    if moved < 1e-12:
        return Phrase("distribution_equal")
    return Phrase("distribution_moved", {"moved_share": moved})


def _shape_sentence(before: IntArray, n_rows: int | None = None) -> Phrase:
    if not before.sum():
        return Phrase("nothing_yet")
    params = {
        "n_values": int((before > 0).sum()),
        "top_share": float(before.max() / (n_rows or before.sum())),
    }
    return Phrase("distribution_shape", params)


def _range_sentence(numbers: FloatArray, before: IntArray, known: BoolArray) -> Phrase:
    order = np.argsort(numbers[known])
    ordered, counts = numbers[known][order], before[known][order]
    middle = int(np.searchsorted(np.cumsum(counts), counts.sum() / 2))
    params = {
        "n_values": len(ordered),
        "low": float(ordered[0]),
        "high": float(ordered[-1]),
        "median": float(ordered[middle]),
    }
    return Phrase("distribution_range", params)


def _interval(low: float, end: float, is_whole: bool) -> str:
    if not is_whole:
        return f"{number_text(low)} to < {number_text(end)}"
    last = end - 1
    if low == last:
        return number_text(low)
    return f"{number_text(low)}–{number_text(last)}"


@dataclass(frozen=True, eq=False, repr=False)
class Spark:
    """A distribution small enough for one cell of a table.

    Parameters
    ----------
    heights : ndarray of float64, shape (n_bars,), each in [0, 1]
        Relative to the highest bar.
    sentence : Phrase
        For a tooltip and for screen readers.
    is_ordered : bool
        Whether neighbours are neighbours in the data; else bars fall.
    """

    heights: FloatArray
    sentence: Phrase
    is_ordered: bool


def value_spark(
    counts: IntArray,
    *,
    n_rows: int | None = None,
    is_ordered: bool = False,
    n_bars: int = 24,
) -> Spark:
    """Small distribution of the values of a column.

    Parameters
    ----------
    counts : ndarray of int64, shape (n_values,)
        Records per value.
    n_rows : int, optional
        All rows, those without a value included; without it none is.
    is_ordered : bool
        Whether the order of the values means something; they are then pooled
        with their neighbours, else the most frequent ones are shown.
    n_bars : int, >= 1
    """
    if is_ordered and len(counts):
        n_shown = min(n_bars, len(counts))
        starts = np.arange(n_shown) * len(counts) // n_shown
        bars = np.add.reduceat(counts, starts)
    else:
        bars = -np.sort(-counts[counts > 0])[:n_bars]
    return Spark(_heights(bars), _shape_sentence(counts, n_rows), is_ordered)


def number_spark(numbers: FloatArray, counts: IntArray, *, n_bars: int = 32) -> Spark:
    """Small histogram of a column of numbers.

    Bars of whole numbers stand for equally many of them.

    Parameters
    ----------
    numbers : ndarray of float64, shape (n_values,)
        NaN for values that are no numbers (left out).
    counts : ndarray of int64, shape (n_values,)
        Records per value.
    n_bars : int, >= 1
        The most bars; whole numbers may have fewer.
    """
    known = np.isfinite(numbers) & (counts > 0)
    if not known.any():
        return Spark(np.empty(0), Phrase("nothing_yet"), True)
    some = numbers[known]
    bins: int | FloatArray = n_bars
    if (some == np.floor(some)).all() and np.ptp(some) < 2**53:
        bins = _whole_edges(float(some.min()), float(some.max()), n_bars)
    bars, _ = np.histogram(some, bins, weights=counts[known])
    return Spark(_heights(bars), _range_sentence(numbers, counts, known), True)


def _whole_edges(low: float, high: float, n_bins: int) -> FloatArray:
    """Edges of at most so many bins of a whole width, the last one nearly full."""
    span = int(high - low) + 1
    widths = {-(-span // n) for n in range(n_bins // 2 + 1, n_bins + 1)}
    width = min(widths, key=lambda wide: (round(-span % wide / wide, 1), wide))
    return low + width * np.arange(-(-span // width) + 1.0)


def _heights(bars: FloatArray | IntArray) -> FloatArray:
    return bars / bars.max() if len(bars) and bars.max() else np.zeros(len(bars))
