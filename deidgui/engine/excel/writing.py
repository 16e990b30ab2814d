"""Writes a sheet as an Excel file: numbers as numbers, all else as text."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from deidgui.engine.excel.reading import text_of
from deidgui.lazy import LazyModule

xlsxwriter: Any = LazyModule("xlsxwriter")

CREATED = datetime(2000, 1, 1, tzinfo=UTC)
"""States nothing, so that the same cells are the same bytes."""

MAX_NAME = 31
_NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,15})?")


def to_xlsx(grid: Sequence[Sequence[str]], sheet: str) -> bytes:
    """Return an Excel file with one sheet, its cells in the places of the grid.

    Parameters
    ----------
    grid : sequence of sequence of str
        A text that is how a number is written becomes a number; any other stays text,
        also where it looks like a formula or an address.
    sheet : str
        Name of the sheet; what Excel does not allow in it is replaced.

    Returns
    -------
    bytes
        The same for the same cells.
    """
    content = io.BytesIO()
    book = xlsxwriter.Workbook(content, {"in_memory": True})
    book.set_properties({"created": CREATED.replace(tzinfo=None)})
    # A text stays one even if it is typed again over itself.
    quoted = book.add_format({"quote_prefix": True})
    page = book.add_worksheet(sheet_name(sheet))
    for at, row in enumerate(grid):
        for place, text in enumerate(row):
            if is_number(text):
                page.write_number(at, place, float(text))
            elif text:
                # Carriage returns do not come through XML.
                shown = text.replace("\r\n", "\n").replace("\r", "\n")
                page.write_string(at, place, shown, quoted)
    book.close()
    return content.getvalue()


def is_number(text: str) -> bool:
    """Whether a text is exactly how a number is read from a spreadsheet."""
    return bool(_NUMBER.fullmatch(text)) and text_of(float(text)) == text


def sheet_name(name: str) -> str:
    """Return a name that Excel allows for a sheet."""
    shown = re.sub(r"[\x00-\x1f\[\]:*?/\\]", "_", name)[:MAX_NAME].strip("'").strip()
    return "Sheet1" if shown.casefold() in ("", "history") else shown
