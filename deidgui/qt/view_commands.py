"""How the window looks to this user: theme, text size, full screen, sheets of help."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QMainWindow

from deidgui.app.jobs import JobRunner
from deidgui.qt.about import AboutDialog
from deidgui.qt.actions import TEXT_SIZES, Actions
from deidgui.qt.dialogs import ShortcutsDialog
from deidgui.qt.settings import Settings
from deidgui.qt.theme import Mode, theme


class ViewCommands(QObject):
    """The View and Help menus of one window, as far as they concern no page."""

    def __init__(
        self,
        actions: Actions,
        settings: Settings,
        runner: JobRunner,
        window: QMainWindow,
    ) -> None:
        super().__init__(window)
        self._actions, self._settings, self._window = actions, settings, window
        self._runner = runner
        actions[f"theme_{theme().mode.value}"].setChecked(True)

    def answers(self) -> dict[str, Callable[..., Any]]:
        """Bound methods by the name of the action they answer."""
        return {
            "toggle_theme": self.toggle_theme,
            "theme_auto": self._on_theme_chosen,
            "theme_light": self._on_theme_chosen,
            "theme_dark": self._on_theme_chosen,
            "larger": self.larger,
            "smaller": self.smaller,
            "normal_size": self.normal_size,
            "full_screen": self._on_full_screen,
            "shortcuts": self._on_shortcuts,
            "about": self._on_about,
        }

    def toggle_theme(self) -> None:
        """Be dark if light, light if dark."""
        self._set_mode(Mode.LIGHT if theme().tokens.is_dark else Mode.DARK)

    def larger(self) -> None:
        """Take the next larger text size."""
        sizes = [size for size in TEXT_SIZES if size > theme().text_scale + 0.01]
        self._set_text_scale(min(sizes, default=TEXT_SIZES[-1]))

    def smaller(self) -> None:
        """Take the next smaller text size."""
        sizes = [size for size in TEXT_SIZES if size < theme().text_scale - 0.01]
        self._set_text_scale(max(sizes, default=TEXT_SIZES[0]))

    def normal_size(self) -> None:
        """Take the text size of the system."""
        self._set_text_scale(1.0)

    def _on_theme_chosen(self) -> None:
        for mode in Mode:
            if self._actions[f"theme_{mode.value}"].isChecked():
                self._set_mode(mode)

    def _set_mode(self, mode: Mode) -> None:
        self._actions[f"theme_{mode.value}"].setChecked(True)
        self._settings.remember(theme=mode.value)
        theme().set_mode(mode)

    def _set_text_scale(self, factor: float) -> None:
        self._settings.remember(text_scale=factor)
        theme().set_text_scale(factor)

    def _on_full_screen(self, is_full: bool) -> None:
        if is_full:
            self._window.showFullScreen()
        else:
            self._window.showNormal()

    def _on_shortcuts(self) -> None:
        self._open(ShortcutsDialog(self._actions.by_name, self._window))

    def _on_about(self) -> None:
        self._open(AboutDialog(self._runner, self._window))

    def _open(self, sheet: QDialog) -> None:
        sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        sheet.open()
