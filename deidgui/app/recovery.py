"""Decisions kept against a crash: the project, never the data."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from pathlib import Path

from deidgui.app.files import write_whole
from deidgui.app.project import Project
from deidgui.app.project_io import dump_project, parse_project
from deidgui.errors import DeidError

FILE = "recovery.json"


@dataclass(frozen=True)
class Kept:
    """What was kept: a project, where it was saved, where its data lay."""

    project: Project
    path: Path | None
    data: Path | None
    files: dict[str, bytes]


class Recovery:
    """One recovery file in a folder that only its owner may read.

    Parameters
    ----------
    folder : Path
        Created when first needed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._last: bytes | None = None

    @property
    def _file(self) -> Path:
        return self._folder / FILE

    @property
    def exists(self) -> bool:
        """Whether an earlier run ended without saving or closing."""
        return self._file.is_file()

    def keep(
        self,
        project: Project,
        path: Path | None,
        data: Path | None,
        files: dict[str, bytes],
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
            "files": {
                name: base64.b64encode(content).decode()
                for name, content in files.items()
            },
        }
        content = json.dumps(stored).encode()
        if content == self._last and self.exists:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        self._folder.chmod(0o700)
        write_whole(self._file, content)
        self._last = content

    def take(self) -> Kept | None:
        """Read what was kept; None if there is nothing readable."""
        try:
            stored = json.loads(self._file.read_bytes())
            return Kept(
                parse_project(json.dumps(stored["project"]).encode(), FILE),
                Path(stored["path"]) if stored["path"] else None,
                Path(stored["data"]) if stored["data"] else None,
                {
                    name: base64.b64decode(content)
                    for name, content in stored["files"].items()
                },
            )
        except (OSError, ValueError, KeyError, TypeError, DeidError):
            return None

    def forget(self) -> None:
        """Remove the recovery file."""
        self._file.unlink(missing_ok=True)
        self._last = None
