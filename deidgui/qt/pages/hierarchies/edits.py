"""What the buttons do to a draft: steps of the engine put together."""

from __future__ import annotations

from collections.abc import Sequence

from deidgui.app.hierarchies.editing import Edit
from deidgui.engine.data import hierarchy_edit as engine
from deidgui.engine.data.hierarchy_draft import Draft
from deidgui.engine.data.hierarchy_problems import Problem, repair, repair_all
from deidgui.engine.data.table import Column


def group(level: int, labels: Sequence[str], name: str) -> Edit:
    """Make a group of groups or values of a level; adds a level where none is free."""

    def edit(draft: Draft) -> Draft:
        if level + 1 >= draft.height:
            draft = engine.add_level(draft, draft.height)
        return engine.new_group(draft, level + 1, labels, name)

    return edit


def merge(level: int, labels: Sequence[str], name: str) -> Edit:
    """Make one group of several of the same level."""
    return lambda draft: engine.merge_groups(draft, level, labels, name)


def move(moved: Sequence[tuple[int, str]], level: int, target: str) -> Edit:
    """Put groups or values under a group of a level."""

    def edit(draft: Draft) -> Draft:
        for source, label in moved:
            draft = engine.move_group(draft, source, label, level, target)
        return draft

    return edit


def rename(level: int, label: str, name: str) -> Edit:
    """Give a group another name."""
    return lambda draft: engine.rename_group(draft, level, label, name)


def dissolve(level: int, labels: Sequence[str]) -> Edit:
    """Let the members of groups stand alone."""

    def edit(draft: Draft) -> Draft:
        for label in labels:
            draft = engine.ungroup(draft, level, label)
        return draft

    return edit


def add_level(level: int) -> Edit:
    """Insert a level that at first equals the one below."""
    return lambda draft: engine.add_level(draft, level)


def remove_level(level: int) -> Edit:
    """Take a level out."""
    return lambda draft: engine.remove_level(draft, level)


def write(row: int, level: int, text: str) -> Edit:
    """Write one cell of the grid: what is below it moves there or into a new group."""

    def edit(draft: Draft) -> Draft:
        below = draft.columns[level - 1][row]
        if text in draft.columns[level]:
            return engine.move_group(draft, level - 1, below, level, text)
        return engine.new_group(draft, level, (below,), text)

    return edit


def fix(problem: Problem) -> Edit:
    """Repair one problem."""
    return lambda draft: repair(draft, problem)


def fix_all(column: Column) -> Edit:
    """Repair everything."""
    return lambda draft: repair_all(draft, column)
