"""Which alternatives to a rule are known, and how are they discovered?"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

from deidgui.app.changes import Changes
from deidgui.app.events import Event
from deidgui.app.project import Project
from deidgui.app.session import Kind, Session, State
from deidgui.errors import DeidError
from deidgui.lazy import LazyModule
from deidgui.monitor import Monitor, SubMonitor

if TYPE_CHECKING:
    from deidgui.app import tasks
    from deidgui.app.tasks import discover as alternatives
else:
    # PERF: see `deidgui.app.workspace`.
    alternatives = LazyModule("deidgui.app.tasks.discover")

GROUND, DISCOVER = "ground", "discover"
"""Lanes: what the rule does to this file, and the search for alternatives."""

PARTS = (
    Changes.DISCOVER
    | Changes.RESULT
    | Changes.DATA
    | Changes.ROLES
    | Changes.HIERARCHY
    | Changes.PRIVACY
)
"""Parts of a project after which the ground may be another one."""

Work = Callable[[Monitor], Any]
Start = Callable[[str, Work, Callable[[Any], None], Callable[[], None] | None], None]
"""Starts a job in a lane: work, what is done with the result, and after a cancel."""

Build = Callable[[Project], "Callable[[Monitor], tasks.Classes] | None"]
"""Returns what builds the classes of a project; None if there is nothing to build."""


_Laid = tuple["alternatives.Ground | None", DeidError | None]


class Discoverer:
    """Keeps the ground up to date, and discovers alternatives when asked to.

    The ground is laid again, in its lane, whenever classes or decisions change, so
    that the threshold is seen at once. What is found is the session's result of the
    kind `Kind.DISCOVERY`.

    Parameters
    ----------
    post : callable
        Runs a closure on the owner's thread.

    Attributes
    ----------
    ground_changed : Event without parameters
        `ground` or `problem` is another one.
    alternatives_found : Event of Discovered
        What has been found so far, while a search runs; a few times a second.
    so_far : Discovered or None
        The last of `alternatives_found`, while a search runs.
    """

    def __init__(
        self,
        session: Session,
        start: Start,
        build: Build,
        post: Callable[[Callable[[], None]], None],
    ) -> None:
        self._session, self._start, self._build = session, start, build
        self._post = post
        self.ground_changed: Event[[]] = Event()
        self.alternatives_found: Event[alternatives.Discovered] = Event()
        self._problem: DeidError | None = None
        self.so_far: alternatives.Discovered | None = None
        self._ground: alternatives.Ground | None = None
        self._laid_for: Hashable = None
        self._wanted: Hashable = None
        self._numbers = itertools.count()
        self._newest: int | None = None
        session.project_changed.connect(self._on_project_changed)

    @property
    def ground(self) -> alternatives.Ground | None:
        """What the rule does to this file, if it is known for the decisions of now."""
        if self._ground is None or self._laid_for != self._key():
            return None
        return self._ground

    @property
    def problem(self) -> DeidError | None:
        """Why the decisions of now have no ground; of several a `ProblemsError`."""
        if self._problem is None or self._laid_for != self._key():
            return None
        return self._problem

    @property
    def result(self) -> alternatives.Discovered | None:
        """What was discovered last, current or stale."""
        found: alternatives.Discovered | None = self._session.result(Kind.DISCOVERY)
        return found

    @property
    def is_current(self) -> bool:
        """Whether what was discovered last rests on the decisions of now."""
        return self._session.state(Kind.DISCOVERY) is State.CURRENT

    def forget(self) -> None:
        """Forget what belongs to a project that is left."""
        self._problem = self.so_far = self._ground = None
        self._laid_for = self._wanted = self._newest = None

    def _key(self) -> Hashable:
        """Identify the decisions and the table that a ground rests on."""
        classes = self._session.current(Kind.CLASSES)
        if classes is None:
            return None
        table = id(classes.class_table)
        return table, alternatives.ground_key(self._session.project)

    def _on_project_changed(self, changes: Changes, _initiator: object | None) -> None:
        if changes & PARTS:
            self.update_ground()

    def update_ground(self) -> None:
        """Apply the rule anew if decisions changed (lane GROUND)."""
        key = self._key()
        classes = self._session.current(Kind.CLASSES)
        if classes is None or key == self._wanted:
            return
        self._wanted = key
        snapshot = self._session.project

        def work(monitor: Monitor) -> _Laid:
            try:
                return alternatives.lay_ground(snapshot, classes, monitor=monitor), None
            except DeidError as problem:
                # It is shown at the decision that it is about.
                return None, problem

        def done(laid: _Laid) -> None:
            self._ground, self._problem = laid
            self._laid_for = key
            self.ground_changed()

        def cancelled() -> None:
            # By a person, not by a ground for later decisions: it may be laid again.
            if self._wanted == key:
                self._wanted = self._laid_for

        self._start(GROUND, work, done, cancelled)

    def start(self) -> None:
        """Discover alternatives (lane DISCOVER); counts the classes first if needed.

        Raises
        ------
        ConfigError
            If a decision is missing, all problems together.
        """
        session = self._session
        snapshot = session.project
        alternatives.check_discovery(snapshot)
        known, ground = session.current(Kind.CLASSES), self.ground
        build = self._build(snapshot)
        if build is None:
            return
        self.so_far = None
        number = self._newest = next(self._numbers)

        def tell(found: alternatives.Discovered) -> None:
            """Pass what was found to the owner's thread (worker thread)."""
            self._post(lambda: self._on_found(number, found))

        def work(monitor: Monitor) -> tuple[Any, alternatives.Discovered]:
            classes, step = known, monitor
            if classes is None:
                classes = build(SubMonitor(monitor, 0.0, 0.4))
                step = SubMonitor(monitor, 0.4, 1.0)
            found = alternatives.discover(
                snapshot, classes, ground=ground, on_found=tell, monitor=step
            )
            return classes, found

        def done(result: tuple[Any, alternatives.Discovered]) -> None:
            classes, found = result
            self.so_far = None
            session.set_result(Kind.CLASSES, classes, snapshot)
            session.set_result(Kind.DISCOVERY, found, snapshot)

        self._start(DISCOVER, work, done, lambda: self._on_cancelled(number, snapshot))

    def _on_found(self, number: int, found: alternatives.Discovered) -> None:
        # What a search had found that was replaced since is not told any more.
        if number == self._newest:
            self.so_far = found
            self.alternatives_found(found)

    def _on_cancelled(self, number: int, snapshot: Project) -> None:
        """Keep what a cancelled search had found, marked as not complete.

        It answers the decisions it was started with, whatever was decided since.
        """
        if number != self._newest:
            return
        found, self.so_far = self.so_far, None
        session = self._session
        is_known = session.state(Kind.DISCOVERY) is State.CURRENT
        if found is None or not len(found):
            return
        if is_known and session.is_complete(Kind.DISCOVERY):
            return
        session.set_result(Kind.DISCOVERY, found, snapshot, complete=False)
