"""A release that other tables are compared with, and that followed an earlier one."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from deidgui.app import ops
from deidgui.app.deciding.compared import with_comparison
from deidgui.app.determination.validity import decide_anew, enter_measured
from deidgui.app.dossier import drift
from deidgui.app.dossier.intruder import record_test
from deidgui.app.measuring.others import open_others
from deidgui.app.project import Project
from deidgui.app.reading.reading import propose_project, read_input
from deidgui.app.release.releasing import FinishedRelease, release
from deidgui.engine.evidence.document import Evidence
from deidgui.monitor import NULL_MONITOR
from tests.answers import answered
from tests.app.context_case import agreed
from tests.app.dossier_case import whole
from tests.app.test_criteria import QUASI, decided_on

NAMES = (*QUASI, "diagnosis", "cost", "ward", "mrn")

TEST = {
    "kind": "intruder",
    "tried_by": "A statistician of another house",
    "tested": "the released table",
    "sources": "newspapers",
    "targets": "20",
    "hours": "16.5",
    "claimed": "2",
    "verified": "1",
}


def write_people(path: Path, n: int, seed: int) -> Path:
    """Patients whose region tells of their diagnosis and of their cost."""
    rng = random.Random(seed)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(NAMES)
        for number in range(n):
            region = rng.choice("NSEW")
            diagnosis = rng.choice([f"D{region}", "X", "NA"])
            cost = 100 * (1 + "NSEW".index(region)) + rng.randint(0, 2)
            row = (rng.choice("FM"), rng.randint(1950, 1989), region, diagnosis, cost)
            writer.writerow([*row, rng.choice("ab"), f"M{seed}-{number:04d}"])
    return path


def first_release(folder: Path) -> FinishedRelease:
    """Release other patients with wider years of birth."""
    loaded = read_input(write_people(folder / "before.csv", 90, 2))
    project = decided_on(propose_project(loaded))
    project = ops.change_attribute("birth_year", minimum_level=3)(project)
    return release(answered(project, loaded), loaded, folder / "first", {})


def compared_release(
    folder: Path, change: Callable[[Project], Project] = lambda project: project
) -> tuple[FinishedRelease, list[Path]]:
    """Release patients after another release; return what they are matched with, too.

    Everything else that a dossier can have is entered, too, and then changed.
    """
    first = first_release(folder)
    others = [
        first.folder,
        write_people(folder / "voters.csv", 200, 3),
        write_people(folder / "held.csv", 520, 4),
    ]
    with others[1].open("a", newline="", encoding="utf-8") as file:
        # May be anywhere.
        csv.writer(file).writerow(["F", 1960, "*", "DN", 100, "a", "M3-wide"])
    loaded = read_input(write_people(folder / "patients.csv", 120, 1))
    project = decided_on(propose_project(loaded))
    project = record_test("N. N.", TEST)(whole(project.but(context=agreed())))
    earlier, _ = drift.open_earlier(first.folder, "N. N.", folder)
    project = drift.compare_with(earlier, "A. Expert")(project)
    places = (
        f"release={others[0]}",
        f"register={others[1]},coverage=0.5",
        f"hold_out={others[2]}",
    )
    for text in places:
        made = with_comparison(
            project, text, "N. N.", "2026-11-23", folder, NULL_MONITOR
        )
        project = made[0](project)
    project = change(answered(project, loaded))
    tables = open_others(project, folder, {})
    out, evidence = folder / "out", first.written.evidence

    def released(project: Project) -> FinishedRelease:
        return release(project, loaded, out, {}, compared=tables, earlier=evidence)

    with pytest.raises(drift.DriftError) as caught:
        released(project)
    project = enter_measured(caught.value.triggers)(project)
    project = decide_anew("2020-01-01", "2099-01-01", "seen", "A. A.", "2026-11-23")(
        project
    )
    done = released(project)
    _check_whole(done.written.evidence)
    return done, others


def _check_whole(evidence: Evidence) -> None:
    """See that there is nothing of this that the release does not state."""
    criteria, changes = evidence.criteria, evidence.drift
    assert criteria is not None
    assert changes is not None
    assert [each.kind for each in criteria.compared] == ["release", "register"]
    assert criteria.compared[1].linked[0].possible
    assert criteria.held_out is not None
    assert len(criteria.held_out.guessed) == 2
    assert {each.comparable for each in changes.columns} == {True, False}
    assert {"extract", "policy", "people"} <= set(changes.met)
    assert evidence.sensitivity
    assert evidence.validity is not None
    assert evidence.dossier.intruder_tests
