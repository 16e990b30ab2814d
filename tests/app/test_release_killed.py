"""A release that is killed at any moment: an old or a new one stands, whole."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deidgui.app import report
from deidgui.app.release import folder as folders
from deidgui.app.release import writing as module
from deidgui.app.release.folder import clear_leftovers, notes, recover_folder
from deidgui.app.release.writing import ReleaseOrder, write_release
from deidgui.engine.evidence.document import digest_of
from deidgui.engine.evidence.verify import verify_release
from tests.release_case import make_order, make_table, with_project

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="forks, and kills without a word"
)

N_MOMENTS = 60


def without_reports() -> None:
    """Let reports be short; they take most of the time."""
    report.report_html = lambda evidence: digest_of(evidence).encode()
    report.report_pdf = report.report_html


def order_of(folder: Path, n_rows: int) -> ReleaseOrder:
    """A release that has the same bytes whenever it is written."""
    order = make_order(folder, table=make_table(n_rows))
    attributes = tuple(
        each.but(treatment="mask") if each.name == "mrn" else each
        for each in order.project.attributes
    )
    project = order.project.but(attributes=attributes)
    return with_project(order, project)


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


class Case:
    """An older release in its place, and the order that would replace it."""

    def __init__(self, folder: Path) -> None:
        source = folder / "source"
        source.mkdir()
        write_release(folder / "older", order_of(source, 40))
        self.order = order_of(source, 120)
        write_release(folder / "newer", self.order)
        self.older, self.newer = folder / "older", folder / "newer"
        self.whole = {
            "old": contents(self.older),
            "new": contents(self.newer),
        }
        self.place = folder / "place"
        self.source = source

    def reset(self) -> Path:
        """Put the older release in its place, with nothing beside it."""
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir()
        return Path(shutil.copytree(self.older, self.place / "out"))

    def stands(self) -> str | None:
        """Whether the old or the new release is in its place, whole."""
        found = contents(self.place / "out")
        return next((name for name, all_ in self.whole.items() if found == all_), None)

    def leftovers(self) -> list[bytes]:
        """Content of all that lies beside the release."""
        return [
            path.read_bytes()
            for path in self.place.rglob("*")
            if path.is_file()
            and not path.is_relative_to(self.place / "out")
            and path.suffix != ".lock"
        ]

    def check(self, was_verified: bool, swaps: bool = True) -> str:
        """See what stands and what is left after a kill; return which release."""
        left = self.leftovers()
        if not was_verified:
            # Not one byte of a table that nobody has verified has a name.
            assert left == []
        verified = [*self.whole["old"].values(), *self.whole["new"].values()]
        assert all(content in verified for content in left)
        if swaps:
            assert self.stands() is not None
        recover_folder(self.place / "out")
        standing = self.stands()
        assert standing is not None
        assert verify_release(self.place / "out").ok
        assert [each.name for each in self.place.iterdir()] == ["out"]
        return standing


class Writers:
    """A process that has used no threads yet, and forks one for each release.

    A fork of the process that runs the tests would wait for threads that it lacks.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                "from tests.app import test_release_killed as t;t.serve()",
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, case: Case, **how: Any) -> int:
        """Begin to write; return the process."""
        order = {"source": str(case.source), "out": str(case.place / "out"), **how}
        assert self._process.stdin is not None
        self._process.stdin.write(f"{json.dumps(order)}\n")
        self._process.stdin.flush()
        return int(self._told())

    def end(self) -> tuple[int, bool]:
        """Wait for the end; return the signal, and whether all was verified."""
        told = self._told()
        was_verified = told == "verified"
        if was_verified:
            told = self._told()
        return int(told), was_verified

    def _told(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def close(self) -> None:
        self._process.communicate()


def serve() -> None:
    """Write one release for each line, in a process that may be killed."""
    without_reports()
    for line in sys.stdin:
        how = json.loads(line)
        child = os.fork()
        if not child:
            try:
                write(**how)
            finally:
                os._exit(0)
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print(status & 0x7F, flush=True)


def write(source: str, out: str, nth: int = 0, swaps: bool = True) -> None:
    """Write a release, and end without a word at the nth call."""
    verify, order = module.verify, order_of(Path(source), 120)

    if not swaps:
        folders.exchange = lambda _one, _other: False

    def told(*args: Any, **kwargs: Any) -> Any:
        found = verify(*args, **kwargs)
        os.write(1, b"verified\n")
        # From here on the release gets its names and its place.
        kills = KillsAt(nth)
        for owner, name in [(folders, "exchange"), *((os, each) for each in CALLS)]:
            kills.wrap(owner, name)
        return found

    module.verify = told
    write_release(Path(out), order)


@pytest.fixture(scope="module")
def writers() -> Iterator[Writers]:
    made = Writers()
    yield made
    made.close()


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report, "report_html", report.report_html)
        patch.setattr(report, "report_pdf", report.report_pdf)
        without_reports()
        yield Case(tmp_path_factory.mktemp("killed"))


@pytest.mark.timeout(300)
def test_killed_at_random_moments(case: Case, writers: Writers) -> None:
    durations = []
    for _ in range(5):
        case.reset()
        started = time.monotonic()
        writers.start(case)
        writers.end()
        durations.append(time.monotonic() - started)
    duration = min(durations)
    rng, n_killed, n_verified = random.Random(11), 0, 0
    for _ in range(N_MOMENTS):
        case.reset()
        child = writers.start(case)
        time.sleep(rng.random() * duration)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        number, was_verified = writers.end()
        n_killed += number == signal.SIGKILL
        n_verified += was_verified
        case.check(was_verified)
    assert n_killed > 0
    assert n_verified < N_MOMENTS
    clear_leftovers()
    assert notes() == {}


class KillsAt:
    """Ends this process before its nth call that changes the disk."""

    def __init__(self, nth: int) -> None:
        self.left = nth

    def wrap(self, owner: object, name: str) -> None:
        real = getattr(owner, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            self.left -= 1
            if not self.left:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **kwargs)

        setattr(owner, name, call)


CALLS = ("link", "chmod", "fsync", "rename", "mkdir", "open", "unlink", "rmdir")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("swaps", [True, False], ids=["exchange", "renames"])
def test_killed_at_every_call_that_changes_the_disk(
    case: Case, writers: Writers, swaps: bool
) -> None:
    stood, nth, number = set(), 0, signal.SIGKILL
    while number == signal.SIGKILL:
        nth += 1
        case.reset()
        writers.start(case, nth=nth, swaps=swaps)
        number, was_verified = writers.end()
        standing = case.check(was_verified, swaps)
        stood.add(standing)
    # Before the swap, in it, and while the older release is removed.
    assert nth > 20
    assert stood == {"old", "new"}
    assert standing == "new"
