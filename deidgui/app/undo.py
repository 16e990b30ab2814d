"""Undo as earlier projects: a bounded stack of labelled versions."""

from __future__ import annotations

from dataclasses import dataclass

from deidgui.app.project import Project

DEPTH = 50
"""Decisions that can be undone."""


@dataclass(frozen=True)
class Version:
    """A project as it was, and the decision that led away from it."""

    project: Project
    label: str


class History:
    """Earlier and undone versions of a project."""

    def __init__(self) -> None:
        self._past: list[Version] = []
        self._future: list[Version] = []

    @property
    def undo_label(self) -> str | None:
        """Name of the decision that undo would take back."""
        return self._past[-1].label if self._past else None

    @property
    def redo_label(self) -> str | None:
        """Name of the decision that redo would make again."""
        return self._future[-1].label if self._future else None

    def remember(self, before: Project, label: str) -> None:
        """Keep the project as it was before a decision; forgets what was undone."""
        self._past.append(Version(before, label))
        del self._past[:-DEPTH]
        self._future.clear()

    def undo(self, current: Project) -> Project:
        """Return the version before the last decision (there must be one)."""
        version = self._past.pop()
        self._future.append(Version(current, version.label))
        return version.project

    def redo(self, current: Project) -> Project:
        """Return the version after the last undone decision (there must be one)."""
        version = self._future.pop()
        self._past.append(Version(current, version.label))
        return version.project

    def clear(self) -> None:
        """Forget everything."""
        self._past.clear()
        self._future.clear()
