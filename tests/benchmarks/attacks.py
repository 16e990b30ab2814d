"""Attacks on people with events, of the size of the Heritage Health Prize.

Of the generated data of `longitudinal`: 10,000 runs of each variant, with the columns
of people and without any of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from deidgui.engine.attack.events_known import EventsAttack
from deidgui.engine.attack.linked import LinkedCodes
from deidgui.engine.longitudinal.power import adversary_power
from tests.benchmarks.longitudinal import history_of, make_table, seconds

N_RUNS = 10_000


def run(arguments: list[str]) -> dict[str, Any]:
    """Measure on one seed, at most 5 values known; a number is that of the runs."""
    n_runs = int(arguments[0]) if arguments else N_RUNS
    history = history_of(make_table())
    powers = adversary_power(history, 5)
    # Nobody knows the hour: events are in the order in which they were made up.
    times, owners = np.arange(history.n_events), history.tables[0].owners
    events = history.columns[len(history.person_hierarchies) :]
    found: dict[str, Any] = {
        "patients": history.n_people,
        "claims": history.n_events,
        "runs": n_runs,
    }
    for name, people in (
        ("with columns of people", list(history.person_leaves.T)),
        ("without any", []),
    ):
        tables = LinkedCodes(history.n_people, people, owners, events, times)
        attack = EventsAttack(tables, tables, powers)
        lists_s, _ = seconds(lambda attack=attack: attack.simulate(1, 1))
        found[name] = {"lists_s": lists_s}
        for variant in ("inexact", "same_event", "ordered"):
            other = attack.again(powers, variant)
            time_s, done = seconds(lambda other=other: other.simulate(n_runs, 1))
            found[name][variant] = {"time_s": time_s, "success": done.share}
    return found
