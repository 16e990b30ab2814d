"""Questions to the person at the terminal, and errors with the command for each."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from deidgui.app.commands.summary import CERTAIN
from deidgui.app.storage.files import cannot_read
from deidgui.app.text import message_for, visible
from deidgui.errors import DeidError, ProblemsError
from deidgui.lazy import LazyModule
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app import open_decisions
    from deidgui.app.project import Project
    from deidgui.app.storage import named_inputs, project_io
else:
    # PERF: `--version` shall not wait for them.
    named_inputs = LazyModule("deidgui.app.storage.named_inputs")
    open_decisions = LazyModule("deidgui.app.open_decisions")
    project_io = LazyModule("deidgui.app.storage.project_io")


class Explained(Exception):
    """An expected failure with the text that names the next command."""

    def __init__(self, error: DeidError, text: str) -> None:
        super().__init__(error.code)
        self.error = error
        self.text = text


def check_readable(project: Path) -> Project:
    """Return a project, or refuse it if it cannot be read (as `load_project`).

    Notes
    -----
    PERF: before what would work with it is imported.
    """
    check_there(project)
    return project_io.load_project(project)


def check_there(project: Path) -> None:
    """Refuse a project whose file does not exist, before anything is imported."""
    if not project.exists():
        raise cannot_read(project, FileNotFoundError())


@contextmanager
def explaining(
    project: Path,
    inputs: Mapping[str, Path],
    check: Callable[[Project], None] | None = None,
) -> Iterator[None]:
    """Let errors about a project name the commands that fix them.

    Parameters
    ----------
    check : callable, optional
        What the command would refuse itself; here it waits for no engine.
    """
    found = check_readable(project)
    try:
        named_inputs.check_given(found, inputs)
        if check is not None and found.counts is None:
            check(found)
        yield
    except DeidError as error:
        raise Explained(error, _text(error, project, inputs)) from None


def _text(error: DeidError, project: Path, inputs: Mapping[str, Path]) -> str:
    """Return what is wrong and how to fix it, a paragraph for each problem."""
    problems = error.problems if isinstance(error, ProblemsError) else (error,)
    lines = []
    for each in problems:
        lines.append(str(message_for(each)))
        if command := open_decisions.command_for(each, project, inputs):
            lines.append(f"    {visible(command)}")
    if command := open_decisions.confirm_command(problems, project, inputs):
        lines += [tr(CERTAIN), f"    {visible(command)}"]
    return "\n".join(lines)


def has_person() -> bool:
    """Whether somebody sits at a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def confirm(file: str) -> bool:
    """Ask whether a changed file is meant; no terminal is a no."""
    if not has_person():
        return False
    question = tr(
        "“{file}” has changed since the project was made. Use it anyway?", file=file
    )
    return typer.confirm(question, err=True)
