"""Functions that are compiled for this machine, and where they are kept.

Numba keeps a function by its file alone: it neither notices that a function which is
called from there has changed, nor can it read what it kept of a type whose name has
changed since. Each state of the sources therefore has a folder of its own.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

ENGINE = Path(__file__).parent

P = ParamSpec("P")
R = TypeVar("R")

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
    kept = _kept()
    for folder in kept.parent.glob(f"{_PREFIX}*"):
        if folder != kept:
            shutil.rmtree(folder, ignore_errors=True)


def _place(wanted: str) -> Path:
    """Folder where numba was told to, else beside the program, else the user's."""
    name = _PREFIX + digest_of_sources()
    if wanted:
        return Path(wanted) / name
    beside = ENGINE / "__pycache__" / name
    with contextlib.suppress(OSError):
        beside.mkdir(parents=True, exist_ok=True)
        if os.access(beside, os.W_OK):
            return beside
    from numba.misc.appdirs import AppDirs

    user = AppDirs("deidgui", appauthor=False)  # type: ignore[no-untyped-call]
    return Path(user.user_cache_dir) / name


@functools.cache
def _kept() -> Path:
    """Folder that numba keeps functions in from now on."""
    from numba import config

    place = _place(config.CACHE_DIR)  # type: ignore[attr-defined]
    config.CACHE_DIR = str(place)  # type: ignore[attr-defined]
    _listen()
    return place


_announced_to: list[Callable[[], None]] = []


@contextlib.contextmanager
def announcing(announce: Callable[[], None]) -> Iterator[None]:
    """Call something whenever a function begins to be compiled, in any thread.

    Functions that were kept are not compiled again, and nothing is called.

    Parameters
    ----------
    announce : callable
        Returns at once.
    """
    _announced_to.append(announce)
    try:
        yield
    finally:
        _announced_to.remove(announce)


def _listen() -> None:
    """Hear from numba what it compiles."""
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, event: event.Event) -> None:
            for announce in tuple(_announced_to):
                announce()

        def on_end(self, event: event.Event) -> None:
            """Nobody waits for the end."""

    event.register("numba:compile", Listener())  # type: ignore[no-untyped-call]


def _compilable(function: Callable[..., Any]) -> Any:
    """What numba makes of a function."""
    from numba import njit

    _kept()
    return njit(cache=True, nogil=True)(function)


_ONCE = threading.Lock()
"""Held while one function is made: two threads may want it at the same time."""


class njit(Generic[P, R]):
    """Decorator of a function that is compiled when it is first called, then kept.

    PERF: numba is loaded then, too: its 0.2 s are not for commands that only read
    JSON.

    Parameters
    ----------
    function : callable
        What numba can compile.
    """

    def __init__(self, function: Callable[P, R]) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._compiled: Any = None

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> R:
        """Call the compiled function, without the GIL."""
        found: R = (self._compiled or self._made())(*arguments, **named)
        return found

    def _made(self) -> Any:
        """What numba makes of the function."""
        with _ONCE:
            if self._compiled is None:
                self._compiled = _compilable(self._function)
        return self._compiled

    @property
    def _numba_type_(self) -> Any:
        """Type of the function for others that call it (numba asks by this name)."""
        return self._made()._numba_type_

    @property
    def signatures(self) -> list[Any]:
        """Types of the arguments that it was compiled for."""
        return list(self._made().signatures)
