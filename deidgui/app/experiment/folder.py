"""How the tables, figures and the page of an experiment get into a folder."""

from __future__ import annotations

import json
from pathlib import Path

from deidgui.app.experiment.case import Outcome
from deidgui.app.experiment.describe import FORMAT, describe
from deidgui.app.experiment.figures import figures_of
from deidgui.app.experiment.page import page_html
from deidgui.app.experiment.tables import csv_of, policies_table, seconds_table
from deidgui.app.release.folder import (
    part_folder,
    put_in_place,
    recover_folder,
    write_synced,
    writing,
)
from deidgui.app.report.drawing import svg
from deidgui.app.report.lines import line_drawing
from deidgui.errors import ConfigError

RESULT = "experiment.json"
_FONT = "'Source Sans 3', 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif"


def check_folder(folder: Path) -> None:
    """See that an experiment may be written to a folder.

    Parameters
    ----------
    folder : Path
        Absent, empty, or an earlier experiment, which is replaced.

    Raises
    ------
    ConfigError
        Code ``experiment_folder_in_use`` (folder).
    """
    if folder.is_symlink() or (folder.exists() and not _may_replace(folder)):
        raise ConfigError("experiment_folder_in_use", folder=folder.name)


def write_folder(outcome: Outcome, folder: Path) -> None:
    """Write an experiment: the folder appears whole or not at all.

    Parameters
    ----------
    folder : Path
        See `check_folder`.

    Raises
    ------
    ConfigError
        Code ``experiment_folder_in_use``.
    ResourceError
        Code ``cannot_write``; an earlier experiment is intact.
    """
    recover_folder(folder)
    check_folder(folder)
    contents = files_of(outcome)
    with part_folder(folder) as part, writing(folder):
        for name, content in contents.items():
            write_synced(part / name, content)
        put_in_place(part, folder)


def files_of(outcome: Outcome) -> dict[str, bytes]:
    """Contents of all files by name.

    Returns
    -------
    dict of str to bytes
        Tables and the numbers of figures as CSV, figures as SVG, a page, and all of
        it as JSON. Nothing about single records.
    """
    figures = figures_of(outcome.experiment)
    found = {
        "experiment.html": page_html(outcome, figures),
        "table2.csv": csv_of(seconds_table(outcome)),
        "table3.csv": csv_of(policies_table(outcome)),
    }
    for figure in figures:
        found[f"{figure.name}.csv"] = csv_of(figure.chart.to_table())
        drawn = svg(line_drawing(figure.chart))
        picture = drawn.replace("<svg ", f'<svg font-family="{_FONT}" ', 1)
        found[f"{figure.name}.svg"] = picture.encode()
    result = describe(outcome) | {"files": sorted([*found, RESULT])}
    text = json.dumps(result, ensure_ascii=False, allow_nan=False, indent=1)
    found[RESULT] = f"{text}\n".encode()
    return found


def _may_replace(folder: Path) -> bool:
    """Whether a folder is empty, or an experiment and nothing else."""
    if not folder.is_dir():
        return False
    names = {each.name for each in folder.iterdir()}
    if not names:
        return True
    try:
        result = json.loads((folder / RESULT).read_bytes())
        return result["format"] == FORMAT and names <= set(result["files"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False
