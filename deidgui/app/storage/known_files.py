"""What this machine knows of projects: where their data lay, who has one open."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import json
import os
import platform
import secrets
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deidgui.app.storage.files import OWN, write_whole
from deidgui.app.storage.places import own_folder
from deidgui.errors import DeidError

PLACES = "places.json"
OPEN = "open"
"""Folder with one file for each window that has a project open."""

MOST_PLACES = 1000
MAX_BYTES = 1_000_000
ALIVE_S = 30.0
"""A window that has not been heard of for so long has ended."""

_SYNCHRONIZE, _ACCESS_DENIED = 0x00100000, 5


def stamp_of(path: Path | None) -> str:
    """SHA-256 of a file's content; empty if there is none that can be read."""
    if path is None:
        return ""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


class KnownFiles:
    """Hints of this user alone, never part of a project or a release.

    What cannot be read counts as absent, what cannot be written as written.

    PRIVACY: a stranger's project cannot make the program read a file elsewhere on the
    machine. A place is known only to a project that this user opened or saved with it.

    Parameters
    ----------
    folder : Path
        Created when first needed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._token = secrets.token_hex(8)
        self._held: Path | None = None

    # -- where data lay ------------------------------------------------------------

    def remember(self, project: Path, places: Mapping[str, Path]) -> None:
        """Remember where inputs of a project are, by name."""
        now = {_key(project, name): str(e.resolve()) for name, e in places.items()}
        known = {key: e for key, e in self._places().items() if key not in now}
        kept = dict(list({**known, **now}.items())[-MOST_PLACES:])
        self._write(self._folder / PLACES, json.dumps(kept, indent=1))

    def find(self, project: Path | None, name: str) -> Path | None:
        """Where an input of a project lay the last time, if it still does."""
        known = "" if project is None else self._places().get(_key(project, name), "")
        path = Path(known)
        return path if known and path.exists() else None

    def _places(self) -> dict[str, str]:
        path = self._folder / PLACES
        try:
            if path.stat().st_size > MAX_BYTES:
                return {}
            found: Any = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(found, dict):
            return {}
        return {k: v for k, v in found.items() if isinstance(v, str)}

    # -- who has a project open ----------------------------------------------------

    def hold(self, project: Path | None) -> None:
        """Say that this window has a project open, and no other any more."""
        wanted = self._mark(project) if project is not None else None
        if wanted != self._held:
            self.release()
        self._held = wanted
        if wanted is not None:
            here = {"host": platform.node(), "process": os.getpid()}
            self._write(wanted, json.dumps(here))

    def release(self) -> None:
        """Say that this window has no project open."""
        if self._held is not None:
            with contextlib.suppress(OSError):
                self._held.unlink(missing_ok=True)
        self._held = None

    def open_elsewhere(self) -> str | None:
        """Computer on which another window has the project of this one open."""
        if self._held is None:
            return None
        name = self._held.name.partition("-")[0]
        marks = sorted(self._held.parent.glob(f"{name}-*"))
        found = (_alive_on(each) for each in marks if each != self._held)
        return next((each for each in found if each is not None), None)

    def _mark(self, project: Path) -> Path:
        name = hashlib.sha256(str(project.resolve()).encode()).hexdigest()[:32]
        return self._folder / OPEN / f"{name}-{self._token}"

    def _write(self, path: Path, text: str) -> None:
        with contextlib.suppress(OSError, DeidError):
            own_folder(self._folder)
            own_folder(path.parent)
            write_whole(path, text.encode(), OWN)


def _key(project: Path, name: str) -> str:
    return f"{project.resolve()}\n{name}"


def _alive_on(mark: Path) -> str | None:
    """Computer of the window that wrote a mark; None if it has ended.

    One that was killed says so to nobody; whether it runs is known of this computer.
    """
    try:
        if time.time() - mark.stat().st_mtime >= ALIVE_S:
            return None
        stated = json.loads(mark.read_bytes())
        host, process = str(stated["host"]), int(stated["process"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return host if host != platform.node() or _is_running(process) else None


def _is_running(process: int) -> bool:
    if sys.platform == "win32":
        # Signal 0 would end it there.
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        handle = kernel.OpenProcess(_SYNCHRONIZE, False, process)
        if not handle:
            return ctypes.get_last_error() == _ACCESS_DENIED
        has_ended = kernel.WaitForSingleObject(handle, 0) == 0
        kernel.CloseHandle(handle)
        return not has_ended
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return not _has_ended_unnoticed(process)


def _has_ended_unnoticed(process: int) -> bool:
    """Whether a process has ended, and its parent has not asked about it yet (Linux).

    So are those that were killed under a launcher that goes on.
    """
    try:
        stated = Path(f"/proc/{process}/stat").read_bytes()
    except OSError:
        return False
    # The name in parentheses may hold anything.
    return stated.rpartition(b")")[2].split()[:1] == [b"Z"]
