"""A hierarchy that is being edited: a grid of labels that may have problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import Int32Array, IntArray
from deidgui.engine.data.hierarchy import SUPPRESSED, Hierarchy, Template
from deidgui.engine.data.hierarchy_build import missing_token
from deidgui.engine.data.table import Column

Labels = tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Draft:
    """The labels of every leaf at every level; neither nested nor complete for sure.

    Edits give new drafts, so that undo is keeping the old one.

    Parameters
    ----------
    columns : tuple of tuple of str, each of length n_rows
        Labels by level, level 0 (the values) first; at least one level.
    rule : Template or None
        What it was first built from; places values that have no leaf yet.
    missing : str or None
        The leaf that stands for "no value".
    is_edited : bool
        Whether labels were changed since the rule gave them.
    n_merged : int
        Rows of a file that said again what another row says.
    """

    attribute: str
    columns: tuple[Labels, ...]
    rule: Template | None = None
    missing: str | None = None
    is_edited: bool = field(default=False, compare=False)
    n_merged: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        assert self.columns
        assert len({len(column) for column in self.columns}) == 1

    def __repr__(self) -> str:
        return f"<Draft {self.attribute!r}: {self.n_rows} rows, {self.height} levels>"

    @property
    def n_rows(self) -> int:
        """Number of leaves."""
        return len(self.columns[0])

    @property
    def height(self) -> int:
        """Index of the most general level."""
        return len(self.columns) - 1

    @property
    def grid(self) -> list[Labels]:
        """One row per leaf: its label at every level."""
        return list(zip(*self.columns, strict=True))

    def row(self, number: int) -> Labels:
        """Labels of one leaf at every level."""
        return tuple(column[number] for column in self.columns)

    @cached_property
    def codes(self) -> tuple[Int32Array, ...]:
        """Labels of every level as numbers, equal where the labels are."""
        return tuple(_codes(column) for column in self.columns)

    def rows_of(self, level: int, label: str) -> list[int]:
        """Rows that have `label` at `level`, in order."""
        return [row for row, each in enumerate(self.columns[level]) if each == label]

    def with_columns(self, columns: Sequence[Labels]) -> Draft:
        """Return the same draft with other labels."""
        return replace(self, columns=tuple(columns), is_edited=True)

    def with_rows(self, rows: Sequence[Labels]) -> Draft:
        """Return the same draft with other rows, each as long as it is high."""
        width = range(len(self.columns))
        return self.with_columns([tuple(row[d] for row in rows) for d in width])

    @classmethod
    def from_hierarchy(cls, hierarchy: Hierarchy) -> Draft:
        """Begin with an existing hierarchy."""
        leaf = hierarchy.missing_leaf
        return cls(
            hierarchy.attribute,
            tuple(
                tuple(level.labels[group] for group in level.groups.tolist())
                for level in hierarchy.levels
            ),
            hierarchy.rule,
            None if leaf is None else hierarchy.leaves[leaf],
            hierarchy.is_edited,
        )

    @classmethod
    def from_column(cls, column: Column) -> Draft:
        """Begin with the values of a column and nothing above them but ``*``."""
        token = missing_token(column)
        values = column.present() + ([] if token is None else [token])
        top = (SUPPRESSED,) * len(values)
        return cls(column.name, (tuple(values), top), missing=token)


def _codes(column: Labels) -> Int32Array:
    number: dict[str, int] = {}
    codes = [number.setdefault(label, len(number)) for label in column]
    return np.array(codes, dtype=np.int32)


def records_by_row(draft: Draft, column: Column) -> IntArray:
    """Records of a column for every row of a draft.

    Returns
    -------
    ndarray of int64, shape (n_rows,)
        A leaf that occurs twice counts at its first row; texts that mean "no
        value" and have no leaf count at the leaf for it.
    """
    first: dict[str, int] = {}
    for row, label in enumerate(draft.columns[0]):
        first.setdefault(label, row)
    fallback = -1 if draft.missing is None else first.get(draft.missing, -1)
    rows = np.array([first.get(text, -1) for text in column.texts()], dtype=np.int64)
    rows[column.is_missing & (rows < 0)] = fallback
    found = rows >= 0
    counted = np.bincount(rows[found], column.counts[found], draft.n_rows)
    return counted.astype(np.int64)
