"""Writes columns as delimited text that every program reads alike."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import polars as pl

from deidgui.engine.arrays import Int32Array
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

ROWS_AT_ONCE = 250_000

# What would change the cell, or the line, if it were written without quotes.
_NEEDS_QUOTES = r'["\x00-\x1f\x{feff}]|^ | $'


class BinaryTarget(Protocol):
    """What the text is written to."""

    def write(self, data: bytes, /) -> Any:
        """Take the next bytes."""


@dataclass(frozen=True, repr=False, eq=False)
class OutputColumn:
    """One column to write: a code per row and the texts they stand for.

    Parameters
    ----------
    codes : ndarray of int32, shape (n_rows,), each in [0, len(texts))
    texts : sequence of str
        Need be neither sorted nor distinct.
    """

    name: str
    codes: Int32Array
    texts: Sequence[str] | pl.Series

    def __repr__(self) -> str:
        return f"<OutputColumn {self.name!r}: {len(self.codes)} rows>"


@dataclass(frozen=True)
class WriteReport:
    """What was written.

    Parameters
    ----------
    n_rows : int
        Records, the header not counted.
    sha256 : str
        Of the bytes written, 64 hexadecimal digits.
    """

    n_rows: int
    n_bytes: int
    sha256: str


def write_table(
    target: BinaryTarget,
    columns: Sequence[OutputColumn],
    *,
    delimiter: str = ",",
    monitor: Monitor = NULL_MONITOR,
) -> WriteReport:
    """Write columns as UTF-8 text with a header, the same bytes every time.

    Lines end with LF. Cells are quoted with ``"`` only where they must be: if
    they hold the delimiter, a quote, a line break or another control character,
    or begin or end with a blank.

    Parameters
    ----------
    columns : sequence of OutputColumn
        At least one, all with the same number of rows.
    delimiter : str
        One character.

    Raises
    ------
    ConfigError
        Code ``delimiter_unusable``.
    """
    assert columns
    assert len({len(column.codes) for column in columns}) == 1
    if len(delimiter) != 1 or delimiter in '"\0\r\n':
        raise ConfigError("delimiter_unusable")
    counting = _Counting(target)
    alone = len(columns) == 1
    names = pl.Series([column.name for column in columns], dtype=pl.String)
    header = _quoted(names, delimiter, alone).to_list()
    counting.write((delimiter.join(header) + "\n").encode())
    texts = []
    for place, column in enumerate(columns):
        part = SubMonitor(monitor, 0.1 * place / len(columns), 0.1)
        texts.append(_prepared(column, delimiter, alone, part))
    n_rows = len(columns[0].codes)
    for first in range(0, n_rows, ROWS_AT_ONCE):
        counting.write(_batch(columns, texts, first, delimiter))
        monitor.report(0.1 + 0.9 * min(1.0, (first + ROWS_AT_ONCE) / n_rows), "writing")
    return WriteReport(n_rows, counting.n_bytes, counting.digest.hexdigest())


class _Counting:
    """Passes bytes on, counts and hashes them."""

    def __init__(self, target: BinaryTarget) -> None:
        self._target = target
        self.n_bytes = 0
        self.digest = hashlib.sha256()

    def write(self, data: bytes) -> None:
        self._target.write(data)
        self.digest.update(data)
        self.n_bytes += len(data)


def _prepared(
    column: OutputColumn, delimiter: str, alone: bool, monitor: Monitor
) -> pl.Series:
    """Texts of a column as they are written."""
    texts = pl.Series(column.texts, dtype=pl.String)
    written = [pl.Series([], dtype=pl.String)]
    for first in range(0, len(texts), ROWS_AT_ONCE):
        batch = texts.slice(first, ROWS_AT_ONCE)
        written.append(_quoted(batch, delimiter, alone))
        monitor.report(0.0, "writing")
    return pl.concat(written, rechunk=True)


def _quoted(texts: pl.Series, delimiter: str, alone: bool) -> pl.Series:
    """Quote texts that need it; an empty one too if it would be an empty line."""
    must = texts.str.contains(_NEEDS_QUOTES) | texts.str.contains(
        delimiter, literal=True
    )
    if alone:
        must = must | (texts == "")
    doubled = texts.str.replace_all('"', '""', literal=True)
    return pl.select(
        pl.when(must)
        .then(pl.concat_str(pl.lit('"'), doubled, pl.lit('"')))
        .otherwise(texts)
    ).to_series()


def _batch(
    columns: Sequence[OutputColumn],
    texts: Sequence[pl.Series],
    first: int,
    delimiter: str,
) -> bytes:
    """Lines of some rows."""
    cells = [
        each.gather(pl.Series(column.codes[first : first + ROWS_AT_ONCE]))
        for column, each in zip(columns, texts, strict=True)
    ]
    lines = pl.select(pl.concat_str(cells, separator=delimiter)).to_series()
    return (str(lines.str.join("\n").item()) + "\n").encode()
