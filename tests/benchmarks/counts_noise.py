"""How long does noise on counts take, and what is computed about it?

Seconds of processor time. Option: a number of counts, 1,000,000 by default.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from deidgui.engine.counts.noise.discrete_gaussian import draw_discrete_gaussian
from deidgui.engine.counts.noise.distribution import fresh_words, rounded_gaussian
from deidgui.engine.counts.noise.fuzzing import canonical, fuzz, keyed_words
from deidgui.engine.counts.noise.redundancy import best_estimate
from deidgui.engine.counts.noise.repeats import exact_repeats, simulated_repeats
from deidgui.engine.counts.noise.rules import RoundedGaussian
from deidgui.engine.counts.tables.proposing import proposed_structure
from deidgui.engine.counts.tables.table import CountTable
from deidgui.engine.transform.pseudonyms import PseudonymKey

FEW_EXACT = 20_000


def seconds(work: Callable[[], Any]) -> float:
    """Processor time of one call."""
    start = time.process_time()
    work()
    return round(time.process_time() - start, 3)


def cross_table(n_rows: int, n_columns: int, name: str) -> CountTable:
    """A cross table with margins."""
    counts = np.random.default_rng(1).poisson(40, (n_rows, n_columns))
    rows = [["", *(f"column {n}" for n in range(n_columns)), "Total"]]
    for number, row in enumerate(counts.tolist()):
        rows.append([f"row {number}", *map(str, row), str(sum(row))])
    sums = counts.sum(axis=0).tolist()
    rows.append(["Total", *map(str, sums), str(sum(sums))])
    return CountTable.of(name, rows)


def run(arguments: list[str]) -> dict[str, Any]:
    """Time each piece once."""
    n = int(arguments[0]) if arguments else 1_000_000
    noise, key = rounded_gaussian(2.5), PseudonymKey.draw("noise")
    asked = [canonical(("table", f"row {at}", "Sample1")) for at in range(n)]
    tables = tuple(cross_table(30, 40, f"table {at}") for at in range(15))
    relations = proposed_structure(tables).relations
    n_cells = sum(len(list(table.counts())) for table in tables)
    rule = RoundedGaussian(2.5, 11, "noise", "keyed")
    m = 30 * 41
    margins = [
        [(row * 41 + 40, 1.0), *((row * 41 + c, -1.0) for c in range(40))]
        for row in range(30)
    ]
    return {
        "counts": n,
        "fresh_noise": seconds(lambda: noise.from_words(fresh_words(n))),
        "keyed_noise": seconds(lambda: noise.from_words(keyed_words(key, asked))),
        "exact_discrete_gaussian": {
            "counts": FEW_EXACT,
            "seconds": seconds(lambda: draw_discrete_gaussian(2.5, FEW_EXACT)),
        },
        "simulated_attacks": {
            "attacks": 10_000,
            "seconds": seconds(lambda: simulated_repeats(noise, 10_000)),
        },
        "exact_repeats": {
            str(sigma): seconds(lambda s=sigma: exact_repeats(rounded_gaussian(s)))
            for sigma in (1.33, 2.5, 6.5)
        },
        "tables": {
            "tables": len(tables),
            "counts": n_cells,
            "fuzz": seconds(lambda: fuzz(tables, relations, rule, key)),
        },
        "best_estimate_of_1230": seconds(
            lambda: best_estimate(np.zeros(m), np.full(m, 2.5), margins)
        ),
    }
