"""Some records before and after a policy, side by side."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import polars as pl

from deidgui.app.classes import Classes
from deidgui.app.project import Project
from deidgui.app.release.writing import treatments
from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.data.hierarchy import SUPPRESSED
from deidgui.engine.data.table import Column, LineIndex, Table
from deidgui.engine.policy.policy import Policy
from deidgui.engine.transform.apply import Treatment, apply_policy
from deidgui.engine.transform.released import ReleasedColumn, ReleasedTable
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import tr

Which = Literal["first", "random", "suppressed"]
"""Which records are shown."""

N_SHOWN = 1000
"""Records shown at most."""


@dataclass(frozen=True, repr=False, eq=False)
class Preview:
    """Some records as they are and as they would be released.

    Parameters
    ----------
    before, after : Table
        The same records in the same order; `after` has the released columns.
    changed : ndarray of bool, shape (n_shown, n_released_columns)
        Cells whose text differs.
    hidden : ndarray of bool, shape (n_shown, n_released_columns)
        Single cells that are suppressed, of records that are released.
    suppressed : ndarray of bool, shape (n_shown,)
    which : str
        As asked for.
    n_suppressed, n_of : int
        Of the whole table: suppressed records, and those of which these are some.
    leaves_out : bool
        Whether the release has no rows of suppressed records.
    """

    before: Table
    after: Table
    changed: BoolArray
    hidden: BoolArray
    suppressed: BoolArray
    n_suppressed: int
    n_of: int
    which: Which
    leaves_out: bool


def preview(
    project: Project,
    classes: Classes,
    policy: Policy,
    which: Which = "first",
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Preview:
    """Apply a policy and show some records before and after.

    Parameters
    ----------
    which : str
        The first, some random (always the same), or the suppressed records, those
        with suppressed cells among them.

    Returns
    -------
    Preview
        The released columns only, in the order of the input; nothing is shuffled.
    """
    # Pseudonyms are drawn anew for every release: the preview shows that a value
    # is replaced, and does not hash millions of identifiers for it.
    decided = treatments(project)
    coded = {name for name, each in decided.items() if each == "pseudonym"}
    shown: dict[str, Treatment] = {
        name: "mask" if name in coded else treatment
        for name, treatment in decided.items()
    }
    classes = classes.with_columns_of(project)
    released = apply_policy(
        classes.table,
        classes.class_table,
        policy,
        shown,
        spreadsheet_safe=project.export.spreadsheet_safe,
        monitor=monitor,
    )
    rows, n_of = _rows(policy, released, which)
    gone = released.suppressed[rows]
    after = tuple(
        _as_code(column.name, gone)
        if column.attribute in coded
        else _shown(released, column, rows)
        for column in released.columns
    )
    leaves_out = project.export.suppressed == "left_out"
    if leaves_out:
        after = tuple(_without(column, gone) for column in after)
    before = tuple(
        _part(classes.table.column(column.attribute), rows)
        for column in released.columns
    )
    differing = [
        (_texts(old) != _texts(new)).to_numpy()
        for old, new in zip(before, after, strict=True)
    ]
    after = tuple(map(_with_missing, before, after, differing))
    changed = np.zeros((len(rows), len(differing)), dtype=np.bool_)
    for place, cells in enumerate(differing):
        changed[:, place] = cells
    lines = LineIndex(1, range(len(rows)), [_line(classes.table, r) for r in rows])
    return Preview(
        Table(classes.table.name, before, lines),
        Table(classes.table.name, after, lines),
        changed,
        _hidden(policy, released, rows),
        gone,
        released.n_suppressed,
        n_of,
        which,
        leaves_out,
    )


def _hidden(policy: Policy, released: ReleasedTable, rows: IntArray) -> BoolArray:
    """Which cells are suppressed singly: bool, (n_rows, n_columns)."""
    found = np.zeros((len(rows), len(released.columns)), dtype=np.bool_)
    if policy.cells is None:
        return found
    counts = dict(zip(policy.attributes, policy.cells.by_attribute, strict=True))
    for place, column in enumerate(released.columns):
        if counts.get(column.attribute, 0):
            is_star = (column.values == SUPPRESSED).fill_null(False).to_numpy()
            hidden = is_star[released.codes(column, rows)]
            found[:, place] = hidden & ~released.suppressed[rows]
    return found


def _texts(column: Column) -> pl.Series:
    return column.values.gather(pl.Series(column.codes))


def _line(table: Table, row: int) -> int:
    return table.lines.line(int(row))


def _rows(
    policy: Policy, released: ReleasedTable, which: Which
) -> tuple[IntArray, int]:
    """Return the records that are shown, and of how many they are."""
    of = np.arange(len(released.suppressed), dtype=np.int64)
    if which == "suppressed":
        hidden = _hidden(policy, released, of).any(axis=1)
        of = of[released.suppressed | hidden]
    shown = of[:N_SHOWN]
    if which == "random":
        # The same seed every time: the preview must not jump while one looks.
        shown = np.sort(np.random.default_rng(0).permutation(of)[:N_SHOWN])
    return shown, len(of)


def _part(column: Column, rows: IntArray) -> Column:
    return Column(column.name, column.codes[rows], column.values, column.missing_codes)


def _as_code(name: str, suppressed: BoolArray) -> Column:
    """What stands for the pseudonyms of a column: they are drawn at the release."""
    texts = pl.Series(["*", tr("(code)")], dtype=pl.String)
    return Column(name, np.where(suppressed, 0, 1).astype(np.int32), texts)


def _shown(released: ReleasedTable, column: ReleasedColumn, rows: IntArray) -> Column:
    return Column(column.name, released.codes(column, rows), column.values)


def _with_missing(before: Column, after: Column, differing: BoolArray) -> Column:
    """Tell of missing cells that are released as they are."""
    is_same = before.is_missing[before.codes] & ~differing
    return replace(after, missing_codes=np.unique(after.codes[is_same]))


def _without(column: Column, gone: BoolArray) -> Column:
    """Say of the records that the release has no row of that they are left out."""
    texts = pl.concat([column.values, pl.Series([tr("(left out)")], dtype=pl.String)])
    codes = np.where(gone, len(column.values), column.codes).astype(np.int32)
    return Column(column.name, codes, texts)
