"""How a folder of files appears on disk whole, or not at all."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from deidgui.app.files import cannot_write, unfinished
from deidgui.app.release.leftovers import at_work, is_at_work, notes, remove_leftover
from deidgui.app.release.replacing import Standing, print_of
from deidgui.app.release.swapping import exchange
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
    """Do the same by two renames; `recover_folder` mends what is cut between them."""
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
