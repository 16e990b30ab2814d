"""The experiment as one function: a file in, JSON values and a folder out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deidgui.app.experiment.case import (
    ExperimentResult,
    case_of_file,
    case_of_sample,
    run_case,
)
from deidgui.app.experiment.options import ExperimentOptions
from deidgui.app.experiment.page import figures_of, page_html
from deidgui.app.experiment.results import (
    FORMAT,
    KINDS,
    TITLES,
    csv_of,
    describe,
    policies_table,
    seconds_table,
)
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
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import tr

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


def write_folder(outcome: ExperimentResult, folder: Path) -> None:
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


def files_of(outcome: ExperimentResult) -> dict[str, bytes]:
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
    content = describe(outcome) | {"files": sorted([*found, RESULT])}
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1)
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
        content = json.loads((folder / RESULT).read_bytes())
        return content["format"] == FORMAT and names <= set(content["files"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def run(
    data: Path | None,
    options: ExperimentOptions,
    out: Path | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Run the experiment on a file, or on the program's own sample.

    Parameters
    ----------
    out : Path, optional
        Folder for tables, figures and a page.

    Returns
    -------
    dict
        JSON values (see `describe`).

    Raises
    ------
    DeidError
        As `case_of_file`, `run_case` and `write_folder`.
    """
    if out is not None:
        check_folder(out)
    step = SubMonitor(monitor, 0.0, 0.5)
    if data is None:
        case = case_of_sample(options, monitor=step)
    else:
        case = case_of_file(data, options, monitor=step)
    outcome = run_case(case, options, monitor=SubMonitor(monitor, 0.5, 1.0))
    if out is None:
        return describe(outcome)
    write_folder(outcome, out)
    return describe(outcome) | {"folder": str(out)}


def in_words(result: Mapping[str, Any]) -> str:
    """One screen about a result, for people.

    Parameters
    ----------
    result : mapping
        Of `run`.
    """
    lines = [
        tr("{file}: {n:record|records}", file=result["file"], n=result["rows"]),
        tr(
            "Threshold (Safe Harbor): {threshold:.6g} expected re-identifications; "
            "without any generalization {raw_risk:.6g}.",
            threshold=result["threshold"],
            raw_risk=result["raw_risk"],
        ),
        "",
        "".join(
            (
                *(f"{'':<10}", f"{tr('iterations'):>12}", f"{tr('evaluations'):>13}"),
                *(f"{'ms':>10}", f"{tr('policies'):>10}", f"{tr('non-dominated'):>15}"),
            )
        ),
    ]
    for name, title in TITLES.items():
        each = result[name]
        lines.append(
            f"{title:<10}{each['iterations']:>12,}{each['evaluations']:>13,}"
            f"{each['seconds'] * 1000:>10.1f}{each['policies']:>10,}"
            f"{each['non_dominated']:>15,}"
        )
    lines += ["", tr("Policies, with their expected re-identifications:")]
    lines += [
        f"  {each['risk']:<10.6g}{tr(KINDS[each['kind']])}: {each['words']}"
        for each in result["examples"]
    ]
    if result["notes"]:
        lines += ["", tr("What this rests on:")]
        lines += [f"  - {note}" for note in result["notes"]]
    if result.get("folder"):
        lines += ["", tr("Tables and figures: {folder}", folder=result["folder"])]
    return "\n".join(lines)
