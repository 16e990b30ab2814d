"""Whether this checkout is done: lint, types, imports, docstrings, texts, tests.

    python packaging/check.py [--no-tests | PYTEST ARGUMENT ...]

Every check runs even if an earlier one fails, each says its result in one line, and
pytest's own closing line is the last. Run by ``packaging/start.py test`` with the
environment that it made; run it directly with any environment that has the tools.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import structure
import texts
import words

ROOT = Path(__file__).resolve().parents[1]

# A function has a few lines, and not more than this without a reason in SIZE_REASONS.
FUNCTION_LINES_LIMIT = 60

# "path::function" -> why it is good to have it this long.
SIZE_REASONS = {
    "deidgui/engine/data/csv_scan.py::_cut_record": (
        "sees every byte of a file; cut in two, its loops take ten times as long"
    ),
}

SIZED_FOLDERS = ("deidgui", "packaging", "resources")
DOCUMENTED_FOLDERS = ("deidgui/engine", "deidgui/app")

CONCISE = ("--quiet", "--output-format", "concise")

# More workers than this gain nothing: the longest test files decide.
MAX_WORKERS = 4


def main(arguments: list[str]) -> int:
    """Run all checks; 0 only if every one passes."""
    checks: dict[str, Callable[[], str]] = {
        "format": lambda: _output_of("ruff", "format", "--check", *CONCISE),
        "lint": lambda: _output_of("ruff", "check", *CONCISE),
        "types": lambda: _output_of("mypy", "--no-error-summary"),
        "imports": lambda: _output_of("lint-imports"),
        "docstrings": lambda: _output_of("numpydoc", "lint", *_documented_files()),
        "sizes": lambda: "\n".join(oversize(ROOT)),
        "structure": lambda: "\n".join(structure.problems()),
        "texts": lambda: "\n".join(texts.problems(ROOT)),
        "words": lambda: "\n".join(
            [*words.problems(ROOT), *words.comment_problems(ROOT)]
        ),
    }
    failed = [name for name, check in checks.items() if not _passes(name, check)]
    if arguments != ["--no-tests"] and _pytest(arguments) != 0:
        failed.append("tests")
    return 1 if failed else 0


def _passes(name: str, check: Callable[[], str]) -> bool:
    """Run one check and say its result in one line, its complaints below."""
    start = time.perf_counter()
    complaints = check()
    seconds = time.perf_counter() - start
    print(f"{name:<12}{'FAILED' if complaints else 'ok':<8}{seconds:5.1f} s")
    if complaints:
        print(complaints.rstrip())
    sys.stdout.flush()
    return not complaints


def _output_of(tool: str, *arguments: str) -> str:
    """Return what a tool has to say against the checkout; empty if nothing."""
    program = shutil.which(tool, path=sysconfig.get_path("scripts"))
    if program is None:
        return f"{tool} is not installed beside this Python"
    done = subprocess.run(
        [program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode == 0:
        return ""
    return f"{done.stdout}{done.stderr}" or f"{tool} ended with {done.returncode}"


def _documented_files() -> list[str]:
    files = (path for top in DOCUMENTED_FOLDERS for path in (ROOT / top).rglob("*.py"))
    return [str(path) for path in sorted(files)]


def _pytest(arguments: list[str]) -> int:
    """Run the tests without a display; their output, closing line and all, is ours."""
    workers = min(MAX_WORKERS, os.cpu_count() or 1)
    command = [sys.executable, "-m", "pytest", "-n", str(workers), *arguments]
    environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ}
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


# --- sizes ---------------------------------------------------------------------


def oversize(root: Path) -> list[str]:
    """Write one line for each function over the limit, and each stale reason."""
    sizes = {
        name: lines
        for top in SIZED_FOLDERS
        for path in sorted((root / top).rglob("*.py"))
        for name, lines in _sizes(path, path.relative_to(root).as_posix())
    }
    over = {name for name, lines in sizes.items() if lines > FUNCTION_LINES_LIMIT}
    return [
        *(
            f"{name}: {sizes[name]} lines, limit {FUNCTION_LINES_LIMIT}: cut it, or "
            "give a reason in packaging/check.py"
            for name in sorted(over - SIZE_REASONS.keys())
        ),
        *(
            f"{name}: no longer too long, remove its reason from packaging/check.py"
            for name in sorted(SIZE_REASONS.keys() - over)
        ),
    ]


def _sizes(path: Path, name: str) -> Iterator[tuple[str, int]]:
    """Measure each function in a file: name (with its class), lines."""
    yield from _sizes_within(ast.parse(path.read_text(encoding="utf-8")), f"{name}::")


def _sizes_within(node: ast.AST, prefix: str) -> Iterator[tuple[str, int]]:
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{prefix}{each.name}", _code_lines(each)
            yield from _sizes_within(each, f"{prefix}{each.name}.")
        elif isinstance(each, ast.ClassDef):
            yield from _sizes_within(each, f"{prefix}{each.name}.")
        else:
            yield from _sizes_within(each, prefix)


def _code_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count a function's lines without its docstring, which may be long."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    if ast.get_docstring(function, clean=False) is None:
        return lines
    docstring = function.body[0]
    return lines - ((docstring.end_lineno or 0) - docstring.lineno + 1)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
