"""Whether the program can open a network connection: it must not be able to."""

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# Modules that open sockets themselves or exist only for that. `asyncio` opens a socket
# pair with each event loop. Qt's would slip past the import contracts, which see
# PySide6 as one package.
FORBIDDEN = {
    "aiohttp", "asyncio", "ftplib", "http", "httpx", "imaplib", "poplib", "requests",
    "smtplib", "socket", "socketserver", "ssl", "telnetlib", "urllib", "urllib3",
    "webbrowser", "xmlrpc",
    "PySide6.QtNetwork", "PySide6.QtWebSockets", "PySide6.QtWebEngineCore",
}  # fmt: skip

EVERY_WAY_TO_IMPORT = """
import socket
from http import client
import urllib.request as request
from PySide6 import QtNetwork
def late():
    from PySide6.QtWebSockets import QWebSocket
importlib.import_module("ssl")
__import__("ftplib")
"""


def test_the_scan_sees_every_way_to_import():
    assert _network_imports(EVERY_WAY_TO_IMPORT) == {
        "socket",
        "http",
        "http.client",
        "urllib.request",
        "PySide6.QtNetwork",
        "PySide6.QtWebSockets",
        "PySide6.QtWebSockets.QWebSocket",
        "ssl",
        "ftplib",
    }


def test_no_module_imports_the_network():
    sources = sorted((ROOT / "deidgui").rglob("*.py"))
    assert len(sources) > 50
    found = {path: _network_imports(path.read_text("utf-8")) for path in sources}
    assert {path: names for path, names in found.items() if names} == {}


def test_the_program_starts_without_a_network():
    # A network namespace of its own has not even a loopback that is up.
    isolate = ["unshare", "--net", "--map-root-user"]
    if shutil.which("unshare") is None:
        pytest.skip("no `unshare` on this system")
    if subprocess.run([*isolate, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this system lets nobody make a network namespace")
    done = subprocess.run(
        [*isolate, sys.executable, "-m", "deidgui", "--version"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "deidgui" in done.stdout


def _network_imports(source: str) -> set[str]:
    return {name for name in _imported(ast.parse(source)) if _is_forbidden(name)}


def _imported(tree: ast.AST) -> Iterator[str]:
    """Dotted names of everything that the source imports, by statement or by call."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield module
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.Call(
                func=ast.Name(id="__import__" | "import_module")
                | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(module)), *_],
            ):
                yield module


def _is_forbidden(name: str) -> bool:
    parts = name.split(".")
    return parts[0] in FORBIDDEN or ".".join(parts[:2]) in FORBIDDEN
