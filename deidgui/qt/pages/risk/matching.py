"""How the population's file stands: being read, matched with the records, or wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from deidgui.app import tasks
from deidgui.app.activity import Activity
from deidgui.app.changes import class_fingerprint
from deidgui.app.jobs import Job
from deidgui.app.project import PopulationChoice
from deidgui.app.tasks.matching import PopulationMatch
from deidgui.app.workspace import POPULATION
from deidgui.errors import DeidError
from deidgui.monitor import Monitor
from deidgui.qt.pages.risk.population_file import PopulationState

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

MATCH = "population-match"
"""Lane in which the population is compared with the records."""


class PopulationWatch(QObject):
    """Follows the file of the population for the page.

    Attributes
    ----------
    changed : Signal
        More is known than before.
    progressed : Signal of (float or None)
        How much of a file is read; None if none is being read.
    """

    changed = Signal()
    progressed = Signal(object)

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace, self._session = workspace, workspace.session
        self._match: PopulationMatch | None = None
        self._known: object = None
        self._problem: DeidError | None = None
        workspace.activity.connect(self._on_activity)
        workspace.problem.connect(self._on_problem)

    # -- the file ------------------------------------------------------------------

    def open(self, path: Path, kind: str) -> None:
        """Read a file that somebody has chosen."""
        self._problem = None
        self._workspace.open_population(path, kind)
        self.changed.emit()

    def cancel(self) -> None:
        """Stop reading; what was decided stays."""
        self._workspace.cancel(POPULATION)

    def choice_as(self, kind: str) -> PopulationChoice | None:
        """Return the chosen file as another kind; None if none has been read."""
        project, known = self._session.project, self._session.current_population
        if known is None:
            return None
        proposal = tasks.propose_population(project, known, kind)
        return proposal.but(columns=project.privacy.population.columns)

    def state(self) -> PopulationState:
        """Return what is known now."""
        project, known = self._session.project, self._session.current_population
        choice = project.privacy.population
        is_matched = self._known is not None and self._known == self._key()
        return PopulationState(
            choice=choice,
            kind=choice.kind,
            columns=known.table.column_names if known is not None else None,
            quasi_identifiers=tuple(each.name for each in project.quasi_identifiers),
            match=self._match if is_matched else None,
            problem=self._problem,
        )

    def _on_activity(self, activity: Activity) -> None:
        if activity.lane != POPULATION:
            return
        if activity.fraction == 0.0:
            self._problem = None
        self.progressed.emit(activity.fraction)
        if activity.fraction is None:
            self.changed.emit()

    def _on_problem(self, error: BaseException, lane: str) -> None:
        if lane == POPULATION and isinstance(error, DeidError):
            self._problem = error
            self.changed.emit()

    # -- the match -----------------------------------------------------------------

    def _key(self) -> object:
        """Return what a match rests on; None if there is nothing to match."""
        session = self._session
        known, project = session.current_population, session.project
        if known is None or session.loaded is None or not project.quasi_identifiers:
            return None
        return class_fingerprint(project), id(known.table), id(session.loaded.table)

    def look(self) -> None:
        """Compare the population with the records, unless that is known."""
        key, session = self._key(), self._session
        if key is None or key == self._known:
            return
        loaded, population = session.loaded, session.current_population
        assert loaded is not None
        assert population is not None
        snapshot, files = session.project, dict(session.hierarchy_files)
        self._known, self._match = key, None

        def work(monitor: Monitor) -> PopulationMatch:
            return tasks.match_population(
                snapshot, loaded.table, files, population.table, monitor=monitor
            )

        def done(match: PopulationMatch) -> None:
            if self._known == key:
                self._match = match
                self.changed.emit()

        self._workspace.runner.start(MATCH, work, Job(done, self._on_failed))

    def _on_failed(self, error: BaseException) -> None:
        self._known = None
        self._workspace.problem(error, MATCH)
