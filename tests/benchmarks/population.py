"""How long do built-in tables of people take to load, restrict, combine and match?

Seconds of the second run; loading is timed with an empty cache. Last, a million
records among the people of six states by ZIP code, sex, age and race.
"""

import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl

from deidgui.app import tasks
from deidgui.app.project import (
    Attribute,
    HierarchyChoice,
    PopulationChoice,
    Privacy,
    Project,
)
from deidgui.engine.data.table import Column, Table
from deidgui.engine.population.built_in import load, load_states
from deidgui.engine.population.combining import spread, with_single_ages
from deidgui.engine.population.mapping import DataValues
from deidgui.engine.population.over_leaves import people_over_leaves
from deidgui.engine.population.proposing import propose

STATE = ["Tennessee"]
STATES = ("California", "Florida", "Illinois", "New York", "Pennsylvania", "Texas")


def run(_arguments: list[str]) -> dict[str, Any]:
    """Time every step for one state."""
    modelled = load_states("states_2000_modelled", STATE)
    profile = load("us_2014")
    single = with_single_ages(modelled, profile)
    zips = load_states("zip5_2020", STATE)
    joint = spread(zips, single)
    data = [
        _values("sex", ["Male", "Female"]),
        _values("age", [str(age) for age in range(17, 101)]),
        _values("race", ["White", "Black", "Asian-Pac-Islander", "Other"]),
        _values("zip", zips.attribute("zip").values),
    ]
    found = propose(data, joint)
    confirmed = {name: m.confirmed() for name, m in found.mappings.items()}
    steps: dict[str, Callable[[], object]] = {
        "load a state": lambda: (load.cache_clear(), load_states(modelled.name, STATE)),
        "load ZIP codes": lambda: (load.cache_clear(), load_states(zips.name, STATE)),
        "single ages": lambda: with_single_ages(modelled, profile),
        "ZIP codes by sex, age and race": lambda: spread(zips, single),
        "propose": lambda: propose(data, joint),
        "people over leaves": lambda: people_over_leaves(
            found.table, confirmed, data, accepted=["race", "age", "zip"]
        ),
    }
    times = {name: _time(step) for name, step in steps.items()}
    return {"cells": joint.n_cells, **times, "a million records": _million()}


def _million() -> dict[str, Any]:
    """See how a million records are found, then build their classes."""
    table, project = _records(), _project()
    cache, monitor = tasks.HierarchyCache(), _Watch()
    start = time.perf_counter()
    found = tasks.propose_matching(project, table, {}, cache=cache, monitor=monitor)
    matched = time.perf_counter()
    classes = tasks.build_classes(project, table, {}, cache=cache, monitor=_Watch())
    assert classes.people == found.people
    return {
        "cells": found.n_cells,
        "matching": round(matched - start, 2),
        "classes after it": round(time.perf_counter() - matched, 2),
        "longest without a report": round(monitor.longest, 2),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


class _Watch:
    """Remembers the longest time between two reports."""

    def __init__(self) -> None:
        self.longest, self._last = 0.0, time.perf_counter()

    def report(self, _fraction: float, _note: str = "") -> None:
        now = time.perf_counter()
        self.longest, self._last = max(self.longest, now - self._last), now


def _records() -> Table:
    rng = np.random.default_rng(1)
    zips = load_states("zip5_2020", STATES).sums(["zip"])
    races = load("states_2020").attribute("race").values
    values = {
        "zip": (zips.attribute("zip").values, zips.counts / zips.n_people),
        "sex": (("Female", "Male"), None),
        "age": (tuple(sorted(map(str, range(101)))), None),
        "race": (tuple(sorted(races)), None),
    }
    return Table(
        "million.csv",
        tuple(
            Column(
                name,
                rng.choice(len(texts), 1_000_000, p=shares).astype(np.int32),
                pl.Series(list(texts), dtype=pl.String),
            )
            for name, (texts, shares) in values.items()
        ),
    )


def _project() -> Project:
    rules = {"zip": "zip", "sex": "flat", "age": "intervals", "race": "flat"}
    return Project(
        attributes=tuple(
            Attribute(
                name=name,
                role="quasi_identifier",
                hierarchy=HierarchyChoice(rule={"kind": kind}),
                topic=name,
            )
            for name, kind in rules.items()
        ),
        privacy=Privacy(
            population=PopulationChoice(
                kind="built_in",
                tables=("zip5_2020", "states_2020"),
                states=STATES,
            )
        ),
    )


def _values(name, texts):
    return DataValues(name, tuple(texts), np.full(len(texts), 10))


def _time(step):
    step()
    start = time.perf_counter()
    step()
    return round(time.perf_counter() - start, 4)
