"""How long do built-in tables of people take to load, restrict, combine and match?

Seconds of the second run; loading is timed with an empty cache. Then large
populations, each in a process of its own: how long other threads and a user who
wants to stop have to wait. Arguments: the names of such cases only.
"""

import gc
import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl

from deidgui.app.classes import HierarchyCache, build_classes
from deidgui.app.matching import Matching, propose_matching
from deidgui.app.project import (
    Attribute,
    HierarchyChoice,
    InputFile,
    PopulationChoice,
    Privacy,
    Project,
)
from deidgui.engine.data.table import Column, Table
from deidgui.engine.population.built_in import load, load_states
from deidgui.engine.population.combining import spread, with_single_ages
from deidgui.engine.population.mapping import DataValues
from deidgui.engine.population.over_leaves import population_over_leaves
from deidgui.engine.population.proposing import propose
from deidgui.engine.population.warm_up import warm_up
from tests.benchmarks._watch import Watch, watched

Case = tuple[Table, Project, Table | None]
"""Records, decisions, and the file of a population."""

Values = dict[str, tuple[tuple[str, ...], np.ndarray | None]]
"""Texts of each column, and their shares of the records."""

STATE = ["Tennessee"]
STATES = ("California", "Florida", "Illinois", "New York", "Pennsylvania", "Texas")


def run(arguments: list[str]) -> dict[str, Any]:
    """Time every step for one state, then each large population apart."""
    large = {name: _apart(name) for name in arguments or CASES}
    return large if arguments else {**_steps(), **large}


def _apart(name: str) -> Any:
    """Peak memory belongs to a process: measure in a new one."""
    command = [sys.executable, "-m", "tests.benchmarks.population", name]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def _steps() -> dict[str, Any]:
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
        "people over leaves": lambda: population_over_leaves(
            found.table, confirmed, data, accepted=["race", "age", "zip"]
        ),
    }
    times = {name: _time(step) for name, step in steps.items()}
    return {"cells": joint.n_cells, **times}


def measure(name: str) -> dict[str, Any]:
    """See how records are found in many people, then build their classes."""
    table, project, population = CASES[name]()
    # As the window does at its start.
    warm_up()
    gc.freeze()
    cache = HierarchyCache()
    found: list[Matching] = []

    def match(watch: Watch) -> None:
        found.append(
            propose_matching(project, table, {}, population, cache=cache, monitor=watch)
        )

    def build(watch: Watch) -> None:
        classes = build_classes(
            project, table, {}, population, cache=cache, monitor=watch
        )
        assert classes.population == found[0].population

    matching = watched(match)
    problems = [problem.code for problem in found[0].all_problems]
    if problems:
        return {"refused": problems, "matching": matching}
    return {"cells": found[0].n_cells, "matching": matching, "classes": watched(build)}


def _million() -> Case:
    """A million records among the people of six states."""
    zips = load_states("zip5_2020", STATES).sums(["zip"])
    races = load("states_2020").attribute("race").values
    values = {
        "zip": (zips.attribute("zip").values, zips.counts / zips.population_size),
        "sex": (("Female", "Male"), None),
        "age": (tuple(sorted(map(str, range(101)))), None),
        "race": (tuple(sorted(races)), None),
    }
    return _table(values, 1_000_000), _project(values, STATES), None


def _country(*, by_race: bool = False) -> Case:
    """Records among everybody by ZIP code, sex and age: eight million cells."""
    states = load("states_2020").attribute("state").values
    zips = load_states("zip5_2020", states).sums(["zip"])
    values = {
        "zip": (zips.attribute("zip").values, zips.counts / zips.population_size),
        "sex": (("Female", "Male"), None),
        "age": (tuple(sorted(map(str, range(101)))), None),
    }
    if by_race:
        races = load("states_2020").attribute("race").values
        values["race"] = (tuple(sorted(races)), None)
    return _table(values, 200_000), _project(values, states), None


def _counts() -> Case:
    """Records and a file of eight million counts."""
    sizes = {"area": 40_000, "sex": 2, "age": 100}
    values = {
        name: (tuple(sorted(f"{place:05d}" for place in range(size))), None)
        for name, size in sizes.items()
    }
    values["age"] = (tuple(sorted(map(str, range(100)))), None)
    values["sex"] = (("Female", "Male"), None)
    n_rows = int(np.prod(list(sizes.values())))
    order = np.random.default_rng(2).permutation(n_rows)
    codes = np.unravel_index(order, tuple(sizes.values()))
    columns = [
        Column(name, of_row.astype(np.int32), pl.Series(list(values[name][0])))
        for name, of_row in zip(sizes, codes, strict=True)
    ]
    population_size = pl.Series([str(n) for n in range(10, 60)])
    columns.append(Column("people", (order % 50).astype(np.int32), population_size))
    file = InputFile(name="population", file="counts.csv")
    population = PopulationChoice(kind="counts", file=file, count_column="people")
    project = _project(values, ()).but(privacy=Privacy(population=population))
    return _table(values, 200_000), project, Table("counts.csv", tuple(columns))


CASES: dict[str, Callable[[], Case]] = {
    "a million records": _million,
    "the whole country": _country,
    "too many cells": lambda: _country(by_race=True),
    "a file of counts": _counts,
}


def _table(values: Values, n_rows: int) -> Table:
    rng = np.random.default_rng(1)
    return Table(
        "records.csv",
        tuple(
            Column(
                name,
                rng.choice(len(texts), n_rows, p=shares).astype(np.int32),
                pl.Series(list(texts), dtype=pl.String),
            )
            for name, (texts, shares) in values.items()
        ),
    )


def _project(values: Values, states: tuple[str, ...]) -> Project:
    rules = {"sex": "flat", "age": "intervals", "race": "flat"}
    return Project(
        attributes=tuple(
            Attribute(
                name=name,
                role="quasi_identifier",
                hierarchy=HierarchyChoice(rule={"kind": rules.get(name, "zip")}),
                topic=None if name == "area" else name,
            )
            for name in values
        ),
        privacy=Privacy(
            population=PopulationChoice(
                kind="built_in", tables=("zip5_2020", "states_2020"), states=states
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


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1])))
