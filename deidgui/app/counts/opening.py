"""Opens tables of counts, or those of a project, for a command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from deidgui.app.counts.ops import new_project
from deidgui.app.counts.tables import marks_of, read_tables, tables_of
from deidgui.app.project import Counts, Project
from deidgui.app.reading.files import load_hierarchy_files
from deidgui.app.storage.project_io import SUFFIX, load_project
from deidgui.engine.counts.tables.cells import MARKS
from deidgui.engine.counts.tables.table import CountTable
from deidgui.errors import ConfigError, InputError
from deidgui.monitor import Monitor


def opened(
    files: Sequence[Path], marks: Mapping[str, str], monitor: Monitor
) -> tuple[Counts, tuple[CountTable, ...]]:
    """Open tables, or those of a project, and what is decided about them.

    Raises
    ------
    InputError, ResourceError, ConfigError
        As `opened_project`.
    """
    project, tables = opened_project(files, marks, monitor)
    assert project.counts is not None, "just opened"
    return project.counts, tables


def opened_project(
    files: Sequence[Path], marks: Mapping[str, str], monitor: Monitor
) -> tuple[Project, tuple[CountTable, ...]]:
    """Open tables as a new project, or those of a project.

    Raises
    ------
    InputError, ResourceError, ConfigError
        Codes ``counts_project_alone`` and ``counts_project_other``, or as
        `read_tables`, `load_project` and `tables_of`.
    """
    projects = [each for each in files if each.name.endswith(SUFFIX)]
    if not projects:
        counts = Counts(marks={**{m: k.value for m, k in MARKS.items()}, **marks})
        read = read_tables(files, marks=marks_of(counts), monitor=monitor)
        counts = counts.but(tables=tuple(each.choice() for each in read))
        return new_project().but(counts=counts), tuple(each.table for each in read)
    if len(files) > 1:
        raise InputError("counts_project_alone", file=projects[0].name)
    path = projects[0]
    project = load_project(path)
    if project.counts is None:
        raise ConfigError("counts_project_other", file=path.name)
    beside = load_hierarchy_files(project, path.parent)
    return project, tables_of(project, beside)
