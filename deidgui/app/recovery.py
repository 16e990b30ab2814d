"""Decisions kept against a crash: the project, never the data."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from pathlib import Path

from deidgui.app.files import write_whole
from deidgui.app.project import Project
from deidgui.app.project_io import dump_project, parse_project
from deidgui.app.session import Session
from deidgui.errors import DeidError

FILE, EARLIER = "recovery.json", "recovery.earlier.json"
"""What a run keeps, and what an earlier one left that nobody has answered for."""


@dataclass(frozen=True)
class Kept:
    """What was kept: a project, where it was saved, where its files lay."""

    project: Project
    path: Path | None
    data: Path | None
    files: dict[str, bytes]
    population: Path | None = None


class Recovery:
    """One recovery file in a folder that only its owner may read.

    What an earlier run left behind stays, whatever this run keeps or forgets, until
    a person has been offered it and took it or went on without it.

    Parameters
    ----------
    folder : Path
        Created when first needed.
    """

    def __init__(self, folder: Path) -> None:
        self._file, self._beside = folder / FILE, folder / EARLIER
        self._last: bytes | None = None
        left = [path for path in (self._file, self._beside) if path.is_file()]
        self._earlier: Path | None = left[0] if left else None
        self._is_offered = self._is_taken = False

    @property
    def exists(self) -> bool:
        """Whether an earlier run ended without saving or closing."""
        return self._earlier is not None and self._earlier.is_file()

    def offer(self) -> bool:
        """Return whether there is something to offer a person, who now sees it."""
        self._is_offered = self.exists
        return self._is_offered

    def follow(self, session: Session, population: Path | None) -> None:
        """Keep the decisions of a session if some are not saved, else forget.

        What was undone, or left with another project, shall not come back.

        Parameters
        ----------
        population : Path or None
            Where the population's file lies.

        Raises
        ------
        ResourceError
            Code ``cannot_write``.
        """
        if not session.has_unsaved_changes:
            self.forget()
            return
        data = session.loaded.path if session.loaded is not None else None
        files = session.hierarchy_files
        self.keep(session.project, session.path, data, files, population)

    def keep(
        self,
        project: Project,
        path: Path | None,
        data: Path | None,
        files: dict[str, bytes],
        population: Path | None = None,
    ) -> None:
        """Write the recovery file, if anything changed since the last time.

        Raises
        ------
        ResourceError
            Code ``cannot_write``.
        """
        stored = {
            "project": json.loads(dump_project(project)),
            "path": str(path) if path else None,
            "data": str(data) if data else None,
            "population": str(population) if population else None,
            "files": {
                name: base64.b64encode(content).decode()
                for name, content in files.items()
            },
        }
        content = json.dumps(stored).encode()
        if content == self._last and self._file.is_file():
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.parent.chmod(0o700)
        if self._earlier == self._file and not self._is_taken:
            self._earlier = self._file.replace(self._beside)
        write_whole(self._file, content)
        self._last = content
        if self._is_taken:
            # What was taken over is in the file of this run now.
            self._forget_earlier(but=self._file)

    def take(self) -> Kept | None:
        """Read what an earlier run kept; None if there is nothing readable."""
        if self._earlier is None:
            return None
        try:
            stored = json.loads(self._earlier.read_bytes())
            population = stored.get("population")
            kept = Kept(
                parse_project(json.dumps(stored["project"]).encode(), FILE),
                Path(stored["path"]) if stored["path"] else None,
                Path(stored["data"]) if stored["data"] else None,
                {
                    name: base64.b64decode(content)
                    for name, content in stored["files"].items()
                },
                Path(population) if population else None,
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError, DeidError):
            return None
        self._is_taken = True
        return kept

    def forget(self) -> None:
        """Remove what this run has kept, and what it has taken over."""
        if self._last is not None:
            self._file.unlink(missing_ok=True)
            self._last = None
        if self._is_taken:
            self._forget_earlier()

    def close(self) -> None:
        """Remove what nobody wants any more, since the exit is orderly."""
        self.forget()
        if self._is_offered:
            self._forget_earlier()

    def _forget_earlier(self, but: Path | None = None) -> None:
        if self._earlier is not None and self._earlier != but:
            self._earlier.unlink(missing_ok=True)
        self._earlier, self._is_offered, self._is_taken = None, False, False
