"""How long does a release of many rows take, and how much memory?

Options: number of rows (default 1,000,000). Ten columns: an identifier that becomes
a keyed code, six quasi-identifiers, three others. The figures are measured by the
engine; time of each stage in seconds on the clock and of the processor.
"""

import hashlib
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from deidgui.app.classes import Classes
from deidgui.app.measuring.criteria import measure_criteria
from deidgui.app.measuring.measuring import quality_figures
from deidgui.app.project import Attribute, Export, Privacy, Project, Threshold
from deidgui.app.release.writing import ReleaseOrder, write_release
from deidgui.app.stated import ASSUMPTIONS, warnings_of_decisions, warnings_of_policy
from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.table import Column, Table
from deidgui.engine.evidence.document import Model
from deidgui.engine.evidence.evidence import ReleaseFigures
from deidgui.engine.policy.policy import Policy, lattice_policy
from deidgui.engine.policy.released import released_classes
from deidgui.engine.privacy import KAnonymity
from tests.release_case import dossier_of, risk_of

LEVELS = {"age": 2, "sex": 0, "zip": 1, "race": 0, "education": 0, "state": 0}

SMALLEST = 5
"""Records of the smallest class that is released."""

OTHERS = ("diagnosis", "length_of_stay", "note")


class Stages:
    """Notes when each stage of a job was seen first."""

    def __init__(self) -> None:
        self.seen: dict[str, tuple[float, float]] = {}
        self.longest_gap = 0.0
        self._last = time.perf_counter()

    def report(self, fraction: float, note: str = "") -> None:
        """Take a stage's note (see `deidgui.monitor.Monitor`)."""
        now = time.perf_counter()
        self.longest_gap = max(self.longest_gap, now - self._last)
        self._last = now
        self.seen.setdefault(note, (now, time.process_time()))


def make_table(n: int) -> Table:
    rng = np.random.default_rng(1)

    def column(name: str, values: list[str]) -> Column:
        values = sorted(values)
        codes = rng.integers(0, len(values), n).astype(np.int32)
        return Column(name, codes, pl.Series(values))

    identifiers = pl.Series([f"P{number:08d}" for number in range(n)])
    return Table(
        "large.csv",
        (
            Column("id", rng.permutation(n).astype(np.int32), identifiers),
            column("age", [str(age) for age in range(100)]),
            column("sex", ["F", "M"]),
            column("zip", [str(code) for code in range(10000, 10900)]),
            column("race", list("ABCDE")),
            column("education", [f"e{number}" for number in range(16)]),
            column("state", [f"s{number}" for number in range(50)]),
            column("diagnosis", [f"I{number}" for number in range(5000)]),
            column("length_of_stay", [str(days) for days in range(200)]),
            column("note", ['says "no"', "-=x,y", "fine", ""]),
        ),
    )


def hierarchies(table: Table) -> list[Hierarchy]:
    found = []
    for name in LEVELS:
        grid = [(text, text, "*") for text in table.column(name).texts()]
        if name == "age":
            grid = [
                (t, str(int(t) // 5 * 5), str(int(t) // 25 * 25)) for t, _, _ in grid
            ]
        if name == "zip":
            grid = [(t, t[:3] + "**", "*") for t, _, _ in grid]
        found.append(Hierarchy.from_grid(name, grid))
    return found


def figures(project: Project, read: Classes, policy: Policy) -> ReleaseFigures:
    """What the evidence states, as the verification measures it again."""
    table = read.class_table
    released = released_classes(table, policy)
    models = [KAnonymity(SMALLEST)]
    codes = ("quasi_identifiers_complete", "one_record_per_person")
    threshold = project.privacy.threshold
    n_suppressed = int(table.counts.sum() - released.kept_counts.sum())
    return ReleaseFigures(
        criteria=measure_criteria(project, read, policy),
        dossier=dossier_of(project, (), suppresses=n_suppressed > 0),
        models=[
            Model(**each.to_json(), satisfied=True, words=each.words())
            for each in models
        ],
        risk={
            **risk_of(released.kept_counts.tolist(), threshold.at_risk),
            "threshold": threshold.at_risk,
            "before": risk_of(table.counts.tolist(), threshold.at_risk),
        },
        quality={
            each.measure.kind: {
                **each.measure.params,
                "value": each.value,
                "words": f"{each.measure.title}: {each.measure.words()}",
                "by_attribute": dict(each.by_attribute),
            }
            for each in quality_figures(project, table, released)
        },
        search={"method": "profile", "complete": True},
        assumptions=[ASSUMPTIONS[code] for code in (*codes, "population_is_the_data")],
        warnings=[
            *warnings_of_policy(0, models, False),
            *warnings_of_decisions(None, threshold.set_by, "random"),
        ],
    )


def run(arguments: list[str]) -> dict[str, Any]:
    n = int(float(arguments[0])) if arguments else 1_000_000
    table = make_table(n)
    attributes = (
        Attribute(name="id", role="direct_identifier", treatment="pseudonym"),
        *(Attribute(name=name, role="quasi_identifier") for name in LEVELS),
        *(Attribute(name=name, role="sensitive") for name in OTHERS),
    )
    classes = build_class_table(table, hierarchies(table))
    policy = lattice_policy(classes.hierarchies, LEVELS, SMALLEST)
    project = Project(
        unit={"kind": "row"},
        attributes=attributes,
        privacy=Privacy(threshold=Threshold(at_risk=0.2, set_by="the benchmark")),
        export=Export(suppressed="stars"),
    )
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "large.csv"
        source.write_bytes(b"stands for the input\n")
        order = ReleaseOrder(
            project=project,
            input_path=source,
            input_sha256=hashlib.sha256(source.read_bytes()).hexdigest(),
            table=table,
            class_table=classes,
            policy=policy,
            figures=figures(project, Classes(table, classes, table), policy),
        )
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        stages = Stages()
        start = (time.perf_counter(), time.process_time())
        made = write_release(Path(folder) / "out", order, monitor=stages)
        end = (time.perf_counter(), time.process_time())
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    times = [*stages.seen.values(), end]
    return {
        "rows": n,
        "withheld": made.evidence.suppressed_records,
        "bytes": made.evidence.outputs[0].bytes,
        "verified": made.verification.ok,
        "clock_s": round(end[0] - start[0], 2),
        "cpu_s": round(end[1] - start[1], 2),
        "stages": {
            note: {
                "clock_s": round(after[0] - at[0], 2),
                "cpu_s": round(after[1] - at[1], 2),
            }
            for (note, at), after in zip(stages.seen.items(), times[1:], strict=True)
        },
        "longest_gap_s": round(stages.longest_gap, 3),
        "peak_mb_before": before // 1000,
        "peak_mb": peak // 1000,
    }
