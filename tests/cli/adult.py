"""Adult on disk, with its hierarchies and a project."""

from __future__ import annotations

import shutil

from tests.cli.case import Case
from tests.shared import shared

ATTRIBUTES = (
    *("sex", "age", "race", "marital-status", "education"),
    *("native-country", "workclass", "occupation", "salary-class"),
)


def make_adult(folder, sensitive=()):
    """Write a project of Adult with its hierarchies, as a user has it on disk."""
    source = shared("data", "adult_hierarchies")
    (folder / "hierarchies").mkdir()
    for name in ATTRIBUTES:
        file = f"adult_hierarchy_{name}.csv"
        shutil.copy(source / file, folder / "hierarchies" / file)
    shutil.copy(source / "adult.csv.gz", folder / "adult.csv.gz")
    case = Case(folder)
    case.save(
        {
            "format": "deidgui-project",
            "version": 1,
            "unit": {"kind": "row"},
            "inputs": [{"file": "adult.csv.gz", "dialect": {"delimiter": ";"}}],
            "attributes": [
                {
                    "confirmed": True,
                    "name": name,
                    "role": "sensitive" if name in sensitive else "quasi_identifier",
                    "hierarchy": {"csv": f"hierarchies/adult_hierarchy_{name}.csv"},
                }
                for name in ATTRIBUTES
            ],
            "export": {"withheld": "stars", "shuffle_seed": 1},
        }
    )
    return case
