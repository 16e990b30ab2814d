"""Pictures of the real window: ``python -m tests.qt.screenshots FOLDER [STEP...]``.

Opens the worked example, searches, and saves a picture of every step (or of the
steps named) in two sizes, light and dark, and of the gallery of widgets. Draws on
the screen that ``DISPLAY`` names, else offscreen.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

if not os.environ.get("DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["DEIDGUI_HOME"] = tempfile.mkdtemp(prefix="deidgui-pictures-")

import deidgui  # noqa: F401 - guards None/True/False before any Qt use
from deidgui.app.policies.runner import LATTICE
from deidgui.app.session import Kind
from deidgui.errors import DeidError
from deidgui.qt.application import Running, make_application
from deidgui.qt.pages import STEPS
from deidgui.qt.settings import Settings
from deidgui.qt.theme import Mode, theme
from deidgui.qt.widgets import Notice
from tests.qt.gallery import gallery

SIZES = ((1280, 720), (1920, 1080))
PATIENCE_S = 120.0


class Camera:
    """The running window and the folder of its pictures."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.app = make_application(["deidgui"])
        self.running = Running(self.app, Settings())
        self.window = self.running.window
        self.window.files.ask = lambda *_args: "discard"
        self.window.show()

    def wait(self, seconds: float) -> None:
        """Let the window work for a while."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.app.processEvents()
            time.sleep(0.002)

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Let the window work until something is so."""
        end = time.monotonic() + PATIENCE_S
        while not is_so() and time.monotonic() < end:
            self.wait(0.02)

    def take(self, name: str) -> None:
        """Save pictures in both sizes and schemes."""
        for mode in (Mode.LIGHT, Mode.DARK):
            theme().set_mode(mode)
            for width, height in SIZES:
                self.window.resize(width, height)
                self.wait(0.3)
                file = f"{name}-{mode.value}-{width}.png"
                self.window.grab().save(str(self.folder / file))


def main(folder: Path, steps: list[str]) -> None:
    """Save a picture of every step."""
    camera = Camera(folder)
    window, workspace = camera.window, camera.running.workspace
    if not steps:
        camera.take("00-empty")
    window.files.open_example()
    camera.wait_until(lambda: workspace.session.undo_label is not None)
    camera.wait_until(lambda: workspace.session.current(Kind.CLASSES) is not None)
    window.build_all_pages()
    try:
        workspace.policies.start(LATTICE)
    except DeidError as error:
        window.files.show_error(error)
    camera.wait_until(lambda: not workspace.runner.is_busy)
    for number, step in enumerate(STEPS, start=1):
        if not steps or step.key in steps:
            window.show_step(step.key)
            camera.wait(0.5)
            camera.take(f"{number:02d}-{step.key}")
    if not steps:
        _take_notices(camera)
        _take_gallery(camera)
    window.close()
    camera.running.close()


def _take_notices(camera: Camera) -> None:
    window = camera.window
    window.show_step("start")
    window.actions_by_name["help_panel"].trigger()
    notice = Notice("“a.csv” was not found.", "warning", "It was moved.", "Find it…")
    window.notices.report(notice)
    window.notices.report(Notice("The release was written and verified.", "success"))
    camera.take("20-notices")
    window.actions_by_name["help_panel"].trigger()


def _take_gallery(camera: Camera) -> None:
    for mode in (Mode.LIGHT, Mode.DARK):
        theme().set_mode(mode)
        sheet = gallery()
        sheet.resize(1500, 1000)
        sheet.show()
        camera.wait(0.2)
        sheet.grab().save(str(camera.folder / f"30-gallery-{mode.value}.png"))
        sheet.close()
        sheet.deleteLater()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "pictures"), sys.argv[2:])
