"""How long do the profile, what-if questions and optima take?

Options: ``--large`` adds tables of a million combinations and of 1.5 million
records. Processor seconds, since other programs may run beside.
"""

import json
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.privacy import AverageProsecutorRisk, KAnonymity
from deidgui.engine.quality import (
    Ambiguity,
    AverageClassSize,
    Discernibility,
    Height,
    Loss,
    MonotoneDiscernibility,
    MonotoneEntropy,
    MonotonePrecision,
    NonUniformEntropy,
    NormalizedEntropy,
    Precision,
)
from deidgui.engine.search.profile import build_profile
from deidgui.engine.search.warm_up import warm_up
from deidgui.engine.search.whole_lattice import what_if
from tests.engine.search.adult import adult_classes
from tests.shared import shared

MEASURES = {
    "loss": Loss(),
    "entropy": NonUniformEntropy(),
    "entropy-monotone": MonotoneEntropy(),
    "nentropy": NormalizedEntropy(),
    "discernibility": Discernibility(),
    "discernibility-monotone": MonotoneDiscernibility(),
    "aecs": AverageClassSize(),
    "height": Height(),
    "precision": Precision(),
    "precision-monotone": MonotonePrecision(),
    "ambiguity": Ambiguity(),
}


def timed(work: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    """Result of some work, its processor seconds and its seconds on the clock."""
    clock, processor = time.perf_counter(), time.process_time()
    result = work()
    return result, {
        "cpu_s": round(time.process_time() - processor, 4),
        "clock_s": round(time.perf_counter() - clock, 4),
    }


def run(arguments: list[str]) -> dict[str, Any]:
    """Measure everything on Adult; large tables on demand."""
    _, compile_time = timed(warm_up)
    table = adult_classes()
    one = [timed(lambda: build_profile(table, n_threads=1)) for _ in range(3)]
    two = [timed(lambda: build_profile(table, n_threads=2))[1] for _ in range(3)]
    profile = one[-1][0]
    found = {
        "warm_up": compile_time,
        "adult": {
            "nodes": profile.lattice.n_nodes,
            "classes": int(profile.n_classes.sum()),
            "profile_bytes": profile.tiers.nbytes,
            "one_thread": best([each for _, each in one]),
            "two_threads": best(two),
            "what_if_s": what_if_times(profile),
        },
        "against_peer": against_peer(profile, best([t for _, t in one])["cpu_s"]),
    }
    if "--large" in arguments:
        found["large"] = {
            "million_combinations": large(1_000_000, 1_000_000, 10, 3),
            "one_and_a_half_million_records": large(1_500_000, 400_000, 9, 2),
        }
    return found


def best(times: list[dict[str, float]]) -> dict[str, float]:
    """Least disturbed of several runs."""
    return min(times, key=lambda each: each["cpu_s"])


def what_if_times(profile: Any) -> dict[str, float]:
    """Median processor seconds of a question, by model."""
    asked = {
        "5-anonymity, loss": ([KAnonymity(5)], Loss()),
        "100-anonymity, loss": ([KAnonymity(100)], Loss()),
        "average risk 0.05, loss": ([AverageProsecutorRisk(0.05)], Loss()),
        "5-anonymity, discernibility": ([KAnonymity(5)], Discernibility()),
        "5-anonymity, entropy": ([KAnonymity(5)], NonUniformEntropy()),
    }
    return {
        name: median(
            timed(lambda m=models, q=measure: what_if(profile, m, 0.04, q))[1]["cpu_s"]
            for _ in range(9)
        )
        for name, (models, measure) in asked.items()
    }


def against_peer(profile: Any, profile_s: float) -> dict[str, Any]:
    """Our processor seconds for an optimum, over the peer's, for its Adult runs.

    Ours is the whole profile plus the question; a question after it costs the
    question alone.
    """
    stored = json.loads(shared("peer", "arx_results.json").read_text("utf-8"))
    found, differing = {}, []
    for each in stored["runs"]:
        parts = each["id"].split("/")
        if parts[0] != "adult" or len(parts) != 4 or parts[3] not in MEASURES:
            continue
        k, measure = int(parts[1].removeprefix("k=")), MEASURES[parts[3]]
        limit = each["suppression_limit"]
        result, spent = timed(
            lambda k=k, s=limit, q=measure: what_if(profile, [KAnonymity(k)], s, q)
        )
        ours, theirs = profile_s + spent["cpu_s"], each["cpu_s_warm"]
        if not np.isclose(result.loss[result.optimum], each["loss"], rtol=1e-6):
            differing.append(each["id"])
        found[each["id"]] = {
            "ours_s": round(ours, 4),
            "question_s": spent["cpu_s"],
            "peer_s": theirs,
            "ratio": round(ours / theirs, 2),
        }
    return {"different_optimum": differing, "runs": found}


def large(
    n_rows: int, n_combinations: int, n_attributes: int, n_levels: int
) -> dict[str, Any]:
    """Profile of a random table whose combinations are almost all different."""
    rng = np.random.default_rng(0)
    sizes = [2, 3, 5, 8, 12, 20, 40, 60, 90, 100][:n_attributes]
    hierarchies = tuple(
        Hierarchy.from_grid(f"a{at}", halving(size, n_levels))
        for at, size in enumerate(sizes)
    )
    skewed = [
        np.minimum(rng.geometric(min(0.9, 3 / n), n_rows) - 1, n - 1) for n in sizes
    ]
    leaves = np.stack(skewed, axis=1).astype(np.int32)
    if n_combinations < n_rows:
        again = rng.integers(0, n_combinations, n_rows - n_combinations)
        leaves[n_combinations:] = leaves[again]
    table = distinct(hierarchies, leaves)
    two, spent = timed(lambda: build_profile(table, n_threads=2))
    return {
        "records": n_rows,
        "combinations": table.n_classes,
        "nodes": two.lattice.n_nodes,
        "classes": int(two.n_classes.sum()),
        "profile_bytes": two.tiers.nbytes,
        "two_threads": spent,
        "what_if": timed(lambda: what_if(two, [KAnonymity(5)], 0.05, Loss()))[1],
    }


def halving(n_leaves: int, n_levels: int) -> list[tuple[str, ...]]:
    """Grid in which every level joins neighbours, the last one all."""
    widths = [n_leaves ** (level / (n_levels - 1)) for level in range(n_levels)]
    return [
        tuple(str(int(leaf // max(1, width))) for width in widths)
        for leaf in range(n_leaves)
    ]


def distinct(hierarchies: tuple[Hierarchy, ...], leaves: Any) -> ClassTable:
    """Class table of rows of leaves."""
    key = np.zeros(len(leaves), dtype=np.int64)
    for at, hierarchy in enumerate(hierarchies):
        key = key * hierarchy.n_leaves + leaves[:, at]
    _, first, counts = np.unique(key, return_index=True, return_counts=True)
    return ClassTable(
        hierarchies, np.ascontiguousarray(leaves[first]), counts.astype(np.int64)
    )
