"""Seconds of the policy discovery: ``python -m tests.benchmarks discover``.

Adult by sex, race and age in a MODELLED Tennessee (see
`tests.engine.discover.tennessee`), also with a ZIP code that is drawn by the real
counts of 2020 and is independent of all else, as one large table and as two tables;
and a million records.
"""

from __future__ import annotations

import resource
import time

import numpy as np

from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.discover.bps import UNWEIGHTED, bisecting_search
from deidgui.engine.discover.cells import Cells, PopulationCounts, count_cells
from deidgui.engine.discover.completion import complete
from deidgui.engine.discover.directed import directed_search
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.frontier import RiskAndLoss, sublattice_search
from deidgui.engine.discover.risk import RiskMeasure
from deidgui.engine.discover.rules import RiskAtMost
from deidgui.engine.discover.safe_harbor import Element, safe_harbor
from deidgui.engine.discover.space import Space
from tests.engine.discover.frontiers import hypervolume, random_chains
from tests.engine.discover.tennessee import adult_in_tennessee, rows_of
from tests.shared import shared

N_ITERATIONS = 100


def run(arguments: list[str]) -> list[dict[str, object]]:
    """Measure every case; the first one is run twice so that all is compiled."""
    table = adult_in_tennessee()
    _adult(table, "interval")
    cases = [_adult(table, "interval"), _adult(table, "subtree")]
    for n_records in (32_561, 1_000_000):
        for is_one_table in (True, False):
            cases.append(_with_zip(table, n_records, is_one_table=is_one_table))
    return cases


def _adult(table: ClassTable, mode: str) -> dict[str, object]:
    space = Space(tuple(map(Domain.of, table.hierarchies)), mode)
    cells, measure, rule, seconds = _prepared(
        space, table, None, {"age": Element("age")}
    )
    found: dict[str, object] = {
        "case": f"sex, race, age: {mode}",
        "bits": space.n_bits,
        "records": cells.n_records,
        "cells": len(cells.records),
        "threshold": rule.threshold,
        "count_s": seconds,
    }
    start = time.perf_counter()
    bps = bisecting_search(rule, N_ITERATIONS, seed=1)
    found["bps_s"] = _since(start)
    start = time.perf_counter()
    directed = directed_search(rule, N_ITERATIONS, seed=1)
    found["directed_s"] = _since(start)
    plain = bisecting_search(rule, N_ITERATIONS, seed=1, weights=UNWEIGHTED)
    found |= {
        "bps_evaluations": int(bps.n_asked.sum()),
        "directed_evaluations": int(directed.n_asked.sum()),
        "node_ratio": round(float(directed.n_asked.sum() / bps.n_asked.sum()), 2),
        "bps_non_dominated": int(bps.n_non_dominated[-1]),
        "bps_unweighted_non_dominated": int(plain.n_non_dominated[-1]),
        "directed_non_dominated": int(directed.n_non_dominated[-1]),
    }
    start = time.perf_counter()
    complete(rule, [each.policy for each in bps.distinct])
    found["completion_s"] = _since(start)
    for name, search in (("shs", sublattice_search), ("chains", random_chains)):
        start = time.perf_counter()
        frontier = search(RiskAndLoss(measure), seed=1)
        found[f"{name}_s"] = _since(start)
        found[f"{name}_policies"] = frontier.n_evaluated
        found[f"{name}_points"] = len(frontier.points)
        found[f"{name}_hypervolume"] = round(hypervolume(frontier), 5)
    return found


def _prepared(
    space: Space,
    table: ClassTable,
    population: list[PopulationCounts] | None,
    elements: dict[str, Element],
) -> tuple[Cells, RiskMeasure, RiskAtMost, float]:
    start = time.perf_counter()
    cells = count_cells(space, table, population)
    measure = RiskMeasure(cells)
    threshold = safe_harbor(space, elements).risk(cells)
    return cells, measure, RiskAtMost(measure, threshold), _since(start)


def _since(start: float) -> float:
    return round(time.perf_counter() - start, 4)


def zip_population() -> dict[str, int]:
    """People by ZIP code area of Tennessee, census of 2020."""
    path = shared("data", "zcta", "zcta_2020_population.csv")
    found = {row["zcta"]: int(row["population"]) for row in rows_of(path)}
    return {
        zcta: population
        for zcta, population in sorted(found.items())
        if "370" <= zcta[:3] <= "385" and population
    }


def _with_zip(
    table: ClassTable, n_records: int, *, is_one_table: bool
) -> dict[str, object]:
    areas = zip_population()
    zips = Hierarchy.from_grid("zip", [(zcta, zcta[:3], "*") for zcta in areas])
    shares = np.array(list(areas.values())) / sum(areas.values())
    rng = np.random.default_rng(7)
    rows = rng.choice(len(table.counts), n_records, p=table.counts / table.n_records)
    drawn = rng.choice(len(areas), n_records, p=shares).astype(np.int32)
    keys, counts = np.unique(rows * len(areas) + drawn, return_counts=True)
    leaves = np.column_stack([table.leaves[keys // len(areas)], keys % len(areas)])
    wide = ClassTable((*table.hierarchies, zips), leaves.astype(np.int32), counts)
    state, names = table.population, ("sex", "race", "age")
    by_zip = np.array(list(areas.values()), np.int64)
    if is_one_table:
        cells = np.rint(np.outer(state.counts, shares)).astype(np.int64)
        at, area = np.nonzero(cells)
        joint = np.column_stack([state.leaves[at], area]).astype(np.int32)
        population = [PopulationCounts((*names, "zip"), joint, cells[at, area])]
    else:
        column = np.arange(len(areas), dtype=np.int32)[:, None]
        population = [
            PopulationCounts(names, state.leaves, state.counts),
            PopulationCounts(("zip",), column, by_zip),
        ]
    space = Space(tuple(map(Domain.of, wide.hierarchies)))
    elements = {"age": Element("age"), "zip": Element("zip")}
    counted, _, rule, seconds = _prepared(space, wide, population, elements)
    start = time.perf_counter()
    bps = bisecting_search(rule, N_ITERATIONS, seed=1)
    return {
        "case": "sex, race, age, zip: "
        + ("one table" if is_one_table else "two tables"),
        "bits": space.n_bits,
        "records": n_records,
        "cells": len(counted.records),
        "people_cells": sum(len(each.counts) for each in population),
        "threshold": rule.threshold,
        "without_people": counted.coverage.n_cells_without_population,
        "count_s": seconds,
        "bps_s": _since(start),
        "bps_evaluations": int(bps.n_asked.sum()),
        "bps_non_dominated": int(bps.n_non_dominated[-1]),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
