"""Progress on stderr, and Ctrl-C as an orderly cancel."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

from deidgui.app.stopping import SignalWatch, said_when_cancelled
from deidgui.engine.compiled import announcing
from deidgui.text import per_cent, tr

LINE_EVERY_S = 0.2
"""Least time between two updates of the progress line."""

LOG_EVERY_S = 10.0
"""The same between two lines where stderr is no terminal."""


class CompilingLine:
    """A line on stderr that says what is compiled, if that is a terminal."""

    def __init__(self) -> None:
        self._shows = sys.stderr.isatty()
        self._began = self._drawn_at = 0.0

    @property
    def is_drawn(self) -> bool:
        """Whether there is such a line."""
        return self._drawn_at > 0.0

    def draw(self, n: int) -> None:
        """Say how many functions were begun, or are done, and since when."""
        now = time.monotonic()
        self._began = self._began or now
        if self._shows and now - self._drawn_at >= LINE_EVERY_S:
            self._drawn_at = now
            seconds = int(now - self._began)
            said = tr(
                "Compiling for this machine, once: {n:function|functions}, {seconds} s",
                n=n,
                seconds=seconds,
            )
            sys.stderr.write(f"\r\033[K{said}")
            sys.stderr.flush()


class Progress:
    """A monitor that draws one line on stderr; a line now and then if that is a file.

    On a machine that has compiled nothing yet the line says what it waits for.

    Used as a context manager: inside, Ctrl-C or a polite request to end makes the
    next report raise `Cancelled`, so that nothing half-written is left. The process
    ends within a second even if no report follows (`SignalWatch`).
    """

    def __init__(self) -> None:
        self._watch = SignalWatch(last_words=said_when_cancelled())
        self._shows = sys.stderr.isatty()
        self._drawn_at = 0.0 if self._shows else time.monotonic()
        self._compiling, self._n_compiled = CompilingLine(), 0
        self._announcing = announcing(self._show_compiling)

    def __enter__(self) -> Self:
        self._watch.__enter__()
        self._announcing.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._announcing.__exit__(kind, error, trace)
        self._watch.__exit__(kind, error, trace)
        if (self._shows and self._drawn_at) or self._compiling.is_drawn:
            sys.stderr.write("\r\033[K")

    def _show_compiling(self) -> None:
        self._n_compiled += 1
        self._compiling.draw(self._n_compiled)

    def report(self, fraction: float, note: str = "") -> None:
        """Draw the progress line (see `Monitor.report`)."""
        self._watch.check()
        now = time.monotonic()
        if now - self._drawn_at < (LINE_EVERY_S if self._shows else LOG_EVERY_S):
            return
        self._drawn_at = now
        line = f"{per_cent(round(fraction, 2)):>5} {note}"
        sys.stderr.write(f"\r\033[K{line}" if self._shows else f"{line.strip()}\n")
        sys.stderr.flush()
