"""Runs cases and says of each whether it ended as it must."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import shutil
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from deidgui.app.storage.places import HOME_VARIABLE
from deidgui.app.text import message_for, sentences, text_of
from deidgui.errors import DeidError, ProblemsError
from tests.fuzz.targets import SECRET, TARGETS, Bench

BOUND_S = 10.0
"""Processor time that a case may take; most take some milliseconds."""

HANG_S = 120
"""Seconds after which a case is interrupted, also on a machine that is busy."""


class HangError(Exception):
    """A case was interrupted because it did not end."""


class BrokenError(AssertionError):
    """A case ended as it must not."""


@dataclass
class Watched:
    """What a case opened and said."""

    home: Path
    folder: Path = Path()
    opened: list[str] = field(default_factory=list)
    is_on: bool = False

    def hook(self, event: str, given: tuple[Any, ...]) -> None:
        """Note files that are opened for writing, or that lie outside (audit hook)."""
        if not self.is_on or event not in (
            "open",
            "os.rename",
            "os.remove",
            "os.mkdir",
        ):
            return
        path = given[0]
        if not isinstance(path, str | bytes | os.PathLike):
            return
        path = os.path.abspath(os.fsdecode(path))  # noqa: PTH100 - no symbolic links
        mode, flags = (*given[1:3], None, None)[:2] if event == "open" else ("w", 0)
        writes = any(c in str(mode or "") for c in "wax+")
        writes |= isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR))
        ours = tuple(f"{each}{os.sep}" for each in (self.folder, self.home))
        outside = not f"{path}{os.sep}".startswith(ours)
        if path.endswith("canary.csv") or (writes and outside and _is_ours(path)):
            self.opened.append(path)


def _is_ours(path: str) -> bool:
    """Whether a file is none of the caches that compilers and libraries keep."""
    return "__pycache__" not in path and not path.startswith(("/dev/", "/proc/"))


@dataclass(frozen=True)
class Outcome:
    """How a case ended: its code, its time, and what is wrong with it."""

    code: str
    seconds: float
    wrong: str = ""


class Runner:
    """Runs cases in a folder of its own.

    Parameters
    ----------
    folder : Path
        Empty; below it each case has a folder, beside a file that none may read.
    """

    def __init__(self, folder: Path) -> None:
        self._root = folder.resolve()
        self._bench = Bench(self._root)
        (self._root / "canary.csv").write_text(f"{SECRET}canary\n", encoding="utf-8")
        # Notes on folders in the making stand in the user's own folder.
        os.environ[HOME_VARIABLE] = str(self._root / "home")
        (self._root / "home").mkdir()
        self._watched = Watched(self._root / "home")
        sys.addaudithook(self._watched.hook)

    def run(self, target: str, number: int, seed: int, keep: Path | None) -> Outcome:
        """Run one case; what is wrong with it is said, not raised."""
        chance = Random(f"{seed} {target} {number}")
        folder = self._root / "case"
        folder.mkdir()
        before = _names(self._root)
        said = io.StringIO()
        started = time.process_time()
        wrong, code = "", "done"
        self._watched.folder, self._watched.opened = folder, []
        try:
            with _heard(said), _bounded():
                self._watched.is_on = True
                try:
                    TARGETS[target](self._bench, folder, chance)
                except DeidError as error:
                    code = error.code
                    _check_message(error, said)
                finally:
                    self._watched.is_on = False
            _check_secret(said.getvalue())
            if self._watched.opened:
                raise BrokenError(f"opened {sorted(set(self._watched.opened))}")
            if _names(self._root) != before:
                raise BrokenError(f"wrote beside: {_names(self._root) ^ before}")
        except (Exception, SystemExit) as error:
            wrong = "".join(traceback.format_exception(error)[-3:])
        seconds = time.process_time() - started
        if not wrong and seconds > BOUND_S:
            wrong = f"took {seconds:.1f} s of the processor"
        if wrong and keep is not None:
            shutil.copytree(folder, keep / f"{target}-{number}", dirs_exist_ok=True)
        shutil.rmtree(folder)
        return Outcome(code, seconds, wrong)


def _names(root: Path) -> set[str]:
    return {entry.name for entry in os.scandir(root)}


@contextlib.contextmanager
def _heard(said: io.StringIO) -> Iterator[None]:
    """Collect what is printed and logged; a warning is a failure."""
    handler = logging.StreamHandler(said)
    logging.getLogger().addHandler(handler)
    try:
        with (
            contextlib.redirect_stdout(said),
            contextlib.redirect_stderr(said),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("error")
            yield
    finally:
        logging.getLogger().removeHandler(handler)


@contextlib.contextmanager
def _bounded() -> Iterator[None]:
    """Interrupt what does not end (POSIX)."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        raise HangError

    before = signal.signal(signal.SIGALRM, stop)
    left, _ = signal.setitimer(signal.ITIMER_REAL, HANG_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, left)
        signal.signal(signal.SIGALRM, before)


def _check_message(error: DeidError, said: io.StringIO) -> None:
    """See that a refusal is a sentence, and that it holds no cell."""
    problems = error.problems if isinstance(error, ProblemsError) else (error,)
    for problem in problems:
        if problem.code not in sentences():
            raise BrokenError(f"no sentence for {problem.code}")
        message = message_for(problem)
        if not message.what or "‹" in str(message) or "Traceback" in str(message):
            raise BrokenError(f"no whole sentence: {message}")
    # Names of columns may stand in a message; where a first row is no header, its
    # cells are names.
    named = {
        str(name)
        for problem in problems
        for key in ("column", "columns", "attribute", "attributes", "field")
        for name in _each(problem.params.get(key))
    }
    for text in (text_of(error), repr(error)):
        for name in sorted(named, key=len, reverse=True):
            text = text.replace(name, "").replace(repr(name)[1:-1], "")
        said.write(text)


def _each(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else () if value is None else (value,)


def _check_secret(said: str) -> None:
    if SECRET in said:
        raise BrokenError(f"a cell was said: {said[:400]!r}")


def summary(outcomes: list[Outcome]) -> str:
    """How the cases ended, the commonest first."""
    codes = Counter(outcome.code for outcome in outcomes)
    slowest = max((outcome.seconds for outcome in outcomes), default=0.0)
    counted = ", ".join(f"{code} {n:,}" for code, n in codes.most_common())
    return f"{len(outcomes):,} cases, slowest {slowest:.1f} s: {counted}"
