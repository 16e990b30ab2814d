"""How a released table becomes the bytes of a CSV file."""

from __future__ import annotations

import numpy as np

from deidgui.engine.arrays import Int32Array
from deidgui.engine.data.csv_write import (
    BinaryTarget,
    OutputColumn,
    WriteReport,
    write_table,
)
from deidgui.engine.transform.released import ReleasedColumn, ReleasedTable
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


def write_csv(
    released: ReleasedTable, file: BinaryTarget, *, monitor: Monitor = NULL_MONITOR
) -> WriteReport:
    """Write a release as CSV: UTF-8, commas, a header, lines that end in LF.

    Parameters
    ----------
    released : ReleasedTable
        Texts already harmless for spreadsheets where this was asked for.

    Returns
    -------
    WriteReport
        Rows, bytes and SHA-256 of exactly what was written.

    Raises
    ------
    OSError
        If the file cannot be written; the caller knows its name.
    """
    columns = []
    for place, column in enumerate(released.columns):
        share = len(released.columns) / 0.25
        step = SubMonitor(monitor, place / share, (place + 1) / share)
        codes = _codes(released, column, step)
        columns.append(OutputColumn(column.name, codes, column.values))
    return write_table(file, columns, monitor=SubMonitor(monitor, 0.25, 1.0))


def _codes(
    released: ReleasedTable, column: ReleasedColumn, monitor: Monitor
) -> Int32Array:
    """Released text of every row of a column, as numbers."""
    codes = np.empty(released.n_rows, dtype=np.int32)
    done = 0
    for rows in released.chunks(500_000):
        monitor.report(done / released.n_rows, "write")
        codes[done : done + len(rows)] = released.codes(column, rows)
        done += len(rows)
    return codes
