"""Where compiled functions are kept, and that those of older sources are not read."""

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from deidgui.engine import compiled

FORM = """
from typing import NamedTuple
from deidgui.engine.compiled import njit
from made.called import of

class {name}(NamedTuple):
    count: int

@njit
def total(given):
    return of(given.count)

print(total({name}(20)))
"""

CALLED = """
from deidgui.engine.compiled import njit

@njit
def of(count):
    return count * {factor}
"""


def run_made(folder, name, factor):
    """Write a small engine with two compiled functions, and run it in a process."""
    made = folder / "made"
    made.mkdir(exist_ok=True)
    (made / "called.py").write_text(CALLED.format(factor=factor))
    (made / "kernels.py").write_text(FORM.format(name=name))
    script = (
        "from pathlib import Path\n"
        "from numba import config\n"
        "from deidgui.engine import compiled\n"
        f"digest = compiled.digest_of_sources(Path({str(made)!r}))\n"
        f"config.CACHE_DIR = {str(folder)!r} + '/kernels-' + digest\n"
        "import made.kernels\n"
    )
    places = os.pathsep.join([str(folder), str(Path(compiled.__file__).parents[2])])
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": places, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


def test_a_called_function_or_a_type_may_change_where_another_was_kept(tmp_path):
    assert run_made(tmp_path, "Counted", 1) == 20
    # By one folder for all, numba says 20 here and cannot read the index below.
    assert run_made(tmp_path, "Counted", 3) == 60
    assert run_made(tmp_path, "Renamed", 3) == 60
    assert len(list(tmp_path.glob("kernels-*"))) == 3


def test_the_digest_is_that_of_functions_and_types_alone(tmp_path):
    (tmp_path / "kernels.py").write_text("@njit\ndef f(x): return x\n")
    before = compiled.digest_of_sources(tmp_path)
    (tmp_path / "words.py").write_text("SAID = 'nothing is compiled here'\n")
    assert compiled.digest_of_sources(tmp_path) == before
    (tmp_path / "kernels.py").write_text("@njit\ndef f(x): return x + 1\n")
    assert compiled.digest_of_sources(tmp_path) != before


def test_what_was_compiled_of_older_sources_is_removed(tmp_path, monkeypatch):
    older, kept = tmp_path / "deidgui-kernels-1", tmp_path / "deidgui-kernels-2"
    for folder in (older, kept, tmp_path / "kernels-of-others"):
        folder.mkdir()
    monkeypatch.setattr(compiled, "_kept", lambda: kept)
    compiled.forget_older()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        kept.name,
        "kernels-of-others",
    ]


def test_in_a_folder_of_somebody_else_it_has_its_own(tmp_path):
    place = compiled._place(str(tmp_path))
    assert place.parent == tmp_path
    assert place.name.startswith("deidgui-kernels-")


def test_every_function_is_kept_by_the_state_of_the_sources():
    for path in compiled.ENGINE.parent.rglob("*.py"):
        if path.name != "compiled.py":
            assert "from numba import" not in path.read_text(encoding="utf-8"), (
                path.name
            )


def test_a_function_that_two_threads_want_first_is_made_once(monkeypatch):
    made, both = [], threading.Barrier(2)

    def compilable(function):
        made.append(function)
        return function

    monkeypatch.setattr(compiled, "_compilable", compilable)
    doubled = compiled.njit(lambda x: 2 * x)

    def call(x):
        both.wait()
        return doubled(x)

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(call, (1, 2))) == [2, 4]
    assert len(made) == 1
