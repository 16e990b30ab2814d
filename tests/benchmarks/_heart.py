"""Measures for how long the GUI thread does not answer, and where it was."""

import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

BEAT_MS = 2
REST_S = 0.12
PATIENCE_S = 300.0
"""After which an action that still works in the background is left alone."""

LIMIT_MS = 50
"""Longest gap that nobody feels."""

PLACES_SHOWN = 6


class Heart:
    """Beats in the GUI thread and knows the longest gap since it was asked last.

    A gap is the processor time that the GUI thread uses between two beats: nothing is
    answered meanwhile, and other programs are not counted.
    """

    def __init__(self, sampler: "Sampler | None" = None) -> None:
        from PySide6.QtCore import QTimer

        self._sampler = sampler
        self._last = time.thread_time()
        self.longest_s = 0.0
        self.where: list[tuple[str, int]] = []
        self._timer = QTimer()
        self._timer.setInterval(BEAT_MS)
        self._timer.timeout.connect(self._on_beat)
        self._timer.start()

    def _on_beat(self) -> None:
        now = time.thread_time()
        gap = now - self._last
        if gap > self.longest_s:
            self.longest_s = gap
            if self._sampler is not None and 1000 * gap > LIMIT_MS:
                self.where = self._sampler.places()
        if self._sampler is not None:
            self._sampler.clear()
        self._last = time.thread_time()

    def begin(self) -> None:
        """Forget what was."""
        self.where = []
        self._last, self.longest_s = time.thread_time(), 0.0


class Sampler:
    """Looks now and then at where the GUI thread is (``--where``).

    A place weighs the processor time that the thread has used since it was looked at
    last: while other programs have the processor, a place weighs nothing. It is the
    thread itself that looks, when a signal interrupts it: what Qt does meanwhile counts
    for the line that called Qt.
    """

    EVERY_S = 0.0005

    def __init__(self) -> None:
        self._last = time.thread_time()
        self._seen: Counter[str] = Counter()
        signal.signal(signal.SIGPROF, self._look)
        signal.setitimer(signal.ITIMER_PROF, self.EVERY_S, self.EVERY_S)

    def _look(self, _number: int, frame: FrameType | None) -> None:
        names = []
        while frame is not None and "benchmarks" not in frame.f_code.co_filename:
            code = frame.f_code
            if "deidgui" in code.co_filename:
                file = code.co_filename.rsplit("/", 1)[-1]
                names.append(f"{file}:{frame.f_lineno} {code.co_name}")
            frame = frame.f_back
        now = time.thread_time()
        self._seen[" < ".join(names[:7]) or "Qt"] += round(1e6 * (now - self._last))
        self._last = now

    def clear(self) -> None:
        """Forget what was seen."""
        self._seen = Counter()

    def stop(self) -> None:
        """Look no more: a signal at the end of the process would end it."""
        signal.setitimer(signal.ITIMER_PROF, 0)

    def places(self) -> list[tuple[str, int]]:
        """Return where most time was used, with milliseconds."""
        most = self._seen.most_common(PLACES_SHOWN)
        return [(place, round(spent / 1000)) for place, spent in most]


class Walk:
    """Does what a person does, and writes down how long the window did not answer."""

    def __init__(self, minutes: float, *, says_where: bool = False) -> None:
        from deidgui.qt.application import SWITCH_INTERVAL_S, make_application

        self.before = {"imports": _spent_ms()}
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        self.app = make_application(["deidgui"])
        self.before["application"] = _spent_ms()
        self._sampler = Sampler() if says_where else None
        self.heart = Heart(self._sampler)
        self.gaps: dict[str, int] = {}
        self.answers: dict[str, int] = {}
        self.failed: list[str] = []
        self.n_left_out = 0
        self.running: Any = None
        self._end = time.monotonic() + 60 * minutes

    @property
    def window(self) -> Any:
        """The window."""
        return self.running.window

    @property
    def workspace(self) -> Any:
        """What the pages are given."""
        return self.running.workspace

    def do(self, name: str, action: Callable[[], object]) -> None:
        """Do something and wait until the window rests.

        After the time that was given nothing more is done, and what is left out is
        counted; what fails is written down, and the walk goes on.
        """
        from PySide6.QtCore import QTimer

        if time.monotonic() > self._end:
            self.n_left_out += 1
            return
        self.heart.begin()
        QTimer.singleShot(0, lambda: self._act(name, action))
        self.rest()
        gap = round(1000 * self.heart.longest_s)
        self.gaps[name] = max(gap, self.gaps.get(name, 0))
        if gap > LIMIT_MS:
            print(f"{gap:6} ms  {name}", file=sys.stderr, flush=True)
            for place, n in self.heart.where:
                print(f"          {n:4} ms  {place}", file=sys.stderr)

    def _act(self, name: str, action: Callable[[], object]) -> None:
        try:
            action()
        except Exception as error:
            self.failed.append(f"{name}: {type(error).__name__}: {error}")

    def rest(self) -> None:
        """Wait until nothing runs and all pages are there."""
        from PySide6.QtCore import QEventLoop, QTimer

        end, loop = time.monotonic() + PATIENCE_S, QEventLoop()
        while True:
            QTimer.singleShot(round(1000 * REST_S), loop.quit)
            loop.exec()
            if not self._is_busy() or time.monotonic() > end:
                return

    def _is_busy(self) -> bool:
        if self.running is None:
            return False
        window = self.window
        timers = window._builder, window._parting, window._leading
        is_building = any(each.isActive() for each in timers)
        return bool(self.workspace.runner.is_busy or is_building)

    def start(self) -> None:
        """Build the window as the program does, then show it.

        While it is built nobody waits for an answer of it: what that takes is told by
        `before`.
        """
        from deidgui.qt.application import Running
        from deidgui.qt.settings import Settings

        self.running = Running(self.app, Settings())
        self.window.files.ask = lambda *_args: "discard"
        self.window.resize(1280, 720)
        self.before["window"] = _spent_ms()
        self.do("start, until all pages are there", self.window.show)

    @property
    def notes(self) -> list[str]:
        """What failed, and how much was left out."""
        notes = [f"failed: {each}" for each in self.failed]
        if self.n_left_out:
            notes.append(f"no time was left for {self.n_left_out} actions or more")
        return notes

    def close(self) -> None:
        """End the program."""
        self.window.close()
        self.running.close()
        if self._sampler is not None:
            self._sampler.stop()


def _spent_ms() -> int:
    return round(1000 * time.process_time())


def least(walks: list[dict[str, int]]) -> dict[str, int]:
    """Return the least gap of every action that all of some walks did."""
    names = set.intersection(*(set(each) for each in walks))
    return {name: min(each[name] for each in walks) for name in names}


def table(gaps: dict[str, int], notes: Sequence[str] = (), n_shown: int = 40) -> str:
    """Return the longest gaps as a table, and how many are too long."""
    ordered = sorted(gaps.items(), key=lambda each: -each[1])
    n_long = sum(gap > LIMIT_MS for gap in gaps.values())
    lines = [f"{gap:6} ms  {name}" for name, gap in ordered[:n_shown]]
    head = f"{len(gaps)} actions, {n_long} with a gap above {LIMIT_MS} ms; the longest:"
    return "\n".join([head, *lines, *notes])
