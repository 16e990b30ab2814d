"""What was read, as the steps of a preparation work on it."""

from __future__ import annotations

from collections.abc import Mapping

from deidgui.app.project import Project
from deidgui.engine.data.table import Table
from deidgui.engine.preparation import Data
from deidgui.engine.preparation.base import Secrets

Files = Mapping[str, bytes]


def data_of(
    project: Project, source: Table, files: Files, secrets: Secrets | None = None
) -> Data:
    """Return what was read as the steps work on it.

    Parameters
    ----------
    source : Table
        As it was read.
    """
    missing = {each.name: each.missing for each in project.attributes}
    marked = source.with_columns(
        each.with_missing(missing.get(each.name, ("",))) for each in source.columns
    )
    return Data(marked, project.key, missing, files, secrets or Secrets())
