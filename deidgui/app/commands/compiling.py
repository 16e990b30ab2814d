"""Compiles the program's calculations before the first job needs them.

What is compiled is kept, beside the program or, where that cannot be written to, in
the user's cache: it is done once for each state of the sources (`engine/compiled.py`).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

PARALLEL = ("search", "others")
"""Parts that are compiled at the same time, each in a process of its own."""

LAST = "job"
"""The whole job on the sample: compiles what no part has."""


def compile_all(show: Callable[[int], None]) -> bool:
    """Compile everything that the first job would, on several processors.

    Parameters
    ----------
    show : callable
        Called with the number of functions compiled so far.

    Returns
    -------
    bool
        Whether all of it could be compiled.
    """
    n_compiled, lock = 0, threading.Lock()

    def compile_part(part: str) -> None:
        nonlocal n_compiled
        with _start(part) as child:
            assert child.stdout is not None
            for _ in child.stdout:
                with lock:
                    n_compiled += 1
                    show(n_compiled)
        done[part] = child.returncode == 0

    done: dict[str, bool] = {}
    for group in (PARALLEL, (LAST,)):
        threads = [
            threading.Thread(target=compile_part, args=(part,)) for part in group
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return all(done.get(part, False) for part in (*PARALLEL, LAST))


def _start(part: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "deidgui.app.commands.compiling", part]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )


def _search() -> None:
    from deidgui.engine.search.warm_up import warm_up

    warm_up()


def _others() -> None:
    from deidgui import resources
    from deidgui.app.reading.reading import read_input
    from deidgui.engine.discover.warm_up import warm_up as discover
    from deidgui.engine.population.warm_up import warm_up as population
    from deidgui.engine.transform.pseudonyms import pseudonymise

    pseudonymise(read_input(resources.sample_path()).table.columns[0])
    population()
    discover()


def _job() -> None:
    from deidgui.app.commands import demo
    from deidgui.engine.compiled import forget_older

    forget_older()
    with tempfile.TemporaryDirectory() as folder:
        demo.run(Path(folder) / "release")


_PARTS: Mapping[str, Callable[[], None]] = {
    "search": _search,
    "others": _others,
    LAST: _job,
}


def main(part: str) -> None:
    """Compile one part, and write a line for each of our functions that is done."""
    from numba.core import event

    class Lines(event.Listener):
        def on_start(self, event: event.Event) -> None:
            """Wait for the end."""

        def on_end(self, event: event.Event) -> None:
            """Tell that a function is compiled."""
            os.write(1, b".\n")

    event.register("numba:compile", Lines())  # type: ignore[no-untyped-call]
    _PARTS[part]()


if __name__ == "__main__":
    main(sys.argv[1])
