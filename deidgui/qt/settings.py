"""What the window remembers between two runs: never a decision, never data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from PySide6.QtCore import QStandardPaths

from deidgui.app.storage.files import OWN, write_whole
from deidgui.app.storage.places import config_folder
from deidgui.engine.evidence.folder import EVIDENCE
from deidgui.errors import DeidError

FILE = "settings.json"
MAX_RECENT = 12
MAX_BYTES = 1_000_000


class Remembered(BaseModel):
    """Settings as they are stored; unknown fields are ignored.

    Attributes
    ----------
    recent : tuple of str
        Absolute paths of projects, the last one first.
    theme : str
        auto, light or dark.
    geometry : str
        Of the main window, base 64.
    rail_collapsed, help_open : bool or None
        None until somebody chose; the window then decides by its width.
    last_folder : dict of str to str
        By purpose ("data", "project", "release"); by "" of any but "release".
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    recent: tuple[str, ...] = ()
    theme: str = Field("auto", pattern="^(auto|light|dark)$")
    text_scale: float = Field(1.0, ge=0.8, le=2.0)
    geometry: str = ""
    rail_collapsed: bool | None = None
    help_open: bool | None = None
    last_folder: dict[str, str] = {}


class Settings:
    """What is remembered, on disk at every change.

    A file that cannot be read or is damaged counts as absent, one that cannot be
    written as written: settings never stand in the way of work.

    Parameters
    ----------
    folder : Path, optional
        `config_folder()` by default.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._path = (folder or config_folder()) / FILE
        self._now = _read(self._path)
        self._chosen: dict[tuple[Path, str], str] = {}

    @property
    def now(self) -> Remembered:
        """Everything that is remembered."""
        return self._now

    def remember(self, **changes: Any) -> None:
        """Change fields of `Remembered` and write them."""
        fields = {**self._now.model_dump(), **changes}
        after = Remembered.model_validate(fields)
        if after == self._now:
            return
        self._now = after
        self._write()

    def add_recent(self, path: Path) -> None:
        """Put a project at the top of the recent ones."""
        text = str(path.resolve())
        others = [each for each in self._now.recent if each != text]
        self.remember(recent=tuple([text, *others][:MAX_RECENT]))

    def forget_recent(self, path: Path) -> None:
        """Take a project off the recent ones."""
        self.remember(recent=tuple(r for r in self._now.recent if r != str(path)))

    def folder_for(self, purpose: str, project: Path | None = None) -> str:
        """Folder in which a dialog begins.

        Parameters
        ----------
        project : Path, optional
            Folder of the open project, or of its data.

        Returns
        -------
        str
            The first that exists: of an open project, what was chosen for the purpose
            since the program started, or its own folder; what was last chosen for the
            purpose, or for any; the documents; the home. Nothing is written where a
            release is: what lies there is handed out.
        """
        last = self._now.last_folder
        wanted = [last.get(purpose, ""), last.get("", ""), _documents()]
        if project is not None:
            wanted = [self._chosen.get((project, purpose), ""), str(project), *wanted]
        known = (each for each in wanted if each and Path(each).is_dir())
        if purpose in ("project", "release"):
            known = (each for each in known if not _is_released(Path(each)))
        return next(known, str(Path.home()))

    def remember_folder(
        self, purpose: str, path: Path, project: Path | None = None
    ) -> None:
        """Remember the folder of a file, or a folder, for `folder_for`."""
        folder = str(path if path.is_dir() else path.parent)
        if project is not None:
            self._chosen[project, purpose] = folder
        names = (purpose,) if purpose == "release" else (purpose, "")
        last = {**self._now.last_folder, **dict.fromkeys(names, folder)}
        self.remember(last_folder=last)

    def _write(self) -> None:
        text = json.dumps(self._now.model_dump(mode="json"), indent=2)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_whole(self._path, f"{text}\n".encode(), OWN)
        except (OSError, DeidError):
            return


def _documents() -> str:
    place = QStandardPaths.StandardLocation.DocumentsLocation
    return QStandardPaths.writableLocation(place)


def _is_released(folder: Path) -> bool:
    """Whether a folder is a release, or within one."""
    return any((each / EVIDENCE).is_file() for each in (folder, *folder.parents))


def _read(path: Path) -> Remembered:
    try:
        if path.stat().st_size > MAX_BYTES:
            return Remembered()
        fields = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return Remembered()
    if not isinstance(fields, dict):
        return Remembered()
    return _valid_part(fields)


def _valid_part(fields: dict[str, Any]) -> Remembered:
    """Keep what can be understood: one damaged field does not cost the others."""
    kept: dict[str, Any] = {}
    for name in Remembered.model_fields:
        if name in fields:
            try:
                Remembered.model_validate({name: fields[name]})
            except ValidationError:
                continue
            kept[name] = fields[name]
    return Remembered.model_validate(kept)
