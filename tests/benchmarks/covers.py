"""Sizes of covering designs, and published ones: ``python -m tests.benchmarks covers``.

Prints a table like table 7-6 of El Emam and Arbuckle (2013), *Anonymizing Health Data*:
for each design the lower bound, the size in the book, the size that ships with the
program, and one that is made anew, with its seconds. Every design is counted again.

The book's 871 for 8 points of 15 that hold every 7 is below the bound: no such design
exists.
"""

from __future__ import annotations

import time
from itertools import combinations
from typing import Any

from deidgui.app.power.coverings import stored_design
from deidgui.engine.covering.construct import DesignMaker
from deidgui.engine.covering.design import Design, schoenheim_bound

V = 15

PUBLISHED = {
    (3, 3): 455,
    (4, 3): 124,
    (5, 3): 56,
    (6, 3): 31,
    (7, 3): 15,
    (8, 3): 13,
    (9, 3): 10,
    (10, 3): 7,
    (5, 5): 3003,
    (6, 5): 578,
    (7, 5): 189,
    (8, 5): 89,
    (9, 5): 42,
    (10, 5): 27,
    (7, 7): 6435,
    (8, 7): 871,
    (9, 7): 270,
    (10, 7): 108,
}
"""Blocks by points of a block and points that lie in one, of 15 points."""


def run(_arguments: list[str]) -> dict[str, Any]:
    """Return a row for each design of the table."""
    return {"v": V, "designs": [_row(k, t) for k, t in PUBLISHED]}


def _row(k: int, t: int) -> dict[str, Any]:
    begun = time.perf_counter()
    made = DesignMaker().design(V, k, t)
    seconds = time.perf_counter() - begun
    shipped = stored_design(V, k, t) or made
    return {
        "k": k,
        "t": t,
        "bound": schoenheim_bound(V, k, t),
        "published": PUBLISHED[k, t],
        "shipped": shipped.n_blocks,
        "made": made.n_blocks,
        "seconds": round(seconds, 2),
        "covers": _covers(shipped) and _covers(made),
    }


def _covers(design: Design) -> bool:
    every = {each for block in design.blocks for each in combinations(block, design.t)}
    return every == set(combinations(range(design.v), design.t))
