"""Folders of this user, which nobody else may read."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

HOME_VARIABLE = "DEIDGUI_HOME"
"""Environment variable that names another folder for settings."""


def config_folder() -> Path:
    """Folder of what the program keeps for this user."""
    elsewhere = os.environ.get(HOME_VARIABLE)
    if elsewhere:
        return Path(elsewhere)
    return Path(platformdirs.user_config_dir("deidgui", appauthor=False))


def own_folder(folder: Path) -> Path:
    """Make a folder that only its owner may read, and return it.

    Raises
    ------
    OSError
        If it cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.chmod(0o700)
    return folder
