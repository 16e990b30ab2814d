"""Tables with fewer rows and columns with other values, for the steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from deidgui.engine.arrays import AnyArray, BoolArray
from deidgui.engine.data.table import Column, Table
from deidgui.errors import ConfigError


def nearest_rank(values: AnyArray, share: float) -> int:
    """Smallest value with at least a share of the values at or below it.

    Parameters
    ----------
    values : ndarray of int, shape (n,), not empty
    share : float in (0, 1]

    Raises
    ------
    ConfigError
        Code ``percentile``.
    """
    if not 0 < share <= 1 or not len(values):
        raise ConfigError("percentile", share=share)
    place = int(np.ceil(share * len(values) - 1e-9)) - 1
    return int(np.partition(values, place)[place])


def keep_rows(table: Table, keep: BoolArray) -> Table:
    """Return the table with some of its rows, in their order.

    Parameters
    ----------
    keep : ndarray of bool, shape (n_rows,)

    Returns
    -------
    Table
        Its columns know only values that some row has, its rows their lines.
    """
    taken = table.take(np.flatnonzero(keep))
    return taken.with_columns(map(_used, taken.columns))


def n_events(table: Table) -> int:
    """Count the rows that are events: not those of people without any."""
    return int(np.count_nonzero(has_event(table)))


def has_event(table: Table) -> BoolArray:
    """Rows that are events: ndarray of bool, shape (n_rows,)."""
    absent = table.absent
    return np.ones(table.n_rows, np.bool_) if absent is None else ~absent


def has_cell(column: Column) -> BoolArray:
    """Rows in which a column has a cell: ndarray of bool, shape (n_rows,)."""
    absent = column.absent
    return np.ones(column.n_rows, np.bool_) if absent is None else ~absent


def _used(column: Column) -> Column:
    """Leave out values that no row has."""
    if column.absent is not None and not column.absent.any():
        column = replace(column, absent=None)
    is_used = np.bincount(column.codes, minlength=column.n_values) > 0
    if is_used.all():
        return column
    new = (np.cumsum(is_used) - 1).astype(np.int32)
    missing = new[np.flatnonzero(column.is_missing & is_used)]
    values = column.values.filter(pl.Series(is_used))
    return replace(
        column, codes=new[column.codes], values=values, missing_codes=missing
    )


def with_texts(
    column: Column, texts: Sequence[str], codes: AnyArray, missing: Sequence[str]
) -> Column:
    """Return a column with other values.

    Parameters
    ----------
    texts : sequence of str
        Texts that rows have; some may be equal.
    codes : ndarray of int, shape (n_rows,), each in [0, len(texts))
        Which of them each row has.
    missing : sequence of str
        Texts that mean "no value".
    """
    texts, absent = list(texts), column.absent
    if absent is not None:
        # What has no cell keeps the empty text: see `Column.absent`.
        codes, texts = np.where(absent, len(texts), codes), [*texts, ""]
    distinct = sorted(set(texts))
    place = {text: at for at, text in enumerate(distinct)}
    new = np.array([place[text] for text in texts], np.int32)
    values = pl.Series(distinct, dtype=pl.String)
    own = new[codes] if len(texts) else codes
    made = Column(column.name, own, values, people=column.people, absent=absent)
    return _used(made).with_missing(missing)


def with_column(table: Table, column: Column) -> Table:
    """Return the table with another column in the place of its namesake."""
    return table.with_columns(
        column if each.name == column.name else each for each in table.columns
    )


def row_hashes(table: Table, seed: int) -> AnyArray:
    """Number of each row that only its content and a seed decide.

    Returns
    -------
    ndarray of uint64, shape (n_rows,)
        Equal for equal rows; in no order that means anything.
    """
    found = np.full(table.n_rows, seed, np.uint64)
    for column in table.columns:
        found = _mixed(found ^ column.codes.astype(np.uint64))
    return found


def _mixed(numbers: AnyArray) -> AnyArray:
    """Finish of SplitMix64: every bit of the number changes every bit of the result."""
    n = numbers + np.uint64(0x9E3779B97F4A7C15)
    n = (n ^ (n >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    n = (n ^ (n >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(n ^ (n >> np.uint64(31)))
