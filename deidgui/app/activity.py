"""What runs in the background, as the window is told about it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from deidgui.app.events import Event
from deidgui.app.jobs import Job, JobRunner

UNFORESEEABLE = ("proof", "checks")
"""Stages of work whose speed changes as it goes on."""


@dataclass(frozen=True)
class Activity:
    """What a lane is doing.

    Parameters
    ----------
    fraction : float in [0, 1] or None
        None when the lane has become idle.
    note : str
        Stage code and counts.
    elapsed_s : float
        Seconds for which the job has run, without those for which it was paused.
    """

    lane: str
    fraction: float | None
    note: str = ""
    elapsed_s: float = 0.0

    @property
    def foretells(self) -> bool:
        """Whether the time left follows from the fraction.

        Not so while policies are ruled out: the last ones may take longest.
        """
        return self.note.partition(" ")[0] not in UNFORESEEABLE


class ReportedJob:
    """A job whose progress, end and failure are told by events.

    Parameters
    ----------
    done : callable
        Receives the result, after the lane was told to be idle.
    """

    def __init__(
        self,
        runner: JobRunner,
        lane: str,
        activity: Event[Activity],
        problem: Event[BaseException, str],
        done: Callable[[Any], None],
        cancelled: Callable[[], None] | None = None,
    ) -> None:
        self._runner, self._lane = runner, lane
        self._activity, self._problem = activity, problem
        self._done, self._cancelled = done, cancelled
        self._started = time.monotonic()
        self.job = Job(
            on_done=self._on_done,
            on_failed=self._on_failed,
            on_cancelled=self._on_cancelled,
            on_progress=self._on_progress,
        )

    def _on_progress(self, fraction: float, note: str) -> None:
        self._activity(Activity(self._lane, fraction, note, self._elapsed_s))

    @property
    def _elapsed_s(self) -> float:
        return time.monotonic() - self._started - self.job.waited_s

    def _on_done(self, result: Any) -> None:
        self._idle()
        self._done(result)

    def _on_cancelled(self) -> None:
        self._idle()
        if self._cancelled is not None:
            self._cancelled()

    def _on_failed(self, error: BaseException) -> None:
        self._idle()
        self._problem(error, self._lane)

    def _idle(self) -> None:
        if self._runner.running(self._lane) is None:
            self._activity(Activity(self._lane, None, "", self._elapsed_s))
