"""Reads a released table in blocks that are counted without a loop over rows."""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import polars as pl

from deidgui.engine.evidence.folder import ReleaseFolder, read_blocks

_N_THREADS = 2
_QUOTED = r'["\x00-\x1f,\x{feff}]|^ | $'


class OddFormError(Exception):
    """A file is not of the form that this program writes: it is read strictly."""


def read_frames(
    folder: ReleaseFolder, relative: str, header: Sequence[str]
) -> Iterator[pl.DataFrame]:
    """Yield the rows of a CSV file, column by column, all texts as they are.

    Parameters
    ----------
    header : sequence of str
        The file's, at least two.

    Raises
    ------
    OddFormError
        If the rows, written again, are not the bytes of the file.

    Notes
    -----
    Nothing rests on how the parser takes odd texts: what it has read is written
    again, each cell in the only form it can have, and must give the same bytes.
    """
    columns = [str(place) for place in range(len(header))]
    blocks = read_blocks(folder, relative)
    for number, frame in enumerate(_parsed_ahead(blocks, columns)):
        if number == 0:
            if frame.height == 0 or list(frame.row(0)) != list(header):
                raise OddFormError
            yield frame.slice(1)
        else:
            yield frame


def _parsed_ahead(
    blocks: Iterable[bytes], columns: Sequence[str]
) -> Iterator[pl.DataFrame]:
    """Yield blocks as tables, made by threads while those before are counted."""
    ahead: deque[Future[pl.DataFrame]] = deque()
    with ThreadPoolExecutor(_N_THREADS, thread_name_prefix="frames") as pool:
        for block in blocks:
            ahead.append(pool.submit(_parsed, block, columns))
            if len(ahead) > _N_THREADS:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()


def _parsed(block: bytes, columns: Sequence[str]) -> pl.DataFrame:
    if not block:
        raise OddFormError
    try:
        frame = pl.read_csv(
            io.BytesIO(block),
            has_header=False,
            new_columns=list(columns),
            infer_schema=False,
            raise_if_empty=False,
        )
    except (pl.exceptions.PolarsError, ValueError):
        raise OddFormError from None
    frame = frame.with_columns(pl.all().fill_null(""))
    if frame.columns != list(columns) or _written(frame) != block:
        raise OddFormError
    return frame


def _written(frame: pl.DataFrame) -> bytes:
    """Lines of a table in the only form that each cell can have."""
    cells = [
        pl.when(pl.col(name).str.contains(_QUOTED))
        .then(
            pl.concat_str(
                pl.lit('"'),
                pl.col(name).str.replace_all('"', '""', literal=True),
                pl.lit('"'),
            )
        )
        .otherwise(pl.col(name))
        for name in frame.columns
    ]
    lines = frame.select(pl.concat_str(cells, separator=",").alias("line"))
    text = lines["line"].str.join("\n").item()
    return (str(text) + "\n").encode() if text is not None else b""
