"""A person who confirms every role and has a reason for everything that is asked."""

from __future__ import annotations

from deidgui.app import ops
from deidgui.app.commands import headless
from deidgui.app.project import Answer
from deidgui.app.release.releasing import prepare
from deidgui.app.storage.project_io import load_project, save_project
from deidgui.monitor import NULL_MONITOR

BECAUSE = "It is a test."


def confirmed(project):
    """The project with every role confirmed, each row a person unless it is decided."""
    if project.unit is None:
        project = ops.set_protection(None)(project)
    return ops.confirm_roles()(project)


def answered(project, loaded, files=None, population=None, **known):
    """The project with roles confirmed and every question answered."""
    project = confirmed(project)
    asked = prepare(project, loaded, files or {}, population, **known).questions
    for each in asked:
        fields = {"column": each.column, "kind": each.kind, "about": each.about}
        project = ops.answer(Answer(because=BECAUSE, **fields))(project)
    return project


def answer_file(project_file, inputs=None):
    """Confirm every role of a stored project and answer every question."""
    project, opened = headless.open_project(
        load_project(project_file), project_file, inputs or {}, None, NULL_MONITOR
    )
    files, people = opened.files, opened.population
    save_project(answered(project, opened.loaded, files, people), project_file)
