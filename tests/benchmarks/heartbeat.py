"""For how long does the window not answer? Prints the longest gap by action.

A timer beats every two milliseconds. A gap is the processor time that the GUI thread
uses between two beats: nothing is answered meanwhile, and other programs are not
counted. Usage: ``python -m tests.benchmarks heartbeat [FILE]``; without a file the
worked example is opened.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

BEAT_MS = 2
REST_S = 0.4
PATIENCE_S = 240.0


class Heart:
    """Beats in the GUI thread and knows the longest gap since it was asked last."""

    def __init__(self) -> None:
        from PySide6.QtCore import QTimer

        self._last = time.thread_time()
        self.longest_s = 0.0
        self._timer = QTimer()
        self._timer.setInterval(BEAT_MS)
        self._timer.timeout.connect(self._on_beat)
        self._timer.start()

    def _on_beat(self) -> None:
        now = time.thread_time()
        self.longest_s = max(self.longest_s, now - self._last)
        self._last = now

    def begin(self) -> None:
        """Forget what was."""
        self._last, self.longest_s = time.thread_time(), 0.0


class Walk:
    """Does what a person does, and writes down how long the window did not answer."""

    def __init__(self) -> None:
        from deidgui.qt.application import make_application

        self.app = make_application(["deidgui"])
        self.heart = Heart()
        self.gaps: dict[str, int] = {}
        self.running: Any = None

    def do(self, name: str, action: Callable[[], object]) -> None:
        """Do something and wait until the window rests."""
        from PySide6.QtCore import QTimer

        self.heart.begin()
        QTimer.singleShot(0, action)
        self.rest()
        gap = round(1000 * self.heart.longest_s)
        self.gaps[name] = max(gap, self.gaps.get(name, 0))
        print(f"{gap:6} ms  {name}", file=sys.stderr, flush=True)

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
        is_building = self.running.window._builder.isActive()
        return bool(self.running.workspace.runner.is_busy or is_building)

    def start(self) -> None:
        """Build and show the window, as the program does."""
        from deidgui.qt.application import Running
        from deidgui.qt.settings import Settings

        self.running = Running(self.app, Settings())
        self.running.window.files.ask = lambda *_args: "discard"
        self.running.window.resize(1280, 720)
        self.running.window.show()


def run(arguments: list[str]) -> dict[str, Any]:
    """Walk through the window; milliseconds of the longest gap by action."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["DEIDGUI_HOME"] = tempfile.mkdtemp(prefix="deidgui-heartbeat-")
    walk = Walk()
    walk.do("start, until all pages are there", walk.start)
    _walk(walk, arguments)
    walk.running.window.close()
    walk.running.close()
    return {"longest gap of the GUI thread, ms of processor time": walk.gaps}


def _walk(walk: Walk, arguments: list[str]) -> None:
    from deidgui.app.policies.runner import LATTICE
    from deidgui.qt.application import _warm_up
    from deidgui.qt.pages import STEPS
    from deidgui.qt.theme import Mode, theme

    window, workspace = walk.running.window, walk.running.workspace
    _warm_up()
    keys = [step.key for step in STEPS]

    def show_all(words: str) -> None:
        for key in keys:
            walk.do(f"{words}: {key}", lambda key=key: window.show_step(key))

    show_all("first page without data")
    if arguments:
        walk.do("open the file", lambda: window.files.open_path(Path(arguments[0])))
    else:
        walk.do("open the example", window.files.open_example)
    show_all("first page with data")
    show_all("page again")
    walk.do("search", lambda: workspace.policies.start(LATTICE))
    show_all("page after the search")
    for key in keys:
        walk.do(f"show {key}", lambda key=key: window.show_step(key))
        walk.do(f"dark on {key}", lambda: theme().set_mode(Mode.DARK))
        walk.do(f"light on {key}", lambda: theme().set_mode(Mode.LIGHT))
        walk.do(f"larger on {key}", lambda: theme().set_text_scale(1.15))
        walk.do(f"smaller on {key}", lambda: theme().set_text_scale(1.0))
    walk.do("open another project", window.files.open_example)
    walk.do("close the project", window.files.close_project)
