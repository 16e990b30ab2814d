"""De-identification by blocks of wide tables: ``python -m tests.benchmarks blocks``.

``python -m tests.benchmarks blocks [M P ROWS [K [LIMIT]]]``: of M attributes P are
known. Seconds are of all cores, so that they mean the same on a busy machine: of one
measurement of every block, of the search, and of the search over the measurement, which
is what `deidgui.app.policies.blocks.source` foresees the time of a search by.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from deidgui.app.policies.blocks.source import blocks_of
from deidgui.engine.covering.blocks import BlockTask, de_identify
from deidgui.engine.covering.subsets import Combinations, risks_of
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.hierarchy import Hierarchy

WIDE = ((50, 3, 100_000), (20, 5, 100_000))
SMALL = ((8, 2, 5_000), (8, 4, 5_000), (15, 3, 5_000), (15, 5, 5_000), (30, 2, 5_000))
SIZES = (3, 3, 8, 16, 24, 24, 24)
"""Values of the attributes, over and over."""


def run(arguments: list[str]) -> dict[str, Any]:
    """Return a row for each table: the wide ones, or the one that is asked for."""
    if arguments == ["ratios"]:
        return {"searches": [_row(*each, k=k) for each in SMALL for k in (3, 10)]}
    if arguments:
        m, p, n, *others = arguments
        k = int(others[0]) if others else 5
        limit = float(others[1]) if len(others) > 1 else 0.1
        return {"searches": [_row(int(m), int(p), int(n), k=k, limit=limit)]}
    return {"searches": [_row(*each) for each in WIDE]}


def _row(m: int, p: int, n: int, *, k: int = 5, limit: float = 0.1) -> dict[str, Any]:
    table, blocks = wide_table(m, n), blocks_of(m, p, None)
    codes = np.ascontiguousarray(table.leaves.T)
    shown = Combinations(codes, table.counts)
    risks_of(shown, blocks[:2], k)
    began = time.process_time()
    risks_of(shown, blocks, k)
    once = time.process_time() - began
    found: dict[str, Any] = {"m": m, "p": p, "rows": n, "k": k, "blocks": len(blocks)}
    for by_record in (False, True):
        heights = [each.height for each in table.hierarchies]
        least = int(limit * n)
        asked = BlockTask(blocks, k, least, [0] * m, heights, [1.0] * m, by_record)
        began, wall = time.process_time(), time.perf_counter()
        done = de_identify(table, asked)
        cpu = time.process_time() - began
        found["records" if by_record else "cells"] = {
            "seconds_once": round(once, 3),
            "seconds": round(cpu, 1),
            "wall": round(time.perf_counter() - wall, 1),
            "times": round(cpu / once, 1),
            "steps": len(done.steps),
            "levels": sum(done.levels),
            "touched": done.n_touched,
        }
    return found


def wide_table(m: int, n: int) -> ClassTable:
    """Rows with a few common values of each attribute, and many rare ones."""
    rng = np.random.default_rng(m)
    sizes = [SIZES[at % len(SIZES)] for at in range(m)]
    shares = rng.geometric(0.35, (n, m)) - 1
    rows = np.minimum(shares, np.array(sizes) - 1).astype(np.int32)
    leaves, counts = np.unique(rows, axis=0, return_counts=True)
    found = [_bands(f"a{at:02}", size) for at, size in enumerate(sizes)]
    return ClassTable(tuple(found), leaves, counts.astype(np.int64))


def _bands(name: str, n: int) -> Hierarchy:
    """Each level joins two neighbours of the one before, up to a single group."""
    height = max(1, (n - 1).bit_length())
    grid = [
        (f"{at}", *(f"{level}.{at >> level}" for level in range(1, height)), "*")
        for at in range(n)
    ]
    return Hierarchy.from_grid(name, grid)
