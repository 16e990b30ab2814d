"""Long work of a page: one job at a time, with its progress on a card."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from deidgui.app.jobs import Job, Lane
from deidgui.errors import DeidError
from deidgui.monitor import Monitor
from deidgui.qt.pages.base import Page
from deidgui.qt.widgets import ProgressCard, show_if


class PageWork(QObject):
    """Runs work of a page in one lane.

    Attributes
    ----------
    running_changed : Signal of bool
    failed : Signal of DeidError
        Before it is shown.
    """

    running_changed = Signal(bool)
    failed = Signal(object)

    def __init__(self, page: Page, lane: Lane, card: ProgressCard) -> None:
        super().__init__(page)
        self._page, self._lane, self._card = page, lane, card
        self._began = 0.0
        card.cancel_clicked.connect(self.stop)
        show_if(card, False)

    def start(
        self, work: Callable[[Monitor], Any], done: Callable[[Any], None]
    ) -> None:
        """Begin work; its result goes to `done` on the owner's thread."""
        self._began = time.monotonic()
        self._card.set_progress(0.0)
        show_if(self._card, True)
        self.running_changed.emit(True)
        job = Job(
            partial(self._on_done, done), self._on_failed, self._end, self._on_progress
        )
        self._page.workspace.runner.start(self._lane, work, job)

    def stop(self) -> None:
        """Stop what runs."""
        if job := self._page.workspace.runner.running(self._lane):
            job.cancel()

    def _end(self) -> None:
        show_if(self._card, False)
        self.running_changed.emit(False)

    def _on_done(self, done: Callable[[Any], None], found: Any) -> None:
        self._end()
        done(found)

    def _on_failed(self, error: BaseException) -> None:
        self._end()
        if not isinstance(error, DeidError):
            raise error
        self.failed.emit(error)
        self._page.show_error(error)

    def _on_progress(self, fraction: float, _note: str) -> None:
        self._card.set_progress(fraction, "", time.monotonic() - self._began)
