"""How do the texts of a column become integer codes while a file is read?"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from deidgui.engine.arrays import AnyArray, Int32Array, IntArray
from deidgui.engine.data import csv_scan
from deidgui.engine.data.csv_scan import Bytes
from deidgui.monitor import NULL_MONITOR, Monitor

_SERIES_BYTES = 8 << 20  # dictionary text that is handed to polars at once
_LARGE = 200_000  # distinct values from which sorting may take a second
_POLL_S = 0.02
_ROWS_AT_ONCE = 1_000_000
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
        if self._n_rows + n_records > len(self._codes):
            size = max(self._n_rows + n_records, len(self._codes) * 3 // 2)
            self._codes.resize(size, refcheck=False)
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
        self, *, monitor: Monitor = NULL_MONITOR
    ) -> tuple[Int32Array, pl.Series]:
        """Codes and distinct texts, sorted by code point; the builder is spent.

        Returns
        -------
        codes : ndarray of int32, shape (n_rows,)
        values : polars Series of String, length n_values
        """
        self._slots = np.zeros(0, dtype=np.uint64)
        found = self._texts(monitor)
        self._heap = np.zeros(0, dtype=np.uint8)
        self._tails = np.zeros(0, dtype=np.int64)
        values, order = _sorted(found, monitor)
        rank = np.empty(self._n_values, dtype=np.int32)
        rank[order] = np.arange(self._n_values, dtype=np.int32)
        monitor.report(1.0, "values")
        codes = self._codes
        codes.resize(self._n_rows, refcheck=False)
        for first in range(0, self._n_rows, _ROWS_AT_ONCE):
            part = codes[first : first + _ROWS_AT_ONCE]
            part[:] = rank[part]
            monitor.report(1.0, "values")
        self._codes = np.empty(0, dtype=np.int32)
        return codes, values

    def _texts(self, monitor: Monitor) -> pl.Series:
        """Distinct texts in the order in which they were met."""
        parts: list[pl.Series] = []
        first = 0
        while first < self._n_values:
            limit = int(self._tails[first]) + _SERIES_BYTES
            tails = self._tails[: self._n_values + 1]
            last = max(int(np.searchsorted(tails, limit, "right")) - 1, first + 1)
            raw = self._heap[self._tails[first] : self._tails[last] - 1].tobytes()
            # NUL bytes are refused in the input, so they are safe separators.
            text = pl.Series([raw.decode()], dtype=pl.String)
            parts.append(text.str.split("\0").explode())
            first = last
            monitor.report(0.5 * first / self._n_values, "values")
        return pl.concat(parts) if parts else pl.Series([], dtype=pl.String)


def _sorted(values: pl.Series, monitor: Monitor) -> tuple[pl.Series, AnyArray]:
    """Sort texts by code point (the order of their UTF-8 bytes), cancellably."""
    if len(values) < _LARGE:
        order = values.arg_sort()
        return values.gather(order), order.to_numpy()
    frame = pl.DataFrame({"value": values}).lazy().with_row_index("place").sort("value")
    query = frame.collect(background=True)
    try:
        while (done := query.fetch()) is None:
            monitor.report(0.5, "values")
            time.sleep(_POLL_S)
    except BaseException:
        query.cancel()
        raise
    monitor.report(1.0, "values")
    return done["value"], done["place"].to_numpy()
