"""How a released table becomes the bytes of a CSV file."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

import polars as pl

from deidgui.engine.transform.released import ReleasedTable
from deidgui.monitor import NULL_MONITOR, Monitor

_SPECIAL = r'[",;\r\n\t]|^ | $'
"""Texts with these are put in quotation marks."""


@dataclass(frozen=True)
class Written:
    """What was written: the facts that evidence states about a file.

    Parameters
    ----------
    n_bytes, n_rows : int
        Rows without the header.
    sha256 : str
        Of exactly the bytes that were written.
    """

    n_bytes: int
    n_rows: int
    sha256: str


def write_csv(
    released: ReleasedTable, file: BinaryIO, *, monitor: Monitor = NULL_MONITOR
) -> Written:
    """Write a release as CSV: UTF-8, commas, a header, lines that end in LF.

    Parameters
    ----------
    released : ReleasedTable
    file : binary file, open for writing
    monitor : Monitor, optional

    Returns
    -------
    Written

    Raises
    ------
    OSError
        If the file cannot be written; the caller knows its name.
    """
    alone = len(released.columns) == 1
    quoted = [quote_texts(column.values, alone) for column in released.columns]
    header = quote_texts(pl.Series(released.column_names, dtype=pl.String), alone)
    digest, n_bytes = hashlib.sha256(), 0
    first = (",".join(header) + "\n").encode()
    for chunk, content in enumerate(_contents(released, quoted, first)):
        digest.update(content)
        file.write(content)
        n_bytes += len(content)
        monitor.report(min(1.0, chunk * _ROWS / max(released.n_rows, 1)), "write")
    return Written(n_bytes, released.n_rows, digest.hexdigest())


_ROWS = 100_000


def _contents(
    released: ReleasedTable, quoted: list[pl.Series], first: bytes
) -> Iterator[bytes]:
    yield first
    for rows in released.chunks(_ROWS):
        frame = pl.DataFrame(
            {
                str(place): texts.gather(pl.Series(released.codes(column, rows)))
                for place, (column, texts) in enumerate(
                    zip(released.columns, quoted, strict=True)
                )
            }
        )
        buffer = io.BytesIO()
        frame.write_csv(buffer, include_header=False, quote_style="never")
        yield buffer.getvalue()


def quote_texts(texts: pl.Series, alone: bool = False) -> pl.Series:
    """Return texts as they stand in a CSV line.

    Parameters
    ----------
    texts : polars Series of String, no nulls
    alone : bool
        Whether the column is the only one: an empty cell is then quoted, since an
        empty line would be no record.

    Returns
    -------
    polars Series of String
    """
    needs = texts.str.contains(_SPECIAL)
    if alone:
        needs = needs | (texts == "")
    if not needs.any():
        return texts
    at = needs.arg_true()
    marked = '"' + texts.gather(at).str.replace_all('"', '""', literal=True) + '"'
    return texts.clone().scatter(at, marked)
