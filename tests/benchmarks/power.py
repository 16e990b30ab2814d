"""Sets of attributes and samples of large tables: ``python -m tests.benchmarks power``.

Seconds by the clock and of all cores, of the three figures that are to be reached:
blocks of the design (15, 7, 5) on 900,000 rows (30 s), all 15,504 sets of 5 of 20
attributes on 100,000 rows (60 s), and the curve of 900,000 people by 20 fractions with
1,000 samples each (20 s; its closed form at once).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from deidgui.app.power.coverings import design_of
from deidgui.app.sampling.curves import FRACTIONS, SampledPolicy, curve_of
from deidgui.engine.covering.subsets import Combinations, risks_of, risks_of_all
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.sampling.curve import SizeCounts
from tests.benchmarks.blocks import wide_table


def run(_arguments: list[str]) -> dict[str, Any]:
    """Return the seconds of each."""
    large, wide = _shown(wide_table(15, 900_000)), _shown(wide_table(20, 100_000))
    blocks = design_of(15, 7, 5).points()
    risks_of(large, blocks[:2], 5)
    sizes = SizeCounts.of(wide_table(6, 900_000).counts)
    people = SampledPolicy(None, "data", sizes)
    return {
        "design_15_7_5": {"blocks": len(blocks), "rows": len(large.counts)}
        | _timed(lambda: risks_of(large, blocks, 5)),
        "sets_5_of_20": {"rows": len(wide.counts)}
        | _timed(lambda: risks_of_all(wide, 5, 5)),
        "curve": {"people": sizes.n_people, "classes": int(sizes.n_classes.sum())}
        | _timed(lambda: curve_of(people)),
        "closed_form": _timed(lambda: [people.average(each) for each in FRACTIONS]),
    }


def _shown(table: ClassTable) -> Combinations:
    return Combinations(np.ascontiguousarray(table.leaves.T), table.counts)


def _timed(work: Callable[[], object]) -> dict[str, float]:
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return {
        "wall": round(time.perf_counter() - wall, 2),
        "cpu": round(time.process_time() - cpu, 2),
    }
