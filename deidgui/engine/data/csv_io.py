"""Reads delimited text files into tables of integer codes."""

from __future__ import annotations

import time
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from deidgui.engine.arrays import AnyArray, Int32Array, IntArray
from deidgui.engine.data import csv_scan
from deidgui.engine.data.csv_scan import Bytes
from deidgui.engine.data.dialect import Dialect
from deidgui.engine.data.encoding import EncodingEvidence, utf8_blocks
from deidgui.engine.data.source import BLOCK_BYTES, Source
from deidgui.engine.data.table import Column, LineIndex, Table
from deidgui.engine.threads import N_THREADS, Workers, finish
from deidgui.errors import InputError, ResourceError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

MAX_COLUMNS = 16_384
"""As many as a spreadsheet has."""

MAX_NAME = 4_096
"""Letters of a column name; a longer one is text rather than a name."""

MAX_RECORD_BYTES = 256 << 20
"""A record longer than this is refused: more likely a quote was not closed."""

_FIELDS_AT_ONCE = 1 << 19  # PERF: dictionaries stay in the cache for longer
_FEW_FIELDS = 1 << 14  # PERF: fewer are encoded before a thread has begun
# What polars takes for a text: its place, and beside it while texts are sorted.
_BYTES_PER_VALUE, _BYTES_TO_SORT = 24, 64
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
    n_ragged : int
        Records with another number of cells, which a person left out.
    renamed : tuple of str
        Column names that are not as in the file: empty or not unique there.
    """

    n_rows: int
    n_blank_lines: int = 0
    n_trailing: int = 0
    n_inner_quotes: int = 0
    n_ragged: int = 0
    renamed: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[EncodingEvidence, ...]:
        """One note for each thing that a person should know."""
        notes = []
        if self.renamed:
            notes.append(EncodingEvidence.of("columns_renamed", columns=self.renamed))
        for code, number in (
            ("blank_lines_skipped", self.n_blank_lines),
            ("trailing_delimiters", self.n_trailing),
            ("inner_quotes_kept", self.n_inner_quotes),
            ("ragged_skipped", self.n_ragged),
        ):
            if number:
                notes.append(EncodingEvidence.of(code, number=number))
        return tuple(notes)


@dataclass(frozen=True)
class CsvReading:
    """A table that was read, and what was noticed on the way."""

    table: Table
    report: ReadReport


def read_csv(
    source: Source,
    dialect: Dialect,
    *,
    missing: Iterable[str] = ("",),
    monitor: Monitor = NULL_MONITOR,
) -> CsvReading:
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
        ``column_name_too_long``, ``encoding_fails``, ``header_only``, ``file_blank``;
        or as `Source.blocks`.
    ResourceError
        Codes ``out_of_memory`` or ``unpacked_needs_memory``, or as `Source.blocks`.
    """
    try:
        with Workers() as workers:
            reader = _Reader(source, dialect, workers)
            for data, final, share in _chunks(source, dialect, reader):
                done = _SCAN_SHARE * share
                reader.take(data, final, partial(monitor.report, done, "reading"))
            return reader.finish(missing, SubMonitor(monitor, _SCAN_SHARE, 1.0))
    except MemoryError:
        raise ResourceError("out_of_memory", file=source.name) from None


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
    numbers: dict[str, int] = defaultdict(lambda: 1)
    for place, name in enumerate(plain, start=1):
        base = name or f"column {place}"
        unique = base
        while unique in used or (unique != name and unique in taken):
            # PERF: numbers go on where they ended: 16,384 equal names take no time.
            numbers[base] += 1
            unique = f"{base} ({numbers[base]})"
        used.add(unique)
        names.append(unique)
    changed = (new for new, old in zip(names, found, strict=True) if new != old)
    return names, tuple(changed)


class _Reader:
    """Takes the text chunk by chunk, and fills the columns.

    Records are cut here, one after another, and so every line and error has its place;
    meanwhile threads encode the columns of those before.
    """

    def __init__(self, source: Source, dialect: Dialect, workers: Workers) -> None:
        self._source, self._dialect, self._workers = source, dialect, workers
        self._encoding: list[Future[None]] = []
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
        n_records = capacity
        while n_records == capacity:
            outputs = _Outputs(capacity * n_columns, capacity)
            n_records = self._split(data, final, n_columns, outputs)
            self._note_lines(outputs.lines[:n_records])
            self._encode(data, outputs, n_records, pulse)

    def _encode(
        self, data: Bytes, outputs: _Outputs, n_records: int, pulse: Callable[[], None]
    ) -> None:
        """Let threads encode some records while the next ones are cut."""
        finish(self._encoding, pulse)
        self._check_memory(n_records)
        n_columns = len(self._builders)
        fields = outputs.starts, outputs.ends

        def add(place: int) -> None:
            builder, where = self._builders[place], (place, n_columns)
            stop = self._workers.pulse
            builder.add(data, fields, where, n_records, self._quote, stop)

        self._encoding = self._for_each_column(add, n_records)
        pulse()

    def _for_each_column(
        self, work: Callable[[int], None], n_records: int
    ) -> list[Future[None]]:
        """Work on all columns in threads, or here where that is not worth it."""
        sizes = [-builder.n_values for builder in self._builders]
        if n_records * len(sizes) >= _FEW_FIELDS:
            order = sorted(range(len(sizes)), key=sizes.__getitem__)
            return self._workers.share(work, order)
        for place in range(len(sizes)):
            work(place)
        return []

    def _check_memory(self, n_records: int) -> None:
        """Refuse packed text of which every record takes far more than its bytes.

        Before records are added: all columns grow at the same time.

        PRIVACY: a file of some megabytes must not stop a machine on which others
        work.
        """
        limit = self._source.memory_limit
        if limit is None:
            return
        values = [builder.n_values for builder in self._builders]
        needed = sum(builder.n_bytes_with(n_records) for builder in self._builders)
        needed += self._rows.itemsize * (len(self._rows) + len(self._lines))
        sorted_at_once = sorted(values)[-N_THREADS:]
        needed += _BYTES_PER_VALUE * sum(values) + _BYTES_TO_SORT * sum(sorted_at_once)
        # A quarter is for dictionaries that double, and for a record in the making.
        if needed > 0.75 * limit:
            raise ResourceError(
                "unpacked_needs_memory", file=self._source.name, limit=limit >> 30
            )

    def finish(self, missing: Iterable[str], monitor: Monitor) -> CsvReading:
        """Sort the dictionaries and build the table."""
        finish(self._encoding, partial(monitor.report, 0.0, "values"))
        self._refuse_ragged()
        if self._n_rows == 0:
            code = "header_only" if self._names else "file_blank"
            raise InputError(code, file=self._source.name)
        columns = self._columns(tuple(missing), monitor)
        lines = LineIndex(self._first_line, self._rows, self._lines)
        report = ReadReport(
            n_rows=self._n_rows,
            n_blank_lines=int(self.state[csv_scan.N_BLANK]),
            n_trailing=int(self.state[csv_scan.N_TRAILING]),
            n_inner_quotes=int(self.state[csv_scan.N_INNER_QUOTES]),
            n_ragged=int(self.state[csv_scan.N_RAGGED]),
            renamed=self._renamed,
        )
        return CsvReading(Table(self._source.name, columns, lines), report)

    def _columns(self, missing: Sequence[str], monitor: Monitor) -> tuple[Column, ...]:
        """Sort the dictionaries."""
        weights = [self._n_rows // 8 + builder.n_values for builder in self._builders]
        columns: dict[int, Column] = {}

        def sort(place: int) -> None:
            codes, values = self._builders[place].finish(pulse=self._workers.pulse)
            column = Column(self._names[place], codes, values)
            columns[place] = column.with_missing(missing)

        def report() -> None:
            done = sum(weights[place] for place in list(columns))
            monitor.report(done / sum(weights), "values")

        finish(self._for_each_column(sort, self._n_rows), report)
        report()
        return tuple(columns[place] for place in range(len(weights)))

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
            self._refuse_long_names(found, int(outputs.lines[0]))
        else:
            self.state[:] = before
        self._names, renamed = unique_names(found)
        self._renamed = renamed if self._dialect.header else ()
        self._builders = [ColumnBuilder() for _ in self._names]
        return True

    def _refuse_long_names(self, names: Sequence[str], line: int) -> None:
        for place, name in enumerate(names, start=1):
            if len(name) > MAX_NAME:
                raise InputError(
                    "column_name_too_long",
                    file=self._source.name,
                    line=line,
                    column=place,
                    found=len(name),
                    limit=MAX_NAME,
                )

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
        name = self._names[field - 1] if field <= len(self._names) else ""
        # Of a file that is no text the first bytes are no name.
        column = name if name.isprintable() and name else str(field)
        line, opened = int(state[csv_scan.ERROR_LINE]), int(state[csv_scan.OPENED_LINE])
        code = _ERROR_CODES[int(state[csv_scan.ERROR])]
        if code == "quote_not_closed":
            line = opened
        raise InputError(code, file=self._source.name, line=line, column=column)

    def _refuse_ragged(self) -> None:
        n_ragged = int(self.state[csv_scan.N_RAGGED])
        if n_ragged and not self._dialect.skip_ragged:
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


_SERIES_BYTES = 8 << 20  # dictionary text that is handed to polars at once
_FEW_VALUES = 200  # PERF: polars takes 0.15 ms for each call, however few
_LARGE = 200_000  # distinct values from which sorting may take a second
_POLL_S = 0.02
_ROWS_AT_ONCE = 1_000_000
_FEW_ROWS = 4096  # an array for so many grows by half
_SLOTS_AT_ONCE = 1 << 20


class ColumnBuilder:
    """Collects one column: a code per record and the distinct texts so far.

    Holds the texts as bytes, never as one Python object per cell.
    """

    def __init__(self) -> None:
        self._slots: NDArray[np.uint64] = np.zeros(64, dtype=np.uint64)
        self._tails: IntArray = np.zeros(32, dtype=np.int64)
        self._heap: Bytes = np.zeros(512, dtype=np.uint8)
        self._codes: Int32Array = np.empty(256, dtype=np.int32)
        self._n_values = 0
        self._n_rows = 0

    @property
    def n_values(self) -> int:
        """Distinct texts so far."""
        return self._n_values

    @property
    def n_bytes(self) -> int:
        """Memory that is held."""
        arrays = self._slots, self._tails, self._heap, self._codes
        return sum(array.nbytes for array in arrays)

    def n_bytes_with(self, n_records: int) -> int:
        """Memory that is held once room is made for some more records."""
        more = self._capacity_for(n_records) - len(self._codes)
        return self.n_bytes + more * self._codes.itemsize

    def _capacity_for(self, n_records: int) -> int:
        """Records for which there is room when some more are added."""
        room, needed = len(self._codes), self._n_rows + n_records
        if needed <= room:
            return room
        # PERF: in small steps, since all columns of a table grow at once.
        larger = room * 3 // 2 if room < _FEW_ROWS else room * 9 // 8
        return max(needed, larger)

    def add(
        self,
        data: Bytes,
        fields: tuple[Int32Array, Int32Array],
        place: tuple[int, int],
        n_records: int,
        quote: int,
        pulse: Callable[[], None],
    ) -> None:
        """Append the fields of one column of some records.

        Parameters
        ----------
        data : ndarray of uint8
        fields : tuple of two ndarray of int32
            Starts and ends as `csv_scan.split_records` gives them.
        place : tuple of int
            The column, and the number of columns.
        quote : int
            As for `csv_scan.split_records`.
        pulse : callable
            Called from time to time while a large dictionary grows.
        """
        room = self._capacity_for(n_records)
        if room > len(self._codes):
            self._codes.resize(room, refcheck=False)
        codes = self._codes[self._n_rows : self._n_rows + n_records]
        reached = 0
        while True:
            reached, self._n_values = csv_scan.encode_fields(
                data,
                *fields,
                *place,
                reached,
                n_records,
                quote,
                self._slots,
                self._tails,
                self._heap,
                self._n_values,
                codes,
            )
            if reached == n_records:
                break
            start, end = (array[reached * place[1] + place[0]] for array in fields)
            self._grow(int(max(end, ~end)) - int(start) + 1, pulse)
        self._n_rows += n_records

    def _grow(self, n_bytes: int, pulse: Callable[[], None]) -> None:
        """Make room for one more text of `n_bytes`, its end included."""
        if self._n_values + 2 > len(self._tails):
            self._tails.resize(2 * len(self._tails), refcheck=False)
        needed = int(self._tails[self._n_values]) + n_bytes
        if needed > len(self._heap):
            self._heap.resize(max(needed, 3 * len(self._heap) // 2), refcheck=False)
        if csv_scan.is_full(self._n_values, len(self._slots)):
            # Doubling keeps the order of the entries: no jumping about in memory.
            larger = np.zeros(2 * len(self._slots), dtype=np.uint64)
            for first in range(0, len(self._slots), _SLOTS_AT_ONCE):
                csv_scan.rehash(self._slots, first, first + _SLOTS_AT_ONCE, larger)
                pulse()
            self._slots = larger

    def finish(
        self, pulse: Callable[[], None] = lambda: None
    ) -> tuple[Int32Array, pl.Series]:
        """Codes and distinct texts, sorted by code point; the builder is spent.

        Parameters
        ----------
        pulse : callable
            Called from time to time.

        Returns
        -------
        codes : ndarray of int32, shape (n_rows,)
        values : polars Series of String, length n_values
        """
        self._slots = np.zeros(0, dtype=np.uint64)
        found = self._texts(pulse)
        self._heap = np.zeros(0, dtype=np.uint8)
        self._tails = np.zeros(0, dtype=np.int64)
        values, order = _sorted(found, pulse)
        rank = np.empty(self._n_values, dtype=np.int32)
        rank[order] = np.arange(self._n_values, dtype=np.int32)
        pulse()
        codes = self._codes
        codes.resize(self._n_rows, refcheck=False)
        for first in range(0, self._n_rows, _ROWS_AT_ONCE):
            part = codes[first : first + _ROWS_AT_ONCE]
            part[:] = rank[part]
            pulse()
        self._codes = np.empty(0, dtype=np.int32)
        return codes, values

    def _texts(self, pulse: Callable[[], None]) -> pl.Series:
        """Distinct texts in the order in which they were met."""
        parts: list[pl.Series] = []
        first = 0
        while first < self._n_values:
            limit = int(self._tails[first]) + _SERIES_BYTES
            tails = self._tails[: self._n_values + 1]
            last = max(int(np.searchsorted(tails, limit, "right")) - 1, first + 1)
            raw = self._heap[self._tails[first] : self._tails[last] - 1].tobytes()
            # NUL bytes are refused in the input, so they are safe separators.
            if last - first <= _FEW_VALUES:
                parts.append(pl.Series(raw.decode().split("\0"), dtype=pl.String))
            else:
                text = pl.Series([raw.decode()], dtype=pl.String)
                parts.append(text.str.split("\0").explode())
            first = last
            pulse()
        return pl.concat(parts) if parts else pl.Series([], dtype=pl.String)


def _sorted(values: pl.Series, pulse: Callable[[], None]) -> tuple[pl.Series, AnyArray]:
    """Sort texts by code point (the order of their UTF-8 bytes), cancellably."""
    if len(values) <= _FEW_VALUES:
        texts = values.to_list()
        places = sorted(range(len(texts)), key=texts.__getitem__)
        own = pl.Series([texts[place] for place in places], dtype=pl.String)
        return own, np.array(places, dtype=np.int64)
    if len(values) < _LARGE:
        order = values.arg_sort()
        return values.gather(order), order.to_numpy()
    frame = pl.DataFrame({"value": values}).lazy().with_row_index("place").sort("value")
    query = frame.collect(background=True)
    try:
        while (done := query.fetch()) is None:
            pulse()
            time.sleep(_POLL_S)
    except BaseException:
        query.cancel()
        raise
    return done["value"], done["place"].to_numpy()
