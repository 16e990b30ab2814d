"""The system's dialogs for files, which begin where the person works."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from PySide6.QtWidgets import QFileDialog, QWidget

from deidgui import resources
from deidgui.app.session import Session
from deidgui.qt.settings import Settings

_T = TypeVar("_T")

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
    start = _start(parent, purpose)
    chosen, _ = QFileDialog.getOpenFileName(parent, title, start, kinds)
    return _remembered(parent, purpose, chosen)


def ask_open_many(
    parent: QWidget, purpose: str, title: str, kinds: str = ""
) -> list[Path]:
    """Ask for files (see `ask_open`); none if the user declines."""
    start = _start(parent, purpose)
    chosen, _ = QFileDialog.getOpenFileNames(parent, title, start, kinds)
    if chosen:
        _remembered(parent, purpose, chosen[0])
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
    start = str(Path(_start(parent, purpose)) / proposed)
    chosen, _ = QFileDialog.getSaveFileName(parent, title, start, kinds, "", options)
    return _remembered(parent, purpose, chosen)


def ask_folder(parent: QWidget, purpose: str, title: str) -> Path | None:
    """Ask for a folder (see `ask_open`)."""
    chosen = QFileDialog.getExistingDirectory(parent, title, _start(parent, purpose))
    return _remembered(parent, purpose, chosen)


def ask_new_folder(parent: QWidget, purpose: str, title: str, name: str) -> Path | None:
    """Ask where a folder shall be made and how it is called (see `ask_open`).

    Parameters
    ----------
    name : str
        Proposed, with a number if there is such a folder.
    """
    free = free_folder(Path(_start(parent, purpose), name)).name
    unasked = QFileDialog.Option.DontConfirmOverwrite
    return ask_save(parent, purpose, title, free, options=unasked)


def free_folder(wanted: Path) -> Path:
    """Return a folder that does not exist, of this name or with a number."""
    folder, number = wanted, 2
    while folder.exists():
        folder = wanted.with_name(f"{wanted.name} {number}")
        number += 1
    return folder


def settings_of(widget: QWidget) -> Settings:
    """Return the settings of the window that a widget is part of."""
    return _held(widget, "settings", Settings) or Settings()


def _held(widget: QWidget, name: str, kind: type[_T]) -> _T | None:
    """What the window that a widget is part of holds by a name."""
    place: QWidget | None = widget
    while place is not None:
        if isinstance(found := getattr(place, name, None), kind):
            return found
        place = place.parentWidget()
    return None


def _project(parent: QWidget) -> Path | None:
    """Folder of the open project, else of its data; None of the sample."""
    session = _held(parent, "session", Session)
    if session is None:
        return None
    data = None if session.loaded is None else session.loaded.path
    file = session.path or (None if data == resources.sample_path() else data)
    return None if file is None else file.parent


def _start(parent: QWidget, purpose: str) -> str:
    return settings_of(parent).folder_for(purpose, _project(parent))


def _remembered(parent: QWidget, purpose: str, chosen: str) -> Path | None:
    if not chosen:
        return None
    path = Path(chosen)
    settings_of(parent).remember_folder(purpose, path, _project(parent))
    return path
