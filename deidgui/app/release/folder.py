"""How a folder of files appears on disk whole, or not at all."""

from __future__ import annotations

import ctypes
import errno
import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from deidgui.app.release.replacing import KnownProject, Standing, print_of, standing_of
from deidgui.app.storage.files import cannot_write, unfinished
from deidgui.app.storage.places import config_folder, own_folder
from deidgui.engine.evidence.document import Evidence, canonical_json
from deidgui.engine.transform.pseudonyms import PseudonymKey
from deidgui.errors import ConfigError, DeidError

_PART = re.compile(r"\.(?P<name>.+)\.part-[0-9a-f]{8}")


def check_key(folder: Path, key_file: Path | None) -> None:
    """See that the keys of a release may be kept in a file.

    Raises
    ------
    ConfigError
        Codes ``key_inside_release`` or ``key_file_exists``.
    """
    if key_file is not None:
        inside = key_file.resolve().is_relative_to(folder.resolve())
        if inside or key_file.exists():
            code = "key_inside_release" if inside else "key_file_exists"
            raise ConfigError(code, file=key_file.name)


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turn what the disk refuses into an error with a name."""
    try:
        yield
    except OSError as error:
        raise cannot_write(folder, error) from None


def check_standing(
    folder: Path, project: KnownProject, given_up: Standing | None
) -> Standing:
    """Return what a release will replace, if it may be replaced.

    Raises
    ------
    ConfigError
        Codes of `Standing.problem`.
    """
    with writing(folder):
        standing = standing_of(folder, project)
    is_given_up = standing.may_be_given_up and standing == given_up
    if not standing.may_be_replaced and not is_given_up:
        raise standing.problem(folder)
    return standing


@contextmanager
def part_folder(folder: Path) -> Iterator[Path]:
    """Folder beside another, for its owner alone; gone afterwards unless moved."""
    part = folder.with_name(f".{folder.name}.part-{secrets.token_hex(4)}")
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        with at_work(part), unfinished(part):
            part.mkdir(mode=0o700)
            try:
                yield part
            finally:
                shutil.rmtree(part, ignore_errors=True)
    except OSError as error:
        raise cannot_write(folder, error) from None


def write_synced(path: Path, content: bytes) -> None:
    """Write a file and wait until it is on the disk."""
    with path.open("wb") as file:
        file.write(content)
        sync(file)


def sync(file: BinaryIO) -> None:
    """Wait until what was written to a file is on the disk."""
    file.flush()
    os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make the names in a folder survive a power cut (Windows: not possible)."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def put_in_place(part: Path, folder: Path, standing: Standing | None = None) -> None:
    """Let a finished folder and what is in its place change places.

    Afterwards `part` is what was replaced, or nothing. On failure all is as before.

    Parameters
    ----------
    standing : Standing, optional
        What may be replaced: nothing that came later.

    Raises
    ------
    ConfigError
        Code ``folder_in_use``: something else is there now.
    """
    part.chmod(_shared_mode())
    for each in (*filter(Path.is_dir, part.iterdir()), part):
        sync_folder(each)
    if folder.exists() and exchange(part, folder):
        try:
            _check_replaced(part, folder, standing)
            sync_folder(folder.parent)
        except BaseException:
            exchange(part, folder)
            raise
        return
    _move_in_place(part, folder, standing)


def _move_in_place(part: Path, folder: Path, standing: Standing | None) -> None:
    """Do the same by two renames; `recover_folder` ends what is cut between."""
    aside = part.with_name(part.name.replace(".part-", ".old-"))
    had_older = folder.exists()
    if had_older:
        folder.rename(aside)
    try:
        if had_older:
            _check_replaced(aside, folder, standing)
        part.rename(folder)
        sync_folder(folder.parent)
    except BaseException:
        if folder.exists():
            folder.rename(part)
        if had_older:
            aside.rename(folder)
        raise
    if had_older:
        shutil.rmtree(aside, ignore_errors=True)


def _check_replaced(replaced: Path, folder: Path, standing: Standing | None) -> None:
    # What somebody has put there meanwhile must not go with an older release.
    if standing is not None and print_of(replaced) != standing.print:
        now = sorted(name for name, *_ in print_of(replaced))
        raise Standing("no_release", tuple(now)).problem(folder)


def _shared_mode() -> int:
    """Permissions that a new folder gets from the system."""
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o777 & ~mask


def recover_folder(folder: Path) -> None:
    """Put back an older folder that a power cut left aside; remove leftovers.

    PRIVACY: a leftover may hold a table that nobody has verified. It goes as soon as
    the process that wrote it is gone.

    Raises
    ------
    ResourceError
        Code ``cannot_write``.
    """
    if not folder.parent.is_dir():
        return
    ours = re.compile(rf"\.{re.escape(folder.name)}\.(old|part)-[0-9a-f]{{8}}(\.lock)?")
    with writing(folder):
        left = {e.name: e for e in folder.parent.iterdir() if ours.fullmatch(e.name)}
        asides = sorted(name for name in left if name[-13:-8] == ".old-")
        if asides and not folder.exists() and not is_at_work(left[asides[-1]]):
            left.pop(asides[-1]).rename(folder)
        for each in left.values():
            remove_leftover(each)


def clear_leftovers() -> None:
    """Remove what processes of this user that have ended left unfinished."""
    for note, part in notes().items():
        found = _PART.fullmatch(part.name)
        if found and part.is_absolute():
            if is_at_work(part):
                continue
            with suppress(DeidError):
                recover_folder(part.with_name(found["name"]))
        with suppress(OSError):
            note.unlink(missing_ok=True)


@contextmanager
def kept_keys(
    path: Path | None, keys: tuple[PseudonymKey, ...], evidence: Evidence
) -> Iterator[None]:
    """Keep the keys for their owner alone; gone if the release fails after all."""
    if path is None or not keys:
        yield
        return
    content = canonical_json(
        {
            "format": "deidgui-pseudonym-keys",
            "version": 1,
            "method": "HMAC-SHA256, first 80 bits, base32",
            "release": {"sha256": evidence.outputs[0].sha256},
            "keys": {key.column: key.secret.hex() for key in keys},
        }
    )
    with kept_secret(path, content):
        yield


@contextmanager
def kept_secret(path: Path, content: bytes) -> Iterator[None]:
    """Keep a new file for its owner alone; gone if what goes with it fails after all.

    Raises
    ------
    ResourceError
        Code ``cannot_write``, also if there is such a file.
    """
    try:
        # PRIVACY: readable for nobody else from the moment it exists.
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise cannot_write(path, error) from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            sync(file)
        yield
    except BaseException:
        path.unlink(missing_ok=True)
        raise


_AT_FDCWD = -100
_SWAP = 2
"""RENAME_EXCHANGE of Linux and RENAME_SWAP of macOS."""

_NOT_HERE = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM}


def exchange(one: Path, other: Path) -> bool:
    """Let two folders of one file system change places at once.

    Returns
    -------
    bool
        False, with nothing changed, where the system or the file system has no such
        call: Windows has none.

    Raises
    ------
    OSError
        Nothing changed then either.

    References
    ----------
    .. [1] renameat2(2) of Linux; renamex_np(2) of macOS.
    """
    names = (os.fsencode(one), os.fsencode(other))
    try:
        if sys.platform.startswith("linux"):
            call = ctypes.CDLL(None, use_errno=True).renameat2
            failed = call(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _SWAP)
        elif sys.platform == "darwin":
            failed = ctypes.CDLL(None, use_errno=True).renamex_np(*names, _SWAP)
        else:
            return False
    except (AttributeError, OSError):  # a C library without the call
        return False
    if not failed:
        return True
    number = ctypes.get_errno()
    if number in _NOT_HERE:
        return False
    raise OSError(number, os.strerror(number))


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
