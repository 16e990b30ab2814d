"""Edits to a hierarchy draft: rename, merge, move, group, add levels."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from deidgui.engine.data.hierarchy import SUPPRESSED
from deidgui.engine.data.hierarchy_draft import Draft, Labels
from deidgui.errors import ConfigError

_DIGITS = re.compile(r"(\d+)", re.ASCII)


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


def move_leaf(draft: Draft, leaf: str, target_level: int, target: str) -> Draft:
    """Put a leaf under another group (see `move_group`).

    Raises
    ------
    ConfigError
        Codes ``level_range`` or ``group_unknown``.
    """
    return move_group(draft, 0, leaf, target_level, target)


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


def set_cell(draft: Draft, row: int, level: int, label: str) -> Draft:
    """Write one cell of the grid; nesting is not looked after.

    Raises
    ------
    ConfigError
        Codes ``level_range`` or ``row_range``.
    """
    _check_level(draft, level, 0, draft.height)
    _check_row(draft, row)
    return _put(draft, level, (row,), label)


def add_leaf(draft: Draft, labels: Labels, row: int | None = None) -> Draft:
    """Insert a leaf with its label at every level, at the end by default.

    Raises
    ------
    ConfigError
        Code ``row_width`` if there is not one label per level, ``row_range``.
    """
    if len(labels) != len(draft.columns):
        raise ConfigError(
            "row_width", attribute=draft.attribute, expected=len(draft.columns)
        )
    at = draft.n_rows if row is None else row
    if at != draft.n_rows:
        _check_row(draft, at)
    pairs = zip(draft.columns, labels, strict=True)
    return draft.with_columns([(*col[:at], new, *col[at:]) for col, new in pairs])


def remove_leaf(draft: Draft, row: int) -> Draft:
    """Remove a leaf.

    Raises
    ------
    ConfigError
        Code ``row_range``.
    """
    _check_row(draft, row)
    return draft.with_columns([(*col[:row], *col[row + 1 :]) for col in draft.columns])


def move_row(draft: Draft, row: int, to: int) -> Draft:
    """Drag a leaf to another place in the order.

    Raises
    ------
    ConfigError
        Code ``row_range``.
    """
    _check_row(draft, row)
    _check_row(draft, to)
    order = list(range(draft.n_rows))
    order.insert(to, order.pop(row))
    return draft.in_order(order)


def sort_leaves(draft: Draft, level: int = 0) -> Draft:
    """Sort the leaves by their label at a level, numbers by size.

    Parameters
    ----------
    level : int in [0, height]
        Ties keep their order.

    Raises
    ------
    ConfigError
        Code ``level_range``.
    """
    _check_level(draft, level, 0, draft.height)
    column = draft.columns[level]
    key = {label: natural_key(label) for label in set(column)}
    return draft.in_order(sorted(range(draft.n_rows), key=lambda row: key[column[row]]))


def natural_key(label: str) -> list[tuple[int, int, str]]:
    """Sort key by which "9" comes before "10" and "a2" before "a10"."""
    return [
        (0, int(part), "") if part.isdigit() and len(part) < 100 else (1, 0, part)
        for part in _DIGITS.split(label.casefold())
        if part
    ]


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


def _check_row(draft: Draft, row: int) -> None:
    if not 0 <= row < draft.n_rows:
        raise ConfigError("row_range", attribute=draft.attribute, row=row)
