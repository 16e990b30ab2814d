"""Tables: columns as integer codes with dictionaries of raw text."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import polars as pl

from deidgui.engine.arrays import BoolArray, Int32Array, IntArray

ROWS_AT_ONCE = 1 << 20
"""Rows that are looked at together, so that what is made of them stays small."""

_FEW = 1_000


@dataclass(frozen=True, repr=False, eq=False)
class Column:
    """One column: a code per row and the distinct raw texts they stand for.

    Parameters
    ----------
    name : str
        Unique in its table.
    codes : ndarray of int32, shape (n_rows,), each in [0, n_values)
    values : polars Series of String, length n_values
        Distinct raw texts, sorted by code point, no nulls. The raw text of a
        missing value (empty, ``NA``, ``?``) is kept like any other.
    missing_codes : ndarray of int32, sorted
        Codes whose text means "no value".
    people : ndarray of int32, shape (n_rows,), or None
        Person of each row; None where each row is one.
    absent : ndarray of bool, shape (n_rows,), optional
        Rows in which the column has no cell: of events, rows that stand for a person
        without an event, and events of other tables. Their code is that of the empty
        text, but they are counted neither as a value nor as a missing one.
    """

    name: str
    codes: Int32Array
    values: pl.Series
    missing_codes: Int32Array = field(default_factory=lambda: np.empty(0, np.int32))
    people: Int32Array | None = None
    absent: BoolArray | None = None

    def __repr__(self) -> str:
        return f"<Column {self.name!r}: {len(self.codes)} rows>"

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.codes)

    @property
    def n_values(self) -> int:
        """Number of distinct raw texts, missing ones included."""
        return len(self.values)

    @cached_property
    def counts(self) -> IntArray:
        """Cells per distinct text: ndarray of int64, shape (n_values,)."""
        cells = self.codes if self.absent is None else self.codes[~self.absent]
        found = np.zeros(self.n_values, np.int64)
        # PERF: of all at once numpy makes a copy of 8 bytes for each row.
        step = max(ROWS_AT_ONCE, self.n_values)
        for start in range(0, len(cells), step):
            part = cells[start : start + step]
            found += np.bincount(part, minlength=self.n_values)
        return found

    @property
    def n_cells(self) -> int:
        """Number of rows in which the column has a cell, with a value or without."""
        return self.n_rows if self.absent is None else int(self.counts.sum())

    @cached_property
    def holders(self) -> IntArray:
        """People per distinct text, rows where each is one: int64, (n_values,)."""
        if self.people is None:
            return self.counts
        # PERF: `np.unique` hashes; sorting takes a fifth of the time.
        people, cells = self.people, self.codes
        if self.absent is not None:
            people, cells = people[~self.absent], cells[~self.absent]
        pairs = np.sort(people.astype(np.int64) * self.n_values + cells)
        codes = pairs[np.diff(pairs, prepend=-1) > 0] % max(self.n_values, 1)
        return np.bincount(codes, minlength=self.n_values).astype(np.int64)

    @cached_property
    def is_missing(self) -> BoolArray:
        """Which distinct texts mean "no value": ndarray of bool, (n_values,)."""
        mask = np.zeros(self.n_values, dtype=np.bool_)
        mask[self.missing_codes] = True
        return mask

    @property
    def n_missing(self) -> int:
        """Rows without a value."""
        return int(self.counts[self.missing_codes].sum())

    def text(self, row: int) -> str:
        """Raw text of one row."""
        return str(self.values[int(self.codes[row])])

    def texts(self) -> list[str]:
        """All distinct raw texts, by code."""
        return self.values.to_list()

    def present(self) -> list[str]:
        """Distinct raw texts that are values (missing ones left out)."""
        return self.values.filter(pl.Series(~self.is_missing)).to_list()

    def with_missing(self, tokens: Iterable[str]) -> Column:
        """Return the same column with other texts meaning "no value"."""
        wanted = set(tokens)
        if self.n_values <= _FEW:
            # PERF: a call of polars takes 0.15 ms, however few values there are.
            texts = enumerate(self.values.to_list() if wanted else ())
            codes = np.array([at for at, text in texts if text in wanted], np.int32)
        else:
            hits = self.values.is_in(list(wanted)).to_numpy()
            codes = np.flatnonzero(hits).astype(np.int32)
        return replace(self, missing_codes=codes)

    def take(self, rows: IntArray) -> Column:
        """Return some rows; values that none of them has keep their codes."""
        people = None if self.people is None else self.people[rows]
        absent = None if self.absent is None else self.absent[rows]
        return replace(self, codes=self.codes[rows], people=people, absent=absent)

    @classmethod
    def from_texts(
        cls, name: str, texts: Sequence[str], missing: Iterable[str] = ("",)
    ) -> Column:
        """Build a column from one text per row (for small tables and tests)."""
        distinct = sorted(set(texts))
        index = {text: code for code, text in enumerate(distinct)}
        codes = np.fromiter((index[text] for text in texts), np.int32, len(texts))
        column = cls(name, codes, pl.Series(distinct, dtype=pl.String))
        return column.with_missing(missing)


@dataclass(frozen=True)
class LineIndex:
    """On which line of its file each row starts.

    Parameters
    ----------
    first : int
        Line (from 1) of row 0.
    irregular_rows, irregular_lines : sequence of int
        Ascending rows at which the line differs from the running count, and
        their lines: rows after a quoted line break or an empty line.
    """

    first: int = 1
    irregular_rows: Sequence[int] = ()
    irregular_lines: Sequence[int] = ()

    def line(self, row: int) -> int:
        """Line (from 1) on which `row` starts."""
        at = bisect.bisect_right(self.irregular_rows, row) - 1
        if at < 0:
            return self.first + row
        return int(self.irregular_lines[at]) + row - int(self.irregular_rows[at])


@dataclass(frozen=True)
class LinesOfSome(LineIndex):
    """On which line each of some rows of a table starts.

    Parameters
    ----------
    rows : ndarray of int64, ascending
    of : LineIndex or None
        Of the whole table.
    """

    rows: IntArray = field(default_factory=lambda: np.empty(0, np.int64), repr=False)
    of: LineIndex = field(default_factory=LineIndex)

    def line(self, row: int) -> int:
        """Line (from 1) on which `row` starts."""
        return self.of.line(int(self.rows[row]))


@dataclass(frozen=True, repr=False, eq=False)
class Table:
    """A file that was read: never mutated, only replaced.

    Parameters
    ----------
    name : str
        File name without folder.
    columns : tuple of Column
        All with the same number of rows, unique names.
    kinds : ndarray of int32, shape (n_rows,), optional
        Of several tables of events as one: of which of them each row is, -1 for a
        person without any event.
    """

    name: str
    columns: tuple[Column, ...]
    lines: LineIndex = LineIndex()
    kinds: Int32Array | None = None

    def __post_init__(self) -> None:
        assert len({column.n_rows for column in self.columns}) <= 1
        assert len(set(self.column_names)) == len(self.columns)

    def __repr__(self) -> str:
        return f"<Table {self.n_rows} rows: {', '.join(self.column_names)}>"

    @property
    def n_rows(self) -> int:
        """Number of records."""
        return self.columns[0].n_rows if self.columns else 0

    @cached_property
    def column_names(self) -> tuple[str, ...]:
        """Column names in file order."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def absent(self) -> BoolArray | None:
        """Rows that stand for a person without an event; None if there are none.

        ndarray of bool, shape (n_rows,).
        """
        if self.kinds is not None:
            is_alone = self.kinds < 0
            return is_alone if is_alone.any() else None
        masks = (each.absent for each in self.columns)
        return next((each for each in masks if each is not None), None)

    def rows_of_kind(self, kind: int) -> IntArray:
        """Rows that are events of one table of events: ndarray of int64, ascending."""
        if self.kinds is not None:
            return np.flatnonzero(self.kinds == kind)
        is_event = np.ones(self.n_rows, np.bool_)
        return np.flatnonzero(is_event if self.absent is None else ~self.absent)

    def kind_of(self, column: Column) -> int:
        """Number of the table of events that a column of events is from."""
        if self.kinds is None or column.absent is None or column.absent.all():
            return 0
        return int(self.kinds[np.argmin(column.absent)])

    def column(self, name: str) -> Column:
        """Return the column called `name` (KeyError if there is none)."""
        return self._by_name[name]

    def has_column(self, name: str) -> bool:
        """Whether there is a column called `name`."""
        return name in self._by_name

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {column.name: column for column in self.columns}

    def of_people(self, key: str | None) -> Table:
        """Return the same table, whose rows belong to the people of a column.

        Parameters
        ----------
        key : str or None
            Each different text is a person; each row where it is None, or no column.
        """
        people = self.column(key).codes if key in self._by_name and key else None
        return self.with_columns(replace(each, people=people) for each in self.columns)

    def take(self, rows: IntArray) -> Table:
        """Return some rows.

        Parameters
        ----------
        rows : ndarray of int64, ascending
        """
        return replace(
            self,
            columns=tuple(column.take(rows) for column in self.columns),
            lines=LinesOfSome(rows=rows, of=self.lines),
            kinds=None if self.kinds is None else self.kinds[rows],
        )

    def with_columns(self, columns: Iterable[Column]) -> Table:
        """Return the same table with other columns."""
        return replace(self, columns=tuple(columns))
