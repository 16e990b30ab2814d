"""Processor seconds of the discovery: ``python -m tests.benchmarks alternatives``.

As the application does it: the rule applied to the file, the search, completion and
clusters, from a counted class table on. Adult by sex, race and age in a MODELLED
Tennessee (see `tests.engine.discover.tennessee`); a thousand and a million records
drawn from it; and with a ZIP code that is drawn by the counts of 2020.
"""

from __future__ import annotations

import resource
import time
from dataclasses import replace

import numpy as np

from deidgui.app.policies.alternatives.basis import compute_basis
from deidgui.app.policies.alternatives.searching import discover
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.population import Register
from deidgui.engine.discover.warm_up import warm_up
from tests.app.discovery_case import classes_of, project_of
from tests.benchmarks.discover import zip_population
from tests.engine.discover.tennessee import adult_in_tennessee

BUDGET = 20_000


def run(arguments: list[str]) -> list[dict[str, object]]:
    """Measure every case."""
    del arguments
    warm_up()
    table = adult_in_tennessee()
    found = [
        case("bps, completed", table),
        case("bps", table, completes=False),
        case("directed", table, completes=False, method="directed"),
        case("frontier", table, method="frontier", budget=BUDGET),
    ]
    for n_records in (1_000, 1_000_000):
        found.append(case(f"{n_records:,} records", drawn(table, n_records)))
    wide = with_zip(table)
    found.append(case("with ZIP codes", wide, completes=False))
    found.append(case("with ZIP codes, completed", wide))
    return found


def case(name: str, table: ClassTable, **discover_changes: object) -> dict[str, object]:
    """Lay the basis, discover and cluster."""
    classes, project = classes_of(table), project_of(table, **discover_changes)
    times = [time.process_time()]
    basis = compute_basis(project, classes)
    times.append(time.process_time())
    found = discover(project, classes, basis=basis)
    times.append(time.process_time())
    n_clusters = len(found.clusters)
    times.append(time.process_time())
    ground_s, search_s, clusters_s = np.diff(times).round(4).tolist()
    return {
        "case": name,
        "records": table.n_records,
        "combinations": table.n_classes,
        "bits": basis.space.n_bits,
        "threshold": basis.threshold,
        "raw_risk": basis.raw_risk,
        "ground_s": ground_s,
        "search_s": search_s,
        "clusters_s": clusters_s,
        "alternatives": len(found),
        "clusters": n_clusters,
        **found.counts._asdict(),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def drawn(table: ClassTable, n_records: int) -> ClassTable:
    """Draw records with replacement."""
    rng = np.random.default_rng(3)
    counts = rng.multinomial(n_records, table.counts / table.n_records)
    kept = counts > 0
    return replace(table, leaves=table.leaves[kept], counts=counts[kept])


def with_zip(table: ClassTable) -> ClassTable:
    """Add a ZIP code of Tennessee to records and people, independent of all else."""
    areas = zip_population()
    shares = np.array(list(areas.values())) / sum(areas.values())
    zips = Hierarchy.from_grid("zip", [(zcta, zcta[:3], "*") for zcta in areas])
    rng = np.random.default_rng(7)
    rows = np.repeat(np.arange(table.n_classes), table.counts)
    keys = rows * len(areas) + rng.choice(len(areas), len(rows), p=shares)
    found, counts = np.unique(keys, return_counts=True)
    cells = np.rint(np.outer(table.population.counts, shares)).astype(np.int64)
    at, area = np.nonzero(cells)
    return ClassTable(
        (*table.hierarchies, zips),
        _joined(table.leaves, found // len(areas), found % len(areas)),
        counts,
        population=Register(
            _joined(table.population.leaves, at, area), cells[at, area]
        ),
    )


def _joined(leaves: np.ndarray, rows: np.ndarray, area: np.ndarray) -> np.ndarray:
    return np.column_stack([leaves[rows], area]).astype(np.int32)
