"""The built-in sample, and the decisions of its worked example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deidgui.app import ops
from deidgui.app.ops import take_over
from deidgui.app.project import Answer, Project
from deidgui.app.release.questions import ReleaseQuestion
from deidgui.text import Text, tr

ROLES: Mapping[str, str] = {}
"""Roles of the columns for which the program proposes none."""

REASONS: Mapping[str, Text] = {
    "discharge_disposition:disclosed": (
        "Where patients go after the hospital is known to the researchers as little "
        "harmful; their agreement forbids to learn anything about single patients."
    ),
}
"""Answers to what is asked about the released table, by the name of the question."""


def answered(project: Project, questions: Sequence[ReleaseQuestion]) -> Project:
    """Return the sample's project with the questions answered that it has answers to.

    What is asked besides stays open, and stops the release.
    """
    for each in questions:
        if each.name in REASONS:
            answer = Answer(
                column=each.column,
                kind=each.kind,
                because=tr(REASONS[each.name]),
                about=each.about,
            )
            project = ops.answer(answer)(project)
    return project


def prepared(project: Project) -> Project:
    """Return the sample's project with what a data manager would see at once.

    The city follows from the ZIP code, and the discharge date from the admission
    date and the length of stay: each would only be generalized along. Nobody needs
    exact dates, so the search begins at years of birth and quarters of admission.
    """
    for op in (
        ops.set_name(tr("Synthetic hospital cohort")),
        ops.set_notes(
            tr(
                "A worked example on synthetic data. One column is left out because it "
                "follows from the ZIP code, and another because it follows from the "
                "admission date and the length of stay."
            )
        ),
        ops.set_included("city", include=False),
        ops.set_included("discharge_date", include=False),
        ops.change_attribute("birth_date", minimum_level=3),
        ops.change_attribute("admission_date", minimum_level=2),
    ):
        project = op(project)
    return project


def decided(project: Project) -> Project:
    """Return the sample's project with all decisions of the worked example.

    Researchers under an agreement receive it, with the thresholds that are usual
    for them; suppressed records stay as rows of stars.
    """
    for op in (
        prepared,
        *(
            ops.set_role(name, role)
            for name, role in ROLES.items()
            if project.attribute(name).role is None
        ),
        ops.set_protection(None),
        ops.confirm_roles(),
        take_over("researcher"),
        ops.change_threshold(set_by=tr("the worked example of deidgui")),
        ops.change_export(suppressed="stars"),
    ):
        project = op(project)
    return project
