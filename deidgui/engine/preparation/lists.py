"""Reads the lists that steps need: files of strangers, bounded and strict."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deidgui.errors import InputError

MOST_ROWS = 200_000
MOST_CELL = 1_000
_WHOLE, _PART = "exact", "prefix"


@dataclass(frozen=True)
class ListedCode:
    """A code whose people are removed.

    Parameters
    ----------
    is_prefix : bool
        Whether all codes that begin with it are meant.
    reason : str
        In the words of the list.
    """

    code: str
    is_prefix: bool
    reason: str

    def fits(self, text: str) -> bool:
        """Whether a code of the data is meant; dots and cases do not matter."""
        code, found = plain(self.code), plain(text)
        return found.startswith(code) if self.is_prefix else found == code


def plain(code: str) -> str:
    """Code without what people write in different ways."""
    return code.replace(".", "").strip().upper()


def read_codes(files: Mapping[str, bytes], name: str) -> tuple[ListedCode, ...]:
    """Read a list of codes: ``code,prefix|exact,reason`` in each row.

    A first row of ``code`` and other words is the header.

    Raises
    ------
    InputError
        Codes ``step_list_missing``, and ``step_list_malformed`` with the row.
    """
    found = []
    for number, cells in _rows(files, name):
        if number == 1 and cells[0].casefold() == "code":
            continue
        how = cells[1].casefold() if len(cells) > 1 else ""
        if (
            len(cells) not in (2, 3)
            or how not in (_WHOLE, _PART)
            or not plain(cells[0])
        ):
            raise InputError("step_list_malformed", file=name, row=number)
        reason = cells[2] if len(cells) > 2 else ""
        found.append(ListedCode(cells[0], how == _PART, reason))
    if not found:
        raise InputError("step_list_malformed", file=name, row=1)
    return tuple(found)


def read_groups(files: Mapping[str, bytes], name: str) -> dict[str, str]:
    """Read a table of two columns, code and group; codes as `plain` writes them.

    Raises
    ------
    InputError
        Codes ``step_list_missing``, and ``step_list_malformed`` with the row, also
        for a code that stands in two groups.
    """
    found: dict[str, str] = {}
    for number, cells in _rows(files, name):
        if number == 1 and cells[0].casefold() == "code":
            continue
        code = plain(cells[0])
        if len(cells) != 2 or not code or not cells[1]:
            raise InputError("step_list_malformed", file=name, row=number)
        if found.setdefault(code, cells[1]) != cells[1]:
            raise InputError("step_list_malformed", file=name, row=number)
    if not found:
        raise InputError("step_list_malformed", file=name, row=1)
    return found


def _rows(files: Mapping[str, bytes], name: str) -> Sequence[tuple[int, list[str]]]:
    """Rows that are not empty, with their numbers; cells without blanks around them."""
    if name not in files:
        raise InputError("step_list_missing", file=name)
    number = 0
    rows = []
    try:
        text = files[name].decode("utf-8-sig")
        for number, cells in enumerate(
            csv.reader(io.StringIO(text, newline=""), strict=True), start=1
        ):
            if number > MOST_ROWS or any(len(cell) > MOST_CELL for cell in cells):
                raise InputError("step_list_malformed", file=name, row=number)
            if any(cell.strip() for cell in cells):
                rows.append((number, [cell.strip() for cell in cells]))
    except (UnicodeDecodeError, csv.Error):
        raise InputError("step_list_malformed", file=name, row=number + 1) from None
    return rows
