"""Patients and claims of the size of the Heritage Health Prize, from claims to LOLA.

Made up by a seed: 113,000 patients with 1 to 136 claims, 11 in the median and about 2.7
million in all, over three years. In each year the events beyond the 95th percentile of
claims are removed by the step of the preparation; then come the power of the adversary,
one node, LOLA on the lattice of Table 4 with 720 nodes, and the first simulated attack.
"""

from __future__ import annotations

import resource
import time
from typing import Any

import numpy as np
import polars as pl

from deidgui.engine.attack.events_known import EventsAttack
from deidgui.engine.attack.linked import LinkedCodes
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.people import people_of
from deidgui.engine.data.table import Column, Table
from deidgui.engine.longitudinal.history import History
from deidgui.engine.longitudinal.lola import NodeCheck, lattice_of_history, lola
from deidgui.engine.longitudinal.power import adversary_power
from deidgui.engine.longitudinal.risk import Exposure
from deidgui.engine.preparation import Data, TruncateEvents
from deidgui.engine.preparation.preparing import prepare

N_PATIENTS = 113_000
MOST_CLAIMS = 136
SAMPLING_FRACTION = 0.2
FIXED = {"sex": 0, "specialty": 0, "place": 0, "cpt": 0, "diagnosis": 0}
HIGHEST = {**FIXED, "age": 3, "days_y2": 2, "days_y3": 2, "los": 4, "dsfc": 3}


def bands(name: str, n_values: int, *widths: int) -> Hierarchy:
    """Numbers in bands of growing widths, each of which divides the next."""
    rows = [
        (f"{i:04d}", *(f"{i // width * width:04d}+{width}" for width in widths), "*")
        for i in range(n_values)
    ]
    return Hierarchy.from_grid(name, rows)


OF_PEOPLE = (
    bands("age", 100, 5, 10, 20),
    bands("sex", 2),
    bands("days_y2", 16, 8),
    bands("days_y3", 16, 8),
)
OF_CLAIMS = (
    bands("specialty", 12),
    bands("place", 8),
    bands("cpt", 17),
    bands("los", 56, 7, 14, 28),
    bands("dsfc", 364, 7, 14, 28),
    bands("diagnosis", 46),
)


def numbers_of_claims(n_patients: int, rng: np.random.Generator) -> np.ndarray:
    """Claims of each patient: 11 in the median, at most 136, with a long tail."""
    drawn = rng.lognormal(2.4, 2.12, 3 * n_patients).astype(int)
    return drawn[(drawn >= 1) & (drawn <= MOST_CLAIMS)][:n_patients]


def make_table(n_patients: int = N_PATIENTS, seed: int = 1) -> Table:
    """Claims of patients who each have values that they have often, and others."""
    rng = np.random.default_rng(seed)
    n_claims = numbers_of_claims(n_patients, rng)
    owners = np.repeat(np.arange(n_patients), n_claims)
    size = len(owners)

    def common(n_values: int, size: int, slope: float) -> np.ndarray:
        share = 1 / np.arange(1, n_values + 1) ** slope
        return rng.choice(n_values, size, p=share / share.sum())

    columns = {
        "age": rng.integers(0, 100, n_patients)[owners],
        "sex": rng.integers(0, 2, n_patients)[owners],
        "days_y2": common(16, n_patients, 2.5)[owners],
        "days_y3": common(16, n_patients, 2.5)[owners],
    }
    for each in OF_CLAIMS:
        own = common(each.n_leaves, n_patients, 1.3)
        values = common(each.n_leaves, size, 1.2)
        columns[each.attribute] = np.where(rng.random(size) < 0.5, own[owners], values)
    columns["dsfc"] = rng.integers(0, 364, size)
    shares = np.cumsum(rng.dirichlet([2.0, 2.0, 2.0], n_patients), axis=1)
    columns["year"] = (rng.random(size)[:, None] > shares[owners]).sum(axis=1)
    made = [coded(name, codes) for name, codes in columns.items()]
    return Table("claims.csv", (coded("patient", owners), *made))


def coded(name: str, codes: np.ndarray) -> Column:
    """Column of numbers with leading zeros, so that codes are in order."""
    known, codes = np.unique(codes, return_inverse=True)
    width = 6 if name == "patient" else 4
    texts = pl.Series([f"{n:0{width}d}" for n in known], dtype=pl.String)
    return Column(name, codes.astype(np.int32), texts)


def history_of(table: Table) -> History:
    """Patients and claims as leaves."""
    people = people_of(table.column("patient"))

    def leaves(each: Hierarchy) -> np.ndarray:
        column = table.column(each.attribute)
        return np.array([int(text) for text in column.texts()])[column.codes]

    own = [leaves(each)[people.first_row] for each in OF_PEOPLE]
    claims = [leaves(each) for each in OF_CLAIMS]
    return History.of_rows(
        OF_PEOPLE,
        OF_CLAIMS,
        np.stack(own, axis=1).astype(np.int32),
        np.stack(claims, axis=1).astype(np.int32),
        people.of_row,
    )


def seconds(work: Any) -> tuple[list[float], Any]:
    """Run something; take its time and that of the processors, of all threads."""
    start, busy = time.perf_counter(), time.process_time()
    found = work()
    passed = time.perf_counter() - start, time.process_time() - busy
    return [round(each, 2) for each in passed], found


def memory_gb() -> float:
    """Most memory that was held so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / 1024**2, 2)


def attacked(before: History, after: History, levels: Any, powers: Any) -> Any:
    """Attack the release of a node 10,000 times, from all claims."""

    def tables(history: History) -> LinkedCodes:
        shown = [
            each.levels[level].groups[leaves]
            for each, level, leaves in zip(
                history.hierarchies, levels, history.columns, strict=True
            )
        ]
        n = len(history.person_hierarchies)
        return LinkedCodes(
            history.n_people, shown[:n], history.tables[0].owners, shown[n:], None
        )

    made = EventsAttack(tables(before), tables(after), powers, SAMPLING_FRACTION)
    return made.simulate(10_000, 1)


def run(arguments: list[str]) -> dict[str, Any]:
    """Measure on one seed, sampling fraction 0.2, at most 5 values known."""
    n_patients = int(arguments[0]) if arguments else N_PATIENTS
    table = make_table(n_patients)
    columns = tuple(each.attribute for each in OF_CLAIMS)
    step = TruncateEvents(0.95, columns, "year")
    prepared_s, (prepared, (effect,)) = seconds(
        lambda: prepare((step,), Data(table, "patient"))
    )
    history_s, history = seconds(lambda: history_of(prepared))
    before = history_of(table)
    power_s, powers = seconds(lambda: adversary_power(history, 5))
    lattice = lattice_of_history(history, {}, HIGHEST)
    found: dict[str, Any] = {
        "patients": before.n_people,
        "claims": before.n_events,
        "median_claims": float(np.median(before.n_events_of)),
        "most_claims": int(before.n_events_of.max()),
        "prepared_s": prepared_s,
        "claims_left": history.n_events,
        "most_left": int(history.n_events_of.max()),
        "share_touched": effect.figures["share_touched"],
        "history_s": history_s,
        "power_s": power_s,
        "nodes": lattice.n_nodes,
    }
    for limit in (0.008, 0.2):
        check = NodeCheck(history, powers, Exposure(4, limit), lattice)
        top_s, _ = seconds(lambda check=check: check.meets(lattice.maximum))
        search_s, result = seconds(lambda check=check: lola(check))
        best = result.optimum
        levels = lattice.maximum if best is None else lattice.levels_of(best)
        before_powers = adversary_power(before, 5)
        attack_s, attack = seconds(
            lambda levels=levels, powers=before_powers: attacked(
                before, history, levels, powers
            )
        )
        found[f"limit {limit}"] = {
            "top_node_s": top_s,
            "search_s": search_s,
            "looked_at": len(result.shares),
            "node_s": [round(s / max(len(result.shares) - 1, 1), 2) for s in search_s],
            "undecided": result.n_undecided,
            "optimum": None if best is None else levels,
            "minimal": len(result.minimal),
            "attack_s": attack_s,
            "attack_share": attack.n_successes / attack.n_runs,
        }
    found["memory_gb"] = memory_gb()
    return found
