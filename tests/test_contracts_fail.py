"""Whether each import contract notices what it forbids (each is seen failing once)."""

import os
import re
import shutil
import subprocess
import sysconfig
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"][
    "importlinter"
]["contracts"]

# (contract, module that gets the lines, the lines)
BAD_IMPORTS = [
    ("Layers", "engine/data/table.py", "import deidgui.app.session"),
    ("Layers", "cli/main.py", "import deidgui.qt"),
    ("Layers", "errors.py", "def late():\n    import deidgui.monitor"),
    ("Layers", "stray.py", ""),
    ("Qt stays in deidgui.qt", "app/session.py", "import PySide6.QtCore"),
    ("Qt stays in deidgui.qt", "engine/arrays.py", "def late():\n    import pyqtgraph"),
    ("Engine order", "engine/data/table.py", "import deidgui.engine.search"),
    ("Engine order", "engine/privacy/__init__.py", "import deidgui.engine.quality"),
    ("Engine order", "engine/stray.py", ""),
    (
        "Verification shares nothing with the search",
        "engine/evidence/verify.py",
        "import deidgui.engine.policy",
    ),
    (
        "Attacks share nothing with the search",
        "engine/attack/linked.py",
        "import deidgui.engine.data.grouping",
    ),
    ("No sockets", "app/session.py", "import socket"),
    ("No sockets", "qt/__init__.py", "def late():\n    import urllib.request"),
    ("No cycles between siblings", "qt/left.py", "import deidgui.qt.right"),
]


def test_every_contract_is_tried():
    assert {contract["name"] for contract in CONTRACTS} == {
        name for name, _module, _lines in BAD_IMPORTS
    }


def test_the_empty_skeleton_keeps_all_contracts(tmp_path):
    assert _broken_contracts(_skeleton(tmp_path)) == set()


@pytest.mark.parametrize(("name", "module", "lines"), BAD_IMPORTS)
def test_a_bad_import_breaks_its_contract(tmp_path, name, module, lines):
    package = _skeleton(tmp_path)
    (package / "qt" / "right.py").write_text("import deidgui.qt.left\n", "utf-8")
    (package / "qt" / "left.py").touch()
    (package / module).write_text(f"{lines}\n", "utf-8")
    assert name in _broken_contracts(package)


def _skeleton(folder: Path) -> Path:
    """The package with every module empty, and those that contracts name."""
    shutil.copy(ROOT / "pyproject.toml", folder)
    package = folder / "deidgui"
    for path in (ROOT / "deidgui").rglob("*.py"):
        module = package / path.relative_to(ROOT / "deidgui")
        module.parent.mkdir(parents=True, exist_ok=True)
        module.touch()
    return package


def _broken_contracts(package: Path) -> set[str]:
    """Names of the contracts that lint-imports reports as broken."""
    lint = shutil.which("lint-imports", path=sysconfig.get_path("scripts"))
    if lint is None:
        pytest.skip("lint-imports is not installed beside this Python")
    done = subprocess.run(
        [lint, "--no-cache"],
        cwd=package.parent,
        env={**os.environ, "PYTHONPATH": "", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    broken = set(re.findall(r"^(.+) BROKEN", done.stdout, flags=re.MULTILINE))
    assert bool(broken) == (done.returncode != 0), done.stdout + done.stderr
    return broken
