"""Who lives in the state, and who of them is likely to be a hospital's patient.

Read from the tables in ``figures/``, whose sources ``SOURCES.md`` names.
"""

from __future__ import annotations

import csv
from bisect import bisect_right
from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from chance import Weighted

FIGURES = Path(__file__).resolve().parent / "figures"

# A hospital's patients are older than the population. Each person's chance to be one
# is its group's discharge rate to a power that makes this share 90 or older.
OLD_AGE, OLD_SHARE = 90, 0.01
GROUP_STARTS = (0, 1, 5, 15, 25, 35, 45, 55, 65, 75, 85)

Row = dict[str, str]


class Person(NamedTuple):
    """What the census tells of a person."""

    age: int
    sex: str
    race: str
    ethnicity: str


def read(name: str) -> list[Row]:
    """Read one table of figures."""
    with (FIGURES / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def group_of(age: int) -> str:
    """Name the age group by its lower end, as the tables of figures do."""
    return str(GROUP_STARTS[bisect_right(GROUP_STARTS, age) - 1])


def grouped(
    rows: Iterable[Row], keys: Sequence[str], value: str, weight: str
) -> dict[Hashable, Weighted[str]]:
    """Make one weighted choice of `value` for each combination of the keys."""
    pairs: dict[Hashable, list[tuple[str, float]]] = {}
    for row in rows:
        key = tuple(row[name] for name in keys)
        pairs.setdefault(key, []).append((row[value], float(row[weight])))
    return {key: Weighted(found) for key, found in pairs.items()}


def residents() -> dict[Person, float]:
    """Expected number of residents by single age, sex, race and ethnicity.

    The state's five-year ages are divided as the nation's ages of that sex are.
    """
    nation = {int(row["age"]): row for row in read("single_ages")}
    counts: dict[Person, float] = {}
    for row in read("population"):
        start, sex = int(row["age_from"]), row["sex"]
        ages = range(start, 101 if start == GROUP_STARTS[-1] else start + 5)
        total = sum(int(nation[age][sex]) for age in ages)
        for age in ages:
            person = Person(age, sex, row["race"], row["ethnicity"])
            share = int(nation[age][sex]) / total
            counts[person] = int(row["population"]) * share
    return counts


def discharge_rates() -> dict[tuple[str, str], float]:
    """Discharges a year for each resident by age group and sex, births included."""
    rates: dict[tuple[str, str], float] = {}
    for row in read("discharge_rates"):
        group = "0" if row["age_group"] == "newborn" else row["age_group"]
        rate = int(row["discharges"]) / int(row["population"])
        rates[group, row["sex"]] = rates.get((group, row["sex"]), 0.0) + rate
    return rates


def patients_like(tilt: float) -> dict[Person, float]:
    """Weight of each kind of person among patients: residents × rate ** tilt."""
    rates = discharge_rates()
    return {
        person: count * rates[group_of(person.age), person.sex] ** tilt
        for person, count in residents().items()
    }


def old_share(weights: dict[Person, float]) -> float:
    """Share of the weight on people of 90 years or more."""
    old = sum(weight for person, weight in weights.items() if person.age >= OLD_AGE)
    return old / sum(weights.values())


def tilt() -> float:
    """Find the power of the discharge rate that gives the wanted share of the old."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        if old_share(patients_like(middle)) < OLD_SHARE:
            low = middle
        else:
            high = middle
    return round(low, 6)
