"""In the window: how soon after the click is the best policy proven, and all surveyed?

``python -m tests.benchmarks proof [--limits 0,0.05,1] [--k 5] [--view KEY]
[--where]``: Adult with nine quasi-identifiers (12,960 policies), loss, page of policies
shown. Seconds on the
clock and of the processor from the click on Search to the moment at which the proven
policy is kept and can be released, and to the end of the survey; the longest gap of the
event loop meanwhile. The first search of the process comes first and stands for itself.
"""

import argparse
import os
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from tests.benchmarks._heart import Walk


class Stopwatch:
    """Looks every few milliseconds what is known by then."""

    def __init__(self, walk: Walk, before: object) -> None:
        from PySide6.QtCore import QTimer

        self._walk, self._before = walk, before
        self._clock, self._cpu = time.perf_counter(), time.process_time()
        self.seen: dict[str, dict[str, float]] = {}
        self._timer = QTimer()
        self._timer.setInterval(2)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _look(self) -> None:
        from deidgui.app.jobs import Lane
        from deidgui.app.policies.runner import LATTICE

        found = self._walk.workspace.session.current(LATTICE)
        if found is None or found is self._before or not found.complete:
            return
        self._note("proven")
        is_running = self._walk.workspace.is_running(Lane.SURVEY)
        if found.is_whole and not is_running:
            self._note("surveyed")
            self._timer.stop()

    def _note(self, name: str) -> None:
        used = time.perf_counter() - self._clock, time.process_time() - self._cpu
        words = {"clock_s": round(used[0], 3), "cpu_s": round(used[1], 3)}
        self.seen.setdefault(name, words)


def run(arguments: list[str]) -> dict[str, Any]:
    """Open Adult, search under every limit, and look at the clock."""
    parser = argparse.ArgumentParser(prog="proof")
    parser.add_argument("--limits", default="0,0.05,1")
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--view", default="list")
    parser.add_argument("--where", action="store_true", help="what held the window")
    said = parser.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["DEIDGUI_HOME"] = tempfile.mkdtemp(prefix="deidgui-proof-")
    limits = [float(limit) for limit in said.limits.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        return _walked(Path(folder), limits, said)


def _walked(
    folder: Path, limits: list[float], said: argparse.Namespace
) -> dict[str, Any]:
    from tests.cli.adult import make_adult

    case = make_adult(folder)
    models = [{"kind": "k_anonymity", "k": said.k}]
    case.change(privacy={"models": models, "suppression_limit": limits[0]})
    walk = Walk(30, says_where=said.where)
    walk.do("start", walk.start)
    walk.do("open", partial(walk.window.files.open_path, case.project))
    walk.do("show policies", partial(walk.window.lead_to, "policies"))
    page = walk.window.page("policies")
    walk.do("optimal", page.look.options["optimal"].click)
    found = {"first": _searched(walk, limits[0])}
    walk.do("view", partial(page.show_tab, said.view))
    for limit in limits:
        found[f"{limit:g}"] = _searched(walk, limit)
    walk.close()
    return {"by_limit": found, "failed": walk.failed}


def _searched(walk: Walk, limit: float) -> dict[str, Any]:
    """Change the limit, search, and wait until nothing runs."""
    from deidgui.app import ops
    from deidgui.app.policies.runner import LATTICE

    session, page = walk.workspace.session, walk.window.page("policies")
    # What was found is stale then, and is not renewed from what is known.
    op = ops.change_privacy(suppression_limit=limit)
    walk.do("limit", partial(session.apply, op, "limit"))
    watches = []

    def click() -> None:
        watches.append(Stopwatch(walk, session.result(LATTICE)))
        page.look.run_button.click()

    walk.gaps.pop("search", None)
    walk.do("search", click)
    found, seen = session.current(LATTICE), watches[0].seen
    return {
        **seen,
        "longest_gap_ms": walk.gaps["search"],
        "policies": found and found.n_nodes,
        "looked_at_for_the_proof": found and found.proof.n_examined,
        "measured": found and found.profile.n_checked,
        "skipped": found and found.n_skipped,
    }
