"""How long do built-in tables of people take to load, restrict, combine and match?

Seconds of the second run; loading is timed with an empty cache.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from deidgui.engine.population.built_in import load, load_states
from deidgui.engine.population.combining import spread, with_single_ages
from deidgui.engine.population.mapping import DataValues
from deidgui.engine.population.over_leaves import people_over_leaves
from deidgui.engine.population.proposing import propose

STATE = ["Tennessee"]


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
    return {"cells": joint.n_cells, **{name: _time(s) for name, s in steps.items()}}


def _values(name, texts):
    return DataValues(name, tuple(texts), np.full(len(texts), 10))


def _time(step):
    step()
    start = time.perf_counter()
    step()
    return round(time.perf_counter() - start, 4)
