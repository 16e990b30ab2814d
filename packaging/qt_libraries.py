"""Which system libraries an invisible Qt needs, and where they come from.

The wheels of PySide6 bring Qt, but not the system libraries below it. A desktop has
them; a server or a container has not, and there Qt's tests could not start.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

# What QtWidgets and the "offscreen" platform link to, in Debian's names (the shared
# libraries: EGL, GL, xkbcommon, dbus-1, fontconfig, freetype, glib-2.0 and gthread-2.0,
# X11), and one font, without which every text is invisible and has no width.
DEBIAN_PACKAGES = (
    "libegl1",
    "libgl1",
    "libxkbcommon0",
    "libdbus-1-3",
    "libfontconfig1",
    "libfreetype6",
    "libglib2.0-0",
    "libx11-6",
    "libstdc++6",
    "zlib1g",
    "libzstd1",
    "fonts-dejavu-core",
)

PROBE = """
import sys
from PySide6 import QtGui, QtOpenGLWidgets, QtSvg, QtTest, QtWidgets
application = QtWidgets.QApplication([])
sys.exit(None if QtGui.QFontDatabase.families() else "Qt finds no font")
"""


class MissingLibrariesError(Exception):
    """Qt cannot start here, and nobody but the administrator can fix it."""


def provide(python: str, private: Path) -> dict[str, str]:
    """Make sure that Qt starts without a display.

    Parameters
    ----------
    python : str
        The interpreter that has PySide6.
    private : Path
        Folder for the libraries if they cannot be installed into the system.

    Returns
    -------
    dict of str to str
        The environment in which Qt starts.

    Raises
    ------
    MissingLibrariesError
        If it does not start whatever was tried; names the packages.
    """
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    if not _complaint(python, environment):
        return environment
    if shutil.which("apt-get"):
        if os.geteuid() == 0:
            _install()
        else:
            environment = _unpack(private, environment)
    if complaint := _complaint(python, environment):
        message = (
            "Qt cannot start here: a system library or a font is missing.\n"
            f"  {complaint}\n"
            "An administrator can install them; in Debian's names they are:\n"
            f"  {' '.join(DEBIAN_PACKAGES)}"
        )
        raise MissingLibrariesError(message)
    return environment


def _complaint(python: str, environment: dict[str, str]) -> str:
    """Give the last line of what Qt says when it does not start; empty if it does."""
    done = subprocess.run(
        [python, "-c", PROBE],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return ""
    return (done.stderr.strip().splitlines() or ["Qt stopped without a word"])[-1]


def _install() -> None:
    """Install the packages into the system; we are root."""
    print("Installing the libraries that Qt needs with apt-get ...", flush=True)
    install = ["install", "--yes", "--no-install-recommends", *DEBIAN_PACKAGES]
    if not _apt_get(install):
        # The usual reason is a machine that has never fetched the package lists.
        _apt_get(["update"])
        _apt_get(install)


def _unpack(private: Path, environment: dict[str, str]) -> dict[str, str]:
    """Unpack the packages into a folder of our own; we are not root.

    apt-get keeps its lists and archives where we may write, reads the system's list
    of installed packages, and only tells which ones are missing.
    """
    root = private / "root"
    if not root.is_dir():
        print("Fetching the libraries that Qt needs into .tools ...", flush=True)
        own = _private_state(private)
        _apt_get([*own, "update"])
        plan = ["install", "--simulate", "--no-install-recommends", *DEBIAN_PACKAGES]
        missing = _planned(_apt_output([*own, *plan]))
        archives = private / "archives"
        archives.mkdir(exist_ok=True)
        if missing and _apt_get([*own, "download", *missing], folder=archives):
            for archive in sorted(archives.glob("*.deb")):
                subprocess.run(["dpkg", "-x", archive, root], check=False)
        for used in (archives, private / "state", private / "cache"):
            shutil.rmtree(used)
    return {**environment, **_where(root)}


def _private_state(private: Path) -> list[str]:
    """Give the options that let apt-get work without root's folders."""
    for folder in ("state/lists/partial", "cache/archives/partial"):
        (private / folder).mkdir(parents=True, exist_ok=True)
    settings = {
        "Dir::State": private / "state",
        "Dir::State::status": "/var/lib/dpkg/status",
        "Dir::Cache": private / "cache",
    }
    return [
        word for key, value in settings.items() for word in ("-o", f"{key}={value}")
    ]


def _planned(simulation: str) -> list[str]:
    """Name the packages that apt-get would install anew.

    Upgrades ("Inst NAME [OLD] (NEW ...)") are left out: a second libc beside the
    system's own would stop every program.
    """
    lines = [line.split() for line in simulation.splitlines()]
    return [words[1] for words in lines if words[:1] == ["Inst"] and words[2][0] == "("]


def _where(root: Path) -> dict[str, str]:
    """Set the variables by which programs find what was unpacked below `root`."""
    folders = {path.parent for path in root.glob("**/lib/**/*.so.*")}
    fonts = root / "fonts.conf"
    if root.is_dir():
        fonts.write_text(
            '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n'
            f"<fontconfig><dir>{root}/usr/share/fonts</dir>"
            "<dir>/usr/share/fonts</dir>"
            f"<cachedir>{root}/font-cache</cachedir></fontconfig>\n",
            encoding="utf-8",
        )
    given = os.environ.get("LD_LIBRARY_PATH")
    paths = [str(folder) for folder in sorted(folders)] + ([given] if given else [])
    return {
        "LD_LIBRARY_PATH": os.pathsep.join(paths),
        "FONTCONFIG_FILE": str(fonts),
        "XKB_CONFIG_ROOT": str(root / "usr/share/X11/xkb"),
    }


def _apt_get(arguments: list[str], folder: Path | None = None) -> bool:
    """Run apt-get quietly and tell whether it succeeded."""
    command = ["apt-get", "-qq", *arguments]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    quiet = subprocess.DEVNULL
    done = subprocess.run(
        command, env=environment, cwd=folder, stdout=quiet, check=False
    )
    return done.returncode == 0


def _apt_output(arguments: list[str]) -> str:
    """Return what apt-get prints."""
    command = ["apt-get", *arguments]
    return subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=False
    ).stdout
