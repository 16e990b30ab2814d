"""Builds hierarchies from rules, and fits them to the values of another column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from deidgui.engine.arrays import Int32Array
from deidgui.engine.data.hierarchy import SUPPRESSED, Grid, Hierarchy, Template
from deidgui.engine.data.numbers import opened
from deidgui.engine.data.table import Column
from deidgui.errors import InputError
from deidgui.monitor import NULL_MONITOR, Monitor

Row = tuple[str, ...]

NO_VALUE = "(no value)"
"""Written for a missing value where its own text already means a group."""


@dataclass(frozen=True, repr=False, eq=False)
class Cover:
    """A hierarchy made to cover a column, and what it still does not cover.

    Parameters
    ----------
    gap_codes : ndarray of int32, shape (n_gaps,)
        Codes of the column's values that have no leaf.
    n_gap_records : int, >= 0
        Records with such a value.
    """

    hierarchy: Hierarchy
    gap_codes: Int32Array = field(repr=False)
    n_gap_records: int

    @property
    def is_complete(self) -> bool:
        """Whether every record has a leaf."""
        return self.n_gap_records == 0


def build_hierarchy(
    column: Column, template: Template, *, monitor: Monitor = NULL_MONITOR
) -> Hierarchy:
    """Apply a rule to the values of a column.

    Returns
    -------
    Hierarchy
        With one leaf for "no value" if the column has missing values: the text
        that stands for it most often, kept on all levels below the top.

    Raises
    ------
    InputError
        Code ``template_value`` if the rule can read none of the values, or
        ``hierarchy_empty`` if the column has no rows.
    """
    monitor.report(0.0, "hierarchy")
    try:
        grid = _grid(template, column)
    except InputError as error:
        raise InputError(error.code, attribute=column.name, **error.params) from None
    monitor.report(0.8, "hierarchy")
    token = missing_token(column)
    if token is not None:
        width = len(grid[0]) if grid else len(template.level_names)
        grid.append(missing_row(token, grid, width))
    hierarchy = Hierarchy.from_grid(column.name, grid, rule=template, missing=token)
    monitor.report(1.0, "hierarchy")
    return hierarchy


def _grid(template: Template, column: Column) -> Grid:
    """Labels of the values that a column has.

    PRIVACY: where rows belong to people, people are counted: one person alone can have
    many rows with a value.
    """
    values = column.present()
    if type(template).weighted_grid is Template.weighted_grid:
        return labels_of(template, values, [1] * len(values))
    return labels_of(template, values, column.holders[~column.is_missing].tolist())


def labels_of(
    template: Template, values: Sequence[str], n_records: Sequence[int]
) -> Grid:
    """Labels of every value by a rule, also of one that has no upper end.

    A value as "45+" stands in the band of its number, and that band has then no upper
    end either, on every level: its label says nothing false of the value.

    Parameters
    ----------
    values : sequence of str
        Distinct values, missing ones left out.
    n_records : sequence of int, same length

    Raises
    ------
    InputError
        As `Template.weighted_grid`.
    """
    end = template.open_end(values)
    if end is None:
        return template.weighted_grid(values, n_records)
    # A number that is there besides keeps its own row.
    lowest = end.strip()[:-1]
    records = dict(zip(values, n_records, strict=True))
    n_open = records.pop(end)
    records[lowest] = records.get(lowest, 0) + n_open
    grid = template.weighted_grid(list(records), list(records.values()))
    place = next(at for at, row in enumerate(grid) if row[0] == lowest)
    own = grid[place]
    labels = [{label: opened(label)} for label in own[1:-1]]
    rows = [
        (row[0], *(each.get(x, x) for each, x in zip(labels, row[1:-1], strict=True)))
        for row in grid
    ]
    found: Grid = [(*row, SUPPRESSED) for row in rows]
    added = (end, *found[place][1:])
    return [*found[: place + (lowest in values)], added, *found[place + 1 :]]


def missing_token(column: Column) -> str | None:
    """Text that stands for "no value" most often, None if no record lacks one."""
    codes = column.missing_codes
    if len(codes) == 0 or column.n_missing == 0:
        return None
    return str(column.values[int(codes[np.argmax(column.counts[codes])])])


def missing_row(token: str, grid: Sequence[Sequence[str]], width: int) -> Row:
    """Labels of the leaf for "no value" at every level.

    Parameters
    ----------
    token : str
        Its text in the file.
    grid : sequence of rows
        The other leaves; a group with the same name would swallow this one.
    width : int, >= 2
        Number of levels.
    """
    taken = {row[depth] for row in grid for depth in range(1, width - 1)}
    label = token if token not in taken else NO_VALUE
    return (token, *[label] * (width - 2), SUPPRESSED)


def fit_hierarchy(hierarchy: Hierarchy, column: Column) -> Cover:
    """Make a hierarchy cover a column as far as its rule or its leaves can.

    Values without a leaf are added where the rule of the hierarchy places them.
    If the column has missing values, the leaf for them is found by its text or
    added.

    Returns
    -------
    Fit
        The same hierarchy with leaves added, never removed.

    Raises
    ------
    InputError
        Code ``hierarchy_flat`` if the hierarchy has no level above its leaves.
    """
    if hierarchy.height == 0:
        raise InputError("hierarchy_flat", attribute=hierarchy.attribute)
    grid = hierarchy.grid()
    added = _rows_by_rule(hierarchy, column, grid)
    token = missing_token(column)
    known = set(hierarchy.leaves).union(row[0] for row in added)
    held = _held_missing(hierarchy, column)
    if token is not None and held is None and token not in known:
        added.append(missing_row(token, [*grid, *added], hierarchy.height + 1))
    fitted = Hierarchy.from_grid(
        hierarchy.attribute,
        [*grid, *added],
        rule=hierarchy.rule,
        missing=held if held is not None else token,
        is_edited=hierarchy.is_edited,
    )
    return _measured(fitted, column)


def _held_missing(hierarchy: Hierarchy, column: Column) -> str | None:
    """Leaf that already stands for "no value" in the hierarchy."""
    if hierarchy.missing_leaf is not None:
        return hierarchy.leaves[hierarchy.missing_leaf]
    held = [
        code
        for code in column.missing_codes.tolist()
        if str(column.values[code]) in hierarchy.index
    ]
    if not held:
        return None
    return str(column.values[max(held, key=lambda code: int(column.counts[code]))])


def _rows_by_rule(hierarchy: Hierarchy, column: Column, grid: Grid) -> Grid:
    """Rows that the rule gives to values without a leaf, if they nest."""
    rule = hierarchy.rule
    present = column.present()
    gaps = {text for text in present if text not in hierarchy.index}
    if rule is None or not gaps or len(rule.level_names) != hierarchy.height + 1:
        return []
    try:
        rows = _grid(rule, column)
    except InputError:
        return []
    parents: list[dict[str, str]] = [{} for _ in range(hierarchy.height)]
    for row in grid:
        for depth in range(1, hierarchy.height):
            parents[depth][row[depth]] = row[depth + 1]
    # Groups edited by hand win: a row of the rule that contradicts them is a gap.
    return [row for row in rows if row[0] in gaps and _nests(row, parents)]


def _nests(row: Row, parents: list[dict[str, str]]) -> bool:
    above = row[2:]
    return all(
        parents[depth].setdefault(label, parent) == parent
        for depth, (label, parent) in enumerate(zip(row[1:], above, strict=False), 1)
    )


def _measured(hierarchy: Hierarchy, column: Column) -> Cover:
    leaves = hierarchy.leaf_of_values(column)
    gaps = np.flatnonzero((leaves < 0) & (column.counts > 0)).astype(np.int32)
    return Cover(hierarchy, gaps, int(column.counts[gaps].sum()))
