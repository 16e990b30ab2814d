"""Reads the sheets of Excel and OpenDocument files, without trusting them."""

from __future__ import annotations

import io
import json
import math
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

from deidgui.errors import InputError, ResourceError
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import tr

MAX_BYTES = 32 << 20
"""Larger files are refused."""

MAX_UNPACKED_BYTES = 256 << 20
"""Files that hold more than this are refused before they are unpacked."""

MAX_MEMORY, MAX_SECONDS = 3 << 30, 60
"""Reading a file that takes more is stopped (memory not on Windows)."""

CHILD = Path(__file__).with_name("child.py")

Value = str | int | float


class Limits(NamedTuple):
    """The most rows and columns of a sheet, and cells of all sheets."""

    rows: int
    columns: int
    cells: int


@dataclass(frozen=True, repr=False)
class Sheet:
    """The saved values of a sheet; formulas are not computed.

    Parameters
    ----------
    rows : tuple of tuple of (str, int or float)
        Rows of equal length, from the first row and column of the sheet on. Dates are
        texts as 2024-12-31. A merged cell has its value in its upper left cell.
    is_alone : bool
        Whether the file has no other sheet that is shown.
    """

    name: str
    rows: tuple[tuple[Value, ...], ...]
    is_alone: bool = True


def read_sheets(
    content: bytes,
    file: str,
    limits: Limits,
    *,
    sheet: str = "",
    hidden: bool = False,
    monitor: Monitor = NULL_MONITOR,
) -> tuple[Sheet, ...]:
    """Read the sheets of a spreadsheet that hold something.

    Parameters
    ----------
    content : bytes
        Of the file: xlsx, xlsm, xlsb, xls or ods.
    file : str
        Its name, for messages.
    sheet : str
        The only sheet to read; without it, all that are shown.
    hidden : bool
        Whether hidden sheets are read, too.

    Raises
    ------
    InputError
        Codes ``sheets_too_long``, ``sheets_unpacked_too_large`` (a zip bomb),
        ``sheets_locked``, ``sheets_damaged``, ``sheets_unknown``, ``sheet_too_large``
        or ``sheets_refused`` (takes too much memory or time).
    ResourceError
        Code ``cannot_read``.
    """
    if len(content) > MAX_BYTES:
        raise InputError("sheets_too_long", file=file, limit=MAX_BYTES >> 20)
    _refuse_bombs(content, file)
    asked = {
        "sheet": sheet,
        "hidden": hidden,
        "memory": MAX_MEMORY,
        "seconds": MAX_SECONDS,
        **limits._asdict(),
    }
    answer = _answer(json.dumps(asked).encode() + b"\n" + content, file, monitor)
    problem = answer.get("problem")
    if problem == "large":
        where = f"{file}:{answer['sheet']}"
        raise InputError("sheet_too_large", file=where, **limits._asdict())
    if problem == "unknown":
        names = answer["names"][:20]
        raise InputError("sheets_unknown", file=file, sheet=sheet, names=names)
    if problem is not None:
        raise InputError(f"sheets_{problem}", file=file)
    return tuple(
        Sheet(name, tuple(map(tuple, rows)), answer["alone"])
        for name, rows in answer["sheets"]
    )


def _refuse_bombs(content: bytes, file: str) -> None:
    """Refuse an archive by the sizes that it states.

    One that states them too small is stopped by the limits of the process.
    """
    if not content.startswith(b"PK"):
        return
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            n_bytes = sum(entry.file_size for entry in archive.infolist())
    except (zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError):
        raise InputError("sheets_damaged", file=file) from None
    if n_bytes > MAX_UNPACKED_BYTES:
        limit = MAX_UNPACKED_BYTES >> 20
        raise InputError("sheets_unpacked_too_large", file=file, limit=limit)


def _answer(request: bytes, file: str, monitor: Monitor) -> Mapping[str, Any]:
    """Let a process of its own read; its failure is not that of the program."""
    end = time.monotonic() + MAX_SECONDS
    with _reader(file) as process:
        # `communicate` forgets what is left of a long input when it is called again.
        stdin, process.stdin = process.stdin, None
        threading.Thread(target=_feed, args=(stdin, request), daemon=True).start()
        while True:
            try:
                out, _ = process.communicate(timeout=0.1)
                break
            except subprocess.TimeoutExpired:
                monitor.report(0.5, "opening")
                if time.monotonic() > end:
                    raise InputError("sheets_refused", file=file) from None
    # An interrupt ends both processes, and is no fault of the file.
    monitor.report(1.0, "opening")
    if process.returncode < 0:
        raise InputError("sheets_refused", file=file)
    if process.returncode > 0:
        raise InputError("sheets_damaged", file=file)
    answer: Mapping[str, Any] = json.loads(out)
    return answer


def _feed(stdin: IO[bytes], request: bytes) -> None:
    """Write the request; a process that has ended wants no more of it."""
    with suppress(OSError), stdin:
        stdin.write(request)


@contextmanager
def _reader(file: str) -> Iterator[subprocess.Popen[bytes]]:
    try:
        # What it says about a file that makes it fail may show cells.
        process = subprocess.Popen(
            [sys.executable, "-I", str(CHILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError as error:
        reason = error.strerror or tr("unknown reason")
        raise ResourceError("cannot_read", file=file, reason=reason) from None
    with process:
        try:
            yield process
        finally:
            process.kill()


def text_of(value: Value) -> str:
    """Return a cell as it is written in a CSV; whole numbers without a point."""
    if isinstance(value, str):
        return value
    if math.isfinite(value) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    # Excel keeps and shows 15 digits.
    return format(value, ".15g")
