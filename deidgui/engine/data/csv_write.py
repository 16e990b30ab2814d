"""Writes columns as delimited text that every program reads alike."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import polars as pl

from deidgui.engine.arrays import Int32Array, IntArray
from deidgui.engine.data.csv_write_kernels import (
    Bytes,
    add_lengths,
    put_texts,
    quote_texts,
)
from deidgui.engine.threads import in_order
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor

ROWS_AT_ONCE = 100_000
_TEXTS_AT_ONCE = 250_000
_CELLS_AT_ONCE = 1 << 16  # PERF: what is joined fits into a cache


class BinaryTarget(Protocol):
    """What the text is written to."""

    def write(self, data: bytes | memoryview, /) -> Any:
        """Take the next bytes."""


class Codes(Protocol):
    """Codes of rows that may be worked out only when they are asked for."""

    def __len__(self) -> int:
        """Return the number of rows."""

    def __getitem__(self, rows: slice, /) -> Int32Array:
        """Return the codes of some rows that follow each other; called in threads."""


@dataclass(frozen=True, repr=False, eq=False)
class OutputColumn:
    """One column to write: a code per row and the texts they stand for.

    Parameters
    ----------
    codes : Codes, or ndarray of int32, shape (n_rows,)
        Each in [0, len(texts)).
    texts : sequence of str
        Need be neither sorted nor distinct.
    """

    name: str
    codes: Codes
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
    codes = [column.codes for column in columns]
    n_rows, done = len(codes[0]), 0
    counting.write(_header([column.name for column in columns], delimiter))
    texts = [pl.Series(column.texts, dtype=pl.String) for column in columns]
    dictionaries = _dictionaries(texts, delimiter, monitor)

    def report() -> None:
        monitor.report(0.1 + 0.9 * min(1.0, done / max(n_rows, 1)), "writing")

    def take(parts: Sequence[Bytes]) -> None:
        nonlocal done
        for part in parts:
            counting.write(part.data)
        done += ROWS_AT_ONCE
        report()

    def join(first: int) -> list[Bytes]:
        rows = slice(first, min(first + ROWS_AT_ONCE, n_rows))
        return list(_lines([each[rows] for each in codes], dictionaries))

    in_order(join, range(0, n_rows, ROWS_AT_ONCE), take, report)
    return WriteReport(n_rows, counting.n_bytes, counting.digest.hexdigest())


class _Counting:
    """Passes bytes on, counts and hashes them."""

    def __init__(self, target: BinaryTarget) -> None:
        self._target = target
        self.n_bytes = 0
        self.digest = hashlib.sha256()

    def write(self, data: bytes | memoryview) -> None:
        self._target.write(data)
        self.digest.update(data)
        self.n_bytes += len(data)


@dataclass(frozen=True, repr=False, eq=False)
class _Dictionary:
    """Texts of a column as they are written, with what stands behind each.

    Parameters
    ----------
    heap : ndarray of uint8
        The texts one after another.
    tails : ndarray of int64, shape (n_texts + 1,)
        Where each starts.
    """

    heap: Bytes
    tails: IntArray


def _header(names: Sequence[str], delimiter: str) -> bytes:
    line, _ = _quoted(pl.Series(names), delimiter, delimiter, alone=len(names) == 1)
    return line.tobytes()[: -len(delimiter.encode())] + b"\n"


def _dictionaries(
    texts: Sequence[pl.Series], delimiter: str, monitor: Monitor
) -> list[_Dictionary]:
    """Texts of all columns as they are written."""
    alone, last, done = len(texts) == 1, len(texts) - 1, 0
    tails = [np.zeros(len(each) + 1, np.int64) for each in texts]
    heaps: list[Bytes] = []
    found: list[_Dictionary] = []
    batches = [
        (place, first)
        for place, each in enumerate(texts)
        for first in range(0, max(len(each), 1), _TEXTS_AT_ONCE)
    ]

    def quote(batch: tuple[int, int]) -> tuple[Bytes, IntArray]:
        place, first = batch
        part = texts[place].slice(first, _TEXTS_AT_ONCE)
        ending = "\n" if place == last else delimiter
        return _quoted(part, delimiter, ending, alone=alone)

    def take(part: tuple[Bytes, IntArray]) -> None:
        nonlocal done
        (place, first), (heap, lengths) = batches[done], part
        heaps.append(heap)
        tails[place][first + 1 : first + 1 + len(lengths)] = lengths
        done += 1
        if done == len(batches) or batches[done][0] != place:
            np.cumsum(tails[place], out=tails[place])
            found.append(_Dictionary(np.concatenate(heaps), tails[place]))
            heaps.clear()
        report()

    def report() -> None:
        monitor.report(0.1 * done / len(batches), "writing")

    in_order(quote, batches, take, report)
    return found


def _quoted(
    texts: pl.Series, delimiter: str, ending: str, *, alone: bool
) -> tuple[Bytes, IntArray]:
    """Bytes of texts as they are written, one after another, and how many each has."""
    heap, between, behind = (
        np.frombuffer(each.encode(), np.uint8)
        for each in (str(texts.str.join("").item()), delimiter, ending)
    )
    lengths = texts.str.len_bytes().to_numpy().astype(np.int64)
    return quote_texts(heap, lengths, between, alone, behind)


def _lines(
    columns: Sequence[Int32Array], dictionaries: Sequence[_Dictionary]
) -> Iterator[Bytes]:
    """Yield the lines of some rows, in parts."""
    n_rows, step = len(columns[0]), max(_CELLS_AT_ONCE // len(columns), 1)
    for first in range(0, n_rows, step):
        parts = [codes[first : first + step] for codes in columns]
        places = np.zeros(len(parts[0]) + 1, np.int64)
        for codes, each in zip(parts, dictionaries, strict=True):
            add_lengths(codes, each.tails, places)
        np.cumsum(places, out=places)
        lines = np.empty(places[-1], np.uint8)
        for codes, each in zip(parts, dictionaries, strict=True):
            put_texts(codes, each.tails, each.heap, places, lines)
        yield lines
