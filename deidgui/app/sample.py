"""The built-in sample, and the decisions of its worked example."""

from __future__ import annotations

from pathlib import Path

from deidgui import resources
from deidgui.app import ops
from deidgui.app.ops import take_over
from deidgui.app.project import Project
from deidgui.text import tr

SAMPLE = "synthetic_patients.csv.gz"
"""The synthetic hospital cohort that ships with the program."""


def sample_path() -> Path:
    """Path of the built-in sample."""
    return resources.path("samples", SAMPLE)


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
                "A worked example on synthetic data. The city is left out because it "
                "follows from the ZIP code, and the discharge date because it follows "
                "from the admission date and the length of stay."
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
        ops.confirm_roles(),
        take_over("researcher"),
        ops.change_threshold(set_by=tr("the worked example of deidgui")),
        ops.change_export(suppressed="stars"),
    ):
        project = op(project)
    return project
