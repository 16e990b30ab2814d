"""Starts the program: also while it loads it can be stopped, and says so."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from deidgui.text import tr

SELDOM = 1_000_000
"""New objects of a command after which it looks for garbage."""


def main() -> None:
    """Run the program and leave with its exit code."""
    code = None
    with contextlib.suppress(KeyboardInterrupt):
        code = _run(sys.argv[1:])
    from deidgui.app.stopping import CANCELLED, said_when_cancelled

    if code is None:
        sys.stderr.write(f"{said_when_cancelled()}\n")
        code = CANCELLED
    if code == CANCELLED:
        # Threads that still compute are not waited for.
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)
    if "PySide6" not in sys.modules:
        # PERF: the memory goes back as a whole; looking through it for garbage once
        # more takes a sixth of a short command. Qt is left to end as it does.
        gc.disable()
        gc.freeze()
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    from deidgui.cli.main import COMMANDS
    from deidgui.cli.main import main as run_command

    if not arguments:
        return _open_window(None)
    if arguments[0] not in COMMANDS and not arguments[0].startswith("-"):
        return _open_file(arguments)
    with _seldom_collecting():
        code = run_command(arguments)
    if code == 0 and arguments[0] == "demo" and "--no-window" not in arguments:
        project = _demo_project(arguments)
        if project.exists() and _has_display():
            code = _open_window(project)
    return code


@contextlib.contextmanager
def _seldom_collecting() -> Iterator[None]:
    """Look for garbage less often.

    PERF: loading what a command needs makes hundreds of thousands of objects and no
    garbage; looking through them takes 7 % of a short command.
    """
    before = gc.get_threshold()
    gc.set_threshold(SELDOM, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _demo_project(arguments: list[str]) -> Path:
    out = Path("deidgui-demo")
    for place, argument in enumerate(arguments):
        if argument == "--out" and place + 1 < len(arguments):
            out = Path(arguments[place + 1])
        elif argument.startswith("--out="):
            out = Path(argument.removeprefix("--out="))
    return out.with_name(f"{out.name}.deid.json")


def _open_file(arguments: list[str]) -> int:
    """Open the window on what is no command, if it is a file."""
    from deidgui.cli.main import COMMANDS, refuse

    file, *others = arguments
    if not Path(file).exists():
        known = ", ".join(COMMANDS)
        return refuse(
            tr(
                "“{file}” is neither a file nor a command ({known}).",
                file=file,
                known=known,
            )
        )
    if others:
        return refuse(tr("The window opens one file, and has no other options."))
    return _open_window(Path(file))


def _has_display() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    named = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return any(os.environ.get(name) for name in named)


def _open_window(project: Path | None) -> int:
    if not _has_display():
        from deidgui.cli.main import refuse

        # Qt would end the process without a word that helps.
        return refuse(
            tr("There is no display to open the window on; the commands work.")
        )
    from deidgui.qt.application import run_window

    return run_window(project)


if __name__ == "__main__":
    main()
