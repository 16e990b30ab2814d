"""Decisions of the command line on other tables that a release is matched with."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from deidgui.app import ops
from deidgui.app.entered import check_named, too_long
from deidgui.app.measuring.others import (
    Kind,
    Other,
    check_columns,
    open_other,
    propose_comparison,
)
from deidgui.app.project import LONGEST_COMPARED, Comparison, Project
from deidgui.errors import ConfigError
from deidgui.monitor import Monitor
from deidgui.text import tr


def with_comparison(
    project: Project, text: str, by: str, day: str, folder: Path, monitor: Monitor
) -> tuple[ops.Op, dict[str, Path]]:
    """Match the release with another table.

    Parameters
    ----------
    text : str
        ``release=FOLDER``, ``register=FILE`` or ``hold_out=FILE``, with
        ``,coverage=SHARE``, ``,name=NAME`` or ``,QUASI-IDENTIFIER=COLUMN`` behind it;
        ``none=NAME`` takes it back.
    by, day : str
        Who decides it, and when.
    folder : Path
        Of the project.

    Returns
    -------
    op : Op
    away : dict of str to Path
        Where a table is that is not below the folder of the project, by its name.

    Raises
    ------
    ConfigError
        Codes ``compare_form``, ``other_no_column``, ``validity_unnamed``, and
        ``not_one_of`` for a name that is too long.
    InputError
        As `open_other`.
    """
    check_named(by)
    first, *more = text.split(",")
    kind, mark, place = first.partition("=")
    parts = [each.partition("=") for each in more]
    if kind == "none" and place and not more:
        return ops.compare_no_more(place, by), {}
    if not place or not mark or any(not each[2] for each in parts):
        raise ConfigError("compare_form", value=text)
    roles = ("quasi_identifier", "sensitive")
    names = {each.name for each in project.with_role(*roles)}
    names |= {project.key} if project.key is not None else set()
    given = {name: value for name, _, value in parts}
    if given.keys() - names - {"coverage", "name"}:
        raise ConfigError("compare_form", value=text)
    for known in get_args(Kind):
        if kind == known:
            other = open_other(Path(place), known, monitor=monitor)
            choice = _choice(project, other, known, given)
            choice = choice.but(by=by, on=day)
            path, root = other.path.resolve(), folder.resolve()
            if path.is_relative_to(root):
                named = path.relative_to(root).as_posix()
                return ops.compare_with(choice.but(file=named)), {}
            return ops.compare_with(choice), {choice.name: other.path}
    raise ConfigError("compare_form", value=text)


def _choice(
    project: Project, other: Other, kind: Kind, given: dict[str, str]
) -> Comparison:
    columns = {k: v for k, v in given.items() if k not in ("coverage", "name")}
    choice = propose_comparison(project, other, kind, columns)
    if "name" in given:
        if len(given["name"]) > LONGEST_COMPARED:
            raise too_long(tr("name"), given["name"])
        choice = choice.but(name=given["name"])
    if "coverage" in given:
        try:
            choice = choice.but(coverage=float(given["coverage"]))
        except ValueError:
            raise ConfigError("compare_form", value=given["coverage"]) from None
    check_columns(project, choice, other)
    return choice
