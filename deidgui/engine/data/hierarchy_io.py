"""Reads and writes hierarchies as CSV files."""

from __future__ import annotations

import contextlib
import csv
import io
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from deidgui.engine.data.dialect import guess_header
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.hierarchy_draft import Draft
from deidgui.engine.data.table import Column
from deidgui.errors import InputError, ResourceError
from deidgui.monitor import NULL_MONITOR, Monitor

MAX_BYTES = 64 * 1024 * 1024
MAX_ROWS = 1_000_000
MAX_LEVELS = 40
MAX_CELL = 10_000
MAX_LINE = 2 * MAX_LEVELS * MAX_CELL
"""What a file may be at most; a stranger's file must not fill the memory."""

EMPTY = '""'
"""A row that is one empty label; an empty line would be left out."""

_DELIMITERS = (";", "\t", "|", ",")
_SAMPLE_ROWS = 1000
_REPORT_ROWS = 10_000
_JAVA = b"\xac\xed\x00\x05"
"""How any stream of Java objects begins."""
_BOMS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


def read_hierarchy(
    source: Path | bytes,
    attribute: str,
    *,
    delimiter: str | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> Hierarchy:
    """Read a hierarchy that is complete and nested.

    Parameters
    ----------
    source : Path or bytes
        One row per leaf, its label at every level, level 0 first, no header.
    delimiter : str, optional
        Found by itself among ``;``, tab, ``|`` and ``,`` by default.

    Returns
    -------
    Hierarchy
        Without rule; equal rows are one leaf. The leaf for missing values is found
        by `fit_hierarchy`.

    Raises
    ------
    InputError
        All codes of `read_draft`, and ``hierarchy_ragged``,
        ``hierarchy_duplicate_leaf`` or ``hierarchy_not_nested`` with the row.
    """
    rows, numbers = _unlike(_read_rows(source, attribute, delimiter, monitor))
    try:
        return Hierarchy.from_grid(attribute, rows)
    except InputError as flaw:
        row = flaw.params.get("row")
        if isinstance(row, int):
            flaw.params["row"] = numbers[row - 1]
        raise


def read_draft(
    source: Path | bytes,
    attribute: str,
    *,
    delimiter: str | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> Draft:
    """Read a hierarchy that may have flaws, to be fixed in the editor.

    Returns
    -------
    Draft
        Rows in the order of the file, equal ones merged; short rows are filled with
        empty labels.

    Raises
    ------
    InputError
        Codes ``hierarchy_file``, ``hierarchy_too_large``, ``hierarchy_java``,
        ``hierarchy_encoding``, ``hierarchy_syntax``, ``hierarchy_too_many_rows``,
        ``hierarchy_too_many_levels``, ``hierarchy_cell_too_long`` or
        ``hierarchy_empty``.
    """
    read = _read_rows(source, attribute, delimiter, monitor)
    rows, _ = _unlike(read)
    width = max(len(row) for row in rows)
    columns = tuple(
        tuple(row[d] if d < len(row) else "" for row in rows) for d in range(width)
    )
    return Draft(attribute, columns, n_merged=len(read) - len(rows))


def without_headings(draft: Draft, column: Column) -> Draft:
    """Take the first row of a file off if it names the levels, as far as can be told.

    Parameters
    ----------
    column : Column
        What the hierarchy is for: a row of one of its values is none of headings.

    Returns
    -------
    Draft
        The same one if its first row is a value. That is judged as of a table that is
        opened (`guess_header`), and never certain: the row of a value that the column
        does not have can look the same.
    """
    if draft.n_rows < 2 or draft.columns[0][0] in set(column.texts()):
        return draft
    sample = list(islice(zip(*draft.columns, strict=True), _SAMPLE_ROWS))
    if not guess_header(sample)[0]:
        return draft
    return replace(draft, columns=tuple(labels[1:] for labels in draft.columns))


def _unlike(rows: list[list[str]]) -> tuple[list[list[str]], list[int]]:
    """Rows without repetitions, and the number of each in the file, from 1."""
    first: dict[tuple[str, ...], int] = {}
    for number, row in enumerate(rows, start=1):
        first.setdefault(tuple(row), number)
    return [list(row) for row in first], list(first.values())


def hierarchy_csv(hierarchy: Hierarchy | Draft) -> bytes:
    """Text of the CSV file of a hierarchy, in UTF-8.

    Returns
    -------
    bytes
        One row per leaf, ``;``-separated, level 0 first. Nothing is escaped
        against spreadsheets: a label must come back as it was.
    """
    grid = hierarchy.grid() if isinstance(hierarchy, Hierarchy) else hierarchy.grid
    written = "".join(f"{';'.join(map(_quoted, row)) or EMPTY}\n" for row in grid)
    # A label that itself begins with a byte-order mark needs one before it.
    return written.encode("utf-8-sig" if written.startswith("\ufeff") else "utf-8")


def _quoted(cell: str) -> str:
    """Quote where needed; the csv module leaves a lone carriage return bare."""
    if any(mark in cell for mark in ';"\r\n'):
        return '"' + cell.replace('"', '""') + '"'
    return cell


def write_hierarchy(hierarchy: Hierarchy | Draft, path: Path) -> None:
    """Write the CSV file of a hierarchy, whole or not at all.

    Raises
    ------
    ResourceError
        Code ``hierarchy_not_written`` with the file.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("wb") as file:
            file.write(hierarchy_csv(hierarchy))
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise ResourceError("hierarchy_not_written", file=path.name) from error


def _read_rows(
    source: Path | bytes, attribute: str, delimiter: str | None, monitor: Monitor
) -> list[list[str]]:
    text = _decode(_bytes(source, attribute), attribute)
    delimiter = delimiter or _find_delimiter(text)
    n_lines = text.count("\n") + text.count("\r") + 1
    rows: list[list[str]] = []
    for row in _parse(text, delimiter, attribute):
        if len(rows) % _REPORT_ROWS == 0:
            monitor.report(min(len(rows) / n_lines, 1.0), "hierarchy")
        rows.append(row)
        if len(rows) > MAX_ROWS:
            raise InputError(
                "hierarchy_too_many_rows", attribute=attribute, limit=MAX_ROWS
            )
        _check_row(row, len(rows), attribute)
    if not rows:
        raise InputError("hierarchy_empty", attribute=attribute)
    return rows


def _bytes(source: Path | bytes, attribute: str) -> bytes:
    if isinstance(source, Path):
        try:
            with source.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except OSError as error:
            raise InputError(
                "hierarchy_file", attribute=attribute, file=source.name
            ) from error
    else:
        data = source
    if len(data) > MAX_BYTES:
        raise InputError(
            "hierarchy_too_large", attribute=attribute, limit=MAX_BYTES // 2**20
        )
    return data


def _decode(data: bytes, attribute: str) -> str:
    """Text of a file in UTF-8, UTF-16 with its mark, or Windows-1252."""
    if data.startswith(_JAVA):
        # PRIVACY: such a file makes a program run what it names; it is never parsed.
        raise InputError("hierarchy_java", attribute=attribute)
    marked = [name for mark, name in _BOMS.items() if data.startswith(mark)]
    for encoding in marked or ["utf-8", "cp1252"]:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise InputError("hierarchy_encoding", attribute=attribute)


def _find_delimiter(text: str) -> str:
    """Delimiter that cuts the most rows alike, best with one label on top."""

    def score(delimiter: str) -> tuple[float, bool]:
        try:
            rows = list(islice(_cells(text, delimiter), _SAMPLE_ROWS))
        except csv.Error:
            return (0.0, False)
        widths = Counter(len(row) for row in rows)
        width, count = widths.most_common(1)[0] if rows else (1, 0)
        if width < 2:
            return (0.0, False)
        return (count / len(rows), len({row[-1] for row in rows}) == 1)

    return max(_DELIMITERS, key=score)


def _parse(text: str, delimiter: str, attribute: str) -> Iterator[list[str]]:
    reader = _cells(text, delimiter)
    n_rows = 0
    try:
        for row in reader:
            n_rows += 1
            yield row
    except csv.Error as error:
        raise InputError(
            "hierarchy_syntax", attribute=attribute, row=n_rows + 1
        ) from error


def _cells(text: str, delimiter: str) -> Iterator[list[str]]:
    """Rows of a CSV text; empty lines are left out."""
    reader = csv.reader(_lines(text), delimiter=delimiter, strict=True)
    return filter(None, reader)


def _lines(text: str) -> Iterator[str]:
    """Lines with their ends; one line must not fill the memory with empty cells."""
    for line in io.StringIO(text, newline=""):
        if len(line) > MAX_LINE:
            raise csv.Error("line too long")
        yield line


def _check_row(row: Sequence[str], number: int, attribute: str) -> None:
    if len(row) > MAX_LEVELS:
        raise InputError(
            "hierarchy_too_many_levels",
            attribute=attribute,
            row=number,
            limit=MAX_LEVELS,
        )
    if any(len(cell) > MAX_CELL for cell in row):
        raise InputError(
            "hierarchy_cell_too_long", attribute=attribute, row=number, limit=MAX_CELL
        )
