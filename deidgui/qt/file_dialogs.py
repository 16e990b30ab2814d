"""The system's dialogs for files; each kind begins in the folder it was last in."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from deidgui.qt.settings import Settings

NO_OPTION = QFileDialog.Option(0)


def ask_open(parent: QWidget, purpose: str, title: str, kinds: str = "") -> Path | None:
    """Ask for a file; None if the user declines.

    Parameters
    ----------
    purpose : str
        Kind of dialog, by which the folder is remembered.
    kinds : str
        Filter of file names.
    """
    settings = settings_of(parent)
    folder = settings.folder_for(purpose)
    chosen, _ = QFileDialog.getOpenFileName(parent, title, folder, kinds)
    return _remembered(settings, purpose, chosen)


def ask_open_many(
    parent: QWidget, purpose: str, title: str, kinds: str = ""
) -> list[Path]:
    """Ask for files (see `ask_open`); none if the user declines."""
    settings = settings_of(parent)
    folder = settings.folder_for(purpose)
    chosen, _ = QFileDialog.getOpenFileNames(parent, title, folder, kinds)
    if chosen:
        _remembered(settings, purpose, chosen[0])
    return [Path(each) for each in chosen]


def ask_save(
    parent: QWidget,
    purpose: str,
    title: str,
    proposed: str,
    kinds: str = "",
    options: QFileDialog.Option = NO_OPTION,
) -> Path | None:
    """Ask where to write a file (see `ask_open`).

    Parameters
    ----------
    proposed : str
        Name of the file; a whole path wins over the folder that is remembered.
    """
    settings = settings_of(parent)
    start = str(Path(settings.folder_for(purpose)) / proposed)
    chosen, _ = QFileDialog.getSaveFileName(parent, title, start, kinds, "", options)
    return _remembered(settings, purpose, chosen)


def ask_folder(parent: QWidget, purpose: str, title: str) -> Path | None:
    """Ask for a folder (see `ask_open`)."""
    settings = settings_of(parent)
    start = settings.folder_for(purpose)
    chosen = QFileDialog.getExistingDirectory(parent, title, start)
    return _remembered(settings, purpose, chosen)


def settings_of(widget: QWidget) -> Settings:
    """Return the settings of the window that a widget is part of."""
    place: QWidget | None = widget
    while place is not None:
        found = getattr(place, "settings", None)
        if isinstance(found, Settings):
            return found
        place = place.parentWidget()
    return Settings()


def _remembered(settings: Settings, purpose: str, chosen: str) -> Path | None:
    if not chosen:
        return None
    settings.remember_folder(purpose, Path(chosen))
    return Path(chosen)
