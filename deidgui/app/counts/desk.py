"""A project of tables of counts that a command changes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from deidgui.app.counts.auditing import AuditedTables, audit_decided
from deidgui.app.counts.ops import WithFiles
from deidgui.app.counts.tables import tables_of
from deidgui.app.ops import Op
from deidgui.app.project import Counts, Project
from deidgui.app.reading.files import load_hierarchy_files, save_hierarchy_files
from deidgui.app.storage.project_io import load_project, save_project
from deidgui.engine.counts.tables.table import CountTable
from deidgui.errors import ConfigError
from deidgui.monitor import Monitor


def with_said(counts: Counts, said: Mapping[str, Any]) -> Counts:
    """Put what a command says in the place of what a project says; None says nothing.

    Raises
    ------
    ConfigError
        Code ``counts_threshold_small``.
    """
    threshold = said.get("threshold")
    if threshold is not None and threshold < 2:
        raise ConfigError("counts_threshold_small", threshold=threshold)
    return counts.but(**{key: each for key, each in said.items() if each is not None})


class CountsDesk:
    """The project while it is changed; nothing is written before `save`.

    Parameters
    ----------
    file : Path
        Of the project.
    signature : (str, str)
        Who states reasons, and the day.

    Raises
    ------
    ConfigError, InputError, ResourceError
        Code ``counts_project_other``, or as `load_project`.
    """

    def __init__(
        self,
        file: Path,
        project: Project | None = None,
        signature: tuple[str, str] = ("", ""),
    ) -> None:
        self.file, self.signature = file, signature
        self.project = load_project(file) if project is None else project
        if self.project.counts is None:
            raise ConfigError("counts_project_other", file=file.name)
        self.files = load_hierarchy_files(self.project, file.parent)

    @property
    def counts(self) -> Counts:
        """What is decided now."""
        assert self.project.counts is not None
        return self.project.counts

    @cached_property
    def tables(self) -> tuple[CountTable, ...]:
        """The tables as they are decided (raises as `tables_of`)."""
        return tables_of(self.project, self.files)

    def apply(self, op: Op) -> None:
        """Decide something."""
        self.project = op(self.project)
        self.__dict__.pop("tables", None)

    def use(self, applied: WithFiles) -> None:
        """Decide something that comes with cells of its own."""
        self.files |= applied.files
        self.apply(applied.op)

    def said(self, said: Mapping[str, Any], marks: Mapping[str, str]) -> None:
        """Decide what a command says besides (raises as `with_said`)."""
        counts = with_said(self.counts, said)
        counts = counts.but(marks={**counts.marks, **marks})
        self.apply(lambda project: project.but(counts=counts))

    def audited(self, monitor: Monitor) -> AuditedTables:
        """Audit the tables as they are decided now."""
        return audit_decided(self.counts, self.tables, monitor=monitor)

    def save(self) -> None:
        """Write the cells and the project."""
        save_hierarchy_files(self.project, self.files, self.file.parent)
        save_project(self.project, self.file)
