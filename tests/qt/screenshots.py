"""Pictures of the real window: ``python -m tests.qt.screenshots FOLDER``.

Draws on the screen that ``DISPLAY`` names, else offscreen.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

if not os.environ.get("DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("DEIDGUI_HOME", tempfile.mkdtemp(prefix="deidgui-pictures-"))

import deidgui  # noqa: F401 - guards None/True/False before any Qt use
from deidgui.qt.application import make_application
from deidgui.qt.main_window import MainWindow
from deidgui.qt.pages import STEPS
from deidgui.qt.settings import Settings
from deidgui.qt.theme import Mode, apply_theme
from deidgui.qt.widgets import Notice
from tests.qt.fakes import FakeActivity, FakeWorkspace, fill
from tests.qt.gallery import gallery

SIZES = ((1280, 720), (1920, 1080))


def main(folder: Path) -> None:
    """Save a picture of every page, size and scheme."""
    folder.mkdir(parents=True, exist_ok=True)
    app = make_application(["deidgui"])
    for mode in (Mode.LIGHT, Mode.DARK):
        apply_theme(app, mode)
        for size in SIZES:
            _picture_pages(app, folder, mode, size)
        sheet = gallery()
        sheet.resize(1500, 1000)
        sheet.show()
        app.processEvents()
        sheet.grab().save(str(folder / f"gallery-{mode.value}.png"))
        sheet.close()


def _picture_pages(app, folder: Path, mode: Mode, size: tuple[int, int]) -> None:
    settings = Settings()
    workspace = FakeWorkspace()
    window = MainWindow(workspace, settings)
    window.resize(*size)
    window.show()
    window.build_all_pages()
    name = f"{mode.value}-{size[0]}"
    _save(app, window, folder / f"{name}-00-empty.png")
    fill(workspace.session)
    for number, step in enumerate(STEPS, start=1):
        window.show_step(step.key)
        _save(app, window, folder / f"{name}-{number:02d}-{step.key}.png")
    window.show_step("start")
    workspace.activity(FakeActivity("search", 0.4, "", 9.0))
    window.notices.tell(
        Notice(
            "“admissions.csv” was not found.",
            "warning",
            "It may have been moved.",
            "Find it…",
        )
    )
    window.actions_by_name["help_panel"].trigger()
    _save(app, window, folder / f"{name}-20-notice.png")
    window.actions_by_name["help_panel"].trigger()
    settings.remember(help_open=None)
    workspace.session.mark_saved(Path("x.deid.json"))
    workspace.activity(FakeActivity("search", None))
    window.close()
    window.deleteLater()
    app.processEvents()


def _save(app, window, path: Path) -> None:
    for _ in range(3):
        app.processEvents()
    window.grab().save(str(path))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "pictures"))
