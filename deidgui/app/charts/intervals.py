"""Shares with the intervals in which they may lie."""

from __future__ import annotations

from dataclasses import dataclass

from deidgui.app.charts.base import Axis, Guide, NumberTable
from deidgui.app.charts.phrases import Phrase
from deidgui.engine.arrays import FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class IntervalChart:
    """Shares with intervals around them, by category.

    Parameters
    ----------
    values, lows, highs : ndarray of float64, shape (n_categories,)
        NaN ends of an interval where a value is exact.
    """

    title: Phrase
    sentence: Phrase
    categories: tuple[str, ...]
    values: FloatArray
    lows: FloatArray
    highs: FloatArray
    category_axis: Axis
    value_axis: Axis
    marks: tuple[Guide, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not self.categories

    def to_table(self) -> NumberTable:
        """One row per category; no interval where there is none."""
        header = (
            self.category_axis.label.text(),
            self.value_axis.label.text(),
            Phrase("interval_low").text(),
            Phrase("interval_high").text(),
        )
        columns = (self.values, self.lows, self.highs)
        rows = zip(self.categories, *(each.tolist() for each in columns), strict=True)
        return NumberTable(header, tuple(rows))
