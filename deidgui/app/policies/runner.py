"""Runs the sources of policies and keeps what they have found."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

from deidgui.app.decides import Changes
from deidgui.app.events import Event
from deidgui.app.jobs import Lane
from deidgui.app.project import Project
from deidgui.app.session import Kind, Session, State
from deidgui.errors import DeidError, raise_all
from deidgui.lazy import LazyModule
from deidgui.monitor import Monitor, SubMonitor

if TYPE_CHECKING:
    from deidgui.app.classes import Classes
    from deidgui.app.jobs import Job
    from deidgui.app.policies import policy_set, source
    from deidgui.app.policies.alternatives import basis as alternatives
    from deidgui.app.policies.alternatives import checking
    from deidgui.app.policies.lattice import searching
else:
    # PERF: see `deidgui.app.workspace`.
    policy_set = LazyModule("deidgui.app.policies.policy_set")
    source = LazyModule("deidgui.app.policies.source")
    alternatives = LazyModule("deidgui.app.policies.alternatives.basis")
    checking = LazyModule("deidgui.app.policies.alternatives.checking")
    searching = LazyModule("deidgui.app.policies.lattice.searching")

LATTICE, ALTERNATIVES, LONGITUDINAL = "lattice", "alternatives", "longitudinal"
BLOCKS = "blocks"
"""Kinds of sources, as of `deidgui.app.policies.source`."""

COUNTING_SHARE = 0.3
"""Part of a run's progress that counting the classes takes, if it must."""

BASIS_PARTS = (
    Changes.DISCOVER
    | Changes.RESULT
    | Changes.DATA
    | Changes.ROLES
    | Changes.HIERARCHY
    | Changes.PRIVACY
)
"""Parts of a project after which the basis may be another one."""

QUALITY_PARTS = Changes.QUALITY | Changes.HIERARCHY | Changes.PRIVACY
"""Parts of a project that decide what a policy loses, and which models hold."""

Work = Callable[[Monitor], Any]
Start = Callable[[str, Work, Callable[[Any], None], Callable[[], None] | None], None]
"""Starts a job in a lane: work, what is done with the result, and after a cancel."""

Build = Callable[[Project], "Callable[[Monitor], Classes] | None"]
"""Returns what builds the classes of a project; None if there is nothing to build."""

Post = Callable[[Callable[[], None]], None]
"""Runs a closure on the owner's thread."""

PERSON, PAGE = "person", "page"
"""Reasons of a survey to wait: somebody said so, or its page is not seen.

Every other reason is a lane in which something runs.
"""


class BasisKeeper:
    """Keeps up to date what alternatives rest on, so that the threshold is seen.

    It is computed again, in its lane, whenever classes or decisions change.

    Attributes
    ----------
    changed : Event without parameters
        `basis` or `problem` is another one.
    """

    def __init__(self, session: Session, start: Start) -> None:
        self._session, self._start = session, start
        self.changed: Event[[]] = Event()
        self._basis: alternatives.Basis | None = None
        self._problem: DeidError | None = None
        self._known_for: Hashable = None
        self._wanted: Hashable = None
        self._rests_on: tuple[Project | None, Hashable] = None, None
        session.project_changed.connect(self._on_project_changed)

    @property
    def basis(self) -> alternatives.Basis | None:
        """What alternatives rest on, if it is known for the decisions of now."""
        is_known = self._basis is not None and self._known_for == self._key()
        return self._basis if is_known else None

    @property
    def problem(self) -> DeidError | None:
        """Why the decisions of now have no basis; of several a `ProblemsError`."""
        is_known = self._problem is not None and self._known_for == self._key()
        return self._problem if is_known else None

    def forget(self) -> None:
        """Forget what belongs to a project that is left."""
        self._basis = self._problem = self._known_for = self._wanted = None
        self._rests_on = None, None

    def _key(self) -> Hashable:
        """Identify the decisions and the table that a basis rests on."""
        classes = self._session.current(Kind.CLASSES)
        if classes is None:
            return None
        project = self._session.project
        if project is not self._rests_on[0]:
            # PERF: it is asked for again and again, 15 ms for a thousand columns.
            self._rests_on = project, checking.basis_key(project)
        return id(classes.class_table), self._rests_on[1]

    def _on_project_changed(self, changes: Changes, _initiator: object | None) -> None:
        if changes & BASIS_PARTS:
            self.update()

    def update(self) -> None:
        """Apply the baseline anew if decisions changed (lane BASIS)."""
        key = self._key()
        classes = self._session.current(Kind.CLASSES)
        if classes is None or key == self._wanted:
            return
        self._wanted = key
        snapshot = self._session.project

        def work(
            monitor: Monitor,
        ) -> tuple[alternatives.Basis | None, DeidError | None]:
            try:
                basis = alternatives.compute_basis(snapshot, classes, monitor=monitor)
            except DeidError as problem:
                # It is shown at the decision that it is about.
                return None, problem
            return basis, None

        def done(known: tuple[alternatives.Basis | None, DeidError | None]) -> None:
            self._basis, self._problem = known
            self._known_for = key
            self.changed()

        def cancelled() -> None:
            # By a person, not by a basis for later decisions: it may be tried again.
            if self._wanted == key:
                self._wanted = self._known_for

        self._start(Lane.BASIS, work, done, cancelled)


class PolicyRunner:
    """Runs sources of policies, each in the lane of its kind.

    What a source has found is the session's result of its kind; with all others it
    is `policies`.

    Attributes
    ----------
    found : Event of (kind, SourceResult)
        What a source has found so far, while it runs.
    finished : Event of (kind)
        What a source found is kept, complete or not.
    survey_held : Event
        A survey waits, or goes on.
    so_far : dict of str to SourceResult
        The last of `found`, by kind, of the sources that run.
    stopped : set of str
        Lanes whose last search was cancelled, until the next search.
    """

    def __init__(
        self,
        session: Session,
        start: Start,
        build: Build,
        post: Post,
        running: Callable[[str], Job | None],
    ) -> None:
        self._session, self._start, self._build = session, start, build
        self._post, self._running = post, running
        self._held: set[str] = set()
        self.baseline = BasisKeeper(session, start)
        self.found: Event[str, policy_set.SourceResult] = Event()
        self.finished: Event[str] = Event()
        self.survey_held: Event[()] = Event()
        self.so_far: dict[str, policy_set.SourceResult] = {}
        self.stopped: set[str] = set()
        self._numbers = itertools.count()
        self._newest: dict[str, int] = {}
        self._surveyed: policy_set.SourceResult | None = None
        self._waiting: tuple[str, ...] = ()
        self._policies: policy_set.PolicySet | None = None
        session.project_changed.connect(self._on_project_changed)

    def forget(self) -> None:
        """Forget what belongs to a project that is left."""
        self.baseline.forget()
        self.so_far.clear()
        self.stopped.clear()
        self._newest.clear()
        self._held.discard(PERSON)
        self._waiting, self._policies = (), None

    # -- what was found ----------------------------------------------------------

    @property
    def policies(self) -> policy_set.PolicySet:
        """The policies of all sources, also while they run.

        PRIVACY: figures of earlier decisions never stand beside those of now: what is
        stale is shown only where nothing else is known.
        """
        parts = [(kind, self._part(kind)) for kind in self._shown()]
        known = [(kind, part) for kind, part in parts if part is not None]
        basis = self.baseline.basis
        made = self._policies
        if made is not None and made.population is basis:
            fingerprints = {kind: self._session.fingerprint(kind) for kind, _ in known}
            is_same = made.parts == tuple(part for _, part in known)
            if is_same and made.fingerprints == fingerprints:
                return made
        made = policy_set.PolicySet(population=basis)
        for kind, part in known:
            made = made.with_part(part, self._session.fingerprint(kind))
        self._policies = made
        return made

    def _part(self, kind: str) -> policy_set.SourceResult | None:
        known: policy_set.SourceResult | None = self._session.result(kind)
        return self.so_far.get(kind, known)

    def shows(self, kind: str) -> bool:
        """Whether what a source found is among `policies`."""
        return kind in self._shown()

    def _shown(self) -> list[str]:
        """Sources that found something: those by the decisions of now, if there are."""
        known = [each for each in source.KINDS if self._part(each) is not None]
        return [each for each in known if self._is_of_now(each)] or known

    def _is_of_now(self, kind: str) -> bool:
        return kind in self.so_far or self._session.state(kind) is State.CURRENT

    @property
    def main_kind(self) -> str:
        """Kind of the source that finds the policy to release (see `main_kind`)."""
        return source.main_kind(self._session.project)

    # -- running -----------------------------------------------------------------

    def start(self, *kinds: str) -> None:
        """Run some sources; counts the classes first if needed.

        Parameters
        ----------
        *kinds : str
            The classes are counted by the first one.

        Raises
        ------
        ConfigError
            If a decision is missing, all problems of all sources together.
        """
        snapshot = self._session.project
        raise_all([p for k in kinds for p in source.source(k).problems(snapshot)])
        self.stopped.clear()
        first, *others = kinds
        if self._session.current(Kind.CLASSES) is None:
            self._waiting = tuple(others)
            others = []
        for kind in (first, *others):
            self._run(kind, snapshot)

    def _run(self, kind: str, snapshot: Project) -> None:
        known, build = self._session.current(Kind.CLASSES), self._build(snapshot)
        if build is None:
            return
        self.so_far.pop(kind, None)
        number = self._newest[kind] = next(self._numbers)
        basis: Any = self.baseline.basis
        if kind == LONGITUDINAL:
            # A cancelled search is gone on with.
            basis = self._session.current(kind)

        def report(found: policy_set.SourceResult) -> None:
            """Pass what was found to the owner's thread (worker thread)."""
            found.warm()
            self._post(lambda: self._on_found(kind, number, found))

        def work(monitor: Monitor) -> policy_set.SourceResult:
            classes, step = known, monitor
            if classes is None:
                classes = build(SubMonitor(monitor, 0.0, COUNTING_SHARE))
                step = SubMonitor(monitor, COUNTING_SHARE, 1.0)
                counted = classes
                self._post(lambda: self._on_counted(counted, snapshot))
            found: policy_set.SourceResult = source.source(kind).run(
                snapshot, classes, basis=basis, emit=report, monitor=step
            )
            found.warm()
            return found

        def done(found: policy_set.SourceResult) -> None:
            self._keep(kind, found, snapshot, found.proof.is_complete)
            self._survey(kind, found, snapshot)

        self._start(
            kind, work, done, lambda: self._on_cancelled(kind, number, snapshot)
        )

    # -- the policies that the best one was found without ---------------------------

    def _survey(
        self, kind: str, found: policy_set.SourceResult, snapshot: Project
    ) -> None:
        """Look at the other policies (lane SURVEY); the best one is kept already."""
        session, classes = self._session, self._session.current(Kind.CLASSES)
        if classes is None or session.result(kind) is not found:
            return
        if not source.source(kind).can_survey(snapshot, found):
            return
        self._surveyed = found

        def keep(grown: policy_set.SourceResult) -> None:
            # What was renewed or replaced since is not surveyed any more.
            newest = self._surveyed
            if grown is not newest and session.result(kind) is newest:
                self._surveyed = grown
                session.set_result(kind, grown, snapshot, found.proof.is_complete)

        def warmed(grown: policy_set.SourceResult) -> policy_set.SourceResult:
            """Compute what is shown, and what importance costs if that is known."""
            grown = searching.with_cost_of(grown, self._surveyed)
            grown.warm()
            return grown

        def report(grown: policy_set.SourceResult) -> None:
            """Pass what is known to the owner's thread (worker thread)."""
            known = warmed(grown)
            self._post(lambda: keep(known))

        def work(monitor: Monitor) -> policy_set.SourceResult:
            whole: policy_set.SourceResult = source.source(kind).survey(
                snapshot, classes, found, emit=report, monitor=monitor
            )
            return warmed(whole)

        def cancelled() -> None:
            # By a person, not by another search or by decisions that have changed.
            if session.current(kind) is self._surveyed:
                self.stopped.add(Lane.SURVEY)

        self._start(Lane.SURVEY, work, keep, cancelled)
        self._pause()

    def hold(self, reason: str) -> None:
        """Let a survey wait, for a reason of several."""
        self._held.add(reason)
        self._pause()

    def let_go(self, reason: str) -> None:
        """Let a survey go on, unless there are other reasons to wait."""
        self._held.discard(reason)
        job = self._running(Lane.SURVEY)
        if job is not None and not self._held:
            job.resume()
            self.survey_held()

    def is_held(self, reason: str) -> bool:
        """Whether a survey waits for this reason, perhaps among others."""
        return reason in self._held

    def _pause(self) -> None:
        job = self._running(Lane.SURVEY)
        if job is not None and self._held:
            job.pause()
            self.survey_held()

    def measure_cost(self) -> None:
        """Find out what importance and keeping something cost (lane IMPORTANCE)."""
        session = self._session
        found = session.current(LATTICE)
        if found is None:
            return
        snapshot = session.project

        def work(monitor: Monitor) -> policy_set.SourceResult:
            return searching.with_cost(snapshot, found, monitor=monitor)

        def done(known: policy_set.SourceResult) -> None:
            self.keep_cost(found, known, snapshot)

        def cancelled() -> None:
            session.project_changed(Changes.RESULT, None)

        self._start(Lane.IMPORTANCE, work, done, cancelled)

    def keep_cost(
        self,
        found: policy_set.SourceResult | None,
        known: policy_set.SourceResult | None,
        snapshot: Project,
    ) -> None:
        """Keep what a search found, now that it is known what importance costs.

        Parameters
        ----------
        found, known : SourceResult or None
            Before and after; the same if nothing new is known.
        """
        session = self._session
        if found is None or known is None or known is found:
            return
        if not found.is_answered or session.result(LATTICE) is not found:
            return
        if self._surveyed is found:
            self._surveyed = known
        session.set_result(LATTICE, known, snapshot, session.is_complete(LATTICE))

    # -- after decisions have changed ----------------------------------------------

    def _on_project_changed(self, changes: Changes, _initiator: object | None) -> None:
        survey = self._running(Lane.SURVEY)
        if survey is not None and self._session.state(LATTICE) is State.STALE:
            survey.cancel()
        if changes & QUALITY_PARTS:
            for kind in tuple(self._newest):
                self._measure(kind)

    def _measure(self, kind: str) -> None:
        """Measure what a search left out, or what decisions on quality have changed."""
        session = self._session
        found: policy_set.SourceResult | None = session.current(kind)
        if found is None:
            return
        snapshot, is_complete, known = session.project, session.is_complete(kind), found
        measure = snapshot.quality.measure
        weights = {each.name: each.weight for each in snapshot.quasi_identifiers}
        models = snapshot.privacy.models
        if found.is_guided_by(measure, weights, models):
            return

        def work(monitor: Monitor) -> policy_set.SourceResult:
            again = known.guided_by(measure, weights, models, monitor)
            again.warm()
            return again

        def done(again: policy_set.SourceResult) -> None:
            if session.result(kind) is known:
                self._keep(kind, again, snapshot, is_complete)

        self._start(f"{kind} figures", work, done, None)

    def _on_counted(self, classes: Classes, snapshot: Project) -> None:
        self._session.set_result(Kind.CLASSES, classes, snapshot)
        waiting, self._waiting = self._waiting, ()
        for kind in waiting:
            self._run(kind, snapshot)

    def _on_found(self, kind: str, number: int, found: policy_set.SourceResult) -> None:
        # What a run had found that was replaced since is not told any more.
        if number == self._newest.get(kind):
            self.so_far[kind] = found
            self.found(kind, found)

    def _keep(
        self,
        kind: str,
        found: policy_set.SourceResult,
        snapshot: Project,
        is_complete: bool,
    ) -> None:
        self.so_far.pop(kind, None)
        self._session.set_result(kind, found, snapshot, is_complete)
        self.finished(kind)
        self._measure(kind)

    def _on_cancelled(self, kind: str, number: int, snapshot: Project) -> None:
        """Keep what a cancelled run had found, marked as not complete.

        It answers the decisions it was started with, whatever was decided since.
        """
        if number != self._newest.get(kind):
            return
        self.stopped.add(kind)
        found = self.so_far.pop(kind, None)
        if found is not None and len(found.columns) and self.keeps_part(kind):
            self._keep(kind, found, snapshot, is_complete=False)

    def keeps_part(self, kind: str) -> bool:
        """Whether what a search has found when it is stopped is kept.

        Not beside what an earlier one has found to its end.
        """
        is_known = self._session.state(kind) is State.CURRENT
        return not (is_known and self._session.is_complete(kind))
