"""The files that have been read; they live only in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deidgui.app.project import InputFile, PopulationChoice, Project
from deidgui.engine.data.encoding import EncodingEvidence
from deidgui.engine.data.linking import LinkedEvents
from deidgui.engine.data.table import Column, Table
from deidgui.engine.preparation import Effect

if TYPE_CHECKING:
    from deidgui.engine.detect.keys import KeyProposal


@dataclass(frozen=True)
class Loaded:
    """What reading the input gave; lives only in memory.

    Parameters
    ----------
    path : Path
        The file that was read: of linked tables, that of the first events.
    table : Table
        All columns, missing texts not yet marked: prepared as the project says. Of
        linked tables all as one: see `deidgui.engine.data.linking`.
    sha256 : str
        Of the file's bytes.
    inspection : Inspection
        Dialect evidence, types and findings (`deidgui.app.inspection`), of the table
        as it was read; of linked tables those of the columns of all.
    people : LoadedPeople or None
        The table of people that is linked to it.
    source : Table or None
        The table as it was read; None if nothing was prepared.
    effects : tuple of Effect
        What each step of the preparation did.
    totals : tuple of EncodingEvidence
        Whether rows may be totals, if that was looked for.
    shape_doubts : tuple of EncodingEvidence
        Whether the file may be no table, or another one may follow below the first, if
        that was looked for.
    """

    path: Path
    table: Table
    sha256: str
    inspection: Any
    people: LoadedPeople | None = None
    source: Table | None = None
    effects: tuple[Effect, ...] = ()
    totals: tuple[EncodingEvidence, ...] = ()
    shape_doubts: tuple[EncodingEvidence, ...] = ()

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what was read: of one file that of its bytes."""
        if self.people is None:
            return self.sha256
        further = (each.file.sha256 for each in self.people.further)
        every = " ".join((self.sha256, self.people.file.sha256, *further))
        return hashlib.sha256(every.encode()).hexdigest()

    @property
    def paths(self) -> tuple[Path, ...]:
        """The file, or all that are linked."""
        further = self.people.paths.values() if self.people is not None else ()
        return self.path, *further

    @property
    def as_read(self) -> Table:
        """The table before any step of the preparation."""
        return self.table if self.source is None else self.source

    @property
    def keys(self) -> tuple[KeyProposal, ...]:
        """Columns that may say to whom a row belongs, the likeliest first."""
        return tuple(self.inspection.keys) if self.inspection else ()

    def table_of(self, name: str) -> str:
        """Name of the input that a column comes from; of the key that of people."""
        people = self.people
        if people is None:
            return "table"
        if name in people.names.values():
            return people.file.name
        return next(e.name for e in people.tables if name in e.linked.names.values())

    def unprepared(self) -> Loaded:
        """Return the same, as it was read."""
        return replace(self, table=self.as_read, source=None, effects=())

    def of_people(self, key: str | None) -> Loaded:
        """Return the same, rows belonging to the people of a column (None: each)."""
        return replace(self, table=self.table.of_people(key))


@dataclass(frozen=True, repr=False)
class LoadedEvents:
    """A file of events that was linked to people.

    Parameters
    ----------
    alone : Loaded
        The file as it was read.
    key : str
        Its column that says whose an event is.
    file : InputFile
        How it was read, as a project keeps it.
    linked : LinkedEvents
        What linking it found.
    """

    alone: Loaded
    key: str
    file: InputFile
    linked: LinkedEvents

    @property
    def name(self) -> str:
        """Name of the input."""
        return self.file.name


@dataclass(frozen=True, repr=False)
class LoadedPeople:
    """The file of people that was linked to the input.

    Parameters
    ----------
    tables : tuple of LoadedEvents
        Of all their events.
    alone : Loaded
        The people, as they were read.
    names : mapping of str to str
        Name in the linked table of each column of people.
    file : InputFile
        How the people were read, as a project keeps it.
    n_without_events : int
        People without an event in any table.
    """

    tables: tuple[LoadedEvents, ...]
    alone: Loaded
    names: Mapping[str, str]
    file: InputFile
    n_without_events: int

    @property
    def path(self) -> Path:
        """The file that was read."""
        return self.alone.path

    @property
    def events(self) -> Loaded:
        """The first file of events, as it was read."""
        return self.tables[0].alone

    @property
    def further(self) -> tuple[LoadedEvents, ...]:
        """The other files of events."""
        return self.tables[1:]

    @property
    def key(self) -> str:
        """Column of the people by which all events are linked to them."""
        return next(iter(self.names))

    @property
    def paths(self) -> dict[str, Path]:
        """The files beside the first one, by the name of the input."""
        further = {each.name: each.alone.path for each in self.further}
        return {self.file.name: self.path, **further}

    @property
    def files(self) -> dict[str, InputFile]:
        """How these were read, by the name of the input."""
        return {
            each.name: each for each in (self.file, *(e.file for e in self.further))
        }

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


def read_from(project: Project, loaded: Loaded | None) -> dict[str, Path]:
    """Return where the tables were read from, by name of the input."""
    if loaded is None or not project.inputs:
        return {}
    others = loaded.people.paths if loaded.people is not None else {}
    return {project.inputs[0].name: loaded.path, **others}
