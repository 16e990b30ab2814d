"""From a table of people by postal code to the areas that may be told."""

from __future__ import annotations

from pathlib import Path

from deidgui.engine.data.csv_io import read_csv
from deidgui.engine.data.dialect import guess_dialect
from deidgui.engine.data.source import open_source
from deidgui.engine.data.table import Column, Table
from deidgui.engine.data.templates.postcodes import (
    ENOUGH_PEOPLE,
    Postcodes,
    areas_of,
)
from deidgui.errors import InputError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


def read_areas(
    path: Path,
    *,
    enough: int = ENOUGH_PEOPLE,
    length: int | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> Postcodes:
    """Read how many people live in each postal code, and make the rule for it.

    Parameters
    ----------
    path : Path
        A text table with two columns: postal codes, and numbers of people. Of several
        rows for one code the people are added.
    enough, length : int
        As of `areas_of`.

    Raises
    ------
    InputError, ResourceError
        Code ``areas_unreadable``, and those of reading.
    """
    source = open_source(path, monitor=SubMonitor(monitor, 0.0, 0.2))
    dialect = guess_dialect(source, monitor=SubMonitor(monitor, 0.2, 0.4)).dialect
    table = read_csv(
        source, dialect, missing=("",), monitor=SubMonitor(monitor, 0.4, 1.0)
    ).table
    return areas_of(_people(table, path.name), enough=enough, length=length)


def _people(table: Table, file: str) -> dict[str, int]:
    """People by postal code."""
    if len(table.columns) != 2:
        raise InputError("areas_unreadable", file=file)
    codes, counts = table.columns
    numbers = [_number(text) for text in counts.texts()]
    used = set(counts.codes.tolist())
    if any(numbers[code] is None for code in used):
        raise InputError("areas_unreadable", file=file)
    return _sums(codes, counts, numbers)


def _sums(codes: Column, counts: Column, numbers: list[int | None]) -> dict[str, int]:
    found: dict[str, int] = {}
    texts = codes.texts()
    for code, count in zip(codes.codes.tolist(), counts.codes.tolist(), strict=True):
        text = texts[code].strip()
        if text:
            found[text] = found.get(text, 0) + (numbers[count] or 0)
    return found


def _number(text: str) -> int | None:
    """A number of people, also with marks between thousands; None for other texts."""
    plain = text.strip().replace(",", "").replace(" ", "")
    return int(plain) if plain.isascii() and plain.isdigit() else None
