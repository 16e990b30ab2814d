"""What a release holds: rows of texts that are made only when they are read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import polars as pl

from deidgui.engine.arrays import BoolArray, Int32Array, IntArray
from deidgui.engine.transform.pseudonyms import PseudonymKey


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

    def chunks(self, n_rows: int = 100_000) -> Iterator[IntArray]:
        """Original records of successive released rows, at most `n_rows` each."""
        for start in range(0, self.n_rows, n_rows):
            yield self.rows[start : start + n_rows]

    def cells(self, rows: IntArray) -> list[list[str]]:
        """Released texts of some original records, row by row, for display."""
        columns = [self.texts(column, rows).to_list() for column in self.columns]
        return [list(row) for row in zip(*columns, strict=True)]
