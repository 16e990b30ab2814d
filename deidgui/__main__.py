"""Which front end a command line wants: a command, or the window."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from deidgui.cli.main import COMMANDS
from deidgui.cli.main import main as run_command


def main() -> None:
    """Run the program and leave with its exit code."""
    arguments = sys.argv[1:]
    wants_window = not arguments or (
        arguments[0] not in COMMANDS and not arguments[0].startswith("-")
    )
    if wants_window:
        sys.exit(_open_window(Path(arguments[0]) if arguments else None))
    code = run_command(arguments)
    if code == 0 and arguments[0] == "demo" and "--no-window" not in arguments:
        project = _demo_project(arguments)
        if project.exists() and _has_display():
            code = _open_window(project)
    sys.exit(code)


def _demo_project(arguments: list[str]) -> Path:
    out = Path("deidgui-demo")
    for place, argument in enumerate(arguments):
        if argument == "--out" and place + 1 < len(arguments):
            out = Path(arguments[place + 1])
        elif argument.startswith("--out="):
            out = Path(argument.removeprefix("--out="))
    return out.with_name(f"{out.name}.deid.json")


def _has_display() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open_window(project: Path | None) -> int:
    from deidgui.qt.application import run_window

    return run_window(project)


if __name__ == "__main__":
    main()
