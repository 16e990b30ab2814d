"""The files that have been read; they live only in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from deidgui.app.project import InputFile, PopulationChoice
from deidgui.engine.data.table import Column, Table
from deidgui.engine.preparation import Effect


@dataclass(frozen=True)
class Loaded:
    """What reading the input gave; lives only in memory.

    Parameters
    ----------
    path : Path
        The file that was read: of linked tables, that of the events.
    table : Table
        All columns, missing texts not yet marked: prepared as the project says. Of
        linked tables both as one: see `deidgui.engine.data.linking`.
    sha256 : str
        Of the file's bytes.
    inspection : Inspection
        Dialect evidence, types and findings (`deidgui.app.inspection`), of the table
        as it was read; of linked tables those of the columns of both.
    people : LoadedPeople or None
        The table of people that is linked to it.
    source : Table or None
        The table as it was read; None if nothing was prepared.
    effects : tuple of Effect
        What each step of the preparation did.
    """

    path: Path
    table: Table
    sha256: str
    inspection: Any
    people: LoadedPeople | None = None
    source: Table | None = None
    effects: tuple[Effect, ...] = ()

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what was read: of one file that of its bytes."""
        if self.people is None:
            return self.sha256
        both = f"{self.sha256} {self.people.file.sha256}"
        return hashlib.sha256(both.encode()).hexdigest()

    @property
    def as_read(self) -> Table:
        """The table before any step of the preparation."""
        return self.table if self.source is None else self.source

    def unprepared(self) -> Loaded:
        """Return the same, as it was read."""
        return replace(self, table=self.as_read, source=None, effects=())

    def of_people(self, key: str | None) -> Loaded:
        """Return the same, rows belonging to the people of a column (None: each)."""
        return replace(self, table=self.table.of_people(key))


@dataclass(frozen=True, repr=False)
class LoadedPeople:
    """The file of people that was linked to the input.

    Parameters
    ----------
    events, alone : Loaded
        The two files, each as it was read: the events, and the people.
    names : mapping of str to str
        Name in the linked table of each column of people.
    file : InputFile
        How the people were read, as a project keeps it.
    n_orphans, n_keyless, n_without_events : int
        See `LinkChoice`.
    """

    events: Loaded
    alone: Loaded
    names: Mapping[str, str]
    file: InputFile
    n_orphans: int
    n_keyless: int
    n_without_events: int

    @property
    def path(self) -> Path:
        """The file that was read."""
        return self.alone.path

    def own_column(self, name: str) -> Column | None:
        """Return a column of the linked table as it stands in the file of people."""
        for own, joined in self.names.items():
            if joined == name:
                return replace(self.alone.table.column(own), name=name)
        return None


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
