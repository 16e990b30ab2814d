"""Which population is in memory, how it gets there, how records are found in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deidgui.app import ops
from deidgui.app.changes import class_fingerprint
from deidgui.app.events import Event
from deidgui.app.lazy import LazyModule
from deidgui.app.session import LoadedPopulation, Session
from deidgui.engine.data.table import Table
from deidgui.monitor import Monitor

if TYPE_CHECKING:
    from deidgui.app import tasks
    from deidgui.app.tasks import people
else:
    tasks = LazyModule("deidgui.app.tasks")
    people = LazyModule("deidgui.app.tasks.people")

Start = Callable[[Callable[[Monitor], Any], Callable[[Any], None]], None]
"""Starts a job from its work and what is done with the result."""

StartMatching = Callable[
    [Callable[[Monitor], Any], Callable[[Any], None], Callable[[], None]], None
]
"""Also told what is done if the job is stopped."""


class PopulationReader:
    """Reads the population's file that a person chooses or a project names.

    Parameters
    ----------
    session : Session
    start, start_matching : callable
        Starts a job that reads, or that finds records; a second one cancels the
        first.
    wanted : callable
        Told the name of the input and of the file that cannot be found.
    cache : callable
        Returns the hierarchies built last.

    Attributes
    ----------
    matched : Event
        More is known about how the records are found; see `matching`.
    """

    def __init__(
        self,
        session: Session,
        start: Start,
        start_matching: StartMatching,
        wanted: Callable[[str, str], None],
        cache: Callable[[], tasks.HierarchyCache],
    ) -> None:
        self._session, self._start, self._wanted = session, start, wanted
        self._start_matching, self._cache = start_matching, cache
        self._path: Path | None = None
        self._asked: object = None
        self._matching: tasks.Matching | None = None
        self.matched: Event[[]] = Event()

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

    def forget(self) -> None:
        """Forget where the file of the project was that is left."""
        self._path = self._asked = self._matching = None

    def open(self, path: Path, kind: str, member: str | None) -> None:
        """Read a file and decide on it."""
        session = self._session

        def done(population: LoadedPopulation) -> None:
            choice = tasks.propose_population(session.project, population, kind)
            session.population, self._path = population, population.path
            session.apply(ops.change_privacy(population=choice), "set population")

        self._start(
            lambda monitor: tasks.read_population(path, member=member, monitor=monitor),
            done,
        )

    def read(self, then: Callable[[], None]) -> None:
        """Read the file that the project names; `then` follows if it is the same."""
        session = self._session
        snapshot = session.project
        folder = session.path.parent if session.path is not None else None
        path = self._path or tasks.find_population(snapshot, folder)
        file = snapshot.privacy.population.file
        assert file is not None
        if path is None or not path.exists():
            self._wanted(tasks.POPULATION, file.file)
            return

        def done(population: LoadedPopulation) -> None:
            session.set_population(population)
            then()

        self._start(
            lambda monitor: tasks.read_project_population(
                snapshot, path, monitor=monitor
            ),
            done,
        )

    # -- how the records are found -----------------------------------------------------

    @property
    def matching(self) -> tasks.Matching | None:
        """How the records are found under the current decisions, None if not known."""
        is_current = self._asked is not None and self._asked == self._key()
        return self._matching if is_current else None

    def _key(self) -> object:
        """Return what a matching rests on; None if there is nothing to match."""
        session = self._session
        project, loaded = session.project, session.loaded
        is_known = bool(project.privacy.population.tables) or self.table is not None
        if loaded is None or not project.quasi_identifiers or not is_known:
            return None
        return class_fingerprint(project), id(loaded.table), id(self.table)

    def look(self) -> None:
        """See how the records are found in the population, unless that is known.

        To be called when a project changed; `matched` tells when it is known.
        """
        key, session = self._key(), self._session
        if key is None or key == self._asked:
            return
        assert session.loaded is not None
        snapshot, table = session.project, session.loaded.table
        files, population = dict(session.hierarchy_files), self.table
        cache = self._cache()
        self._asked, self._matching = key, None

        def done(matching: tasks.Matching) -> None:
            if self._asked == key:
                self._matching = matching
                self.matched()

        def stopped() -> None:
            if self._asked == key:
                self._asked = None

        self._start_matching(
            lambda monitor: tasks.propose_matching(
                snapshot, table, files, population, cache=cache, monitor=monitor
            ),
            done,
            stopped,
        )

    def confirm(self, attribute: str) -> None:
        """Confirm what the values of an attribute stand for, as shown."""
        if self.matching is not None:
            decided = people.confirm_match(self.matching.of(attribute))
            self._decide(decided, f"confirm values of {attribute}")

    def correct(self, attribute: str, partners: Mapping[str, Sequence[str]]) -> None:
        """Say by hand what values of an attribute stand for, and confirm the rest.

        Raises
        ------
        InputError
            Code ``people_value_unknown``.
        """
        if self.matching is not None:
            decided = people.set_partners(self.matching.of(attribute), partners)
            self._decide(decided, f"set values of {attribute}")

    def _decide(self, decided: people.Confirmation, label: str) -> None:
        # First the file: classes are built from it as soon as the project changes.
        self._session.add_hierarchy_file(decided.name, decided.content)
        self._session.apply(decided.op, label)
