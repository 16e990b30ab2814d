"""Compiling in processes of their own, with small ones in their place."""

import subprocess
import sys

import pytest

from deidgui.app.commands import compiling


@pytest.fixture
def children(monkeypatch):
    """Processes that compile so many functions, and end with a code, by their part."""
    behaviour = {"search": (3, 0), "others": (2, 0), "job": (1, 0)}
    started = []

    def start(part):
        started.append(part)
        n, code = behaviour[part]
        script = f"print('.\\n' * {n}, end='', flush=True); raise SystemExit({code})"
        command = [sys.executable, "-c", script]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    monkeypatch.setattr(compiling, "_start", start)
    return behaviour, started


def test_what_is_compiled_is_counted_over_all_processes(children):
    _, started = children
    told = []
    assert compiling.compile_all(told.append)
    assert told == [1, 2, 3, 4, 5, 6]
    assert sorted(started[:2]) == ["others", "search"]
    assert started[2:] == ["job"]


@pytest.mark.parametrize("part", ["search", "others", "job"])
def test_a_part_that_fails_is_told(children, part):
    behaviour, _ = children
    behaviour[part] = (0, 1)
    assert not compiling.compile_all(lambda n: None)


def test_every_part_can_be_compiled_by_its_name():
    assert set(compiling._PARTS) == {*compiling.PARALLEL, compiling.LAST}


def test_a_process_tells_of_each_function_that_it_compiles(tmp_path):
    script = (
        "import numba\n"
        "from deidgui.app.commands import compiling\n"
        "compiling._PARTS = {'one': lambda: numba.njit(lambda x: x + 1)(1)}\n"
        "compiling.main('one')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == ".\n"
