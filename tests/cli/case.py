"""A small table and its project on disk, as a user would have them."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path

FLAT = {"rule": {"kind": "flat"}}
BANDS = {"rule": {"kind": "intervals", "width": 10, "factors": [2], "whole": True}}
ZIPS = {"rule": {"kind": "masking"}}

COLUMNS = {
    "mrn": {"role": "direct_identifier", "treatment": "pseudonym"},
    "name": {"role": "direct_identifier", "treatment": "remove"},
    "age": {"role": "quasi_identifier", "kind": "integer", "hierarchy": BANDS},
    "sex": {"role": "quasi_identifier", "kind": "category", "hierarchy": FLAT},
    "zip": {"role": "quasi_identifier", "kind": "text", "hierarchy": ZIPS},
    "diagnosis": {"role": "sensitive", "kind": "category"},
}


def rows(n=300, seed=5):
    """Made-up patients; the same for the same seed."""
    chance = random.Random(seed)
    return [
        {
            "mrn": f"M{number:05d}",
            "name": f"Doe{number}",
            "age": str(chance.randrange(20, 80)),
            "sex": chance.choice("FM"),
            "zip": chance.choice(["37201", "37203", "38103", "38104"]),
            "diagnosis": chance.choice(["I10", "E11", "J45"]),
        }
        for number in range(n)
    ]


def csv_of(records):
    """CSV text of records that need no quotes."""
    lines = [",".join(records[0])]
    lines += [",".join(record.values()) for record in records]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Case:
    """A folder with ``patients.csv`` and ``patients.deid.json``."""

    folder: Path

    @property
    def data(self) -> Path:
        return self.folder / "patients.csv"

    @property
    def project(self) -> Path:
        return self.folder / "patients.deid.json"

    @property
    def out(self) -> Path:
        return self.folder / "release"

    @classmethod
    def write(cls, folder: Path, records=None) -> Case:
        """Write the table and a project with every decision made."""
        case = cls(folder)
        case.data.write_text(csv_of(records or rows()), encoding="utf-8")
        fields = {
            "format": "deidgui-project",
            "version": 1,
            "unit": {"kind": "row"},
            "name": "patients",
            "inputs": [{"name": "table", "file": "patients.csv"}],
            "attributes": [
                {"name": name, "confirmed": True, **decided}
                for name, decided in COLUMNS.items()
            ],
            "privacy": {
                "models": [{"kind": "k_anonymity", "k": 3}],
                "suppression_limit": 0.1,
            },
            "export": {"withheld": "stars", "shuffle_seed": 11},
        }
        case.save(fields)
        return case

    @property
    def fields(self):
        """The project as JSON values."""
        return json.loads(self.project.read_text(encoding="utf-8"))

    def save(self, fields) -> None:
        self.project.write_text(json.dumps(fields), encoding="utf-8")

    def change(self, **changes) -> None:
        """Change top-level fields of the project."""
        self.save({**self.fields, **changes})

    def change_attribute(self, name, **changes) -> None:
        """Change what was decided about one column."""
        fields = self.fields
        fields["attributes"] = [
            {**each, **changes} if each["name"] == name else each
            for each in fields["attributes"]
        ]
        self.save(fields)

    def names(self):
        """Names of everything in the folder."""
        return sorted(each.name for each in self.folder.iterdir())
