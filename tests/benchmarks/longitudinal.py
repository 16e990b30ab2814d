"""Patients and claims of the size of the Heritage Health Prize: power, node, LOLA.

Made up by a seed: 113,000 patients with 1 to 136 claims, 2.7 million in all before
those above the 95th percentile of a year are left out; the lattice of Table 4 has 720
nodes.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.longitudinal.history import History
from deidgui.engine.longitudinal.lola import NodeCheck, lattice_of_history, lola
from deidgui.engine.longitudinal.power import adversary_power
from deidgui.engine.longitudinal.risk import Exposure

N_PATIENTS = 113_000
FIXED = {"sex": 0, "specialty": 0, "place": 0, "cpt": 0, "diagnosis": 0}
HIGHEST = {**FIXED, "age": 3, "days_y2": 2, "days_y3": 2, "los": 4, "dsfc": 3}


def bands(name: str, n_values: int, *widths: int) -> Hierarchy:
    """Numbers in bands of growing widths, each of which divides the next."""
    rows = [
        (f"{i:04d}", *(f"{i // width * width:04d}+{width}" for width in widths), "*")
        for i in range(n_values)
    ]
    return Hierarchy.from_grid(name, rows)


def make_history(n_patients: int = N_PATIENTS, seed: int = 1) -> History:
    """Patients who each have values that they have often, and others."""
    rng = np.random.default_rng(seed)
    of_people = [
        bands("age", 100, 5, 10, 20),
        bands("sex", 2),
        bands("days_y2", 16, 8),
        bands("days_y3", 16, 8),
    ]
    of_claims = [
        bands("specialty", 12),
        bands("place", 8),
        bands("cpt", 17),
        bands("los", 56, 7, 14, 28),
        bands("dsfc", 364, 7, 14, 28),
        bands("diagnosis", 46),
    ]
    drawn = rng.lognormal(2.4, 1.25, n_patients).astype(int)
    n_claims = np.clip(drawn, 1, 136)
    owners = np.repeat(np.arange(n_patients), n_claims)

    def common(n_values: int, size: int, slope: float) -> np.ndarray:
        share = 1 / np.arange(1, n_values + 1) ** slope
        return rng.choice(n_values, size, p=share / share.sum())

    people = np.stack(
        [
            rng.integers(0, 100, n_patients),
            rng.integers(0, 2, n_patients),
            common(16, n_patients, 2.5),
            common(16, n_patients, 2.5),
        ],
        axis=1,
    )
    columns = []
    for each in of_claims:
        own = common(each.n_leaves, n_patients, 1.3)
        values = common(each.n_leaves, len(owners), 1.2)
        columns.append(np.where(rng.random(len(owners)) < 0.5, own[owners], values))
    columns[4] = rng.integers(0, 364, len(owners))
    claims = np.stack(columns, axis=1).astype(np.int32)
    return History.of_rows(
        of_people, of_claims, people.astype(np.int32), claims, owners
    )


def seconds(work: Any) -> tuple[float, Any]:
    """Run something and take its time."""
    start = time.perf_counter()
    found = work()
    return round(time.perf_counter() - start, 2), found


def run(arguments: list[str]) -> dict[str, Any]:
    """Measure on one seed, sampling fraction 0.2, at most 5 values known."""
    del arguments
    history = make_history()
    power_s, powers = seconds(lambda: adversary_power(history, 5))
    lattice = lattice_of_history(history, {}, HIGHEST)
    found: dict[str, Any] = {
        "patients": history.n_people,
        "claims": history.n_events,
        "median_claims": float(np.median(history.n_events_of)),
        "most_claims": int(history.n_events_of.max()),
        "power_s": power_s,
        "nodes": lattice.n_nodes,
    }
    for limit in (0.008, 0.2):
        check = NodeCheck(history, powers, Exposure(4, limit), lattice)
        search_s, result = seconds(lambda check=check: lola(check))
        best = result.optimum
        found[f"limit {limit}"] = {
            "search_s": search_s,
            "looked_at": len(result.shares),
            "undecided": result.n_undecided,
            "optimum": None if best is None else lattice.levels_of(best),
            "minimal": len(result.minimal),
        }
    return found
