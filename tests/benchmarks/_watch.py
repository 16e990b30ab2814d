"""How long does work keep other threads waiting, and how long does it not report?"""

import resource
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

NAP_S = 0.005


class Watch:
    """Monitor that knows the most processor time between two reports, and where."""

    def __init__(self) -> None:
        self.longest_s, self.where = 0.0, ""
        self._last, self._place = time.thread_time(), "start"

    def report(self, _fraction: float, _note: str = "") -> None:
        now = time.thread_time()
        place = self._caller()
        if now - self._last > self.longest_s:
            self.longest_s = now - self._last
            self.where = f"{self._place} to {place}"
        self._last, self._place = now, place

    @staticmethod
    def _caller() -> str:
        frame = sys._getframe(2)
        while frame.f_back is not None and frame.f_code.co_filename.endswith(
            "monitor.py"
        ):
            frame = frame.f_back
        file = frame.f_code.co_filename.rsplit("/", 1)[-1]
        return f"{file}:{frame.f_lineno}"


class Ticker:
    """Thread that sleeps five milliseconds at a time and knows its longest nap."""

    def __init__(self) -> None:
        self.longest_s, self.n_long = 0.0, 0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "Ticker":
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        last = time.perf_counter()
        while not self._done.is_set():
            time.sleep(NAP_S)
            now = time.perf_counter()
            self.longest_s = max(self.longest_s, now - last - NAP_S)
            self.n_long += now - last - NAP_S > 0.05
            last = now


def watched(work: Callable[[Watch], object]) -> dict[str, Any]:
    """Run work that reports to a monitor; say what others and its user wait for."""
    watch = Watch()
    wall, cpu = time.perf_counter(), time.process_time()
    with Ticker() as ticker:
        work(watch)
        watch.report(1.0)
    return {
        "seconds": round(time.perf_counter() - wall, 2),
        "processor_seconds": round(time.process_time() - cpu, 2),
        "others_wait_ms": round(1000 * ticker.longest_s),
        "waits_over_50_ms": ticker.n_long,
        "without_report_ms": round(1000 * watch.longest_s),
        "where": watch.where,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
