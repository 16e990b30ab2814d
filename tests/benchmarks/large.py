"""How long does the whole job take on many rows, and which part takes how much?

Options: number of rows (default 1,000,000). Ten columns of synthetic patients are
read, classified, searched, released and verified in a process of its own; the share
of each part on the clock and of the processor, and the most memory.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deidgui.app import ops
from deidgui.app.classes import build_classes
from deidgui.app.loaded import Loaded
from deidgui.app.ops import take_over
from deidgui.app.policies.lattice.searching import search
from deidgui.app.project import Answer, Project
from deidgui.app.reading.reading import (
    propose_hierarchy,
    propose_project,
    read_input,
)
from deidgui.app.release.releasing import prepare, release
from tests.benchmarks.reading import make_file

ROLES = {
    "patient": "direct_identifier",
    "sex": "quasi_identifier",
    "birth": "quasi_identifier",
    "zip": "quasi_identifier",
    "race": "quasi_identifier",
    "admitted": "quasi_identifier",
    "days": "quasi_identifier",
    "icd": "sensitive",
    "charge": "insensitive",
    "note": "insensitive",
}


class Parts:
    """Monitor that adds up the time until the next part begins."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = {}
        self._part = "open"
        self._at = time.perf_counter(), time.process_time()

    def begin(self, part: str) -> None:
        """Begin a part; what was spent belongs to the one before."""
        now = time.perf_counter(), time.process_time()
        spent = self.seconds.setdefault(self._part, [0.0, 0.0])
        for place in (0, 1):
            spent[place] += now[place] - self._at[place]
        self._part, self._at = part, now

    def report(self, _fraction: float, note: str = "") -> None:
        """Take the note of a stage as the name of a part."""
        if note and note != self._part:
            self.begin(note)


def decided(loaded: Loaded) -> Project:
    """Return the proposed project with every decision made."""
    project = propose_project(loaded)
    for name, role in ROLES.items():
        project = ops.set_role(name, role)(project)
    for each in project.quasi_identifiers:
        rule = each.hierarchy or propose_hierarchy(loaded, each)
        project = ops.change_attribute(each.name, hierarchy=rule)(project)
    for op in (
        ops.change_attribute("patient", treatment="pseudonym"),
        ops.change_attribute("birth", minimum_level=3),
        ops.change_attribute("admitted", minimum_level=2),
        ops.set_protection(None),
        ops.confirm_roles(),
        take_over("researcher"),
        ops.change_threshold(set_by="the benchmark"),
        ops.change_export(suppressed="stars"),
    ):
        project = op(project)
    return project


def measure(path: Path) -> dict[str, Any]:
    """Do the whole job on one file."""
    parts = Parts()
    started = time.perf_counter(), time.process_time()
    loaded = read_input(path, monitor=parts)
    project = decided(loaded)
    classes = build_classes(project, loaded.table, {}, monitor=parts)
    parts.begin("search")
    found = search(project, classes)
    known: dict[str, Any] = {"classes": classes, "found": found}
    asked = prepare(project, loaded, {}, **known, monitor=parts)
    for each in asked.questions:
        answer = Answer(
            column=each.column,
            kind=each.kind,
            because="synthetic",
            about=each.about,
        )
        project = ops.answer(answer)(project)
    made = release(project, loaded, path.parent / "out", {}, **known, monitor=parts)
    parts.begin("")
    clock, cpu = (
        time.perf_counter() - started[0],
        time.process_time() - started[1],
    )
    return {
        "rows": loaded.table.n_rows,
        "verified": made.written.verification.ok,
        "clock_s": round(clock, 1),
        "cpu_s": round(cpu, 1),
        "parts": {
            name: {
                "clock_s": round(spent[0], 2),
                "cpu_s": round(spent[1], 2),
                "share": round(spent[0] / clock, 3),
            }
            for name, spent in sorted(parts.seconds.items(), key=lambda p: -p[1][0])
        },
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def run(arguments: Sequence[str] = ()) -> object:
    """Measure in a process of its own, to which the memory belongs."""
    n_rows = int(float(arguments[0])) if arguments else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "patients.csv"
        make_file(path, n_rows)
        command = [sys.executable, "-m", "tests.benchmarks.large", str(path)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]))))
