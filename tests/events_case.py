"""Hospital events made up by a seed: many rows per patient, no real person."""

from __future__ import annotations

import csv
import random
from pathlib import Path

HEADER = (
    "subject_id",
    "hadm_id",
    "sex",
    "birth_year",
    "region",
    "admission_year",
    "ward",
    "diagnosis",
)
WARDS = ("cardiology", "surgery", "paediatrics", "intensive care")
DIAGNOSES = ("I21", "J18", "K35", "S72", "E11", "C50")


def write_events(path: Path, n_patients: int = 400, seed: int = 7) -> Path:
    """Write a table with a row for each stay; patients have 1 to 12 of them."""
    rng = random.Random(seed)
    rows = []
    for patient in range(n_patients):
        who = rng.choice("FM"), rng.randint(1930, 2005), rng.choice("NSEW")
        first = rng.randint(2010, 2019)
        for stay in range(min(12, 1 + int(rng.expovariate(0.6)))):
            year = min(2021, first + stay // 2)
            admission = 100_000 + len(rows)
            rows.append(
                (
                    f"P{patient:05d}",
                    admission,
                    *who,
                    year,
                    rng.choice(WARDS),
                    rng.choice(DIAGNOSES),
                )
            )
    rng.shuffle(rows)
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([HEADER, *rows])
    return path
