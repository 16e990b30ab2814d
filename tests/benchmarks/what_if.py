"""How long do other thresholds take to be answered, for every measure, on Adult?

Milliseconds of a question to the profile that a search made: every k with every limit,
as somebody moves the sliders. Beside them the seconds of that search.
"""

from __future__ import annotations

import time
from itertools import product
from typing import Any

from deidgui.engine.privacy import KAnonymity
from deidgui.engine.quality import (
    Ambiguity,
    AverageClassSize,
    Discernibility,
    Height,
    KLDivergence,
    Loss,
    NonUniformEntropy,
    NormalizedEntropy,
    Precision,
)
from deidgui.engine.search.warm_up import warm_up
from deidgui.engine.search.whole_lattice import search_lattice, what_if
from tests.engine.search.adult import adult_classes

MEASURES = {
    "loss": Loss(),
    "precision": Precision(),
    "height": Height(),
    "discernibility": Discernibility(),
    "average class size": AverageClassSize(),
    "entropy": NonUniformEntropy(),
    "entropy, share": NormalizedEntropy(),
    "ambiguity": Ambiguity(),
    "kl divergence": KLDivergence(),
}
SIZES = (2, 5, 10, 50, 100)
LIMITS = (0.0, 0.01, 0.05, 0.2, 1.0)


def run(_arguments: list[str]) -> dict[str, Any]:
    """Ask every question of every measure."""
    warm_up()
    return {name: asked(measure) for name, measure in MEASURES.items()}


def asked(measure: Any) -> dict[str, Any]:
    """Search once, then ask."""
    table = adult_classes()
    start, clock = time.process_time(), time.perf_counter()
    result = search_lattice(table, [KAnonymity(5)], 0.02, measure)
    searched = time.process_time() - start, time.perf_counter() - clock
    times, exact = {}, True
    for k, limit in product(SIZES, LIMITS):
        models = [KAnonymity(k)]
        runs = []
        for _ in range(3):
            start, clock = time.process_time(), time.perf_counter()
            found = what_if(result.profile, models, limit, measure)
            runs.append((time.process_time() - start, time.perf_counter() - clock))
        exact &= bool(found.exact.all())
        times[f"k={k}, limit {limit:g}"] = min(runs)
    spent = sorted((each, name) for name, each in times.items())
    return {
        "search_cpu_s": round(searched[0], 3),
        "search_clock_s": round(searched[1], 3),
        "median_ms": round(1000 * spent[len(spent) // 2][0][0], 1),
        "worst_ms": round(1000 * spent[-1][0][0], 1),
        "worst_clock_ms": round(1000 * max(each[1] for each in times.values()), 1),
        "worst_at": spent[-1][1],
        "all_exact": exact,
    }
