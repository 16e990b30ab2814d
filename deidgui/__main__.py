"""Starts the program: also while it loads it can be stopped, and says so."""

from __future__ import annotations

import contextlib
import gc
import os
import sys

CANCELLED = 130
"""Exit code of what was stopped; `deidgui.app.stopping` takes time to load."""


def main() -> None:
    """Run the program and leave with its exit code."""
    try:
        from deidgui.cli.front import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        from deidgui.text import tr

        sys.stderr.write(f"{tr('Cancelled; nothing was written.')}\n")
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


if __name__ == "__main__":
    main()
