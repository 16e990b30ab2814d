"""What keeps alternatives from being looked for at all, and where is it fixed?"""

from __future__ import annotations

from deidgui.app.policies.alternatives.checking import basis_problems
from deidgui.app.project import Project
from deidgui.errors import DeidError
from deidgui.qt.messages import words_for
from deidgui.qt.pages.fixes import PLACE_OF
from deidgui.qt.widgets import EmptyState
from deidgui.text import tr

BLOCKING = ("role_missing", "no_quasi_identifier", "hierarchy_missing")
"""Decisions without which there is nothing to show; others are shown in their card."""

NO_DATA = "no_data"


def first_problem(project: Project, has_data: bool) -> DeidError | str | None:
    """What keeps the step from being begun; None if nothing does.

    Parameters
    ----------
    has_data : bool
        Whether its file is open.
    """
    if not has_data:
        return NO_DATA
    problems = [each for each in basis_problems(project) if each.code in BLOCKING]
    return problems[0] if problems else None


def show_why_not(empty: EmptyState, problem: DeidError | str) -> str:
    """Say what is missing, and return the step where it is fixed."""
    if isinstance(problem, str):
        empty.show_words(
            tr("No data file is open"),
            tr(
                "Open a file first. Then this step finds out how risky Safe Harbor "
                "would leave it, and what you can release instead.",
            ),
            tr("Go to Start"),
        )
        return "start"
    words = words_for(problem)
    empty.show_words(words.what, words.fix, tr("Take me there"))
    return PLACE_OF.get(problem.code, "attributes")
