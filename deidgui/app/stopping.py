"""Ends the program within a second of a signal, whatever it is doing."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Self

from deidgui.app.storage.files import remove_unfinished
from deidgui.errors import Cancelled
from deidgui.text import tr

SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""What asks us to stop: Ctrl-C, and the end of a session or a scheduler."""

CANCELLED = 130
"""Exit code of a program that was asked to stop."""

_HAS_TIMER = hasattr(signal, "setitimer")

GENTLE_S = 0.3
"""For the work to stop at its next report."""

LAST_S = 0.7
"""After the signal; the process then ends without its work."""


def said_when_cancelled() -> str:
    """Return the last words of a command that was asked to stop."""
    return tr("Cancelled; nothing was written.")


class SignalWatch:
    """Hears signals in a thread of its own, and sees that the process ends.

    Three steps, so that little is left lying about: the work is asked to stop at its
    next report; 0.3 s later `Cancelled` is raised wherever the main thread is; 0.7 s
    after the signal files in the making are removed and the process ends. Python's own
    handlers wait for the main thread, which may be in a compiled kernel or wait for
    workers.

    Used as a context manager, on the main thread.

    Parameters
    ----------
    on_signal : callable, optional
        Called once, on the thread of the watch.
    interrupts : bool
        Whether the main thread may be interrupted anywhere (step two).
    last_words : str
        Printed on stderr if the process has to be ended.
    """

    def __init__(
        self,
        on_signal: Callable[[], None] | None = None,
        *,
        interrupts: bool = True,
        last_words: str = "",
    ) -> None:
        self._on_signal, self._interrupts = on_signal, interrupts
        self._last_words = last_words
        self._left = threading.Event()
        self._asked = self._is_heard = self._ending = False

    def __enter__(self) -> Self:
        self._reading, self._writing = os.pipe()
        if os.name != "nt":  # Windows asks this of sockets only
            os.set_blocking(self._writing, False)
        self._before_fd = signal.set_wakeup_fd(self._writing, warn_on_full_buffer=False)
        self._before = {
            number: signal.signal(number, self._on_python) for number in SIGNALS
        }
        if _HAS_TIMER and self._interrupts:
            self._before[signal.SIGALRM] = signal.signal(
                signal.SIGALRM, self._on_overdue
            )
        self._thread = threading.Thread(
            target=self._listen, name="signals", daemon=True
        )
        self._thread.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._ending = True
        self._left.set()
        if _HAS_TIMER and self._interrupts and self._asked:
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, previous in self._before.items():
            signal.signal(number, previous)
        signal.set_wakeup_fd(self._before_fd)
        os.close(self._writing)
        self._thread.join()
        os.close(self._reading)

    def check(self) -> None:
        """Stop here if a signal was heard.

        Raises
        ------
        Cancelled
        """
        if self._asked or self._is_heard:
            self._ending = True
            raise Cancelled

    def _on_python(self, _number: int, _frame: FrameType | None) -> None:
        """Note a signal (main thread), and when it will be overdue."""
        if _HAS_TIMER and self._interrupts and not self._asked:
            # Also where no other thread can run: patterns look for signals at times.
            signal.setitimer(signal.ITIMER_REAL, GENTLE_S)
        self._asked = True

    def _on_overdue(self, _number: int, _frame: FrameType | None) -> None:
        """Interrupt the main thread, which this runs on."""
        if not self._ending:
            self._ending = True
            raise Cancelled

    def _listen(self) -> None:
        while number := os.read(self._reading, 1):
            if number[0] in SIGNALS:
                self._stop()
                return

    def _stop(self) -> None:
        self._is_heard = True
        if self._on_signal is not None:
            self._on_signal()
        if self._left.wait(GENTLE_S):
            return
        if self._interrupts and not self._ending:
            self._interrupt_main()
        if self._left.wait(LAST_S - GENTLE_S):
            return
        remove_unfinished()
        if self._last_words and sys.__stderr__ is not None:
            with contextlib.suppress(OSError):
                os.write(sys.__stderr__.fileno(), f"{self._last_words}\n".encode())
        os._exit(CANCELLED)

    def _interrupt_main(self) -> None:
        """Raise on the main thread, also where it waits."""
        main = threading.main_thread().ident or 0
        if _HAS_TIMER:
            signal.pthread_kill(main, signal.SIGALRM)
        else:
            self._ending = True
            raised = ctypes.py_object(Cancelled)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(main), raised)
