"""A whole job opens no socket: on the command line, and in the window offscreen."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.answers import answer_file
from tests.cli.case import Case
from tests.cli.population_case import among_population, choose

ROOT = Path(__file__).resolve().parents[1]

FORBID = """
import socket, sys

def refuse(event, arguments):
    if event.startswith("socket."):
        sys.stderr.write(f"{event}\\n")
        raise SystemExit(99)

class Refused(socket.socket):
    def __init__(self, *arguments, **options):
        refuse("socket.patched", arguments)

sys.addaudithook(refuse)
socket.socket = Refused
"""
"""Ends the process when Python code, or a library through Python, wants a socket."""

COMMANDS = """
from pathlib import Path
from deidgui.cli.main import main
out = Path(sys.argv[1])
people = out / "people"
sys.exit(
    main(["demo", "--no-window", "--out", str(out / "demo")])
    or main(["inspect", str(out / "patients.csv")])
    or main(["search", str(out / "patients.deid.json")])
    or main(["run", str(out / "patients.deid.json"), "--out", str(out / "release")])
    or main(["verify", str(out / "release")])
    or main(["search", str(people / "patients.deid.json"), "--json"])
    or main(
        ["run", str(people / "patients.deid.json"), "--out", str(people / "release")]
    )
    or main(["verify", str(people / "release")])
    or main(["experiment", "bps", "--iterations", "2", "--out", str(out / "bps")])
)
"""

WINDOW = """
import time
from pathlib import Path
from PySide6.QtWidgets import QApplication
from deidgui.app.policies.runner import ALTERNATIVES, LATTICE
from deidgui.qt.application import Running, make_application
from deidgui.qt.pages import STEPS
from deidgui.qt.settings import Settings

out = Path(sys.argv[1])
app = make_application([])
running = Running(app, Settings())
workspace, problems = running.workspace, []
workspace.problem.connect(lambda error, lane: problems.append((lane, repr(error))))
running.window.show()

def wait(done):
    until = time.monotonic() + 60
    while not done():
        assert time.monotonic() < until and not problems, problems
        app.processEvents()
        time.sleep(0.005)

def idle():
    return not workspace.runner.is_busy

workspace.open_project(out / "patients.deid.json")
wait(lambda: workspace.session.loaded is not None and idle())
workspace.policies.start(LATTICE)
wait(idle)
for step in STEPS:
    running.window.show_step(step.key)
    wait(idle)
workspace.export(out / "release")
wait(idle)
assert (out / "release" / "evidence.json").exists(), problems
workspace.open_project(out / "people" / "patients.deid.json")
wait(lambda: workspace.session.loaded is not None and idle())
workspace.policies.start(ALTERNATIVES)
wait(idle)
for step in STEPS:
    running.window.show_step(step.key)
    wait(idle)
workspace.export(out / "people" / "release")
wait(idle)
running.window.hide()
running.close()
"""


def has_namespaces():
    """Whether this system lets us run something without any network."""
    if shutil.which("unshare") is None:
        return False
    done = subprocess.run([*ISOLATE, "true"], capture_output=True, check=False)
    return done.returncode == 0


# A network namespace of its own has not even a loopback that is up.
ISOLATE = ["unshare", "--net", "--map-root-user"]


@pytest.fixture
def case(tmp_path):
    """A project of models; one with a discovered policy in the folder below."""
    (tmp_path / "people").mkdir()
    other = Case.write(tmp_path / "people")
    among_population(other)
    choose(other)
    answer_file(other.project)
    return Case.write(tmp_path)


def run(script, case, before=()):
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "DEIDGUI_HOME": str(case.folder / "home"),
    }
    done = subprocess.run(
        [*before, sys.executable, "-c", FORBID + script, str(case.folder)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for folder in (case.folder, case.folder / "people"):
        assert (folder / "release" / "evidence.json").exists()


def test_the_guard_sees_a_socket(case):
    for preference in ("import socket; socket.socket()", "socket.getaddrinfo('x', 1)"):
        with pytest.raises(AssertionError, match=r"socket\."):
            run(preference, case)


@pytest.mark.parametrize("script", [COMMANDS, WINDOW], ids=["commands", "window"])
def test_no_job_wants_a_socket(case, script):
    # Without any network where the system lets us: then nothing below Python has one.
    run(script, case, ISOLATE if has_namespaces() else ())
