"""How the window looks to this user: theme, text size, full screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow

from deidgui.qt.actions import TEXT_SIZES, Actions
from deidgui.qt.settings import Settings
from deidgui.qt.theme import Mode, theme


class ViewCommands(QObject):
    """The View menu of one window, as far as it concerns no page."""

    def __init__(
        self, actions: Actions, settings: Settings, window: QMainWindow
    ) -> None:
        super().__init__(window)
        self._actions, self._settings, self._window = actions, settings, window
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
