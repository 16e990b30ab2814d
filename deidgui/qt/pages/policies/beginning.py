"""What keeps alternatives from being looked for at all, and where is it mended?"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from deidgui.app.policies.alternatives import basis_problems
from deidgui.app.project import Project
from deidgui.errors import DeidError
from deidgui.qt.messages import words_for
from deidgui.qt.pages.mending import PLACE_OF
from deidgui.qt.widgets import EmptyState

BLOCKING = ("role_missing", "no_quasi_identifier", "hierarchy_missing")
"""Decisions without which there is nothing to show; others are shown in their card."""

NO_DATA = "no_data"


def first_problem(project: Project, has_data: bool) -> DeidError | str | None:
    """What keeps the step from being begun; None if nothing does.

    Parameters
    ----------
    project : Project
    has_data : bool
        Whether its file is open.
    """
    if not has_data:
        return NO_DATA
    problems = [each for each in basis_problems(project) if each.code in BLOCKING]
    return problems[0] if problems else None


def show_why_not(empty: EmptyState, problem: DeidError | str) -> str:
    """Say what is missing, and return the step where it is mended."""
    translate = QCoreApplication.translate
    if isinstance(problem, str):
        empty.show_words(
            translate("alternatives", "No data file is open"),
            translate(
                "alternatives",
                "Open a file first. Then this step finds out how risky Safe Harbor "
                "would leave it, and what you can release instead.",
            ),
            translate("alternatives", "Go to Start"),
        )
        return "start"
    words = words_for(problem)
    empty.show_words(words.what, words.mend, translate("alternatives", "Take me there"))
    return PLACE_OF.get(problem.code, "attributes")
