"""Reads the sheets of a spreadsheet; run as a process of its own by `reading`.

A file of a few kilobytes can make a reader ask for hundreds of gigabytes, which ends
the process that reads it: this one. It imports nothing of the program.
"""

from __future__ import annotations

import datetime
import io
import json
import sys
from collections.abc import Mapping
from typing import Any


def main() -> None:
    """Answer the request on standard input: a line of JSON, then the file."""
    request, _, content = sys.stdin.buffer.read().partition(b"\n")
    asked = json.loads(request)
    _limit(asked["memory"], asked["seconds"])
    answer = _answer(asked, content)
    sys.stdout.buffer.write(json.dumps(answer).encode())


def _limit(memory: int, seconds: int) -> None:
    """Bound memory (bytes) and time; no memory is written to disk after a crash."""
    try:
        import resource
    except ImportError:
        return
    for kind, limit in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, memory),
    ):
        try:
            resource.setrlimit(kind, (limit, limit))
        except (ValueError, OSError):
            continue


def _answer(asked: Mapping[str, Any], content: bytes) -> dict[str, Any]:
    import python_calamine as calamine

    try:
        with calamine.CalamineWorkbook.from_filelike(io.BytesIO(content)) as book:
            return _sheets(book, calamine, asked)
    except calamine.PasswordError:
        return {"problem": "locked"}
    except calamine.CalamineError:
        return {"problem": "damaged"}


def _sheets(book: Any, calamine: Any, asked: Mapping[str, Any]) -> dict[str, Any]:
    known = [
        each
        for each in book.sheets_metadata
        if each.typ == calamine.SheetTypeEnum.WorkSheet
    ]
    names = [each.name for each in known]
    if asked["sheet"]:
        chosen = [name for name in names if name == asked["sheet"]]
        if not chosen:
            return {"problem": "unknown", "names": names}
    else:
        shown = calamine.SheetVisibleEnum.Visible
        chosen = [e.name for e in known if asked["hidden"] or e.visible == shown]
    found, n_cells = [], 0
    for name in chosen:
        sheet = book.get_sheet_by_name(name)
        if sheet.end is None:
            continue
        rows, columns = (each + 1 for each in sheet.end)
        n_cells += rows * columns
        is_large = rows > asked["rows"] or columns > asked["columns"]
        if is_large or n_cells > asked["cells"]:
            return {"problem": "large", "sheet": name}
        cells = sheet.to_python(skip_empty_area=False)
        found.append([name, [list(map(_value, row)) for row in cells]])
    return {"sheets": found, "alone": len(chosen) == 1 and not asked["sheet"]}


def _value(cell: Any) -> str | int | float:
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, int | float):
        return cell
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        cell = cell.date()
    if isinstance(cell, datetime.date | datetime.time):
        return cell.isoformat()
    return str(cell).replace("\0", "\ufffd")


if __name__ == "__main__":
    main()
