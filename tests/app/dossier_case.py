"""A dossier of which everything is entered."""

from __future__ import annotations

from deidgui.app import ops
from deidgui.app.determination.principles import asked_columns
from deidgui.app.determination.validity import change_validity
from deidgui.app.dossier.dossier import columns_of
from deidgui.app.project import Dossier
from deidgui.engine.determination import OF_COLUMNS, TYPED
from deidgui.engine.evidence.entered import Entry
from tests.app.context_case import watched


def entry(text="Said in a sentence."):
    return Entry(text=text, by="N. N., privacy office", on="2026-11-23")


def whole(project):
    """Return a project with a name, a reason, and every text of the dossier."""
    columns = {}
    for name in OF_COLUMNS:
        for column in columns_of(project, name):
            columns.setdefault(column, {})[name] = entry(f"{name} of this column.")
    dossier = Dossier(
        entries={name: entry(f"Text about {name}.") for name in TYPED}, columns=columns
    )
    project = change_validity(
        contact="Privacy office, 72 hours",
        conditions="No linking",
        by="N. N.",
        on="2026-11-23",
    )(watched(project))
    names = [each.name for each in asked_columns(project)]
    said = {"replicability": "low", "availability": "low", "knowable_by": "nobody"}
    said["because"] = "It stands in no source with a name."
    project = ops.say_principles(names, "N. N.", "2026-11-23", **said)(project)
    threshold = project.privacy.threshold.but(
        justification="As in earlier releases.", set_by="N. N.", set_on="2026-11-23"
    )
    return project.but(
        name=project.name if project.name != "Untitled" else "A registry",
        dossier=dossier,
        privacy=project.privacy.but(threshold=threshold),
    )
