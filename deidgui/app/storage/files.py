"""Writing files so that they appear whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

from deidgui.errors import InputError, ResourceError

_unfinished: set[Path] = set()


@contextmanager
def unfinished(path: Path) -> Iterator[None]:
    """Remember a file or folder in the making, which must not outlive the program."""
    _unfinished.add(path)
    try:
        yield
    finally:
        _unfinished.discard(path)


def remove_unfinished() -> None:
    """Remove what is in the making, because the program ends now."""
    for path in tuple(_unfinished):
        shutil.rmtree(path, ignore_errors=True)
        with suppress(OSError):
            path.unlink(missing_ok=True)


OWN = 0o600
"""Permissions of what nobody but its owner may read."""

PUBLIC = 0o644


def write_whole(path: Path, content: bytes, mode: int | None = None) -> None:
    """Write a file beside its place, sync it, and move it there.

    Parameters
    ----------
    mode : int, optional
        Permissions (POSIX). Without them a new file is its owner's alone, and an
        earlier one keeps what a person has decided.

    Raises
    ------
    ResourceError
        Code ``cannot_write`` with the file name; an earlier file is intact.
    """
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        wanted = mode
        if wanted is None:
            wanted = stat.S_IMODE(path.stat().st_mode) if path.exists() else OWN
        # PRIVACY: readable for nobody else from the moment it exists.
        number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, OWN)
        with unfinished(beside), os.fdopen(number, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if os.name == "posix":
            beside.chmod(wanted)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise cannot_write(path, error) from None


_BINARY = getattr(os, "O_BINARY", 0)


def cannot_write(path: Path, error: OSError) -> ResourceError:
    """Error for a file or folder that could not be written."""
    return ResourceError("cannot_write", file=path.name, reason=error.strerror or "")


def check_readable_place(path: Path) -> None:
    """Refuse a file that is not there, before what reads it is imported.

    Parameters
    ----------
    path : Path
        Also ``archive.zip/member`` or ``FILE.xlsx:Sheet``.

    Raises
    ------
    InputError
        Code ``file_not_found``.
    """
    if path.exists() or any(each.is_file() for each in path.parents):
        return
    file, colon, _ = str(path).rpartition(":")
    if not (colon and Path(file).is_file()):
        raise cannot_read(path, FileNotFoundError())


def cannot_read(path: Path, error: OSError) -> InputError:
    """Error for a file that could not be read."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return InputError("file_not_found", file=path.name)
    if path.is_dir():
        return InputError("is_directory", file=path.name)
    return InputError("cannot_read", file=path.name, reason=error.strerror or "")


def check_there(path: Path, *endings: str) -> None:
    """Refuse what by its ending is meant as a file, where there is none.

    Raises
    ------
    InputError
        Code ``file_not_found``.
    """
    if path.suffix.casefold() in endings and not path.exists():
        raise cannot_read(path, FileNotFoundError())


def below(folder: Path, relative: str) -> Path:
    """Path of a file that a project names, which must lie below its folder.

    Parameters
    ----------
    folder : Path
        Folder of the project.
    relative : str
        POSIX path as stored in the project.

    Raises
    ------
    InputError
        Code ``path_leaves_folder`` if the path is absolute or leads out of the
        folder, also through a symbolic link, or is none at all.
    """
    pure = PurePosixPath(relative.replace("\\", "/"))
    path = folder.joinpath(*pure.parts)
    try:
        inside = path.resolve().is_relative_to(folder.resolve())
        path.exists()  # a name that is too long for the disk is an error only here
    except (ValueError, RuntimeError, OSError):  # NUL, links in a circle
        inside = False
    if pure.is_absolute() or not inside or ":" in relative:
        raise InputError("path_leaves_folder", file=relative[:200])
    return path
