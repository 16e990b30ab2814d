"""UCI Adult as if all lived in Tennessee, with a MODELLED table of its people.

The people are a model and not a count: the cells of sex, age and race were fitted to
the state's margins of the census of 2000, and the open class of 85 and more years is
here split into single years like the nation's of 2014 (projections, by sex). The
last of them stands for 100 years and more. Good for tests, not for quoting.
"""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from functools import cache

import numpy as np

from deidgui.engine.data.class_table import ClassTable, build_class_table
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.population import Register
from deidgui.engine.data.table import Column, Table
from tests.shared import shared

SEXES = ("Male", "Female")
RACES = ("White", "Black", "Amer-Indian-Eskimo", "Asian-Pac-Islander", "Other")
AGES = tuple(str(age) for age in range(101))
RACE_OF = {
    "White alone": "White",
    "Black alone": "Black",
    "AIAN alone": "Amer-Indian-Eskimo",
    "Asian alone": "Asian-Pac-Islander",
    "NHPI alone": "Asian-Pac-Islander",
    "Some other race alone": "Other",
    "Two or more races": "Other",
}
"""methods.md A.8; Adult has no word for several races."""


def rows_of(path):
    """Rows of a CSV file, compressed or not."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


@cache
def population():
    """People by sex, race and single year of age: a model (see above)."""
    oldest = {sex: np.zeros(16) for sex in SEXES}
    path = shared("data", "population", "us_2014_np2014_d1_single_age_0_100.csv.gz")
    for row in rows_of(path):
        age, sex = int(row["age"]), int(row["sex"])
        is_total = row["origin"] == row["race"] == "0" and row["year"] == "2014"
        if is_total and age >= 85 and sex:
            oldest[SEXES[sex - 1]][age - 85] = float(row["population"])
    found = Counter()
    path = shared("data", "population", "tn_2000_MODELLED_ipf_sex_age_race.csv")
    for row in rows_of(path):
        age, count, sex = int(row["age"]), int(row["population"]), row["sex"]
        race = RACE_OF[row["race"]]
        if age < 85:
            found[sex, race, str(age)] += count
            continue
        # Rounding the sums keeps the total.
        ends = np.rint(np.cumsum(oldest[sex]) / oldest[sex].sum() * count).astype(int)
        for more, part in enumerate(np.diff(ends, prepend=0).tolist()):
            found[sex, race, str(85 + more)] += part
    return found


@cache
def records():
    """Sex, race and age of the 32,561 records, as texts."""
    path = shared("data", "uci_adult", "adult.data.gz")
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file, skipinitialspace=True) if row]
    return [(row[9], row[8], row[0]) for row in rows]


def hierarchies():
    """Flat hierarchies of sex and race; ages in bands of 5, 10 and 20 years."""
    ages = [
        (
            age,
            *(f"{int(age) // w * w}-{int(age) // w * w + w - 1}" for w in (5, 10, 20)),
        )
        for age in AGES
    ]
    return (
        Hierarchy.from_grid("sex", [(sex, "*") for sex in SEXES]),
        Hierarchy.from_grid("race", [(race, "*") for race in RACES]),
        Hierarchy.from_grid("age", [(*row, "*") for row in ages]),
    )


@cache
def adult_in_tennessee() -> ClassTable:
    """Class table of sex, race and age with the modelled people as register."""
    columns = zip(("sex", "race", "age"), zip(*records(), strict=True), strict=True)
    table = Table(
        "adult", tuple(Column.from_texts(name, texts) for name, texts in columns)
    )
    found = [(cell, count) for cell, count in sorted(population().items()) if count]
    known = hierarchies()
    leaves = np.stack(
        [
            hierarchy.encode([cell[place] for cell, _ in found])
            for place, hierarchy in enumerate(known)
        ],
        axis=1,
    )
    register = Register(leaves, np.array([count for _, count in found], np.int64))
    return build_class_table(table, known, population=register)
