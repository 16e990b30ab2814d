"""Finds a second table below the first one in the same file."""

from __future__ import annotations

import numpy as np

from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.data.encoding import EncodingEvidence
from deidgui.engine.data.table import Column, Table

_NUMBER = r"^\s*[+-]?\d+(?:[.,]\d+)*\s*$"
_MOSTLY = 0.8
"""Share of the cells with a text that are numbers in a column of numbers."""

NO_ROWS = np.empty(0, np.int64)


def stacked_tables(
    table: Table, n_blank_lines: int = 0
) -> tuple[EncodingEvidence, ...]:
    """Tell that a file may hold several tables, one below the other.

    An empty line alone tells nothing. There must also be records that read like a
    line of column names: a text in every cell, where a column holds numbers
    otherwise. They follow an empty record, or are as few as the empty lines that
    were left out while the file was read.

    Parameters
    ----------
    n_blank_lines : int
        Lines that were left out, so that the table does not tell where they stood.

    Returns
    -------
    tuple of EncodingEvidence
        One with the number of empty lines, or none.
    """
    empty = _empty_records(table)
    n_empty = len(empty) + n_blank_lines
    if not n_empty:
        return ()
    after = np.setdiff1d(empty + 1, empty)
    rows = after[after < table.n_rows]
    if n_blank_lines:
        rows = np.arange(1, table.n_rows)
    n_heads = len(_heads(table, rows))
    if not 0 < n_heads <= n_empty:
        return ()
    return (EncodingEvidence.of("stacked_tables", number=n_empty),)


def _empty_records(table: Table) -> IntArray:
    """Rows without a text in any cell.

    PERF: most files have none; whoever has no blank value in the first column is
    answered before any row is looked at.
    """
    rows: IntArray | None = None
    for column in table.columns:
        is_blank = _blank(column)
        if rows is None:
            rows = np.flatnonzero(is_blank[column.codes]) if is_blank.any() else NO_ROWS
        else:
            rows = rows[is_blank[column.codes[rows]]]
        if not len(rows):
            break
    return NO_ROWS if rows is None else rows


def _heads(table: Table, rows: IntArray) -> IntArray:
    """Of some rows those that read like a line of column names."""
    has_numbers = False
    for column in table.columns:
        is_blank, is_number = _blank(column), _number(column)
        is_name = ~is_blank & ~is_number
        is_name[column.missing_codes] = False
        rows = rows[is_name[column.codes[rows]]]
        if not len(rows):
            break
        n_filled = int(column.counts[~is_blank].sum())
        n_numbers = int(column.counts[is_number].sum())
        has_numbers |= n_numbers >= _MOSTLY * n_filled
    return rows if has_numbers else rows[:0]


def _blank(column: Column) -> BoolArray:
    found: BoolArray = (column.values.str.strip_chars() == "").to_numpy()
    return found


def _number(column: Column) -> BoolArray:
    found: BoolArray = column.values.str.contains(_NUMBER).to_numpy().copy()
    return found
