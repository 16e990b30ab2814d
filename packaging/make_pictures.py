"""Makes the README's pictures from the real program and its built-in sample.

Usage: python packaging/make_pictures.py [PICTURE...]

Opens the worked example, searches, and saves the pictures to
``resources/help/pictures``, or the named ones alone. A page that cannot be opened is
left out. Drawn offscreen with the environment of the tests, so that the pictures do not
depend on somebody's desktop.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from PySide6.QtGui import QPixmap

from deidgui.app.policies.runner import LATTICE
from deidgui.app.session import Kind
from deidgui.qt.application import Running, make_application
from deidgui.qt.pages.base import Page
from deidgui.qt.settings import Settings
from deidgui.qt.theme import Mode, theme

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "resources" / "help" / "pictures"

SIZE = (1280, 800)
COLOURS = 256
PATIENCE_S = 600.0  # in a fresh checkout the search is compiled first
SETTLE_S = 1.0

PICTURES = (
    "data",
    "attributes",
    "hierarchies",
    "risk",
    "plane",
    "lattice",
    "utility",
    "export",
)
"""What the README shows: pages by their key, and the views named below."""

VIEWS = {"plane": "policies", "lattice": "policies"}
"""Pictures of another view of a page: its key there, and the page."""

DARK = ("lattice",)


class Studio:
    """The running window with the worked example, searched."""

    def __init__(self) -> None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        os.environ["DEIDGUI_HOME"] = tempfile.mkdtemp(prefix="deidgui-pictures-")
        self.app = make_application(["deidgui"])
        self.running = Running(self.app, Settings())
        self.window = self.running.window
        self.window.resize(*SIZE)
        self.window.show()
        theme().set_mode(Mode.LIGHT)

    def prepare(self) -> None:
        """Open the worked example and search."""
        workspace = self.running.workspace
        session, runner = workspace.session, workspace.runner
        self.window.files.open_example()
        self.wait_until(lambda: session.current(Kind.CLASSES) is not None)
        self.window.build_all_pages()
        workspace.policies.start(LATTICE)
        self.wait_until(lambda: session.current(LATTICE) is not None)
        self.wait_until(lambda: not runner.is_busy)

    def wait(self, seconds: float) -> None:
        """Let the window work for a while."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.app.processEvents()
            time.sleep(0.002)

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Let the window work until something is so.

        Raises
        ------
        TimeoutError
        """
        end = time.monotonic() + PATIENCE_S
        while not is_so():
            if time.monotonic() > end:
                raise TimeoutError
            self.wait(0.02)

    def take(self, name: str) -> None:
        """Save the picture of a page, or of another view of one."""
        key = VIEWS.get(name, name)
        page = self.window.page(key)
        if not isinstance(page, Page):
            print(f"{name}: this page could not be opened, no picture")
            return
        theme().set_mode(Mode.DARK if name in DARK else Mode.LIGHT)
        self.window.show_step(key)
        if name in VIEWS:
            page.show_tab(name)  # type: ignore[attr-defined]
        self.wait(SETTLE_S)
        self.wait_until(lambda: not self.running.workspace.runner.is_busy)
        self.wait(SETTLE_S)
        save(self.window.grab(), OUT / f"{name}.png")

    def close(self) -> None:
        """End the program."""
        self.window.hide()
        self.running.close()


def save(pixmap: QPixmap, path: Path) -> None:
    """Write a picture with few colours: sharp, and a quarter of the size."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pixmap.save(str(path))
    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size // 1024} KiB")


def main(wanted: list[str]) -> None:
    """Save all pictures, or the wanted ones."""
    studio = Studio()
    studio.prepare()
    for name in wanted or PICTURES:
        studio.take(name)
    studio.close()


if __name__ == "__main__":
    main(sys.argv[1:])
