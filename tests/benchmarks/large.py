"""How long does the whole job take on many rows, and which part takes how much?

Options: number of rows (default 1,000,000). Ten columns of synthetic patients are
read, classified, searched, released and verified in a process of its own: seconds of
each part on the clock and of the processor, its share of the clock, and the most
memory while it ran. Pseudonyms are made behind other parts: their processor seconds
are counted where they are spent, and only what is waited for on the clock of `apply`.
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
from deidgui.app.policies.lattice.searching import find_best
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


PARTS = {
    "opening": "digest",
    "hash": "digest",
    "encoding": "dialect",
    "dialect": "dialect",
    "reading": "read",
    "values": "encode",
    "suppress": "apply",
    "apply": "apply",
    "pseudonyms": "apply",
    "shuffle": "apply",
    "write": "write",
    "writing": "write",
    "report": "report",
    "verify": "verify",
}
"""Part of the job that each note of a stage belongs to; others to the present step."""


class Parts:
    """Monitor that adds up time, and the most memory, until the next part begins."""

    def __init__(self) -> None:
        self.spent: dict[str, list[float]] = {}
        self._step = self._part = "detect"
        self._at = time.perf_counter(), time.process_time()

    def begin(self, step: str) -> None:
        """Begin a step of the job."""
        self._step = step
        self._turn_to(step)

    def report(self, _fraction: float, note: str = "") -> None:
        """Take the note of a stage for the part that it belongs to."""
        part = PARTS.get(note, self._step)
        if note and part != self._part:
            self._turn_to(part)

    def _turn_to(self, part: str) -> None:
        now = time.perf_counter(), time.process_time()
        spent = self.spent.setdefault(self._part, [0.0, 0.0, 0.0])
        for place in (0, 1):
            spent[place] += now[place] - self._at[place]
        spent[2] = max(spent[2], _most_memory())
        self._part, self._at = part, now

    def listed(self) -> dict[str, dict[str, float]]:
        """What each part took, the longest first."""
        whole = sum(clock for clock, _, _ in self.spent.values())
        by_clock = sorted(self.spent.items(), key=lambda each: -each[1][0])
        return {
            part: {
                "clock_s": round(clock, 2),
                "cpu_s": round(cpu, 2),
                "share": round(clock / whole, 3),
                "peak_mb": round(memory),
            }
            for part, (clock, cpu, memory) in by_clock
        }


def _most_memory() -> float:
    """Most MB held since this was last asked (Linux), or ever."""
    try:
        status = Path("/proc/self/status").read_text()
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


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
    loaded = read_input(path, monitor=parts)
    parts.begin("decide")
    project = decided(loaded)
    parts.begin("classes")
    classes = build_classes(project, loaded.table, {}, monitor=parts)
    parts.begin("search")
    found = find_best(project, classes)
    parts.begin("measure")
    known: dict[str, Any] = {"classes": classes, "found": found}
    asked = prepare(project, loaded, {}, **known, monitor=parts)
    known["found"] = asked.found
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
    return {
        "rows": loaded.table.n_rows,
        "verified": made.written.verification.ok,
        "sha256": made.written.evidence.outputs[0].sha256,
        "clock_s": round(sum(clock for clock, _, _ in parts.spent.values()), 1),
        "cpu_s": round(sum(cpu for _, cpu, _ in parts.spent.values()), 1),
        "parts": parts.listed(),
        "peak_mb": round(max(memory for _, _, memory in parts.spent.values())),
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
