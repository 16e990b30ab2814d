"""The program as the shell sees it: streams, signals, exit codes, no window."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from deidgui import __main__ as program
from deidgui.app.commands import headless
from deidgui.app.text import message_for
from deidgui.cli import main
from deidgui.errors import ProblemsError
from tests.cli.case import Case, rows

PROGRAM = [sys.executable, "-m", "deidgui"]


def run(*arguments, **options):
    """Run the program to its end."""
    environment = {**os.environ, **options.pop("environment", {})}
    for name in options.pop("without", ()):
        environment.pop(name, None)
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        capture_output=True,
        env=environment,
        timeout=120,
        check=False,
        **options,
    )


DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def test_version_is_quick_and_plain():
    done = run("--version")
    assert done.returncode == 0
    assert done.stdout.startswith(b"deidgui ")
    assert done.stderr == b""


def test_version_and_window_do_not_wait_for_the_engine():
    code = (
        "import sys; import deidgui.__main__; "
        "sys.exit(any(name in sys.modules for name in ('numba', 'polars', 'PySide6')))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == 0


def test_only_a_command_looks_for_garbage_seldom(monkeypatch):
    before, was_on, seen = gc.get_threshold(), gc.isenabled(), []

    def command(_arguments):
        seen.append(gc.get_threshold())
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "main", command)
    with pytest.raises(KeyboardInterrupt):
        program._run(["--version"])
    assert seen[0][0] > 10 * before[0]
    assert seen[0][1:] == before[1:]
    assert gc.get_threshold() == before
    assert gc.isenabled() == was_on


def refused(*arguments, unwanted=("numba", "polars", "PySide6")):
    """What a refused command says, and which modules it imported for that."""
    code = (
        "import sys\n"
        "from deidgui.__main__ import main\n"
        f"sys.argv = ['deidgui', *{[str(each) for each in arguments]!r}]\n"
        "try:\n    code = main()\n"
        "except SystemExit as end:\n    code = end.code\n"
        f"heavy = [name for name in {unwanted!r} if name in sys.modules]\n"
        "print(code, heavy)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True
    )
    assert done.stdout.decode().split() == ["2", "[]"]
    return done.stderr.decode()


@pytest.mark.parametrize("command", ["search", "run", "decide", "attack", "inspect"])
def test_a_file_that_is_not_there_is_refused_without_the_engine(command, tmp_path):
    out = ["--out", tmp_path / "out"] if command == "run" else []
    unwanted = ("numba", "polars", "PySide6", "numpy")
    said = refused(command, tmp_path / "nothing.deid.json", *out, unwanted=unwanted)
    assert "There is no file" in said


@pytest.mark.parametrize("command", ["search", "run", "attack"])
def test_what_is_open_is_told_without_the_engine(command, case, tmp_path):
    case.project.unlink()
    headless.inspect(case.data, case.project)
    out = ["--out", tmp_path / "out"] if command == "run" else []
    said = refused(command, case.project, *out)
    places = (tmp_path / "out", {}) if command == "run" else ({},)
    with pytest.raises(ProblemsError) as found:
        getattr(headless, command)(case.project, *places)
    for each in found.value.problems:
        assert str(message_for(each)) in said


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("--role", "sex=foo"), "“foo” is no role."),
        (("--role", "sex=direct_identifier:foo"), "“foo” is no treatment."),
        (("--role", "foo=sensitive"), "no column “foo”"),
        (("--leave-out", "foo"), "no column “foo”"),
        (("--recipient", "foo"), "“foo” is no recipient."),
    ],
)
def test_a_mistyped_decision_is_refused_without_the_engine(case, given, words):
    before = case.project.read_bytes()
    assert words in refused("decide", case.project, *given)
    assert case.project.read_bytes() == before


def test_columns_of_a_file_that_is_read_otherwise_are_not_refused_early(cli, case):
    """With another delimiter there are other columns, which a role may name."""
    case.data.write_text(case.data.read_text().replace(",", ";"))
    given = ("--dialect", "delimiter=;", "--role", "sex=sensitive")
    assert cli("decide", case.project, *given).code == 0
    case.change(attributes=[])
    assert cli("decide", case.project, *given).code == 0


@pytest.mark.parametrize("command", ["audit", "repair", "inspect", "network"])
@pytest.mark.parametrize("name", ["t.csv", "t.xlsx:Sheet 1", "t.zip/t.csv"])
def test_counts_that_are_not_there_are_refused_without_the_engine(
    command, name, tmp_path
):
    there = tmp_path / "there.csv"
    there.write_text("a,b\nx,1\n", encoding="utf-8")
    unwanted = ("numba", "polars", "PySide6", "numpy")
    said = refused("counts", command, there, tmp_path / name, unwanted=unwanted)
    assert "There is no file" in said


def test_a_folder_that_is_not_there_is_no_release_without_the_engine(tmp_path):
    assert "no release" in refused("verify", tmp_path / "nothing")


def test_a_search_brings_no_release_and_no_report(case):
    unwanted = (
        *("PySide6", "reportlab", "jinja2", "highspy", "scipy"),
        *("deidgui.engine.evidence.document", "deidgui.app.report"),
        *("deidgui.app.release.releasing", "deidgui.app.attacks.running"),
        *("deidgui.app.measuring.measuring", "deidgui.app.counts.releasing"),
    )
    assert imported(unwanted, "search", case.project) == (0, [])


def imported(unwanted, *arguments):
    """Exit code of a command, and which of some modules it imported."""
    code = (
        "import sys\n"
        "from deidgui.cli.main import main\n"
        f"code = main({[str(each) for each in arguments]!r})\n"
        f"heavy = [name for name in {unwanted!r} if name in sys.modules]\n"
        "print(code, *heavy, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True
    )
    last, *heavy = done.stderr.splitlines()[-1].split()
    return int(last), heavy


def test_commands_that_search_nothing_do_not_wait_for_the_compiler(case):
    release = case.folder / "release"
    headless.run(case.project, release, {})
    out = case.folder / "report.html"
    compilers = ("numba", "llvmlite")
    assert imported(compilers, "verify", release) == (0, [])
    assert imported(compilers, "report", release, "--out", out) == (0, [])
    assert imported(compilers, "decide", case.project) == (0, [])
    assert out.exists()
    assert imported(compilers, "search", case.project) == (0, list(compilers))


def test_json_in_utf8_whatever_the_terminal_is(case):
    case.data.write_text("größe,Ω\n" + "".join(f"{n},x\n" for n in range(9)), "utf-8")
    done = run(
        *("inspect", case.data, "--json"),
        environment={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert done.returncode == 0
    names = [each["name"] for each in json.loads(done.stdout.decode())["columns"]]
    assert names == ["größe", "Ω"]
    assert done.stderr == b""


def test_a_terminal_of_few_letters(case):
    done = run(
        *("search", case.folder / "nö.json"),
        environment={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"There is no file ?")


def test_a_bad_command_is_no_window():
    done = run("frobnicate")
    assert done.returncode == 2
    assert "neither a file nor a command" in done.stderr.decode()
    assert done.stdout == b""


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="has a display always")
@pytest.mark.parametrize("given", [[], ["PROJECT"]])
def test_without_a_display_there_is_a_sentence(case, given):
    given = [case.project] if given else []
    done = run(*given, without=DISPLAYS)
    assert done.returncode == 2
    assert "no display" in done.stderr.decode()


def test_a_window_takes_one_file(case):
    done = run(case.project, "--out", "x")
    assert done.returncode == 2
    assert "one file" in done.stderr.decode()


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_reader_that_leaves_is_no_bug(case):
    done = subprocess.run(
        f"'{sys.executable}' -m deidgui inspect '{case.data}' | true",
        shell=True,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.stderr == b""


def seen(command, out, **options):
    """What a command whose stdout is a file shows on a terminal, to its end."""
    import pty

    ours, theirs = pty.openpty()
    shown = b""
    with (
        out.open("wb") as file,
        subprocess.Popen(command, stdout=file, stderr=theirs, **options) as process,
    ):
        os.close(theirs)
        with contextlib.suppress(OSError):  # Nobody writes to it any more.
            while part := os.read(ours, 1 << 16):
                shown += part
        assert process.wait(120) == 0
    os.close(ours)
    return shown.decode()


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals of POSIX")
def test_progress_is_drawn_on_stderr_and_wiped(case, tmp_path):
    out = tmp_path / "found.json"
    shown = seen([*PROGRAM, "search", str(case.project), "--json"], out)
    assert json.loads(out.read_bytes())["complete"]
    assert "%" in shown
    assert shown.endswith("\r\x1b[K")
    assert "\n" not in shown


KERNEL = """
from deidgui.cli.progress import Progress
from deidgui.engine.compiled import njit

@njit
def half(x):
    return x / 2

@njit
def quarter(x):
    return half(half(x))

with Progress():
    print(quarter(20.0))
"""


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals of POSIX")
def test_what_is_compiled_is_told_once_and_on_stderr_alone(tmp_path):
    """The second process finds what the first one kept; a file hears nothing."""
    script, out = tmp_path / "kernel.py", tmp_path / "out"
    script.write_text(KERNEL, encoding="utf-8")
    command = [sys.executable, str(script)]
    paths = {"PYTHONPATH": os.pathsep.join(sys.path)}
    environment = {**os.environ, **paths, "NUMBA_CACHE_DIR": str(tmp_path / "kept")}

    shown = seen(command, out, env=environment)
    assert out.read_text() == "5.0\n"
    assert shown.startswith("\r\x1b[KCompiling for this machine, once: 1 function, ")
    assert shown.endswith("\r\x1b[K")
    assert seen(command, out, env=environment) == ""
    environment["NUMBA_CACHE_DIR"] = str(tmp_path / "other")
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"5.0\n", b"")


# -- Ctrl-C ----------------------------------------------------------------------------

STARTER = """
import signal, sys
import deidgui.monitor as module
from deidgui.cli import main, progress

note, call = sys.argv[1], sys.argv[2:]
plain = progress.Progress.report

def report(self, fraction, text=""):
    if text == note:
        print("there", flush=True)
        sys.stdin.readline()
    plain(self, fraction, text)

progress.Progress.report = report
sys.exit(main.main(call))
"""
"""Runs a command and waits at the first report with a certain note."""


def interrupted_at(note, *arguments):
    """Run a command, interrupt it when it reports `note`; its end."""
    process = subprocess.Popen(
        [sys.executable, "-c", STARTER, note, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline() == "there\n", process.stderr.read()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate("go on\n" * 100_000, timeout=120)
    finally:
        process.kill()
    return process.returncode, out.replace("there\n", ""), err


def notes_of(case, tmp_path):
    """All notes that a run of the case reports, in order."""
    heard = []

    class Listener:
        def report(self, fraction, note=""):
            if note and note not in heard:
                heard.append(note)

    headless.run(case.project, tmp_path / "listened", {}, monitor=Listener())
    return heard


def test_interrupting_at_any_stage_leaves_nothing_behind(case, tmp_path):
    notes = notes_of(case, tmp_path)
    assert len(notes) >= 8
    # The old release is still there, byte for byte.
    headless.run(case.project, case.out, {})
    before = {p: p.read_bytes() for p in case.out.rglob("*") if p.is_file()}
    names = case.names()
    stages = ["hierarchies", notes[len(notes) // 2], "report", "hash"]
    for note in dict.fromkeys(stages):
        assert note in notes
        code, out, err = interrupted_at(
            note, "run", case.project, "--out", case.out, "--json"
        )
        assert code == 130, (note, err)
        assert out == ""
        assert err == "Cancelled; nothing was written.\n"
        assert case.names() == names
        after = {p: p.read_bytes() for p in case.out.rglob("*") if p.is_file()}
        assert after == before


def test_interrupting_a_search(case):
    code, out, err = interrupted_at("hierarchies", "search", case.project)
    assert (code, out, err) == (130, "", "Cancelled; nothing was written.\n")


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_real_signal_in_a_real_run(tmp_path, number):
    """No hook: the signal arrives wherever the work happens to be."""
    case = Case.write(tmp_path, rows(40_000))
    names = case.names()
    process = subprocess.Popen(
        [*PROGRAM, "run", str(case.project), "--out", str(case.out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while case.names() == names and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    # The folder of the release in the making is there: now it is writing.
    process.send_signal(number)
    out, err = process.communicate(timeout=120)
    if process.returncode == 130:
        assert out == ""
        assert err == "Cancelled; nothing was written.\n"
        assert case.names() == names
    else:  # it was quicker than the signal
        assert process.returncode == 0
        assert set(case.names()) == {*names, "release"}
