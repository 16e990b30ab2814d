"""Joins texts to the lines of a delimited file: compiled kernels over UTF-8 bytes."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from deidgui.engine.arrays import Int32Array, IntArray
from deidgui.engine.compiled import njit

Bytes: TypeAlias = NDArray[np.uint8]

_QUOTE, _BLANK = ord('"'), ord(" ")
_MARK = np.frombuffer("\ufeff".encode(), np.uint8)


@njit
def _needs_quotes(heap: Bytes, low: int, high: int, delimiter: Bytes) -> bool:
    """Whether a cell, or the line, would be another one if it had no quotes."""
    if low < high and (heap[low] == _BLANK or heap[high - 1] == _BLANK):
        return True
    for at in range(low, high):
        byte = heap[at]
        if byte == _QUOTE or byte < _BLANK:
            return True
        if byte == _MARK[0] and _starts_with(heap, at, high, _MARK):
            return True
        if byte == delimiter[0] and _starts_with(heap, at, high, delimiter):
            return True
    return False


@njit
def _starts_with(heap: Bytes, low: int, high: int, found: Bytes) -> bool:
    if high - low < len(found):
        return False
    for place in range(len(found)):  # noqa: SIM110 - numba has no all()
        if heap[low + place] != found[place]:
            return False
    return True


@njit
def quote_texts(
    heap: Bytes,
    lengths: IntArray,
    delimiter: Bytes,
    quotes_empty: bool,
    ending: Bytes,
) -> tuple[Bytes, IntArray]:
    """Put texts in quotes where they need them, and an ending behind each.

    Parameters
    ----------
    heap : ndarray of uint8
        The texts one after another, as UTF-8.
    lengths : ndarray of int64, shape (n_texts,)
        Bytes of each.
    delimiter : ndarray of uint8
    quotes_empty : bool
        Whether an empty text is put in quotes, too.
    ending : ndarray of uint8

    Returns
    -------
    heap : ndarray of uint8
    lengths : ndarray of int64, shape (n_texts,)
    """
    written = np.empty(2 * len(heap) + (2 + len(ending)) * len(lengths), np.uint8)
    sizes = np.empty(len(lengths), np.int64)
    low = at = 0
    for number in range(len(lengths)):
        begin, high = at, low + lengths[number]
        quoted = _needs_quotes(heap, low, high, delimiter)
        quoted |= quotes_empty and low == high
        if quoted:
            written[at] = _QUOTE
            at += 1
        for place in range(low, high):
            written[at] = heap[place]
            at += 1
            if heap[place] == _QUOTE:
                written[at] = _QUOTE
                at += 1
        if quoted:
            written[at] = _QUOTE
            at += 1
        for byte in ending:
            written[at] = byte
            at += 1
        sizes[number] = at - begin
        low = high
    return written[:at].copy(), sizes


@njit
def add_lengths(codes: Int32Array, tails: IntArray, ends: IntArray) -> None:
    """Add the length of each row's text to the row after it.

    Parameters
    ----------
    codes : ndarray of int32, shape (n_rows,)
    tails : ndarray of int64, shape (n_texts + 1,)
        Where each text starts in its heap.
    ends : ndarray of int64, shape (n_rows + 1,)
        In and out.
    """
    for row in range(len(codes)):
        code = codes[row]
        ends[row + 1] += tails[code + 1] - tails[code]


@njit
def put_texts(
    codes: Int32Array, tails: IntArray, heap: Bytes, places: IntArray, lines: Bytes
) -> None:
    """Copy the text of each row to its place in the lines, and move the place on.

    Parameters
    ----------
    codes, tails : ndarray
        As for `add_lengths`.
    heap : ndarray of uint8
    places : ndarray of int64, shape (n_rows + 1,)
        In and out: where the next text of each row goes.
    lines : ndarray of uint8
        Out.
    """
    for row in range(len(codes)):
        low, high = tails[codes[row]], tails[codes[row] + 1]
        at = places[row]
        for place in range(high - low):
            lines[at + place] = heap[low + place]
        places[row] = at + high - low
