"""Progress on stderr, and Ctrl-C as an orderly cancel."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

from deidgui.app.stopping import SignalWatch, said_when_cancelled
from deidgui.text import per_cent

LINE_EVERY_S = 0.2
"""Least time between two updates of the progress line."""


class Progress:
    """A monitor that draws one line on stderr if that is a terminal.

    Used as a context manager: inside, Ctrl-C or a polite request to end makes the
    next report raise `Cancelled`, so that nothing half-written is left. The process
    ends within a second even if no report follows (`SignalWatch`).
    """

    def __init__(self) -> None:
        self._watch = SignalWatch(last_words=said_when_cancelled())
        self._drawn_at = 0.0
        self._shows = sys.stderr.isatty()

    def __enter__(self) -> Self:
        self._watch.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._watch.__exit__(kind, error, trace)
        if self._shows and self._drawn_at:
            sys.stderr.write("\r\033[K")

    def report(self, fraction: float, note: str = "") -> None:
        """Draw the progress line (see `Monitor.report`)."""
        self._watch.check()
        now = time.monotonic()
        if not self._shows or now - self._drawn_at < LINE_EVERY_S:
            return
        self._drawn_at = now
        sys.stderr.write(f"\r\033[K{per_cent(round(fraction, 2)):>5} {note}")
        sys.stderr.flush()
