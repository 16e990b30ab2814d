"""The released table, in the order in which it is released, and its bytes as CSV."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl

from deidgui.engine.arrays import BoolArray, Int32Array, IntArray
from deidgui.engine.data.csv_write import (
    BinaryTarget,
    OutputColumn,
    WriteReport,
    write_table,
)
from deidgui.engine.transform.pseudonyms import PseudonymKey
from deidgui.monitor import NULL_MONITOR, Monitor


@dataclass(frozen=True, repr=False, eq=False)
class ReleasedColumn:
    """One released column: how each original text leaves the program.

    Parameters
    ----------
    name : str
        Header in the released file.
    attribute : str
        Name of the column it was made from.
    source : ndarray of int32, shape (n_records,)
        Codes of the original column, or numbers of the records' combinations of
        quasi-identifiers; shared and never changed.
    lookup : ndarray of int32, shape (n codes,)
        Released text of each code, as a number in `values`.
    values : polars Series of String
        Released texts.
    star : int
        Number of the text that stands for a suppressed value.
    """

    name: str
    attribute: str
    source: Int32Array
    lookup: Int32Array
    values: pl.Series
    star: int

    def __repr__(self) -> str:
        return f"<ReleasedColumn {self.name!r}>"


@dataclass(frozen=True, repr=False, eq=False)
class ReleasedTable:
    """A policy applied to a table; texts are looked up when they are read.

    Parameters
    ----------
    rows : ndarray of int64, shape (n_rows,)
        Original record of each released row.
    suppressed : ndarray of bool, shape (n_records,)
        Which original records are suppressed.
    keys : tuple of PseudonymKey
        One per pseudonymised column; forgotten with this object.
    """

    columns: tuple[ReleasedColumn, ...]
    rows: IntArray
    suppressed: BoolArray
    keys: tuple[PseudonymKey, ...] = field(default=())

    def only(self, names: Collection[str], rows: IntArray) -> ReleasedTable:
        """Return a table of some columns, by the names of their attributes.

        Parameters
        ----------
        rows : ndarray of int64, shape (n,)
            Original records, in the order in which they are released.
        """
        columns = tuple(each for each in self.columns if each.attribute in names)
        return replace(self, columns=columns, rows=rows)

    def __repr__(self) -> str:
        return f"<ReleasedTable {self.n_rows} rows: {', '.join(self.column_names)}>"

    @property
    def n_rows(self) -> int:
        """Number of rows of the released file."""
        return len(self.rows)

    @property
    def n_suppressed(self) -> int:
        """Number of records of which nothing is released."""
        return int(self.suppressed.sum())

    @property
    def column_names(self) -> tuple[str, ...]:
        """Headers in file order."""
        return tuple(column.name for column in self.columns)

    def codes(self, column: ReleasedColumn, rows: IntArray) -> Int32Array:
        """Released text of some original records, as numbers in `column.values`.

        Parameters
        ----------
        rows : ndarray of int64, shape (n,)
            Original records.

        Returns
        -------
        ndarray of int32, shape (n,)
        """
        codes = column.lookup[column.source[rows]]
        codes[self.suppressed[rows]] = column.star
        return codes

    def texts(self, column: ReleasedColumn, rows: IntArray) -> pl.Series:
        """Released texts of some original records."""
        return column.values.gather(pl.Series(self.codes(column, rows)))

    def count_texts(self, column: ReleasedColumn) -> IntArray:
        """Rows by released text of a column: int64, shape (n texts of `values`,)."""
        n_texts = len(column.values)
        counts = np.zeros(n_texts, np.int64)
        # PERF: a step counts at least as many rows as it adds counters.
        step = max(n_texts, _ROWS_AT_ONCE)
        for start in range(0, self.n_rows, step):
            codes = self.codes(column, self.rows[start : start + step])
            counts += np.bincount(codes, minlength=n_texts)
        return counts


_ROWS_AT_ONCE = 1_000_000


def write_csv(
    released: ReleasedTable, file: BinaryTarget, *, monitor: Monitor = NULL_MONITOR
) -> WriteReport:
    """Write a release as CSV: UTF-8, commas, a header, lines that end in LF.

    Parameters
    ----------
    released : ReleasedTable
        Texts already harmless for spreadsheets where this was asked for.

    Returns
    -------
    WriteReport
        Rows, bytes and SHA-256 of exactly what was written.

    Raises
    ------
    OSError
        If the file cannot be written; the caller knows its name.
    """
    columns = [
        OutputColumn(each.name, _ReleasedCodes(released, each), each.values)
        for each in released.columns
    ]
    return write_table(file, columns, monitor=monitor)


@dataclass(frozen=True, eq=False)
class _ReleasedCodes:
    """Released text of every row of a column, as numbers, found when they are read."""

    released: ReleasedTable
    column: ReleasedColumn

    def __len__(self) -> int:
        return self.released.n_rows

    def __getitem__(self, rows: slice, /) -> Int32Array:
        return self.released.codes(self.column, self.released.rows[rows])


def shuffle_order(n_records: int, seed: int | None = None) -> IntArray:
    """Draw a random order of the records.

    Parameters
    ----------
    n_records : int, >= 0
    seed : int or None
        None draws from the operating system and cannot be repeated; a number
        gives the same order again, also to whoever learns it.

    Returns
    -------
    ndarray of int64, shape (n_records,)
        A permutation of 0..n_records-1.

    Notes
    -----
    Without a seed every record gets a random 64-bit key and the keys are sorted.
    Two of ten million keys are equal with a probability below 3e-6, and then
    only the order of these two records follows the input.
    """
    if seed is not None:
        return np.random.Generator(np.random.PCG64(seed)).permutation(n_records)
    # PRIVACY: a predictable order would link released to original records.
    keys = np.frombuffer(os.urandom(8 * n_records), dtype=np.uint64)
    return np.argsort(keys, kind="stable").astype(np.int64, copy=False)
