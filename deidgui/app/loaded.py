"""The files that have been read; they live only in memory."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from deidgui.app.project import InputFile, PopulationChoice
from deidgui.engine.data.table import Table


@dataclass(frozen=True)
class Loaded:
    """What reading the input gave; lives only in memory.

    Parameters
    ----------
    path : Path
        The file that was read.
    table : Table
        All columns as read, missing texts not yet marked.
    sha256 : str
        Of the file's bytes.
    inspection : Inspection
        Dialect evidence, types and findings (`deidgui.app.inspection`).
    """

    path: Path
    table: Table
    sha256: str
    inspection: Any

    def of_people(self, key: str | None) -> Loaded:
        """Return the same, rows belonging to the people of a column (None: each)."""
        return replace(self, table=self.table.of_people(key))


@dataclass(frozen=True, repr=False)
class LoadedPopulation:
    """What reading a file about the population gave; lives only in memory.

    Parameters
    ----------
    path : Path
        The file that was read.
    table : Table
        All columns as read.
    file : InputFile
        How it was read, as a project keeps it.
    """

    path: Path
    table: Table
    file: InputFile

    def is_of(self, choice: PopulationChoice) -> bool:
        """Whether a choice means this file, read in this way."""
        wanted = choice.file
        if wanted is None:
            return False
        names = ("sha256", "member", "dialect")
        return all(getattr(wanted, n) == getattr(self.file, n) for n in names)
