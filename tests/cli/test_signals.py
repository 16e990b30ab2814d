"""A signal ends the program within a second, whatever it is doing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

HANGS = {
    "a loop without reports": "while True: pass",
    "a loop that swallows everything": """
while True:
    try:
        time.sleep(0.01)
    except BaseException:
        pass
""",
    "waiting": "time.sleep(1000)",
    "a compiled kernel": "kernel(np.zeros(1))",
    "a pattern that tries for ever": "re.match(r'(a*)*b', 'a' * 60)",
    "workers that report nothing": """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(2) as pool:
    for _ in range(2):
        pool.submit(kernel, np.zeros(1))
""",
    "a release half written": """
from pathlib import Path
from deidgui.app.release.folder import part_folder
with part_folder(Path(sys.argv[2])) as part:
    (part / "table.csv").write_text("a")
    kernel(np.zeros(1))
""",
    "reports": """
while True:
    monitor.report(0.5)
    time.sleep(0.01)
""",
}
"""What a command may be doing when nobody listens to signals."""

COMMAND = """
import re, sys, time, types
from deidgui import __main__
from deidgui.cli import main

body = sys.stdin.read()
if "kernel" in body:
    import numpy as np
    from numba import njit

    @njit(nogil=True)
    def kernel(given):
        while given[0] < 1:
            given[0] = given[0] * 0.5

    kernel(np.ones(1))

def work(*_arguments, monitor, **_options):
    print("there", flush=True)
    exec(body)

main.headless = types.SimpleNamespace(inspect=work)
sys.argv = ["deidgui", "inspect", sys.argv[1]]
__main__.main()
"""


def _listening():
    """Undo what a suite in the background of a shell hands on: Ctrl+C unheard."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def started(code, body, *arguments, **options):
    """Process that runs `code` and says when it is inside `body`."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_listening,
        **options,
    )
    process.stdin.write(body)
    process.stdin.close()
    process.stdin = None
    assert process.stdout.readline() == "there\n", process.stderr.read()
    time.sleep(0.1)
    return process


def ended(process, number):
    """Exit code and stderr after a signal; fails if the process does not end."""
    process.send_signal(number)
    try:
        _, err = process.communicate(timeout=30)
    finally:
        process.kill()
    return process.returncode, err


ALL = [(hang, signal.SIGTERM) for hang in HANGS]


@pytest.mark.parametrize(("hang", "number"), [*ALL, ("reports", signal.SIGINT)])
def test_a_signal_ends_a_command(tmp_path, hang, number):
    body = HANGS[hang].replace("sys.argv[2]", repr(str(tmp_path / "out")))
    process = started(COMMAND, body, __file__)  # any file that there is
    assert ended(process, number) == (130, "Cancelled; nothing was written.\n")
    assert list(tmp_path.iterdir()) == []


LOADING = """
import sys, time

class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "deidgui.cli.main":
            print("there", flush=True)
            time.sleep(30)

sys.stdin.read()
sys.meta_path.insert(0, Slow())
sys.argv = ["deidgui", "--version"]
from deidgui.__main__ import main
main()
"""


def test_a_command_that_still_loads_is_stopped_alike():
    process = started(LOADING, "")
    said = "Cancelled; nothing was written.\n"
    assert ended(process, signal.SIGINT) == (130, said)


WINDOW = """
import sys, time
import numpy as np
from PySide6.QtCore import QTimer
from deidgui.app.jobs import Job, Lane
from deidgui.qt import application

body = sys.stdin.read()
if "kernel" in body:
    from numba import njit

    @njit(nogil=True)
    def kernel(given):
        while given[0] < 1:
            given[0] = given[0] * 0.5

    kernel(np.ones(1))
application._warm_up = lambda: None
plain = application.Running.open_first

def open_first(running, project):
    plain(running, project)

    def work(monitor):
        print("there", flush=True)
        exec(body)

    def begin():
        if body.startswith("# here"):
            work(None)
        else:
            job = Job(lambda _: None, lambda _: None)
            running.workspace.runner.start(Lane.READ, work, job)

    QTimer.singleShot(200, begin)

application.Running.open_first = open_first
sys.exit(application.run_window(None))
"""

IN_THE_WINDOW = {
    "a job that reports": HANGS["reports"],
    "a job without reports": HANGS["a loop without reports"],
    "a job in a kernel": HANGS["a compiled kernel"],
    "the window itself": "# here\nwhile True: pass",
    "a question that is open": """# here
from PySide6.QtWidgets import QMessageBox
QMessageBox().exec()
""",
}


@pytest.mark.parametrize("hang", IN_THE_WINDOW)
def test_a_signal_ends_the_window(tmp_path, hang):
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }
    process = started(WINDOW, IN_THE_WINDOW[hang], env=environment)
    code, _ = ended(process, signal.SIGTERM)
    assert code == 130
