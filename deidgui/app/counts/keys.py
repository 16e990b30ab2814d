"""The key of noise that repeats: kept for its owner alone, or destroyed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import pydantic
from pydantic import BaseModel, ConfigDict, Field

from deidgui.app.files import cannot_read
from deidgui.app.release.folder import check_key, kept_secret
from deidgui.engine.evidence.document import canonical_json
from deidgui.engine.transform.pseudonyms import PseudonymKey
from deidgui.errors import ConfigError, InputError

NAME = "noise"
"""What a key of noise is called among keys."""

_MAX_BYTES = 10_000


class NoiseKeyFile(BaseModel):
    """What a file with a key of noise holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["deidgui-noise-key"] = "deidgui-noise-key"
    version: Literal[1] = 1
    method: Literal["HMAC-SHA256"] = "HMAC-SHA256"
    secret: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] = Field(repr=False)


def key_for(file: Path | None) -> PseudonymKey:
    """Return the key in a file, or a new one if there is no such file.

    Raises
    ------
    InputError
        Codes ``not_a_key`` or ``cannot_read``.
    ConfigError
        Code ``key_readable`` if others than its owner may read it.
    """
    if file is None or not file.exists():
        return PseudonymKey.draw(NAME)
    try:
        with file.open("rb") as opened:
            content = opened.read(_MAX_BYTES)
        mode = stat.S_IMODE(file.stat().st_mode)
    except OSError as error:
        raise cannot_read(file, error) from None
    try:
        found = NoiseKeyFile.model_validate_json(content, strict=True)
    except pydantic.ValidationError:
        raise InputError("not_a_key", file=file.name) from None
    if os.name == "posix" and mode & 0o077:
        raise ConfigError("key_readable", file=file.name)
    return PseudonymKey(NAME, bytes.fromhex(found.secret))


def check_place_of_key(folder: Path, file: Path | None) -> None:
    """See that a key does not lie in the release; a key that is there is used again.

    Raises
    ------
    ConfigError
        Code ``key_inside_release``.
    """
    if file is not None and file.exists():
        if file.resolve().is_relative_to(folder.resolve()):
            raise ConfigError("key_inside_release", file=file.name)
        return
    check_key(folder, file)


@contextmanager
def kept_key(file: Path | None, key: PseudonymKey | None) -> Iterator[None]:
    """Keep a new key; gone if the release fails after all."""
    if file is None or key is None or file.exists():
        yield
        return
    content = NoiseKeyFile(secret=key.secret.hex()).model_dump()
    with kept_secret(file, canonical_json(content)):
        yield
