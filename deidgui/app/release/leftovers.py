"""Folders that were being written when a process ended: known and removed.

Beside a folder that is being written lies a lock file that the writing process holds;
its place is noted in the user's own folder, so that the next start finds it.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from deidgui.app.files import unfinished
from deidgui.app.places import config_folder, own_folder

if sys.platform != "win32":
    import fcntl

NOTES = "unfinished"


@contextmanager
def at_work(part: Path) -> Iterator[None]:
    """Say for as long as it lasts that this process writes a folder.

    Raises
    ------
    OSError
        If there is no room for the lock file.
    """
    lock = _lock_of(part)
    number = os.open(lock, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    note = None
    try:
        if sys.platform != "win32":
            with suppress(OSError):  # file systems without locks
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        note = _note(part)
        with unfinished(lock), unfinished(note or lock):
            yield
    finally:
        os.close(number)
        with suppress(OSError):
            lock.unlink()
        if note is not None:
            with suppress(OSError):
                note.unlink(missing_ok=True)


def is_at_work(part: Path) -> bool:
    """Whether a process that lives writes a folder."""
    lock = _lock_of(part)
    if sys.platform == "win32":
        # There a file that is open cannot be removed.
        try:
            lock.unlink(missing_ok=True)
        except OSError:
            return True
        return False
    try:
        number = os.open(lock, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(number)
    return False


def remove_leftover(path: Path) -> None:
    """Remove an unfinished folder, or its lock file, if nobody writes it any more."""
    part = path.with_name(path.name.removesuffix(".lock"))
    if not is_at_work(part):
        shutil.rmtree(part, ignore_errors=True)
        with suppress(OSError):
            _lock_of(part).unlink(missing_ok=True)


def notes() -> dict[Path, Path]:
    """Folders that were noted as being written, by their notes."""
    found: dict[Path, Path] = {}
    with suppress(OSError):
        for note in (config_folder() / NOTES).iterdir():
            with suppress(ValueError):
                found[note] = Path(note.read_bytes()[:4096].decode())
    return found


def _lock_of(part: Path) -> Path:
    """Lock file of a folder; one for both folders of an exchange by renames."""
    name = part.name.replace(".old-", ".part-")
    return part.with_name(f"{name}.lock")


def _note(part: Path) -> Path | None:
    """Write down where a folder is being written; None if there is no place."""
    try:
        folder = own_folder(config_folder() / NOTES)
        note = folder / part.name[-8:]
        note.write_text(str(part.absolute()), "utf-8")
    except (OSError, ValueError):
        return None
    return note
