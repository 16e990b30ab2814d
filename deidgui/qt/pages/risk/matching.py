"""Reads a population's file and matches it with the records, in the background."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from deidgui.app.activity import Activity
from deidgui.app.changes import fingerprint
from deidgui.app.decides import Decides
from deidgui.app.jobs import Job, Lane
from deidgui.app.matching import AttributeMatch, Confirmation, Matching
from deidgui.app.matching import propose_matching as propose
from deidgui.app.population.files import propose_population
from deidgui.app.population.known import KnownPopulation
from deidgui.app.project import PopulationChoice
from deidgui.errors import DeidError
from deidgui.monitor import Monitor
from deidgui.qt.models.population_values import ValueMatches
from deidgui.qt.pages.risk.mapping import AttributeState, MappingState
from deidgui.qt.pages.risk.population_file import PopulationState

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

COUNTED = ("register", "counts", "built_in")
"""Kinds of population whose people are looked up."""

Confirm = Callable[[AttributeMatch], Confirmation]
"""What a person says about the values of an attribute."""


class _Key(NamedTuple):
    """What a match rests on: decisions, and the two tables by identity."""

    decisions: str
    population: int
    records: int


class PopulationWatch(QObject):
    """Follows the population for the page.

    Attributes
    ----------
    changed : Signal
        More is known than before.
    progressed, matched : Signal of (float or None)
        How much of a file is read, or of the values looked up; None if nothing is.
    confirmed : Signal of (Confirmation, str)
        What a person said about an attribute, and its name: to be decided.
    """

    changed = Signal()
    progressed = Signal(object)
    matched = Signal(object)
    confirmed = Signal(object, str)

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace, self._session = workspace, workspace.session
        self._matching: Matching | None = None
        self._states: dict[str, AttributeState] = {}
        self._population: KnownPopulation | None = None
        self._known: _Key | None = None
        self._stopped: _Key | None = None
        self._is_working = False
        self._problem: DeidError | None = None
        self._waiting: list[tuple[str, Confirm]] = []
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
        self._workspace.cancel(Lane.POPULATION)

    def choice_as(self, kind: str) -> PopulationChoice | None:
        """Return the chosen file as another kind; None if none has been read."""
        project, known = self._session.project, self._session.current_population
        if known is None:
            return None
        proposal = propose_population(project, known, kind)
        return proposal.but(columns=project.privacy.population.columns)

    def state(self) -> PopulationState:
        """Return what is known now."""
        project, known = self._session.project, self._session.current_population
        choice = project.privacy.population
        return PopulationState(
            choice=choice,
            kind=choice.kind,
            columns=known.table.column_names if known is not None else None,
            quasi_identifiers=tuple(each.name for each in project.quasi_identifiers),
            matching=self._matching if self._is_current else None,
            problem=self._problem,
        )

    def _on_activity(self, activity: Activity) -> None:
        if activity.lane != Lane.POPULATION:
            return
        if activity.fraction == 0.0:
            self._problem = None
        self.progressed.emit(activity.fraction)
        if activity.fraction is None:
            self.changed.emit()

    def _on_problem(self, error: BaseException, lane: str) -> None:
        if lane == Lane.POPULATION and isinstance(error, DeidError):
            self._problem = error
            self.changed.emit()

    # -- the match -----------------------------------------------------------------

    def _key(self) -> _Key | None:
        """Return what a match rests on; None if there is nothing to match."""
        session = self._session
        known, project = session.current_population, session.project
        choice = project.privacy.population
        lacks_file = choice.file is not None and known is None
        if choice.kind not in COUNTED or lacks_file:
            return None
        if session.loaded is None or not project.quasi_identifiers:
            return None
        table = known.table if known is not None else None
        decided = fingerprint(project, Decides.CLASSES)
        return _Key(decided, id(table), id(session.loaded.table))

    @property
    def _is_current(self) -> bool:
        return self._known is not None and self._known == self._key()

    def mapping(self) -> MappingState | None:
        """What each quasi-identifier is in the population; None if nobody asks.

        While decisions are worked out, those before are shown.
        """
        key, matching = self._key(), self._matching
        if key is None:
            return None
        return MappingState(
            tuple(self._states.values()) if matching is not None else None,
            matching.problems if matching is not None else (),
            key == self._stopped,
        )

    @property
    def needs_a_person(self) -> bool:
        """Whether somebody must decide before the population can be used."""
        if not self._is_current or self._matching is None or self._is_working:
            return False
        return not self._matching.is_ready

    def match(self, attribute: str) -> AttributeMatch | None:
        """How an attribute is found; None if the population does not know it."""
        if self._matching is None or attribute not in self._states:
            return None
        found = self._matching.of(attribute)
        return found if found.mapping is not None else None

    def who(self) -> tuple[KnownPopulation, bool] | None:
        """Who the population is, and whether that is of earlier decisions."""
        if self._key() is None or self._population is None:
            return None
        matching = self._matching
        is_current = matching is not None and matching.population is self._population
        return self._population, not (is_current and self._is_current)

    def stop(self) -> None:
        """Stop looking values up; what was decided stays."""
        job = self._workspace.runner.running(Lane.MATCH)
        if job is not None:
            self._stopped = self._known
            job.cancel()

    def look_again(self) -> None:
        """Look values up after that was stopped."""
        self._stopped = None
        self.look()

    def look(self) -> None:
        """Compare the population with the records, unless that is known."""
        key, session = self._key(), self._session
        if key is None or key in (self._known, self._stopped):
            return
        loaded, known = session.loaded, session.current_population
        assert loaded is not None
        population = known.table if known is not None else None
        snapshot, files = session.project, dict(session.hierarchy_files)
        cache = self._workspace.hierarchy_cache
        cache = self._workspace.hierarchy_cache
        if self._known is not None and key.records != self._known.records:
            self._matching, self._states, self._population = None, {}, None
        self._known, self._stopped, self._is_working = key, None, True

        def work(monitor: Monitor) -> tuple[Matching, dict[str, AttributeState]]:
            found = propose(
                snapshot, loaded.table, files, population, cache=cache, monitor=monitor
            )
            return found, self._states_of(found)

        def done(found: tuple[Matching, dict[str, AttributeState]]) -> None:
            if self._known == key:
                self._take(*found)

        job = Job(done, self._on_failed, self._on_stopped, self._on_progress)
        self._workspace.runner.start(Lane.MATCH, work, job)

    def _states_of(self, found: Matching) -> dict[str, AttributeState]:
        """Return what is shown of each attribute; those that are alike are kept."""
        states = {}
        for each in found.attributes:
            matches = ValueMatches(each.mapping) if each.mapping is not None else None
            if matches is not None:
                matches.prepare()
            states[each.attribute] = AttributeState(
                each.attribute, each.targets, each.choice, matches, each.problems
            )
        return states

    def _take(self, found: Matching, states: dict[str, AttributeState]) -> None:
        self._matching, self._states = found, states
        if found.population is not None:
            self._population = found.population
        self._is_working = False
        self.matched.emit(None)
        self.changed.emit()
        self._confirm_next()

    def _on_progress(self, fraction: float, _note: str) -> None:
        self.matched.emit(fraction)

    def _on_stopped(self) -> None:
        if self._workspace.runner.running(Lane.MATCH) is None:
            self._known, self._is_working = None, False
            self._waiting.clear()
            self.matched.emit(None)
            self.changed.emit()

    def _on_failed(self, error: BaseException) -> None:
        self._on_stopped()
        self._workspace.problem(error, Lane.MATCH)

    # -- what a person says --------------------------------------------------------

    def confirm(self, attribute: str, make: Confirm) -> None:
        """Write down what a person says about the values of an attribute.

        What is said while the values are still looked up waits for them, so that it
        adds to what was said before.

        Parameters
        ----------
        make : callable
            From `deidgui.app.matching`.
        """
        self._waiting.append((attribute, make))
        self._confirm_next()

    def _confirm_next(self) -> None:
        runner, matching = self._workspace.runner, self._matching
        if not self._waiting or matching is None or not self._is_current:
            return
        if self._is_working or runner.running(Lane.CONFIRM) is not None:
            return
        attribute, make = self._waiting.pop(0)
        match = matching.of(attribute)
        if match.mapping is None:
            return

        def done(confirmation: Confirmation) -> None:
            self.confirmed.emit(confirmation, attribute)
            self._confirm_next()

        runner.start(
            Lane.CONFIRM, lambda _monitor: make(match), Job(done, self._on_refused)
        )

    def _on_refused(self, error: BaseException) -> None:
        self._workspace.problem(error, Lane.CONFIRM)
        self._confirm_next()
