"""How long do classifying a wide table and measuring all sets of columns take?

Options: a number of rows and of columns, 1,000,000 and 1,000 by default.
"""

import time
from typing import Any

import numpy as np
import polars as pl

from deidgui.engine.data.table import Column, Table
from deidgui.engine.detect.columns import detect_columns
from deidgui.engine.detect.subsets import subsets_of_columns


def _column(name, rng, n_rows, texts):
    codes = rng.integers(0, len(texts), n_rows).astype(np.int32)
    return Column(name, codes, pl.Series(sorted(texts)))


def _wide_table(n_rows, n_columns):
    rng = np.random.default_rng(1)
    kinds = {
        "category": [f"word{k}" for k in range(5)],
        "decimal": [f"{k / 100:.2f}" for k in range(20_000)],
        "integer": [str(k) for k in range(100_000)],
        "text": [f"Word{k % 977} number{k}" for k in range(300_000)],
        "date": [str(np.datetime64("2010-01-01") + k) for k in range(3_000)],
    }
    columns = [_column(kind, rng, n_rows, texts) for kind, texts in kinds.items()]
    # The same codes under many names: a thousand columns in little memory.
    named = [
        Column(f"x{place}_{column.name}", column.codes, column.values)
        for place in range(n_columns)
        for column in (columns[place % len(columns)],)
    ]
    return Table("wide", tuple(named)), {c.name: c.name.split("_")[1] for c in named}


def run(arguments: list[str]) -> dict[str, Any]:
    """Wall-clock seconds by task."""
    n_rows = int(arguments[0]) if arguments else 1_000_000
    n_columns = int(arguments[1]) if len(arguments) > 1 else 1_000
    table, types = _wide_table(n_rows, n_columns)
    start = time.perf_counter()
    detect_columns(table, types)
    detected = time.perf_counter() - start
    rng = np.random.default_rng(2)
    widths = (2, 7, 90, 50, 12, 5, 20, 3, 30, 16)
    columns = [
        _column(f"q{place}", rng, n_rows, [f"{k:03d}" for k in range(width)])
        for place, width in enumerate(widths)
    ]
    subsets_of_columns(columns[:2])  # compiles
    start = time.perf_counter()
    sets = subsets_of_columns(columns)
    return {
        "rows": n_rows,
        "columns": n_columns,
        "detect_seconds": round(detected, 2),
        "subsets": len(sets.members),
        "subsets_seconds": round(time.perf_counter() - start, 2),
    }
