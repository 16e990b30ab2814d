"""Long work in worker threads: progress, pause, cancel, exactly one ending."""

from __future__ import annotations

import enum
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from deidgui.app.events import Event
from deidgui.errors import Cancelled
from deidgui.monitor import Monitor

PROGRESS_EVERY_S = 0.05
"""Least time between two deliveries of progress."""

PAUSE_POLL_S = 0.05
"""How often a paused job looks whether it may go on or shall stop."""


class Lane(enum.StrEnum):
    """The lanes of the application: one job runs in each, the newest wins.

    A source of policies runs in the lane of its kind.
    """

    READ = "read"
    PREPARATION = "preparation"
    POPULATION = "population"
    CLASSES = "classes"
    BASIS = "basis"
    MEASURE = "measure"
    QUESTIONS = "questions"
    CRITERIA = "criteria"
    OTHERS = "others"
    ATTACKS = "attacks"
    AUDIT = "audit"
    EXPORT = "export"
    VERIFY = "verify"
    LATTICE = "lattice"
    LOCAL_RECODING = "local_recoding"
    LONGITUDINAL = "longitudinal"
    ALTERNATIVES = "alternatives"
    BLOCKS = "blocks"

    # Of single pages of the window.
    ATTACK_ORDERS = "attack-orders"
    ATTRIBUTE_FIGURES = "attributes-figures"
    COLUMN = "data-column"
    AVERAGING = "counts-averaging"
    COMPARE = "compared_policies"
    CONFIRM = "population-confirm"
    DATA_FIGURES = "data-figures"
    EVERY_MEASURE = "every_measure"
    EXAMPLES = "data-examples"
    HIERARCHY = "hierarchy"
    KNOWN = "attributes_known"
    IMPORTANCE = "importance"
    HIERARCHY_EDIT = "hierarchy-edit"
    HIERARCHY_PROPOSAL = "hierarchy-propose"
    HIERARCHY_SURVEY = "hierarchy-survey"
    HIERARCHY_WRITE = "hierarchy-write"
    MAKING = "counts-making"
    MARKING = "data-marking"
    MATCH = "population-match"
    NETWORK = "counts-network"
    NOISE = "counts-noise"
    PRINCIPLES = "attributes-principles"
    NOISE_ADVICE = "counts-advice"
    MODEL_CHECK = "model-check"
    MODEL_PROPOSALS = "model-proposals"
    POLICIES = "policies"
    POWER = "power"
    PREVIEW = "preview"
    RENEW = "renew"
    REPAIR = "counts-repair"
    SAMPLES = "samples"
    SEARCH_SPEED = "search_speed"
    SELF_CHECK = "self_check"
    SURVEY = "survey"
    TOGETHER = "columns-together"
    TRADE_OFFS = "trade_offs"
    WHAT_IF = "what_if"


def _nothing() -> None:
    """Do nothing."""


def _no_progress(_fraction: float, _note: str) -> None:
    """Do nothing."""


@dataclass(eq=False)
class Job:
    """Handle of one started job; ends in exactly one of three callbacks.

    All callbacks run on the owner's thread (in the window: the GUI thread).

    Parameters
    ----------
    on_done : callable
        Receives the result.
    on_failed : callable
        Receives the exception.
    on_progress : callable, optional
        Receives the fraction in [0, 1], never decreasing, and a note.
    """

    on_done: Callable[[Any], None]
    on_failed: Callable[[BaseException], None]
    on_cancelled: Callable[[], None] = _nothing
    on_progress: Callable[[float, str], None] = _no_progress
    _cancel: threading.Event = field(default_factory=threading.Event)
    _running: threading.Event = field(default_factory=threading.Event)
    _waited_s: float = 0.0
    _paused_at: float | None = None

    def __post_init__(self) -> None:
        self._running.set()

    def cancel(self) -> None:
        """Ask the job to stop at its next report."""
        self._cancel.set()

    def pause(self) -> None:
        """Let the job wait at its next report."""
        if self._paused_at is None:
            self._paused_at = time.monotonic()
        self._running.clear()

    def resume(self) -> None:
        """Let a paused job go on."""
        self._waited_s, self._paused_at = self.waited_s, None
        self._running.set()

    @property
    def waited_s(self) -> float:
        """Seconds for which the job was paused, which are no work."""
        if self._paused_at is None:
            return self._waited_s
        return self._waited_s + time.monotonic() - self._paused_at

    @property
    def is_paused(self) -> bool:
        """Whether the job was asked to wait."""
        return not self._running.is_set()

    @property
    def cancel_requested(self) -> bool:
        """Whether the job was asked to stop."""
        return self._cancel.is_set()

    def checkpoint(self) -> None:
        """Wait here while paused; stop here if asked to (worker thread)."""
        while not self._cancel.is_set():
            if self._running.wait(PAUSE_POLL_S):
                return
        raise Cancelled


class _JobMonitor:
    """Turns reports of a worker into callbacks on the owner's thread."""

    def __init__(self, job: Job, post: Callable[[Callable[[], None]], None]) -> None:
        self._job, self._post = job, post
        self._sent_at = 0.0
        self._high = 0.0
        self._lock = threading.Lock()

    def report(self, fraction: float, note: str = "") -> None:
        self._job.checkpoint()
        with self._lock:
            self._high = max(self._high, fraction)
            now = time.monotonic()
            if self._high < 1.0 and now - self._sent_at < PROGRESS_EVERY_S:
                return
            self._sent_at = now
            high = self._high
        self._post(partial(self._deliver, high, note))

    def _deliver(self, fraction: float, note: str) -> None:
        if not self._job.cancel_requested:
            self._job.on_progress(fraction, note)


class JobRunner:
    """Runs one job per lane; starting a second one cancels the first.

    Parameters
    ----------
    post : callable
        Runs a closure on the owner's thread, soon.
    executor : Executor, optional
        Where the work runs; four worker threads by default.

    Attributes
    ----------
    began, ended : Event of str
        A lane has work now, or none any more. A job that takes the place of another
        one begins again, and what it replaces does not end. Told on the owner's
        thread, the end before the job's own ending.
    """

    def __init__(
        self,
        post: Callable[[Callable[[], None]], None],
        executor: Executor | None = None,
    ) -> None:
        self._post_to_owner = post
        self._executor = executor or ThreadPoolExecutor(
            max_workers=4, thread_name_prefix="deidgui-job"
        )
        self._lanes: dict[str, Job] = {}
        self._closed = False
        self.began: Event[str] = Event()
        self.ended: Event[str] = Event()

    def start(self, lane: str, work: Callable[[Monitor], Any], job: Job) -> Job:
        """Run `work` in a worker thread and deliver its one ending to `job`.

        Parameters
        ----------
        lane : str
            A job that still runs in this lane is cancelled.
        work : callable
            Gets the monitor, returns the result.

        Returns
        -------
        Job
            `job` itself. A runner that was closed starts nothing: a timer of a window
            may still fire while it closes.
        """
        if self._closed:
            return job
        if previous := self._lanes.get(lane):
            previous.cancel()
        self._lanes[lane] = job
        self.began(lane)
        self._executor.submit(self._run, lane, work, job)
        return job

    def running(self, lane: str) -> Job | None:
        """Return the job that runs in `lane`, if any."""
        return self._lanes.get(lane)

    def cancel_all(self, but: str | None = None) -> None:
        """Ask every job to stop, except the one in the lane `but`."""
        for lane, job in self._lanes.items():
            if lane != but:
                job.cancel()

    @property
    def is_busy(self) -> bool:
        """Whether any lane has a job that does not wait for somebody."""
        return any(not job.is_paused for job in self._lanes.values())

    def close(self) -> None:
        """Cancel everything and wait for the workers; no callback afterwards."""
        self._closed = True
        for job in self._lanes.values():
            job.cancel()
        self._executor.shutdown(wait=True, cancel_futures=True)
        self._lanes.clear()

    def _run(self, lane: str, work: Callable[[Monitor], Any], job: Job) -> None:
        monitor = _JobMonitor(job, self._post)
        try:
            monitor.report(0.0)
            result = work(monitor)
        except Cancelled:
            self._settle(lane, job, job.on_cancelled)
        except BaseException as error:  # noqa: BLE001 - every failure must surface
            self._settle(lane, job, partial(job.on_failed, error))
        else:
            self._settle(lane, job, partial(job.on_done, result))

    def _settle(self, lane: str, job: Job, callback: Callable[[], None]) -> None:
        self._post(partial(self._deliver, lane, job, callback))

    def _deliver(self, lane: str, job: Job, callback: Callable[[], None]) -> None:
        if self._lanes.get(lane) is job:
            del self._lanes[lane]
            self.ended(lane)
        (job.on_cancelled if job.cancel_requested else callback)()

    def _post(self, closure: Callable[[], None]) -> None:
        if not self._closed:
            self._post_to_owner(partial(self._guarded, closure))

    def _guarded(self, closure: Callable[[], None]) -> None:
        if not self._closed:
            closure()
