"""Which file about the population is in memory, and how it gets there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deidgui.app import ops
from deidgui.app.loaded import LoadedPopulation
from deidgui.app.project import Project
from deidgui.app.session import Session
from deidgui.app.storage.named_inputs import POPULATION, found_below
from deidgui.engine.data.table import Table
from deidgui.lazy import LazyModule
from deidgui.monitor import Monitor
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.population import files
else:
    files = LazyModule("deidgui.app.population.files")

Start = Callable[[Callable[[Monitor], Any], Callable[[Any], None]], None]
"""Starts a job from its work and what is done with the result."""


class PopulationReader:
    """Reads the population's file that a person chooses or a project names.

    Parameters
    ----------
    start : callable
        Starts a job; a second one cancels the first.
    wanted : callable
        Told the name of the input and of the file that cannot be found.
    """

    def __init__(
        self, session: Session, start: Start, wanted: Callable[[str, str], None]
    ) -> None:
        self._session, self._start, self._wanted = session, start, wanted
        self._paths: dict[str, Path] = {}

    @property
    def table(self) -> Table | None:
        """The file that the project names, if it has been read."""
        known = self._session.current_population
        return known.table if known is not None else None

    @property
    def is_lacking(self) -> bool:
        """Whether the project names a file that has not been read."""
        is_named = self._session.project.privacy.population.file is not None
        return is_named and self._session.current_population is None

    @property
    def path(self) -> Path | None:
        """Where the file is that the project names, as far as it is known."""
        file = self._session.project.privacy.population.file
        return None if file is None else self._paths.get(file.sha256)

    def remember(self, project: Project, path: Path | None) -> None:
        """Take note of where the file is that a project names."""
        file = project.privacy.population.file
        if file is not None and path is not None:
            self._paths[file.sha256] = path

    def forget(self) -> None:
        """Forget where the files of the project were that is left."""
        self._paths.clear()

    def open(self, path: Path, kind: str, member: str | None) -> None:
        """Read a file and decide on it."""
        session = self._session

        def done(population: LoadedPopulation) -> None:
            choice = files.propose_population(session.project, population, kind)
            session.population = population
            self._paths[population.file.sha256] = population.path
            session.apply(ops.change_privacy(population=choice), tr("set population"))

        self._start(
            lambda monitor: files.read_population(path, member=member, monitor=monitor),
            done,
        )

    def read(self, then: Callable[[], None]) -> None:
        """Read the file that the project names; `then` follows if it is the same."""
        session = self._session
        snapshot = session.project
        folder = session.path.parent if session.path is not None else None
        path = self.path
        if path is None or not path.exists():
            path = found_below(snapshot, folder).get(POPULATION)
        file = snapshot.privacy.population.file
        assert file is not None
        if path is None or not path.exists():
            self._wanted(POPULATION, file.file)
            return

        def done(population: LoadedPopulation) -> None:
            self._paths[population.file.sha256] = population.path
            known = session.project.privacy.population
            if known.file == file and not population.is_of(known):
                # A project written by hand need not tell all that reading tells.
                read = population.file.but(file=file.file)
                session.population = population
                session.amend(ops.change_privacy(population=known.but(file=read)))
            session.set_population(population)
            then()

        self._start(
            lambda monitor: files.read_project_population(
                snapshot, path, monitor=monitor
            ),
            done,
        )
