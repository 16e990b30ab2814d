"""What does a delimited text file hold, record by record and column by column?"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from deidgui.engine.arrays import IntArray
from deidgui.engine.data import csv_scan
from deidgui.engine.data.csv_scan import Bytes
from deidgui.engine.data.dialect import Dialect, cut_sample
from deidgui.engine.data.dictionary import ColumnBuilder
from deidgui.engine.data.encoding import Evidence, utf8_blocks, utf8_head
from deidgui.engine.data.source import BLOCK_BYTES, Source
from deidgui.engine.data.table import Column, LineIndex, Table
from deidgui.errors import InputError, ResourceError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

MAX_COLUMNS = 16_384
"""As many as a spreadsheet has."""

MAX_RECORD_BYTES = 256 << 20
"""A record longer than this is refused: more likely a quote was not closed."""

_FIELDS_AT_ONCE = 1 << 19  # PERF: dictionaries stay in the cache for longer
_SCAN_SHARE = 0.7  # of the progress; the rest sorts the dictionaries

_ERROR_CODES = {
    csv_scan.NUL_BYTE: "nul_byte",
    csv_scan.TEXT_AFTER_QUOTE: "text_after_quote",
    csv_scan.QUOTE_NOT_CLOSED: "quote_not_closed",
}


@dataclass(frozen=True)
class ReadReport:
    """What was noticed, and fixed, while a file was read.

    Parameters
    ----------
    n_blank_lines : int
        Lines without any cell; they are not records.
    n_trailing : int
        Records with a delimiter too many at their end, which was left out.
    n_inner_quotes : int
        Unquoted cells that contain the quote character, kept as it is.
    renamed : tuple of str
        Column names that are not as in the file: empty or not unique there.
    """

    n_rows: int
    n_blank_lines: int = 0
    n_trailing: int = 0
    n_inner_quotes: int = 0
    renamed: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[Evidence, ...]:
        """One note for each thing that a person should know."""
        notes = []
        if self.renamed:
            notes.append(Evidence.of("columns_renamed", columns=self.renamed))
        for code, number in (
            ("blank_lines_skipped", self.n_blank_lines),
            ("trailing_delimiters", self.n_trailing),
            ("inner_quotes_kept", self.n_inner_quotes),
        ):
            if number:
                notes.append(Evidence.of(code, number=number))
        return tuple(notes)


@dataclass(frozen=True)
class Reading:
    """A table that was read, and what was noticed on the way."""

    table: Table
    report: ReadReport


def read_table(
    source: Source,
    dialect: Dialect,
    *,
    missing: Iterable[str] = ("",),
    monitor: Monitor = NULL_MONITOR,
) -> Table:
    """Read a delimited text: `read_csv` without its report.

    Parameters
    ----------
    missing : iterable of str
        Texts that mean "no value", in every column.

    Raises
    ------
    InputError, ResourceError
        As `read_csv`.
    """
    return read_csv(source, dialect, missing=missing, monitor=monitor).table


def read_csv(
    source: Source,
    dialect: Dialect,
    *,
    missing: Iterable[str] = ("",),
    monitor: Monitor = NULL_MONITOR,
) -> Reading:
    """Read a delimited text strictly, every cell as the text it is.

    Leading zeros, blanks and words like ``NA`` stay. Column names are freed of
    outer blanks and line breaks; empty ones become ``column 7``, a second
    ``age`` becomes ``age (2)``.

    Parameters
    ----------
    missing : iterable of str
        Texts that mean "no value", in every column.

    Raises
    ------
    InputError
        With the file, and the line and column where there is one: codes
        ``ragged_record``, ``quote_not_closed``, ``text_after_quote``,
        ``nul_byte``, ``record_too_long``, ``too_many_columns``,
        ``encoding_fails``, ``header_only``, ``file_blank``; or as
        `Source.blocks`.
    ResourceError
        Code ``out_of_memory``, or as `Source.blocks`.
    """
    try:
        reader = _Reader(source, dialect)
        for data, final, share in _chunks(source, dialect, reader):
            done = _SCAN_SHARE * share
            reader.take(data, final, partial(monitor.report, done, "reading"))
        return reader.finish(missing, SubMonitor(monitor, _SCAN_SHARE, 1.0))
    except MemoryError:
        raise ResourceError("out_of_memory", file=source.name) from None


def preview(
    source: Source, dialect: Dialect, n_rows: int = 100
) -> tuple[list[str], list[list[str]]]:
    """First records of a file as a dialect cuts them, right or wrong.

    Returns
    -------
    names : list of str
        Column names as `read_csv` makes them.
    rows : list of list of str
        At most `n_rows`, as long as they are in the file.
    """
    text, whole = utf8_head(source, dialect.encoding)
    data = np.frombuffer(text.encode(), dtype=np.uint8)
    position, _ = csv_scan.skip_lines(data, dialect.skip_lines, True)
    records, _, _ = cut_sample(data[position:], whole, dialect, n_rows + 1)
    if dialect.header and records:
        return unique_names(records[0])[0], records[1:]
    width = max(map(len, records), default=0)
    return unique_names([""] * width)[0], records[:n_rows]


def unique_names(found: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Make column names usable: not empty, unique, on one line.

    Parameters
    ----------
    found : sequence of str
        As in the file.

    Returns
    -------
    names : list of str
    renamed : tuple of str
        Those that are not as in the file.
    """
    plain = [" ".join(name.split()) for name in found]
    taken, names = set(plain), list[str]()
    used = set[str]()
    for place, name in enumerate(plain, start=1):
        base = name or f"column {place}"
        unique, number = base, 1
        while unique in used or (unique != name and unique in taken):
            number += 1
            unique = f"{base} ({number})"
        used.add(unique)
        names.append(unique)
    changed = (new for new, old in zip(names, found, strict=True) if new != old)
    return names, tuple(changed)


class _Reader:
    """Takes the text chunk by chunk, and fills the columns."""

    def __init__(self, source: Source, dialect: Dialect) -> None:
        self._source, self._dialect = source, dialect
        self._delimiter, self._quote = dialect.delimiter_bytes, dialect.quote_byte
        self.state = csv_scan.new_state()
        self._lines_to_skip = dialect.skip_lines
        self._names: list[str] = []
        self._renamed: tuple[str, ...] = ()
        self._builders: list[ColumnBuilder] = []
        self._n_rows = 0
        self._first_line = self._last_line = 0
        self._rows, self._lines = array("q"), array("q")

    def take(self, data: Bytes, final: bool, pulse: Callable[[], None]) -> None:
        """Read every whole record of `data`; `state` tells how far it came."""
        pulse()
        self.state[csv_scan.POSITION] = 0
        if self._lines_to_skip:
            place, left = csv_scan.skip_lines(data, self._lines_to_skip, final)
            self.state[csv_scan.POSITION] = place
            self.state[csv_scan.LINE] += self._lines_to_skip - left
            self._lines_to_skip = left
        if self._lines_to_skip or (not self._names and not self._begin(data, final)):
            return
        n_columns = len(self._names)
        capacity = max(_FIELDS_AT_ONCE // n_columns, 64)
        outputs = _Outputs(capacity * n_columns, capacity)
        n_records = capacity
        while n_records == capacity:
            n_records = self._split(data, final, n_columns, outputs)
            self._note_lines(outputs.lines[:n_records])
            for place, builder in enumerate(self._builders):
                fields = outputs.starts, outputs.ends
                where = place, n_columns
                builder.add(data, fields, where, n_records, self._quote, pulse)
                pulse()

    def finish(self, missing: Iterable[str], monitor: Monitor) -> Reading:
        """Sort the dictionaries and build the table."""
        self._refuse_ragged()
        if self._n_rows == 0:
            code = "header_only" if self._names else "file_blank"
            raise InputError(code, file=self._source.name)
        tokens = tuple(missing)
        weights = [self._n_rows // 8 + builder.n_values for builder in self._builders]
        ends = np.cumsum([0, *weights]) / sum(weights)
        columns = []
        for place, name in enumerate(self._names):
            part = SubMonitor(monitor, float(ends[place]), float(ends[place + 1]))
            codes, values = self._builders[place].finish(monitor=part)
            columns.append(Column(name, codes, values).with_missing(tokens))
        lines = LineIndex(self._first_line, self._rows, self._lines)
        report = ReadReport(
            n_rows=self._n_rows,
            n_blank_lines=int(self.state[csv_scan.N_BLANK]),
            n_trailing=int(self.state[csv_scan.N_TRAILING]),
            n_inner_quotes=int(self.state[csv_scan.N_INNER_QUOTES]),
            renamed=self._renamed,
        )
        return Reading(Table(self._source.name, tuple(columns), lines), report)

    def record_too_long(self) -> InputError:
        """Error for a record that does not end within the limit."""
        opened = int(self.state[csv_scan.OPENED_LINE])
        if opened:
            return InputError("quote_not_closed", file=self._source.name, line=opened)
        line = int(self.state[csv_scan.LINE])
        limit = MAX_RECORD_BYTES >> 20
        return InputError(
            "record_too_long", file=self._source.name, line=line, limit=limit
        )

    def _begin(self, data: Bytes, final: bool) -> bool:
        """Read the first record: how many columns, and their names."""
        outputs = _Outputs(MAX_COLUMNS + 1, 1)
        before = self.state.copy()
        if self._split(data, final, 0, outputs) == 0:
            if not self._dialect.header:
                # Lines of spaces before it are records too, if it has one column.
                before[csv_scan.OPENED_LINE] = self.state[csv_scan.OPENED_LINE]
                self.state[:] = before
            return False
        n_columns = int(outputs.counts[0])
        if n_columns > MAX_COLUMNS:
            raise InputError(
                "too_many_columns",
                file=self._source.name,
                line=int(outputs.lines[0]),
                found=n_columns,
                limit=MAX_COLUMNS,
            )
        found = [""] * n_columns
        if self._dialect.header:
            found = outputs.texts(data, n_columns, self._dialect.quote)
        else:
            self.state[:] = before
        self._names, renamed = unique_names(found)
        self._renamed = renamed if self._dialect.header else ()
        self._builders = [ColumnBuilder() for _ in self._names]
        return True

    def _split(self, data: Bytes, final: bool, n_columns: int, out: _Outputs) -> int:
        n_records = csv_scan.split_records(
            data,
            final,
            self._delimiter,
            self._quote,
            self._dialect.skip_blanks,
            n_columns,
            out.starts,
            out.ends,
            out.counts,
            out.lines,
            self.state,
        )
        if self.state[csv_scan.ERROR]:
            self._refuse()
        return n_records

    def _note_lines(self, lines: IntArray) -> None:
        """Remember the rows whose line is not the one after the last row's."""
        if len(lines) == 0:
            return
        if self._n_rows == 0:
            self._first_line = int(lines[0])
            self._last_line = self._first_line - 1
        steps = np.diff(lines, prepend=self._last_line)
        jumps = np.flatnonzero(steps != 1)
        self._rows.extend((jumps + self._n_rows).tolist())
        self._lines.extend(lines[jumps].tolist())
        self._last_line = int(lines[-1])
        self._n_rows += len(lines)

    def _refuse(self) -> None:
        """Raise what the scanner found; an earlier ragged record comes first."""
        self._refuse_ragged()
        state = self.state
        field = int(state[csv_scan.ERROR_FIELD])
        named = field <= len(self._names)
        column = self._names[field - 1] if named else str(field)
        line, opened = int(state[csv_scan.ERROR_LINE]), int(state[csv_scan.OPENED_LINE])
        code = _ERROR_CODES[int(state[csv_scan.ERROR])]
        if code == "quote_not_closed":
            line = opened
        raise InputError(code, file=self._source.name, line=line, column=column)

    def _refuse_ragged(self) -> None:
        n_ragged = int(self.state[csv_scan.N_RAGGED])
        if n_ragged:
            raise InputError(
                "ragged_record",
                file=self._source.name,
                line=int(self.state[csv_scan.RAGGED_LINE]),
                found=int(self.state[csv_scan.RAGGED_FIELDS]),
                expected=len(self._names),
                n_records=n_ragged,
            )


class _Outputs:
    """Arrays that `csv_scan.split_records` fills."""

    def __init__(self, n_fields: int, n_records: int) -> None:
        self.starts = np.empty(n_fields, dtype=np.int32)
        self.ends = np.empty(n_fields, dtype=np.int32)
        self.counts = np.empty(n_records, dtype=np.int32)
        self.lines = np.empty(n_records, dtype=np.int64)

    def texts(self, data: Bytes, n_fields: int, quote: str) -> list[str]:
        """Texts of the first fields."""
        spans = zip(self.starts[:n_fields].tolist(), self.ends.tolist(), strict=False)
        return [csv_scan.field_text(data, low, high, quote) for low, high in spans]


def _chunks(
    source: Source, dialect: Dialect, reader: _Reader
) -> Iterator[tuple[Bytes, bool, float]]:
    """Text to be read, each time with what the reader left over before.

    Yields
    ------
    data : ndarray of uint8
    final : bool
    share : float in [0, 1]
        Of the file that has been read.
    """
    waiting: list[bytes] = []
    n_waiting = needed = n_blocks = 0
    for block in utf8_blocks(source, dialect.encoding):
        waiting.append(block)
        n_waiting += len(block)
        n_blocks += 1
        if n_waiting < max(needed, 1):
            continue
        text = b"".join(waiting)
        share = min(n_blocks * BLOCK_BYTES / source.n_content_bytes, 1.0)
        yield np.frombuffer(text, dtype=np.uint8), False, share
        rest = text[int(reader.state[csv_scan.POSITION]) :]
        if len(rest) > MAX_RECORD_BYTES:
            raise reader.record_too_long()
        # A record that is not complete is tried again when the text has doubled,
        # so that even a very long one is seen only a few times.
        waiting, n_waiting, needed = [rest], len(rest), 2 * len(rest)
    yield np.frombuffer(b"".join(waiting), dtype=np.uint8), True, 1.0
