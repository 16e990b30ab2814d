"""How a folder of files appears on disk whole, or not at all."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from deidgui.app.files import cannot_write
from deidgui.engine.evidence import document
from deidgui.engine.evidence.document import Evidence, canonical_json
from deidgui.engine.evidence.folder import EVIDENCE, POLICY, REPORTS, ReleaseFolder
from deidgui.engine.transform.pseudonyms import PseudonymKey
from deidgui.errors import ConfigError, InputError

_STALE_S = 86_400
"""Leftovers of a crash are removed after a day."""


def check_place(folder: Path, key_file: Path | None) -> None:
    """See that a release may be written to a folder, and its keys to a file.

    Raises
    ------
    ConfigError
        Codes ``folder_in_use``, ``key_inside_release`` or ``key_file_exists``.
    """
    if folder.is_symlink() or (folder.exists() and not _may_replace(folder)):
        raise ConfigError("folder_in_use", folder=folder.name)
    if key_file is not None:
        inside = key_file.resolve().is_relative_to(folder.resolve())
        if inside or key_file.exists():
            code = "key_inside_release" if inside else "key_file_exists"
            raise ConfigError(code, file=key_file.name)


def _may_replace(folder: Path) -> bool:
    """Whether a folder is empty, or one of our releases and nothing else."""
    if not folder.is_dir():
        return False
    if not any(folder.iterdir()):
        return True
    try:
        content = json.loads((folder / EVIDENCE).read_bytes())
        listed = [*content["outputs"], *content.get("files", [])]
        ours = {str(each["path"]) for each in listed} | {EVIDENCE, POLICY, *REPORTS}
        is_release = content["format"] == document.FORMAT
        found = ReleaseFolder(folder).listing()
    except (OSError, ValueError, KeyError, TypeError, RecursionError, InputError):
        return False
    return is_release and found <= ours


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turn what the disk refuses into an error with a name."""
    try:
        yield
    except OSError as error:
        raise cannot_write(folder, error) from None


@contextmanager
def part_folder(folder: Path) -> Iterator[Path]:
    """Folder beside another; gone afterwards unless it was moved there."""
    part = folder.with_name(f".{folder.name}.part-{secrets.token_hex(4)}")
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        part.mkdir()
    except OSError as error:
        shutil.rmtree(part, ignore_errors=True)
        raise cannot_write(folder, error) from None
    try:
        yield part
    finally:
        shutil.rmtree(part, ignore_errors=True)


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


def put_in_place(part: Path, folder: Path) -> None:
    """Move a finished folder to its place; an older one is back on failure."""
    for each in (*filter(Path.is_dir, part.iterdir()), part):
        sync_folder(each)
    aside = folder.with_name(f".{folder.name}.old-{secrets.token_hex(4)}")
    had_older = folder.exists()
    if had_older:
        folder.rename(aside)
    try:
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


def recover_folder(folder: Path) -> None:
    """Put back an older folder that a power cut left aside; remove old leftovers.

    Raises
    ------
    ResourceError
        Code ``cannot_write``.
    """
    if not folder.parent.is_dir():
        return
    ours = re.compile(rf"\.{re.escape(folder.name)}\.(old|part)-[0-9a-f]{{8}}")
    with writing(folder):
        left = [each for each in folder.parent.iterdir() if ours.fullmatch(each.name)]
        asides = sorted(each for each in left if ".old-" in each.name[-13:])
        if asides and not folder.exists():
            asides[-1].rename(folder)
            left.remove(asides[-1])
        for each in left:
            if time.time() - each.stat().st_mtime > _STALE_S:
                shutil.rmtree(each, ignore_errors=True)


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
