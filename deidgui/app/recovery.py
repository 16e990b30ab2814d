"""Decisions kept against a crash: the project, never the data."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deidgui.app.project import Project
from deidgui.app.session import Session
from deidgui.app.storage.files import OWN, cannot_write, write_whole
from deidgui.app.storage.named_inputs import POPULATION
from deidgui.app.storage.places import own_folder
from deidgui.app.storage.project_io import parse_project
from deidgui.errors import DeidError

FILE, EARLIER = "recovery.json", "recovery.earlier.json"
"""What a run keeps, and what an earlier one left that nobody has answered for."""

VALUES = ".hierarchy-values.json"
"""Ending of the file beside it that holds the values of hierarchies made by hand."""


def values_file(path: Path) -> Path:
    """File with the values of hierarchies that belongs to a kept project."""
    return path.with_name(f"{path.stem}{VALUES}")


@dataclass(frozen=True)
class RecoveryCopy:
    """What was kept: a project, where it was saved, where its files lay."""

    project: Project
    path: Path | None
    data: Path | None
    files: dict[str, bytes]
    population: Path | None = None
    linked: Mapping[str, Path] = field(default_factory=dict)


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

    def follow(self, session: Session, places: Mapping[str, Path]) -> None:
        """Keep the decisions of a session if some are not saved, else forget.

        What was undone, or left with another project, shall not come back.

        Parameters
        ----------
        places : mapping of str to Path
            Where everything lies that the project names, by name.

        Raises
        ------
        ResourceError
            Code ``cannot_write``.
        """
        if not session.has_unsaved_changes:
            self.forget()
            return
        data = session.loaded.path if session.loaded is not None else None
        files, others = session.hierarchy_files, dict(places)
        population = others.pop(POPULATION, None)
        if session.project.inputs:
            others.pop(session.project.inputs[0].name, None)
        kept = session.project_to_keep
        self.keep(kept, session.path, data, files, population, others)

    def keep(
        self,
        project: Project,
        path: Path | None,
        data: Path | None,
        files: dict[str, bytes],
        population: Path | None = None,
        linked: Mapping[str, Path] | None = None,
    ) -> None:
        """Write the recovery file, if anything changed since the last time.

        Raises
        ------
        ResourceError
            Code ``cannot_write``.
        """
        stored: dict[str, Any] = {
            "project": project.model_dump(mode="json"),
            "path": str(path) if path else None,
            "data": str(data) if data else None,
            "population": str(population) if population else None,
            "linked": {name: str(each) for name, each in (linked or {}).items()},
        }
        # PRIVACY: these may be values of patients; the project holds none.
        values = json.dumps(
            {
                "holds": "hierarchy_values",
                "files": {
                    name: base64.b64encode(content).decode()
                    for name, content in files.items()
                },
            }
        ).encode()
        stored["values"] = hashlib.sha256(values).hexdigest() if files else None
        content = json.dumps(stored).encode()
        if content == self._last and self._file.is_file():
            return
        try:
            own_folder(self._file.parent)
            if self._earlier == self._file and not self._is_taken:
                self._earlier = self._moved()
        except OSError as error:
            raise cannot_write(self._file, error) from None
        if files:
            write_whole(values_file(self._file), values, OWN)
        write_whole(self._file, content, OWN)
        if not files:
            values_file(self._file).unlink(missing_ok=True)
        self._last = content
        if self._is_taken:
            # What was taken over is in the file of this run now.
            self._forget_earlier(but=self._file)

    def _moved(self) -> Path:
        """Put what an earlier run kept aside, with its values."""
        if values_file(self._file).is_file():
            values_file(self._file).replace(values_file(self._beside))
        return self._file.replace(self._beside)

    def take(self) -> RecoveryCopy | None:
        """Read what an earlier run kept; None if there is nothing readable."""
        if self._earlier is None:
            return None
        try:
            stored = json.loads(self._earlier.read_bytes())
            population, linked = stored.get("population"), stored.get("linked", {})
            files = _values_of(self._earlier, stored.get("values"))
            kept = RecoveryCopy(
                parse_project(json.dumps(stored["project"]).encode(), FILE),
                Path(stored["path"]) if stored["path"] else None,
                Path(stored["data"]) if stored["data"] else None,
                files,
                Path(population) if population else None,
                {name: Path(each) for name, each in linked.items()},
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError, DeidError):
            return None
        self._is_taken = True
        return kept

    def forget(self) -> None:
        """Remove what this run has kept, and what it has taken over."""
        if self._last is not None:
            _remove(self._file)
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
            _remove(self._earlier)
        self._earlier, self._is_offered, self._is_taken = None, False, False


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
    values_file(path).unlink(missing_ok=True)


def _values_of(path: Path, digest: str | None) -> dict[str, bytes]:
    """Read the hierarchy files that were kept with a project.

    Raises
    ------
    ValueError, OSError, KeyError, TypeError, AttributeError
        If they are not those of the project.
    """
    if digest is None:
        return {}
    content = values_file(path).read_bytes()
    if hashlib.sha256(content).hexdigest() != digest:
        raise ValueError
    found: dict[str, str] = json.loads(content)["files"]
    return {name: base64.b64decode(each) for name, each in found.items()}
