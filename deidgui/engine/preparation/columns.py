"""Tables with fewer rows and columns with other values, for the steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from deidgui.engine.arrays import AnyArray, BoolArray, IntArray
from deidgui.engine.data.table import Column, Table
from deidgui.errors import ConfigError

if TYPE_CHECKING:
    from deidgui.engine.data.people import People


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


def rows_with(table: Table, columns: Sequence[Column], step: str) -> IntArray:
    """Rows that are events of the table that some columns are from.

    Parameters
    ----------
    step : str
        Title of the step that works on it.

    Returns
    -------
    ndarray of int64, ascending

    Raises
    ------
    ConfigError
        Code ``step_of_one_table`` with several tables of events, if the columns do not
        say which one is meant.
    """
    kinds = {table.kind_of(each) for each in columns if each.absent is not None}
    if table.kinds is not None and len(kinds) != 1:
        raise ConfigError("step_of_one_table", step=step)
    return table.rows_of_kind(kinds.pop() if kinds else 0)


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


def event_hashes(table: Table, people: People, seed: int) -> AnyArray:
    """Number of each event that only its content and a seed decide.

    Parameters
    ----------
    people : People
        To whom the rows belong.

    Returns
    -------
    ndarray of uint64, shape (n_rows,)
        Equal for equal events, in no order that means anything; 0 for who has none.
        It is the same whether people and events came in one file or in two: columns
        count by their name, and those that are the same in all events of each person
        do not.
    """
    events = np.flatnonzero(has_event(table))
    owners = people.of_row[events]
    first = np.zeros(people.n_people, np.int64)
    first[owners[::-1]] = events[::-1]
    found = np.full(len(events), seed, np.uint64)
    for column in sorted(table.columns, key=lambda each: each.name):
        codes = column.codes[events]
        if (codes != column.codes[first[owners]]).any():
            # Ranks among the texts of events: other rows may have other texts.
            is_used = np.bincount(codes, minlength=column.n_values) > 0
            rank = np.cumsum(is_used).astype(np.uint64)
            found = _mixed(found ^ rank[codes])
    hashes = np.zeros(table.n_rows, np.uint64)
    hashes[events] = found
    return hashes


def _mixed(numbers: AnyArray) -> AnyArray:
    """Finish of SplitMix64: every bit of the number changes every bit of the result."""
    n = numbers + np.uint64(0x9E3779B97F4A7C15)
    n = (n ^ (n >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    n = (n ^ (n >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(n ^ (n >> np.uint64(31)))
