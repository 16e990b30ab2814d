"""A small search with all that pages about its results need."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deidgui.app.classes import Classes
from deidgui.app.loaded import Loaded
from deidgui.app.measuring.measuring import Measured, measure_project
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.policies.lattice.searching import search
from deidgui.app.policies.runner import LATTICE
from deidgui.app.project import Privacy, Project, Quality, Search
from deidgui.app.project import Threshold as ThresholdChoice
from deidgui.app.session import Kind, Session
from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.data.table import Table
from tests.release_case import hierarchies, make_project, make_table


@dataclass
class Case:
    """Decisions, classes, the search and the figures of its best policy."""

    project: Project
    classes: Classes
    found: LatticePolicies
    measured: Measured


def make_case(
    k: int = 3,
    limit: float = 0.1,
    seed: int = 7,
    *,
    models: tuple[dict[str, Any], ...] | None = None,
    measure: dict[str, Any] | None = None,
    method: str = "profile",
) -> Case:
    """Search a table of 400 patients: 3 × 2 × 3 policies; diagnoses are sensitive."""
    table = make_table(seed=seed)
    class_table = build_class_table(table, hierarchies(table), {"diagnosis": None})
    classes = Classes(table, class_table, table)
    project = make_project().but(
        privacy=Privacy(
            threshold=ThresholdChoice(at_risk=0.2),
            models=models or ({"kind": "k_anonymity", "k": k},),
            suppression_limit=limit,
        ),
        quality=Quality(measure=measure or {"kind": "loss"}),
        search=Search(method=method),
    )
    # A search wants to know how each hierarchy was chosen, not only what it is.
    project = project.but(
        attributes=tuple(
            each.but(hierarchy={"rule": {"kind": "masking"}})
            if each.role == "quasi_identifier"
            else each
            for each in project.attributes
        )
    )
    found = search(project, classes)
    return Case(project, classes, found, measure_project(project, classes, found))


def cells(table: Table, name: str) -> list[str]:
    """Texts of a column, row by row."""
    column = table.column(name)
    return [column.text(row) for row in range(table.n_rows)]


def fill(session: Session, case: Case) -> None:
    """Let a session hold a case as if it had been computed."""
    table = case.classes.table
    session.start(case.project)
    session.set_loaded(Loaded(Path(table.name), table, "0" * 64, None))
    session.set_result(Kind.CLASSES, case.classes, case.project)
    session.set_result(LATTICE, case.found, case.project)
    session.set_result(Kind.MEASUREMENT, case.measured, case.project)
    session.set_result(Kind.QUESTIONS, (), case.project)
