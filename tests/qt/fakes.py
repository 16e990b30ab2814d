"""Stand-ins for the application layer: a workspace that only remembers commands."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from deidgui.app.activity import Activity
from deidgui.app.classes import HierarchyCache
from deidgui.app.events import Event
from deidgui.app.jobs import Job, JobRunner
from deidgui.app.loaded import Loaded
from deidgui.app.policies.runner import PolicyRunner
from deidgui.app.project import Attribute, InputFile, Project
from deidgui.app.session import Kind, Session
from deidgui.app.storage.named_inputs import NamedInput
from deidgui.app.storage.project_io import load_project, save_project
from deidgui.app.workspace import Workspace
from deidgui.engine.data.table import Column, Table


class InlineExecutor(Executor):
    """Runs work where it is submitted."""

    def submit(self, work, /, *args, **kwargs):
        future = Future()
        future.set_result(work(*args, **kwargs))
        return future


class Later(Executor):
    """Work is done when somebody says so."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], None]] = []

    def submit(self, work, /, *args, **kwargs):
        self.waiting.append(partial(work, *args, **kwargs))

    def run(self) -> None:
        while self.waiting:
            self.waiting.pop(0)()


FakeActivity = Activity


class FakeWorkspace:
    """Has the face of `Workspace`; commands are kept in `calls`."""

    def __init__(self) -> None:
        self.session = Session()
        self.problem: Event[BaseException, str] = Event()
        self.activity: Event[Any] = Event()
        self.compiling: Event[[]] = Event()
        self.data_changed: Event[Path] = Event()
        self.input_wanted: Event[str, str] = Event()
        self.missing_inputs: tuple[NamedInput, ...] = ()
        self.input_located: Event[str] = Event()
        self.release_written: Event[Any] = Event()
        self.release_verified: Event[Any] = Event()
        self.release_signed: Event[Any] = Event()
        self.place_taken: Event[Path, Exception] = Event()
        self.people_read: Event[Any] = Event()
        self.runner = JobRunner(lambda closure: closure(), InlineExecutor())
        self.post: Callable[[Callable[[], None]], None] = lambda closure: closure()
        self.opening: Path | None = None
        self.is_replacing = False
        self.hierarchy_cache = HierarchyCache()
        self.calls: list[tuple[Any, ...]] = []
        self.autosaves = 0
        self.policies = PolicyRunner(
            self.session,
            self._start,
            lambda _project: None,
            lambda told: told(),
            self.runner.running,
        )

    def whole_classes(self):
        """What counts the classes of everybody: those that are there."""
        return lambda _monitor: self.session.result(Kind.CLASSES)

    def _start(self, lane, work, done, cancelled=None) -> None:
        """Run a job of the discovery at once."""

        def fail(error: BaseException) -> None:
            raise error

        self.runner.start(lane, work, Job(done, fail, cancelled or (lambda: None)))

    def open_data(self, path: Path, member: str | None = None) -> None:
        self.calls.append(("open_data", path))

    def open_project(self, path: Path) -> None:
        self.calls.append(("open_project", path))
        self.session.start(load_project(path), path)

    def close_project(self) -> None:
        self.session.start(Project())

    def verify(self, folder: Path) -> None:
        self.calls.append(("verify", folder))

    def locate_input(self, path: Path, name: str = "") -> None:
        self.calls.append(("locate_input", path, name))

    def attack(self) -> None:
        self.calls.append(("attack",))

    def accept_changed_data(self) -> None:
        self.calls.append(("accept_changed_data",))

    def is_changed_on_disk(self) -> bool:
        return False

    def needed_files(self) -> tuple[Path, ...]:
        return ()

    def open_elsewhere(self) -> str | None:
        return None

    def is_data_changed(self) -> bool:
        return False

    def look_at_data(self) -> bool:
        self.session.set_outdated(self.is_data_changed())
        return self.session.is_outdated

    def reload_data(self) -> None:
        self.calls.append(("reload_data",))

    def save(self, path: Path | None = None, *, replace: bool = False) -> None:
        self.calls.append(("save", path))
        target = path or self.session.path
        assert target is not None
        save_project(self.session.project, target)
        self.session.mark_saved(target)

    def autosave(self) -> None:
        self.autosaves += 1  # a timer calls it: no part of what a click did

    def recover(self) -> bool:
        self.calls.append(("recover",))
        return True

    def cancel(self, lane: str) -> None:
        self.calls.append(("cancel", lane))

    def pause(self, lane: str) -> None:
        self.calls.append(("pause", lane))

    def is_running(self, lane: str) -> bool:
        return False

    def close(self) -> None:
        self.calls.append(("close",))

    def __getattr__(self, name):
        if not callable(getattr(Workspace, name, None)):
            raise AttributeError(name)
        return partial(self._called, name)

    def _called(self, name, *arguments, **_options) -> None:
        self.calls.append((name, *arguments))


def big_table(n_rows: int = 1_500_000, n_columns: int = 40) -> Table:
    """A table that is large without taking long to make."""
    rng = np.random.default_rng(7)
    ids = Column(
        "record",
        np.arange(n_rows, dtype=np.int32),
        pl.Series([f"{i:08d}" for i in range(n_rows)]),
    )
    words = pl.Series(["", "alpha", "beta", "gamma"])
    columns = [ids]
    for place in range(n_columns - 1):
        codes = rng.integers(0, 4, n_rows, dtype=np.int32)
        columns.append(
            Column(f"column {place}", codes, words, np.array([0], dtype=np.int32))
        )
    return Table("big.csv", tuple(columns))


def small_table(n_rows: int = 400) -> Table:
    """Patients nobody has met."""
    rng = np.random.default_rng(3)
    pick = rng.integers
    towns = ["Adelheim", "Brunnau", "Castell", "Dornfeld", "Eschental"]
    texts = {
        "patient_id": [f"P{pick(100000, 999999)}" for _ in range(n_rows)],
        "sex": [("female", "male", "")[pick(0, 3)] for _ in range(n_rows)],
        "birth_year": [str(pick(1925, 2015)) for _ in range(n_rows)],
        "town": [towns[pick(0, 5)] for _ in range(n_rows)],
        "zip": [f"{pick(501, 99950):05d}" for _ in range(n_rows)],
        "diagnosis": [
            f"{'EIJK'[pick(0, 4)]}{pick(10, 99)}.{pick(0, 9)}" for _ in range(n_rows)
        ],
        "stay_days": [str(pick(0, 40)) for _ in range(n_rows)],
        "note": [
            "transferred from another ward" if pick(0, 3) else "" for _ in range(n_rows)
        ],
    }
    columns = tuple(Column.from_texts(name, each) for name, each in texts.items())
    return Table("admissions.csv", columns)


def fill(session: Session, table: Table | None = None) -> None:
    """Let a session hold a table as if it had been read."""
    table = table or small_table()
    project = Project(
        name="Admissions 2026",
        inputs=(InputFile(file=table.name, n_rows=table.n_rows),),
        attributes=tuple(
            Attribute(name=name, role=role)
            for name, role in zip(
                table.column_names,
                [
                    "direct_identifier",
                    *["quasi_identifier"] * 4,
                    "sensitive",
                    *["insensitive"] * len(table.columns),
                ],
                strict=False,
            )
        ),
    )
    session.start(project)
    session.set_loaded(Loaded(Path(table.name), table, "0" * 64, None))
