"""Audit and repair of tables of counts that were made up: how long, and what comes out.

    python -m tests.benchmarks counts [--tables 500] [--repair]

With ``--repair`` complements are chosen, too: many tables that are joined take minutes.

The 500 tables are characteristics of sites, 5 rows by 6 columns with margins, below a
threshold of 11; each is joined to the next by a row that both show. The cross table has
30 rows and 40 columns with margins, of which the 200 smallest counts are masked.
"""

import argparse
import time
from collections import Counter

import numpy as np

from deidgui.engine.counts.audit.inference import audit
from deidgui.engine.counts.audit.system import SystemBuilder
from deidgui.engine.counts.repair.complements import suppression


def run(arguments):
    """Return seconds and outcomes of each part."""
    parser = argparse.ArgumentParser(prog="counts")
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--repair", action="store_true")
    options = parser.parse_args(arguments)
    rng = np.random.default_rng(14)
    systems = {
        "tables": many_tables(rng, options.tables),
        "cross table": cross_table(rng.negative_binomial(1, 0.03, (30, 40)), 200),
    }
    return {name: _measured(each, options.repair) for name, each in systems.items()}


def many_tables(rng, n_tables):
    """Return tables of 5 by 6 counts with margins, each joined to the next."""
    b = SystemBuilder()
    last = None
    for table in range(n_tables):
        counts = rng.negative_binomial(0.8, 0.03, (5, 6))
        if last is not None:
            counts[0] = last[0]
        cells = _add(b, table, counts, 11)
        if last is not None:
            for first, second in zip(last[1], cells[0], strict=True):
                b.same(("same", table), first, second)
        last = counts[-1], cells[-1]
    return b.build()


def cross_table(counts, n_masked):
    """Return a table of which as many of the smallest counts are masked."""
    small = np.sort(counts[counts > 0])
    b = SystemBuilder()
    _add(b, 0, counts, int(small[n_masked - 1]) + 1)
    return b.build()


def _add(b, table, counts, threshold):
    def cell(count):
        return b.masked(threshold) if 0 < count < threshold else b.shown(int(count))

    cells = [[cell(count) for count in row] for row in counts]
    rows = [cell(each) for each in counts.sum(1)]
    columns = [cell(each) for each in counts.sum(0)]
    total = cell(counts.sum())
    for number, row in enumerate(cells):
        b.total((table, "row", number), rows[number], row)
    for number, column in enumerate(zip(*cells, strict=True)):
        b.total((table, "column", number), columns[number], column)
    b.total((table, "rows"), total, rows)
    b.total((table, "columns"), total, columns)
    return cells


def _measured(system, with_repair):
    begun = time.perf_counter()
    found = audit(system)
    took = time.perf_counter() - begun
    result = {
        "counts": system.size,
        "masked": len(system.masked),
        "relations": len(system.relations),
        "audit_s": round(took, 2),
        "outcomes": Counter(each.outcome for each in found.cells),
        "proven": sum(each.is_proven for each in found.cells),
    }
    if with_repair:
        begun = time.perf_counter()
        repaired = suppression(system, 11)
        took = time.perf_counter() - begun
        result["repair_s"] = round(took, 2)
        result["hidden"] = len(repaired.hidden)
        result["gap"] = repaired.gap
        result["left"] = len(repaired.audit.too_narrow)
    return result
