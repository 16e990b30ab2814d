"""What a person wants to know of each column: missing, failing, frequent values."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from deidgui.app.charts.columns import Spark, number_spark, value_spark
from deidgui.app.project import Attribute
from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.engine.data import dates
from deidgui.engine.data.missing import MissingCandidate, missing_candidates
from deidgui.engine.data.table import Column, LineIndex, Table
from deidgui.engine.data.value_types import (
    NUMBER_FORMATS,
    TypeGuess,
    ValueType,
    failing_cells,
    fitting,
    numbers,
)
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

TOP = 12
"""Most frequent values that are listed."""

PROBED = 200
"""Values from which a format is chosen."""

MOST_FAILING = 1_000
"""Failing cells that are listed."""


Cell = tuple[int, int, str]
"""Line in the file, row of the table, text."""


NEARLY_UNIQUE = 0.2
"""Share of the records with a value of their own above which a column is asked for."""


@dataclass(frozen=True, repr=False, eq=False)
class ColumnSummary:
    """Figures of one column under the decisions on its type and missing values.

    Parameters
    ----------
    n_rows, n_missing, n_failing : int
        Records; those without a value; those whose value is not of the type.
    n_values, n_unique : int
        Different values, missing ones left out; those that one record only has.
    top : tuple of (str, int)
        Most frequent values with their records; for the screen only.
    n_doubtful : int
        Texts that may mean "no value" and count as values.
    """

    n_rows: int
    n_missing: int
    n_failing: int
    n_values: int
    n_unique: int
    spark: Spark
    top: tuple[tuple[str, int], ...]
    n_doubtful: int = 0

    @property
    def is_nearly_unique(self) -> bool:
        """Whether so many records have a value of their own that it names them."""
        return self.n_unique > NEARLY_UNIQUE * self.n_rows

    @property
    def missing_share(self) -> float:
        """Share of the records without a value, in [0, 1]."""
        return self.n_missing / self.n_rows if self.n_rows else 0.0


def value_type_of(attribute: Attribute) -> ValueType:
    """Type of an attribute's values; decimals have a point where nothing is said."""
    default = "." if attribute.kind == "decimal" else ""
    return ValueType(attribute.kind, attribute.format or default)


def summarise(
    column: Column, attribute: Attribute, *, monitor: Monitor = NULL_MONITOR
) -> ColumnSummary:
    """Compute the figures of one column.

    Parameters
    ----------
    column : Column
        As read.
    attribute : Attribute
        Says its type and which texts mean "no value".

    Raises
    ------
    ConfigError
        As `ValueType`.
    """
    marked = column.with_missing(attribute.missing)
    value_type = value_type_of(attribute)
    fits = fitting(marked, value_type, monitor=SubMonitor(monitor, 0.0, 0.6))
    present = np.where(marked.is_missing, 0, marked.counts)
    monitor.report(0.7, "columns")
    candidates = missing_candidates(column)
    return ColumnSummary(
        n_rows=marked.n_cells,
        n_missing=marked.n_missing,
        n_failing=int(marked.counts[~fits].sum()),
        n_values=int(np.count_nonzero(present)),
        n_unique=int(np.count_nonzero(present == 1)),
        spark=_spark(marked, present, value_type),
        top=_top(marked, present),
        n_doubtful=sum(each.token not in attribute.missing for each in candidates),
    )


def _spark(column: Column, present: IntArray, value_type: ValueType) -> Spark:
    if value_type.kind in ("integer", "decimal"):
        mark = value_type.format or "."
        return number_spark(numbers(column, mark), present)
    by_value = value_spark(present, n_rows=column.n_cells)
    if value_type.kind != "date":
        return by_value
    days = number_spark(_days(column, value_type.format), present)
    return replace(by_value, heights=days.heights, is_ordered=True)


def _days(column: Column, date_format: str) -> FloatArray:
    moments = dates.parse(column.values, date_format).astype("datetime64[s]")
    seconds = moments.astype(np.int64).astype(np.float64)
    return np.where(np.isnat(moments), np.nan, seconds / 86_400)


def _top(column: Column, present: IntArray) -> tuple[tuple[str, int], ...]:
    n_shown = min(TOP, int(np.count_nonzero(present)))
    if not n_shown:
        return ()
    places = np.argpartition(-present, n_shown - 1)[:n_shown]
    places = places[np.lexsort((places, -present[places]))]
    texts = column.values.gather(places).to_list()
    return tuple(zip(texts, present[places].tolist(), strict=True))


def summarise_columns(
    table: Table,
    attributes: tuple[Attribute, ...],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, ColumnSummary]:
    """Compute the figures of some columns that the table has, by name."""
    found = {}
    for place, attribute in enumerate(attributes):
        part = (place / len(attributes), (place + 1) / len(attributes))
        column = table.column(attribute.name)
        found[attribute.name] = summarise(
            column, attribute, monitor=SubMonitor(monitor, *part)
        )
    return found


def likely_format(column: Column, kind: str) -> str | None:
    """Format in which most of some values are of a type; None if it needs none.

    Parameters
    ----------
    column : Column
        With missing values marked.
    kind : str
        Of `ValueType`.
    """
    formats = {"date": tuple(dates.FORMATS), "decimal": tuple(NUMBER_FORMATS)}
    if kind not in formats:
        return None
    places = np.flatnonzero(~column.is_missing & (column.counts > 0))
    texts = column.values.gather(places[:: len(places) // PROBED + 1])
    probe = Column("", np.arange(len(texts), dtype=np.int32), texts)
    # Of formats that fit as many values the first, more usual one.
    best = max(
        formats[kind],
        key=lambda name: int(fitting(probe, ValueType(kind, name)).sum()),  # type: ignore[arg-type]
    )
    return dates.with_pivot(best) if kind == "date" else best


def mark_table(
    table: Table,
    attributes: tuple[Attribute, ...],
    known: Table | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Table:
    """Return the table with the missing values of every column marked.

    Parameters
    ----------
    table : Table
        As read.
    known : Table, optional
        What this returned before for the same table: its columns are kept where
        the same texts mean "no value".
    """
    tokens = {each.name: each.missing for each in attributes}
    columns = []
    for place, column in enumerate(known.columns if known else table.columns):
        monitor.report(place / len(table.columns), "missing")
        wanted = set(tokens.get(column.name, ()))
        marked = set(column.values.gather(column.missing_codes).to_list())
        held = wanted if wanted == marked else _held(column, wanted)
        columns.append(column if held == marked else column.with_missing(wanted))
    return table.with_columns(columns)


def _held(column: Column, wanted: set[str]) -> set[str]:
    """Which of some texts the column has (its dictionary is sorted)."""
    values, n_values = column.values, column.n_values
    found = set()
    for text in wanted:
        place = int(values.search_sorted(text))
        if place < n_values and values[place] == text:
            found.add(text)
    return found


@dataclass(frozen=True, repr=False, eq=False)
class ColumnCheck:
    """What of one column a person may have to decide on.

    Parameters
    ----------
    failing : tuple of (int, int, str)
        Line in the file, row of the table and text of cells that are not of the
        type; for the screen only.
    n_failing : int
        All such cells.
    candidates : tuple of MissingCandidate
        Texts that may mean "no value".
    n_by_token : dict of str to int
        Records for each text that is decided to mean "no value".
    """

    failing: tuple[Cell, ...]
    n_failing: int
    candidates: tuple[MissingCandidate, ...]
    n_by_token: dict[str, int]


def check_column(
    table: Table, attribute: Attribute, *, monitor: Monitor = NULL_MONITOR
) -> ColumnCheck:
    """List the failing cells of a column and texts that may mean "no value".

    Raises
    ------
    ConfigError
        As `ValueType`.
    """
    column = table.column(attribute.name).with_missing(attribute.missing)
    value_type = value_type_of(attribute)
    fits = fitting(column, value_type, monitor=SubMonitor(monitor, 0.0, 0.4))
    n_failing = int(column.counts[~fits].sum())
    failing = _failing(column, value_type, table.lines) if n_failing else ()
    monitor.report(0.7, "columns")
    tokens = column.values.gather(column.missing_codes).to_list()
    counts = column.counts[column.missing_codes].tolist()
    candidates = missing_candidates(column, monitor=SubMonitor(monitor, 0.7, 1.0))
    return ColumnCheck(
        failing, n_failing, candidates, dict(zip(tokens, counts, strict=True))
    )


def _failing(
    column: Column, value_type: ValueType, lines: LineIndex
) -> tuple[Cell, ...]:
    cells = failing_cells(column, value_type, lines, MOST_FAILING)
    return tuple((line, row, column.text(row)) for line, row in cells)


def is_ambiguous(attribute: Attribute, guess: TypeGuess | None) -> bool:
    """Whether the values of a column can be read in two ways, as it is typed now."""
    return guess is not None and guess.ambiguous and attribute.kind == guess.kind
