"""Edits to a hierarchy draft: rename, merge, move, group, add levels."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from deidgui.engine.data.hierarchy import SUPPRESSED
from deidgui.engine.data.hierarchy_draft import Draft, Labels
from deidgui.errors import ConfigError


def rename_group(draft: Draft, level: int, label: str, new_label: str) -> Draft:
    """Give a group another name.

    Parameters
    ----------
    level : int in [0, height]

    Raises
    ------
    ConfigError
        Codes ``level_range``, ``group_unknown``, ``group_name_empty`` or
        ``group_exists`` (merge the groups instead).
    """
    _check_level(draft, level, 0, draft.height)
    rows = _rows(draft, level, (label,))
    if new_label == label:
        return draft
    _check_new(draft, level, new_label)
    renamed = _put(draft, level, rows, new_label)
    if level == 0 and label == draft.missing:
        return replace(renamed, missing=new_label)
    return renamed


def merge_groups(draft: Draft, level: int, labels: Collection[str], into: str) -> Draft:
    """Make one group of several; it stays where `into`, or else the first, was.

    Parameters
    ----------
    level : int in [1, height]
    labels : collection of str
        Groups of that level.
    into : str
        Name of the merged group, new or an existing one.

    Raises
    ------
    ConfigError
        Codes ``level_range``, ``group_unknown`` or ``group_name_empty``.
    """
    _check_level(draft, level, 1, draft.height)
    if not into:
        raise ConfigError("group_name_empty", attribute=draft.attribute)
    rows = _rows(draft, level, labels)
    kept = draft.rows_of(level, into)
    path = draft.row((kept or rows)[0])
    merged = sorted({*rows, *kept})
    return _put_path(draft, merged, level, (into, *path[level + 1 :]))


def move_group(
    draft: Draft, level: int, label: str, target_level: int, target: str
) -> Draft:
    """Put a group or a leaf under another group.

    Levels between the two get a group of their own for what was moved.

    Parameters
    ----------
    level : int
        Level of what is moved; 0 for a leaf.
    target_level : int in [level + 1, height]
    target : str
        Group that receives it.

    Raises
    ------
    ConfigError
        Codes ``level_range`` or ``group_unknown``.
    """
    _check_level(draft, target_level, level + 1, draft.height)
    rows = _rows(draft, level, (label,))
    path = draft.row(_rows(draft, target_level, (target,))[0])
    moved = set(rows)
    between = [
        _free(draft.columns[depth], label, moved)
        for depth in range(level + 1, target_level)
    ]
    return _put_path(draft, rows, level + 1, (*between, *path[target_level:]))


def new_group(draft: Draft, level: int, members: Collection[str], label: str) -> Draft:
    """Make a group of some groups (or leaves) of the level below.

    Parameters
    ----------
    level : int in [1, height - 1]
    members : collection of str
        Labels of level - 1; they leave the groups they were in.
    label : str
        Name of the new group; it stays where the first member was.

    Raises
    ------
    ConfigError
        Codes ``level_range``, ``group_unknown``, ``group_name_empty`` or
        ``group_exists``.
    """
    _check_level(draft, level, 1, draft.height - 1)
    _check_new(draft, level, label)
    rows = _rows(draft, level - 1, members)
    path = draft.row(rows[0])
    return _put_path(draft, rows, level, (label, *path[level + 1 :]))


def ungroup(draft: Draft, level: int, label: str) -> Draft:
    """Dissolve a group: each of its members stands alone on that level.

    Raises
    ------
    ConfigError
        Codes ``level_range`` or ``group_unknown``.
    """
    _check_level(draft, level, 1, draft.height - 1)
    rows = _rows(draft, level, (label,))
    taken = {each for each in draft.columns[level] if each != label}
    names: dict[str, str] = {}
    column = list(draft.columns[level])
    for row in rows:
        member = draft.columns[level - 1][row]
        if member not in names:
            names[member] = _unused(member, taken)
            taken.add(names[member])
        column[row] = names[member]
    return _with_column(draft, level, tuple(column))


def add_level(draft: Draft, level: int) -> Draft:
    """Insert a level that at first equals the one below.

    Parameters
    ----------
    level : int in [1, height + 1]
        Where the new level will be; ``height + 1`` adds ``*`` on top.

    Raises
    ------
    ConfigError
        Code ``level_range``.
    """
    _check_level(draft, level, 1, draft.height + 1)
    on_top = level == draft.height + 1
    added = (SUPPRESSED,) * draft.n_rows if on_top else draft.columns[level - 1]
    return draft.with_columns([*draft.columns[:level], added, *draft.columns[level:]])


def remove_level(draft: Draft, level: int) -> Draft:
    """Remove a level between the leaves and the most general level.

    Raises
    ------
    ConfigError
        Code ``level_range``.
    """
    _check_level(draft, level, 1, draft.height - 1)
    return draft.with_columns([*draft.columns[:level], *draft.columns[level + 1 :]])


def _put(draft: Draft, level: int, rows: Iterable[int], label: str) -> Draft:
    column = list(draft.columns[level])
    for row in rows:
        column[row] = label
    return _with_column(draft, level, tuple(column))


def _put_path(draft: Draft, rows: Sequence[int], level: int, path: Labels) -> Draft:
    """Give rows the labels of `path` from `level` upwards."""
    columns = list(draft.columns)
    for depth, label in enumerate(path, start=level):
        column = list(columns[depth])
        for row in rows:
            column[row] = label
        columns[depth] = tuple(column)
    return draft.with_columns(columns)


def _with_column(draft: Draft, level: int, column: Labels) -> Draft:
    return draft.with_columns(
        [*draft.columns[:level], column, *draft.columns[level + 1 :]]
    )


def _free(column: Labels, label: str, rows: Collection[int]) -> str:
    """Return `label`, or the same numbered if rows other than `rows` have it."""
    return _unused(label, {each for r, each in enumerate(column) if r not in rows})


def _unused(label: str, taken: Collection[str]) -> str:
    free, number = label, 2
    while free in taken:
        free, number = f"{label} ({number})", number + 1
    return free


def _rows(draft: Draft, level: int, labels: Collection[str]) -> list[int]:
    """Rows of some groups of a level, all of which must exist."""
    wanted = set(labels)
    column = draft.columns[level]
    rows = [row for row, label in enumerate(column) if label in wanted]
    if not wanted or len({column[row] for row in rows}) < len(wanted):
        raise ConfigError("group_unknown", attribute=draft.attribute, level=level)
    return rows


def _check_new(draft: Draft, level: int, label: str) -> None:
    if not label:
        raise ConfigError("group_name_empty", attribute=draft.attribute)
    if label in draft.columns[level]:
        raise ConfigError("group_exists", attribute=draft.attribute, level=level)


def _check_level(draft: Draft, level: int, low: int, high: int) -> None:
    if not low <= level <= high:
        raise ConfigError(
            "level_range", attribute=draft.attribute, level=level, low=low, high=high
        )
