"""Which records become alike when every attribute is released at one level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from deidgui.engine.arrays import BoolArray, Int32Array, IntArray
from deidgui.engine.data.class_table import ClassTable

_SPACE = 2**62
"""Keys are replaced by their ranks before they could exceed this."""


@dataclass(frozen=True, repr=False, eq=False)
class Classes:
    """Equivalence classes at one node of the lattice, none withheld.

    Parameters
    ----------
    class_table : ClassTable
    levels : tuple of int
        Level of each attribute.
    groups : ndarray of int32, shape (n_classes, n_attributes)
        Group of each attribute at its level; rows in ascending lexicographic
        order.
    counts : ndarray of int64, shape (n_classes,), each >= 1
        Records per class.
    of_combination : ndarray of int64, shape (n_combinations,)
        Class of each row of the class table.
    """

    class_table: ClassTable
    levels: tuple[int, ...]
    groups: Int32Array
    counts: IntArray
    of_combination: IntArray = field(repr=False)

    def __repr__(self) -> str:
        return f"<Classes {self.n_classes} at {self.levels}>"

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.counts)

    def leaves(self, column: int) -> IntArray:
        """Hierarchy leaves below the value of each class: int64, (n_classes,)."""
        hierarchy = self.class_table.hierarchies[column]
        below = hierarchy.leaf_counts(self.levels[column])
        return np.asarray(below[self.groups[:, column]], dtype=np.int64)

    def only(self, kept: BoolArray) -> Classes:
        """Return some of the classes; combinations of the others get -1.

        Parameters
        ----------
        kept : ndarray of bool, shape (n_classes,)
        """
        number = np.where(kept, np.cumsum(kept) - 1, -1)
        return Classes(
            self.class_table,
            self.levels,
            self.groups[kept],
            self.counts[kept],
            number[self.of_combination],
        )


def classes_at(class_table: ClassTable, levels: Sequence[int]) -> Classes:
    """Group the combinations of a class table at one node of the lattice.

    Parameters
    ----------
    class_table : ClassTable
    levels : sequence of int
        A level of each attribute's hierarchy.

    Returns
    -------
    Classes
    """
    hierarchies = class_table.hierarchies
    steps = [
        hierarchy.levels[level]
        for hierarchy, level in zip(hierarchies, levels, strict=True)
    ]
    key = np.zeros(class_table.n_classes, dtype=np.int64)
    space = 1
    for column, step in enumerate(steps):
        if space > _SPACE // step.n_groups:
            ranks, key = np.unique(key, return_inverse=True)
            space = len(ranks)
        key = key * step.n_groups + step.groups[class_table.leaves[:, column]]
        space *= step.n_groups
    _, first, of_combination = np.unique(key, return_index=True, return_inverse=True)
    counts = np.zeros(len(first), dtype=np.int64)
    np.add.at(counts, of_combination, class_table.counts)
    groups = np.empty((len(first), len(steps)), dtype=np.int32)
    for column, step in enumerate(steps):
        groups[:, column] = step.groups[class_table.leaves[first, column]]
    return Classes(class_table, tuple(levels), groups, counts, of_combination)
