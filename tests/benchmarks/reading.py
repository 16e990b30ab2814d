"""How long do reading, typing and writing 10 million rows take, and how much memory?

Run by hand: ``python -m tests.benchmarks reading``.
"""

from __future__ import annotations

import gzip
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from deidgui.engine.data.csv_io import read_csv
from deidgui.engine.data.csv_write import OutputColumn, write_table
from deidgui.engine.data.dialect import Dialect, guess_dialect
from deidgui.engine.data.missing import missing_candidates
from deidgui.engine.data.source import open_source
from deidgui.engine.data.value_types import guess_type
from tests.sources import bytes_source

N_ROWS = 10_000_000
_BATCH = 500_000


class Stopwatch:
    """Monitor that knows the longest time between two calls."""

    def __init__(self) -> None:
        self.last, self.longest_gap_s = time.perf_counter(), 0.0

    def report(self, fraction: float, note: str = "") -> None:
        now = time.perf_counter()
        self.longest_gap_s = max(self.longest_gap_s, now - self.last)
        self.last = now


def make_file(path: Path, n_rows: int = N_ROWS) -> None:
    """Synthetic patients, 10 columns, about 70 bytes a row."""
    generator = np.random.default_rng(1)
    first, last = np.datetime64("1920-01-01"), np.datetime64("2015-01-01")
    with path.open("wb") as file:
        file.write(b"patient,sex,birth,zip,race,admitted,days,icd,charge,note\n")
        for start in range(0, n_rows, _BATCH):
            size = min(_BATCH, n_rows - start)
            draw = generator.integers
            padded = pl.Series(draw(501, 99_950, size)).cast(pl.String)
            frame = pl.DataFrame(
                {
                    "patient": np.arange(start, start + size) + 10**8,
                    "sex": generator.choice(["M", "F"], size),
                    "birth": (first + draw(0, 36_000, size)).astype(str),
                    "zip": padded.str.pad_start(5, "0"),
                    "race": generator.choice(["White", "Black", "Asian"], size),
                    "admitted": (last + draw(0, 2000, size)).astype(str),
                    "days": draw(0, 60, size),
                    "icd": pl.Series(draw(0, 9999, size)).cast(pl.String),
                    "charge": (draw(0, 10**6, size) / 100).round(2),
                    "note": generator.choice(["a, b", 'c "x"', "plain"], size),
                }
            )
            frame.write_csv(file, include_header=False)


def measure(path: Path) -> dict[str, float | int]:
    """Open, guess, read, type and write one file."""
    read_csv(bytes_source("warm up", b"a\n1\n"), Dialect())  # compile or load
    watch, started = Stopwatch(), time.perf_counter()
    times: dict[str, float | int] = {}

    def lap(name: str) -> None:
        nonlocal started
        now = time.perf_counter()
        times[f"{name}_s"] = round(now - started, 2)
        started = now

    source = open_source(path, monitor=watch)
    lap("open")
    dialect = guess_dialect(source, monitor=watch).dialect
    lap("guess")
    table = read_csv(source, dialect, monitor=watch).table
    lap("read")
    for column in table.columns:
        candidates = missing_candidates(column, monitor=watch)
        tokens = [each.token for each in candidates if each.certain]
        guess_type(column.with_missing(tokens), monitor=watch)
    lap("types")
    columns = [OutputColumn(c.name, c.codes, c.values) for c in table.columns]
    with Path(os.devnull).open("wb") as target:
        write_table(target, columns, monitor=watch)
    lap("write")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {
        "rows": table.n_rows,
        "file_mb": source.n_bytes >> 20,
        **times,
        "longest_gap_s": round(watch.longest_gap_s, 2),
        "peak_mb": peak,
    }


def run(arguments: Sequence[str] = ()) -> dict[str, object]:
    """Measure a plain and a gzip file, each in a process of its own.

    The first argument is the number of rows, if there is one.
    """
    n_rows = int(arguments[0]) if arguments else N_ROWS
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "patients.csv"
        packed = Path(folder) / "patients.csv.gz"
        make_file(plain, n_rows)
        with plain.open("rb") as file, gzip.open(packed, "wb", 1) as target:
            shutil.copyfileobj(file, target, 1 << 20)
        return {"plain": _apart(plain), "gzip": _apart(packed)}


def _apart(path: Path) -> object:
    """Peak memory belongs to a process: measure in a new one."""
    command = [sys.executable, "-m", "tests.benchmarks.reading", str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]))))
