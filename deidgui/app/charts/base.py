"""What a chart is made of before it is drawn."""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.app.charts.phrases import Phrase
from deidgui.engine.arrays import FloatArray

Cell = str | int | float


class AxisUnit(enum.Enum):
    """What the numbers of an axis are."""

    COUNT = "count"
    SHARE = "share"
    NUMBER = "number"


class SeriesRole(enum.Enum):
    """What a series stands for; drawing gives each role its colour and shape."""

    BEFORE = "before"
    AFTER = "after"
    MAIN = "main"
    HIGHEST = "highest"
    """The highest of what the series before it is the average of."""


@dataclass(frozen=True)
class Axis:
    """One axis of a chart.

    Parameters
    ----------
    is_log : bool
        Whether equal distances are equal ratios; all values are > 0 then.
    limits : tuple of float, or None
        Range that is shown whatever the values are; None fits it to them.
    """

    label: Phrase
    unit: AxisUnit = AxisUnit.NUMBER
    is_log: bool = False
    limits: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Series:
    """Numbers that belong together.

    Parameters
    ----------
    values : ndarray of float64, shape (n,)
        NaN where there is no value.
    positions : ndarray of float64, shape (n,), or None
        Where on the first axis; None if the chart has categories or bins.
    band : tuple of two ndarrays of float64, each of shape (n,), or None
        Between which values nearly all lie; of a curve.
    """

    name: Phrase
    values: FloatArray
    role: SeriesRole = SeriesRole.MAIN
    positions: FloatArray | None = None
    band: tuple[FloatArray, FloatArray] | None = None


@dataclass(frozen=True)
class Guide:
    """A line across a chart at one value of an axis.

    Parameters
    ----------
    axis : str
        "x" or "y".
    value : float
        In the unit of that axis.
    """

    axis: str
    value: float
    label: Phrase


@dataclass(frozen=True, eq=False, repr=False)
class NumberTable:
    """The numbers of a chart as a table, to be copied.

    Parameters
    ----------
    rows : tuple of tuples of str, int or float
        Shares stay in [0, 1], at full precision.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def tsv(self) -> str:
        """Lines of tab-separated cells that a spreadsheet cannot execute."""
        lines = ["\t".join(_inert(cell) for cell in self.header)]
        lines += ["\t".join(_inert(cell) for cell in row) for row in self.rows]
        return "\n".join(lines) + "\n"


def _inert(cell: Cell) -> str:
    """Text of a cell; labels that a spreadsheet takes for a formula get a quote."""
    if not isinstance(cell, str):
        return "" if math.isnan(cell) else repr(cell)
    text = " ".join(cell.split())
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


@dataclass(frozen=True, eq=False, repr=False)
class BarChart:
    """Bars by category.

    Parameters
    ----------
    categories : tuple of str
        Labels in the order of the bars.
    series : tuple of Series, each of shape (n_categories,)
    """

    title: Phrase
    sentence: Phrase
    categories: tuple[str, ...]
    series: tuple[Series, ...]
    category_axis: Axis
    value_axis: Axis

    def __post_init__(self) -> None:
        assert all(len(s.values) == len(self.categories) for s in self.series)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not self.categories or not self.series

    def to_table(self) -> NumberTable:
        """One row per category."""
        header = _header(self.category_axis, self.series)
        return NumberTable(header, _rows(self.categories, self.series))


@dataclass(frozen=True, eq=False, repr=False)
class Histogram:
    """Bars by interval of a number.

    Parameters
    ----------
    edges : ndarray of float64, shape (n_bins + 1,), strictly ascending
        Bin i holds values in [edges[i], edges[i + 1]).
    labels : tuple of str, length n_bins
        What each bin holds, exactly.
    series : tuple of Series, each of shape (n_bins,)
    is_even : bool
        Whether all bins are drawn with one width, whatever their edges.
    """

    title: Phrase
    sentence: Phrase
    edges: FloatArray
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    bin_axis: Axis
    value_axis: Axis
    is_even: bool = False
    marks: tuple[Guide, ...] = ()

    def __post_init__(self) -> None:
        assert len(self.edges) == len(self.labels) + 1 or not self.labels
        assert all(len(s.values) == len(self.labels) for s in self.series)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not self.labels or not self.series

    def place(self, value: float) -> float:
        """Where a value is drawn on the first axis, in bins if `is_even`."""
        if not self.is_even:
            return value
        bins = np.arange(len(self.edges), dtype=np.float64)
        return float(np.interp(value, self.edges, bins))

    def to_table(self) -> NumberTable:
        """One row per bin."""
        header = _header(self.bin_axis, self.series)
        return NumberTable(header, _rows(self.labels, self.series))


@dataclass(frozen=True, eq=False, repr=False)
class LineChart:
    """Curves over one axis.

    Parameters
    ----------
    series : tuple of Series
        All with positions in ascending order, the same for all.
    is_stepped : bool
        Whether a value holds until the next position.
    has_points : bool
        Whether only the positions are known, so that they are marked.
    notes : tuple of str
        What there is at each position, besides the numbers; empty if nothing.
    notes_name : Phrase
        What the notes are.
    """

    title: Phrase
    sentence: Phrase
    series: tuple[Series, ...]
    x_axis: Axis
    y_axis: Axis
    is_stepped: bool = False
    has_points: bool = False
    marks: tuple[Guide, ...] = ()
    notes: tuple[str, ...] = ()
    notes_name: Phrase = Phrase("policy")  # noqa: RUF009 - a frozen value

    def __post_init__(self) -> None:
        assert not self.notes or len(self.notes) == len(self.positions)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not any(np.isfinite(series.values).any() for series in self.series)

    @property
    def positions(self) -> FloatArray:
        """Positions of all curves: ndarray of float64, shape (n,)."""
        first = self.series[0].positions if self.series else None
        return np.empty(0) if first is None else first

    def to_table(self) -> NumberTable:
        """One row per position."""
        header = _header(self.x_axis, self.series)
        places = [_number(value, self.x_axis.unit) for value in self.positions]
        columns = list(self.series)
        for each in self.series:
            if each.band is not None:
                names = (
                    f"{each.name.text()}, {bound}"
                    for bound in ("2.5\u202f%", "97.5\u202f%")
                )
                header = (*header, *names)
                columns += [Series(each.name, bound) for bound in each.band]
        rows = _rows(places, columns)
        if not self.notes:
            return NumberTable(header, rows)
        noted = zip(rows, self.notes, strict=True)
        header = (*header, self.notes_name.text())
        return NumberTable(header, tuple((*row, note) for row, note in noted))


@dataclass(frozen=True, eq=False, repr=False)
class HeatMap:
    """Numbers of every pair of a row and a column, as colours.

    Parameters
    ----------
    values : ndarray of float64, shape (n_rows, n_columns)
    value_axis : Axis
        What the numbers are.
    highest : float
        The least value that has the strongest colour; 0 has the weakest.
    """

    title: Phrase
    sentence: Phrase
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    values: FloatArray
    value_axis: Axis
    highest: float

    def __post_init__(self) -> None:
        assert self.values.shape == (len(self.row_labels), len(self.column_labels))

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        return self.values.size == 0

    def to_table(self) -> NumberTable:
        """One row per row of the map, one column per column."""
        unit = self.value_axis.unit
        rows = tuple(
            (label, *(_number(value, unit) for value in row))
            for label, row in zip(self.row_labels, self.values, strict=True)
        )
        return NumberTable((self.value_axis.label.text(), *self.column_labels), rows)


def _header(axis: Axis, series: Sequence[Series]) -> tuple[str, ...]:
    return (axis.label.text(), *(each.name.text() for each in series))


def _rows(
    places: Sequence[Cell], series: Sequence[Series]
) -> tuple[tuple[Cell, ...], ...]:
    columns = [[_number(value, None) for value in each.values] for each in series]
    return tuple(zip(places, *columns, strict=True))


def _number(value: float, unit: AxisUnit | None) -> int | float:
    """Python number for a cell; whole counts without a decimal point."""
    value = float(value)
    return int(value) if unit is not AxisUnit.SHARE and value.is_integer() else value
