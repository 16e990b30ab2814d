"""Progress on stderr, and Ctrl-C as an orderly cancel."""

from __future__ import annotations

import signal
import sys
import time
from types import FrameType, TracebackType
from typing import Self

from deidgui.errors import Cancelled

LINE_EVERY_S = 0.2
"""Least time between two updates of the progress line."""

SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""What asks us to stop: Ctrl-C, and the end of a session or a scheduler."""


class Progress:
    """A monitor that draws one line on stderr if that is a terminal.

    Used as a context manager: inside, Ctrl-C or a polite request to end makes the
    next report raise `Cancelled`, so that nothing half-written is left.
    """

    def __init__(self) -> None:
        self._stopped = False
        self._drawn_at = 0.0
        self._shows = sys.stderr.isatty()

    def __enter__(self) -> Self:
        self._previous = {
            number: signal.signal(number, self._on_interrupt) for number in SIGNALS
        }
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        for number, previous in self._previous.items():
            signal.signal(number, previous)
        if self._shows and self._drawn_at:
            sys.stderr.write("\r\033[K")

    def _on_interrupt(self, _number: int, _frame: FrameType | None) -> None:
        self._stopped = True

    def report(self, fraction: float, note: str = "") -> None:
        """Draw the progress line (see `Monitor.report`)."""
        if self._stopped:
            raise Cancelled
        now = time.monotonic()
        if not self._shows or now - self._drawn_at < LINE_EVERY_S:
            return
        self._drawn_at = now
        sys.stderr.write(f"\r\033[K{fraction:4.0%} {note}")
        sys.stderr.flush()
