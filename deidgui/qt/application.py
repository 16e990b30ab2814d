"""How the window comes to life and ends."""

from __future__ import annotations

import contextlib
import gc
import importlib
import logging
import sys
import threading
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, Qt, QTimer, QTranslator
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

import deidgui
from deidgui.app.recovery import Recovery
from deidgui.app.stopping import CANCELLED, SignalWatch
from deidgui.app.storage.known_files import KnownFiles
from deidgui.app.storage.places import config_folder
from deidgui.app.workspace import Workspace
from deidgui.engine.compiled import announcing
from deidgui.errors import DeidError
from deidgui.qt import icons
from deidgui.qt.crash import CrashHandler
from deidgui.qt.dispatch import GarbageCollector, GuiDispatcher, LaterPainting
from deidgui.qt.main_window import MainWindow
from deidgui.qt.settings import Settings
from deidgui.qt.theme import Mode, apply_theme
from deidgui.qt.widgets import Notice
from deidgui.qt.workspace_notices import RECOVERY
from deidgui.text import tr

SWITCH_INTERVAL_S = 0.001
"""How soon a running thread lets another one go on."""

LOG = logging.getLogger("deidgui.window")


def make_application(arguments: list[str]) -> QApplication:
    """Application with names, translations and the remembered look."""
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(
        Qt.HighDpiScaleFactorRoundingPolicy.PassThrough
    )
    app = QApplication(arguments)
    app.setApplicationName("deidgui")
    app.setApplicationVersion(deidgui.__version__)
    app.setDesktopFileName("deidgui")
    app.setAttribute(Qt.ApplicationAttribute.AA_DontShowIconsInMenus, True)
    _install_translation(app)
    load_charts()
    return app


def load_charts() -> None:
    """Import the charts' library in this thread, before any window (0.6 s).

    It loads further parts of Qt and asks for every type of it. In a thread beside a
    window that is being built, that ended the process in one start of ten.
    """
    importlib.import_module("pyqtgraph")


def _install_translation(app: QApplication) -> None:
    """Translate the standard dialogs of Qt into the system's language."""
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    translator = QTranslator(app)
    if translator.load(QLocale.system(), "qtbase", "_", folder):
        app.installTranslator(translator)


def _warm_up() -> None:
    """Import and compile what a file and a search need (worker thread)."""
    for module in (
        "deidgui.app.reading.reading",
        "deidgui.app.policies.lattice.searching",
        "deidgui.app.policies.alternatives.source",
        "deidgui.engine.detect.columns",
    ):
        importlib.import_module(module)
    from deidgui.app.release.folder import clear_leftovers
    from deidgui.engine.discover import warm_up as discover
    from deidgui.engine.population import warm_up as population
    from deidgui.engine.search import warm_up as search

    clear_leftovers()
    search.warm_up()
    population.warm_up()
    discover.warm_up()
    # What was imported lives as long as the program: looking for garbage among it
    # would stop the window for a tenth of a second again and again.
    gc.freeze()


class Running:
    """The parts of one running window, for whoever starts and ends it."""

    def __init__(self, app: QApplication, settings: Settings) -> None:
        now = settings.now
        apply_theme(app, Mode(now.theme), now.text_scale)
        app.setWindowIcon(icons.icon("mark", "accent"))
        self.dispatcher = GuiDispatcher()
        self.garbage = GarbageCollector(self.dispatcher)
        self.recovery = Recovery(config_folder() / "recovery")
        known = KnownFiles(config_folder())
        self.workspace = Workspace(self.dispatcher.post, self.recovery, known=known)
        self.window = MainWindow(self.workspace, settings)
        LaterPainting(self.window, self.dispatcher.post)
        self.garbage.wait()
        self.window.pages_imported.connect(self.garbage.go_on)
        self.crashes = CrashHandler(self.dispatcher.post, self._window_or_none)
        self.window.bug_found.connect(self.crashes.show)
        self._announcing = announcing(self._on_compiling)
        self._announcing.__enter__()
        self._is_ended = False

    def _on_compiling(self) -> None:
        """In any thread."""
        self.dispatcher.post(self.workspace.compiling)

    def _window_or_none(self) -> MainWindow | None:
        return self.window if self.window.isVisible() else None

    def open_first(self, project: Path | None) -> None:
        """Open what was asked for, or offer what a crash left behind."""
        if project is not None:
            self.window.files.open_path(project)
        elif self.recovery.offer():
            self.window.notices.report(
                Notice(
                    tr("The program ended unexpectedly last time."),
                    "info",
                    tr("Your unsaved decisions were kept."),
                    tr("Restore them"),
                    self._recover,
                    RECOVERY,
                )
            )

    def _recover(self) -> None:
        if self.workspace.recover():
            self.window.files.data_opened.emit()

    def end(self) -> None:
        """Leave without a question: the session ends, or Ctrl-C was pressed."""
        self._is_ended = True
        with contextlib.suppress(DeidError):
            self.workspace.autosave()
        QApplication.exit(CANCELLED)

    def close(self) -> None:
        """Stop all work; nothing calls back afterwards."""
        self._announcing.__exit__(None, None, None)
        self.workspace.close(keep=self._is_ended)
        self.crashes.uninstall()
        self.garbage.close()


def run_window(project: Path | None = None) -> int:
    """Show the window until it is closed.

    Parameters
    ----------
    project : Path, optional
        A project or a data file to open.

    Returns
    -------
    int
        Exit code of the process.
    """
    # PERF: the window waits at most so long for a worker in a Python loop.
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    app = make_application(sys.argv[:1])
    running = Running(app, Settings())
    running.crashes.install()
    running.window.show()
    QTimer.singleShot(0, lambda: running.open_first(project))
    warming = threading.Thread(target=_warm_up, daemon=True)
    running.window.pages_imported.connect(warming.start)
    on_signal = partial(running.dispatcher.post, running.end)
    with SignalWatch(on_signal, interrupts=False):
        try:
            return app.exec()
        finally:
            running.close()
            # A thread that still imports would destroy what is left of the window.
            gc.disable()
