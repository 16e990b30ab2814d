"""Functions that are compiled for this machine, and where they are kept.

Numba keeps a function by its file alone: it neither notices that a function which is
called from there has changed, nor can it read what it kept of a type whose name has
changed since. Each state of the sources therefore has a folder of its own.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from pathlib import Path

from numba import config
from numba import njit as _njit
from numba.misc.appdirs import AppDirs

ENGINE = Path(__file__).parent

_PREFIX = "deidgui-kernels-"

_MARKS = (b"@njit", b"NamedTuple")
"""What the source of a function that is compiled, or of a type that it takes, has."""


def digest_of_sources(engine: Path = ENGINE) -> str:
    """Digest of all sources that decide what is compiled.

    Parameters
    ----------
    engine : Path
        Folder of the sources, searched with all its folders.

    Returns
    -------
    str
        Hexadecimal digits; other ones once a function or a type has changed.
    """
    digest = hashlib.sha256()
    for path in sorted(engine.rglob("*.py")):
        source = path.read_bytes()
        if any(mark in source for mark in _MARKS):
            digest.update(path.relative_to(engine).as_posix().encode())
            digest.update(hashlib.sha256(source).digest())
    return digest.hexdigest()[:16]


def forget_older() -> None:
    """Remove what was compiled of other states of the sources."""
    kept = Path(_chosen())
    for folder in kept.parent.glob(f"{_PREFIX}*"):
        if folder != kept:
            shutil.rmtree(folder, ignore_errors=True)


def _place() -> Path:
    """Folder where numba was told to, else beside the program, else the user's."""
    name = _PREFIX + digest_of_sources()
    if _chosen():
        return Path(_chosen()) / name
    beside = ENGINE / "__pycache__" / name
    with contextlib.suppress(OSError):
        beside.mkdir(parents=True, exist_ok=True)
        if os.access(beside, os.W_OK):
            return beside
    user = AppDirs("deidgui", appauthor=False)  # type: ignore[no-untyped-call]
    return Path(user.user_cache_dir) / name


def _chosen() -> str:
    """Folder that numba keeps functions in; empty if none was chosen."""
    return str(config.CACHE_DIR)  # type: ignore[attr-defined]


config.CACHE_DIR = str(_place())  # type: ignore[attr-defined]

njit = _njit(cache=True, nogil=True)
"""Decorator of a function that is compiled when it is first called, then kept."""
