"""Keys of a site, and the signatures that are made with them."""

from __future__ import annotations

import os
import secrets
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import pydantic
from pydantic import BaseModel, ConfigDict

from deidgui.app.release.verifying import verify
from deidgui.app.storage.files import PUBLIC as FOR_ALL
from deidgui.app.storage.files import cannot_read, cannot_write, write_whole
from deidgui.app.storage.places import config_folder, own_folder
from deidgui.app.storage.project_io import SUFFIX
from deidgui.engine.evidence.document import canonical_json
from deidgui.engine.evidence.ed25519 import public_key
from deidgui.engine.evidence.folder import (
    EVIDENCE,
    MAX_JSON_BYTES,
    SIGNATURE,
    ReleaseFolder,
)
from deidgui.engine.evidence.signature import Key, Signature, signature_of
from deidgui.errors import ConfigError, InputError, VerificationError
from deidgui.monitor import NULL_MONITOR, Monitor

ENDING = ".pub"
_MAX_BYTES = 10_000


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SecretKey(_Part):
    """What signs: whoever has it can sign in the site's name."""

    format: Literal["deidgui-signing-key"] = "deidgui-signing-key"
    version: Literal[1] = 1
    algorithm: Literal["Ed25519"] = "Ed25519"
    secret: Key
    public: Key

    def __repr__(self) -> str:
        return f"SecretKey({self.public})"


class PublicKey(_Part):
    """What shows who has signed; for everybody."""

    format: Literal["deidgui-public-key"] = "deidgui-public-key"
    version: Literal[1] = 1
    algorithm: Literal["Ed25519"] = "Ed25519"
    public: Key


def site_key() -> Path:
    """Where the key of this user is, if none is named."""
    return config_folder() / "keys" / "site.key"


def public_file(path: Path) -> Path:
    """File of the public key beside a secret one."""
    return path.with_name(f"{path.name}{ENDING}")


def make_key(path: Path) -> PublicKey:
    """Make a new key, for its owner alone, and beside it the public one.

    Raises
    ------
    ConfigError
        Codes ``key_file_exists``, ``key_inside_release`` or ``key_beside_project``.
    ResourceError
        Code ``cannot_write``.
    """
    if path.exists() or public_file(path).exists():
        raise ConfigError("key_file_exists", file=path.name)
    _check_apart(path)
    secret = secrets.token_bytes(32)
    public = public_key(secret).hex()
    kept = SecretKey(secret=secret.hex(), public=public)
    shown = PublicKey(public=public)
    try:
        if path.parent == site_key().parent:
            own_folder(path.parent)
        # PRIVACY: readable for nobody else from the moment it exists.
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(number, "wb") as file:
            file.write(canonical_json(kept.model_dump()))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise cannot_write(path, error) from None
    write_whole(public_file(path), canonical_json(shown.model_dump()), FOR_ALL)
    return shown


def _check_apart(path: Path) -> None:
    """See that a key lies neither in a release nor beside a project."""
    folders = (path.absolute().parent, *path.absolute().parents)
    if any((folder / EVIDENCE).exists() for folder in folders):
        raise ConfigError("key_inside_release", file=path.name)
    try:
        has_project = any(path.absolute().parent.glob(f"*{SUFFIX}"))
    except OSError:
        has_project = False
    if has_project:
        raise ConfigError("key_beside_project", file=path.name)


def read_secret(path: Path) -> SecretKey:
    """Read the key that signs.

    Raises
    ------
    InputError
        Codes ``not_a_key``, ``file_not_found`` or ``cannot_read``.
    ConfigError
        Code ``key_readable`` if others may read it.
    """
    content = _read(path)
    try:
        key = SecretKey.model_validate_json(content, strict=True)
    except pydantic.ValidationError:
        raise InputError("not_a_key", file=path.name) from None
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise ConfigError("key_readable", file=path.name)
    if public_key(bytes.fromhex(key.secret)).hex() != key.public:
        raise InputError("not_a_key", file=path.name)
    return key


def read_public(path: Path) -> str:
    """Read a public key: 64 hexadecimal digits.

    Raises
    ------
    InputError
        Codes ``not_a_key``, ``file_not_found`` or ``cannot_read``.
    """
    try:
        return PublicKey.model_validate_json(_read(path), strict=True).public
    except pydantic.ValidationError:
        raise InputError("not_a_key", file=path.name) from None


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_MAX_BYTES)
    except OSError as error:
        raise cannot_read(path, error) from None


def sign_release(
    folder: Path, key_file: Path, *, monitor: Monitor = NULL_MONITOR
) -> Signature:
    """Verify a release and sign its evidence; an older signature is replaced.

    Raises
    ------
    VerificationError
        Code ``release_not_signed``: it is not what its evidence says.
    DeidError
        As `read_secret` and `verify`, and codes ``key_inside_release`` and
        ``cannot_write``.
    """
    if key_file.resolve().is_relative_to(folder.resolve()):
        raise ConfigError("key_inside_release", file=key_file.name)
    key = read_secret(key_file)
    found = verify(folder, signed=False, monitor=monitor)
    if not found.ok:
        codes = tuple(dict.fromkeys(check.code for check in found.failed))
        raise VerificationError("release_not_signed", folder=folder.name, failed=codes)
    evidence = ReleaseFolder(folder).read(EVIDENCE, MAX_JSON_BYTES)
    # What is signed is what was verified, and nothing that came in between.
    if evidence != canonical_json(found.evidence.model_dump(mode="json")):
        raise VerificationError(
            "release_not_signed", folder=folder.name, failed=("evidence_form",)
        )
    time = datetime.now(UTC).replace(microsecond=0).isoformat()
    made = signature_of(
        evidence, bytes.fromhex(key.secret), bytes.fromhex(key.public), time
    )
    content = canonical_json(made.model_dump(mode="json"))
    write_whole(folder / SIGNATURE, content, FOR_ALL)
    return made
