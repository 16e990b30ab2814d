"""Set up deidgui on a machine that has Python and pip alone, and start it.

    python3 packaging/start.py demo [ARGUMENT]...   set up, run the demonstration
    python3 packaging/start.py test [ARGUMENT]...   set up, run every check
    python3 packaging/start.py lock [ARGUMENT]...   remake the locked dependencies

Only the standard library is used, because nothing else is there yet. pip brings the
installer uv (into ``.tools``), uv makes the environment ``.venv`` from the locked
dependencies and their hashes. Nothing outside the checkout is changed, except for
uv's and pip's download caches and, for tests run as root on Debian, Qt's libraries.
"""

from __future__ import annotations

import ast
import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn
from urllib.parse import unquote, urlsplit

import qt_libraries

ROOT = Path(__file__).resolve().parents[1]
TOOLS = ROOT / ".tools"
VENV = ROOT / ".venv"
STAMP = VENV / "deidgui-lock.sha256"

WINDOWS = os.name == "nt"
OLDEST_PYTHON = (3, 11)


def main(arguments: list[str]) -> int:
    """Do what the first argument says; the exit code is that of the work done."""
    if sys.version_info < OLDEST_PYTHON:
        _stop(
            f"Python {_dotted(OLDEST_PYTHON)} or newer is needed, this is "
            f"{_dotted(sys.version_info[:2])}."
        )
    commands = {"demo": demo, "test": test, "lock": lock}
    if not arguments or arguments[0] not in commands:
        print(__doc__)
        return 2
    return commands[arguments[0]](arguments[1:])


def demo(arguments: list[str]) -> int:
    """Set up what the program needs, then run its demonstration."""
    # A developer's environment holds everything the program needs, too.
    if not _is_current("dev"):
        set_up("run")
    compile_once()
    return _run([_python(), "-m", "deidgui", "demo", *arguments])


def test(arguments: list[str]) -> int:
    """Set up what the checks need, then run them all."""
    set_up("dev")
    try:
        environment = qt_libraries.provide(_python(), TOOLS / "qt")
    except qt_libraries.MissingLibrariesError as error:
        _stop(str(error))
    check = str(ROOT / "packaging" / "check.py")
    return _run([_python(), check, *arguments], environment)


def lock(arguments: list[str]) -> int:
    """Remake the lock files; arguments such as ``--upgrade`` go to uv."""
    compile_ = [
        _uv(), "pip", "compile", "--universal", "--quiet", "--generate-hashes",
        "--no-header", "--no-annotate", "--python-version", _dotted(OLDEST_PYTHON),
        *arguments,
    ]  # fmt: skip
    _compile([*compile_, "pyproject.toml", "-o", _lock("run")])
    # The tests run with the very versions that users get.
    dev = [*compile_, "pyproject.toml", "--group", "dev", "-c", _lock("run")]
    _compile([*dev, "-o", _lock("dev")])
    # hatchling builds the package, editables lets it be used from the checkout.
    build = "hatchling>=1.27\neditables>=0.5\n"
    _compile([*compile_, "-", "-o", _lock("build")], build)
    _compile([*compile_, "-", "-o", _lock("uv")], "uv\n")
    return 0


def set_up(name: str) -> None:
    """Make ``.venv`` hold exactly what ``locks/NAME.txt`` lists, and deidgui itself.

    Does nothing if it does already, which makes every later start quick.
    """
    if _is_current(name):
        return
    uv = _uv()
    STAMP.unlink(missing_ok=True)
    if not _venv_is_usable():
        print("Making the environment .venv ...", flush=True)
        _uv_run(uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(VENV))
    print("Installing the locked dependencies ...", flush=True)
    into = ["--python", _python()]
    _uv_run(uv, "pip", "sync", *into, "--require-hashes", _lock(name))
    build = ["--no-deps", "--build-constraints", _lock("build")]
    _uv_run(uv, "pip", "install", "--quiet", *into, *build, "--editable", str(ROOT))
    STAMP.write_text(_fingerprint(name), encoding="utf-8")


def compile_once() -> None:
    """Compile the program's calculations for this machine, unless that is done.

    Without it the first job would compile them, and take ten times as long.
    """
    digest = hashlib.sha256(f"{ROOT}\n{sys.version}\n".encode())
    for path in sorted((ROOT / "deidgui" / "engine").rglob("*.py")):
        digest.update(path.read_bytes())
    stamp = VENV / "deidgui-compiled.sha256"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == digest.hexdigest():
        return
    print("Compiling the calculations for this machine, once ...", flush=True)
    if _run([_python(), "-m", "deidgui", "--compile"]) == 0:
        stamp.write_text(digest.hexdigest(), encoding="utf-8")


def _is_current(name: str) -> bool:
    """Tell whether ``.venv`` was made from this lock, here, by this Python."""
    if not STAMP.is_file() or not Path(_python()).is_file():
        return False
    return STAMP.read_text(encoding="utf-8") == _fingerprint(name)


def _fingerprint(name: str) -> str:
    """Hash everything that an environment depends on."""
    digest = hashlib.sha256(f"{ROOT}\n{sys.version}\n".encode())
    for path in (_lock(name), _lock("build"), ROOT / "pyproject.toml"):
        digest.update(Path(path).read_bytes())
    return digest.hexdigest()


def _venv_is_usable() -> bool:
    """Tell whether ``.venv`` runs the same Python version as this script."""
    if not Path(_python()).is_file():
        return False
    ask = [_python(), "-c", "import sys; print(sys.version)"]
    answer = subprocess.run(ask, capture_output=True, text=True, check=False)
    return bool(answer.stdout.strip() == sys.version.strip())


def _python() -> str:
    """Name the environment's interpreter."""
    return str(VENV / ("Scripts/python.exe" if WINDOWS else "bin/python"))


def _lock(name: str) -> str:
    """Name the file with the versions and hashes for one purpose."""
    return str(ROOT / "packaging" / "locks" / f"{name}.txt")


# --- uv ------------------------------------------------------------------------


def _uv() -> str:
    """Name the program uv, and let pip bring it if it is not there yet."""
    version = Path(_lock("uv")).read_text(encoding="utf-8").split()[0]
    home = TOOLS / version.replace("==", "-")
    program = home / "bin" / ("uv.exe" if WINDOWS else "uv")
    if program.is_file():
        return str(program)
    print(f"Fetching the installer {version} with pip ...", flush=True)
    # --target leaves the system's Python alone, as Debian asks (PEP 668).
    pip = [
        sys.executable, "-m", "pip", "install", "--quiet", "--no-input", "--upgrade",
        "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:",
        "--require-hashes", "--target", str(home), "--requirement", _lock("uv"),
    ]  # fmt: skip
    if _run(pip, {**os.environ, "PIP_ROOT_USER_ACTION": "ignore"}) != 0:
        _stop(
            "pip could not install uv (see above). It needs pip itself (Debian: "
            "package python3-pip) and a way to a package index: the network, or what "
            "`pip config` or PIP_INDEX_URL names."
        )
    return str(program)


def _uv_run(uv: str, *arguments: str) -> None:
    if _run([uv, *arguments], _uv_environment()) != 0:
        _stop(f"uv could not finish `uv {arguments[0]}` (see above).")


def _compile(command: list[str], given: str | None = None) -> None:
    """Run ``uv pip compile``, which reads the requirement `given` if there is one."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=_uv_environment(),
        input=given,
        stdout=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        _stop("uv could not remake the lock files (see above).")


def _uv_environment() -> dict[str, str]:
    """Give uv its environment, with pip's settings where uv has none of its own.

    uv does not read pip's configuration, but a machine behind a company's index is
    set up for pip.
    """
    pip = _pip_settings()
    settings = {
        "UV_PYTHON_DOWNLOADS": "never",
        # pip trusts the system's certificates and so shall uv.
        "UV_SYSTEM_CERTS": "1",
        # Take a package from whichever index has the locked version, as pip does.
        # The hashes in the locks rule out that another index slips in a different one.
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_DEFAULT_INDEX": pip.get("index-url", ""),
        "UV_INDEX": " ".join(_reachable(pip.get("extra-index-url", ""))),
        "UV_FIND_LINKS": ",".join(_reachable(pip.get("find-links", ""))),
        "UV_NO_INDEX": pip.get("no-index", ""),
        "UV_INSECURE_HOST": " ".join(pip.get("trusted-host", "").split()),
        "UV_HTTP_TIMEOUT": pip.get("timeout", pip.get("default-timeout", "")),
        "SSL_CERT_FILE": pip.get("cert", ""),
        "ALL_PROXY": pip.get("proxy", ""),
    }
    return {**{name: value for name, value in settings.items() if value}, **os.environ}


def _pip_settings() -> dict[str, str]:
    """Read what ``pip config`` tells: files and PIP_* variables, these strongest."""
    ask = [sys.executable, "-m", "pip", "config", "list"]
    told = subprocess.run(ask, capture_output=True, text=True, check=False).stdout
    found: dict[str, dict[str, str]] = {"global": {}, "install": {}, ":env:": {}}
    for line in told.splitlines():
        key, equals, value = line.partition("=")
        section, _, name = key.rpartition(".")
        if equals and section in found:
            found[section][name] = str(ast.literal_eval(value))
    return {**found["global"], **found["install"], **found[":env:"]}


def _reachable(places: str) -> list[str]:
    """Drop local folders that are absent: pip skips them, uv would stop."""
    return [place for place in places.split() if _is_remote_or_there(place)]


def _is_remote_or_there(place: str) -> bool:
    if place.startswith("file:"):
        path = unquote(urlsplit(place).path)
        return Path(path.lstrip("/") if WINDOWS else path).exists()
    return "://" in place or Path(place).exists()


# --- small helpers -------------------------------------------------------------


def _run(command: list[str], environment: dict[str, str] | None = None) -> int:
    """Run a command in the checkout with our own input and output."""
    try:
        return subprocess.run(
            command, cwd=ROOT, env=environment, check=False
        ).returncode
    except KeyboardInterrupt:
        return 130


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(str(part) for part in version)


def _stop(message: str) -> NoReturn:
    print(f"\n{message}", file=sys.stderr)
    raise SystemExit(1)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
