"""The only mutable object: the current project, what was computed, who is told."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deidgui.app.changes import changes_between, fingerprint
from deidgui.app.decides import Changes, Decides
from deidgui.app.events import Event
from deidgui.app.loaded import Loaded, LoadedPopulation
from deidgui.app.project import Project, ReleaseNote

TABLE = Changes.DATA | Changes.RESULT
"""What has changed when another table was read."""

DEPTH = 50
"""Decisions that can be undone."""


@dataclass(frozen=True)
class Version:
    """A project as it was, and the decision that led away from it."""

    project: Project
    label: str


class UndoHistory:
    """Earlier and undone versions of a project."""

    def __init__(self) -> None:
        self._past: list[Version] = []
        self._future: list[Version] = []

    @property
    def undo_label(self) -> str | None:
        """Name of the decision that undo would take back."""
        return self._past[-1].label if self._past else None

    @property
    def redo_label(self) -> str | None:
        """Name of the decision that redo would make again."""
        return self._future[-1].label if self._future else None

    def remember(self, before: Project, label: str) -> None:
        """Keep the project as it was before a decision; forgets what was undone."""
        self._past.append(Version(before, label))
        del self._past[:-DEPTH]
        self._future.clear()

    def undo(self, current: Project) -> Project:
        """Return the version before the last decision (there must be one)."""
        version = self._past.pop()
        self._future.append(Version(current, version.label))
        return version.project

    def redo(self, current: Project) -> Project:
        """Return the version after the last undone decision (there must be one)."""
        version = self._future.pop()
        self._past.append(Version(current, version.label))
        return version.project

    def clear(self) -> None:
        """Forget everything."""
        self._past.clear()
        self._future.clear()


class Kind(enum.Enum):
    """What was computed from a project, besides policies (these go by their source)."""

    CLASSES = Decides.CLASSES
    MEASUREMENT = Decides.MEASUREMENT
    QUESTIONS = Decides.QUESTIONS
    CRITERIA = Decides.CRITERIA
    ATTACKS = Decides.ATTACKS
    AUDIT = Decides.COUNTS
    RELEASE = Decides.RELEASE


@dataclass(frozen=True)
class Result:
    """Something computed, and the fingerprint of the decisions it rests on.

    Parameters
    ----------
    decided_by : Decides
        What the fields of a project that decide it are annotated with.
    """

    value: Any
    decided_by: Decides
    fingerprint: str
    complete: bool = True


class State(enum.Enum):
    """How a result stands to the current decisions."""

    ABSENT = "absent"
    CURRENT = "current"
    STALE = "stale"


class Session:
    """The current project with its results, history and observers.

    Attributes
    ----------
    path : Path or None
        Where the project was saved or opened.
    loaded : Loaded or None
        The input file, if it has been read.
    population : LoadedPopulation or None
        The population's file that was read last; see `current_population`.
    hierarchy_files : dict of str to bytes
        CSVs that hierarchy choices name, by their relative path.
    is_outdated : bool
        Whether the input file was written since it was read (`set_outdated`).
    released : ReleaseNote or None
        What was released last; no decision, so that undo does not take it back.
    signer : str
        Who signs, as somebody has typed it while this project is open.
    project_changed : Event of (Changes, object or None)
        What changed, and who did it.
    """

    def __init__(self, project: Project | None = None) -> None:
        self.project = project or Project()
        self.path: Path | None = None
        self.loaded: Loaded | None = None
        self.population: LoadedPopulation | None = None
        self.hierarchy_files: dict[str, bytes] = {}
        self.is_outdated = False
        self.signer = ""
        self.project_changed: Event[Changes, object | None] = Event()
        self._history = UndoHistory()
        self._results: dict[Kind | str, Result] = {}
        self._saved = self.project
        self._seen, self.released = dict(self.project.seen), self.project.released
        self._known: tuple[Project, dict[Decides, str]] = (self.project, {})

    # -- decisions ---------------------------------------------------------------

    def apply(
        self,
        op: Callable[[Project], Project],
        label: str,
        initiator: object | None = None,
        also: Changes = Changes.NOTHING,
    ) -> None:
        """Make one decision: undoable, announced, checked by the project itself.

        Parameters
        ----------
        op : callable
            Turns the current project into the next one (see `deidgui.app.ops`).
        label : str
            Names the decision in the Edit menu: "set role of age".
        initiator : object, optional
            Who did it, so that it can skip its own echo.
        also : Changes
            What has changed besides decisions, and is announced with them.

        Raises
        ------
        ConfigError
            If the operation refuses; nothing has changed then.
        """
        before = self.project
        after = op(before)
        if after != before:
            self._history.remember(before, label)
        self._become(before, after, initiator, also)

    def amend(
        self, op: Callable[[Project], Project], also: Changes = Changes.NOTHING
    ) -> None:
        """Record a fact (a file's hash, a taken-over proposal): not undoable."""
        before = self.project
        self._become(before, op(before), None, also)

    def undo(self) -> None:
        """Take the last decision back."""
        if self._history.undo_label is not None:
            before = self.project
            self._become(before, self._history.undo(before), None)

    def redo(self) -> None:
        """Make the last undone decision again."""
        if self._history.redo_label is not None:
            before = self.project
            self._become(before, self._history.redo(before), None)

    def forget_history(self) -> None:
        """Forget the decisions before now: they were about another file."""
        self._history.clear()

    @property
    def undo_label(self) -> str | None:
        """Name of the decision that `undo` would take back."""
        return self._history.undo_label

    @property
    def redo_label(self) -> str | None:
        """Name of the decision that `redo` would make again."""
        return self._history.redo_label

    def _become(
        self,
        before: Project,
        after: Project,
        initiator: object,
        also: Changes = Changes.NOTHING,
    ) -> None:
        if after != before:
            self.project = after
            also |= changes_between(before, after)
        if also:
            self.project_changed(also, initiator)

    # -- whole projects ----------------------------------------------------------

    def start(
        self,
        project: Project,
        path: Path | None = None,
        loaded: Loaded | None = None,
        hierarchy_files: dict[str, bytes] | None = None,
    ) -> None:
        """Begin with another project; forgets history and results."""
        self.project, self.path, self.loaded = project, path, loaded
        self.population, self.signer, self.is_outdated = None, "", False
        self.hierarchy_files = dict(hierarchy_files or {})
        self._history.clear()
        self._results.clear()
        self._saved, self._seen = project, dict(project.seen)
        self.released = project.released
        self.project_changed(Changes.EVERYTHING, None)

    def mark_saved(self, path: Path) -> None:
        """Remember that the current project is on disk."""
        self.path, self._saved = path, self.project
        self.project_changed(Changes.FILE, None)

    def forget_saved(self) -> None:
        """Treat the current project as one that is not on disk."""
        self._saved = Project()

    @property
    def has_unsaved_changes(self) -> bool:
        """Whether the project differs from the one on disk."""
        is_noted = self.released == self._saved.released
        return self.project != self._saved or not is_noted

    # -- what was looked at ------------------------------------------------------

    def note_seen(self, step: str, content: Sequence[str]) -> None:
        """Remember that somebody has seen what the program worked out for a step.

        That is no decision: undo does not take it back, and nothing is unsaved.
        """
        self._seen[step] = tuple(content)

    def has_seen(self, step: str, content: Sequence[str]) -> bool:
        """Whether somebody has seen all of some content of a step."""
        return set(content) <= set(self._seen.get(step, ()))

    @property
    def project_to_keep(self) -> Project:
        """The project with what was seen and released of it, for its file."""
        return self.project.but(seen=self._seen, released=self.released)

    # -- what was released -------------------------------------------------------

    def note_released(self, name: str, on: str, snapshot: Project) -> None:
        """Remember that `snapshot` was released, for whoever opens the project again.

        Parameters
        ----------
        name : str
            Of its folder.
        on : str
            Day as 2026-11-23.
        """
        decisions = fingerprint(snapshot, Decides.RELEASE)
        self.released = ReleaseNote(name=name, on=on, decisions=decisions)
        self.project_changed(Changes.FILE, None)

    @property
    def is_released_as_now(self) -> bool:
        """Whether the last release is of the decisions and the files of now."""
        now = self._fingerprint_now(Decides.RELEASE)
        return self.released is not None and self.released.decisions == now

    # -- data and results --------------------------------------------------------

    def set_loaded(self, loaded: Loaded | None) -> None:
        """Take over the input that was read."""
        self.loaded = loaded
        self.project_changed(TABLE, None)

    def set_outdated(self, is_outdated: bool) -> None:
        """Say whether what was read, and all that rests on it, is of an older file."""
        if is_outdated != self.is_outdated:
            self.is_outdated = is_outdated
            self.project_changed(Changes.FILE | Changes.RESULT, None)

    def set_population(self, population: LoadedPopulation | None) -> None:
        """Take over a population's file that was read."""
        self.population = population
        self.project_changed(Changes.RESULT, None)

    @property
    def current_population(self) -> LoadedPopulation | None:
        """The file that the project's population means, if it has been read."""
        known = self.population
        if known is None or not known.is_of(self.project.privacy.population):
            return None
        return known

    def add_hierarchy_file(self, name: str, content: bytes) -> None:
        """Keep a CSV that a hierarchy choice names (names tell the content)."""
        self.hierarchy_files[name] = content

    def set_result(
        self, kind: Kind | str, value: Any, snapshot: Project, complete: bool = True
    ) -> None:
        """Keep what a job computed from `snapshot`.

        A result that comes late, of decisions that were undone since, does not
        replace one that is current. Policies say themselves what decides them.
        """
        decided_by = kind.value if isinstance(kind, Kind) else value.decided_by
        rests_on = fingerprint(snapshot, decided_by)
        is_late = rests_on != self._fingerprint_now(decided_by)
        if is_late and self.state(kind) is State.CURRENT:
            return
        self._results[kind] = Result(value, decided_by, rests_on, complete)
        self.project_changed(Changes.RESULT, None)

    def result(self, kind: Kind | str) -> Any | None:
        """Return the value computed last, current or stale; None if there is none."""
        result = self._results.get(kind)
        return result.value if result else None

    def current(self, kind: Kind | str) -> Any | None:
        """Return the value if it rests on the current decisions, else None."""
        return self.result(kind) if self.state(kind) is State.CURRENT else None

    def state(self, kind: Kind | str) -> State:
        """Whether a result is absent, current or stale."""
        result = self._results.get(kind)
        if result is None:
            return State.ABSENT
        now = self._fingerprint_now(result.decided_by)
        return State.CURRENT if result.fingerprint == now else State.STALE

    def _fingerprint_now(self, decided_by: Decides) -> str:
        """Fingerprint of the decisions of now; each is asked for again and again."""
        project, known = self._known
        if project is not self.project:
            known = {}
            self._known = self.project, known
        if decided_by not in known:
            known[decided_by] = fingerprint(self.project, decided_by)
        return known[decided_by]

    def fingerprint(self, kind: Kind | str) -> str:
        """Fingerprint of the decisions that a result rests on; empty without one."""
        result = self._results.get(kind)
        return result.fingerprint if result else ""

    def is_complete(self, kind: Kind | str) -> bool:
        """Whether the result was computed to its end."""
        result = self._results.get(kind)
        return result is not None and result.complete
