"""How soon is the window usable, and how long does it hold the GUI thread?

The start is measured in a process of its own, as a user sees it; processor seconds
beside wall seconds, since other programs may run.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

START = """
import json, time
began, used = time.perf_counter(), time.process_time()
laps = {}
def lap(name):
    laps[name] = {
        "s": round(time.perf_counter() - began, 2),
        "cpu_s": round(time.process_time() - used, 2),
    }
from deidgui.qt.application import Running, make_application
from deidgui.qt.settings import Settings
lap("imported")
app = make_application(["deidgui"])
running = Running(app, Settings())
running.window.show()
app.processEvents()
lap("usable")
running.window.build_all_pages()
lap("all pages")
running.window.close()
running.close()
print(json.dumps(laps))
"""


def run(_arguments: list[str]) -> dict[str, Any]:
    """Measure the start, the grid and a change of the theme."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    done = subprocess.run(
        [sys.executable, "-c", START], capture_output=True, text=True, check=True
    )
    return {"start": json.loads(done.stdout), **_widgets()}


def _widgets() -> dict[str, Any]:
    from PySide6.QtWidgets import QApplication

    from deidgui.qt.theme import Mode, apply_theme
    from deidgui.qt.widgets import DataGrid
    from tests.qt.fakes import big_table
    from tests.qt.gallery import gallery

    app = QApplication([])
    apply_theme(app, Mode.LIGHT)
    table = big_table(1_500_000, 40)
    grid = DataGrid()
    grid.resize(1200, 700)
    grid.show()

    def show_table() -> None:
        grid.set_table(table)
        app.processEvents()

    opened_s = _seconds(show_table)
    bar = grid.verticalScrollBar()

    def jump(number: int) -> None:
        bar.setValue(number * 45_001)
        grid.viewport().repaint()

    jumps = [_seconds(lambda n=number: jump(n)) for number in range(30)]
    sheet = gallery()
    sheet.show()
    dark_s = _seconds(lambda: apply_theme(app, Mode.DARK))
    return {
        "grid of 1.5 M rows opened, s": round(opened_s, 3),
        "page jump, median ms": round(1000 * median(jumps), 1),
        "page jump, worst ms": round(1000 * max(jumps), 1),
        "change of theme with the whole kit shown, ms": round(1000 * dark_s, 1),
    }


def _seconds(act: Callable[[], Any]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began
