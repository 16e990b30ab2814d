"""The engine is a library: only these of its modules open files."""

import ast
from pathlib import Path

import pytest

from deidgui import engine

FOLDER = Path(engine.__file__).parent
OPEN_FILES = {
    "compiled.py",
    "data/code_lists.py",
    "data/hierarchy_io.py",
    "data/source.py",
    "detect/wordlists.py",
    "evidence/cells_seen.py",
    "evidence/folder.py",
    "evidence/keyed.py",
    "evidence/verify_compared.py",
    "evidence/verify_excel.py",
    "excel/reading.py",
    "population/built_in.py",
}
CALLS = {
    *("open", "read_bytes", "read_text", "write_bytes", "write_text", "unlink"),
    *("mkdir", "rmdir", "rename", "touch", "ZipFile", "fromfile", "tofile", "memmap"),
    *("scan_csv", "sink_csv", "read_parquet", "write_parquet"),
}


def file_calls(source: str) -> set[str]:
    """Names of calls that open or change a file."""
    calls = (node.func for node in ast.walk(ast.parse(source)) if is_call(node))
    names = {getattr(func, "id", getattr(func, "attr", "")) for func in calls}
    return names & CALLS


def is_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Call)


def test_only_named_modules_of_the_engine_open_files():
    found = {
        path.relative_to(FOLDER).as_posix()
        for path in FOLDER.rglob("*.py")
        if file_calls(path.read_text("utf-8"))
    }
    assert found == OPEN_FILES


@pytest.mark.parametrize("line", ["open('x')", "p.open('rb')", "path.read_text()"])
def test_the_contract_can_fail(line):
    assert file_calls(line)
