"""Reads tables of counts from files, and from what is pasted from a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from deidgui.engine.counts.tables.cells import MARKS, CountCell, Mark, reads_as_number
from deidgui.engine.counts.tables.table import (
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
    CountTable,
    Layout,
)
from deidgui.engine.data.dialect import Dialect, guess_dialect
from deidgui.engine.data.encoding import utf8_blocks
from deidgui.engine.data.source import Source
from deidgui.engine.excel.reading import Limits, Sheet, text_of
from deidgui.errors import DeidError, InputError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import tr

MAX_BYTES = 32 << 20
"""A longer text is no table of counts."""

MAX_CELL = 2_000
"""Characters of a cell."""

SHEETS = Limits(MAX_ROWS, MAX_COLUMNS, 4 * MAX_CELLS)
"""Of a spreadsheet; what a single sheet may hold is said where a table is made."""

Grid = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, repr=False)
class ReadGrid:
    """What a file or a clipboard holds, and how it was cut into cells."""

    grid: Grid
    dialect: Dialect


def read_grid(
    source: Source, dialect: Dialect | None = None, *, monitor: Monitor = NULL_MONITOR
) -> ReadGrid:
    """Read the cells of a file; rows may differ in length.

    Parameters
    ----------
    dialect : Dialect, optional
        Found without one.

    Raises
    ------
    InputError
        Codes ``counts_too_long``, ``counts_cell_too_long`` (with the line),
        ``counts_empty``, ``counts_too_large``, ``counts_cut`` (a quote that is not
        closed), ``encoding_fails``, or as `Source.blocks`.
    ResourceError
        As `Source.blocks`.
    """
    if source.n_content_bytes > MAX_BYTES:
        raise InputError("counts_too_long", file=source.name, limit=MAX_BYTES >> 20)
    if dialect is None:
        dialect = guess_dialect(source, monitor=monitor).dialect
        # Titles are part of the table as it will be written again.
        dialect = replace(dialect, skip_lines=0)
    text = b"".join(utf8_blocks(source, dialect.encoding)).decode()
    return ReadGrid(_cut(text, source.name, dialect), dialect)


def pasted_grid(text: str, name: str) -> ReadGrid:
    """Cut what was typed or pasted: by tabs if there are any, else as found.

    Raises
    ------
    InputError
        As `read_grid`.
    """
    content = text.encode("utf-8", "replace")
    source = Source(name, None, None, "", len(content), len(content), b"", content)
    source = replace(source, head=content[: 1 << 20])
    if "\t" in text:
        return read_grid(source, Dialect(delimiter="\t", header=False))
    return read_grid(source)


def split_grid(grid: Grid, marks: Mapping[str, Mark] = MARKS) -> list[tuple[str, Grid]]:
    """Take several tables apart that stand below each other.

    A table begins after an empty row, with a row that names several columns; rows with
    one text alone before it are its title.

    Returns
    -------
    list of (str, tuple of tuple of str)
        Title, empty without one, and cells; the title stays in them.
    """
    starts, is_after_gap, title = [], True, None
    for at, row in enumerate(grid):
        texts = [text for text in row if text.strip()]
        if not texts:
            is_after_gap, title = True, None
        elif is_after_gap and len(texts) == 1 and row[0].strip():
            title = at if title is None else title
        else:
            names = [text for text in row[1:] if text.strip()]
            is_named = not any(reads_as_number(each, marks) for each in names)
            if is_after_gap and names and is_named:
                starts.append(at if title is None else title)
            is_after_gap, title = False, None
    if not starts:
        return [("", grid)]
    starts[0] = 0
    ends = [*starts[1:], len(grid)]
    return [_titled(grid[a:b]) for a, b in zip(starts, ends, strict=True)]


def _titled(grid: Grid) -> tuple[str, Grid]:
    first = next(row for row in grid if any(text.strip() for text in row))
    texts = [text.strip() for text in first if text.strip()]
    is_title = len(texts) == 1 and len(grid) > 1
    return (" ".join(texts[0].split())[:MAX_NAME] if is_title else ""), grid


def sheet_grid(sheet: Sheet, file: str) -> Grid:
    """Cells of a sheet as texts.

    Raises
    ------
    InputError
        Code ``counts_cell_too_long`` or ``too_many_columns``, with sheet and line.
    """
    rows = tuple(tuple(map(text_of, row)) for row in sheet.rows)
    for line, row in enumerate(rows, start=1):
        _check(row, line, f"{file}:{sheet.name}")
    return rows


def _cut(text: str, name: str, dialect: Dialect) -> Grid:
    lines = io.StringIO(text.replace("\0", "\ufffd"), newline="")
    reader = csv.reader(
        lines,
        delimiter=dialect.delimiter,
        quotechar=dialect.quote or None,
        quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
    )
    rows = []
    try:
        for row in reader:
            _check(row, reader.line_num, name)
            rows.append(row)
    except csv.Error:
        raise InputError("counts_cut", file=name, line=reader.line_num) from None
    # Rows are made equal in length where the table is made.
    return tuple(map(tuple, rows))


def _check(row: Sequence[str], line: int, name: str) -> None:
    for column, text in enumerate(row, start=1):
        if len(text) > MAX_CELL:
            raise InputError(
                "counts_cell_too_long",
                file=name,
                line=line,
                column=column,
                limit=MAX_CELL,
            )
    if len(row) > 4 * MAX_COLUMNS:
        raise InputError(
            "too_many_columns", file=name, line=line, found=len(row), limit=MAX_COLUMNS
        )


def read_table(
    source: Source,
    name: str,
    *,
    dialect: Dialect | None = None,
    layout: Layout | None = None,
    marks: Mapping[str, Mark] = MARKS,
    monitor: Monitor = NULL_MONITOR,
) -> CountTable:
    """Read a file as a table of counts (raises as `read_grid`, `CountTable.of`)."""
    grid = read_grid(source, dialect, monitor=monitor).grid
    return CountTable.of(name, grid, layout, marks)


def to_csv(grid: Iterable[Sequence[str]]) -> bytes:
    """UTF-8 CSV of a grid, as it is kept beside a project."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(grid)
    return text.getvalue().encode("utf-8", "replace")


def from_csv(content: bytes, name: str) -> Grid:
    """Read back what `to_csv` wrote (raises as `read_grid`)."""
    n_bytes = len(content)
    source = Source(name, None, None, "", n_bytes, n_bytes, b"", content)
    return read_grid(source, Dialect(header=False)).grid


MAX_NAME = 150
"""Characters of a proposed name."""

ENDINGS = r"(\.(csv|tsv|txt|dat|psv|gz|zip|xlsx|xlsm|xlsb|xls|ods))+$"


def name_of(file: str, taken: Iterable[str]) -> str:
    """Name for a table, after its file, that no other table has."""
    base = bare_name(file)[:MAX_NAME] or tr("Table")
    known, name, number = set(taken), base, 1
    while name in known:
        number += 1
        name = f"{base} ({number})"
    return name


def bare_name(file: str) -> str:
    """File name without its endings."""
    return re.sub(ENDINGS, "", file, flags=re.IGNORECASE)


# -- what is wrong ---------------------------------------------------------------------

MOST_PROBLEMS = 20
"""Cells that are named at once."""


def cell_problems(
    tables: Sequence[CountTable], *, allow_negative: bool = False
) -> list[DeidError]:
    """Name the cells that cannot be used: where, never what they say.

    Parameters
    ----------
    allow_negative : bool
        Whether counts may be below zero: those that noise was added to.

    Returns
    -------
    list of DeidError
        Codes of `read_cell`, each with the table, row and column; at most
        `MOST_PROBLEMS`.
    """
    found: list[DeidError] = []
    for table in tables:
        for row, cells in enumerate(table.cells):
            for column, cell in enumerate(cells):
                if not cell.problem or (allow_negative and cell.is_negative):
                    continue
                if len(found) == MOST_PROBLEMS:
                    return found
                found.append(_problem(table, row, column, cell))
    return found


def _problem(table: CountTable, row: int, column: int, cell: CountCell) -> DeidError:
    return InputError(
        cell.problem,
        table=table.name,
        line=row + 1,
        column=table.column_name(column),
    )


def refuse_problems(tables: Sequence[CountTable], threshold: int | None) -> None:
    """Refuse tables with cells that cannot be used, or marks without a threshold.

    Raises
    ------
    InputError
        Codes of `cell_problems`, and ``counts_threshold_wanted``.
    ProblemsError
        If there are several.
    """
    problems = cell_problems(tables)
    if threshold is None:
        problems += [
            InputError("counts_threshold_wanted", table=table.name)
            for table in tables
            if needs_threshold(table)
        ]
    raise_all(problems)


def needs_threshold(table: CountTable) -> bool:
    """Whether a mark stands in a table that does not say itself below what."""
    return any(cell.is_masked and cell.most is None for _r, _c, cell in table.counts())
