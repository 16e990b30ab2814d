"""Finds records, fields and line breaks in delimited bytes.

Compiled kernels over UTF-8 bytes. `split_records` cuts bytes into fields,
strictly; `encode_fields` turns the fields of one column into integer codes.
The rules are those of RFC 4180 with any delimiter and quote, and with LF, CR LF
or CR as line ends, mixed or not.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from deidgui.engine.arrays import Int32Array, IntArray
from deidgui.engine.compiled import njit

Bytes: TypeAlias = NDArray[np.uint8]

# Places in the state that goes in and out of `split_records`.
POSITION: Final = 0  # next byte to read; behind the last whole record
LINE: Final = 1  # line (from 1) of that byte
N_BLANK: Final = 2  # lines without any record
N_TRAILING: Final = 3  # records with one delimiter too many at their end
N_INNER_QUOTES: Final = 4  # unquoted fields that contain the quote character
N_RAGGED: Final = 5  # records with another number of fields
RAGGED_LINE: Final = 6  # line of the first of them
RAGGED_FIELDS: Final = 7  # and its number of fields
ERROR: Final = 8  # one of the codes below
ERROR_LINE: Final = 9
ERROR_FIELD: Final = 10  # field (from 1) within its record
OPENED_LINE: Final = 11  # where the quote of the last, unfinished field opened
STATE_SIZE: Final = 12

# How a field ends; the errors among them are reported in the state.
_FIELD_ENDS: Final = 0
_RECORD_ENDS: Final = 1
_UNCERTAIN: Final = 2  # more bytes are needed
NUL_BYTE: Final = 3
TEXT_AFTER_QUOTE: Final = 4
QUOTE_NOT_CLOSED: Final = 5

_NUL, _LF, _CR, _SPACE, _CTRL_Z = 0, 10, 13, 32, 26
_END, _DELIMITER, _INNER_QUOTE = 1, 2, 3  # kinds of bytes that end a plain field
_HASH_START = np.uint64(0xCBF29CE484222325)  # FNV-1a, 64 bits
_HASH_STEP = np.uint64(0x100000001B3)
_HASH_MIX = np.uint64(0xBF58476D1CE4E5B9)


def new_state(line: int = 1) -> IntArray:
    """State before the first byte, which lies on `line`."""
    state = np.zeros(STATE_SIZE, dtype=np.int64)
    state[LINE] = line
    return state


@njit
def _byte_kinds(delimiter: Bytes, quote: int) -> Bytes:
    kinds = np.zeros(256, dtype=np.uint8)
    if quote >= 0:
        kinds[quote] = _INNER_QUOTE
    kinds[_NUL] = kinds[_LF] = kinds[_CR] = _END
    kinds[delimiter[0]] = _DELIMITER
    return kinds


@njit
def _delimiter_at(data: Bytes, at: int, delimiter: Bytes) -> bool:
    if at + len(delimiter) > len(data):
        return False
    for place in range(len(delimiter)):  # noqa: SIM110 - numba has no all()
        if data[at + place] != delimiter[place]:
            return False
    return True


@njit
def _field_end(
    data: Bytes, at: int, final: bool, delimiter: Bytes
) -> tuple[int, int, int]:
    """Step over what ends a field: how it ended, the next byte, line breaks."""
    stop = len(data)
    if at >= stop:
        return (_RECORD_ENDS if final else _UNCERTAIN), at, 0
    if data[at] == _LF:
        return _RECORD_ENDS, at + 1, 1
    if data[at] == _CR:
        if at + 1 >= stop:
            return (_RECORD_ENDS if final else _UNCERTAIN), at + 1, 1
        return _RECORD_ENDS, at + (2 if data[at + 1] == _LF else 1), 1
    if data[at] == _NUL:
        return NUL_BYTE, at, 0
    if _delimiter_at(data, at, delimiter):
        return _FIELD_ENDS, at + len(delimiter), 0
    return TEXT_AFTER_QUOTE, at, 0


@njit
def _skip_spaces(data: Bytes, at: int) -> int:
    while at < len(data) and data[at] == _SPACE:
        at += 1
    return at


@njit
def _is_blank(data: Bytes, low: int, high: int, n_columns: int) -> bool:
    """Whether a record of one unquoted field is an empty line or the end of DOS."""
    if high == low or (high == low + 1 and data[low] == _CTRL_Z):
        return True
    return n_columns != 1 and _skip_spaces(data, low) >= high


@njit
def _cut_record(  # noqa: C901 - calls in these loops cost ten times the work
    data: Bytes,
    at: int,
    line: int,
    final: bool,
    delimiter: Bytes,
    quote: int,
    skip_blanks: bool,
    kinds: Bytes,
    starts: Int32Array,
    ends: Int32Array,
    opened: IntArray,
) -> tuple[int, int, int, int, int, int]:
    """Cut one record; fields beyond the length of `starts` are only counted.

    Returns how it ended, the next byte and its line, the number of fields, how
    many of them are unquoted with a quote inside, and the bytes of the last one
    (-1 if it is quoted). ``opened[0]`` is the line where the last field's quote
    opened, 0 if it has none.
    """
    stop, is_short = len(data), len(delimiter) == 1
    n_fields = n_inner = 0
    while True:
        if skip_blanks:
            at = _skip_spaces(data, at)
        n_fields += 1
        n_doubled = 0
        opened[0] = 0
        if at < stop and data[at] == quote:
            opened[0] = line
            at += 1
            low = at
            while at < stop:
                byte = data[at]
                if byte == quote:
                    if at + 1 >= stop or data[at + 1] != quote:
                        break
                    n_doubled += 1
                    at += 1
                elif byte == _LF:
                    line += 1
                elif byte == _CR:
                    line += at + 1 >= stop or data[at + 1] != _LF
                elif byte == _NUL:
                    return NUL_BYTE, at, line, n_fields, n_inner, -1
                at += 1
            high, n_bare = at, -1
            if at >= stop:
                ended = QUOTE_NOT_CLOSED if final else _UNCERTAIN
                return ended, at, line, n_fields, n_inner, n_bare
            at += 1
            if skip_blanks:
                at = _skip_spaces(data, at)
        else:
            low, has_inner = at, False
            while at < stop:
                kind = kinds[data[at]]
                if kind == _INNER_QUOTE:
                    has_inner = True
                elif kind == _END or (
                    kind == _DELIMITER
                    and (is_short or _delimiter_at(data, at, delimiter))
                ):
                    break
                at += 1
            n_inner += has_inner
            high, n_bare = at, at - low
        if n_fields <= len(starts):
            starts[n_fields - 1] = low
            ends[n_fields - 1] = ~high if n_doubled else high
        if at < stop and data[at] == _LF:
            return _RECORD_ENDS, at + 1, line + 1, n_fields, n_inner, n_bare
        if at < stop and is_short and data[at] == delimiter[0]:
            at += 1
            continue
        ended, at, n_breaks = _field_end(data, at, final, delimiter)
        if ended != _FIELD_ENDS:
            return ended, at, line + n_breaks, n_fields, n_inner, n_bare


@njit
def split_records(
    data: Bytes,
    final: bool,
    delimiter: Bytes,
    quote: int,
    skip_blanks: bool,
    n_columns: int,
    starts: Int32Array,
    ends: Int32Array,
    counts: Int32Array,
    lines: IntArray,
    state: IntArray,
) -> int:
    """Cut bytes into records and fields until one of the outputs is full.

    Parameters
    ----------
    data : ndarray of uint8
        UTF-8 text that ends between two characters.
    final : bool
        Whether nothing follows `data`; otherwise the last record is left for
        the next call if its end is not certain.
    delimiter : ndarray of uint8, shape (1,) to (4,)
    quote : int
        The byte that quotes a field; -1 if there is none.
    skip_blanks : bool
        Whether spaces before a field (and behind a closing quote) are no text.
    n_columns : int, >= 0
        Fields a record must have; 0 takes every record as it is.
    starts, ends : ndarray of int32, shape (capacity,)
        Out: bytes of each field, without its quotes, one record after another.
        A field with doubled quotes has the end ``~end``.
    counts : ndarray of int32, shape (n,)
        Out: fields of each record.
    lines : ndarray of int64, shape (n,)
        Out: line (from 1) on which each record starts.
    state : ndarray of int64, shape (STATE_SIZE,)
        In and out, see the names above. After an error the call stops.

    Returns
    -------
    int
        Number of records found.

    Notes
    -----
    With `n_columns`, a record with a single delimiter too many at its end is
    taken without it; other records of another length are left out and counted.
    """
    kinds = _byte_kinds(delimiter, quote)
    opened = state[OPENED_LINE : OPENED_LINE + 1]
    at, line = state[POSITION], state[LINE]
    n_records = n_stored = 0
    while (
        at < len(data)
        and n_records < len(lines)
        and n_stored + max(n_columns, 1) <= len(starts)
    ):
        first_line = line
        limit = n_stored + n_columns if n_columns > 0 else len(starts)
        ended, at, line, n_fields, n_inner, n_bare = _cut_record(
            data,
            at,
            line,
            final,
            delimiter,
            quote,
            skip_blanks,
            kinds,
            starts[n_stored:limit],
            ends[n_stored:limit],
            opened,
        )
        if ended != _RECORD_ENDS:
            if ended != _UNCERTAIN:
                state[ERROR], state[ERROR_LINE] = ended, line
                state[ERROR_FIELD] = n_fields
            return n_records
        state[POSITION], state[LINE] = at, line
        state[N_INNER_QUOTES] += n_inner
        is_single = n_fields == 1 and n_bare >= 0
        if is_single and _is_blank(data, starts[n_stored], ends[n_stored], n_columns):
            state[N_BLANK] += 1
            continue
        is_trailing = n_columns > 0 and n_fields == n_columns + 1 and n_bare == 0
        if n_columns > 0 and n_fields != n_columns and not is_trailing:
            if state[N_RAGGED] == 0:
                state[RAGGED_LINE], state[RAGGED_FIELDS] = first_line, n_fields
            state[N_RAGGED] += 1
            continue
        state[N_TRAILING] += is_trailing
        counts[n_records] = n_columns if is_trailing else n_fields
        lines[n_records] = first_line
        n_stored = min(n_stored + counts[n_records], len(starts))
        n_records += 1
    return n_records


@njit
def skip_lines(data: Bytes, n_lines: int, final: bool) -> tuple[int, int]:
    """Step over lines, whatever they hold.

    Parameters
    ----------
    data : ndarray of uint8
    n_lines : int, >= 0
    final : bool
        Whether nothing follows `data`.

    Returns
    -------
    position : int
        First byte behind the lines that were stepped over.
    n_left : int
        Lines that are still to be stepped over.
    """
    position = at = 0
    while n_lines > 0 and at < len(data):
        byte = data[at]
        at += 1
        if byte == _CR:
            if at >= len(data) and not final:
                break
            if at < len(data) and data[at] == _LF:
                at += 1
        if byte in (_CR, _LF):
            position, n_lines = at, n_lines - 1
    return position, n_lines


@njit
def _copy_undoubled(
    data: Bytes, low: int, high: int, quote: int, heap: Bytes, at: int
) -> int:
    """Copy a field to the heap, doubled quotes once; returns the place behind."""
    place = low
    while place < high:
        heap[at] = data[place]
        at += 1
        place += 2 if data[place] == quote else 1
    return at


@njit
def is_full(n_values: int, n_slots: int) -> bool:
    """Whether a hash table should grow before it takes another text."""
    return 10 * n_values >= 7 * n_slots


@njit
def encode_fields(
    data: Bytes,
    starts: Int32Array,
    ends: Int32Array,
    column: int,
    n_columns: int,
    first: int,
    n_records: int,
    quote: int,
    slots: NDArray[np.uint64],
    tails: IntArray,
    heap: Bytes,
    n_values: int,
    codes: Int32Array,
) -> tuple[int, int]:
    """Give every field of one column the code of its text.

    Parameters
    ----------
    data : ndarray of uint8
    starts, ends : ndarray of int32
        As `split_records` filled them.
    column : int, in [0, n_columns)
    first, n_records : int
        Records [first, n_records) are encoded.
    quote : int
        As for `split_records`.
    slots : ndarray of uint64, shape (a power of two,)
        Open hash table, in and out: hash in the upper half, code + 1 in the
        lower one, 0 where free.
    tails : ndarray of int64, shape (capacity + 1,)
        In and out: where the text of each code starts in `heap`.
    heap : ndarray of uint8
        In and out: the distinct texts, each followed by a NUL.
    n_values : int
        Distinct texts so far.
    codes : ndarray of int32, shape (n_records,)
        Out: code of each record.

    Returns
    -------
    reached : int
        The record at which `slots`, `tails` or `heap` must grow, or `n_records`.
    n_values : int
    """
    mask = len(slots) - 1
    for record in range(first, n_records):
        field = record * n_columns + column
        low, high, begin = starts[field], ends[field], tails[n_values]
        if (
            begin + max(high, ~high) - low + 1 > len(heap)
            or n_values + 2 > len(tails)
            or is_full(n_values, len(slots))
        ):
            return record, n_values
        # The text is copied first: if it is new, it is already in its place.
        if high < 0:
            end = _copy_undoubled(data, low, ~high, quote, heap, begin)
        else:
            end = begin + high - low
            for place in range(high - low):
                heap[begin + place] = data[low + place]
        mixed = _HASH_START
        for place in range(begin, end):
            mixed = (mixed ^ np.uint64(heap[place])) * _HASH_STEP
        mixed = (mixed ^ (mixed >> np.uint64(29))) * _HASH_MIX
        hashed = mixed >> np.uint64(32)
        at = np.int64(hashed) & mask
        while slots[at] != 0:
            if slots[at] >> np.uint64(32) == hashed:
                code = np.int64(slots[at] & np.uint64(0xFFFFFFFF)) - 1
                known = tails[code]
                length = end - begin
                if tails[code + 1] - known - 1 == length:
                    place = 0
                    while place < length and heap[known + place] == heap[begin + place]:
                        place += 1
                    if place == length:
                        codes[record] = code
                        break
            at = (at + 1) & mask
        else:
            slots[at] = (hashed << np.uint64(32)) | np.uint64(n_values + 1)
            heap[end] = 0
            codes[record] = n_values
            n_values += 1
            tails[n_values] = end + 1
    return n_records, n_values


@njit
def rehash(
    slots: NDArray[np.uint64], first: int, last: int, larger: NDArray[np.uint64]
) -> None:
    """Copy entries [first, last) of a hash table to a larger one."""
    mask = len(larger) - 1
    for slot in slots[first:last]:
        if slot != 0:
            at = np.int64(slot >> np.uint64(32)) & mask
            while larger[at] != 0:
                at = (at + 1) & mask
            larger[at] = slot


def field_text(data: Bytes | bytes, low: int, high: int, quote: str) -> str:
    """Text of one field found by `split_records`.

    Parameters
    ----------
    data : ndarray of uint8, or the same as bytes
    low, high : int
        Its entries of `starts` and `ends`.
    """
    text = bytes(data[low : high if high >= 0 else ~high]).decode()
    return text.replace(quote * 2, quote) if high < 0 else text
