"""Every command of the window with its words, glyph and keys, and the menus of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from deidgui.qt import icons
from deidgui.qt.pages import ALL_STEPS, STEPS, WizardStep
from deidgui.qt.theme import Mode
from deidgui.text import tr

Keys = QKeySequence.StandardKey

TEXT_SIZES = (0.9, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0)
"""Factors on the system's text size."""


class Actions(QObject):
    """The commands of one window, by name; the window connects them.

    Parameters
    ----------
    window : QWidget
        Gets the shortcuts.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.by_name: dict[str, QAction] = {}
        self.recent_menu = QMenu(tr("Open &recent"), window)
        self._make_file()
        self._make_edit()
        self._make_view()
        self._make_help()
        self._make_steps()

    def __getitem__(self, name: str) -> QAction:
        return self.by_name[name]

    def connect_to(self, receivers: dict[str, Callable[..., Any]]) -> None:
        """Connect actions to bound methods by name."""
        for name, receiver in receivers.items():
            self.by_name[name].triggered.connect(receiver)

    def _add(
        self,
        name: str,
        text: str,
        keys: Keys | str | None = None,
        glyph: str | None = None,
        is_checkable: bool = False,
    ) -> QAction:
        action = QAction(text, self._window)
        if isinstance(keys, str):
            action.setShortcut(QKeySequence(keys))
        elif keys is not None:
            action.setShortcuts(QKeySequence.keyBindings(keys))
        if glyph:
            action.setIcon(icons.icon(glyph))
        action.setCheckable(is_checkable)
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        self._window.addAction(action)
        self.by_name[name] = action
        return action

    def _make_file(self) -> None:
        self._add("new", tr("&New from file…"), "Ctrl+N", "file-plus")
        self._add("new_counts", tr("New &tables of counts"), None, "table-rows")
        self._add("open", tr("&Open project…"), "Ctrl+O", "folder")
        self._add("example", tr("Open the e&xample"), None, "play")
        self._add("save", tr("&Save"), "Ctrl+S", "save")
        self._add("save_as", tr("Save &as…"), "Ctrl+Shift+S")
        self._add("rename", tr("Rena&me project…"))
        self._add("export", tr("&Export a release…"), "Ctrl+E")
        self._add("verify", tr("&Verify a release…"), "Ctrl+Shift+V")
        self._add("close", tr("&Close project"), "Ctrl+W")
        self._add("quit", tr("&Quit"), "Ctrl+Q")

    def _make_edit(self) -> None:
        self._add("undo", tr("&Undo"), "Ctrl+Z", "undo")
        redo = self._add("redo", tr("&Redo"), None, "redo")
        redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])

    def _make_view(self) -> None:
        group = QActionGroup(self)
        for mode, text, glyph in (
            (Mode.AUTO, tr("Follow the &system"), "contrast"),
            (Mode.LIGHT, tr("&Light"), "sun"),
            (Mode.DARK, tr("&Dark"), "moon"),
        ):
            name = f"theme_{mode.value}"
            group.addAction(self._add(name, text, None, glyph, is_checkable=True))
        self._add("toggle_theme", tr("Switch light and dark"), "Ctrl+Shift+L")
        self._add("larger", tr("&Larger text"), "Ctrl++")
        self["larger"].setShortcuts([QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")])
        self._add("smaller", tr("&Smaller text"), "Ctrl+-")
        self._add("normal_size", tr("&Normal text size"), "Ctrl+0")
        self._add("help_panel", tr("&Help panel"), "F9", "panel-right", True)
        self._add("rail", tr("Step &names"), "Ctrl+B", "panel-left", True)
        self._add("full_screen", tr("&Full screen"), "F11", "maximize", True)

    def _make_help(self) -> None:
        self._add("help_step", tr("Help on this &step"), "F1", "help")
        self._add("help_index", tr("&Contents"), "Ctrl+F1", "book")
        self._add("shortcuts", tr("&Keyboard shortcuts"), "Ctrl+?", "keyboard")
        self._add("about", tr("&About and self-check"), None, "info")

    def _make_steps(self) -> None:
        self._add("back", tr("&Previous step"), "Alt+Left", "arrow-left")
        self._add("next", tr("&Next step"), "Alt+Right", "arrow-right")
        for step in ALL_STEPS:
            self._add(f"step_{step.key}", step.title, step.keys, step.glyph)
        self.show_steps(STEPS)

    def show_steps(self, steps: Sequence[WizardStep]) -> None:
        """Offer the steps of one kind of project; others share their shortcuts."""
        shown = {step.key for step in steps}
        for step in ALL_STEPS:
            self[f"step_{step.key}"].setVisible(step.key in shown)

    def fill(self, bar: QMenuBar) -> None:
        """Put the menus into a menu bar."""
        file = bar.addMenu(tr("&File"))
        self._fill(file, "new", "new_counts", "open")
        file.addMenu(self.recent_menu)
        self._fill(file, "example")
        self._fill(file, "", "save", "save_as", "rename", "", "export", "verify")
        self._fill(file, "", "close", "quit")
        self._fill(bar.addMenu(tr("&Edit")), "undo", "redo")
        view = bar.addMenu(tr("&View"))
        steps = view.addMenu(tr("&Steps"))
        self._fill(steps, "back", "next", "", *(f"step_{s.key}" for s in ALL_STEPS))
        theme = view.addMenu(tr("&Theme"))
        self._fill(theme, "theme_auto", "theme_light", "theme_dark", "", "toggle_theme")
        size = view.addMenu(tr("Te&xt size"))
        self._fill(size, "larger", "smaller", "normal_size")
        self._fill(view, "", "help_panel", "rail", "full_screen")
        helping = bar.addMenu(tr("&Help"))
        self._fill(helping, "help_step", "help_index", "shortcuts", "about")

    def _fill(self, menu: QMenu, *names: str) -> None:
        for name in names:
            if name:
                menu.addAction(self.by_name[name])
            else:
                menu.addSeparator()
