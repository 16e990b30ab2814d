"""How large the classes are, and how many records stay below which risk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from deidgui.app.charts.base import (
    Axis,
    AxisUnit,
    Guide,
    Histogram,
    LineChart,
    Series,
    SeriesRole,
)
from deidgui.app.charts.formats import count_text
from deidgui.app.charts.phrases import Phrase
from deidgui.engine import risk
from deidgui.engine.arrays import FloatArray, IntArray


def size_edges(
    largest: int, k: int | None = None, *, joins_smaller: bool = False
) -> IntArray:
    """Edges 1, 2, 3, 5, 10, 20, 50, ... of class size bins, with one at `k`.

    Parameters
    ----------
    largest : int, >= 1
        Largest class size; the last edge lies above it.
    k : int, optional
        A class size that starts a bin, so that no bin holds both sides of it.
    joins_smaller : bool
        Whether all classes smaller than `k` are one bin.

    Returns
    -------
    ndarray of int64, strictly ascending, first 1
    """
    edges = {1, 3}
    power = 1
    while power <= 10 * largest:
        edges |= {power, 2 * power, 5 * power}
        power *= 10
    if k is not None and 1 <= k <= largest:
        edges.add(k)
    if k is not None and joins_smaller:
        edges = {1, max(k, 2), *(edge for edge in edges if edge >= k)}
    ordered = sorted(edges)
    last = next(place for place, edge in enumerate(ordered) if edge > largest)
    return np.array(ordered[: last + 1], dtype=np.int64)


def class_size_histogram(
    before: IntArray,
    after: IntArray | None = None,
    *,
    k: int | None = None,
    of_people: bool = False,
) -> Histogram:
    """Records by the size of their class, before and in the release.

    Parameters
    ----------
    before : ndarray of int64, shape (n_classes,), each >= 1
        Records per class of the input.
    after : ndarray of int64, shape (n_released_classes,), each >= 1, optional
        Records per class of the release, suppressed records excluded.
    k : int, optional
        Smallest class size that is asked for.
    of_people : bool
        Whether a record of a class is a person with several rows.

    Returns
    -------
    Histogram
        Counts of records (not of classes).
    """
    given = [before] if after is None else [before, after]
    largest = max((int(sizes.max()) for sizes in given if len(sizes)), default=0)
    axes = (
        Axis(_phrase("class_size", of_people), AxisUnit.COUNT),
        Axis(Phrase("people" if of_people else "records"), AxisUnit.COUNT),
    )
    title = _phrase("class_sizes", of_people)
    if not largest:
        empty = np.empty(0)
        return Histogram(title, Phrase("nothing_yet"), empty, (), (), *axes, True)
    # PRIVACY: beside a release, smaller classes are those that are suppressed. A
    # picture of the chart may be handed out.
    edges = size_edges(largest, k, joins_smaller=after is not None)
    names = (("before", SeriesRole.BEFORE), ("release", SeriesRole.AFTER))
    series = tuple(
        Series(Phrase(name), _records_by_size(sizes, edges), role)
        for sizes, (name, role) in zip(given, names, strict=False)
    )
    marks: tuple[Guide, ...] = ()
    if k is not None and k <= largest:
        marks = (Guide("x", float(k), Phrase("class_minimum", {"k": k})),)
    return Histogram(
        title,
        _size_sentence(before, after, of_people),
        edges.astype(np.float64),
        tuple(map(_bin_label, edges[:-1].tolist(), edges[1:].tolist())),
        series,
        *axes,
        is_even=True,
        marks=marks,
    )


def _records_by_size(sizes: IntArray, edges: IntArray) -> FloatArray:
    """Records per bin between two edges."""
    return risk.class_size_histogram(sizes, edges[:-1]).n_records.astype(np.float64)


def _bin_label(low: int, end: int) -> str:
    high = end - 1
    return count_text(low) if low == high else f"{count_text(low)}–{count_text(high)}"


OF_PEOPLE: Mapping[str, str] = {
    "no_records": "no_records_of_people",
    "class_sizes": "class_sizes_of_people",
    "class_size": "class_size_of_people",
    "class_sizes_input": "class_sizes_input_of_people",
    "class_sizes_both": "class_sizes_both_of_people",
    "class_sizes_alone": "class_sizes_alone_of_people",
    "cumulative_risk": "cumulative_risk_of_people",
    "share_up_to": "share_up_to_of_people",
    "risk_above": "risk_above_of_people",
    "risk_above_input": "risk_above_input_of_people",
    "risk_highest": "risk_highest_of_people",
    "risk_highest_input": "risk_highest_input_of_people",
}
"""Phrases where a record of a class is a person with several rows."""


def _phrase(
    code: str, of_people: bool, params: Mapping[str, int | float | str] | None = None
) -> Phrase:
    return Phrase(OF_PEOPLE[code] if of_people else code, params or {})


def _size_sentence(before: IntArray, after: IntArray | None, of_people: bool) -> Phrase:
    n_before, alone = int(before.sum()), int((before == 1).sum())
    before_share = alone / n_before if n_before else 0.0
    if after is None:
        params = {"n_alone": alone, "n_records": n_before, "alone_share": before_share}
        return _phrase("class_sizes_input", of_people, params)
    if not len(after):
        return _phrase("no_records", of_people)
    n_alone = int((after == 1).sum())
    shares: dict[str, int | float | str] = {
        "before_share": before_share,
        "after_share": n_alone / int(after.sum()),
    }
    if n_alone:
        return _phrase("class_sizes_alone", of_people, {**shares, "n_alone": n_alone})
    n_others = int(after.min()) - 1
    return _phrase("class_sizes_both", of_people, {**shares, "n_others": n_others})


@dataclass(frozen=True, eq=False, repr=False)
class Candidates:
    """How many candidates an attacker finds for each record.

    Parameters
    ----------
    records : ndarray of int64, shape (n_classes,), each >= 1
        Records per class.
    matches : ndarray of int64, shape (n_classes,), each >= 1
        People among whom a record of the class hides: the class itself for the
        prosecutor, the class in the population for the journalist.
    """

    records: IntArray
    matches: IntArray

    @classmethod
    def prosecutor(cls, sizes: IntArray) -> Candidates:
        """Exposure to somebody who knows that the target is in the data."""
        return cls(sizes, sizes)

    @property
    def n_records(self) -> int:
        """Number of records."""
        return int(self.records.sum())

    @property
    def highest(self) -> float:
        """Highest risk of a record, in [0, 1]; 0 without records."""
        return float(1.0 / self.matches.min()) if len(self.matches) else 0.0

    def n_above(self, threshold: float) -> int:
        """Records whose risk is strictly above a threshold in (0, 1]."""
        return int(self.records[self.matches < risk.size_at_risk(threshold)].sum())

    def share_up_to(self, limits: FloatArray) -> FloatArray:
        """Share of the records with a risk of at most each limit.

        Parameters
        ----------
        limits : ndarray of float64, shape (n,), each in (0, 1]

        Returns
        -------
        ndarray of float64, shape (n,), each in [0, 1]; NaN without records
        """
        if not self.n_records:
            return np.full(len(limits), np.nan)
        return risk.cumulative_risk(self.records, self.matches, limits=limits)


def cumulative_risk(
    before: Candidates,
    after: Candidates | None = None,
    *,
    threshold: float | None = None,
    of_people: bool = False,
) -> LineChart:
    """Share of the records with at most a risk, over the limits of methods F.1.

    Parameters
    ----------
    before : Candidates
        Of the input.
    after : Candidates, optional
        Of the release, suppressed records excluded.
    threshold : float in (0, 1], optional
        The risk that no record may exceed.
    of_people : bool
        Whether a record of a class is a person with several rows.

    Returns
    -------
    LineChart
        From the last limit that no record is within; limits below are left out.
    """
    given = [before] if after is None else [before, after]
    names = (("before", SeriesRole.BEFORE), ("release", SeriesRole.AFTER))
    shares = [exposure.share_up_to(risk.CUMULATIVE_LIMITS) for exposure in given]
    reached = np.flatnonzero(np.nanmax(np.nan_to_num(shares), axis=0) > 0)
    start = max(int(reached[0]) - 1, 0) if len(reached) else 0
    limits = risk.CUMULATIVE_LIMITS[start:]
    series = tuple(
        Series(Phrase(name), share[start:], role, limits)
        for share, (name, role) in zip(shares, names, strict=False)
    )
    marks: tuple[Guide, ...] = ()
    if threshold is not None:
        label = Phrase("threshold", {"threshold_share": threshold})
        marks = (Guide("x", threshold, label),)
    return LineChart(
        _phrase("cumulative_risk", of_people),
        _risk_sentence(before, after, threshold, of_people),
        series,
        Axis(Phrase("risk_limit"), AxisUnit.SHARE, is_log=True),
        Axis(_phrase("share_up_to", of_people), AxisUnit.SHARE),
        is_stepped=True,
        has_points=True,
        marks=marks,
    )


def _risk_sentence(
    before: Candidates,
    after: Candidates | None,
    threshold: float | None,
    of_people: bool,
) -> Phrase:
    if after is not None and not after.n_records:
        return _phrase("no_records", of_people)
    if not before.n_records:
        return Phrase("nothing_yet")
    if threshold is None:
        if after is None:
            return _phrase(
                "risk_highest_input", of_people, {"highest_share": before.highest}
            )
        shares = {"before_share": before.highest, "after_share": after.highest}
        return _phrase("risk_highest", of_people, shares)
    n_above = before.n_above(threshold)
    params: dict[str, int | float | str] = {"threshold_share": threshold}
    if after is None:
        params |= {"n_above": n_above, "above_share": n_above / before.n_records}
        return _phrase("risk_above_input", of_people, params)
    params |= {
        "before_share": n_above / before.n_records,
        "after_share": after.n_above(threshold) / after.n_records,
    }
    return _phrase("risk_above", of_people, params)
